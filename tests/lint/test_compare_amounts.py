"""Comparing thresholds that a device states in different units."""

from __future__ import annotations

import pytest

from rocecfg.lint.lossless import compare
from rocecfg.state.model import Amount


@pytest.mark.parametrize(
    ("low", "high", "order"),
    [
        (Amount(3, "mbyte"), Amount(300, "kbyte"), 1),
        (Amount(150, "kbyte"), Amount(3, "mbyte"), -1),
        (Amount(150, "kbyte"), Amount(140_000, "byte", 140_000), 1),
        (Amount(1, "mbyte"), Amount(1000, "kbyte"), None),
        (Amount(1, "mbyte"), Amount(1024, "kbyte"), None),
        (Amount(3, "mbyte"), Amount(10, "packet"), None),
        (Amount(55, "percent"), Amount(90, "percent"), -1),
    ],
)
def test_sizes_compare_where_either_meaning_of_a_kilobyte_gives_the_same(
    low: Amount, high: Amount, order: int | None
) -> None:
    assert compare(low, high) == order
