"""Deadlock times of family A: whole units of one interval for the device (a precision, no polling period)."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from rocecfg.packs import load_module
from rocecfg.state.model import NEVER

_FAMILY = load_module(Path(__file__).with_name("family.py"))


def units(detect: int, restore: int) -> tuple[int, int, int]:
    """Return interval and units that come nearest to two times in milliseconds, the smallest interval of equal ones.

    Detection takes 1 to 15 units, recovery up to 31; 0 units of recovery are none at all.
    """
    known = _FAMILY.limits()["intervals"]
    best: tuple[Fraction, tuple[int, int, int]] | None = None
    for interval in known["values"]:
        first = min(max(-(-detect // interval), 1), known["detect_units"])
        second = 0 if restore == NEVER else min(max(-(-restore // interval), 1), known["restore_units"])
        error = Fraction(abs(first * interval - detect), max(detect, 1))
        if second:
            error += Fraction(abs(second * interval - restore), max(restore, 1))
        if best is None or error < best[0]:
            best = (error, (interval, first, second))
    assert best is not None
    return best[1]
