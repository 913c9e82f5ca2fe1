"""What one row of an `nv show` table says, by the heads of the table: settings as (section, path ..., value).

Each reader returns None for a row whose values make no sense.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Settings = list[tuple[tuple[str, ...], str]]
    Reader = Callable[[Mapping[str, str], str], "Settings | None"]

amounts = load_module(Path(__file__).with_name("amounts.py"))
facts_module = load_module(Path(__file__).with_name("facts.py"))

ALL = facts_module.EVERY_PORT
EIGHT = frozenset("01234567")
QUEUES = "egress-queue-mapping"
SECTIONS = ("congestion-control", "egress-scheduler", QUEUES, "remark", "mapping", "egress-shaper")
"""Sections whose objects are also shown one class, priority or code at a time."""
NO_RATE = "2147483647"
"""What a shaper shows that limits nothing."""
_SWITCH = {"enable": "enable", "enabled": "enable", "disable": "disable", "disabled": "disable"}


def reader_of(heads: set[str]) -> Reader | None:
    """Return the reader of a table with these heads, None when its rows set nothing we know."""
    return next((reader for wanted, reader in _READERS if wanted <= heads), None)


def _numbers(cell: str) -> list[str] | None:
    """Return the numbers of `0,1,2`, none for `-`; None when the cell holds anything else."""
    if cell in {"-", ""}:
        return []
    numbers = [whole_number(part, 63) for part in cell.split(",")]
    return None if None in numbers else list(map(str, numbers))


def _ramp(cells: Mapping[str, str], _: str) -> Settings | None:
    number, low, high, pmax = (cells.get(head, "") for head in ("traffic-class", "Min Th", "Max Th", "Probability"))
    ecn, red = _SWITCH.get(cells["ECN"]), _SWITCH.get(cells.get("RED", ""))
    sound = number in EIGHT and ecn and red and amounts.amount(low) and amounts.amount(high)
    if not sound or whole_number(pmax, 100) is None:
        return None
    words = {"ecn": ecn, "red": red, "min-threshold": low, "max-threshold": high, "probability": pmax}
    return [(("congestion-control", "traffic-class", number, word), str(value)) for word, value in words.items()]


def _queue_map(cells: Mapping[str, str], _: str) -> Settings | None:
    priority, queue = cells["switch-priority"], cells["traffic-class"]
    if priority not in EIGHT or queue not in EIGHT:
        return None
    return [((QUEUES, "switch-priority", priority, "traffic-class"), queue)]


def _code(kind: str, head: str) -> Reader:
    def read_code(cells: Mapping[str, str], _: str) -> Settings | None:
        code, priority = whole_number(cells[head], 63 if kind == "dscp" else 7), cells["switch-priority"]
        if priority not in EIGHT or code is None:
            return None
        return [(("mapping", kind, str(code), "switch-priority"), priority)]

    return read_code


def _codes(cells: Mapping[str, str], _: str) -> Settings | None:
    dscps, pcp, priority = (_numbers(cells.get(head, "")) for head in ("dscp", "pcp", "switch-prio"))
    if dscps is None or pcp is None or priority is None or len(priority) != 1 or not set(pcp + priority) <= EIGHT:
        return None
    return [
        (("mapping", kind, code, "switch-priority"), priority[0])
        for kind, codes in (("pcp", pcp), ("dscp", dscps))
        for code in codes
    ]


def _mark(cells: Mapping[str, str], _: str) -> Settings | None:
    priority, marks = cells["switch-priority"], {"pcp": cells["pcp"], "dscp": cells["dscp"]}
    if priority not in EIGHT or any(mark and _numbers(mark) is None for mark in marks.values()):
        return None
    return [(("remark", "switch-priority", priority, kind), mark) for kind, mark in marks.items() if mark.isdecimal()]


def _shares(cells: Mapping[str, str], _: str) -> Settings | None:
    priority, queue, share = (cells.get(head, "") for head in ("switch-prio", "traffic-class", "scheduler-weight"))
    weight = re.fullmatch(r"dwrr-([0-9]{1,3})%", share, re.IGNORECASE)
    strict = share in {"strict priority", "strict-priority"}
    if priority not in EIGHT or queue not in EIGHT or not (weight or strict):
        return None
    path = ("egress-scheduler", "traffic-class", queue)
    found: Settings = [
        ((QUEUES, "switch-priority", priority, "traffic-class"), queue),
        ((*path, "mode"), "dwrr" if weight else "strict"),
    ]
    return [*found, ((*path, "bw-percent"), weight[1])] if weight else found


def _scheduler(cells: Mapping[str, str], _: str) -> Settings | None:
    queue, mode, percent = (cells.get(head, "") for head in ("traffic-class", "mode", "bw-percent"))
    sound = mode == "strict" or (mode == "dwrr" and whole_number(percent, 100) is not None)
    if queue not in EIGHT or not sound:
        return None
    path = ("egress-scheduler", "traffic-class", queue)
    found: Settings = [((*path, "mode"), mode)]
    return found if mode == "strict" else [*found, ((*path, "bw-percent"), percent)]


def _shaper(cells: Mapping[str, str], _: str) -> Settings | None:
    queue, low, high = (cells.get(head, "") for head in ("traffic-class", "min-rate(kbps)", "max-rate(kbps)"))
    if queue not in EIGHT or not (low.isdecimal() and high.isdecimal() and len(low + high) < 24):
        return None
    path = ("egress-shaper", "traffic-class", queue)
    return [((*path, word), rate) for word, rate in (("min-rate", low), ("max-rate", high)) if rate != NO_RATE]


def _service_pool(cells: Mapping[str, str], asked: str) -> Settings | None:
    direction = next((word for word in ("ingress", "egress") if word in asked), "")
    number, percent, mode = (cells.get(head, "") for head in ("Pool-Id", "memory-percent", "mode"))
    pool, share = whole_number(number, 15), whole_number(percent, 100)
    if not direction or pool is None:
        return None
    path = ("advance-buffer-config", f"{direction}-service-pool", str(pool))
    found: Settings = []
    if share is not None:
        found.append(((*path, "memory-percent"), str(share)))
    if mode in {"static", "dynamic"}:
        found.append(((*path, "mode"), mode))
    return found


_READERS: tuple[tuple[frozenset[str], Reader], ...] = (
    (frozenset({"traffic-class", "ECN"}), _ramp),
    (frozenset({"traffic-class", "mode", "bw-percent"}), _scheduler),
    (frozenset({"traffic-class", "min-rate(kbps)", "max-rate(kbps)"}), _shaper),
    (frozenset({"switch-priority", "traffic-class"}), _queue_map),
    (frozenset({"switch-priority", "pcp", "dscp"}), _mark),
    (frozenset({"802.1p", "switch-priority"}), _code("pcp", "802.1p")),
    (frozenset({"dscp", "switch-priority"}), _code("dscp", "dscp")),
    (frozenset({"DSCP", "switch-priority"}), _code("dscp", "DSCP")),
    (frozenset({"switch-prio", "dscp"}), _codes),
    (frozenset({"switch-prio", "scheduler-weight"}), _shares),
    (frozenset({"Pool-Id", "memory-percent", "mode"}), _service_pool),
)
