"""The numbers that decide, each with who says so. `thresholds` of acceptance.json overrides them by name."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocecfg.acceptance.model import FILE, Threshold, read
from rocecfg.errors import ReadError, UsageError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

DEFAULTS: dict[str, tuple[float, str, str]] = {
    "pair_share": (
        0.90,
        "share of what the line carries as RDMA payload, of a pair alone",
        "AMD reference of Pollara 400G, about 390 Gb/s, is 0.99 of it; 0.90 is the lower end of what is usually asked",
    ),
    "bisection_share": (0.80, "the same with all hosts at once", "rule of thumb; ECMP collisions take the rest"),
    "incast_share": (0.90, "of the receiver's line, by all senders together", "rule of thumb"),
    "incast_fairness": (0.50, "the slowest sender against the mean", "rule of thumb"),
    "collective_share": (0.80, "of a host's lines together, by the bus bandwidth", "rule of thumb"),
    "spread": (0.05, "a pair below the median of its equals by more than this", "rule of thumb"),
    "latency_spread": (0.10, "a pair above the median of its equals by more than this", "rule of thumb"),
    "latency_slack_us": (0.5, "microseconds that a pair may exceed the median by in any case", "rule of thumb"),
    "latency_same_leaf_us": (5.0, "half a round trip through one switch", "rule of thumb: NICs take 2, a switch 1"),
    "latency_across_spines_us": (10.0, "half a round trip through three switches", "rule of thumb"),
    "class_share": (0.90, "of a flow's packets that must be counted in its priority", "the rest is left to rounding"),
    "overhead_bytes": (
        82.0,
        "bytes on the wire beside the payload of a RoCEv2 packet",
        "preamble, gap, Ethernet, IPv4, UDP, BTH, ICRC, FCS",
    ),
    "pause_share": (0.25, "of a step that a port may be paused", "rule of thumb"),
}


def of_plan(folder: Path) -> dict[str, Threshold]:
    """Return the thresholds that a plan in this folder is written with: ours, but what somebody changed there stays.

    Raises ReadError where a plan stands there that cannot be read: what was changed in it would be lost.
    """
    ours = {name: Threshold(value=value, reason=about, source=why) for name, (value, about, why) in DEFAULTS.items()}
    if not (folder / FILE).exists():
        return ours
    try:
        before = read(folder / FILE).thresholds
    except ReadError as error:
        raise ReadError(f"{error}; mend or move it: its thresholds would be lost") from error
    return ours | {name: given for name, given in before.items() if given.value != ours.get(name, given).value}


def settle(given: Mapping[str, Threshold]) -> dict[str, float]:
    """Return every number, with the plan's in place of ours. Raises UsageError for a name or value that cannot be."""
    values = {name: value for name, (value, _, _) in DEFAULTS.items()}
    for name, threshold in given.items():
        if name not in values:
            raise UsageError(f'no threshold is called "{name[:80]}"{did_you_mean(name, DEFAULTS)}')
        if not math.isfinite(threshold.value) or threshold.value < 0:
            raise UsageError(f"threshold {name}: {threshold.value} is no limit")
        values[name] = threshold.value
    return values
