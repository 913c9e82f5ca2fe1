"""A guide writes `-i <interface>`: that is a word for the reader's own name, no redirection of a shell."""

from __future__ import annotations

import pytest

from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse

GUIDES = {
    "mlx5": "mlnx_qos -i <interface> --trust dscp\nmlnx_qos -i <interface> --pfc 0,0,0,1,0,0,0,0\n",
    "linux_dcb": "sudo lldptool -T -i <interface> -V PFC enabled=3\n",
    "linux_dcb dcb": "dcb pfc set dev <interface> prio-pfc 3:on\n",
}


@pytest.mark.parametrize("case", GUIDES)
def test_a_placeholder_is_a_name(case: str) -> None:
    device = parse(Capture("", case.split(maxsplit=1)[0], (Text("guide.sh", GUIDES[case]),), file="guide.sh"))
    assert (list(device.ports), device.lines) == (["<interface>"], ())
    assert device.ports["<interface>"].qos.pfc.tx == {3}


def test_a_redirection_stays_one() -> None:
    text = "dcb pfc set dev eth0 prio-pfc 3:on <defaults >out 2>/dev/null\n"
    device = parse(Capture("", "linux_dcb", (Text("run.sh", text),), file="run.sh"))
    assert list(device.ports) == ["eth0"]
