"""Enterprise SONiC: running configurations in their forms, show outputs, bad input."""

from __future__ import annotations

import pytest

from rocecfg.errors import ReadError
from rocecfg.findings import Severity
from rocecfg.lint.run import lint
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import Amount, Device
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

RUNNING = """\
!
hostname leaf7
interface-naming standard
!
dcbx enable
priority-flow-control watchdog polling-interval 200
priority-flow-control watchdog counter-poll
buffer init lossless
buffer pool ingress_lossless_pool shared-headroom-size 3500000
buffer profile HR40 ingress_lossless_pool 45 static-threshold 25 pause pause-threshold 55000
!
router bgp 65001
 queue 3
!
qos wred-policy ROCE
 green minimum-threshold 150 maximum-threshold 1500 drop-probability 10
 red minimum-threshold 10 maximum-threshold 20 drop-probability 90
 ecn green
!
qos scheduler-policy ROCE
 !
 queue 0
  type dwrr
  weight 40
 !
 queue 3
  type dwrr
  weight 60
 !
 queue 6
  type strict
 !
 queue 7
  type strict
!
qos map dscp-tc ROCE
 dscp 26 traffic-class 3
 dscp 48 traffic-class 6
 dscp 0-25,27-47,49-63 traffic-class 0
!
qos map tc-queue ROCE
 traffic-class 0-2,4-5 queue 0
 traffic-class 3 queue 3
 traffic-class 6 queue 6
 traffic-class 7 queue 7
!
qos map tc-pg ROCE
 traffic-class 3 priority-group 3
 traffic-class 0-2,4-7 pg 7
!
qos map pfc-priority-queue ROCE
 pfc-priority 3 queue 3
!
qos map pfc-priority-pg ROCE
 pfc-priority 3 pg 3
 pfc-priority 0-2,4-7 pg 7
!
interface Eth1/1
 description queue 3 wred-policy OLD
 mtu 9100
 speed 400000
 no shutdown
 queue 3 wred-policy ROCE
 scheduler-policy ROCE
 cable-length 5m
 qos-map dscp-tc ROCE
 qos-map tc-queue ROCE
 qos-map tc-pg ROCE
 qos-map pfc-priority-queue ROCE
 qos-map pfc-priority-pg ROCE
 priority-flow-control priority 3
 priority-flow-control watchdog action drop
 priority-flow-control watchdog on detect-time 200
 priority-flow-control watchdog restore-time 400
!
interface Eth1/2
 no dcbx enable
 priority-flow-control priority 3,4
 priority-flow-control asymmetric
 channel-group 5
 shutdown
!
interface PortChannel5
 mtu 9100
!
interface Vlan10
 mtu 1500
!
"""


def read(content: str, command: str = "", *, complete: bool | None = None) -> Device:
    return parse(Capture("", "dell_sonic", (Text("leaf7.cfg", content, command, complete),), file="leaf7.cfg"))


@pytest.fixture(scope="module")
def leaf() -> Device:
    return read(RUNNING)


def test_all_lines_are_understood(leaf: Device) -> None:
    assert leaf.lines == ()
    assert leaf.lines_read > 45
    assert leaf.name == "leaf7"
    assert set(leaf.ports) == {"Eth1/1", "Eth1/2", "PortChannel5"}
    assert leaf.complete == {"all"}


def test_maps(leaf: Device) -> None:
    qos = leaf.ports["Eth1/1"].qos
    assert qos.trust == "dscp"
    assert qos.dscp_to_tc is not None
    assert [qos.dscp_to_tc.to[code] for code in (0, 26, 48, 63)] == [0, 3, 6, 0]
    assert qos.tc_to_queue is not None
    assert qos.tc_to_queue[:8] == (0, 0, 0, 3, 0, 0, 6, 7)
    assert qos.tc_to_pg is not None
    assert qos.tc_to_pg[:8] == (7, 7, 7, 3, 7, 7, 7, 7)
    assert qos.priority_to_queue is not None
    assert qos.priority_to_queue[3] == frozenset({3})
    assert qos.priority_to_queue[4] is None


def test_queues(leaf: Device) -> None:
    qos = leaf.ports["Eth1/1"].qos
    zero, three, six, seven = (qos.queue(number) for number in (0, 3, 6, 7))
    assert zero is not None
    assert three is not None
    assert six is not None
    assert seven is not None
    assert (zero.weight, three.weight) == (40, 60)
    assert (six.rank, seven.rank) == (2, 1), "among strict queues the higher number is served first"
    assert three.ecn is not None
    assert three.wred is not None
    (curve,) = three.ecn.curves
    assert (curve.low, curve.high, curve.probability, curve.colours) == (
        Amount(150, "kbyte"), Amount(1500, "kbyte"), 10, frozenset({"green"}),
    )  # fmt: skip
    assert curve.low is not None
    assert curve.low.bytes == 150_000
    assert [dropping.colours for dropping in three.wred] == [frozenset({"red"})]


def test_pfc_watchdog_buffers_and_dcbx(leaf: Device) -> None:
    one, two = leaf.ports["Eth1/1"].qos, leaf.ports["Eth1/2"].qos
    assert one.pfc is not None
    assert two.pfc is not None
    assert (one.pfc.tx, one.pfc.rx) == (frozenset({3}), frozenset({3}))
    assert (two.pfc.tx, two.pfc.rx) == (frozenset({3, 4}), frozenset(range(8)))
    assert one.watchdog is not None
    dog = one.watchdog
    assert (dog.enabled, dog.poll, dog.detect, dog.restore, dog.action) == (True, 200, 200, 400, "drop")
    assert two.watchdog is not None
    assert two.watchdog.enabled is False
    group = one.priority_group(3)
    assert group is not None
    assert group.headroom is not None
    assert (group.lossless, group.headroom.by, one.cable, two.cable) == (True, "table", 5, 40)
    assert leaf.buffer_model == "table"
    assert [(pool.name, pool.headroom) for pool in leaf.pools or ()] == [
        ("ingress_lossless_pool", Amount.of_bytes(3_500_000))
    ]
    assert one.dcbx is not None
    assert two.dcbx is not None
    assert (one.dcbx.state, two.dcbx.state) == ("ieee", "off")
    assert leaf.ports["Eth1/2"].lag == "PortChannel5"


def test_every_leaf_has_its_line(leaf: Device) -> None:
    port, lines = leaf.ports["Eth1/1"], RUNNING.splitlines()
    for leaf_path, text in {
        "pfc": "priority-flow-control priority 3", "cable": "cable-length", "mtu": "mtu 9100",
        "queues.3.ecn": "green minimum", "queues.6": "queue 6", "watchdog.detect": "detect-time",
        "watchdog.poll": "polling-interval", "dscp_to_tc": "qos-map dscp-tc", "priority_groups.3": "buffer init",
    }.items():  # fmt: skip
        place = port.where(leaf_path)
        assert place is not None
        assert text in lines[place.line - 1], leaf_path


def test_lost_indentation_and_a_session_say_the_same(leaf: Device) -> None:
    flat = read("\n".join(line.strip() for line in RUNNING.splitlines()) + "\n")
    assert flat.lines == ()
    assert flat == leaf
    session = "\n".join(f"sonic(config-x)# {line.strip()}" for line in RUNNING.splitlines() if line.strip() != "!")
    pasted = read(session.replace(" description queue 3 wred-policy OLD", " description x") + "\n")
    assert pasted.ports["Eth1/1"].qos == leaf.ports["Eth1/1"].qos


def test_names_of_ports_in_both_naming_modes() -> None:
    device = read(
        "interface Eth 1/1\n priority-flow-control priority 3\n!\ninterface Ethernet 24\n"
        " priority-flow-control priority 4\n!\ninterface range Eth1/5-1/6\n priority-flow-control priority 3\n"
    )
    assert set(device.ports) == {"Eth1/1", "Ethernet24", "Eth1/5", "Eth1/6"}
    assert device.complete == frozenset()


def test_roce_enable_is_expanded_and_what_stands_beside_it_wins() -> None:
    device = read(
        "hostname x\nroce enable pfc-priority 3,4\ninterface Eth1/1\n mtu 9100\n!\ninterface Eth1/2\n cable-length 5m\n"
    )
    qos = device.ports["Eth1/1"].qos
    assert qos.pfc is not None
    assert qos.pfc.tx == frozenset({3, 4})
    assert qos.trust == "both"
    assert qos.dscp_to_tc is not None
    assert [qos.dscp_to_tc.to[code] for code in (4, 24, 26, 48, 0)] == [4, 3, 3, 6, 0]
    three = qos.queue(3)
    assert three is not None
    assert three.ecn is not None
    assert [(curve.low, curve.probability) for curve in three.ecn.curves] == [(Amount.of_bytes(1_048_576), 5)]
    assert qos.watchdog is not None
    assert qos.watchdog.enabled is False, "the command leaves the watchdog off"
    assert "WD-001" in {item.rule for item in lint([device]).findings}
    other = read("hostname x\nroce enable pfc-priority 2,5\ninterface Eth1/1\n mtu 9100\n").ports["Eth1/1"].qos
    assert other.pfc is not None
    assert (other.pfc.tx, other.dscp_to_tc) == (frozenset({2, 5}), None)


def test_missing_and_unused_objects() -> None:
    text = RUNNING.replace("\n scheduler-policy ROCE", "\n scheduler-policy ROEC").replace(
        "queue 3 wred-policy ROCE", "mtu 9100"
    )
    named = {(item.kind, item.name): item for item in read(text).objects}
    missing = named["qos scheduler-policy", "ROEC"]
    assert (missing.defined, missing.near) == (False, "ROCE")
    assert not named["qos wred-policy", "ROCE"].used
    assert {"REF-001", "REF-002"} <= {item.rule for item in lint([read(text)]).findings}


def test_pfc_without_a_watchdog_and_without_ecn_is_found() -> None:
    text = RUNNING.replace(" priority-flow-control watchdog on detect-time 200\n", "").replace(" ecn green\n", "")
    errors = {item.rule for item in lint([read(text)]).findings if item.severity is Severity.ERROR}
    assert {"WD-001", "ECN-003"} <= errors


def test_lines_that_make_no_sense_are_reported() -> None:
    odd = [
        "priority-flow-control watchdog polling-interval 99999", "roce enable pfc-priority 9", "qos map dscp-cos X",
        "qos new-thing 3", "buffer resize now",
    ]  # fmt: skip
    body = ["dscp 64 traffic-class 3", "dscp 26 traffic-class 8", "dot1p 3 traffic-class 3", "dscp ٣ traffic-class 3"]
    port = [
        "priority-flow-control priority 8", "priority-flow-control watchdog action reboot", "cable-length 5",
        "qos-map dscp-cos X", "priority-flow-control storm",
    ]  # fmt: skip
    lines = [*odd, "qos map dscp-tc X", *body, "interface Eth1/1", *port]
    device = read("\n".join(lines) + "\n")
    assert [line.text for line in device.lines] == [*odd, *body, *port]


STATISTICS = """\
sonic# show qos interface Ethall priority-flow-control statistics
Flow Control frames received
 Interface   PFC0  PFC1  PFC2  PFC3  PFC4  PFC5  PFC6  PFC7
Eth1/1          0     0     0  1204     0     0     0     0
Flow Control frames transmitted
 Interface   PFC0  PFC1  PFC2  PFC3  PFC4  PFC5  PFC6  PFC7
Eth1/1          0     0     0    17     0     0     0     0
sonic# show qos interface Ethall queue all priority-flow-control watchdog-statistics
Eth1/1   3   stormed   2   1   911   40   120   12   300   10   5   0
sonic# show queue counters
Eth1/1   UC3   81234   83183616   10/s   1.2KB/s   9.6Kb/s   5   500
Eth1/1   MC9   81234   83183616   10/s   1.2KB/s   9.6Kb/s   5   500
sonic# show qos interface Eth 1/1
Asymetric mode: disabled
Watchdog Summary
----------------
Action:              alert
Detection Time:      650ms
Restoration Time:    1000ms
Eth1/1 nonsense
"""


def test_show_outputs() -> None:
    device = read(STATISTICS)
    assert device.sample is not None
    counted = device.sample.ports["Eth1/1"]
    assert counted.rx_pfc is not None
    assert counted.tx_pfc is not None
    assert counted.storms is not None
    assert counted.queue_drops is not None
    assert (counted.rx_pfc[3], counted.tx_pfc[3], counted.storms[3], counted.stormed) == (1204, 17, 2, frozenset({3}))
    assert counted.queue_drops[3] == 5
    dog = device.ports["Eth1/1"].qos.watchdog
    assert dog is not None
    assert (dog.enabled, dog.detect, dog.restore, dog.action) == (True, 650, 1000, "alert")
    assert [line.text for line in device.lines] == ["Eth1/1 nonsense"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "empty"),
        ("\x01\x02\x03\x04\x05binary\x06\x07", "binary"),
        ('{"PORT": {}}', "CONFIG_DB of the switch is read as nos: sonic"),
        ("version 9.14\nvlan 3\n", "nothing of Enterprise SONiC"),
        ("interface ethernet9999999/1\n", "nothing of Enterprise SONiC"),
    ],
)
def test_bad_input_is_one_sentence(content: str, says: str) -> None:
    with pytest.raises(ReadError, match=says):
        read(content)


def test_more_ports_than_a_switch_has_are_refused() -> None:
    with pytest.raises(ReadError, match="ports are named"):
        read("".join("interface range Eth1/1-1/600\n mtu 9000\n" for _ in range(200)))


def test_crlf_and_every_cut_give_a_state_or_one_error() -> None:
    assert read(RUNNING.replace("\n", "\r\n")) == read(RUNNING)
    lines = RUNNING.splitlines(keepends=True)
    for count in range(1, len(lines)):
        try:
            assert read("".join(lines[:count]), complete=False).complete == frozenset()
        except ReadError as error:
            assert "nothing of Enterprise SONiC" in str(error)  # noqa: PT017 - most cuts are no error


def test_detection() -> None:
    assert registry.detect((Text("a", RUNNING),), "a") == "dell_sonic"
    assert registry.detect((Text("a", STATISTICS),), "a") == "dell_sonic"


def test_leaving_a_mode_is_no_line_of_it() -> None:
    content = (
        "qos scheduler-policy S\nqueue 0\ntype dwrr\nweight 40\nexit\nqueue 3\ntype dwrr\nweight 60\nexit\nexit\n"
        "interface Eth1/1\nscheduler-policy S\nend\n"
    )
    device = read(content)
    assert not device.lines
    queue = device.ports["Eth1/1"].qos.queue(3)
    assert queue is not None
    assert queue.weight == 60


def test_a_section_of_another_subject_ends_ours_without_a_bang() -> None:
    device = read(
        "qos scheduler-policy S\n queue 3\n  type dwrr\n  weight 60\n"
        "class-map C match-type fields match-all\n match dscp 26\npolicy-map P type qos\n class C priority 10\n"
        "  set traffic-class 3\ninterface Eth1/1\n ip address 10.0.0.1/31\n scheduler-policy S\n"
        " priority-flow-control priority 3\n"
    )
    assert not device.lines
    queue = device.ports["Eth1/1"].qos.queue(3)
    assert queue is not None
    assert queue.weight == 60


def test_thresholds_of_a_buffer_profile() -> None:
    line = "buffer profile P ingress_lossless_pool 45 dynamic-threshold -2 pause pause-threshold 55000 resume-threshold 3000"
    assert not read(
        f"{line}\n{line} resume-offset-threshold 2288\ninterface Eth1/1\n priority-flow-control priority 3\n"
    ).lines


def test_a_policy_that_may_classify_is_reported() -> None:
    policies = " service-policy type forwarding in F\n service-policy type qos in P\n"
    device = read(f"interface Eth1/1\n qos-map dscp-tc D\n{policies}interface Vlan 7\n{policies}")
    assert [(line.text, line.place.line) for line in device.lines] == [("service-policy type qos in P", 4)]
