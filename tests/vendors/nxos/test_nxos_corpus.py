"""The shared collection of real NX-OS texts: all of it reads, and says what a person found in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rocecfg.state.capture import Capture, Text, read_text
from rocecfg.state.model import Device, Ecn, Headroom
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from pathlib import Path

ODD = {"azs-2022-93180-tor1-bmc-bgp.cfg", "azs-2022-93180-tor2-bmc-static.cfg"}
"""One PFC line each under an interface type that NX-OS does not have."""


def texts(shared: Path) -> list[Path]:
    found = sorted((shared / "corpus" / "nxos").glob("*"))
    assert len(found) >= 21
    return found


def read(shared: Path, name: str) -> Device:
    path = shared / "corpus" / "nxos" / name
    return parse(Capture("", "nxos", (Text(name, read_text(path)),), file=name))


def test_every_text_is_read_and_understood(shared: Path) -> None:
    read_lines = unknown = 0
    for path in texts(shared):
        device = read(shared, path.name)
        assert device.ports or device.objects, path.name
        read_lines += device.lines_read
        unknown += len(device.lines)
        assert len(device.lines) == (1 if path.name in ODD else 0), device.lines
        assert registry.get("nxos").module.defaults(device) == device
    assert unknown <= read_lines / 100


def test_every_text_is_taken_for_nxos(shared: Path) -> None:
    for path in texts(shared):
        scores = registry.scores(read_text(path))
        best = max(scores, key=lambda name: scores[name][0])
        assert best == "nxos", (path.name, scores)
        assert sum(score[0] == scores[best][0] for score in scores.values()) == 1, (path.name, scores)


def test_no_text_of_another_system_is_taken_for_nxos(shared: Path) -> None:
    for folder in sorted((shared / "corpus").iterdir()):
        known = {"sonic": "sonic", "cumulus": "cumulus", "junos": "junos"}.get(folder.name)
        for path in sorted(folder.iterdir()) if folder.is_dir() and folder.name != "nxos" else ():
            scores = registry.scores(path.read_text(encoding="latin-1"))
            mine = scores.get("nxos", (0, ""))[0]
            if known in registry.names():
                assert mine == 0 or mine < scores.get(known, (0, ""))[0], (path.name, scores)
            elif folder.name not in {"os10", "eos"}:  # cousins whose own folders will claim their texts
                assert mine <= 30, (path.name, mine)


def line_of(device: Device, port: str, leaf: str) -> int:
    place = device.ports[port].where(leaf)
    assert place is not None
    return place.line


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("azlocal-qos-policy.cfg", 24),
        ("azs-2022-93180-debug-qos.cfg", 43),
        ("azs-2022-93180-tor1-bmc-bgp.cfg", 122),
        ("azs-2022-93180-tor2-bmc-static.cfg", 122),
        ("azs-2024-hyperconverged-93180-tor-1a.cfg", 96),
        ("azs-2024-switched-93180-tor-1b.cfg", 95),
        ("azs-2024-switchless-93180-tor-1a.cfg", 96),
        ("azs-2025-converted-93180-tor-1a.cfg", 96),
        ("azs-2025-fc-93180-tor-1a.cfg", 91),
        ("azs-2025-switched-qos-section.cfg", 28),
        ("azs-2025-switched-tor1-full.cfg", 145),
        ("azs-2025-switchless-93180-tor-1b.cfg", 96),
    ],
)
def test_kmin_equals_kmax(shared: Path, name: str, line: int) -> None:
    device = read(shared, name)
    port = next(iter(device.ports))
    queue = device.ports[port].qos.queue(3)
    assert queue is not None
    assert queue.ecn is not None
    curve = queue.ecn.curves[0]
    assert curve.low == curve.high
    assert (curve.low and curve.low.value, curve.low and curve.low.unit, curve.probability) == (300, "kbyte", 100)
    assert line_of(device, port, "queues.3.ecn") == line


@pytest.mark.parametrize(
    ("name", "port", "watchdog", "unclassified"),
    [
        ("azlocal-qos-policy.cfg", "Ethernet1/17", 50, set()),
        ("azs-2022-93180-tor1-bmc-bgp.cfg", "port-channel50", 253, {"port-channel101", "Ethernet1/1", "Ethernet1/2"}),
        (
            "azs-2022-93180-tor2-bmc-static.cfg",
            "port-channel50",
            253,
            {"port-channel101", "Ethernet1/1", "Ethernet1/2"},
        ),
        ("azs-2024-hyperconverged-93180-tor-1a.cfg", "port-channel101", 470, {"port-channel101"}),
        ("azs-2024-switched-93180-tor-1b.cfg", "port-channel101", 469, {"port-channel101"}),
        ("azs-2024-switchless-93180-tor-1a.cfg", "port-channel101", 467, {"port-channel101"}),
        ("azs-2025-converted-93180-tor-1a.cfg", "port-channel101", 470, {"port-channel101"}),
        ("azs-2025-fc-93180-tor-1a.cfg", "port-channel101", 465, {"port-channel101"}),
        ("azs-2025-switched-tor1-full.cfg", "Ethernet1/49", 525, None),
        ("azs-2025-switchless-93180-tor-1b.cfg", "port-channel101", 467, {"port-channel101"}),
        ("sdn-nexus3132-tor2.cfg", "Ethernet1/3/1", 412, set()),
    ],
)
def test_pfc_without_watchdog_and_without_classification(
    shared: Path, name: str, port: str, watchdog: int, unclassified: set[str] | None
) -> None:
    device = read(shared, name)
    assert "all" in device.complete
    qos = device.ports[port].qos
    assert qos.watchdog is not None
    assert qos.watchdog.enabled is False
    assert line_of(device, port, "watchdog") == watchdog
    on = {
        one: p
        for one, p in device.ports.items()
        if p.qos.pfc is not None and p.qos.pfc.admin == "on" and p.qos.trust == "none"
    }
    if unclassified is None:
        assert {"Ethernet1/49", "Ethernet1/1", "Ethernet1/16"} <= on.keys()
        assert "Ethernet1/17" not in on
    else:
        owners = {p.lag if p.lag in device.ports else one for one, p in on.items()}
        assert owners == unclassified
    for one, p in on.items():
        place = p.where("trust")
        assert place is not None
        assert place == p.where("pfc.admin"), one


def test_objects_attached_nowhere_undefined_or_impossible(shared: Path) -> None:
    def lines(name: str, wanted: str) -> set[tuple[str, int]]:
        found = set()
        for item in read(shared, name).objects:
            faults = {
                "idle": item.defined and not item.used and item.matters,
                "undefined": item.used and not item.defined and not item.system,
                "inert": bool(item.inert),
            }
            if faults[wanted] and item.place is not None:
                found.add((item.name, item.place.line))
        return found

    for name, line in (
        ("azs-2024-hyperconverged-93180-tor-1a.cfg", 75),
        ("azs-2024-switched-93180-tor-1b.cfg", 74),
        ("azs-2024-switchless-93180-tor-1a.cfg", 75),
        ("azs-2025-converted-93180-tor-1a.cfg", 75),
        ("azs-2025-switchless-93180-tor-1b.cfg", 75),
        ("sdn-nexus3132-tor2.cfg", 134),
    ):
        assert lines(name, "idle") == {("jumbo-queuing", line)}
        assert not lines(name, "undefined")
    classes = ("AZLOCAL-NWQOS-RDMA", "AZLOCAL-NWQOS-DEFAULT", "AZLOCAL-NWQOS-CLUSTER")
    for name, places in (
        ("azs-2025-switched-tor1-full.cfg", (121, 124, 126)),
        ("azs-2025-switched-qos-section.cfg", (4, 7, 9)),
    ):
        assert lines(name, "undefined") == set(zip(classes, places, strict=True))
    assert lines("azs-2025-switched-tor1-full.cfg", "inert") == {("loopbackloopback", 580)}
    for name in ODD:
        assert lines(name, "inert") == {("TenGigEthernet", 312)}
    for path in texts(shared):
        if path.name.startswith(("azlocal", "batfish", "genie")):
            for fault in ("idle", "undefined", "inert"):
                assert not lines(path.name, fault), path.name


def test_the_older_nexus_3132(shared: Path) -> None:
    device = read(shared, "sdn-nexus3132-tor2.cfg")
    port = device.ports["Ethernet1/3/1"]
    group = port.qos.priority_group(3)
    assert group is not None
    assert (group.lossless, group.mtu) == (True, 2240)
    assert group.headroom is not None
    assert group.headroom == Headroom(group.headroom.amount, by="stated")
    assert group.headroom.amount is not None
    assert group.headroom.amount.value == 101_920 - 46_800
    queue = port.qos.queue(3)
    assert queue is not None
    assert queue.ecn == Ecn()
    assert line_of(device, "Ethernet1/3/1", "priority_groups.3.mtu") == 130
    assert line_of(device, "Ethernet1/3/1", "queues.3.ecn") == 131
    assert port.qos.trust == "pcp"
    assert device.os_version == "6.0(2)U6(1)"
