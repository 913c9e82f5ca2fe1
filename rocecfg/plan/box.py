"""A planned switch as a whole: the chip it has, whether its buffer holds all headroom, what is left to share."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.errors import PlanError
from rocecfg.physics.pool import Budget, groups
from rocecfg.plan.demand import DEFAULT_CABLE, demand_of, headroom_of
from rocecfg.units import print_length, print_rate

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.intent.fabric import FabricDevice, FabricPort
    from rocecfg.intent.settings import Settings
    from rocecfg.physics.chip import Chip
    from rocecfg.plan.classes import PlannedClass


@dataclass(frozen=True, slots=True)
class Box:
    """A switch's buffer. `budget` is None where the chip's memory is not known."""

    chip: Chip | None = None
    budget: Budget | None = None
    where: str = ""
    """Who says how much memory the chip has."""
    notes: tuple[str, ...] = ()


def box_of(
    chip: Chip | None,
    device: FabricDevice,
    settings: Callable[[str], Settings],
    classes: tuple[PlannedClass, ...],
    own: Settings,
) -> Box:
    """Return the box of a device: chip, budget and what to know about it.

    Raises PlanError when the chip's memory is certain and does not hold the headroom.
    """
    if chip is None or device.kind == "host":
        return Box(chip)
    memory, fact = chip.memory()
    missing = _missing_speeds(chip, device)
    if memory is None:
        unknown = f"the memory of {chip.shown} is not public: whether all headroom fits is not checked"
        return Box(chip, notes=(*missing, unknown))
    lossless = sum(item.of.lossless for item in classes)
    reserved = chip.whole("reserved") or chip.whole("pipeline_latency") or 0
    kinds: dict[tuple[int, int, int | Fraction], tuple[Settings, int]] = {}
    for name, port in device.ports.items():
        of_port = settings(name)
        if port.speed is not None and of_port.pfc_mode.value != "off":
            key = (id(of_port), port.speed, _metres(port))
            kinds[key] = (of_port, kinds.get(key, (of_port, 0))[1] + lossless)
    asked = groups(
        (count, f"{print_rate(speed)}, {print_length(metres)}", _headroom(chip, of_port, speed, metres), reserved)
        for (_, speed, metres), (of_port, count) in kinds.items()
        if count
    )
    budget = Budget(memory, asked, _ratio(own))
    where = f"[{chip.facts[fact].mark}] {chip.facts[fact].source}"
    certain = fact == "usable" and chip.is_seen(fact)
    if budget.groups and not budget.fits and certain:
        raise PlanError(
            f"{device.place.file}:{device.place.line}:{device.place.column}: {device.name} ({chip.shown}) does not hold"
            f" its headroom: {budget.refusal()}"
        )
    return Box(chip, budget, where, (*missing, *_notes(chip, budget, where)))


def _missing_speeds(chip: Chip, device: FabricDevice) -> tuple[str, ...]:
    """Return a note for each port speed that the chip is not known to have."""
    known = chip.speeds()
    used = sorted({port.speed for port in device.ports.values() if port.speed is not None})
    return tuple(
        f"{chip.shown} is not known to have ports of {print_rate(rate)}: {', '.join(f'{speed}G' for speed in known)}"
        for rate in used
        if known and rate not in {speed * 10**9 for speed in known}
    )


def _ratio(own: Settings) -> Fraction:
    """Return the over-subscription of the headroom pool, 1 where nobody states one."""
    return max(Fraction(own.buffer_oversubscription.or_else(Fraction(1))), Fraction(1))


def _metres(port: FabricPort) -> int | Fraction:
    return DEFAULT_CABLE if port.cable_m is None else port.cable_m


def _headroom(chip: Chip, settings: Settings, rate: int, metres: int | Fraction) -> int:
    if settings.pfc_headroom.value is not None:
        return settings.pfc_headroom.value
    return int(headroom_of(chip, demand_of(settings, rate, metres, host=False)).value)


def _notes(chip: Chip, budget: Budget, where: str) -> list[str]:
    notes = []
    if budget.groups and not budget.fits:
        notes.append(f"the headroom may not fit {chip.shown}: {budget.refusal()} (memory {where}, not certain)")
    limit = chip.whole("port_limit")
    largest = max((group.headroom for group in budget.groups), default=0)
    if limit is not None and largest > limit:
        notes.append(f"{largest} B of headroom is more than a port of {chip.shown} may keep: {limit} B")
    return [*notes, *(budget.derived().assumptions if budget.fits else ())]
