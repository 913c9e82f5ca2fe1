"""Law 7: an input that is missing is said to be missing; it never makes an error, and never makes a fault look fine."""

from __future__ import annotations

import copy
import random
from typing import TYPE_CHECKING, Any

import pytest
from ruamel.yaml import YAML

from rocecfg.errors import UsageError
from rocecfg.findings import Severity
from rocecfg.lint import load
from rocecfg.lint.config import Settings
from rocecfg.lint.examples import example_of

if TYPE_CHECKING:
    from collections.abc import Iterator

ALL = Settings(select=("ALL",))
RULES = [rule for rule in load.rules().values() if rule.checks and "Intent" not in {c.subject for c in rule.checks}]


def _data(text: str) -> dict[str, Any]:
    data: dict[str, Any] = _unshared(YAML(typ="safe", pure=True).load(text))
    return data


def _unshared(data: Any) -> Any:
    """Anchors of the text become independent copies, so that one leaf is blanked at a time."""
    if isinstance(data, dict):
        return {key: _unshared(value) for key, value in data.items()}
    return [_unshared(value) for value in data] if isinstance(data, list) else data


def _leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(data, dict):
        for key, value in data.items():
            if key in {"name", "nos", "kind", "curves"}:  # `ecn: {}` is ECN known to be off, not unknown
                continue
            yield (*path, key)
            if key not in {"dscp_to_tc", "pcp_to_tc"}:  # a code left out goes to the map's `rest`: known, not unknown
                yield from _leaves(value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            if isinstance(value, dict | list):
                yield from _leaves(value, (*path, index))


def _without(data: dict[str, Any], path: tuple[Any, ...]) -> dict[str, Any]:
    changed = copy.deepcopy(data)
    here: Any = changed
    for step in path[:-1]:
        here = here[step]
    del here[path[-1]]
    return changed


def _blanked(data: dict[str, Any]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    for key in ("device", "devices"):
        if key in data:
            for path in _leaves(data[key], (key,)):
                try:
                    yield path, example_of(_without(data, path))
                except (UsageError, TypeError, KeyError):  # a required field of the state: no such text exists
                    continue


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_blanking_a_leaf_of_a_good_example_never_makes_an_error(rule: load.Rule) -> None:
    count = 0
    for path, example in _blanked(_data(load.load(rule).good)):
        result = example.lint(ALL)
        worst = [(f.rule, f.message) for f in result.findings if f.severity is Severity.ERROR]
        assert worst == [], path
        count += 1
    assert count > 0 or "intent" in _data(load.load(rule).good)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_blanking_a_leaf_of_a_bad_example_is_said_or_still_found(rule: load.Rule) -> None:
    data = _data(load.load(rule).bad)
    for path, example in _blanked(data):
        result = example.lint(ALL)
        assert "RUN-008" not in {finding.rule for finding in result.findings}, path
        others = {finding.rule for finding in result.findings} - {rule.id}
        assert not {r for r in others if load.rules()[r].severity is Severity.ERROR} or _explained(rule.id, others), (
            path
        )


def _explained(rule_id: str, others: set[str]) -> bool:
    """A fault may be judged by its neighbour when a leaf goes (no gate: PFC is simply on)."""
    if rule_id == "NIC-017":  # whether the buffer was set by hand decides between the two
        return others <= {"NIC-004"}
    return rule_id in {"PFC-005", "PFC-013", "QMAP-003"} and others <= {"WD-001", "PFC-001"}


def test_missing_inputs_are_named() -> None:
    """The inputs that decide the cheap rules, one by one."""
    for rule_id, path, missing in [
        ("PFC-001", ("device", "ports", "Ethernet8", "qos", "pfc"), "PFC of the port"),
        (
            "PFC-005",
            ("device", "ports", "Ethernet1/1", "qos", "dcbx"),
            "whether the peer negotiates PFC (mode is auto)",
        ),
        ("PFC-006", ("device", "ports", "Ethernet0", "qos", "link_pause"), "link pause (802.3x) of the port"),
        ("QMAP-001", ("device", "ports", "Ethernet0", "qos", "dscp_to_tc"), "the DSCP map"),
        ("QMAP-003", ("device", "ports", "swp1", "qos", "trust"), "what the port trusts"),
        ("ECN-002", ("device", "ports", "Ethernet24", "qos", "queues"), "ECN of queue 3"),
        ("BUF-001", ("device", "ports", "Ethernet0", "qos", "priority_groups"), "the headroom of priority group 3"),
        ("BUF-002", ("device", "ports", "Ethernet0", "speed"), "the port's speed"),
        ("BUF-002", ("device", "ports", "Ethernet0", "qos", "cable"), "the length of the cable"),
        ("WD-001", ("device", "ports", "Ethernet0", "qos", "watchdog"), "the PFC watchdog of the port"),
        (
            "REF-003",
            ("device", "ports", "Ethernet1/1", "qos", "trust"),
            "trust and the classification maps of the port",
        ),
    ]:
        rule = load.rules()[rule_id]
        data = _without(_data(load.load(rule).bad), path)
        result = example_of(data).lint(ALL)
        said = {(item.rule, item.missing) for item in result.not_evaluated}
        assert (rule_id, missing) in said, (rule_id, path, said)
        assert rule_id not in {finding.rule for finding in result.findings}


def test_several_blanked_leaves_never_give_a_traceback() -> None:
    dice = random.Random(20)
    for rule in RULES:
        for text in (load.load(rule).good, load.load(rule).bad):
            data = _data(text)
            paths = [path for key in ("device", "devices") if key in data for path in _leaves(data[key], (key,))]
            for _ in range(10):
                changed = data
                for path in dice.sample(paths, min(3, len(paths))):
                    try:
                        changed = _without(changed, path)
                    except (KeyError, IndexError):
                        continue
                try:
                    example = example_of(changed)
                except (UsageError, TypeError, KeyError):
                    continue
                assert "RUN-008" not in {finding.rule for finding in example.lint(ALL).findings}
