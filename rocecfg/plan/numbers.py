"""The numbers of a port by name, read from its state: what `plan` shows and `drift` speaks about."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rocecfg.physics import dcqcn
from rocecfg.state.model import NEVER, Amount, Dynamic, Static

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocecfg.physics.derived import Derived
    from rocecfg.state.model import CodeMap, Nic, Port, PortQos, PriorityGroup, Queue, Where

Value = tuple[Any, str]
"""(value, unit)."""

_UNIT_WORDS = {"byte": "B", "kbyte": "KB", "mbyte": "MB", "percent": "%"}


@dataclass(frozen=True, slots=True)
class Number:
    """One number of a port or device: its leaf path, value, unit, and why it is this one."""

    name: str
    value: Any
    unit: str
    because: str
    place: Where | None = None
    derived: Derived | None = None
    """The derivation behind the value, where it is a sum."""


def numbers_of(port: Port) -> dict[str, Value]:
    """Return every number that a port's state knows, by leaf path."""
    found: dict[str, Value] = {}
    if port.speed is not None:
        found["speed"] = (port.speed, "bit/s")
    if port.mtu is not None:
        found["mtu"] = (port.mtu, "B")
    found.update(_of_qos(port.qos))
    if port.nic is not None:
        found.update(_of_nic(port.nic))
    return found


def _of_qos(qos: PortQos) -> Iterator[tuple[str, Value]]:
    for leaf in ("trust", "cable"):
        value = getattr(qos, leaf)
        if value is not None:
            yield leaf, (plain(value), "m" if leaf == "cable" else "")
    for leaf in ("dscp_to_tc", "pcp_to_tc"):
        codes: CodeMap | None = getattr(qos, leaf)
        if codes is not None:
            yield leaf, ({str(code): to for code, to in enumerate(codes.to) if to is not None}, "")
    for leaf in ("tc_to_queue", "tc_to_pg", "priority_to_queue", "priority_to_pg"):
        table = getattr(qos, leaf)
        if table is not None:
            yield leaf, ({str(number): plain(to) for number, to in enumerate(table) if to is not None}, "")
    if qos.pfc is not None:
        if qos.pfc.admin is not None:
            yield "pfc.admin", (qos.pfc.admin, "")
        if qos.pfc.tx is not None:
            yield "pfc.priorities", (sorted(qos.pfc.tx), "")
        if qos.pfc.rx is not None and qos.pfc.rx != qos.pfc.tx:
            yield "pfc.honoured", (sorted(qos.pfc.rx), "")
    for number, group in enumerate(qos.priority_groups or ()):
        if group is not None:
            yield from _of_group(f"priority_groups.{number}", group)
    for number, queue in enumerate(qos.queues or ()):
        if queue is not None:
            yield from _of_queue(f"queues.{number}", queue)
    if qos.watchdog is not None:
        for leaf in ("enabled", "poll", "detect", "restore", "action"):
            value = getattr(qos.watchdog, leaf)
            if value is not None:
                time = leaf in {"poll", "detect", "restore"}
                yield f"watchdog.{leaf}", ("never" if value == NEVER and time else value, "ms" if time else "")


def _of_group(leaf: str, group: PriorityGroup) -> Iterator[tuple[str, Value]]:
    if group.headroom is not None:
        if group.headroom.amount is not None:
            yield f"{leaf}.headroom", amount(group.headroom.amount)
        else:
            none = group.headroom.by == "none"
            yield f"{leaf}.headroom", ("none" if none else f"made by the device ({group.headroom.by})", "")
    if isinstance(group.xoff_at, Static):
        yield f"{leaf}.xoff_at", amount(group.xoff_at.amount)
    elif isinstance(group.xoff_at, Dynamic):
        alpha = group.xoff_at.alpha
        yield f"{leaf}.xoff_at", (f"alpha {alpha}" if alpha is not None else f"index {group.xoff_at.index}", "")
    for name in ("xon_at", "xon_below", "reserved"):
        value = getattr(group, name)
        if value is not None:
            yield f"{leaf}.{name}", amount(value)


def _of_queue(leaf: str, queue: Queue) -> Iterator[tuple[str, Value]]:
    if queue.scheduler is not None:
        yield f"{leaf}.scheduler", (queue.scheduler, "")
    if queue.weight is not None:
        yield f"{leaf}.weight", (plain(queue.weight), "%" if (queue.weight_kind or "").startswith("percent") else "")
    if queue.ecn is not None:
        if not queue.ecn.curves:
            yield f"{leaf}.ecn", ("off", "")
        for curve in queue.ecn.curves[:1]:
            for name, value in (("kmin", curve.low), ("kmax", curve.high)):
                if value is not None:
                    yield f"{leaf}.ecn.{name}", amount(value)
            if curve.probability is not None:
                yield f"{leaf}.ecn.pmax", (curve.probability, "%")


def _of_nic(nic: Nic) -> Iterator[tuple[str, Value]]:
    for leaf, unit in (
        ("roce_version", ""), ("default_tos", ""), ("forced_tos", ""), ("cnp_dscp", ""), ("cnp_priority", ""),
        ("storm_timeout", "ms"), ("rdma_device", ""),
    ):  # fmt: skip
        value = getattr(nic, leaf)
        if value is not None:
            yield f"nic.{leaf}", ("never" if value == NEVER and unit == "ms" else value, unit)
    if nic.congestion_control is not None and nic.congestion_control.reacts is not None:
        yield "nic.congestion_control", (sorted(nic.congestion_control.reacts), "")
    for name, number in nic.congestion_control.parameters if nic.congestion_control is not None else ():
        yield f"nic.dcqcn.{name}", (number, dcqcn.UNITS.get(name, ""))


def amount(value: Amount) -> Value:
    """Return an amount as value and unit word."""
    if value.unit == "kbyte" and value.bytes is not None:
        return value.bytes, "B"
    return plain(value.value), _UNIT_WORDS.get(value.unit, value.unit)


def plain(value: Any) -> Any:
    """Return a value as JSON holds it."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if isinstance(value, frozenset):
        return sorted(value)
    return value


def shown(value: Any, unit: str = "") -> str:
    """Return a number as a person reads it: `91476 B`, `0-25,27-63 -> 0; 26 -> 3`."""
    if isinstance(value, dict):
        return _table_text(value)
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return f"{text} {unit}" if unit and unit != "%" else text + unit


def _table_text(table: Mapping[str, Any]) -> str:
    by_target: dict[str, list[int]] = {}
    for key, to in table.items():
        by_target.setdefault(shown(to), []).append(int(key))
    return "; ".join(f"{runs(keys)} -> {to}" for to, keys in by_target.items())


def runs(numbers: list[int]) -> str:
    """Return numbers as ranges: `0-25,27`."""
    parts: list[str] = []
    start = previous = None
    for number in [*sorted(numbers), None]:
        if previous is not None and number != previous + 1:
            parts.append(str(previous) if start == previous else f"{start}-{previous}")
            start = number
        start = number if start is None else start
        previous = number
    return ",".join(parts)
