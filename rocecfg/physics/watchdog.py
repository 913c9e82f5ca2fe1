"""PFC watchdog timers from the longest pause that can be legitimate."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rocecfg.physics.derived import Derived
from rocecfg.physics.headroom import GIGABIT, QUANTUM_BYTES

DETECT_MS = 200
LONGEST_PAUSE_QUANTA = 65_535
SOURCES = (
    "sonic-net/sonic-utilities pfcwd/main.py start_default: detection 200 ms",
    "Juniper, PFC Watchdog: 100 ms poll, 2 polls",
)


@dataclass(frozen=True, slots=True)
class Timers:
    """Poll, detection and restoration time in milliseconds."""

    poll: Derived
    detect: Derived
    restore: Derived


def timers(rate: int, detect_ms: int = DETECT_MS) -> Timers:
    """Return the timers of a port: `rate` in bit/s."""
    longest_us = Fraction(LONGEST_PAUSE_QUANTA * QUANTUM_BYTES * 8 * 1_000_000, rate)
    return Timers(
        Derived(detect_ms // 2, "ms", f"half of the {detect_ms} ms detection time: two polls see the same stall"),
        Derived(
            detect_ms,
            "ms",
            f"one PAUSE can hold a {Fraction(rate, GIGABIT)}G link for {float(longest_us):.0f} us and a full pool"
            f" drains in a few ms, so {detect_ms} ms without a packet is a storm; common default of two vendors",
            sources=SOURCES,
        ),
        Derived(2 * detect_ms, "ms", "twice the detection time: a shorter one flaps under a live storm"),
    )
