"""Buffer rules: a planned switch is clean, and each fault that a rule names makes it fire (law 8)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from rocecfg.fabric.links import Cable, PortName
from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.model import (
    Amount,
    Curve,
    Device,
    Dynamic,
    Ecn,
    Headroom,
    HeadroomRow,
    Pool,
    PortQos,
    Queue,
    Static,
    code_map,
    intern_ports,
)
from tests.planned import GIGABIT, planned_qos, planned_switch
from tests.rules.test_planned_device import EXPECT

if TYPE_CHECKING:
    from collections.abc import Callable

ALL = Settings(select=("ALL",))
PORTS = [f"Ethernet1/{number}" for number in range(1, 9)]
CHIP = "tomahawk-5"
POOLS = (
    Pool("ingress", "ingress", lossless=True, total=Amount.of_bytes(60_000_000), headroom=Amount.of_bytes(400_000)),
    Pool("egress", "egress", lossless=True, total=Amount.of_bytes(80_000_000)),
)
QOS = replace(planned_qos(headroom=120_000, alpha=Fraction(1, 8)), dscp_to_tc=code_map({26: 3, 48: 6}, rest=0))


def leaf(qos: PortQos = QOS, **more: Any) -> Device:
    more = {"asic": CHIP, "pools": POOLS, "complete": frozenset({"all"}), **more}
    return planned_switch("demo", PORTS, qos, **more)


def group(**changes: Any) -> PortQos:
    groups = list(QOS.priority_groups or ())
    groups[3] = replace(groups[3], **changes)  # type: ignore[type-var]
    return replace(QOS, priority_groups=tuple(groups))


def queue(**changes: Any) -> PortQos:
    queues = list(QOS.queues or ())
    queues[3] = replace(queues[3] or Queue(), **changes)
    return replace(QOS, queues=tuple(queues))


def headroom(count: int, **more: Any) -> PortQos:
    return group(headroom=Headroom(Amount.of_bytes(count), **more))


def found(*devices: Device, cables: list[Cable] | None = None, **changes: Any) -> set[str]:
    wanted = replace(EXPECT["*"], **changes) if changes else EXPECT["*"]
    result = lint(devices, links=cables or [], settings=ALL, expect={"*": wanted})
    return {finding.rule for finding in result.findings}


def pools(**changes: Any) -> tuple[Pool, ...]:
    return (replace(POOLS[0], **changes), POOLS[1])


def percent(total: int, room: int, lossy: int) -> tuple[Pool, ...]:
    return (
        Pool(
            "ingress lossless",
            "ingress",
            lossless=True,
            total=Amount(total, "percent"),
            headroom=Amount(room, "percent"),
        ),
        Pool("ingress lossy", "ingress", lossless=False, total=Amount(lossy, "percent")),
    )


def room(cells: int) -> tuple[Pool, ...]:
    """A pool of headroom alone, as Huawei and H3C have it."""
    return (Pool("headroom pool 0", "ingress", lossless=True, headroom=Amount(cells, "cell")),)


def fleet(odd: Device) -> tuple[Device, ...]:
    return (*(replace(leaf(), name=f"leaf{number}", role="leaf") for number in range(2, 4)), replace(odd, role="leaf"))


STATIC = {"xoff_at": Static(Amount.of_bytes(400_000))}
TABLE = tuple(
    HeadroomRow(GIGABIT * 100, metres, 60_000 + metres, reserved=19_456, xon_at=19_456, headroom_shared=True)
    for metres in (5, 40, 300, 500)
)
LONG = [Cable(PortName("leaf1", "Ethernet1/1"), PortName("leaf2", "Ethernet1/1"), 400 * GIGABIT, 300)]
WIDE = Ecn((Curve(Amount.of_bytes(400_000), Amount.of_bytes(40_000_000), 10),), weight=0)


def _lossy_beside(qos: PortQos) -> PortQos:
    groups = list(qos.priority_groups or ())
    assert groups[3] is not None
    lossy = replace(groups[3], lossless=False, headroom=None, pool="ingress", xoff_at=None)
    groups[0], groups[3] = lossy, replace(groups[3], pool="ingress")
    return replace(qos, priority_groups=tuple(groups))


MUTATIONS: dict[str, Callable[[], set[str]]] = {
    "BUF-003": lambda: found(leaf(headroom(60_000))),
    "BUF-004": lambda: found(leaf(headroom(120_000, by="table", made_for=(100 * GIGABIT, 40)))),
    "BUF-005": lambda: found(leaf(headroom(2_000_000))),
    "BUF-006": lambda: found(leaf(), traffic=100),
    "BUF-007": lambda: found(leaf(headroom(9_000_000), asic="spectrum-3", pools=None)),
    "BUF-008": lambda: found(leaf(pools=pools(total=Amount.of_bytes(179_000_000)))),
    "BUF-009": lambda: found(leaf(pools=pools(total=Amount.of_bytes(90_000_000)))),
    "BUF-010": lambda: found(leaf(pools=pools(headroom=Amount.of_bytes(100_000)))),
    "BUF-011": lambda: found(leaf(group(headroom_shared=False))),
    "BUF-012": lambda: found(*fleet(leaf(group(xoff_at=Dynamic(Fraction(1, 64)))))),
    "BUF-013": lambda: found(leaf(replace(QOS, defaulted=frozenset({"priority_groups.3.xoff_at"})))),
    "BUF-014": lambda: found(leaf(queue(ecn=WIDE)), design_incast=4),
    "BUF-015": lambda: found(leaf(_lossy_beside(group(xoff_at=Dynamic(Fraction(8)))))),
    "BUF-016": lambda: found(leaf(group(mtu=2240))),
    "BUF-017": lambda: found(leaf(group(reserved=Amount.of_bytes(0)))),
    "BUF-019": lambda: found(leaf(headroom(120_000, by="table"), headroom_table=TABLE, buffer_model="table")),
    "BUF-020": lambda: found(leaf(group(headroom=Headroom(by="box"))), replace(leaf(), name="leaf2"), cables=LONG),
    "BUF-021": lambda: found(leaf(pools=room(cells=0))),
    "BUF-022": lambda: found(leaf(replace(group(**STATIC), queues=queue(limit=Static(Amount.of_bytes(10**6))).queues))),
    "BUF-023": lambda: found(leaf(pools=percent(66, 24, 20))),
    "BUF-024": lambda: found(leaf(pools=percent(0, 0, 100))),
}
MUTATED = set(MUTATIONS)


def test_the_planned_switch_is_clean() -> None:
    assert found(leaf()) == set()
    assert found(leaf(pools=percent(66, 24, 10))) == set()
    assert found(leaf(), traffic=0) == set()


@pytest.mark.parametrize("rule", MUTATIONS)
def test_a_mutation_makes_its_rule_fire(rule: str) -> None:
    rules = MUTATIONS[rule]()
    assert rule in rules
    assert "RUN-008" not in rules


def test_a_headroom_pool_holds_at_least_one_port() -> None:
    asked = group(headroom=Headroom(Amount(2000, "cell"), by="stated"))
    assert "BUF-021" in found(leaf(asked, pools=room(cells=1999)))
    assert "BUF-021" not in found(leaf(asked, pools=room(cells=2000)))
    assert "BUF-021" not in found(leaf(asked, pools=None))


def test_a_shared_pool_without_shared_headroom_is_as_meant() -> None:
    assert "BUF-021" not in found(leaf(pools=pools(headroom=Amount.of_bytes(0))))


def test_two_pools_of_one_size_are_the_whole_memory() -> None:
    """Shipped with 51.2 Tbit/s chips: egress as large as ingress, and ingress with its headroom beyond the chip."""
    same = pools(total=Amount.of_bytes(80_000_000))
    assert "BUF-009" not in found(leaf(pools=same))
    assert "BUF-009" in found(leaf(pools=pools(total=Amount.of_bytes(79_900_000))))


def test_what_is_not_known_is_said_and_no_error() -> None:
    """Alpha without a ratio, a pool without a size, a chip that nobody knows."""
    for qos, more, rule in (
        (group(xoff_at=Dynamic(None, 10)), {}, "BUF-014"),
        (QOS, {"pools": None}, "BUF-014"),
        (QOS, {"asic": None}, "BUF-008"),
        (QOS, {"asic": None}, "BUF-007"),
        (replace(group(**STATIC), queues=queue(limit=Static(Amount.of_bytes(10**6))).queues), {}, ""),
    ):
        result = lint([leaf(qos, **more)], links=[], settings=ALL, expect=EXPECT)
        if rule:
            assert rule in {item.rule for item in result.not_evaluated}
            assert rule not in {finding.rule for finding in result.findings}


def test_shared_headroom_published_cases() -> None:
    """SN5600-C256S1: one row of 43,008 bytes among rows of 19,456; NH-4210: two pools larger than the chip."""
    odd = replace(TABLE[3], reserved=19_456, headroom=23_552, cable=1, headroom_shared=False)
    result = lint(
        [leaf(headroom_table=(*TABLE, odd), buffer_model="dynamic")], links=[], settings=Settings(select=("BUF-011",))
    )
    assert [finding.object for finding in result.findings] == ["row 100000 1m"]
    eight_lanes = tuple(replace(row, reserved=19_456 + 9_216, headroom_shared=False) for row in TABLE)
    assert not lint([leaf(headroom_table=eight_lanes)], links=[], settings=Settings(select=("BUF-011",))).findings
    shipped = (
        Pool(
            "ingress_lossless_pool",
            "ingress",
            lossless=True,
            total=Amount.of_bytes(258_035_400),
            headroom=Amount.of_bytes(81_553_920),
        ),
    )
    result = lint([leaf(pools=shipped, asic=None, model="NH-4210")], links=[], settings=Settings(select=("BUF-008",)))
    assert len(result.findings) == 1


def test_ports_that_differ_only_in_what_their_headroom_was_made_for_stay_apart() -> None:
    """Equality is about what a device does; what a profile was made for is beside it and must not be merged away."""
    device = leaf(headroom(120_000, by="table", made_for=(400 * GIGABIT, 40)))
    ports = dict(device.ports)
    ports["Ethernet1/8"] = replace(
        ports["Ethernet1/8"], qos=headroom(120_000, by="table", made_for=(100 * GIGABIT, 40))
    )
    device = replace(device, ports=intern_ports(ports.values()))
    result = lint([device], links=[], settings=Settings(select=("BUF-004",)))
    assert [finding.ports for finding in result.findings] == [("Ethernet1/8",)]
