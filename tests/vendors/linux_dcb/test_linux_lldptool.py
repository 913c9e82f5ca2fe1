"""What lldptool prints: the APP table line by line, the CEE form, a peer's TLVs, and no JSON where a brace stands."""

from __future__ import annotations

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

IEEE = """\
Chassis ID TLV
\tMAC: 02:00:00:00:00:01
IEEE 8021QAZ ETS Configuration TLV
\t Willing: no
\t CBS: not supported
\t MAX_TCS: 4
\t PRIO_MAP: 0:0 1:0 2:0 3:1 4:0 5:0 6:2 7:0
\t TC Bandwidth: 40% 60% 0% 0% 0% 0% 0% 0%
\t TSA_MAP: 0:ets 1:ets 2:strict 3:strict 4:strict 5:strict 6:strict 7:strict
IEEE 8021QAZ PFC TLV
\t Willing: no
\t MACsec Bypass Capable: no
\t PFC capable traffic classes: 4
\t PFC enabled: 3
IEEE 8021QAZ APP TLV
\tApp#0:
\t Priority: 3
\t Sel: 2
\t {S}TCP Port: 3260

\tApp#1:
\t Priority: 4
\t Sel: 1
\t Ethertype: 0x8906

End of LLDPDU TLV
"""
CEE = """\
Chassis ID TLV
\tMAC: 02:00:00:00:00:01
Time to Live TLV
\t120
CEE DCBX TLV
\tControl TLV:
\t  SeqNo: 8, AckNo: 2
\tPriority Groups TLV:
\t  Enabled, Willing, No Error
\t  PGID Priorities:  0:[0,1,2,4,5,7] 1:[3] 15:[6]
\t  PGID Percentages: 0:40% 1:60% 2:0% 3:0% 4:0% 5:0% 6:0% 7:0%
\t  Number of TC's supported: 8
\tPriority Flow Control TLV:
\t  Enabled, Not Willing, No Error
\t  PFC enabled priorities: 3, 5
\t  Number of TC's supported: 8
\tApplication TLV:
\t  Enabled, Willing, No Error
\t  Ethertype: 0x8906, Priority Map: 0x08
\t  TCP/UDP Port: 0x0cbc, Priority Map: 0x10
\tUnknown DCBX sub-TLV: 0000800080
End of LLDPDU TLV
"""


def read(content: str):
    return parse(Capture("host1", "linux_dcb", (Text("a.txt", content),), file="a.txt"))


@pytest.mark.parametrize("content", [IEEE, CEE])
def test_it_is_known_without_a_name(content: str) -> None:
    assert registry.detect((Text("a.txt", content),), "a.txt") == "linux_dcb"


def test_the_app_table_line_by_line() -> None:
    device = read(f"# lldptool -ti eth1\n{IEEE}")
    qos = device.ports["eth1"].qos
    assert not device.lines
    assert qos.app_to_tc == (("ethertype", 0x8906, 4), ("tcp", 3260, 3))
    assert (qos.pfc.admin, qos.pfc.tx, qos.dcbx.willing) == ("on", {3}, False)


def test_the_cee_form() -> None:
    device = read(f"# lldptool -ti eth1\n{CEE}")
    qos = device.ports["eth1"].qos
    assert not device.lines
    assert (qos.pfc.tx, qos.dcbx.willing) == ({3, 5}, True)
    assert qos.tc_to_queue[:8] == (0, 0, 0, 1, 0, 0, None, 0)
    assert qos.app_to_tc == (("ethertype", 0x8906, 3), ("port", 0x0CBC, 4))


@pytest.mark.parametrize("content", [IEEE, CEE])
def test_what_the_peer_says_is_not_ours(content: str) -> None:
    with pytest.raises(ReadError, match="nothing of"):
        read(f"# lldptool -tni eth1\n{content}")
    both = read(f"# dcb pfc show dev eth1\nprio-pfc 0:off 4:on\n# lldptool -tni eth1\n{content}")
    assert not both.lines
    assert (both.ports["eth1"].qos.pfc.tx, both.ports["eth1"].qos.app_to_tc) == ({4}, None)


def test_a_brace_is_no_json() -> None:
    device = read("# dcb pfc show dev eth1\nprio-pfc 0:off 4:on\n# tc -s qdisc\n{1} of {2}\n")
    assert device.ports["eth1"].qos.pfc.tx == {4}
