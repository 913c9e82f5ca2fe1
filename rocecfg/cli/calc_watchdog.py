"""`rocecfg calc watchdog`: storm timers from the longest legitimate pause and the application's patience."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rocecfg.cli.calc_options import ALPHA, SIZE, SPEED, TIME, check_speed, chip_options, chosen_chip
from rocecfg.cli.options import command, output_file, output_format
from rocecfg.cli.terminal import result_stream
from rocecfg.errors import UsageError
from rocecfg.units import print_rate

if TYPE_CHECKING:
    from fractions import Fraction
    from pathlib import Path

    from rocecfg.physics.chip import Chip
    from rocecfg.physics.watchdog import Timers
    from rocecfg.vendor.timers import Range

_MS = 1_000_000


@command(
    ("rocecfg calc watchdog --speed 400G --asic tomahawk-5", "poll, detection and restoration time"),
    ("rocecfg calc watchdog --speed 25G --asic spectrum-2 --nos cumulus", "beside what the system accepts"),
    ("rocecfg calc watchdog --speed 100G --detect 400ms --retry-timeout 67ms --retries 7", "a stated time, judged"),
)
@chip_options
@click.option("--speed", type=SPEED, required=True, help="Line rate of the port.")
@click.option("--pool", type=SIZE, help="Bytes one congested port may hold; default: its dynamic share of the buffer.")
@click.option("--alpha", type=ALPHA, default="1", show_default=True, help="Dynamic PAUSE threshold.")
@click.option("--detect", type=TIME, help="A detection time to judge instead of the derived one.")
@click.option("--retry-timeout", type=TIME, default="67ms", show_default=True, help="Timeout of a queue pair.")
@click.option("--retries", type=click.IntRange(0, 7), default=7, show_default=True, help="Retries of a queue pair.")
@click.option("--nos", default="", metavar="NOS", help="Show what this system accepts.")
@output_format("text", "json")
@output_file
def watchdog(
    sku: str | None, asic: str | None, speed: int, pool: int | None, alpha: Fraction, detect: int | None,
    retry_timeout: int, retries: int, nos: str, form: str, output: Path | None,
) -> int:  # fmt: skip
    """Work out when a paused queue counts as a storm: long after any legitimate pause, before queue pairs break."""
    from rocecfg.physics.watchdog import timers

    if alpha <= 0:
        raise UsageError("accepted: an alpha above 0")
    chip = chosen_chip(sku, asic)
    check_speed(chip, speed)
    milliseconds = None if detect is None else -(-detect // _MS)
    if milliseconds is not None and not 2 <= milliseconds <= 60_000:
        raise UsageError("that detection time is not accepted; accepted: 2ms to 60s")
    held = pool if pool is not None else _held(chip, alpha)
    made = timers(speed, milliseconds, held, retry_timeout * retries // _MS)
    ranges = _ranges(nos)
    text = _as_json(made, ranges) if form == "json" else _as_text(speed, made, ranges, nos)
    with result_stream(output) as stream:
        stream.write(text)
    return 0


def _held(chip: Chip | None, alpha: Fraction) -> int | None:
    """Return the bytes that one congested port may hold: alpha / (1 + alpha) of the memory."""
    from rocecfg.physics.thresholds import share

    memory, _ = chip.memory() if chip is not None else (None, "")
    return None if memory is None else int(share(alpha, 1) * memory)


def _ranges(nos: str) -> dict[str, Range]:
    if not nos:
        return {}
    from rocecfg.vendor.timers import watchdog_ranges

    return watchdog_ranges(nos)


def _as_text(rate: int, made: Timers, ranges: dict[str, Range], nos: str) -> str:
    from rocecfg.physics.watchdog import longest_frame_us
    from rocecfg.report import derivation
    from rocecfg.report.table import columns

    named = (("poll", made.poll), ("detect", made.detect), ("restore", made.restore))
    parts = [
        f"watchdog for {print_rate(rate)}; one PAUSE frame holds the link {float(longest_frame_us(rate)):.0f} us\n\n",
        columns((f"  {name}", derivation.value_text(value), value.because) for name, value in named),
    ]
    if ranges:
        parts += [f"\n{nos} accepts\n", derivation.facts_text((name, span.shown) for name, span in ranges.items())]
        parts += _outside(made, ranges)
    if made.notes:
        parts += ["\n", derivation.notes_text("mind", made.notes)]
    parts += ["\n", derivation.notes_text("sources", made.detect.sources)]
    return "".join(parts)


def _outside(made: Timers, ranges: dict[str, Range]) -> list[str]:
    found = []
    for name, span in ranges.items():
        value = int(getattr(made, name).value)
        if span.unit == "ms" and span.low is not None and span.high is not None and not span.low <= value <= span.high:
            found.append(f"  {name} {value} ms is outside: the nearest accepted value is used\n")
    return found


def _as_json(made: Timers, ranges: dict[str, Range]) -> str:
    from rocecfg.report import derivation

    return derivation.to_json(
        {
            **{name: derivation.as_plain(getattr(made, name)) for name in ("poll", "detect", "restore")},
            "notes": list(made.notes),
            "accepted": {
                name: {"low": span.low, "high": span.high, "default": span.default, "unit": span.unit}
                for name, span in ranges.items()
            },
        }
    )
