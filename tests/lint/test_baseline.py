"""Findings that are known: what a baseline forgives, and what it never does."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from rocecfg.errors import ConfigurationError
from rocecfg.findings import Finding, Severity
from rocecfg.lint.baseline import Baseline, read_baseline, write_baseline

if TYPE_CHECKING:
    from pathlib import Path

PORTS = ("Ethernet1/1", "Ethernet1/2", "Ethernet1/3")
KNOWN = Finding("PFC-006", "global-pause-with-pfc", Severity.WARNING, "leaf1", "Ethernet1/1-3 priority 3", "bad",
                file="a.cfg", line=3, ports=PORTS, leaf="pfc")  # fmt: skip
WHOLE = Finding("REF-001", "undefined", Severity.ERROR, "leaf1", 'class "x"', "bad", file="a.cfg", line=9)


def read(findings: list[Finding], folder: Path) -> Baseline:
    file = folder / "baseline.json"
    file.write_text(write_baseline(findings), encoding="utf-8")
    return read_baseline(file)


def test_what_is_known_is_not_new_wherever_it_moved(tmp_path: Path) -> None:
    known = read([KNOWN, WHOLE], tmp_path)
    assert known.new([KNOWN, WHOLE]) == []
    assert known.stale() == 0
    assert known.new([replace(KNOWN, line=90, message="worse"), replace(WHOLE, file="b.cfg")]) == []


def test_new_ports_of_a_known_finding_are_new(tmp_path: Path) -> None:
    more = replace(KNOWN, ports=(*PORTS, "Ethernet1/4"), object="Ethernet1/1-4 priority 3")
    (left,) = read([KNOWN], tmp_path).new([more])
    assert left.ports == ("Ethernet1/4",)
    assert left.object == "Ethernet1/4 priority 3"


def test_a_risen_severity_is_new(tmp_path: Path) -> None:
    risen = replace(KNOWN, severity=Severity.ERROR)
    assert read([KNOWN], tmp_path).new([risen]) == [risen]
    assert read([risen], tmp_path).new([KNOWN]) == []


def test_a_second_one_of_the_same_kind_is_new(tmp_path: Path) -> None:
    known = read([WHOLE], tmp_path)
    other = replace(WHOLE, message="another")
    assert known.new([WHOLE, other]) == [other]
    assert known.new([WHOLE, other]) == [other], "counted anew each time"


@pytest.mark.parametrize("changed", [{"rule": "PFC-005"}, {"device": "leaf2"}, {"leaf": "mtu"}, {"object": "queue 3"}])
def test_another_identity_is_new(tmp_path: Path, changed: dict[str, str]) -> None:
    other = replace(KNOWN, **changed)  # type: ignore[arg-type]
    assert read([KNOWN], tmp_path).new([other]) == [other]


def test_what_is_mended_is_stale(tmp_path: Path) -> None:
    known = read([KNOWN, WHOLE], tmp_path)
    known.new([WHOLE])
    assert known.stale() == 1


def test_what_could_not_be_read_is_never_accepted(tmp_path: Path) -> None:
    unread = Finding("RUN-007", "not-understood", Severity.ERROR, "leaf1", "", "not read", file="a.cfg")
    assert json.loads(write_baseline([unread])) == {"schema": 1, "findings": []}
    assert Baseline.of([unread]).new([unread]) == [unread]


def test_the_file_is_one_line_a_finding_in_a_stable_order() -> None:
    text = write_baseline([WHOLE, KNOWN])
    assert text == write_baseline([KNOWN, WHOLE])
    assert len(text.splitlines()) == 5
    entry = json.loads(text)["findings"][0]
    assert (entry["rule"], entry["object"], entry["ports"]) == ("PFC-006", "priority 3", list(PORTS))
    assert "line" not in entry


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a baseline"),
        ("[]", "not a baseline"),
        ('{"schema": 2, "findings": []}', "not a baseline"),
        ('{"schema": 1, "findings": [3]}', 'finding 1: it has no "fingerprint"'),
        ('{"schema": 1, "findings": [{"fingerprint": "a", "ports": "x"}]}', '"ports" is not a list of names'),
        ('{"schema": 1, "findings": [{"fingerprint": "a", "severity": "bad"}]}', '"severity" is not one of'),
        ("[" * 100_000, "not a baseline"),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "known.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"known\.json") as caught:
        read_baseline(file)
    assert message in str(caught.value)


def test_a_missing_file_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="--write-baseline makes it"):
        read_baseline(tmp_path / "gone.json")
