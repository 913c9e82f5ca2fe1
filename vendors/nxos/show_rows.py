"""What single rows of the show commands of a Nexus mean: PFC detail, scheduling, pause buffers, watchdog times."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Amount, Headroom, Pfc, Port, PriorityGroup, Queue, Static
from rocecfg.state.numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.grammar import Record

_CONFIG = load_module(Path(__file__).with_name("config.py"))

OF_DETAIL = frozenset(("admin", "oper", "bitmap"))


def with_detail(port: Port, record: Record) -> Port:
    """Return a port with one line of the `detail` form."""
    pfc, words = port.qos.pfc or Pfc(), record.values
    if record.kind == "admin" and words["admin"].lower() in ("on", "off", "auto"):
        pfc = replace(pfc, admin=words["admin"].lower())  # type: ignore[arg-type]
    elif record.kind == "oper" and words["oper"].lower() == "off":
        pfc = replace(pfc, oper=frozenset())
    elif record.kind == "bitmap" and pfc.oper is None:
        pfc = replace(pfc, oper=bitmap(words["bitmap"]))
    return replace(port, qos=replace(port.qos, pfc=pfc))


def bitmap(word: str) -> frozenset[int] | None:
    """Return the priorities of "(8)" = bit 3. Longer ones stay unknown: nobody states whether they are hexadecimal."""
    if len(word) != 1 or not word.isascii() or not word.isdecimal():
        return None
    return frozenset(bit for bit in range(4) if int(word) >> bit & 1)


def served(words: Mapping[str, str]) -> dict[int, Queue]:
    """Return the queue of a scheduling row: a priority level is strict, a bandwidth a share (of what, is not shown)."""
    group = whole_number(words["group"], 7)
    if group is None:
        return {}
    level = whole_number(words["level"], 8)
    if level is not None:
        return {group: Queue("strict", rank=level)}
    return {group: Queue("weighted")} if words["bandwidth"].isdecimal() else {}


def buffer(words: Mapping[str, str]) -> dict[int, PriorityGroup]:
    """Return the priority group of a pause buffer row: size, pause threshold and resume threshold in bytes."""
    group = whole_number(words["group"], 7)
    size, pause, resume = (whole_number(words[name], 268_435_456) for name in ("size", "pause", "resume"))
    if group is None or size is None or pause is None or resume is None:
        return {}
    headroom = Headroom(Amount.of_bytes(max(0, size - pause)), by="stated")
    return {
        group: PriorityGroup(headroom=headroom, xoff_at=Static(Amount.of_bytes(pause)), xon_at=Amount.of_bytes(resume))
    }


MULTIPLIERS = frozenset(("shutdown", "auto_restore", "fixed_restore"))


def times(numbers: Mapping[str, int]) -> dict[str, Any]:
    """Return poll, detection and restoration of the global lines, in milliseconds, as far as they are shown."""
    poll = numbers.get("poll")
    if poll is None:
        return {}
    found: dict[str, Any] = {"poll": poll}
    if "shutdown" in numbers:
        found["detect"] = poll * numbers["shutdown"]
    if "auto_restore" in numbers:
        found["restore"] = poll * (numbers["auto_restore"] + numbers.get("fixed_restore", 0))
    return found
