"""Whatever the number of ports, the line ends or the mark at the head: every line is vouched for and reads the same."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from rocecfg.render.engine import Rendered, render
from rocecfg.render.evidence import UNMATCHED, Shapes, vouch
from rocecfg.state.capture import Capture, Text, decode
from rocecfg.state.parse import parse
from rocecfg.vendor import registry
from tests.laws.intents import auto_intent, planned, port_names, rendering

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
