"""What the buffers of a planned device become: a traffic pool, or the advanced form where a cable is long."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import (
    Amount,
    Device,
    Dynamic,
    Headroom,
    Pool,
    Port,
    PortQos,
    PriorityGroup,
    Queue,
    Static,
    eight,
)
from rocecfg.vendor.asics import catalogue

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocecfg.vendor.api import Kind

INGRESS, EGRESS, INGRESS_REST, EGRESS_REST = "iPool1", "ePool1", "iPool0", "ePool0"
"""Pools of the published advanced form: 1 for what must not be lost, 0 for the rest."""


@dataclass(frozen=True, slots=True)
class System:
    """What all ports of the device share."""

    lossless: frozenset[int]
    """PFC priorities = switch priorities = priority groups."""
    advanced: bool
    """The advanced buffer form: headroom in bytes."""
    known: dict[str, Any]


def needs_advanced(device: Device, ports: Iterable[Port], lossless: frozenset[int], known: dict[str, Any]) -> bool:
    """Return whether a cable is longer than the headroom of a lossless pool is known to cover."""
    if not lossless:
        return False
    longest = known["long_cable"]["metres"]
    return device.buffer_model == "stated" or any((port.qos.cable or 0) > longest for port in ports)


def groups(qos: PortQos, system: System, log: Any) -> tuple[PriorityGroup | None, ...] | None:
    """Return the priority groups of a port: sized by the switch, or in bytes in the advanced form."""
    if not system.lossless:
        return None
    made = {}
    for priority in sorted(system.lossless):
        numbers = qos.priority_to_pg[priority] if qos.priority_to_pg is not None else None
        number = min(numbers) if numbers else priority
        planned = qos.priority_group(number) or PriorityGroup()
        at = f"priority_groups.{priority}"
        if planned.mtu is not None:
            log("dropped", f"{at}.mtu", planned.mtu, "the port's", "headroom is sized for the port")
        made[priority] = _stated(planned, at, system, log) if system.advanced else _by_pool(planned, at, log)
    return eight(made)


def _by_pool(planned: PriorityGroup, at: str, log: Any) -> PriorityGroup:
    amount = planned.headroom.amount if planned.headroom is not None else None
    because = "the switch sets it for a lossless traffic pool; only the advanced form states bytes"
    if amount is not None:
        log("box-made", f"{at}.headroom", _shown(amount), "the switch's own", because)
    for leaf in ("xoff_at", "xon_at", "xon_below", "reserved", "pool"):
        value = getattr(planned, leaf)
        if value is not None:
            log("box-made", f"{at}.{leaf}", _shown(value), "the switch's own", because)
    return PriorityGroup(lossless=True, headroom=Headroom(by="box"))


def _stated(planned: PriorityGroup, at: str, system: System, log: Any) -> PriorityGroup:
    """Return a group of the advanced form: headroom above the fill that pauses, and a share of the pool."""
    known = system.known["advanced"]
    xoff, xon = known["xoff"]["value"], known["xon"]["value"]
    amount = planned.headroom.amount if planned.headroom is not None else None
    if amount is None or amount.bytes is None:
        because = "the advanced form states the headroom in bytes"
        log("refused", f"{at}.headroom", "open", "none", because)
        amount = Amount.of_bytes(0)
    headroom = Amount.of_bytes(amount.bytes or 0)
    for leaf, value, own in (("reserved", planned.reserved, xoff), ("xon_at", planned.xon_at, xon)):
        if value is None:
            log("chosen", f"{at}.{leaf}", "open", f"{own} bytes", "a published advanced configuration for RoCE")
        elif value.bytes != own:
            log(
                "equalised",
                f"{at}.{leaf}",
                _shown(value),
                f"{own} bytes",
                "the published thresholds of the advanced form",
            )
    if planned.xon_below is not None:
        log(
            "equalised",
            f"{at}.xon_below",
            _shown(planned.xon_below),
            f"resumes at {xon} bytes",
            "xon is a fill of the group",
        )
    return PriorityGroup(
        lossless=True,
        headroom=Headroom(headroom),
        xoff_at=_alpha(planned, at, system, log),
        xon_at=Amount.of_bytes(xon),
        reserved=Amount.of_bytes(xoff),
        pool=INGRESS,
    )


def _alpha(planned: PriorityGroup, at: str, system: System, log: Any) -> Dynamic:
    known = system.known["advanced"]["alphas"]
    steps = sorted(Fraction(text) for text in known["values"])
    wanted = planned.xoff_at.alpha if isinstance(planned.xoff_at, Dynamic) else None
    if isinstance(planned.xoff_at, Static):
        log(
            "dropped",
            f"{at}.xoff_at",
            _shown(planned.xoff_at),
            f"alpha {known['published']}",
            "dynamic pools share by alpha",
        )
    elif wanted is None:
        log(
            "chosen",
            f"{at}.xoff_at",
            "open",
            f"alpha {known['published']}",
            "a published advanced configuration for RoCE",
        )
    if wanted is None:
        return Dynamic(Fraction(known["published"]))
    got = max((step for step in steps if step <= wanted), default=steps[0])
    if got != wanted:
        log("quantised", f"{at}.xoff_at", f"alpha {wanted}", f"alpha {got}", "alphas are a list; not above the plan's")
    return Dynamic(got)


def queues(qos: PortQos, of_queue: tuple[Queue | None, ...] | None, system: System) -> tuple[Queue | None, ...] | None:
    """Return the queues with the egress buffers of the advanced form: a lossless class is held by no limit."""
    if not system.advanced:
        return of_queue
    reserved = Amount.of_bytes(system.known["advanced"]["egress_reserved"]["value"])
    filled = list(of_queue or (None,) * 8)
    for priority in system.lossless:
        number = qos.tc_to_queue[priority] if qos.tc_to_queue is not None else priority
        if number is not None and number < 8:
            filled[number] = replace(filled[number] or Queue(), reserved=reserved, pool=EGRESS)
    return tuple(filled)


def pools(device: Device, ports: Mapping[str, Port], system: System, log: Any) -> tuple[Pool, ...] | None:
    """Return the traffic pool that holds the PFC priorities, or the four pools of the advanced form."""
    if not system.lossless:
        if device.pools:
            log("dropped", "pools", "stated", "none", "without PFC all memory is the default pool's")
        return None
    planned = device.pools or ()
    if any(
        (pool.headroom is not None and pool.headroom.value) or pool.oversubscription is not None for pool in planned
    ):
        log(
            "dropped", "pools.headroom", "a shared headroom", "none", "no documented line shares headroom between ports"
        )
    share = next((pool.total for pool in planned if pool.lossless and pool.direction != "egress"), None)
    if system.advanced:
        return _four_pools(device, ports, share, system, log)
    half = system.known["chosen"]["lossless_memory"]["value"]
    if share is None or share.unit != "percent":
        because = "the share of published RoCE pools; the switch gives the rest to its default pool"
        kind: Kind = "chosen" if share is None else "dropped"
        log(kind, "pools.lossless", "open" if share is None else _shown(share), f"{half} %", because)
        return (Pool("roce", "both", lossless=True, total=Amount(half, "percent")),)
    hundredths = Fraction(min(max(round(share.value * 100), 1), 10_000), 100)
    if hundredths != share.value:
        log("quantised", "pools.lossless", f"{share.value} %", f"{float(hundredths):g} %", "hundredths of a percent")
    if any(pool.lossless is False and pool.total is not None for pool in planned):
        log("box-made", "pools.lossy", "stated", "the rest", "what the lossless pool leaves is the default pool's")
    value = int(hundredths) if hundredths.denominator == 1 else hundredths
    return (Pool("roce", "both", lossless=True, total=Amount(value, "percent")),)


def _four_pools(
    device: Device, ports: Mapping[str, Port], share: Amount | None, system: System, log: Any
) -> tuple[Pool, ...]:
    """Return the pools of the advanced form: the published sizes, smaller where the headroom needs the room.

    They were published for the chip with the least memory. On a larger one they grow with it: a lossless pool that is
    small pauses early, and an egress pool that is smaller than what the ingress admits drops what PFC protects.
    """
    known = system.known["advanced"]
    if share is not None and share.unit == "byte":
        kept = {pool.name: pool for pool in device.pools or ()}
        if {INGRESS, EGRESS, INGRESS_REST, EGRESS_REST} <= set(kept):
            return tuple(kept[name] for name in (INGRESS, EGRESS, INGRESS_REST, EGRESS_REST))
    chip = catalogue().of_device(device.model, device.asic)
    memory = (chip.memory()[0] if chip is not None else None) or known["memory"]["value"]
    reserved = sum(_reserved(port.qos) for port in ports.values())
    larger = max(Fraction(memory, known["memory"]["value"]), Fraction(1))
    published, egress = (int(known[name]["value"] * larger) for name in ("pool", "egress_pool"))
    part = Fraction(share.value, 100) if share is not None and share.unit == "percent" else Fraction(1, 2)
    room = memory - reserved
    sizes = [min(published, int(room * one)) if share is None else int(room * one) for one in (part, 1 - part)]
    if min(sizes) < known["smallest_pool"]["value"]:
        because = f"{reserved} bytes of headroom leave {max(room, 0)} of {memory} bytes to share"
        log("refused", "pools", f"pools of {published} bytes", "too small", because)
        sizes = [max(one, 0) for one in sizes]
    grown = f", for {memory} bytes of memory" if larger > 1 else ""
    because = f"sizes of a published advanced configuration for RoCE{grown}" + (
        "" if sizes == [published] * 2 else f", less what {reserved} bytes of headroom take of {memory}"
    )
    log("chosen", "pools", "open" if share is None else _shown(share), f"{sizes[0]} and {sizes[1]} bytes", because)
    return (
        Pool(INGRESS, "ingress", lossless=True, total=Amount.of_bytes(sizes[0]), mode="dynamic"),
        Pool(EGRESS, "egress", None, Amount.of_bytes(egress), "dynamic"),
        Pool(INGRESS_REST, "ingress", lossless=False, total=Amount.of_bytes(sizes[1]), mode="dynamic"),
        Pool(EGRESS_REST, "egress", lossless=False, total=Amount.of_bytes(sizes[1]), mode="dynamic"),
    )


def _reserved(qos: PortQos) -> int:
    total = 0
    for group in qos.priority_groups or ():
        if group is not None and group.lossless and group.headroom is not None and group.headroom.amount is not None:
            total += group.headroom.amount.bytes or 0
            total += (group.reserved.bytes or 0) if group.reserved is not None else 0
    return total


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Dynamic):
        return f"alpha {value.alpha}"
    amount: Amount = value.amount if isinstance(value, Static) else value
    return f"{amount.value} {amount.unit}"
