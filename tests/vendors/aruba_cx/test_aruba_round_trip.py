"""AOS-CX: what is rendered, and that it is read back as what was fitted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings

from rocecfg.errors import RocecfgError
from rocecfg.render.engine import as_capture, render
from rocecfg.render.evidence import Shapes, doubtful
from rocecfg.state.parse import parse
from rocecfg.vendor import registry
from tests.vendors.aruba_cx.plans import plans, small_plan

if TYPE_CHECKING:
    from rocecfg.state.model import Device

FIT = registry.get("aruba_cx").module.fit
EXPECTED = Path(__file__).with_name("expected_switch.cfg")


def fitted(device: Device) -> tuple[Device, dict[str, list[str]]]:
    made, changes = FIT(device)
    said: dict[str, list[str]] = {}
    for change in changes:
        said.setdefault(change.field, []).append(change.kind)
    return made, said


def test_the_small_plan_is_rendered_as_expected() -> None:
    device, _ = fitted(small_plan())
    (file,) = render(device)
    assert file.content == EXPECTED.read_text(encoding="utf-8")


def test_every_rendered_line_has_its_evidence() -> None:
    manifest = registry.get("aruba_cx").manifest
    device, _ = fitted(small_plan())
    assert list(doubtful(Shapes(manifest.evidence), "leaf1", render(device))) == []
    assert {entry.level for entry in manifest.evidence} <= {"device", "documented"}


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(plan=plans())
def test_what_is_rendered_is_read_back(plan: Device) -> None:
    device, changes = FIT(plan)
    if any(change.kind == "refused" for change in changes):
        return
    again, more = FIT(device)
    assert again == device
    assert not [change for change in more if change.kind != "refused"], more
    back = parse(as_capture(device, render(device)))
    assert not back.lines
    assert back == device
    for file in render(device):
        assert list(doubtful(Shapes(registry.get("aruba_cx").manifest.evidence), "x", [file])) == []


def test_queues_are_numbered_without_a_gap_and_the_strict_one_is_the_highest() -> None:
    device, said = fitted(small_plan())
    qos = device.ports["1/1/1"].qos
    assert qos.tc_to_queue is not None
    assert qos.tc_to_queue[:8] == (0, 0, 0, 1, 0, 0, 2, 2)
    assert [queue.scheduler if queue else None for queue in qos.queues or ()][:4] == [
        "weighted",
        "weighted",
        "strict",
        None,
    ]
    assert "equalised" in said["tc_to_queue"]


def test_a_priority_of_the_swapped_codes_owns_its_cos() -> None:
    """CoS 1 leads to local priority 0 by default: PFC of priority 1 needs the CoS map straightened."""
    from rocecfg.state.model import Port, intern_ports
    from tests.planned import planned_qos, planned_switch

    port = Port("1/1/1", planned_qos(lossless={26: 1}), speed=10**11, mtu=9000, mtu_counts="ip")
    device, _ = fitted(planned_switch("aruba_cx", []).__class__("leaf1", "aruba_cx", ports=intern_ports([port])))
    content = render(device)[0].content
    assert "qos cos-map 0 local-priority 0\nqos cos-map 1 local-priority 1\n" in content


def test_what_has_no_command_is_said() -> None:
    _, said = fitted(small_plan())
    assert said["watchdog"] == ["dropped", "dropped", "dropped"]
    assert "dropped" in said["priority_groups.3.xoff_at"]
    assert "box-made" in said["priority_groups.3.headroom"]
    assert "dropped" in said["queues.1.ecn.pmax"]


def test_a_fourth_pfc_set_is_refused_on_an_8325_and_taken_by_a_9300() -> None:
    from dataclasses import replace

    from rocecfg.state.model import Pfc, Port, intern_ports
    from tests.planned import planned_qos, planned_switch

    sets = [frozenset({3}), frozenset({4}), frozenset({3, 4}), frozenset({5})]
    qos = planned_qos(lossless={26: 3, 34: 4, 42: 5})
    ports = [
        Port(f"1/1/{n}", replace(qos, pfc=Pfc("on", tx=one, rx=one)), speed=10**11, mtu=9000, mtu_counts="ip")
        for n, one in enumerate(sets, 1)
    ]
    plan = replace(planned_switch("aruba_cx", []), ports=intern_ports(ports))
    assert "refused" in fitted(plan)[1]["pfc"]
    assert "pfc" not in fitted(replace(plan, model="9300-32D"))[1]


def test_a_lossless_strict_class_is_refused() -> None:
    from dataclasses import replace

    from rocecfg.state.model import Queue

    plan = small_plan()
    qos = plan.ports["1/1/1"].qos
    queues = tuple(Queue("strict", rank=2) if n == 3 else queue for n, queue in enumerate(qos.queues or ()))
    ports = {name: replace(port, qos=replace(qos, queues=queues)) for name, port in plan.ports.items()}
    assert "refused" in fitted(replace(plan, ports=ports))[1]["queues.3.scheduler"]


def test_another_system_s_port_name_is_refused() -> None:
    from rocecfg.state.model import Port, intern_ports
    from tests.planned import planned_switch

    plan = planned_switch("aruba_cx", ["Ethernet1/1"])
    assert fitted(plan)[1]["name"] == ["refused"]
    assert intern_ports([Port("x")])  # a port without settings is no error either
    assert RocecfgError
