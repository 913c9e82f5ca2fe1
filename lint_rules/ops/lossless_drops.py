"""Packets of a lossless class are dropped.

## What it finds

Between two captures of a device, drops in a lossless priority group, queue or receive buffer, or in the class that the
device itself calls RoCE (error). Drops of a port that does not tell its classes apart, where one of them is lossless,
are a warning; so are drops that a single capture shows, because nobody knows how old they are.

## Why it matters

Lossless means that RDMA need not be good at losing: a go-back-N transport sends everything again from the lost packet,
and a loss rate of 1/256 brought the goodput to zero (Guo et al., SIGCOMM 2016, section 4.1).

## What to do

Look for the first hop that drops: headroom too small for the cable (BUF-002), a peer that does not honour the pause
(PEER-001), an egress pool that is smaller than what may queue up.

- nxos: `show queuing interface IF`
- sonic: `show priority-group drop counters`, `sonic-clear priority-group drop counters`
- cumulus: `nv show interface IF counters qos`
- junos: `show interfaces queue IF`
- mlx5: `ethtool -S IF | grep -e discard -e out_of_buffer`

## When to ignore

Some SONiC switches count PFC frames as ingress discards. Drops while a PFC watchdog drops on purpose (OPS-011).

## References

- Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.1
- sonic-buildimage pull request 28764: PFC frames counted as discards
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from rocecfg.lint.api import (
    CounterPair,
    Counters,
    Given,
    Hit,
    PortQos,
    Severity,
    Unknown,
    lossless_groups,
    lossless_here,
    queues_of_priority,
)

ID, NAME, SEVERITY, PROFILE, SINCE = "OPS-001", "lossless-drops", Severity.ERROR, "safe", "0.1"
BAD = """
devices:
  - name: leaf1
    sample: {taken: "2026-01-01T00:00:00Z", ports: {Ethernet0: {pg_drops: {0: 9, 3: 80}}}}
  - name: leaf1
    sample: {taken: "2026-01-01T00:01:00Z", ports: {Ethernet0: {pg_drops: {0: 9, 3: 200}}}}
    ports:
      Ethernet0: {qos: {pfc: {admin: "on", tx: [3], rx: [3]}, priority_to_pg: {3: [3]}}}
"""
GOOD = BAD.replace("3: 200", "3: 80")

_COUNTED = (
    ("pg_drops", "priority group", "packets"),
    ("pg_drop_bytes", "priority group", "bytes"),
    ("queue_drops", "queue", "packets"),
    ("queue_drop_bytes", "queue", "bytes"),
    ("rx_priority_drops", "priority", "packets"),
)
_CURE = "find the first hop that drops: headroom, a peer that does not honour pauses, a full egress pool"


def check(pair: CounterPair, given: Given) -> Iterator[Hit | Unknown]:
    offered = False
    for counter, kind, unit in _COUNTED:
        growth = pair.growth(counter)
        offered = offered or growth.offered
        if growth.cleared:
            yield Unknown(f"drops by {kind}: cleared between the captures")
        for number, ports in sorted(growth.by_number().items(), key=str):
            lossless, missing = _lossless(pair, given, kind, number, ports)
            yield from (Unknown(what) for what in missing)
            if lossless:
                said = f"{unit} dropped in lossless {kind} {number}: {pair.tell(lossless)}"
                yield _hit(pair, lossless, f"{counter}.{number}", said, f"{kind} {number}")
    offered = (yield from _of_roce(pair, given)) or offered
    offered = (yield from _of_port(pair, given)) or offered
    if not offered:
        yield Unknown("drops by priority group or queue")


def check_now(now: Counters, given: Given) -> Iterator[Hit | Unknown]:
    for counter, kind, unit in _COUNTED:
        for number, ports in sorted(now.by_number(counter).items(), key=str):
            lossless, missing = _lossless(now, given, kind, number, ports)
            yield from (Unknown(what) for what in missing)
            if lossless:
                said = f"{unit} dropped in lossless {kind} {number} since its counters were cleared: "
                said += now.tell(lossless)
                yield _hit(now, lossless, f"{counter}.{number}", said, f"{kind} {number}", Severity.WARNING)
    for counter, side in (("roce_rx_drops", "received"), ("roce_tx_drops", "to send")):
        found = _not_lossy(now, given, now.by_number(counter).get(None, {}))
        if found:
            said = f"packets {side} of the RoCE class dropped since the counters were cleared: {now.tell(found)}"
            yield _hit(now, found, counter, said, "RoCE class", Severity.WARNING)


def _of_roce(pair: CounterPair, given: Given) -> Generator[Hit | Unknown, None, bool]:
    """Judge the class that the device calls RoCE; return whether it counts its drops."""
    offered = False
    for counter, side, table in (("roce_rx_drops", "received", "pg"), ("roce_tx_drops", "to send", "queue")):
        growth = pair.growth(counter)
        offered = offered or growth.offered
        told = pair.growth(f"{table}_drops").ports.keys() | pair.growth(f"{table}_drop_bytes").ports.keys()
        alone = {port: count for port, count in growth.by_number().get(None, {}).items() if port not in told}
        found = _not_lossy(pair, given, alone)
        if found:
            certain = all(lossless_here(pair.qos(port), given) for port in found)
            said = f"packets {side} of the RoCE class dropped: {pair.tell(found)}"
            yield _hit(pair, found, counter, said, "RoCE class", None if certain else Severity.WARNING)
    return offered


def _of_port(pair: CounterPair, given: Given) -> Generator[Hit | Unknown, None, bool]:
    """Judge ports that do not tell their classes apart; return whether there are any."""
    growth, told = pair.growth("rx_buffer_drops"), pair.growth("rx_priority_drops")
    found = {
        port: count
        for port, count in growth.by_number().get(None, {}).items()
        if told.total(port) is None and lossless_here(pair.qos(port), given)
    }
    if found:
        said = "packets dropped for want of ingress buffer, of whatever class, on a port with a lossless one: "
        yield _hit(pair, found, "rx_buffer_drops", said + pair.tell(found), "", Severity.WARNING)
    return growth.offered


def _not_lossy(subject: CounterPair | Counters, given: Given, ports: dict[str, int]) -> dict[str, int]:
    """Return the ports that are not known to be lossy altogether."""
    return {port: count for port, count in ports.items() if lossless_here(subject.qos(port), given) != frozenset()}


def _lossless(
    subject: CounterPair | Counters, given: Given, kind: str, number: int | None, ports: dict[str, int]
) -> tuple[dict[str, int], set[str]]:
    """Return the ports where the priority group, queue or priority is lossless, and what is not known of others."""
    found, missing = {}, set()
    for port, count in ports.items():
        qos = subject.qos(port)
        priorities = lossless_here(qos, given)
        if priorities is None:
            missing.add("the lossless priorities of ports that drop packets")
            continue
        numbers = _numbers(qos, kind, priorities)
        if numbers is None:
            missing.add(f"the {kind} of the lossless priorities")
        elif number in numbers:
            found[port] = count
    return found, missing


def _numbers(qos: PortQos | None, kind: str, priorities: frozenset[int]) -> frozenset[int] | None:
    """Return the priority groups or queues of priorities, None when a map is not known."""
    if kind == "priority" or not priorities:
        return priorities
    if qos is None:
        return None
    of = lossless_groups if kind == "priority group" else queues_of_priority
    found = [of(qos, priority) for priority in priorities]
    known = [numbers for numbers in found if numbers is not None]
    return frozenset().union(*known) if len(known) == len(found) else None


def _hit(
    subject: CounterPair | Counters,
    found: dict[str, int],
    counter: str,
    said: str,
    what: str,
    severity: Severity | None = None,
) -> Hit:
    place = subject.where(found, counter)
    return Hit(said, _CURE, object=what, ports=tuple(found), place=place, severity=severity)
