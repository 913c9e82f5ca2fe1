"""The reference corpus: what is known to be wrong in real files is found on its line, and nothing else is an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks import corpus
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def rows(shared: Path) -> list[corpus.Row]:
    return corpus.examined(shared / "corpus")


def test_every_difference_from_the_manifest_is_explained(rows: list[corpus.Row]) -> None:
    assert [line for row in rows for line in row.unexplained()] == []


def test_every_explanation_is_still_needed(rows: list[corpus.Row]) -> None:
    used = {
        corpus.explanation(row.file, rule)
        for row in rows
        for rule in [
            *(fault.rule for fault in row.expected if fault not in row.found),
            *(finding.rule for finding in row.errors),
        ]
    }
    assert {why for _, _, why in corpus.of_vendors()[2]} - used == set()


def test_every_switch_text_is_read(rows: list[corpus.Row]) -> None:
    assert [(row.file, row.refused) for row in rows if row.refused and not row.file.startswith("host/")] == []


@pytest.mark.parametrize("system", registry.names())
def test_lines_of_the_sections_are_understood(rows: list[corpus.Row], system: str) -> None:
    own = [row for row in rows if row.system == system]
    if not own:
        pytest.skip("the corpus has no text of this system")
    read, left = sum(row.read for row in own), sum(row.not_understood for row in own)
    assert read > 0
    assert left <= read / 100, [line for row in own for line in row.open_lines]


def test_sentences_have_a_meaning() -> None:
    assert corpus.faults_of("-") == []
    assert corpus.faults_of("L4: PFC enabled but no PFC_WD entry; L9: PFC transmit on, receive off") == [
        corpus.Fault(4, "PFC enabled but no PFC_WD entry", "rule", "WD-001"),
        corpus.Fault(9, "PFC transmit on, receive off", "rule", "PFC-004"),
    ]
    with pytest.raises(LookupError, match="no meaning is given"):
        corpus.faults_of("L1: a new kind of fault")


def test_a_missing_fault_and_a_surplus_error_are_told(tmp_path: Path) -> None:
    (tmp_path / "nxos").mkdir()
    text = (
        "version 10.2(3)\nhostname leaf1\nclass-map type qos match-all ROCE\n  match dscp 26\n"
        "policy-map type qos QOS-IN\n  class ROCE\n    set qos-group 3\n"
        "policy-map type network-qos NQ\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3\n"
        "system qos\n  service-policy type network-qos NQ\n"
        "interface Ethernet1/1\n  priority-flow-control mode on\n  service-policy type qos input QOS-IN\n"
    )
    (tmp_path / "nxos" / "a.cfg").write_text(text)
    faulty = corpus.examine(tmp_path, "nxos/a.cfg", corpus.faults_of("L2: no PFC watchdog at all"), clean=False)
    assert [line.split(": ")[:2] for line in faulty.unexplained()] == [["nxos/a.cfg:2", "WD-001 is missing"]]
    assert faulty.elsewhere
    clean = corpus.examine(tmp_path, "nxos/a.cfg", [], clean=True)
    assert "WD-001 on a file without known fault" in "".join(clean.unexplained())
