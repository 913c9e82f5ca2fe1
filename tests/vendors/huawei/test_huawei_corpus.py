"""The shared collection of real CloudEngine texts: all of it reads, and says what a person found in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rocecfg.state.capture import Capture, Text, read_text
from rocecfg.state.model import Amount, Device, Ecn
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from pathlib import Path


def read(shared: Path, name: str) -> Device:
    text = Text(name, read_text(shared / "corpus" / "huawei" / name))
    return parse(Capture("", "huawei", (text,), file=name))


def test_every_text_is_read_and_understood(shared: Path) -> None:
    found = sorted((shared / "corpus" / "huawei").glob("*"))
    assert len(found) >= 10
    for path in found:
        device = read(shared, path.name)
        assert device.lines_read, path.name
        assert not device.lines, (path.name, device.lines)
        assert registry.get("huawei").module.defaults(device) == device
        scores = registry.scores(read_text(path))
        best = max(scores, key=lambda name: scores[name][0])
        assert best == "huawei", (path.name, scores)
        assert sum(score[0] == scores[best][0] for score in scores.values()) == 1, (path.name, scores)


def test_no_text_of_another_built_system_is_taken_for_huawei(shared: Path) -> None:
    for folder in sorted((shared / "corpus").iterdir()):
        if folder.name in registry.names() and folder.name != "huawei":
            for path in sorted(folder.iterdir()):
                scores = registry.scores(path.read_text(encoding="latin-1"))
                assert scores.get("huawei", (0, ""))[0] < scores.get(folder.name, (1, ""))[0], (path.name, scores)


def test_ai_ecn_on_queue_4(shared: Path) -> None:
    device = read(shared, "ce-ai-ecn.cfg")
    assert device.buffer_model == "stated"
    qos = device.ports["100GE1/0/2"].qos
    assert qos.pfc is not None
    assert (qos.pfc.admin, qos.pfc.tx, qos.pfc.by) == ("on", {4}, "internal")
    queue = qos.queue(4)
    assert queue is not None
    assert queue.ecn is not None
    assert queue.ecn.curves[0].low is None
    assert qos.dscp_to_tc is not None
    assert (qos.dscp_to_tc.to[24], qos.dscp_to_tc.to[25]) == (4, 6)
    assert device.pools is not None
    assert device.pools[0].headroom == Amount(4, "mbyte")


def test_dcb_negotiates_and_two_ports_have_an_ets_profile(shared: Path) -> None:
    device = read(shared, "ce-dcb.cfg")
    pfc = {name: port.qos.pfc for name, port in device.ports.items()}
    assert {one.admin if one else None for one in pfc.values()} == {"auto"}
    weights = {name: port.qos.queue(3).weight for name, port in device.ports.items() if port.qos.queue(3)}  # type: ignore[union-attr]
    assert weights == {"100GE1/0/1": 40, "100GE1/0/2": 40, "100GE1/0/3": None}
    assert {port.qos.dcbx.state for port in device.ports.values() if port.qos.dcbx} == {"cee"}


def test_routed_ports_and_three_priorities(shared: Path) -> None:
    device = read(shared, "ce-adaptive-routing.cfg")
    assert device.ports["100GE1/0/5"].qos.trust == "dscp"
    assert device.ports["100GE1/0/1"].mode == "trunk"
    pfc = device.ports["100GE1/0/5"].qos.pfc
    assert pfc is not None
    assert (pfc.tx, pfc.by) == ({3, 4, 5}, "pcp")


@pytest.mark.parametrize("name", ["ce-npcc.cfg", "ce-iqcn.cfg"])
def test_texts_of_no_certain_family(shared: Path, name: str) -> None:
    device = read(shared, name)
    assert device.buffer_model is None
    queue = device.ports["100GE1/0/1"].qos.queue(4)
    assert queue is not None
    assert queue.ecn == Ecn()


def test_limits_that_ai_ecn_works_with(shared: Path) -> None:
    queue = read(shared, "ce-display-ai-ecn-state.txt").ports["100GE1/0/1"].qos.queue(4)
    assert queue is not None
    assert queue.ecn is not None
    curve = queue.ecn.curves[0]
    assert (curve.low, curve.high, curve.probability) == (Amount(204_800), Amount(614_400), 5)


def test_the_oracles_samples(shared: Path) -> None:
    folder = shared / "oracles" / "huawei" / "samples"
    if not folder.is_dir():
        pytest.skip("no samples beside this checkout")
    good = Text("good", read_text(folder / "valid-guide-section9.cfg"))
    assert not parse(Capture("", "huawei", (good,))).lines
    bad = parse(Capture("", "huawei", (Text("bad", read_text(folder / "broken.cfg")),)))
    assert len(bad.lines) == 7
