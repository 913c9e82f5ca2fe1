"""What the buffers of a device carry of a plan: headroom pools, pause points, and how large marked queues are."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Amount, Pool, Port, PortQos, Queue, Static
from rocecfg.vendor.asics import catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator

read: Any = load_module(Path(__file__).with_name("read.py"))

_PFC_QUEUE_SIZE = 51_200
_FAN_OUT = 16
_MOST = 2**32 - 1
_SLOT = re.compile(r"ethernet-([0-9]{1,2})/")


def pools(work: Any) -> None:
    """Keep a share of each line card's buffer for headroom: all of it where the chip's memory is known."""
    device = work.now()
    asked: dict[str, int] = {}
    for port in device.ports.values():
        found = _SLOT.match(port.name)
        if found is not None and port.qos.pfc is not None and port.qos.pfc.tx:
            asked[found[1]] = asked.get(found[1], 0) + sum(_headrooms(port.qos))
    known = {pool.name: pool for pool in work.pools or ()}
    made = []
    for slot in sorted(asked, key=int):
        name = read.pool_name(slot)
        planned = known.pop(name, None)
        if planned is not None and planned.headroom is not None and planned.headroom.unit == "percent":
            made.append(Pool(name, "ingress", True, headroom=planned.headroom))
            continue
        made.append(Pool(name, "ingress", True, headroom=_reservation(work, name, asked[slot])))
    for name in known:
        because = "the buffer is one; only the part kept for headroom is stated"
        work.note("", f"pools.{name}", "planned", "none", "dropped", because)
    work.pools = tuple(made) or None


def _reservation(work: Any, name: str, asked: int) -> Amount:
    """Return the percentage of the buffer that holds all headroom of a line card; the published one where unknown."""
    usual = work.limits["chosen"]["pfc_buffer_reservation"]["value"]
    chip = catalogue().of_device(work.device.model, work.device.asic)
    memory = chip.memory()[0] if chip is not None else None
    if chip is None or not memory:
        because = "the chip's memory is not known: the share that a public RoCE fabric on 25.10 keeps"
        work.note("", f"pools.{name}", f"{asked} bytes of headroom", f"{usual} percent", "chosen", because)
        return Amount(usual, "percent")
    percent = max(math.ceil(asked * 100 / memory), usual)
    if percent > 100:
        because = f"{chip.title} has {memory} bytes"
        work.note("", f"pools.{name}", f"{asked} bytes of headroom", "100 percent", "refused", because)
        percent = 100
    because = (
        f"a share of the {memory} bytes of {chip.title} that holds all headroom, and no less than a public fabric's"
    )
    work.note("", f"pools.{name}", f"{asked} bytes of headroom", f"{percent} percent", "chosen", because)
    return Amount(percent, "percent", memory * percent // 100)


def _headrooms(qos: PortQos) -> Iterator[int]:
    for group in qos.priority_groups or ():
        if group is not None and group.headroom is not None and group.headroom.amount is not None:
            yield group.headroom.amount.bytes or 0


def _until_paused(qos: PortQos) -> int:
    """Return what a port may send into a queue before its peer has stopped."""
    triggers = (group.xoff_at for group in qos.priority_groups or () if group is not None)
    fixed = (limit.amount.bytes or 0 for limit in triggers if isinstance(limit, Static))
    return sum(fixed) + sum(_headrooms(qos))


def pause_points(work: Any) -> None:
    """Give each PFC queue a fixed fill at which it pauses, where the plan leaves it to a share of the free buffer.

    Not below the ramp of its queue, so that marks come first; up to 16 times its start, so that a sender that feeds 16
    ports is marked before it is paused; but no more than an equal part of the memory, so that all can pause in time.
    """
    device = work.now()
    count = sum(
        group is not None and group.lossless is True
        for port in device.ports.values()
        if port.lag is None
        for group in port.qos.priority_groups or ()
    )
    chip = catalogue().of_device(device.model, device.asic)
    memory = (chip.memory()[0] if chip is not None else None) or work.limits["chosen"]["marked_queue_size"]["value"]
    kept = max((pool.headroom.value for pool in work.pools or () if pool.headroom is not None), default=0)
    part = int(memory * (100 - kept) // 100) // max(count, 1)

    def change(qos: PortQos, ports: list[Port]) -> PortQos:
        groups = list(qos.priority_groups or ())
        for number, group in enumerate(groups):
            if group is None or isinstance(group.xoff_at, Static):
                continue
            low, top = _ramp(qos, number)
            size = min(max(_PFC_QUEUE_SIZE, top, min(_FAN_OUT * low, part)), _MOST)
            limit = group.xoff_at
            wanted = "open"
            if limit is not None:
                wanted = f"alpha {limit.alpha}" if limit.alpha is not None else f"index {limit.index}"
            because = (
                f"a PFC queue pauses at a fixed fill: between the end of its ramp and {_FAN_OUT} times the start"
                if size > _PFC_QUEUE_SIZE
                else "a PFC queue pauses at a fixed fill; this is the system's own"
            )
            where = ", ".join(port.name for port in ports)
            work.note(where, f"priority_groups.{number}.xoff_at", wanted, f"{size} bytes", "chosen", because)
            groups[number] = replace(group, xoff_at=Static(Amount.of_bytes(size)))
        return replace(qos, priority_groups=tuple(groups)) if groups else qos

    work.each(change)


def _ramp(qos: PortQos, number: int) -> tuple[int, int]:
    """Return the lowest Kmin and the highest Kmax in bytes of the queues behind a PFC queue, 0 where none is."""
    priorities = [priority for priority, groups in enumerate(qos.priority_to_pg or ()) if number in (groups or ())]
    behind = {queue for priority in priorities for queue in (qos.priority_to_queue or ((),) * 8)[priority] or ()}
    ecns = [queue.ecn for queue in map(qos.queue, sorted(behind)) if queue is not None and queue.ecn is not None]
    curves = [curve for ecn in ecns for curve in ecn.curves]
    lows = [curve.low.bytes for curve in curves if curve.low is not None and curve.low.bytes is not None]
    tops = [curve.high.bytes for curve in curves if curve.high is not None and curve.high.bytes is not None]
    return min(lows, default=0), max(tops, default=0)


def queue_sizes(work: Any) -> None:
    """Give each queue with a slope a size: a slope needs one, and it must not drop what PFC protects."""
    bounds = work.limits["ranges"]["maximum_burst_size"]
    usual = work.limits["chosen"]["marked_queue_size"]["value"]
    total = sum(_until_paused(port.qos) for port in work.now().ports.values() if port.lag is None)
    size = min(max(usual, total + 1), bounds["to"])

    def change(qos: PortQos, ports: list[Port]) -> PortQos:
        sized = tuple(_sized(queue, number, ports) for number, queue in enumerate(qos.queues or ()))
        return replace(qos, queues=sized) if qos.queues is not None else qos

    def _sized(queue: Queue | None, number: int, ports: list[Port]) -> Queue | None:
        sloped = queue is not None and ((queue.ecn is not None and queue.ecn.curves) or queue.wred)
        if queue is None or not sloped or queue.limit is not None:
            return queue
        ramps = (*(queue.ecn.curves if queue.ecn is not None else ()), *(queue.wred or ()))
        own = max([size, *(curve.high.bytes or 0 for curve in ramps if curve.high is not None)])
        because = (
            "a slope needs the queue's maximum burst size: that of a public RoCE fabric on 25.10"
            if own == usual
            else "a slope needs the queue's maximum burst size: what all ports may send before they have paused"
        )
        where = ", ".join(port.name for port in ports)
        work.note(where, f"queues.{number}.limit", "open", f"{own} bytes", "chosen", because)
        return replace(queue, limit=Static(Amount.of_bytes(min(own, bounds["to"]))))

    work.each(change)
