"""The WRED curves of each queue: a table applied to the port, or lines of the port itself; ECN turns drops to marks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import Amount, Curve, Ecn, Queue, Where

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vendors.h3c.config import Config, Interface, WredQueue, WredTable

_CONFIG = load_module(Path(__file__).with_name("config.py"))
COLOURS: tuple[str, ...] = _CONFIG.COLOURS
TABLE_DEFAULT = (100, 1000, 10)
"""Low limit, high limit and percent of every queue of a table just made (Comware 7)."""
LEARNT = Ecn((Curve(None, None, None, frozenset(COLOURS)),))
"""A queue whose thresholds AI ECN moves. All three colours named apart from "every colour": no default fills it in."""

ByColour = dict[str, tuple[int | None, int | None, int | None]]


def table_of(config: Config, port: Interface) -> WredTable | None:
    """Return the WRED table that is applied to a port, None where there is none or the text does not define it."""
    applied = port.settings.get("wred")
    return config.tables.get(applied[0]) if applied is not None else None


def with_curves(config: Config, port: Interface, queues: Mapping[int, Queue], *, whole: bool) -> dict[int, Queue]:
    """Return the queues with their curves.

    A table drops on each of its eight queues, with its default limits where it states none: of a text that is not cut
    off that is known, the numbers are left to the defaults.
    """
    found = dict(queues)
    table = table_of(config, port)
    lines: dict[int, WredQueue] = dict(port.wred.queues)
    if table is not None:
        lines = {**table.queues, **lines}
        for number in range(8) if whole else ():
            if number not in lines:
                found[number] = replace(found.get(number) or Queue(), wred=(Curve(None, None, None),))
    for number, wred in lines.items():
        found[number] = _with_curve(found.get(number) or Queue(), wred, by_table=table is not None, whole=whole)
    for number in config.learnt:
        if number in found and found[number].ecn is not None:
            found[number] = replace(found[number], ecn=replace(LEARNT, weight=found[number].ecn.weight), wred=())  # type: ignore[union-attr]
    return found


def _with_curve(queue: Queue, wred: WredQueue, *, by_table: bool, whole: bool) -> Queue:
    limits: ByColour = {colour: limit[:3] for colour, limit in wred.limits.items()}
    if by_table and whole:
        limits = {colour: limits.get(colour, (None, None, None)) for colour in COLOURS}
    made = curves(limits)
    if wred.ecn:
        return replace(
            queue, ecn=Ecn(made or (Curve(None, None, None),), weight=wred.weight[0] if wred.weight else None), wred=()
        )
    return replace(queue, wred=made) if made else queue


def curves(limits: ByColour) -> tuple[Curve, ...]:
    """Return the curves of a queue: one for every colour where all are alike, else one for each different limit."""
    alike: dict[tuple[int | None, int | None, int | None], list[str]] = {}
    for colour in COLOURS:
        if colour in limits:
            alike.setdefault(limits[colour], []).append(colour)
    every = len(alike) == 1 and len(limits) == len(COLOURS)
    return tuple(
        Curve(_cells(low), _cells(high), percent, frozenset() if every else frozenset(names))
        for (low, high, percent), names in alike.items()
    )


def by_colour(made: tuple[Curve, ...]) -> ByColour:
    """Return the limits of each colour, the other way round."""
    limits: ByColour = {}
    for curve in made:
        for colour in curve.colours or COLOURS:
            limits[colour] = (_count(curve.low), _count(curve.high), curve.probability)
    return limits


def filled(made: tuple[Curve, ...]) -> tuple[Curve, ...]:
    """Return curves with the defaults of a table in place of what is not stated; learnt ones stay as they are."""
    if made == LEARNT.curves or all(None not in (curve.low, curve.high, curve.probability) for curve in made):
        return made
    limits = by_colour(made)
    return curves(
        {
            colour: tuple(own if own is not None else known for own, known in zip(limit, TABLE_DEFAULT, strict=True))  # type: ignore[misc]
            for colour, limit in limits.items()
        }
    )


def _cells(value: int | None) -> Amount | None:
    return None if value is None else Amount(value, "cell")


def _count(amount: Amount | None) -> int | None:
    return None if amount is None else int(amount.value)


LEAVES = tuple(f"queues.{number}.{leaf}" for number in range(8) for leaf in ("ecn", "wred"))
"""The leaves that a table decides by being applied."""


def places(config: Config, table: WredTable | None) -> dict[str, Where]:
    """Return the lines of a table, or of a port's own WRED, that decide ECN and the curves of each queue."""
    decided: dict[str, Where] = {}
    for number, wred in table.queues.items() if table is not None else ():
        line = next((limit[3] for limit in wred.limits.values()), wred.ecn)
        if line:
            decided[f"queues.{number}.ecn"] = decided[f"queues.{number}.wred"] = config.where(line)
        if wred.weight is not None and wred.weight[1]:
            decided[f"queues.{number}.ecn.weight"] = config.where(wred.weight[1])
    return decided
