"""What display commands say of the state: PFC in operation, thresholds, ECN ramps, queue limits."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rocecfg.packs import load_module
from rocecfg.state.counters import number as counted
from rocecfg.state.model import Amount, Curve, Dynamic, Ecn, Headroom, Pfc, PriorityGroup, Queue, Static
from rocecfg.state.numbers import number_set, whole_number

_HERE = Path(__file__)
if TYPE_CHECKING:
    from rocecfg.state.grammar import Record
    from vendors.huawei.show_reader import Reader
else:
    Reader = load_module(_HERE.with_name("show_reader.py")).Reader

_CONFIG = load_module(_HERE.with_name("config.py"))
_COUNTERS = load_module(_HERE.with_name("show_counters.py"))
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


class _Buffer(Reader):
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
    value = whole_number(size, 1 << 31)
    if value is None:
        return None
    if unit == "D":
        return Dynamic(index=value)
    name, factor = _UNITS.get(unit, ("", 0))
    return Amount(value, name, None if factor is None else value * factor) if name else None  # type: ignore[arg-type]


class _Threshold(Reader):
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


class _AiEcn(Reader):
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


class _Dcb(Reader):
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


class _Usage(Reader):
    """`display qos buffer egress-usage`: what waits in each queue now, and the queue's limit (`*` = a dynamic one)."""

    def row(self, record: Record, number: int) -> bool:
        now, _, most = record.values["shared"].partition("/")
        waiting, limit, port = counted(now), counted(most.rstrip("*")), self.table.current
        if not port or self.queue is None or waiting is None or limit is None:
            return False
        self.table.tally.add(port, "queue_depth", waiting * _KILO, self.table.where(number), self.queue)
        fixed = Static(Amount(limit, "kbyte", limit * _KILO))
        self.place(f"queues.{self.queue}.limit", number)
        self.queues.setdefault(port, {})[self.queue] = Queue(limit=Dynamic(index=limit) if "*" in most else fixed)
        return True


class _Ingress(Reader):
    """`display qos buffer ingress-usage`: the thresholds of each lossless priority (`*` = a dynamic one)."""

    def row(self, record: Record, number: int) -> bool:
        words, port = record.values, self.table.current
        most = {name: words[name].partition("/")[2] for name in ("guaranteed", "xoff", "headroom") if name in words}
        sizes = {name: counted(word.rstrip("*")) for name, word in most.items()}
        if not port or self.queue is None or None in sizes.values():
            return False
        kbytes = {name: Amount(size, "kbyte", size * _KILO) for name, size in sizes.items() if size is not None}
        dynamic = Dynamic(index=sizes["xoff"]) if "*" in most["xoff"] else None
        headroom = kbytes.get("headroom")
        self.place(f"priority_groups.{self.queue}", number)
        self.groups.setdefault(port, {})[self.queue] = PriorityGroup(
            lossless=True,
            xoff_at=dynamic or Static(kbytes["xoff"]),
            headroom=Headroom(headroom, by="stated") if headroom is not None else None,
        )
        return True


class _Negotiated(Reader):
    """`display dcb status verbose`: the PFC priorities of both ends; what both have is what negotiation ended with."""

    def row(self, record: Record, number: int) -> bool:
        words = record.values
        if record.kind == "port":
            return True
        port = self.table.current
        mine, theirs = (_priorities(words[side]) for side in ("local", "remote"))
        if not port or mine is None or theirs is None:
            return False
        self.place("pfc", number)
        found = self.table.ports[port]
        pfc = replace(found.qos.pfc or Pfc(), oper=mine & theirs)
        self.table.ports[port] = replace(found, qos=replace(found.qos, pfc=pfc))
        return True


def _priorities(text: str) -> frozenset[int] | None:
    """Return the numbers of `3 4`, none for `-`; None for any other text."""
    if text.strip() == "-":
        return frozenset()
    found = number_set(text, 7)
    return None if found is None else frozenset(found)


READERS: dict[str, Any] = {
    "show-dcb": _Dcb,
    "show-pfc": _COUNTERS.Pfc,
    "show-pfc-buffer": _Buffer,
    "show-pfc-trigger": _COUNTERS.Trigger,
    "show-queues": _COUNTERS.Statistics,
    "show-marked": _COUNTERS.Marked,
    "show-ramps": _Threshold,
    "show-ai-ecn": _AiEcn,
    "show-headroom": _COUNTERS.Headroom,
    "show-egress": _Usage,
    "show-ingress": _Ingress,
    "show-ingress-drops": _COUNTERS.Dropped,
    "show-dcb-status": _Negotiated,
    "show-interface": _COUNTERS.Interface,
    "show-ets": _COUNTERS.Nothing,
    "show-uplink": _COUNTERS.Nothing,
    "show-profiles": _COUNTERS.Nothing,
}
