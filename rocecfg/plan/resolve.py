"""Intent to plan: the wanted state of every device, what its system can carry of it, and the reason of every number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.errors import PlanError
from rocecfg.plan.apps import plan_apps
from rocecfg.plan.box import Box, box_of
from rocecfg.plan.classes import PlannedClass, plan_classes
from rocecfg.plan.nic import plan_nic, stated_of_nic
from rocecfg.plan.planned import Plan, PlannedDevice
from rocecfg.plan.port import PlannedPort, PortKind, plan_port
from rocecfg.plan.trust import default_trust, marks_by_pcp
from rocecfg.state.model import Amount, Device, Neighbour, Pool, Port, Where
from rocecfg.vendor import registry
from rocecfg.vendor.api import Adjustment
from rocecfg.vendor.asics import catalogue

if TYPE_CHECKING:
    from collections.abc import Container, Mapping
    from typing import Literal

    from rocecfg.intent.fabric import Fabric, FabricDevice, FabricPort
    from rocecfg.intent.settings import Settings
    from rocecfg.physics.derived import Derived
    from rocecfg.state.model import App


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
