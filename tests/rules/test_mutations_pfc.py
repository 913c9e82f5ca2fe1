"""Rules on PFC, classification and scheduling: a planned port is clean, and each fault that a rule names makes it fire."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from rocecfg.findings import Severity
from rocecfg.lint.api import ExpectedClass
from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.model import (
    Amount,
    CodeMap,
    Curve,
    Device,
    Dynamic,
    Ecn,
    Lag,
    Named,
    Nic,
    Pfc,
    Port,
    PortQos,
    PriorityGroup,
    Queue,
    Static,
    Where,
    code_map,
    eight,
    intern_ports,
)
from tests.planned import GIGABIT, planned_host, planned_qos, planned_switch
from tests.rules.test_planned_device import EXPECT

if TYPE_CHECKING:
    from collections.abc import Callable

ALL = Settings(select=("ALL",))
PORTS = [f"Ethernet1/{number}" for number in range(1, 5)]
QOS = replace(planned_qos(), dscp_to_tc=code_map({26: 3, 48: 6}, rest=0))
PFC = QOS.pfc or Pfc()
WANTED = EXPECT["*"]
CONTROL = ExpectedClass("control", "control", frozenset({56}), 7, lossless=False)


def leaf(qos: PortQos = QOS, *, mode: str | None = None, macsec: bool | None = None, **more: Any) -> Device:
    device = planned_switch("demo", PORTS, qos, complete=frozenset({"all"}), **more)
    ports = (replace(port, mode=mode, macsec=macsec) for port in device.ports.values())  # type: ignore[arg-type]
    return replace(device, ports=intern_ports(ports))


def found(device: Device, *, intent: bool = True, **changes: Any) -> dict[str, Severity]:
    wanted = {"*": replace(WANTED, **changes)} if intent else None
    result = lint([device], links=[], settings=ALL, expect=wanted)
    assert "RUN-008" not in {finding.rule for finding in result.findings}
    return {finding.rule: finding.severity for finding in result.findings}


def pfc(tx: set[int], rx: set[int], **more: Any) -> PortQos:
    return replace(QOS, pfc=replace(PFC, tx=frozenset(tx), rx=frozenset(rx)), **more)


def maps(**changes: dict[int, Any]) -> PortQos:
    """The planned port with entries of its fixed tables changed."""
    fields: dict[str, Any] = {}
    for name, entries in changes.items():
        table = list(getattr(QOS, name))
        for number, value in entries.items():
            table[number] = value
        fields[name] = tuple(table)
    return replace(QOS, **fields)


def queue(number: int, **changes: Any) -> PortQos:
    return maps(queues={number: replace(QOS.queue(number) or Queue(), **changes)})


def group(**changes: Any) -> PortQos:
    old = QOS.priority_group(3)
    assert old is not None
    return maps(priority_groups={3: replace(old, **changes)})


def dscps(codes: dict[int, int]) -> PortQos:
    return replace(QOS, dscp_to_tc=code_map(codes, rest=0))


def _odd_member() -> Device:
    device = leaf(lags=(Lag("port-channel1", tuple(PORTS[:3])),))
    ports = dict(device.ports)
    ports[PORTS[0]] = replace(ports[PORTS[0]], qos=pfc(set(), set()))
    return replace(device, ports=intern_ports(ports.values()))


def _host(**changes: Any) -> Device:
    device = planned_host("mlx5", ["rail0"])
    nic = replace(device.ports["rail0"].nic or Nic(), **changes)
    return replace(device, ports=intern_ports([replace(device.ports["rail0"], nic=nic)]))


def _fixed(**changes: Any) -> PortQos:
    return group(**{"xoff_at": Static(Amount.of_bytes(60_000)), "xon_below": None, **changes})


MUTATIONS: dict[str, Callable[[], dict[str, Severity]]] = {
    "PFC-002": lambda: found(leaf(pfc({3, 5}, {3, 5}))),
    "PFC-003": lambda: found(leaf(pfc({1, 2, 3}, {1, 2, 3}))),
    "PFC-004": lambda: found(leaf(pfc({3}, set())), intent=False),
    "PFC-007": lambda: found(leaf(maps(priority_to_queue={3: frozenset({4})}))),
    "PFC-008": lambda: found(leaf(maps(tc_to_pg={6: 3}))),
    "PFC-009": lambda: found(_odd_member()),
    "PFC-010": lambda: found(leaf(_fixed(xon_at=Amount.of_bytes(60_000)))),
    "PFC-011": lambda: found(leaf(group(xon_below=Amount.of_bytes(0)))),
    "PFC-012": lambda: found(leaf(macsec=True)),
    "QMAP-002": lambda: found(leaf(dscps({24: 3, 26: 3, 48: 6}))),
    "QMAP-004": lambda: found(
        leaf(replace(QOS, trust="pcp", pcp_to_tc=code_map({3: 3}, 8, rest=0)), mode="routed"), trust="pcp"
    ),
    "QMAP-005": lambda: found(leaf(dscps({26: 3}))),
    "QMAP-006": lambda: found(leaf(dscps({26: 3, 48: 3}))),
    "QMAP-008": lambda: found(leaf(maps(tc_to_queue={6: 3}))),
    "QMAP-009": lambda: found(leaf(replace(QOS, dscp_to_tc=code_map({26: 3, 48: 6})))),
    "QMAP-010": lambda: found(leaf(replace(QOS, rewrite=(("tc", 3, 0),)))),
    "QMAP-013": lambda: found(leaf(replace(QOS, pfc=replace(PFC, by="pcp")))),
    "SCH-001": lambda: found(leaf(queue(6, scheduler="weighted", weight=5, rank=None))),
    "SCH-002": lambda: found(leaf(queue(3, scheduler="strict", shaper=-1))),
    "SCH-003": lambda: found(leaf(replace(dscps({26: 3, 48: 6, 56: 0}))), classes=(*WANTED.classes, CONTROL)),
    "SCH-004": lambda: found(leaf(queue(3, weight=90))),
    "SCH-005": lambda: found(leaf(queue(3, weight=10)), intent=False),
    "SCH-006": lambda: found(leaf(queue(3, shaper=50 * GIGABIT))),
}
MUTATED = set(MUTATIONS)
WARNINGS = {"PFC-002", "PFC-003", "PFC-004", "PFC-009", "PFC-011", "PFC-012", "QMAP-002", "QMAP-005", "QMAP-006",
            "QMAP-009", "SCH-001", "SCH-002", "SCH-003", "SCH-005", "SCH-006"}  # fmt: skip


def test_the_planned_port_is_clean() -> None:
    assert found(leaf()) == {}
    assert found(leaf(), intent=False) == {}


@pytest.mark.parametrize("rule", MUTATIONS)
def test_a_mutation_makes_its_rule_fire(rule: str) -> None:
    severities = MUTATIONS[rule]()
    assert severities.get(rule) == (Severity.WARNING if rule in WARNINGS else Severity.ERROR), severities


def test_the_map_that_changes_the_number_is_blamed() -> None:
    wrong_group = maps(priority_to_pg={3: frozenset({4})}, tc_to_pg={4: 4}, tc_to_queue={4: 4})
    assert "PFC-008" in found(leaf(wrong_group))
    assert "PFC-007" not in found(leaf(wrong_group))
    wrong_queue = maps(priority_to_queue={3: frozenset({4})}, tc_to_queue={4: 4})
    assert "PFC-007" in found(leaf(wrong_queue))
    assert "PFC-008" not in found(leaf(wrong_queue))
    other_numbers = maps(priority_to_queue={3: frozenset({4})}, tc_to_queue={3: 4}, queues={3: None, 4: QOS.queue(3)})
    assert not {"PFC-007", "PFC-008"} & set(found(leaf(other_numbers)))


def test_a_nic_that_sends_cnps_with_a_paused_priority() -> None:
    assert "QMAP-006" not in found(_host())
    assert "QMAP-006" in found(_host(cnp_priority=3))


def test_published_dual_tor_priorities_are_information() -> None:
    severities = found(leaf(pfc({2, 3, 4, 6}, {2, 3, 4, 6})), intent=False)
    assert severities["PFC-003"] is Severity.INFO


def test_pfc_on_the_priority_of_unmarked_traffic() -> None:
    unmarked = {"tc_to_pg": {0: 0}, "priority_to_pg": {0: frozenset({0})}}
    assert "PFC-002" in found(leaf(replace(maps(**unmarked), pfc=replace(PFC, tx=frozenset({0})))), intent=False)
    elsewhere = replace(maps(**unmarked), dscp_to_tc=code_map({26: 3}, rest=5), pfc=replace(PFC, tx=frozenset({0, 3})))
    assert "PFC-002" not in found(leaf(elsewhere), intent=False)


def test_ports_the_intent_does_not_have_are_left_alone() -> None:
    assert "PFC-002" not in found(leaf(pfc({3, 5}, {3, 5})), classes=())


@pytest.mark.parametrize(("offset", "fires"), [(0, True), (1000, True), (2288, False), (3556, False), (18_432, False)])
def test_resume_distances_of_shipped_tables_are_accepted(offset: int, fires: bool) -> None:
    assert ("PFC-011" in found(leaf(group(xon_below=Amount.of_bytes(offset))))) is fires


def test_a_resume_threshold_beside_a_dynamic_one_is_not_compared() -> None:
    """NVIDIA's xon of 19456 bytes is absolute, its pause threshold moves with the free buffer."""
    nvidia = group(xoff_at=Dynamic(Fraction(1, 8)), xon_at=Amount.of_bytes(19_456), xon_below=None)
    assert not {"PFC-010", "PFC-011"} & set(found(leaf(nvidia)))


def test_a_rewrite_inside_the_class_is_a_warning_without_an_intent_and_an_error_with_one() -> None:
    qos = replace(dscps({8: 3, 26: 3, 48: 6}), rewrite=(("tc", 3, 8),))
    assert found(leaf(qos), intent=False)["QMAP-010"] is Severity.WARNING
    assert found(leaf(qos))["QMAP-010"] is Severity.ERROR
    assert "QMAP-010" not in found(leaf(replace(qos, rewrite=(("tc", 3, 26), ("tc", 6, 48)))))


def test_a_rewrite_of_a_class_that_only_marks_counts_too() -> None:
    """An ECN-only tier has no PFC, and its marks matter to the next hop all the same."""
    curve = Curve(Amount.of_bytes(150_000), Amount.of_bytes(900_000), 20)
    qos = replace(
        queue(3, ecn=Ecn((curve,))),
        pfc=Pfc("off", frozenset(), frozenset()),
        rewrite=(("tc", 3, 0),),
        priority_groups=None,
    )
    assert "QMAP-010" in found(leaf(qos), intent=False)


@pytest.mark.parametrize(
    ("mode", "trust", "expected"),
    [
        ("routed", "pcp", Severity.ERROR),
        ("access", "pcp", None),  # hosts that send priority-tagged frames, as the intent says
        ("trunk", "pcp", None),
        ("routed", None, Severity.WARNING),
        ("access", None, Severity.WARNING),
    ],
)
def test_pcp_on_untagged_ports(mode: str, trust: str | None, expected: Severity | None) -> None:
    qos = replace(QOS, trust="pcp", pcp_to_tc=code_map({3: 3}, 8, rest=0))
    severities = found(leaf(qos, mode=mode), intent=trust is not None, **({"trust": trust} if trust else {}))
    assert severities.get("QMAP-004") is expected


def test_a_block_of_eight_with_one_code_taken_out_is_information() -> None:
    to = tuple(3 if 24 <= code <= 31 and code != 30 else 6 if code == 30 else 0 for code in range(64))
    host = planned_host("mlx5", ["rail0"])
    port = replace(host.ports["rail0"], qos=replace(QOS, dscp_to_tc=CodeMap(to, (1 << 64) - 1)))
    device = replace(host, ports=intern_ports([port]))
    assert found(device, intent=False)["QMAP-002"] is Severity.INFO


def test_shares_of_a_nic_must_be_a_whole_and_those_of_a_switch_may_be_less() -> None:
    host = planned_host("mlx5", ["rail0"])
    thin = replace(host, ports=intern_ports([replace(host.ports["rail0"], qos=queue(3, weight=10))]))
    assert "SCH-004" in found(thin)
    assert "SCH-004" not in found(leaf(queue(3, weight=10)))


def test_a_queue_in_use_without_a_share() -> None:
    assert found(leaf(queue(3, weight=0)))["SCH-004"] is Severity.ERROR
    assert "SCH-004" not in found(leaf(maps(queues={5: Queue("weighted", weight=0, weight_kind="percent-of-rest")})))


def test_the_bandwidth_of_the_intent_is_what_the_share_is_compared_with() -> None:
    roce = replace(WANTED.classes[0], bandwidth=30)
    assert "SCH-005" not in found(leaf(queue(3, weight=40)), classes=(roce, *WANTED.classes[1:]))
    assert "SCH-005" in found(leaf(queue(3, weight=10)), classes=(roce, *WANTED.classes[1:]))
    assert "SCH-005" not in found(leaf(queue(3, weight=10)))  # the intent leaves the share to the planner


def test_profiles_that_no_port_has_are_information() -> None:
    one_way = Port("cnp", PortQos(pfc=Pfc("on", frozenset(), frozenset({3}))), places={"pfc.tx": Where("a", 7)})
    small = PortQos(priority_groups=eight({3: PriorityGroup(lossless=True, xon_below=Amount.of_bytes(0))}))
    waiting = Port("group", small, places={"priority_groups.3.xon_below": Where("a", 9)})
    objects = tuple(Named("profile", item.name, defined=True, used=False, would=item) for item in (one_way, waiting))
    result = lint([leaf(objects=objects)], links=[], settings=ALL, expect={"*": WANTED})
    said = {(finding.rule, finding.severity, finding.line) for finding in result.findings}
    assert said == {("PFC-004", Severity.INFO, 7), ("PFC-011", Severity.INFO, 9)}
