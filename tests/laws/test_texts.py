"""Whatever the number of ports, the line ends or the mark at the head: every line is vouched for and reads the same."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from rocecfg.render.engine import Rendered, render
from rocecfg.render.evidence import UNMATCHED, Shapes, vouch
from rocecfg.state.capture import Capture, Text, decode
from rocecfg.state.pager import without_pager
from rocecfg.state.parse import parse
from rocecfg.vendor import registry
from tests.laws.intents import auto_intent, planned, port_names, rendering

if TYPE_CHECKING:
    from rocecfg.state.model import Device

MANY = 512


def many_ports(system: str) -> list[str]:
    """Port names counted on from the first of the manifest: 64 of each of 8 slots, or of one where there are none."""
    pieces = re.split(r"(\d+)", port_names(system)[0])
    first = int(pieces[-2])
    if len(pieces) < 5:
        return ["".join([*pieces[:-2], str(first + at), pieces[-1]]) for at in range(MANY)]
    slot = int(pieces[-4])
    return [
        "".join([*pieces[:-4], str(slot + at // 64), pieces[-3], str(first + at % 64), pieces[-1]])
        for at in range(MANY)
    ]


def files_of(system: str, names: list[str]) -> list[Rendered]:
    """What the small fabric renders with a cable on each of these ports."""
    head, _, _ = auto_intent(system).partition("links:\n")
    links = [f'  - {{a: "one:{name}", b: "two:{name}", speed: 100G, cable: 5m dac}}\n' for name in names]
    return render(planned(head + "links:\n" + "".join(links)).devices["one"].fitted)


@pytest.mark.parametrize("system", rendering())
def test_one_port_and_many_render_only_lines_somebody_vouches_for(system: str) -> None:
    shapes = Shapes(registry.get(system).manifest.evidence)
    names = many_ports(system)
    for ports in (names[:1], names):
        files = files_of(system, ports)
        lines = list(vouch(shapes, files))
        assert lines
        assert [item.text for item in lines if item.level == UNMATCHED] == []
    whole = "\n".join(file.content for file in files)
    assert names[-1] in whole or re.search(r"\d-\d", whole), "the last port is named, alone or in a range"


@pytest.mark.parametrize("system", rendering())
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["no mark", "BOM"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
def test_line_ends_and_a_mark_at_the_head_change_nothing(system: str, end: bytes, mark: bytes) -> None:
    files = files_of(system, list(port_names(system)[:2]))
    plain = Capture("one", system, tuple(Text(file.file, file.content, file.command) for file in files), file="one")
    changed = tuple(
        replace(text, content=decode(mark + text.content.encode().replace(b"\n", end), text.file))
        for text in plain.texts
    )
    assert not any("\ufeff" in text.content for text in changed)
    assert parse(replace(plain, texts=changed)) == parse(plain)


def test_a_mark_at_the_head_is_dropped_from_latin_1_too() -> None:
    assert decode(b"\xef\xbb\xbfdescription caf\xe9", "one.txt") == "description caf\xe9"


MARKS = {
    "on a line": "{mark}\n{line}",
    "returned over": "{mark}\r          \r{line}",
    "wiped": "\x1b[7m{mark}\x1b[m\r\x1b[K{line}",
    "moved back": "  {mark}\x1b[16D                \x1b[16D{line}",
    "backspaces": "{mark}" + "\x08" * 9 + " " * 9 + "\x08" * 9 + "{line}",
}


@pytest.mark.parametrize("system", rendering())
@pytest.mark.parametrize("mark", ["--More--", " --more-- ", "---- More ----", "-- MORE --, next page: Space, quit: q"])
@pytest.mark.parametrize("form", MARKS)
def test_a_pager_between_the_lines_changes_nothing(system: str, mark: str, form: str) -> None:
    files = files_of(system, list(port_names(system)[:2]))
    if any(file.content.lstrip()[:1] in ("{", "[") for file in files):
        return  # data, no text of a terminal

    def paged(content: str) -> str:
        lines = content.rstrip("\n").split("\n")
        for at in range(5, len(lines), 7):
            lines[at] = MARKS[form].format(mark=mark, line=lines[at])
        return "\n".join(lines) + "\n"

    def read(texts: list[str]) -> Device:
        named = zip(files, texts, strict=True)
        return parse(
            Capture("one", system, tuple(Text(file.file, text, file.command) for file, text in named), file="one")
        )

    contents = [file.content.rstrip("\n") + "\n" for file in files]
    plain, found = read(contents), read([paged(content) for content in contents])
    assert {name: port.qos for name, port in found.ports.items()} == {
        name: port.qos for name, port in plain.ports.items()
    }
    assert (found.lines_read, found.complete) == (plain.lines_read, plain.complete)
    assert [line.text for line in found.lines] == [line.text for line in plain.lines]


@pytest.mark.parametrize("system", rendering())
def test_a_text_that_ends_at_the_pager_is_cut_off(system: str) -> None:
    files = files_of(system, list(port_names(system)[:2]))
    if any(file.content.lstrip()[:1] in ("{", "[") for file in files):
        return
    for end in ("--More--", "---- More ----", "--More--\r      \r\nleaf1#", "---- More ----\n<leaf1>"):
        text = files[0].content.rstrip("\n") + f"\n{end}\n"
        assert without_pager(Text("a", text)).content == text
