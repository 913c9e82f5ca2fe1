"""A plan: the wanted state of every device, what its system carries of it, and the reason of every number."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.plan.apps import numbers as app_numbers
from rocecfg.plan.box import Box
from rocecfg.plan.numbers import Number, numbers_of, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocecfg.intent.fabric import Fabric
    from rocecfg.physics.derived import Derived
    from rocecfg.plan.classes import PlannedClass
    from rocecfg.plan.numbers import Value
    from rocecfg.state.model import Device
    from rocecfg.vendor.api import Adjustment


@dataclass(frozen=True, slots=True)
class PlannedDevice:
    """One device: what the intent wants, what its system can carry, every change between the two."""

    name: str
    wanted: Device
    fitted: Device
    adjustments: tuple[Adjustment, ...]
    why: dict[str, dict[str, str]] = field(default_factory=dict, repr=False)
    """Port name -> leaf path -> sentence. Ports of one kind share the inner mapping."""
    derived: dict[str, dict[str, Derived]] = field(default_factory=dict, repr=False)
    """Port name -> leaf path -> derivation, where a number is a sum."""
    box: Box = field(default_factory=Box, repr=False)
    """The chip and the buffer of the whole device, as far as they are known."""
    notes: tuple[str, ...] = ()
    """What a reader has to know and no number says."""
    stated: dict[str, frozenset[str]] = field(default_factory=dict, repr=False)
    """Port name -> leaf paths that the intent states."""
    one_command: str = ""
    """The system's own RoCE command that makes the very same settings; empty where there is none."""

    app_why: dict[str, str] = field(default_factory=dict, repr=False)
    """Leaf path of an application ("apps.nccl.tos") -> sentence."""

    def overruled(self) -> list[Adjustment]:
        """Return what the intent states and the system does not carry: dropped, chosen otherwise, made by the box.

        Also what it has to share with other ports or priorities, where that makes another value of it, and what it
        takes so far from the stated value that rounding is no word for it.
        """
        kinds = {"dropped", "chosen", "box-made", "equalised", "quantised"}
        gone = [
            item
            for item in self.adjustments
            if item.kind in kinds and (item.kind == "dropped" or not item.field.startswith("pools"))
        ]
        return [item for item in gone if any(self._overrules(item, port) for port in _ports_of(item, self.stated))]

    def _overrules(self, item: Adjustment, port: str) -> bool:
        """Return whether a change is about a leaf that the intent states for a port; an equal number is no change."""
        touched = [leaf for leaf in self.stated[port] if _touches(item.field, self.carried_leaf(port, leaf))]
        if item.kind in {"dropped", "box-made"} or not touched:
            return bool(touched)
        other = _is_far if item.kind == "quantised" else _is_other
        planned, got = (
            numbers_of(device.ports[port]) if port in device.ports else {} for device in (self.wanted, self.fitted)
        )
        return any(
            other(number, got.get(self.carried_leaf(port, leaf), (None, "")))
            for stated in touched
            for leaf, number in planned.items()
            if _touches(stated, leaf) and _touches(item.field, self.carried_leaf(port, leaf))
        )

    def carried_leaf(self, port: str, leaf: str) -> str:
        """Return the path that a planned leaf has on the device, where the system numbers its queues otherwise."""
        head, _, rest = leaf.partition(".")
        number, _, rest = rest.partition(".")
        here = self.fitted.ports.get(port)
        wanted, fitted = self.wanted.ports[port].qos.tc_to_queue, here.qos.tc_to_queue if here is not None else None
        if head != "queues" or not number.isdecimal() or wanted is None or fitted is None:
            return leaf
        moved = {to for of, to in zip(wanted, fitted, strict=False) if of == int(number) and to is not None}
        return f"queues.{moved.pop()}.{rest}" if len(moved) == 1 else leaf

    def numbers(self, port: str | None = None) -> list[Number]:
        """Return the numbers of a port, with None those of the device itself. Raises KeyError for an unknown port."""
        if port is None:
            return list(self._device_numbers())
        fitted, wanted = self.fitted.ports[port], self.wanted.ports[port]
        planned, why = numbers_of(wanted), self.why[port]
        return [
            Number(
                leaf,
                value,
                unit,
                self._because(leaf, port, (value, unit), planned.get(leaf), why),
                wanted.place,
                self.derived.get(port, {}).get(leaf),
            )
            for leaf, (value, unit) in numbers_of(fitted).items()
        ]

    def _because(
        self, leaf: str, port: str, got: tuple[object, str], planned: tuple[object, str] | None, why: dict[str, str]
    ) -> str:
        reason = why.get(leaf, "")
        if planned is not None and planned == got:
            return reason or "the intent"
        if planned is not None and _holds(planned[0], got[0]):
            return f"{reason}; the rest as the system has it"
        changes = [item for item in self.adjustments if _is_about(item, leaf, port)]
        if changes:
            note = "; ".join(dict.fromkeys(f"{item.kind}: {item.because}" for item in changes))
            return f"planned {shown(*planned)} ({reason}); {note}" if planned is not None and reason else note
        qos = self.fitted.ports[port].qos
        if any(leaf == path or leaf.startswith(path + ".") for path in qos.defaulted):
            return "the system's default"
        if planned is not None and reason:
            return f"planned {shown(*planned)} ({reason}); the system works it out itself"
        return "the system fills in what the plan leaves open"

    def _device_numbers(self) -> Iterator[Number]:
        for leaf, told in app_numbers(self.fitted.apps or ()):
            yield Number(leaf, told, "", self.app_why.get(leaf, "the system fills in what the plan leaves open"))
        for pool in self.fitted.pools or ():
            if pool.total is not None:
                changes = [
                    item.because for item in self.adjustments if "pool" in item.field or pool.name in item.object
                ]
                value = int(pool.total.value) if pool.total.unit != "percent" else float(pool.total.value)
                unit = "%" if pool.total.unit == "percent" else "B"
                yield Number(f"pools.{pool.name}", value, unit, "; ".join(changes) or "the intent")
        budget, chip = self.box.budget, self.box.chip
        if budget is None or chip is None or not budget.groups:
            return
        yield Number("buffer.memory", budget.memory, "B", f"{chip.shown}: {self.box.where}")
        kept = f"{budget.count()} lossless groups" + (
            f", over-subscribed {float(budget.oversubscription):g}:1" if budget.oversubscription != 1 else ""
        )
        yield Number(
            "buffer.headroom", budget.headroom, "B", f"{kept}: {budget.demand} B if all were in headroom at once"
        )
        shared = budget.derived()
        yield Number("buffer.shared", budget.shared, "B", shared.because, derived=shared)


def _holds(planned: object, got: object) -> bool:
    """Return whether a table still says all that was planned of it."""
    if not isinstance(planned, dict) or not isinstance(got, dict):
        return False
    return all(got.get(key) == to for key, to in planned.items())


def _touches(about: str, leaf: str) -> bool:
    """Return whether two leaf paths are the same, or one holds the other."""
    return about == leaf or leaf.startswith(about + ".") or about.startswith(leaf + ".")


def _ports_of(adjustment: Adjustment, ports: Mapping[str, object]) -> list[str]:
    """Return the planned ports that a change is about."""
    if not adjustment.object:
        return list(ports)
    return [port for port in adjustment.object.split(", ") if port in ports]


def _is_about(adjustment: Adjustment, leaf: str, port: str) -> bool:
    """Return whether a change explains a leaf of a port: same leaf, an outer or inner one, on this port or on all."""
    return _touches(adjustment.field, leaf) and (not adjustment.object or port in adjustment.object.split(", "))


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a fabric."""

    name: str
    fabric: Fabric
    classes: tuple[PlannedClass, ...]
    devices: dict[str, PlannedDevice]
    tiers: int = 2
    """Tiers of switches that a packet may climb."""

    def refusals(self) -> list[Adjustment]:
        """Return what no system of the plan may change silently: nothing is rendered while one stands."""
        return [item for device in self.devices.values() for item in device.adjustments if item.kind == "refused"]


_BYTES = {"B": 1, "KB": 1000, "MB": 1_000_000}
"""Sizes of different units, near enough to tell rounding from another value."""


def _is_other(wanted: Value, got: Value) -> bool:
    """Return whether two values differ, whatever their units; 300000 B is 300 KB."""
    (value, unit), (is_now, its_unit) = wanted, got
    if _are_numbers(value, is_now) and unit in _BYTES and its_unit in _BYTES:
        return bool(value * _BYTES[unit] != is_now * _BYTES[its_unit])
    return bool(value != is_now)


def _is_far(wanted: Value, got: Value) -> bool:
    """Return whether a value is another one rather than the same one rounded: more than a tenth beside it.

    Weights and cells are not compared across units.
    """
    (value, unit), (is_now, its_unit) = wanted, got
    if not _are_numbers(value, is_now):
        return bool(value != is_now)
    if unit not in _BYTES or its_unit not in _BYTES:
        return unit == its_unit and bool(abs(value - is_now) * 10 > abs(value))
    return bool(abs(value * _BYTES[unit] - is_now * _BYTES[its_unit]) * 10 > abs(value * _BYTES[unit]))


def _are_numbers(*values: object) -> bool:
    return all(isinstance(value, (int, Fraction)) and not isinstance(value, bool) for value in values)
