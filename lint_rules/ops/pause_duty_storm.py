"""A port is kept from sending all the time.

## What it finds

Between two captures, a priority that was paused for more than 99 percent of the time and sent nothing, while packets
wait in its queue (or the device does not show how many).

## Why it matters

Congestion pauses for microseconds at a time. A peer that pauses without end is broken, or part of a deadlock, and it
stops everybody who sends to it: the queue behind this port fills, its switch pauses the next one.

## What to do

Isolate the port: look at the device behind it (a hung host, a NIC out of buffers), reset it, and turn on the PFC
watchdog so that the switch does this by itself next time.

- sonic: `show pfc counters --history`, `show pfcwd stats`
- mlx5: `ethtool -S IF | grep -e prio3_pause -e pause_storm`; the switch behind this port pauses it

## When to ignore

While a PFC watchdog already drops the queue: OPS-011 says so.

## References

- sonic-swss pull request 3036: the condition of storm detection
- Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.3
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import (
    CounterPair,
    Given,
    Growth,
    Hit,
    Option,
    Severity,
    Unknown,
    gaps,
    queues_of_priority,
    worst_port,
)

ID, NAME, SEVERITY, PROFILE, SINCE = "OPS-003", "pause-duty-storm", Severity.ERROR, "safe", "0.1"
OPTIONS = {"least-percent": Option(99, "percent of the time paused from which on it is a storm")}
BAD = """
devices:
  - name: leaf1
    sample:
      taken: "2026-01-01T00:00:00Z"
      ports: {Ethernet0: {rx_paused: {3: 0}, queue_packets: {3: 70}}}
  - name: leaf1
    sample:
      taken: "2026-01-01T00:01:00Z"
      ports: {Ethernet0: {rx_paused: {3: 59900000000}, queue_packets: {3: 70}, queue_depth: {3: 123552}}}
    ports:
      Ethernet0: {qos: {priority_to_queue: {3: [3]}}}
"""
GOOD = BAD.replace("59900000000", "1200000000")

_NANOSECONDS = 1_000_000_000


def check(pair: CounterPair, given: Given) -> Iterator[Hit | Unknown]:
    paused = pair.growth("rx_paused")
    if not paused.offered and not pair.pfc("rx").by_number():
        return
    yield from gaps(paused, "the time that ports were paused")
    if not paused.offered:
        return
    if not pair.seconds:
        yield Unknown("when the captures were taken")
        return
    sent, queues = pair.growth("tx_priority_packets"), pair.growth("queue_packets")
    for priority, ports in sorted(paused.by_number().items(), key=str):
        storms: dict[str, int] = {}
        for port, nanoseconds in ports.items():
            percent = nanoseconds * 100 / (pair.seconds * _NANOSECONDS)
            if priority is None or percent <= given.options.least_percent:
                continue
            packets = _packets(pair, port, priority, sent, queues)
            if packets is None:
                yield Unknown("the packets sent on a priority that was paused all the time")
            elif packets == 0 and not _empty(pair, port, priority):
                storms[port] = min(nanoseconds, int(pair.seconds * _NANOSECONDS))
        if storms:
            worst = storms[worst_port(storms)] / _NANOSECONDS
            yield Hit(
                f"priority {priority} was paused for {worst:.1f} s of {pair.seconds:g} s and sent nothing",
                "isolate the device behind the port: it, or what it waits for, is stuck",
                object=f"priority {priority}",
                ports=tuple(storms),
                place=pair.where(storms, f"rx_paused.{priority}"),
            )


def _packets(pair: CounterPair, port: str, priority: int, sent: Growth, queues: Growth) -> int | None:
    """Return the packets that a priority sent, None when nobody counts them."""
    by_priority = sent.at(port, priority)
    if by_priority is not None:
        return by_priority
    qos = pair.qos(port)
    found = [queues.at(port, queue) for queue in (queues_of_priority(qos, priority) if qos is not None else None) or ()]
    known = [packets for packets in found if packets is not None]
    return sum(known) if known and len(known) == len(found) else None


def _empty(pair: CounterPair, port: str, priority: int) -> bool:
    """Return whether the queues are known to hold nothing: then nobody was kept waiting."""
    qos, depth = pair.qos(port), pair.later.ports[port].queue_depth
    queues = queues_of_priority(qos, priority) if qos is not None else None
    return bool(depth and queues) and all(depth[queue] == 0 for queue in queues or () if depth is not None)
