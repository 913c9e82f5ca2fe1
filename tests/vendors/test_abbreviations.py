"""What people type in short says what the whole words say, and never nothing."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from rocecfg.state.abbreviations import spelled_out
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse

HERE = Path(__file__).parent
SHORT = {
    "nxos": [("priority-flow-control ", "priority-flow "), ("service-policy ", "service-pol "), ("policy-map ", "policy "),
             ("class-map ", "class-m "), ("interface ", "inter "), ("random-detect ", "random "), ("bandwidth ", "band ")],
    "eos": [("priority-flow-control ", "priority-flow "), ("service-profile ", "service-prof "), ("interface ", "int "),
            ("random-detect ", "random-d "), ("tx-queue ", "tx-qu ")],
    "dell_os10": [("priority-flow-control ", "priority-flow "), ("service-policy ", "service-pol "), ("policy-map ", "pol "),
                  ("class-map ", "class-m "), ("interface ", "int "), ("random-detect ", "random-det ")],
}  # fmt: skip


def read(system: str, content: str):
    return parse(Capture("one", system, (Text("a.cfg", content),), file="a.cfg"))


def shortened(system: str, content: str) -> str:
    lines = []
    for line in content.splitlines(keepends=True):
        blanks, words = line[: len(line) - len(line.lstrip())], line.lstrip()
        short = next((short + words[len(whole) :] for whole, short in SHORT[system] if words.startswith(whole)), words)
        lines.append(blanks + short)
    return "".join(lines)


@pytest.mark.parametrize("system", SHORT)
@pytest.mark.parametrize("session", [False, True])
def test_short_words_say_what_whole_ones_say(system: str, session: bool) -> None:
    content = (HERE / system / "expected_switch.cfg").read_text(encoding="utf-8")
    short = shortened(system, content)
    assert sum(a != b for a, b in zip(short.splitlines(), content.splitlines(), strict=True)) > 9
    if session:
        content, short = (
            "".join(f"leaf1(config-x)# {line.strip()}\n" for line in text.splitlines() if line.strip() not in {"", "!"})
            for text in (content, short)
        )
    plain, found = read(system, content), read(system, short)
    assert found.ports == plain.ports
    assert found.lines == plain.lines
    assert found.lines_read == plain.lines_read


def test_what_is_short_further_on_is_reported() -> None:
    content = (HERE / "nxos" / "expected_switch.cfg").read_text(encoding="utf-8")
    short = content.replace("bandwidth remaining percent", "band rem per")
    lost = [line.text for line in read("nxos", short).lines]
    assert len(lost) == content.count("bandwidth remaining percent") > 0


def test_words_that_only_look_alike_stay() -> None:
    forms = ("flowc|ontrol", "pol|icy-map", "int|erface")
    assert spelled_out("flow record x\n  flowchart 1\n  flowco receive on\n", forms) == (
        "flow record x\n  flowchart 1\n  flowcontrol receive on\n"
    )
    assert spelled_out("policy x\n  police rate 1\ninterval 3\nint e1\n", forms) == (
        "policy-map x\n  police rate 1\ninterval 3\ninterface e1\n"
    )
    assert spelled_out("int e1/1\n", forms) == "interface e1/1\n"
    whole = "!\ninterface e1/1\n  flowcontrol receive on\n"
    assert spelled_out(whole, forms) is whole


def test_many_lines_take_bounded_time() -> None:
    start = time.perf_counter()
    spelled_out(
        "priority-f" * 50_000 + "\n" + "a(" * 100_000 + "\n" + "priority-f x\n" * 50_000, ("priority-f|low-control",)
    )
    assert time.perf_counter() - start < 5
