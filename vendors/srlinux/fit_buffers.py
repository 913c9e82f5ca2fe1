"""What the buffers of a device carry of a plan: the headroom pool of each line card, and how large marked queues are."""

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

_SLOT = re.compile(r"ethernet-([0-9]{1,2})/")


def pools(work: Any) -> None:
    """Keep a share of each line card's buffer for headroom: all of it where the chip's memory is known."""
    device = work.now()
    asked: dict[str, int] = {}
    for port in device.ports.values():
        slot = _SLOT.match(port.name)
        if slot is not None and port.qos.pfc is not None and port.qos.pfc.tx:
            asked[slot[1]] = asked.get(slot[1], 0) + sum(_headrooms(port.qos))
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
    because = f"a share of the {memory} bytes of {chip.title} that holds all headroom, and no less than a public fabric's"
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
        because = (
            "a slope needs the queue's maximum burst size: that of a public RoCE fabric on 25.10"
            if size == usual
            else "a slope needs the queue's maximum burst size: what all ports may send before they have paused"
        )
        where = ", ".join(port.name for port in ports)
        work.note(where, f"queues.{number}.limit", "open", f"{size} bytes", "chosen", because)
        return replace(queue, limit=Static(Amount.of_bytes(size)))

    work.each(change)
