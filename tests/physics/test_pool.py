"""Thresholds and the buffer of a whole box."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from hypothesis import given
from hypothesis import strategies as st

from rocecfg.physics.pool import Budget, Group, groups
from rocecfg.physics.thresholds import pause_depth, share, xoff

TOMAHAWK_5_FREE, TOMAHAWK_5_GUARANTEE = 240_086, 74
"""Cells that are free and cells guaranteed a group, from the first published vector."""


def test_tomahawk_5_fills_group_after_group_to_the_cell() -> None:
    """Each takes its share of what the ones before it left, rounded up."""
    free, held = TOMAHAWK_5_FREE, []
    for _ in range(20):
        taken = ceil(share(Fraction(1), 1) * free)
        held.append(taken + TOMAHAWK_5_GUARANTEE)
        free -= taken
    assert held[:6] == [120_117, 60_096, 30_085, 15_079, 7_577, 3_825]
    assert held[-1] == TOMAHAWK_5_GUARANTEE


def test_shares_of_the_published_table() -> None:
    """alpha / (1 + n alpha), percent."""
    expected = {(-3, 1): 11.1, (-3, 8): 6.3, (0, 1): 50.0, (0, 4): 20.0, (3, 16): 6.2, (-7, 64): 0.5}
    for (power, queues), percent in expected.items():
        assert abs(100 * float(share(Fraction(2) ** power, queues)) - percent) < 0.06


def test_depth_at_pause_of_an_incast() -> None:
    """32 MB, alpha 1/8: N = 1 3.6 MB, 4 10.7 MB, 16 21.3 MB."""
    for senders, megabytes in ((1, 3.6), (4, 10.7), (16, 21.3), (32, 25.6)):
        assert abs(float(pause_depth(Fraction(1, 8), 32_000_000, senders)) / 1e6 - megabytes) < 0.06


@given(st.integers(1, 64), st.integers(1, 64), st.integers(10**6, 10**9))
def test_more_senders_pause_each_ingress_no_later(one: int, other: int, shared: int) -> None:
    few, many = sorted((one, other))
    assert xoff(Fraction(1), shared, many).value <= xoff(Fraction(1), shared, few).value
    assert pause_depth(Fraction(1), shared, many) >= pause_depth(Fraction(1), shared, few)


def box(count: int, headroom: int, memory: int = 10_000_000, ratio: int = 1, reserved: int = 0) -> Budget:
    return Budget(memory, (Group(count, "400G, 5m", headroom, reserved),), Fraction(ratio))


def test_a_box_that_fits_shows_its_sum() -> None:
    budget = box(16, 100_000, reserved=10_000)
    assert (budget.demand, budget.reserved, budget.shared) == (1_600_000, 160_000, 8_240_000)
    derived = budget.derived()
    assert sum(term.bytes for term in derived.terms) == derived.value == budget.shared


def test_a_box_that_does_not_fit_names_three_ways_out() -> None:
    budget = box(128, 100_000)
    assert not budget.fits
    text = budget.refusal()
    for part in ("128 x 100000 B = 12800000 B", "10000000 B", "fewer lossless classes", "shorter cables", "share the"):
        assert part in text
    ratio = budget.least_oversubscription()
    assert ratio is not None
    assert Budget(budget.memory, budget.groups, ratio).fits


def test_over_subscription_counts_who_can_be_served() -> None:
    """Tomahawk 5, 128 x 400G, a pool of 22.0 MB and 445,770 B each: 49 groups at once."""
    budget = Budget(166_115_492, (Group(128, "400G, 40m", 445_770),), Fraction(128 * 445_770, 22_000_000))
    assert budget.headroom in range(22_000_000, 22_000_002)
    assert budget.safe_groups() == 49
    assert "49 of 128" in budget.derived().assumptions[0]
    derived = budget.derived()
    assert sum(term.bytes for term in derived.terms) == derived.value


def test_a_shared_pool_holds_at_least_the_largest_group() -> None:
    assert box(2, 100_000, ratio=64).headroom == 100_000


def test_equal_groups_are_counted_together() -> None:
    made = groups([(1, "a", 5, 1), (1, "b", 6, 1), (1, "a", 5, 1)])
    assert [(group.count, group.what) for group in made] == [(2, "a"), (1, "b")]


def test_a_thin_rest_is_noted() -> None:
    notes = box(80, 100_000).derived().assumptions
    assert any("less than 30%" in note for note in notes)
