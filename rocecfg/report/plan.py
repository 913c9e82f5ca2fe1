"""A plan as text and as JSON: every number with its unit and its reason."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rocecfg.lint.ranges import compact
from rocecfg.plan.numbers import shown
from rocecfg.report import words
from rocecfg.report.table import columns, counted, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rocecfg.physics.derived import Derived
    from rocecfg.plan.numbers import Number
    from rocecfg.plan.planned import Plan, PlannedDevice
    from rocecfg.state.model import Port
    from rocecfg.vendor.api import Adjustment


def as_plain(plan: Plan, names: Iterable[str]) -> dict[str, Any]:
    """Return the chosen devices of a plan as JSON-ready data."""
    preset = plan.fabric.intent.preset
    of_preset = (
        {} if preset is None else {"preset": {"name": preset.name, "title": preset.title, "notes": preset.notes}}
    )
    return {
        "schema": 1,
        "fabric": plan.name,
        **of_preset,
        "devices": {name: _device_plain(plan.devices[name]) for name in names},
    }


def to_json(plain: dict[str, Any]) -> str:
    """Return a plan's data as JSON text."""
    return json.dumps(plain, indent=2) + "\n"


def _device_plain(device: PlannedDevice) -> dict[str, Any]:
    return {
        "nos": device.fitted.nos,
        "kind": device.fitted.kind,
        "ports": {port: _numbers_plain(device.numbers(port)) for port in device.fitted.ports},
        "numbers": _numbers_plain(device.numbers(None)),
        "adjustments": [_adjustment_plain(item) for item in device.adjustments],
        "notes": list(device.notes),
    }


def _numbers_plain(numbers: Iterable[Number]) -> dict[str, dict[str, Any]]:
    return {item.name: {"value": item.value, "unit": item.unit, "because": item.because} for item in numbers}


def _adjustment_plain(item: Adjustment) -> dict[str, str]:
    return {
        "object": item.object,
        "field": item.field,
        "wanted": item.wanted,
        "got": item.got,
        "kind": item.kind,
        "because": item.because,
    }


def as_text(plan: Plan, names: Sequence[str]) -> Iterator[str]:
    """Yield the plan as text: per device one table for the ports that share all numbers, then the changes."""
    ports = sum(len(device.fitted.ports) for device in plan.devices.values())
    yield f"{plan.name}: {counted(len(plan.devices), 'device')}, {counted(ports, 'port')}\n"
    if (preset := plan.fabric.intent.preset) is not None:
        yield f"preset {preset.name}: {printable(preset.title)}\n"
        yield from (f"  note: {printable(note)}\n" for note in preset.notes)
    for alike in alike_devices(plan, names):
        device = plan.devices[alike[0]]
        yield f"\n{compact(alike, 'devices')}  {device.fitted.nos} {device.fitted.kind}{_also(device.fitted.model)}\n"
        own = device.numbers(None)
        if own:
            yield _short(own)
        for alike_ports in _equal_ports(device):
            yield f"{compact(alike_ports)}\n"
            yield _short(device.numbers(alike_ports[0]))
        yield from _changes(device.adjustments)
        yield from _notes(device)


def _notes(device: PlannedDevice) -> Iterator[str]:
    yield from (f"  note: {printable(text)}\n" for text in device.notes)


_SHORT_HEAD = ("devices", "ports", "system", "speed", "cable", "MTU", "PFC", "headroom", "ECN ramp", "watchdog")


def as_short_text(plan: Plan, names: Sequence[str]) -> str:
    """Return one line per kind of port: the numbers people ask for first."""
    rows: list[tuple[str, ...]] = [_SHORT_HEAD]
    for alike in alike_devices(plan, names):
        device = plan.devices[alike[0]]
        for ports in _equal_ports(device):
            numbers = {item.name: _value(item) for item in device.numbers(ports[0])}
            rows.append(
                (
                    compact(alike, "devices"),
                    compact(ports),
                    device.fitted.nos,
                    *(numbers.get(leaf, "-") for leaf in ("speed", "cable", "mtu", "pfc.priorities")),
                    _each(numbers, "priority_groups.", ".headroom"),
                    _ramps(numbers),
                    numbers.get("watchdog.detect", numbers.get("watchdog.enabled", "-")),
                )
            )
    return columns(rows)


def _each(numbers: dict[str, str], head: str, tail: str) -> str:
    """Return the values of a leaf for every priority group or queue, equal ones once, those without any left out."""
    found = dict.fromkeys(text for name, text in numbers.items() if name.startswith(head) and name.endswith(tail))
    return ", ".join(text for text in found if text != "none") or "-"


def _ramps(numbers: dict[str, str]) -> str:
    ramps = []
    for name, low in numbers.items():
        if name.endswith(".ecn.kmin"):
            queue = name.removesuffix(".kmin")
            ramps.append(f"{low} to {numbers.get(f'{queue}.kmax', '?')} at {numbers.get(f'{queue}.pmax', '?')}")
    return ", ".join(dict.fromkeys(ramps)) or "-"


def _also(word: str | None) -> str:
    return f", {word}" if word else ""


def alike_devices(plan: Plan, names: Sequence[str]) -> list[list[str]]:
    """Group devices that have the same system, model and numbers on the same ports."""
    groups: dict[Any, list[str]] = {}
    one = _numbered()
    for name in names:
        fitted = plan.devices[name].fitted
        ports = tuple((port.name, one(port.qos), port.speed, port.mtu, one(port.nic)) for port in fitted.ports.values())
        budget = plan.devices[name].box.budget
        key = (fitted.nos, fitted.model, one(fitted.pools), one(budget), ports, one(fitted.apps), fitted.kubernetes_vfs)
        groups.setdefault(key, []).append(name)
    return list(groups.values())


def _numbered() -> Callable[[object], int]:
    """Return a function that gives equal values one number; each object is compared once, however often it comes.

    A plan shares a `PortQos` between ports: comparing it for each of 300,000 ports would take most of the time.
    """
    of_object: dict[int, int] = {}
    of_value: dict[object, int] = {}

    def number(value: object) -> int:
        known = of_object.get(id(value))
        if known is None:
            known = of_object[id(value)] = of_value.setdefault(value, len(of_value))
        return known

    return number


def _numbers_key(port: Port) -> Any:
    """Return what tells the numbers of two ports apart."""
    return (port.qos, port.speed, port.mtu, port.nic)


def _equal_ports(device: PlannedDevice) -> list[list[str]]:
    groups: dict[Any, list[str]] = {}
    for port in device.fitted.ports.values():
        groups.setdefault(_numbers_key(port), []).append(port.name)
    return list(groups.values())


def _short(numbers: Iterable[Number]) -> str:
    return columns((f"  {item.name}", _value(item)) for item in numbers)


def _value(number: Number) -> str:
    if isinstance(number.value, bool):
        return words.yes(number.value)
    if number.unit == "bit/s" and isinstance(number.value, int):
        return words.rate(number.value)
    return printable(shown(number.value, number.unit))


def _changes(adjustments: Iterable[Adjustment]) -> Iterator[str]:
    """Yield what the system made of the plan, equal changes once with their objects."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for item in adjustments:
        key = (item.kind, item.field, item.wanted, item.got, item.because)
        groups.setdefault(key, []).extend(_objects(item))
    if groups:
        yield "  what the system makes of the plan:\n"
    for (kind, field, wanted, got, because), objects in groups.items():
        where = compact([name for name in dict.fromkeys(objects) if name])
        yield f"    {kind} {field}{f' on {where}' if where else ''}: {wanted} -> {got} ({printable(because)})\n"


def why_text(device: PlannedDevice, port: str | None) -> Iterator[str]:
    """Yield every number of a device, or of one port, with its reason; the title says where the intent asks for it."""
    groups = [[port]] if port is not None else _equal_ports(device)
    own = device.numbers(None)
    if own and port is None:
        yield from _reasons(device.name, own)
    for ports in groups:
        yield from _reasons(f"{device.name} {compact(ports)}", device.numbers(ports[0]))
    if port is None:
        yield from _notes(device)
    yield from _changes(item for item in device.adjustments if port is None or _concerns(item, port, device))


def _reasons(title: str, numbers: Sequence[Number]) -> Iterator[str]:
    place = numbers[0].place if numbers else None
    yield title + (f"  ({place.file}:{place.line})" if place is not None and place.line else "") + "\n"
    for item in numbers:
        yield f"  {item.name} = {_value(item)}\n"
        if item.derived is None:
            yield f"      {printable(item.because)}\n"
        else:
            yield from _derivation(item.because, item.derived)


def _derivation(because: str, derived: Derived) -> Iterator[str]:
    """Yield a reason whose sum stands below it, term by term."""
    from rocecfg.report.derivation import sum_text

    yield f"      {printable(because.replace(derived.because, derived.because.partition(':')[0]))}\n"
    if derived.terms:
        yield "".join(f"      {line}\n" for line in sum_text(derived).splitlines())


def _objects(item: Adjustment) -> list[str]:
    return item.object.split(", ")


def _concerns(item: Adjustment, port: str, device: PlannedDevice) -> bool:
    """Return whether a change is about a port, or about the device rather than about other ports of it."""
    objects = _objects(item)
    return port in objects or not any(name in device.fitted.ports for name in objects)
