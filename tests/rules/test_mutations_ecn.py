"""Rules on ECN ramps and watchdog times: a planned port is clean, and each fault that a rule names makes it fire."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import pytest

from rocecfg.fabric.links import Cable, PortName
from rocecfg.findings import Severity
from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.model import (
    NEVER,
    Amount,
    CongestionControl,
    Curve,
    Device,
    Dynamic,
    Ecn,
    Nic,
    Pool,
    Port,
    PortQos,
    PortWatchdog,
    Queue,
    Static,
    code_map,
    intern_ports,
)
from tests.planned import GIGABIT, planned_host, planned_qos, planned_switch
from tests.rules.test_planned_device import EXPECT

if TYPE_CHECKING:
    from collections.abc import Callable

ALL = Settings(select=("ALL",))
POOLS = (
    Pool("ingress", "ingress", lossless=True, total=Amount.of_bytes(60_000_000)),
    Pool("egress", "egress", lossless=True, total=Amount.of_bytes(80_000_000)),
)
PLANNED = replace(planned_qos(headroom=160_000, alpha=Fraction(1)), dscp_to_tc=code_map({26: 3, 48: 6}, rest=0))


def ramp(low: int | Amount = 400_000, high: int | Amount = 1_600_000, pmax: int = 20, **more: Any) -> Ecn:
    ends = [end if isinstance(end, Amount) else Amount.of_bytes(end) for end in (low, high)]
    return Ecn((Curve(ends[0], ends[1], pmax),), **{"weight": 0, "non_ect": "drop", **more})


def port(ecn: Ecn | None = None, qos: PortQos = PLANNED, **changes: Any) -> PortQos:
    """The planned port with another ramp, and other fields of its lossless queue or group."""
    queues, groups = list(qos.queues or ()), list(qos.priority_groups or ())
    queues[3] = replace(queues[3] or Queue(), pool="egress", ecn=ecn or ramp(), **changes.pop("queue", {}))
    groups[3] = replace(groups[3], pool="ingress", **changes.pop("group", {}))  # type: ignore[type-var]
    return replace(qos, queues=tuple(queues), priority_groups=tuple(groups), **changes)


def leaf(qos: PortQos | None = None, *, name: str = "leaf1", nos: str = "demo", ports: int = 4, **more: Any) -> Device:
    more = {"pools": POOLS, "complete": frozenset({"all"}), **more}
    device = planned_switch(nos, [f"Ethernet1/{number}" for number in range(1, ports + 1)], qos or port(), **more)
    return replace(device, name=name)


def speeds(*pairs: tuple[int, PortQos]) -> Device:
    """A device with one port of each speed (Gbit/s)."""
    made = (Port(f"Ethernet{number}", qos, speed=speed * GIGABIT) for number, (speed, qos) in enumerate(pairs))
    return replace(leaf(), ports=intern_ports(made))


def found(
    *devices: Device, cables: list[Cable] | None = None, intent: bool = True, **changes: Any
) -> dict[str, Severity]:
    wanted = {"*": replace(EXPECT["*"], **changes)} if intent else None
    result = lint(devices, links=cables or [], settings=ALL, expect=wanted)
    assert "RUN-008" not in {finding.rule for finding in result.findings}
    return {finding.rule: finding.severity for finding in result.findings}


def timed(device: str = "demo", ports: int = 4, **times: Any) -> dict[str, Severity]:
    watchdog = {
        "enabled": True,
        "priorities": frozenset({3}),
        "poll": 100,
        "detect": 200,
        "restore": 400,
        "action": "drop",
    }
    return found(leaf(port(watchdog=PortWatchdog(**{**watchdog, **times})), nos=device, ports=ports))  # type: ignore[arg-type]


def by_default(action: Literal["port-down", "forward"]) -> dict[str, Severity]:
    """The watchdog of a text that does not say what it does in a storm."""
    watchdog = replace(PLANNED.watchdog or PortWatchdog(), action=action)
    return found(leaf(replace(port(watchdog=watchdog), defaulted=frozenset({"watchdog.action"}))))


def _with_host(**nic: Any) -> dict[str, Severity]:
    host = planned_host("mlx5", ["rail0"])
    changed = replace(host.ports["rail0"].nic or Nic(), **nic)
    host = replace(host, ports=intern_ports([replace(host.ports["rail0"], nic=changed)]))
    cable = Cable(PortName("leaf1", "Ethernet1/1"), PortName("gpu01", "rail0"), 400 * GIGABIT, 30)
    return found(leaf(), host, cables=[cable])


def _host_ports_without() -> Device:
    """Fabric ports are watched; the host ports, whose PFC is negotiated, are not."""
    off = port(watchdog=PortWatchdog(enabled=False), pfc=replace(PLANNED.pfc, admin="auto"))  # type: ignore[type-var]
    ports = [Port("Ethernet1/1", off, role="host"), Port("Ethernet1/49", port(), role="fabric")]
    return replace(leaf(), ports=intern_ports(ports))


MUTATIONS: dict[str, Callable[[], dict[str, Severity]]] = {
    "ECN-005": lambda: found(leaf(port(group={"xoff_at": Dynamic(Fraction(1, 256))}))),
    "ECN-006": lambda: found(leaf(), design_incast=128),
    "ECN-007": lambda: found(speeds((40, port(ramp(40_000, 160_000, 1)))), design_incast=16),
    "ECN-008": lambda: found(leaf(port(ramp(pmax=100)))),
    "ECN-009": lambda: found(leaf(port(ramp(7_000, 1_600_000)))),
    "ECN-010": lambda: found(speeds((100, port()), (400, port()))),
    "ECN-011": lambda: found(
        leaf(role="leaf"), leaf(port(ramp(1_000_000, 4_000_000)), name="leaf2", role="leaf"), intent=False
    ),
    "ECN-012": lambda: _with_host(sets_ect=False),
    "ECN-013": lambda: found(leaf(port(ramp(weight=9)))),
    "ECN-014": lambda: found(leaf(port(ramp(1_000_000, 70_000_000)))),
    "ECN-015": lambda: found(
        leaf(port(ramp(Amount(55, "percent"), Amount(90, "percent")), queue={"limit": Dynamic(index=7)}))
    ),
    "ECN-017": lambda: found(leaf(), design_fanout=128),
    "WD-002": lambda: found(_host_ports_without(), intent=False),
    "WD-004": lambda: timed("sonic", detect=6000, restore=9000),
    "WD-005": lambda: timed(detect=50, poll=20),
    "WD-007": lambda: timed(detect=400, restore=200),
    "WD-008": lambda: timed(action="forward"),
    "WD-009": lambda: timed("sonic", ports=64),
    "WD-011": lambda: found(
        leaf(port(watchdog=replace(PLANNED.watchdog, priorities=frozenset({3, 4}))), nos="sonic", asic="tomahawk-5")  # type: ignore[type-var]
    ),
    "WD-012": lambda: by_default("port-down"),
    "WD-013": lambda: timed(detect=NEVER),
    "WD-014": lambda: timed(detect=20_000, restore=40_000),
    "WD-015": lambda: timed(action="pfc-off"),
}
MUTATED = set(MUTATIONS)
ERRORS = {"ECN-005", "ECN-014", "WD-002", "WD-004", "WD-013", "WD-014"}
INFOS = {"ECN-008", "ECN-015", "WD-009", "WD-011", "WD-015"}


def test_the_planned_port_is_clean() -> None:
    assert found(leaf()) == {}
    assert found(leaf(), design_incast=8) == {}


@pytest.mark.parametrize("rule", MUTATIONS)
def test_a_mutation_makes_its_rule_fire(rule: str) -> None:
    expected = Severity.ERROR if rule in ERRORS else Severity.INFO if rule in INFOS else Severity.WARNING
    severities = MUTATIONS[rule]()
    assert severities.get(rule) is expected, severities


def test_an_action_that_somebody_wrote_is_judged_as_written() -> None:
    assert "WD-012" not in timed(action="port-down")
    assert {"WD-008", "WD-015"} & timed(action="forward").keys() == {"WD-008"}
    assert {"WD-008", "WD-015"} & by_default("forward").keys() == {"WD-015"}


def test_the_shipped_trident_2_ramp_ends_above_its_pool() -> None:
    """Kmax 12,000,144 B with a pool of 12,766,208 B: 94 percent."""
    pools = (
        Pool("ingress", "ingress", total=Amount.of_bytes(9_243_812)),
        Pool("egress", "egress", total=Amount.of_bytes(12_766_208)),
    )
    assert "ECN-014" in found(leaf(port(ramp(1_048_576, 12_000_144)), pools=pools), intent=False)
    assert "ECN-014" not in found(leaf(port(ramp(1_048_576, 2_097_152)), pools=pools), intent=False)
    limited = port(ramp(1_048_576, 2_097_152), queue={"limit": Static(Amount.of_bytes(1_518_000))})
    assert "ECN-014" in found(leaf(limited), intent=False)


def test_sonics_default_ramp_on_two_speeds_and_the_scaled_one() -> None:
    default = port(ramp(1_048_576, 2_097_152, 5))
    assert "ECN-010" in found(speeds((100, default), (800, default)), intent=False)
    scaled = [(25, 100_000), (50, 200_000), (100, 400_000)]
    assert "ECN-010" not in found(speeds(*((speed, port(ramp(low, 4 * low))) for speed, low in scaled)), intent=False)


def test_a_tomahawk_with_a_small_alpha_pauses_before_it_marks() -> None:
    """Pool 10.9 MB: with alpha 1/64 the port pauses from 168 kB on, with 1/8 from 1.2 MB on."""
    pools = (Pool("ingress", "ingress", total=Amount.of_bytes(10_900_000)),)
    small, large = ({"xoff_at": Dynamic(Fraction(1, alpha))} for alpha in (64, 8))
    assert "ECN-005" in found(leaf(port(ramp(1_000_000, 2_000_000), group=small), pools=pools), intent=False)
    assert "ECN-005" not in found(leaf(port(ramp(200_000, 800_000), group=large), pools=pools), intent=False)


def test_a_kilobyte_of_unknown_size_is_never_an_error_by_itself() -> None:
    """150 kbytes are 150000 or 153600 bytes: only a ramp that is too late either way is reported."""
    fixed = {"xoff_at": Static(Amount.of_bytes(152_000)), "xon_below": None}
    low, high = Amount(150, "kbyte"), Amount(3000, "kbyte")
    assert "ECN-005" not in found(leaf(port(ramp(low, high), group=fixed)), intent=False)
    assert "ECN-005" in found(leaf(port(ramp(Amount(160, "kbyte"), high), group=fixed)), intent=False)


@pytest.mark.parametrize(
    ("low", "high", "fires"),
    [(1, 2, True), (0, 2, True), (2, 2, False), (55, 90, False), (1, 20, False)],
)
def test_ramps_in_percent(low: int, high: int, fires: bool) -> None:
    qos = port(ramp(Amount(low, "percent"), Amount(high, "percent")))
    assert ("ECN-009" in found(leaf(qos), intent=False)) is fires


def test_the_information_about_all_ports_needs_no_intent() -> None:
    many = leaf(ports=128)
    assert found(many, intent=False).get("ECN-017") is Severity.INFO
    assert "ECN-017" not in found(leaf(ports=8), intent=False)


@pytest.mark.parametrize(
    ("nic", "fires"),
    [
        ({"sets_ect": True, "default_tos": 104}, False),
        ({"default_tos": 106}, False),
        ({"default_tos": 104}, False),  # DCQCN is on for priority 3: the NIC sets the bits itself
        ({"default_tos": 104, "congestion_control": None}, False),  # not known
        ({"default_tos": 104, "congestion_control": CongestionControl("dcqcn", frozenset(), frozenset())}, True),
    ],
)
def test_a_nic_that_may_set_the_bits_is_believed(nic: dict[str, Any], fires: bool) -> None:
    assert ("ECN-012" in _with_host(**nic)) is fires


@pytest.mark.parametrize(
    ("system", "detect", "rule"),
    [
        ("sonic", 50, "WD-004"),
        ("sonic", 6000, "WD-004"),
        ("sonic", 1, "WD-014"),
        ("sonic", 200_000, "WD-014"),
        ("junos", 50, "WD-005"),
        ("junos", 6000, ""),
        ("junos", 5, "WD-014"),
        ("sonic", 200, ""),
    ],
)
def test_one_rule_speaks_of_a_bad_detection_time(system: str, detect: int, rule: str) -> None:
    times = {name for name in timed(system, poll=1, detect=detect, restore=max(2 * detect, 200)) if name in
             {"WD-004", "WD-005", "WD-014"}}  # fmt: skip
    if detect == 200_000:
        times.discard("WD-004")  # the restoration time of 400 seconds is out of range too
    assert times == ({rule} if rule else set())


def test_a_slow_port_needs_a_longer_detection() -> None:
    """60 MB at 10G drain in 48 ms: 20 times that is 0.96 s."""
    ports = {name: replace(item, speed=10 * GIGABIT) for name, item in leaf().ports.items()}
    assert "WD-005" in found(replace(leaf(), ports=ports))


def test_a_queue_that_comes_back_after_a_quiet_poll_cannot_flap() -> None:
    assert "WD-007" not in timed(detect=300, restore=100, action="ignore-pause")
    assert "WD-007" in timed(detect=300, restore=100, action="drop")


def test_scaled_watchdog_times_are_accepted() -> None:
    assert "WD-009" not in timed("sonic", ports=64, poll=400, detect=400, restore=800)
    assert "WD-009" not in timed("sonic", ports=32)
    assert "WD-009" not in timed("junos", ports=64)


def test_host_ports_with_pfc_on_are_reported_port_by_port_and_as_a_whole() -> None:
    bare = port(watchdog=PortWatchdog(enabled=False))
    ports = [Port("Ethernet1/1", bare, role="host"), Port("Ethernet1/49", port(), role="fabric")]
    assert {"WD-001", "WD-002"} <= set(found(replace(leaf(), ports=intern_ports(ports)), intent=False))
    ports = [Port("Ethernet1/1", bare, role="host"), Port("Ethernet1/49", bare, role="fabric")]
    assert "WD-002" not in found(replace(leaf(), ports=intern_ports(ports)), intent=False)


def test_a_port_on_which_pfc_is_forced_without_a_lossless_class() -> None:
    """The class of the network-qos policy does not exist: PFC is on for nothing, until someone mends the name."""
    nothing = replace(PLANNED.pfc, tx=frozenset(), rx=frozenset())  # type: ignore[type-var]
    off = PortWatchdog(enabled=False)
    bare = PortQos(pfc=nothing, watchdog=off, trust="none", default_tc=0)
    assert found(leaf(bare), intent=False) == {"WD-001": Severity.WARNING, "REF-003": Severity.WARNING}
    trusted = replace(bare, trust="dscp", dscp_to_tc=code_map({26: 3}, rest=0))
    assert found(leaf(trusted), intent=False)["REF-003"] == Severity.WARNING
    default = replace(bare, defaulted=frozenset({"pfc.admin"}))
    assert found(leaf(default), intent=False) == {}
    unknown = replace(bare, pfc=replace(nothing, tx=None, rx=None))
    assert found(leaf(unknown), intent=False) == {}
