"""The shared collection of real OS10 texts: all of it reads, and says what a person found in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.lint.run import lint
from rocecfg.state.capture import Capture, Text, read_text
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from pathlib import Path

    from rocecfg.state.model import Device


def texts(shared: Path) -> list[Path]:
    found = sorted((shared / "corpus" / "os10").glob("*"))
    assert len(found) >= 13
    return found


def read(shared: Path, name: str) -> Device:
    path = shared / "corpus" / "os10" / name
    return parse(Capture("", "dell_os10", (Text(name, read_text(path)),), file=name))


def test_every_text_is_read_and_understood(shared: Path) -> None:
    read_lines = unknown = 0
    for path in texts(shared):
        device = read(shared, path.name)
        assert device.ports, path.name
        read_lines += device.lines_read
        unknown += len(device.lines)
        assert all(line.known_to == ("nxos",) for line in device.lines), device.lines
        assert registry.get("dell_os10").module.defaults(device) == device
    assert read_lines > 1000
    assert unknown <= read_lines / 100


def test_every_text_is_taken_for_os10_and_no_other_text_is(shared: Path) -> None:
    for folder in sorted((shared / "corpus").iterdir()):
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            scores = registry.scores(path.read_text(encoding="latin-1"))
            mine = scores.pop("dell_os10", (0, ""))[0]
            if folder.name == "os10":
                assert mine > max((score for score, _ in scores.values()), default=0), (path.name, mine, scores)
            else:
                assert mine == 0, (path.name, mine)


def test_host_ports_of_a_clean_configuration(shared: Path) -> None:
    device = read(shared, "azs-2025-s5248-tor-1a.cfg")
    qos = device.ports["ethernet1/1/1"].qos
    assert qos.pfc is not None
    assert (qos.pfc.admin, qos.pfc.tx, qos.trust) == ("on", frozenset({3}), "pcp")
    queue = qos.queue(3)
    assert queue is not None
    assert queue.weight == 50
    assert queue.ecn is not None
    assert queue.ecn.curves[0].low is not None
    assert queue.ecn.curves[0].low.value == 150
    found = lint([device]).findings
    assert not [item for item in found if item.severity.name == "ERROR"], found


def test_class_bodies_at_the_indent_of_their_class(shared: Path) -> None:
    device = read(shared, "hols-s5212f-tor1-advanced.cfg")
    qos = device.ports["ethernet1/1/12"].qos
    assert qos.pfc is not None
    assert qos.pfc.tx == frozenset({3})
    weights = [queue.weight if queue is not None else None for queue in qos.queues or ()]
    assert weights == [49, None, None, 50, None, None, None, 1]
