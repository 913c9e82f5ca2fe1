"""Every rule: its page is complete, its BAD example yields that rule and nothing else, its GOOD one nothing."""

from __future__ import annotations

import re

import pytest

from rocecfg.lint import load
from rocecfg.lint.config import Settings
from rocecfg.lint.examples import read_example
from tests.conftest import SHARED

ALL = Settings(select=("ALL",))
RULES = list(load.rules().values())
CHECKED = [rule for rule in RULES if rule.checks]
EVERY_ID_OF_THE_ENGINE = (
    {f"RUN-00{number}" for number in range(1, 9)} | {f"SIM-00{number}" for number in (1, 2, 3)} | {"DRIFT-001"}
)


OWN = {"INT-011": "lossless-class-without-pfc"}
"""Rules that the catalogue does not have, under the next free number of their family."""


def _ids(rules: list[load.Rule]) -> list[str]:
    return [rule.id for rule in rules]


@pytest.mark.parametrize("rule", CHECKED, ids=_ids(CHECKED))
def test_good_example_is_clean(rule: load.Rule) -> None:
    result = read_example(load.load(rule).good, f"{rule.id} GOOD").lint(ALL)
    assert result.findings == ()


@pytest.mark.parametrize("rule", CHECKED, ids=_ids(CHECKED))
def test_bad_example_yields_exactly_this_rule(rule: load.Rule) -> None:
    result = read_example(load.load(rule).bad, f"{rule.id} BAD").lint(ALL)
    assert {finding.rule for finding in result.findings} == {rule.id}
    finding = result.findings[0]
    assert finding.name == rule.name
    assert finding.message
    assert finding.help
    assert not finding.message.endswith(".")
    assert "None" not in finding.message + finding.help + finding.object
    assert finding.severity == rule.severity


@pytest.mark.parametrize("rule", RULES, ids=_ids(RULES))
def test_page_has_every_heading_with_text(rule: load.Rule) -> None:
    loaded = load.load(rule)
    assert loaded.title.endswith(".")
    for heading in load.HEADINGS:
        assert len(loaded.section(heading)) > 5, heading
    for name, option in loaded.options.items():
        assert re.fullmatch(r"[a-z0-9-]+", name)
        assert option.help


@pytest.mark.parametrize("rule", RULES, ids=_ids(RULES))
def test_file_is_named_by_the_bad_pattern(rule: load.Rule) -> None:
    assert rule.file.stem == rule.name.replace("-", "_")
    assert rule.file.parent.name == rule.family.lower()


def test_every_id_of_the_engine_has_a_page() -> None:
    assert {rule.id for rule in RULES if rule.produced_by} == EVERY_ID_OF_THE_ENGINE


def test_ids_names_and_severities_equal_the_catalogue() -> None:
    catalogue = SHARED / "field-guide" / "lint-rules.md"
    if not catalogue.is_file():
        pytest.skip("the rule catalogue is not beside this checkout")
    rows = dict(
        re.findall(r"^\| ([A-Z]+-\d{3}) \| ([a-z0-9-]+) \|", catalogue.read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert not rows.keys() & OWN.keys()
    rows |= OWN
    listed = {rule.id: rule.name for rule in RULES if rule.family not in {"RUN", "SIM"}}
    assert listed == {rule_id: rows[rule_id] for rule_id in listed}


def test_cures_are_picked_per_system() -> None:
    rule = load.rules()["PFC-006"]
    cures = load.load(rule).cures
    assert cures["nxos"] == "`flowcontrol receive off` and `flowcontrol send off`"
    assert "ethtool -A" in cures["mlx5"]


SAMPLE_PORT = re.compile(r"\b(?:Ethernet\d[\d/]*|swp\d+|(?:et|xe|ge)-\d+/\d+/\d+|eth\d+|enp\d\w*)\b")


@pytest.mark.parametrize("rule", RULES, ids=_ids(RULES))
def test_no_cure_names_a_port_of_its_own(rule: load.Rule) -> None:
    assert [cure for cure in load.load(rule).cures.values() if SAMPLE_PORT.search(cure)] == []


def test_the_cure_of_a_finding_names_its_port() -> None:
    text = load.load(load.rules()["PFC-001"]).bad.replace("name: leaf1", "name: leaf1\n  nos: sonic")
    (finding,) = read_example(text, "PFC-001").lint(Settings(select=("PFC-001",))).findings
    assert finding.ports
    assert f"`config interface pfc priority {finding.ports[0]} PRIORITY on`" in finding.help
