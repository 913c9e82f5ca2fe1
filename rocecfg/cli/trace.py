"""`rocecfg trace`: RoCE traffic followed from host to host, and the CNP's way back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from rocecfg.cli.options import command, output_file, output_format, system, workers
from rocecfg.cli.terminal import error_line, result_stream
from rocecfg.errors import (
    EXIT_CLEAN,
    EXIT_FINDINGS,
    EXIT_UNREADABLE,
    ReadError,
    UsageError,
    did_you_mean,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocecfg.cli.inputs import Source
    from rocecfg.fabric.graph import Fabric
    from rocecfg.fabric.links import Cable
    from rocecfg.fabric.paths import Path as Way
    from rocecfg.intent.fabric import Fabric as Intent
    from rocecfg.lint.expect import Expectations
    from rocecfg.report.trace import Traced
    from rocecfg.state.model import Device


@command(
    ("rocecfg trace pod1.roce.yaml --from gpu01 --to gpu05", "as planned: every hop, data and CNP"),
    ("rocecfg trace captures/ --intent pod1.roce.yaml --from gpu01:rail0 --to gpu05", "as the devices are"),
    ("rocecfg trace configs/ --links cables.yaml --from gpu01 --to gpu05 --dscp 26", "without an intent"),
)
@click.argument("sources", metavar="INTENT|CAPTURES...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--from", "start", required=True, metavar="DEVICE[:PORT]", help="Where the traffic comes from.")
@click.option("--to", "end", required=True, metavar="DEVICE[:PORT]", help="Where it goes.")
@click.option("--dscp", type=click.IntRange(0, 63), help="Follow this DSCP; default: what host and intent say.")
@click.option("--intent", type=click.Path(path_type=Path), metavar="INTENT",
              help="What captured devices should be: classes, cables.")  # fmt: skip
@click.option("--links", type=click.Path(path_type=Path), metavar="FILE",
              help='YAML list of {a: "device:port", b: "device:port"}; default: the intent, else LLDP.')  # fmt: skip
@system
@output_format("text", "json")
@output_file
@workers
def trace(
    sources: tuple[Path, ...],
    start: str,
    end: str,
    dscp: int | None,
    intent: Path | None,
    links: Path | None,
    nos: str,
    form: str,
    output: Path | None,
    jobs: int | None,
) -> int:
    """Follow RoCE traffic from host to host, hop by hop.

    Shown are the mark of the application or NIC, then at every hop class, queue, PFC and ECN, where the chain breaks,
    and the CNP's way back. Of ways of equal cost one is shown for each distinct treatment. Exit 0 when the chain is
    whole, 1 when it is broken, 3 when something on the way is not known.
    """
    from rocecfg.report import trace as report

    given = _read(sources, intent, links, nos, jobs)
    start_name, start_port = _named(given.fabric, start)
    end_name, end_port = _named(given.fabric, end)
    if start_name == end_name:
        raise UsageError(f"{start} is both ends of the trace")
    ways = list(_ways(given.fabric, start_name, end_name, start_port, end_port))
    if not ways:
        raise UsageError(f"no cables lead from {start} to {end}")
    traced = _traced(given, ways, dscp)
    with result_stream(output) as stream:
        stream.write(report.to_json(start, end, traced) if form == "json" else report.to_text(traced))
    if any(one.broken for one in traced):
        return EXIT_FINDINGS
    return EXIT_UNREADABLE if given.unreadable or any(one.unknown for one in traced) else EXIT_CLEAN


class _Given(NamedTuple):
    """What the sources give: the fabric with states, what is wanted, and how much could not be read."""

    fabric: Fabric
    expect: Expectations
    unreadable: int


def _read(paths: tuple[Path, ...], intent_path: Path | None, links: Path | None, nos: str, jobs: int | None) -> _Given:
    from rocecfg.cli.inputs import sources_under
    from rocecfg.cli.intents import load_fabric
    from rocecfg.cli.reading import check_system
    from rocecfg.fabric.links import cables_of_file

    check_system(nos)
    found = list(sources_under(paths))
    if not found:
        raise ReadError(f"nothing to trace under {', '.join(map(str, paths))}")
    intents = [source for source in found if not isinstance(source, ReadError) and source.is_intent]
    captures = [source for source in found if isinstance(source, ReadError) or not source.is_intent]
    if len(intents) + (intent_path is not None) > 1:
        raise UsageError("a trace goes through one fabric: give one intent")
    fabric = load_fabric(intent_path) if intent_path is not None else None
    if fabric is None and intents:
        fabric = load_fabric(intents[0].path, intents[0].text)
    devices, unreadable = _captured(captures, nos, jobs) if captures else (_planned(fabric), 0)
    return _Given(*_gathered(fabric, devices, cables_of_file(links) if links is not None else None), unreadable)


def _planned(fabric: Intent | None) -> list[Device]:
    from rocecfg.plan.resolve import plan

    return [device.fitted for device in plan(fabric).devices.values()] if fabric is not None else []


def _captured(captures: list[Source | ReadError], nos: str, jobs: int | None) -> tuple[list[Device], int]:
    from rocecfg.cli.reading import read_devices

    devices, unreadable = [], 0
    for reading in read_devices(captures, nos, jobs):
        if reading.device is None:
            unreadable += 1
            error_line(reading.error)
        else:
            devices.append(reading.device)
    return devices, unreadable


def _gathered(intent: Intent | None, devices: list[Device], cables: list[Cable] | None) -> tuple[Fabric, Expectations]:
    from rocecfg.fabric.links import Cabling, cables_of_neighbours
    from rocecfg.lint.checks import Checks
    from rocecfg.lint.config import Settings
    from rocecfg.lint.expect import Expectations
    from rocecfg.lint.whole import Whole
    from rocecfg.state.model import Interner

    if cables is not None:
        kinds = {name: device.kind for name, device in intent.devices.items()} if intent is not None else None
        cabling = Cabling(cables, kinds)
    else:
        cabling = Cabling.of_fabric(intent) if intent is not None else Cabling(cables_of_neighbours(devices))
    if not cabling.cables:
        raise UsageError("no cables are known: give --intent or --links, or capture LLDP neighbours")
    expect = Expectations(intent)
    whole = Whole(Checks(Settings(select=("PATH",))), cabling, expect, intent)
    share = Interner()
    for device in devices:
        whole.add(cabling.overlay(device), lambda: share)
    return whole.fabric(), expect


def _named(fabric: Fabric, text: str) -> tuple[int, str]:
    """Return device number and port of `DEVICE[:PORT]`. Raises UsageError with the nearest known name."""
    names = list(fabric.topology.names)
    device, _, port = text.partition(":")
    if device not in names:
        raise UsageError(f'no cable leads to a device "{device}"{did_you_mean(device, names)}')
    number = names.index(device)
    ports = _ports(fabric, number)
    if port and port not in ports:
        raise UsageError(f'no cable leads to port "{port}" of {device}{did_you_mean(port, ports)}')
    return number, port


def _ports(fabric: Fabric, device: int) -> list[str]:
    topology = fabric.topology
    return [topology.ports(channel)[0] for channels in topology.out[device] for channel in channels]


def _ways(fabric: Fabric, start: int, end: int, port: str, to_port: str) -> Iterator[Way]:
    """Yield the shortest ways from each port of the sender."""
    from rocecfg.fabric.paths import between

    for name in [port] if port else _ports(fabric, start):
        yield from between(fabric, start, end, name, to_port)


def _traced(given: _Given, ways: list[Way], dscp: int | None) -> list[Traced]:
    """Return one way for each distinct treatment, with the number of ways that are treated alike."""
    from rocecfg.report.trace import traced

    found: dict[object, Traced] = {}
    for way in ways:
        first = way.hops[0]
        expect = given.expect.of(first.device, first.leaves) or next(
            (wanted for hop in way.hops if (wanted := given.expect.of(hop.device)) is not None), None
        )
        for one in traced(way, expect, dscp):
            known = found.setdefault(one.treatment(), one)
            if known is not one:
                known.count += 1
    return sorted(found.values(), key=lambda one: not one.broken)
