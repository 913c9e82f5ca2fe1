"""Fills in what a CloudEngine does where a complete text is silent."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from rocecfg.packs import load_module
from rocecfg.state.defaults import Defaults
from rocecfg.state.model import (
    UNLIMITED,
    Amount,
    CodeMap,
    Dcbx,
    Device,
    Dynamic,
    Ecn,
    Headroom,
    Interner,
    LinkPause,
    Pfc,
    Pool,
    Port,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Queue,
    Static,
    eight,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from rocecfg.state.model import Limit, Trust
    from vendors.huawei.family import Family

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_FAMILY = load_module(_HERE.with_name("family.py"))
_V = TypeVar("_V")

IDENTITY: tuple[int | None, ...] = (*range(8), *([None] * 8))
"""PHB, queue, priority group and PFC priority share one number."""
OF_PRIORITY = tuple(frozenset({priority}) for priority in range(8))
DEFAULT_DSCP = tuple(dscp // 8 for dscp in range(64))
DEFAULT_PCP = tuple(range(8))
DEFAULT_COLOUR: tuple[str, ...] = tuple(
    "yellow" if dscp in {12, 20, 28, 36} else "red" if dscp in {14, 22, 30, 38} else "green" for dscp in range(64)
)
DEFAULT_PRIORITIES = frozenset({3})
FRAME = 9216
"""Bytes of the largest frame that a port takes by default."""
DETECT, RESTORE = 100, 100


def defaults(device: Device) -> Device:
    """Return a device with the defaults of VRP filled in where its text was complete. Idempotent."""
    enabled = device.pfc_enabled
    if enabled is None and device.knows_all_of("all"):
        enabled = True
    family: Family | None = _FAMILY.of_device(device)
    ecn = device.ecn_enabled
    # The switch is documented for V300; a text that names neither version nor board may be of a release without it.
    dated = _FAMILY.of_model(device.model) == "B" or not _FAMILY.is_older(device.os_version or "V1")
    if ecn is None and family == "B" and dated and device.knows_all_of("all"):
        ecn = False
    device = replace(device, pfc_enabled=enabled, ecn_enabled=ecn)
    share = Interner()
    done: dict[tuple[int, bool, bool], PortQos] = {}
    ports: dict[str, Port] = {}
    for name, port in device.ports.items():
        key = (id(port.qos), port.mode == "routed", name.startswith("Eth-Trunk"))
        qos = done.get(key)
        if qos is None:
            qos = done[key] = share(_Defaults(device, family, port).qos())
        mtu = FRAME if port.mtu is None and device.knows_all_of("interfaces") else port.mtu
        same = qos is port.qos and mtu == port.mtu
        ports[name] = port if same else replace(port, qos=qos, mtu=mtu, mtu_counts="l2" if mtu else port.mtu_counts)
    return replace(device, ports=ports, pools=_pools(device, family, ports))


def _pools(device: Device, family: Family | None, ports: Mapping[str, Port]) -> tuple[Pool, ...] | None:
    """Return the pools; each slot of family A that pauses and has no headroom pool gets an empty one, the default."""
    if family != "A" or not device.knows_all_of("all"):
        return device.pools
    had = {pool.name for pool in device.pools or () if pool.headroom is not None}
    slots = sorted({_CONFIG.slot_of(name) for name, port in ports.items() if port.qos.pfc and port.qos.pfc.sends()})
    none = Amount(0, "kbyte", 0)
    empty = [
        Pool(name, "ingress", lossless=True, headroom=none)
        for slot in slots
        if (name := f"headroom slot {slot}") not in had
    ]
    return (*(device.pools or ()), *empty) if empty else device.pools


@lru_cache(maxsize=1024)
def _filled_map(stated: CodeMap | None, rest: tuple[int, ...]) -> CodeMap:
    """Return a map whose unstated codes go where the system's own map sends them."""
    if stated is None:
        return CodeMap(rest)
    to = tuple(default if queue is None else queue for queue, default in zip(stated.to, rest, strict=True))
    return CodeMap(to, stated.stated, stated.conflicts)


class _Defaults(Defaults):
    """The defaults of one port's `PortQos`."""

    def __init__(self, device: Device, family: Family | None, port: Port) -> None:
        super().__init__(port.qos)
        self.device = device
        self.family = family
        self.whole = device.knows_all_of("all")
        self.older = _FAMILY.is_older(device.os_version)
        self.routed = port.mode == "routed"
        self.trunk = port.name.startswith("Eth-Trunk")

    def qos(self) -> PortQos:
        given = self.given
        changed = replace(
            given,
            tc_to_queue=self.fill("tc_to_queue", True, given.tc_to_queue, IDENTITY),
            tc_to_pg=self.fill("tc_to_pg", True, given.tc_to_pg, IDENTITY),
            priority_to_queue=self.fill("priority_to_queue", True, given.priority_to_queue, OF_PRIORITY),
            priority_to_pg=self.fill("priority_to_pg", True, given.priority_to_pg, OF_PRIORITY),
            rewrite=self.fill("rewrite", self.whole, given.rewrite, ()),
            pfc=self._pfc(),
            link_pause=self._link_pause(),
            dcbx=self._dcbx(),
        )
        changed = self._classified(changed)
        changed = replace(changed, priority_groups=self._groups(changed), queues=self._queues())
        changed = replace(changed, watchdog=self._watchdog(changed))
        if changed == given:
            return given
        return self.marked(changed)

    def _default(self, path: str, value: _V) -> _V:
        """Return a default and note that it is one."""
        self.filled.add(path)
        return value

    def _classified(self, qos: PortQos) -> PortQos:
        """Return a port with the maps of the trust in force: of a routed port DSCP, of a switched one the outer tag."""
        if not self.whole:
            return qos
        by_mode: Trust = "dscp" if self.routed else "pcp"
        trust: Trust | None = self.fill("trust", True, qos.trust, by_mode)
        default_tc = self.fill("default_tc", True, qos.default_tc, 0)
        if trust == "none":
            to = default_tc or 0
            dscp, pcp = CodeMap((to,) * 64), CodeMap((to,) * 8)
            return replace(qos, trust=trust, default_tc=default_tc, dscp_to_tc=dscp, pcp_to_tc=pcp)
        if trust == "dscp":
            colours = tuple(
                stated or default
                for stated, default in zip(qos.dscp_to_colour or (None,) * 64, DEFAULT_COLOUR, strict=True)
            )
            return replace(
                qos,
                trust=trust,
                default_tc=default_tc,
                dscp_to_tc=_filled_map(qos.dscp_to_tc, DEFAULT_DSCP),
                dscp_to_colour=colours,
            )
        return replace(qos, trust=trust, default_tc=default_tc, pcp_to_tc=_filled_map(qos.pcp_to_tc, DEFAULT_PCP))

    def _pfc(self) -> Pfc | None:
        pfc = self.given.pfc or Pfc()
        switch: Literal["on", "off", "auto"] | None = self.fill("pfc.admin", self.whole, pfc.admin, "off")
        on = switch in {"on", "auto"}
        nothing: frozenset[int] = frozenset()
        priorities = DEFAULT_PRIORITIES if on else nothing
        by_default = {"A": "pcp", "B": "internal"}.get(self.family or "") if on else None
        filled = Pfc(
            admin=switch,
            tx=self.fill("pfc.tx", self.whole, pfc.tx, priorities),
            rx=self.fill("pfc.rx", self.whole, pfc.rx, priorities),
            by=self.fill("pfc.by", self.whole, pfc.by, by_default),  # type: ignore[arg-type]
            oper=pfc.oper,
            gate=self.fill("pfc.gate", self.whole, pfc.gate, self.device.pfc_enabled),
        )
        return self.given.pfc if filled == self.given.pfc or filled == Pfc() else filled

    def _link_pause(self) -> LinkPause | None:
        pause = self.given.link_pause or LinkPause()
        rx = self.fill("link_pause.rx", self.whole, pause.rx, False)
        tx = self.fill("link_pause.tx", self.whole, pause.tx, False)
        return LinkPause(rx=rx, tx=tx) if (rx, tx) != (None, None) else None

    def _dcbx(self) -> Dcbx | None:
        if self.given.dcbx is None and self.whole:
            self.filled.add("dcbx")
            return Dcbx(state="off")
        return self.given.dcbx

    def _groups(self, qos: PortQos) -> tuple[PriorityGroup | None, ...] | None:
        """Return the priority groups: lossless where PFC stops a priority, with the thresholds of the family."""
        pfc = qos.pfc
        sends = pfc.tx if pfc is not None and pfc.admin in {"on", "auto"} else frozenset()
        if not self.whole or sends is None:
            return qos.priority_groups
        stated = qos.priority_groups or (None,) * 8
        groups = {number: self._group(number, stated[number], number in sends) for number in range(8)}
        return eight(groups)

    def _group(self, number: int, stated: PriorityGroup | None, lossless: bool) -> PriorityGroup:
        group, path = stated or PriorityGroup(), f"priority_groups.{number}"
        flag = self.fill(f"{path}.lossless", True, group.lossless, lossless)
        if not flag:
            return replace(group, lossless=flag)
        if self.family == "A":
            own: Limit | None = group.xoff_at or self._default(f"{path}.xoff_at", Dynamic(index=3))
            below = self.fill(f"{path}.xon_below", True, group.xon_below, Amount(6, "kbyte", 6144))
            reserved = self.fill(f"{path}.reserved", True, group.reserved, Amount(1600, "byte", 1600))
            pool = any(pool.headroom is not None and pool.headroom.value for pool in self.device.pools or ())
            room = Headroom(Amount(256, "kbyte", 262_144), by="stated") if pool else Headroom(by="none")
            headroom = self.fill(f"{path}.headroom", True, group.headroom, room)
            return replace(group, lossless=flag, xoff_at=own, xon_below=below, reserved=reserved, headroom=headroom)
        if self.family == "B":
            fixed = group.xoff_at is None or isinstance(group.xoff_at, Static)
            own = group.xoff_at or self._default(f"{path}.xoff_at", Static(Amount(125, "kbyte", 128_000)))
            xon = self.fill(f"{path}.xon_at", fixed, group.xon_at, Amount(100, "kbyte", 102_400))
            headroom = self.fill(f"{path}.headroom", True, group.headroom, Headroom(by="pool-share"))
            return replace(group, lossless=flag, xoff_at=own, xon_at=xon, headroom=headroom)
        return replace(group, lossless=flag)

    def _watchdog(self, qos: PortQos) -> PortWatchdog | None:
        """Return deadlock detection: always on where PFC is, from V300 on with documented times."""
        pfc, stated = qos.pfc, self.given.watchdog
        if not self.whole or pfc is None or pfc.admin not in {"on", "auto"} or (self.older and self.family is None):
            return stated
        given = stated or PortWatchdog()
        known = self.family is not None and self.family in {"A", "B"}
        # Both families detect after 100 ms and restore after 100 ms; what happens meanwhile differs.
        action = {"A": "forward", "B": "drop"}.get(self.family or "")
        return replace(
            given,
            enabled=self.fill("watchdog.enabled", True, given.enabled, True),
            priorities=self.fill("watchdog.priorities", True, given.priorities, pfc.rx),
            detect=self.fill("watchdog.detect", known, given.detect, DETECT),
            restore=self.fill("watchdog.restore", known, given.restore, RESTORE),
            action=self.fill("watchdog.action", known, given.action, action),  # type: ignore[arg-type]
        )

    def _queues(self) -> tuple[Queue | None, ...] | None:
        """Return all eight queues: strict unless a line says otherwise, the highest number first."""
        if not self.whole or self.trunk:
            return self.given.queues
        stated = self.given.queues or (None,) * 8
        queues = {number: self._queue(number, stated[number] or Queue()) for number in range(8)}
        return eight(self._ranked(queues))

    def _queue(self, number: int, queue: Queue) -> Queue:
        path = f"queues.{number}"
        scheduler: Literal["strict", "weighted"] | None = self.fill(
            f"{path}.scheduler", not self.older, queue.scheduler, "strict"
        )
        weight: Fraction | int | None = queue.weight
        if scheduler == "weighted" and not self._in_group(queue):
            weight = self._default(f"{path}.weight", 1) if weight is None else weight
        ecn = self.fill(f"{path}.ecn", True, queue.ecn, Ecn())
        if ecn is not None and ecn.curves and ecn.gate is None and self.device.ecn_enabled is not None:
            ecn = replace(ecn, gate=self.device.ecn_enabled)
        return replace(
            queue,
            scheduler=scheduler,
            weight=weight,
            weight_kind="relative" if weight is not None else queue.weight_kind,
            ecn=ecn,
            wred=self.fill(f"{path}.wred", True, queue.wred, ()),
            shaper=self.fill(f"{path}.shaper", queue.shaper_share is None, queue.shaper, UNLIMITED),
        )

    @staticmethod
    def _in_group(queue: Queue) -> bool:
        """Return whether a queue shares the weight of an ETS group: marked by a kind without a number."""
        return queue.weight is None and queue.weight_kind is not None

    def _ranked(self, queues: Mapping[int, Queue]) -> dict[int, Queue | None]:
        """Return the queues with the strict ones ranked: the highest number is served first."""
        strict = sorted((number for number, queue in queues.items() if queue.scheduler == "strict"), reverse=True)
        if any(queue.scheduler is None for queue in queues.values()):
            return dict(queues)
        for number in strict:
            if queues[number].rank is None:
                self.filled.add(f"queues.{number}.rank")
        ranks = {number: rank for rank, number in enumerate(strict, 1)}
        return {
            number: replace(queue, rank=ranks[number]) if number in ranks and queue.rank is None else queue
            for number, queue in queues.items()
        }
