"""NX-OS texts that are cut, broken, hostile or huge: a state or one clear error, in bounded time."""

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
from tests.vendors.nxos.plans import small_plan

if TYPE_CHECKING:
    from rocecfg.state.model import Device

MODULE = registry.get("nxos").module
SMALL = render(MODULE.fit(small_plan())[0])[0].content
WORDS = sorted({word for line in SMALL.splitlines() for word in line.split()})


def attempt(content: str, *, complete: bool | None = None) -> Device | None:
    """Return the state, or None for a clear error; anything else is a failure of the test."""
    try:
        device = parse(Capture("", "nxos", (Text("x.cfg", content, complete=complete),), file="x.cfg"))
    except ReadError as error:
        if "x.cfg" not in str(error):
            raise
        return None
    assert device.ports or device.objects or device.lines_read
    return device


def test_a_text_cut_at_every_line_and_inside_lines() -> None:
    lines = SMALL.splitlines(keepends=True)
    for end in range(len(lines)):
        device = attempt("".join(lines[:end]), complete=False)
        assert device is None or device.complete == frozenset()
    for end in range(0, len(SMALL), 7):
        attempt(SMALL[:end])


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.text(max_size=300), st.binary(max_size=300).map(lambda raw: raw.decode("latin-1"))))
def test_any_text(content: str) -> None:
    attempt(content)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 5),
            st.lists(st.sampled_from([*WORDS, "?", "99999999999999999999", "-1", "1/1-9/9"]), min_size=1, max_size=9),
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
    lines = SMALL.splitlines()
    for _ in range(20):
        place = chance.randrange(len(lines))
        lines[place] = chance.choice(
            ["", lines[place][::-1], lines[place] * 2, chance.choice(lines), " " + lines[place]]
        )
    attempt("\n".join(lines))


def test_order_of_top_sections_does_not_matter() -> None:
    blocks: list[str] = []
    for line in SMALL.splitlines(keepends=True):
        if line.startswith(" ") and blocks:
            blocks[-1] += line
        else:
            blocks.append(line)
    whole = attempt(SMALL)
    assert whole is not None
    for seed in range(5):
        shuffled = blocks[:]
        random.Random(seed).shuffle(shuffled)
        device = attempt("".join(shuffled))
        assert device is not None
        assert dict(device.ports) == dict(whole.ports)


@pytest.mark.parametrize(
    "content",
    [
        "interface Ethernet1/1\n  mtu " + "9" * 10_000_000 + "\n",
        "policy-map type queuing X\n  class type queuing " + "c" * 10_000_000 + "\n",
        "interface Ethernet1/1\n" + "  priority-flow-control mode on\n" * 100_000,
        "".join(f"class-map type qos match-any C{n}\n  match dscp {n % 64}\n" for n in range(20_000)),
        "".join(f"interface Ethernet{n}/1-48\n  priority-flow-control mode on\n" for n in range(1, 5_000)),
        "".join(f"interface Ethernet1/1-512\n  mtu {n}\n" for n in range(5_000)),
        "policy-map type qos P\n" + "".join(f"  class C{n}\n    set qos-group {n % 8}\n" for n in range(20_000)),
        "banner motd #\n" * 50_000 + "interface Ethernet1/1\n",
        "\n" * 2_000_000 + SMALL,
    ],
    ids=[
        "long number",
        "long name",
        "one line repeated",
        "many class-maps",
        "many ports",
        "many ranges",
        "many classes",
        "banners",
        "blank lines",
    ],
)
def test_huge_texts_take_bounded_time(content: str) -> None:
    start = time.process_time()
    attempt(content)
    assert time.process_time() - start < 6
