"""Fills in what Comware does where a complete text is silent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from rocecfg.packs import load_module
from rocecfg.state.defaults import Defaults
from rocecfg.state.model import (
    NEVER,
    UNLIMITED,
    CodeMap,
    Device,
    Ecn,
    Headroom,
    Interner,
    LinkPause,
    Pfc,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Queue,
)

if TYPE_CHECKING:
    from rocecfg.state.model import Port, Trust

_V = TypeVar("_V")

_INFORCE = load_module(Path(__file__).with_name("inforce.py"))
_CELLS = load_module(Path(__file__).with_name("cells.py"))
_CURVES = load_module(Path(__file__).with_name("curves.py"))
QUEUE_OF: tuple[int, ...] = _INFORCE.DEFAULT_QUEUE_OF
WEIGHT = 9
"""Exponent of the average queue length of a WRED table."""


def defaults(device: Device) -> Device:
    """Return a device with the defaults of Comware filled in where its text was complete. Idempotent."""
    done: dict[int, PortQos] = {}
    share = Interner()
    ports: dict[str, Port] = {}
    for name, port in device.ports.items():
        qos = done.get(id(port.qos))
        if qos is None:
            qos = done[id(port.qos)] = share(_Defaults(device, port.qos).qos())
        ports[name] = port if qos is port.qos else replace(port, qos=qos)
    filled: Device = _CELLS.with_bytes(replace(device, ports=ports))
    return filled


class _Defaults(Defaults):
    """The defaults of one `PortQos`."""

    def __init__(self, device: Device, qos: PortQos) -> None:
        super().__init__(qos)
        self.all_whole = device.knows_all_of("all")
        self.ports_whole = device.knows_all_of("interfaces")

    def qos(self) -> PortQos:
        given = self.given
        changed = replace(
            self._classified(given),
            tc_to_queue=self._tc_to_queue(given.tc_to_queue),
            tc_to_pg=self.fill("tc_to_pg", True, given.tc_to_pg, _INFORCE.IDENTITY),
            priority_to_queue=self._priority_to_queue(given.priority_to_queue),
            priority_to_pg=self.fill(
                "priority_to_pg", True, given.priority_to_pg, tuple(frozenset({number}) for number in range(8))
            ),
            pfc=self._pfc(),
            link_pause=self._link_pause(),
            queues=self._queues(),
        )
        changed = replace(changed, priority_groups=self._groups(changed.pfc))
        changed = replace(changed, watchdog=self._watchdog(changed.pfc))
        return self.marked(changed)

    def _classified(self, qos: PortQos) -> PortQos:
        default_tc = self.fill("default_tc", self.all_whole, qos.default_tc, 0)
        if not self.all_whole:
            return replace(qos, default_tc=default_tc)
        trust: Trust | None = self.fill("trust", True, qos.trust, "none")
        rewrite = self.fill("rewrite", True, qos.rewrite, ())
        dscp, pcp = qos.dscp_to_tc, qos.pcp_to_tc
        if trust == "none":
            # Nothing a packet carries counts: the port's own priority is its 802.1p priority.
            dscp = self.fill("dscp_to_tc", True, dscp, CodeMap((default_tc,) * 64))
            pcp = self.fill("pcp_to_tc", True, pcp, CodeMap((default_tc,) * 8))
        elif trust in ("dscp", "both"):
            dscp = self._dscp_map(dscp)
        return replace(qos, trust=trust, default_tc=default_tc, rewrite=rewrite, dscp_to_tc=dscp, pcp_to_tc=pcp)

    def _dscp_map(self, stated: CodeMap | None) -> CodeMap:
        """Return the map with the default in its free places: DSCP divided by eight."""
        known = stated or CodeMap((None,) * 64)
        to = tuple(
            code // 8 if own is None and not known.stated >> code & 1 else own for code, own in enumerate(known.to)
        )
        if to == known.to:
            return known
        self.filled.add("dscp_to_tc")
        return replace(known, to=to)

    def _tc_to_queue(self, stated: tuple[int | None, ...] | None) -> tuple[int | None, ...] | None:
        if not self.all_whole:
            return stated
        known = stated or (None,) * 16
        full = (*(QUEUE_OF[code] if known[code] is None else known[code] for code in range(8)), *([None] * 8))
        return self._new("tc_to_queue", stated, full)

    def _priority_to_queue(
        self, stated: tuple[frozenset[int] | None, ...] | None
    ) -> tuple[frozenset[int] | None, ...] | None:
        if not self.all_whole:
            return stated
        full = tuple(own or frozenset({QUEUE_OF[code]}) for code, own in enumerate(stated or (None,) * 8))
        return self._new("priority_to_queue", stated, full)

    def _new(self, path: str, stated: _V | None, full: _V) -> _V:
        if full != stated:
            self.filled.add(path)
        return full

    def _pfc(self) -> Pfc | None:
        pfc = self.given.pfc or Pfc()
        nothing: frozenset[int] = frozenset()
        filled = Pfc(
            admin=self.fill("pfc.admin", self.all_whole, pfc.admin, "off"),
            tx=self.fill("pfc.tx", self.all_whole, pfc.tx, nothing),
            rx=self.fill("pfc.rx", self.all_whole, pfc.rx, nothing),
            by=self.fill("pfc.by", True, pfc.by, "internal"),
            oper=pfc.oper,
            gate=pfc.gate,
        )
        return self.given.pfc if filled == self.given.pfc else filled

    def _link_pause(self) -> LinkPause | None:
        pause = self.given.link_pause or LinkPause()
        rx = self.fill("link_pause.rx", self.all_whole, pause.rx, False)
        tx = self.fill("link_pause.tx", self.all_whole, pause.tx, False)
        return LinkPause(rx=rx, tx=tx) if (rx, tx) != (None, None) else None

    def _watchdog(self, pfc: Pfc | None) -> PortWatchdog | None:
        stated = self.given.watchdog or PortWatchdog()
        enabled = self.fill("watchdog.enabled", self.ports_whole, stated.enabled, False)
        if enabled is not True:
            return replace(stated, enabled=False) if enabled is False else self.given.watchdog
        watches = pfc.rx if pfc is not None else None
        # Detection starts with an interval, which has no default: where no queue has one, nothing ever fires.
        unset = self.all_whole and stated.priorities is None and stated.detect is None
        return replace(
            stated,
            priorities=self.fill("watchdog.priorities", unset, stated.priorities, watches),
            detect=self.fill("watchdog.detect", unset, stated.detect, NEVER),
            action=self.fill("watchdog.action", self.all_whole, stated.action, "pfc-off"),
        )

    def _queues(self) -> tuple[Queue | None, ...] | None:
        if not self.all_whole:
            return self.given.queues
        queues = self.given.queues or (None,) * 8
        return tuple(self._queue(number, queue or Queue()) for number, queue in enumerate(queues))

    def _queue(self, number: int, queue: Queue) -> Queue:
        path = f"queues.{number}"
        ecn, wred = queue.ecn, queue.wred
        if ecn is not None and ecn.curves:
            ecn = replace(
                ecn,
                curves=_CURVES.filled(ecn.curves),
                weight=self.fill(f"{path}.ecn.weight", True, ecn.weight, WEIGHT),
                non_ect=self.fill(f"{path}.ecn.non_ect", True, ecn.non_ect, "drop"),
            )
        if wred:
            wred = _CURVES.filled(wred)
        return replace(
            queue,
            ecn=self.fill(f"{path}.ecn", True, ecn, Ecn()),
            wred=self.fill(f"{path}.wred", True, wred, ()),
            shaper=self.fill(f"{path}.shaper", True, queue.shaper, UNLIMITED),
        )

    def _groups(self, pfc: Pfc | None) -> tuple[PriorityGroup | None, ...] | None:
        if not self.all_whole or pfc is None:
            return self.given.priority_groups
        paused = ((pfc.tx or frozenset()) | (pfc.rx or frozenset())) if pfc.admin != "off" else frozenset()
        groups = self.given.priority_groups or (None,) * 8
        return tuple(self._group(number, group or PriorityGroup(), paused) for number, group in enumerate(groups))

    def _group(self, number: int, group: PriorityGroup, paused: frozenset[int]) -> PriorityGroup:
        path = f"priority_groups.{number}"
        lossless = self.fill(f"{path}.lossless", True, group.lossless, number in paused)
        headroom = group.headroom
        if lossless:  # the box keeps a headroom of its own where none is stated; nobody published how much
            headroom = self.fill(f"{path}.headroom", True, headroom, Headroom(by="box"))
        return replace(group, lossless=lossless, headroom=headroom)
