"""Fits classification and the maps to queues and priority groups."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import CodeMap, Dynamic, PortQos, eight

if TYPE_CHECKING:
    from rocecfg.state.model import Device, Pfc, PriorityGroup, Trust
    from rocecfg.vendor.changes import Log

_BUFFERS = load_module(Path(__file__).with_name("buffers.py"))


@dataclass(frozen=True, slots=True)
class Shared:
    """What all ports share: the two maps of PFC priorities, and the lossy group."""

    queue_of: dict[int, int]
    group_of: dict[int, int]
    lossy: int

    def queues(self) -> tuple[frozenset[int] | None, ...]:
        """Return the whole map of PFC priorities to queues: planned ones, the others each its own."""
        return eight({priority: frozenset({self.queue_of.get(priority, priority)}) for priority in range(8)})

    def groups(self) -> tuple[frozenset[int] | None, ...]:
        """Return the whole map of PFC priorities to groups."""
        return eight({priority: frozenset({self.group_of.get(priority, priority)}) for priority in range(8)})


def shared(device: Device, known: dict[str, Any], log: Log) -> Shared:
    """Return the maps of PFC priorities that all ports have to agree on."""
    queue_of: dict[int, int] = {}
    group_of: dict[int, int] = {}
    for name, port in device.ports.items():
        for table, of, leaf in (
            (port.qos.priority_to_queue, queue_of, "priority_to_queue"),
            (port.qos.priority_to_pg, group_of, "priority_to_pg"),
        ):
            for priority, numbers in enumerate(table or ()):
                if numbers is None:
                    continue
                to = min(numbers, default=priority)
                if len(numbers) > 1 or of.setdefault(priority, to) != to:
                    because = "one map of PFC priorities is supported on a switch, one place for each priority"
                    log(
                        "refused",
                        leaf,
                        f"priority {priority} to {sorted(numbers)}",
                        of.get(priority, to),
                        because,
                        at=name,
                    )
    lossy = int(known["lossy_group"]["number"])
    return Shared(queue_of, group_of, lossy)


def mapped(qos: PortQos, of_all: Shared, log: Log) -> PortQos:
    """Return a port with whole maps: no code, class or priority is left to a default that nobody published."""
    trust: Trust = qos.trust or "dscp"
    rest = qos.default_tc or 0
    if qos.default_tc:
        log("dropped", "default_tc", qos.default_tc, "in the maps", "a packet without a mark has no command of its own")
    if qos.app_to_tc:
        log("dropped", "app_to_tc", f"{len(qos.app_to_tc)} entries", "none", "classification is by code point")
    if qos.dscp_to_colour is not None and any(qos.dscp_to_colour):
        log("dropped", "dscp_to_colour", "colours", "green", "every packet is green unless a policer colours it")
    if qos.rewrite:
        log("dropped", "rewrite", f"{len(qos.rewrite)} rewrites", "none", "egress maps are read, not rendered")
    return replace(
        qos,
        trust=trust,
        dscp_to_tc=_codes(qos.dscp_to_tc, 64, rest) if trust in ("dscp", "both") else None,
        pcp_to_tc=_codes(qos.pcp_to_tc, 8, rest) if trust in ("pcp", "both") else None,
        default_tc=None,
        dscp_to_colour=None,
        app_to_tc=None,
        rewrite=None,
        tc_to_queue=_classes_to_queues(qos, rest, log),
        tc_to_pg=_classes_to_groups(qos, of_all, log),
        priority_to_queue=of_all.queues(),
        priority_to_pg=of_all.groups(),
    )


def _codes(table: CodeMap | None, size: int, rest: int) -> CodeMap:
    stated = table.to if table is not None else (None,) * size
    return CodeMap(tuple(rest if to is None else to for to in stated))


def _classes_to_queues(qos: PortQos, rest: int, log: Log) -> tuple[int | None, ...]:
    planned = dict(enumerate(qos.tc_to_queue or ()))
    if any(queue is not None and tc > 7 for tc, queue in planned.items()):
        log("refused", "tc_to_queue", "classes above 7", "0 to 7", "a switch has eight traffic classes")
    fallback = planned.get(rest)
    queues = [planned.get(tc) if planned.get(tc) is not None else fallback or 0 for tc in range(8)]
    return (*queues, *([None] * 8))


def _lossless_groups(qos: PortQos, of_all: Shared) -> set[int]:
    pfc = qos.pfc
    priorities = (pfc.tx or frozenset()) if pfc is not None and pfc.admin != "off" else frozenset()
    return {of_all.group_of.get(priority, priority) for priority in priorities}


def _classes_to_groups(qos: PortQos, of_all: Shared, log: Log) -> tuple[int | None, ...]:
    """Return the group of each class: lossless ones as planned, all others in the lossy group."""
    lossless = _lossless_groups(qos, of_all)
    if of_all.lossy in lossless:
        because = f"priority group {of_all.lossy} is the lossy one of this system"
        log("refused", "tc_to_pg", f"lossless group {of_all.lossy}", "another group", because)
    planned = dict(enumerate(qos.tc_to_pg or ()))
    moved = {group for tc, group in planned.items() if tc < 8 and group is not None} - lossless - {of_all.lossy}
    if moved:
        because = f"lossy traffic has priority group {of_all.lossy} on this system"
        log("equalised", "tc_to_pg", f"lossy classes in group {sorted(moved)}", of_all.lossy, because)
    groups = [planned[tc] if planned.get(tc) in lossless else of_all.lossy for tc in range(8)]
    return (*groups, *([None] * 8))


def groups(qos: PortQos, pfc: Pfc | None, of_all: Shared, log: Log) -> tuple[PriorityGroup | None, ...] | None:
    """Return the priority groups as the switch carves them, and say what of the plan it works out itself."""
    if pfc is None:
        return _BUFFERS.groups(frozenset(), carved=True)  # type: ignore[no-any-return]
    lossless = frozenset(_lossless_groups(qos, of_all))
    for number in sorted(lossless):
        planned = qos.priority_group(number)
        if planned is not None:
            _note(planned, f"priority_groups.{number}", log)
    return _BUFFERS.groups(lossless, carved=True)  # type: ignore[no-any-return]


def _note(planned: PriorityGroup, at: str, log: Log) -> None:
    amount = planned.headroom.amount if planned.headroom is not None else None
    if amount is not None and amount.value:
        because = "the SKU's table gives headroom and thresholds, by speed and cable length"
        log("box-made", f"{at}.headroom", f"{amount.value} {amount.unit}s", "the table's", because)
    if planned.xoff_at is not None:
        limit = planned.xoff_at
        wanted = f"alpha {limit.alpha}" if isinstance(limit, Dynamic) else f"{limit.amount.value} {limit.amount.unit}s"
        because = "the thresholds of the SKU's lossless profile stay: how profiles are bound differs between releases"
        log("box-made", f"{at}.xoff_at", wanted, "the table's", because)
    for leaf, value in (("xon_at", planned.xon_at), ("xon_below", planned.xon_below), ("reserved", planned.reserved)):
        if value is not None:
            log("box-made", f"{at}.{leaf}", f"{value.value} {value.unit}s", "the table's", "as the headroom")
