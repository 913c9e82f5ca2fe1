"""AOS-CX: running configurations in their forms, read into what is in force."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rocecfg.errors import ReadError
from rocecfg.findings import Severity
from rocecfg.lint.run import lint
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import Amount, Device, Dynamic
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

RUNNING = """\
Current configuration:
!
!Version ArubaOS-CX GL.10.13.1000
!export-password: default
hostname tor1
lldp dcbx
dcbx application udp 4791 priority 3
qos dscp-map 26 local-priority 3 name RoCE
qos dscp-map 27 local-priority 1
qos queue-profile roce
    map queue 0 local-priority 0,1,2,4,5
    name queue 0 rest
    map queue 1 local-priority 3
    map queue 2 local-priority 6-7
qos schedule-profile roce
    dwrr queue 0 weight 50
    dwrr queue 1 weight 50 max-bandwidth 90000000 kbps burst 64 KB
    strict queue 2
qos threshold-profile roce
    queue 1 action ecn all min-threshold 512 kbytes max-threshold 1520 kbytes
    queue 0 action wred-resp green min-threshold 100 kbytes max-threshold 200 kbytes max-prob 20 percent
qos threshold-profile late
    queue 1 action ecn all threshold 3000 kbytes
qos pool 1 lossless size factory-default percent headroom factory-default kbytes priorities 3
apply qos queue-profile roce schedule-profile roce
apply qos threshold-profile roce
qos trust dscp
interface lag 7 multi-chassis
    no shutdown
    no routing
    vlan trunk allowed 100
    qos trust cos
interface 1/1/1
    no shutdown
    mtu 9198
    flow-control priority rxtx 3
    flow-control buffer cable-length 50
    no routing
    vlan access 171
interface 1/1/2
    shutdown
    lag 7
interface 1/1/3
    mtu 9000
    flow-control priority rx 4
    apply qos threshold-profile late
    lldp dcbx version cee
    qos trust none
    routing
interface vlan 171
    ip mtu 9198
interface mgmt
    no shutdown
"""


def read(content: str, **more: object) -> Device:
    return parse(Capture("", "aruba_cx", (Text("tor1.cfg", content, **more),), file="tor1.cfg"))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def tor() -> Device:
    return read(RUNNING)


def test_all_lines_are_understood(tor: Device) -> None:
    assert tor.lines == ()
    assert tor.lines_read > 30
    assert (tor.name, tor.os_version) == ("tor1", "GL.10.13.1000")
    assert set(tor.ports) == {"1/1/1", "1/1/2", "1/1/3", "lag 7"}


def test_classification(tor: Device) -> None:
    qos = tor.ports["1/1/1"].qos
    assert qos.trust == "dscp"
    assert qos.dscp_to_tc is not None
    assert [qos.dscp_to_tc.to[code] for code in (0, 8, 24, 26, 27, 48)] == [1, 0, 3, 3, 1, 6]
    none = tor.ports["1/1/3"].qos
    assert (none.trust, none.default_tc) == ("none", 1)
    member = tor.ports["1/1/2"].qos
    assert member.trust == "pcp", "a member has what its LAG states"
    assert member.pcp_to_tc is not None
    assert member.pcp_to_tc.to == (1, 0, 2, 3, 4, 5, 6, 7)


def test_queues_and_their_thresholds(tor: Device) -> None:
    qos = tor.ports["1/1/1"].qos
    assert qos.tc_to_queue is not None
    assert qos.tc_to_queue[:8] == (0, 0, 0, 1, 0, 0, 2, 2)
    first, second, third = (qos.queue(number) for number in range(3))
    assert first is not None
    assert second is not None
    assert third is not None
    assert (first.scheduler, first.weight, third.scheduler) == ("weighted", 50, "strict")
    assert second.shaper == 90_000_000_000
    assert second.ecn is not None
    assert [(curve.low, curve.high, curve.probability) for curve in second.ecn.curves] == [
        (Amount(512, "kbyte"), Amount(1520, "kbyte"), None)
    ]
    assert second.ecn.curves[0].low.bytes == 512 * 1024
    assert [curve.colours for curve in first.wred or ()] == [frozenset({"green"})]
    late = tor.ports["1/1/3"].qos.queue(1)
    assert late is not None
    assert late.ecn is not None
    assert [(curve.low.value, curve.probability) for curve in late.ecn.curves] == [(3000, 100)]


def test_pfc_buffers_and_cable(tor: Device) -> None:
    qos = tor.ports["1/1/1"].qos
    assert qos.pfc is not None
    assert (qos.pfc.admin, qos.pfc.tx, qos.pfc.rx) == ("on", frozenset({3}), frozenset({3}))
    assert qos.priority_to_queue is not None
    assert qos.priority_to_queue[3] == frozenset({1})
    assert qos.cable == 50
    group = qos.priority_group(3)
    assert group is not None
    assert group.headroom is not None
    assert (group.lossless, group.pool, group.headroom.by) == (True, "1", "length")
    assert (group.xoff_at, group.xon_below) == (Dynamic(Fraction(4)), Amount.of_bytes(12288))
    half = tor.ports["1/1/3"].qos
    assert half.pfc is not None
    assert (half.pfc.tx, half.pfc.rx) == (frozenset(), frozenset({4}))
    assert [(pool.name, pool.total, pool.headroom) for pool in tor.pools or ()] == [
        ("1", Amount(Fraction(203, 5), "percent"), Amount(3072, "kbyte"))
    ]


def test_dcbx_needs_the_switch_and_the_port(tor: Device) -> None:
    states = {name: port.qos.dcbx.state for name, port in tor.ports.items() if port.qos.dcbx is not None}
    assert states == {"lag 7": "ieee", "1/1/1": "ieee", "1/1/2": "ieee", "1/1/3": "cee"}
    off = read(RUNNING.replace("lldp dcbx\n", "", 1))
    assert off.ports["1/1/3"].qos.dcbx is not None
    assert off.ports["1/1/3"].qos.dcbx.state == "off"


def test_every_leaf_has_its_line(tor: Device) -> None:
    port = tor.ports["1/1/1"]
    lines = RUNNING.splitlines()
    for leaf, text in {
        "pfc": "flow-control priority rxtx 3", "cable": "cable-length 50", "mtu": "mtu 9198", "trust": "qos trust dscp",
        "queues.1.ecn": "queue 1 action ecn", "queues.2": "strict queue 2", "priority_groups.3": "qos pool 1",
    }.items():  # fmt: skip
        place = port.where(leaf)
        assert place is not None
        assert text in lines[place.line - 1], leaf


def test_flat_text_and_a_session_say_the_same(tor: Device) -> None:
    flat = read("\n".join(line.strip() for line in RUNNING.splitlines()) + "\n")
    assert flat.lines == ()
    assert flat == tor
    prompts, mode = [], ""
    for line in RUNNING.splitlines()[5:]:
        mode = "-if" if line.startswith("interface") else "-x" if line.startswith(" ") else ""
        prompts.append(f"tor1(config{mode if line.startswith(' ') else ''})# {line.strip()}")
    session = read("\n".join(prompts) + "\n")
    assert session.lines == ()
    assert session.complete == frozenset()
    assert session.ports["1/1/1"].qos.pfc == tor.ports["1/1/1"].qos.pfc


def test_ranges_and_repeated_blocks() -> None:
    device = read(
        "interface 1/1/17-1/1/22\n  flow-control priority rxtx 3\n"
        "interface 1/1/18,1/1/20\n  no flow-control priority rxtx 3\n"
        "interface 1/1/19\n  flow-control priority 4\n"
    )
    paused = {name: sorted(port.qos.pfc.tx or ()) for name, port in device.ports.items() if port.qos.pfc is not None}
    assert paused == {"1/1/17": [3], "1/1/19": [3, 4], "1/1/21": [3], "1/1/22": [3]}
    assert device.complete == frozenset()


def test_lines_that_make_no_sense_are_reported() -> None:
    odd = [
        "qos trust maybe", "qos dscp-map 64 local-priority 3", "qos dscp-map 26 local-priority 8",
        "qos cos-map 3 local-priority ٣", "qos pool 1 lossless size big percent headroom 1 kbytes",
        "qos pool 1 lossless size 40 percent headroom 1 kbytes priorities 9", "lldp dcbx version draft",
        "qos made-up thing",
    ]  # fmt: skip
    below = [
        "flow-control priority rxtx 8", "flow-control priority both 3", "flow-control buffer alpha 3",
        "flow-control buffer cable-length -5", "qos trust both", "mtu 99999999",
    ]  # fmt: skip
    text = "hostname x\n" + "\n".join(odd) + "\ninterface 1/1/1\n" + "".join(f"    {line}\n" for line in below)
    device = read(text)
    assert [line.text for line in device.lines] == odd + below
    assert [line.place.line for line in device.lines] == [*range(2, 10), *range(11, 17)]


def test_profiles_that_are_missing_or_unused() -> None:
    text = RUNNING.replace("apply qos threshold-profile roce", "apply qos threshold-profile roec", 1)
    named = {(item.kind, item.name): item for item in read(text).objects}
    missing = named["qos threshold-profile", "roec"]
    assert (missing.defined, missing.used, missing.near) == (False, True, "roce")
    assert (named["qos threshold-profile", "roce"].used, named["qos threshold-profile", "late"].used) == (False, True)
    found = {item.rule for item in lint([read(text)]).findings}
    assert {"REF-001", "REF-002"} <= found


def test_a_silent_watchdog_is_unknown_and_not_off(tor: Device) -> None:
    assert tor.ports["1/1/1"].qos.watchdog is None
    assert not [item for item in lint([tor]).findings if item.rule == "WD-001"]


def test_pfc_on_an_untrusted_port_is_found() -> None:
    text = RUNNING.replace("qos trust dscp\n", "", 1)
    errors = {item.rule for item in lint([read(text)]).findings if item.severity is Severity.ERROR}
    assert "REF-003" in errors


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "empty"),
        ("\ufeff \n", "empty|nothing of AOS-CX"),
        ("\x01\x02\x03\x04\x05binary\x06\x07", "binary"),
        ('{"interfaces": {}}', "JSON is not read"),
        ("hostname x\nvlan 3\n", "nothing of AOS-CX"),
        ("interface Ethernet1/1\n  priority-flow-control mode on\n", "nothing of AOS-CX"),
    ],
)
def test_bad_input_is_one_sentence(content: str, says: str) -> None:
    with pytest.raises(ReadError, match=says):
        read(content)


def test_more_ports_than_a_switch_has_are_refused() -> None:
    text = "".join(f"interface 1/1/1-1/1/{600}\n  mtu 9000\n" for _ in range(200))
    with pytest.raises(ReadError, match="ports are named"):
        read(text)


def test_crlf_and_a_cut_text() -> None:
    assert read(RUNNING.replace("\n", "\r\n")) == read(RUNNING)
    cut = read(RUNNING, complete=False)
    assert cut.complete == frozenset()
    assert cut.ports["1/1/3"].qos.link_pause is None


def test_detection() -> None:
    assert registry.detect((Text("a", RUNNING),), "a") == "aruba_cx"
    assert registry.detect((Text("a", "interface 1/1/1\n    flow-control priority rxtx 3\n"),), "a") == "aruba_cx"


QUEUES = """\
Interface 1/1/1 is up
         Tx Bytes      Tx Packets        Tx Drops
Q0              0               0               0
Q3     91,827,364           65213              12
Interface 1/1/2 is down
      Tx Packets        Tx Bytes        Tx Drops
Q3             7            1024               0
Q4             7            1024
"""


def test_counters_follow_their_heading() -> None:
    device = read(QUEUES, command="show interface queues")
    assert device.sample is not None
    one, two = device.sample.ports["1/1/1"], device.sample.ports["1/1/2"]
    assert one.queue_drops is not None
    assert one.queue_bytes is not None
    assert (one.queue_drops[3], one.queue_bytes[3]) == (12, 91_827_364)
    assert two.queue_packets is not None
    assert two.queue_packets[3] == 7
    assert [line.text for line in device.lines] == ["Q4             7            1024"]


def test_a_row_of_counters_before_its_headings_is_reported() -> None:
    device = read("Interface 1/1/1 is up\n  Q3   12\n", command="show interface queues")
    assert [line.text for line in device.lines] == ["Q3   12"]


def test_a_port_that_trusts_none_has_a_priority_of_its_own() -> None:
    """10.17 of the 8325: the local priority of a port that trusts none may be stated, globally and on the port."""
    text = (
        "Current configuration:\n!\nhostname a\nqos trust none local-priority 2 color green\n"
        "interface 1/1/1\n    no shutdown\ninterface 1/1/2\n    no shutdown\n    qos trust none local-priority 4\n"
        "interface 1/1/3\n    no shutdown\n    qos trust none\ninterface 1/1/4\n    no shutdown\n    qos trust dscp\n"
        "interface 1/1/5\n    no shutdown\n    qos trust dscp local-priority 4\n"
    )
    device = parse(Capture("a", "aruba_cx", (Text("a.cfg", text, "show running-config", True),), file="a.cfg"))
    assert [line.text for line in device.lines] == ["qos trust dscp local-priority 4"]
    found = [(port.qos.trust, port.qos.default_tc) for port in device.ports.values()]
    assert found[:3] == [("none", 2), ("none", 4), ("none", 1)]
    assert found[3][0] == "dscp"


def test_what_is_taken_back_in_a_session_is_gone() -> None:
    text = (
        "sw(config)# qos threshold-profile t\nsw(config-threshold)# queue 3 action ecn all threshold 400 kbytes\n"
        "sw(config-threshold)# queue 5 action ecn all threshold 500 kbytes\nsw(config-threshold)# no queue 3\n"
        "sw(config)# apply qos threshold-profile t\nsw(config)# qos trust dscp\nsw(config)# no qos trust\n"
        "sw(config)# interface 1/1/1\nsw(config-if)# no shutdown\n"
    )
    device = parse(Capture("a", "aruba_cx", (Text("a.log", text),), file="a.log"))
    qos = device.ports["1/1/1"].qos
    assert (device.lines, qos.trust) == ((), None)
    assert [number for number, queue in enumerate(qos.queues) if queue is not None and queue.ecn is not None] == [5]
