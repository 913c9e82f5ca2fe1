"""A plan as drawings: the buffer of each box, its marking ramp against PAUSE, its headroom over the cable length."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from rocecfg.lint.ranges import compact
from rocecfg.packs import room_folders
from rocecfg.physics.headroom import standard_bound
from rocecfg.physics.laws import headroom
from rocecfg.physics.marking import DESIGN_INCAST, overshoot
from rocecfg.physics.thresholds import DEFAULT_ALPHA, pause_depth
from rocecfg.plan.demand import DEFAULT_CABLE, demand_of
from rocecfg.plan.ramp import rtt_of
from rocecfg.report.chart import Band, Bar, Chart, Spot, Tick, bar, byte_ticks, plot, size_text
from rocecfg.report.plan import alike_devices
from rocecfg.report.table import counted
from rocecfg.state.model import Dynamic
from rocecfg.units import print_rate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from jinja2 import Environment

    from rocecfg.intent.settings import Settings
    from rocecfg.physics.chip import Chip
    from rocecfg.plan.planned import Plan, PlannedDevice
    from rocecfg.report import chart
    from rocecfg.state.model import Curve, Port

SENDERS = (1, 2, 4, 8, 16, 32, 64)
LENGTHS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000)
MOST_SPEEDS = 4
MOST_LABELS = 3
"""Planned ports that are written out in a drawing; more of them are numbered."""
MOST_TICKS = 15
"""Lengths from which on an axis names powers of ten only."""
LABEL_ROOM = 120
"""Pixels that a label left of its point needs."""


@dataclass(frozen=True, slots=True)
class Group:
    """Devices that are alike, what there is to say about them, and their drawings."""

    title: str
    subtitle: str
    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    drawings: tuple[Chart | Bar, ...]
    names: tuple[str, ...]
    """The devices."""


@lru_cache(maxsize=1)
def page_environment() -> Environment:
    """Return the templates of pages and drawings."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader([str(room / "report") for room in room_folders("templates")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def as_html(plan: Plan, names: Sequence[str]) -> str:
    """Return the drawings of a plan as one HTML page that needs nothing else."""
    made = tuple(groups(plan, names))
    devices = counted(len(names), "device")
    return page_environment().get_template("plan.html.j2").render(title=plan.name, devices=devices, groups=made)


def as_svg(plan: Plan, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield file name and text of every drawing; devices that are alike share the drawing of the first."""
    template = page_environment().get_template("drawing.svg.j2")
    for group in groups(plan, names):
        for drawing in group.drawings:
            yield f"{group.names[0]}-{drawing.key}.svg", template.render(drawing=drawing, subtitle=group.title)


def groups(plan: Plan, names: Sequence[str]) -> Iterator[Group]:
    """Yield the devices of a plan, those that are alike together, with their drawings."""
    for alike in alike_devices(plan, names):
        device = plan.devices[alike[0]]
        drawings = [_buffer(device), _marks(plan, device), _lengths(plan, device)]
        chip = device.box.chip
        yield Group(
            compact(alike, "devices"),
            ", ".join(filter(None, (device.fitted.nos, device.fitted.model, chip.title if chip is not None else None))),
            tuple(_facts(device)),
            device.notes,
            tuple(drawing for drawing in drawings if drawing is not None),
            tuple(alike),
        )


def _facts(device: PlannedDevice) -> Iterator[tuple[str, str]]:
    for item in device.numbers(None):
        value = f"{item.value} {item.unit}" if item.unit == "%" else f"{item.value:,} {item.unit}".replace(",", " ")
        yield item.name, f"{value}: {item.because}"


def _buffer(device: PlannedDevice) -> Bar | None:
    """Return the memory of the box as a bar: reserved, headroom, shared."""
    budget = device.box.budget
    if budget is None or not budget.groups or not budget.fits:
        return None
    parts = [("reserved", budget.reserved), ("headroom", budget.headroom), ("shared", budget.shared)]
    return bar(
        "buffer",
        f"Buffer: {size_text(budget.memory)} for {counted(budget.count(), 'lossless group')}",
        budget.derived().because,
        [(name, size) for name, size in parts if size],
    )


def _marks(plan: Plan, device: PlannedDevice) -> Chart | None:
    """Return the ramp of the fastest port against the depth at which PAUSE goes out, for 1 to 64 senders."""
    budget = device.box.budget
    found = _ramp(device)
    if budget is None or not budget.fits or not budget.groups or found is None:
        return None
    port, alpha, curve = found
    assert curve.low is not None
    assert curve.high is not None
    low, high, rate = curve.low.bytes or 0, curve.high.bytes or 0, port.speed or 0
    settings = plan.fabric.settings(device.name, port.name)
    rtt = rtt_of(settings, plan.tiers)
    reserved = max((group.reserved for group in budget.groups), default=0)
    pause = [(n, float(pause_depth(alpha, budget.shared, n, reserved))) for n in SENDERS]
    each = [(n, float(pause_depth(alpha, budget.shared, n, reserved) / n)) for n in SENDERS]
    burst = [(n, float(low + overshoot(rate, rtt, n))) for n in SENDERS]
    levels = [y for _, y in (*pause, *each, *burst)]
    area = plot(SENDERS, (*levels, low, high))
    area.line("PAUSE: egress queue", pause)
    area.line("PAUSE: each ingress", each)
    area.line("Kmin and the burst", burst)
    incast = int(settings.design_incast.or_else(DESIGN_INCAST))
    return Chart(
        "marks",
        f"Marks before PAUSE at {print_rate(rate)}, alpha {alpha}",
        f"Marking starts at {size_text(low)} and is full at {size_text(high)}. One sender pauses at"
        f" {size_text(pause[0][1])} of egress queue, {incast} senders at"
        f" {size_text(float(pause_depth(alpha, budget.shared, incast, reserved)))}; a burst of {incast} line-rate"
        f" senders reaches {size_text(low + overshoot(rate, rtt, incast))} before the first slows down.",
        "senders into one port",
        "bytes",
        tuple(Tick(area.x.at(n), str(n)) for n in SENDERS),
        byte_ticks(area.y),
        area.drawn(),
        (
            Band(
                f"ramp: Kmin {size_text(low)} to Kmax {size_text(high)}",
                area.y.at(high),
                area.y.at(low) - area.y.at(high),
            ),
        ),
    )


def _ramp(device: PlannedDevice) -> tuple[Port, Fraction, Curve] | None:
    """Return the fastest port with a ramp in bytes, its alpha and the ramp, from what was planned."""
    for port in sorted(device.wanted.ports.values(), key=lambda item: -(item.speed or 0)):
        lossless = [group for group in port.qos.priority_groups or () if group is not None and group.lossless]
        curves = [queue.ecn.curves[0] for queue in port.qos.queues or () if queue and queue.ecn and queue.ecn.curves]
        limit = lossless[0].xoff_at if lossless else None
        if curves and curves[0].low is not None and curves[0].high is not None and isinstance(limit, Dynamic):
            return port, limit.alpha or DEFAULT_ALPHA, curves[0]
    return None


def _lengths(plan: Plan, device: PlannedDevice) -> Chart | None:
    """Return headroom over cable length for the speeds of a device, its planned ports marked."""
    kinds = _kinds(plan, device)
    if not kinds:
        return None
    chip, host = device.box.chip, device.wanted.kind == "host"
    rates = sorted({rate for _, rate, _ in kinds}, reverse=True)[:MOST_SPEEDS]
    settings = {rate: next(item for item, other, _ in kinds if other == rate) for rate in rates}
    longest = max(float(metres) for _, _, metres in kinds)
    limit = chip.whole("cable_limit") if chip is not None else None
    lengths = [metres for metres in LENGTHS if metres <= max(300, 4 * longest) and (limit is None or metres <= limit)]
    needs: dict[int, list[tuple[float, float]]] = {
        rate: [
            (metres, float(headroom(chip, demand_of(settings[rate], rate, metres, host)).value)) for metres in lengths
        ]
        for rate in rates
    }
    top = rates[0]
    demands = [demand_of(settings[top], top, metres, host) for metres in lengths]
    bound = [
        (float(demand.metres), float(standard_bound(top, demand.metres, demand.mtu, demand.lossless_mtu).value))
        for demand in demands
    ]
    floor = [(float(demand.metres), float(demand.floor)) for demand in demands]
    curves: list[list[tuple[float, float]]] = [*needs.values(), bound, floor]
    area = plot(lengths, [y for points in curves for _, y in points])
    for rate in rates:
        area.line(f"{print_rate(rate)} headroom", needs[rate], marked=False)
    if needs[top] != bound:
        area.line(f"{print_rate(top)} 802.1Q, no cells", bound, marked=False)
    area.line(f"{print_rate(top)} in the cable", floor, marked=False)
    planned = sorted({(float(metres), rate, _need(chip, item, rate, metres, host)) for item, rate, metres in kinds})
    spots = _spots(area, [item for item in planned if item[1] in rates])
    law = "the bound of 802.1Q" if chip is None else f"the law of {chip.title}"
    text = "; ".join(spot.name for spot in spots)
    firsts = "135" if len(lengths) < MOST_TICKS else "1"
    return Chart(
        "headroom",
        f"Headroom of one lossless priority over cable length ({law})",
        f"Planned: {text}.",
        "length of cable",
        "bytes",
        tuple(Tick(area.x.at(metres), _length(metres)) for metres in lengths if str(metres)[0] in firsts),
        byte_ticks(area.y),
        area.drawn(),
        spots=spots,
    )


def _need(chip: Chip | None, settings: Settings, rate: int, metres: int | Fraction, host: bool) -> int:
    return int(headroom(chip, demand_of(settings, rate, metres, host)).value)


def _length(metres: float) -> str:
    return f"{metres / 1000:g} km" if metres >= 1000 else f"{metres:g} m"


def _spots(area: chart.Plot, planned: list[tuple[float, int, int]]) -> tuple[Spot, ...]:
    """Return the planned (metres, bit/s, bytes) as points: left above and right below in turn, many as numbers."""
    found = []
    for number, (metres, rate, need) in enumerate(planned, 1):
        x, y = area.x.at(metres), area.y.at(need)
        name = f"{print_rate(rate)}, {_length(metres)}: {size_text(need)}"
        few, odd = len(planned) <= MOST_LABELS, number % 2 == 1
        label = f"{_length(metres)}: {size_text(need)}" if few else str(number)
        left = odd and x - area.x.start > LABEL_ROOM
        found.append(Spot(x, y, name if few else f"({number}) {name}", label, "end" if left else "start",
                          x - 9 if left else x + 9, y - 9 if odd else y + 20))  # fmt: skip
    return tuple(found)


def _kinds(plan: Plan, device: PlannedDevice) -> list[tuple[Settings, int, int | Fraction]]:
    """Return settings, speed and cable of each kind of lossless port."""
    found = []
    for name, port in plan.fabric.devices[device.name].ports.items():
        qos = device.wanted.ports[name].qos
        if port.speed is not None and any(group is not None and group.lossless for group in qos.priority_groups or ()):
            metres = DEFAULT_CABLE if port.cable_m is None else port.cable_m
            found.append((plan.fabric.settings(device.name, name), port.speed, metres))
    by_shape = {(rate, metres): (settings, rate, metres) for settings, rate, metres in reversed(found)}
    return list(by_shape.values())
