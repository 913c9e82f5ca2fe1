"""`show dcbx interface`: whose priorities are lossless, and whether both ends agree; ECN lines without `all`."""

from __future__ import annotations

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

ROWS = "".join(f"           Priority {n}:                  {n in (3, 5)!s:<15} {n == 3}\n" for n in range(8))
DCBX = f"""\
leaf1# show dcbx interface 1/1/7
 DCBx admin state           : enabled
 DCBx operational state     : active
 DCBx version               : local = IEEE, remote = IEEE
 PFC operational state      : active

 Mismatch  Advertisement                Local           Peer
 --------- ---------------------------- --------------- ----
 Priority Flow Control (PFC)
       ->  Willing:                     No              Yes
           MACsec Bypass Capability:    Yes             Yes
           Max PFC Traffic Classes:     1               1
{ROWS} Enhanced Transmission Selection (ETS)
       ->  Willing:                     No              Yes
           Priority 0:                  Class 1         Class 1
           Class 3:                     ETS 25          ETS 25
           Class 7:                     Strict          Strict
 Application Priority Map:
 Mismatch  Protocol     Protocol ID     Local     Peer
                                        Priority  Priority
 --------- ------------ --------------- --------- ---------
       ->  iscsi                                  5
           tcp-sctp     1001 (0x03E9)   1         1
"""
CONFIG = "hostname leaf1\ninterface 1/1/7\n    no shutdown\n    flow-control priority rxtx 3\n    qos trust dscp\n"


def read(*contents: str):
    return parse(Capture("", "aruba_cx", tuple(Text(f"{n}", content) for n, content in enumerate(contents)), file="a"))


def test_both_ends() -> None:
    device = read(DCBX)
    qos = device.ports["1/1/7"].qos
    assert not device.lines
    assert (qos.pfc.admin, qos.pfc.tx, qos.pfc.oper) == ("on", {3, 5}, {3})
    assert (qos.dcbx.state, qos.dcbx.willing) == ("ieee", False)
    assert registry.detect((Text("a", DCBX),), "a") == "aruba_cx"


@pytest.mark.parametrize("turned", [False, True])
def test_the_configuration_has_the_last_word(turned: bool) -> None:
    texts = (DCBX, CONFIG) if turned else (CONFIG, DCBX)
    qos = read(*texts).ports["1/1/7"].qos
    assert (qos.trust, qos.pfc.tx, qos.pfc.oper) == ("dscp", {3}, {3})


def test_a_session_with_both() -> None:
    qos = read(f"leaf1# show running-config\n{CONFIG}{DCBX}leaf1#\n").ports["1/1/7"].qos
    assert (qos.trust, qos.pfc.tx, qos.pfc.oper) == ("dscp", {3}, {3})


def test_inactive_cut_and_nameless() -> None:
    assert (
        read(DCBX.replace("PFC operational state      : active", "PFC operational state      : inactive"))
        .ports["1/1/7"]
        .qos.pfc.oper
        == frozenset()
    )
    assert read(DCBX[: DCBX.index("Priority 6:")]).ports["1/1/7"].qos.pfc is None
    assert (
        read(DCBX.replace("admin state           : enabled", "admin state           : disabled"))
        .ports["1/1/7"]
        .qos.dcbx.state
        == "off"
    )
    with pytest.raises(ReadError, match="without its port"):
        read(DCBX.partition("\n")[2])


def test_a_strange_value_is_reported() -> None:
    device = read(DCBX.replace("Priority 3:                  True ", "Priority 3:                  Maybe"))
    assert len(device.lines) == 1
    assert device.ports["1/1/7"].qos.pfc is None


@pytest.mark.parametrize("which", ["", "all "])
def test_ecn_of_all_packets_with_and_without_the_word(which: str) -> None:
    device = read(
        f"hostname leaf1\nqos threshold-profile T\n    queue 3 action ecn {which}min-threshold 200 kbytes max-threshold 900"
        f" kbytes\n    queue 5 action ecn {which}threshold 400 kbytes\napply qos threshold-profile T\n{CONFIG}"
    )
    assert not device.lines
    queues = device.ports["1/1/7"].qos.queues
    assert [queues[n].ecn.curves[0].low.value for n in (3, 5)] == [200, 400]
