"""Gives amounts in cells their bytes, where the device's model says what a cell holds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from rocecfg.state.model import Amount, Curve, Device, PortQos, PriorityGroup, Queue, Static
from rocecfg.vendor.asics import catalogue

if TYPE_CHECKING:
    from rocecfg.state.model import Dynamic, Port

_T = TypeVar("_T")


def cell_of(device: Device) -> int | None:
    """Return the bytes of a cell of the device's buffer, None where its model is not known or not in the catalogue."""
    chip = catalogue().of_device(device.model, device.asic)
    return chip.whole("cell") if chip is not None else None


def with_bytes(device: Device) -> Device:
    """Return the device with the bytes of its cells filled in."""
    cell = cell_of(device)
    if cell is None:
        return device
    done: dict[int, PortQos] = {}
    ports: dict[str, Port] = {}
    for name, port in device.ports.items():
        qos = done.get(id(port.qos))
        if qos is None:
            qos = done[id(port.qos)] = _qos(port.qos, cell)
        ports[name] = replace(port, qos=qos)
    pools = device.pools
    if pools is not None:
        pools = tuple(
            replace(pool, total=_amount(pool.total, cell), headroom=_amount(pool.headroom, cell)) for pool in pools
        )
    return replace(device, ports=ports, pools=pools)


def _qos(qos: PortQos, cell: int) -> PortQos:
    queues, groups = qos.queues, qos.priority_groups
    return replace(
        qos,
        queues=None if queues is None else tuple(queue and _queue(queue, cell) for queue in queues),
        priority_groups=None if groups is None else tuple(group and _group(group, cell) for group in groups),
    )


def _amount(amount: _T, cell: int) -> _T:
    if isinstance(amount, Amount) and amount.unit == "cell" and amount.bytes is None:
        return replace(amount, bytes=int(amount.value) * cell)
    return amount


def _limit(limit: Dynamic | Static | None, cell: int) -> Dynamic | Static | None:
    return replace(limit, amount=_amount(limit.amount, cell)) if isinstance(limit, Static) else limit


def _curves(curves: tuple[Curve, ...], cell: int) -> tuple[Curve, ...]:
    return tuple(replace(curve, low=_amount(curve.low, cell), high=_amount(curve.high, cell)) for curve in curves)


def _queue(queue: Queue, cell: int) -> Queue:
    return replace(
        queue,
        ecn=queue.ecn and replace(queue.ecn, curves=_curves(queue.ecn.curves, cell)),
        wred=queue.wred and _curves(queue.wred, cell),
        limit=_limit(queue.limit, cell),
        reserved=_amount(queue.reserved, cell),
    )


def _group(group: PriorityGroup, cell: int) -> PriorityGroup:
    return replace(
        group,
        headroom=group.headroom and replace(group.headroom, amount=_amount(group.headroom.amount, cell)),
        xoff_at=_limit(group.xoff_at, cell),
        xon_at=_amount(group.xon_at, cell),
        xon_below=_amount(group.xon_below, cell),
        reserved=_amount(group.reserved, cell),
    )
