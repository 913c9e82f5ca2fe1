"""What the rows of the display commands mean: counters of PFC, deadlocks and queues, thresholds, ECN ramps."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rocecfg.packs import load_module
from rocecfg.state.counters import number as counted
from rocecfg.state.model import (
    Amount,
    Curve,
    Dynamic,
    Ecn,
    Headroom,
    Pfc,
    PriorityGroup,
    Queue,
    Static,
    eight,
)

if TYPE_CHECKING:
    from rocecfg.state.grammar import Record
    from vendors.huawei.shows import Table

_CONFIG = load_module(Path(__file__).with_name("config.py"))
_UNITS = {"B": ("byte", 1), "K": ("kbyte", 1024), "M": ("mbyte", 1_048_576), "C": ("cell", None)}
_KILO = 1024
_T = TypeVar("_T", Queue, PriorityGroup)


def joined(mine: _T | None, theirs: _T | None) -> _T | None:
    """Return a queue or group of the configuration with the leaves that only the display output knows."""
    if mine is None or theirs is None:
        return mine or theirs
    changes = {
        item.name: getattr(theirs, item.name)
        for item in fields(mine)
        if getattr(mine, item.name) is None and getattr(theirs, item.name) is not None
    }
    made = replace(mine, **changes)
    if isinstance(made, Queue) and isinstance(theirs, Queue) and made.ecn is not None and theirs.ecn is not None:
        open_curve = made.ecn.curves and made.ecn.curves[0].low is None  # AI ECN: the box chose the limits
        return replace(made, ecn=replace(made.ecn, curves=theirs.ecn.curves)) if open_curve else made
    return made


class _Reader:
    """Takes the rows of one command into a table."""

    def __init__(self, table: Table) -> None:
        """Begin with no queue seen."""
        self.table = table
        self.queue: int | None = None
        self.queues: dict[str, dict[int, Queue]] = {}
        self.groups: dict[str, dict[int, PriorityGroup]] = {}

    def take(self, record: Record, number: int) -> bool:
        """Take one line; False when it does not fit what stands above it."""
        if record.kind == "known":
            return True
        words = record.values
        if "port" in words and not self.table.open(words["port"], number):
            return False
        if "queue" in words:
            self.queue = _CONFIG.number_in(words["queue"], 0, 7)
            if self.queue is None:
                return False
        return self.row(record, number)

    def row(self, record: Record, number: int) -> bool:
        """Take a row of the table."""
        raise NotImplementedError

    def count(self, counter: str, word: str, number: int, *, single: bool = False) -> None:
        """Note a counter of the current port and queue."""
        if self.table.current:
            at = None if single else self.queue
            self.table.tally.add(self.table.current, counter, counted(word), self.table.where(number), at)

    def place(self, leaf: str, number: int) -> None:
        """Note the line that shows a leaf of the current port."""
        port = self.table.ports[self.table.current]
        self.table.ports[port.name] = replace(port, places={**port.places, leaf: self.table.where(number)})

    def finish(self) -> None:
        """Put the queues and groups that were seen on their ports."""
        for name, port in self.table.ports.items():
            queues, groups = self.queues.get(name), self.groups.get(name)
            if queues or groups:
                qos = replace(
                    port.qos,
                    queues=eight(queues) if queues else None,
                    priority_groups=eight(groups) if groups else None,
                )
                self.table.ports[name] = replace(port, qos=qos)


class _Pfc(_Reader):
    """`display dcb pfc`: two lines a queue, received above transmitted, deadlocks above recoveries."""

    def row(self, record: Record, number: int) -> bool:
        words = record.values
        if self.queue is None:
            return False
        if record.kind == "second":
            self.count("tx_pfc", words["frames"], number)
            self.count("storms_restored", words.get("deadlocks", ""), number)
            return True
        self.count("rx_pfc", words["frames"], number)
        self.count("storms", words.get("deadlocks", ""), number)
        return True


class _Buffer(_Reader):
    """`display dcb pfc buffer`: the thresholds in effect, with a letter for the unit."""

    def row(self, record: Record, number: int) -> bool:
        words, port = record.values, self.table.current
        sizes = {name: _value(word) for name, word in words.items() if name not in {"port", "queue"}}
        if not port or self.queue is None or None in sizes.values():
            return False
        xoff, xon, below = sizes["xoff"], sizes.get("xon"), sizes.get("offset")
        headroom, reserved = sizes.get("headroom"), sizes.get("guaranteed")
        self.place(f"priority_groups.{self.queue}", number)
        self.groups.setdefault(port, {})[self.queue] = PriorityGroup(
            lossless=True,
            headroom=Headroom(headroom, by="stated") if isinstance(headroom, Amount) else None,
            xoff_at=Static(xoff) if isinstance(xoff, Amount) else xoff,
            xon_at=xon if isinstance(xon, Amount) else None,
            xon_below=below if isinstance(below, Amount) else None,
            reserved=reserved if isinstance(reserved, Amount) else None,
        )
        return True


def _value(word: str) -> Amount | Dynamic | None:
    """Return `6(K)`, `1600(B)`, `3(D)` as what it is; `-` is a value that is not set."""
    size, _, unit = word.rstrip(")").partition("(")
    value = _CONFIG.number_in(size, 0, 1 << 31)
    if value is None:
        return None
    if unit == "D":
        return Dynamic(index=value)
    name, factor = _UNITS.get(unit, ("", 0))
    return Amount(value, name, None if factor is None else value * factor) if name else None  # type: ignore[arg-type]


class _Trigger(_Reader):
    """`display dcb pfc deadlock trigger status`: queues whose PFC was turned off for too many deadlocks."""

    def row(self, record: Record, number: int) -> bool:
        port, status = self.table.current, record.values["status"]
        if not port or self.queue is None:
            return False
        off = status.lower() in {"turnoff", "errordown"}
        self.table.tally.storm(port, self.queue, self.table.where(number), now=off)
        return True


class _Statistics(_Reader):
    """`display qos queue statistics`: two lines a queue, packets above bytes."""

    def row(self, record: Record, number: int) -> bool:
        words = record.values
        if self.queue is None or not self.table.current:
            return record.kind == "port"
        if record.kind == "second":
            self.count("queue_bytes", words["passed"], number)
            self.count("queue_drop_bytes", words["dropped"], number)
        elif record.kind == "first":
            self.count("queue_packets", words["passed"], number)
            self.count("queue_drops", words["dropped"], number)
        return True


class _Marked(_Reader):
    """`display qos ecn statistics`: one total for each interface."""

    def row(self, record: Record, number: int) -> bool:
        if "count" in record.values:
            self.count("marked_total", record.values["count"], number, single=True)
        return bool(self.table.current)


class _Threshold(_Reader):
    """`display qos ecn threshold`: the ramp of each queue in effect; all zero = no ECN."""

    def row(self, record: Record, number: int) -> bool:
        words, port = record.values, self.table.current
        low, high, top = (counted(words[name].strip("*[]")) for name in ("low", "high", "probability"))
        if not port or self.queue is None or low is None or high is None or top is None:
            return False
        curve = Curve(Amount(low, "kbyte", low * _KILO), Amount(high, "kbyte", high * _KILO), top)
        self.place(f"queues.{self.queue}.ecn", number)
        self.queues.setdefault(port, {})[self.queue] = Queue(ecn=Ecn((curve,) if high else ()))
        return True


class _AiEcn(_Reader):
    """`display ai-ecn calculated state`: the ramp that AI ECN works with now, in bytes."""

    def row(self, record: Record, number: int) -> bool:
        words, port = record.values, self.table.current
        low, high, top = (counted(words[name]) for name in ("low", "high", "probability"))
        if not port or self.queue is None or low is None or high is None or top is None:
            return False
        curve = Curve(Amount.of_bytes(low), Amount.of_bytes(high), top)
        self.place(f"queues.{self.queue}.ecn", number)
        self.queues.setdefault(port, {})[self.queue] = Queue(ecn=Ecn((curve,)))
        return True


class _Dcb(_Reader):
    """`display dcb`: whether PFC is on and what negotiation ended with."""

    def row(self, record: Record, number: int) -> bool:
        status, port = record.values["status"].upper(), self.table.current
        mode = {"(A)": "auto", "(M)": "on"}.get(status[-3:])
        if status not in {"-", "DISABLE"} and mode is None:
            return False
        pfc = Pfc(admin=mode or "off")  # type: ignore[arg-type]
        if mode == "auto" and not status.startswith("ENABLE"):
            pfc = replace(pfc, oper=frozenset())
        self.place("pfc.admin", number)
        found = self.table.ports[port]
        self.table.ports[port] = replace(found, qos=replace(found.qos, pfc=pfc))
        return True


class _Nothing(_Reader):
    """An output that is understood and says nothing of a port."""

    def take(self, record: Record, number: int) -> bool:
        """Take every line of a known shape."""
        return bool(record.kind and number)


READERS: dict[str, Any] = {
    "show-dcb": _Dcb,
    "show-pfc": _Pfc,
    "show-pfc-buffer": _Buffer,
    "show-pfc-trigger": _Trigger,
    "show-queues": _Statistics,
    "show-marked": _Marked,
    "show-ramps": _Threshold,
    "show-ai-ecn": _AiEcn,
    "show-ets": _Nothing,
    "show-uplink": _Nothing,
    "show-profiles": _Nothing,
}
