"""What SONiC does where a complete CONFIG_DB is silent: the schema's defaults, and what the managers add."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rocecfg.state.model import (
    NEVER,
    UNLIMITED,
    Amount,
    Device,
    Ecn,
    Headroom,
    Interner,
    Pfc,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Queue,
)

if TYPE_CHECKING:
    from rocecfg.state.model import HeadroomRow, Port

_SCHEMA_PROBABILITY = 100
_SCHEMA_WEIGHT = 1
_IDENTITY = tuple(frozenset({priority}) for priority in range(8))


def defaults(device: Device, *, planned: bool = False) -> Device:
    """Return the device with its defaults filled in; stated values stay, a second call changes nothing.

    `planned`: the places of the ports are those of an intent, they say nothing about rows of a dump.
    """
    model = device.buffer_model
    if model is None and device.knows_all_of("buffers"):
        model = "table"
    device = replace(device, buffer_model=model)
    done: dict[tuple[object, ...], PortQos] = {}
    share = Interner()
    ports = {}
    for port in device.ports.values():
        key = (id(port.qos), "|" in port.name, port.speed if device.headroom_table is not None else None)
        qos = done.get(key)
        if qos is None:
            qos = done[key] = share(_Filler(device, port, planned=planned).fill())
        ports[port.name] = port if qos is port.qos else replace(port, qos=qos)
    return replace(device, ports=ports)


class _Filler:
    """Fills one `PortQos` and remembers which leaves were silent."""

    def __init__(self, device: Device, port: Port, *, planned: bool) -> None:
        self.device = device
        self.bound = {} if planned else port.places
        self.port = port
        self.marks = set(port.qos.defaulted)
        self.qos_whole = device.knows_all_of("qos")
        self.queues_whole = device.knows_all_of("queues")
        self.whole = bool(device.complete)

    def fill(self) -> PortQos:
        qos = self.port.qos
        remote = "|" in self.port.name
        if self.whole and not remote:
            qos = self._maps(qos)
            qos = replace(qos, pfc=self._pfc(qos), watchdog=self._watchdog(qos))
            qos = replace(qos, priority_groups=self._groups(qos))
        elif qos.pfc is not None and qos.pfc.by is None:
            qos = replace(qos, pfc=replace(qos.pfc, by="internal"))
            self.marks.add("pfc.by")
        if self.whole:
            qos = replace(qos, queues=self._queues(qos))
        return replace(qos, defaulted=frozenset(self.marks))

    def _bound(self, leaf: str) -> bool:
        """Tell whether the port names a map for it, although the map's table does not stand in the text."""
        return leaf in self.bound

    def _maps(self, qos: PortQos) -> PortQos:
        if not self.qos_whole:
            return qos
        if qos.trust is None and self.device.knows_all_of("interfaces"):
            qos = replace(qos, trust="none")
            self.marks.add("trust")
        if qos.rewrite is None and not self._bound("rewrite"):
            qos = replace(qos, rewrite=())
            self.marks.add("rewrite")
        if qos.priority_to_queue is None and not self._bound("priority_to_queue"):
            qos = replace(qos, priority_to_queue=_IDENTITY)
            self.marks.add("priority_to_queue")
        if qos.priority_to_pg is None and not self._bound("priority_to_pg"):
            # Only Mellanox and Barefoot have this map; the buffer manager makes the PG of a priority's own number.
            qos = replace(qos, priority_to_pg=_IDENTITY)
            self.marks.add("priority_to_pg")
        return qos

    def _pfc(self, qos: PortQos) -> Pfc | None:
        pfc = qos.pfc
        if pfc is None:
            if not self.qos_whole:
                return None
            self.marks |= {"pfc", "pfc.admin", "pfc.tx", "pfc.rx"}
            pfc = Pfc(admin="off", tx=frozenset(), rx=frozenset())
        if pfc.tx is None and self.qos_whole:
            pfc = replace(pfc, tx=frozenset())
            self.marks.add("pfc.tx")
        if pfc.by is None:
            pfc = replace(pfc, by="internal")
            self.marks.add("pfc.by")
        return pfc

    def _watchdog(self, qos: PortQos) -> PortWatchdog | None:
        dog = qos.watchdog
        if not self.device.knows_all_of("watchdog"):
            return dog
        if dog is None:
            if not self.qos_whole:
                return None
            self.marks |= {"watchdog", "watchdog.enabled", "watchdog.priorities"}
            return PortWatchdog(enabled=False, priorities=frozenset())
        has_row = any(value is not None for value in (dog.detect, dog.restore, dog.action, dog.poll))
        if dog.enabled is None and ((has_row and dog.priorities is None and self.qos_whole) or not has_row):
            self.marks.add("watchdog.enabled")
            dog = replace(dog, enabled=False)
            if dog.priorities is None and self.qos_whole:
                dog = replace(dog, priorities=frozenset())
        if has_row:
            for leaf, value in (("detect", NEVER), ("restore", NEVER), ("action", "drop")):
                if getattr(dog, leaf) is None:
                    self.marks.add(f"watchdog.{leaf}")
                    dog = replace(dog, **{leaf: value})  # type: ignore[arg-type]
        return dog

    # queues

    def _queues(self, qos: PortQos) -> tuple[Queue | None, ...] | None:
        queues: list[Queue | None] = [*(qos.queues or (None,) * 8)]
        if qos.queues is None and not self.queues_whole:
            return None
        filled = [self._queue(number, queue) for number, queue in enumerate(queues)]
        strict = [number for number, queue in enumerate(filled) if queue is not None and queue.scheduler == "strict"]
        if self.queues_whole and len(strict) == 1:
            only = filled[strict[0]]
            if only is not None and only.rank is None:
                filled[strict[0]] = replace(only, rank=1)
                self.marks.add(f"queues.{strict[0]}.rank")
        return tuple(filled) if any(queue is not None for queue in filled) else None

    def _queue(self, number: int, queue: Queue | None) -> Queue | None:
        leaf = f"queues.{number}"
        if queue is None:
            if not self.queues_whole or self._bound(f"{leaf}.ecn"):
                return None
            queue = Queue()
        values: dict[str, object] = {}
        if queue.ecn is None and self.queues_whole and not self._bound(f"{leaf}.ecn"):
            values["ecn"] = Ecn()
        if queue.wred is None and self.queues_whole and not self._bound(f"{leaf}.wred"):
            values["wred"] = ()
        if queue.scheduler is None and queue.weight is not None:
            values["scheduler"] = "weighted"
        if queue.scheduler is not None:
            if queue.scheduler == "weighted" and queue.weight is None:
                values["weight"], values["weight_kind"] = _SCHEMA_WEIGHT, "relative"
            for rate in ("shaper", "guarantee"):
                if getattr(queue, rate) is None:
                    values[rate] = UNLIMITED
        self.marks |= {f"{leaf}.{name}" for name in values}
        queue = replace(queue, **values) if values else queue  # type: ignore[arg-type]
        ecn = self._ecn(leaf, queue.ecn)
        return replace(queue, ecn=ecn) if ecn is not queue.ecn else queue

    def _ecn(self, leaf: str, ecn: Ecn | None) -> Ecn | None:
        if ecn is None or not ecn.curves:
            return ecn
        curves = tuple(
            replace(
                curve,
                probability=_SCHEMA_PROBABILITY if curve.probability is None else curve.probability,
                active=False if curve.active is None else curve.active,
            )
            for curve in ecn.curves
        )
        if curves == ecn.curves and ecn.non_ect is not None:
            return ecn
        self.marks.add(f"{leaf}.ecn.non_ect")
        return replace(ecn, curves=curves, non_ect=ecn.non_ect or "drop")

    # priority groups: the buffer manager makes the lossless ones

    def _groups(self, qos: PortQos) -> tuple[PriorityGroup | None, ...] | None:
        pfc = qos.pfc
        if pfc is None or pfc.tx is None or not pfc.tx or not self.device.knows_all_of("buffers"):
            return qos.priority_groups
        groups: list[PriorityGroup | None] = [*(qos.priority_groups or (None,) * 8)]
        for priority in pfc.tx:
            if groups[priority] is None:
                made = self._made_group(qos)
                if made is not None:
                    groups[priority] = made
                    self.marks.add(f"priority_groups.{priority}")
        return tuple(groups) if any(group is not None for group in groups) else None

    def _made_group(self, qos: PortQos) -> PriorityGroup | None:
        if qos.cable == 0:
            return PriorityGroup(lossless=False, headroom=Headroom(by="none"))
        if self.device.buffer_model == "dynamic":
            return PriorityGroup(lossless=True, headroom=Headroom(by="length"))
        if self.device.buffer_model != "table":
            return None
        table, speed, cable = self.device.headroom_table, self.port.speed, qos.cable
        if table is None or speed is None or cable is None:
            return PriorityGroup(lossless=True, headroom=Headroom(by="table"))
        for row in table:
            if row.speed == speed and row.cable == cable:
                return _from_row(row)
        return PriorityGroup(lossless=False, headroom=Headroom(by="none"))


def _from_row(row: HeadroomRow) -> PriorityGroup:
    return PriorityGroup(
        lossless=True,
        headroom=Headroom(Amount.of_bytes(row.headroom), by="table", made_for=(row.speed, row.cable)),
        xoff_at=row.alpha,
        xon_at=Amount.of_bytes(row.xon_at) if row.xon_at is not None else None,
        xon_below=Amount.of_bytes(row.xon_below) if row.xon_below is not None else None,
        reserved=Amount.of_bytes(row.reserved) if row.reserved is not None else None,
    )
