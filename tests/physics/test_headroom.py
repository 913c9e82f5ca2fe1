"""Headroom against the published table of the 802.1Q bound, and the law that it never shrinks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocecfg.physics import ecn, headroom, thresholds, watchdog
from rocecfg.physics.headroom import GIGABIT, standard_bound, wire_floor_bytes

# Gb/s, metres, MTU -> kB, worked by hand from the terms of the 802.1Q annex (800G with 1810 quanta)
WORKED = [
    (10, 3, 4200, 12.8),
    (25, 5, 4200, 13.8),
    (40, 100, 4200, 21.1),
    (100, 3, 4200, 34.1),
    (100, 300, 4200, 71.2),
    (200, 40, 4200, 47.5),
    (400, 30, 4200, 81.4),
    (800, 5, 4200, 129.3),
    (10, 3, 9216, 22.9),
    (100, 40, 9216, 48.8),
    (400, 5, 9216, 79.0),
    (400, 2000, 9216, 1076.5),
    (800, 300, 9216, 434.4),
]


@pytest.mark.parametrize(("speed", "metres", "mtu", "kilobytes"), WORKED)
def test_bound_equals_the_worked_number(speed: int, metres: int, mtu: int, kilobytes: float) -> None:
    found = standard_bound(speed * GIGABIT, metres, mtu, mtu)
    assert found.value == pytest.approx(kilobytes * 1000, abs=100)


def test_the_terms_are_the_value() -> None:
    found = standard_bound(400 * GIGABIT, 30, 9216, 4200)
    assert sum(term.bytes for term in found.terms) == found.value
    for term in found.terms:
        assert str(term.bytes) in found.because


def test_speed_without_published_quanta_says_so() -> None:
    odd = standard_bound(56 * GIGABIT, 5, 4200, 4200)
    assert odd.terms[3].bytes == 394 * 64
    assert any("100G" in text for text in odd.assumptions)
    faster = standard_bound(1600 * GIGABIT, 5, 4200, 4200)
    assert faster.terms[3].bytes == 2 * 1810 * 64


SPEEDS = st.integers(1, 1600)
METRES = st.integers(1, 40_000)
MTUS = st.integers(256, 9216)


@given(st.tuples(SPEEDS, SPEEDS), st.tuples(METRES, METRES), st.tuples(MTUS, MTUS))
def test_more_speed_length_or_mtu_never_needs_less(
    speeds: tuple[int, int], metres: tuple[int, int], mtus: tuple[int, int]
) -> None:
    """Law 5."""
    small = standard_bound(min(speeds) * GIGABIT, min(metres), min(mtus), min(mtus))
    large = standard_bound(max(speeds) * GIGABIT, max(metres), max(mtus), max(mtus))
    assert small.value <= large.value


@given(SPEEDS, METRES, MTUS)
def test_the_floor_is_below_the_bound(speed: int, metres: int, mtu: int) -> None:
    assert wire_floor_bytes(speed * GIGABIT, metres, mtu) <= standard_bound(speed * GIGABIT, metres, mtu, mtu).value


def test_floor_of_two_kilometres_of_100g() -> None:
    assert wire_floor_bytes(100 * GIGABIT, 2000, 9216) == 250_000 + 9216


@given(SPEEDS, st.sampled_from(sorted(ecn.PROFILES)), st.integers(1_000, 10_000_000))
def test_ramp_is_ordered_and_above_single_bursts(speed: int, profile: str, rtt: int) -> None:
    found = ecn.ramp(speed * GIGABIT, rtt, profile, 4200)
    assert 5 * 4200 <= found.kmin.value < found.kmax.value
    assert 1 <= found.pmax.value <= 100


def test_balanced_ramp_of_100g_at_8_us() -> None:
    found = ecn.ramp(100 * GIGABIT, 8_000, "balanced", 4200)
    assert (found.kmin.value, found.kmax.value) == (100_000, 400_000)
    assert "100000 B" in found.kmin.because


@given(st.integers(2, 64))
def test_more_senders_never_pause_later(senders: int) -> None:
    """Law 5: each queue's share falls with the number of queues."""
    alpha = thresholds.DEFAULT_ALPHA
    assert thresholds.share(alpha, senders) < thresholds.share(alpha, senders - 1)


def test_watchdog_timers_keep_their_order() -> None:
    found = watchdog.timers(400 * GIGABIT)
    assert found.poll.value * 2 <= found.detect.value <= found.restore.value
    assert "84 us" in found.detect.because


def test_pause_quanta_never_fall_with_speed() -> None:
    quanta = [headroom.pause_quanta(speed * GIGABIT)[0] for speed in range(1, 1700)]
    assert quanta == sorted(quanta)
