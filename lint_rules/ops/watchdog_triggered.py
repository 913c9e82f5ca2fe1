"""The PFC watchdog found a stalled queue.

## What it finds

Between two captures, a queue whose count of detected storms grew, or one that is stalled in both; a NIC that stopped
pausing by itself because it had paused too long (errors). In a single capture, a queue that is stalled at that moment
(a warning: the next look may find it restored).

## Why it matters

The watchdog dropped the packets of that queue, lossless or not, because the peer paused without end. It contains the
damage; the cause is still there.

## What to do

Find the device that pauses (OPS-010), and look at it: a hung host, a NIC out of buffers, a deadlock between switches.

- nxos: `show queuing pfc-queue`
- sonic: `show pfcwd stats`
- cumulus: `nv show interface IF qos pfc-watchdog`
- mlx5: `ethtool -S IF | grep pause_storm`

## When to ignore

A storm that was made on purpose to test the watchdog.

## References

- SONiC PFC watchdog design; sonic-buildimage issue 8483
- Linux kernel commits 2afa609f5c97 and 2fcb12df7d2f (mlx5 PFC stall prevention)
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import CounterPair, Counters, Given, Hit, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "OPS-011", "watchdog-triggered", Severity.ERROR, "min", "0.1"
BAD = """
devices:
  - {name: leaf1, sample: {taken: "2026-01-01T00:00:00Z", ports: {Ethernet0: {storms: {3: 3}, stormed: []}}}}
  - {name: leaf1, sample: {taken: "2026-01-01T00:10:00Z", ports: {Ethernet0: {storms: {3: 5}, stormed: []}}}}
"""
GOOD = BAD.replace("{3: 5}", "{3: 3}")

_CURE = "find the device that pauses without end behind the port"


def check(pair: CounterPair, given: Given) -> Iterator[Hit | Unknown]:
    storms, nics = pair.growth("storms"), pair.growth("nic_storms")
    if storms.cleared or nics.cleared:
        yield Unknown("storms: cleared between the captures")
    grown = storms.by_number()
    for queue, ports in sorted(grown.items(), key=str):
        said = f"storms that the PFC watchdog found: {pair.tell(ports)}"
        place = pair.where(ports, f"storms.{queue}")
        yield Hit(said, _CURE, object=f"queue {queue}", ports=tuple(ports), place=place)
    for queue in range(8):
        for still in (True, False):
            found = [
                name
                for name, port in pair.later.ports.items()
                if queue in (port.stormed or ()) and name not in grown.get(queue, {})
                if (queue in (_before(pair, name) or ())) is still
            ]
            if found:
                said = "the PFC watchdog reports the queue as stalled"
                said += f" in both captures{_apart(pair)}" if still else ""
                yield _stalled(pair.later.ports[found[0]].where(f"stormed.{queue}"), said, queue, found, still=still)
    hosts = nics.by_number().get(None, {})
    if hosts:
        said = f"times that the NIC stopped pausing because it had paused too long: {pair.tell(hosts)}"
        place = pair.where(hosts, "nic_storms")
        yield Hit(said, "find out why the host takes no packets", ports=tuple(hosts), place=place)


def check_now(now: Counters, given: Given) -> Iterator[Hit | Unknown]:
    for queue in range(8):
        found = [name for name, port in now.sample.ports.items() if queue in (port.stormed or ())]
        if not found:
            continue
        first = now.sample.ports[found[0]]
        count = first.storms[queue] if first.storms is not None else None
        told = f" (storms found so far: {count})" if count is not None and len(found) == 1 else ""
        said = f"the PFC watchdog reports the queue as stalled{told}"
        yield _stalled(first.where(f"stormed.{queue}"), said, queue, found, still=False)


def _stalled(place: object, said: str, queue: int, found: list[str], *, still: bool) -> Hit:
    return Hit(
        said,
        _CURE,
        object=f"queue {queue}",
        ports=tuple(found),
        place=place,  # type: ignore[arg-type]
        severity=None if still else Severity.WARNING,
    )


def _before(pair: CounterPair, port: str) -> frozenset[int] | None:
    earlier = pair.earlier.ports.get(port)
    return earlier.stormed if earlier is not None else None


def _apart(pair: CounterPair) -> str:
    return f", {pair.seconds:g} s apart" if pair.seconds is not None else ""
