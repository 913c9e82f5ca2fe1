"""Resolves the egress queues of a port: scheduling modes, ETS groups, drop profiles, ECN and AI ECN."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Amount, Curve, Ecn, Queue, eight

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.model import Pfc, Where
    from vendors.huawei.config import Config, DropProfile, EtsProfile, Ramp

_HERE = Path(__file__)
_FAMILY = load_module(_HERE.with_name("family.py"))
NO_DROPS = (100, 100)
"""Low and high percent of a colour curve that never drops below the end of the queue: the default of a profile."""


def queues(
    config: Config, stated: Mapping[str, tuple[Any, int]], pfc: Pfc | None, places: dict[str, Where]
) -> tuple[Queue | None, ...] | None:
    """Return the queues of which a line says something."""
    ets = config.ets_profiles.get(stated["ets"][0]) if "ets" in stated else None
    found = {number: _queue(config, stated, number, ets, places) for number in range(8)}
    if pfc is not None and pfc.admin in {"on", "auto"} and config.value("ai-ecn"):
        for number in config.ai_queues:
            if pfc.tx is None or number in pfc.tx:  # AI ECN works on the lossless queues of a port
                places[f"queues.{number}.ecn"] = config.where(config.ai_queues[number])
                found[number] = replace(found[number], ecn=Ecn((Curve(None, None, None),)))
    kept = {number: queue for number, queue in found.items() if queue != Queue()}
    return eight(kept) if kept else None


def _queue(
    config: Config, stated: Mapping[str, tuple[Any, int]], number: int, ets: EtsProfile | None, places: dict[str, Where]
) -> Queue:
    value = {
        name: stated[f"{name} {number}"][0]
        for name in ("mode", "weight", "shaper", "limit")
        if f"{name} {number}" in stated
    }
    scheduler, weight = _mode(value.get("mode"), value.get("weight"))
    if ets is not None:
        scheduler, weight = _of_group(ets, number)
        group = ets.group_of[number]
        places[f"queues.{number}.scheduler"] = config.where(ets.lines.get(group, ets.number))
    ecn, wred = _marking(config, stated, number, places)
    rate = value.get("shaper")
    shaper = _shaper(rate, stated)
    return Queue(
        scheduler=scheduler,  # type: ignore[arg-type]
        weight=weight,
        weight_kind="relative" if weight is not None or (ets is not None and scheduler == "weighted") else None,
        shaper=shaper,
        shaper_share=int(rate[1]) if shaper is None and isinstance(rate, tuple) else None,
        limit=value.get("limit"),
        ecn=ecn,
        wred=wred,
    )


def _shaper(rate: Any, stated: Mapping[str, tuple[Any, int]]) -> int | None:
    """Return a rate limit in bit/s; one in percent needs the speed of the port."""
    if not isinstance(rate, tuple):
        return rate  # type: ignore[no-any-return]
    speed = next((stated[name][0] for name in ("speed", "transceiver", "type") if name in stated), None)
    return None if speed is None else int(speed) * int(rate[1]) // 100


def _mode(mode: str | None, weight: int | None) -> tuple[str | None, int | None]:
    """Return scheduler and weight of a mode. LPQ is served when all others are empty: a share of nothing."""
    if mode == "pq":
        return "strict", None
    if mode == "lpq":
        return "weighted", 0
    return ("weighted", weight) if mode in {"drr", "wfq"} else (None, None)


def _of_group(ets: EtsProfile, number: int) -> tuple[str, int | None]:
    """Return scheduler and weight of a queue in its priority group.

    The weight is the group's: a queue alone in its group has all of it, of several nobody tells the parts.
    """
    group = ets.group_of[number]
    if ets.groups.get(group, "drr") == "pq":
        return "strict", None
    alone = sum(other == group for other in ets.group_of.values()) == 1
    return "weighted", ets.weights.get(group) if alone else None


def _marking(
    config: Config, stated: Mapping[str, tuple[Any, int]], number: int, places: dict[str, Where]
) -> tuple[Ecn | None, tuple[Curve, ...] | None]:
    """Return the marking and the dropping curves of a queue."""
    switch, bound = stated.get(f"ecn {number}"), stated.get(f"wred {number}")
    profile = config.drop_profiles.get(bound[0]) if bound is not None else None
    leaf = f"queues.{number}.ecn"
    line = bound or switch
    if line is not None:
        places[leaf] = places[f"queues.{number}.wred"] = config.where(line[1])
    on = switch is not None and switch[0]
    if profile is None:
        return (Ecn() if switch is not None and not on else None), None
    drops = tuple(
        _curve(ramp, frozenset({colour}))
        for colour, ramp in sorted(profile.colours.items())
        if (ramp.low, ramp.high) != NO_DROPS or ramp.unit != "percent"
    )
    marks = _marks(config, profile, drops, on=on)
    if profile.ecn is not None:
        places[leaf] = config.where(profile.ecn.number)
    elif profile.colours and marks is not None and marks.curves:
        places[leaf] = config.where(min(ramp.number for ramp in profile.colours.values()))
        return marks, ()
    return marks, drops


def _marks(config: Config, profile: DropProfile, drops: tuple[Curve, ...], *, on: bool) -> Ecn | None:
    """Return the marking of a queue with a drop profile.

    Before V300 a profile has no `ecn` line: with `qos queue N ecn` its colour curves mark instead of dropping.
    """
    if profile.ecn is not None:
        return Ecn((_curve(profile.ecn, frozenset(), active=on),), weight=profile.weight)
    newer = config.version.startswith("V3") or _FAMILY.of_config(config) in {"A", "B"}
    return Ecn(drops, weight=profile.weight) if on and drops and not newer else None


def _curve(ramp: Ramp, colours: frozenset[str], *, active: bool = True) -> Curve:
    return Curve(_amount(ramp.low, ramp.unit), _amount(ramp.high, ramp.unit), ramp.probability, colours, active)


def _amount(value: int, unit: str) -> Amount:
    return Amount(value, unit, value if unit == "byte" else None)  # type: ignore[arg-type]
