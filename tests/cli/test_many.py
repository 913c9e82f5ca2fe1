"""Many captures: in order, in several processes, without holding them all."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from rocecfg.cli import judging, reading

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def many(fabric: Path) -> Path:
    for number in range(30):
        target = fabric / "many" / f"leaf{number:03}"
        shutil.copytree(fabric / "out" / "leaf1", target)
        index = (target / "capture.json").read_text(encoding="utf-8")
        (target / "capture.json").write_text(index.replace('"leaf1"', f'"leaf{number:03}"'), encoding="utf-8")
        text = (
            (target / "toy.json").read_text(encoding="utf-8").replace('"name": "leaf1"', f'"name": "leaf{number:03}"')
        )
        (target / "toy.json").write_text(text, encoding="utf-8")
    (fabric / "many" / "leaf007" / "toy.json").write_text("{", encoding="utf-8")
    return fabric / "many"


def test_processes_change_nothing(many: Path, cli) -> None:
    alone = cli("lint", "many", "--select", "TOY", "--format", "json", "--jobs", "1")
    assert cli("lint", "many", "--select", "TOY", "--format", "json", "--jobs", "3") == alone
    assert alone.code == 3
    assert alone.data["summary"] == {"errors": 1, "warnings": 29, "infos": 0, "devices": 29, "files": 59}
    assert cli("parse", "many", "--jobs", "2").out == cli("parse", "many", "--jobs", "1").out


def test_many_captures_start_a_second_process(many: Path, cli, monkeypatch: pytest.MonkeyPatch) -> None:
    used = []
    monkeypatch.setattr(reading, "MANY", 10)
    monkeypatch.setattr(reading.os, "cpu_count", lambda: 8)
    monkeypatch.setattr(reading, "_in_processes", lambda first, waiting, nos, count: used.append(count) or iter(()))
    cli("lint", "many", "--select", "TOY")
    cli("lint", "out", "--select", "TOY")
    assert used == [2]


def test_devices_without_cables_do_not_pile_up(many: Path, cli, monkeypatch: pytest.MonkeyPatch) -> None:
    before = cli("lint", "many", "--format", "json")
    monkeypatch.setattr(judging._Stream, "HELD", 5)
    assert cli("lint", "many", "--format", "json") == before


def test_cables_come_from_a_links_file_or_an_intent(fabric: Path, cli) -> None:
    def missing(*arguments: str) -> set[str]:
        ran = cli("lint", "out", "--format", "json", *arguments)
        assert ran.code == 0, ran.out + ran.err
        return {item["missing"] for item in ran.data["not_evaluated"]}

    nobody = "the cables: neither an intent, a links file nor LLDP gives any"
    (fabric / "links.yaml").write_text('- {a: "leaf1:Ethernet1/[1-4]", b: "leaf2:Ethernet1/[1-4]"}\n', encoding="utf-8")
    assert nobody in missing()
    assert nobody not in missing("--links", "links.yaml")
    assert nobody not in missing("--intent", "toy.roce.yaml")
