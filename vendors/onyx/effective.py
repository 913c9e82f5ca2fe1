"""Fills in what Onyx does where a complete text is silent. Source: Onyx User Manual 3.10 (`limits.yaml`, defaults)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rocecfg.state.defaults import Defaults
from rocecfg.state.model import (
    UNLIMITED,
    CodeMap,
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
    eight,
)

DEFAULT_MTU = 1500
DEFAULT_WEIGHTS = (12, 13, 12, 13, 12, 13, 12, 13)
DSCP_DEFAULT = tuple(code // 8 for code in range(64))
PCP_DEFAULT = tuple(range(8))
IDENTITY: tuple[int | None, ...] = (*range(8), *([None] * 8))
EVERY_PORT = "every port"
"""Stands for all ports in a text that sets something for the device and names no port."""
REWRITES = "rewrite.dscp"
"""Place of a line that rewrites marks by a map nobody publishes: then `rewrite` is unknown, and no default holds."""


def defaults(device: Device) -> Device:
    """Return a device with the defaults of Onyx filled in where its text was complete. Idempotent."""
    whole = device.knows_all_of("all")
    enabled, defaulted = device.pfc_enabled, device.defaulted
    if enabled is None and whole and not _lossless_pool(device):
        enabled, defaulted = False, defaulted | {"pfc_enabled"}
    model = device.buffer_model or ("box" if whole else None)
    done: dict[tuple[int, bool], PortQos] = {}
    share = Interner()
    ports: dict[str, Port] = {}
    for name, port in device.ports.items():
        rewrites = REWRITES in port.places
        qos = done.get((id(port.qos), rewrites))
        if qos is None:
            qos = share(_Fill(device, port.qos, model, enabled, rewrites=rewrites).qos())
            done[id(port.qos), rewrites] = qos
        mtu, counts = port.mtu, port.mtu_counts
        if mtu is None and whole and name != EVERY_PORT:
            mtu, counts = DEFAULT_MTU, "ip"
        unchanged = qos is port.qos and mtu == port.mtu
        ports[name] = port if unchanged else replace(port, qos=qos, mtu=mtu, mtu_counts=counts)
    return replace(device, ports=ports, pfc_enabled=enabled, buffer_model=model, defaulted=defaulted)


def _lossless_pool(device: Device) -> bool:
    """Return whether a traffic pool holds a lossless priority: then PFC may be on without the device's switch."""
    return any(
        group is not None and group.lossless and group.headroom is not None and group.headroom.by == "box"
        for port in device.ports.values()
        for group in port.qos.priority_groups or ()
    )


class _Fill(Defaults):
    """The defaults of one `PortQos`."""

    def __init__(
        self, device: Device, qos: PortQos, model: str | None, enabled: bool | None, *, rewrites: bool
    ) -> None:
        super().__init__(qos)
        self.model, self.enabled, self.rewrites = model, enabled, rewrites
        self.whole = device.knows_all_of("all")
        self.maps = device.knows_all_of("maps")
        self.watches = device.knows_all_of("watchdog")

    def qos(self) -> PortQos:
        given = self.given
        queue_map = self._queue_map()
        tc_to_pg, priority_to_pg, groups = self._groups()
        pfc = self._pfc()
        return replace(
            given,
            trust=self.fill("trust", self.maps, given.trust, "pcp"),
            dscp_to_tc=self._codes("dscp_to_tc", given.dscp_to_tc, DSCP_DEFAULT),
            pcp_to_tc=self._codes("pcp_to_tc", given.pcp_to_tc, PCP_DEFAULT),
            default_tc=self.fill("default_tc", self.maps, given.default_tc, 0),
            rewrite=self.fill("rewrite", self.whole and not self.rewrites, given.rewrite, ()),
            tc_to_queue=queue_map,
            tc_to_pg=tc_to_pg,
            priority_to_queue=_by_priority(queue_map),
            priority_to_pg=priority_to_pg,
            pfc=pfc,
            link_pause=self._link_pause(),
            watchdog=self._watchdog(pfc),
            queues=self._queues(),
            priority_groups=groups,
            defaulted=given.defaulted | self.filled,
        )

    def _codes(self, path: str, stated: CodeMap | None, default: tuple[int, ...]) -> CodeMap | None:
        if not self.maps:
            return stated
        if stated is None:
            self.filled.add(path)
            return CodeMap(default)
        if None not in stated.to:
            return stated
        return replace(stated, to=tuple(to if to is not None else default[code] for code, to in enumerate(stated.to)))

    def _queue_map(self) -> tuple[int | None, ...] | None:
        stated = self.given.tc_to_queue
        if not self.maps:
            return stated
        if stated is None:
            self.filled.add("tc_to_queue")
            return IDENTITY
        return tuple(queue if queue is not None else IDENTITY[tc] for tc, queue in enumerate(stated))

    def _pfc(self) -> Pfc | None:
        pfc = self.given.pfc or Pfc()
        nothing: frozenset[int] = frozenset()
        filled = replace(
            pfc,
            admin=self.fill("pfc.admin", self.whole, pfc.admin, "auto"),
            tx=self.fill("pfc.tx", self.whole, pfc.tx, nothing),
            rx=self.fill("pfc.rx", self.whole, pfc.rx, nothing),
            by=self.fill("pfc.by", self.whole, pfc.by, "internal"),
            gate=self.fill("pfc.gate", self.whole, pfc.gate, self.enabled),
        )
        return self.given.pfc if filled in (self.given.pfc, Pfc()) else filled

    def _link_pause(self) -> LinkPause | None:
        pause = self.given.link_pause or LinkPause()
        rx = self.fill("link_pause.rx", self.whole, pause.rx, False)
        tx = self.fill("link_pause.tx", self.whole, pause.tx, False)
        return LinkPause(rx=rx, tx=tx) if (rx, tx) != (None, None) else None

    def _watchdog(self, pfc: Pfc | None) -> PortWatchdog | None:
        stated = self.given.watchdog or PortWatchdog()
        enabled = self.fill("watchdog.enabled", self.watches, stated.enabled, False)
        if enabled is not True:
            return replace(stated, enabled=False) if enabled is False else self.given.watchdog
        watched = pfc.rx if pfc is not None else None
        return replace(
            stated, priorities=self.fill("watchdog.priorities", watched is not None, stated.priorities, watched)
        )

    def _queues(self) -> tuple[Queue | None, ...] | None:
        queues = self.given.queues
        if not self.whole:
            return queues
        given = queues or (None,) * 8
        strict = [number for number, queue in enumerate(given) if queue is not None and queue.scheduler == "strict"]
        if len(strict) == 1:
            alone = given[strict[0]]
            assert alone is not None
            given = tuple(replace(alone, rank=1) if queue is alone else queue for queue in given)
        return tuple(self._queue(number, queue or Queue()) for number, queue in enumerate(given))

    def _queue(self, number: int, queue: Queue) -> Queue:
        path = f"queues.{number}"
        if queue.scheduler is None:
            self.filled.add(f"{path}.scheduler")
            queue = replace(queue, scheduler="weighted", weight=DEFAULT_WEIGHTS[number], weight_kind="relative")
        return replace(
            queue,
            ecn=self.fill(f"{path}.ecn", True, queue.ecn, Ecn()),
            wred=self.fill(f"{path}.wred", True, queue.wred, ()),
            shaper=self.fill(f"{path}.shaper", True, queue.shaper, UNLIMITED),
        )

    def _groups(self) -> tuple[Any, Any, tuple[PriorityGroup | None, ...] | None]:
        """Return (tc to group, priority to group, groups): in the simple form the rest shares one lossy group."""
        given = self.given
        if not self.whole:
            return given.tc_to_pg, given.priority_to_pg, given.priority_groups
        if self.model == "stated":
            return given.tc_to_pg, _by_priority(given.tc_to_pg), self._bound(given.tc_to_pg, given.priority_groups)
        stated = given.tc_to_pg or (None,) * 16
        paused = (given.pfc.tx or frozenset()) | (given.pfc.rx or frozenset()) if given.pfc is not None else frozenset()
        lossless = {group for group in stated if group is not None}
        lossy = min(set(range(8)) - lossless - paused, default=0)
        if not any(group is None and tc not in paused for tc, group in enumerate(stated[:8])):
            return given.tc_to_pg, given.priority_to_pg, given.priority_groups
        of: list[int | None] = []
        for tc, group in enumerate(stated):
            if group is None and tc < 8 and tc not in paused:
                self.filled.add("tc_to_pg")
                of.append(lossy)
            else:
                of.append(group)
        groups = list(given.priority_groups or (None,) * 8)
        if groups[lossy] is None:
            self.filled.add(f"priority_groups.{lossy}")
            groups[lossy] = PriorityGroup(lossless=False)
        return tuple(of), _by_priority(tuple(of)), tuple(groups)

    def _bound(
        self, of: tuple[int | None, ...] | None, groups: tuple[PriorityGroup | None, ...] | None
    ) -> tuple[PriorityGroup | None, ...] | None:
        """Return the groups of the advanced form: one that no line maps to a pool is lossy, as all traffic at first."""
        found = list(groups or (None,) * 8)
        for group in set(of or ()) - {None}:
            if group is not None and found[group] is None:
                self.filled.add(f"priority_groups.{group}")
                found[group] = PriorityGroup(lossless=False)
        return tuple(found) if any(found) else groups


def _by_priority(of: tuple[int | None, ...] | None) -> tuple[frozenset[int] | None, ...] | None:
    if of is None:
        return None
    return eight({tc: frozenset({to}) for tc, to in enumerate(of[:8]) if to is not None})
