"""Patterns stand for exactly the names and cables they were made of, and there are few of them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocecfg.discover.cables import lines_of
from rocecfg.discover.names import patterns_of
from rocecfg.discover.roles import guess
from rocecfg.intent.patterns import expand

NAMES = st.builds(
    lambda head, a, mid, b, pad: f"{head}{a:0{pad}}{mid}{b}",
    st.sampled_from(["leaf", "s", "pod-"]),
    st.integers(0, 20),
    st.sampled_from(["", "-", "/", ":swp"]),
    st.one_of(st.just(""), st.integers(0, 9)),
    st.integers(1, 3),
)


@given(st.sets(NAMES, max_size=60))
def test_names_come_back(names: set[str]) -> None:
    made = [name for pattern in patterns_of(names) for name in expand(pattern)]
    assert sorted(made) == sorted(names)


@given(st.lists(st.tuples(NAMES, NAMES, st.sampled_from("xy")), max_size=40, unique_by=lambda link: link[:2]))
def test_cables_come_back(links: list[tuple[str, str, str]]) -> None:
    made = []
    for a, b, shared in lines_of(links):
        left, right = expand(a), expand(b)
        assert len(left) == len(right)
        made += [(x, y, shared) for x, y in zip(left, right, strict=True)]
    assert sorted(made) == sorted(links)


@pytest.mark.parametrize(
    ("names", "patterns"),
    [
        (["leaf01", "leaf02", "leaf03", "leaf16"], ["leaf[01-03,16]"]),
        ([f"p{p}l{n}" for p in (1, 2) for n in range(1, 9)], ["p[1-2]l[1-8]"]),
        ([f"Ethernet{n}" for n in range(0, 256, 8)], ["Ethernet[0-248:8]"]),
        (["a7", "a08", "a09", "a10"], ["a7", "a[08-10]"]),
        (["x", "x1"], ["x", "x1"]),
        (["b12345678901"], ["b12345678901"]),
        ([], []),
    ],
)
def test_patterns_are_short(names: list[str], patterns: list[str]) -> None:
    assert patterns_of(names) == patterns


def test_a_thousand_leaves_are_a_readable_file() -> None:
    links = [
        (f"leaf{n:04}:Ethernet1/{32 + s}", f"spine{s:02}:Ethernet1/{n}", 1) for n in range(1, 1001) for s in range(1, 9)
    ]
    links += [(f"leaf{n:04}:Ethernet1/{p}", f"gpu{n:04}:rail{p}", 2) for n in range(1, 1001) for p in range(8)]
    random.Random(1).shuffle(links)
    assert len(lines_of(links)) == 9


def test_no_bracket_is_too_long_for_the_language() -> None:
    names = [f"n{n * n}" for n in range(2000)]
    patterns = patterns_of(names)
    assert max(map(len, patterns)) < 1000
    assert sorted(name for pattern in patterns for name in expand(pattern)) == sorted(names)


def test_roles() -> None:
    kinds = {"h1": "host", "a": "switch", "b": "switch", "c": "switch", "d": "switch", "tor-9": "switch", "z": "switch"}
    links = [("h1", "a"), ("a", "b"), ("b", "c"), ("c", "d")]
    found = guess(kinds, links)
    assert [found[name].name for name in kinds] == ["host", "leaf", "spine", "core", "core", "leaf", ""]
    assert found["tor-9"].because == "by the name"
    assert "neither" in found["z"].because
    assert found["b"].because == "2 cables from the hosts"
