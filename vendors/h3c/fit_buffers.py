"""Fits ingress buffers: headroom, triggers and reserves of the lossless priorities, in whole cells."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import Amount, Dynamic, Headroom, PriorityGroup, Static

if TYPE_CHECKING:
    from rocecfg.vendor.changes import Log
    from vendors.h3c.fit import System

_RATIOS = load_module(Path(__file__).with_name("ratios.py"))
_FACTOR = {"byte": 1, "kbyte": 1000, "mbyte": 1_000_000}


def cells(amount: Amount | None, leaf: str, system: System, log: Log) -> int | None:
    """Return a threshold in cells, rounded down: marking and pausing never begin later than planned."""
    if amount is None:
        return None
    if amount.unit == "cell":
        return int(amount.value)
    size = amount.value * _FACTOR[amount.unit] if amount.unit in _FACTOR else amount.bytes
    if size is None:
        log("refused", leaf, f"{amount.value} {amount.unit}", "none", "limits are numbers of cells")
        return None
    count = int(Fraction(size) // system.cell)
    log("quantised" if system.cell_known else "chosen", leaf, f"{size} B", f"{count} cells", system.cell_because)
    return count


def rounded_up(amount: Amount, leaf: str, system: System, log: Log) -> Amount:
    """Return an amount in whole cells, no smaller than planned."""
    if amount.unit == "cell":
        return _cells_of(int(amount.value), system)
    size = amount.value * _FACTOR[amount.unit] if amount.unit in _FACTOR else amount.bytes
    if size is None:
        log("refused", leaf, f"{amount.value} {amount.unit}", "none", "buffers are numbers of cells")
        return Amount(0, "cell")
    count = int(-(-Fraction(size) // system.cell))
    log("quantised" if system.cell_known else "chosen", leaf, f"{size} B", f"{count} cells", system.cell_because)
    return _cells_of(count, system)


def _cells_of(count: int, system: System) -> Amount:
    """Return a number of cells, with its bytes where the model's cell is known."""
    return Amount(count, "cell", count * system.cell if system.cell_known else None)


def fit_group(number: int, planned: PriorityGroup | None, lossless: bool, system: System, log: Log) -> PriorityGroup:
    at = f"priority_groups.{number}"
    if not lossless:
        if planned is not None and planned.lossless:
            log("dropped", at, "lossless", "lossy", "without PFC on its priority a buffer is not lossless")
        return PriorityGroup(lossless=False)
    group = planned or PriorityGroup()
    amount = group.headroom.amount if group.headroom is not None else None
    headroom = (
        Headroom(rounded_up(amount, f"{at}.headroom", system, log), by="stated")
        if amount is not None
        else Headroom(by="box")
    )
    if amount is None and not (group.headroom is not None and group.headroom.by == "box"):
        log(
            "box-made",
            f"{at}.headroom",
            "open",
            "the system's own",
            "the system keeps a default headroom for a PFC priority",
        )
    if group.mtu is not None:
        log("dropped", f"{at}.mtu", f"{group.mtu} B", "none", "a priority has no MTU of its own")
    trigger = _trigger(group, system, log, at)
    return PriorityGroup(
        lossless=True,
        headroom=headroom,
        xoff_at=trigger,
        xon_below=_offset(group, trigger, system, log, at),
        reserved=rounded_up(group.reserved, f"{at}.reserved", system, log) if group.reserved is not None else None,
    )


def _trigger(group: PriorityGroup, system: System, log: Log, at: str) -> Dynamic | Static | None:
    wanted = group.xoff_at
    if isinstance(wanted, Static):
        count = cells(wanted.amount, f"{at}.xoff_at", system, log)
        count = None if count is None else max(count, 1)
        return None if count is None else Static(_cells_of(count, system))
    if wanted is None:
        return None
    if wanted.alpha is None:
        log(
            "dropped",
            f"{at}.xoff_at",
            f"index {wanted.index}",
            "the system's own",
            "ingress-buffer dynamic takes a percentage",
        )
        return None
    percent, alpha = _RATIOS.percent_of(wanted.alpha)
    if alpha != wanted.alpha:
        because = f"the chip knows powers of two from 1/128 to 8: ingress-buffer dynamic {percent}"
        log("quantised", f"{at}.xoff_at", f"alpha {wanted.alpha}", f"alpha {alpha}", because)
    return Dynamic(alpha)


def _offset(group: PriorityGroup, trigger: Dynamic | Static | None, system: System, log: Log, at: str) -> Amount | None:
    """Return how far below the trigger sending resumes."""
    if group.xon_below is not None:
        return rounded_up(group.xon_below, f"{at}.xon_below", system, log)
    if group.xon_at is None:
        return None
    resume = cells(group.xon_at, f"{at}.xon_at", system, log)
    if isinstance(trigger, Static) and resume is not None:
        offset = max(int(trigger.amount.value) - resume, 1)
        log(
            "quantised",
            f"{at}.xon_at",
            f"at {resume} cells",
            f"{offset} cells below the trigger",
            "ingress-threshold-offset is a distance",
        )
        return _cells_of(offset, system)
    because = "ingress-threshold-offset is a distance below a trigger, and a moving trigger has no fill to resume at"
    log("dropped", f"{at}.xon_at", "a fill", "the system's own", because)
    return None
