"""The ways in which the same settings are written: full lines, contexts, sessions, ranges, `no` forms."""

from __future__ import annotations

import pytest

from rocecfg.state.model import Amount
from tests.vendors.onyx.onyx_texts import DATABASE, read

FULL = """\
interface ethernet 1/1 qos trust L3
interface ethernet 1/1 traffic-class 3 dcb ets wrr 40
interface ethernet 1/1 dcb priority-flow-control mode on force
dcb priority-flow-control enable force
dcb priority-flow-control priority 3 enable
traffic pool roce type lossless
traffic pool roce memory percent 50.00
traffic pool roce map switch-priority 3
"""
BLOCKS = """\
interface ethernet 1/1
  qos trust L3
  traffic-class 3 dcb ets wrr 40
  description uplink
  dcb priority-flow-control mode on force
  exit
dcb priority-flow-control enable force
dcb priority-flow-control priority 3 enable
traffic pool roce
  type lossless
  memory percent 50.00
  map switch-priority 3
  exit
"""
FLAT_BLOCKS = "\n".join(line.strip() for line in BLOCKS.splitlines() if line.strip() != "exit")
SESSION = """\
leaf1 > enable
leaf1 # configure terminal
leaf1 (config) # interface ethernet 1/1
leaf1 (config interface ethernet 1/1) # qos trust L3
leaf1 (config interface ethernet 1/1) # traffic-class 3 dcb ets wrr 40
leaf1 (config interface ethernet 1/1) # dcb priority-flow-control mode on force
leaf1 (config interface ethernet 1/1) # exit
leaf1 (config) # dcb priority-flow-control enable force
leaf1 (config) # dcb priority-flow-control priority 3 enable
leaf1 (config) # traffic pool roce
leaf1 (config traffic pool roce) # type lossless
leaf1 (config traffic pool roce) # memory percent 50.00
leaf1 (config traffic pool roce) # map switch-priority 3
leaf1 (config) # show dcb priority-flow-control
"""
STANDALONE = FULL.replace("interface ethernet", "sw-1 [standalone: master] (config) # interface ethernet")
COMMENTED = "# for the pod\n! old\n" + FULL.replace("\n", "\n\n   ")


@pytest.mark.parametrize("text", [BLOCKS, FLAT_BLOCKS, SESSION, STANDALONE, COMMENTED, FULL.replace("\n", "\r\n")])
def test_the_same_settings(text: str) -> None:
    device, plain = read(text), read(FULL)
    assert not device.lines
    assert device.ports == plain.ports
    assert device.pools == plain.pools
    assert device.pfc_enabled is True
    assert device.lines_read >= plain.lines_read


def test_a_session_that_printed_its_configuration() -> None:
    text = f"sw-1 [standalone: master] (config) # show running-config\n{DATABASE}sw-1 [standalone: master] (config) #\n"
    assert read(text).ports == read(DATABASE).ports
    assert read(text).complete == {"all"}


def test_abbreviated_interfaces() -> None:
    text = FULL.replace("interface ethernet", "int eth")
    assert read(text).ports == read(FULL).ports


def test_the_hostname_of_a_text_without_header() -> None:
    device = read(f"hostname leaf9\n{FULL}")
    assert device.name == "leaf9"
    assert read(DATABASE.replace("## Hostname: rack7-leaf1\n", "")).name == "rack7-leaf1"


def test_order_does_not_matter() -> None:
    lines = FULL.splitlines(keepends=True)
    assert read("".join(reversed(lines))).ports == read(FULL).ports


@pytest.mark.parametrize(
    ("text", "ports"),
    [
        ("ethernet 1/1-1/3", ["Eth1/1", "Eth1/2", "Eth1/3"]),
        ("ethernet 1/9-11", ["Eth1/9", "Eth1/10", "Eth1/11"]),
        ("ethernet 1/1,1/5", ["Eth1/1", "Eth1/5"]),
        ("ethernet 1/1-1/2,1/7", ["Eth1/1", "Eth1/2", "Eth1/7"]),
        ("ethernet 1/4/1-1/4/3", ["Eth1/4/1", "Eth1/4/2", "Eth1/4/3"]),
        ("port-channel 7", ["Po7"]),
        ("mlag-port-channel 1-3", ["Mpo1", "Mpo2", "Mpo3"]),
    ],
)
def test_ranges(text: str, ports: list[str]) -> None:
    assert list(read(f"interface {text} qos trust L3\n").ports) == ports


@pytest.mark.parametrize(
    "text", ["ethernet 1/9-1/3", "ethernet 1/1-2/4", "ethernet 1", "ethernet 1/1-1/9999", "ethernet -"]
)
def test_a_range_without_sense_is_reported(text: str) -> None:
    device = read(f"interface ethernet 1/1 qos trust L3\ninterface {text} qos trust both\n")
    assert list(device.ports) == ["Eth1/1"]
    assert len(device.lines) == 1


@pytest.mark.parametrize(
    ("line", "leaf", "value"),
    [
        ("no interface ethernet 1/1 qos trust", "trust", None),
        ("interface ethernet 1/1 no qos trust", "trust", None),
        ("interface ethernet 1/1 no traffic-class 3 dcb ets", "queues", None),
        ("interface ethernet 1/1 no dcb priority-flow-control mode force", "pfc.admin", None),
        ("no dcb priority-flow-control enable force", "pfc.gate", False),
        ("no dcb priority-flow-control priority 3 enable", "pfc.tx", frozenset()),
    ],
)
def test_no_takes_back(line: str, leaf: str, value: object) -> None:
    device = read(f"{FULL}{line}\n")
    assert not device.lines
    found: object = device.ports["Eth1/1"].qos
    for name in leaf.split("."):
        found = getattr(found, name)
    assert found == value


def test_no_takes_back_maps_pools_and_ports() -> None:
    text = """\
interface ethernet 1/1 qos map dscp 26 to switch-priority 4
interface ethernet 1/1 traffic-class 3 congestion-control ecn minimum-absolute 150 maximum-absolute 1500
interface ethernet 1/1 traffic-class 0 bind switch-priority 0 1 2
interface ethernet 1/1 pfc-wd
interface ethernet 1/1 no qos map dscp 26
interface ethernet 1/1 no traffic-class 3 congestion-control
interface ethernet 1/1 no traffic-class 0 bind switch-priority 1 2
interface ethernet 1/1 no pfc-wd
interface port-channel 9 qos trust L3
no interface port-channel 9
traffic pool a type lossless
no traffic pool a
"""
    device = read(text)
    assert not device.lines
    assert list(device.ports) == ["Eth1/1"]
    qos = device.ports["Eth1/1"].qos
    assert (qos.dscp_to_tc, qos.queues, qos.watchdog, device.pools) == (None, None, None, None)
    assert qos.tc_to_queue is not None
    assert qos.tc_to_queue[:3] == (0, None, None)


def test_a_port_channel_that_comes_back() -> None:
    text = "interface port-channel 9 qos trust L3\nno interface port-channel 9\ninterface port-channel 9 pfc-wd\n"
    port = read(text).ports["Po9"]
    assert port.qos.trust is None
    assert port.qos.watchdog is not None


def test_codes_in_lists() -> None:
    text = "interface ethernet 1/1 qos map dscp 10 12 30-31 to switch-priority 3\ninterface ethernet 1/1 qos map pcp 5 dei 0 to switch-priority 3\n"
    qos = read(text).ports["Eth1/1"].qos
    assert qos.dscp_to_tc is not None
    assert qos.dscp_to_tc.codes(3) == (10, 12, 30, 31)
    assert qos.pcp_to_tc is not None
    assert qos.pcp_to_tc.codes(3) == (5,)


def test_thresholds_with_a_letter() -> None:
    line = "interface ethernet 1/1 traffic-class 3 congestion-control ecn minimum-absolute 150K maximum-absolute 2M\n"
    queue = read(line).ports["Eth1/1"].qos.queue(3)
    assert queue is not None
    assert queue.ecn is not None
    assert queue.ecn.curves[0].low == Amount(150, "kbyte")
    assert queue.ecn.curves[0].high == Amount(2, "mbyte")
    assert queue.ecn.curves[0].high.bytes is None


def test_a_map_of_dei_one_is_not_ours() -> None:
    device = read("interface ethernet 1/1 qos map pcp 5 dei 1 to switch-priority 3\n")
    assert not device.lines
    assert device.ports["Eth1/1"].qos.pcp_to_tc is None


@pytest.mark.parametrize(
    "line",
    [
        "traffic ecn enable",
        "dcb ets tc 0 bw-percent 50",
        "interface ethernet 1/1 dcb priority-flow-control priority 3 enable",
        "interface ethernet 1/1 traffic-class 3 dcb ets wrr",
        "interface ethernet 1/1 traffic-class 9 dcb ets strict",
        "interface ethernet 1/1 traffic-class 3 congestion-control ecn minimum-absolute 150 maximum-relative 50",
        "interface ethernet 1/1 traffic-class 3 congestion-control ecn minimum-absolute -5 maximum-absolute 50",
        "interface ethernet 1/1 qos trust L4",
        "interface ethernet 1/1 qos map dscp 64 to switch-priority 3",
        "interface ethernet 1/1 qos map dscp 26 to switch-priority 8",
        "interface ethernet 1/1 qos map dscp ٢٦ to switch-priority 3",
        "interface ethernet 1/1 pfc-wd 200",
        "interface ethernet 1/1 mtu 99999999999999999999",
        "interface ethernet 1/1 ingress-buffer iPort.pg9 bind switch-priority 3",
        "traffic pool roce type precious",
        "traffic pool roce memory percent 101",
        "dcb priority-flow-control priority 8 enable",
    ],
)
def test_lines_that_onyx_does_not_have_are_reported(line: str) -> None:
    device = read(f"{FULL}{line}\n")
    assert [item.text for item in device.lines] in ([line], [line.removeprefix("interface ethernet 1/1 ")])


def test_prefix_modes_off_means_no_context() -> None:
    text = (
        "no cli default prefix-modes enable\ninterface port-channel 1\nlacp\ndcb priority-flow-control enable force\n"
    )
    device = read(text)
    assert not device.lines
    assert device.pfc_enabled is True


def test_a_banner_hides_nothing() -> None:
    text = DATABASE.replace(
        "   hostname rack7-leaf1\n",
        '   banner login "\ninterface ethernet 1/9 qos trust both\nbye"\n   hostname rack7-leaf1\n',
    )
    assert read(text).ports == read(DATABASE).ports


def test_a_paged_or_cut_text_proves_no_absence() -> None:
    assert read(DATABASE + "lines 1-45\n").complete == frozenset()
    assert read(DATABASE, complete=False).complete == frozenset()
    assert read(DATABASE, complete=False).ports["Eth1/2"].qos.watchdog is None
