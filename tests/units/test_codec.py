"""A state that was written as plain data comes back as it was, whatever of it is unknown."""

from __future__ import annotations

import pytest

from rocecfg.state.codec import from_plain, to_plain
from rocecfg.state.model import Amount, Curve, Device, Ecn, Port, PortQos, Queue, eight


@pytest.mark.parametrize(
    "curve",
    [
        Curve(Amount(320, "segment"), Amount(640, "segment"), None),
        Curve(Amount.of_bytes(1), None, 5),
        Curve(None, None, None),
    ],
)
def test_a_ramp_of_which_a_part_is_unknown(curve: Curve) -> None:
    qos = PortQos(queues=eight({3: Queue(ecn=Ecn((curve,)))}))
    device = Device("leaf1", "nxos", ports={"Ethernet1/1": Port("Ethernet1/1", qos)})
    assert from_plain(Device, to_plain(device)) == device
