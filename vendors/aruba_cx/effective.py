"""Fills in what AOS-CX does where a complete running configuration is silent."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.defaults import Defaults
from rocecfg.state.model import (
    Amount,
    CodeMap,
    Dcbx,
    Device,
    Dynamic,
    Ecn,
    Interner,
    LinkPause,
    Pfc,
    Port,
    PortQos,
    PriorityGroup,
    Queue,
    eight,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocecfg.state.values import Trust

_INFORCE = load_module(Path(__file__).with_name("inforce.py"))

DSCP_MAP = tuple((1, 0, 2, 3, 4, 5, 6, 7)[code // 8] for code in range(64))
"""`show qos dscp-map default`: eight DSCPs a local priority, best effort in 1."""
COS_MAP = (1, 0, 2, 3, 4, 5, 6, 7)
"""`show qos cos-map default`."""
DEFAULT_MTU = 1500
ALPHA = Dynamic(Fraction(4))
"""The default XOFF limit: 2^2 times the free space of the pool."""
XON_DELTA = Amount.of_bytes(12288)


def defaults(device: Device) -> Device:
    """Return a device with the defaults of AOS-CX filled in where its text was complete. Idempotent."""
    whole = device.knows_all_of("all")
    share = Interner()
    done: dict[int, PortQos] = {}
    ports: dict[str, Port] = {}
    for name, port in device.ports.items():
        qos = done.get(id(port.qos))
        if qos is None:
            qos = done[id(port.qos)] = share(_Defaults(port.qos, whole=whole).qos())
        mtu = DEFAULT_MTU if port.mtu is None and whole and not name.startswith("lag ") else port.mtu
        counts = "ip" if mtu is not None else port.mtu_counts
        same = qos is port.qos and mtu == port.mtu and counts == port.mtu_counts
        ports[name] = port if same else replace(port, qos=qos, mtu=mtu, mtu_counts=counts)
    return replace(device, ports=ports, pools=() if device.pools is None and whole else device.pools)


class _Defaults(Defaults):
    """The defaults of one `PortQos`."""

    def __init__(self, qos: PortQos, *, whole: bool) -> None:
        super().__init__(qos)
        self._whole = whole

    def qos(self) -> PortQos:
        given = self.given
        changed = replace(
            self._classified(),
            tc_to_queue=self.fill("tc_to_queue", self._whole, given.tc_to_queue, _INFORCE.IDENTITY),
            tc_to_pg=_INFORCE.IDENTITY,
            link_pause=self.fill("link_pause", self._whole, given.link_pause, LinkPause(rx=False, tx=False)),
            dcbx=self.fill("dcbx", self._whole, given.dcbx, Dcbx(state="off", willing=False)),
            rewrite=self.fill("rewrite", self._whole, given.rewrite, ()),
            queues=self._queues(),
        )
        nothing: frozenset[int] = frozenset()
        pfc = self.fill("pfc", self._whole, given.pfc, Pfc("off", nothing, nothing))
        if pfc is not None and pfc.by is None:
            pfc = replace(pfc, by="internal")
        changed = replace(changed, pfc=pfc, priority_groups=self._groups())
        changed = replace(changed, priority_to_queue=self._stopped(changed))
        return self.marked(changed)

    def _classified(self) -> PortQos:
        given = self.given
        trust: Trust | None = self.fill("trust", self._whole, given.trust, "none")
        if trust == "none" and self._whole:
            to = self.fill("default_tc", self._whole, given.default_tc, COS_MAP[0])
            self.filled |= {"dscp_to_tc", "pcp_to_tc"} if given.dscp_to_tc is None else set()
            return replace(
                given, trust=trust, default_tc=to, dscp_to_tc=CodeMap((to,) * 64), pcp_to_tc=CodeMap((to,) * 8)
            )
        if trust == "dscp":
            return replace(given, trust=trust, dscp_to_tc=self._table("dscp_to_tc", given.dscp_to_tc, DSCP_MAP))
        if trust == "pcp":
            return replace(given, trust=trust, pcp_to_tc=self._table("pcp_to_tc", given.pcp_to_tc, COS_MAP))
        return given

    def _table(self, leaf: str, stated: CodeMap | None, default: Sequence[int]) -> CodeMap | None:
        if not self._whole:
            return stated
        if stated is None:
            self.filled.add(leaf)
            return CodeMap(tuple(default))
        return replace(
            stated, to=tuple(own if own is not None else to for own, to in zip(stated.to, default, strict=True))
        )

    def _queues(self) -> tuple[Queue | None, ...] | None:
        given = self.given.queues
        if not self._whole:
            return given
        factory = _INFORCE.schedule_of(None, _INFORCE.FACTORY)
        if given is None or all(queue is None or queue.scheduler is None for queue in given):
            self.filled.add("queues")
            plain = given or eight({})
            return eight({number: self._queue(number, plain[number], factory[number]) for number in range(8)})
        return eight(
            {number: self._queue(number, queue, None) for number, queue in enumerate(given) if queue is not None}
        )

    def _queue(self, number: int, queue: Queue | None, factory: Queue | None) -> Queue:
        made = queue or Queue()
        if factory is not None and made.scheduler is None:
            made = replace(factory, ecn=made.ecn, wred=made.wred)
        if made.ecn is None:
            self.filled.add(f"queues.{number}.ecn")
            made = replace(made, ecn=Ecn())
        return made if made.wred is not None else replace(made, wred=())

    def _groups(self) -> tuple[PriorityGroup | None, ...] | None:
        given = self.given.priority_groups
        if given is None and not self._whole:
            return None
        groups = dict(enumerate(given or eight({})))
        for number, group in groups.items():
            if group is not None and group.lossless:
                self.filled.add(f"priority_groups.{number}.xoff_at")
                groups[number] = replace(group, xoff_at=group.xoff_at or ALPHA, xon_below=group.xon_below or XON_DELTA)
            elif group is None and self._whole:
                groups[number] = PriorityGroup(lossless=False)
        return tuple(groups[number] for number in range(8))

    def _stopped(self, qos: PortQos) -> tuple[frozenset[int] | None, ...] | None:
        """Return the queue of each paused priority, which the queue profile of the system decides too."""
        if qos.priority_to_queue is not None or qos.priority_to_pg is None or qos.tc_to_queue is None:
            return qos.priority_to_queue
        queues = {
            priority: qos.tc_to_queue[priority] for priority in range(8) if qos.priority_to_pg[priority] is not None
        }
        return eight({priority: frozenset({queue}) for priority, queue in queues.items() if queue is not None})
