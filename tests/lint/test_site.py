"""Assertions of a site: what they find, what they leave open, and how their mistakes are named."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from rocecfg import packs
from rocecfg.errors import ConfigurationError
from rocecfg.findings import Severity
from rocecfg.lint import load, site
from rocecfg.lint.config import Settings, load_settings, read_settings
from rocecfg.lint.examples import read_example

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rocecfg.lint.run import Result

DEVICES = """
devices:
- name: leaf1
  role: leaf
  ports:
    e1: {mtu: 9216, speed: 400000000000, role: fabric, qos: {trust: dscp, pfc: {admin: "on", tx: [3]}}}
    e2: {mtu: 1500, speed: 400000000000, role: fabric, qos: {pfc: {admin: "on", tx: [3, 4]}}}
    e3: {mtu: 1500, speed: 25000000000, role: host}
    e4: {speed: 400000000000, role: fabric}
- name: spine1
  role: spine
  ports:
    e1: {mtu: 1500, role: fabric, qos: {watchdog: {restore: -1, detect: 200}, queues: {3: {reserved: 4096}, 4: {scheduler: strict}}}}
"""


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    load.set_assertions([])
    packs._rule_folders.clear()


def run(**entry: Any) -> Result:
    settings = read_settings({"site": [{"id": "SITE-001", **entry}], "select": ["SITE"]}, "rocecfg.toml")
    return read_example(DEVICES).lint(settings)


def said(result: Result) -> list[tuple[str, str, str]]:
    return [(finding.device, finding.object, finding.message) for finding in result.findings]


def test_ports_with_the_same_fault_are_one_finding_and_unknown_is_not_evaluated() -> None:
    result = run(where={"role": "fabric", "device.role": "leaf"}, require={"mtu": {"min": "9KB"}}, message="jumbo")
    assert said(result) == [("leaf1", "e2", "jumbo: mtu is 1500, 9000 or more is required")]
    assert [(item.rule, item.device, item.missing) for item in result.not_evaluated] == [
        ("SITE-001", "leaf1", "mtu: the text does not say it")
    ]
    finding = result.findings[0]
    assert (finding.severity, finding.name, finding.leaf) == (Severity.WARNING, "site-001", "mtu")


def test_severity_name_and_help_are_the_sites() -> None:
    result = run(require={"mtu": 9216}, severity="error", name="jumbo-frames", help="mtu 9216")
    assert {(item.severity, item.name, item.help) for item in result.findings} == {
        (Severity.ERROR, "jumbo-frames", "mtu 9216")
    }


@pytest.mark.parametrize(
    ("require", "bad"),
    [
        ({"mtu": 9216}, ["e2-3"]),
        ({"mtu": [9216, 1500]}, []),
        ({"mtu": {"max": 9000}}, ["e1"]),
        ({"mtu": {"min": 1000, "max": 2000}}, ["e1"]),
        ({"speed": "400G"}, ["e3"]),
        ({"speed": {"in": ["400G", "800G"]}}, ["e3"]),
        ({"name": {"match": "e[12]"}}, ["e3", "e4"]),
        ({"pfc.admin": "off"}, ["e1-2"]),
        ({"qos.pfc.admin": "off"}, ["e1-2"]),
        ({"pfc.tx": [3]}, ["e2"]),
        ({"device.name": "leaf2"}, ["e1-4"]),
    ],
)
def test_operators(require: dict[str, Any], bad: list[str]) -> None:
    assert [item[1] for item in said(run(where={"device.name": "leaf1"}, require=require))] == bad


def test_queues_devices_and_times() -> None:
    assert said(run(**{"for": "queues"}, where={"number": 3}, require={"reserved": {"min": "8KB"}})) == [
        ("spine1", "e1 queue 3", "reserved is 4096 bytes, 8000 bytes or more is required")
    ]
    assert said(run(**{"for": "queues"}, where={"number": {"max": 3}}, require={"scheduler": "strict"})) == []
    assert said(run(**{"for": "devices"}, require={"role": {"match": "leaf*"}})) == [
        ("spine1", "", 'role is spine, a value like "leaf*" is required')
    ]
    assert said(run(require={"watchdog.restore": {"max": "400ms"}}))[0][2] == (
        "watchdog.restore is never, 400 ms or less is required"
    )
    assert said(run(require={"watchdog.detect": {"max": "200ms"}})) == []


def test_an_assertion_is_a_rule_like_any_other() -> None:
    settings = read_settings(
        {"site": [{"id": "SITE-007", "require": {"mtu": 9216}, "message": "Jumbo frames everywhere."}],
         "rules": {"SITE-007": {"severity": "info"}}}, "rocecfg.toml",
    )  # fmt: skip
    assert settings.wants("SITE-007")
    rule = load.find("site-007")
    assert rule is not None
    loaded = load.load(rule)
    assert loaded.title == "Jumbo frames everywhere."
    for heading in load.HEADINGS:
        assert loaded.section(heading), heading
    assert {item.severity for item in read_example(DEVICES).lint(settings).findings if item.rule == "SITE-007"} == {
        Severity.INFO
    }
    read_settings({}, "rocecfg.toml")
    assert load.find("SITE-007") is None


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({}, "id: a text is expected"),
        ({"id": "PFC-001", "require": {"mtu": 1}}, 'id "PFC-001" does not have the form SITE-001'),
        ({"id": "SITE-1", "require": {"mtu": 1}}, "does not have the form"),
        ({"id": "SITE-001"}, "require: a table such as"),
        ({"id": "SITE-001", "require": {"mtu": 1}, "when": 3}, 'unknown key "when", did you mean "where"?'),
        ({"id": "SITE-001", "require": {"mtuu": 1}}, 'unknown field "mtuu", did you mean "mtu"?'),
        ({"id": "SITE-001", "require": {"mtu": {"least": 1}}}, 'unknown operator "least"'),
        ({"id": "SITE-001", "require": {"mtu": {}}}, "nothing is asked"),
        ({"id": "SITE-001", "require": {"mtu": "big"}}, "'big' is no number"),
        ({"id": "SITE-001", "require": {"mtu": True}}, "True is of another type"),
        ({"id": "SITE-001", "require": {"pfc": "on"}}, "holds several values: name one of admin"),
        ({"id": "SITE-001", "require": {"pfc.admin": "onn"}}, 'did you mean "on"?'),
        ({"id": "SITE-001", "require": {"pfc.tx": 3}}, "is a set: write a list"),
        ({"id": "SITE-001", "require": {"pfc.tx": [[3]]}}, "is a set: write a list of its members"),
        ({"id": "SITE-001", "require": {"device.ports.x": 3}}, 'unknown field "ports"'),
        ({"id": "SITE-001", "require": {"mtu": float("nan")}}, "is no number"),
        ({"id": "SITE-001", "require": {"trust": {"min": 3}}}, "is no number: min cannot compare it"),
        ({"id": "SITE-001", "require": {"name": {"match": "x" * 201}}}, "match takes a glob of 1 to 200 characters"),
        ({"id": "SITE-001", "require": {"name": {"match": 3}}}, "match takes a glob"),
        ({"id": "SITE-001", "require": {"speed": {"in": "400G"}}}, "in takes a list"),
        ({"id": "SITE-001", "require": {"queues": 3}}, "queues"),
        ({"id": "SITE-001", "require": {"__class__.x": 3}}, 'unknown field "__class__"'),
        ({"id": "SITE-001", "require": {"mtu.x": 3}}, "there is nothing below"),
        ({"id": "SITE-001", "require": {"mtu": 1}, "for": "port"}, 'did you mean "ports"?'),
        ({"id": "SITE-001", "require": {"mtu": 1}, "severity": "high"}, "severity: 'high' is none of"),
        ({"id": "SITE-001", "require": {"mtu": 1}, "name": "A b"}, "is not lower-case words"),
        ("mtu", "a table of"),
    ],
)
def test_mistakes_are_named(entry: Any, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        site.made([entry], packs._HERE / "rocecfg.toml")
    assert message in str(caught.value)
    assert "rocecfg.toml: assertion 1" in str(caught.value)


def test_an_id_is_used_once() -> None:
    entries = [{"id": "SITE-001", "require": {"mtu": 1}}] * 2
    with pytest.raises(ConfigurationError, match="SITE-001 is already the id of another assertion"):
        read_settings({"site": entries}, "rocecfg.toml")


def test_a_glob_takes_bounded_time_on_any_text() -> None:
    long = DEVICES.replace("name: leaf1", f"name: {'a' * 100_000}")
    settings = read_settings(
        {"site": [{"id": "SITE-001", "require": {"device.name": {"match": "*a" * 100}}}], "select": ["SITE"]}, "f"
    )
    example = read_example(long)
    started = time.process_time()
    assert example.lint(settings).findings
    assert time.process_time() - started < 2


RULE = '''"""Port e3 is bad.

## What it finds

Port e3.

## Why it matters

It is an example.

## What to do

Remove it.

## When to ignore

Never.

## References

- this test
"""

from __future__ import annotations

from rocecfg.lint.api import Given, Hit, Port, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "OWN-001", "port-e3", Severity.INFO, "min", "0.1"
GOOD = "device: {name: a, ports: {e1: {}}}"
BAD = "device: {name: a, ports: {e3: {}}}"


def check(port: Port, given: Given):
    if port.name == "e3":
        yield Hit("this is e3", "remove it")
'''


def test_a_folder_holds_rules_and_assertions(tmp_path: Path) -> None:
    folder = tmp_path / "policy"
    (folder / "nested").mkdir(parents=True)
    (folder / "port_e3.py").write_text(RULE, encoding="utf-8")
    (folder / "nested" / "other.py").write_text(RULE.replace("OWN-001", "OWN-002").replace("port-e3", "other"))
    (folder / "site.yaml").write_text("- {id: SITE-002, require: {mtu: {min: 9000}}}\n", encoding="utf-8")
    (tmp_path / "rocecfg.toml").write_text('rule-folders = ["policy"]\nselect = ["OWN", "SITE"]\n', encoding="utf-8")
    result = read_example(DEVICES).lint(load_settings(tmp_path / "rocecfg.toml"))
    assert [(item.rule, item.device, item.object) for item in result.findings] == [
        ("OWN-001", "leaf1", "e3"),
        ("OWN-002", "leaf1", "e3"),
        ("SITE-002", "leaf1", "e2-3"),
        ("SITE-002", "spine1", "e1"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rule-folders = 3", "rule-folders: 3 is not a list of folders"),
        ('rule-folders = ["gone"]', "gone: no folder of rules"),
        ("site = 3", "site: a list of assertions is expected"),
        ("baseline = 3", "baseline: 3 is not the name of a file"),
    ],
)
def test_mistakes_of_the_configuration(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "rocecfg.toml").write_text(text + "\n", encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        load_settings(tmp_path / "rocecfg.toml")
    assert message in str(caught.value)


def test_a_broken_file_of_assertions_is_named(tmp_path: Path) -> None:
    (tmp_path / "site.yaml").write_text("- {id: SITE-001, id: SITE-002}\n", encoding="utf-8")
    packs.add_rule_folders([tmp_path])
    with pytest.raises(ConfigurationError, match=r"site\.yaml:1"):
        load_settings(None)
    assert Settings().selected(), "the rules of ours stay"
