"""Fits headroom and pause thresholds: one MMU profile for the device, where the platform's is published."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import Amount, Dynamic, Headroom, PriorityGroup, Static, eight

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.model import Device, Pfc, PortQos
    from rocecfg.vendor.changes import Log
    from vendors.eos.family import Family
    from vendors.eos.fit import System

_ONE_PROFILE = (
    "one MMU profile holds for all ports, so the port that needs most decides: how a profile is bound to a port is not "
    "published"
)
_FACTOR = {"byte": 1, "kbyte": 1_000, "mbyte": 1_000_000}


def headroom_of(device: Device, family: Family, log: Log) -> int | None:
    """Return the headroom of every lossless group: the largest that a port needs, in whole cells."""
    if not family.mmu:
        return None
    needs: dict[str, int] = {}
    numbers: set[int] = set()
    for name, port in device.ports.items():
        for number, group in enumerate(port.qos.priority_groups or ()):
            size = _size(group)
            if size:
                numbers.add(number)
                needs[name] = max(size, needs.get(name, 0))
    if not needs:
        return None
    most = max(needs.values())
    room = -(-most // family.cell) * family.cell
    smaller = ", ".join(name for name, size in needs.items() if size != most)
    largest = ", ".join(name for name, size in needs.items() if size == most)
    for number in sorted(numbers):
        at = f"priority_groups.{number}.headroom"
        if smaller:
            log("equalised", at, f"{min(needs.values())} B and more", f"{room} B", _ONE_PROFILE, at=smaller)
        if room != most:
            log("quantised", at, f"{most} B", f"{room} B", f"whole cells of {family.cell} B", at=largest)
    return room


def _size(group: PriorityGroup | None) -> int | None:
    if group is None or not group.lossless or group.headroom is None or group.headroom.amount is None:
        return None
    amount = group.headroom.amount
    return amount.bytes if amount.bytes is not None else int(-(-amount.value * _FACTOR.get(amount.unit, 1) // 1))


def groups_of(qos: PortQos, pfc: Pfc, system: System, log: Log) -> tuple[PriorityGroup | None, ...]:
    """Return the groups: those of the no-drop priorities are lossless, the box makes what the profile cannot say."""
    groups: dict[int, PriorityGroup] = {}
    for number in range(8):
        lossless = pfc.admin == "on" and number in (pfc.tx or ())
        groups[number] = _group(number, qos, system, log) if lossless else PriorityGroup(lossless=False)
    return eight(groups)


def _group(number: int, planned: PortQos, system: System, log: Log) -> PriorityGroup:
    numbers = planned.priority_to_pg[number] if planned.priority_to_pg is not None else None
    group = planned.priority_group(min(numbers) if numbers else number) or PriorityGroup()
    at = f"priority_groups.{number}"
    if group.reserved is not None or group.pool is not None:
        log("dropped", f"{at}.reserved", "a reserve or pool", "none", "the profile's defaults stay")
    for leaf, resume in (("xon_at", group.xon_at), ("xon_below", group.xon_below)):
        if resume is not None:
            because = "ingress resume stands in published profiles, but not what it counts from"
            log("box-made", f"{at}.{leaf}", "a resume point", "made by the box", because)
    if not system.family.mmu:
        return _by_the_box(group, at, system, log)
    if system.headroom is None:
        return PriorityGroup(lossless=True, xoff_at=_threshold(number, group, system, log))
    room = Headroom(Amount.of_bytes(system.headroom), by="stated")
    return PriorityGroup(lossless=True, headroom=room, xoff_at=_threshold(number, group, system, log))


def _by_the_box(group: PriorityGroup, at: str, system: System, log: Log) -> PriorityGroup:
    """Note what a platform without a published MMU profile makes by itself."""
    why = (
        "no MMU profile of this platform is published"
        if system.family.series
        else "an MMU profile is written for a known platform only: give the model"
    )
    size = _size(group)
    if size:
        log("dropped", f"{at}.headroom", f"{size} B", "the box's own, of a size that is not published", why)
    if group.xoff_at is not None:
        log("dropped", f"{at}.xoff_at", _shown(group.xoff_at), "the box's own", why)
    return PriorityGroup(lossless=True)


def _shown(limit: Dynamic | Static) -> str:
    if isinstance(limit, Static):
        return f"{limit.amount.value} {limit.amount.unit}s"
    return f"alpha {limit.alpha}" if limit.alpha is not None else f"alpha index {limit.index}"


def alphas_of(device: Device, family: Family, known: Mapping[str, Any], log: Log) -> dict[int, Dynamic]:
    """Return the alpha of each lossless group: one profile for the device, so the smallest planned one."""
    wanted: dict[int, dict[str, Fraction]] = {}
    for name, port in device.ports.items() if family.mmu else ():
        for number, group in enumerate(port.qos.priority_groups or ()):
            if group is not None and group.lossless and isinstance(group.xoff_at, Dynamic) and group.xoff_at.alpha:
                wanted.setdefault(number, {})[name] = Fraction(group.xoff_at.alpha)
    steps = [Fraction(text) for text in known["alphas"]["values"]]
    found: dict[int, Dynamic] = {}
    for number, of_ports in wanted.items():
        least = min(of_ports.values())
        alpha = max((step for step in steps if step <= least), default=steps[0])
        larger = ", ".join(name for name, value in of_ports.items() if value != least)
        at = f"priority_groups.{number}.xoff_at"
        if larger:
            log("equalised", at, f"more than alpha {least}", f"alpha {alpha}", _ONE_PROFILE, at=larger)
        if alpha != least:
            because = "ingress threshold takes 1/128 to 8 in powers of two"
            log("quantised", at, f"alpha {least}", f"alpha {alpha}", because)
        found[number] = Dynamic(alpha)
    return found


def _threshold(number: int, group: PriorityGroup, system: System, log: Log) -> Dynamic | None:
    """Return the alpha of a group; a fixed size has no command."""
    got = system.alphas.get(number)
    if isinstance(group.xoff_at, Static) or (group.xoff_at is not None and not group.xoff_at.alpha):
        because = "ingress threshold is a share of the free buffer: a fixed size has no command"
        shown = "made by the box" if got is None else _shown(got)
        log("dropped", f"priority_groups.{number}.xoff_at", _shown(group.xoff_at), shown, because)
    return got
