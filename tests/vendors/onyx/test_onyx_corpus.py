"""The shared collection of real Onyx texts: all of it reads, and says what a person found in it."""

from __future__ import annotations

import re
from pathlib import Path

from rocecfg.lint.run import lint
from rocecfg.state.capture import Capture, Text, read_text
from rocecfg.state.model import Amount, Device
from rocecfg.state.parse import parse
from rocecfg.vendor import registry


def texts(shared: Path) -> list[Path]:
    found = sorted((shared / "corpus" / "onyx").glob("*"))
    assert len(found) >= 7
    return found


def read(shared: Path, name: str) -> Device:
    path = shared / "corpus" / "onyx" / name
    return parse(Capture("", "onyx", (Text(name, read_text(path)),), file=name))


def test_every_text_is_read_and_understood(shared: Path) -> None:
    for path in texts(shared):
        device = read(shared, path.name)
        assert device.lines_read, path.name
        assert not device.lines, device.lines
        assert registry.get("onyx").module.defaults(device) == device


def test_every_text_is_taken_for_onyx_and_no_other(shared: Path) -> None:
    for path in texts(shared):
        scores = registry.scores(read_text(path))
        mine = scores.pop("onyx")[0]
        assert mine >= 60, path.name
        assert all(mine > 2 * other for other, _ in scores.values()), (path.name, scores)


def test_no_text_of_another_system_is_taken_for_onyx(shared: Path) -> None:
    for folder in sorted((shared / "corpus").iterdir()):
        for path in sorted(folder.iterdir()) if folder.is_dir() and folder.name != "onyx" else ():
            assert registry.score("onyx", path.read_text(encoding="latin-1"))[0] <= 20, path.name


def test_known_faults(shared: Path) -> None:
    advanced = lint([read(shared, "netarbiter-roce-l3-advanced.cfg")]).findings
    assert [(item.rule, item.line) for item in advanced] == [("WD-001", 36)]
    full = lint([read(shared, "netutils-onyx-full.cfg")]).findings
    assert {(item.rule, item.line, item.ports) for item in full} == {
        ("WD-001", 68, ("Po1",)),
        ("REF-003", 69, ("Po1",)),
    }


def test_the_advanced_form_is_written_as_it_was_published(shared: Path) -> None:
    """Every line of the advanced buffers, of PFC, trust and marking that we render has its shape there, numbers aside."""
    published = read_text(shared / "corpus" / "onyx" / "netarbiter-roce-l3-advanced.cfg")
    shapes = {masked(line) for line in published.splitlines()}
    words = ("-buffer", "pool ", "advanced", "priority-flow-control", "qos trust", "congestion-control", "ets strict")
    rendered = (Path(__file__).parent / "advanced.cfg").read_text(encoding="utf-8").splitlines()
    ours = {masked(line) for line in rendered if any(word in line for word in words)}
    assert len(ours) == 12
    assert ours <= shapes


def masked(line: str) -> str:
    words = re.sub(r"[0-9]+(?:/[0-9]+)?", "#", " ".join(line.split()))
    return words.replace("ethernet #-#", "ethernet #")


def test_headroom_of_the_advanced_form(shared: Path) -> None:
    group = read(shared, "netarbiter-roce-l3-advanced.cfg").ports["Eth1/14"].qos.priority_group(3)
    assert group is not None
    assert group.headroom is not None
    assert group.headroom.amount == Amount.of_bytes(67_538 - 18_432)
