"""`lint --fix`: only certain cures, only the characters that must change, proven before written."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest

from rocecfg.errors import IntentError
from rocecfg.findings import Edit
from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.lint.config import Settings
from rocecfg.lint.fix import Fixed, Fixer, splice, without_comment
from rocecfg.yamlfile import Place

if TYPE_CHECKING:
    from pathlib import Path

    from rocecfg.intent.fabric import Fabric

INTENT = """\
# the pod   (two spaces stay)
version: 1
fabric:  pod1
classes:
    roce: {dscp: 26,  priority: 3, lossless: true, ecn: {kmin: 150B, kmax: 1500KB}}   # from the guide
settings:   # all
    pfc: {headroom: '900B'}
devices: {leaf1: {nos: nxos}, gpu01:   {nic: mlx5}}
links:
  - {a: "leaf1:Ethernet1/1", b: 'GPU1:rail0', speed: 400G, cable: 3m dac}
  # not this one: it could be anything
  - {a: "leaf1:Ethernet1/2", b: "gpx01:rail0", speed: 400G, cable: 3m dac}
"""


def load(path: Path, text: str) -> Fabric:
    return expand(parse_intent(text, str(path)))


def fixed(folder: Path, text: str) -> Fixed:
    path = folder / "pod1.roce.yaml"
    path.write_text(text, encoding="utf-8", newline="")
    return Fixer(Settings(), load).fix(path)


def test_only_what_is_certain_changes_and_all_else_stays_to_the_byte(tmp_path: Path) -> None:
    result = fixed(tmp_path, INTENT)
    assert result.after == (
        INTENT.replace("kmin: 150B", "kmin: auto").replace("'900B'", "'auto'").replace("'GPU1:rail0'", "'gpu01:rail0'")
    )
    assert sorted(word.split()[0] for word in result.done) == ["INT-004", "INT-004", "INT-005"]
    changed = [line for line in result.diff().splitlines() if line[:1] in "+-" and line[:3] not in {"+++", "---"}]
    assert len(changed) == 6


def test_twice_is_once(tmp_path: Path) -> None:
    once = fixed(tmp_path, INTENT).after
    again = fixed(tmp_path, once)
    assert (again.after, again.done, again.diff()) == (once, (), "")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_line_ends_and_missing_last_newline_stay(tmp_path: Path, newline: str) -> None:
    text = INTENT.replace("\n", newline).removesuffix(newline)
    assert fixed(tmp_path, text).after == text.replace("kmin: 150B", "kmin: auto").replace("'900B'", "'auto'").replace(
        "'GPU1:rail0'", "'gpu01:rail0'"
    )


def test_a_name_with_two_likely_devices_is_left(tmp_path: Path) -> None:
    text = INTENT.replace("gpu01:   {nic: mlx5}", "gpu01: {nic: mlx5}, gpu001: {nic: mlx5}")
    assert "GPU1:rail0" in fixed(tmp_path, text).after


def test_a_silenced_finding_is_left(tmp_path: Path) -> None:
    text = INTENT.replace("# from the guide", "# rocecfg: ignore INT-004 -- tried in the lab")
    assert "kmin: 150B" in fixed(tmp_path, text).after


def test_a_cure_that_makes_things_worse_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = splice

    def wrong(text: str, edits: tuple[Edit, ...]) -> str:
        return real(text, [Edit(edit.place, "999999GB" if edit.value == "auto" else "leaf9:x") for edit in edits])

    monkeypatch.setattr("rocecfg.lint.fix.splice", wrong)
    result = fixed(tmp_path, INTENT)
    assert result.after == INTENT
    assert result.done == ()


def test_an_intent_that_does_not_load_is_left(tmp_path: Path) -> None:
    with pytest.raises(IntentError):
        fixed(tmp_path, INTENT.replace("26", "126"))


def test_writing_keeps_the_mode_and_leaves_nothing_behind(tmp_path: Path) -> None:
    result = fixed(tmp_path, INTENT)
    result.path.chmod(0o640)
    result.write()
    assert result.path.read_text(encoding="utf-8") == result.after
    assert stat.S_IMODE(result.path.stat().st_mode) == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["pod1.roce.yaml"]


def test_splice_replaces_scalars_only() -> None:
    text = 'a: {b: "x", c: [1, two]}\nd: |\n  long\n'
    assert splice(text, [Edit(Place("f", 1, 5), 'y"z')]) == text.replace('"x"', '"y\\"z"'), "by the key"
    assert splice(text, [Edit(Place("f", 1, 8), "y")]) == text.replace('"x"', '"y"'), "by the value"
    assert splice(text, [Edit(Place("f", 1, 20), "3: 4")]) == text.replace("two", '"3: 4"')
    for line, column in ((1, 1), (1, 13), (2, 1), (9, 9)):
        assert splice(text, [Edit(Place("f", line, column), "y")]) == text


def test_a_comment_that_silences_nothing_goes(tmp_path: Path) -> None:
    clean = INTENT.replace("150B", "150KB").replace("900B", "90KB").replace("GPU1", "gpu01").replace("gpx01", "gpu01")
    clean = clean.replace('"gpu01:rail0"', '"gpu01:rail1"')
    text = clean.replace("# from the guide", "# rocecfg: ignore INT-004 -- tried").replace(
        "settings:   # all", "# rocecfg: ignore INT-004 -- tried\nsettings:   # all"
    )
    result = fixed(tmp_path, text)
    assert result.after == clean.replace("   # from the guide", "")
    assert [word.partition(":")[0] for word in result.done] == ["line 6", "line 5"]
    of_devices = clean.replace("# from the guide", "# rocecfg: ignore WD-001 -- used when the captures are linted")
    assert fixed(tmp_path, of_devices).after == of_devices
    used = INTENT.replace("# from the guide", "# rocecfg: ignore INT-004 -- tried in the lab")
    assert "tried in the lab" in fixed(tmp_path, used).after


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("a: 1  # rocecfg: ignore INT-004 -- why\n", "a: 1\n"),
        ("  # rocecfg: ignore INT-004 -- why\r\n", ""),
        ("a: 1  # rocecfg: ignore INT-004 -- why", "a: 1"),
        ("a: 1  # rocecfg: ignore INT-004, INT-005 -- why\n", "a: 1  # rocecfg: ignore INT-004, INT-005 -- why\n"),
        ("a: 1\n", "a: 1\n"),
    ],
)
def test_without_comment(line: str, left: str) -> None:
    assert without_comment(f"x: 1\n{line}", 2) == f"x: 1\n{left}"
