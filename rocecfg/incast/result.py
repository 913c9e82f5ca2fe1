"""What a run of the stepped model came to, and the samples that are drawn of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

POINTS = 320


@dataclass(slots=True)
class Run:
    """What one run came to. Microseconds, bytes; `None` = it never happened."""

    peak: float
    peak_at: float
    fill: float
    """The largest part of the way to PAUSE that any ingress group went: 1 = PAUSE goes out."""
    calm_at: float | None
    """When the queue of the first burst was down at Kmin again."""
    marked_at: float | None
    cut_at: float | None
    pause_at: float | None
    pauses: int
    paused: float
    """Part of the time that ingress ports were silenced, on average over the ports."""
    headroom: float
    """Most bytes beyond the limit in one ingress group."""
    headroom_part: float
    """The same as a part of that group's headroom."""
    headroom_total: float
    settled: float
    """Mean queue over the last fifth."""
    used: float
    """Part of the link that was used."""
    fairness: float
    """Slowest sender's bytes over the fastest's, both against equal starts; of the incast alone."""
    done_at: float | None
    """When the last message had left the switch; `None` too where senders have no end."""
    background: float
    """Part of the link that the background had."""
    series: dict[str, list[float]] = field(default_factory=dict)


class Samples:
    """What is drawn: samples at times that grow by a constant factor; the largest value of each stretch."""

    NAMES = ("queue", "arriving", "slowest", "fastest", "paused", "headroom")

    def __init__(self, steps: int, rows: int) -> None:
        ends = np.unique(np.geomspace(1, steps, min(POINTS, steps)).round().astype(int))
        self._ends = [int(end) for end in ends]
        self._at = 0
        self._kept = np.zeros((len(self.NAMES), len(self._ends), rows))

    def add(self, step: int, *values: Floats) -> None:
        if step >= self._ends[self._at]:
            self._at += 1
        for kept, value in zip(self._kept, values, strict=True):
            np.maximum(kept[self._at], value, out=kept[self._at])

    def of(self, row: int, dt: float) -> dict[str, list[float]]:
        count = self._at + 1
        made = {"time": [end * dt for end in self._ends[:count]]}
        for name, kept in zip(self.NAMES, self._kept, strict=True):
            made[name] = [float(value) for value in kept[:count, row]]
        return made
