"""Real texts: each is read, nearly all of it is understood, and what is known to be wrong in it is in the state."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import pytest
from sonic_plans import differences, fit, read_back

from rocecfg.state.capture import Capture, Text, read_text
from rocecfg.state.parse import effective, stated
from rocecfg.vendor import registry
from tests.conftest import SHARED

if TYPE_CHECKING:
    from pathlib import Path

    from rocecfg.state.model import Device

CORPUS = SHARED / "corpus" / "sonic"
FILES = sorted(CORPUS.glob("*")) if CORPUS.is_dir() else []
pytestmark = pytest.mark.skipif(not FILES, reason="the shared reference data is not beside this checkout")


@lru_cache(maxsize=128)
def device(name: str) -> Device:
    return effective(stated(Capture("", "sonic", (Text(name, read_text(CORPUS / name)),), file=name)))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_file_is_read_and_claimed(file: Path) -> None:
    found = device(file.name)
    assert found.ports or found.objects or found.pools or found.lines_read or "pfcwd-config-empty" in file.name
    assert len(found.lines) <= 0.01 * max(found.lines_read, 1)
    scores = registry.scores(read_text(file))
    assert max(scores, key=lambda name: scores[name][0]) == "sonic"


@pytest.mark.parametrize("file", [file for file in FILES if file.suffix == ".json"], ids=lambda file: file.name)
def test_what_a_real_dump_says_is_carried_round(file: Path) -> None:
    real = device(file.name)
    local = replace(real, ports={name: port for name, port in real.ports.items() if "|" not in name})
    fitted, _ = fit(local)
    assert differences(read_back(fitted), fitted) == []
    assert fit(fitted) == (fitted, ())


def test_almost_every_line_of_all_files_is_understood() -> None:
    read = sum(device(file.name).lines_read for file in FILES)
    missed = sum(len(device(file.name).lines) for file in FILES)
    assert read > 30_000
    assert missed / read < 0.001


def test_no_other_system_is_claimed() -> None:
    for folder in sorted((SHARED / "corpus").iterdir()):
        if not folder.is_dir() or folder.name in {"sonic", "host"}:
            continue
        for file in folder.iterdir():
            scores = registry.scores(read_text(file))
            mine = scores.get("sonic", (0, ""))[0]
            assert mine == 0 or mine < max(score for name, (score, _) in scores.items() if name != "sonic"), file


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("bi-qos-arista7050.json", 39), ("bi-qos-arista7260-t0.json", 39), ("bi-qos-dell6100.json", 39),
        ("bi-qos-mellanox4600c-c64.json", 105),
        ("dev-inventec-d7032-qos.json", 27), ("sm-vlab-t2-02-newfmt.json", 1620), ("su-counterpoll-config-db.json", 2353),
    ],
)  # fmt: skip
def test_dscp_26_is_lossy_in_the_default_map(name: str, line: int) -> None:
    ports = [
        port
        for port in device(name).ports.values()
        if port.qos.dscp_to_tc and port.where("dscp_to_tc").line == line  # type: ignore[union-attr]
    ]
    assert ports
    for port in ports:
        assert port.qos.dscp_to_tc is not None
        assert port.qos.dscp_to_tc.to[26] in {0, 1}
        assert port.qos.dscp_to_tc.to[26] not in (port.qos.pfc.tx if port.qos.pfc else ())  # type: ignore[operator]


@pytest.mark.parametrize(
    ("name", "port", "line"),
    [("sm-vlab-t2-02-newfmt.json", "Ethernet8", 1245), ("su-counterpoll-config-db.json", "Ethernet8", 1481)],
)
def test_pfc_without_a_watchdog_row(name: str, port: str, line: int) -> None:
    found = device(name).ports[port]
    assert found.qos.pfc is not None
    assert sorted(found.qos.pfc.tx or ()) == [3, 4]
    assert found.qos.watchdog is not None
    assert found.qos.watchdog.enabled is False
    assert found.where("watchdog").line == line  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "port", "line"),
    [
        ("bi-qos-arista7050cx3-dualtor.json", "Ethernet24", 348),
        ("bi-qos-mellanox4600c-c64.json", "Ethernet136", 250),
        ("bi-qos-mellanox4600c-d48c40-t0.json", "Ethernet248", 474),
    ],
)
def test_watchdog_set_differs_from_the_pfc_set(name: str, port: str, line: int) -> None:
    found = device(name).ports[port]
    assert found.qos.pfc is not None
    assert found.qos.watchdog is not None
    assert sorted(found.qos.pfc.tx or ()) == [2, 3, 4, 6]
    assert sorted(found.qos.watchdog.priorities or ()) == [3, 4]
    assert found.where("pfc").line == line  # type: ignore[union-attr]


def test_watchdog_row_on_a_port_without_pfc() -> None:
    found = device("su-mock-config-db-flat.json").ports["Ethernet8"]
    assert found.qos.pfc is not None
    assert found.qos.pfc.tx == frozenset()
    assert (found.where("watchdog").line, found.where("pfc").line) == (2332, 2556)  # type: ignore[union-attr]


def test_profile_made_for_another_speed() -> None:
    found = device("su-reclaiming-buffer-traditional-double-pools-input.json").ports["Ethernet8"]
    group = found.qos.priority_group(3)
    assert found.speed == 25 * 10**9
    assert group.headroom.made_for == (10 * 10**9, 5)  # type: ignore[union-attr]
    assert found.where("priority_groups.3").line == 5  # type: ignore[union-attr]


def test_no_lossless_group_stands_in_a_dump_whose_manager_makes_it() -> None:
    group = device("sm-vlab-t2-02-newfmt.json").ports["Ethernet8"].qos.priority_group(3)
    assert (group.lossless, group.headroom.by, group.headroom.amount) == (True, "table", None)  # type: ignore[union-attr]


def test_map_of_a_tunnel_is_an_object_on_its_line() -> None:
    objects = {(item.kind, item.name): item for item in device("bi-qos-arista7050cx3-dualtor.json").objects}
    found = objects["DSCP_TO_TC_MAP", "AZURE_TUNNEL"]
    assert (found.place.line, found.used, found.matters) == (182, False, False)  # type: ignore[union-attr]


def test_no_reference_is_broken_in_any_file() -> None:
    for file in FILES:
        assert [
            item.name for item in device(file.name).objects if item.used and not item.defined and not item.system
        ] == []
