"""The drawings of a plan: whole, escaped, alone on a page, and true to the numbers."""

from __future__ import annotations

import itertools
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from rocecfg import packs
from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.plan.resolve import plan
from rocecfg.report import drawing
from rocecfg.report.chart import Axis, Bar, Chart, bar, byte_ticks, plot, size_text

if TYPE_CHECKING:
    from rocecfg.plan.planned import Plan

INTENT = """\
version: 1
fabric: test
classes:
  roce: {dscp: 26, priority: 3, lossless: true}
devices:
  leaf1: {nos: plainos, model: ACS-SN5600}
  leaf2: {nos: plainos, model: "<script>alert('x')</script>"}
  leaf3: {nos: plainos, model: ACS-SN5600}
links:
  - {a: "leaf1:p[1-2]", b: "leaf2:p[1-2]", speed: 400G, cable: 30m fibre}
  - {a: "leaf1:p3", b: "leaf2:p3", speed: 100G, cable: 5m dac}
"""
VOID = {"meta", "br"}


@pytest.fixture(autouse=True)
def plainos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs, "_extra", [])
    packs.add_packs([Path(__file__).parent / "pack"])


def made(text: str = INTENT) -> Plan:
    return plan(expand(parse_intent(text, "test.roce.yaml")))


class _Balanced(HTMLParser):
    """Fails on an element that is not closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        del attrs
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        del attrs
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_escaped_and_alone() -> None:
    page = drawing.as_html(made(), ["leaf1", "leaf2", "leaf3"])
    parser = _Balanced()
    parser.feed(page)
    assert parser.open == []
    assert "script" not in parser.seen
    assert "&lt;script&gt;" in page
    assert not re.search(r"(?:src|href)\s*=\s*\"(?!#)", page)
    assert "url(http" not in page
    assert parser.seen.count("svg") == 4, "three for the known box, one for the unknown, none without ports"
    assert "Nothing to draw" in page


def test_every_svg_is_xml_with_words_for_it() -> None:
    files = dict(drawing.as_svg(made(), ["leaf1", "leaf2", "leaf3"]))
    assert set(files) == {"leaf1-buffer.svg", "leaf1-marks.svg", "leaf1-headroom.svg", "leaf2-headroom.svg"}
    for text in files.values():
        root = ET.fromstring(text)
        space = {"s": "http://www.w3.org/2000/svg"}
        assert root.findtext("s:title", namespaces=space)
        assert root.findtext("s:desc", namespaces=space)
        assert "NaN" not in text
        assert "None" not in text


def test_the_same_plan_gives_the_same_bytes() -> None:
    names = ["leaf1", "leaf2", "leaf3"]
    assert drawing.as_html(made(), names) == drawing.as_html(made(), names)


def test_the_bar_is_the_budget() -> None:
    device = made().devices["leaf1"]
    budget = device.box.budget
    assert budget is not None
    first = next(iter(drawing.groups(made(), ["leaf1"]))).drawings[0]
    assert isinstance(first, Bar)
    widths = {part.name: part.width for part in first.parts}
    whole = sum(widths.values())
    assert widths["headroom"] / whole == pytest.approx(budget.headroom / budget.memory, abs=0.001)
    assert widths["shared"] / whole == pytest.approx(budget.shared / budget.memory, abs=0.001)
    assert len({part.pattern for part in first.parts}) == len(first.parts)


def test_lines_are_told_apart_without_colour_and_no_name_hides_another() -> None:
    for group in drawing.groups(made(), ["leaf1", "leaf2"]):
        for item in group.drawings:
            if isinstance(item, Chart):
                assert len({(line.dash, line.marker) for line in item.lines}) == len(item.lines)
                labels = sorted(line.label_y for line in item.lines)
                assert all(after - before >= 14.9 for before, after in itertools.pairwise(labels))
                assert all(item.top <= at <= item.bottom for at in labels)


def test_a_planned_port_lies_on_its_curve() -> None:
    group = next(iter(drawing.groups(made(), ["leaf1"])))
    chart = group.drawings[2]
    assert isinstance(chart, Chart)
    assert [spot.label for spot in chart.spots] == ["5 m: 122 kB", "30 m: 278 kB"]
    assert "400G, 30 m: 278 kB" in chart.text


def test_forty_kilometres_stay_inside_the_picture() -> None:
    long = INTENT.replace("leaf1: {nos: plainos, model: ACS-SN5600}", "leaf1: {nos: plainos, asic: qumran-3d}")
    chart = next(iter(drawing.groups(made(long.replace("30m fibre", "40km fibre")), ["leaf1"]))).drawings[-1]
    assert isinstance(chart, Chart)
    assert all(chart.left <= spot.x < chart.right for spot in chart.spots)


def test_axes_and_sizes() -> None:
    axis = Axis(1, 1000, 0, 300)
    assert (axis.at(1), axis.at(10), axis.at(1000), axis.at(10**6)) == (0, 100, 300, 300)
    assert [size_text(value) for value in (512, 400_000, 25_660_096, 2_000_000_000)] == [
        "512 B", "400 kB", "25.7 MB", "2 GB",
    ]  # fmt: skip
    assert [tick.text for tick in byte_ticks(Axis(900_000, 6_000_000, 100, 0))] == ["1 MB", "2 MB", "5 MB"]
    assert len(plot([1, 2], [5]).drawn()) == 0
    thin = bar("b", "", "", [("reserved", 1), ("headroom", 1), ("shared", 10**9)])
    labels = [part.label_x for part in thin.parts]
    assert all(after - before >= 130 for before, after in itertools.pairwise(labels))
