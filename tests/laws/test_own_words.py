"""What a finding tells people to type is of their own system: no command of another one stands in it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest

from rocecfg.drift.compare import compare
from rocecfg.lint import load
from rocecfg.lint.config import Settings
from rocecfg.lint.examples import Example, read_example
from rocecfg.vendor import registry
from tests.laws.intents import auto_intent, planned, rendering

if TYPE_CHECKING:
    from rocecfg.findings import Finding
    from rocecfg.state.model import Device

SWITCHES = frozenset(name for name in registry.names() if registry.get(name).manifest.kind == "switch")
HOSTS = frozenset(registry.names()) - SWITCHES
LINUX = HOSTS - {"windows_dcb"}
COMMUNITY = frozenset({"sonic", "dell_sonic"})
WORDS = {
    r"\bnv (?:set|show|config)\b": {"cumulus"},
    r"\bset class-of-service\b|\bcongestion-notification-profile\b": {"junos"},
    r"\bconfig (?:interface|qos|ecn|pfcwd|save)\b|\bpfcwd\b": {"sonic"},
    r"\b(?:BUFFER_PG|BUFFER_PROFILE|BUFFER_POOL|WRED_PROFILE|PFC_WD|PORT_QOS_MAP|DSCP_TO_TC_MAP|CONFIG_DB)\b": COMMUNITY,
    r"\bmlnx_qos\b|\bmlxconfig\b|\bcma_roce_tos\b|\bshow_gids\b": {"mlx5"},
    r"\bniccli\b|\bbnxt\w*": {"bnxt"},
    r"\bnicctl\b": {"ionic"},
    r"\bethtool\b|\blldptool\b|\bip link\b|\bsysctl\b": LINUX,
    r"\b(?:New|Set|Enable|Disable|Get)-Net\w+": {"windows_dcb"},
    r"\bdcb priority-flow-control\b|\btraffic pool\b|\bwrr-queue\b": {"onyx"},
    r"\btype (?:network-qos|queuing)\b|\bpause buffer-size\b|\bpause-threshold\b": {"nxos", "dell_os10"},
    r"\brandom-detect\b": {"nxos", "dell_os10", "eos"},
    r"\bhardware access-list\b|\bqos profile\b|\btx-queue\b|\buc-tx-queue\b": {"eos"},
    r"\bdisplay [a-z]|\bqos wred\b|\bpriority-flow-control no-drop\b": {"h3c", "huawei", "ruijie"},
    r"\bdcb (?:pfc|ets)-profile\b|\bdcb pfc enable\b": {"huawei"},
}
"""Words that only some systems know. A word that two systems share proves nothing and is not listed."""
CODE = re.compile(r"`([^`]+)`")
EVERY = Settings(select=("ALL",))


@cache
def typed(system: str) -> frozenset[str]:
    """What the rules tell people of a system to type."""
    return frozenset(
        code
        for rule in load.rules().values()
        if (cure := load.load(rule).cures.get(system)) is not None
        for code in CODE.findall(cure)
        if " " in code
    )


def foreign(finding: Finding, system: str) -> list[str]:
    """The words of a finding's help that are of other systems."""
    found = [
        match[0]
        for words, systems in WORDS.items()
        if system not in systems and (match := re.search(words, finding.help)) is not None
    ]
    others = frozenset().union(*(typed(name) for name in registry.names() if name != system))
    return found + [code for code in CODE.findall(finding.help) if code in others - typed(system)]


@cache
def bad_examples() -> tuple[tuple[str, Example], ...]:
    rules = [rule for rule in load.rules().values() if rule.checks]
    return tuple((rule.id, read_example(load.load(rule).bad, rule.id)) for rule in rules)


def as_system(device: Device, switch: str, host: str) -> Device:
    return replace(device, nos=host if device.kind == "host" else switch)


def wrong(example: Example, switch: str, host: str) -> list[str]:
    devices = tuple(as_system(device, switch, host) for device in example.devices)
    system_of = {device.name: device.nos for device in devices}
    return [
        f"{finding.rule} on {system_of[finding.device]}: {words} in {finding.help!r}"
        for finding in replace(example, devices=devices).lint(EVERY).findings
        if finding.device in system_of and (words := foreign(finding, system_of[finding.device]))
    ]


PAIRS = [(switch, host) for switch, host in zip(sorted(SWITCHES), sorted(HOSTS) * 3, strict=False)]


@pytest.mark.parametrize(("switch", "host"), PAIRS)
def test_no_rule_names_another_systems_command(switch: str, host: str) -> None:
    assert len(bad_examples()) > 100
    found = [text for _, example in bad_examples() for text in wrong(example, switch, host)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("system", rendering())
def test_no_drift_names_another_systems_command(system: str) -> None:
    text = auto_intent(system)
    device = planned(text).devices["one"]
    live = planned(text.replace("dscp: 26", "dscp: 34").replace("priority: 3", "priority: 4")).devices["one"].fitted
    findings = compare(device, live).findings
    assert findings
    assert [words for finding in findings if (words := foreign(finding, system))] == []


def test_every_cure_is_of_a_known_system() -> None:
    unknown = {
        f"{rule.id}: {system}"
        for rule in load.rules().values()
        for system in load.load(rule).cures
        if system not in registry.names()
    }
    assert unknown == set()


def test_a_word_of_another_system_would_be_seen() -> None:
    finding = read_example(load.load(load.rules()["PFC-006"]).bad, "PFC-006").lint(EVERY).findings[0]
    assert foreign(replace(finding, help="`nv set qos pfc default-global rx enable`"), "nxos") == ["nv set"]
    assert foreign(replace(finding, help="`flowcontrol receive off`"), "nxos") == []
