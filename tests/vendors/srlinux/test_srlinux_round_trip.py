"""The laws of a plan: what is fitted, rendered and read back is what was fitted; and the reviewed text."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from planned import planned_qos
from srlinux_plans import defaults, fit, kinds, planned, plans, read, read_back, rendered

from rocecfg.render.engine import render
from rocecfg.render.evidence import UNMATCHED, Shapes, vouch
from rocecfg.state.model import (
    Amount,
    Curve,
    Dcbx,
    Device,
    Ecn,
    Lag,
    LinkPause,
    Pfc,
    PortWatchdog,
    Static,
    distinct_qos,
)  # fmt: skip
from rocecfg.vendor import registry

HERE = Path(__file__).parent
FAST = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@FAST
@given(plans())
def test_what_is_rendered_reads_back_as_the_fitted_plan(plan: Device) -> None:
    fitted, adjustments = fit(plan)
    assert kinds(adjustments, "refused") == []
    again = read_back(fitted)
    assert again == fitted
    assert again.lines == ()


@FAST
@given(plans())
def test_both_files_say_the_same(plan: Device) -> None:
    fitted, _ = fit(plan)
    texts = rendered(fitted)
    assert read(texts["switch.cfg"]) == read(texts["switch.json"]) == fitted


@FAST
@given(plans())
def test_fitting_and_defaults_are_idempotent(plan: Device) -> None:
    fitted, _ = fit(plan)
    twice, changes = fit(fitted)
    assert twice == fitted
    assert changes == ()
    assert defaults(fitted) == fitted
    assert rendered(twice) == rendered(fitted)


@FAST
@given(plans())
def test_a_queue_never_drops_what_pfc_protects(plan: Device) -> None:
    """The size given to a marked queue holds what all ports may send before they have paused; marks come first."""
    fitted, _ = fit(plan)
    total = sum(
        group.xoff_at.amount.bytes + group.headroom.amount.bytes
        for port in fitted.ports.values()
        for group in port.qos.priority_groups
        if group is not None
    )
    for qos, _ in distinct_qos(fitted):
        for number, queue in enumerate(qos.queues):
            if queue.ecn.curves:
                assert queue.limit.amount.bytes > total
                assert qos.priority_groups[number].xoff_at.amount.bytes >= queue.ecn.curves[0].high.bytes


@FAST
@given(plans())
def test_every_line_has_evidence(plan: Device) -> None:
    shapes = Shapes(registry.get("srlinux").manifest.evidence)
    assert {found.level for found in vouch(shapes, render(fit(plan)[0]))} == {"schema"}
    assert shapes.of_line("set / qos pfc on") == UNMATCHED


def test_the_small_plan_gives_the_reviewed_texts() -> None:
    texts = rendered(fit(planned())[0])
    assert texts["switch.cfg"] == (HERE / "expected_switch.cfg").read_text(encoding="utf-8")
    assert texts["switch.json"] == (HERE / "expected_switch.json").read_text(encoding="utf-8")
    assert json.loads(texts["switch.json"])["srl_nokia-qos:qos"]["explicit-congestion-notification"] == {}


@pytest.mark.parametrize(("release", "wanted"), [("24.10.3", [3]), ("25.3.1", 3), ("", 3), ("v24.7", [3])])
def test_json_follows_the_release(release: str, wanted: object) -> None:
    fitted, _ = fit(planned(os_version=release or None))
    tree = json.loads(rendered(fitted)["switch.json"])["srl_nokia-qos:qos"]
    (profile,) = tree["pfc-mapping-profile"]
    assert profile["received-pfc-pause-frames"]["queue"][0]["pfc-pause-frame-priority"] == wanted
    assert read_back(fitted) == fitted


def rich(colours_of_ramp: frozenset[str] = frozenset({"green"})) -> Device:
    """A plan with all that the templates can print."""
    plain = planned_qos(lossless={26: 3, 34: 4})
    slopes = (Curve(Amount(5, "percent"), Amount(80, "percent"), 100, colours_of_ramp),)
    drops = (Curve(Amount.of_bytes(1000), Amount.of_bytes(9000), 5),)
    queues = list(plain.queues)
    queues[4] = replace(queues[4], ecn=Ecn(slopes, weight=3), wred=drops, limit=Static(Amount.of_bytes(3_000_000)))
    colours = [None] * 64
    colours[34] = "yellow"
    other = replace(
        plain,
        queues=tuple(queues),
        dscp_to_colour=tuple(colours),
        rewrite=tuple(("tc", tc, tc * 8) for tc in range(8)),
        tc_to_queue=(0, None, None, 5, 4, None, 6, *[None] * 9),
        priority_to_queue=(None, None, None, frozenset({5}), frozenset({4}), None, None, None),
        watchdog=PortWatchdog(enabled=True, priorities=frozenset({3, 4}), detect=90, restore=100),
    )
    queues5 = list(other.queues)
    queues5[5], queues5[3] = queues5[3], None
    return planned(replace(other, queues=tuple(queues5)))


def test_all_that_can_be_printed_reads_back() -> None:
    fitted, adjustments = fit(rich())
    assert kinds(adjustments, "refused") == []
    assert read_back(fitted) == fitted
    text = rendered(fitted)["switch.cfg"]
    for words in (
        "wred-slope all drop-probability low enable-ecn true min-threshold-percent 5",
        "wred-slope all drop-probability all enable-ecn false min-threshold 1000",
        "dscp 34 drop-probability medium",
        "rewrite-rules dscp-policy roce-mark map fc7 dscp 56",
        "forwarding-class fc3 output unicast-queue unicast-5",
        "detection-timer 90",
        "weight-factor 3",
    ):
        assert words in text


def test_members_take_the_qos_of_their_lag() -> None:
    fitted, adjustments = fit(replace(planned(), lags=(Lag("lag1", ("ethernet-1/1", "ethernet-1/2")),)))
    assert kinds(adjustments, "refused") == []
    text = rendered(fitted)["switch.cfg"]
    assert "set / interface ethernet-1/1 ethernet aggregate-id lag1" in text
    assert "interfaces interface ethernet-1/1 " not in text
    assert "interfaces interface lag1 pfc pfc-enable true" in text
    assert read_back(fitted) == fitted


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"trust": "pcp"}, "trust"),
        ({"default_tc": 2}, "default_tc"),
        ({"pfc": Pfc("on", frozenset({3}), frozenset({3}), "pcp")}, "pfc.by"),
        ({"link_pause": LinkPause(rx=True, tx=False)}, "link_pause"),
        ({"link_pause": LinkPause(rx=False, tx=True)}, "link_pause.tx"),
        ({"rewrite": (("tc", 3, 26),)}, "rewrite"),
        ({"tc_to_pg": (3, None, None, 3, *[None] * 12)}, "dscp_to_tc"),
        ({"priority_to_queue": (None, None, None, frozenset({3, 4}), *[None] * 4)}, "priority_to_queue.3"),
        ({"tc_to_queue": (0, None, None, 9, *[None] * 12)}, "tc_to_queue.3"),
    ],
)
def test_what_must_not_be_changed_in_silence_is_refused(change: dict[str, object], field: str) -> None:
    assert field in kinds(fit(planned(replace(planned_qos(), **change)))[1], "refused")


@pytest.mark.parametrize(
    ("change", "field", "kind"),
    [
        ({"cable": 30}, "cable", "dropped"),
        ({"dcbx": Dcbx("ieee")}, "dcbx", "dropped"),
        ({"pfc": Pfc("auto", frozenset({3}), frozenset({3}))}, "pfc.admin", "dropped"),
        ({"app_to_tc": (("udp", 4791, 3),)}, "app_to_tc", "dropped"),
        ({"watchdog": PortWatchdog(True, frozenset({3}), detect=2000)}, "watchdog.detect", "quantised"),
        ({"watchdog": PortWatchdog(True, frozenset({3}), detect=200, action="drop")}, "watchdog.action", "box-made"),
    ],
)
def test_every_change_has_its_reason(change: dict[str, object], field: str, kind: str) -> None:
    fitted, adjustments = fit(planned(replace(planned_qos(cable=None), **change)))
    assert [item.kind for item in adjustments if item.field == field] == [kind]
    assert all(item.because for item in adjustments)
    assert read_back(fitted) == fitted


def test_ports_and_models_that_do_not_exist_are_refused() -> None:
    plan = planned()
    named = replace(plan, ports={"Ethernet1": replace(plan.ports["ethernet-1/1"], name="Ethernet1")})
    assert "name" in kinds(fit(named)[1], "refused")
    assert "model" in kinds(fit(replace(plan, model="7250 IXR-6e"))[1], "refused")
    assert "ecn_enabled" in kinds(fit(replace(plan, ecn_enabled=False))[1], "refused")


def test_asymmetric_pfc_is_carried() -> None:
    fitted, adjustments = fit(planned(replace(planned_qos(), pfc=Pfc("on", frozenset({3}), frozenset({3, 5})))))
    assert kinds(adjustments, "refused") == []
    assert read_back(fitted) == fitted
    assert fitted.ports["ethernet-1/1"].qos.pfc.rx == frozenset({3, 5})


def test_more_kinds_of_ports_than_profiles_are_refused() -> None:
    base = planned().ports["ethernet-1/1"]
    kinds_of_port = {
        f"ethernet-1/{n}": replace(base, name=f"ethernet-1/{n}", qos=replace(
            base.qos, watchdog=PortWatchdog(True, frozenset({3}), detect=100 + n, restore=200)))
        for n in range(1, 9)
    }  # fmt: skip
    assert "pfc-mapping-profile" in kinds(fit(replace(planned(), ports=kinds_of_port))[1], "refused")
    less = dict(list(kinds_of_port.items())[:7])
    assert kinds(fit(replace(planned(), ports=less))[1], "refused") == []


def test_the_order_of_lines_does_not_matter() -> None:
    fitted, _ = fit(planned())
    lines = rendered(fitted)["switch.cfg"].splitlines()
    assert read("\n".join(reversed(lines))) == fitted


def test_a_known_chip_sizes_the_headroom_pool() -> None:
    qos = planned_qos(headroom=9_000_000)
    unknown, _ = fit(planned(qos))
    known, _ = fit(planned(qos, asic="tomahawk-3"))
    assert unknown.pools[0].headroom == Amount(10, "percent")
    assert known.pools[0].headroom.value > 10
    assert read_back(known) == known
