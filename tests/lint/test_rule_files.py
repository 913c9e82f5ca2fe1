"""The loader names the file whose shape is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rocecfg import packs
from rocecfg.errors import ConfigurationError
from rocecfg.lint import load

if TYPE_CHECKING:
    from pathlib import Path

PAGE = '"""A rule.\n\n' + "\n\n".join(f"## {heading}\n\nThis." for heading in load.HEADINGS) + '\n"""\n'
IMPORTS = "from rocecfg.lint.api import Option, PortQos, Severity\n"
CONSTANTS = 'ID, NAME, SEVERITY, PROFILE, SINCE = "PFC-900", "own-rule", Severity.ERROR, "safe", "0.1"\n'
EXAMPLES = 'GOOD = BAD = "device: {name: a}"\n'
CHECK = "\n\ndef check(qos: PortQos, given):\n    yield from ()\n"
WHOLE = PAGE + IMPORTS + CONSTANTS + EXAMPLES + CHECK


@pytest.fixture
def own_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(packs, "_extra", [tmp_path])
    file = tmp_path / "lint_rules" / "own" / "own_rule.py"
    file.parent.mkdir(parents=True)
    return file


def test_a_rule_of_a_users_pack_is_found(own_rule: Path) -> None:
    own_rule.write_text(WHOLE)
    rule = load.find("own-rule")
    assert rule is not None
    assert load.load(rule).title == "A rule."
    assert load.find("PFC-900") is rule
    assert rule in load.matching("PFC")


def test_constants_may_be_wrapped(own_rule: Path) -> None:
    wrapped = CONSTANTS.replace("= ", "= (\n    ").replace('"0.1"', '"0.1",\n)')
    own_rule.write_text(WHOLE.replace(CONSTANTS, wrapped))
    assert load.find("PFC-900") is not None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ((CONSTANTS, ""), "no rule: it lacks the line ID, NAME"),
        (("PFC-900", "pfc900"), 'ID "pfc900" does not have the form FAM-001'),
        (("PFC-900", "PFC-001"), "PFC-001 is already the id of"),
        (("own-rule", "Own Rule"), 'NAME "Own Rule" is not lower-case words joined by dashes'),
        (("Severity.ERROR", "Severity.FATAL"), "Severity.FATAL is none of INFO, WARNING, ERROR"),
        (('"safe"', '"strictest"'), 'profile "strictest" is none of min, safe, strict'),
        (("qos: PortQos", "qos: PortQoS"), 'check asks for "PortQoS", did you mean "PortQos"?'),
        ((CHECK, ""), "a rule needs either a function check(...) or PRODUCED_BY"),
    ],
)
def test_wrong_shapes_seen_by_the_scan(own_rule: Path, change: tuple[str, str], message: str) -> None:
    own_rule.write_text(WHOLE.replace(*change))
    load._rules.cache_clear()
    with pytest.raises(ConfigurationError) as caught:
        load.rules()
    load._rules.cache_clear()
    assert str(caught.value).startswith(f"{own_rule}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("## What to do\n", "## Cure\n"), 'lacks the heading "## What to do"'),
        ((EXAMPLES, 'GOOD = BAD = ""\n'), "GOOD and BAD must be YAML texts"),
        ((EXAMPLES, EXAMPLES + 'OPTIONS = {"least": 3}\n'), "OPTIONS must map names to Option"),
        ((EXAMPLES, EXAMPLES + 'DEVICES = "router"\n'), 'DEVICES is neither "switch" nor "host"'),
        ((EXAMPLES, EXAMPLES + "import no_such_module\n"), "does not import: No module named 'no_such_module'"),
        ((EXAMPLES, EXAMPLES + "def ("), "does not import"),
    ],
)
def test_wrong_shapes_seen_when_loaded(own_rule: Path, change: tuple[str, str], message: str) -> None:
    own_rule.write_text(WHOLE.replace(*change))
    load._rules.cache_clear()
    rule = load.find("PFC-900")
    assert rule is not None
    load._load.cache_clear()
    with pytest.raises(ConfigurationError) as caught:
        load.load(rule)
    load._rules.cache_clear()
    assert str(caught.value).startswith(f"{own_rule}: ")
    assert message in str(caught.value)


def test_selectors() -> None:
    assert [rule.id for rule in load.matching("pfc-006")] == ["PFC-006"]
    assert [rule.id for rule in load.matching("global-pause-with-pfc")] == ["PFC-006"]
    assert load.matching("PFC") == load.matching("PFC-")
    assert len(load.matching("all")) == len(load.rules())
    assert load.matching("PF") == load.matching("PFC-0") == load.matching("") == []
