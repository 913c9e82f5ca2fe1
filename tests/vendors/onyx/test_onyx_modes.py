"""The `roce` command: expanded when read, offered when a plan is just that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.plan.resolve import plan
from rocecfg.state.model import Amount, Curve, Ecn, Headroom, Pool, PriorityGroup
from rocecfg.vendor import registry
from tests.vendors.onyx.onyx_texts import read

HEADER = "##\n## Hostname: leaf1\n## Product release: 3.10.4006\n##\n"
RAMP = Ecn((Curve(Amount(150, "kbyte", 150_000), Amount(1500, "kbyte", 1_500_000), None),), non_ect="pass")


@pytest.mark.parametrize("line", ["roce", "roce lossless"])
def test_lossless(line: str) -> None:
    device = read(f"{HEADER}   {line}\n   interface ethernet 1/1-1/2 mtu 9216 force\n")
    assert not device.lines
    qos = device.ports["Eth1/2"].qos
    assert qos.trust == "dscp"
    assert qos.tc_to_queue is not None
    assert qos.tc_to_queue[:8] == (0, 0, 0, 3, 0, 0, 6, 0)
    assert qos.pfc is not None
    assert (qos.pfc.sends(), qos.pfc.honours(), device.pfc_enabled) == ({3}, {3}, True)
    assert qos.queues is not None
    first, third, sixth = qos.queues[0], qos.queues[3], qos.queues[6]
    assert first is not None
    assert third is not None
    assert sixth is not None
    assert (first.weight, third.weight, sixth.scheduler) == (50, 50, "strict")
    assert first.ecn == third.ecn == RAMP
    assert sixth.ecn == Ecn()
    assert qos.priority_group(3) == PriorityGroup(lossless=True, headroom=Headroom(by="box"))
    assert device.pools == (Pool("roce-reserved", "both", True), Pool("lossy-default", "both", False))
    assert qos.watchdog is not None
    assert qos.watchdog.enabled is False


def test_semi_lossless_obeys_pauses_and_sends_none() -> None:
    device = read(f"{HEADER}   roce semi-lossless\n   interface ethernet 1/1 mtu 9216 force\n")
    pfc = device.ports["Eth1/1"].qos.pfc
    assert pfc is not None
    assert (pfc.sends(), pfc.honours()) == (frozenset(), {3})
    assert device.pools is None
    assert device.ports["Eth1/1"].qos.priority_group(3) is None


def test_lossy_has_no_pfc() -> None:
    device = read(f"{HEADER}   roce lossy\n   interface ethernet 1/1 mtu 9216 force\n")
    qos = device.ports["Eth1/1"].qos
    assert qos.pfc is not None
    assert qos.pfc.sends() == frozenset()
    assert qos.queue(3) is not None
    assert qos.queue(3).ecn == RAMP  # type: ignore[union-attr]


def test_no_roce_and_unknown_modes() -> None:
    assert read(f"{HEADER}   roce\n   no roce\n   interface ethernet 1/1 shutdown\n").ports["Eth1/1"].qos.trust == "pcp"
    device = read(f"{HEADER}   roce mostly\n   interface ethernet 1/1 shutdown\n")
    assert [line.text for line in device.lines] == ["roce mostly"]


def test_a_line_of_the_port_wins() -> None:
    text = f"{HEADER}   roce\n   interface ethernet 1/1-1/2 mtu 9216 force\n   interface ethernet 1/1 qos trust L2\n"
    text += (
        "   interface ethernet 1/1 traffic-class 3 congestion-control ecn minimum-absolute 300 maximum-absolute 600\n"
    )
    ports = read(text).ports
    assert (ports["Eth1/1"].qos.trust, ports["Eth1/2"].qos.trust) == ("pcp", "dscp")
    queue = ports["Eth1/1"].qos.queue(3)
    assert queue is not None
    assert queue.ecn != RAMP


def test_the_mode_alone_stands_for_every_port() -> None:
    assert list(read("roce lossless\n").ports) == ["every port"]


SAME = """\
version: 1
fabric: pod1
classes:
  roce: {dscp: [24, 25, 26, 27, 28, 29, 30, 31], priority: 3, lossless: true, bandwidth: 50%}
  cnp: {dscp: [48, 49, 50, 51, 52, 53, 54, 55], priority: 6, strict: true}
  default: {priority: 0, ecn: {kmin: 150KB, kmax: 1500KB, pmax: 100%}}
settings:
  ecn: {kmin: 150KB, kmax: 1500KB, pmax: 100%}
  watchdog: {enabled: false}
devices:
  leaf1: {nos: onyx, role: leaf}
  leaf2: {nos: onyx, role: leaf}
links:
  - {a: "leaf1:Eth1/1", b: "leaf2:Eth1/1", speed: 100G, cable: 5m dac}
"""


def planned_leaf(text: str) -> object:
    return plan(expand(parse_intent(text, "pod1.roce.yaml"))).devices["leaf1"]


def test_a_plan_without_pfc_is_the_lossy_mode() -> None:
    marks = "lossless: false, kind: roce, ecn: {kmin: 150KB, kmax: 1500KB, pmax: 100%},"
    assert planned_leaf(SAME.replace("lossless: true,", marks)).one_command == "roce lossy"  # type: ignore[attr-defined]


def test_a_plan_that_is_the_mode_says_so() -> None:
    leaf = planned_leaf(SAME)
    assert leaf.one_command == "roce lossless", leaf.fitted.ports["Eth1/1"].qos  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("150KB", "151KB"),
        ("enabled: false", "enabled: true"),
        ("bandwidth: 50%", "bandwidth: 60%"),
        ("[24, 25, 26, 27, 28, 29, 30, 31]", "26"),
        ("priority: 3", "priority: 4"),
        ("5m dac", "300m fibre"),
    ],
)
def test_a_plan_that_differs_does_not(old: str, new: str) -> None:
    assert old in SAME
    assert planned_leaf(SAME.replace(old, new)).one_command == ""  # type: ignore[attr-defined]


def test_what_the_command_makes_is_what_was_planned() -> None:
    """The command read back on a switch is the fitted plan, but for the pools, which it splits by itself."""
    fitted = planned_leaf(SAME).fitted  # type: ignore[attr-defined]
    made = read(f"{HEADER}   {registry.one_command(fitted)}\n   interface ethernet 1/1 mtu 9202 force\n")
    assert replace(made, pools=fitted.pools).ports == fitted.ports
