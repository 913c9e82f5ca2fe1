"""apply.sh against a fake switch: what it writes, what it refuses, and that a failure rolls back."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from sonic_plans import fit, planned_switch

from rocecfg.render.engine import render
from rocecfg.state.model import PortWatchdog

if TYPE_CHECKING:
    from pathlib import Path

    from rocecfg.state.model import Device

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")

FAKE = """#!/usr/bin/env python3
import json, os, sys
name, words = os.path.basename(sys.argv[0]), sys.argv[1:]
path = os.environ["FAKE_DB"]
db = json.load(open(path))
print(name, *words, file=open(os.environ["FAKE_LOG"], "a"))
if name == "id":
    print(0)
elif name == "sonic-cfggen":
    print(json.dumps(db))
elif words[:1] == ["load"] and not os.environ.get("FAKE_BROKEN"):
    for table, rows in json.load(open(words[-1])).items():
        for key, row in rows.items():
            db.setdefault(table, {}).setdefault(key, {}).update(row)
elif words[:1] == ["apply-patch"]:
    for change in json.load(open(words[1])):
        table, key, *field = (part.replace("~1", "/") for part in change["path"][1:].split("/"))
        if field:
            del db[table][key][field[0]]
        else:
            del db[table][key]
json.dump(db, open(path, "w"))
"""


class Switch:
    def __init__(self, folder: Path, database: dict[str, Any], device: Device | None = None) -> None:
        self.folder = folder
        (folder / "bin").mkdir()
        for name in ("config", "show", "sonic-cfggen", "id"):
            (folder / "bin" / name).write_text(FAKE)
            (folder / "bin" / name).chmod(0o755)
        (folder / "db.json").write_text(json.dumps(database))
        planned = device or planned_switch("sonic", ["Ethernet0", "Ethernet8"], model="SN5600")
        for file in render(fit(planned)[0]):
            (folder / file.file).write_text(file.content)
            (folder / file.file).chmod(file.mode)

    def apply(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "FAKE_DB": str(self.folder / "db.json"),
            "FAKE_LOG": str(self.folder / "log"),
            **more,
        }
        script = str(self.folder / "apply.sh")
        return subprocess.run(
            ["bash", script, *words], env=environment, capture_output=True, text=True, timeout=60, check=False
        )

    def commands(self) -> list[str]:
        log = (self.folder / "log").read_text().splitlines()
        return [line.split(" rocecfg-")[0].split(" /")[0] for line in log if line.startswith("config")]


def stock() -> dict[str, Any]:
    return {
        "DEVICE_METADATA": {"localhost": {"buffer_model": "dynamic"}},
        "PORT": {"Ethernet0": {}, "Ethernet8": {}, "Ethernet16": {}},
        "PORT_QOS_MAP": {"Ethernet0": {"dot1p_to_tc_map": "AZURE", "pfc_enable": "3,4"}},
        "QUEUE": {"Ethernet0|3-4": {"scheduler": "old"}, "Ethernet16|3": {"scheduler": "old"}},
        "BUFFER_QUEUE": {"Ethernet0|3-4": {"profile": "egress_lossless_profile"}},
    }


def test_rows_that_would_stay_behind_are_removed_then_all_is_loaded_proved_and_saved(tmp_path: Path) -> None:
    switch = Switch(tmp_path, stock())
    result = switch.apply()
    assert result.returncode == 0, result.stderr
    assert switch.commands() == [
        "config checkpoint", "config apply-patch", "config load -y",
        "config interface mtu Ethernet0 9202", "config interface mtu Ethernet8 9202", "config save -y",
    ]  # fmt: skip
    database = json.loads((tmp_path / "db.json").read_text())
    assert "Ethernet0|3-4" not in database["QUEUE"]
    assert "dot1p_to_tc_map" not in database["PORT_QOS_MAP"]["Ethernet0"]
    assert database["QUEUE"]["Ethernet16|3"] == {"scheduler": "old"}
    again = switch.apply("--check")
    assert (again.returncode, again.stdout.strip()) == (0, "")


def test_what_an_earlier_plan_left_goes(tmp_path: Path) -> None:
    """A watchdog that is no longer wanted, a priority that is no longer lossless."""
    planned = planned_switch("sonic", ["Ethernet0", "Ethernet8"], model="SN5600")
    without = {
        name: replace(port, qos=replace(port.qos, watchdog=PortWatchdog(enabled=False)))
        for name, port in planned.ports.items()
    }
    database = {
        **stock(),
        "PFC_WD": {
            "GLOBAL": {"POLL_INTERVAL": "200"},
            "Ethernet0": {"action": "drop", "detection_time": "200", "restoration_time": "400"},
            "Ethernet16": {"action": "drop", "detection_time": "200", "restoration_time": "400"},
        },
        "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": {"ROCE": {"3": "3", "5": "5"}},
    }
    switch = Switch(tmp_path, database, replace(planned, ports=without))
    result = switch.apply()
    assert result.returncode == 0, result.stderr
    left = json.loads((tmp_path / "db.json").read_text())
    assert sorted(left["PFC_WD"]) == ["Ethernet16", "GLOBAL"]
    assert left["PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"]["ROCE"] == {"3": "3"}


def test_check_writes_nothing(tmp_path: Path) -> None:
    switch = Switch(tmp_path, stock())
    result = switch.apply("--check")
    assert result.returncode == 0
    assert "to be removed: QUEUE Ethernet0|3-4" in result.stdout
    assert switch.commands() == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"DEVICE_METADATA": {"localhost": {}}}, "buffer_model is traditional"),
        ({"PORT": {"Ethernet0": {}}}, "no port Ethernet8"),
        ({"BUFFER_POOL": {"ingress_lossless_pool": {"xoff": "1048576"}}}, "all ports would share that headroom"),
    ],
)
def test_wrong_switch_is_refused_before_anything_is_written(
    tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    switch = Switch(tmp_path, {**stock(), **change})
    result = switch.apply()
    assert result.returncode == 1
    assert reason in result.stdout
    assert switch.commands() == []


def test_load_that_does_not_arrive_is_rolled_back_and_not_saved(tmp_path: Path) -> None:
    switch = Switch(tmp_path, stock())
    result = switch.apply(FAKE_BROKEN="1")
    assert result.returncode == 1
    assert "expected" in result.stdout
    assert switch.commands()[-1] == "config rollback"
    assert "config save -y" not in switch.commands()
