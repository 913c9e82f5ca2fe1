"""A simulated incast as drawings: queue, rates, pauses and headroom over time, and the page that holds them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from rocecfg.lint.ranges import compact
from rocecfg.report.chart import (
    BOTTOM,
    HEIGHT,
    LABEL_GAP,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Axis,
    Band,
    Chart,
    Linear,
    Plot,
    Tick,
    even_ticks,
    powers,
    size_text,
)
from rocecfg.report.drawing import Group, page_environment
from rocecfg.report.simulation import CAVEAT, assumed, by_scene, change_text, facts, verdict_text
from rocecfg.units import print_rate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rocecfg.incast.judge import Case
    from rocecfg.incast.numbers import Incast
    from rocecfg.incast.result import Run

Lines = list[tuple[str, list[tuple[float, float]]]]


def as_html(fabric: str, duration_us: float, cases: Sequence[Case]) -> str:
    """Return the cases as one HTML page that needs nothing else."""
    return (
        page_environment()
        .get_template("simulation.html.j2")
        .render(title=fabric, duration=f"{duration_us / 1000:g} ms", caveat=CAVEAT, groups=list(groups(cases)))
    )


def as_svg(cases: Sequence[Case]) -> Iterator[tuple[str, str]]:
    """Yield file name and text of every drawing; of a sweep, the number of the case is in the name."""
    template = page_environment().get_template("drawing.svg.j2")
    many = any(len(scene_cases) > 1 for scene_cases in by_scene(cases))
    for scene_cases in by_scene(cases):
        for number, case in enumerate(scene_cases, 1):
            port = "".join(letter if letter.isalnum() else "_" for letter in case.scene.port)
            for drawing in drawings(case):
                which = f"-{number}" if many else ""
                name = f"{case.scene.switch}-{port}{which}-{drawing.key}.svg"
                yield name, template.render(drawing=drawing, subtitle=f"{case.scene.switch}:{case.scene.port}")


def groups(cases: Sequence[Case]) -> Iterator[Group]:
    """Yield each case with what there is to say about it and its drawings."""
    for scene_cases in by_scene(cases):
        for case in scene_cases:
            changes = ", ".join(f"{name} {change_text(name, value)}" for name, value in case.changes)
            scene = case.scene
            yield Group(
                f"{compact(scene.alike, 'devices')} {scene.port}" + (f": {changes}" if changes else ""),
                verdict_text(case),
                tuple(facts(case))[1:],
                assumed([case]),
                tuple(drawings(case)),
                scene.alike,
            )


def drawings(case: Case) -> Iterator[Chart]:
    """Yield the drawings of a case; none where it was not evaluated or no series was kept."""
    run, incast, closed = case.run, case.incast, case.closed
    if run is None or incast is None or closed is None or not run.series:
        return
    yield _queue(run, incast, closed.pause_depth)
    yield _rates(run, incast)
    if run.pause_at is not None:
        yield _pauses(run)
        yield _headroom(run, incast)


def _queue(run: Run, incast: Incast, depth: float) -> Chart:
    queue = _points(run, "queue")
    lines: Lines = [("queue", queue)]
    top = max(run.peak, incast.ramp[1] if incast.ramp is not None else 0, 1)
    if depth < 4 * top:
        lines.append(("PAUSE, all equal", [(x, depth) for x, _ in queue]))
        top = max(top, depth)
    text = f"The queue peaks at {size_text(run.peak)} after {run.peak_at:.0f} us; PAUSE goes out at {size_text(depth)}"
    if incast.ramp is not None:
        text += f"; marks begin at {size_text(incast.ramp[0])} and are full at {size_text(incast.ramp[1])}"
    bands = () if incast.ramp is None else ((f"ramp, {size_text(incast.ramp[0])} to {size_text(incast.ramp[1])}",
                                             float(incast.ramp[0]), float(incast.ramp[1])),)  # fmt: skip
    return _chart("queue", "Egress queue over time", f"{text}.", "bytes", run, lines, top, size_text, bands)


def _rates(run: Run, incast: Incast) -> Chart:
    share = incast.rate / incast.senders
    sums = _bits(run, "arriving")
    lines: Lines = [
        ("arriving in all", sums),
        ("fastest sender", _bits(run, "fastest")),
        ("slowest sender", _bits(run, "slowest")),
        (f"link {print_rate(incast.rate)}", [(x, float(incast.rate)) for x, _ in sums]),
    ]
    top = max(incast.rate, *(y for _, points in lines for _, y in points))
    text = (
        f"{incast.senders} senders bring {_rate(incast.offered)} at first; an equal share of the link is"
        f" {_rate(share)}; {run.used:.0%} of the link was used."
    )
    y = Axis(share / 100, top * 1.3, HEIGHT - BOTTOM, TOP)
    chart = _chart("rates", "Rates over time, as the switch sees them", text, "rate", run, lines, y, _rate)
    tens = [value for value in powers(y.low, y.high) if round(math.log10(value), 6).is_integer()]
    return replace(chart, y_scale="logarithmic", y_ticks=tuple(Tick(y.at(value), _rate(value)) for value in tens))


def _bits(run: Run, name: str) -> list[tuple[float, float]]:
    """Return a series of rates in bit/s; the model counts bytes a microsecond."""
    return [(x, y * 8e6) for x, y in _points(run, name)]


def _pauses(run: Run) -> Chart:
    text = (
        f"PAUSE goes out {run.pauses} times, first after {run.pause_at:.0f} us; ports are silent {run.paused:.1%} of"
        " the time."
    )
    lines: Lines = [("ports paused", _points(run, "paused"))]
    return _chart("pauses", "Ingress ports that are paused, over time", text, "part", run, lines, 1.0,
                  lambda value: f"{value:.0%}")  # fmt: skip


def _headroom(run: Run, incast: Incast) -> Chart:
    kept = min(lane.of.headroom for lane in incast.lanes)
    points = _points(run, "headroom")
    lines: Lines = [("largest use", points), ("kept", [(x, float(kept)) for x, _ in points])]
    text = (
        f"At most {size_text(run.headroom)} arrive after PAUSE in one group, {run.headroom_part:.0%} of what it keeps."
    )
    return _chart("headroom", "Headroom of the fullest ingress group over time", text, "bytes", run, lines,
                  max(run.headroom, float(kept), 1.0), size_text)  # fmt: skip


def _points(run: Run, name: str) -> list[tuple[float, float]]:
    return list(zip(run.series["time"], run.series[name], strict=True))


def _rate(bits: float) -> str:
    return f"{bits / 1e9:.3g}G" if bits >= 1e9 else f"{bits / 1e6:.3g}M"


def _time(value: float) -> str:
    return f"{value / 1000:g} ms" if value >= 1000 else f"{value:g} us"


def _band(y: Axis | Linear, name: str, low: float, high: float) -> Band:
    """Return a hatched band; one that is too thin for its name goes without."""
    height = round(y.at(low) - y.at(high), 1)
    return Band(name if height >= LABEL_GAP else "", y.at(high), height)


def _chart(
    key: str,
    title: str,
    text: str,
    y_name: str,
    run: Run,
    lines: Lines,
    top: float | Axis,
    write: Callable[[float], str],
    bands: Sequence[tuple[str, float, float]] = (),
) -> Chart:
    times = run.series["time"]
    x = Axis(times[0], max(times[-1], times[0] * 1.01), LEFT, WIDTH - RIGHT)
    y = top if isinstance(top, Axis) else Linear(0, top * 1.05, HEIGHT - BOTTOM, TOP)
    plot = Plot(x, y)
    for name, points in lines:
        plot.line(name, points, marked=False)
    return Chart(
        key,
        title,
        text,
        "time since all start",
        y_name,
        tuple(Tick(x.at(value), _time(value)) for value in powers(x.low, x.high) if str(value)[0] == "1"),
        even_ticks(y, write) if isinstance(y, Linear) else (),
        plot.drawn(),
        tuple(_band(y, *band) for band in bands),
        y_scale="linear",
    )
