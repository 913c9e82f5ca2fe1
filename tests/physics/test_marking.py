"""ECN before PFC, the clamp, where DCQCN settles, and the timers of NIC and watchdog."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocecfg.physics import dcqcn, ecn, published, watchdog
from rocecfg.physics.derived import Derived
from rocecfg.physics.headroom import GIGABIT
from rocecfg.physics.marking import Shared, clamp, fan_in, fan_out, overshoot, settles_at

FABRIC_RTT = 8_000
SMALL_POOL = Shared(10_900_000, Fraction(1, 64))
PAPER_REACTION = dcqcn.Reaction(40, 55, 10_000_000, 55)


def test_one_sender_reaches_pause_before_a_late_ramp() -> None:
    """Tomahawk, 10.9 MB, alpha 1/64: PAUSE at 167 kB, so SONiC's Kmin of 1 MiB never marks."""
    check = fan_in(1_048_576, 100 * GIGABIT, FABRIC_RTT, SMALL_POOL, 1)
    assert check.right == pytest.approx(167_000, abs=1_000)
    assert not check.holds
    assert fan_in(100_000, 100 * GIGABIT, FABRIC_RTT, SMALL_POOL, 1).holds


def test_fan_out_of_the_dcqcn_paper() -> None:
    """Trident II: B' 6.27 MB, M = 32, P = 8, alpha 1: Kmin below 21.8 kB."""
    check = fan_out(21_000, Shared(6_265_600, Fraction(1)), 32, 8)
    assert check.right == pytest.approx(21_750, abs=50)
    assert check.holds
    assert not fan_out(22_000, Shared(6_265_600, Fraction(1)), 32, 8).holds


def test_fan_in_and_fan_out_agree_for_one() -> None:
    shared = Shared(64_000_000, Fraction(1, 2))
    assert fan_in(1, 100 * GIGABIT, FABRIC_RTT, shared, 1).right == fan_out(1, shared, 1).right


def test_the_overshoot_of_sixteen_senders() -> None:
    """15 x 12.5 B/ns x (8 + 5) us."""
    assert overshoot(100 * GIGABIT, FABRIC_RTT, 16) == 15 * 162_500


def test_a_roomy_box_keeps_the_ramp() -> None:
    made = ecn.ramp(400 * GIGABIT, FABRIC_RTT, "balanced", 4200)
    assert clamp(made, 400 * GIGABIT, FABRIC_RTT, Shared(100_000_000, Fraction(1)), 16, 4200) is made


def test_a_tight_box_lowers_the_ramp_and_says_from_where() -> None:
    made = ecn.ramp(100 * GIGABIT, FABRIC_RTT, "balanced", 4200)
    # 0.8 x 16/17 x 3.5 MB = 2,635,294 B, less 15 x 162,500 B of overshoot: 197,794 B
    tight = clamp(made, 100 * GIGABIT, FABRIC_RTT, Shared(3_500_000, Fraction(1)), 16, 4200)
    assert tight.kmax.value == 197_000
    assert tight.kmin.value == 49_000
    assert "lowered from 400000 B" in tight.kmax.because


def test_a_hopeless_box_keeps_the_ramp_and_says_so() -> None:
    made = ecn.ramp(100 * GIGABIT, FABRIC_RTT, "balanced", 4200)
    found = clamp(made, 100 * GIGABIT, FABRIC_RTT, Shared(1_000_000, Fraction(1, 8)), 64, 4200)
    assert (found.kmin.value, found.kmax.value) == (made.kmin.value, made.kmax.value)
    assert "raise alpha" in found.kmax.because


@given(st.sampled_from([25, 100, 400, 800]), st.integers(10**5, 10**9), st.integers(1, 256))
def test_a_clamped_ramp_stays_a_ramp_and_never_rises(gigabits: int, size: int, senders: int) -> None:
    made = ecn.ramp(gigabits * GIGABIT, FABRIC_RTT, "balanced", 4200)
    found = clamp(made, gigabits * GIGABIT, FABRIC_RTT, Shared(size, Fraction(1)), senders, 4200)
    assert 5 * 4200 <= found.kmin.value < found.kmax.value <= made.kmax.value
    assert found.kmin.value <= made.kmin.value


@pytest.mark.parametrize(("flows", "kilobytes"), [(2, 23), (4, 50), (8, 119)])
def test_the_fixed_point_of_the_fluid_model(flows: int, kilobytes: int) -> None:
    """40G, Kmin 5 kB, Kmax 200 kB, Pmax 1 %, the paper's parameters; integrating gives 20, 42 and 93 kB."""
    made = ecn.Ramp(Derived(5_000, "B", ""), Derived(200_000, "B", ""), Derived(1, "%", ""))
    found = settles_at(made, 40 * GIGABIT, flows, PAPER_REACTION)
    assert float(found.value) / 1000 == pytest.approx(kilobytes, rel=0.05)


def test_above_pmax_the_queue_parks_at_kmax() -> None:
    made = ecn.Ramp(Derived(5_000, "B", ""), Derived(200_000, "B", ""), Derived(1, "%", ""))
    found = settles_at(made, 40 * GIGABIT, 64, PAPER_REACTION)
    assert found.value == 200_000
    assert "raise Pmax" in found.because


def test_every_knob_has_a_reason_and_the_increase_grows_with_the_rate() -> None:
    knobs = dict(dcqcn.parameters())
    assert knobs["min_time_between_cnps"].value == 4
    assert knobs["rpg_time_reset"].value == 300
    assert all(knob.because and knob.sources for knob in knobs.values())
    additive, hyper = dcqcn.scaled_increase(400 * GIGABIT)
    assert (additive.value, hyper.value) == (80, 800)
    assert dcqcn.scaled_increase(10 * GIGABIT)[0].value == 5


def test_published_ramps_are_ordered_and_marked() -> None:
    for row in published.ROWS:
        assert 0 < row.kmin <= row.kmax
        assert row.mark in {"seen", "inferred", "reported"}
    assert published.for_speed(100)[0].slowest == 100


def test_a_slow_port_on_a_large_pool_waits_longer() -> None:
    """17 MB at 10G drain in 13.7 ms; 20 x that, in steps of 100 ms."""
    found = watchdog.timers(10 * GIGABIT, pool=17_143_776)
    assert found.detect.value == 300
    assert watchdog.timers(400 * GIGABIT, pool=17_143_776).detect.value == 200


def test_a_detection_time_is_judged_from_both_sides() -> None:
    assert any("retry budget" in note for note in watchdog.timers(100 * GIGABIT, 500).notes)
    assert any("below 100 ms" in note for note in watchdog.timers(100 * GIGABIT, 50).notes)
    assert any("drains in" in note for note in watchdog.timers(10 * GIGABIT, 200, 64_000_000).notes)
    assert watchdog.timers(100 * GIGABIT).notes == ()


def test_one_pause_frame_holds_a_link_for_the_published_time() -> None:
    for gigabits, microseconds in ((10, 3355), (100, 335.5), (400, 83.9), (800, 41.9)):
        assert float(watchdog.longest_frame_us(gigabits * GIGABIT)) == pytest.approx(microseconds, abs=0.6)
