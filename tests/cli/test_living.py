"""Living with lint: baseline, git revision, statistics, forms, own rules, fixes, pages, from the command line."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from rocecfg import packs
from rocecfg.lint import load

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LINT = ("lint", "out", "--select", "TOY")


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    load.set_assertions([])
    packs._rule_folders.clear()


def git(*arguments: str) -> None:
    subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@y", *arguments], check=True, capture_output=True)


def test_baseline_accepts_what_is_there(fabric: Path, cli, edit) -> None:
    assert cli(*LINT, "--fail-on", "warning").code == 1
    ran = cli(*LINT, "--write-baseline", "known.json", "--fail-on", "warning")
    assert (ran.code, ran.out) == (0, "")
    assert "2 findings in known.json" in ran.err
    ran = cli(*LINT, "--baseline", "known.json", "--fail-on", "warning", "--format", "json")
    assert ran.code == 0
    assert ran.data["findings"] == []
    assert "2 findings are known to known.json" in ran.err
    (fabric / "rocecfg.toml").write_text('baseline = "known.json"\n', encoding="utf-8")
    assert cli(*LINT, "--fail-on", "warning").code == 0
    assert cli(*LINT, "--write-baseline").code == 0, "into the file of the configuration"
    edit("leaf1", '"probability": 20', '"probability": 4')
    assert "match nothing any more" in cli(*LINT).err


def test_write_baseline_overwrites_nothing_else(fabric: Path, cli) -> None:
    before = (fabric / "toy.roce.yaml").read_bytes()
    ran = cli(*LINT, "--write-baseline", "toy.roce.yaml")
    assert ran.code == 2
    assert "left as it is" in ran.err
    assert (fabric / "toy.roce.yaml").read_bytes() == before
    assert cli(*LINT, "--write-baseline").code == 0
    assert (fabric / ".rocecfg-baseline.json").is_file()


def test_a_baseline_never_hides_what_could_not_be_read(fabric: Path, cli) -> None:
    (fabric / "out" / "leaf1" / "toy.json").write_text("{broken", encoding="utf-8")
    assert cli(*LINT, "--write-baseline", "known.json").code == 3
    ran = cli(*LINT, "--baseline", "known.json")
    assert ran.code == 3
    assert "RUN-007" in ran.out


def test_diff_base_reports_what_is_new(fabric: Path, cli, edit) -> None:
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "first")
    wanted = ("--fail-on", "warning", "--format", "json")
    assert cli(*LINT, *wanted).code == 1
    ran = cli(*LINT, "--diff-base", "HEAD", *wanted)
    assert (ran.code, ran.data["findings"]) == (0, [])
    ran = cli("lint", "out/leaf1", "out/leaf2/toy.json", "--select", "TOY", "--diff-base", "HEAD", *wanted)
    assert ran.data["findings"] == [], "a folder and a file by themselves"
    edit("leaf1", '"probability": 20', '"probability": 90')
    (fabric / "out" / "leaf3").mkdir()
    text = (fabric / "out" / "leaf2" / "toy.json").read_text(encoding="utf-8").replace('"leaf2"', '"leaf3"')
    (fabric / "out" / "leaf3" / "toy.json").write_text("\n" + text, encoding="utf-8")
    (fabric / "out" / "leaf2" / "toy.json").write_text(
        "\n\n" + (fabric / "out" / "leaf2" / "toy.json").read_text(encoding="utf-8"), encoding="utf-8"
    )
    ran = cli(*LINT, "--diff-base", "HEAD", *wanted)
    assert ran.code == 1
    assert {item["device"] for item in ran.data["findings"]} == {"leaf3"}, "leaf2 moved, leaf1 is as bad as before"
    status = subprocess.run(["git", "status", "--porcelain", "-uno"], capture_output=True, text=True, check=True).stdout
    assert "out/leaf1/toy.json" in status
    assert not status.replace(" M ", "").startswith("M"), "the index is as it was"


def test_diff_base_of_an_intent_keeps_its_file(fabric: Path, cli) -> None:
    text = (fabric / "toy.roce.yaml").read_text(encoding="utf-8").replace("30m fibre", "30m dac")
    (fabric / "toy.roce.yaml").write_text(text, encoding="utf-8")
    git("init", "-q")
    git("add", "toy.roce.yaml")
    git("commit", "-qm", "first")
    where = ("lint", "toy.roce.yaml", "--select", "INT", "--fail-on", "warning")
    assert cli(*where).code == 1
    assert cli(*where, "--diff-base", "HEAD").code == 0
    (fabric / "toy.roce.yaml").write_text("\n\n" + text, encoding="utf-8")
    assert cli(*where, "--diff-base", "HEAD").code == 0, "moved by two lines"


@pytest.mark.parametrize(("revision", "message"), [("nope", 'no revision "nope"'), ("--all", "no revision")])
def test_diff_base_that_is_none(fabric: Path, cli, revision: str, message: str) -> None:
    assert "is in no git repository" in cli(*LINT, "--diff-base", "HEAD").err
    git("init", "-q")
    ran = cli(*LINT, f"--diff-base={revision}")
    assert ran.code == 2
    assert message in ran.err


def test_statistics(fabric: Path, cli) -> None:
    ran = cli(*LINT, "--statistics")
    assert ran.out.splitlines()[0].split()[:3] == ["2", "TOY-001", "warning"]
    ran = cli(*LINT, "--statistics", "--format", "json")
    assert ran.data["statistics"][0] | {"name": ""} == {
        "rule": "TOY-001", "name": "", "severity": "warning", "findings": 2, "ports": 8, "devices": 2,
    }  # fmt: skip
    assert cli(*LINT, "--statistics", "--format", "html").code == 2


@pytest.mark.parametrize("form", ["sarif", "junit", "github", "gitlab", "markdown", "html"])
@pytest.mark.parametrize("command", [LINT, ("drift", "toy.roce.yaml", "out")])
def test_every_form_of_lint_and_drift(fabric: Path, cli, form: str, command: tuple[str, ...]) -> None:
    ran = cli(*command, "--format", form, "-o", "report")
    assert (ran.code, ran.out) == (0, ""), ran.err
    text = (fabric / "report").read_text(encoding="utf-8")
    assert text
    if form in {"sarif", "gitlab"}:
        json.loads(text)
    if command is LINT:
        assert "TOY-001" in text
    elif form == "junit":
        assert 'classname="leaf1" name="DRIFT-001"/>' in text


def test_github_fills_the_step_summary(fabric: Path, cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(fabric / "summary.md"))
    ran = cli(*LINT, "--format", "github")
    assert ran.out.startswith("::warning title=TOY-001")
    assert "| TOY-001<br>" in (fabric / "summary.md").read_text(encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(fabric / "no" / "summary.md"))
    ran = cli(*LINT, "--format", "github")
    assert (ran.code, "warning: GITHUB_STEP_SUMMARY" in ran.err) == (0, True)


def test_own_rules_by_option_and_configuration(fabric: Path, cli) -> None:
    (fabric / "policy").mkdir()
    (fabric / "policy" / "site.yaml").write_text("- {id: SITE-009, require: {mtu: {max: 1500}}}\n", encoding="utf-8")
    ran = cli("lint", "out", "--rules", "policy", "--select", "SITE", "--format", "json")
    assert {item["rule"] for item in ran.data["findings"]} == {"SITE-009"}
    assert "SITE-009" in cli("rules", "--rules", "policy").out
    assert "1500 or less" in cli("explain", "SITE-009", "--rules", "policy").out
    assert cli("lint", "out", "--rules", "gone").code == 2


def test_fix_writes_and_diff_shows(fabric: Path, cli) -> None:
    file = fabric / "toy.roce.yaml"
    text = file.read_text(encoding="utf-8") + "settings: {ecn: {kmin: 150B, kmax: 1500KB}}   # mine\n"
    file.write_text(text, encoding="utf-8")
    ran = cli("lint", "toy.roce.yaml", "--select", "INT", "--fix", "--diff")
    assert ran.code == 1
    assert "+settings: {ecn: {kmin: auto, kmax: 1500KB}}   # mine" in ran.out.splitlines()
    assert file.read_text(encoding="utf-8") == text
    ran = cli("lint", "toy.roce.yaml", "--select", "INT", "--fix")
    assert ran.code == 0, ran.out
    assert "fixed INT-004" in ran.err
    assert file.read_text(encoding="utf-8") == text.replace("150B", "auto")
    assert cli("lint", "toy.roce.yaml", "--select", "INT", "--diff").code == 0


def test_explain_writes_every_page(fabric: Path, cli) -> None:
    (fabric / "pages").mkdir()
    (fabric / "pages" / "OLD-001.md").write_text("gone", encoding="utf-8")
    ran = cli("explain", "--all", "--output", "pages")
    assert ran.code == 0
    names = {path.stem for path in (fabric / "pages").glob("*.md")}
    assert names == {*load.rules(), "README"}
    page = (fabric / "pages" / "TOY-001.md").read_text(encoding="utf-8")
    assert page.startswith("# TOY-001 steep-ramp\n")
    assert "| `maximum` |" in page
    assert cli("explain").code == 2
    assert cli("explain", "TOY-001", "--all").code == 2
    assert cli("explain", "TOY-001", "--output", "pages").code == 2


def test_rules_as_json(fabric: Path, cli) -> None:
    rules = {rule["id"]: rule for rule in cli("rules", "--format", "json").data["rules"]}
    assert set(rules) == set(load.rules())
    toy = rules["TOY-001"]
    assert set(toy) == {
        "id", "name", "severity", "profile", "since", "subjects", "produced_by", "title", "devices", "file", "options",
    }  # fmt: skip
    assert toy["options"]["maximum"]["default"] == load.load(load.rules()["TOY-001"]).options["maximum"].default
