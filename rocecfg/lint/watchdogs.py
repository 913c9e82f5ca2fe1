"""What several watchdog rules ask: the times of a port, what systems accept, and which times betray another unit."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from rocecfg.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocecfg.state.model import PortQos

SHORTEST_TIME = 10
LONGEST_DETECTION = 10_000
"""Milliseconds: a tenth of the least and twice the most that SONiC accepts (100 ms, 5 s)."""


@cache
def accepted_times(nos: str) -> dict[str, tuple[int, int]]:
    """Return the milliseconds a system accepts for "detection" and "restoration"; polls are left out.

    They stand in the `limits.yaml` of the system's folder; a system nobody knows accepts what it likes.
    """
    from rocecfg.vendor.timers import watchdog_ranges

    try:
        ranges = watchdog_ranges(nos)
    except UsageError:
        return {}
    words = {"detection": ranges["detect"], "restoration": ranges["restore"]}
    return {
        word: (span.low, span.high)
        for word, span in words.items()
        if span.unit == "ms" and span.low is not None and span.high is not None
    }


class WatchdogTime(NamedTuple):
    """One time of a watchdog that is not off: its word, milliseconds (or NEVER) and leaf."""

    word: str
    value: int
    leaf: str


def watchdog_times(qos: PortQos) -> Iterator[WatchdogTime]:
    """Yield the detection and restoration time of a port's watchdog, where the text gives them."""
    watchdog = qos.watchdog
    if watchdog is None or watchdog.enabled is False:
        return
    if watchdog.detect is not None:
        yield WatchdogTime("detection", watchdog.detect, "watchdog.detect")
    if watchdog.restore is not None:
        yield WatchdogTime("restoration", watchdog.restore, "watchdog.restore")


def other_unit(time: WatchdogTime, shortest: int = SHORTEST_TIME, longest: int = LONGEST_DETECTION) -> bool:
    """Return whether a time can only have been meant in another unit than milliseconds."""
    return 0 < time.value <= shortest or (time.word == "detection" and time.value > longest)
