"""The stepped model: published vectors, the closed form, and the laws it must hold whatever the numbers."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction

import pytest

pytest.importorskip("numpy")

import numpy as np
from incasts import GIGABIT, MB, incast

from rocecfg.incast.judge import closed_form, settled
from rocecfg.incast.model import run
from rocecfg.incast.numbers import DEFAULTS, Incast, Ingress, Lane, Reaction, changed, spread

CELL = 254


# -- published vectors ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        ((), 120_117), ((120_117,), 60_096), ((120_117, 60_096), 30_085), ((120_117, 60_096, 30_085), 15_079),
        ((120_117, 60_096, 30_085, 15_079), 7_577), ((120_117, 60_096, 30_085, 15_079, 7_577), 3_825),
    ],
)  # fmt: skip
def test_tomahawk_5_pauses_where_the_hardware_does(held: tuple[int, ...], expected: int) -> None:
    """sonic-mgmt qos_params.th5: groups fill one after the other at alpha 1, cells; within two cells.

    What earlier groups hold is no longer in the pool. One sender, nothing drained, no ECN: PAUSE goes out when it
    holds half of what they left, and its minimum of 74 cells.
    """
    pool = 240_086 - sum(cells - 74 for cells in held)
    ingress = Ingress(800 * GIGABIT, 500, 10**9)
    one = Incast(
        1_000, (Lane(1, 1, 800e9, ingress),), pool * CELL, Fraction(1), None, None, 8_000, 8_000,
        Reaction({**DEFAULTS, "rpg_byte_reset": 0}), reserved=74 * CELL,
    )  # fmt: skip
    found = run([one], 500, step_us=0.1)[0]
    assert found.pause_at is not None
    assert abs(found.pause_at * 100_000 / CELL - expected) < 2


def test_a_fixed_threshold_pauses_at_its_bytes_and_a_full_pool_before_it() -> None:
    four = replace(incast(4, ramp=None), alpha=None, limit=1_000_000)
    alone, full, unknown = run([four, replace(four, pool=2_000_000), replace(four, pool=None)], 500)
    # 4 x 12.5 kB/us come, 12.5 leave: each group grows by 9.375 kB a microsecond.
    assert alone.pause_at == pytest.approx(1_000_000 / 9_375, rel=0.01)
    assert full.pause_at == pytest.approx(500_000 / 9_375, rel=0.01)
    assert unknown.pause_at == alone.pause_at


@pytest.mark.parametrize("senders", [2, 4, 8, 16, 32, 64])
def test_without_marks_pause_goes_out_when_the_closed_form_says(senders: int) -> None:
    case = incast(senders, ramp=None)
    earliest = case.earliest_pause_us()
    assert earliest is not None
    found = run([case], 2 * earliest + 50)[0]
    assert found.pause_at == pytest.approx(earliest, rel=0.02)


def test_the_published_prototype_table() -> None:
    """Notifications each 50 us: 32 senders pause after 198 us, 64 after 61; 16 peak at 15.4 MB without PAUSE."""
    sixteen, thirty_two, sixty_four = run([incast(n, min_time_between_cnps=50) for n in (16, 32, 64)], 1_000)
    assert sixteen.pause_at is None
    assert sixteen.peak == pytest.approx(15.4 * MB, rel=0.15)
    assert thirty_two.pause_at == pytest.approx(198, rel=0.15)
    assert sixty_four.pause_at == pytest.approx(61, rel=0.15)
    assert run([incast(32, min_time_between_cnps=4)], 280)[0].pause_at is None


def paper(senders: int) -> Incast:
    """The DCQCN paper's constants at 40G, small packets; the feedback loop of the fluid model is short."""
    case = incast(
        senders, rate=40 * GIGABIT, pool=1_000 * MB, alpha=Fraction(8), ramp=(5_000, 200_000, Fraction(1)), clamp=True,
        min_time_between_cnps=50, rate_reduce_monitor_period=50, rpg_time_reset=55, rpg_byte_reset=10 * MB,
        rpg_threshold=5, rpg_ai_rate=40, rpg_hai_rate=40, dce_tcp_g=1020, dce_tcp_rtt=55,
    )  # fmt: skip
    return replace(case, loop_ns=4_000)


@pytest.mark.parametrize("senders", [2, 4, 8])
def test_the_queue_settles_where_the_fluid_model_says(senders: int) -> None:
    found = run([paper(senders)], 60_000)[0]
    assert found.settled == pytest.approx(int(settled(paper(senders)).value), rel=0.25)


# -- laws -------------------------------------------------------------------------------------------------------------


def test_half_a_step_changes_little() -> None:
    cases = [incast(n, min_time_between_cnps=50) for n in (8, 16, 32, 64)]
    for whole, half in zip(run(cases, 280), run(cases, 280, step_us=0.5), strict=True):
        assert whole.peak == pytest.approx(half.peak, rel=0.1)
        assert (whole.pause_at is None) == (half.pause_at is None)
        if whole.pause_at is not None:
            assert whole.pause_at == pytest.approx(half.pause_at, rel=0.1)
            assert whole.headroom == pytest.approx(half.headroom, rel=0.1)


def _late(value: float | None) -> float:
    return float("inf") if value is None else value


@pytest.mark.parametrize(
    "cases",
    [
        [incast(32, min_time_between_cnps=50, pool=size * MB) for size in (4, 8, 16, 32, 64)],
        [incast(32, min_time_between_cnps=50, alpha=Fraction(1, part)) for part in (64, 16, 8, 2, 1)],
        [incast(n, min_time_between_cnps=50) for n in (128, 64, 48, 32)],
        [incast(n, ramp=None) for n in (256, 64, 16, 4, 2)],
    ],
    ids=["pool", "alpha", "senders", "senders without marks"],
)
def test_more_room_or_fewer_senders_pause_later(cases: list[Incast]) -> None:
    times = [_late(found.pause_at) for found in run(cases, 600)]
    assert times == sorted(times)
    assert times[0] < times[-1]


@pytest.mark.parametrize("pfc", [True, False])
def test_no_byte_is_lost_or_made(pfc: bool) -> None:
    cases = [
        incast(n, pool=size * MB, min_time_between_cnps=gap) for n, size, gap in ((3, 1, 50), (32, 4, 4), (64, 32, 50))
    ]
    seen = 0

    def watch(_: float, arrived: np.ndarray, served: np.ndarray, held: np.ndarray) -> None:
        nonlocal seen
        seen += 1
        np.testing.assert_allclose(arrived, served + held, rtol=1e-9, atol=1e-3)
        assert (held >= -1e-6).all()

    run(cases, 2_000, pfc=pfc, watch=watch)
    assert seen == 2_000


def test_messages_and_a_background_lose_no_byte_either() -> None:
    held_at_last = 0.0

    def watch(now: float, arrived: np.ndarray, served: np.ndarray, held: np.ndarray) -> None:
        nonlocal held_at_last
        held_at_last = float(held[0])
        if now > 0:
            np.testing.assert_allclose(arrived, served + held, rtol=1e-9, atol=1e-3)

    alone = changed(incast(16), "message", Fraction(200_000))
    beside = changed(changed(incast(16), "message", Fraction(200_000)), "background", Fraction(3))
    first, second = run([alone, beside], 4_000, watch=watch)
    assert first.used * 4_000 * 12_500 == pytest.approx(16 * 200_000, rel=1e-3), "what is sent, and no more"
    assert held_at_last < 1
    assert (first.background, first.fairness) == (0, pytest.approx(1))
    assert second.background > 0.5
    assert second.used <= 1 + 1e-9
    assert second.done_at is not None
    assert first.done_at is not None
    assert second.done_at > first.done_at >= 0.99 * (alone.ideal_us or 0)


def test_longer_messages_and_more_senders_take_longer() -> None:
    times = [
        found.done_at
        for cases in (
            [changed(incast(16), "message", Fraction(size)) for size in (20_000, 100_000, 500_000, 2_000_000)],
            [changed(incast(n), "message", Fraction(200_000)) for n in (2, 8, 32, 64)],
        )
        for found in run(cases, 9_000)
    ]
    assert None not in times
    assert times[:4] == sorted(times[:4])
    assert times[4:] == sorted(times[4:])
    assert run([changed(incast(16), "message", Fraction(10**9))], 1_000)[0].done_at is None


def test_half_a_step_changes_little_with_messages_and_a_background() -> None:
    cases = [
        changed(changed(incast(n, min_time_between_cnps=50), "message", Fraction(500_000)), "background", Fraction(2))
        for n in (16, 64)
    ]
    for whole, half in zip(run(cases, 8_000), run(cases, 8_000, step_us=0.5), strict=True):
        assert whole.peak == pytest.approx(half.peak, rel=0.1)
        assert whole.done_at == pytest.approx(half.done_at, rel=0.1)
        assert (whole.pause_at is None) == (half.pause_at is None)


def test_the_same_input_gives_the_same_bytes_alone_and_in_company() -> None:
    cases = [incast(n, min_time_between_cnps=gap) for n in (5, 32) for gap in (4, 50)]
    first, second = run(cases, 1_000, record=True), run(cases, 1_000, record=True)
    assert first == second
    for case, together in zip(cases, first, strict=True):
        alone = run([case], 1_000, record=True)[0]
        assert alone.pause_at == pytest.approx(together.pause_at) if alone.pause_at else together.pause_at is None
        assert alone.peak == pytest.approx(together.peak, rel=1e-6)


def test_headroom_holds_what_comes_until_the_peer_is_silent() -> None:
    """Line rate for 2 us at 100G: 25 kB a group, whatever the number of senders; less where they had slowed down."""
    flood, slowed = run([incast(64, ramp=None), incast(32, min_time_between_cnps=50)], 280)
    assert flood.headroom == pytest.approx(25_000, rel=0.1)
    assert flood.headroom_part == pytest.approx(25_000 / 60_000, rel=0.1)
    assert 0 < slowed.headroom < flood.headroom


def test_a_port_that_keeps_up_neither_marks_nor_pauses() -> None:
    found = run([incast(1)], 500)[0]
    assert (found.peak, found.pause_at, found.marked_at, found.pauses) == (0, None, None, 0)
    assert found.used == pytest.approx(1)


def test_every_count_of_senders_keeps_its_rate() -> None:
    ingress = Ingress(100 * GIGABIT, 2_000, 60_000)
    for ports, senders in ((1, 7), (3, 7), (64, 64), (63, 128), (300, 200), (300, 65_536)):
        lanes = spread([(port, ingress, 100 * GIGABIT) for port in range(ports)], senders)
        assert sum(lane.ports * lane.flows for lane in lanes) == senders
        assert sum(lane.ports for lane in lanes) == min(ports, senders)
        assert len(lanes) <= 66
        assert all(lane.flows * lane.rate <= 100 * GIGABIT * 1.000001 for lane in lanes)


def test_a_host_on_two_ports_and_slow_uplinks_cap_the_start() -> None:
    uplink = Ingress(100 * GIGABIT, 2_000, 60_000)
    lanes = spread([(0, uplink, 100 * GIGABIT), (0, uplink, 100 * GIGABIT), (1, uplink, 25 * GIGABIT)], 3)
    assert sorted((lane.flows, lane.rate / GIGABIT) for lane in lanes) == [(1, 25.0), (2, 50.0)]


def test_the_closed_form_of_layer_one() -> None:
    closed = closed_form(incast(16))
    assert closed.pause_depth == pytest.approx(21.33 * MB, rel=0.001)
    assert closed.earliest_us == pytest.approx(114, rel=0.01)
    assert closed.check is not None
    assert closed.check.holds


def test_a_sweep_costs_less_than_its_runs_one_by_one() -> None:
    cases = [incast(32, min_time_between_cnps=gap) for gap in range(4, 16)]
    start = time.process_time()
    run(cases, 400)
    together = time.process_time() - start
    start = time.process_time()
    for case in cases:
        run([case], 400)
    assert together < 0.7 * (time.process_time() - start)
