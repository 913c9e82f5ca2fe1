"""The show commands of an Arista switch: PFC in operation, and every number with its line."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from rocecfg.errors import ReadError, RocecfgError
from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.capture import Capture, Text
from rocecfg.state.codec import from_plain, to_plain
from rocecfg.state.counters import Sample
from rocecfg.state.model import NEVER, Device, LinkPause, Neighbour, Pfc, eight
from rocecfg.state.parse import parse
from rocecfg.vendor import registry
from tests.vendors.eos.test_eos_read import LEAF
from tests.vendors.test_counter_texts import damaged, sound

if TYPE_CHECKING:
    from rocecfg.state.counters import PortCounters

STATUS = """\
leaf1#show priority-flow-control
The hardware supports PFC on priorities 0 1 2 3 4 5 6 7
PFC receive processing is enabled on priorities 0 1 2 3 4 5 6 7
The PFC watchdog timeout is 0.2 second(s)
The PFC watchdog recovery-time is 0.4 second(s) (auto)
The PFC watchdog polling-interval is 0.1 second(s)
The PFC watchdog action is errdisable
The PFC watchdog override action drop is false
The PFC watchdog non-disruptive priorities are not configured
The PFC watchdog non-disruptive action is not configured
The PFC watchdog port non-disruptive-only is false
Global PFC : Enabled

E: PFC Enabled, D: PFC Disabled, A: PFC Active, W: PFC Watchdog Enabled
Port       Status  Priorities  Action      Timeout  Recovery        Polling         Note
                                                  Interval/Mode   Config/Oper
---------------------------------------------------------------------------------------
Et1/1      E A W   3           drop        0.05     1.11 / forced   0.02 / 0.02
Et2/1      E - W   3 4         -           -        - / -           - / -           DCBX disabled
Et3/1      D - -               -           -        - / -           - / -
"""
SHORT = """\
Port       Enabled  Priorities  Active  Note
---------  -------  ----------  ------  -------------
Ethernet1  Yes      3           Yes     DCBX disabled
Ethernet2  No                   No
"""
FRAMES = """\
Port                                             RxPfc           TxPfc
Et1/1                                            10420             318
Et2/1                                                0             N/A
"""
QUEUES = """\
Port    TxQ    Counter/pkts  Counter/bytes   Drop/pkts   Drop/bytes
Et1/1   UC3         9120441    38102233001           4        16384
Et1/1   MC3             100           6400           7          448
Et1/1   UC6              12           1008           0            0
"""
FRAMES_JSON = json.dumps(
    {"interfaceCounters": {"Ethernet1/1": {"rxFrames": 10420, "txFrames": 318}, "Ethernet2/1": {"rxFrames": 0}}},
    indent=4,
)
MARKS_JSON = json.dumps(
    {"intfQueueCounters": {"Ethernet1/1": {"queueCounters": {"0": "0", "3": "77", "9": "1"}}}}, indent=4
)
WATCHDOG_JSON = json.dumps(
    {"interfaces": {"Ethernet1/1": {"txQueues": {"3": {"stuckCount": 2, "recoveryCount": 1}}}}}, indent=4
)
DROPS_JSON = json.dumps(
    {"egressQueueCounters": {"interfaces": {"Ethernet1/1": {
        "ucastQueues": {"trafficClasses": {"TC3": {"dropPrecedences": {
            "DP0": {"enqueuedPackets": 50, "enqueuedBytes": 5000, "droppedPackets": 4, "droppedBytes": 400},
            "DP1": {"droppedPackets": 1}}}}},
        "mcastQueues": {"trafficClasses": {"TC3": {"dropPrecedences": {"DP0": {"droppedPackets": 9}}}}},
    }}}},
    indent=4,
)  # fmt: skip
VOQ_JSON = json.dumps(
    {"interfaces": {"Ethernet1/1": {"trafficClasses": {"TC3": {
        "ingressVoqCounters": {"countersSum": {"droppedPackets": 5}},
        "egressQueueCounters": {"countersSum": {"droppedPackets": 2}}}}}}},
    indent=4,
)  # fmt: skip
INTERFACES = """\
Ethernet1/1 is up, line protocol is up (connected)
  Hardware is Ethernet, address is 001c.7300.0001
  Internet address is 192.0.2.0/31
  IP MTU 9214 bytes, BW 400000000 kbit
  Full-duplex, 400Gb/s, auto negotiation: off, uni-link: n/a
     292 packets input, 31440 bytes
     3 input errors, 2 CRC, 0 alignment, 1 symbol, 0 input discards
     5 PAUSE input
     203 packets output, 33221 bytes
     0 PAUSE output
Ethernet2/1 is down, line protocol is notpresent (notconnect)
  Ethernet MTU 9214 bytes, BW 100000000 kbit
     0 PAUSE input
Vlan100 is up, line protocol is up (connected)
  IP MTU 1500 bytes (default)
"""
LLDP = """\
Last table change time   : 0:00:02 ago
Number of table inserts  : 2
Number of table deletes  : 0
Number of table drops    : 0
Number of table age-outs : 0

Port       Neighbor Device ID             Neighbor Port ID           TTL
---------- ------------------------------ -------------------------- ---
Et1/1      spine1.pod.example.net         Ethernet3/2                120
Et2/1      gpu01                          0c42.a1b2.c3d4             120
Et3/1      a name of blanks               Ethernet1                  120
Ma1        tor1                           1/1                        120
"""
ERRORS_JSON = json.dumps({"interfaceErrorCounters": {"Ethernet1/1": {"inErrors": 9, "fcsErrors": 4}}}, indent=4)
PAUSE_JSON = json.dumps(
    {"interfaceFlowControls": {"Ethernet1/1": {"rxOperState": "on", "txOperState": "off", "rxPause": 8, "txPause": 0}}},
    indent=4,
)
TEXTS = [
    STATUS,
    FRAMES,
    QUEUES,
    INTERFACES,
    LLDP,
    ERRORS_JSON,
    PAUSE_JSON,
    FRAMES_JSON,
    MARKS_JSON,
    WATCHDOG_JSON,
    DROPS_JSON,
    VOQ_JSON,
]


def read(*texts: str, commands: tuple[str, ...] = ()) -> Device:
    named = [Text(f"{at}.txt", text, commands[at] if commands else "") for at, text in enumerate(texts)]
    return parse(Capture("leaf1", "eos", tuple(named), file="leaf1"))


def counted(*texts: str, port: str = "Ethernet1/1") -> PortCounters:
    sample = read(*texts).sample
    assert sample is not None
    return sample.ports[port]


def test_pfc_in_operation_with_its_watchdog() -> None:
    device = read(STATUS)
    assert not device.lines
    assert device.pfc_enabled is True
    first, second, third = (device.ports[f"Ethernet{at}/1"].qos for at in (1, 2, 3))
    assert first.pfc is not None
    assert (first.pfc.admin, first.pfc.tx, first.pfc.oper) == ("on", frozenset({3}), frozenset({3}))
    assert first.watchdog is not None
    assert (first.watchdog.detect, first.watchdog.restore, first.watchdog.poll) == (50, 1110, 20)
    assert first.watchdog.action == "drop"
    assert second.pfc is not None
    assert (second.pfc.tx, second.pfc.oper) == (frozenset({3, 4}), frozenset())
    assert second.watchdog is not None
    assert (second.watchdog.detect, second.watchdog.action) == (200, "port-down")
    assert third.pfc is not None
    assert (third.pfc.admin, third.pfc.tx) == ("off", frozenset())
    assert third.watchdog is not None
    assert third.watchdog.enabled is False


def test_a_timeout_of_nothing_never_fires() -> None:
    text = STATUS.replace("timeout is 0.2 second(s)", "timeout is 0.0 second(s) (default)")
    watchdog = read(text).ports["Ethernet2/1"].qos.watchdog
    assert watchdog is not None
    assert watchdog.detect == NEVER
    assert read(STATUS.replace("Global PFC : Enabled", "Global PFC : Disabled")).pfc_enabled is False


def test_the_short_form_of_older_releases() -> None:
    device = read(SHORT)
    assert not device.lines
    on, off = device.ports["Ethernet1"].qos.pfc, device.ports["Ethernet2"].qos.pfc
    assert on is not None
    assert (on.admin, on.tx, on.oper) == ("on", frozenset({3}), frozenset({3}))
    assert off is not None
    assert (off.admin, off.oper) == ("off", frozenset())


def test_a_status_adds_to_the_configuration_and_overrides_nothing() -> None:
    device = read(LEAF, STATUS)
    port = device.ports["Ethernet1/1"]
    assert port.qos.pfc == Pfc("on", frozenset({3}), frozenset({3}), "internal", gate=True)
    assert port.qos.pfc is not None
    assert port.qos.pfc.oper == frozenset({3})
    assert port.qos.watchdog is not None
    assert (port.qos.watchdog.detect, port.qos.watchdog.action) == (250, "alert")
    turned = read(STATUS, LEAF)
    assert turned.ports["Ethernet1/1"].qos == port.qos
    assert "Ethernet3/1" in device.ports


@pytest.mark.parametrize("text", [FRAMES, FRAMES_JSON])
def test_pfc_frames(text: str) -> None:
    found = counted(text)
    assert (found.rx_pfc_total, found.tx_pfc_total) == (10420, 318)
    other = counted(text, port="Ethernet2/1")
    assert (other.rx_pfc_total, other.tx_pfc_total) == (0, None)
    place = found.where("rx_pfc_total")
    assert place is not None
    assert "Et" in text.splitlines()[place.line - 1]


def test_queues_of_the_text_table() -> None:
    found = counted(QUEUES)
    assert found.queue_packets == eight({3: 9_120_441, 6: 12})
    assert found.queue_bytes == eight({3: 38_102_233_001, 6: 1008})
    assert found.queue_drops == eight({3: 4, 6: 0})
    assert found.queue_drop_bytes == eight({3: 16_384, 6: 0})


def test_queues_of_both_kinds_of_json() -> None:
    found = counted(DROPS_JSON)
    assert (found.queue_drops, found.queue_packets) == (eight({3: 5}), eight({3: 50}))
    assert counted(VOQ_JSON).queue_drops == eight({3: 7})


def test_marks_and_watchdog_events() -> None:
    assert counted(MARKS_JSON).queue_marked == eight({0: 0, 3: 77})
    found = counted(WATCHDOG_JSON)
    assert (found.storms, found.storms_restored) == (eight({3: 2}), eight({3: 1}))


def test_what_show_interfaces_says_of_a_link() -> None:
    device = read(INTERFACES)
    assert not device.lines
    routed, down = device.ports["Ethernet1/1"], device.ports["Ethernet2/1"]
    assert (routed.mtu, routed.mtu_counts, routed.speed_now) == (9214, "ip", 400 * 10**9)
    assert (down.mtu, down.mtu_counts, down.speed_now) == (9214, None, None)
    assert set(device.ports) == {"Ethernet1/1", "Ethernet2/1"}
    found = counted(INTERFACES)
    assert (found.fcs_errors, found.rx_link_pause, found.tx_link_pause, found.tx_bytes) == (2, 5, 0, 33221)


def test_neighbours_make_cables_between_two_captures() -> None:
    device = read(LLDP)
    assert not device.lines
    assert device.ports["Ethernet1/1"].neighbour == Neighbour("spine1", "Ethernet3/2", "lldp")
    assert device.ports["Ethernet2/1"].neighbour == Neighbour("gpu01", "0c42.a1b2.c3d4", "lldp")
    assert "Ethernet3/1" not in device.ports
    leaf = parse(Capture("leaf1", "eos", (Text("run", LEAF), Text("lldp", LLDP)), file="leaf1"))
    spine_text = LEAF.replace("leaf1", "spine1").replace("Ethernet1/1", "Ethernet3/2").replace("mtu 9214", "mtu 4000")
    spine = parse(Capture("spine1", "eos", (Text("run", spine_text),), file="spine1"))
    found = [item for item in lint([leaf, spine]).findings if item.rule == "PEER-002"]
    assert found
    assert found[0].device == "spine1"


def test_a_switch_without_neighbours_is_no_error() -> None:
    assert not read(LLDP[: LLDP.index("Et1/1")]).ports


def test_errors_and_pauses_of_the_link() -> None:
    assert counted(ERRORS_JSON).fcs_errors == 4
    found = counted(PAUSE_JSON)
    assert (found.rx_link_pause, found.tx_link_pause) == (8, 0)
    assert read(PAUSE_JSON).ports["Ethernet1/1"].qos.link_pause == LinkPause(rx=True, tx=False)


def test_a_switch_without_any_event_is_no_error() -> None:
    device = read('{"interfaces": {}}', commands=("show priority-flow-control counters watchdog | json",))
    assert not device.ports
    assert device.sample is None


@pytest.mark.parametrize("text", [*TEXTS, SHORT])
def test_each_text_is_taken_for_eos_and_its_command_is_known(text: str) -> None:
    scores = registry.scores(text)
    assert max(scores, key=lambda name: scores[name][0]) == "eos", scores
    assert registry.command_of("eos", Text("a", text)).startswith("show-")


def test_two_captures_show_drops_on_the_lossless_queue() -> None:
    config = LEAF.replace("Ethernet2/1", "Ethernet9/1")
    captures = []
    for taken, drops in (("2026-01-01T00:00:00Z", "4"), ("2026-01-01T00:01:00Z", "9004")):
        texts = (Text("run.cfg", config), Text("q.txt", QUEUES.replace(" 4 ", f" {drops} ")))
        captures.append(parse(Capture("leaf1", "eos", texts, taken, file="leaf1")))
    found = [item for item in lint(captures, settings=Settings(select=("OPS",))).findings if item.rule == "OPS-001"]
    assert found
    assert found[0].line == 2


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("show-ecn-counters", "Port Queue Marked\nEt1 3 4\n"),
        ("show-pfc-counters", '{"interfaceCounters": '),
        ("show-pfc-counters", "[" * 50_000),
        ("show-pfc", '{"interfaceCounters": {}}'),
        ("show-pfc-counters", "Port RxPfc TxPfc\n"),
    ],
)
def test_what_cannot_be_read_is_one_error(command: str, text: str) -> None:
    with pytest.raises(ReadError, match=r"^0\.txt"):
        read(text, commands=(command,))


@pytest.mark.parametrize("number", range(5))
def test_damage(number: int) -> None:
    text, dice, fine = TEXTS[number], random.Random(f"eos{number}"), 0
    refused: list[str] = []
    for _ in range(60):
        try:
            device = parse(Capture("box", "eos", (Text("a.txt", damaged(text, dice)),), file="a.txt"))
        except RocecfgError as error:
            refused.append(str(error))
            continue
        fine += 1
        if device.sample is not None:
            assert sound(device.sample)
            assert from_plain(Sample, to_plain(device.sample)) == device.sample
        assert "RUN-008" not in {item.rule for item in lint([device], settings=Settings(select=("OPS",))).findings}
    assert fine > 5
    assert all(message.startswith("a.txt") for message in refused)
    assert replace(read(text), name="x").nos == "eos"


STRANGE = ("N/A", "-1", -1, True, None, 10**30, 1.5, [], {}, {"TC3": 3}, "٣", "9" * 400)


def changed(data: object, dice: random.Random) -> object:
    """The data with one value, chosen by lot, made strange."""
    if not isinstance(data, dict) or not data or dice.random() < 0.15:
        return dice.choice(STRANGE)
    key = dice.choice(sorted(data))
    return {**data, key: changed(data[key], dice)}


@pytest.mark.parametrize(
    "text", [FRAMES_JSON, MARKS_JSON, WATCHDOG_JSON, DROPS_JSON, VOQ_JSON, ERRORS_JSON, PAUSE_JSON]
)
def test_strange_values_in_json_are_left_out(text: str) -> None:
    dice, fine = random.Random(text), 0
    command = registry.command_of("eos", Text("a", text))
    refused: list[str] = []
    for _ in range(100):
        try:
            device = read(json.dumps(changed(json.loads(text), dice)), commands=(command,))
        except ReadError as error:
            refused.append(str(error))
            continue
        fine += 1
        assert device.sample is None or sound(device.sample)
    assert fine > 50
    assert all(message.startswith("0.txt") for message in refused)
