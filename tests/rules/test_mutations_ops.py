"""Rules on counters: quiet counters of a planned fabric are clean, each fault makes its rule fire, each guard holds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from rocecfg.fabric.links import Cable, PortName
from rocecfg.findings import Severity
from rocecfg.lint.config import Settings
from rocecfg.lint.run import Result, lint
from rocecfg.state.counters import PortCounters, RdmaCounters, Sample
from rocecfg.state.model import Device, LinkPause, Nic, Pfc, PortQos, code_map, eight, intern_ports
from tests.planned import planned_host, planned_qos, planned_switch
from tests.rules.test_planned_device import EXPECT

if TYPE_CHECKING:
    from collections.abc import Iterable

MUTATED = [f"OPS-{number:03d}" for number in range(1, 14)]
OPS = Settings(select=("OPS",))
QOS = replace(planned_qos(), dscp_to_tc=code_map({26: 3, 48: 6}, rest=0))
PORTS = [f"Ethernet1/{number}" for number in range(1, 5)]
ZEROS = eight(dict.fromkeys(range(8), 0))
SECONDS = 10


def places(number: int, count: int) -> tuple[int | None, ...]:
    return tuple(count if at == number else 0 for at in range(8))


QUIET = PortCounters(
    rx_pfc=ZEROS, tx_pfc=ZEROS, rx_paused=ZEROS, queue_packets=ZEROS, queue_bytes=ZEROS, queue_drops=ZEROS,
    queue_marked=ZEROS, queue_depth=ZEROS, pg_drops=ZEROS, headroom_peak=ZEROS, fcs_errors=0, fec_uncorrectable=0,
    rx_link_pause=0, tx_link_pause=0, tx_bytes=0, storms=ZEROS, stormed=frozenset(),
)  # fmt: skip
BUSY: dict[str, Any] = {"queue_packets": places(3, 10**7), "queue_marked": places(3, 10**5), "tx_bytes": 10**11}
HOST = PortCounters(
    rx_pfc=ZEROS, tx_pfc=ZEROS, rx_paused=ZEROS, tx_priority_packets=ZEROS, rx_priority_drops=ZEROS, fcs_errors=0,
    rx_buffer_drops=0, rx_link_pause=0, tx_link_pause=0, tx_rdma_packets=0, tx_bytes=0, nic_storms=0,
)  # fmt: skip
RDMA = RdmaCounters(0, 0, 0, 0, 0, 0, 0)


def taken(later: bool) -> str:
    return f"2026-01-01T00:00:{SECONDS if later else 0:02d}Z"


def switch(qos: PortQos = QOS, name: str = "leaf1") -> Device:
    device = planned_switch("demo", PORTS, qos)
    ports = (replace(port, role="host") for port in device.ports.values())
    return replace(device, name=name, ports=intern_ports(ports))


def gpu(**nic: Any) -> Device:
    device = planned_host("mlx5", ["rail0"])
    port = device.ports["rail0"]
    made = replace(port, nic=replace(port.nic or Nic(), rdma_device="mlx5_0", **nic))
    return replace(device, ports=intern_ports([made]))


def with_sample(
    device: Device, later: bool, ports: dict[str, PortCounters], rdma: RdmaCounters | None = None
) -> Device:
    return replace(device, sample=Sample(taken(later), ports, {"mlx5_0": rdma} if rdma is not None else {}))


def run(devices: Iterable[Device], **more: Any) -> Result:
    result = lint(list(devices), settings=OPS, expect=EXPECT, **more)
    assert "RUN-008" not in {finding.rule for finding in result.findings}
    return result


def switch_pair(changes: dict[str, Any], device: Device | None = None, before: dict[str, Any] | None = None) -> Result:
    """Lint two captures of a switch whose first port changed."""
    box = device or switch()
    first = with_sample(box, False, {name: replace(QUIET, **(before or {})) for name in PORTS})
    ports = {name: replace(QUIET, **{**(before or {}), **BUSY}) for name in PORTS[1:]}
    second = with_sample(box, True, {PORTS[0]: replace(QUIET, **{**(before or {}), **BUSY, **changes}), **ports})
    return run([first, second], links=[])


def host_pair(changes: dict[str, Any], rdma: RdmaCounters = RDMA, device: Device | None = None) -> Result:
    box = device or gpu()
    busy: dict[str, Any] = {"tx_rdma_packets": 10**6, "tx_priority_packets": places(3, 10**6), "tx_bytes": 10**9}
    return run([
        with_sample(box, False, {"rail0": HOST}, RDMA),
        with_sample(box, True, {"rail0": replace(HOST, **{**busy, **changes})}, rdma),
    ])  # fmt: skip


def rules(result: Result) -> dict[str, Severity]:
    return {finding.rule: finding.severity for finding in result.findings}


def test_a_busy_lossless_fabric_is_clean() -> None:
    assert switch_pair({}).findings == ()
    assert host_pair({}).findings == ()


SWITCH_FAULTS: list[tuple[str, Severity, dict[str, Any]]] = [
    ("OPS-001", Severity.ERROR, {"pg_drops": places(3, 120)}),
    ("OPS-001", Severity.ERROR, {"pg_drop_bytes": places(3, 120)}),
    ("OPS-001", Severity.ERROR, {"queue_drops": places(3, 120)}),
    ("OPS-001", Severity.ERROR, {"roce_rx_drops": 9, "pg_drops": None}),
    ("OPS-001", Severity.ERROR, {"roce_tx_drops": 9, "queue_drops": None}),
    ("OPS-001", Severity.WARNING, {"rx_buffer_drops": 9}),
    (
        "OPS-003",
        Severity.ERROR,
        {"rx_paused": places(3, 9_950_000_000), "queue_packets": ZEROS, "queue_depth": places(3, 9)},
    ),
    ("OPS-004", Severity.WARNING, {"rx_pfc": places(3, 50_000)}),
    ("OPS-009", Severity.WARNING, {"fcs_errors": 10}),
    ("OPS-009", Severity.WARNING, {"fec_uncorrectable": 1}),
    ("OPS-011", Severity.ERROR, {"storms": places(3, 2)}),
    ("OPS-011", Severity.WARNING, {"stormed": frozenset({3})}),
    ("OPS-012", Severity.WARNING, {"rx_link_pause": 9000}),
    ("OPS-012", Severity.WARNING, {"tx_link_pause": 9000}),
    ("OPS-013", Severity.WARNING, {"rx_pfc": places(4, 700)}),
    ("OPS-013", Severity.WARNING, {"tx_pfc": places(4, 700)}),
]


@pytest.mark.parametrize(
    ("rule", "severity", "changes"), SWITCH_FAULTS, ids=[f"{r}-{n}" for n, (r, _, _) in enumerate(SWITCH_FAULTS)]
)
def test_a_fault_of_a_switch(rule: str, severity: Severity, changes: dict[str, Any]) -> None:
    before = {
        counter: ZEROS if isinstance(value, tuple) else None if value is None else 0
        for counter, value in changes.items()
        if counter != "stormed"
    }
    result = switch_pair(changes, before=before)
    assert rules(result) == {rule: severity}
    assert result.findings[0].ports == (PORTS[0],)


def test_marks_missing_on_the_whole_switch() -> None:
    nothing: dict[str, Any] = {"queue_marked": ZEROS}
    box = switch()
    first = with_sample(box, False, dict.fromkeys(PORTS, QUIET))
    second = with_sample(
        box, True, {name: replace(QUIET, **{**BUSY, **nothing, "tx_pfc": places(3, 30_000)}) for name in PORTS}
    )
    (finding,) = run([first, second], links=[]).findings
    assert (finding.rule, finding.message) == (
        "OPS-005",
        "12000 PFC frames/s sent and 0 packets marked with ECN in 10 s",
    )
    one: dict[str, PortCounters] = {PORTS[0]: replace(QUIET, **{**BUSY, "queue_marked": places(3, 1)})}
    marked = with_sample(box, True, {**(second.sample.ports if second.sample else {}), **one})
    assert run([first, marked], links=[]).findings == ()
    silent = [
        replace(device, sample=replace(device.sample, ports={n: replace(p, queue_marked=None) for n, p in device.sample.ports.items()}))
        for device in (first, second) if device.sample is not None
    ]  # fmt: skip
    result = run(silent, links=[])
    assert result.findings == ()
    assert ("OPS-005", "ECN marks of the egress queues") in {(item.rule, item.missing) for item in result.not_evaluated}


HOST_FAULTS: list[tuple[str, Severity, dict[str, Any], RdmaCounters]] = [
    ("OPS-001", Severity.ERROR, {"rx_priority_drops": places(3, 4)}, RDMA),
    (
        "OPS-003",
        Severity.ERROR,
        {"rx_paused": places(3, 10**10), "tx_priority_packets": places(6, 2), "tx_rdma_packets": 2},
        RDMA,
    ),
    ("OPS-006", Severity.ERROR, {"tx_priority_packets": places(0, 10**6)}, RDMA),
    ("OPS-008", Severity.WARNING, {}, replace(RDMA, sequence_errors=3, out_of_sequence=9)),
    ("OPS-008", Severity.WARNING, {}, replace(RDMA, ack_timeouts=1)),
    ("OPS-009", Severity.WARNING, {"fcs_errors": 1}, RDMA),
    ("OPS-011", Severity.ERROR, {"nic_storms": 1}, RDMA),
    ("OPS-012", Severity.WARNING, {"rx_link_pause": 5}, RDMA),
]


@pytest.mark.parametrize(
    ("rule", "severity", "changes", "rdma"), HOST_FAULTS, ids=[f"{r}-{n}" for n, (r, _, _, _) in enumerate(HOST_FAULTS)]
)
def test_a_fault_of_a_host(rule: str, severity: Severity, changes: dict[str, Any], rdma: RdmaCounters) -> None:
    result = host_pair(changes, rdma)
    assert rules(result) == {rule: severity}
    assert result.findings[0].ports == ("rail0",)


GUARDS: list[tuple[str, dict[str, Any]]] = [
    ("drops of a lossy queue", {"queue_drops": places(0, 10**6), "pg_drops": places(0, 10**6)}),
    ("paused, and still sending", {"rx_paused": places(3, 9_950_000_000)}),
    (
        "paused half of the time",
        {"rx_paused": places(3, 5_000_000_000), "queue_packets": ZEROS, "queue_depth": places(3, 9)},
    ),
    (
        "paused, and nothing waits",
        {"rx_paused": places(3, 9_950_000_000), "queue_packets": ZEROS, "queue_depth": ZEROS},
    ),
    ("pauses on a busy port", {"rx_pfc": places(3, 50_000), "tx_bytes": 4 * 10**11}),
    ("few pauses", {"rx_pfc": places(3, 9_000)}),
    ("pauses and marks", {"tx_pfc": places(3, 50_000)}),
    ("drops of the RoCE class that the queues do not show", {"roce_tx_drops": 9}),
    ("pause frames that are PFC frames", {"rx_pfc": places(3, 5_000), "rx_link_pause": 5_000}),
]


@pytest.mark.parametrize(("why", "changes"), GUARDS, ids=[why for why, _ in GUARDS])
def test_what_is_no_fault(why: str, changes: dict[str, Any]) -> None:
    assert switch_pair(changes).findings == (), why


def test_reordering_by_design_is_no_loss() -> None:
    moved = replace(RDMA, out_of_sequence=300)
    assert host_pair({}, moved, gpu(reorders=True)).findings == ()
    assert rules(host_pair({}, moved, gpu(reorders=False))) == {"OPS-008": Severity.WARNING}
    unknown = host_pair({}, moved, gpu(reorders=None))
    assert unknown.findings == ()
    assert "whether adaptive routing may reorder packets" in {item.missing for item in unknown.not_evaluated}


def test_a_queue_that_stays_stalled_is_an_error_though_nothing_grows() -> None:
    stuck: dict[str, Any] = {"storms": places(3, 1), "stormed": frozenset({3})}
    (finding,) = switch_pair(stuck, before=stuck).findings
    assert (finding.rule, finding.severity) == ("OPS-011", Severity.ERROR)
    assert finding.message == "the PFC watchdog reports the queue as stalled in both captures, 10 s apart"
    assert finding.ports == tuple(PORTS[:1]) or set(finding.ports) == set(PORTS)


def test_one_capture_of_a_stalled_queue_is_a_warning() -> None:
    alone = with_sample(switch(), False, {PORTS[0]: replace(QUIET, stormed=frozenset({3}), storms=places(3, 2))})
    (finding,) = run([alone], links=[]).findings
    assert (finding.rule, finding.severity) == ("OPS-011", Severity.WARNING)
    assert finding.message == "the PFC watchdog reports the queue as stalled (storms found so far: 2)"


def test_headroom_that_was_almost_used_up() -> None:
    group = QOS.priority_group(3)
    assert group is not None
    assert group.headroom is not None
    assert group.headroom.amount is not None
    size = group.headroom.amount.bytes or 0
    high = with_sample(switch(), False, {PORTS[0]: replace(QUIET, headroom_peak=places(3, size * 8 // 10))})
    assert rules(run([high], links=[])) == {"OPS-002": Severity.WARNING}
    low = with_sample(switch(), False, {PORTS[0]: replace(QUIET, headroom_peak=places(3, size // 2))})
    assert run([low], links=[]).findings == ()


def test_without_an_intent_the_configuration_says_what_is_lossless() -> None:
    unknown = replace(switch(replace(QOS, pfc=None, priority_groups=None)))
    captures = [
        with_sample(unknown, late, {PORTS[0]: replace(QUIET, pg_drops=places(3, 9 * late))}) for late in (False, True)
    ]
    result = lint(captures, settings=OPS)
    assert result.findings == ()
    assert "the lossless priorities of ports that drop packets" in {item.missing for item in result.not_evaluated}
    known = replace(
        switch(replace(QOS, pfc=Pfc("on", frozenset({3}), frozenset({3})), link_pause=LinkPause(False, False)))
    )
    captures = [
        with_sample(known, late, {PORTS[0]: replace(QUIET, pg_drops=places(3, 9 * late))}) for late in (False, True)
    ]
    assert rules(lint(captures, settings=OPS)) == {"OPS-001": Severity.ERROR}


def test_cnps_that_got_lost_on_the_way() -> None:
    def host(name: str, later: bool, sent: int, handled: int) -> Device:
        rdma = replace(RDMA, cnp_sent=sent * later, cnp_handled=handled * later)
        return with_sample(replace(gpu(), name=name), later, {}, rdma)

    def found(arrived: int) -> dict[str, Severity]:
        devices = [host("gpu01", late, 10**6, 0) for late in (False, True)]
        devices += [host("gpu02", late, 0, arrived) for late in (False, True)]
        return rules(run(devices))

    assert found(600_000) == {"OPS-007": Severity.INFO}
    assert found(950_000) == {}
    alone = [host("gpu01", late, 10**6, 0) for late in (False, True)]
    assert rules(run(alone)) == {}


CABLES = [
    Cable(PortName("leaf1", PORTS[0]), PortName("gpu17", "rail0")),
    Cable(PortName("leaf1", PORTS[1]), PortName("spine1", PORTS[0])),
    Cable(PortName("spine1", PORTS[1]), PortName("leaf2", PORTS[1])),
    Cable(PortName("leaf2", PORTS[0]), PortName("gpu01", "rail0")),
]


def storm(paused: set[tuple[str, str]], cables: list[Cable]) -> Result:
    devices = []
    for name in ("leaf1", "spine1", "leaf2"):
        for later in (False, True):
            ports = {
                port: replace(QUIET, rx_pfc=places(3, 900 * later) if (name, port) in paused else ZEROS)
                for port in PORTS
            }
            devices.append(with_sample(switch(name=name), later, ports))
    return run(devices, links=cables)


def test_the_host_where_a_pause_storm_begins() -> None:
    paused = {("leaf1", PORTS[0]), ("spine1", PORTS[0]), ("leaf2", PORTS[1])}
    (finding,) = storm(paused, CABLES).findings
    assert (finding.rule, finding.device, finding.ports) == ("OPS-010", "leaf1", (PORTS[0],))
    assert finding.message == (
        "3 ports of 3 switches were paused on priority 3, and all of it begins at gpu17 behind Ethernet1/1"
    )


@pytest.mark.parametrize(
    ("why", "paused"),
    [
        ("the leaf itself is full", {("spine1", PORTS[0]), ("leaf2", PORTS[1]), ("leaf2", PORTS[2])}),
        ("two hosts", {("leaf1", PORTS[0]), ("leaf2", PORTS[0]), ("spine1", PORTS[0]), ("leaf2", PORTS[1])}),
        ("too few", {("leaf1", PORTS[0]), ("spine1", PORTS[0])}),
    ],
)
def test_pauses_without_one_root(why: str, paused: set[tuple[str, str]]) -> None:
    assert storm(paused, CABLES).findings == (), why


def test_pauses_in_a_loop_have_no_root() -> None:
    ring = [
        Cable(PortName("leaf1", PORTS[1]), PortName("spine1", PORTS[0])),
        Cable(PortName("spine1", PORTS[1]), PortName("leaf2", PORTS[0])),
        Cable(PortName("leaf2", PORTS[1]), PortName("leaf1", PORTS[0])),
        Cable(PortName("leaf1", PORTS[2]), PortName("gpu17", "rail0")),
    ]
    around = {("leaf1", PORTS[1]), ("spine1", PORTS[1]), ("leaf2", PORTS[1])}
    assert storm(around, ring).findings == ()
    assert storm(around | {("leaf1", PORTS[2])}, ring).findings != ()
