"""OS10 texts that are cut, broken, hostile or huge: a state or one clear error, in bounded time."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocecfg.errors import ReadError
from rocecfg.vendor import registry
from tests.vendors.dell_os10.reading import LEAF, read

if TYPE_CHECKING:
    from rocecfg.state.model import Device

WORDS = sorted({word for line in LEAF.splitlines() for word in line.split()})


def attempt(content: str, *, complete: bool | None = None) -> Device | None:
    """Return the state, or None for a clear error; anything else is a failure of the test."""
    try:
        device = read(content, complete=complete)
    except ReadError as error:
        if "x.cfg" not in str(error):
            raise
        return None
    assert device.ports or device.objects or device.lines_read
    return device


def test_a_text_cut_at_every_line_and_inside_lines() -> None:
    lines = LEAF.splitlines(keepends=True)
    for end in range(len(lines)):
        device = attempt("".join(lines[:end]), complete=False)
        assert device is None or device.complete == frozenset()
    for end in range(0, len(LEAF), 7):
        attempt(LEAF[:end])


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.text(max_size=300), st.binary(max_size=300).map(lambda raw: raw.decode("latin-1"))))
def test_any_text(content: str) -> None:
    attempt(content)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 3),
            st.lists(
                st.sampled_from([*WORDS, "?", "99999999999999999999", "-1", "1/1/1-9/9/9"]), min_size=1, max_size=9
            ),
        ),
        max_size=30,
    )
)
def test_any_words_of_the_system(lines: list[tuple[int, list[str]]]) -> None:
    attempt("\n".join(" " * indent + " ".join(words) for indent, words in lines))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "empty"),
        (" \n\t\n", "empty"),
        ("\x00\x01\x02binary", "binary"),
        ("".join(map(chr, range(1, 32))) * 9, "binary"),
        ('{"interfaces": []}', "JSON"),
        ("hello\nworld\n", "nothing of OS10"),
        ("router bgp 65000\n neighbor 10.0.0.1\n", "nothing of OS10"),
        ("! Version 9.14(2.4)\ninterface TenGigabitEthernet 0/1\n mtu 9216\n", "OS9"),
        ("stack-unit 0 provision S4810\ninterface Port-channel 1\n", "OS9"),
    ],
)
def test_what_cannot_be_read_says_why(content: str, said: str) -> None:
    with pytest.raises(ReadError, match=said):
        read(content)


def test_os9_is_detected_as_no_known_system() -> None:
    text = "! Version 9.9(0.0)\nhostname agg1\ndcb-map ROCE\n priority-pgid 0 0 0 1 0 0 0 0\ninterface fortyGigE 0/48\n"
    assert "dell_os10" not in registry.scores(text)


def test_bom_unicode_and_duplicate_names() -> None:
    plain = read(LEAF).ports["ethernet1/1/1"].qos
    text = LEAF.replace("hostname leaf7", 'hostname "blätt7"').replace("CQ4", "Çq4—é")
    device = read(text)
    assert device.name == "blätt7"
    assert device.ports["ethernet1/1/1"].qos == plain
    twice = read(LEAF + "policy-map type queuing PQ\n class CQ0\n  bandwidth percent 20\n!\n")
    queue = twice.ports["ethernet1/1/1"].qos.queue(0)
    assert queue is not None
    assert queue.weight == 20


def test_a_text_cut_inside_a_banner_or_by_the_pager_is_not_complete() -> None:
    assert read(LEAF + "banner motd ^C\nhello\n").complete == frozenset()
    assert read(LEAF + "--More--\n").complete == frozenset()
    assert read(LEAF + "banner motd #\ninterface ethernet1/1/9\n#\n").complete == frozenset({"all"})
    assert "ethernet1/1/9" not in read(LEAF + "banner motd #\ninterface ethernet1/1/9\n#\n").ports


def test_too_many_ports_are_refused() -> None:
    header = "interface range ethernet1/1/1-1/1/999\n mtu 9216\n"
    with pytest.raises(ReadError, match="more than 100000 ports"):
        read("hostname x\n" + header * 120)


def test_long_lines_and_many_lines_take_bounded_time() -> None:
    start = time.perf_counter()
    attempt("interface range " + "ethernet1/1/1," * 20_000 + "\n mtu 9216\n")
    attempt(" qos-map traffic-class X\n" * 20_000)
    attempt("interface ethernet1/1/1\n" + " service-policy input type network-qos X\n" * 20_000)
    attempt("leaf(config)# " * 50_000)
    attempt("wred " + "x" * 500_000 + "\n random-detect ecn\n")
    assert time.perf_counter() - start < 20


def test_shuffled_lines() -> None:
    lines = LEAF.splitlines(keepends=True)
    for seed in range(20):
        random.Random(seed).shuffle(lines)
        attempt("".join(lines))
