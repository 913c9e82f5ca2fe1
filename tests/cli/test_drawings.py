"""`plan --format html|svg`: where the drawings go, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def test_html_goes_to_stdout_a_file_or_a_folder(fabric: Path, cli) -> None:
    ran = cli("plan", "toy.roce.yaml", "--format", "html")
    assert ran.code == 0
    assert ran.out.lstrip().startswith("<!DOCTYPE html>")
    assert cli("plan", "toy.roce.yaml", "-f", "html", "-o", "page.html").out == ""
    assert cli("plan", "toy.roce.yaml", "-f", "html", "-o", "drawings").out == ""
    assert (fabric / "page.html").read_text() == ran.out
    assert (fabric / "drawings" / "toy.html").read_text() == ran.out


def test_svg_goes_to_a_folder_one_file_a_drawing(fabric: Path, cli) -> None:
    ran = cli("plan", "toy.roce.yaml", "--format", "svg", "-o", "drawings")
    assert (ran.code, ran.out) == (0, "")
    assert {path.name for path in (fabric / "drawings").iterdir()} == {"leaf1-headroom.svg"}


def test_what_is_refused(fabric: Path, cli) -> None:
    (fabric / "taken").write_text("")
    for words, said in (
        (["--format", "svg"], "name a folder"),
        (["--format", "svg", "-o", "-"], "name a folder"),
        (["--format", "svg", "-o", "taken"], "taken"),
        (["--format", "html", "--short"], "leave --why and --short out"),
        (["--format", "html", "--why", "leaf1"], "leave --why and --short out"),
        (["--format", "html", "--device", "spine*"], "spine"),
    ):
        ran = cli("plan", "toy.roce.yaml", *words)
        assert (ran.code, ran.out) == (2, ""), words
        assert said in ran.err
