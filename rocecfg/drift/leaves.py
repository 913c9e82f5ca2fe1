"""Compares two states leaf by leaf, as far as the plan cares, and says each difference in words.

A leaf takes part when the plan wanted a value for it and the system can carry one. Amounts compare in the same unit
or by bytes, limits as ratios, maps code by code, queues and priority groups by number. Where the device works a
headroom out by itself its input (the cable) is compared instead.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from rocecfg.render.engine import number_ranges
from rocecfg.report import words
from rocecfg.state.model import (
    UNLIMITED,
    Amount,
    CodeMap,
    Curve,
    Dynamic,
    Ecn,
    Headroom,
    Pfc,
    Pool,
    PortWatchdog,
    Queue,
    Static,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_BY_NUMBER = frozenset(
    {"tc_to_queue", "tc_to_pg", "priority_to_queue", "priority_to_pg", "queues", "priority_groups", "dscp_to_colour"}
)
_MADE_BY_DEVICE = frozenset({"length", "table", "box"})
_SKIPPED = frozenset({"mtu_counts", "next_boot", "name"})
NOT_SET = "not set"


class Difference(NamedTuple):
    """One leaf that is not as planned. `have` None = the capture does not say, which proves nothing by itself."""

    leaf: str
    want: str
    have: str | None
    absence: bool = False
    """The plan wants something to be off or empty."""


def differences(path: str, wanted: Any, fitted: Any, live: Any) -> Iterator[Difference]:
    """Yield every difference at and below a leaf."""
    if wanted is None or fitted is None or fitted == live:
        return
    name = path.rpartition(".")[2]
    if isinstance(fitted, tuple) and name in _BY_NUMBER:
        yield from _by_number(path, wanted, fitted, live)
    elif isinstance(fitted, CodeMap):
        yield from _code_map(path, wanted, fitted, live)
    elif isinstance(fitted, Headroom):
        yield from _headroom(path, wanted, fitted, live)
    elif live is None:
        yield Difference(path, in_words(fitted, name), None, absence=_is_absence(fitted))
    elif isinstance(fitted, Ecn):
        yield from _ecn(path, wanted, fitted, live)
    elif isinstance(fitted, Amount):
        yield from _amount(path, fitted, live)
    elif isinstance(fitted, Dynamic | Static):
        yield from _limit(path, fitted, live)
    elif (switch := _thrown(path, fitted, live)) is not None:
        yield switch
    elif is_dataclass(fitted) and type(fitted) is type(live):
        kind: Any = type(fitted)
        limit = _rate_limit(live) if isinstance(live, Queue) else ""
        if isinstance(fitted, Queue) and limit and fitted.shaper in {None, UNLIMITED}:
            yield Difference(f"{path}.shaper", in_words(UNLIMITED, "shaper"), limit)
            fitted = replace(fitted, shaper=None)
        for field in _compared(kind):
            inner = f"{path}.{field}" if path else field
            yield from differences(inner, getattr(wanted, field, None), getattr(fitted, field), getattr(live, field))
    else:
        yield Difference(path, in_words(fitted, name), in_words(live, name))


def _thrown(path: str, fitted: Any, live: Any) -> Difference | None:
    """Return the difference of a switch that is off: what it switches then is no further difference."""
    if isinstance(fitted, PortWatchdog) and fitted.enabled and live.enabled is False:
        return Difference(f"{path}.enabled", "on", "off")
    if isinstance(fitted, Pfc) and fitted.admin in {"on", "auto"} and live.admin == "off":
        return Difference(f"{path}.admin", fitted.admin, "off")
    return None


def _rate_limit(queue: Queue) -> str:
    """Return the rate limit of a live queue in words: one that the plan does not have slows the queue down unasked."""
    if queue.shaper_share is not None and queue.shaper_share < 100:
        return f"{queue.shaper_share} % of the port"
    return "" if queue.shaper in {None, UNLIMITED} else in_words(queue.shaper, "shaper")


@lru_cache(maxsize=32)
def _compared(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.compare and field.name not in _SKIPPED)


def _is_absence(value: Any) -> bool:
    """Return whether a value says "none of it": silence of a device then is no proof of a difference."""
    if isinstance(value, Ecn):
        return not value.curves
    if is_dataclass(value) and not isinstance(value, Amount | Dynamic | Static):
        return all(_is_absence(getattr(value, field.name)) for field in fields(value))
    return value is None or value is False or value in ("off", (), frozenset())


def _by_number(path: str, wanted: Any, fitted: Any, live: Any) -> Iterator[Difference]:
    for number, value in enumerate(fitted):
        want = wanted[number] if isinstance(wanted, tuple) and number < len(wanted) else None
        have = live[number] if live is not None and number < len(live) else None
        yield from differences(f"{path}.{number}", want, value, have)


def _code_map(path: str, wanted: CodeMap, fitted: CodeMap, live: CodeMap | None) -> Iterator[Difference]:
    """Yield one difference per pair of classes: `DSCP 26,30 -> 3` is wanted, `-> 0` is there."""
    codes = [code for code, to in enumerate(fitted.to) if to is not None and wanted.to[code] is not None]
    if live is None:
        if codes:
            yield Difference(path, words.codes(fitted), None)
        return
    conflicts = dict(live.conflicts)
    groups: dict[tuple[int, str | None], list[int]] = {}
    for code in codes:
        want, have = fitted.to[code], live.to[code]
        shown = " and ".join(map(str, sorted(conflicts[code]))) if code in conflicts else have
        if want is not None and (have != want or code in conflicts):
            groups.setdefault((want, None if shown is None else str(shown)), []).append(code)
    for (want, said), of in groups.items():
        names = number_ranges(of)
        yield Difference(path, f"{names} -> {want}", None if said is None else f"{names} -> {said}")


def _headroom(path: str, wanted: Headroom, fitted: Headroom, live: Headroom | None) -> Iterator[Difference]:
    device_made = fitted.by in _MADE_BY_DEVICE
    if live is None:
        if not device_made:
            yield Difference(path, words.headroom(fitted), None, absence=fitted.by == "none")
    elif device_made != (live.by in _MADE_BY_DEVICE):
        yield Difference(path, words.headroom(fitted), words.headroom(live))
    elif not device_made:
        yield from differences(path, wanted.amount or fitted.amount, fitted.amount, live.amount)


def _ecn(path: str, wanted: Ecn, fitted: Ecn, live: Ecn) -> Iterator[Difference]:
    if bool(fitted.curves) != bool(live.curves):
        yield Difference(path, words.ecn(fitted), words.ecn(live))
        return
    for curve in fitted.curves:
        like = [each for each in live.curves if each.colours == curve.colours] or _any_colour(curve, live)
        if not like:
            yield Difference(path, words.curve(curve), words.ecn(live))
        for each in like:
            yield from _curve(path, curve, each)
    for name in ("weight", "non_ect", "gate"):
        yield from differences(f"{path}.{name}", getattr(wanted, name), getattr(fitted, name), getattr(live, name))


def _any_colour(curve: Curve, live: Ecn) -> list[Curve]:
    """Return the curves that a curve for every colour is compared with, or the one for every colour."""
    return list(live.curves) if not curve.colours else [each for each in live.curves if not each.colours]


def _curve(path: str, fitted: Curve, live: Curve) -> Iterator[Difference]:
    for name, short in (("low", "kmin"), ("high", "kmax"), ("probability", "pmax")):
        value = getattr(fitted, name)
        yield from differences(f"{path}.{short}", value, value, getattr(live, name))
    if fitted.active and live.active is False:
        yield Difference(path, "armed", "not armed: its thresholds stand there, the switch that arms them does not")


def _amount(path: str, fitted: Amount, live: Amount) -> Iterator[Difference]:
    if fitted.unit == live.unit:
        same: bool | None = fitted.value == live.value
    elif fitted.bytes is not None and live.bytes is not None:
        same = fitted.bytes == live.bytes
    else:
        same = None
    if same is None:
        yield Difference(path, words.amount(fitted), None, absence=True)
    elif not same:
        yield Difference(path, words.amount(fitted), words.amount(live))


def _limit(path: str, fitted: Dynamic | Static, live: Dynamic | Static) -> Iterator[Difference]:
    if isinstance(fitted, Static) and isinstance(live, Static):
        yield from _amount(path, fitted.amount, live.amount)
    elif isinstance(fitted, Dynamic) and isinstance(live, Dynamic):
        if fitted.alpha is not None and live.alpha is not None:
            same: bool | None = fitted.alpha == live.alpha
        elif fitted.index is not None and live.index is not None:
            same = fitted.index == live.index
        else:
            same = None
        if not same:
            yield Difference(path, words.limit(fitted), None if same is None else words.limit(live), same is None)
    else:
        yield Difference(path, words.limit(fitted), words.limit(live))


def pool_differences(fitted: tuple[Pool, ...] | None, live: tuple[Pool, ...] | None) -> Iterator[Difference]:
    """Yield what differs between pools of the same name."""
    by_name = {pool.name: pool for pool in live or ()}
    for pool in fitted or ():
        have = by_name.get(pool.name)
        path = f"pools.{pool.name}"
        if have is None:
            yield Difference(path, "a pool", NOT_SET if live is not None else None)
        else:
            yield from differences(path, pool, pool, have)


def in_words(value: Any, name: str = "") -> str:
    """Return a leaf's value as a person reads it."""
    if isinstance(value, Amount):
        return words.amount(value)
    if isinstance(value, Dynamic | Static):
        return words.limit(value)
    if isinstance(value, Ecn):
        return words.ecn(value)
    if isinstance(value, bool):
        return words.yes(value)
    if isinstance(value, frozenset):
        return ", ".join(map(str, sorted(value))) or "none"
    if name in {"poll", "detect", "restore", "storm_timeout"} and isinstance(value, int):
        return words.milliseconds(value)
    if name in {"pmax", "mtu"}:
        return f"{value}%" if name == "pmax" else f"{value} B"
    if name == "rewrite":
        return ", ".join(f"{kind} {code} -> DSCP {to}" for kind, code, to in value) or "none"
    if name in {"guarantee", "shaper"} and isinstance(value, int):
        return words.rate(value)
    if isinstance(value, tuple):
        return "; ".join(in_words(item) for item in value if item is not None) or "none"
    if is_dataclass(value) and not isinstance(value, type):
        known = ((field.name, getattr(value, field.name)) for field in fields(value) if field.compare)
        return ", ".join(f"{key.replace('_', ' ')} {in_words(item, key)}" for key, item in known if item is not None)
    return f"{words.number(value)} m" if name == "cable" else str(value)
