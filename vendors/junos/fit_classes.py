"""Forwarding classes of a plan: one table for the device, numbered by queue."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rocecfg.state.model import CodeMap, PriorityGroup, distinct_qos, eight

if TYPE_CHECKING:
    from rocecfg.state.model import Device, PortQos
    from rocecfg.vendor.changes import Log

_TCS = 16


@dataclass(slots=True)
class Class:
    """A planned traffic class: its queue, and the priority it pauses when it is lossless."""

    tc: int
    queue: int
    priority: int | None = None
    number: int = 0
    """Traffic class number on Junos: the queue, or 8 and up for the further classes of a queue."""
    group: int = 0


@dataclass(slots=True)
class Classes:
    """All classes of a device."""

    by_tc: dict[int, Class] = field(default_factory=dict)
    best_effort: int = 0
    """Planned traffic class of everything that no class claims."""

    @property
    def lossless(self) -> list[Class]:
        """The lossless classes, by number."""
        return sorted((c for c in self.by_tc.values() if c.priority is not None), key=lambda c: c.number)


def classes_of(device: Device, log: Log) -> Classes:
    """Return the classes that all ports of a device share: `forwarding-classes` is said once for the device."""
    found = Classes()
    for qos, _ in distinct_qos(device):
        _collect(qos, found, log)
    if found.by_tc:
        _choose_best_effort(device, found)
    _number(found, log)
    return found


def _collect(qos: PortQos, found: Classes, log: Log) -> None:
    for tc, wanted in enumerate(qos.tc_to_queue or ()):
        if wanted is None:
            continue
        queue = wanted if wanted < 8 else tc % 8
        if queue != wanted:
            log("refused", f"tc_to_queue.{tc}", wanted, queue, "a QFX has 8 unicast queues, 0 to 7")
        known = found.by_tc.setdefault(tc, Class(tc, queue))
        if known.queue != queue:
            log("refused", f"tc_to_queue.{tc}", wanted, known.queue, "queue-num of a class is one for the device")
    used = {tc for codes in (qos.dscp_to_tc, qos.pcp_to_tc) if codes for tc in codes.to if tc is not None}
    used |= {tc for tc, group in enumerate(qos.tc_to_pg or ()) if group is not None}
    for tc in sorted(used):
        if tc not in found.by_tc:
            found.by_tc[tc] = Class(tc, tc % 8)
    for tc, group in enumerate(qos.tc_to_pg or ()):
        of_group = qos.priority_group(group) if group is not None else None
        if of_group is None or not of_group.lossless or group is None:
            continue
        priorities = [
            priority
            for priority, groups in enumerate(qos.priority_to_pg or ())
            if groups is not None and group in groups
        ]
        priority = priorities[0] if priorities else found.by_tc[tc].queue
        if len(priorities) > 1:
            log("refused", f"tc_to_pg.{tc}", priorities, priority, "pfc-priority of a class is one number")
        if found.by_tc[tc].priority not in {None, priority}:
            log("refused", f"priority_to_pg.{priority}", priority, found.by_tc[tc].priority,
                "pfc-priority of a class is one for the device")  # fmt: skip
            continue
        found.by_tc[tc].priority = priority


def _choose_best_effort(device: Device, found: Classes) -> None:
    """Take the planned default class when it is lossy, else the lowest lossy class, else a queue nobody uses."""
    wishes = [qos.default_tc for qos, _ in distinct_qos(device) if qos.default_tc is not None]
    lossy = [tc for tc, entry in sorted(found.by_tc.items()) if entry.priority is None]
    for tc in [*wishes, 0, *lossy[:1]]:
        if tc in found.by_tc and found.by_tc[tc].priority is None:
            found.best_effort = tc
            return
    queues = {entry.queue for entry in found.by_tc.values()}
    free = [number for number in range(8) if number not in queues and number not in found.by_tc]
    tc = free[0] if free else next(tc for tc in range(_TCS) if tc not in found.by_tc)
    found.by_tc[tc] = Class(tc, free[0] if free else 7)
    found.best_effort = tc


def _number(found: Classes, log: Log) -> None:
    """Give each class the number of its queue, and the priority groups those of a parse."""
    by_queue: dict[int, list[Class]] = {}
    for entry in found.by_tc.values():
        by_queue.setdefault(entry.queue, []).append(entry)
    extras: list[Class] = []
    for queue, entries in sorted(by_queue.items()):
        entries.sort(key=lambda entry: (entry.tc != queue, entry.tc))
        kinds = {entry.priority is not None for entry in entries}
        if len(kinds) > 1:
            log("refused", f"queues.{queue}", "lossless and lossy classes", "lossy",
                "classes on one queue must agree on no-loss")  # fmt: skip
            for entry in entries:
                entry.priority = None
        entries[0].number = queue
        extras += entries[1:]
    for number, entry in enumerate(sorted(extras, key=lambda entry: entry.tc), 8):
        entry.number = min(number, _TCS - 1)
    used = {entry.priority for entry in found.lossless}
    lossy = next((number for number in range(8) if number not in used), 7)
    for entry in found.by_tc.values():
        entry.group = lossy if entry.priority is None else entry.priority
        if entry.tc != entry.number:
            log("box-made", f"tc_to_queue.{entry.tc}", f"traffic class {entry.tc}", f"traffic class {entry.number}",
                "a forwarding class has a name and a queue; it is numbered by its queue")  # fmt: skip


def renumber(qos: PortQos, classes: Classes, log: Log) -> PortQos:
    """Return a plan's settings in the numbers of the device: classes, and priority groups by priority."""
    if not classes.by_tc:
        return qos
    number = {entry.tc: entry.number for entry in classes.by_tc.values()}
    queues = {entry.number: entry.queue for entry in classes.by_tc.values()}
    groups = {entry.number: entry.group for entry in classes.by_tc.values()}
    settings = {entry.group: PriorityGroup(lossless=False) for entry in classes.by_tc.values()}
    for entry in classes.lossless:
        old = qos.tc_to_pg[entry.tc] if qos.tc_to_pg is not None else None
        planned = qos.priority_group(old) if old is not None else None
        settings[entry.group] = replace(planned, lossless=True) if planned is not None else PriorityGroup(lossless=True)
    return replace(
        qos,
        dscp_to_tc=_renumbered(qos.dscp_to_tc, number, number.get(classes.best_effort, 0), log),
        pcp_to_tc=_renumbered(qos.pcp_to_tc, number, number.get(classes.best_effort, 0), log),
        rewrite=tuple((kind, number.get(tc, tc) if kind == "tc" else tc, code) for kind, tc, code in qos.rewrite)
        if qos.rewrite is not None
        else None,
        tc_to_queue=tuple(queues.get(tc) for tc in range(_TCS)),
        tc_to_pg=tuple(groups.get(tc) for tc in range(_TCS)),
        priority_to_pg=eight({e.priority: frozenset({e.group}) for e in classes.lossless if e.priority is not None})
        if classes.lossless
        else None,
        priority_groups=eight(settings),
    )


def _renumbered(codes: CodeMap | None, number: dict[int, int], rest: int, log: Log) -> CodeMap | None:
    """Return a code map in the device's numbers; a code nobody asked for goes to best effort."""
    if codes is None:
        return None
    if codes.conflicts:
        log("refused", "dscp_to_tc", "several classes for one code", "the first", "a classifier names one class")
    to = tuple(rest if tc is None else number.get(tc, tc) for tc in codes.to)
    return CodeMap(to, (1 << len(to)) - 1)
