"""Whatever number stands in a text, the state holds none that no device can have, and nothing breaks or hangs."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.render.engine import render
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from tests.laws.intents import auto_intent, planned, rendering

fuzz = load_module(Path(__file__).resolve().parents[2] / "benchmarks" / "fuzz.py")
NUMBER = re.compile(r"\d+")
STRANGE = ("9" * 30, "9" * 5000, "-1", "--1", "64", "65536", "٣", "0-99999999", "²", "0")
MOST_SECONDS = 2.0


def changed(text: str) -> list[str]:
    """The text with one number replaced, for each kind of line, each of its numbers and each strange one."""
    lines = text.split("\n")
    seen: set[str] = set()
    texts = []
    for at, line in enumerate(lines):
        shape = NUMBER.sub("#", line.strip())
        if shape in seen or line.lstrip().startswith(("#!", "# RoCE")):
            continue
        seen.add(shape)
        for found in list(NUMBER.finditer(line))[:4]:
            texts += [
                "\n".join([*lines[:at], line[: found.start()] + strange + line[found.end() :], *lines[at + 1 :]])
                for strange in STRANGE
            ]
    return texts


@pytest.mark.parametrize("system", rendering())
def test_no_number_makes_an_impossible_state(system: str) -> None:
    files = render(planned(auto_intent(system)).devices["one"].fitted)
    read = 0
    for file in files:
        for text in changed(file.content):
            began = time.process_time()
            try:
                device = parse(Capture("one", system, (Text("one.txt", text, file.command),), file="one.txt"))
            except ReadError:
                continue
            finally:
                assert time.process_time() - began < MOST_SECONDS
            read += 1
            assert fuzz.impossible(device) == "", text
    assert read > 20


ROCE_STATUS = """\
                    operational  applied  description
------------------  -----------  -------  ---------------------------------------
congestion-control
  congestion-mode   ecn                   Congestion config mode
  enabled-tc        0,3                   Congestion config enabled Traffic Class
  max-threshold     1.43 MB               Congestion config max-threshold
  min-threshold     {}.5 KB               Congestion config min-threshold
"""
STATED_ELSEWHERE = (
    ("cumulus", "startup.txt", "nv set interface swp1 link speed {}G\nnv set interface swp1 link mtu 9216\n"),
    ("cumulus", "show.txt", ROCE_STATUS),
    ("sonic", "config_db.json", '{{"PORT": {{"Ethernet0": {{"lanes": "1", "speed": "{}", "mtu": "9100"}}}}}}'),
    ("sonic", "config_db.json", '{{"PORT": {{"Ethernet0": {{"lanes": "1", "speed": "400000", "mtu": "{}"}}}}}}'),
)
"""What we do not render and read all the same: ports of a whole configuration."""


@pytest.mark.parametrize(("system", "file", "text"), STATED_ELSEWHERE)
@pytest.mark.parametrize("strange", [*STRANGE, "400000400000"])
def test_no_number_of_a_port_makes_an_impossible_state(system: str, file: str, text: str, strange: str) -> None:
    try:
        device = parse(Capture("one", system, (Text(file, text.format(strange), ""),), file=file))
    except ReadError:
        return
    assert fuzz.impossible(device) == ""


def test_what_counts_as_a_digit_is_what_int_reads() -> None:
    """`"²".isdigit()` is true and `int("²")` is an error: the word is `isdecimal`."""
    root = Path(__file__).resolve().parents[2]
    rooms = ("rocecfg", "vendors", "lint_rules")
    wrong = [
        path
        for room in rooms
        for path in (root / room).rglob("*.py")
        if ".isdigit(" in path.read_text(encoding="utf-8")
    ]
    assert wrong == []
