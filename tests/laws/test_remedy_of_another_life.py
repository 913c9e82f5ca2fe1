"""Law 4 on switches that were set up by somebody else: another plan, other names, a part of the ports, both at once."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocecfg.remedy.text import settings as settings_of
from tests.laws.broken import broken, foreign_of
from tests.laws.intents import auto_intent, intents, planned, port_names
from tests.laws.test_remedy import QUICK, SWITCHES, live_text, proved, rules

if TYPE_CHECKING:
    from collections.abc import Callable

_NAME = re.compile(r"\b(?:ROCE|RDMA|roce|rdma)\b(?!-keeps|cfg)")
TREES = [name for name in SWITCHES if rules(name).form == "tree"]


def blocks(text: str) -> list[str]:
    """The lines at the margin of a text, each with what is below it."""
    found: list[str] = []
    for line in text.split("\n"):
        if found and line.startswith(" "):
            found[-1] += f"\n{line}"
        elif line.strip() and line.strip()[0] not in "!#":
            found.append(line)
    return found


def speaks_of(line: str, port: str) -> bool:
    """Whether a block is about one port: its section, or a flat line with its name."""
    return re.search(rf"(?<![\w/]){re.escape(port)}(?![\w/])", line.split("\n", maxsplit=1)[0]) is not None


def port_spellings(system: str) -> list[str]:
    """Ports of a system as they stand in its texts."""
    names = list(port_names(system))
    return names if system != "onyx" else [f"ethernet {name.removeprefix('Eth')}" for name in names]


@st.composite
def of_another_life(draw: Callable[..., Any], system: str, mine: str, other: str) -> str:
    """Two rendered texts of one system as one live text."""
    if draw(st.booleans()):
        other = _NAME.sub("OLD", other)
    how = draw(st.sampled_from(["other", "both", "other port", "beside"]))
    if how == "other":
        return other
    if rules(system).form == "patch":
        return _tables(mine, other, how, port_spellings(system)[1])
    last = port_spellings(system)[1]
    if how == "other port":
        of_ports = [block for block in blocks(other) if speaks_of(block, last)]
        rest = [block for block in blocks(mine) if not speaks_of(block, last)]
        old = [block for block in blocks(other) if not _of_a_port(block, system) and block not in rest]
        lines = _unlike(old, rest) + rest + of_ports
    elif how == "both":
        lines = [block for block in blocks(other) if not _of_a_port(block, system)]
        lines = _unlike(lines, blocks(mine)) + blocks(mine)
    else:
        lines = blocks(mine)
        lines += _unlike([block for block in blocks(other) if not _of_a_port(block, system)], lines)
    closers = rules(system).closers
    lines = [block for block in lines if block not in closers] + foreign_of(system) + sorted(closers)
    glue = f"\n{rules(system).separator}\n" if rules(system).separator else "\n"
    return glue.join(lines) + "\n"


def _of_a_port(block: str, system: str) -> bool:
    return any(speaks_of(block, port) for port in port_spellings(system))


def _unlike(some: list[str], others: list[str]) -> list[str]:
    """The blocks that no other block has the header of."""
    heads = {block.split("\n")[0] for block in others}
    return [block for block in some if block.split("\n")[0] not in heads]


def _tables(mine: str, other: str, how: str, port: str) -> str:
    one, two = json.loads(mine), json.loads(other)
    merged: dict[str, dict[str, Any]] = {}
    for table in (*one, *(name for name in two if name not in one)):
        rows = {**two.get(table, {}), **one.get(table, {})}
        if how == "other port":
            rows = {key: row for key, row in rows.items() if key.split("|")[0] != port}
            rows |= {key: row for key, row in two.get(table, {}).items() if key.split("|")[0] == port}
        merged[table] = rows
    return json.dumps(merged, indent=2)


@pytest.mark.parametrize("system", SWITCHES)
@QUICK
@given(data=st.data())
def test_4_another_life_plus_remedy_is_the_plan(system: str, data: st.DataObject) -> None:
    device = planned(data.draw(intents(system))).devices["one"]
    other = planned(data.draw(intents(system))).devices["one"]
    if any(item.kind == "refused" for item in (*device.adjustments, *other.adjustments)):
        return
    text = data.draw(of_another_life(system, live_text(system, device), live_text(system, other)))
    if rules(system).form != "patch":
        text = data.draw(broken(text, system))
    proved(system, device, text)


@pytest.mark.parametrize("system", TREES)
def test_a_line_that_opens_a_section_names_an_object(system: str) -> None:
    """Two sections of one kind are two objects: never is one the later value of the other."""
    text = live_text(system, planned(auto_intent(system)).devices["one"])
    found = settings_of(_NAME.sub("OLD", text), rules(system)) | settings_of(text, rules(system))
    sections = {path[:depth] for path in found for depth in range(1, len(path))}
    assert sections or system == "onyx"
    assert [path for path in sections if path[-1] != found[path]] == []
