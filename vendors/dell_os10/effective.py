"""Fills in what OS10 does where a complete text is silent, as far as its guides say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.defaults import Defaults
from rocecfg.state.model import (
    CodeMap,
    Dcbx,
    Device,
    Ecn,
    Headroom,
    Interner,
    Pfc,
    Port,
    PortQos,
    PriorityGroup,
    Queue,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

_INFORCE = load_module(Path(__file__).with_name("inforce.py"))

SYSTEM_PORT = "system qos"
"""Stands for every port in a text that has policies and no interfaces."""
ALL_IN_ZERO = CodeMap((0,) * 64), CodeMap((0,) * 8)
"""Without a trust map every data packet is in class 0 (OS10 User Guide, ingress traffic classification)."""


def defaults(device: Device) -> Device:
    """Return a device with the documented defaults of OS10 filled in where its text was complete. Idempotent."""
    done: dict[int, PortQos] = {}
    share = Interner()
    ports: dict[str, Port] = {}
    for name, port in device.ports.items():
        qos = done.get(id(port.qos))
        if qos is None:
            qos = done[id(port.qos)] = share(_Defaults(device, port.qos).qos())
        ports[name] = port if qos is port.qos else replace(port, qos=qos)
    return replace(device, ports=ports)


class _Defaults(Defaults):
    """The defaults of one `PortQos`."""

    def __init__(self, device: Device, qos: PortQos) -> None:
        super().__init__(qos)
        self.qos_whole = device.knows_all_of("qos")
        self.ports_whole = device.knows_all_of("interfaces")
        self.whole = self.qos_whole and self.ports_whole
        self.pool_marks = device.ecn_on_pool is not None

    def qos(self) -> PortQos:
        given = self.given
        groups = self._groups()
        changed = replace(
            given,
            tc_to_pg=self.fill("tc_to_pg", self._no_policy(), given.tc_to_pg, _INFORCE.group_numbers(())),
            priority_to_queue=self._of_priorities("priority_to_queue", given.priority_to_queue),
            priority_to_pg=self._of_priorities("priority_to_pg", given.priority_to_pg),
            queues=self._queues(),
            priority_groups=groups,
            pfc=self._pfc(),
            dcbx=self._dcbx(),
        )
        changed = self._classified(changed)
        return self.marked(changed)

    def _no_policy(self) -> bool:
        """Return whether it is certain that no network-qos policy is attached."""
        return self.whole and self.given.priority_groups is None

    def _classified(self, qos: PortQos) -> PortQos:
        if qos.trust in ("dscp", "pcp", "both") and qos.rewrite is None:
            # A trust map does not change the mark of what leaves (OS10 User Guide, ETS configuration notes).
            self.filled.add("rewrite")
            return replace(qos, rewrite=())
        if qos.trust is not None or qos.dscp_to_tc is not None or qos.pcp_to_tc is not None or not self.whole:
            return qos
        self.filled |= {"trust", "dscp_to_tc", "pcp_to_tc", "default_tc"}
        dscp, pcp = ALL_IN_ZERO
        return replace(qos, trust="none", dscp_to_tc=dscp, pcp_to_tc=pcp, default_tc=0)

    def _pfc(self) -> Pfc | None:
        pfc = self.given.pfc or Pfc()
        nothing: frozenset[int] = frozenset()
        filled = Pfc(
            admin=self.fill("pfc.admin", self.ports_whole, pfc.admin, "off"),
            tx=self.fill("pfc.tx", self._no_policy(), pfc.tx, nothing),
            rx=self.fill("pfc.rx", self._no_policy(), pfc.rx, nothing),
            by=self.fill("pfc.by", True, pfc.by, "internal"),
            oper=pfc.oper,
            gate=pfc.gate,
        )
        return self.given.pfc if filled == self.given.pfc else filled

    def _dcbx(self) -> Dcbx | None:
        """Return DCBX: off by default; where it runs, a port keeps its own settings and announces them."""
        given = self.given.dcbx
        if given is None:
            return self.fill("dcbx", self.whole, None, Dcbx(state="off"))
        if given.state == "off":
            return given
        announced = frozenset({"pfc", "ets"})
        willing = self.fill("dcbx.willing", True, given.willing, False)
        return Dcbx(given.state, willing, self.fill("dcbx.advertises", True, given.advertises, announced))

    def _queues(self) -> tuple[Queue | None, ...] | None:
        """Return the queues with ECN known to be off where no profile is bound: a profile has to be named."""
        queues = self.given.queues
        if not self.whole or self.pool_marks:
            return queues
        if queues is None:
            self.filled.add("queues")
            queues = (Queue(),) * 8
        return tuple(queue if queue is None else self._queue(number, queue) for number, queue in enumerate(queues))

    def _queue(self, number: int, queue: Queue) -> Queue:
        path = f"queues.{number}"
        ecn = self.fill(f"{path}.ecn", True, queue.ecn, Ecn())
        return replace(queue, ecn=ecn, wred=self.fill(f"{path}.wred", True, queue.wred, ()))

    def _of_priorities(
        self, path: str, stated: tuple[frozenset[int] | None, ...] | None
    ) -> tuple[frozenset[int] | None, ...] | None:
        """Return the groups each priority stops: none for a priority that no class of a known policy names."""
        groups, named = self.given.priority_groups, self.given.priority_to_pg
        if not self.whole or (groups is not None and None in groups):
            return stated
        named = named or (None,) * 8
        full = tuple(
            frozenset() if one is None and of is None else one
            for one, of in zip(stated or (None,) * 8, named, strict=True)
        )
        if full != stated:
            self.filled.add(path)
        return full

    def _groups(self) -> tuple[PriorityGroup | None, ...] | None:
        groups: Iterable[PriorityGroup | None] | None = self.given.priority_groups
        if groups is None:
            if not self.whole:
                return None
            self.filled.add("priority_groups")
            groups = (PriorityGroup(),) * 8
        return tuple(group if group is None else self._group(number, group) for number, group in enumerate(groups))

    def _group(self, number: int, group: PriorityGroup) -> PriorityGroup:
        path = f"priority_groups.{number}"
        lossless = self.fill(f"{path}.lossless", self.whole, group.lossless, False)
        headroom = group.headroom
        if lossless and headroom is None and self.whole:
            # Without numbers OS10 reserves what its platform keeps for 9216 B frames over 100 m.
            self.filled.add(f"{path}.headroom")
            headroom = Headroom(by="box")
        return replace(group, lossless=lossless, headroom=headroom)
