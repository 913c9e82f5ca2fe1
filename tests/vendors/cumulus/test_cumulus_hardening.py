"""Bad input: a state or a ReadError, in bounded time, and never another exception."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from cumulus_plans import capture, fit, patch, planned_switch, read
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_cumulus_reading import EXPLICIT, SHOW, TRAFFIC, YAML

from rocecfg.errors import ReadError
from rocecfg.state.parse import parse

if TYPE_CHECKING:
    from rocecfg.state.model import Device

RENDERED = patch(fit(planned_switch("cumulus", ["swp1", "swp2"]))[0])
TEXTS = {"list": EXPLICIT, "yaml": YAML, "datapath": TRAFFIC, "show": SHOW, "rendered": RENDERED}
FAST = settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
WORDS = sorted(
    {word for text in TEXTS.values() for word in text.split()}
    | {"...", "<<:", "*a", "&a", "'", '"', "[", "{", "}", "\t", "\x00", "\u2028", "…"}
)


def state_or_reason(content: str) -> Device | None:
    try:
        return read(content)
    except ReadError as error:
        reason = str(error)
    assert "leaf.cfg" in reason
    return None


@pytest.mark.parametrize("name", list(TEXTS))
def test_cut_at_every_line_and_in_every_line(name: str) -> None:
    text = TEXTS[name]
    lines = text.splitlines(keepends=True)
    for at in range(1, len(lines)):
        state_or_reason("".join(lines[:at]))
        state_or_reason("".join(lines[:at]) + lines[at][: len(lines[at]) // 2])


@FAST
@given(st.text(max_size=300))
def test_random_text(content: str) -> None:
    state_or_reason(content)


@FAST
@given(st.binary(max_size=300))
def test_random_bytes(content: bytes) -> None:
    state_or_reason(content.decode("latin-1"))


@FAST
@given(st.lists(st.sampled_from(WORDS), max_size=60), st.data())
def test_known_words_in_any_order(words: list[str], data: st.DataObject) -> None:
    joined = "".join(
        word + data.draw(st.sampled_from([" ", "\n", "\n  ", "\nnv set ", "\nnv set interface "])) for word in words
    )
    state_or_reason(joined)


@FAST
@given(st.sampled_from(list(TEXTS.values())), st.data())
def test_a_known_text_with_a_few_changed_characters(text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text = (
            text[:at]
            + data.draw(st.sampled_from(["", " ", "\n", "9", "-", ",", ":", "{", "}", "'", "#", "x", "[", "&a ", "*a"]))
            + text[at + 1 :]
        )
    device = state_or_reason(text)
    assert device is None or device.ports or device.objects or device.lines or device.lines_read is not None


@pytest.mark.parametrize(
    "content",
    [
        "nv set qos pfc " + "x" * 10_000_000,
        "nv set interface " + "swp1," * 2_000_000 + " qos pfc profile A\n",
        "- set:\n    qos: {" + "a: {" * 500_000,
        "- set:\n    qos:\n      pfc: " + "[" * 100_000,
        "pfc.port_group_list = [" + "a," * 3_000_000 + "]\n",
        "pfc.x." + "a." * 4_000_000 + "cos_list = [3]\n",
        "  operational  applied\n---- " * 3 + "-" * 5_000_000,
        EXPLICIT + "nv set interface swp1 description " + "'" * 5_000_001 + "\n",
        "nv set interface swp1-4096,swp1-4096 qos pfc profile A\n" * 2000,
        "".join(f"nv set interface swp{number}-{number + 1000} qos pfc profile A\n" for number in range(0, 2_000_000, 1001)),
        "".join(f"nv set qos pfc P{number} switch-priority 3\n" for number in range(100_000)),
        "- set:\n    x: &a [1,1,1,1,1,1,1,1]\n" + "".join(f"    x{n}: &b{n} [{','.join([f'*b{n - 1}' if n else '*a'] * 9)}]\n" for n in range(9)) + "    qos: *b8\n",
    ],
)  # fmt: skip
def test_huge_texts_end_soon(content: str) -> None:
    began = time.process_time()
    state_or_reason(content)
    assert time.process_time() - began < 6


def test_a_cut_off_text_proves_no_default() -> None:
    device = parse(capture(EXPLICIT, complete=False))
    assert device.complete == frozenset()
    assert device.ports["swp1"].qos.link_pause is None


def test_a_line_too_long_to_be_read_is_said() -> None:
    device = read(
        "nv set interface " + ",".join(f"swp{number}" for number in range(1, 1100)) + " qos pfc profile A\n" + EXPLICIT
    )
    assert [each.place.line for each in device.lines] == [1]
