"""What the planner decides, and that every number says why."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rocecfg import packs
from rocecfg.errors import PlanError
from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.plan.resolve import plan
from rocecfg.state.model import Dynamic, Static

if TYPE_CHECKING:
    from rocecfg.plan.planned import Plan

HEAD = """\
version: 1
fabric: test
classes:
  roce: {dscp: 26, priority: 3, lossless: true}
  cnp: {dscp: 48, priority: 6}
devices:
  leaf1: {nos: plainos, role: leaf}
  leaf2: {nos: plainos, role: leaf}
links:
  - {a: "leaf1:p1", b: "leaf2:p1", speed: 100G, cable: 30m fibre}
"""


@pytest.fixture(autouse=True)
def plainos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs, "_extra", [])
    packs.add_packs([Path(__file__).parent / "pack"])


def planned(text: str) -> Plan:
    return plan(expand(parse_intent(text, "test.roce.yaml")))


def with_settings(text: str, settings: str) -> str:
    return text.replace("devices:\n", f"settings: {settings}\ndevices:\n", 1)


def test_classes_get_their_own_queue_and_group() -> None:
    qos = planned(HEAD).devices["leaf1"].fitted.ports["p1"].qos
    assert qos.dscp_to_tc is not None
    assert (qos.dscp_to_tc.to[26], qos.dscp_to_tc.to[48], qos.dscp_to_tc.to[0]) == (3, 6, None)
    assert qos.tc_to_queue is not None
    assert (qos.tc_to_queue[0], qos.tc_to_queue[3], qos.tc_to_queue[6]) == (0, 3, 6)
    assert qos.tc_to_pg is not None
    assert (qos.tc_to_pg[0], qos.tc_to_pg[3], qos.tc_to_pg[6]) == (0, 3, 0)
    assert qos.pfc is not None
    assert qos.pfc.sends() == frozenset({3})
    assert qos.lossless_tcs() == frozenset({3})


def test_headroom_is_the_bound_for_speed_and_cable() -> None:
    group = planned(HEAD).devices["leaf1"].fitted.ports["p1"].qos.priority_group(3)
    assert group is not None
    assert group.headroom is not None
    assert group.headroom.amount is not None
    # 2 x (9216 + 20) frames, 84 PFC frame, 394 x 64 response, 2 x 30 m x 5 ns at 12.5 B/ns
    assert group.headroom.amount.bytes == 2 * 9236 + 84 + 25_216 + 2 * 1875
    assert group.xoff_at == Dynamic(Fraction(1))


def test_feedback_is_strict_and_data_weighted() -> None:
    qos = planned(HEAD).devices["leaf1"].fitted.ports["p1"].qos
    cnp, data, rest = qos.queue(6), qos.queue(3), qos.queue(0)
    assert cnp is not None
    assert (cnp.scheduler, cnp.rank) == ("strict", 1)
    assert data is not None
    assert rest is not None
    assert (data.weight, rest.weight) == (50, 50)
    assert data.ecn is not None
    assert data.ecn.curves[0].low is not None
    assert data.ecn.curves[0].low.bytes == 100_000
    assert data.wred == ()


def test_every_number_has_a_reason() -> None:
    for number in planned(HEAD).devices["leaf1"].numbers("p1"):
        if number.name not in {"speed", "mtu"}:
            assert number.because, number.name
            assert number.because != "the intent", number.name


@pytest.mark.parametrize(
    ("settings", "leaf", "value"),
    [
        ("{mtu: 4200}", "mtu", 4200),
        ("{pfc: {headroom: 99KB}}", "priority_groups.3.headroom", 99_000),
        ("{pfc: {alpha: 1/8}}", "priority_groups.3.xoff_at", "alpha 1/8"),
        ("{pfc: {xoff_at: 200KB}}", "priority_groups.3.xoff_at", 200_000),
        ("{pfc: {xon_below: 20KB}}", "priority_groups.3.xon_below", 20_000),
        ("{pfc: {xon_at: 20KB}}", "priority_groups.3.xon_at", 20_000),
        ("{ecn: {kmin: 150KB, kmax: 1500KB, pmax: 10%}}", "queues.3.ecn.kmin", 150_000),
        ("{ecn: {profile: throughput}}", "queues.3.ecn.kmax", 1_000_000),
        ("{rtt: 16us}", "queues.3.ecn.kmin", 200_000),
        ("{watchdog: {detect: 400ms}}", "watchdog.poll", 200),
        ("{watchdog: {enabled: false}}", "watchdog.enabled", False),
        ("{watchdog: {action: alert}}", "watchdog.action", "alert"),
        ("{pfc: {mode: off}}", "pfc.admin", "off"),
        ("{pfc: {mode: dcbx}}", "pfc.admin", "auto"),
        ("{congestion_control: none}", "queues.3.ecn", "off"),
        ("{asymmetric_pfc: true}", "pfc.honoured", [0, 1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_a_stated_value_wins_and_names_its_line(settings: str, leaf: str, value: object) -> None:
    numbers = {item.name: item for item in planned(with_settings(HEAD, settings)).devices["leaf1"].numbers("p1")}
    assert numbers[leaf].value == value


def test_the_reason_names_the_line_of_the_intent() -> None:
    text = with_settings(HEAD, "{ecn: {kmin: 150KB, kmax: 1500KB}}")
    numbers = {item.name: item for item in planned(text).devices["leaf1"].numbers("p1")}
    assert "test.roce.yaml:6" in numbers["queues.3.ecn.kmin"].because


def test_a_static_threshold_replaces_alpha() -> None:
    group = (
        planned(with_settings(HEAD, "{pfc: {xoff_at: 200KB}}"))
        .devices["leaf1"]
        .fitted.ports["p1"]
        .qos.priority_group(3)
    )
    assert group is not None
    assert isinstance(group.xoff_at, Static)


def test_narrow_settings_beat_the_class_and_the_class_beats_the_fabric() -> None:
    text = HEAD.replace("lossless: true}", "lossless: true, ecn: {kmin: 200KB, kmax: 900KB}}")
    text = with_settings(text, "{ecn: {kmin: 150KB, kmax: 1500KB}}\nroles:\n  spine: {ecn: {kmin: 99KB, kmax: 990KB}}")
    text = text.replace("leaf2: {nos: plainos, role: leaf}", "leaf2: {nos: plainos, role: spine}")
    devices = planned(text).devices
    kmin = {
        name: next(item.value for item in device.numbers("p1") if item.name == "queues.3.ecn.kmin")
        for name, device in devices.items()
    }
    assert kmin == {"leaf1": 200_000, "leaf2": 99_000}


def test_several_lossless_classes_share_the_lossless_half() -> None:
    text = HEAD.replace("  cnp:", "  storage: {dscp: [34, 36], priority: 4, lossless: true}\n  cnp:")
    qos = planned(text).devices["leaf1"].fitted.ports["p1"].qos
    weights = {number: queue.weight for number, queue in enumerate(qos.queues or ()) if queue and queue.weight}
    assert weights == {0: 50, 3: 25, 4: 25}
    assert qos.pfc is not None
    assert qos.pfc.sends() == frozenset({3, 4})


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        ("  bad: {dscp: 10, priority: 3}\n", "priority 3 is used by"),
        ("  bad: {dscp: 10, priority: 4, queue: 3}\n", "queue 3 is used by"),
        ("  a: {dscp: 10, priority: 4, bandwidth: 60%}\n  b: {dscp: 12, priority: 5, bandwidth: 60%}\n", "= 120%"),
        ("  bad: {dscp: 10, priority: 4, bandwidth: 100%}\n", "leave something for"),
        ("  bad: {dscp: [10, 26], priority: 4}\n", "DSCP 26 leads to roce .*test.roce.yaml:4.* and to bad"),
    ],
)
def test_contradictions_are_refused_with_both_sides(classes: str, message: str) -> None:
    text = HEAD.replace("  cnp:", classes + "  cnp:")
    with pytest.raises(PlanError, match=message):
        planned(text)


def test_a_tag_of_two_classes_is_refused_where_ports_trust_tags() -> None:
    text = HEAD.replace("  cnp:", "  tagged: {dscp: 10, priority: 4, pcp: 3}\n  cnp:")
    planned(text)
    with pytest.raises(PlanError, match=r"PCP 3 leads to roce .* and to tagged"):
        planned(with_settings(text, "{trust: pcp}"))


def test_a_poll_takes_no_longer_than_a_stated_restoration() -> None:
    plan = planned(with_settings(HEAD, "{watchdog: {detect: 1298ms, restore: 515ms}}"))
    timers = {port.qos.watchdog.poll for port in plan.devices["leaf1"].wanted.ports.values() if port.qos.watchdog}
    assert timers == {515}


def test_shares_above_a_whole_are_refused() -> None:
    with pytest.raises(PlanError, match="more than 100%"):
        planned(with_settings(HEAD, "{buffer: {lossless_share: 80%, headroom_share: 30%}}"))


def test_ports_of_one_kind_share_one_object() -> None:
    text = HEAD.replace('a: "leaf1:p1", b: "leaf2:p1"', 'a: "leaf1:p[1-3]", b: "leaf2:p[1-3]"')
    device = planned(text).devices["leaf1"].fitted
    assert len({id(port.qos) for port in device.ports.values()}) == 1


def test_planning_twice_gives_the_same() -> None:
    assert planned(HEAD).devices == planned(HEAD).devices


def test_ports_that_trust_both_marks_have_both_maps() -> None:
    qos = planned(with_settings(HEAD, "{trust: both}")).devices["leaf1"].wanted.ports["p1"].qos
    assert qos.trust == "both"
    assert qos.dscp_to_tc is not None
    assert qos.pcp_to_tc is not None
    assert (qos.dscp_to_tc.to[26], qos.pcp_to_tc.to[3], qos.pcp_to_tc.to[0]) == (3, 3, 0)
    assert qos.pfc is not None
    assert qos.pfc.by == "internal"


def test_headroom_in_bytes_of_an_unknown_chip_is_no_promise() -> None:
    """Cells that nobody knows are not counted: the plan says so, unless the chip is known or no packet is small."""

    def warned(text: str) -> bool:
        return any("cell size is not known" in note for note in planned(text).devices["leaf1"].notes)

    assert warned(HEAD)
    assert not warned(HEAD.replace("plainos, role", "plainos, asic: tomahawk-3, role"))
    assert not warned(with_settings(HEAD, "{traffic: large}"))
    assert not warned(with_settings(HEAD, "{pfc: {headroom: 200KB}}"))


def test_a_fixed_trigger_beside_alpha_is_told() -> None:
    device = planned(with_settings(HEAD, "{pfc: {alpha: 1/4, xoff_at: 300KB}}")).devices["leaf1"]
    assert [note for note in device.notes if "alpha 1/4 is stated too and not used" in note]
    assert not any(
        "alpha" in note for note in planned(with_settings(HEAD, "{pfc: {alpha: 1/4}}")).devices["leaf1"].notes
    )
