"""Rendered texts of every system, changed in one line as a fault would: the rule fires, on that line (law 8)."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import pytest

from rocecfg.lint.config import Settings
from rocecfg.lint.run import Result, lint
from rocecfg.render.engine import as_capture, render
from rocecfg.state.parse import parse
from tests.laws.intents import planned

if TYPE_CHECKING:
    from rocecfg.state.model import Device

INTENT = """version: 1
fabric: f
classes:
  roce: {dscp: 26, priority: 3, lossless: true, bandwidth: 60%}
  cnp:  {dscp: 48, priority: 6, strict: true}
devices:
  leafn:  {nos: nxos,    model: N9K-C9364D-GX2A,    role: leaf}
  leafs:  {nos: sonic,   model: DellEMC-Z9664f-O64, role: leaf}
  leafc:  {nos: cumulus, model: SN5400, role: leaf, release: 5.15.0}
  leafj:  {nos: junos,   model: QFX5230-64CD,       role: leaf}
  gpu[01-02]: {nic: mlx5, model: ConnectX-7, role: host}
links:
  - {a: "leafn:Ethernet1/1", b: "gpu01:rail0", speed: 400G, cable: 15m aoc}
  - {a: "leafs:Ethernet0", b: "gpu02:rail0", speed: 400G, cable: 15m aoc}
  - {a: "leafn:Ethernet1/33", b: "leafs:Ethernet256", speed: 400G, cable: 300m fibre}
  - {a: "leafc:swp33", b: "leafj:et-0/0/32", speed: 400G, cable: 30m fibre}
"""
FAULTS = [
    # device, what stands there, what the fault makes of it, the rule
    ("gpu01", "want pfc 3 ", "want pfc 4 ", "NIC-001"),
    ("gpu01", "want trust dscp", "want trust pcp", "NIC-002"),
    ("gpu01", "want pause_rx off", "want pause_rx on", "NIC-003"),
    ("gpu01", "want cable 15 ", "want cable 7 ", "NIC-005"),
    ("gpu01", "want cc_reacts 3 ", "want cc_reacts none ", "NIC-006"),
    ("gpu01", "want cnp_dscp 48 ", "want cnp_dscp 10 ", "NIC-007"),
    ("gpu01", "want pause_storm_timeout 100 ", "want pause_storm_timeout 0 ", "NIC-010"),
    ("gpu01", "want roce_mode 2 ", "want roce_mode 1 ", "NIC-014"),
    ("gpu01", "want mtu 9000 ", "want mtu 1500 ", "NIC-015"),
    ("gpu01", "want firmware CNP_DSCP 48", "want firmware CNP_DSCP 4", "NIC-016"),
    ("gpu01", "want dcb_owner os ", "want dcb_owner firmware ", "NIC-019"),
    ("gpu01", "want firmware CNP_802P_PRIO 6", "want firmware CNP_802P_PRIO 7", "DRIFT-003"),
    ("gpu01", "want roce_tos 106 ", "want roce_tos 26 ", "APP-006"),
    ("gpu01", "want link_speed 400000 ", "want link_speed 200000 ", "PEER-003"),
    ("gpu01", "want pause_tx off", "want pause_tx on", "PEER-009"),
    ("gpu01", "26:3,27-31:0,32-39:4", "26:4,27-31:0,32-39:4", "PEER-005"),
    ("leafs", '"Ethernet256": "300m"', '"Ethernet256": "5m"', "PEER-007"),
    ("leafc", "cable-length: 30", "cable-length: 5", "PEER-007"),
    ("leafj", "cable-length 30", "cable-length 5", "PEER-007"),
    ("leafn", "mtu 9216\n    pause", "mtu 2240\n    pause", "BUF-016"),
    ("leafn", "buffer-size 726336", "buffer-size 660000", "BUF-003"),
    ("leafn", "  service-policy type queuing input ROCE-QUEUING-IN\n", "", "BUF-020"),
    ("leafj", "lossless-headroom percent 24", "lossless-headroom percent 0", "BUF-024"),
    ("leafj", "buffer-partition lossy percent 10", "buffer-partition lossy percent 20", "BUF-023"),
]
MUTATED = {row[3] for row in FAULTS}


@lru_cache(maxsize=1)
def texts() -> dict[str, Device]:
    return {name: device.fitted for name, device in planned(INTENT).devices.items()}


def result(changed: str = "", old: str = "", new: str = "", profile: str = "strict") -> tuple[Result, int]:
    """The verdict on the fabric with a line of one device changed, and the number of that line."""
    devices, line = [], 0
    for name, fitted in texts().items():
        files = render(fitted)
        if name == changed:
            index = next(number for number, file in enumerate(files) if old in file.content)
            content = files[index].content
            line = content[: content.index(old)].count("\n") + 1
            files = [*files[:index], replace(files[index], content=content.replace(old, new, 1)), *files[index + 1 :]]
        devices.append(parse(as_capture(fitted, files)))
    return lint(devices, intent=planned(INTENT).fabric, settings=Settings(profile=profile)), line


def test_the_fabric_is_clean() -> None:
    found, _ = result(profile="safe")
    assert [(item.rule, item.message) for item in found.findings] == []


@pytest.mark.parametrize(("device", "old", "new", "rule"), FAULTS, ids=[f"{row[3]}-{row[0]}" for row in FAULTS])
def test_the_fault_is_found_on_its_line(device: str, old: str, new: str, rule: str) -> None:
    found, line = result(device, old, new)
    mine = [item for item in found.findings if item.rule == rule]
    assert mine, sorted({item.rule for item in found.findings})
    assert device in {item.device for item in mine}
    assert any(abs(item.line - line) <= 1 for item in mine) or not new, [(item.line, line) for item in mine]
