"""Fits what a CloudEngine has once for the device: family, PFC profiles, deadlock times, headroom pool, ECN switch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import NEVER, Amount, Device, Pool, Port, PortWatchdog
from rocecfg.vendor.fitting import carried, drop_device_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocecfg.state.model import Action
    from rocecfg.vendor.changes import Log
    from vendors.huawei.fit import System

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_FAMILY = load_module(_HERE.with_name("family.py"))
_DEADLOCK = load_module(_HERE.with_name("deadlock.py"))
_CHOSEN = (
    "the hardware model is not given, and two families take different lines: those of CE6855-48XS8CQ, CE6863E, "
    "CE6885, CE8851-32CQ4BQ and CE8855 are written (headroom pool, hdrm, dscp-mapping). CE6860, CE6866, "
    "CE8850-HAM/SAN, CE8851K and CE8851-32CQ8DQ refuse them: give `model`"
)


def _on(port: Port) -> bool:
    pfc = port.qos.pfc
    return pfc is not None and pfc.admin in {"on", "auto"} and bool((pfc.tx or frozenset()) | (pfc.rx or frozenset()))


def _marks(ports: Iterable[Port]) -> bool:
    return any(queue.ecn.curves for port in ports for queue in port.qos.queues or () if queue is not None and queue.ecn)


def family(device: Device, log: Log) -> str:
    """Return the hardware family whose lines are written: by model, by a fitted state, else family A as a choice."""
    found = _FAMILY.of_device(device)
    if found in {"A", "B"}:
        return str(found)
    needed = any(map(_on, device.ports.values()))
    if found == "none" and needed:
        log("refused", "model", device.model, "none", "this model has no PFC: every PFC command leaves it out")
    elif found == "other" and needed:
        log("refused", "model", device.model, "none", "no document read says which lines this model takes")
    elif found is None and (needed or (device.ecn_enabled is not None and _marks(device.ports.values()))):
        log("chosen", "model", "open", "family A", _CHOSEN)
    return "A"


def selectors(device: Device, system: System) -> dict[str, str]:
    """Return what selects the PFC priority of an arriving packet, by slot."""
    slots: dict[str, set[str]] = {}
    for port in device.ports.values():
        if _on(port):
            by = (port.qos.pfc.by if port.qos.pfc is not None else None) or "internal"
            slots.setdefault(_CONFIG.slot_of(port.name), set()).add(by)
    if system.family == "B":
        return dict.fromkeys(slots, "internal")
    return {slot: "pcp" if wanted == {"pcp"} else "internal" for slot, wanted in slots.items()}


def watchdog(device: Device, system: System, log: Log) -> PortWatchdog | None:
    """Return the one deadlock detection of the device: always on, times and behaviour for all ports alike."""
    planned: dict[PortWatchdog, list[str]] = {}
    for name, port in device.ports.items():
        if _on(port):
            wanted = replace(port.qos.watchdog or PortWatchdog(), priorities=None)
            planned.setdefault(wanted, []).append(name)
    if not planned:
        return None
    first, others = next(iter(planned)), list(planned)[1:]
    for other in others:
        log.ports = ", ".join(planned[other])
        log("equalised", "watchdog", _shown(other), _shown(first), "deadlock detection is set once for the device")
    log.ports = ", ".join(name for names in planned.values() for name in names)
    for item in planned:
        if item.enabled is False:
            log("box-made", "watchdog.enabled", "off", "on", "deadlock detection has no switch: it is always on")
            break
    made = _times(first, system, log)
    made = replace(made, action=_action(first.action, system, log))
    log.ports = ""
    return made


def _shown(item: PortWatchdog) -> str:
    if item.enabled is False:
        return "off"
    return f"detect {item.detect} ms, restore {item.restore} ms, {item.action or 'default'}"


def _action(wanted: Action | None, system: System, log: Log) -> Action:
    default: Action = "forward" if system.family == "A" else "drop"
    if wanted in {"drop", "forward", None}:
        return wanted or default
    because = "during recovery a queue forwards or discards; turn-off and error-down come after 30 deadlocks in 20 s"
    log("equalised", "watchdog.action", wanted, "drop", because)
    return "drop"


def _times(wanted: PortWatchdog, system: System, log: Log) -> PortWatchdog:
    known = system.limits["watchdog"]
    detect = wanted.detect if wanted.detect not in (None, NEVER) else known["detect"]["default"]
    restore = wanted.restore if wanted.restore is not None else known["restore"]["default"]
    made = _of_a(detect, restore) if system.family == "A" else _of_b(detect, restore, system)
    for name in ("poll", "detect", "restore"):
        asked, got = getattr(wanted, name), getattr(made, name)
        if asked is not None and asked != got and wanted.enabled is not False:
            because = _BECAUSE[system.family] if name != "poll" else "the hardware watches the queue: nothing polls"
            shown = "not told" if got is None else f"{got} ms" if got != NEVER else "never"
            log("quantised" if got is not None else "box-made", f"watchdog.{name}", f"{asked} ms", shown, because)
    return made


_BECAUSE = {
    "A": "times are 1 to 15 (detection) and up to 31 (recovery) units of one interval of 10, 100, 500 or 1000 ms",
    "B": "one timer of 10 to 1500 ms for each",
}


def _of_a(detect: int, restore: int) -> PortWatchdog:
    interval, first, second = _DEADLOCK.units(detect, restore)
    return PortWatchdog(enabled=True, detect=first * interval, restore=second * interval if second else NEVER)


def _of_b(detect: int, restore: int, system: System) -> PortWatchdog:
    known = system.limits["timers_b"]
    low, high = known["minimum"], known["maximum"]
    second = high if restore == NEVER else restore
    return PortWatchdog(enabled=True, detect=min(max(detect, low), high), restore=min(max(second, low), high))


def profiles(ports: Mapping[str, Port], system: System, log: Log) -> None:
    """Refuse more sets of priorities than there are profiles: `default`, for a set with priority 3, and one more."""
    sets = {port.qos.pfc.tx: None for port in ports.values() if port.qos.pfc is not None and port.qos.pfc.tx}
    free = [one for one in sets if one is not None and 3 not in one]
    with_three = len(sets) - len(free)
    if len(free) + max(with_three - 1, 0) > system.limits["pfc_profiles"]["maximum"] - 1:
        wanted = "; ".join(",".join(map(str, sorted(one))) for one in sets if one)
        because = "a device has two PFC profiles, and `default` keeps priority 3"
        log("refused", "pfc", wanted, "two sets", because)


def whole(device: Device, ports: Mapping[str, Port], system: System, log: Log) -> Device:
    """Return the device with its pools and switches, without what VRP has no word for."""
    lossless = any(map(_on, ports.values()))
    marks = _marks(ports.values())
    if marks and system.family == "B":
        _unmarked(ports, log)
    pools = _pools(device, ports, system, log) if lossless and system.family == "A" else ()
    known = {pool.name for pool in pools}
    others = [pool.name for pool in device.pools or () if pool.name not in known]
    if others:
        log("dropped", "pools", ", ".join(others), "none", "the shared buffer has no command; only headroom has a pool")
    drop_device_settings(device, log)
    made = {"A": "stated" if lossless else None, "B": "box" if lossless or marks else None}[system.family]
    return carried(
        device,
        ports.values(),
        pfc_enabled=device.pfc_enabled is not False,
        ecn_enabled=True if marks and system.family == "B" else None,
        pools=pools,
        buffer_model=made,
    )


def _unmarked(ports: Mapping[str, Port], log: Log) -> None:
    """Refuse a paused queue without marks: with ECN on in the device it drops what the neighbour was told to hold."""
    for name, port in ports.items():
        for number in sorted((port.qos.pfc.tx or frozenset()) if port.qos.pfc is not None and _on(port) else ()):
            queue = port.qos.queue(number)
            if queue is None or queue.ecn is None or not queue.ecn.curves:
                because = (
                    "`qos ecn enable` holds for the device, and from then on a queue without marks keeps 0.5 MB of "
                    "ECN-capable packets and drops the rest: let every lossless class mark, or none"
                )
                log("refused", f"queues.{number}.ecn", "no marks", "packets dropped instead", because, at=name)


def _pools(device: Device, ports: Mapping[str, Port], system: System, log: Log) -> tuple[Pool, ...]:
    """Return the headroom pool of each slot: the sum of what its lossless groups may take."""
    known = system.limits["headroom_pool"]
    had = {pool.name: pool.headroom for pool in device.pools or ()}
    needed: dict[str, int] = {}
    for port in ports.values():
        slot = _CONFIG.slot_of(port.name)
        for group in port.qos.priority_groups or ():
            if _on(port) and group is not None and group.headroom is not None and group.headroom.amount is not None:
                needed[slot] = needed.get(slot, 0) + int(group.headroom.amount.value)
    pools = []
    for slot, total in sorted(needed.items()):
        size = min(max(total, known["minimum"]), known["maximum"])
        amount = Amount(size, "kbyte", size * 1024)
        name = f"headroom slot {slot}"
        if had.get(name) != amount:
            because = "PFC has no headroom without a pool: the sum over the lossless groups, as the guide advises"
            if size < total:
                because += f", cut at the largest pool of {size} kbytes"
            log("chosen", f"pools.{name}", f"{total} kbytes", f"{size} kbytes", because)
        pools.append(Pool(name, "ingress", lossless=True, headroom=amount))
    return tuple(pools)
