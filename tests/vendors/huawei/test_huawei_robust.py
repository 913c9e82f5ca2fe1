"""CloudEngine texts that are cut, broken, hostile or huge: a state or one clear error, in bounded time."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocecfg.errors import ReadError
from rocecfg.render.engine import render
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from rocecfg.vendor import registry
from tests.vendors.huawei.plans import OF_B, small_plan

if TYPE_CHECKING:
    from rocecfg.state.model import Device

MODULE = registry.get("huawei").module
SMALL = render(MODULE.fit(small_plan())[0])[0].content
OTHER = render(MODULE.fit(small_plan(OF_B))[0])[0].content
WORDS = sorted({word for line in (SMALL + OTHER).splitlines() for word in line.split()})


def attempt(content: str, *, complete: bool | None = None) -> Device | None:
    """Return the state, or None for a clear error; anything else is a failure of the test."""
    try:
        return parse(Capture("", "huawei", (Text("x.cfg", content, complete=complete),), file="x.cfg"))
    except ReadError as error:
        if "x.cfg" not in str(error):
            raise
        return None


def test_a_text_cut_at_every_line_and_inside_lines() -> None:
    lines = SMALL.splitlines(keepends=True)
    for end in range(len(lines)):
        device = attempt("".join(lines[:end]))
        assert device is None or device.complete == frozenset()
    for end in range(0, len(OTHER), 7):
        attempt(OTHER[:end])


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.text(max_size=300), st.binary(max_size=300).map(lambda raw: raw.decode("latin-1"))))
def test_any_text(content: str) -> None:
    attempt(content)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 3),
            st.lists(
                st.sampled_from([*WORDS, "?", "undo", "99999999999999999999", "-1", "to", "٣"]), min_size=1, max_size=9
            ),
        ),
        max_size=40,
    )
)
def test_any_mix_of_our_own_words(parts: list[tuple[int, list[str]]]) -> None:
    attempt("".join(" " * depth + " ".join(words) + "\n" for depth, words in parts))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32))
def test_a_shuffled_and_damaged_configuration(seed: int) -> None:
    chance = random.Random(seed)
    lines = (SMALL + OTHER).splitlines()
    for _ in range(20):
        place = chance.randrange(len(lines))
        lines[place] = chance.choice(
            ["", lines[place][::-1], lines[place] * 2, chance.choice(lines), " " + lines[place]]
        )
    attempt("\n".join(lines))


def test_order_of_sections_does_not_matter() -> None:
    blocks = SMALL.removesuffix("return\n").split("#\n")[1:]
    whole = attempt(SMALL)
    assert whole is not None
    for seed in range(5):
        shuffled = blocks[:]
        random.Random(seed).shuffle(shuffled)
        device = attempt("#\n" + "#\n".join(shuffled) + "#\nreturn\n")
        assert device is not None
        assert dict(device.ports) == dict(whole.ports)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "\n",
        "﻿",
        "\x00\x01",
        "\x01" * 500,
        '{"a": 1}',
        "[]",
        "hostname x\ninterface Ethernet1\n mtu 9\n",
        "#\n#\nreturn\n",
        "PK\x03\x04",
    ],
    ids=["empty", "blank", "BOM", "NUL", "control", "JSON", "list", "another system", "only marks", "archive"],
)
def test_what_is_no_configuration_is_refused(content: str) -> None:
    assert attempt(content) is None


def test_names_twice_and_odd_interfaces() -> None:
    twice = attempt(
        "#\nsysname x\n#\ndrop-profile p\n ecn low-limit 1 high-limit 2 discard-percentage 3\n#\n" * 2
        + "interface 100GE1/0/1\n#\nreturn\n"
    )
    assert twice is not None
    assert [item.name for item in twice.objects] == ["p"]
    odd = attempt("#\nsysname x\n#\ninterface HundredGig1/0/1\n dcb pfc enable\n#\ninterface 100GE1/0/1\n#\nreturn\n")
    assert odd is not None
    assert [line.text for line in odd.lines] == ["dcb pfc enable"]


def test_one_interface_alone_is_not_a_whole_configuration() -> None:
    for head in (
        "",
        "<leaf1> display current-configuration interface 100GE1/0/1\n",
        "[~leaf1-100GE1/0/1] display this\n",
    ):
        device = attempt(f"{head}#\ninterface 100GE1/0/1\n trust dscp\n#\nreturn\n")
        assert device is not None
        assert device.complete == frozenset()
        assert device.ports["100GE1/0/1"].qos.pfc is None
    filtered = attempt(
        "<x>display current-configuration | include dcb\n#\nsysname x\n#\ninterface 100GE1/0/1\n#\nreturn\n"
    )
    assert filtered is not None
    assert filtered.complete == frozenset()


@pytest.mark.parametrize(
    "content",
    [
        "interface 100GE1/0/1\n jumboframe enable " + "9" * 10_000_000 + "\n",
        "drop-profile " + "c" * 10_000_000 + "\n",
        "interface 100GE1/0/1\n" + " dcb pfc enable mode manual\n" * 100_000,
        "".join(f"drop-profile P{n}\n ecn low-limit 1 high-limit 2 discard-percentage 3\n" for n in range(20_000)),
        "".join(f"interface 100GE{n}/0/{m}\n dcb pfc enable\n#\n" for n in range(1, 200) for m in range(48)),
        "".join(f"port-group g{n}\n group-member 100GE1/0/1 to 100GE1/0/500\n" for n in range(150)),
        "diffserv domain d\n" + "".join(f" ip-dscp-inbound {n % 64} phb af1 green\n" for n in range(100_000)),
        "[~x] dcb pfc\n" * 100_000,
        "\n" * 2_000_000 + SMALL,
        " " * 2_000_000 + "// x\n" + SMALL,
        "#\n" * 500_000 + "return\n",
        "interface 100GE1/0/1\n description " + "[" * 1_000_000 + "\n",
    ],
    ids=["long number", "long name", "one line repeated", "many profiles", "many ports", "many groups", "many codes",
         "prompts", "blank lines", "blanks", "marks", "brackets"],
)  # fmt: skip
def test_huge_texts_take_bounded_time(content: str) -> None:
    start = time.process_time()
    attempt(content)
    assert time.process_time() - start < 6
