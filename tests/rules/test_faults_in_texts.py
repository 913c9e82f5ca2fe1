"""Rendered texts with one fault of PFC, classification, scheduling, ECN or watchdog: the rule fires, on the right line."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.render.engine import as_capture, render
from rocecfg.state.parse import parse
from tests.laws.intents import auto_intent, planned

if TYPE_CHECKING:
    from rocecfg.findings import Finding

CNP = "forwarding-class LOSSY-6 loss-priority low code-points 110000"
FAULTS = [
    # system, rule, what stands there (a pattern), what the fault makes of it, what stands on the reported line
    ("nxos", "PFC-002", r"pause (.*)pfc-cos 3", r"pause \1pfc-cos 4", "pfc-cos 4"),
    ("nxos", "QMAP-002", "match dscp 26", "match dscp 24-31", "match dscp 24-31"),
    ("nxos", "QMAP-005", "    set qos-group 6", "    set qos-group 0", "match dscp 48"),
    ("nxos", "QMAP-006", "    set qos-group 6", "    set qos-group 3", "match dscp 48"),
    ("nxos", "QMAP-010", "    set qos-group 3", "    set qos-group 3\n    set dscp 10", "set dscp 10"),
    ("nxos", "SCH-001", "priority level 2", "bandwidth remaining percent 0", "remaining percent 0"),
    ("nxos", "SCH-002", "bandwidth remaining percent (?:[1-9][0-9])\n(    random)", r"priority level 3\n\1", "priority level 3"),
    ("nxos", "SCH-004", r"(q-default\n    bandwidth remaining percent) \d+", r"\1 99", "percent 99"),
    ("nxos", "SCH-006", "(    random-detect)", r"    shape min 0 gbps max 10 gbps\n\1", "shape min"),
    ("nxos", "ECN-009", r"minimum-threshold \d+ kbytes", "minimum-threshold 4 kbytes", "minimum-threshold 4 kbytes"),
    ("nxos", "ECN-013", "weight 0 ecn", "weight 7 ecn", "weight 7"),
    ("sonic", "PFC-002", '"pfc_enable": "3"', '"pfc_enable": "3,5"', '"pfc_enable": "3,5"'),
    ("sonic", "PFC-003", '"pfc_enable": "3"', '"pfc_enable": "1,2,3"', '"pfc_enable": "1,2,3"'),
    ("sonic", "PFC-007", r'("MAP_PFC_PRIORITY_TO_QUEUE"[\s\S]*?)"3": "3"', r'\1"3": "4"', '"3": "4"'),
    ("sonic", "PFC-008", r'("TC_TO_PRIORITY_GROUP_MAP"[\s\S]*?)"6": "\d"', r'\1"6": "3"', '"6": "3"'),
    ("sonic", "QMAP-002", '"27": "0"', '"27": "3"', '"27": "3"'),
    ("sonic", "QMAP-005", '"48": "6"', '"48": "0"', '"48": "0"'),
    ("sonic", "QMAP-008", r'("TC_TO_QUEUE_MAP"[\s\S]*?)"6": "6"', r'\1"6": "3"', '"6": "3"'),
    ("sonic", "QMAP-009", r'\s*"27": "0",', "", '"26": "3"'),
    ("sonic", "SCH-001", '"type": "STRICT"', '"type": "DWRR", "weight": "5"', "|6"),
    ("sonic", "SCH-006", r'"weight": "60"', '"weight": "60", "pir": "125000000"', "|3"),
    ("sonic", "WD-004", '"detection_time": "200"', '"detection_time": "6000"', '"6000"'),
    ("sonic", "WD-007", '"restoration_time": "400"', '"restoration_time": "150"', '"150"'),
    ("sonic", "WD-008", '"action": "drop"', '"action": "forward"', '"forward"'),
    ("sonic", "WD-014", '"detection_time": "200"', '"detection_time": "2"', '"2"'),
    ("cumulus", "PFC-002", r"switch-priority: \{'3': \{\}\}, tx", "switch-priority: {'3': {}, '5': {}}, tx", "'5': {}"),
    ("cumulus", "QMAP-002", r"'27': \{switch-priority: 0\}", "'27': {switch-priority: 3}", "'27'"),
    ("cumulus", "QMAP-005", r"'48': \{switch-priority: 6\}", "'48': {switch-priority: 0}", "'48'"),
    ("cumulus", "QMAP-006", r"'48': \{switch-priority: 6\}", "'48': {switch-priority: 3}", "'48'"),
    ("cumulus", "QMAP-008", r"'6': \{traffic-class: 6\}", "'6': {traffic-class: 3}", "'6': {traffic-class: 3}"),
    ("cumulus", "SCH-001", r"'6': \{mode: strict\}", "'6': {mode: dwrr, bw-percent: 5}", "'6'"),
    ("cumulus", "SCH-002", r"'3': \{mode: dwrr, bw-percent: \d+\}", "'3': {mode: strict}", "'3': {mode: strict}"),
    ("cumulus", "SCH-004", r"('3': \{mode: dwrr, bw-percent:) \d+", r"\1 99", "bw-percent: 99"),
    ("cumulus", "ECN-009", r"min-threshold: \d+", "min-threshold: 4000", "min-threshold: 4000"),
    ("cumulus", "WD-014", "robustness: 2", "robustness: 200", "robustness: 200"),
    ("junos", "PFC-007", "flow-control-queue 3", "flow-control-queue 4", "flow-control-queue 4"),
    ("junos", "QMAP-005", CNP, CNP.replace("LOSSY-6", "LOSSY-0"), "classifiers dscp"),
    ("junos", "QMAP-013", "input dscp code-point 011010", "input ieee-802.1 code-point 011", "input ieee-802.1"),
    ("junos", "SCH-001", "priority strict-high", "priority low", "LOSSY-6 priority low"),
    ("junos", "SCH-006", r"(set class-of-service schedulers S-NO-LOSS-3)( explicit.*)", r"\1\2\n\1 shaping-rate 10g", "shaping-rate 10g"),
    ("junos", "SCH-006", r"(set class-of-service schedulers S-NO-LOSS-3)( explicit.*)", r"\1\2\n\1 shaping-rate percent 40", "percent 40"),
    ("junos", "ECN-009", r"fill-level \[ \d+ \d+ \]", "fill-level [ 1 2 ]", "fill-level"),
    ("junos", "WD-007", r"recovery \d+", "recovery 100", "recovery 100"),
    ("junos", "WD-008", "watchdog-action drop", "watchdog-action forward", "watchdog-action forward"),
    ("junos", "WD-014", r"detection 2\b", "detection 200", "detection 200"),
]  # fmt: skip
MODELS = {
    "h3c": "S9820-64H",
    "nxos": "N9K-C9364D-GX2A",
    "sonic": "DellEMC-Z9664f-O64",
    "cumulus": "SN5400",
    "junos": "QFX5230-64CD",
}


def changed(system: str, old: str, new: str) -> tuple[list[Finding], str]:
    """The findings on a rendered device with a text changed, and that text."""
    text = auto_intent(system, "400G").replace(
        "priority: 3, lossless: true", "priority: 3, lossless: true, bandwidth: 60%"
    )
    if system in MODELS:
        text = text.replace("role: edge", f"role: edge, model: {MODELS[system]}")
    plan = planned(text)
    fitted = next(iter(plan.devices.values())).fitted
    files, content = list(render(fitted)), ""
    for index, file in enumerate(files):
        content, count = re.subn(old, new, file.content)
        if count:
            # SR Linux gets the same in two forms; only the one with the fault is read.
            files = [replace(file, content=content)] if system == "srlinux" else files
            files[min(index, len(files) - 1)] = replace(file, content=content)
            break
    assert count, "the text does not have what the fault changes"
    device = parse(as_capture(fitted, files))
    return list(lint([device], intent=plan.fabric, settings=Settings(profile="strict")).findings), content


def found_where_it_stands(system: str, rule: str, old: str, new: str, there: str) -> None:
    """Check that a fault makes its rule fire, on a line that holds `there` (empty = no line can)."""
    before = {(item.rule, item.message) for item in changed(system, r"\A", "")[0]}
    findings, text = changed(system, old, new)
    found = [item for item in findings if (item.rule, item.message) not in before]
    own = [item for item in found if item.rule == rule]
    assert own, sorted({(item.rule, item.message) for item in found})
    lines = text.splitlines()
    shown = {lines[item.line - 1].strip() for item in own if item.line}
    assert not there or any(there in line for line in shown), shown


@pytest.mark.parametrize("fault", FAULTS, ids=[f"{row[0]}-{row[1]}-{at}" for at, row in enumerate(FAULTS)])
def test_the_fault_is_found_where_it_stands(fault: tuple[str, str, str, str, str]) -> None:
    found_where_it_stands(*fault)
