"""Fills in what NX-OS does where a complete text is silent."""

from __future__ import annotations

from dataclasses import fields, replace
from operator import attrgetter
from typing import TYPE_CHECKING

from rocecfg.state.defaults import Defaults
from rocecfg.state.model import (
    UNLIMITED,
    CodeMap,
    Device,
    Ecn,
    Headroom,
    Interner,
    LinkPause,
    Pfc,
    Port,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Queue,
    eight,
)

if TYPE_CHECKING:
    from collections.abc import Iterable


IDENTITY: tuple[int | None, ...] = (*range(8), *([None] * 8))
"""The digit of the system class name is qos-group, queue and priority group at once."""
DEFAULT_MTU = 1500
"""Printed by `show running-config all` of 7.0(3)I7(6)."""
_ALL_IN_ZERO = CodeMap((0,) * 64), CodeMap((0,) * 8)


_PORT_FIELDS = tuple(item.name for item in fields(Port))
_QOS, _MTU, _MTU_COUNTS, _NIC = (_PORT_FIELDS.index(leaf) for leaf in ("qos", "mtu", "mtu_counts", "nic"))
_values_of = attrgetter(*_PORT_FIELDS)


def _with(port: Port, qos: PortQos, mtu: int | None) -> Port:
    """Return a port with other settings; a third of the time of `dataclasses.replace`, once for every port."""
    values = list(_values_of(port))
    values[_QOS], values[_MTU] = qos, mtu
    return Port(*values)


def with_qos(port: Port, qos: PortQos) -> Port:
    """Return a fitted port: its settings, and nothing of what NX-OS does not say of a port."""
    values = list(_values_of(port))
    values[_QOS], values[_MTU_COUNTS], values[_NIC] = qos, None, None
    return Port(*values)


def _default_queues() -> tuple[Queue | None, ...]:
    """Return default-8q-out-policy as a 9.2(2) device shows it: q7 strict, q0 takes what is left."""
    plain = {
        number: Queue("weighted", weight=0 if number else 100, weight_kind="percent-of-rest") for number in range(7)
    }
    return eight({**plain, 7: Queue("strict", rank=1)})


DEFAULT_QUEUES = _default_queues()


def defaults(device: Device) -> Device:
    """Return a device with the defaults of NX-OS filled in where its text was complete. Idempotent."""
    enabled = device.pfc_enabled
    if enabled is None and device.knows_all_of("all"):
        enabled = True
    done: dict[int, PortQos] = {}
    share = Interner()
    ports: dict[str, Port] = {}
    for name, port in device.ports.items():
        qos = done.get(id(port.qos))
        if qos is None:
            qos = _Defaults(device, port.qos, enabled).qos()
            qos = done[id(port.qos)] = share(qos)
        mtu = port.mtu
        if mtu is None and device.knows_all_of("interfaces") and name != SYSTEM_PORT:
            mtu = DEFAULT_MTU
        ports[name] = port if qos is port.qos and mtu == port.mtu else _with(port, qos, mtu)
    return replace(device, ports=ports, pfc_enabled=enabled)


def defaults_of_no_policy() -> tuple[CodeMap, CodeMap]:
    """Return the DSCP and PCP map of a port without input policy: everything in qos-group 0."""
    return _ALL_IN_ZERO


SYSTEM_PORT = "system qos"
"""Stands for every port in a text that has policies and no interfaces."""


class _Defaults(Defaults):
    """The defaults of one `PortQos`."""

    def __init__(self, device: Device, qos: PortQos, enabled: bool | None) -> None:
        super().__init__(qos)
        self.qos_whole = device.knows_all_of("qos")
        self.ports_whole = device.knows_all_of("interfaces")
        self.all_whole = device.knows_all_of("all")
        self.enabled = enabled

    def qos(self) -> PortQos:
        given = self.given
        changed = replace(
            given,
            tc_to_queue=IDENTITY if given.tc_to_queue is None else given.tc_to_queue,
            tc_to_pg=IDENTITY if given.tc_to_pg is None else given.tc_to_pg,
            priority_to_queue=self._of_priorities("priority_to_queue", given.priority_to_queue),
            priority_to_pg=self._of_priorities("priority_to_pg", given.priority_to_pg),
            queues=self._queues(),
            priority_groups=self._groups(),
            pfc=self._pfc(),
            link_pause=self._link_pause(),
        )
        changed = replace(self._classified(changed), watchdog=self._watchdog(changed))
        if given.tc_to_queue is None:
            self.filled |= {"tc_to_queue", "tc_to_pg"}
        return self.marked(changed)

    def _classified(self, qos: PortQos) -> PortQos:
        if qos.trust is None and qos.dscp_to_tc is None and qos.pcp_to_tc is None:
            if not (self.ports_whole and self.qos_whole):
                return qos
            self.filled |= {"trust", "dscp_to_tc", "pcp_to_tc", "default_tc", "rewrite"}
            dscp, pcp = _ALL_IN_ZERO
            return replace(qos, trust="none", dscp_to_tc=dscp, pcp_to_tc=pcp, default_tc=0, rewrite=())
        if qos.trust is None:
            return qos
        default_tc = self.fill("default_tc", True, qos.default_tc, 0)
        rewrite = self.fill("rewrite", True, qos.rewrite, ())
        return replace(qos, default_tc=default_tc, rewrite=rewrite)

    def _pfc(self) -> Pfc | None:
        pfc = self.given.pfc or Pfc()
        nothing: frozenset[int] = frozenset()
        no_policy = self.qos_whole and self.given.priority_groups is None
        filled = Pfc(
            admin=self.fill("pfc.admin", self.ports_whole, pfc.admin, "auto"),
            tx=self.fill("pfc.tx", no_policy, pfc.tx, nothing),
            rx=self.fill("pfc.rx", no_policy, pfc.rx, nothing),
            by=self.fill("pfc.by", True, pfc.by, "internal"),
            oper=pfc.oper,
            gate=self.fill("pfc.gate", self.enabled is not None, pfc.gate, self.enabled),
        )
        return self.given.pfc if filled == self.given.pfc else filled

    def _link_pause(self) -> LinkPause | None:
        pause = self.given.link_pause or LinkPause()
        rx = self.fill("link_pause.rx", self.ports_whole, pause.rx, False)
        tx = self.fill("link_pause.tx", self.ports_whole, pause.tx, False)
        return LinkPause(rx=rx, tx=tx) if (rx, tx) != (None, None) else None

    def _watchdog(self, qos: PortQos) -> PortWatchdog | None:
        stated = qos.watchdog or PortWatchdog()
        whole = self.all_whole if stated != PortWatchdog() else self.ports_whole
        enabled = self.fill("watchdog.enabled", whole, stated.enabled, False)
        if enabled is not True:
            return replace(stated, enabled=False) if enabled is False else self.given.watchdog
        lossless = qos.pfc.rx if qos.pfc is not None else None
        return replace(
            stated,
            enabled=True,
            priorities=self.fill("watchdog.priorities", lossless is not None, stated.priorities, lossless),
            poll=self.fill("watchdog.poll", self.all_whole, stated.poll, 100),
            action=self.fill("watchdog.action", True, stated.action, "drop"),
        )

    def _queues(self) -> tuple[Queue | None, ...] | None:
        queues = self.given.queues
        if queues is None:
            if not self.qos_whole:
                return None
            self.filled.add("queues")
            queues = DEFAULT_QUEUES
        elif not self.qos_whole:
            return queues
        elif any(queues) and all(queue is None or queue == Queue(ecn=queue.ecn, wred=()) for queue in queues):
            # no queuing policy is attached: the network-qos policy alone says which queues mark
            self.filled.add("queues")
            queues = tuple(
                replace(default, ecn=queue.ecn) if queue and default else default
                for queue, default in zip(queues, DEFAULT_QUEUES, strict=True)
            )
        return tuple(queue if queue is None else self._queue(number, queue) for number, queue in enumerate(queues))

    def _queue(self, number: int, queue: Queue) -> Queue:
        path = f"queues.{number}"
        return replace(
            queue,
            ecn=self.fill(f"{path}.ecn", True, queue.ecn, Ecn()),
            wred=self.fill(f"{path}.wred", True, queue.wred, ()),
            shaper=self.fill(f"{path}.shaper", True, queue.shaper, UNLIMITED),
        )

    def _of_priorities(
        self, path: str, stated: tuple[frozenset[int] | None, ...] | None
    ) -> tuple[frozenset[int] | None, ...] | None:
        """Return the groups each priority stops: none for a priority that no class of a known policy names."""
        groups = self.given.priority_groups
        if not self.qos_whole or (groups is not None and None in groups):
            return stated
        full = tuple(frozenset() if one is None else one for one in stated or (None,) * 8)
        if full != stated:
            self.filled.add(path)
        return full

    def _groups(self) -> tuple[PriorityGroup | None, ...] | None:
        groups: Iterable[PriorityGroup | None] | None = self.given.priority_groups
        if groups is None:
            if not self.qos_whole:
                return None
            self.filled.add("priority_groups")
            groups = (PriorityGroup(),) * 8
        return tuple(group if group is None else self._group(number, group) for number, group in enumerate(groups))

    def _group(self, number: int, group: PriorityGroup) -> PriorityGroup:
        path = f"priority_groups.{number}"
        lossless = self.fill(f"{path}.lossless", self.qos_whole, group.lossless, False)
        headroom = group.headroom
        if lossless and headroom is None and self.qos_whole and self.ports_whole:
            # Below 100 m NX-OS keeps the headroom of a no-drop class by itself and shows no number.
            self.filled.add(f"{path}.headroom")
            headroom = Headroom(by="box")
        return replace(group, lossless=lossless, headroom=headroom)
