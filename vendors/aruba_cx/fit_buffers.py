"""Fits buffers: the lossless pool of the switch, the priority groups and the cable length of a port."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Amount, Dynamic, Headroom, Pfc, Pool, PortQos, PriorityGroup, Static, eight

if TYPE_CHECKING:
    from rocecfg.state.model import Device
    from rocecfg.vendor.changes import Log

_INFORCE = load_module(Path(__file__).with_name("inforce.py"))
_EFFECTIVE = load_module(Path(__file__).with_name("effective.py"))
POOL = "1"
BUFFER_9300 = 66 * 1024
"""Kbytes of packet memory of a 9300 (QoS guide); the others have 32 MB."""


def pool(device: Device, known: dict[str, Any], log: Log) -> Pool | None:
    """Return the one lossless pool of a planned switch, None when no port sends PAUSE."""
    sending = any(
        port.qos.pfc is not None and port.qos.pfc.admin != "off" and port.qos.pfc.tx for port in device.ports.values()
    )
    if not sending:
        return None
    stated = next((pool for pool in device.pools or () if pool.lossless), None)
    if len(device.pools or ()) > 1:
        because = "one pool holds all lossless priorities; what is left is the lossy pool"
        log("equalised", "pools", f"{len(device.pools or ())} pools", "1 lossless pool", because)
    headroom = _headroom(device, stated, known, log)
    percent = _percent(device, stated, headroom, known, log)
    return _INFORCE.lossless_pool(POOL, percent, headroom)  # type: ignore[no-any-return]


def _headroom(device: Device, stated: Pool | None, known: dict[str, Any], log: Log) -> int:
    """Return the kbytes of headroom of the pool: what all ports need at once, as far as one switch takes it."""
    if stated is not None and stated.headroom is not None and stated.headroom.unit == "kbyte":
        return int(stated.headroom.value)
    needed = sum(
        _bytes(group.headroom.amount)
        for port in device.ports.values()
        for group in port.qos.priority_groups or ()
        if group is not None and group.lossless and group.headroom is not None
    )
    wanted = ceil(needed / _INFORCE.KBYTE)
    limits = known["pool_headroom"]
    kbytes = int(min(max(wanted, limits["default"]), limits["maximum"]))
    if wanted > kbytes:
        because = f"qos pool takes at most {kbytes} kbytes of headroom: the ports share it, not all can pause at once"
        log("quantised", "pools.headroom", f"{wanted} kbytes", f"{kbytes} kbytes", because)
    else:
        because = (
            f"the headroom of all ports and priorities is {wanted} kbytes; the factory default is {limits['default']}"
        )
        log("chosen", "pools.headroom", "open", f"{kbytes} kbytes", because)
    return kbytes


def _percent(device: Device, stated: Pool | None, headroom: int, known: dict[str, Any], log: Log) -> int | Fraction:
    """Return the share of the packet memory: as stated, else as published, and large enough for its headroom."""
    limits = known["pool_size"]
    memory = BUFFER_9300 if "9300" in (device.model or "") else known["packet_buffer"]["smallest"]
    least = ceil(Fraction(headroom * 100 * 100, known["headroom_share"]["maximum"] * memory))
    asked = stated.total if stated is not None else None
    percent = asked.value if asked is not None and asked.unit == "percent" else limits["published"]
    taken: int = min(max(ceil(percent), least, limits["minimum"]), limits["maximum"])
    if asked is None or asked.unit != "percent":
        because = f"{limits['published']} % is the size of published examples; headroom is at most half of its pool"
        log("chosen", "pools.lossless", "open", f"{taken} %", because)
    elif taken != percent:
        because = f"a pool has {limits['minimum']} to {limits['maximum']} whole percent, and twice its headroom"
        log("quantised", "pools.lossless", f"{float(percent):g} %", f"{taken} %", because)
    return taken


def _bytes(amount: Amount | None) -> int:
    if amount is None:
        return 0
    return amount.bytes if amount.bytes is not None else int(amount.value) if amount.unit == "byte" else 0


def cable(qos: PortQos, log: Log) -> int | None:
    """Return the cable length in whole metres."""
    if qos.cable is None:
        return None
    metres = max(ceil(qos.cable), 1)
    if metres != qos.cable:
        log("quantised", "cable", f"{float(qos.cable):g} m", f"{metres} m", "cable-length takes whole metres")
    return metres


def groups(qos: PortQos, pfc: Pfc | None, metres: int | None, log: Log) -> tuple[PriorityGroup | None, ...] | None:
    """Return the priority groups of a port: the switch works out headroom and thresholds."""
    made: dict[int, PriorityGroup] = {}
    paused = ((pfc.tx or frozenset()) | (pfc.rx or frozenset())) if pfc is not None else frozenset()
    for priority in sorted(paused):
        if pfc is not None and priority not in (pfc.tx or ()):
            made[priority] = PriorityGroup(lossless=False)
            continue
        numbers = qos.priority_to_pg[priority] if qos.priority_to_pg is not None else None
        planned = qos.priority_group(min(numbers) if numbers else priority) or PriorityGroup()
        _note(planned, f"priority_groups.{priority}", log)
        room = Headroom(by="length" if metres is not None else "box")
        made[priority] = PriorityGroup(lossless=True, headroom=room, pool=POOL)
    return eight({number: made.get(number, PriorityGroup(lossless=False)) for number in range(8)})


def _note(planned: PriorityGroup, at: str, log: Log) -> None:
    """Say what of a planned group the switch works out or fixes by itself."""
    amount = planned.headroom.amount if planned.headroom is not None else None
    if amount is not None and amount.value:
        because = (
            "the switch works the headroom out from cable-length; the words of an explicit limit are not published"
        )
        log("box-made", f"{at}.headroom", f"{amount.value} {amount.unit}s", "made by the switch", because)
    limit = planned.xoff_at
    if limit is not None and limit != _EFFECTIVE.ALPHA:
        wanted = f"alpha {limit.alpha}" if isinstance(limit, Dynamic) else f"{_of(limit)} static"
        because = "the words that set the XOFF limit are not published: the default stays, 4 times the free space"
        log("dropped", f"{at}.xoff_at", wanted, "alpha 4", because)
    for leaf, resume in (("xon_at", planned.xon_at), ("xon_below", planned.xon_below)):
        if resume not in (None, _EFFECTIVE.XON_DELTA):
            because = "the words that set the XON delta are not published: the default stays"
            log(
                "dropped",
                f"{at}.{leaf}",
                f"{resume.value} {resume.unit}s",
                f"{_EFFECTIVE.XON_DELTA.value} B below",
                because,
            )
    if planned.reserved is not None:
        log(
            "dropped",
            f"{at}.reserved",
            f"{planned.reserved.value} {planned.reserved.unit}s",
            "none",
            "no command sets it",
        )


def _of(limit: Static) -> str:
    return f"{limit.amount.value} {limit.amount.unit}s"
