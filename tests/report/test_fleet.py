"""The report of an audit: what it says, that nothing hostile becomes markup, and its size."""

from __future__ import annotations

import json
import re
import time
from base64 import b64encode
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from rocecfg.findings import Finding, Severity
from rocecfg.history.query import Account
from rocecfg.remedy.make import Remedy
from rocecfg.render.engine import render
from rocecfg.report.fleet import write
from rocecfg.report.fleet_changes import changes, trend
from rocecfg.report.fleet_excerpt import MOST_LINE, Excerpts
from rocecfg.report.fleet_remedy import MOST_LINES, cures, remedies_of
from tests.report import fleet_sample as sample

if TYPE_CHECKING:
    from pathlib import Path


class _Page(HTMLParser):
    """The elements and attributes that a browser would make of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    run, plan = sample.small(tmp_path_factory.mktemp("captures"))
    return write(run, plan, sample.history(run), sample.remedies())


def test_the_first_screen(page: str) -> None:
    """What changed, which device hurts first, what to type."""
    text = _Page(page).text
    assert "2 devices with errors, 1 could not be read" in text
    assert "2 new 1 resolved" in text
    assert "21/22 read" in text.replace("read 1 failed", "read")
    assert (
        text.index("Look here first")
        < text.index("spine1", text.index("Look here first"))
        < text.index("leaf4 2 warnings")
    )
    assert "happening now" in text  # a rule that reads counters
    assert "gone MTU-002 leaf3" in text
    now = text[text.index("What to type", text.index("Look here first")) :]
    assert now.index("priority-flow-control mode on") < now.index("Trend")


def test_the_line_of_the_capture_stands_with_the_block_it_is_in(page: str) -> None:
    assert "<i>2</i>interface Ethernet1/7" in page
    assert "<i>4</i><b>  priority-flow-control mode off</b>" in page


def test_reasons_blind_spots_and_remedies(page: str) -> None:
    text = _Page(page).text
    assert "10.0.2.9:22 refused the password of user audit after the key was not accepted" in text
    assert "BUF-007 the size of the shared buffer" in text
    assert "hardware qos frobnicate 7" in text
    assert "leaf1, leaf3, leaf4 2 lines on each of 3" in text
    assert "drain gpu07" in text
    assert "to undo it" in text
    assert "By hand: no commands back are known for this system" in text
    assert "Buffer: " in text
    assert "Marks before PAUSE at 400G" in text


def test_equal_devices_are_drawn_once(page: str) -> None:
    assert page.count("<h4>Buffer: ") == 2  # four leaves, two spines


def test_without_history_and_remedies() -> None:
    text = _Page(write(*sample.small())).text
    assert "Without a history nothing can be compared" in text
    assert "rocecfg drift INTENT CAPTURES --remedy DIR" in text
    assert "only new" not in text


def test_an_audit_that_found_nothing() -> None:
    _, plan = sample.small()
    clean = sample.audited([], list(plan.devices))
    clean.outcome.not_evaluated, clean.outcome.not_understood = [], []
    text = _Page(write(clean, plan, Account((), ()), {})).text
    assert "Nothing wrong was found" in text
    assert "No findings by 2 rules." in text
    assert "The first audit of this fabric" in text


def test_same_bytes() -> None:
    run, plan = sample.small()
    assert write(run, plan, sample.history(run), sample.remedies()) == write(
        run, plan, sample.history(run), sample.remedies()
    )


def test_nothing_hostile_becomes_markup() -> None:
    """The elements and attributes of the hostile page are those of the harmless one; its words are there as text."""
    run, plan = sample.hostile()
    remedy = sample.hostile_remedy()
    text = write(run, plan, sample.history(run), {**sample.remedies(), sample.EVIL_NAME: remedy, sample.EVIL: remedy})
    page = _Page(text)
    assert not {tag for tag, _ in page.tags} & {"img", "iframe", "object", "embed", "base", "form2"}
    assert [attrs.get("type") for tag, attrs in page.tags if tag == "script"] == ["application/json", None]
    assert not [name for _, attrs in page.tags for name in attrs if name.startswith("on") or name == "style"]
    assert all((attrs["href"] or "").startswith(("#", "data:,")) for _, attrs in page.tags if "href" in attrs)
    assert not [name for _, attrs in page.tags for name in attrs if name in {"src", "srcset", "action", "xlink:href"}]
    assert "onerror=" in page.text  # as words
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2028\ud800-\udfff]", text)
    text.encode()


def test_the_policy_allows_the_own_script_and_style_only(page: str) -> None:
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    script = re.search(r"<script>(.*?)</script>", page, re.DOTALL)
    assert style is not None
    assert script is not None
    for text in (style[1], script[1]):
        assert f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in page
    assert "unsafe-inline" not in page
    assert "default-src 'none'" in page
    assert not re.search(r"https?://", re.sub(r"<p>.*?</p>", "", page, flags=re.DOTALL))  # references are text


def test_data_for_the_script(page: str) -> None:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    assert not set("<>&") & set(found[1])
    data = json.loads(found[1])
    assert data["devices"][:2] == ["gpu01", "gpu02"]
    assert len(data["problems"]) == page.count('class="problem"')
    every = dict(zip(data["devices"], range(len(data["devices"])), strict=True))
    leaves = f"{every['leaf1']},{every['leaf3']}-{every['leaf4']}"
    assert any(runs == leaves and len(spots) == 3 for runs, spots in data["problems"])


@pytest.mark.parametrize("recorded", [True, False])
def test_changes_with_the_audit_in_the_history_or_not(recorded: bool) -> None:
    run, _ = sample.small()
    account = sample.history(run, recorded=recorded)
    found = changes(run, account)
    assert [found.is_fresh(at) for at in range(4)] == [True, True, False, False]
    assert [item.rule for item in found.gone] == ["MTU-002"] if recorded else True
    assert found.since(3) == "2026-02-27"


def test_what_nobody_looked_at_did_not_go_away() -> None:
    run, _ = sample.small()
    account = sample.history(run, recorded=False)
    assert changes(run, account).gone == []  # the rule MTU-002 did not run
    run.outcome.rules = (*run.outcome.rules, "MTU-002")
    assert [item.device for item in changes(run, account).gone] == ["leaf3"]
    run.devices = [replace(item, status="failed") if item.device == "leaf3" else item for item in run.devices]
    assert changes(run, account).gone == []


def test_other_fabrics_of_the_history_do_not_count() -> None:
    run, _ = sample.small()
    account = sample.history(run)
    others = tuple(replace(item, fabric="pod2", finished=item.finished + timedelta(hours=1)) for item in account.audits)
    assert changes(run, Account(others, account.findings)).before is None
    assert trend(run, Account(others, ()), 1, 1, 0) is None


def test_trend_ends_with_this_audit() -> None:
    run, _ = sample.small()
    drawn = trend(run, sample.history(run, recorded=False), 7, 0, 2)
    assert drawn is not None
    assert len(drawn.columns) == 12
    assert drawn.columns[-1].title == "2026-03-04 02:03 UTC: 7 errors, 0 warnings, 2 devices not read"
    assert all(0 <= y <= drawn.height and height >= 0 for column in drawn.columns for _, y, height in column.parts)


def test_remedies_that_are_none_or_too_large() -> None:
    assert cures(None, []).cures == ()
    assert cures({"leaf1": Remedy("leaf1")}, ["leaf1"]).cures == ()
    long = {f"leaf{at}": Remedy(f"leaf{at}", commands=(f"line {at} " + "x" * 1900,) * 390) for at in range(1, 4)}
    found = cures(long, ["leaf2"])
    assert [cure.names for cure in found.cures] == [("leaf2",)]
    assert found.left_out == "leaf1, leaf3"
    assert found.first("leaf1") is None
    most = cures({"leaf1": Remedy("leaf1", commands=("a",) * 500)}, []).cures[0]
    assert (most.count, most.hidden) == (500, 500 - MOST_LINES)


def test_remedies_of_the_devices_that_drifted(tmp_path: Path) -> None:
    """A rendered switch with PFC switched off on a port: the lines that switch it on again."""
    plan = sample.planned()
    folder = tmp_path / "leaf2"
    folder.mkdir()
    text = render(plan.devices["leaf2"].fitted)[0].content
    assert "priority-flow-control mode on" in text
    (folder / "config.txt").write_text(
        text.replace("priority-flow-control mode on", "priority-flow-control mode off", 1)
    )
    texts = [{"command": "show running-config", "file": "config.txt", "complete": True}]
    (folder / "capture.json").write_text(json.dumps({"schema": 1, "device": "leaf2", "nos": "nxos", "texts": texts}))
    drift = Finding("DRIFT-001", "rendered-vs-live", Severity.ERROR, "leaf2", "", "m", "h")
    run = sample.audited([drift, replace(drift, device="leaf3")], ["leaf2", "leaf3"])
    run.devices[0] = replace(run.devices[0], folder=str(folder))
    found = remedies_of(run, plan)
    assert list(found) == ["leaf2"]
    assert any("priority-flow-control mode on" in line for line in found["leaf2"].commands)
    assert "priority-flow-control mode on" in write(run, plan, None, found)


def test_excerpts_are_bounded(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes(b"x" * 10_000 + b"\n\n \xff\x1b[31m\r\n")
    finding = Finding("PFC-001", "n", Severity.ERROR, "leaf1", "", "m", file=str(file), line=1)
    read = Excerpts().of(finding)
    assert read is not None
    assert len(read.text) <= MOST_LINE + 4
    third = Excerpts().of(replace(finding, line=3))
    assert third is not None
    assert third.text == " \ufffd\\x1b[31m"
    for other in (replace(finding, line=2), replace(finding, line=99), replace(finding, line=0),
                  replace(finding, file=str(tmp_path)), replace(finding, file="/dev/zero"),
                  replace(finding, file="\0"), replace(finding, file="<stdin>")):  # fmt: skip
        assert Excerpts().of(other) is None


def test_size_and_time_stay_small_for_a_large_fabric() -> None:
    """A tenth of 5,000 devices with 64 ports; findings equal and unequal."""
    plan = sample.planned(sample.large(500))
    names = list(plan.devices)
    findings = sample.many_findings(names, 3000)
    started = time.perf_counter()
    text = write(sample.audited(findings, names), plan, None, None)
    assert time.perf_counter() - started < 30
    assert len(text.encode()) < 2_500_000
    assert text.count("data-device=") > 500  # each device is in the drawing
    assert "One cell is one device" in text
