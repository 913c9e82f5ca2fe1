"""Ranges in names: order, padding, refusals, and that collapsing loses nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocecfg.intent import patterns
from rocecfg.intent.fields import FieldError


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("leaf1", ["leaf1"]),
        ("leaf[1-3]", ["leaf1", "leaf2", "leaf3"]),
        ("gpu[08-11]", ["gpu08", "gpu09", "gpu10", "gpu11"]),
        ("leaf[8-11]", ["leaf8", "leaf9", "leaf10", "leaf11"]),
        ("Ethernet[0,8]", ["Ethernet0", "Ethernet8"]),
        ("Ethernet[0-24:8]", ["Ethernet0", "Ethernet8", "Ethernet16", "Ethernet24"]),
        ("swp[1-2,5,8-10:2]", ["swp1", "swp2", "swp5", "swp8", "swp10"]),
        ("leaf[1-2]:Ethernet1/[1-2]",
         ["leaf1:Ethernet1/1", "leaf1:Ethernet1/2", "leaf2:Ethernet1/1", "leaf2:Ethernet1/2"]),
        ("et-0/0/[0-1]:[0-1]", ["et-0/0/0:0", "et-0/0/0:1", "et-0/0/1:0", "et-0/0/1:1"]),
    ],
)  # fmt: skip
def test_expands_in_order(pattern, names):
    assert patterns.expand(pattern) == names
    assert patterns.count(pattern) == len(names)


@pytest.mark.parametrize(
    ("pattern", "part"),
    [
        ("leaf[1-4", 'has a "[" without a "]"'),
        ("leaf1-4]", 'has a "]" without a "["'),
        ("leaf[]", 'the range "[]"'),
        ("leaf[a-c]", 'the range "[a-c]"'),
        ("leaf[1--4]", "the range"),
        ("leaf[1-]", "the range"),
        ("leaf[[1-2]]", "the range"),
        ("leaf[4-1]", "counts down from 4 to 1"),
        ("leaf[01-8]", "pads 01 and 8 to different widths"),
        ("leaf[1-08]", "different widths"),
        ("leaf[0-8:0]", "has the step 0"),
        ("leaf[1-99999999]", "the range"),
        ("x" * 1001 + "[1-2]", "too long"),
    ],
)
def test_refuses(pattern, part):
    for function in (patterns.expand, patterns.count):
        with pytest.raises(FieldError) as caught:
            function(pattern)
        assert part in caught.value.message
        assert caught.value.help


def test_budget():
    with pytest.raises(FieldError, match="stands for 9,000,000,000,000 names"):
        patterns.expand("a[1-3000000]b[1-3000000]")


@given(st.lists(st.from_regex(r"[a-z]{0,3}[0-9]{0,3}(/[0-9]{1,2})?", fullmatch=True), max_size=30))
def test_collapse_then_expand_gives_the_names_back(names):
    assert [name for pattern in patterns.collapse(names) for name in patterns.expand(pattern)] == names


@given(st.integers(0, 500), st.integers(1, 60), st.integers(0, 3))
def test_a_run_collapses_to_one_pattern(first, count, width):
    names = [f"swp{str(n).zfill(width)}" for n in range(first, first + count)]
    collapsed = patterns.collapse(names)
    assert [name for pattern in collapsed for name in patterns.expand(pattern)] == names
    assert len(collapsed) <= 1 + sum(10**w in range(first + 1, first + count) for w in range(1, 4))


@given(st.text(alphabet="ab1290-[],: ", max_size=25))
def test_any_text_gives_names_or_a_refusal(text):
    try:
        names = patterns.expand(text, budget=5000)
    except FieldError:
        return
    assert len(names) == patterns.count(text)
