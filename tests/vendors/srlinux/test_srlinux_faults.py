"""Mistakes that people make on this system, each put into a clean rendered text: the rule that names it must speak."""

from __future__ import annotations

from dataclasses import replace

import pytest
from srlinux_plans import capture

from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.render.engine import render
from rocecfg.state.parse import parse
from tests.laws.intents import planned

INTENT = """\
version: 1
fabric: law
classes:
  roce: {dscp: 26, priority: 3, lossless: true}
  cnp: {dscp: 48, priority: 6}
devices:
  one: {nos: srlinux, role: edge}
  two: {nos: srlinux, role: edge}
links:
  - {a: "one:ethernet-1/[1-6]", b: "two:ethernet-1/[1-6]", speed: 100G, cable: 5m dac}
"""
PLAN = planned(INTENT)
TEXT = next(item.content for item in render(PLAN.devices["one"].fitted) if item.file == "switch.cfg")
MAPPING = "set / qos pfc-mapping-profile roce-pfc"

FAULTS = {
    "no deadlock recovery": (f"{MAPPING} received-pfc-pause-frames deadlock enable true\n", "", "WD-001"),
    "detection out of range": ("detection-timer 200", "detection-timer 1600", "WD-004"),
    "marking is off for the device": ("set / qos explicit-congestion-notification\n", "", "ECN-004"),
    "no slope on the lossless queue": (
        "output queues queue unicast-3 queue-management-profile roce-ecn", "output queues queue unicast-3", "ECN-002",
    ),
    "a received pause stops another queue": (
        "received-pfc-pause-frames queue unicast-3", "received-pfc-pause-frames queue unicast-4", "PFC-007",
    ),
    "a pause goes out for another class": (
        "pfc-queue pfc3 forwarding-class [ fc3 ]", "pfc-queue pfc3 forwarding-class [ fc6 ]", "PFC-007",
    ),
    "sends and does not obey": (
        f"{MAPPING} received-pfc-pause-frames queue unicast-3 enable-pfc true\n", "", "PFC-001",
    ),
    "one port without PFC": ("interface ethernet-1/2 pfc pfc-enable true", "interface ethernet-1/2 pfc pfc-enable false", "PFC-001"),
    "link pause beside PFC": ("interface ethernet-1/1 ethernet flow-control receive false", "interface ethernet-1/1 ethernet flow-control receive true", "PFC-006"),
    "no headroom pool": ("pfc-buffer-reservation 10", "pfc-buffer-reservation 0", "BUF-024"),
    "no share of the headroom pool": ("maximum-pfc-reserved-share-bytes ", "maximum-pfc-reserved-share-bytes 0 !!! ", "BUF-001"),
    "pause before marking": ("queues pfc-queue pfc3 maximum-burst-size", "queues pfc-queue pfc3 maximum-burst-size 2000 !!!", "ECN-005"),
    "a ramp that falls": ("min-threshold 100000", "min-threshold 900000", "ECN-001"),
    "RoCE in the best-effort class": ("dscp 26 forwarding-class fc3", "dscp 26 forwarding-class fc0", "QMAP-001"),
    "a profile that does not exist": ("pfc pfc-mapping-profile roce-pfc", "pfc pfc-mapping-profile roce-pcf", "REF-001"),
    "CNP in the lossless class": ("dscp 48 forwarding-class fc6", "dscp 48 forwarding-class fc3", "QMAP-006"),
}  # fmt: skip


def rules(text: str) -> set[str]:
    device = parse(capture(text, complete=True, file="one/switch.cfg"))
    found = lint([replace(device, name="one")], intent=PLAN.fabric, settings=Settings()).findings
    return {item.rule for item in found}


def test_the_text_itself_is_clean() -> None:
    assert not {rule for rule in rules(TEXT) if not rule.startswith(("RUN", "PEER"))}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str) -> None:
    old, new, rule = FAULTS[fault]
    assert old in TEXT
    assert rule in rules(TEXT.replace(old, new)), sorted(rules(TEXT.replace(old, new)))


def test_a_rewrite_policy_that_leaves_roce_out_is_found() -> None:
    more = (
        "set / qos rewrite-rules dscp-policy out map fc6 dscp 48\n"
        "set / qos interfaces interface ethernet-1/1.0 output rewrite-rules dscp-policy out\n"
    )
    assert "QMAP-010" in rules(TEXT + more)
