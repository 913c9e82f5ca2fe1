"""State values in the words of a network engineer: for `parse`, `plan` and drift messages."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.render.engine import number_ranges
from rocecfg.state.model import NEVER, UNLIMITED, Amount, CodeMap, Curve, Dynamic, Ecn, Headroom, Limit

if TYPE_CHECKING:
    from collections.abc import Iterable

_UNITS = {
    "byte": "B", "kbyte": "kbytes", "mbyte": "mbytes", "cell": "cells", "packet": "packets", "segment": "segments",
    "percent": "%", "ns": "ns",
}  # fmt: skip


def number(value: Fraction | int) -> str:
    """Return a whole number as it is, a fraction with few decimals."""
    if isinstance(value, int) or value.denominator == 1:
        return str(int(value))
    return f"{float(value):.6g}"


def amount(value: Amount) -> str:
    """Return `150000 B`, or `150 kbytes (150000 B)` where the device counts in another unit."""
    unit = _UNITS[value.unit]
    text = f"{number(value.value)}%" if unit == "%" else f"{number(value.value)} {unit}"
    return f"{text} ({value.bytes} B)" if value.bytes is not None and value.unit != "byte" else text


def limit(value: Limit) -> str:
    """Return `alpha 1/8`, `alpha index 3` or a fixed amount."""
    if isinstance(value, Dynamic):
        return f"alpha {value.alpha}" if value.alpha is not None else f"alpha index {value.index}"
    return amount(value.amount)


def curve(value: Curve) -> str:
    """Return a ramp as `150000 B to 1500000 B at 10%`."""
    low, high = (amount(end) if end is not None else "?" for end in (value.low, value.high))
    text = f"{low} to {high} at {value.probability if value.probability is not None else '?'}%"
    if value.colours:
        text += f" ({', '.join(sorted(value.colours))})"
    return text if value.active is not False else f"{text} (not armed)"


def ecn(value: Ecn) -> str:
    """Return the ECN setting of a queue."""
    text = "; ".join(curve(each) for each in value.curves) if value.curves else "off"
    return f"{text} (switched off device-wide)" if value.curves and value.gate is False else text


def headroom(value: Headroom) -> str:
    """Return the headroom of a priority group and who chose it."""
    by = {"length": "from the cable length", "table": "from the image's table", "box": "worked out by the device"}
    if value.amount is None:
        return "none" if value.by == "none" else by.get(value.by, value.by)
    return f"{amount(value.amount)}, {by[value.by]}" if value.by in by else amount(value.amount)


def rate(bits: int) -> str:
    """Return bit/s as `400G` or `100M`."""
    if bits == UNLIMITED:
        return "unlimited"
    for factor, unit in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if bits >= factor:
            return f"{number(Fraction(bits, factor))}{unit}"
    return f"{bits} bit/s"


def milliseconds(value: int) -> str:
    """Return a time of the watchdog."""
    return "never" if value == NEVER else f"{value} ms"


def numbers(values: Iterable[int]) -> str:
    """Return `3,4`, or `none`."""
    return number_ranges(values) or "none"


def yes(value: bool) -> str:
    """Return `on` or `off`."""
    return "on" if value else "off"


def codes(value: CodeMap) -> str:
    """Return a DSCP or PCP map per traffic class: `26 -> 3, 48 -> 6, rest -> 0`."""
    classes = sorted({to for to in value.to if to is not None})
    whole = None not in value.to
    most = max(classes, key=lambda to: (len(value.codes(to)), -to), default=None) if whole else None
    parts = [f"{number_ranges(value.codes(to))} -> {to}" for to in classes if to != most]
    if most is not None:
        parts.append(f"rest -> {most}" if parts else f"all -> {most}")
    parts += [f"{code} -> {' and '.join(map(str, sorted(to)))} (conflict)" for code, to in value.conflicts]
    return ", ".join(parts) or "nothing"


def table(values: tuple[int | None, ...]) -> str:
    """Return a table by number as `0 -> 0, 3 -> 3`; `identity` where it is one."""
    known = {at: to for at, to in enumerate(values) if to is not None}
    if known and all(at == to for at, to in known.items()):
        return f"identity ({number_ranges(known)})"
    return ", ".join(f"{at} -> {to}" for at, to in known.items()) or "nothing"


def set_table(values: tuple[frozenset[int] | None, ...]) -> str:
    """Return a table of sets by number as `3 -> 3, 4 -> 3,4`."""
    known = {at: to for at, to in enumerate(values) if to is not None}
    if known and all(to == frozenset({at}) for at, to in known.items()):
        return f"identity ({number_ranges(known)})"
    return ", ".join(f"{at} -> {numbers(to)}" for at, to in known.items()) or "nothing"
