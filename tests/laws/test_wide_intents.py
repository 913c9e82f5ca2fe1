"""Whatever an intent asks for: refused with a reason, or rendered so that it reads back whole and lints without error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rocecfg.drift.compare import compare
from rocecfg.errors import RocecfgError
from rocecfg.findings import Severity
from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.render.engine import as_capture, render
from rocecfg.state.parse import parse
from tests.laws.intents import planned, rendering
from tests.laws.wide import OWN_DOING, wide_intents

if TYPE_CHECKING:
    from rocecfg.plan.planned import Plan


def _plan(text: str) -> Plan | RocecfgError:
    try:
        return planned(text)
    except RocecfgError as refused:
        return refused


@pytest.mark.parametrize("system", rendering())
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_an_intent_is_refused_or_rendered_right(system: str, data: st.DataObject) -> None:
    text = data.draw(wide_intents(system))
    plan = _plan(text)
    if isinstance(plan, RocecfgError):
        assert "law.roce.yaml" in str(plan), "the line is not named"
        return
    if plan.refusals():
        assert all(item.because for item in plan.refusals())
        return
    device = plan.devices["one"]
    live = parse(as_capture(device.fitted, render(device.fitted)))
    assert not live.lines, live.lines[:3]
    drift = compare(device, live)
    assert (drift.findings, drift.not_evaluated) == ([], [])
    found = lint([live], intent=plan.fabric, settings=Settings(profile="safe")).findings
    errors = [item for item in found if item.severity >= Severity.ERROR or item.rule.startswith(("RUN", "REF"))]
    odd = [item for item in errors if not any(word in text for word in OWN_DOING.get(item.rule, ()))]
    assert not odd, "\n".join(f"{item.rule} {item.object}: {item.message}" for item in odd)
