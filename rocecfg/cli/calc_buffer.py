"""`rocecfg calc buffer`: whether a box holds the headroom of all its ports, and when it pauses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from rocecfg.cli.calc_headroom import Asked, asked_of
from rocecfg.cli.calc_options import (
    ALPHA,
    MTU,
    RATIO,
    SIZE,
    TRAFFIC,
    chip_options,
    chosen_chip,
    read_cable,
    read_speed,
)
from rocecfg.cli.options import command, output_file, output_format
from rocecfg.cli.terminal import error_line, note, result_stream
from rocecfg.errors import EXIT_CLEAN, EXIT_USAGE, UsageError
from rocecfg.units import UnitError, print_length, print_rate

if TYPE_CHECKING:
    from fractions import Fraction
    from pathlib import Path

    from rocecfg.physics.chip import Chip
    from rocecfg.physics.pool import Budget
    from rocecfg.units import Number

_PORTS = re.compile(r"(\d{1,4})x([^@]{1,12})@(.{1,20})")
SENDERS = (1, 2, 4, 8, 16, 32, 64)


@dataclass(frozen=True, slots=True)
class Ports:
    """Equal ports of a box: how many, bit/s, metres."""

    count: int
    rate: int
    metres: Number


class PortsType(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.3 on
    """An option value such as `32x400G@5m`."""

    name = "PORTS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Ports:
        match = _PORTS.fullmatch(value.replace(" ", "")) if isinstance(value, str) else None
        if match is None or not 1 <= int(match[1]) <= 1024:
            self.fail(f'"{str(value)[:60]}" is no group of ports; accepted: 32x400G@5m, 1 to 1024 ports', param, ctx)
        try:
            return Ports(int(match[1]), read_speed(match[2]), read_cable(match[3]))
        except UnitError as error:
            self.fail(str(error), param, ctx)


@command(
    ("rocecfg calc buffer --sku DellEMC-Z9664f-O64 --ports 32x400G@5m --ports 32x400G@30m", "one lossless class"),
    ("rocecfg calc buffer --asic tomahawk-5 --ports 128x400G@30m --lossless 2 --oversubscription 2", "shared headroom"),
    ("rocecfg calc buffer --buffer 32MB --ports 48x25G@3m --alpha 1/8 --format json", "a box that is in no catalogue"),
)
@chip_options
@click.option("--ports", "groups", type=PortsType(), multiple=True, required=True, help="32x400G@5m. Repeatable.")
@click.option("--lossless", type=click.IntRange(1, 8), default=1, show_default=True, help="Lossless priorities a port.")
@click.option("--alpha", type=ALPHA, default="1", show_default=True, help="Dynamic PAUSE threshold: 1/8, 1, 2.")
@click.option("--oversubscription", type=RATIO, default="1", show_default=True,
              help="Sum of all headrooms over the shared headroom pool.")  # fmt: skip
@click.option("--buffer", "memory", type=SIZE, help="Bytes to divide, where the catalogue does not know them: 64MiB.")
@click.option("--mtu", type=MTU, help="Largest frame on the ports; default: the SKU's, else 9216.")
@click.option("--traffic", type=TRAFFIC, help='worst, large or "mixed 50%" small packets; default: worst.')
@output_format("text", "json", "csv")
@output_file
def buffer(
    sku: str | None, asic: str | None, groups: tuple[Ports, ...], lossless: int, alpha: Fraction,
    oversubscription: Fraction, memory: int | None, mtu: int | None, traffic: Fraction | None, form: str,
    output: Path | None,
) -> int:  # fmt: skip
    """Add up the headroom of all ports and lossless priorities of a box against the memory of its chip.

    Exit 2 with the arithmetic and three ways out when it does not fit; the headroom is sized by the peer time of
    802.3, not by a shipped table.
    """
    if alpha <= 0 or oversubscription < 1:
        raise UsageError("alpha must be above 0 and the over-subscription at least 1")
    chip = chosen_chip(sku, asic)
    asked = asked_of(chip, mtu, None, traffic, None, 0)
    budget, where = budget_of(chip, asked, groups, lossless, oversubscription, memory)
    if not budget.fits:
        error_line(f"the box does not hold its headroom: {budget.refusal()}")
        if "inferred" in where:
            note(f"the memory is not certain: {where}")
        return EXIT_USAGE
    text = _WRITERS[form](budget, alpha, where)
    with result_stream(output) as stream:
        stream.write(text)
    return EXIT_CLEAN


def budget_of(
    chip: Chip | None, asked: Asked, groups: tuple[Ports, ...], lossless: int, ratio: Fraction, memory: int | None
) -> tuple[Budget, str]:
    """Return a box's budget and who says how much memory it has. Raises UsageError where nobody does."""
    from rocecfg.physics.pool import Budget, Group

    where = "stated on the command line"
    if memory is None:
        memory, fact = chip.memory() if chip is not None else (None, "")
        if chip is None or memory is None:
            of = chip.shown if chip is not None else "a box without --sku or --asic"
            raise UsageError(f"the memory of {of} is not known: give --buffer, as in --buffer 64MiB")
        where = f"[{chip.facts[fact].mark}] {chip.facts[fact].source}"
    if memory <= 0:
        raise UsageError("a buffer of 0 B is not accepted; accepted: above 0B")
    reserved = reserved_of(chip)
    made = tuple(
        Group(
            ports.count * lossless,
            f"{ports.count * lossless} groups of {print_rate(ports.rate)}, {print_length(ports.metres)}",
            int(asked.answer(ports.rate, ports.metres).value),
            reserved,
        )
        for ports in groups
    )
    return Budget(memory, made, ratio), where


def reserved_of(chip: Chip | None) -> int:
    """Return the bytes guaranteed to a lossless group beside its headroom, 0 where unknown."""
    if chip is None:
        return 0
    return chip.whole("reserved") or chip.whole("pipeline_latency") or 0


def _rows(budget: Budget, alpha: Fraction) -> list[dict[str, Any]]:
    from rocecfg.physics.thresholds import pause_depth, xoff

    reserved = max((group.reserved for group in budget.groups), default=0)
    return [
        {
            "senders": senders,
            "xoff_each": int(xoff(alpha, budget.shared, senders).value),
            "egress_depth_at_pause": int(pause_depth(alpha, budget.shared, senders, reserved)),
        }
        for senders in SENDERS
        if senders <= max(budget.count(), 1)
    ]


def _as_text(budget: Budget, alpha: Fraction, where: str) -> str:
    from rocecfg.report import derivation
    from rocecfg.report.table import columns

    shared = budget.derived()
    part = shared.value / budget.memory
    rows = _rows(budget, alpha)
    return "".join(
        (
            f"shared {shared.value} B ({float(shared.value) / 1e6:.1f} MB), {float(part):.0%} of the buffer\n\n",
            derivation.sum_text(shared),
            f"\nPAUSE goes out, alpha {alpha}\n",
            columns(
                [
                    ("  senders", "fill of each ingress group", "egress queue then"),
                    *(
                        (f"  {row['senders']}", f"{row['xoff_each']} B", f"{row['egress_depth_at_pause']} B")
                        for row in rows
                    ),
                ]
            ),
            "\n",
            derivation.notes_text("assumes", (f"memory {where}", *shared.assumptions)),
            derivation.notes_text("sources", shared.sources),
        )
    )


def _as_json(budget: Budget, alpha: Fraction, where: str) -> str:
    from rocecfg.report import derivation

    plain = derivation.as_plain(budget.derived())
    plain["assumptions"] = [f"memory {where}", *plain["assumptions"]]
    return derivation.to_json(
        {
            **plain,
            "memory": budget.memory,
            "reserved": budget.reserved,
            "headroom": budget.headroom,
            "headroom_demand": budget.demand,
            "oversubscription": float(budget.oversubscription),
            "alpha": str(alpha),
            "thresholds": _rows(budget, alpha),
        }
    )


def _as_csv(budget: Budget, alpha: Fraction, where: str) -> str:
    from rocecfg.report import derivation

    del where
    return derivation.to_csv(_rows(budget, alpha))


_WRITERS = {"text": _as_text, "json": _as_json, "csv": _as_csv}
