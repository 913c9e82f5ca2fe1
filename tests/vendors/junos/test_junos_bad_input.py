"""Truncated, random, huge and hostile texts: a state or a ReadError, in bounded time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse

LEAF = (Path(__file__).parent / "leaf.conf").read_text()
SET = (Path(__file__).parent / "planned.set").read_text()
WORDS = st.sampled_from(
    [
        *LEAF.split(),
        *SET.split(),
        "{",
        "}",
        ";",
        "\n",
        '"',
        "/*",
        "*/",
        "#",
        "[",
        "]",
        "<*>",
        "apply-groups",
        "\x00",
        "9" * 40,
    ]
)


def attempt(text):
    try:
        return parse(Capture("", "junos", (Text("bad", text),), file="bad"))
    except ReadError:
        return None


@pytest.mark.parametrize("text", [LEAF, SET], ids=["braces", "set"])
def test_truncated_at_every_line(text):
    lines = text.split("\n")
    for count in range(len(lines)):
        found = attempt("\n".join(lines[:count]))
        if found is not None and text is LEAF and 0 < count < len(lines) - 1:
            opened = sum(
                line.count("{") - line.count("}")
                for line in lines[:count]
                if '"' not in line and "count for" not in line
            )
            assert opened <= 0 or found.complete == frozenset(), count


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(st.text(), st.binary().map(lambda raw: raw.decode("latin-1")), st.lists(WORDS, max_size=80).map(" ".join))
)
def test_random_text(text):
    attempt(text)
    attempt("class-of-service {\n" + text)
    attempt("set class-of-service " + text)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(LEAF)), st.integers(0, 60), st.lists(WORDS, max_size=6).map(" ".join))
def test_damaged_text(at, length, noise):
    attempt(LEAF[:at] + noise + LEAF[at + length :])


BOMBS = {
    "long line": "class-of-service { schedulers " + "x " * 5_000_000,
    "one word": "set class-of-service " + "x" * 10_000_000,
    "quotes": '"' * 1_000_000,
    "comments": "class-of-service {\n" + "/* " * 300_000,
    "brackets": "class-of-service {\nclassifiers { dscp x { forwarding-class y { loss-priority low code-points " + "[\n" * 200_000,
    "deep": "class-of-service {\n" + "a {\n" * 200_000,
    "many sections": "class-of-service {\n}\n" * 100_000,
    "many ports": "interfaces {\n" + "".join(f"et-0/0/{n} {{\nmtu 9216;\n}}\n" for n in range(20_000)) + "}\n",
    "deletes": "set class-of-service schedulers s priority low\ndelete class-of-service schedulers s\n" * 30_000,
    "ranges": "interfaces {\ninterface-range r {\n" + "member-range et-0/0/0 to et-0/0/9999;\n" * 300 + "mtu 9216;\n}\n}\n",
    "wildcards": "class-of-service {\ninterfaces {\n" + "".join(f"et-{'*' * 20}{n} {{\nscheduler-map m;\n}}\n" for n in range(300))
    + "}\n}\ninterfaces {\n" + "".join(f"et-0/0/{n} {{\nmtu 9216;\n}}\n" for n in range(300)) + "}\n",
}  # fmt: skip


@pytest.mark.parametrize("text", BOMBS.values(), ids=BOMBS.keys())
def test_bounded_time(text):
    begin = time.process_time()
    attempt(text)
    assert time.process_time() - begin < 5


def test_groups_that_multiply_are_refused():
    names = " ".join(f"G{n}" for n in range(200))
    text = "".join(f"set groups G{n} interfaces <*> mtu {n}\n" for n in range(200))
    text += "".join(f"set interfaces et-0/0/{n} disable\n" for n in range(2000)) + f"set apply-groups [ {names} ]\n"
    with pytest.raises(ReadError, match="apply-groups add more than"):
        parse(Capture("", "junos", (Text("bad", text),), file="bad"))
