"""Path and fabric rules: a planned pod is clean, and each fault that a rule names makes it fire (law 8)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from rocecfg.fabric.links import Cable, PortName
from rocecfg.fabric.pathsfile import paths_of
from rocecfg.findings import Severity
from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.lint.config import Settings
from rocecfg.lint.run import Linter, Result, lint
from rocecfg.plan.resolve import plan
from rocecfg.state.model import Amount, App, Curve, Device, Ecn, Pfc, Port, Queue, code_map

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ALL = Settings(select=("ALL",))
INTENT = """\
version: 1
fabric: pod
classes:
  roce: {dscp: 26, priority: 3, lossless: true}
  cnp: {dscp: 48, priority: 6}
settings: {design_incast: 4, max_oversubscription: 1}
devices:
  leaf[1-3]: {nos: nxos, model: N9K-C9364D-GX2A, role: leaf}
  spine[1-2]: {nos: nxos, model: N9K-C9364D-GX2A, role: spine}
  gpu[1-6]: {nic: mlx5, model: ConnectX-7, role: host}
links:
  - {a: "leaf1:Ethernet1/[1-2]", b: "gpu[1-2]:rail0", speed: 400G, cable: 5m aoc}
  - {a: "leaf2:Ethernet1/[1-2]", b: "gpu[3-4]:rail0", speed: 400G, cable: 5m aoc}
  - {a: "leaf3:Ethernet1/[1-2]", b: "gpu[5-6]:rail0", speed: 400G, cable: 5m aoc}
  - {a: "leaf[1-3]:Ethernet1/11", b: "spine1:Ethernet1/[1-3]", speed: 400G, cable: 30m fibre}
  - {a: "leaf[1-3]:Ethernet1/12", b: "spine2:Ethernet1/[1-3]", speed: 400G, cable: 30m fibre}
"""
FABRIC = expand(parse_intent(INTENT, "pod.roce.yaml"))
POD = {name: planned.fitted for name, planned in plan(FABRIC).devices.items()}
BOUNCES = ("gpu1 leaf1 spine1 leaf2 spine2 leaf3 gpu5", "gpu5 leaf3 spine2 leaf1 spine1 leaf2 gpu3")


def judged(devices: Mapping[str, Device], intent: str = INTENT, *vias: str, **more: Any) -> Result:
    fabric = FABRIC if intent == INTENT else expand(parse_intent(intent, "pod.roce.yaml"))
    paths = paths_of({"via": via.split(), "priority": 3} for via in vias)
    return lint(list(devices.values()), intent=fabric, settings=ALL, paths=paths, **more)


def changed(name: str, change: Callable[[Port], Port]) -> dict[str, Device]:
    """Return the pod with every port of one device changed."""
    device = POD[name]
    ports = {port.name: change(port) for port in device.ports.values()}
    return {**POD, name: replace(device, ports=ports)}


def with_qos(name: str, **changes: Any) -> dict[str, Device]:
    return changed(name, lambda port: replace(port, qos=replace(port.qos, **changes)))


def with_queue(name: str, number: int, **changes: Any) -> dict[str, Device]:
    def change(port: Port) -> Port:
        queues = list(port.qos.queues or ())
        queues[number] = replace(queues[number] or Queue(), **changes)
        return replace(port, qos=replace(port.qos, queues=tuple(queues)))

    return changed(name, change)


def with_nic(name: str, **changes: Any) -> dict[str, Device]:
    return changed(name, lambda port: replace(port, nic=replace(port.nic, **changes)))  # type: ignore[type-var]


LONG = INTENT.replace(
    'spine1:Ethernet1/[1-3]", speed: 400G, cable: 30m', 'spine1:Ethernet1/[1-3]", speed: 400G, cable: 9km'
)
THIN = INTENT.replace("leaf[1-3]:Ethernet1/12", "leaf[2-3]:Ethernet1/12").replace(
    "spine2:Ethernet1/[1-3]", "spine2:Ethernet1/[2-3]"
)
PAIR = '  - {a: "leaf1:Ethernet1/20", b: "leaf3:Ethernet1/20", speed: 400G, cable: 5m aoc}\n'
BOTH = '  - {a: "leaf3:Ethernet1/2[1-2]", b: "gpu[1-2]:rail1", speed: 400G, cable: 5m aoc}\n'
SLOW = INTENT.replace('gpu[1-2]:rail0", speed: 400G', 'gpu[1-2]:rail0", speed: 100G')
LATE = Ecn((Curve(Amount.of_bytes(4_000_000), Amount.of_bytes(8_000_000), 10),), 0)
PATIENT = POD["leaf1"].ports["Ethernet1/1"].qos.watchdog
ANSWERED = App("nccl", tos=106, timeout=16, retry=7)


def planned(intent: str) -> dict[str, Device]:
    return {name: item.fitted for name, item in plan(expand(parse_intent(intent, "pod.roce.yaml"))).devices.items()}


def slow_watchdog() -> dict[str, Device]:
    assert PATIENT is not None
    pod = with_qos("spine1", watchdog=replace(PATIENT, detect=5000, restore=5000))
    return {**pod, "gpu1": replace(POD["gpu1"], apps=(ANSWERED,))}


def slow_leaf() -> dict[str, Device]:
    pod = planned(SLOW)
    leaf = pod["leaf1"]
    ports = dict(leaf.ports)
    for name in ("Ethernet1/1", "Ethernet1/2"):
        queues = list(ports[name].qos.queues or ())
        queues[3] = replace(queues[3] or Queue(), ecn=LATE)
        ports[name] = replace(ports[name], qos=replace(ports[name].qos, queues=tuple(queues)))
    return {**pod, "leaf1": replace(leaf, ports=ports)}


def switched(**timers: int) -> dict[str, Device]:
    pod = changed("leaf1", lambda port: replace(port, mode="trunk"))
    return {**pod, "leaf1": replace(pod["leaf1"], **timers)}  # type: ignore[arg-type]


OFF = Pfc("off", frozenset(), frozenset())
MUTATIONS: list[tuple[str, Callable[[], Result]]] = [
    ("PATH-001", lambda: judged(with_qos("spine1", pfc=OFF))),
    ("PATH-001", lambda: judged(with_qos("spine2", dscp_to_tc=code_map({48: 6}, rest=0)))),
    ("PATH-002", lambda: judged(with_qos("spine1", app_to_tc=(("udp", 4791, 4),), tc_to_pg=(0, 0, 0, 3, 4) + (0,) * 11,
        pfc=Pfc("on", frozenset({4}), frozenset({4})), priority_to_pg=(None,) * 4 + (frozenset({4}),) + (None,) * 3))),
    ("PATH-003", lambda: judged(changed("spine1", lambda port: replace(port, mtu=1514, mtu_counts="l2")))),
    ("PATH-004", lambda: judged(slow_leaf(), SLOW)),
    ("PATH-005", lambda: judged({}, INTENT.replace("400G, cable: 30m", "100G, cable: 30m"))),
    ("PATH-007", lambda: judged(planned(LONG), LONG)),
    ("ECN-016", lambda: judged(with_queue("spine1", 3, ecn=Ecn()))),
    ("SCH-007", lambda: judged(with_queue("spine1", 3, weight=10, weight_kind="percent-of-link"))),
    ("WD-006", lambda: judged(slow_watchdog())),
    ("QMAP-007", lambda: judged(with_nic("gpu4", default_tos=2))),
    ("DLK-001", lambda: judged(POD, INTENT, *BOUNCES)),
    ("DLK-002", lambda: judged(POD, INTENT, BOUNCES[0])),
    ("DLK-003", lambda: judged({}, THIN + PAIR)),
    ("DLK-005", lambda: judged({}, INTENT + PAIR + BOTH)),
    ("DLK-004", lambda: judged(switched(arp_timeout=14_400, mac_ageing=300))),
    ("DLK-006", lambda: judged({**POD, "leaf1": replace(POD["leaf1"], dual_tor=True, tunnel_remap=False)})),
    ("DLK-007", lambda: judged({}, INTENT, "leaf1 spine1 leaf2 spine2 leaf3")),
]  # fmt: skip
MUTATED = {rule for rule, _ in MUTATIONS}


def test_the_pod_is_clean() -> None:
    found = [item for item in judged(POD).findings if item.rule in MUTATED or item.severity is not Severity.INFO]
    assert found == []
    assert not [item for item in judged(POD).not_evaluated if item.rule in MUTATED]


@pytest.mark.parametrize(("rule", "mutated"), MUTATIONS, ids=[rule for rule, _ in MUTATIONS])
def test_a_mutation_makes_its_rule_fire(rule: str, mutated: Callable[[], Result]) -> None:
    found = mutated().findings
    assert rule in {finding.rule for finding in found}, sorted({finding.rule for finding in found})
    assert "RUN-008" not in {finding.rule for finding in found}


def test_the_gap_is_reported_at_its_device_once() -> None:
    found = [item for item in judged(with_qos("spine1", pfc=OFF)).findings if item.rule == "PATH-001"]
    assert [(item.device, set(item.ports)) for item in found] == [
        ("spine1", {"Ethernet1/1", "Ethernet1/2", "Ethernet1/3"})
    ]
    assert "on the way gpu" in found[0].message


def test_the_order_of_devices_does_not_matter() -> None:
    pod = with_qos("spine1", pfc=OFF)
    backwards = dict(reversed(list(pod.items())))
    assert judged(pod).findings == judged(backwards).findings
    assert judged(pod).not_evaluated == judged(backwards).not_evaluated


def test_a_device_that_was_not_read_is_no_gap() -> None:
    pod = {name: device for name, device in POD.items() if name != "spine1"}
    assert not [item for item in judged(pod).findings if item.rule in MUTATED]


@pytest.mark.parametrize("leaf", ["pfc", "tc_to_pg", "priority_to_pg", "dscp_to_tc", "trust", "queues", "rewrite"])
def test_what_is_not_known_makes_no_error(leaf: str) -> None:
    result = judged(with_qos("spine1", **{leaf: None}))
    assert not [item for item in result.findings if item.rule in MUTATED]
    said = {item.rule for item in result.not_evaluated if item.device == "spine1"} & MUTATED
    assert said or leaf == "rewrite"


def test_relative_weights_of_queues_that_no_packet_reaches_take_nothing() -> None:
    """Onyx keeps a default weight on each of the eight classes."""

    def relative(port: Port) -> Port:
        queues = tuple(
            Queue("weighted", weight=13, weight_kind="relative")
            if number not in {0, 3, 6}
            else queue and (replace(queue, weight_kind="relative") if queue.weight is not None else queue)
            for number, queue in enumerate(port.qos.queues or ())
        )
        return replace(port, qos=replace(port.qos, queues=queues))

    assert "SCH-007" not in {item.rule for item in judged(changed("spine1", relative)).findings}


def test_cables_without_an_intent_suffice() -> None:
    cables = [Cable(PortName(*link.a), PortName(*link.b)) for link in FABRIC.links]
    clean = lint(list(POD.values()), links=cables, settings=Settings(select=("PATH-001",)))
    assert clean.findings == ()
    pod = with_qos("spine1", pfc=OFF)
    found = lint(list(pod.values()), links=cables, settings=Settings(select=("PATH-001",))).findings
    assert {item.device for item in found} == {"spine1"}


def test_what_is_kept_does_not_grow_with_ports_that_are_set_alike() -> None:
    linter = Linter(Settings(select=("PATH",)), intent=FABRIC)
    for device in POD.values():
        linter.add(device)
    whole = linter._whole.fabric()
    for held in whole.devices.values():
        assert len({id(port) for port in held.ports.values()}) <= 2
        assert held.device.ports == {}
    assert len({id(port.qos) for held in whole.devices.values() for port in held.ports.values()}) <= 5
