"""Fills in what EOS does where a complete text is silent."""

from __future__ import annotations

from dataclasses import fields, replace
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.defaults import Defaults
from rocecfg.state.model import (
    NEVER,
    CodeMap,
    Dcbx,
    Device,
    Ecn,
    Interner,
    LinkPause,
    Pfc,
    Port,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Queue,
)

if TYPE_CHECKING:
    from rocecfg.state.model import Trust

_CLASSIFY = load_module(Path(__file__).with_name("classify.py"))

IDENTITY: tuple[int | None, ...] = (*range(8), *([None] * 8))
"""Traffic class, priority and priority group keep the number."""
_OWN_PRIORITY = tuple(frozenset({number}) for number in range(8))
DSCP_OF_ZERO, COS_OF_ZERO = _CLASSIFY.DSCP_DEFAULT[0], _CLASSIFY.COS_DEFAULT[0]
ROUTED_MTU = 1500
"""Printed under routed ports by `show running-config all` (4.19.1F to 4.22.3M); switched ports print none."""
_PORT_FIELDS = tuple(item.name for item in fields(Port))
_QOS, _MTU, _MTU_COUNTS = (_PORT_FIELDS.index(leaf) for leaf in ("qos", "mtu", "mtu_counts"))
_values_of = attrgetter(*_PORT_FIELDS)


def defaults(device: Device) -> Device:
    """Return a device with the defaults of EOS filled in where its text was complete. Idempotent."""
    whole, ports_whole = device.knows_all_of("all"), device.knows_all_of("interfaces")
    enabled = True if device.pfc_enabled is None and whole else device.pfc_enabled
    on_pool = device.ecn_on_pool is not None and bool(device.ecn_on_pool.curves)
    done: dict[tuple[int, bool], PortQos] = {}
    share = Interner()
    ports: dict[str, Port] = {}
    for name, port in device.ports.items():
        routed = port.mode == "routed"
        key = (id(port.qos), routed)
        qos = done.get(key)
        if qos is None:
            qos = done[key] = share(
                _Defaults(port.qos, enabled, routed=routed, whole=whole, ports_whole=ports_whole, on_pool=on_pool).qos()
            )
        silent = port.mtu is None and routed and ports_whole
        if silent or qos is not port.qos:
            mtu, counts = (ROUTED_MTU, "ip") if silent else (port.mtu, port.mtu_counts)
            ports[name] = _with(port, qos, mtu, counts)
        else:
            ports[name] = port
    objects = tuple(
        replace(
            item,
            would=replace(
                item.would,
                qos=_Defaults(
                    item.would.qos, enabled, routed=False, whole=whole, ports_whole=ports_whole, on_pool=on_pool
                ).qos(),
            ),
        )
        if item.would is not None
        else item
        for item in device.objects
    )
    return replace(device, ports=ports, pfc_enabled=enabled, objects=objects)


def _with(port: Port, qos: PortQos, mtu: int | None, counts: str | None) -> Port:
    """Return a port with other settings; a third of the time of `dataclasses.replace`, once for every port."""
    values = list(_values_of(port))
    values[_QOS], values[_MTU], values[_MTU_COUNTS] = qos, mtu, counts
    return Port(*values)


class _Defaults(Defaults):
    """The defaults of one `PortQos`."""

    def __init__(
        self, qos: PortQos, enabled: bool | None, *, routed: bool, whole: bool, ports_whole: bool, on_pool: bool
    ) -> None:
        super().__init__(qos)
        self.enabled = enabled
        self.routed, self.whole, self.ports_whole = routed, whole, ports_whole
        self.on_pool = on_pool

    def qos(self) -> PortQos:
        given = self.given
        trust: Trust | None = self.fill("trust", self.ports_whole, given.trust, "dscp" if self.routed else "pcp")
        dscp = self._map("dscp_to_tc", given.dscp_to_tc, _CLASSIFY.DSCP_DEFAULT)
        pcp = self._map("pcp_to_tc", given.pcp_to_tc, _CLASSIFY.COS_DEFAULT)
        queue_of = self._queue_of()
        pfc = self._pfc()
        changed = replace(
            given,
            trust=trust,
            dscp_to_tc=dscp,
            pcp_to_tc=pcp,
            default_tc=self.fill("default_tc", self.whole, given.default_tc, self._default_tc(trust, dscp, pcp)),
            rewrite=self.fill("rewrite", self.whole, given.rewrite, ()),
            tc_to_queue=queue_of,
            tc_to_pg=self.fill("tc_to_pg", True, given.tc_to_pg, IDENTITY),
            priority_to_queue=self.fill(
                "priority_to_queue", queue_of is not None, given.priority_to_queue, _stopped(queue_of)
            ),
            priority_to_pg=self.fill("priority_to_pg", True, given.priority_to_pg, _OWN_PRIORITY),
            pfc=pfc,
            link_pause=self._link_pause(),
            dcbx=self.fill("dcbx", self.ports_whole, given.dcbx, Dcbx(state="off")),
            watchdog=self._watchdog(pfc),
            queues=self._queues(),
            priority_groups=self._groups(pfc),
        )
        return self.marked(changed)

    def _map(self, path: str, stated: CodeMap | None, default: tuple[int, ...]) -> CodeMap | None:
        if not self.whole:
            return stated
        full: CodeMap = _CLASSIFY.filled(stated, default)
        if full is not stated:
            self.filled.add(path)
        return full

    @staticmethod
    def _default_tc(trust: Trust | None, dscp: CodeMap | None, pcp: CodeMap | None) -> int | None:
        """Return the class of a packet without a mark: the default CoS and DSCP of a port are 0."""
        of_dscp = dscp.to[0] if dscp is not None else None
        of_pcp = pcp.to[0] if pcp is not None else None
        if trust == "dscp":
            return of_dscp
        return of_pcp if trust == "pcp" or of_dscp == of_pcp else None

    def _queue_of(self) -> tuple[int | None, ...] | None:
        stated = self.given.tc_to_queue
        if not self.whole:
            return stated
        base = stated or (None,) * 16
        full = tuple(IDENTITY[tc] if queue is None else queue for tc, queue in enumerate(base))
        if full != stated:
            self.filled.add("tc_to_queue")
        return full

    def _pfc(self) -> Pfc | None:
        pfc = self.given.pfc or Pfc()
        nothing: frozenset[int] = frozenset()
        filled = Pfc(
            admin=self.fill("pfc.admin", self.ports_whole, pfc.admin, "off"),
            tx=self.fill("pfc.tx", self.ports_whole, pfc.tx, nothing),
            rx=self.fill("pfc.rx", self.ports_whole, pfc.rx, nothing),
            by=self.fill("pfc.by", True, pfc.by, "internal"),
            oper=pfc.oper,
            gate=self.fill("pfc.gate", self.enabled is not None, pfc.gate, self.enabled),
        )
        return self.given.pfc if filled == self.given.pfc else filled

    def _link_pause(self) -> LinkPause | None:
        pause = self.given.link_pause or LinkPause()
        rx = self.fill("link_pause.rx", self.ports_whole and self.given.link_pause is None, pause.rx, False)
        tx = self.fill("link_pause.tx", self.ports_whole and self.given.link_pause is None, pause.tx, False)
        return LinkPause(rx=rx, tx=tx) if self.given.link_pause is not None or rx is not None else None

    def _watchdog(self, pfc: Pfc | None) -> PortWatchdog | None:
        """Return the watchdog: on by default, and without a timeout it watches nothing."""
        given = self.given.watchdog
        if given is None and not self.whole:
            return None
        stated = given or PortWatchdog()
        detect = stated.detect
        if stated.enabled and pfc is not None and pfc.honours():
            detect = self.fill("watchdog.detect", self.whole, detect, NEVER)
        armed = detect is not None and detect != NEVER
        known = self.whole or armed
        enabled = self.fill("watchdog.enabled", known, stated.enabled, armed)
        if enabled is not True:
            return replace(stated, enabled=enabled)
        lossless = pfc.rx if pfc is not None else None
        return replace(
            stated,
            enabled=True,
            detect=detect,
            priorities=self.fill("watchdog.priorities", lossless is not None, stated.priorities, lossless),
            action=self.fill("watchdog.action", self.whole, stated.action, "port-down"),
        )

    def _queues(self) -> tuple[Queue | None, ...] | None:
        """Return all eight queues: strict unless a line says otherwise, the higher number served first."""
        queues = self.given.queues
        if not self.ports_whole:
            return queues
        stated = tuple(queue or Queue() for queue in queues or (None,) * 8)
        full = []
        rank = 0
        for number in reversed(range(8)):
            queue = stated[number]
            path = f"queues.{number}"
            scheduler = queue.scheduler
            if scheduler is None:
                scheduler = "strict"
                self.filled.add(f"{path}.scheduler")
            rank += scheduler == "strict"
            full.append(
                replace(
                    queue,
                    scheduler=scheduler,
                    rank=rank if scheduler == "strict" else None,
                    ecn=self._ecn(path, queue),
                    wred=self.fill(f"{path}.wred", True, queue.wred, ()),
                )
            )
        return tuple(reversed(full))

    def _ecn(self, path: str, queue: Queue) -> Ecn | None:
        # Where the fill of the shared buffer marks, a queue without thresholds of its own is marked all the same.
        ecn = self.fill(f"{path}.ecn", not self.on_pool, queue.ecn, Ecn())
        if ecn is not None and ecn.curves and ecn.weight is None:
            self.filled.add(f"{path}.ecn.weight")
            return replace(ecn, weight=0)
        return ecn

    def _groups(self, pfc: Pfc | None) -> tuple[PriorityGroup | None, ...] | None:
        """Return all groups: lossless where the port's PFC pauses for them.

        Without a stated headroom the box keeps one of its own, of a size that is not published: it stays unknown.
        """
        stated = self.given.priority_groups or (None,) * 8
        if pfc is None or pfc.tx is None or pfc.admin is None:
            return self.given.priority_groups
        groups = []
        for number in range(8):
            group = stated[number] or PriorityGroup()
            path = f"priority_groups.{number}"
            lossless = self.fill(f"{path}.lossless", True, group.lossless, pfc.admin == "on" and number in pfc.tx)
            groups.append(replace(group, lossless=lossless))
        return tuple(groups)


def _stopped(queue_of: tuple[int | None, ...] | None) -> tuple[frozenset[int] | None, ...] | None:
    """Return the queues that a received pause stops: the queue of the class of that number."""
    if queue_of is None:
        return None
    return tuple(None if queue is None else frozenset({queue}) for queue in queue_of[:8])
