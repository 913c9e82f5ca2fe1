"""A device as planned is clean under every rule; what a rule names makes it fire; what is not known never does."""

from __future__ import annotations

import importlib
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocecfg.fabric.links import Cable, PortName
from rocecfg.findings import Severity
from rocecfg.lint import load
from rocecfg.lint.api import Expected, ExpectedClass
from rocecfg.lint.config import Settings
from rocecfg.lint.run import Result, lint
from rocecfg.state.model import (
    Amount,
    Curve,
    Dcbx,
    Device,
    Dynamic,
    Ecn,
    Headroom,
    HeadroomRow,
    Line,
    LinkPause,
    Named,
    Port,
    PortQos,
    Queue,
    Where,
    code_map,
    intern_ports,
)
from tests.planned import GIGABIT, planned_host, planned_qos, planned_switch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ALL = Settings(select=("ALL",))
EXPECT = {
    "*": Expected(
        (
            ExpectedClass("roce", "roce", frozenset({26}), 3, lossless=True),
            ExpectedClass("cnp", "cnp", frozenset({48}), 6, lossless=False),
        ),
        "dscp",
        "dcqcn",
    )
}
PORTS = [f"Ethernet1/{number}" for number in range(1, 9)]
CABLES = [Cable(PortName("leaf1", "Ethernet1/1"), PortName("gpu01", "rail0"), 400 * GIGABIT, 30)]
QOS = replace(planned_qos(), dscp_to_tc=code_map({26: 3, 48: 6}, rest=0))


def leaf(qos: PortQos = QOS, **more: object) -> Device:
    return planned_switch("demo", PORTS, qos, complete=frozenset({"all"}), **more)


def run(device: Device, **more: Any) -> Result:
    return lint([device, planned_host("mlx5", ["rail0"])], links=CABLES, settings=ALL, expect=EXPECT, **more)


def test_the_planned_devices_are_clean() -> None:
    assert run(leaf()).findings == ()


def _queue(number: int, **changes: object) -> PortQos:
    queues = list(QOS.queues or ())
    queues[number] = replace(queues[number] or Queue(), **changes)  # type: ignore[arg-type]
    return replace(QOS, queues=tuple(queues))


def _group(number: int, **changes: object) -> PortQos:
    groups = list(QOS.priority_groups or ())
    assert groups[number] is not None
    groups[number] = replace(groups[number], **changes)  # type: ignore[type-var]
    return replace(QOS, priority_groups=tuple(groups))


def _curve(low: int, high: int, *, active: bool = True) -> Ecn:
    return Ecn((Curve(Amount.of_bytes(low), Amount.of_bytes(high), 10, active=active),))


def _one_port(qos: PortQos) -> Device:
    device = leaf()
    ports = dict(device.ports)
    ports["Ethernet1/8"] = replace(ports["Ethernet1/8"], qos=qos)
    return replace(device, ports=intern_ports(ports.values()))


assert QOS.pfc is not None
assert QOS.watchdog is not None
NO_4 = replace(QOS.pfc, tx=frozenset({4}), rx=frozenset({4}))
MUTATIONS: list[tuple[str, Callable[[], Device]]] = [
    ("PFC-001", lambda: leaf(replace(QOS, pfc=replace(QOS.pfc, tx=frozenset(), rx=frozenset())))),  # type: ignore[type-var]
    ("PFC-001", lambda: leaf(replace(QOS, pfc=NO_4))),
    ("PFC-001", lambda: leaf(replace(QOS, pfc=replace(QOS.pfc, rx=frozenset())))),  # type: ignore[type-var]
    ("PFC-005", lambda: leaf(replace(QOS, pfc=replace(QOS.pfc, admin="auto"), dcbx=Dcbx("off")))),  # type: ignore[type-var]
    ("PFC-006", lambda: leaf(replace(QOS, link_pause=LinkPause(rx=True, tx=False)))),
    ("PFC-013", lambda: leaf(replace(QOS, pfc=replace(QOS.pfc, gate=False)))),  # type: ignore[type-var]
    ("QMAP-001", lambda: leaf(replace(QOS, dscp_to_tc=code_map({26: 0, 24: 3}, rest=0)))),
    ("QMAP-003", lambda: leaf(replace(QOS, trust="pcp", pcp_to_tc=code_map({3: 3}, 8, rest=0)))),
    ("ECN-001", lambda: leaf(_queue(3, ecn=_curve(1_500_000, 150_000)))),
    ("ECN-002", lambda: leaf(_queue(3, ecn=Ecn()))),
    ("ECN-003", lambda: leaf(_queue(3, wred=_curve(150_000, 1_500_000).curves))),
    ("ECN-004", lambda: leaf(_queue(3, ecn=_curve(150_000, 1_500_000, active=False)))),
    ("ECN-004", lambda: leaf(_queue(3, ecn=replace(_curve(1, 2), gate=False)))),
    ("BUF-001", lambda: leaf(_group(3, headroom=Headroom(by="none")))),
    ("BUF-001", lambda: leaf(_group(3, headroom=Headroom(Amount.of_bytes(0))))),
    ("BUF-002", lambda: leaf(_group(3, headroom=Headroom(Amount.of_bytes(18_000))))),
    ("BUF-002", lambda: leaf(headroom_table=(HeadroomRow(100 * GIGABIT, 2000, 234_496),))),
    (
        "BUF-018",
        lambda: leaf(headroom_table=(HeadroomRow(GIGABIT, 5, 20_000), HeadroomRow(10 * GIGABIT, 5, 19_000))),
    ),
    ("WD-001", lambda: leaf(replace(QOS, watchdog=replace(QOS.watchdog, enabled=False)))),  # type: ignore[type-var]
    ("WD-001", lambda: leaf(replace(QOS, watchdog=replace(QOS.watchdog, priorities=frozenset({4}))))),  # type: ignore[type-var]
    ("WD-003", lambda: leaf(replace(QOS, watchdog=replace(QOS.watchdog, poll=500)))),  # type: ignore[type-var]
    ("PEER-001", lambda: leaf(replace(QOS, pfc=replace(QOS.pfc, rx=frozenset())))),  # type: ignore[type-var]
    ("REF-001", lambda: leaf(objects=(Named("map", "A", defined=False, used=True, place=Where("a", 1)),))),
    ("REF-001", lambda: leaf(objects=(Named("map", "A", defined=True, used=True, inert="no such class"),))),
    ("REF-002", lambda: leaf(objects=(Named("map", "A", defined=True, used=False, matters=True),))),
    ("REF-003", lambda: leaf(replace(QOS, trust="none"))),
    ("REF-003", lambda: leaf(replace(QOS, dscp_to_tc=code_map({}, rest=0)))),
    ("REF-004", lambda: _one_port(replace(QOS, watchdog=replace(QOS.watchdog, detect=800)))),  # type: ignore[type-var]
    ("REF-004", lambda: _one_port(_queue(3, ecn=_curve(1000, 2000)))),
    ("REF-006", lambda: leaf(lines=(Line("nv set qos roce", Where("a", 3), ("cumulus",)),))),
]


@pytest.mark.parametrize(("rule", "mutated"), MUTATIONS, ids=[rule for rule, _ in MUTATIONS])
def test_a_mutation_makes_its_rule_fire(rule: str, mutated: Callable[[], Device]) -> None:
    found = run(mutated()).findings
    assert rule in {finding.rule for finding in found}
    assert "RUN-008" not in {finding.rule for finding in found}


def test_a_smaller_switch_mtu_and_an_odd_twin_device() -> None:
    small = {name: replace(port, mtu=1514) for name, port in leaf().ports.items()}
    assert {finding.rule for finding in run(replace(leaf(), ports=small)).findings} == {"PEER-002"}
    fleet = [replace(leaf(), name=f"leaf{number}", role="leaf") for number in range(1, 6)]
    odd = replace(leaf(_group(3, xoff_at=Dynamic(Fraction(1, 64)))), name="leaf9", role="leaf")
    found = lint([*fleet, odd], links=(), settings=ALL, expect=EXPECT).findings
    assert [(finding.rule, finding.device) for finding in found] == [("BUF-012", "leaf9")]
    odd = replace(leaf(_queue(3, ecn=_curve(150_000, 900_000))), name="leaf9", role="leaf")
    found = lint([*fleet, odd], links=(), settings=ALL, expect=EXPECT).findings
    assert ("REF-005", "leaf9") in {(finding.rule, finding.device) for finding in found}


def test_every_built_rule_about_devices_is_mutated() -> None:
    mutated = {rule for rule, _ in MUTATIONS} | {"PEER-002", "REF-005"}
    for file in sorted(Path(__file__).parent.glob("test_mutations_*.py")):
        mutated |= set(importlib.import_module(f"tests.rules.{file.stem}").MUTATED)
    about_devices = {rule.id for rule in load.rules().values() if rule.checks and rule.family != "INT"}
    assert mutated == about_devices


def leaves(value: Any, path: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    """Every place of a state that may hold None."""
    if is_dataclass(value):
        for item in fields(value):
            if item.name not in {"name", "nos", "kind", "source", "defaulted", "curves", "places", "to", "stated"}:
                yield (*path, item.name)
                yield from leaves(getattr(value, item.name), (*path, item.name))
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            if item is not None and not isinstance(item, str):
                yield (*path, index)
                yield from leaves(item, (*path, index))


def blanked(value: Any, path: tuple[object, ...]) -> Any:
    """The state with one leaf unknown."""
    if value is None:
        return None
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        if not isinstance(value, tuple) or step >= len(value):
            return value
        return (*value[:step], blanked(value[step], rest) if rest else None, *value[step + 1 :])
    changes: dict[str, Any] = {str(step): blanked(getattr(value, str(step)), rest) if rest else None}
    return replace(value, **changes)


PATHS = [path for path in leaves(QOS) if path[-1] not in {"by", "rank"}]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PATHS), min_size=1, max_size=6))
def test_unknown_leaves_never_make_an_error(paths: list[tuple[object, ...]]) -> None:
    qos = QOS
    for path in paths:
        qos = blanked(qos, path)
    result = run(leaf(qos))
    assert [(f.rule, f.message) for f in result.findings if f.severity is Severity.ERROR] == []


@pytest.mark.parametrize("item", [f.name for f in fields(Port) if f.name not in {"name", "qos", "places"}])
def test_unknown_facts_of_a_port_never_make_an_error(item: str) -> None:
    ports = {name: replace(port, **{item: None}) for name, port in leaf().ports.items()}  # type: ignore[arg-type]
    result = run(replace(leaf(), ports=ports))
    assert [(f.rule, f.message) for f in result.findings if f.severity is Severity.ERROR] == []
