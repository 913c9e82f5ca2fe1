"""Intent to plan: the wanted state of every device, what its system can carry of it, and the reason of every number."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.errors import PlanError
from rocecfg.plan.apps import numbers as app_numbers
from rocecfg.plan.apps import plan_apps
from rocecfg.plan.box import Box, box_of
from rocecfg.plan.classes import PlannedClass, plan_classes
from rocecfg.plan.nic import plan_nic, stated_of_nic
from rocecfg.plan.numbers import Number, numbers_of, shown
from rocecfg.plan.port import PlannedPort, PortKind, plan_port
from rocecfg.plan.trust import default_trust, marks_by_pcp
from rocecfg.state.model import Amount, Device, Neighbour, Pool, Port, Where
from rocecfg.vendor import registry
from rocecfg.vendor.api import Adjustment
from rocecfg.vendor.asics import catalogue

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping
    from typing import Literal

    from rocecfg.intent.fabric import Fabric, FabricDevice, FabricPort
    from rocecfg.intent.settings import Settings
    from rocecfg.physics.derived import Derived
    from rocecfg.plan.numbers import Value
    from rocecfg.state.model import App


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


def plan(fabric: Fabric, only: Container[str] | None = None) -> Plan:
    """Return the plan of a fabric; with `only`, of these of its devices.

    Raises PlanError where classes contradict each other, a port has no speed or a switch's known buffer does not hold
    its headroom, UsageError for an unknown system.
    """
    classes = plan_classes(fabric.classes.values())
    planner = _Planner(fabric, classes)
    return Plan(
        fabric.name,
        fabric,
        classes,
        {name: planner.device(device) for name, device in fabric.devices.items() if only is None or name in only},
        planner.tiers,
    )


class _Planner:
    def __init__(self, fabric: Fabric, classes: tuple[PlannedClass, ...]) -> None:
        self._fabric = fabric
        self._classes = classes
        self.tiers = _tiers(fabric)
        self._trust = default_trust(fabric)
        self._catalogue = catalogue()
        self._kinds: dict[tuple[object, ...], PlannedPort] = {}

    def device(self, device: FabricDevice) -> PlannedDevice:
        why: dict[str, dict[str, str]] = {}
        derived: dict[str, dict[str, Derived]] = {}
        notes: dict[str, None] = {}
        stated: dict[str, frozenset[str]] = {}
        chip = self._catalogue.of_device(device.model, device.asic)
        own = self._fabric.settings(device.name)
        box = box_of(chip, device, lambda port: self._fabric.settings(device.name, port), self._classes, own)
        ports = {
            name: self._port(device, port, box, why, derived, notes, stated) for name, port in device.ports.items()
        }
        switch = device.kind == "switch"
        apps, app_why, dropped = (None, {}, []) if switch else self._apps(device)
        vfs = None if switch else _kubernetes(device, own, dropped)
        if switch and _pools(own) is not None:
            stated = {port: leaves | {"pools"} for port, leaves in stated.items()}
        if dropped:
            stated = {port: leaves | {"apps", "kubernetes"} for port, leaves in stated.items()}
        wanted = Device(
            name=device.name,
            nos=device.system,
            ports=ports,
            pfc_enabled=True if switch else None,
            ecn_enabled=True if switch else None,
            pools=_pools(own) if switch else None,
            kind=device.kind,
            source="intended",
            os_version=device.release,
            model=device.model,
            asic=device.asic,
            role=device.role,
            apps=apps,
            kubernetes_vfs=vfs,
            place=Where(*device.place),
        )
        fitted, adjustments = registry.get(device.system).module.fit(wanted)
        whole = registry.one_command(fitted)
        same = (f"the device says the same in one command: {whole}",) if whole else ()
        return PlannedDevice(
            device.name,
            wanted,
            fitted,
            (*adjustments, *dropped),
            why,
            derived,
            box,
            (*box.notes, *notes, *_wire_only(own, box, derived, fitted), *same, *registry.notes(fitted)),
            stated,
            whole,
            app_why,
        )

    def _apps(self, device: FabricDevice) -> tuple[tuple[App, ...] | None, dict[str, str], list[Adjustment]]:
        levels = [self._fabric.settings(device.name, port) for port in (None, *device.ports)]
        return plan_apps(device.name, device.system, levels, self._classes, self._trust)

    def _port(
        self,
        device: FabricDevice,
        port: FabricPort,
        box: Box,
        why: dict[str, dict[str, str]],
        derived: dict[str, dict[str, Derived]],
        notes: dict[str, None],
        stated: dict[str, frozenset[str]],
    ) -> Port:
        if port.speed is None:
            place = port.place
            raise PlanError(f"{place.file}:{place.line}:{place.column}: port {device.name}:{port.name} has no speed")
        settings = self._fabric.settings(device.name, port.name)
        budget = box.budget
        kind = PortKind(
            settings,
            port.speed,
            port.cable_m,
            device.kind == "host",
            self.tiers,
            box.chip,
            None if budget is None else budget.shared,
            max((group.reserved for group in budget.groups), default=0) if budget is not None else 0,
            self._trust,
            marks_by_pcp(device),
        )
        planned = self._kind(kind)
        derived[port.name], stated[port.name] = planned.derived, planned.stated
        notes.update(dict.fromkeys(planned.notes))
        reasons = planned.why
        nic = None
        if device.kind == "host":
            nic, of_nic = plan_nic(settings, self._classes, device.model)
            reasons = {**reasons, **of_nic}
            stated[port.name] |= stated_of_nic(settings)
        why[port.name] = reasons
        peer = port.peer
        return Port(
            port.name,
            qos=planned.qos,
            speed=port.speed,
            mtu=planned.mtu,
            mtu_counts=_counted(planned, host=device.kind == "host"),
            nic=nic,
            role="host" if port.peer_kind == "host" or device.kind == "host" else "fabric",
            neighbour=Neighbour(peer.device, peer.port) if peer is not None else None,
            place=Where(*port.place),
        )

    def _kind(self, kind: PortKind) -> PlannedPort:
        key = (id(kind.settings), kind.speed, kind.cable, kind.host, id(kind.chip), kind.shared, kind.by_tag)
        known = self._kinds.get(key)
        if known is None:
            known = self._kinds[key] = plan_port(kind, self._classes)
        return known


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


def _counted(planned: PlannedPort, *, host: bool) -> Literal["ip", "l2"] | None:
    """Return what the MTU counts. The planner's own is a frame; a stated one is what the system is given, as it is."""
    if host:
        return "ip"
    return None if "mtu" in planned.stated else "l2"


def _wire_only(
    own: Settings, box: Box, derived: Mapping[str, Mapping[str, Derived]], fitted: Device
) -> tuple[str, ...]:
    """Return what to know where headroom is written in bytes and the chip's cells are not known."""
    if fitted.kind != "switch" or (box.chip is not None and box.chip.law != "standard") or own.traffic.value == 0:
        return ()
    written = any(
        group is not None and group.headroom is not None and group.headroom.by == "stated"
        and f"priority_groups.{number}.headroom" in derived.get(name, {})
        for name, port in fitted.ports.items()
        for number, group in enumerate(port.qos.priority_groups or ())
    )  # fmt: skip
    if not written:
        return ()
    of = f"of {box.chip.shown} " if box.chip is not None else ""
    note = (
        f"headroom: the cell size {of}is not known, so what is written are bytes on the wire; small packets take whole"
        " cells and need more, 2.5 times as much in cells of 208 B: give a model or asic that is known, state"
        " pfc: {headroom: ...}, or traffic: large where nothing else is sent"
    )
    return (note,)


def _kubernetes(device: FabricDevice, settings: Settings, dropped: list[Adjustment]) -> int | None:
    """Return the SR-IOV functions that a host's Kubernetes operator shall make; None where it has none.

    Raises PlanError where the intent leaves their number open: the operator takes no other word for "as it is".
    """
    if not settings.host_kubernetes.value:
        return None
    if not any(output.only_with == "kubernetes" for output in registry.get(device.system).manifest.render):
        because = f"no Kubernetes operator is known that sets up {device.system} NICs"
        dropped.append(Adjustment(device.name, "", "kubernetes", "an operator", "nothing", "dropped", because))
        return None
    functions = settings.host_virtual_functions.value
    if functions is None:
        raise PlanError(
            f"{settings.host_kubernetes.because}: {device.name}: the operator sets the number of SR-IOV functions too,"
            " and 0 would turn SR-IOV off: state host: {virtual_functions: ...}"
        )
    return functions


def _pools(settings: Settings) -> tuple[Pool, ...] | None:
    """Return the buffer partitions where the intent states them; None leaves them to the system."""
    lossless, headroom = settings.buffer_lossless_share.value, settings.buffer_headroom_share.value
    ratio = settings.buffer_oversubscription.value
    if lossless is None and headroom is None and ratio is None:
        return None
    rest = None if lossless is None else 100 - lossless - (headroom or 0)
    if rest is not None and rest < 0:
        raise PlanError(
            f"buffer shares add up to more than 100%: lossless {lossless}% ({settings.buffer_lossless_share.because})"
            f" + headroom {headroom}% ({settings.buffer_headroom_share.because})"
        )
    percent = [None if share is None else Amount(share, "percent") for share in (lossless, headroom, rest)]
    pools = [Pool("lossless", "ingress", True, total=percent[0], headroom=percent[1], oversubscription=ratio)]
    if percent[2] is not None:
        pools.append(Pool("lossy", "ingress", False, total=percent[2]))
    return tuple(pools)


def _tiers(fabric: Fabric) -> int:
    """Return how many tiers of switches a packet may climb: the longest way up from a host, at most 3."""
    rank = {name: 0 for name, device in fabric.devices.items() if device.kind == "host"}
    neighbours: dict[str, set[str]] = {}
    for link in fabric.links:
        neighbours.setdefault(link.a.device, set()).add(link.b.device)
        neighbours.setdefault(link.b.device, set()).add(link.a.device)
    edge = set(rank)
    tier = 0
    while edge and tier < 3:
        edge = {
            peer for name in edge for peer in neighbours.get(name, ()) if peer not in rank and peer in fabric.devices
        }
        if edge:
            tier += 1
            rank.update(dict.fromkeys(edge, tier))
    return tier
