"""PFC watchdog timers: above the longest pause that can be legitimate, below the patience of the application."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rocecfg.physics.derived import Derived, round_up
from rocecfg.physics.headroom import GIGABIT, QUANTUM_BYTES
from rocecfg.units import print_rate

DETECT_MS = 200
LEAST_DETECT_MS = 100
STEP_MS = 100
SAFETY = 20
"""A storm is declared after twenty times the longest legitimate pause."""
LONGEST_PAUSE_QUANTA = 65_535
RETRY_BUDGET_MS = 469
"""InfiniBand timeout 14 (4.096 us x 2^14 = 67.1 ms) times 7 retries: then queue pairs break."""
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
    notes: tuple[str, ...] = ()


def drain_us(rate: int, pool: int) -> Fraction:
    """Return how long a port of `rate` bit/s needs to drain `pool` bytes, in microseconds."""
    return Fraction(pool * 8 * 1_000_000, rate)


def longest_frame_us(rate: int) -> Fraction:
    """Return how long one PAUSE frame can hold a link, in microseconds: 65,535 quanta."""
    return Fraction(LONGEST_PAUSE_QUANTA * QUANTUM_BYTES * 8 * 1_000_000, rate)


def timers(
    rate: int,
    detect_ms: int | None = None,
    pool: int | None = None,
    retry_budget_ms: int = RETRY_BUDGET_MS,
    restore_ms: int | None = None,
) -> Timers:
    """Return the timers of a port: `rate` in bit/s, `pool` the bytes one congested port may hold (None = unknown).

    `detect_ms` None: the common default of 200 ms, or more where the pool drains slowly. `restore_ms`: a stated
    restoration time, None = twice the detection time.
    """
    drained = 0 if pool is None else round_up(SAFETY * drain_us(rate, pool) / 1000)
    detect = max(round_up(drained, STEP_MS), DETECT_MS) if detect_ms is None else detect_ms
    poll = Derived(detect // 2, "ms", f"half of the {detect} ms detection time: two polls see the same stall")
    if restore_ms is not None and restore_ms < poll.value:
        poll = Derived(restore_ms, "ms", "the stated restoration time: no poll takes longer than what it times")
    return Timers(
        poll,
        Derived(detect, "ms", _why_detect(rate, detect, pool), sources=SOURCES),
        Derived(2 * detect, "ms", "twice the detection time: a shorter one flaps under a live storm"),
        tuple(_notes(detect, drained, retry_budget_ms)),
    )


def _why_detect(rate: int, detect: int, pool: int | None) -> str:
    longest = f"one PAUSE can hold a {Fraction(rate, GIGABIT)}G link for {float(longest_frame_us(rate)):.0f} us"
    if pool is None:
        return (
            f"{longest} and a full pool drains in a few ms, so {detect} ms without a packet is a storm; common default"
            " of two vendors"
        )
    drain = float(drain_us(rate, pool)) / 1000
    return (
        f"{longest}, and the {pool} B that one congested port may hold drain in {drain:.1f} ms at {print_rate(rate)}:"
        f" {detect} ms is {detect / drain if drain else 0:.0f} x that"
    )


def _notes(detect: int, drained: int, budget: int) -> list[str]:
    notes = []
    if detect < LEAST_DETECT_MS:
        notes.append(f"{detect} ms is below {LEAST_DETECT_MS} ms: a host that stalls on PCIe looks like a storm")
    if detect < drained:
        notes.append(
            f"{detect} ms is less than {SAFETY} x the time a congested port drains in: {drained} ms would be safe"
        )
    if detect >= budget:
        notes.append(
            f"{detect} ms is not below the application's retry budget of {budget} ms: queue pairs break before the"
            " watchdog acts; raise timeout or retry count"
        )
    return notes
