"""A remedied switch is as good as a rendered one: no sum over 100, no half of what works only together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rocecfg.findings import Severity
from rocecfg.lint.run import lint
from rocecfg.remedy.make import remedy
from rocecfg.state.parse import parse
from tests.laws.intents import auto_intent, planned
from tests.laws.test_remedy import SWITCHES, after, capture_of, live_text

ROCE = "roce: {dscp: 26, priority: 3, lossless: true}"
EARLIER = {
    "another priority": (ROCE, ROCE.replace("26, priority: 3", "24, priority: 4")),
    "a second lossless class": (ROCE, f"{ROCE}\n  more: {{dscp: 34, priority: 4, lossless: true}}"),
    "no marks and no watchdog": (
        "devices:\n",
        "settings: {ecn: {enabled: false}, watchdog: {enabled: false}}\ndevices:\n",
    ),
    "RoCE without PFC": (ROCE, ROCE.replace("true", "false")),
}


@pytest.mark.parametrize("system", SWITCHES)
@pytest.mark.parametrize("what", EARLIER)
def test_a_remedied_switch_lints_like_a_rendered_one(system: str, what: str) -> None:
    text = auto_intent(system, "100G")
    plan, earlier = planned(text), planned(text.replace(*EARLIER[what]))
    if earlier.refusals():
        pytest.skip("this system cannot carry the earlier plan")
    device = plan.devices["one"]
    before = live_text(system, earlier.devices["one"])
    capture = capture_of(device, before)
    live = parse(capture)
    found = remedy(device, live, capture)
    if not found:
        pytest.skip("this system says both alike")
    assert found.commands, found.by_hand
    cured = parse(replace(capture, texts=(replace(capture.texts[0], content=after(system, before, found.commands)),)))
    worse = [item for item in lint([cured], intent=plan.fabric).findings if item.severity >= Severity.ERROR]
    assert not worse, "\n".join((*(f"{item.rule} {item.object}: {item.message}" for item in worse), *found.commands))


@pytest.mark.parametrize(
    ("system", "lines"),
    [
        ("nxos", ["class type queuing c-out-8q-q4", "bandwidth remaining percent 0"]),
        ("dell_os10", ["no class ROCE-Q4"]),
        ("junos", ["delete class-of-service scheduler-maps SM-RDMA forwarding-class NO-LOSS-4 scheduler"]),
        ("cumulus", ["nv unset qos egress-scheduler default-global traffic-class 4 bw-percent",
                     "nv set qos congestion-control default-global traffic-class 3 ecn enable"]),
        ("aruba_cx", ["map queue 0 local-priority 0,1,2,4,5", "map queue 1 local-priority 3"]),
        ("h3c", ["priority-flow-control deadlock cos 3 interval 10", "buffer egress cell queue 3 shared ratio 100"]),
        ("onyx", ["dcb priority-flow-control priority 3 enable"]),
        ("srlinux", ["set / qos scheduler-policies scheduler-policy roce-scheduler scheduler 1 input unicast-3 input-type queue"]),
    ],
)  # fmt: skip
def test_what_belongs_together_is_typed_together(system: str, lines: list[str]) -> None:
    text = auto_intent(system, "100G")
    device = planned(text).devices["one"]
    earlier = planned(text.replace(*EARLIER["another priority"])).devices["one"]
    capture = capture_of(device, live_text(system, earlier))
    typed = [line.strip() for line in remedy(device, parse(capture), capture).commands]
    assert [line for line in lines if line not in typed] == []


def test_the_row_of_a_range_goes_before_the_rows_of_its_numbers_come() -> None:
    """SONiC unbinds every queue of a range that is taken away: a row set before that would be emptied with it."""
    text = auto_intent("sonic", "100G").replace("{nos: sonic,", "{nos: sonic, model: Mellanox-SN3700,")
    device = planned(text).devices["one"]
    earlier = planned(text.replace(*EARLIER["another priority"])).devices["one"]
    capture = capture_of(device, live_text("sonic", earlier))
    commands = remedy(device, parse(capture), capture).commands
    ours = [line for line in commands if '"path": "/BUFFER_QUEUE/Ethernet0|' in line]
    assert [line for line in ours if '"add"' in line]
    assert ours == sorted(ours, key=lambda line: '"remove"' not in line)
