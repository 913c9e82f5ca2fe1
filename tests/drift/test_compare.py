"""Drift: what counts as a difference, what does not, and what cannot be judged."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from planned import planned_host, planned_qos, planned_switch

from rocecfg.drift.compare import compare
from rocecfg.drift.names import leaf_words
from rocecfg.findings import Finding, Severity
from rocecfg.plan.planned import PlannedDevice
from rocecfg.state.model import (
    Amount,
    CodeMap,
    Curve,
    Device,
    Dynamic,
    Ecn,
    Headroom,
    LinkPause,
    Pfc,
    Pool,
    Port,
    PortQos,
    PortWatchdog,
    Queue,
    Static,
    Where,
    intern_ports,
)

if TYPE_CHECKING:
    from collections.abc import Callable

PORTS = [f"Ethernet1/{number}" for number in range(1, 5)]
SWITCH = planned_switch("nxos", PORTS)


def _planned(fitted: Device = SWITCH, wanted: Device | None = None, why: dict[str, str] | None = None) -> PlannedDevice:
    reasons = {name: why or {} for name in fitted.ports}
    return PlannedDevice(fitted.name, wanted or fitted, fitted, (), reasons)


def _with_qos(device: Device, change: Callable[[PortQos], PortQos], ports: list[str] | None = None) -> Device:
    changed = [
        replace(port, qos=change(port.qos)) if ports is None or name in ports else port
        for name, port in device.ports.items()
    ]
    return replace(device, ports=intern_ports(changed))


def _live(device: Device = SWITCH, *, complete: bool = True) -> Device:
    """What a capture of the device would hold: the same, with places, read from a whole text."""
    ports = [
        replace(port, place=Where("live.cfg", 9), places={"pfc": Where("live.cfg", 7)})
        for port in device.ports.values()
    ]
    whole = frozenset({"all"}) if complete else frozenset()
    return replace(device, ports=intern_ports(ports), source="running", complete=whole, place=Where("live.cfg"))


def _one(planned: PlannedDevice, live: Device) -> Finding:
    drift = compare(planned, live)
    assert len(drift.findings) == 1, [finding.message for finding in drift.findings]
    return drift.findings[0]


def _queue(number: int, **changes: Any) -> Callable[[PortQos], PortQos]:
    def change(qos: PortQos) -> PortQos:
        queues = list(qos.queues or ())
        queues[number] = replace(queues[number] or Queue(), **changes)
        return replace(qos, queues=tuple(queues))

    return change


def _group(number: int, **changes: Any) -> Callable[[PortQos], PortQos]:
    def change(qos: PortQos) -> PortQos:
        groups = list(qos.priority_groups or ())
        assert groups[number] is not None
        groups[number] = replace(groups[number], **changes)  # type: ignore[type-var]
        return replace(qos, priority_groups=tuple(groups))

    return change


def _codes(changes: dict[int, int | None]) -> Callable[[PortQos], PortQos]:
    def change(qos: PortQos) -> PortQos:
        assert qos.dscp_to_tc is not None
        to = tuple(changes.get(code, at) for code, at in enumerate(qos.dscp_to_tc.to))
        return replace(qos, dscp_to_tc=CodeMap(to))

    return change


def test_a_device_as_planned_has_no_drift() -> None:
    drift = compare(_planned(), _live())
    assert (drift.findings, drift.not_evaluated) == ([], [])
    host = planned_host("mlx5", ["rail0"])
    assert compare(_planned(host), _live(host)).findings == []


BYTES = Amount.of_bytes
RAMP = Curve(BYTES(150_000), BYTES(1_500_000), 10)
LEAVES: list[tuple[str, Callable[[PortQos], PortQos], str]] = [
    ("trust", lambda qos: replace(qos, trust="pcp"), "trust is pcp, the plan wants dscp"),
    ("dscp", _codes({26: 0}), "DSCP to traffic class is 26 -> 0, the plan wants 26 -> 3"),
    ("dscp-2", _codes({26: 5, 48: 5}), ""),
    ("default-tc", lambda qos: replace(qos, default_tc=3), "default traffic class is 3, the plan wants 0"),
    ("rewrite", lambda qos: replace(qos, rewrite=(("tc", 3, 0),)), "rewriting of marks is tc 3 -> DSCP 0, the plan wants none"),
    ("tc-queue", lambda qos: replace(qos, tc_to_queue=(0, None, None, 4, None, None, 6, *[None] * 9)),
     "queue of traffic class 3 is 4, the plan wants 3"),
    ("prio-queue", lambda qos: replace(qos, priority_to_queue=(*[None] * 3, frozenset({4}), *[None] * 4)),
     "queue of priority 3 is 4, the plan wants 3"),
    ("pfc-off", lambda qos: replace(qos, pfc=Pfc("off", frozenset({3}), frozenset({3}), "internal")),
     "PFC mode is off, the plan wants on"),
    ("pfc-more", lambda qos: replace(qos, pfc=Pfc("on", frozenset({3, 4}), frozenset({3}), "internal")),
     "set of priorities PFC pauses the peer for is 3, 4, the plan wants 3"),
    ("link-pause", lambda qos: replace(qos, link_pause=LinkPause(rx=True, tx=False)),
     "receiving of link pause is on, the plan wants off"),
    ("cable", lambda qos: replace(qos, cable=100), "cable length is 100 m, the plan wants 30 m"),
    ("watchdog-off", lambda qos: replace(qos, watchdog=PortWatchdog(False, frozenset({3}), 100, 200, 400, "drop")),
     "PFC watchdog enabled is off, the plan wants on"),
    ("watchdog-time", lambda qos: replace(qos, watchdog=PortWatchdog(True, frozenset({3}), 100, 900, 400, "drop")),
     "PFC watchdog detect is 900 ms, the plan wants 200 ms"),
    ("weight", _queue(3, weight=10), "weight of queue 3 is 10, the plan wants 60"),
    ("strict", _queue(3, scheduler="strict"), "scheduler of queue 3 is strict, the plan wants weighted"),
    ("kmin", _queue(3, ecn=Ecn((replace(RAMP, low=BYTES(1000)),), weight=0)),
     "ECN Kmin of queue 3 is 1000 B, the plan wants 150000 B"),
    ("pmax", _queue(3, ecn=Ecn((replace(RAMP, probability=90),), weight=0)),
     "ECN marking probability of queue 3 is 90%, the plan wants 10%"),
    ("ecn-off", _queue(3, ecn=Ecn(())), "ECN of queue 3 is off, the plan wants 150000 B to 1500000 B at 10%"),
    ("ecn-inert", _queue(3, ecn=Ecn((replace(RAMP, active=False),), weight=0)),
     "ECN of queue 3 is not armed: its thresholds stand there, the switch that arms them does not, the plan wants armed"),
    ("ecn-weight", _queue(3, ecn=Ecn((RAMP,), weight=9)), "ECN averaging weight of queue 3 is 9, the plan wants 0"),
    ("shaper", _queue(3, shaper=10**10), "shaper of queue 3 is 10G, the plan wants unlimited"),
    ("shaper-share", _queue(3, shaper=None, shaper_share=40), "shaper of queue 3 is 40 % of the port, the plan wants unlimited"),
    ("drops", _queue(3, wred=(RAMP,)), ""),
    ("headroom", _group(3, headroom=Headroom(BYTES(5))), "headroom of priority group 3 is 5 B, the plan wants 98304 B"),
    ("alpha", _group(3, xoff_at=Dynamic(Fraction(1))), "XOFF threshold of priority group 3 is alpha 1, the plan wants alpha 1/8"),
    ("static", _group(3, xoff_at=Static(BYTES(9))), "XOFF threshold of priority group 3 is 9 B, the plan wants alpha 1/8"),
    ("xon", _group(3, xon_below=BYTES(1)), "XON distance of priority group 3 is 1 B, the plan wants 18432 B"),
    ("lossy", _group(3, lossless=False), "lossless flag of priority group 3 is off, the plan wants on"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), [leaf[1:] for leaf in LEAVES], ids=[leaf[0] for leaf in LEAVES])
def test_each_leaf_that_differs_is_found(change: Callable[[PortQos], PortQos], message: str) -> None:
    findings = compare(_planned(), _live(_with_qos(SWITCH, change))).findings
    assert findings
    assert {finding.rule for finding in findings} == {"DRIFT-001"}
    if message:
        assert [finding.message for finding in findings] == [message]


@pytest.mark.parametrize("change", [leaf[1] for leaf in LEAVES], ids=[leaf[0] for leaf in LEAVES])
def test_what_the_plan_does_not_care_about_is_skipped(change: Callable[[PortQos], PortQos]) -> None:
    nothing = Device("leaf1", "nxos", {name: Port(name) for name in PORTS}, source="intended")
    live = _live(_with_qos(SWITCH, change))
    assert compare(_planned(wanted=nothing), live).findings == []
    assert compare(_planned(fitted=nothing, wanted=SWITCH), live).findings == []


@pytest.mark.parametrize("leaf", ["trust", "dscp_to_tc", "tc_to_queue", "pfc", "watchdog", "queues", "cable"])
def test_absent_is_drift_only_in_a_complete_text(leaf: str) -> None:
    changed = _with_qos(SWITCH, lambda qos: replace(qos, **{leaf: None}))
    assert all("not set" in finding.message for finding in compare(_planned(), _live(changed)).findings)
    assert compare(_planned(), _live(changed)).findings
    drift = compare(_planned(), _live(changed, complete=False))
    assert drift.findings == []
    assert all(item.device == "leaf1" and "the capture does not say" in item.missing for item in drift.not_evaluated)
    assert drift.not_evaluated


@pytest.mark.parametrize("leaf", ["rewrite", "link_pause"])
def test_silence_about_something_that_shall_be_off_proves_nothing(leaf: str) -> None:
    drift = compare(_planned(), _live(_with_qos(SWITCH, lambda qos: replace(qos, **{leaf: None}))))
    assert drift.findings == []
    assert drift.not_evaluated


def test_equal_differences_are_one_finding_with_its_ports() -> None:
    live = _live(_with_qos(SWITCH, _queue(3, weight=10), PORTS[1:3]))
    finding = _one(_planned(), live)
    assert (finding.object, finding.ports) == ("Ethernet1/2-3", ("Ethernet1/2", "Ethernet1/3"))
    assert (finding.device, finding.file, finding.line) == ("leaf1", "live.cfg", 9)


def test_the_finding_points_at_the_deciding_line_and_gives_the_reason() -> None:
    why = {"pfc.priorities": "the lossless classes: roce", "queues.3": "never asked", "queues.3.weight": "class roce"}
    live = _with_qos(SWITCH, lambda qos: replace(qos, pfc=Pfc("on", frozenset({4}), frozenset({3}), "internal")))
    finding = _one(_planned(why=why), _live(live))
    assert finding.line == 7
    assert finding.message.endswith("the plan wants 3 (the lossless classes: roce)")
    assert _one(_planned(why=why), _live(_with_qos(SWITCH, _queue(3, weight=1)))).message.endswith("60 (class roce)")


def test_amounts_compare_across_units_by_bytes() -> None:
    same = replace(RAMP, low=Amount(150, "kbyte", 150_000))
    assert compare(_planned(), _live(_with_qos(SWITCH, _queue(3, ecn=Ecn((same,), weight=0))))).findings == []
    unknown = replace(RAMP, low=Amount(600, "cell"))
    drift = compare(_planned(), _live(_with_qos(SWITCH, _queue(3, ecn=Ecn((unknown,), weight=0)))))
    assert drift.findings == []
    assert [item.missing for item in drift.not_evaluated] == ["ECN Kmin of queue 3: the capture does not say"]


def test_alphas_compare_as_ratios_and_indices_as_numbers() -> None:
    index = _with_qos(SWITCH, _group(3, xoff_at=Dynamic(index=3)))
    assert compare(_planned(index), _live(index)).findings == []
    assert _one(_planned(index), _live(_with_qos(SWITCH, _group(3, xoff_at=Dynamic(index=4))))).message.endswith(
        "index 3"
    )
    drift = compare(_planned(), _live(index))
    assert drift.findings == []
    assert drift.not_evaluated


def test_of_headroom_that_the_device_makes_the_input_is_compared() -> None:
    fitted = _with_qos(SWITCH, _group(3, headroom=Headroom(by="length")))
    shown = _with_qos(SWITCH, _group(3, headroom=Headroom(BYTES(77), by="length")))
    assert compare(_planned(fitted, SWITCH), _live(shown)).findings == []
    cable = _with_qos(shown, lambda qos: replace(qos, cable=5))
    assert _one(_planned(fitted, SWITCH), _live(cable)).message == "cable length is 5 m, the plan wants 30 m"
    stated = _with_qos(SWITCH, _group(3, headroom=Headroom(BYTES(77))))
    assert "is 77 B, the plan wants from the cable length" in _one(_planned(fitted, SWITCH), _live(stated)).message


def test_what_a_thrown_switch_controls_is_not_said_again() -> None:
    off = _with_qos(
        SWITCH, lambda qos: replace(qos, watchdog=PortWatchdog(False), pfc=Pfc("off", frozenset(), frozenset()))
    )
    assert [finding.message for finding in compare(_planned(), _live(off)).findings] == [
        "PFC mode is off, the plan wants on",
        "PFC watchdog enabled is off, the plan wants on",
    ]


def test_codes_with_the_same_difference_are_said_together() -> None:
    fitted = replace(
        SWITCH, ports=intern_ports(Port(name, planned_qos(lossless={26: 3, 30: 3, 31: 3})) for name in PORTS)
    )
    live = _live(_with_qos(fitted, _codes({26: 0, 30: 0, 31: 1})))
    assert [finding.message for finding in compare(_planned(fitted), live).findings] == [
        "DSCP to traffic class is 26,30 -> 0, the plan wants 26,30 -> 3",
        "DSCP to traffic class is 31 -> 1, the plan wants 31 -> 3",
    ]


def test_a_code_with_two_classes_is_drift() -> None:
    def conflict(qos: PortQos) -> PortQos:
        assert qos.dscp_to_tc is not None
        return replace(qos, dscp_to_tc=replace(qos.dscp_to_tc, conflicts=((26, frozenset({0, 3})),)))

    assert "26 -> 0 and 3, the plan wants 26 -> 3" in _one(_planned(), _live(_with_qos(SWITCH, conflict))).message


def test_ports_that_are_missing_and_ports_that_are_extra() -> None:
    ports = {name: port for name, port in SWITCH.ports.items() if name != PORTS[0]}
    live = _live(replace(SWITCH, ports={**ports, "Ethernet1/9": replace(SWITCH.ports[PORTS[0]], name="Ethernet1/9")}))
    finding = _one(_planned(), live)
    assert finding.ports == (PORTS[0],)
    assert finding.message == "the plan has port Ethernet1/1, the device shows no such port"
    drift = compare(_planned(), replace(live, complete=frozenset({"qos"})))
    assert drift.findings == []
    assert "the capture does not show them" in drift.not_evaluated[0].missing


def test_settings_of_the_device_and_its_pools() -> None:
    assert _one(_planned(), _live(replace(SWITCH, pfc_enabled=False))).message == (
        "device-wide PFC switch is off, the plan wants on"
    )
    pooled = replace(SWITCH, pools=(Pool("lossless", "ingress", True, BYTES(1000)),))
    smaller = replace(SWITCH, pools=(Pool("lossless", "ingress", True, BYTES(10)),))
    assert _one(_planned(pooled), _live(smaller)).message == "total of pool lossless is 10 B, the plan wants 1000 B"
    assert (
        _one(_planned(pooled), _live(replace(SWITCH, pools=()))).message
        == "pool lossless is not set, the plan wants a pool"
    )
    assert compare(_planned(pooled, SWITCH), _live(smaller)).findings == []


def test_mtu_is_compared_where_both_count_the_same() -> None:
    smaller = replace(SWITCH, ports={name: replace(port, mtu=1500) for name, port in SWITCH.ports.items()})
    assert _one(_planned(), _live(smaller)).message == "MTU is 1500 B, the plan wants 9216 B"
    other = replace(SWITCH, ports={name: replace(port, mtu_counts="ip") for name, port in SWITCH.ports.items()})
    drift = compare(_planned(), _live(other))
    assert drift.findings == []
    assert drift.not_evaluated


def test_nic_settings() -> None:
    host = planned_host("mlx5", ["rail0"])
    nic = host.ports["rail0"].nic
    assert nic is not None
    changed = replace(host, ports={"rail0": replace(host.ports["rail0"], nic=replace(nic, cnp_dscp=0, default_tos=0))})
    messages = [finding.message for finding in compare(_planned(host), _live(changed)).findings]
    assert messages == [
        "CNP DSCP of the NIC is 0, the plan wants 48",
        "default ToS of the NIC is 0, the plan wants 106",
    ]


def test_severity_and_order_are_given() -> None:
    live = _live(_with_qos(SWITCH, lambda qos: replace(_queue(3, weight=1)(qos), trust="pcp")))
    drift = compare(_planned(), live, Severity.WARNING)
    assert {finding.severity for finding in drift.findings} == {Severity.WARNING}
    assert drift.findings == sorted(drift.findings, key=Finding.sort_key)
    assert compare(_planned(), live, Severity.WARNING).findings == drift.findings


@pytest.mark.parametrize(
    ("leaf", "said"),
    [
        ("queues.3.ecn.kmin", "ECN Kmin of queue 3"),
        ("queues.3", "queue 3"),
        ("priority_groups.3.reserved", "reserved buffer of priority group 3"),
        ("watchdog.detect", "PFC watchdog detect"),
        ("pools.egress.lossy.total", "total of pool egress.lossy"),
        ("buffer_model", "buffer model"),
        ("traffic", "traffic"),
    ],
)
def test_leaf_names(leaf: str, said: str) -> None:
    assert leaf_words(leaf) == said
