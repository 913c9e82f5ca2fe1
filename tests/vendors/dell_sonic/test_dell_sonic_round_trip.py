"""Enterprise SONiC: what is rendered, and that it is read back as what was fitted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from rocecfg.render.engine import as_capture, render
from rocecfg.render.evidence import Shapes, doubtful
from rocecfg.state.model import Amount, Curve, Device, Ecn, Pfc, Queue, code_map, eight
from rocecfg.state.parse import parse
from rocecfg.vendor import registry
from tests.planned import planned_qos, planned_switch
from tests.vendors.dell_sonic.plans import plans, small_plan

FIT = registry.get("dell_sonic").module.fit
EXPECTED = Path(__file__).with_name("expected_switch.cfg")


def said(device: Device) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for change in FIT(device)[1]:
        found.setdefault(change.field, set()).add(change.kind)
    return found


def test_the_small_plan_is_rendered_as_expected() -> None:
    (file,) = render(FIT(small_plan())[0])
    assert file.content == EXPECTED.read_text(encoding="utf-8")


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(plan=plans())
def test_what_is_rendered_is_read_back(plan: Device) -> None:
    device, changes = FIT(plan)
    if any(change.kind == "refused" for change in changes):
        return
    again, more = FIT(device)
    assert again == device
    assert not [change for change in more if change.kind != "refused"], more
    files = render(device)
    back = parse(as_capture(device, files))
    assert not back.lines
    assert back == device
    assert list(doubtful(Shapes(registry.get("dell_sonic").manifest.evidence), "x", files)) == []


def test_the_line_that_reboots_is_the_last_one() -> None:
    content = render(FIT(small_plan())[0])[0].content
    assert content.endswith("reboots the switch, unless it was given before\nbuffer init lossless\n")


@pytest.mark.parametrize(("cable", "row"), [(3, 5), (5, 5), (6, 40), (40, 40), (41, 300), (300, 300)])
def test_a_cable_takes_the_next_row_of_the_table(cable: int, row: int) -> None:
    plan = planned_switch("dell_sonic", ["Eth1/1"], planned_qos(cable=cable))
    assert FIT(plan)[0].ports["Eth1/1"].qos.cable == row


def test_what_a_switch_cannot_do_is_refused() -> None:
    assert "refused" in said(planned_switch("dell_sonic", ["Eth1/1"], planned_qos(cable=301)))["cable"]
    three = planned_qos(lossless={26: 3, 34: 4, 42: 5})
    assert "refused" in said(planned_switch("dell_sonic", ["Eth1/1"], three))["pfc"]
    assert "refused" in said(planned_switch("dell_sonic", ["swp1"]))["name"]
    lossy = planned_qos(lossless={26: 7}, cnp=(48, 6))
    assert "refused" in said(planned_switch("dell_sonic", ["Eth1/1"], lossy))["tc_to_pg"]


def test_two_maps_of_pfc_priorities_are_refused() -> None:
    one, other = planned_qos(), planned_qos()
    other = replace(other, priority_to_pg=eight({3: frozenset({4})}))
    plan = planned_switch("dell_sonic", ["Eth1/1"], one)
    ports = {**plan.ports, **planned_switch("dell_sonic", ["Eth1/2"], other).ports}
    assert "refused" in said(replace(plan, ports=ports))["priority_to_pg"]


def like_roce_enable() -> Device:
    """The plan that equals what the vendor's one command makes."""
    curve = Curve(Amount.of_bytes(1_048_576), Amount.of_bytes(2_097_152), 5)
    half = Queue("weighted", weight=50, weight_kind="relative")
    marked = replace(half, ecn=Ecn((curve,)))
    qos = planned_qos(lossless={26: 3, 4: 4}, cnp=(48, 6))
    qos = replace(
        qos,
        dscp_to_tc=code_map({24: 3, 26: 3, 4: 4, 48: 6}),
        queues=eight({0: half, 3: marked, 4: marked, 6: Queue("strict", rank=1)}),
    )
    return planned_switch("dell_sonic", ["Eth1/1", "Eth1/2"], qos)


def test_the_one_command_is_offered_where_it_makes_the_same() -> None:
    plan = like_roce_enable()
    assert registry.one_command(FIT(plan)[0]).startswith("roce enable (saves the configuration and reboots")
    assert registry.one_command(FIT(small_plan())[0]) == ""
    qos = plan.ports["Eth1/1"].qos
    queues = list(qos.queues or ())
    queues[6] = Queue("weighted", weight=10, weight_kind="relative")
    for changed in (
        replace(qos, queues=tuple(queues)),
        replace(qos, dscp_to_tc=code_map({26: 3, 4: 4, 48: 6})),
        replace(qos, pfc=Pfc("on", frozenset({3}), frozenset({3}))),
    ):
        ports = {name: replace(port, qos=changed) for name, port in plan.ports.items()}
        assert registry.one_command(FIT(replace(plan, ports=ports))[0]) == ""
