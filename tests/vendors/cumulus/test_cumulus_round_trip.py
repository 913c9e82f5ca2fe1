"""The laws of a plan: what is fitted, rendered and read back is what was fitted."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from cumulus_plans import defaults, fit, patch, planned_qos, planned_switch, plans, read, read_back, refused
from hypothesis import HealthCheck, given, settings

from rocecfg.render.engine import as_capture, render
from rocecfg.state.model import Amount, Device, Lag, LinkPause, Pfc, Pool, Port, distinct_qos, intern_ports
from rocecfg.state.parse import stated
from rocecfg.vendor import registry

HERE = Path(__file__).parent
FAST = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@FAST
@given(plans())
def test_what_is_rendered_reads_back_as_the_fitted_plan(plan: Device) -> None:
    fitted, adjustments = fit(plan)
    assert refused(adjustments) == []
    again = read_back(fitted)
    assert again == fitted
    assert again.lines == ()
    assert again.lines_read > 0


@FAST
@given(plans())
def test_fitting_and_defaults_are_idempotent(plan: Device) -> None:
    fitted, _ = fit(plan)
    twice, changes = fit(fitted)
    assert twice == fitted
    assert changes == ()
    assert defaults(fitted) == fitted
    assert patch(twice) == patch(fitted)


@FAST
@given(plans())
def test_no_stray_code_lands_in_a_lossless_class(plan: Device) -> None:
    fitted, _ = fit(plan)
    for name, port in fitted.ports.items():
        if name not in plan.ports or port.qos.dscp_to_tc is None:
            continue
        asked = plan.ports[name].qos.dscp_to_tc
        for code, to in enumerate(port.qos.dscp_to_tc.to):
            if asked.to[code] is None and to != 0:
                assert to not in set(asked.to)
            assert asked.to[code] in {None, to}


def test_the_small_plan_gives_the_reviewed_text() -> None:
    ports = [
        Port("swp1", planned_qos(cable=5), mtu=9000, mtu_counts="ip"),
        Port("swp2s0", planned_qos(cable=5), mtu=9000, mtu_counts="ip"),
        Port("swp49", planned_qos(cable=40, kmin=300_000, kmax=3_000_000), mtu=9000, mtu_counts="ip"),
    ]
    plan = replace(planned_switch("cumulus", [], os_version="5.14.0", model="SN3700"), ports=intern_ports(ports))
    files = {item.file: item for item in render(fit(plan)[0])}
    assert files["nvue.yaml"].content == (HERE / "small.yaml").read_text(encoding="utf-8")
    assert files["apply.sh"].content == (HERE / "small.apply.sh").read_text(encoding="utf-8")
    assert files["apply.sh"].mode == 0o755


def test_equal_ports_share_one_object() -> None:
    plan = planned_switch("cumulus", [f"swp{number}" for number in range(1, 65)])
    fitted, _ = fit(plan)
    assert len(list(distinct_qos(fitted))) == 1
    assert len(list(distinct_qos(read_back(fitted)))) == 1


def test_members_take_the_qos_of_their_bond_and_keep_their_watchdog() -> None:
    plan = replace(planned_switch("cumulus", ["swp1", "swp2", "swp3"]), lags=(Lag("bond1", ("swp1", "swp2")),))
    fitted, adjustments = fit(plan)
    text = patch(fitted)
    assert refused(adjustments) == []
    assert "bond1" in fitted.ports
    assert fitted.ports["swp1"].qos.watchdog.enabled is True
    assert re.search(r"swp1:\n +type: swp\n( +link: .*\n)? +qos:\n +pfc-watchdog: \{state: enable\}\n", text)
    bond = text[text.index("      bond1:") :]
    assert "pfc: {profile: PFC-3-30M}" in bond
    assert "pfc-watchdog" not in bond
    assert read_back(fitted) == fitted


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"pfc": Pfc("on", frozenset({3}), frozenset({4}), "internal")}, "pfc"),
        ({"pfc": Pfc("on", frozenset({3}), frozenset({3}), "pcp")}, "pfc.by"),
        ({"link_pause": LinkPause(rx=True, tx=True)}, "link_pause"),
        ({"tc_to_queue": (0, None, None, 0, None, None, 6, *[None] * 9)}, "tc_to_queue.0"),
        ({"default_tc": 9}, "default_tc"),
    ],
)
def test_what_must_not_be_changed_silently_is_refused(change: dict[str, object], field: str) -> None:
    plan = planned_switch("cumulus", ["swp1"], replace(planned_qos(), **change))
    assert field in [each.field for each in fit(plan)[1] if each.kind == "refused"]


def test_a_class_on_another_priority_is_refused() -> None:
    qos = planned_qos()
    moved = replace(
        qos,
        tc_to_pg=(0, None, None, None, 3, None, 0, *[None] * 9),
        priority_to_pg=(None, None, None, frozenset({3}), *[None] * 4),
    )
    assert "priority_to_pg" in [
        each.field for each in fit(planned_switch("cumulus", ["swp1"], moved))[1] if each.kind == "refused"
    ]


def test_rounding_goes_the_safe_way() -> None:
    qos = planned_qos(cable=Fraction(61, 2), alpha=Fraction(1, 3))
    qos = replace(qos, watchdog=replace(qos.watchdog, poll=150, detect=200))
    fitted, changes = fit(planned_switch("cumulus", ["swp1"], qos))
    port = fitted.ports["swp1"].qos
    assert port.cable == 31
    assert port.priority_groups[3].xoff_at.alpha == Fraction(1, 4)
    assert (port.watchdog.poll, port.watchdog.detect, port.watchdog.restore) == (150, 300, 150)
    assert {
        ("cable", "quantised"),
        ("priority_groups.xoff_at", "quantised"),
        ("watchdog.detect", "quantised"),
        ("watchdog.restore", "box-made"),
    } <= {(each.field, each.kind) for each in changes}
    assert all(each.wanted and each.got and each.because for each in changes)


def test_relative_weights_become_percents_that_sum_to_100() -> None:
    qos = planned_qos(lossless={26: 3, 34: 4})
    queues = tuple(
        queue and (replace(queue, weight=7, weight_kind="relative") if queue.weight else queue) for queue in qos.queues
    )
    fitted, _ = fit(planned_switch("cumulus", ["swp1"], replace(qos, queues=queues)))
    got = [queue.weight for queue in fitted.ports["swp1"].qos.queues if queue.weight]
    assert sorted(got) == [33, 33, 34]


def test_a_weighted_queue_without_a_share_gets_one_and_an_unlisted_one_none() -> None:
    qos = planned_qos()
    bare = tuple(
        queue and replace(queue, weight=None) if number == 3 else queue for number, queue in enumerate(qos.queues)
    )
    fitted, changes = fit(planned_switch("cumulus", ["swp1"], replace(qos, queues=bare)))
    assert [queue.weight for queue in fitted.ports["swp1"].qos.queues] == [40, 0, 0, 60, 0, 0, None, 0]
    assert ("queues.3.weight", "chosen") in [(each.field, each.kind) for each in changes]
    assert "bw-percent: 0" not in patch(fitted)


def test_a_planned_pool_share_is_kept_and_none_is_chosen_aloud() -> None:
    plan = planned_switch("cumulus", ["swp1"])
    _, changes = fit(plan)
    assert [each.kind for each in changes if each.field == "pools"] == ["chosen"]
    shares = (
        Pool("ll", "both", True, Amount(Fraction(121, 2), "percent")),
        Pool("ly", "both", False, Amount(30, "percent")),
    )
    fitted, _ = fit(replace(plan, pools=shares))
    assert [(pool.name, pool.total.value) for pool in fitted.pools] == [("default-lossless", 61), ("default-lossy", 30)]


def test_percent_thresholds_need_5_18() -> None:
    qos = planned_qos()
    queue = qos.queues[3]
    curve = replace(queue.ecn.curves[0], low=Amount(10, "percent"), high=Amount(40, "percent"))
    percent = replace(
        qos,
        queues=tuple(replace(queue, ecn=replace(queue.ecn, curves=(curve,))) if q is queue else q for q in qos.queues),
    )
    old = fit(planned_switch("cumulus", ["swp1"], percent, os_version="5.15.0"))[1]
    assert refused(old)
    fitted, new = fit(planned_switch("cumulus", ["swp1"], percent, os_version="5.18.0"))
    assert refused(new) == []
    assert "mode: relative, min-threshold-percent: 10, max-threshold-percent: 40" in patch(fitted)
    assert read_back(fitted) == fitted


def test_thresholds_and_probability_stand_in_the_text_as_planned() -> None:
    text = patch(fit(planned_switch("cumulus", ["swp1"], planned_qos(kmin=123_456, kmax=654_321, pmax=7)))[0])
    assert "{ecn: enable, red: disable, min-threshold: 123456, max-threshold: 654321, probability: 7}" in text


def test_ecn_off_everywhere_beats_the_system_ramp_on_class_0() -> None:
    from rocecfg.state.model import Ecn

    qos = planned_qos()
    off = replace(qos, queues=tuple(queue and replace(queue, ecn=Ecn()) for queue in qos.queues))
    fitted, _ = fit(planned_switch("cumulus", ["swp1"], off))
    assert "'0': {ecn: disable}" in patch(fitted)
    assert all(queue.ecn == Ecn() for queue in read_back(fitted).ports["swp1"].qos.queues)


def test_a_plan_without_pfc_needs_no_lossless_pool() -> None:
    qos = replace(planned_qos(lossless={}), pfc=None, watchdog=None)
    fitted, _ = fit(planned_switch("cumulus", ["swp1"], qos))
    assert "traffic-pool" not in patch(fitted)
    assert "pfc:" not in patch(fitted)
    assert read_back(fitted) == fitted


def _paths(node: object, above: tuple[str, ...] = ()) -> set[tuple[str, ...]]:
    if hasattr(node, "items") and hasattr(node, "lines"):
        return (
            set().union(*(_paths(value, (*above, key)) for key, value in node.items.items())) if node.items else {above}
        )
    if isinstance(node, list):
        return set().union(*(_paths(each, above) for each in node))
    return {above}


@FAST
@given(plans())
def test_every_rendered_line_has_evidence(plan: Device) -> None:
    from rocecfg.packs import load_module
    from rocecfg.state.capture import Text

    vendor = registry.get("cumulus")
    tree = load_module(vendor.folder / "tree.py")
    shapes = [entry.shape for entry in vendor.manifest.evidence if entry.level in {"schema", "documented", "device"}]
    patterns = [
        re.compile(re.sub(r"<[a-z]+>", "[^/]+", re.escape(shape).replace(r"\<", "<").replace(r"\>", ">")))
        for shape in shapes
    ]
    fitted, _ = fit(plan)
    patch_file, apply_file = render(fitted)
    for path in _paths(tree.load_tree(Text("x", patch_file.content))[0]):
        assert any(pattern.fullmatch("/".join(path)) for pattern in patterns), "/".join(path)
    for line in apply_file.content.splitlines():
        assert line.startswith(("#", "cd ")) or line == "set -eu" or line in shapes, line


def test_reading_needs_no_capture_index() -> None:
    fitted, _ = fit(planned_switch("cumulus", ["swp1"]))
    assert replace(read(patch(fitted)), name="leaf1") == fitted
    assert stated(as_capture(fitted, render(fitted))).source == "intended"


def test_the_script_applies_the_file_beside_it_from_wherever_it_is_called(tmp_path: Path) -> None:
    """`sh leaf2/apply.sh` typed in leaf1's folder must not put leaf1's file on leaf2."""
    script = (Path(__file__).parent / "small.apply.sh").read_text(encoding="utf-8")
    for name in ("leaf1", "leaf2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "nvue.yaml").write_text(name, encoding="utf-8")
        (tmp_path / name / "apply.sh").write_text(script, encoding="utf-8")
    (tmp_path / "nv").write_text('#!/bin/sh\n[ "$2" != patch ] || cat "$3"\n', encoding="utf-8")
    (tmp_path / "nv").chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    ran = subprocess.run(
        ["/bin/sh", "../leaf2/apply.sh"], cwd=tmp_path / "leaf1", env=environment, capture_output=True, text=True,
        timeout=20, check=True,
    )  # fmt: skip
    assert ran.stdout == "leaf2"
