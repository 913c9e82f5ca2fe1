"""WRED_PROFILE rows to marking and dropping curves, and back: three colours, one enable flag each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocecfg.state.model import Amount, Curve, Ecn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

COLOURS = ("green", "yellow", "red")
_MARKS = {
    "ecn_none": frozenset[str](),
    "ecn_green": frozenset({"green"}),
    "ecn_yellow": frozenset({"yellow"}),
    "ecn_red": frozenset({"red"}),
    "ecn_green_yellow": frozenset({"green", "yellow"}),
    "ecn_green_red": frozenset({"green", "red"}),
    "ecn_yellow_red": frozenset({"yellow", "red"}),
    "ecn_all": frozenset(COLOURS),
}
ECN_WORDS = {colours: word for word, colours in _MARKS.items()}


def read(row: Any, number: Callable[..., int | None]) -> tuple[Ecn | None, tuple[Curve, ...] | None]:
    """Return (marking, dropping) of a profile. A marking colour marks ECT packets and drops the others.

    `ecn` absent leaves the marking open (its default is filled in later); thresholds of a colour that does not mark
    drop every packet.
    """
    fields = row.fields
    by_colour: dict[str, Curve] = {}
    for colour in COLOURS:
        low, high = (number(fields, f"{colour}_{end}_threshold", row, low=0) for end in ("min", "max"))
        if low is None and high is None:
            continue
        flag = fields.get(f"wred_{colour}_enable")
        by_colour[colour] = Curve(
            Amount.of_bytes(low) if low is not None else None,
            Amount.of_bytes(high) if high is not None else None,
            number(fields, f"{colour}_drop_probability", row, low=0, high=100),
            frozenset({colour}),
            active=None if flag is None else str(flag).lower() == "true",
        )
    word = fields.get("ecn")
    if word is None:
        return None, None
    marks = _MARKS.get(str(word))
    if marks is None:
        number({"ecn": word}, "ecn", row)
        return None, None
    return split(by_colour, marks)


def split(by_colour: Mapping[str, Curve], marks: frozenset[str]) -> tuple[Ecn, tuple[Curve, ...]]:
    """Return the curves of the marking colours as ECN and the others as dropping curves, equal colours joined."""
    marking = join({colour: curve for colour, curve in by_colour.items() if colour in marks})
    dropping = join({colour: curve for colour, curve in by_colour.items() if colour not in marks})
    return Ecn(marking), dropping


def join(by_colour: Mapping[str, Curve]) -> tuple[Curve, ...]:
    """Return one curve for all colours that share it; a curve of every colour names none."""
    groups: dict[tuple[object, ...], list[str]] = {}
    for colour in COLOURS:
        curve = by_colour.get(colour)
        if curve is not None:
            groups.setdefault((curve.low, curve.high, curve.probability, curve.active), []).append(colour)
    return tuple(
        Curve(low, high, probability, frozenset(colours) if len(colours) < len(COLOURS) else frozenset(), active)  # type: ignore[arg-type]
        for (low, high, probability, active), colours in groups.items()
    )


def apart(curves: tuple[Curve, ...]) -> dict[str, Curve]:
    """Return the curve of each colour; the first that names a colour counts."""
    found: dict[str, Curve] = {}
    for curve in curves:
        for colour in curve.colours or COLOURS:
            if colour in COLOURS:
                found.setdefault(colour, curve)
    return found
