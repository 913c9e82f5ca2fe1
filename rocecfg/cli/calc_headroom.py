"""`rocecfg calc headroom`: what must still fit after PAUSE went out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from rocecfg.cli.calc_options import (
    CABLE,
    CABLES,
    DELAY,
    MTU,
    SIZE,
    SPEED,
    SPEEDS,
    TRAFFIC,
    check_mtu,
    check_speed,
    chip_options,
    chosen_chip,
    port_limit,
    too_long,
)
from rocecfg.cli.options import command, output_file, output_format
from rocecfg.cli.terminal import result_stream
from rocecfg.errors import UsageError
from rocecfg.units import print_length, print_rate

if TYPE_CHECKING:
    from pathlib import Path

    from rocecfg.physics.chip import Chip
    from rocecfg.physics.derived import Derived
    from rocecfg.physics.laws import Demand
    from rocecfg.units import Number

DEFAULT_MTU = 9216
MOST_CELL = 16_384


@dataclass(frozen=True, slots=True)
class Asked:
    """The question beside speed and cable: frames in bytes, traffic, nanoseconds of own delay."""

    chip: Chip | None
    mtu: int
    lossless_mtu: int
    small: Fraction
    counted_by: str
    own_delay: int

    def demand(self, rate: int, metres: Number) -> Demand:
        """Return the demand of one port."""
        from rocecfg.physics.laws import Demand
        from rocecfg.physics.traffic import Traffic

        traffic = Traffic(self.small, self.counted_by)  # type: ignore[arg-type]
        return Demand(rate, metres, self.mtu, self.lossless_mtu, traffic, extra_delay=self.own_delay)

    def answer(self, rate: int, metres: Number) -> Derived:
        """Return the headroom. Raises UsageError where the chip lacks the speed or cannot hold it."""
        from rocecfg.physics.laws import headroom, longest_cable

        chip = self.chip
        check_speed(chip, rate)
        demand = self.demand(rate, metres)
        farthest = chip.whole("cable_limit") if chip is not None else None
        if chip is not None and farthest is not None and metres > farthest:
            raise UsageError(f"{chip.shown} takes no cable of {print_length(metres)}; accepted: 1m to {farthest}m")
        found = headroom(chip, demand)
        limit = port_limit(chip)
        if chip is not None and limit is not None and found.value > limit.size:
            raise too_long(chip, rate, metres, int(found.value), longest_cable(chip, demand, limit.size), limit)
        return found


@command(
    ("rocecfg calc headroom --sku ACS-SN5600 --speed 400G --cable 40m", "term by term"),
    ("rocecfg calc headroom --asic tomahawk-4 --speed 400G --cable 40m --traffic large", "for 4 KB packets"),
    ("rocecfg calc headroom --speed 100G --cable 10km", "the bound of 802.1Q, no chip named"),
    ("rocecfg calc headroom --sku SN5400 --speeds 100G,400G --cables 5m,40m,300m --format csv", "a table"),
)
@chip_options
@click.option("--speed", type=SPEED, help="Line rate: 25G, 400G.")
@click.option("--cable", type=CABLE, help="Cable length: 5m, 2km.")
@click.option("--speeds", type=SPEEDS, help="Several line rates: a table.")
@click.option("--cables", type=CABLES, help="Several lengths: a table.")
@click.option("--mtu", type=MTU, help="Largest frame of any class on the port; default: the SKU's, else 9216.")
@click.option("--lossless-mtu", type=MTU, help="Largest frame of the paused class; default: the SKU's, else --mtu.")
@click.option(
    "--traffic", type=TRAFFIC, help='worst, large or "mixed 50%" small packets; default: the SKU\'s, else worst.'
)
@click.option("--counted-by", type=click.Choice(["bytes", "packets", "script"]),
              help="How a mixed share turns into bytes; default: the way of the chip's formula.")  # fmt: skip
@click.option(
    "--own-delay", type=DELAY, default="0ns", help="FEC, gearbox or MACsec delay of this side, each way: 250ns."
)
@click.option("--cell", type=SIZE, help="Cell size, where the chip is not in the catalogue: 254B.")
@click.option("--standard-response", is_flag=True,
              help="Give the peer the time of 802.3 instead of what the SKU's shipped table gives it.")  # fmt: skip
@output_format("text", "json", "csv")
@output_file
def headroom(
    sku: str | None, asic: str | None, speed: int | None, cable: Number | None, speeds: tuple[int, ...] | None,
    cables: tuple[Number, ...] | None, mtu: int | None, lossless_mtu: int | None, traffic: Fraction | None,
    counted_by: str | None, own_delay: int, cell: int | None, standard_response: bool, form: str, output: Path | None,
) -> int:  # fmt: skip
    """Work out the headroom of one lossless priority: the bytes that still arrive after PAUSE was decided.

    With a SKU the result is that of its shipped table's formula, to the byte where the table follows one.
    """
    chip = _chip(chosen_chip(sku, asic), cell, shipped=not standard_response)
    asked = asked_of(chip, mtu, lossless_mtu, traffic, counted_by, own_delay)
    rates, lengths = _wanted(speed, speeds, "--speed"), _wanted(cable, cables, "--cable")
    single = speeds is None and cables is None
    if single and form != "csv":
        found = asked.answer(rates[0], lengths[0])
        text = (
            _json(asked, rates[0], lengths[0], found) if form == "json" else _text(asked, rates[0], lengths[0], found)
        )
    else:
        text = _table(asked, rates, lengths, form)
    with result_stream(output) as stream:
        stream.write(text)
    return 0


def _chip(chip: Chip | None, cell: int | None, *, shipped: bool) -> Chip | None:
    from rocecfg.physics.chip import Chip, Fact

    if chip is not None and shipped:
        chip = chip.as_shipped()
    if cell is None:
        return chip
    if not 1 <= cell <= MOST_CELL:
        raise UsageError(f"a cell of {cell} B is not accepted; accepted: 1 to {MOST_CELL} B")
    stated = {"cell": Fact(cell, "seen", "stated on the command line")}
    if chip is None:
        return Chip("stated", f"a chip with cells of {cell} B", "cells", stated)
    law = "cells" if chip.law == "standard" else chip.law
    facts = {name: fact for name, fact in chip.facts.items() if name != "packing_worst"}
    if law == "script":
        stated["packing_worst"] = Fact(-(-cell // 64), "computed", "cell / 64 rounded up, as the script does")
    return replace(chip, law=law, facts={**facts, **stated})


def asked_of(
    chip: Chip | None, mtu: int | None, lossless_mtu: int | None, traffic: Fraction | None, counted_by: str | None,
    own_delay: int,
) -> Asked:  # fmt: skip
    """Return the question with what the SKU's shipped table assumes where the user says nothing.

    Raises UsageError for frames that the chip does not carry.
    """
    known = chip.whole if chip is not None else lambda _: None
    port = mtu or known("mtu_port") or DEFAULT_MTU
    lossless = lossless_mtu or min(known("mtu_lossless") or port, port)
    if lossless > port:
        raise UsageError(f"the lossless MTU {lossless} B is above the port's MTU {port} B; accepted: up to {port} B")
    check_mtu(chip, port)
    small = chip.number("small") if chip is not None else None
    shipped_way = chip.word("small_by") if chip is not None and traffic is None else None
    return Asked(
        chip,
        port,
        lossless,
        traffic if traffic is not None else small if small is not None else Fraction(100),
        counted_by or shipped_way or "",
        own_delay,
    )


def _wanted(one: Any, several: tuple[Any, ...] | None, option: str) -> tuple[Any, ...]:
    if one is None and several is None:
        raise UsageError(f"{option} is missing (or {option}s for a table)")
    return (*(() if one is None else (one,)), *(several or ()))


def _json(asked: Asked, rate: int, metres: Number, found: Derived) -> str:
    from rocecfg.physics.headroom import standard_bound
    from rocecfg.report import derivation

    demand, chip = asked.demand(rate, metres), asked.chip
    bound = standard_bound(rate, metres, asked.mtu, asked.lossless_mtu)
    return derivation.to_json(
        {
            **derivation.as_plain(found),
            "sku": chip.sku if chip is not None else None,
            "asic": chip.name if chip is not None else None,
            "speed": rate,
            "cable_m": int(metres) if Fraction(metres).denominator == 1 else float(metres),
            "mtu": asked.mtu,
            "lossless_mtu": asked.lossless_mtu,
            "traffic": str(demand.traffic),
            "floor": demand.floor,
            "standard_bound": int(bound.value),
        }
    )


def _text(asked: Asked, rate: int, metres: Number, found: Derived) -> str:
    from rocecfg.report import derivation

    title = asked.chip.shown if asked.chip is not None else "no chip named: bytes on the wire"
    frames = f"MTU {asked.mtu} B, lossless MTU {asked.lossless_mtu} B"
    return "".join(
        (
            f"headroom {found.value} B  {title}, {print_rate(rate)}, {print_length(metres)}, {frames}\n\n",
            derivation.sum_text(found),
            "\nbeside it\n",
            derivation.facts_text(_beside(asked, rate, metres, found)),
            "\n",
            derivation.notes_text("assumes", found.assumptions),
            derivation.notes_text("sources", found.sources),
        )
    )


def _beside(asked: Asked, rate: int, metres: Number, found: Derived) -> list[tuple[str, str]]:
    """Return the numbers a reader checks the result against."""
    from rocecfg.physics.headroom import standard_bound
    from rocecfg.physics.laws import headroom as of_law
    from rocecfg.physics.traffic import LARGE, WORST

    demand, chip = asked.demand(rate, metres), asked.chip
    bound = standard_bound(rate, metres, asked.mtu, asked.lossless_mtu)
    facts = [
        ("in the cable and one frame", f"{demand.floor} B: nothing below this can be lossless"),
        (
            "802.1Q bound",
            f"{bound.value} B on the wire, cells not counted; this is {float(found.value / bound.value):.2f} x",
        ),
    ]
    if chip is not None and chip.law in {"script", "fitted", "cells"}:
        for name, traffic in (("only small packets", WORST), ("only large packets", LARGE)):
            facts.append((name, f"{of_law(chip, replace(demand, traffic=traffic)).value} B"))
    limit = port_limit(chip)
    if limit is not None:
        facts.append(("limit", f"{limit.what} {limit.size} B"))
    if chip is not None and chip.table is not None:
        facts.append(("shipped table", f"{chip.table.value} [{chip.table.mark}]"))
    return facts


def _table(asked: Asked, rates: tuple[int, ...], lengths: tuple[Number, ...], form: str) -> str:
    from rocecfg.physics.headroom import standard_bound
    from rocecfg.report import derivation
    from rocecfg.report.table import columns

    rows = [
        {
            "speed": print_rate(rate),
            "cable": print_length(metres),
            "headroom": int(asked.answer(rate, metres).value),
            "floor": asked.demand(rate, metres).floor,
            "standard_bound": int(standard_bound(rate, metres, asked.mtu, asked.lossless_mtu).value),
        }
        for rate in rates
        for metres in lengths
    ]
    if form == "csv":
        return derivation.to_csv(rows)
    if form == "json":
        return derivation.to_json({"unit": "B", "rows": rows})
    head = f"headroom in bytes  {asked.chip.shown if asked.chip else 'bound of 802.1Q'}, MTU {asked.mtu} B\n\n"
    values = {(row["speed"], row["cable"]): str(row["headroom"]) for row in rows}
    shown = [print_length(metres) for metres in lengths]
    return head + columns(
        [
            ("  speed", *shown),
            *((f"  {speed}", *(values[speed, at] for at in shown)) for speed in map(print_rate, rates)),
        ]
    )
