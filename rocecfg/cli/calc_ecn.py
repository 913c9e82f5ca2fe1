"""`rocecfg calc ecn`: the marking ramp, whether it acts before PFC, and where DCQCN settles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from rocecfg.cli.calc_buffer import Ports, PortsType, budget_of, reserved_of
from rocecfg.cli.calc_headroom import asked_of
from rocecfg.cli.calc_options import ALPHA, CABLE, MTU, SIZE, SPEED, TIME, check_speed, chip_options, chosen_chip
from rocecfg.cli.options import command, output_file, output_format
from rocecfg.cli.terminal import result_stream
from rocecfg.errors import UsageError
from rocecfg.units import print_rate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rocecfg.physics.chip import Chip
    from rocecfg.physics.derived import Derived
    from rocecfg.physics.ecn import Ramp
    from rocecfg.physics.marking import Check, Shared
    from rocecfg.units import Number

PROFILES = ("latency", "balanced", "throughput")
FLOWS = (2, 4, 8, 16, 32)
ROCE_FRAME = 4200
"""Path MTU 4096 with headers: what one RoCE packet puts on the wire."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A ramp with everything that argues for it. `checks` is None where the shared buffer is not known."""

    rate: int
    rtt_ns: int
    ramp: Ramp
    shared: Shared | None
    where: str
    checks: tuple[Check, ...] | None
    settles: tuple[tuple[int, Derived], ...]
    cell: int | None = None


@command(
    ("rocecfg calc ecn --speed 400G", "the balanced ramp for two tiers"),
    ("rocecfg calc ecn --sku ACS-SN5600 --speed 400G --incast 32 --compare", "against PFC, beside published ramps"),
    ("rocecfg calc ecn --speed 100G --shared 10MB --alpha 1/64 --profile latency", "a small pool"),
    ("rocecfg calc ecn --speed 400G --rtt 110us --profile throughput --format json", "ten kilometres away"),
)
@chip_options
@click.option("--speed", type=SPEED, required=True, help="Line rate of the egress port.")
@click.option("--rtt", type=TIME, default="8us", show_default=True, help="Round trip without queueing.")
@click.option(
    "--profile", type=click.Choice(PROFILES), default="balanced", show_default=True, help="Where the ramp lies."
)
@click.option("--frame", type=MTU, default=str(ROCE_FRAME), show_default=True, help="Largest RoCE frame in bytes.")
@click.option("--incast", type=click.IntRange(1, 65_536), default=16, show_default=True, help="Senders into one port.")
@click.option("--fanout", type=click.IntRange(1, 65_536), default=4, show_default=True, help="Queues one port feeds.")
@click.option("--lossless", type=click.IntRange(1, 8), default=1, show_default=True, help="Lossless priorities.")
@click.option("--alpha", type=ALPHA, default="1", show_default=True, help="Dynamic PAUSE threshold.")
@click.option("--shared", type=SIZE, help="Bytes left to share after headroom; default: worked out for the chip.")
@click.option("--ports", "groups", type=PortsType(), multiple=True, help="Ports of the box: 32x400G@5m. Repeatable.")
@click.option("--cable", type=CABLE, default="40m", show_default=True, help="Cable of all ports without --ports.")
@click.option("--compare", is_flag=True, help="Show published ramps for this speed beside ours.")
@click.option("--nic", is_flag=True, help="Show the DCQCN parameters of the NIC with their reasons.")
@output_format("text", "json")
@output_file
def ecn(
    sku: str | None, asic: str | None, speed: int, rtt: int, profile: str, frame: int, incast: int, fanout: int,
    lossless: int, alpha: Fraction, shared: int | None, groups: tuple[Ports, ...], cable: Number, compare: bool,
    nic: bool, form: str, output: Path | None,
) -> int:  # fmt: skip
    """Work out Kmin, Kmax and Pmax for a port, and prove that marks act before PAUSE.

    Fan-in: many senders fill one queue. Fan-out: one sender fills many queues. Where the shared buffer is known, the
    ramp is lowered until Kmax and the burst of the design incast stay under 80 % of the depth at which PAUSE goes out.
    """
    if not 100 <= rtt <= 10**9 or alpha <= 0:
        raise UsageError("accepted: a round trip of 100ns to 1s, an alpha above 0")
    chip = chosen_chip(sku, asic)
    check_speed(chip, speed)
    pool, where = _shared(chip, speed, alpha, shared, groups, cable, lossless)
    made = _answer(speed, rtt, profile, frame, pool, where, incast, fanout, lossless)
    made = replace(made, cell=chip.whole("cell") if chip is not None else None)
    text = _as_json(made, compare, nic) if form == "json" else _as_text(made, compare, nic)
    with result_stream(output) as stream:
        stream.write(text)
    return 0


def _shared(
    chip: Chip | None, rate: int, alpha: Fraction, stated: int | None, groups: tuple[Ports, ...], cable: Number,
    lossless: int,
) -> tuple[Shared | None, str]:  # fmt: skip
    """Return the buffer that is left to share, and how it came about; None where nobody knows the chip's memory."""
    from rocecfg.physics.marking import Shared

    if stated is not None:
        if stated <= 0:
            raise UsageError("a shared buffer of 0 B is not accepted; accepted: above 0B")
        return Shared(stated, alpha), "stated on the command line"
    if chip is None or chip.memory()[0] is None:
        return None, "the shared buffer is not known: give --sku, --asic or --shared"
    ports = groups or _all_ports(chip, rate, cable)
    if not ports:
        return None, f"how many ports {chip.shown} has is not known: give --ports or --shared"
    budget, where = budget_of(chip, asked_of(chip, None, None, None, None, 0), ports, lossless, Fraction(1), None)
    if not budget.fits:
        raise UsageError(f"the box does not hold its headroom: {budget.refusal()}")
    what = ", ".join(group.what for group in budget.groups)
    return (
        Shared(budget.shared, alpha, reserved_of(chip)),
        f"{budget.memory} B ({where}) less headroom and reserve of {what}",
    )


def _all_ports(chip: Chip, rate: int, cable: Number) -> tuple[Ports, ...]:
    if chip.ports is None:
        return ()
    count, fastest = chip.ports
    return (Ports(max(count * fastest * 10**9 // rate, 1), rate, cable),)


def _answer(
    rate: int, rtt: int, profile: str, frame: int, shared: Shared | None, where: str, incast: int, fanout: int,
    lossless: int,
) -> Answer:  # fmt: skip
    from rocecfg.physics import dcqcn, marking
    from rocecfg.physics.ecn import ramp

    made = ramp(rate, rtt, profile, frame)
    checks: tuple[Check, ...] | None = None
    if shared is not None:
        made = marking.clamp(made, rate, rtt, shared, incast, frame)
        kmin = int(made.kmin.value)
        checks = (
            marking.fan_in(kmin, rate, rtt, shared, 1),
            marking.fan_in(kmin, rate, rtt, shared, incast),
            marking.fan_out(kmin, shared, fanout, lossless),
        )
    reaction = dcqcn.Reaction()
    settles = tuple((flows, marking.settles_at(made, rate, flows, reaction)) for flows in sorted({*FLOWS, incast}))
    return Answer(rate, rtt, made, shared, where, checks, settles)


def _as_text(made: Answer, compare: bool, nic: bool) -> str:
    from rocecfg.report import derivation
    from rocecfg.report.table import columns

    ramp = made.ramp
    parts = [
        f"ECN ramp for {print_rate(made.rate)}, round trip {made.rtt_ns / 1000:g} us\n\n",
        columns(
            (f"  {name}", derivation.value_text(number), _in_time(made, number), number.because)
            for name, number in (("Kmin", ramp.kmin), ("Kmax", ramp.kmax), ("Pmax", ramp.pmax))
        ),
        f"\nmarks before PAUSE ({made.where})\n",
    ]
    if made.cell is not None:
        low, high = in_cells(made)
        parts.insert(2, f"  in cells of {made.cell} B: Kmin {low}, Kmax {high}\n")
    if made.checks is None:
        parts.append("  not evaluated\n")
    else:
        parts.append(
            columns((f"  {check.name}", "holds" if check.holds else "FAILS", check.sentence) for check in made.checks)
        )
    parts.append("\nwhere DCQCN settles (fluid model, NVIDIA's defaults)\n")
    parts.append(columns((f"  {flows} flows", f"{found.value} B", found.because) for flows, found in made.settles))
    if compare:
        parts += ["\npublished ramps\n", columns(_published(made))]
    if nic:
        parts += ["\nDCQCN at the NIC\n", columns(_knobs(made.rate))]
    parts += ["\n", derivation.notes_text("assumes", made.settles[0][1].assumptions)]
    parts.append(derivation.notes_text("sources", dict.fromkeys((*ramp.kmin.sources, *made.settles[0][1].sources))))
    return "".join(parts)


def in_cells(made: Answer) -> tuple[int, int]:
    """Return Kmin and Kmax in whole cells of the chip: Kmin rounded up, Kmax down, so that no clamp is passed."""
    cell = made.cell or 1
    low = -(-int(made.ramp.kmin.value) // cell)
    return low, max(int(made.ramp.kmax.value) // cell, low)


def _in_time(made: Answer, number: Derived) -> str:
    """Return a queue length as time at line rate."""
    return f"{float(number.value * 8_000_000 / made.rate):.1f} us" if number.unit == "B" else ""


def _published(made: Answer) -> Iterator[tuple[str, ...]]:
    from rocecfg.physics.published import for_speed

    yield "  Kmin", "Kmax", "Pmax", "where"
    ramp = made.ramp
    yield f"  {ramp.kmin.value}", f"{ramp.kmax.value}", f"{ramp.pmax.value}%", "ours"
    for row in for_speed(made.rate / 10**9):
        yield f"  {row.kmin}", f"{row.kmax}", "-" if row.pmax is None else f"{row.pmax}%", f"{row.where} [{row.mark}]"


def _knobs(rate: int) -> Iterator[tuple[str, ...]]:
    from rocecfg.physics import dcqcn

    for name, knob in dcqcn.parameters():
        yield f"  {name}", f"{knob.value} {knob.unit}".strip(), knob.because
    additive, hyper = dcqcn.scaled_increase(rate)
    yield "  (rpg_ai_rate)", f"{additive.value} {additive.unit}", f"alternative: {additive.because}"
    yield "  (rpg_hai_rate)", f"{hyper.value} {hyper.unit}", f"alternative: {hyper.because}"


def _as_json(made: Answer, compare: bool, nic: bool) -> str:
    from rocecfg.physics import dcqcn
    from rocecfg.physics.published import for_speed
    from rocecfg.report import derivation

    ramp = made.ramp
    data: dict[str, Any] = {
        **{name: derivation.as_plain(getattr(ramp, name)) for name in ("kmin", "kmax", "pmax")},
        "cells": None if made.cell is None else dict(zip(("kmin", "kmax"), in_cells(made), strict=True)),
        "speed": made.rate,
        "rtt_ns": made.rtt_ns,
        "shared": made.shared.size if made.shared is not None else None,
        "shared_because": made.where,
        "checks": None
        if made.checks is None
        else [
            {"name": c.name, "holds": c.holds, "left": c.left, "right": c.right, "because": c.sentence}
            for c in made.checks
        ],
        "settles": [{"flows": flows, **derivation.as_plain(found)} for flows, found in made.settles],
    }
    if compare:
        data["published"] = [row._asdict() for row in for_speed(made.rate / 10**9)]
    if nic:
        data["nic"] = {name: derivation.as_plain(knob) for name, knob in dcqcn.parameters()}
    return derivation.to_json(data)
