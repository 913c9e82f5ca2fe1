"""Show commands: their JSON, their tables, their counters."""

from __future__ import annotations

import json

import pytest

from rocecfg.errors import ReadError
from rocecfg.lint.counting import PortCounters
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import Amount, Curve, Ecn, LinkPause
from rocecfg.state.parse import parse
from tests.vendors.onyx.onyx_texts import DATABASE, read

PFC = json.dumps(
    [
        {"PFC": "enabled", "Priority Enabled List": "3 4", "Priority Disabled List": "0 1 2 5 6 7"},
        {
            "Eth1/1": [{"PFC admin": "on", "PFC oper": "Enabled"}],
            "Eth1/2": [{"PFC admin": "Auto", "PFC oper": "Disabled"}],
            "Mpo3": [{"PFC admin": "Auto", "PFC oper": "Enabled"}],
        },
    ],
    indent=1,
)
QOS = json.dumps(
    [
        {
            "Eth1/1": [
                {"Trust mode": "L3", "Default switch-priority": "0", "DSCP rewrite": "disabled"},
                {
                    "PCP(DEI); DSCP to switch-priority mapping": [
                        {
                            "3(0) 3(1)": [{"switch-priority": "3", "DSCP": "24 25 26"}],
                            "4(0) 4(1)": [{"switch-priority": "5", "DSCP": "32"}],
                        }
                    ]
                },
            ]
        }
    ]
)
MARKING = json.dumps(
    [
        {"Interface ethernet": "1/1", "ECN marked packets": "1,517"},
        {"header": "TC-0", "Mode": "none"},
        {
            "header": "TC-3",
            "Mode": "ECN",
            "Threshold mode": "absolute",
            "Minimum threshold": "150 KB",
            "Maximum threshold": "1500 KB",
            "RED dropped packets": "0",
        },
        {"header": "TC-4", "Mode": "both", "Minimum threshold": "9%", "Maximum threshold": "88%"},
        {"header": "TC-5", "Mode": "RED", "Minimum threshold": "9%", "Maximum threshold": "88%"},
    ]
)
INTERFACES = json.dumps(
    [
        {
            "header": "Eth1/1",
            "Admin state": "Enabled",
            "Operational state": "Up",
            "Actual speed": "100 Gbps",
            "MTU": "9216 bytes(Maximum packet size 9238 bytes)",
            "Flow-control": "receive off send on",
            "Tx": {"bytes": "123456789"},
        },
        {"header": "Vlan 10", "Operational state": "Up", "MTU": "1500 bytes"},
    ]
)
ROCE = json.dumps(
    [{"Eth1/1": [{"Rx": [{"RoCE PG packets": "5"}]}, {"Tx": [{"RoCE TC packets": "77", "RoCE TC bytes": "7700"}]}]}]
)
TABLE = """\
PFC: enabled
Priority Enabled List: 3
Priority Disabled List: 0 1 2 4 5 6 7

-------------------------------------------------
Interface        PFC admin        PFC oper
-------------------------------------------------
Eth1/1           on               Enabled
Eth1/2           Auto             Disabled
Po3              Auto             Enabled
"""
COUNTERS = """\
Eth1/1
  PFC 3:
    Rx:
      1204                     pause packets
      99                       pause duration
    Tx:
      17                       pause packets
  PFC 4:
    Rx:
      0                        pause packets
    Tx:
      N/A                      pause packets
Eth1/2
  TC 3:
      400                      packets
      40000                    bytes
      6                        unicast no buffer discard
"""
SHOW_ROCE = """\
leaf1 (config) # show roce
RoCE mode      : lossless
LLDP           : enabled
Port trust mode: L3

Application TLV:
  Selector: udp
  Protocol: 4791
  Priority: 3

Port congestion-control:
  Mode    : ecn, absolute
  Min (KB): 200
  Max (KB): 900

PFC              : enabled
switch-priority 3: enabled

RoCE used TCs:
  ----------------------------------------------
  Switch-Priority   TC     Application   ETS
  ----------------------------------------------
  3                 3      RoCE          WRR 50%
  6                 6      CNP           Strict

RoCE buffer pools:
  ----------------------------------------------------------------------------------------------
  Traffic                  Type      Memory   Switch        Memory actual   Usage    Max Usage
  Pool                               [%]      Priorities
  ----------------------------------------------------------------------------------------------
  default-pool             lossy     auto     0, 1, 2, 4,   3.1M            0        12K
                                              5, 6, 7
  no-loss                  lossless  auto     3             3.1M            0        1M

Exception list:
N/A
"""


def counters(content: str, port: str = "Eth1/1") -> PortCounters:
    device = read(content)
    assert device.sample is not None
    found = device.sample.ports[port]
    assert isinstance(found, PortCounters)
    return found


@pytest.mark.parametrize("content", [PFC, TABLE.replace("List: 3\n", "List: 3 4\n").replace("Po3", "Mpo3")])
def test_pfc_in_operation(content: str) -> None:
    device = read(content)
    assert not device.lines
    assert device.pfc_enabled is True
    on, off, auto = (device.ports[name].qos.pfc for name in ("Eth1/1", "Eth1/2", "Mpo3"))
    assert on is not None
    assert off is not None
    assert auto is not None
    assert (on.admin, on.tx, on.oper) == ("on", {3, 4}, {3, 4})
    assert (off.admin, off.oper, off.sends()) == ("auto", frozenset(), frozenset())
    assert (auto.admin, auto.sends()) == ("auto", {3, 4})


def test_pfc_of_ports_alone_does_not_say_which_priorities() -> None:
    pfc = read('{"Eth1/1": [{"PFC admin": "Auto", "PFC oper": "Enabled"}]}').ports["Eth1/1"].qos.pfc
    assert pfc is not None
    assert (pfc.admin, pfc.tx, pfc.oper) == ("auto", None, None)


def test_qos() -> None:
    qos = read(QOS).ports["Eth1/1"].qos
    assert (qos.trust, qos.default_tc) == ("dscp", 0)
    assert qos.dscp_to_tc is not None
    assert (qos.dscp_to_tc.to[26], qos.dscp_to_tc.to[32], qos.dscp_to_tc.to[0]) == (3, 5, None)
    assert qos.pcp_to_tc is not None
    assert (qos.pcp_to_tc.to[3], qos.pcp_to_tc.to[4]) == (3, 5)


def test_marking() -> None:
    device = read(MARKING)
    queues = device.ports["Eth1/1"].qos.queues
    assert queues is not None
    low, high = Amount(150, "kbyte", 150_000), Amount(1500, "kbyte", 1_500_000)
    percents = Curve(Amount(9, "percent"), Amount(88, "percent"), None)
    assert queues[0] is not None
    assert queues[0].ecn == Ecn()
    assert queues[3] is not None
    assert queues[3].ecn == Ecn((Curve(low, high, None),), non_ect="pass")
    assert queues[4] is not None
    assert queues[4].ecn == Ecn((percents,), non_ect="drop")
    assert queues[5] is not None
    assert queues[5].wred == (percents,)
    assert counters(MARKING).marked_total == 1517


def test_interfaces() -> None:
    device = read(INTERFACES)
    port = device.ports["Eth1/1"]
    assert list(device.ports) == ["Eth1/1"]
    assert (port.speed_now, port.mtu, port.mtu_counts, port.enabled) == (100 * 10**9, 9216, "ip", True)
    assert port.qos.link_pause == LinkPause(rx=False, tx=True)
    assert counters(INTERFACES).tx_bytes == 123_456_789


def test_counters_of_the_roce_mode() -> None:
    found = counters(ROCE)
    assert found.queue_packets == (None, None, None, 77, None, None, None, None)
    assert found.queue_bytes is not None
    assert found.queue_bytes[3] == 7700


def test_counters_of_priorities_and_classes() -> None:
    device = read(COUNTERS)
    assert not device.lines
    first, second = counters(COUNTERS), counters(COUNTERS, "Eth1/2")
    assert first.rx_pfc == (None, None, None, 1204, 0, None, None, None)
    assert first.tx_pfc == (None, None, None, 17, None, None, None, None)
    assert second.queue_drops is not None
    assert second.queue_packets is not None
    assert (second.queue_drops[3], second.queue_packets[3]) == (6, 400)
    assert first.where("rx_pfc.3").line == 4  # type: ignore[union-attr]


def test_the_answer_of_the_json_interface() -> None:
    data = {
        "results": [{"status": "OK", "executed_command": "show dcb priority-flow-control", "data": json.loads(PFC)}]
    }
    assert read(json.dumps(data)).ports == read(PFC).ports


def test_show_outputs_add_to_a_configuration() -> None:
    texts = (Text("cfg", DATABASE), Text("pfc.json", PFC.replace('"3 4"', '"4"')), Text("if.json", INTERFACES))
    device = parse(Capture("leaf", "onyx", texts, file="leaf"))
    port = device.ports["Eth1/2"]
    assert port.qos.pfc is not None
    assert (port.qos.pfc.admin, port.qos.pfc.oper) == ("auto", frozenset())
    assert device.ports["Eth1/1"].speed_now == 100 * 10**9
    assert device.ports["Eth1/1"].mtu == 9000


def test_show_roce() -> None:
    device = read(SHOW_ROCE)
    assert not device.lines
    assert device.lines_read == 25
    assert device.pfc_enabled is True
    qos = device.ports["every port"].qos
    assert qos.trust == "dscp"
    assert qos.pfc is not None
    assert qos.pfc.sends() == {3}
    ramp = Ecn((Curve(Amount(200, "kbyte", 200_000), Amount(900, "kbyte", 900_000), None),), non_ect="pass")
    assert qos.queues is not None
    assert [queue.ecn for queue in qos.queues if queue is not None and queue.ecn is not None] == [ramp, ramp]
    assert device.pools is not None
    assert [(pool.name, pool.lossless, pool.total) for pool in device.pools] == [
        ("default-pool", False, None), ("no-loss", True, None),
    ]  # fmt: skip


def test_show_roce_of_a_switch_without_the_mode() -> None:
    assert read("RoCE mode: N/A\n").ports["every port"].qos.trust is None
    with pytest.raises(ReadError, match="no RoCE mode"):
        read("RoCE mode: quick\n")


def test_show_roce_beside_a_configuration() -> None:
    device = parse(Capture("l", "onyx", (Text("cfg", DATABASE), Text("roce", SHOW_ROCE)), file="l"))
    assert "every port" not in device.ports


def test_a_session_with_what_it_printed() -> None:
    session = "leaf1 (config) # interface ethernet 1/1 dcb priority-flow-control mode on force\n"
    session += "leaf1 (config) # interface ethernet 1/1 pfc-wd\nleaf1 (config) # show dcb priority-flow-control\n\n"
    session += TABLE + "......\nleaf1 (config) # configuration write\n"
    device = read(session)
    assert not device.lines
    assert list(device.ports) == ["Eth1/1", "Eth1/2", "Po3"]
    qos = device.ports["Eth1/1"].qos
    assert qos.pfc is not None
    assert (qos.pfc.admin, qos.pfc.oper) == ("on", {3})
    assert qos.watchdog is not None
    assert qos.watchdog.enabled


INTERFACES_TEXT = """\
Eth1/1:
  Admin state                      : Enabled
  Operational state                : Up
  Description                      : N/A
  Mac address                      : 02:00:00:00:00:01
  MTU                              : 9216 bytes (Maximum packet size 9238 bytes)
  Actual speed                     : 100G
  Flow-control                     : receive on send off
  Rx:
    25                    packets
Po4:
  Admin state         : Disabled
  MTU                 : 1500 bytes (Maximum packet size 1522 bytes)
  Actual speed        : N/A
Vlan 7:
  Admin state      : Enabled
  MTU              : 1400 bytes
"""


def test_interfaces_on_the_screen() -> None:
    device = read(INTERFACES_TEXT)
    assert list(device.ports) == ["Eth1/1", "Po4"]
    first, second = device.ports["Eth1/1"], device.ports["Po4"]
    assert (first.speed_now, first.mtu, first.enabled) == (100 * 10**9, 9216, True)
    assert first.qos.link_pause == LinkPause(rx=True, tx=False)
    assert (second.speed_now, second.mtu, second.enabled) == (None, 1500, False)
    assert device.lines_read == 7


def test_protocols_and_switchports() -> None:
    assert read('{"lacp": "enabled", "priority-flow-control": "disabled"}').pfc_enabled is False
    ports = read(
        '{"Eth1/1": {"Allowed vlans": "1-9", "Mode": "trunk"}, "Po2": {"Allowed vlans": "", "Mode": "access"}}'
    ).ports
    assert (ports["Eth1/1"].mode, ports["Po2"].mode) == ("trunk", "access")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "broken JSON"),
        ("[]", "JSON of no command"),
        ('{"a": 1}', "JSON of no command"),
        ('{"header": "Eth1/1"}', "JSON of no command"),
        ("[" * 100_000, "broken JSON|nested too deeply"),
        ('{"Eth1/1": [{"PFC admin": ' + "9" * 5000 + "}]}", "broken JSON"),
        (PFC[:-40], "broken JSON"),
    ],
)
def test_bad_json(content: str, message: str) -> None:
    with pytest.raises(ReadError, match=message):
        read(content)


@pytest.mark.parametrize("value", ["-1", "1e9", "٣", "9" * 400, None, [], {}, True])
def test_odd_numbers_are_unknown(value: object) -> None:
    device = read(json.dumps([{"Interface ethernet": "1/1", "ECN marked packets": value}]))
    assert device.sample is None
    ets = json.dumps([{"Eth1/1": [{"ETS per TC": [{"3": [{"S.Mode": "WRR", "W": value}]}]}]}])
    assert read(ets).ports["Eth1/1"].qos.queue(3) is None
