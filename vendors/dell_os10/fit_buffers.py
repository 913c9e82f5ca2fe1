"""Fits the pause buffer of the no-drop classes: left to the box, or stated for links over 100 m."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rocecfg.packs import load_module
from rocecfg.state.model import Dynamic, Headroom, PortQos, PriorityGroup, Static, eight

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.model import Amount, Limit, Port
    from rocecfg.vendor.changes import Log
    from vendors.dell_os10.fit import System

_POLICIES = load_module(Path(__file__).with_name("policies.py"))
_KB = 1000
_FACTOR = {"byte": 1, "kbyte": _KB, "mbyte": 1_000_000}


class Buffer(NamedTuple):
    """The numbers of a `pause` line in KB: what is kept above the trigger, the trigger, the resume threshold."""

    room: int
    trigger: int
    resume: int


class _Wanted(NamedTuple):
    """What the ports of one kind ask for a no-drop class."""

    names: str
    group: PriorityGroup
    cable: float | None
    kmin: int | None
    mtu: int


def buffers(kinds: list[tuple[PortQos, list[Port], PortQos]], system: System, log: Log) -> dict[int, Buffer]:
    """Return the stated pause buffer of each no-drop qos-group: that of the port that needs most.

    All ports with PFC share the network-qos policy (OS10 Reference Guide, PFC configuration notes), so one long cable
    states the buffer for all of them.
    """
    made: dict[int, Buffer] = {}
    for priority, number in system.group_of.items():
        asked = [
            wanted
            for qos, members, mapped in kinds
            if (wanted := _wanted(qos, members, mapped, priority, number)) is not None
        ]
        longest = system.limits["long_cable"]["metres"]
        need = [item for item in asked if _size(item) and (item.cable is None or item.cable > longest)]
        for item in asked:
            log.ports = item.names
            _say(item, number, longest, log, stated=bool(need))
        if need:
            most = max(need, key=lambda item: (_size(item), item.names))
            log.ports = ""
            made[number] = _buffer(most, need, system, log, f"priority_groups.{number}")
    return made


def _wanted(qos: PortQos, members: list[Port], mapped: PortQos, priority: int, number: int) -> _Wanted | None:
    if qos.pfc is None or qos.pfc.admin == "off" or priority not in (qos.pfc.tx or frozenset()):
        return None
    groups = qos.priority_to_pg[priority] if qos.priority_to_pg is not None else None
    group = qos.priority_group(min(groups) if groups else number) or PriorityGroup()
    queue_number = mapped.tc_to_queue[number] if mapped.tc_to_queue is not None else None
    queue = mapped.queue(queue_number) if queue_number is not None else None
    curve = queue.ecn.curves[0] if queue is not None and queue.ecn is not None and queue.ecn.curves else None
    kmin = int(curve.low.value) if curve is not None and curve.low is not None else None
    names = ", ".join(port.name for port in members)
    mtu = max((port.mtu or 0 for port in members), default=0) or 9216
    return _Wanted(names, group, None if qos.cable is None else float(qos.cable), kmin, mtu)


def _size(item: _Wanted) -> int:
    """Return the planned headroom in whole KB, 0 where the plan leaves it to the box."""
    headroom = item.group.headroom
    return -(-_bytes(headroom.amount) // _KB) if headroom is not None and headroom.amount is not None else 0


def _say(item: _Wanted, number: int, longest: int, log: Log, *, stated: bool) -> None:
    """Say what becomes of the buffer that one kind of ports asks for."""
    at, size = f"priority_groups.{number}", _size(item)
    if item.group.reserved is not None or item.group.pool is not None:
        log("dropped", f"{at}.reserved", "a reserve or pool", "none", "buffer-size is reserved as a whole")
    if isinstance(item.group.xoff_at, Dynamic) and stated:
        because = "pause-threshold is a size; which alpha an index of queue-limit stands for is not published"
        log("quantised", f"{at}.xoff_at", _limit(item.group.xoff_at), "a size", because)
    if stated and item.cable is not None and item.cable <= longest:
        because = "the network-qos policy is one for all PFC ports, and a longer cable needs a stated buffer"
        log("equalised", f"{at}.headroom", f"made by the box for {item.cable:g} m", "stated", because)
        return
    if stated:
        return
    if size == 0 and item.cable is not None and item.cable > longest:
        because = f"over {longest} m the headroom the box keeps is too small and the pause buffer must be stated"
        log("refused", f"{at}.headroom", f"none for {item.cable:g} m", "made by the box", because)
    if size:
        because = f"without numbers the box reserves what it keeps for 9216 B frames over {longest} m; it is not shown"
        wanted = f"{_bytes_of(item)} B for {item.cable or 0:g} m"
        log("box-made", f"{at}.headroom", wanted, "made by the box", because)
    if item.group.xoff_at is not None:
        because = "the box sets the fill at which it pauses; stating it means stating the whole buffer"
        log("box-made", f"{at}.xoff_at", _limit(item.group.xoff_at), "made by the box", because)
    for leaf, resume in (("xon_at", item.group.xon_at), ("xon_below", item.group.xon_below)):
        if resume is not None:
            log("box-made", f"{at}.{leaf}", f"{_bytes(resume)} B", "made by the box", "it comes with the headroom")


def _bytes_of(item: _Wanted) -> int:
    headroom = item.group.headroom
    return _bytes(headroom.amount) if headroom is not None and headroom.amount is not None else 0


def _buffer(most: _Wanted, need: list[_Wanted], system: System, log: Log, at: str) -> Buffer:
    """Return the pause line of a class: the most headroom, the highest trigger, the resume threshold of that port."""
    room = _size(most)
    if _bytes_of(most) != room * _KB:
        log("quantised", f"{at}.headroom", f"{_bytes_of(most)} B", f"{room} KB", "whole KB of 1000 B, rounded up")
    for item in need:
        if _size(item) != room:
            because = "the network-qos policy is one for all PFC ports: the port that needs most decides"
            log("equalised", f"{at}.headroom", f"{_bytes_of(item)} B", f"{room} KB", because, at=item.names)
    trigger = max(_trigger(item, system, log, at) for item in need)
    return Buffer(room, trigger, _resume(most, trigger, log, at))


def _trigger(item: _Wanted, system: System, log: Log, at: str) -> int:
    """Return the fill in KB at which PAUSE goes out: planned, else 5/4 of Kmin so that a lone port is marked first."""
    wanted = item.group.xoff_at
    if isinstance(wanted, Static):
        size = _bytes(wanted.amount)
        trigger = max(-(-size // _KB), 1)
        if trigger * _KB != size:
            log("quantised", f"{at}.xoff_at", f"{size} B", f"{trigger} KB", "whole KB of 1000 B", at=item.names)
        return trigger
    published: int = system.limits["pause_published"]["threshold"]
    if item.kmin is not None:
        trigger = max(item.kmin * 5 // 4, published)
        because = f"5/4 of Kmin ({item.kmin} KB) lets a lone port be marked before it is paused"
    else:
        trigger, because = published, "the value of the published example of a pause line"
    log(
        "chosen", f"{at}.xoff_at", "open" if wanted is None else _limit(wanted), f"{trigger} KB", because, at=item.names
    )
    return trigger


def _resume(item: _Wanted, trigger: int, log: Log, at: str) -> int:
    """Return the fill in KB at which sending resumes, below the trigger."""
    group = item.group
    if group.xon_at is not None:
        exact, said = _bytes(group.xon_at), f"at {_bytes(group.xon_at)} B"
    elif group.xon_below is not None:
        exact, said = trigger * _KB - _bytes(group.xon_below), f"{_bytes(group.xon_below)} B below the trigger"
    else:
        exact, said = trigger * _KB - 2 * item.mtu, "open"
    resume = max(min(exact // _KB, trigger - 1), 0)
    if group.xon_at is None or resume * _KB != exact:
        because = f"resume-threshold is a fill in whole KB under the pause-threshold of {trigger} KB"
        log("chosen" if said == "open" else "quantised", f"{at}.xon_at", said, f"{resume} KB", because)
    return resume


def _bytes(amount: Amount | None) -> int:
    if amount is None:
        return 0
    return amount.bytes if amount.bytes is not None else -(-amount.value * _FACTOR.get(amount.unit, 1) // 1)


def _limit(limit: Limit) -> str:
    if isinstance(limit, Static):
        return f"{limit.amount.value} {limit.amount.unit}s"
    return f"alpha {limit.alpha}" if limit.alpha is not None else f"alpha index {limit.index}"


def groups(
    lossless: Mapping[int, int], system: System, log: Log, planned: PortQos
) -> tuple[PriorityGroup | None, ...] | None:
    """Return the priority groups of a port: those of the network-qos policy, or none where it has no PFC."""
    if not lossless:
        if any(group is not None and group.lossless for group in planned.priority_groups or ()):
            because = "a port without PFC gets no network-qos policy: all its classes share the lossy group"
            log("dropped", "priority_groups", "a lossless group", "none", because)
        return None
    made = {number: PriorityGroup(lossless=False) for number in range(8)}
    for number in lossless.values():
        buffer = system.buffers.get(number)
        made[number] = (
            PriorityGroup(lossless=True, headroom=Headroom(by="box"))
            if buffer is None
            else PriorityGroup(
                lossless=True,
                headroom=Headroom(_POLICIES.kbytes(buffer.room)),
                xoff_at=Static(_POLICIES.kbytes(buffer.trigger)),
                xon_at=_POLICIES.kbytes(buffer.resume),
            )
        )
    return eight(made)
