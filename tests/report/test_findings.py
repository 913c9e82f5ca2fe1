"""Findings as text and JSON."""

from __future__ import annotations

import json as standard_json

import pytest

from rocecfg.findings import Finding, NotEvaluated, NotUnderstood, Severity
from rocecfg.report import json, text
from rocecfg.report.outcome import Outcome

FINDING = Finding(
    "PFC-003", "too-many-lossless-priorities", Severity.ERROR, "leaf1", "Ethernet1/7", "4 priorities, 2 are the most",
    "merge classes", "pod1.roce.yaml", 14, 9, ("Ethernet1/7",),
)  # fmt: skip


def test_text_of_a_finding_is_the_contract() -> None:
    written = text.write(Outcome([FINDING], devices=1, files=1))
    assert written == (
        "pod1.roce.yaml:14:9: error PFC-003 leaf1 Ethernet1/7: 4 priorities, 2 are the most\n"
        "    help: merge classes   explain: rocecfg explain PFC-003\n"
        "\n"
        "1 error in 1 device, 1 file\n"
    )


@pytest.mark.parametrize(
    ("file", "line", "column", "head"),
    [
        ("a.cfg", 3, 0, "a.cfg:3: "),
        ("a.cfg", 0, 0, "a.cfg: "),
        ("", 0, 0, "-: "),
        ("a\x1b.cfg", 1, 1, "a\\x1b.cfg:1:1: "),
    ],
)
def test_place_says_what_is_known(file: str, line: int, column: int, head: str) -> None:
    finding = Finding("X-001", "x", Severity.INFO, "", "", "m", file=file, line=line, column=column)
    assert text.write(Outcome([finding])).startswith(f"{head}info X-001: m\n    explain: rocecfg explain X-001\n")


def test_colour_changes_nothing_but_colour() -> None:
    import re

    outcome = Outcome([FINDING], devices=1, files=1)
    painted = text.write(outcome, colour=True)
    assert painted != text.write(outcome)
    assert re.sub("\x1b\\[[0-9;]*m", "", painted) == text.write(outcome)


def test_blind_spots_are_said() -> None:
    outcome = Outcome(
        not_evaluated=[NotEvaluated(f"X-00{n}", "leaf1", "the cables") for n in range(8)],
        not_understood=[NotUnderstood("a.cfg", n, f"line {n}") for n in range(1, 6)],
        devices=1,
        files=2,
        unreadable=1,
    )
    written = text.write(outcome)
    assert "not evaluated: X-000, X-001, X-002, X-003, X-004, X-005 and 2 more rules for want of the cables" in written
    assert "not understood: 5 lines in 1 file, such as\n    a.cfg:1: line 1\n" in written
    assert written.endswith("no findings in 1 device, 2 files; 1 could not be read\n")


def test_json_has_every_key_of_the_contract() -> None:
    outcome = Outcome([FINDING], [NotEvaluated("X-001", "leaf1", "cables")], [NotUnderstood("a", 1, "x")], 1, 2)
    data = standard_json.loads(json.write(outcome))
    assert data == {
        "schema": 1,
        "findings": [
            {
                "rule": "PFC-003", "name": "too-many-lossless-priorities", "severity": "error", "device": "leaf1",
                "object": "Ethernet1/7", "message": "4 priorities, 2 are the most", "help": "merge classes",
                "file": "pod1.roce.yaml", "line": 14, "column": 9, "ports": ["Ethernet1/7"],
            }
        ],
        "not_evaluated": [{"rule": "X-001", "device": "leaf1", "missing": "cables"}],
        "not_understood": [{"file": "a", "line": 1, "text": "x"}],
        "summary": {"errors": 1, "warnings": 0, "infos": 0, "devices": 1, "files": 2},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("severity", "fail_on", "unreadable", "code"),
    [
        (Severity.ERROR, Severity.ERROR, 0, 1),
        (Severity.WARNING, Severity.ERROR, 0, 0),
        (Severity.WARNING, Severity.WARNING, 0, 1),
        (Severity.INFO, Severity.INFO, 0, 1),
        (Severity.ERROR, None, 0, 0),
        (Severity.ERROR, Severity.ERROR, 1, 3),
        (None, Severity.ERROR, 1, 3),
        (None, Severity.ERROR, 0, 0),
    ],
)
def test_exit_code(severity: Severity | None, fail_on: Severity | None, unreadable: int, code: int) -> None:
    findings = [] if severity is None else [Finding("X-001", "x", severity, "", "", "m")]
    assert Outcome(findings, unreadable=unreadable).exit_code(fail_on) == code


def test_remarks_do_not_bury_errors() -> None:
    remarks = [Finding("I-001", "i", Severity.INFO, "", "", f"remark {n}", file="a", line=n) for n in range(1, 30)]
    written = text.write(Outcome([*remarks, FINDING]))
    assert written.count("remark ") == 3
    assert "26 more info findings of I-001 (--format json lists all)\n" in written
    assert "error PFC-003" in written
    assert written.endswith("1 error, 29 infos in 0 files\n")
