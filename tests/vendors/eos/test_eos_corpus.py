"""The shared collection of EOS texts: all of it reads, and says what a person found in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rocecfg.state.capture import Capture, Text, read_text
from rocecfg.state.model import Amount, Device, Pfc
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from pathlib import Path


def texts(shared: Path) -> list[Path]:
    found = sorted((shared / "corpus" / "eos").glob("*"))
    assert len(found) >= 13
    return found


def read(shared: Path, name: str) -> Device:
    path = shared / "corpus" / "eos" / name
    return parse(Capture("", "eos", (Text(name, read_text(path)),), file=name))


def test_every_text_is_read_and_every_line_understood(shared: Path) -> None:
    read_lines = 0
    for path in texts(shared):
        device = read(shared, path.name)
        assert device.ports or device.objects, path.name
        assert not device.lines, device.lines
        assert registry.get("eos").module.defaults(device) == device
        read_lines += device.lines_read
    assert read_lines > 900


def test_every_text_is_taken_for_eos(shared: Path) -> None:
    for path in texts(shared):
        scores = registry.scores(read_text(path))
        best = max(scores, key=lambda name: scores[name][0])
        assert best == "eos", (path.name, scores)
        assert sum(score[0] == scores[best][0] for score in scores.values()) == 1, (path.name, scores)


@pytest.mark.parametrize("folder", ["nxos", "sonic", "cumulus", "junos"])
def test_no_text_of_another_system_is_taken_for_eos(shared: Path, folder: str) -> None:
    for path in sorted((shared / "corpus" / folder).iterdir()):
        scores = registry.scores(path.read_text(encoding="latin-1"))
        mine = scores.get("eos", (0, ""))[0]
        assert mine == 0 or mine < scores.get(folder, (0, ""))[0], (path.name, scores)


def test_a_printed_default_is_the_default(shared: Path) -> None:
    qos = read(shared, "batfish-show-run-all.cfg").ports["Ethernet1/2"].qos
    assert qos.pfc == Pfc("off", frozenset(), frozenset(), "internal", gate=True)
    assert qos.trust == "pcp"
    assert qos.queues is not None
    assert {queue.scheduler for queue in qos.queues if queue is not None} == {"strict"}


def test_a_mixture_of_strict_and_weighted_queues(shared: Path) -> None:
    queues = read(shared, "batfish-show-run-all.cfg").ports["Ethernet1/1"].qos.queues
    assert queues is not None
    assert [queue.weight if queue else None for queue in queues] == [69, 1, 20, None, 10, None, None, None]


def test_the_session_of_a_leaf(shared: Path) -> None:
    device = read(shared, "blog-leaf-roce-profile-session.cfg")
    queues = device.ports["Ethernet1"].qos.queues
    assert queues is not None
    assert queues[3] is not None
    assert queues[3].ecn is not None
    assert queues[3].ecn.curves[0].low == Amount(256, "kbyte")
    assert not device.complete


def test_storage_ports_of_azure_local(shared: Path) -> None:
    port = read(shared, "azlocal-7050-storage-ports.cfg").ports["EthernetN/1"]
    assert (port.mtu, port.mode) == (9214, "trunk")
    assert port.qos.dcbx is not None
    assert port.qos.dcbx.state == "ieee"
    assert port.qos.watchdog is None, "the device-wide lines are not in the text"
