"""One planned `PortQos` as CONFIG_DB carries it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import (
    NEVER,
    CodeMap,
    Dynamic,
    Headroom,
    Pfc,
    PortQos,
    PortWatchdog,
    PriorityGroup,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.vendor.api import Kind

fit_queue: Any = load_module(Path(__file__).with_name("fit_queue.py"))

_TCS = 16
_QUEUES = range(8)


def fit_qos(qos: PortQos, plan: Any) -> PortQos:
    """Return what SONiC carries of a port's settings; what it does not is said to `plan.notes`."""
    return _PortFit(qos, plan).result()


class _PortFit:
    def __init__(self, qos: PortQos, plan: Any) -> None:
        self.qos = qos
        self.plan = plan
        self.pfc = self._pfc()
        self.lossless = sorted(self.pfc.tx or ()) if self.pfc is not None else []
        self.to_pg = self._priority_to_pg()
        self.groups = {group for groups in self.to_pg.values() for group in groups}
        self.lossy_group = min(group for group in range(9) if group not in self.groups)
        self.tc_to_pg = self._tc_to_pg()
        self.lossless_tcs = {tc for tc, group in enumerate(self.tc_to_pg) if group in self.groups}
        self.best_effort = self._best_effort()
        self.tc_to_queue = self._tc_to_queue()
        self.lossless_queues = {self.tc_to_queue[tc] for tc in self.lossless_tcs}
        self.cable = self._cable()

    def say(self, field: str, wanted: object, got: object, kind: Kind, because: str) -> None:
        self.plan.notes.say(field, wanted, got, kind, because)

    def result(self) -> PortQos:
        qos = self.qos
        trust = self._trust()
        for field, why in (
            ("dscp_to_colour", "every packet is green unless a policer colours it"),
            ("app_to_tc", "there is no classification by application"),
        ):
            if getattr(qos, field) is not None:
                self.say(field, "set", "left out", "dropped", f"CONFIG_DB: {why}")
        if qos.link_pause is not None and (qos.link_pause.rx or qos.link_pause.tx):
            self.say("link_pause", "on", "left out", "dropped", "PORT has no knob for 802.3x pause")
        if qos.dcbx is not None and qos.dcbx.state not in {None, "off"}:
            self.say(
                "dcbx", qos.dcbx.state, "left out", "dropped", "community SONiC speaks no DCBX: set the NICs by hand"
            )
        if qos.default_tc not in {None, 0}:
            self.say("default_tc", qos.default_tc, "left out", "dropped", "there is no knob for packets without a mark")
        priority_map = bool(self.lossless) and self.plan.sku.pfc_to_pg
        return PortQos(
            trust=trust,
            dscp_to_tc=self._codes("dscp_to_tc", 64) if trust in {"dscp", "both"} else None,
            pcp_to_tc=self._codes("pcp_to_tc", 8) if trust in {"pcp", "both"} else None,
            rewrite=self._rewrite(),
            tc_to_queue=self.tc_to_queue,
            tc_to_pg=self.tc_to_pg,
            priority_to_queue=self._priority_to_queue(),
            priority_to_pg=tuple(self.to_pg.get(priority) for priority in range(8)) if priority_map else None,
            pfc=self.pfc,
            cable=self.cable,
            watchdog=self._watchdog(),
            queues=fit_queue.fit_queues(qos, self.lossless_queues, self.plan),
            priority_groups=self._groups(),
        )

    # classification

    def _trust(self) -> Any:
        trust, qos = self.qos.trust, self.qos
        if trust == "none":
            self.say("trust", "none", "no map bound", "dropped", "a port trusts what its PORT_QOS_MAP row names")
            return None
        if trust is None and qos.dscp_to_tc is not None:
            self.say(
                "trust", "open", "dscp", "chosen", "a port trusts what its PORT_QOS_MAP row names, a DSCP map here"
            )
            return "dscp"
        if trust == "dscp" and qos.pcp_to_tc is not None:
            self.say("pcp_to_tc", "set", "left out", "dropped", "a bound dot1p map would make the port trust PCP too")
        if trust == "pcp" and qos.dscp_to_tc is not None:
            self.say("dscp_to_tc", "set", "left out", "dropped", "a bound DSCP map would make the port trust DSCP too")
        return trust

    def _codes(self, field: str, size: int) -> CodeMap:
        """Every code written: those the plan leaves open go to best effort, never to a lossless class."""
        planned = getattr(self.qos, field)
        to = planned.to if planned is not None else ()
        full = tuple(
            self.best_effort if code >= len(to) or to[code] is None else min(max(to[code], 0), _TCS - 1)
            for code in range(size)
        )
        return CodeMap(full, (1 << size) - 1)

    def _best_effort(self) -> int:
        wanted = self.qos.default_tc if self.qos.default_tc is not None else 0
        candidates = [wanted, *range(_TCS)]
        found: int = next(tc for tc in candidates if tc not in self.lossless_tcs and 0 <= tc < _TCS)
        return found

    def _rewrite(self) -> tuple[tuple[str, int, int], ...]:
        marks: dict[int, int] = {}
        for kind, start, mark in self.qos.rewrite or ():
            if kind == "tc" and 0 <= start < _TCS and 0 <= mark < 64:
                marks.setdefault(start, mark)
            else:
                self.say(
                    "rewrite", f"{kind} {start} to DSCP {mark}", "left out", "dropped", "TC_TO_DSCP_MAP marks by class"
                )
        return tuple(("tc", tc, marks[tc]) for tc in sorted(marks))

    # maps between classes, queues, groups and priorities

    def _priority_to_pg(self) -> dict[int, frozenset[int]]:
        planned = self.qos.priority_to_pg
        found = {}
        for priority in self.lossless:
            wanted = planned[priority] if planned is not None else None
            group = min(wanted) if wanted else priority
            if wanted and len(wanted) > 1:
                self.say(f"priority_to_pg.{priority}", sorted(wanted), group, "refused", "one PG for a priority")
            if not self.plan.sku.pfc_to_pg and group != priority:
                why = "this ASIC maps no PFC priority to a PG: the buffer manager makes the PG of the priority's number"
                self.say(f"priority_to_pg.{priority}", group, priority, "refused", why)
                group = priority
            found[priority] = frozenset({group})
        return found

    def _tc_to_pg(self) -> tuple[int | None, ...]:
        planned = self.qos.tc_to_pg or ()
        found: list[int | None] = []
        for tc in range(_TCS):
            group = planned[tc] if tc < len(planned) else None
            if not planned and tc in self.lossless:
                group = min(self.to_pg[tc])
            if group is None:
                found.append(self.lossy_group if tc < 8 else None)
            elif group in self.groups or group == self.lossy_group:
                found.append(group)
            else:
                why = f"lossy classes share PG {self.lossy_group}: no other lossy group has a buffer"
                self.say(f"tc_to_pg.{tc}", group, self.lossy_group, "equalised", why)
                found.append(self.lossy_group)
        return tuple(found)

    def _tc_to_queue(self) -> tuple[int | None, ...]:
        planned = self.qos.tc_to_queue or ()
        taken = {queue for queue in planned if queue is not None}
        base = planned[self.best_effort] if self.best_effort < len(planned) else None
        found: list[int | None] = []
        for tc in range(_TCS):
            queue = planned[tc] if tc < len(planned) else None
            if queue is not None:
                if queue not in _QUEUES:
                    self.say(f"tc_to_queue.{tc}", queue, 7, "refused", "there are eight unicast queues")
                    queue = 7
            elif tc < 8:
                queue = tc if tc not in taken else base if base is not None else 0
            found.append(queue)
        self._shared_queue(found)
        return tuple(found)

    def _shared_queue(self, found: list[int | None]) -> None:
        """Refuse a lossy class on a lossless class's queue; it is moved so that the rest can be shown."""
        planned = self.qos.tc_to_queue or ()
        lossless = {found[tc] for tc in self.lossless_tcs}
        free = next((queue for queue in _QUEUES if queue not in lossless), 0)
        for tc, queue in enumerate(found):
            if queue in lossless and tc not in self.lossless_tcs:
                found[tc] = free
                if tc < len(planned) and planned[tc] is not None:
                    why = f"queue {queue} carries a lossless class"
                    self.say(f"tc_to_queue.{tc}", f"queue {queue}", f"queue {free}", "refused", why)

    def _priority_to_queue(self) -> tuple[frozenset[int] | None, ...]:
        planned = self.qos.priority_to_queue
        found: list[frozenset[int] | None] = []
        for priority in range(8):
            wanted = planned[priority] if planned is not None else None
            if wanted:
                if len(wanted) > 1:
                    why = "MAP_PFC_PRIORITY_TO_QUEUE names one queue for a priority"
                    self.say(f"priority_to_queue.{priority}", sorted(wanted), min(wanted), "refused", why)
                found.append(frozenset({min(wanted)}))
            elif priority in self.lossless:
                tcs = [tc for tc in sorted(self.lossless_tcs) if self.tc_to_pg[tc] in self.to_pg[priority]]
                queue = self.tc_to_queue[tcs[0]] if tcs else priority
                found.append(frozenset({priority if queue is None else queue}))
            else:
                found.append(frozenset({priority}))
        return tuple(found)

    # PFC, cable, watchdog

    def _pfc(self) -> Pfc | None:
        pfc = self.qos.pfc
        if pfc is None:
            return None
        tx, rx, admin = pfc.tx or frozenset(), pfc.rx, pfc.admin
        if admin == "auto":
            self.say("pfc.admin", "auto", "on", "refused", "there is no negotiation of PFC in community SONiC")
        if pfc.gate is False:
            self.say("pfc", "shut by a device-wide switch", "off on the port", "refused", "there is no such switch")
        if admin == "off" or pfc.gate is False or (not tx and not rx):
            return Pfc(admin="off", tx=frozenset(), rx=frozenset(), by="internal")
        if rx is not None and rx != tx:
            why = "PFC_ENABLE is one set; receiving on all eight (pfc_asym) is not rendered"
            self.say("pfc.rx", sorted(rx), sorted(tx), "refused", why)
        if pfc.by == "pcp":
            self.say("pfc.by", "pcp", "internal", "refused", "the priority is that of the internal class")
        return Pfc(admin="on" if tx else "off", tx=tx, rx=tx, by="internal")

    def _cable(self) -> int | None:
        cable = self.qos.cable
        if cable is None:
            return None
        metres = max(math.ceil(cable), 1)
        why = "CABLE_LENGTH is whole metres, and 0m takes the lossless group away"
        if not self.plan.sku.dynamic and self.lossless:
            rows = self._rows()
            longer = [row for row in rows if row >= metres]
            if longer:
                metres = min(longer)
                why = f"pg_profile_lookup.ini has rows for {', '.join(f'{row} m' for row in rows)} only"
            else:
                longest = max(rows)
                why = "no row of pg_profile_lookup.ini is that long: the port would have no lossless group"
                self.say("cable", f"{cable} m", f"{longest} m", "refused", why)
                return longest
        if metres != cable:
            self.say("cable", f"{cable} m", f"{metres} m", "quantised", why)
        return metres

    def _rows(self) -> list[int]:
        table = self.plan.device.headroom_table
        if table:
            return sorted({math.ceil(row.cable) for row in table})
        return list(self.plan.limits["cable"]["table"])

    def _watchdog(self) -> PortWatchdog | None:
        dog = self.qos.watchdog
        if dog is None or dog.enabled is None:
            return None
        if not dog.enabled:
            return PortWatchdog(enabled=False, priorities=frozenset())
        priorities = dog.priorities if dog.priorities is not None else frozenset(self.lossless)
        if not priorities:
            self.say("watchdog", "enabled", "off", "dropped", "pfcwd_sw_enable would name no priority")
            return PortWatchdog(enabled=False, priorities=frozenset())
        action: Any = dog.action or "drop"
        if action not in self.plan.limits["watchdog"]["actions"]:
            self.say("watchdog.action", action, "drop", "quantised", "the actions are drop, forward and alert")
            action = "drop"
        detect = dog.detect
        if detect is None or detect < 0:
            detect = self.plan.limits["watchdog"]["chosen"]["detect"]
            self.say("watchdog.detect", "open", f"{detect} ms", "chosen", "pfcwd start_default detects after 200 ms")
        restore = dog.restore
        return PortWatchdog(
            enabled=True,
            priorities=priorities,
            poll=self.plan.poll,
            detect=self._time("detect", detect),
            restore=NEVER if restore is None or restore < 0 else self._time("restore", restore),
            action=action,
        )

    def _time(self, leaf: str, wanted: int) -> int:
        low, high = self.plan.limits["watchdog"][leaf]
        got = min(max(wanted, low, self.plan.poll), high)
        if got != wanted:
            why = f"{leaf} takes {low} to {high} ms and is never shorter than the poll of {self.plan.poll} ms"
            self.say(f"watchdog.{leaf}", f"{wanted} ms", f"{got} ms", "quantised", why)
        return int(got)

    # priority groups

    def _groups(self) -> tuple[PriorityGroup | None, ...] | None:
        found: dict[int, PriorityGroup] = {}
        planned = self.qos.priority_groups or ()
        for number, group in enumerate(planned):
            if group is not None:
                self._say_group(number, group)
        if self.plan.sku.dynamic:
            for number in self.groups:
                found[number] = PriorityGroup(
                    lossless=True, headroom=Headroom(by="length"), xoff_at=self._alpha(planned, number)
                )
        if self.plan.profiles is not None and self.lossy_group in _QUEUES:
            profile = self.plan.profiles["ingress_lossy_profile"]
            found[self.lossy_group] = PriorityGroup(
                lossless=False,
                headroom=Headroom(by="none"),
                xoff_at=profile.limit,
                reserved=profile.reserved,
                pool=profile.pool,
            )
        return tuple(found.get(number) for number in range(8)) if found else None

    def _alpha(self, planned: Iterable[PriorityGroup | None], number: int) -> Dynamic:
        from fractions import Fraction

        group = dict(enumerate(planned)).get(number)
        if group is not None and group.xoff_at is not None and not isinstance(group.xoff_at, Dynamic):
            why = "the dynamic model has one alpha for all lossless groups, no fixed trigger"
            self.say(f"priority_groups.{number}.xoff_at", "a fixed trigger", "default_dynamic_th", "dropped", why)
        return Dynamic(Fraction(2) ** self.plan.power)

    def _say_group(self, number: int, group: PriorityGroup) -> None:
        leaf = f"priority_groups.{number}"
        if number not in self.groups:
            if group.lossless:
                self.say(f"{leaf}.lossless", "lossless", "lossy", "refused", "no PFC priority of the port leads to it")
            return
        dynamic = self.plan.sku.dynamic
        maker = (
            "the dynamic model computes it from cable, speed and MTU" if dynamic else "pg_profile_lookup.ini holds it"
        )
        if group.headroom is not None and group.headroom.amount is not None:
            wanted = f"{group.headroom.amount.value} {group.headroom.amount.unit}s"
            cable = f"{self.cable} m" if self.cable is not None else "the port's cable length"
            self.say(f"{leaf}.headroom", wanted, f"made for {cable}", "box-made", maker)
        for name in ("xon_at", "xon_below", "reserved"):
            amount = getattr(group, name)
            if amount is not None:
                self.say(f"{leaf}.{name}", f"{amount.value} {amount.unit}s", "made by the device", "box-made", maker)
        if group.xoff_at is not None and not dynamic:
            self.say(f"{leaf}.xoff_at", "as planned", "the table's threshold", "box-made", maker)
