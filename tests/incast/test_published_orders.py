"""HPCC (Li et al., SIGCOMM 2019) figures 2 and 3: what DCQCN's timers and thresholds do to PAUSE, throughput and latency.

The paper's workload in small: flows that were there before, and a burst of 60 senders with 500 kB each, or of a few
short messages. Numbers of its simulator's script (run.py): 100G, rises of 20 and 200 Mb/s, no rate below 1 Gb/s. Orders
only: the paper's network has more than one switch.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

pytest.importorskip("numpy")

from incasts import GIGABIT, MB, incast

from rocecfg.incast.model import run
from rocecfg.incast.numbers import Incast, changed

TIMERS = ((55, 50), (300, 4), (900, 4))
"""Between two rises, between two cuts, in microseconds: the DCQCN paper's, the vendor's, a slower one."""
RAMPS = ((400_000, 1_600_000), (100_000, 400_000), (12_000, 50_000))
"""Kmin and Kmax at 25G."""


def mixed(
    senders: int,
    message: int,
    background: int,
    timers: tuple[int, int] = (300, 4),
    ramp: tuple[int, int] = RAMPS[1],
    gigabits: int = 100,
    pool: int = 32 * MB,
    floor: int = 1_000,
) -> Incast:
    up, down = timers
    part = gigabits // 25
    case = incast(
        senders, rate=gigabits * GIGABIT, pool=pool, ramp=(ramp[0] * part, ramp[1] * part, Fraction(20)),
        min_time_between_cnps=0, rpg_time_reset=up, rate_reduce_monitor_period=down, rpg_ai_rate=5 * part,
        rpg_hai_rate=50 * part, rpg_min_rate=floor,
    )  # fmt: skip
    return changed(changed(case, "message", Fraction(message)), "background", Fraction(background))


def test_faster_rises_and_rarer_cuts_pause_more() -> None:
    """Figure 2: most PAUSE with 55/50, less with 300/4, no more than that with 900/4."""
    cells = [(pool * MB, background) for pool in (4, 8, 16, 32) for background in (0, 2, 8)]
    found = run([mixed(60, 500_000, b, timers, pool=pool) for pool, b in cells for timers in TIMERS], 5_000)
    for cell, (first, second, third) in zip(cells, zip(*[iter(found)] * 3, strict=True), strict=True):
        assert first.paused > 1.3 * second.paused, cell
        assert third.paused <= 1.05 * second.paused + 0.001, cell


def test_faster_rises_and_rarer_cuts_use_more_of_the_link() -> None:
    """Figure 2: without an incast flows are done sooner with 55/50 than with 300/4, last with 900/4."""
    cells = [(burst, background) for burst in ((1, 30_000), (4, 100_000)) for background in (2, 4, 8)]
    found = run([mixed(*burst, b, timers, floor=100) for burst, b in cells for timers in TIMERS], 10_000)
    for cell, (first, second, third) in zip(cells, zip(*[iter(found)] * 3, strict=True), strict=True):
        assert first.background > second.background > third.background, cell


@pytest.mark.parametrize("gigabits", [25, 100])
def test_lower_thresholds_cost_throughput(gigabits: int) -> None:
    """Figure 3: K = 400/1600, 100/400, 12/50 kB at 25G; what is left to long flows around a burst."""
    cells = (2, 4, 8)
    found = run(
        [mixed(8, 500_000, b, ramp=ramp, gigabits=gigabits, floor=100) for b in cells for ramp in RAMPS], 10_000
    )
    for cell, (high, middle, low) in zip(cells, zip(*[iter(found)] * 3, strict=True), strict=True):
        assert high.background > middle.background > low.background, cell


def test_higher_thresholds_cost_latency() -> None:
    """Figure 3: short messages wait longest behind the longest queue."""
    cells = [(burst, background) for burst in ((1, 30_000), (4, 100_000)) for background in (2, 4, 8)]
    found = run([mixed(*burst, b, ramp=ramp, floor=100) for burst, b in cells for ramp in RAMPS], 10_000)
    for cell, (high, middle, low) in zip(cells, zip(*[iter(found)] * 3, strict=True), strict=True):
        assert high.done_at is not None, cell
        assert middle.done_at is not None, cell
        assert low.done_at is not None, cell
        assert high.done_at > max(middle.done_at, low.done_at), cell
        assert high.settled > middle.settled > low.settled, cell


@pytest.mark.parametrize("senders", [2, 4, 8, 16])
def test_lower_thresholds_keep_shorter_queues(senders: int) -> None:
    """Figure 3, senders without end."""
    cases = [incast(senders, ramp=(*ramp, Fraction(20)), min_time_between_cnps=0) for ramp in RAMPS]
    high, middle, low = run(cases, 5_000)
    assert high.peak > middle.peak > low.peak
    assert high.settled > middle.settled > low.settled


def test_a_slower_increase_uses_less_of_the_link() -> None:
    """Figure 2, senders without end."""
    for senders in (8, 16, 32):
        first, second, third = run(
            [
                incast(
                    senders, min_time_between_cnps=0, rpg_time_reset=up, rate_reduce_monitor_period=down, pool=8 * MB
                )
                for up, down in TIMERS
            ],
            10_000,
        )
        assert first.used > second.used > third.used
