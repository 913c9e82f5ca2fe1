"""A plan fitted, rendered and read back is the fitted plan; the text is the same each time and all of it is documented."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rocecfg.render.engine import as_capture, render
from rocecfg.state.parse import effective, stated
from rocecfg.vendor import registry
from tests.planned import planned_qos, planned_switch
from tests.vendors.junos.plans import devices

HERE = Path(__file__).parent
PLANS = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def fit(device):
    return registry.get("junos").module.fit(device)


def read_back(device):
    return effective(stated(as_capture(device, render(device))))


def shape_pattern(shape):
    words = []
    for word in shape.split():
        if word.startswith("<"):
            words.append(r"\S+(?: \S+)*" if word.endswith("...>") else r"\S+")
        else:
            words.append(re.escape(word))
    return re.compile(" ".join(words))


@pytest.fixture(scope="module")
def shapes():
    return [shape_pattern(entry.shape) for entry in registry.get("junos").manifest.evidence]


@PLANS
@given(devices())
def test_a_fitted_plan_survives_render_and_parse(shapes, plan):
    fitted, _ = fit(plan)
    files = render(fitted)
    again = effective(stated(as_capture(fitted, files)))
    assert again.lines == ()
    assert again.pools == fitted.pools
    for name, port in fitted.ports.items():
        assert again.ports[name] == port
    assert again == fitted
    for line in files[0].content.splitlines():
        assert any(shape.fullmatch(line) for shape in shapes), line


@PLANS
@given(devices())
def test_fit_and_defaults_change_nothing_twice(plan):
    fitted, _ = fit(plan)
    twice, adjustments = fit(fitted)
    assert adjustments == ()
    assert twice == fitted
    assert registry.get("junos").module.defaults(fitted) == fitted
    assert render(twice) == render(fitted)


@settings(PLANS, max_examples=40)
@given(devices(), st.randoms(use_true_random=False))
def test_the_order_of_lines_says_nothing(plan, random):
    fitted, _ = fit(plan)
    classes, others = [], []
    for line in render(fitted)[0].content.splitlines():
        (classes if " forwarding-classes " in line else others).append(line)
    random.shuffle(others)
    text = "\n".join([*others, *classes]) + "\n"
    capture = as_capture(fitted, render(fitted))
    moved = replace(capture, texts=(replace(capture.texts[0], content=text),))
    assert effective(stated(moved)).ports == dict(fitted.ports)


def test_golden_text():
    fitted, _ = fit(planned_switch("junos", ["et-0/0/0", "et-0/0/1:0"]))
    assert render(fitted)[0].content == (HERE / "planned.set").read_text()


def test_every_change_is_said():
    _, adjustments = fit(planned_switch("junos", ["et-0/0/0"]))
    said = {(entry.field, entry.kind) for entry in adjustments}
    assert ("queues.3.ecn", "chosen") in said
    assert ("pools", "chosen") in said
    assert ("priority_groups.3.xoff_at", "dropped") in said
    assert ("priority_groups.3.headroom", "box-made") in said
    assert not any(kind == "refused" for _, kind in said)


def test_thresholds_are_converted_where_a_whole_percent_says_them():
    plan = planned_switch("junos", ["et-0/0/0"], planned_qos(kmin=2_000_000, kmax=10_000_000), model="QFX5240-64OD")
    fitted, adjustments = fit(plan)
    curve = fitted.ports["et-0/0/0"].qos.queue(3).ecn.curves[0]
    # 66 % of 165 MiB = 114,188,083 B: 2 MB is 1.75 %, 10 MB is 8.76 %
    assert (curve.low.value, curve.high.value, curve.probability) == (2, 9, 10)
    assert next(entry for entry in adjustments if entry.field == "queues.3.ecn").kind == "quantised"


def test_xon_is_in_cells_where_the_cell_is_known():
    fitted, _ = fit(planned_switch("junos", ["et-0/0/0"], model="QFX5120-48YM"))
    assert fitted.ports["et-0/0/0"].qos.priority_group(3).xon_below.value == 72
    assert "xon 72" in render(fitted)[0].content


def test_no_stray_code_lands_in_a_lossless_class():
    fitted, _ = fit(planned_switch("junos", ["et-0/0/0"], planned_qos(lossless={26: 0, 34: 4})))
    codes = fitted.ports["et-0/0/0"].qos.dscp_to_tc
    assert codes.codes(0) == (26,)
    assert codes.codes(4) == (34,)
    assert None not in codes.to


def test_a_queue_that_differs_from_the_priority_keeps_both():
    qos = planned_qos()
    queues = list(qos.queues)
    queues[4], queues[3] = queues[3], None
    moved = tuple(4 if tc == 3 else queue for tc, queue in enumerate(qos.tc_to_queue))
    plan = planned_switch("junos", ["et-0/0/0"], replace(
        qos, tc_to_queue=moved, queues=tuple(queues), priority_to_queue=tuple(frozenset({4}) if g else None for g in qos.priority_to_queue)))  # fmt: skip
    fitted, _ = fit(plan)
    text = render(fitted)[0].content
    assert "class NO-LOSS-4 queue-num 4" in text
    assert "class NO-LOSS-4 pfc-priority 3" in text
    assert "code-point 011 flow-control-queue 4" in text
    assert read_back(fitted) == fitted
    assert fitted.ports["et-0/0/0"].qos.pfc.tx == frozenset({3})


def test_headroom_partition_grows_with_the_plan():
    ports = [f"et-0/0/{number}" for number in range(32)]
    plan = planned_switch("junos", ports, planned_qos(headroom=800_000), model="QFX5220-32CD")
    fitted, _ = fit(plan)
    lossless = next(pool for pool in fitted.pools if pool.name == "ingress lossless")
    # 32 x 800,000 B = 25.6 MB of 64 MiB: 39 %
    assert (lossless.total.value, lossless.headroom.value) == (51, 39)


@pytest.mark.oracle
def test_the_published_schema_accepts_the_text(shared, tmp_path):
    checker = shared / "oracles" / "junos" / "check_set.py"
    if not checker.is_file():
        pytest.skip("the Junos schema checker is not there")
    for number, qos in enumerate(
        [planned_qos(), planned_qos(lossless={26: 3, 34: 4}), planned_qos(lossless={}, watchdog=False)]
    ):
        for model in ("QFX5120-48YM", "QFX5240-64OD"):
            fitted, _ = fit(planned_switch("junos", ["et-0/0/0", "ae1"], qos, model=model))
            file = tmp_path / f"{number}-{model}.set"
            file.write_text(render(fitted)[0].content)
            done = subprocess.run(
                [sys.executable, str(checker), "--os", "junos", str(file)], capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stdout
