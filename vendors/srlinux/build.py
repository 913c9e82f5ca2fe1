"""A fitted device as SR Linux says it: named profiles, each once, and what every port is bound to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import Static

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.state.model import Curve, Device, Port, PortQos, PriorityGroup, Queue

ETHERNET_HEADER = 14
"""Bytes of a frame without FCS beside its IP packet, untagged."""
_DROP = {"green": "low", "yellow": "medium", "red": "high"}
_SLOT = re.compile(r"linecard ([0-9]{1,2}) forwarding-complex ([01])\Z")


@dataclass(frozen=True, slots=True)
class Indexed:
    """A queue or PFC queue: its name and index."""

    name: str
    index: int


@dataclass(frozen=True, slots=True)
class ForwardingClass:
    """A forwarding class, its index and its egress queue."""

    name: str
    index: int
    queue: str


@dataclass(frozen=True, slots=True)
class Code:
    """A DSCP of a classifier, or of a rewrite policy."""

    dscp: int
    forwarding_class: str
    drop: str = ""


@dataclass(frozen=True, slots=True)
class Profile:
    """A named profile with its rows; the further fields are those of its kind."""

    name: str
    rows: tuple[Any, ...] = ()
    received: tuple[Received, ...] = ()
    stalls: Stalls | None = None
    weight: int | None = None
    pfc: tuple[PfcQueue, ...] = ()


@dataclass(frozen=True, slots=True)
class Received:
    """Arriving traffic of some classes in one PFC queue, and the priority it sends."""

    queue: str
    classes: tuple[str, ...]
    priority: int


@dataclass(frozen=True, slots=True)
class Obeyed:
    """A queue that stops on a received priority."""

    queue: str
    priority: int


@dataclass(frozen=True, slots=True)
class Stalls:
    """Deadlock recovery: times in milliseconds."""

    detection: int
    recovery: int


@dataclass(frozen=True, slots=True)
class Served:
    """An input of a scheduler. `scheduler` 0 is strict, 1 shares by weight."""

    scheduler: int
    queue: str
    weight: int | None


@dataclass(frozen=True, slots=True)
class Slope:
    """A slope that marks or drops; `leaves` = (word, number)."""

    drop: str
    ecn: str
    leaves: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Sized:
    """An egress queue and its maximum burst size."""

    queue: str
    size: int


@dataclass(frozen=True, slots=True)
class PfcQueue:
    """A PFC queue: the fill at which it pauses, and its share of the headroom pool."""

    queue: str
    size: int | None
    share: tuple[str, int] | None


@dataclass(slots=True)
class Interface:
    """What stands for one port."""

    name: str
    mtu: int | None
    lag: str | None
    receive: bool | None
    classifier: str = ""
    rewrite: str = ""
    mapping: str = ""
    ingress: str = ""
    egress: str = ""
    scheduler: str = ""
    management: list[tuple[str, str]] = field(default_factory=list)

    @property
    def has_subinterface(self) -> bool:
        """Whether something is bound to the subinterface."""
        return bool(self.classifier or self.rewrite)

    @property
    def ip_mtu(self) -> int | None:
        """The longest IP packet of the routed subinterface: what fits into the port's MTU, not the system's 1500."""
        return self.mtu - ETHERNET_HEADER if self.mtu is not None and self.has_subinterface else None

    @property
    def has_qos(self) -> bool:
        """Whether something is bound to the port itself."""
        return bool(self.mapping or self.ingress or self.egress or self.scheduler or self.management)


@dataclass(slots=True)
class Config:
    """All that is rendered, in the order in which names are used."""

    marking: bool = False
    queues: list[Indexed] = field(default_factory=list)
    pfc_queues: list[Indexed] = field(default_factory=list)
    classes: list[ForwardingClass] = field(default_factory=list)
    mappings: list[Profile] = field(default_factory=list)
    classifiers: list[Profile] = field(default_factory=list)
    rewrites: list[Profile] = field(default_factory=list)
    schedulers: list[Profile] = field(default_factory=list)
    managements: list[Profile] = field(default_factory=list)
    allocations: list[Profile] = field(default_factory=list)
    linecards: list[tuple[str, str, int]] = field(default_factory=list)
    interfaces: list[Interface] = field(default_factory=list)


def build(device: Device) -> Config:
    """Return what is rendered for a fitted device."""
    return _Builder(device).build()


class _Builder:
    def __init__(self, device: Device) -> None:
        self._device = device
        self._config = Config(marking=bool(device.ecn_enabled))
        self._queues: set[int] = set()
        self._pfc: set[int] = set()
        self._classes: set[int] = set()
        self._made: dict[tuple[str, Any], str] = {}
        self._counts: dict[str, int] = {}

    def build(self) -> Config:
        config = self._config
        for port in self._device.ports.values():
            config.interfaces.append(self._interface(port))
        first = next((port.qos for port in self._device.ports.values()), None)
        queue_of = first.tc_to_queue if first is not None and first.tc_to_queue is not None else tuple(range(8))
        self._classes |= {tc for tc, queue in enumerate(queue_of[:8]) if queue is not None and queue != tc}
        for index in sorted(self._classes):
            queue = queue_of[index]
            assert queue is not None
            config.classes.append(ForwardingClass(f"fc{index}", index, self._queue(queue)))
        config.queues = [Indexed(f"unicast-{index}", index) for index in sorted(self._queues)]
        config.pfc_queues = [Indexed(f"pfc{index}", index) for index in sorted(self._pfc)]
        for pool in self._device.pools or ():
            slot = _SLOT.match(pool.name)
            if slot is not None and pool.headroom is not None:
                config.linecards.append((slot[1], slot[2], int(pool.headroom.value)))
        return config

    def _queue(self, index: int) -> str:
        self._queues.add(index)
        return f"unicast-{index}"

    def _class(self, index: int) -> str:
        self._classes.add(index)
        return f"fc{index}"

    def _named(self, into: list[Profile], base: str, key: Any, make: Callable[[str], Profile]) -> str:
        """Return the name of the profile with this content, made on first sight."""
        name = self._made.get((base, key))
        if name is None:
            self._counts[base] = count = self._counts.get(base, 0) + 1
            name = self._made[base, key] = base if count == 1 else f"{base}-{count}"
            into.append(make(name))
        return name

    def _interface(self, port: Port) -> Interface:
        qos, config = port.qos, self._config
        made = Interface(port.name, port.mtu, port.lag, qos.link_pause.rx if qos.link_pause is not None else None)
        if port.lag is not None:
            return made
        rows = self._codes(qos)
        if rows:
            made.classifier = self._named(config.classifiers, "roce-dscp", rows, lambda name: Profile(name, rows))
        if qos.rewrite:
            marks = tuple(Code(to, self._class(of)) for _, of, to in qos.rewrite)
            made.rewrite = self._named(config.rewrites, "roce-mark", marks, lambda name: Profile(name, marks))
        if qos.pfc is not None and qos.pfc.admin == "on":
            self._pfc_of(qos, made)
        self._queues_of(qos, made)
        return made

    def _codes(self, qos: PortQos) -> tuple[Code, ...]:
        """Return the DSCPs worth a line: stated, of another class than 0, or of another colour than green."""
        codes = qos.dscp_to_tc
        if codes is None:
            return ()
        colours = qos.dscp_to_colour or ("green",) * 64
        return tuple(
            Code(code, self._class(to), _DROP[colours[code] or "green"])
            for code, to in enumerate(codes.to)
            if to is not None and (to or codes.stated >> code & 1 or colours[code] not in {None, "green"})
        )

    def _pfc_of(self, qos: PortQos, made: Interface) -> None:
        received = []
        for priority, numbers in enumerate(qos.priority_to_pg or ()):
            for number in sorted(numbers or ()):
                self._pfc.add(number)
                classes = tuple(self._class(tc) for tc, of in enumerate(qos.tc_to_pg or ()) if of == number)
                received.append(Received(f"pfc{number}", classes, priority))
        obeyed = tuple(
            Obeyed(self._queue(queue), priority)
            for priority, queues in enumerate(qos.priority_to_queue or ())
            for queue in sorted(queues or ())
        )
        dog = qos.watchdog
        stalls = Stalls(dog.detect or 0, dog.restore or 0) if dog is not None and dog.enabled else None
        key = (tuple(received), obeyed, stalls)
        made.mapping = self._named(
            self._config.mappings, "roce-pfc", key, lambda name: Profile(name, obeyed, tuple(received), stalls)
        )
        groups = tuple(
            _pfc_queue(f"pfc{number}", group)
            for number, group in enumerate(qos.priority_groups or ())
            if group is not None and group.headroom is not None
        )
        if groups:
            made.ingress = self._named(
                self._config.allocations, "roce-ingress", groups, lambda name: Profile(name, pfc=groups)
            )

    def _queues_of(self, qos: PortQos, made: Interface) -> None:
        served: list[Served] = []
        sizes: list[Sized] = []
        for number, queue in enumerate(qos.queues or ()):
            if queue is None:
                continue
            if queue.scheduler is not None and f"queues.{number}.scheduler" not in qos.defaulted:
                scheduler = 0 if queue.scheduler == "strict" else 1
                served.append(
                    Served(scheduler, self._queue(number), None if queue.weight is None else int(queue.weight))
                )
            if isinstance(queue.limit, Static):
                sizes.append(Sized(self._queue(number), queue.limit.amount.bytes or 0))
            slopes = _slopes(queue)
            if slopes:
                weight = queue.ecn.weight if queue.ecn is not None else None
                name = self._named(
                    self._config.managements,
                    "roce-ecn",
                    (slopes, weight),
                    lambda name, slopes=slopes, weight=weight: Profile(name, slopes, weight=weight),  # type: ignore[misc]
                )
                made.management.append((self._queue(number), name))
        if sizes:
            rows = tuple(sizes)
            made.egress = self._named(self._config.allocations, "roce-egress", rows, lambda name: Profile(name, rows))
        if served:
            inputs = tuple(sorted(served, key=lambda one: one.scheduler))
            made.scheduler = self._named(
                self._config.schedulers, "roce-scheduler", inputs, lambda name: Profile(name, inputs)
            )


def _pfc_queue(name: str, group: PriorityGroup) -> PfcQueue:
    limit, headroom = group.xoff_at, group.headroom
    size = limit.amount.bytes if isinstance(limit, Static) else None
    share = None
    if headroom is not None and headroom.amount is not None:
        word = "percentage" if headroom.amount.unit == "percent" else "bytes"
        share = (f"maximum-pfc-reserved-share-{word}", int(headroom.amount.value))
    return PfcQueue(name, size, share)


def _slopes(queue: Queue) -> tuple[Slope, ...]:
    marks = [(curve, "true") for curve in (queue.ecn.curves if queue.ecn is not None else ())]
    drops = [(curve, "false") for curve in queue.wred or ()]
    return tuple(_slope(curve, ecn) for curve, ecn in (*marks, *drops))


def _slope(curve: Curve, ecn: str) -> Slope:
    leaves: list[tuple[str, int]] = []
    for word, amount in (("min-threshold", curve.low), ("max-threshold", curve.high)):
        if amount is not None:
            leaves.append((f"{word}-percent" if amount.unit == "percent" else word, int(amount.value)))
    if curve.probability is not None:
        leaves.append(("max-drop-probability-percent", curve.probability))
    colour = next(iter(curve.colours), "")
    return Slope(_DROP.get(colour, "all"), ecn, tuple(leaves))
