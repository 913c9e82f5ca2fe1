"""A law for every system: what a terminal adds to a text (line ends, colours, titles) changes nothing that is read."""

from __future__ import annotations

from functools import lru_cache

import pytest

from rocecfg.render.engine import as_capture, render
from rocecfg.state.capture import Capture, Text, decode
from rocecfg.state.parse import parse
from rocecfg.vendor import registry
from tests.laws.intents import auto_intent, planned
from tests.vendors.linux_dcb.test_linux_lldptool import CEE, IEEE

NICCLI = """\
IEEE 8021QAZ ETS Configuration TLV:
         PRIO_MAP: 0:0 1:0 2:0 3:1 4:0 5:0 6:0 7:2
IEEE 8021QAZ PFC TLV:
         PFC enabled: 3
"""
WINDOWS = "Priority Enabled\n-------- -------\n       3    True\n"
SHOWN = {
    "lldptool": ("linux_dcb", IEEE),
    "cee": ("linux_dcb", CEE),
    "niccli": ("bnxt", NICCLI),
    "windows": ("windows_dcb", WINDOWS),
}
RENDERED = [name for name in registry.names() if registry.get(name).manifest.render]


def coloured(text: str) -> str:
    """Each line in a colour, the first behind a window's title, as `script` and PuTTY save a session."""
    lines = [f"\x1b[01;32m\x1b[K{line}\x1b[m\x1b[K" if line else "" for line in text.split("\n")]
    return "\x1b]0;user@gpu01: ~\x07\x1b[?2004h" + "\n".join(lines)


FORMS = {
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "BOM": lambda text: f"\ufeff{text}",
    "colours": coloured,
    "coloured CRLF": lambda text: coloured(text).replace("\n", "\r\n"),
}


@lru_cache
def texts_of(system: str) -> tuple[Text, ...]:
    fitted = planned(auto_intent(system)).devices["one"].fitted
    return as_capture(fitted, render(fitted)).texts


def read(texts: tuple[Text, ...]):
    return parse(Capture("one", "", texts, file="one"))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("system", RENDERED)
def test_what_we_render(system: str, form: str) -> None:
    texts = texts_of(system)
    painted = tuple(
        Text(text.file, decode(FORMS[form](text.content).encode(), text.file), text.command, text.complete)
        for text in texts
    )
    assert registry.detect(painted, "one") == system
    assert read(painted).ports == read(texts).ports


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("shown", SHOWN)
def test_what_tools_print(shown: str, form: str) -> None:
    system, content = SHOWN[shown]
    painted = (Text("a.txt", decode(FORMS[form](content).encode(), "a.txt")),)
    assert registry.detect(painted, "a.txt") == system
    assert read(painted).ports == read((Text("a.txt", content),)).ports


def test_the_pager_does_not_hide_a_heading() -> None:
    heading = "Conf -- Configured mode   Ne -- Negotiated mode   P -- Priority\n"
    text = f"<leaf1> dis pri\n  ---- More ----\x1b[42D{' ' * 42}\x1b[42D{heading}"
    assert registry.detect((Text("a", text),), "a") == "h3c"


def test_a_colour_is_no_way_around_the_limit_of_a_title() -> None:
    long = "\x1b]0;" + "x" * 1000
    assert decode(long.encode(), "a") == long
