"""PFC headroom on a known chip: the vendor's own formula, or the law its shipped tables follow.

    script    SONiC's dynamic buffer script for NVIDIA Spectrum, restated
    fitted    packing x (fixed + R x (time + per metre x L)): fitted to shipped tables of Broadcom and Marvell chips
    cells     the bound of 802.1Q, packed into cells of a known size
    standard  the bound of 802.1Q in bytes on the wire
    driver    the Linux mlx5 driver's formula for ConnectX NICs

No result is below the bytes that are physically in the cable plus one frame.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.physics.derived import Derived, Term, round_up
from rocecfg.physics.headroom import (
    GIGABIT,
    PREAMBLE_AND_GAP,
    QUANTUM_BYTES,
    SOURCES,
    bytes_in,
    pause_quanta,
    standard_bound,
    wire_floor_bytes,
)
from rocecfg.physics.traffic import WORST, Traffic, cells_of, packing
from rocecfg.units import print_length, print_rate

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.physics.chip import Chip

KIBIBYTE = 1024
LIGHT_IN_FIBRE = 198_000
"""km/s, SONiC's script: 5.05 ns/m."""
FITTED_MTU = 9216
"""The shipped tables behind the fitted law are made for this frame."""
LUA = "sonic-net/sonic-swss cfgmgr/buffer_headroom_mellanox.lua at e6b0c5b5"
FEC = "FEC of the peer is inside 802.3's response allowance; FEC, gearbox or MACsec delay of this side is not included"


@dataclass(frozen=True, slots=True)
class Demand:
    """One lossless priority of a port: `rate` bit/s, cable in metres, frames in bytes without preamble."""

    rate: int
    metres: int | Fraction
    mtu: int
    lossless_mtu: int
    traffic: Traffic = WORST
    frame: int = 0
    """The large frames of mixed traffic; 0 = `lossless_mtu`."""
    extra_delay: Fraction | int = 0
    """Nanoseconds that this side adds on each way: FEC, gearbox, MACsec."""

    @property
    def speed(self) -> str:
        """The line rate as people write it."""
        return print_rate(self.rate)

    @property
    def floor(self) -> int:
        """Bytes without which no chip can be lossless."""
        return wire_floor_bytes(self.rate, self.metres, self.lossless_mtu)


Part = tuple[str, Fraction | int, str]
"""Name, exact bytes, why."""


def headroom(chip: Chip | None, demand: Demand) -> Derived:
    """Return the headroom of one lossless priority group in bytes, never below `Demand.floor`.

    `chip` None: the bound of 802.1Q in bytes on the wire, and the result says that cells are not counted.
    """
    law = _LAWS["standard" if chip is None else chip.law]
    found = law(chip, demand)
    floor = demand.floor
    if found.value >= floor:
        return found
    lift = Term("up to the floor", floor - int(found.value), "the cable there and back and one lossless frame")
    return replace(found, value=floor, because=f"{found.because}; raised to the {floor} B under way",
                   terms=(*found.terms, lift))  # fmt: skip


def longest_cable(chip: Chip | None, demand: Demand, limit: int) -> int:
    """Return the longest whole metres whose headroom stays within `limit` bytes; 0 when no cable does."""
    low, high = 0, 200_000
    while low < high:
        middle = (low + high + 1) // 2
        if headroom(chip, replace(demand, metres=middle)).value <= limit:
            low = middle
        else:
            high = middle - 1
    return low


def _standard(chip: Chip | None, demand: Demand) -> Derived:
    bound = standard_bound(demand.rate, demand.metres, demand.mtu, demand.lossless_mtu)
    bound = _with_extra(bound, demand)
    if chip is None:
        return replace(bound, assumptions=(*bound.assumptions, FEC))
    unknown = f"the cell size of {chip.shown} is not public: the bound of 802.1Q is used instead"
    return replace(bound, assumptions=(unknown, *bound.assumptions, FEC))


def _with_extra(bound: Derived, demand: Demand) -> Derived:
    if not demand.extra_delay:
        return bound
    more = round_up(bytes_in(demand.rate, 2 * demand.extra_delay))
    term = Term("own delay", more, _extra_why(demand))
    total = int(bound.value) + more
    return replace(bound, value=total, terms=(*bound.terms, term),
                   because=f"{bound.because} + {more} own delay = {total} B")  # fmt: skip


def _extra_why(demand: Demand) -> str:
    return f"{float(demand.extra_delay):g} ns of FEC, gearbox or MACsec on each way at {demand.speed}"


def _cells(chip: Chip | None, demand: Demand) -> Derived:
    assert chip is not None
    bound = _standard(None, demand)
    cell = int(chip.needs("cell"))
    factor, why = packing(chip, demand.traffic, demand.frame or demand.lossless_mtu)
    frame = demand.lossless_mtu + PREAMBLE_AND_GAP
    on_wire = int(bound.value)
    parts: list[Part] = [(term.name, term.bytes, term.because) for term in bound.terms]
    parts.append(
        ("cells of the frame", cells_of(frame, cell) - frame, f"the peer's frame takes whole cells of {cell} B")
    )
    parts.append(("packing", (factor - 1) * (on_wire - frame), why))
    return _sum(
        f"802.1Q bound for {demand.speed} over {print_length(demand.metres)} in cells of {chip.shown}",
        parts,
        cell,
        assumptions=(f"traffic {demand.traffic}", *chip.cite("cell"), FEC),
        sources=(*SOURCES, *chip.cite("cell")),
    )


def _script(chip: Chip | None, demand: Demand) -> Derived:
    assert chip is not None
    response, why_response, remark = _response(chip, demand)
    length = print_length(demand.metres)
    flight = Fraction(2 * demand.rate * Fraction(demand.metres), 8 * LIGHT_IN_FIBRE * 1000)
    path: list[Part] = [
        ("port frame", demand.mtu, f"a {demand.mtu} B frame of any class has just begun; PAUSE cannot overtake it"),
        ("cable both ways", flight, f"{length} there and back at 198,000 km/s and {demand.speed}"),
        ("MAC and PHY", chip.number("mac_phy_delay") or 0, "delay of the MAC and PHY, 0.8 KiB in the vendor's table"),
        ("response", response, why_response),
    ]
    gearbox = chip.number("gearbox")
    if gearbox:
        delay = 2 * Fraction(demand.rate, 1_000_000) * gearbox / 8192
        path.append(("gearbox", delay, f"{gearbox} ns of gearbox on each way, in the script's own unit"))
    tile = chip.number("tile")
    if tile:
        path.append(("tile", tile * demand.rate / GIGABIT, f"{tile} B for each Gb/s inside the chip"))
    if demand.extra_delay:
        path.append(("own delay", bytes_in(demand.rate, 2 * Fraction(demand.extra_delay)), _extra_why(demand)))
    factor, why = packing(chip, demand.traffic, demand.frame or demand.lossless_mtu)
    way = sum((Fraction(size) for _, size, _ in path), Fraction(0))
    frame: Part = ("lossless frame", demand.lossless_mtu, f"the peer has just begun a {demand.lossless_mtu} B frame")
    parts = [frame, *path, ("packing", (factor - 1) * way, why)]
    total = _sum(
        f"SONiC's dynamic buffer formula on {chip.shown} for {demand.speed} over {length}",
        parts,
        KIBIBYTE,
        assumptions=(f"traffic {demand.traffic}", *remark, FEC),
        sources=(LUA, *chip.cite("cell", "packing_worst", "mac_phy_delay", "response", "quanta_800")),
    )
    extra = chip.whole("extra")
    if not extra:
        return total
    term = Term("vendor's addition", extra, "the script adds it after rounding")
    value = int(total.value) + extra
    return replace(total, value=value, terms=(*total.terms, term), because=f"{total.because} + {extra} = {value} B")


def _response(chip: Chip, demand: Demand) -> tuple[Fraction | int, str, tuple[str, ...]]:
    """Return the bytes that the peer may still send, why, and what to know about it."""
    quanta, remark = pause_quanta(demand.rate)
    fixed = chip.number("response")
    if fixed is not None:
        return (
            fixed,
            f"the peer stops within {float(fixed / KIBIBYTE):g} KiB, one value for every speed in the shipped table",
            (_short_response(fixed, quanta * QUANTUM_BYTES, demand.speed),),
        )
    own = chip.whole("quanta_800")
    if own is not None and demand.rate == 800 * GIGABIT:
        quanta, remark = own, f"800G: {own} quanta as the shipped script says; 1810 keep the time of 400G"
    why = f"the peer may take {quanta} quanta of 512 bit times at {demand.speed} to stop"
    return quanta * QUANTUM_BYTES, why, (remark,) if remark else ()


def _short_response(fixed: Fraction, allowed: int, speed: str) -> str:
    part = float(fixed / allowed)
    return (
        f"the shipped table's response is {part:.0%} of the {allowed} B that 802.3 allows at {speed}: it relies on"
        " peers that are faster than the standard asks"
    )


def _fitted(chip: Chip | None, demand: Demand) -> Derived:
    assert chip is not None
    low = chip.number("low_below")
    is_low = low is not None and demand.rate < low * GIGABIT
    prefix = "low_" if is_low else ""
    rate = _class_rate(chip, demand.rate) if is_low else demand.rate
    fixed, time = chip.needs(f"{prefix}fixed"), chip.needs(f"{prefix}time")
    per_metre = max(chip.needs("per_metre"), Fraction(10))  # a fit a little below the fibre's own 10 ns/m is noise
    larger = 2 * max(demand.mtu - FITTED_MTU, 0)
    notes = [
        f"fitted to shipped tables: {chip.word('spread') or 'spread unknown'}; what the constants hold is unpublished"
    ]
    if rate != demand.rate:
        notes.append(f"{demand.speed} takes the row of {print_rate(rate)}, as the shipped table does")
    path: list[Part] = [
        ("fixed part", fixed, "fitted: about two jumbo frames and the pipeline"),
        ("response", bytes_in(rate, time), f"{float(time):g} ns at {print_rate(rate)}, fitted: the peer's reaction"),
        (
            "cable both ways",
            bytes_in(rate, per_metre * Fraction(demand.metres)),
            f"{print_length(demand.metres)} at {float(per_metre):g} ns/m there and back",
        ),
    ]
    if larger:
        path.append(("larger frames", larger, f"two frames of {demand.mtu} B instead of {FITTED_MTU} B"))
    if demand.extra_delay:
        path.append(("own delay", bytes_in(rate, 2 * Fraction(demand.extra_delay)), _extra_why(demand)))
    factor, why = packing(chip, demand.traffic, demand.frame or demand.lossless_mtu)
    on_wire = sum((Fraction(size) for _, size, _ in path), Fraction(0))
    return _sum(
        f"law of {chip.shown} for {demand.speed} over {print_length(demand.metres)}",
        [*path, ("packing", (factor - 1) * on_wire, why)],
        chip.whole("cell") or 1,
        assumptions=(f"traffic {demand.traffic}", *notes, FEC),
        sources=chip.cite("fixed", "time", "per_metre", "packing_worst", "cell"),
    )


def _class_rate(chip: Chip, rate: int) -> int:
    fact = chip.facts.get("low_classes")
    classes = fact.value if fact is not None and isinstance(fact.value, tuple) else ()
    return next((speed * GIGABIT for speed in classes if rate <= speed * GIGABIT), rate)


def _driver(chip: Chip | None, demand: Demand) -> Derived:
    assert chip is not None
    gigabits = max(demand.rate // GIGABIT, 40)
    metres = int(demand.metres) if Fraction(demand.metres).denominator == 1 else int(demand.metres) + 1
    cable = 216 * metres // 100
    parts: list[Part] = [
        ("fixed part", 301 * gigabits, f"301 B for each Gb/s, at least 40G: {demand.speed}"),
        ("cable", cable * gigabits, f"2.16 B for each Gb/s and metre, whole bytes: {metres} m"),
        ("frames", 272 * demand.mtu // 100, f"2.72 frames of {demand.mtu} B"),
    ]
    if demand.extra_delay:
        parts.append(("own delay", bytes_in(demand.rate, 2 * Fraction(demand.extra_delay)), _extra_why(demand)))
    return _sum(
        f"the mlx5 driver's formula on {chip.shown} for {demand.speed} over {print_length(demand.metres)}",
        parts,
        1,
        assumptions=("the driver works in whole Gb/s and metres and keeps this much above the PAUSE threshold",),
        sources=("Linux mlx5 en/port_buffer.c: (301 + 2.16 x metres) x Gb/s + 2.72 x MTU", *chip.cite("cable_default")),
    )


def _sum(
    what: str, parts: list[Part], step: int, *, assumptions: tuple[str, ...] = (), sources: tuple[str, ...] = ()
) -> Derived:
    """Return the sum of exact parts, rounded up to a step; shown in whole bytes, the rest in a term of its own."""
    exact = sum((Fraction(size) for _, size, _ in parts), Fraction(0))
    value = round_up(exact, step)
    terms = [Term(name, int(size // 1), why) for name, size, why in parts]
    left = value - sum(term.bytes for term in terms)
    if left:
        unit = "whole bytes" if step == 1 else f"whole cells of {step} B" if step != KIBIBYTE else "whole KiB"
        terms.append(Term("rounding up", left, unit))
    shown = " + ".join(f"{term.bytes} {term.name}" for term in terms)
    return Derived(value, "B", f"{what}: {shown} = {value} B", tuple(terms), assumptions, sources)


_LAWS: dict[str, Callable[[Chip | None, Demand], Derived]] = {
    "standard": _standard,
    "cells": _cells,
    "script": _script,
    "fitted": _fitted,
    "driver": _driver,
}
