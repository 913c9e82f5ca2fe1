"""Port lists are short, lose nothing, and survive odd names."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocecfg.lint.ranges import compact


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([], ""),
        (["swp1"], "swp1"),
        (["swp1", "swp2"], "swp1-2"),
        ([f"Ethernet1/{n}" for n in range(1, 33)], "Ethernet1/1-32"),
        (["Ethernet0", "Ethernet4", "Ethernet8"], "Ethernet0-8 step 4"),
        (["Ethernet0", "Ethernet4"], "Ethernet0, Ethernet4"),
        (["swp1s0", "swp1s1", "swp2s0"], "swp1s0-1, swp2s0"),
        (["swp1", "swp2", "lo", "swp4"], "swp1-2, lo, swp4"),
        (["a1", "b1", "c1", "d1", "e1"], "a1, b1, c1, d1 ... (5 ports)"),
        (["swp2", "swp1"], "swp2, swp1"),
        (["et-0/0/1:0", "et-0/0/1:1"], "et-0/0/1:0-1"),
        (["x" * 5000], "x" * 5000),
    ],
)
def test_compact(names: list[str], text: str) -> None:
    assert compact(names) == text


@settings(deadline=None)
@given(st.lists(st.text(max_size=8), max_size=30))
def test_any_names_give_a_text(names: list[str]) -> None:
    assert isinstance(compact(names), str)
