"""What several watchdog rules ask: the times of a port, what systems accept, and which times betray another unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocecfg.state.model import PortQos

WATCHDOG_RANGES: dict[str, dict[str, tuple[int, int]]] = {
    "sonic": {"detection": (100, 5000), "restoration": (100, 60_000)},
}
"""Milliseconds a system accepts and refuses outside (sonic-swss pfcwdorch.h); systems that count polls are not here."""

SHORTEST_TIME = 10
LONGEST_DETECTION = 10_000
"""Milliseconds: a tenth of the least and twice the most that SONiC accepts (100 ms, 5 s)."""


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
