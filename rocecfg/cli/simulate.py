"""`rocecfg simulate`: an incast on the planned fabric, stepped through time: marks or PAUSE first."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rocecfg import units
from rocecfg.cli.calc_options import TIME
from rocecfg.cli.options import command, output_file, output_format
from rocecfg.cli.terminal import result_stream
from rocecfg.errors import UsageError, did_you_mean
from rocecfg.physics.dcqcn import KNOBS
from rocecfg.state.numbers import whole_number
from rocecfg.units import UnitError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.findings import Severity
    from rocecfg.incast.judge import Case
    from rocecfg.incast.scene import Changes, Scene

MOST_RUNS = 256
SHORTEST_US, LONGEST_US = 100, 100_000
MOST_SENDERS, MOST_BACKGROUND = 65_536, 64
KNOB_NAMES = frozenset(knob.name for knob in KNOBS)
_LARGEST = 1 << 40


def _count(text: str) -> int:
    count = whole_number(text, _LARGEST)
    if count is None:
        raise UnitError(f'the number "{text[:40]}" is not accepted', "accepted: a whole number")
    return count


def _senders(text: str) -> int:
    found = _count(text)
    if not 1 <= found <= MOST_SENDERS:
        raise UnitError(f"{found} senders are not accepted", f"accepted: 1 to {MOST_SENDERS}")
    return found


def _background(text: str) -> int:
    found = _count(text)
    if found > MOST_BACKGROUND:
        raise UnitError(f"{found} flows of the background are not accepted", f"accepted: 0 to {MOST_BACKGROUND}")
    return found


def _micros(text: str) -> Fraction:
    found = Fraction(units.parse_duration(text), 1000)
    if found > 10**6 or found.denominator != 1:
        raise UnitError(f'"{text}" is not accepted', "accepted: whole microseconds up to 1s")
    return found


def _round_trip(text: str) -> int:
    found = units.parse_duration(text)
    if not 100 <= found <= 10**7:
        raise UnitError(f'a round trip of "{text}" is not accepted', "accepted: 100ns to 10ms")
    return found


def _size(text: str) -> int:
    found = units.parse_size(text)
    if not 1 <= found <= _LARGEST:
        raise UnitError(f'a size of "{text}" is not accepted', "accepted: 1B to 1TiB")
    return found


def _alpha(text: str) -> Fraction:
    found = Fraction(units.parse_alpha(text))
    if not Fraction(1, 1024) <= found <= 1024:
        raise UnitError(f'an alpha of "{text}" is not accepted', "accepted: 1/1024 to 1024")
    return found


def _percent(text: str) -> Fraction:
    found = Fraction(units.parse_percent(text))
    if not 0 < found <= 100:
        raise UnitError(f'"{text}" is not accepted', "accepted: above 0% up to 100%")
    return found


NAMES: dict[str, tuple[str, Callable[[str], Any]]] = {
    "senders": ("senders", _senders),
    "kmin": ("kmin", _size),
    "kmax": ("kmax", _size),
    "pmax": ("pmax", _percent),
    "alpha": ("alpha", _alpha),
    "xoff": ("xoff", _size),
    "pool": ("pool", _size),
    "headroom": ("headroom", _size),
    "rtt": ("rtt", _round_trip),
    "cnp": ("min_time_between_cnps", _micros),
    "message": ("message", _size),
    "background": ("background", _background),
}
"""Word of --sweep and --set -> what it changes, how its values are read. mlx5's DCQCN names take whole numbers."""


def _changes(text: str, option: str, most: int) -> tuple[str, list[Fraction]]:
    """Return name and values of `kmin=100KB,200KB`. Raises UsageError with what is accepted."""
    word, separator, values = text.partition("=")
    word = word.strip()
    read: Callable[[str], Any]
    if word in KNOB_NAMES:
        name, read = word, _count
    elif word in NAMES:
        name, read = NAMES[word]
    else:
        known = ", ".join(NAMES)
        near = did_you_mean(word, [*NAMES, *KNOB_NAMES])
        raise UsageError(f'{option}: "{word[:40]}" is not known{near}; known: {known}, and DCQCN names such as rpg_gd')
    parts = [part.strip() for part in values.split(",") if part.strip()]
    if not separator or not 1 <= len(parts) <= most:
        raise UsageError(f"{option} {word}: accepted: {word}=VALUE{',VALUE...' if most > 1 else ''}")
    try:
        found = [Fraction(read(part)) for part in parts]
    except UnitError as error:
        raise UsageError(f"{option} {word}: {error}") from error
    if name in KNOB_NAMES:
        _check_knob(option, name, found)
    return name, list(dict.fromkeys(found))


LIMITS = {"rpg_gd": (10, 15), "rpg_min_dec_fac": (0, 100), "initial_alpha_value": (0, 1024), "dce_tcp_g": (0, 1024),
          "dce_tcp_rtt": (1, 1_000_000), "rpg_time_reset": (1, 1_000_000), "rpg_min_rate": (1, 1_000_000)}  # fmt: skip


def _check_knob(option: str, name: str, values: list[Fraction]) -> None:
    least, most = LIMITS.get(name, (0, 1_000_000_000))
    for value in values:
        if not least <= value <= most:
            raise UsageError(f"{option} {name}: {value} is not accepted; accepted: {least} to {most}")


@command(
    ("rocecfg simulate pod1.roce.yaml --incast 32", "for each kind of leaf"),
    ("rocecfg simulate pod1.roce.yaml --incast 64 --from 'gpu*' --to gpu01:rail0", "who sends where"),
    ("rocecfg simulate pod1.roce.yaml --sweep senders=8,16,32,64 --sweep cnp=4us,50us", "find the cliff"),
    ("rocecfg simulate pod1.roce.yaml --set message=1MB --set background=4", "how long it takes, beside four flows"),
    ("rocecfg simulate pod1.roce.yaml --set alpha=1/8 --format html -o incast.html", "a page"),
)
@click.argument("intent", metavar="INTENT", type=click.Path(path_type=Path))
@click.option("--incast", type=click.IntRange(1, MOST_SENDERS), metavar="N",
              help="Senders into one port; default: the design incast of the intent, 16.")  # fmt: skip
@click.option("--from", "sent_from", default="", metavar="GLOB", help="Hosts that send; default: all others.")
@click.option("--to", default="", metavar="DEVICE[:PORT]",
              help="Receiving host, or congested switch port; default: a host of each kind of switch.")  # fmt: skip
@click.option("--sweep", multiple=True, metavar="NAME=V,V",
              help=f"Try values of {', '.join(NAMES)}, or of a DCQCN name. Repeatable: all combinations.")  # fmt: skip
@click.option("--set", "given", multiple=True, metavar="NAME=V",
              help="Use this value instead of the planned one. Repeatable.")  # fmt: skip
@click.option("--time", "duration", type=TIME, default="10ms", show_default=True, help="How long the senders send.")
@click.option("--fail-on", type=click.Choice(["error", "warning", "info", "never"]), default="error",
              show_default=True, help="Exit 1 from this severity on; a simulation never finds an error.")  # fmt: skip
@output_format("text", "json", "html", "svg")
@output_file
def simulate(
    intent: Path, incast: int | None, sent_from: str, to: str, sweep: tuple[str, ...], given: tuple[str, ...],
    duration: int, fail_on: str, form: str, output: Path | None,
) -> int:  # fmt: skip
    """Step an incast through time: do marks or PAUSE act first, when, and is the headroom enough.

    A deterministic model of DCQCN senders, one switch's shared buffer and PFC, with the numbers that the planned
    devices carry. What a device works out itself is assumed and said so; what is not known makes the answer "not
    evaluated". It ranks designs and finds cliffs, it proves nothing: findings are warnings and remarks only. Needs
    numpy: pip install 'rocecfg[sim]'.
    """
    duration_us = duration / 1000
    if not SHORTEST_US <= duration_us <= LONGEST_US:
        raise UsageError(f"--time: accepted: {SHORTEST_US}us to {LONGEST_US // 1000}ms")
    changes, sweeps = _given(given), _sweeps(sweep)
    if form == "svg" and (output is None or str(output) == "-"):
        raise UsageError("--format svg writes one file a drawing: name a folder with -o DIR")
    _needs_numpy()
    from rocecfg.cli.intents import load_plan
    from rocecfg.incast.scene import scenes
    from rocecfg.report.simulation import outcome_of

    plan = load_plan(intent)
    found = scenes(plan, to, sent_from, incast, changes)
    if len(found) * len(sweeps) > MOST_RUNS:
        raise UsageError(
            f"{len(found)} ports x {len(sweeps)} combinations are more than {MOST_RUNS} runs: sweep fewer values, or"
            " choose one port with --to"
        )
    _check_ramps(found, sweeps)
    cases = _judge(found, sweeps, duration_us, form)
    _write(plan.name, duration_us, cases, form, output)
    return outcome_of(cases).exit_code(_severity(fail_on))


def _severity(word: str) -> Severity | None:
    from rocecfg.findings import Severity

    return None if word == "never" else Severity.parse(word)


def _given(texts: tuple[str, ...]) -> Changes:
    found = [_changes(text, "--set", 1) for text in texts]
    if any(name == "senders" for name, _ in found):
        raise UsageError("--set senders: say --incast N")
    return tuple((name, values[0]) for name, values in found)


def _sweeps(texts: tuple[str, ...]) -> list[Changes]:
    """Return every combination of the swept values; one without changes where nothing is swept."""
    found = [_changes(text, "--sweep", 64) for text in texts]
    names = [name for name, _ in found]
    if len(set(names)) < len(names):
        raise UsageError("--sweep: each name once, its values separated by commas")
    total = 1
    for _, values in found:
        total *= len(values)
    if total > MOST_RUNS:
        raise UsageError(f"--sweep: {total} combinations, at most {MOST_RUNS}")
    return [tuple(zip(names, values, strict=True)) for values in product(*(values for _, values in found))]


def _check_ramps(found: list[Scene], sweeps: list[Changes]) -> None:
    """Refuse a ramp that falls: only --set and --sweep can make one."""
    for scene in found:
        for changes in sweeps:
            if scene.missing:
                continue
            ramp = scene.incast(changes).ramp
            if ramp is not None and ramp[0] > ramp[1]:
                raise UsageError(f"Kmin {ramp[0]} B lies above Kmax {ramp[1]} B: set both")


def _needs_numpy() -> None:
    try:
        import numpy  # noqa: F401, ICN001
    except ImportError as error:
        raise UsageError("simulate needs numpy: pip install 'rocecfg[sim]'") from error


def _judge(found: list[Scene], sweeps: list[Changes], duration_us: float, form: str) -> list[Case]:
    from rocecfg.incast.judge import judge

    return judge(found, sweeps, duration_us, record=form in {"html", "svg"} or (form == "json" and len(sweeps) == 1))


def _write(fabric: str, duration_us: float, cases: list[Case], form: str, output: Path | None) -> None:
    from rocecfg.report import derivation, simulation

    if form == "svg":
        from rocecfg.cli.plan import in_folder
        from rocecfg.report import simulationpage

        assert output is not None
        for name, text in simulationpage.as_svg(cases):
            with result_stream(in_folder(output, name)) as stream:
                stream.write(text)
        return
    with result_stream(output) as stream:
        if form == "json":
            stream.write(derivation.to_json(simulation.as_plain(fabric, duration_us, cases)))
        elif form == "html":
            from rocecfg.report import simulationpage

            stream.write(simulationpage.as_html(fabric, duration_us, cases))
        else:
            stream.writelines(simulation.as_text(fabric, duration_us, cases))
