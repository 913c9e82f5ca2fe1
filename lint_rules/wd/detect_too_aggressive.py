"""The watchdog fires at ordinary congestion.

## What it finds

A detection time below 100 ms (option `least`), or below 20 times (option `drains`) what the port needs to drain the
whole shared buffer. Values that the system refuses are WD-004's, values in the wrong unit WD-014's.

## Why it matters

A port may be paused legitimately as long as the congested buffer behind it drains: some milliseconds. A watchdog of 10
ms in software mistakes that for a storm, drops the queue, and the application sees losses in a lossless class.

## What to do

Detect after 100 to 400 ms.

- nxos: more polls to a detection (the shutdown multiplier)
- sonic: `config pfcwd start --action drop all 400 --restoration-time 400`
- cumulus: `nv set qos pfc-watchdog robustness 3`
- junos: `detection 2` and `poll-interval 100` under `pfc-watchdog`

## When to ignore

Hardware detection in the millisecond class that you validated on that chip.

## References

- sonic-swss pull request 3036: false alarms
- Drain time: 64 MB at 100G take 5 ms
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rocecfg.lint.api import NEVER, Given, Hit, Option, Port, Severity
from rocecfg.lint.buffers import groups_of, most_bytes, pool_named, size_text
from rocecfg.lint.watchdogs import accepted_times, other_unit, watchdog_times

ID, NAME, SEVERITY, PROFILE, SINCE = "WD-005", "detect-too-aggressive", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {
    "least": Option(100, "milliseconds below which congestion is mistaken for a storm"),
    "drains": Option(20, "times the drain time of the shared buffer that detection must last"),
}
GOOD = """
device:
  name: leaf1
  ports:
    et-0/0/0: {qos: {watchdog: {enabled: true, priorities: [3], poll: 20, detect: 200, restore: 400}}}
"""
BAD = GOOD.replace("detect: 200", "detect: 50")


def check(port: Port, given: Given) -> Iterator[Hit]:
    for time in watchdog_times(port.qos):
        if time.word != "detection" or time.value == NEVER or other_unit(time):
            continue
        low, _ = accepted_times(given.device.nos if given.device is not None else "").get(time.word, (0, 0))
        if time.value < low:
            continue  # WD-004
        drain = _drain_time(port, given)
        if time.value < given.options.least:
            yield _hit(f"{time.value} ms, less than {given.options.least} ms", given.options.least)
        elif drain is not None and time.value < given.options.drains * drain[0]:
            yield _hit(
                f"{time.value} ms, less than {given.options.drains} times the {float(drain[0]):.3g} ms that the port needs "
                f"to drain {size_text(drain[1])}",
                int(given.options.drains * drain[0]) + 1,
            )


def _drain_time(port: Port, given: Given) -> tuple[Fraction, Fraction] | None:
    """Return milliseconds to drain the lossless pool at the port's speed, and its bytes; None when not known."""
    speed = port.line_rate
    groups = [group for priority in port.qos.lossless_priorities() or () for group in groups_of(port.qos, priority)]
    pools = [pool_named(given.device, group.pool) for group in groups]
    sizes = [size for pool in pools if pool is not None and (size := most_bytes(pool.total)) is not None]
    return (max(sizes) * 8 * 1000 / speed, max(sizes)) if sizes and speed else None


def _hit(what: str, least: int) -> Hit:
    return Hit(
        f"the watchdog detects a storm after {what}", f"detect after {least} ms or more", "watchdog.detect", "watchdog"
    )
