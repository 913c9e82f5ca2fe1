"""Fits the ingress thresholds of the lossless groups, which the two hardware families say differently."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Amount, Dynamic, Headroom, PriorityGroup, Static, eight

if TYPE_CHECKING:
    from rocecfg.state.model import Limit, Pfc, PortQos, Queue
    from rocecfg.vendor.changes import Log
    from vendors.huawei.fit import System

_FIT_QUEUES = load_module(Path(__file__).with_name("fit_queues.py"))
_KILO = 1024


def fit_groups(
    planned: PortQos, pfc: Pfc, queues: tuple[Queue | None, ...] | None, system: System, log: Log
) -> tuple[PriorityGroup | None, ...]:
    """Return the priority groups of a port: the number of a lossless one is its PFC priority."""
    lossless = (pfc.tx or frozenset()) if pfc.admin != "off" else frozenset()
    groups: dict[int, PriorityGroup] = {}
    for number in range(8):
        if number not in lossless:
            groups[number] = PriorityGroup(lossless=False)
            continue
        group = _planned(planned, number)
        at = f"priority_groups.{number}"
        if group.pool is not None:
            log("dropped", f"{at}.pool", group.pool, "none", "no command puts a group into a pool")
        if group.mtu is not None:
            log("dropped", f"{at}.mtu", group.mtu, "none", "the largest frame is set for the port")
        queue = queues[number] if queues is not None else None
        groups[number] = _of_a(group, system, log, at) if system.family == "A" else _of_b(group, queue, system, log, at)
    return eight(groups)


def _planned(qos: PortQos, priority: int) -> PriorityGroup:
    numbers = qos.priority_to_pg[priority] if qos.priority_to_pg is not None else None
    return qos.priority_group(min(numbers) if numbers else priority) or PriorityGroup()


def _kilobytes(amount: Amount | None, known: dict[str, Any], log: Log, at: str, *, up: bool) -> Amount | None:
    """Return a size in kbytes of 1024 bytes within a range, None for an open one."""
    if amount is None:
        return None
    count = _FIT_QUEUES.bytes_of(amount)
    if count is None:
        log("refused", at, f"{amount.value} {amount.unit}s", "none", "a size in bytes is needed")
        return None
    wanted = -(-count // _KILO) if up else count // _KILO
    size = min(max(wanted, known["minimum"]), known["maximum"])
    made = Amount(size, "kbyte", size * _KILO)
    if made != amount:
        because = f"written in kbytes of 1024 bytes, {known['minimum']} to {known['maximum']}"
        log("quantised", at, f"{amount.value} {amount.unit}s", f"{size} kbytes", because)
    return made


def _of_a(group: PriorityGroup, system: System, log: Log, at: str) -> PriorityGroup:
    """Return a group with its headroom, its trigger and the distance of the resume point below it."""
    known = system.limits
    amount = group.headroom.amount if group.headroom is not None else None
    room = _kilobytes(amount, known["headroom"], log, f"{at}.headroom", up=True)
    if room is None:
        size = known["headroom"]["default"]
        room = Amount(size, "kbyte", size * _KILO)
        log("chosen", f"{at}.headroom", "open", f"{size} kbytes", "the system's default, written down")
    low, high = known["xoff_static"]["A"]
    xoff = _limit(group.xoff_at, {"minimum": low, "maximum": high}, system, log, f"{at}.xoff_at")
    below = _below(group, xoff, known, log, at)
    reserved = _reserved(group.reserved, known["guaranteed"], log, at)
    return PriorityGroup(
        lossless=True, headroom=Headroom(room, by="stated"), xoff_at=xoff, xon_below=below, reserved=reserved
    )


def _below(group: PriorityGroup, xoff: Limit, known: dict[str, Any], log: Log, at: str) -> Amount:
    """Return the distance of the resume point below the trigger, less than a fixed trigger."""
    wanted = group.xon_below
    if wanted is None and group.xon_at is not None and isinstance(xoff, Static):
        under = max(int(xoff.amount.value) * _KILO - (_FIT_QUEUES.bytes_of(group.xon_at) or 0), _KILO)
        log(
            "equalised",
            f"{at}.xon_at",
            f"{group.xon_at.value} {group.xon_at.unit}s",
            f"{under} bytes below Xoff",
            "stated as an offset",
        )
        wanted = Amount.of_bytes(under)
    elif wanted is None and group.xon_at is not None:
        log(
            "dropped",
            f"{at}.xon_at",
            f"{group.xon_at.value} {group.xon_at.unit}s",
            "the default offset",
            "Xon is stated as an offset",
        )
    below = _kilobytes(wanted, known["xon_offset"], log, f"{at}.xon_below", up=True)
    if below is None:
        size = known["xon_offset"]["default"]
        below = Amount(size, "kbyte", size * _KILO)
        log("chosen", f"{at}.xon_below", "open", f"{size} kbytes", "the system's default, written down")
    if isinstance(xoff, Static) and below.value >= xoff.amount.value > 1:
        size = int(xoff.amount.value) - 1
        log(
            "quantised",
            f"{at}.xon_below",
            f"{below.value} kbytes",
            f"{size} kbytes",
            "the offset must be smaller than Xoff",
        )
        below = Amount(size, "kbyte", size * _KILO)
    return below


def _reserved(wanted: Amount | None, known: dict[str, Any], log: Log, at: str) -> Amount | None:
    if wanted is None:
        return None
    count = _FIT_QUEUES.bytes_of(wanted) or 0
    size = min(max(count, known["minimum"]), known["maximum"])
    if (size, "byte") != (wanted.value, wanted.unit):
        because = f"the guaranteed buffer of a group is {known['minimum']} to {known['maximum']} bytes"
        log("quantised", f"{at}.reserved", f"{wanted.value} {wanted.unit}s", f"{size} bytes", because)
    return Amount(size, "byte", size)


def _limit(wanted: Limit | None, known: dict[str, Any], system: System, log: Log, at: str) -> Limit:
    """Return the fill at which PAUSE goes out; a share of the free buffer has no published number."""
    if isinstance(wanted, Static):
        made = _kilobytes(wanted.amount, known, log, at, up=False)
        if made is not None:
            return Static(made)
    low, high = system.limits["xoff_dynamic"]["A"]
    default = system.limits["xoff_dynamic"]["default"]
    if (
        isinstance(wanted, Dynamic)
        and wanted.index is not None
        and wanted.alpha is None
        and low <= wanted.index <= high
    ):
        return Dynamic(index=wanted.index)
    asked = f"alpha {wanted.alpha}" if isinstance(wanted, Dynamic) else "open"
    because = "the ratio behind the dynamic indices 1 to 12 is not published: the system's default, written down"
    log("chosen", at, asked, f"dynamic {default}", because)
    return Dynamic(index=default)


def _of_b(group: PriorityGroup, queue: Queue | None, system: System, log: Log, at: str) -> PriorityGroup:
    """Return a group whose headroom the box simulates: a fixed trigger and resume point are all that is stated."""
    known = system.limits
    low, high = known["xoff_static"]["B"]
    limits = {"minimum": low, "maximum": high}
    if group.headroom is not None and group.headroom.amount is not None:
        wanted = f"{group.headroom.amount.value} {group.headroom.amount.unit}s"
        because = (
            "this hardware family takes headroom out of the shared buffer when it is needed: it cannot be set or "
            "shown, and no document says for which length of cable it is enough"
        )
        log("box-made", f"{at}.headroom", wanted, "simulated", because)
    if group.reserved is not None:
        log("box-made", f"{at}.reserved", group.reserved.value, "the box", "this hardware family sets it at start")
    xoff = (
        _kilobytes(group.xoff_at.amount, limits, log, f"{at}.xoff_at", up=False)
        if isinstance(group.xoff_at, Static)
        else None
    )
    if xoff is None:
        xoff = _trigger(group, queue, system, log, at, high)
    xon = _resume(group, int(xoff.value), known, log, at)
    return PriorityGroup(lossless=True, headroom=Headroom(by="pool-share"), xoff_at=Static(xoff), xon_at=xon)


def _trigger(group: PriorityGroup, queue: Queue | None, system: System, log: Log, at: str, high: int) -> Amount:
    """Return the default trigger, raised so that ECN acts before PFC.

    5/4 of Kmin: a lone port is marked before it is paused. Kmax over all ports that may send: the ramp ends before all
    of them are paused.
    """
    default: int = system.limits["xoff_default_b"]["xoff"]
    curve = queue.ecn.curves[0] if queue is not None and queue.ecn is not None and queue.ecn.curves else None
    low, top = (
        (amount.bytes or 0) if amount is not None else 0
        for amount in ((curve.low, curve.high) if curve else (None, None))
    )
    needed = max(-(-low * 5 // (4 * _KILO)), -(-top // (system.senders * _KILO)))
    size = min(max(default, needed), high)
    because = "the default of this hardware family, written down: no ratio of a dynamic index is published"
    if size > default:
        because = (
            "no ratio of a dynamic index is published; from 5/4 of Kmin on a lone port is marked before it is paused, "
            f"and the ramp ends before {system.senders} senders are"
        )
    asked = f"alpha {group.xoff_at.alpha}" if isinstance(group.xoff_at, Dynamic) else "open"
    log("chosen", f"{at}.xoff_at", asked, f"{size} kbytes", because)
    return Amount(size, "kbyte", size * _KILO)


def _resume(group: PriorityGroup, xoff: int, known: dict[str, Any], log: Log, at: str) -> Amount:
    """Return the fill at which sending resumes, in kbytes, not above the trigger."""
    default = known["xoff_default_b"]
    if group.xon_at is not None:
        wanted, said = (_FIT_QUEUES.bytes_of(group.xon_at) or 0) // _KILO, f"{group.xon_at.value} {group.xon_at.unit}s"
    elif group.xon_below is not None:
        under = -(-(_FIT_QUEUES.bytes_of(group.xon_below) or 0) // _KILO)
        wanted, said = xoff - under, f"{under} kbytes below Xoff"
    else:
        wanted, said = xoff - (default["xoff"] - default["xon"]), "open"
    size = min(max(wanted, 1), xoff)
    made = Amount(size, "kbyte", size * _KILO)
    if made != group.xon_at:
        log(
            "chosen" if said == "open" else "quantised",
            f"{at}.xon_at",
            said,
            f"{size} kbytes",
            "a fill in kbytes, at most Xoff",
        )
    return made
