"""A saved text that ends inside a line which nobody understands was cut off: what is missing in it proves nothing."""

from __future__ import annotations

import pytest

from rocecfg.errors import ReadError
from rocecfg.findings import Severity
from rocecfg.lint.run import lint
from rocecfg.render.engine import render
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from rocecfg.vendor import registry
from tests.laws.intents import auto_intent, planned, rendering

SYSTEMS = [name for name in rendering() if registry.get(name).manifest.kind == "switch"]
ABSENCE = {"WD-001", "ECN-002", "BUF-001", "REF-001", "REF-002", "PFC-001", "REF-003"}
"""Rules that speak when something is not there."""
NEVER = {"sonic", "cumulus"}
"""JSON and YAML that end too early are refused."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_error_of_absence_behind_a_cut(system: str) -> None:
    device = planned(auto_intent(system)).devices["one"]
    tried = 0
    for file in render(device.fitted):
        lines = file.content.split("\n")
        for at in range(len(lines) // 3, len(lines), max(len(lines) // 12, 1)):
            cut = "\n".join([*lines[:at], lines[at][: len(lines[at]) * 2 // 3]])
            try:
                found = parse(Capture("one", system, (Text("x.cfg", cut),), file="x.cfg"))
            except ReadError:
                continue
            if not any(line.place.line in {at, at + 1} for line in found.lines):
                continue  # what is left of the line makes sense: nothing shows the cut
            tried += 1
            errors = [item for item in lint([found]).findings if item.severity == Severity.ERROR]
            assert not [item for item in errors if item.rule in ABSENCE], f"cut in {lines[at]!r}: {errors}"
            assert "all" not in found.complete
    assert tried or system in NEVER, "the law was never tried"


def test_the_value_of_the_line_above_is_a_cut_too() -> None:
    whole = "- header:\n    version: Cumulus Linux 5.9.1\n- set:\n    qos:\n      pfc:\n        BLUE:\n          rx: enable\n"
    assert parse(Capture("", "cumulus", (Text("x.yaml", whole),), file="x.yaml")).complete
    cut = whole + "          switch-priority:\n            swi"
    found = parse(Capture("", "cumulus", (Text("x.yaml", cut),), file="x.yaml"))
    assert (len(found.lines), found.complete) == (1, frozenset())


def test_a_last_line_with_its_end_is_no_cut() -> None:
    text = "set interfaces et-0/0/1 mtu 9216\nset class-of-service interfaces et-0/0/1 wobble\n"
    for content, complete in ((text, True), (text[:-1], False)):
        found = parse(Capture("", "junos", (Text("x.set", content),), file="x.set"))
        assert (len(found.lines), bool(found.complete)) == (1, complete)
