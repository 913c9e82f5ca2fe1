"""A congestion notification profile without `output`: the switch honours pauses for priorities 3 and 4 by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import Pfc
from rocecfg.state.parse import parse
from rocecfg.vendor import registry
from tests.planned import planned_qos, planned_switch

STORAGE = """\
set version 23.2R1
set interfaces xe-0/0/5 mtu 9216
set class-of-service classifiers ieee-802.1 TAGS forwarding-class fcoe loss-priority low code-points 011
set class-of-service congestion-notification-profile STOP input ieee-802.1 code-point 011 pfc
set class-of-service interfaces xe-0/0/5 congestion-notification-profile STOP
set class-of-service interfaces xe-0/0/5 unit 0 classifiers ieee-802.1 TAGS
"""
ROUTED = """\
set version 23.2R1
set interfaces et-0/0/1 mtu 9216
set class-of-service forwarding-classes class GUARDED queue-num 5 no-loss pfc-priority {priority}
set class-of-service classifiers dscp MARKS forwarding-class GUARDED loss-priority low code-points 011010
set class-of-service congestion-notification-profile STOP input dscp code-point 011010 pfc
set class-of-service interfaces et-0/0/1 congestion-notification-profile STOP
set class-of-service interfaces et-0/0/1 unit 0 classifiers dscp MARKS
"""


def device(text, complete=None):
    return parse(Capture("", "junos", (Text("leaf.set", text, "", complete),), file="leaf.set"))


def findings(text, *rules):
    found = lint([device(text)], links=[], settings=Settings(select=rules)).findings
    return [(item.rule, item.message) for item in found]


def test_what_the_switch_does_by_itself():
    qos = device(STORAGE).ports["xe-0/0/5"].qos
    assert (qos.pfc.tx, qos.pfc.rx) == (frozenset({3}), frozenset({3, 4}))
    assert (qos.priority_to_queue[3], qos.priority_to_queue[4]) == (frozenset({3}), frozenset({4}))
    assert {"pfc.rx", "priority_to_queue"} <= qos.defaulted
    assert "pfc" not in qos.defaulted


def test_a_stated_output_replaces_it():
    more = "set class-of-service congestion-notification-profile STOP output ieee-802.1 code-point 011 flow-control-queue 3\n"
    qos = device(STORAGE + more).ports["xe-0/0/5"].qos
    assert (qos.pfc.rx, qos.priority_to_queue[4]) == (frozenset({3}), None)
    assert "pfc.rx" not in qos.defaulted


def test_an_excerpt_or_a_missing_profile_proves_nothing():
    assert device(STORAGE, complete=False).ports["xe-0/0/5"].qos.pfc.rx is None
    lost = STORAGE.replace("profile STOP input", "profile OTHER input")
    assert device(lost).ports["xe-0/0/5"].qos.pfc.rx is None


def test_honouring_one_more_by_itself_is_nobodys_mistake():
    assert findings(STORAGE, "PFC-004") == []
    assert [rule for rule, _ in findings(STORAGE, "WD-001")] == ["WD-001"]


@pytest.mark.parametrize(
    ("priority", "rule", "says"),
    [
        (0, "PFC-004", "pauses its peer for priority 0 and honours pauses for priority 3, 4"),
        (3, "PFC-007", "a pause for priority 3 stops queue 3, its traffic leaves by queue 5"),
    ],
)
def test_what_it_honours_by_itself_does_not_fit(priority, rule, says):
    assert [(of, says in message) for of, message in findings(ROUTED.format(priority=priority), rule)] == [(rule, True)]


def test_watchdog_warning_does_not_deny_the_lossless_class():
    said = [message for _, message in findings(ROUTED.format(priority=0), "WD-001")]
    assert said == ["the port honours pauses for priority 3, 4 and has no PFC watchdog"]


def test_a_plan_that_honours_nothing_is_told():
    qos = planned_qos(lossless={3: 3})
    qos = replace(qos, pfc=Pfc("on", frozenset({3}), frozenset()), priority_to_queue=None, watchdog=None)
    fitted, changes = registry.get("junos").module.fit(planned_switch("junos", ["et-0/0/1"], qos))
    assert fitted.ports["et-0/0/1"].qos.pfc.rx == frozenset({3, 4})
    assert ("pfc.rx", "box-made") in {(change.field.rpartition("qos.")[2], change.kind) for change in changes}
