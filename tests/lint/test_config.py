"""rocecfg.toml: where it is found, what it may say, and that mistakes are named with file and key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rocecfg.errors import ConfigurationError
from rocecfg.findings import Severity
from rocecfg.lint import load
from rocecfg.lint.config import Settings, find_file, load_settings, read_settings

if TYPE_CHECKING:
    from pathlib import Path


def test_nearest_file_wins_and_a_foreign_pyproject_is_passed_over(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "rocecfg.toml").write_text('profile = "min"\n')
    (tmp_path / "a" / "pyproject.toml").write_text('[project]\nname = "x"\n')
    assert find_file(inner) == tmp_path / "rocecfg.toml"
    (tmp_path / "a" / "pyproject.toml").write_text('[tool.rocecfg]\nprofile = "strict"\n')
    found = find_file(inner)
    assert found == tmp_path / "a" / "pyproject.toml"
    assert load_settings(found).profile == "strict"
    (inner / ".rocecfg.toml").write_text('fail-on = "never"\n')
    assert load_settings(find_file(inner)).fail_on is None


def test_profiles_hold_one_another() -> None:
    ids = {profile: {rule.id for rule in Settings(profile=profile).selected()} for profile in load.PROFILES}
    assert ids["min"] < ids["safe"] <= ids["strict"]
    assert "WD-001" in ids["safe"] - ids["min"]


def test_select_stands_instead_of_the_profile_and_ignore_takes_away() -> None:
    settings = read_settings({"profile": "min", "select": ["WD", "ecn-profile-inert"], "ignore": ["WD-003"]}, "f")
    family = {rule.id for rule in load.rules().values() if rule.family == "WD"}
    assert {rule.id for rule in settings.selected()} == {"ECN-004"} | family - {"WD-003"}
    assert settings.wants("WD-001")
    assert not settings.wants("WD-003")
    assert not settings.wants("RUN-007")
    assert Settings().wants("RUN-007")
    assert [rule.id for rule in Settings(select=("ALL",), ignore=("ALL",)).selected()] == []


def test_the_command_line_wins() -> None:
    settings = read_settings({"select": ["WD"], "ignore": ["WD-003"], "fail-on": "warning"}, "f")
    changed = settings.overridden(select=["WD,PFC-006"], ignore=["WD-001"], fail_on="info")
    family = {rule.id for rule in load.rules().values() if rule.family == "WD"}
    assert {rule.id for rule in changed.selected()} == {"PFC-006"} | family - {"WD-001", "WD-003"}
    assert changed.fail_on is Severity.INFO
    assert settings.overridden() == settings


def test_severity_and_options_of_a_rule() -> None:
    settings = read_settings({"rules": {"INT-003": {"severity": "info", "fibre": 2000}}}, "f")
    rule = load.rules()["INT-003"]
    assert settings.severity_of("INT-003", Severity.WARNING) is Severity.INFO
    assert settings.severity_of("INT-001", Severity.ERROR) is Severity.ERROR
    options = settings.options_of(rule)
    assert (options.dac, options.fibre) == (5, 2000)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"profil": "min"}, 'f.toml: unknown key "profil", did you mean "profile"?'),
        ({"profile": "stric"}, "f.toml: profile: 'stric' is not one of min, safe, strict, did you mean \"strict\"?"),
        ({"profile": 3}, "f.toml: profile: 3 is not one of min, safe, strict"),
        ({"select": "PFC"}, "f.toml: select: 'PFC' is not a list of rules"),
        ({"select": ["PFC-099"]}, 'f.toml: select: no rule is called "PFC-099"'),
        ({"ignore": ["global-pause-with-pcf"]}, 'did you mean "global-pause-with-pfc"?'),
        ({"fail-on": "fatal"}, "f.toml: fail-on: 'fatal' is not one of error, warning, info, never"),
        ({"rules": ["PFC-001"]}, "f.toml: rules: ['PFC-001'] is not a table"),
        ({"rules": {"PFC-01": {}}}, 'f.toml: rules: no rule is called "PFC-01", did you mean'),
        ({"rules": {"PFC-001": "off"}}, "f.toml: rules.PFC-001: 'off' is not a table of severity and options"),
        ({"rules": {"PFC-001": {"severity": "high"}}}, "f.toml: rules.PFC-001.severity: 'high' is not one of error"),
        ({"rules": {"INT-003": {"dak": 3}}}, 'f.toml: rules.INT-003: unknown key "dak", did you mean "dac"?'),
        ({"rules": {"INT-003": {"dac": "3m"}}}, "f.toml: rules.INT-003.dac: '3m' is not a whole number"),
        ({"rules": {"INT-003": {"dac": True}}}, "f.toml: rules.INT-003.dac: True is not a whole number"),
        ([], "f.toml: tool.rocecfg: [] is not a table"),
    ],
)
def test_mistakes_are_named(data: object, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_settings(data, "f.toml")
    assert message in str(caught.value)


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "rocecfg.toml"
    file.write_text("profile = \n")
    with pytest.raises(ConfigurationError, match=r"rocecfg\.toml: not TOML: .*line 1"):
        load_settings(file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigurationError, match=r"rocecfg\.toml: cannot be read"):
        load_settings(file)


def test_a_wrong_word_on_the_command_line_names_the_option() -> None:
    with pytest.raises(ConfigurationError, match='--select: no rule is called "PFCX", did you mean "PFC"'):
        Settings().overridden(select=["PFCX"])
    with pytest.raises(ConfigurationError, match="--profile: 'x' is not one of"):
        Settings().overridden(profile="x")
