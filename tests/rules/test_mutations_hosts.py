"""Rules of hosts, applications, links, drift and fleets: planned devices are clean, each fault fires (law 8)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from rocecfg.fabric.links import Cable, PortName
from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.model import (
    NEVER,
    Amount,
    App,
    CongestionControl,
    Dcbx,
    Device,
    Gid,
    Headroom,
    LinkPause,
    Neighbour,
    Nic,
    NicBoot,
    PortQos,
    PriorityGroup,
    Queue,
    code_map,
    intern_ports,
)
from tests.planned import GIGABIT, planned_host, planned_switch
from tests.rules.test_planned_device import EXPECT, QOS

if TYPE_CHECKING:
    from collections.abc import Callable

ALL = Settings(select=("ALL",))
HOST_QOS = replace(QOS, watchdog=None, rewrite=None)
CABLE = Cable(PortName("leaf1", "swp1"), PortName("gpu01", "rail0"), 400 * GIGABIT, 30)
SPINE = Cable(PortName("leaf1", "swp2"), PortName("spine1", "swp1"), 400 * GIGABIT, 30)


def host(nic: dict[str, Any] | None = None, qos: PortQos = HOST_QOS, name: str = "gpu01", **port: Any) -> Device:
    device = planned_host("mlx5", ["rail0"])
    (made,) = device.ports.values()
    assert made.nic is not None
    changed = replace(made, nic=replace(made.nic, **(nic or {})), qos=qos, **port)
    return replace(device, name=name, ports=intern_ports([changed]), role="host")


def switch(name: str = "leaf1", qos: PortQos = QOS, **port: Any) -> Device:
    device = planned_switch("demo", ["swp1", "swp2"], qos, complete=frozenset({"all"}))
    ports = intern_ports(replace(made, **port) for made in device.ports.values())
    return replace(device, name=name, ports=ports)


def found(*devices: Device, cables: tuple[Cable, ...] = (CABLE, SPINE), intent: bool = True) -> set[str]:
    result = lint(devices, links=list(cables), settings=ALL, expect=EXPECT if intent else None)
    return {finding.rule for finding in result.findings}


def all_three(nic: dict[str, Any] | None = None, qos: PortQos = HOST_QOS, **port: Any) -> set[str]:
    return found(switch(), switch("spine1"), host(nic, qos, **port))


def with_app(nic: dict[str, Any] | None = None, **values: Any) -> set[str]:
    app = App("nccl", **{"tos": 106, "timeout": 20, "retry": 7, **values})
    return found(switch(), switch("spine1"), replace(host(nic), apps=(app,)))


def pfc(**changes: Any) -> PortQos:
    assert QOS.pfc is not None
    return replace(HOST_QOS, pfc=replace(QOS.pfc, **changes))


def buffer(manual: bool | None, size: int) -> set[str]:
    group = PriorityGroup(
        lossless=True, headroom=Headroom(Amount.of_bytes(150_880), "length"), reserved=Amount.of_bytes(size)
    )
    groups = tuple(group if number == 3 else None for number in range(8))
    return all_three({"manual_buffers": manual}, replace(HOST_QOS, priority_groups=groups))


def hosts(*nics: dict[str, Any]) -> set[str]:
    return found(*(host(nic, name=f"gpu{number:02}") for number, nic in enumerate(nics, 1)), cables=())


def parameters(**values: int) -> dict[str, Any]:
    control = CongestionControl("dcqcn", frozenset({3}), frozenset({3}), tuple(sorted(values.items())))
    return {"congestion_control": control}


def far(qos: PortQos = QOS, **port: Any) -> set[str]:
    """The rules that fire when the spine at the other end of a fabric cable is another one."""
    return found(switch(), switch("spine1", qos, **port), host())


def small_headroom(count: int) -> PortQos:
    groups = list(QOS.priority_groups or ())
    groups[3] = replace(groups[3], headroom=Headroom(Amount.of_bytes(count)))  # type: ignore[type-var]
    return replace(QOS, priority_groups=tuple(groups))


def maps(**changes: Any) -> PortQos:
    return replace(QOS, **changes)


def fleet(count: int, odd: Device) -> set[str]:
    twins = [replace(switch(f"leaf{number}"), role="leaf") for number in range(1, count)]
    return found(*twins, replace(odd, name="leaf99", role="leaf"), cables=())


def _no_dcqcn(side: str) -> dict[str, Any]:
    return {"congestion_control": replace(parameters()["congestion_control"], **{side: frozenset()})}


def _defaults(release: str, pause: bool) -> Device:
    qos = replace(QOS, link_pause=LinkPause(pause, False), defaulted=frozenset({"link_pause"}))
    off = replace(qos, pfc=replace(qos.pfc, admin="off", tx=frozenset(), rx=frozenset()))  # type: ignore[type-var]
    return replace(switch(f"leaf-{release}", off), os_version=release, role="leaf")


def _scheduled() -> PortQos:
    queues = list(QOS.queues or ())
    queues[0] = replace(queues[0] or Queue(), weight=39)
    return replace(QOS, queues=tuple(queues))


def _lossy_group() -> PortQos:
    groups = [group and replace(group, lossless=False) for group in HOST_QOS.priority_groups or ()]
    return replace(HOST_QOS, priority_groups=tuple(groups))


def _operating(numbers: set[int]) -> PortQos:
    return replace(QOS, pfc=replace(QOS.pfc, oper=frozenset(numbers)))  # type: ignore[type-var]


MAP_4 = code_map({26: 4, 48: 6}, rest=0)
PRIORITY_4 = {
    "dscp_to_tc": MAP_4,
    "tc_to_pg": tuple({0: 0, 3: 3, 4: 4, 6: 0}.get(tc) for tc in range(16)),
    "priority_to_pg": tuple({3: frozenset({3}), 4: frozenset({4})}.get(number) for number in range(8)),
    "priority_to_queue": tuple({3: frozenset({3}), 4: frozenset({4})}.get(number) for number in range(8)),
}
MUTATIONS: dict[str, Callable[[], set[str]]] = {
    "NIC-001": lambda: all_three(qos=pfc(tx=frozenset(), rx=frozenset(), admin="off")),
    "NIC-002": lambda: all_three(qos=replace(HOST_QOS, trust="pcp", pcp_to_tc=code_map({3: 3}, 8, rest=0))),
    "NIC-003": lambda: all_three(qos=replace(HOST_QOS, link_pause=LinkPause(True, False))),
    "NIC-004": lambda: buffer(None, 150_000),
    "NIC-005": lambda: all_three(qos=replace(HOST_QOS, cable=7)),
    "NIC-006": lambda: all_three(_no_dcqcn("reacts")),
    "NIC-007": lambda: all_three({"cnp_dscp": 10}),
    "NIC-008": lambda: hosts(
        parameters(rpg_time_reset=300), parameters(rpg_time_reset=300), parameters(rpg_time_reset=55)
    ),
    "NIC-009": lambda: all_three(parameters(rpg_hai_rate=50, rpg_time_reset=300)),
    "NIC-010": lambda: all_three({"storm_timeout": NEVER}),
    "NIC-012": lambda: all_three({"pcie": (4, 16)}),
    "NIC-013": lambda: hosts(*({"firmware": "28.39.1002"},) * 3, {"firmware": "28.33.0834 (MT_0000000838)"}),
    "NIC-014": lambda: all_three({"roce_version": "v1"}),
    "NIC-015": lambda: all_three({"active_mtu": 1024}),
    "NIC-016": lambda: all_three({"next_boot": NicBoot(cnp_dscp=4)}),
    "NIC-017": lambda: buffer(True, 130_944),
    "NIC-018": lambda: all_three(
        qos=replace(HOST_QOS, dscp_to_tc=replace(HOST_QOS.dscp_to_tc, conflicts=((26, frozenset({3, 4})),)))
    ),  # type: ignore[type-var]
    "NIC-019": lambda: all_three(qos=replace(HOST_QOS, dcbx=Dcbx(owners=frozenset({"firmware"})))),
    "NIC-020": lambda: all_three(qos=_lossy_group()),
    "APP-001": lambda: with_app({"forced_tos": 0, "default_tos": 0}, tos=0),
    "APP-003": lambda: with_app(tos=107),
    "APP-004": lambda: with_app({"gids": (Gid(1, "v1", "ipv4"),)}, gid_index=1),
    "APP-005": lambda: with_app(timeout=12, retry=3),
    "APP-006": lambda: with_app(tos=26),
    "PEER-003": lambda: far(speed_now=200 * GIGABIT),
    "PEER-004": lambda: far(fec="none"),
    "PEER-005": lambda: found(
        switch(qos=maps(**PRIORITY_4, pfc=replace(QOS.pfc, tx=frozenset({3, 4}), rx=frozenset({3, 4})))),  # type: ignore[type-var]
        switch(
            "spine1",
            maps(
                **{**PRIORITY_4, "dscp_to_tc": QOS.dscp_to_tc},
                pfc=replace(QOS.pfc, tx=frozenset({3, 4}), rx=frozenset({3, 4})),
            ),
        ),  # type: ignore[type-var]
        intent=False,
    ),
    "PEER-006": lambda: found(
        switch(qos=maps(dcbx=Dcbx("ieee", willing=True))), host(qos=replace(HOST_QOS, dcbx=Dcbx("ieee", willing=True)))
    ),
    "PEER-007": lambda: far(maps(cable=5)),
    "PEER-008": lambda: found(
        replace(switch(), asic="tomahawk-5"),
        replace(switch("spine1", small_headroom(400_000)), asic="tomahawk-5"),
        host(),
    ),
    "PEER-009": lambda: all_three(qos=replace(HOST_QOS, link_pause=LinkPause(False, True))),
    "PEER-010": lambda: far(neighbour=Neighbour("leaf7", "swp2", "lldp")),
    "DRIFT-003": lambda: all_three({"next_boot": NicBoot(cnp_priority=7)}),
    "DRIFT-005": lambda: found(_defaults("5.14", False), _defaults("5.15", True), cables=()),
    "DRIFT-006": lambda: found(switch(qos=_operating({4}))),
    "DRIFT-007": lambda: fleet(12, switch(qos=_scheduled())),
}
MUTATED = {*MUTATIONS, "DRIFT-002"}


def test_planned_devices_are_clean() -> None:
    assert all_three() == set()
    assert with_app() == set()
    assert with_app({"gids": (Gid(3, "v2", "ipv4"),)}, gid_index=3) == set()
    assert all_three({"pcie": (5, 16), "firmware": "28.39.1002", "storm_timeout": 100, "active_mtu": 4096}) == set()
    assert far(fec="rs", neighbour=Neighbour("LEAF1.example.net", "swp2", "lldp")) == set()
    assert fleet(12, switch()) == set()
    assert buffer(True, 165_000) == set()


@pytest.mark.parametrize("rule", MUTATIONS)
def test_a_mutation_makes_its_rule_fire(rule: str) -> None:
    rules = MUTATIONS[rule]()
    assert rule in rules
    assert "RUN-008" not in rules


@pytest.mark.parametrize(
    ("seen", "fires"),
    [
        (Neighbour("leaf1", "swp2", "lldp"), False),
        (Neighbour("leaf1", "swp3", "lldp"), True),
        (Neighbour("leaf1", "00:11:22:33:44:55", "lldp"), False),  # a MAC address is no port name
        (Neighbour("leaf1", "Eth1/2", "lldp"), False),  # another form of name says nothing
        (Neighbour("leaf1(FOC123)", "swp2", "lldp"), False),
        (Neighbour("leaf7", "swp3", "description"), False),  # nobody looked
    ],
)
def test_only_lldp_contradicts_the_cabling(seen: Neighbour, fires: bool) -> None:
    assert ("PEER-010" in far(neighbour=seen)) is fires


def test_a_nic_internal_priority_of_a_lossy_class_is_no_mismatch() -> None:
    """CNP in local priority 7 against class 6: both lossy, nothing on the wire differs."""
    assert "PEER-005" not in all_three(qos=replace(HOST_QOS, dscp_to_tc=code_map({26: 3, 48: 7}, rest=0)))


def test_ports_of_a_host_that_share_their_qos_are_all_compared() -> None:
    device = host(parameters(rpg_time_reset=300))
    second = replace(device.ports["rail0"], name="rail1", nic=replace(Nic(), **parameters(rpg_time_reset=55)))
    odd = replace(device, name="gpu02", ports=intern_ports([*device.ports.values(), second]))
    result = lint([device, odd], links=[], settings=Settings(select=("NIC-008",)))
    assert [(finding.device, finding.ports) for finding in result.findings] == [("gpu02", ("rail1",))]


@pytest.mark.parametrize("item", ["tos", "gid_index", "timeout", "retry"])
def test_what_an_application_does_not_say_is_no_error(item: str) -> None:
    assert with_app({"gids": (Gid(1, "v1", "ipv4"),)}, **{item: None}) == set()


def test_what_a_nic_does_not_say_is_not_evaluated() -> None:
    """A port with PFC of which only `mlnx_qos` was printed: the rules about the rest say what they miss."""
    bare = replace(host().ports["rail0"], nic=None, mtu=None)
    result = lint([replace(host(), ports={"rail0": bare})], links=[], settings=ALL, expect=EXPECT)
    missing = {item.rule for item in result.not_evaluated}
    assert {"NIC-006", "NIC-007", "NIC-010", "NIC-012", "NIC-014", "NIC-015", "NIC-019"} <= missing
    assert not result.findings
