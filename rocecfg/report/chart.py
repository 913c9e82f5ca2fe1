"""The geometry of a drawing: axes, lines, bands and a stacked bar in pixels. Templates only print it.

Black and white must do: series differ by dash and marker and carry their name at their end, areas by pattern.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

WIDTH, HEIGHT = 860, 400
LEFT, RIGHT, TOP, BOTTOM = 78, 210, 16, 52
LABEL_GAP = 15
"""Pixels between the names of two series."""
DASHES = ("", "8 4", "2 3", "10 3 2 3", "5 5", "1 5")
MARKERS = ("disc", "square", "triangle", "ring", "cross", "none")


@dataclass(frozen=True, slots=True)
class Axis:
    """A logarithmic axis: values from `low` to `high` onto pixels from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the pixel of a value; values outside are drawn at the rim."""
        inside = min(max(value, self.low), self.high)
        part = math.log(inside / self.low) / math.log(self.high / self.low)
        return round(self.start + part * (self.end - self.start), 1)


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear axis: values from `low` to `high` onto pixels from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the pixel of a value; values outside are drawn at the rim."""
        inside = min(max(value, self.low), self.high)
        return round(self.start + (inside - self.low) / (self.high - self.low) * (self.end - self.start), 1)


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A series: its points as SVG writes them, and its name beside its end."""

    name: str
    points: str
    marks: tuple[tuple[float, float], ...]
    dash: str
    marker: str
    label_x: float
    label_y: float
    end_y: float


@dataclass(frozen=True, slots=True)
class Band:
    """A hatched area between two levels, with its name inside."""

    name: str
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Spot:
    """A point that stands for something planned. `name` says what, `label` is what fits beside it."""

    x: float
    y: float
    name: str
    label: str
    anchor: str
    label_x: float
    label_y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over two axes. `text` says the same in words, for readers without the picture."""

    key: str
    title: str
    text: str
    x_name: str
    y_name: str
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    lines: tuple[Line, ...]
    bands: tuple[Band, ...] = ()
    spots: tuple[Spot, ...] = ()
    x_scale: str = "logarithmic"
    y_scale: str = "logarithmic"
    kind: str = "chart"
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a stacked bar."""

    name: str
    value: str
    x: float
    width: float
    pattern: str
    label_x: float


@dataclass(frozen=True, slots=True)
class Bar:
    """A stacked bar of the whole."""

    key: str
    title: str
    text: str
    parts: tuple[Part, ...]
    total: str
    kind: str = "bar"
    width: int = WIDTH
    height: int = 132
    left: int = 16
    right: int = WIDTH - 16


@dataclass(slots=True)
class Plot:
    """A chart in the making."""

    x: Axis | Linear
    y: Axis | Linear
    lines: list[tuple[str, list[tuple[float, float]], bool]] = field(default_factory=list)

    def line(self, name: str, points: Sequence[tuple[float, float]], *, marked: bool = True) -> None:
        """Add a series of (x, y) values."""
        self.lines.append((name, list(points), marked))

    def drawn(self) -> tuple[Line, ...]:
        """Return the series in pixels, their names spread so that none hides another."""
        pixels = [[(self.x.at(x), self.y.at(y)) for x, y in points] for _, points, _ in self.lines]
        labels = _spread([points[-1][1] for points in pixels], self.y.end, self.y.start)
        return tuple(
            Line(
                name,
                " ".join(f"{x},{y}" for x, y in points),
                tuple(points) if marked else (),
                DASHES[number % len(DASHES)],
                MARKERS[number % len(MARKERS)] if marked else "none",
                self.x.end + 12,
                label,
                points[-1][1],
            )
            for number, ((name, _, marked), points, label) in enumerate(zip(self.lines, pixels, labels, strict=True))
        )


def plot(x_values: Iterable[float], y_values: Iterable[float]) -> Plot:
    """Return an empty plot whose axes hold all values, with room above and below."""
    xs, ys = list(x_values), [value for value in y_values if value > 0]
    return Plot(
        Axis(min(xs), max(*xs, min(xs) * 1.01), LEFT, WIDTH - RIGHT),
        Axis(min(ys) / 1.3, max(ys) * 1.3, HEIGHT - BOTTOM, TOP),
    )


def _spread(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return label positions near the wanted ones, at least LABEL_GAP apart, inside the plot."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    placed: dict[int, float] = {}
    above = top - LABEL_GAP
    for index in order:
        above = placed[index] = max(wanted[index], above + LABEL_GAP)
    below = bottom + LABEL_GAP
    for index in reversed(order):
        below = placed[index] = min(placed[index], below - LABEL_GAP)
    return [round(placed[index], 1) for index in range(len(wanted))]


def powers(low: float, high: float, base: int = 10) -> list[float]:
    """Return 1, 2 and 5 times the powers of ten within a range (or the powers of two for base 2)."""
    steps = (1, 2, 5) if base == 10 else (1,)
    first, last = math.floor(math.log(low, base)), math.ceil(math.log(high, base))
    found = [step * float(base) ** power for power in range(first, last + 1) for step in steps]
    return [value for value in found if low <= value <= high]


def even_ticks(axis: Linear, text: Callable[[float], str]) -> tuple[Tick, ...]:
    """Return four to ten ticks of a linear axis, at 1, 2 or 5 times a power of ten."""
    span = axis.high - axis.low
    rough = 10.0 ** math.floor(math.log10(span))
    step = next(rough * part for part in (1, 0.5, 0.2) if span / (rough * part) >= 4)
    first = math.ceil(axis.low / step)
    values = [step * number for number in range(first, math.floor(axis.high / step + 1e-9) + 1)]
    return tuple(Tick(axis.at(value), text(value)) for value in values)


def byte_ticks(axis: Axis | Linear) -> tuple[Tick, ...]:
    """Return the ticks of an axis of bytes."""
    values = powers(axis.low, axis.high)
    kept = values if len(values) <= 10 else [value for value in values if round(math.log10(value), 6).is_integer()]
    return tuple(Tick(axis.at(value), size_text(value)) for value in kept)


def size_text(value: float) -> str:
    """Return bytes as a person reads them: 25.7 MB, 400 kB, 512 B. One decimal below a hundred."""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if value >= factor:
            return f"{value / factor:.3g} {unit}"
    return f"{value:.3g} B"


PATTERNS = {"reserved": "solid", "headroom": "hatch", "shared": "empty"}


def bar(key: str, title: str, text: str, parts: Sequence[tuple[str, int]]) -> Bar:
    """Return a stacked bar of (name, bytes); names are of PATTERNS."""
    total = sum(size for _, size in parts) or 1
    made, x = [], 16.0
    span = WIDTH - 32
    for name, size in parts:
        width = round(span * size / total, 1)
        made.append((name, f"{size_text(size)}, {size / total:.0%}", x, width))
        x += width
    centres = [x + width / 2 for _, _, x, width in made]
    labels = _spread_across(centres, 130, 16 + 60, WIDTH - 16 - 60)
    return Bar(
        key,
        title,
        text,
        tuple(
            Part(name, value, x, width, PATTERNS[name], label)
            for (name, value, x, width), label in zip(made, labels, strict=True)
        ),
        size_text(total),
    )


def _spread_across(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    placed: list[float] = []
    before = low - gap
    for centre in wanted:
        before = max(centre, before + gap, low)
        placed.append(before)
    after = high + gap
    for index in range(len(placed) - 1, -1, -1):
        after = placed[index] = min(placed[index], after - gap)
    return [round(value, 1) for value in placed]
