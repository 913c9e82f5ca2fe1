"""Numbers for forwarding classes: Junos names them, the neutral state counts them.

A class is numbered by its queue; the further classes of a queue are 8 and up. A lossless class has a priority
group of its own, numbered by the priority it pauses; all lossy classes share the lowest number that is left.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module

if TYPE_CHECKING:
    from vendors.junos.config import Config

_config = load_module(Path(__file__).with_name("config.py"))

PREDEFINED = {
    "best-effort": (0, False),
    "fcoe": (3, True),
    "no-loss": (4, True),
    "network-control": (7, False),
    "mcast": (8, False),
}
"""Classes that exist without a line: queue, no-loss (guide section 2; queues 0, 7, 8 inferred)."""
OTHER_PREDEFINED = frozenset(
    ("expedited-forwarding", "assured-forwarding", "be", "ef", "af", "nc", "be1", "ef1", "nc1",
     "mcast-be", "mcast-ef", "mcast-af", "mcast-nc")
)  # fmt: skip
"""Classes that other platforms or releases define themselves (MX, EX, short names): their queues differ."""
_TCS = 16


@dataclass(slots=True)
class Table:
    """Which number, queue and priority group each class has."""

    tc_of: dict[str, int] = field(default_factory=dict)
    queue_of: dict[str, int | None] = field(default_factory=dict)
    pg_of: dict[str, int] = field(default_factory=dict)
    lossless: dict[str, bool] = field(default_factory=dict)
    priority_of: dict[str, int | None] = field(default_factory=dict)
    tc_to_queue: tuple[int | None, ...] | None = None
    tc_to_pg: tuple[int | None, ...] | None = None


def number(config: Config) -> Table:
    """Return the numbers of a configuration's classes; adds predefined classes that it refers to."""
    _add_predefined(config)
    table = Table()
    taken: set[int] = set()
    extra = 8
    classes = [found for found in config.classes.values() if found.queue is None or found.queue < 8]
    for found in classes:
        if found.queue is not None and found.queue not in taken:
            tc = found.queue
            taken.add(tc)
        elif extra < _TCS:
            tc, extra = extra, extra + 1
        else:
            continue
        table.tc_of[found.name] = tc
        table.queue_of[found.name] = found.queue
        table.lossless[found.name] = found.no_loss
        table.priority_of[found.name] = found.priority
    _number_groups(table)
    if table.tc_of:
        queues = {tc: table.queue_of[name] for name, tc in table.tc_of.items()}
        groups = {tc: table.pg_of[name] for name, tc in table.tc_of.items()}
        table.tc_to_queue = tuple(queues.get(tc) for tc in range(_TCS))
        table.tc_to_pg = tuple(groups.get(tc) for tc in range(_TCS))
    return table


def _number_groups(table: Table) -> None:
    lossless = [name for name in table.tc_of if table.lossless[name]]
    used: set[int] = set()
    for name in lossless:
        priority = table.priority_of[name]
        if priority is not None:
            table.pg_of[name] = priority
            used.add(priority)
    for name in lossless:
        if name not in table.pg_of:
            free = [number for number in (table.tc_of[name], *range(8)) if number < 8 and number not in used]
            table.pg_of[name] = free[0] if free else 7
            used.add(table.pg_of[name])
    lossy = next((number for number in range(8) if number not in used), 7)
    for name in table.tc_of:
        table.pg_of.setdefault(name, lossy)


def _add_predefined(config: Config) -> None:
    named = {entry.forwarding_class for found in config.classifiers.values() for entry in found.codes.values()}
    named |= {name for schedulers in config.scheduler_maps.values() for name in schedulers}
    for name in sorted(named & set(PREDEFINED)):
        if name not in config.classes:
            queue, no_loss = PREDEFINED[name]
            config.classes[name] = _config.ForwardingClass(name, queue, no_loss, predefined=True)
