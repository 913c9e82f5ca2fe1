"""Ten kinds of bad input for each command: one clear message, the right exit code, never a traceback or "clean"."""

from __future__ import annotations

from pathlib import Path

import pytest

from rocecfg.cli.group import COMMANDS

INTENT = Path(__file__).with_name("conftest.py")  # any file that is no intent


def _files(folder: Path) -> None:
    (folder / "empty").write_bytes(b"")
    (folder / "empty.roce.yaml").write_bytes(b"")
    (folder / "binary").write_bytes(b"\x7fELF\x00\x00\x01")
    (folder / "binary.roce.yaml").write_bytes(b"\x00\xff\xfe\x80")
    (folder / "broken.roce.yaml").write_text("version: 1\nfabric: [\n", encoding="utf-8")
    (folder / "list.roce.yaml").write_text("- 1\n", encoding="utf-8")
    (folder / "typo.roce.yaml").write_text("version: 1\nfabrik: x\n", encoding="utf-8")
    (folder / "tab.roce.yaml").write_text("version: 1\n\tfabric: x\n", encoding="utf-8")
    (folder / "bomb.roce.yaml").write_text(
        "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
        + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 10)}]\n" for n in range(9)),
        encoding="utf-8",
    )
    (folder / "unknown.cfg").write_text("hello\nworld\n", encoding="utf-8")
    (folder / "broken.toy").write_text('{"toyos": {"name"', encoding="utf-8")
    (folder / "crash.toy").write_text('{"toyos": "internal bug"}', encoding="utf-8")
    (folder / "deep.toy").write_text('{"toyos": ' + "[" * 100_000, encoding="utf-8")
    (folder / "longline.toy").write_text('{"toyos": ' + "x" * 10_000_000, encoding="utf-8")
    (folder / "nothing").mkdir()
    (folder / "cut").mkdir()
    (folder / "cut" / "capture.json").write_text('{"device": "a"', encoding="utf-8")
    (folder / "escape").mkdir()
    (folder / "escape" / "capture.json").write_text(
        '{"device": "a", "nos": "toyos", "texts": [{"file": "../toy.roce.yaml"}]}', encoding="utf-8"
    )
    (folder / "wrong.toml").write_text('profil = "safe"\n', encoding="utf-8")


INTENTS = [
    (["gone.roce.yaml"], 2),
    (["nothing"], 2),
    (["empty.roce.yaml"], 2),
    (["binary.roce.yaml"], 2),
    (["broken.roce.yaml"], 2),
    (["list.roce.yaml"], 2),
    (["typo.roce.yaml"], 2),
    (["tab.roce.yaml"], 2),
    (["bomb.roce.yaml"], 2),
    (["unknown.cfg"], 2),
]
TEXTS = [
    (["gone.cfg"], 3),
    (["nothing"], 3),
    (["empty"], 3),
    (["binary"], 3),
    (["unknown.cfg"], 3),
    (["broken.toy"], 3),
    (["crash.toy"], 3),
    (["deep.toy"], 3),
    (["longline.toy"], 3),
    (["cut"], 3),
    (["escape"], 3),
    (["unknown.cfg", "--nos", "nxoss"], 2),
    (["out/leaf1", "--format", "xml"], 2),
    (["out/leaf1", "--jobs", "0"], 2),
    ([], 2),
]
CASES: list[tuple[list[str], int]] = [
    *((["validate", *words], code) for words, code in INTENTS),
    *((["plan", *words], code) for words, code in INTENTS),
    (["plan", "toy.roce.yaml", "--why", "leaf3"], 2),
    (["plan", "toy.roce.yaml", "--why", "leaf1:Ethernet1/99"], 2),
    (["plan", "toy.roce.yaml", "--why", ":"], 2),
    (["plan", "toy.roce.yaml", "--device", "spine*"], 2),
    (["plan", "toy.roce.yaml", "-o", "nothing/there/x"], 2),
    *((["render", *words, "-o", "new"], code) for words, code in INTENTS),
    (["render", "toy.roce.yaml"], 2),
    (["render", "toy.roce.yaml", "-o", "toy.roce.yaml"], 2),
    (["render", "toy.roce.yaml", "-o", "new", "--device", "spine*"], 2),
    (["render", "toy.roce.yaml", "-o", "new", "--strict"], 2),
    *((["parse", *words], code) for words, code in TEXTS),
    *((["lint", *words], code) for words, code in TEXTS),
    *((["lint", *words], code) for words, code in INTENTS if "roce" in words[0] and "gone" not in words[0]),
    (["lint", "out", "--intent", "typo.roce.yaml"], 2),
    (["lint", "out", "--links", "typo.roce.yaml"], 2),
    (["lint", "out", "--links", "gone.yaml"], 2),
    (["lint", "out", "--select", "PFD"], 2),
    (["lint", "out", "--ignore", "TOY-999"], 2),
    (["lint", "out", "--profile", "hard"], 2),
    (["lint", "out", "--fail-on", "warnings"], 2),
    (["lint", "out", "--config", "wrong.toml"], 2),
    (["lint", "out", "--config", "gone.toml"], 2),
    *((["drift", words[0], "out"], code) for words, code in INTENTS),
    *((["drift", "toy.roce.yaml", *words], code) for words, code in TEXTS if words),
    (["drift", "toy.roce.yaml"], 2),
    (["drift", "toy.roce.yaml", "out", "--device", "spine*"], 2),
    (["explain"], 2),
    (["explain", "PFC-999"], 2),
    (["explain", "stepp-ramp"], 2),
    (["explain", ""], 2),
    (["explain", "../../etc/passwd"], 2),
    (["explain", "TOY-001", "TOY-001"], 2),
    (["explain", "\x1b[31m"], 2),
    (["rules", "TOY-001"], 2),
    (["rules", "--format", "yaml"], 2),
    (["rules", "-o", "nothing/there/x"], 2),
    (["vendors", "toy"], 2),
    (["vendors", "--format", "yaml"], 2),
    (["vendors", "-o", "nothing"], 2),
    (["vendors", "--pack", "nothing"], 2),
    (["vendors", "--pack", "gone"], 2),
    (["vendors", "--color", "pink"], 2),
    (["schema", "-o", "nothing"], 2),
    (["schema", "x"], 2),
    (["init", "empty"], 2),
    (["init", "a", "b"], 2),
    (["init", "--force"], 2),
    *(
        ([name, *words], 2)
        for name in COMMANDS
        for words in (
            ["--nope"],
            ["--format"],
            ["--color", "pink"],
            ["--pack", "gone"],
            ["--pack", "nothing"],
            ["--pack", "empty"],
            ["--help=1"],
            ["--jobs=x"],
        )
    ),
    ([], 2),
    (["lnit", "out"], 2),
    (["--colour"], 2),
]


@pytest.fixture
def folder(fabric: Path) -> Path:
    _files(fabric)
    return fabric


@pytest.mark.parametrize(("words", "code"), CASES, ids=[" ".join(words)[:60] for words, _ in CASES])
def test_bad_input(folder: Path, cli, words: list[str], code: int) -> None:
    before = sorted(path.name for path in folder.iterdir())
    ran = cli(*words) if words else cli(pack=False)
    assert ran.code == code, (ran.out, ran.err)
    shown = ran.out + ran.err
    assert "Traceback" not in shown
    assert "\n" in shown
    assert "no findings" not in shown
    assert "internal error" not in shown or words[-1] == "crash.toy"
    assert sorted(path.name for path in folder.iterdir()) == before


def test_unreadable_files_do_not_stop_the_rest(folder: Path, cli) -> None:
    ran = cli("lint", "broken.toy", "crash.toy", "gone.cfg", "out", "--select", "TOY", "--format", "json")
    assert ran.code == 3
    rules = [finding["rule"] for finding in ran.data["findings"]]
    assert rules == ["RUN-007", "RUN-008", "RUN-001", "TOY-001", "TOY-001"]
    assert ran.data["summary"]["devices"] == 2


def test_a_broken_intent_does_not_hide_findings_of_others(folder: Path, cli) -> None:
    ran = cli("lint", "typo.roce.yaml", "out", "--select", "TOY", "--fail-on", "warning")
    assert ran.code == 2
    assert "typo.roce.yaml:2:1: error RUN-007: " in ran.out
    assert 'did you mean "fabric"' in ran.out
    assert "TOY-001 leaf1" in ran.out


def test_every_problem_of_an_intent_has_a_place(folder: Path, cli) -> None:
    ran = cli("validate", "typo.roce.yaml", "toy.roce.yaml")
    assert ran.code == 2
    assert all(line.startswith(("typo.roce.yaml:", "    help: ")) for line in ran.err.splitlines())
    assert "typo.roce.yaml:2:1: " in ran.err
    assert "toy.roce.yaml: valid" in ran.out


def test_refused_plan_renders_nothing(folder: Path, cli) -> None:
    text = (folder / "toy.roce.yaml").read_text(encoding="utf-8")
    (folder / "pcp.roce.yaml").write_text(text + "settings: {trust: pcp}\n", encoding="utf-8")
    ran = cli("render", "pcp.roce.yaml", "-o", "new")
    assert ran.code == 2
    assert "leaf1 Ethernet1/1: trust: pcp is wanted, dscp: the toy reads no tags" in ran.err
    assert not (folder / "new").exists()
    assert cli("plan", "pcp.roce.yaml").code == 2


def test_unsafe_device_names_are_refused(folder: Path, cli) -> None:
    text = (
        (folder / "toy.roce.yaml").read_text(encoding="utf-8").replace("leaf[1-2]", '"..": {nos: toyos}\n  leaf[1-2]')
    )
    (folder / "unsafe.roce.yaml").write_text(text, encoding="utf-8")
    ran = cli("render", "unsafe.roce.yaml", "-o", "new")
    assert ran.code == 2
    assert not (folder / "new").exists()


def test_device_text_cannot_write_to_the_terminal(folder: Path, cli) -> None:
    (folder / "evil.toy").write_text(
        '{"toyos": {"name": "a\\u001b[2J", "nos": "toyos", "unknown": ["\\u001b]0;owned\\u0007"]}}', encoding="utf-8"
    )
    for ran in (cli("parse", "evil.toy"), cli("lint", "evil.toy", "--select", "TOY")):
        assert "\x1b" not in ran.out + ran.err
        assert "\x07" not in ran.out + ran.err
        assert "\\x1b]0;owned" in ran.out
