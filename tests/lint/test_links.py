"""Cables fill in what captures do not say, and only that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.fabric.links import Cable, Cabling, PortName, cables_of_file, cables_of_neighbours
from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.lint.expect import Expectations
from rocecfg.state.model import Device, Neighbour, Port

if TYPE_CHECKING:
    from pathlib import Path

    from rocecfg.intent.fabric import Fabric

INTENT = """\
version: 1
fabric: pod1
classes:
  roce: {dscp: [26, 27], priority: 3, lossless: true}
  cnp: {dscp: 48, priority: 6}
devices:
  leaf1: {nos: nxos, ports: {"swp2": {pfc: {mode: off}}}}
  spine1: {nos: sonic, trust: pcp, congestion_control: none, asymmetric_pfc: true}
  gpu01: {nic: mlx5}
links:
  - {a: "leaf1:swp1", b: "gpu01:rail0", speed: 400G, cable: 3m dac}
  - {a: "leaf1:swp2", b: "spine1:Ethernet0", speed: 100G, cable: 30m}
"""


def fabric() -> Fabric:
    return expand(parse_intent(INTENT, "pod1.roce.yaml"))


def test_the_intent_gives_role_speed_and_neighbour() -> None:
    cabling = Cabling.of_fabric(fabric())
    leaf = Device("leaf1", "nxos", {name: Port(name) for name in ("swp1", "swp2", "swp3")})
    ports = cabling.overlay(leaf).ports
    assert [(port.role, port.speed) for port in ports.values()] == [
        ("host", 400 * 10**9), ("fabric", 100 * 10**9), (None, None),
    ]  # fmt: skip
    assert ports["swp1"].neighbour == Neighbour("gpu01", "rail0", "intent")
    host = cabling.overlay(Device("gpu01", "mlx5", {"rail0": Port("rail0")}, kind="host"))
    assert host.ports["rail0"].role == "host"


def test_what_the_capture_says_stays() -> None:
    stated = Port("swp1", speed=10**11, role="peer-link", neighbour=Neighbour("gpu09", "rail7", "lldp"))
    leaf = Device("leaf1", "nxos", {"swp1": stated})
    assert Cabling.of_fabric(fabric()).overlay(leaf).ports["swp1"] is stated
    other = Device("leaf9", "nxos", {"swp1": stated})
    assert Cabling.of_fabric(fabric()).overlay(other) is other


def test_a_links_file_is_expanded(tmp_path: Path) -> None:
    file = tmp_path / "links.yaml"
    file.write_text(
        '- {a: "leaf1:swp[1-2]", b: "gpu[01-02]:rail0", speed: 400G, cable: 3m dac}\n- {a: "x:1", b: "y:1"}\n'
    )
    cables = cables_of_file(file)
    assert [(str(c.a.device), c.a.port, c.b.device, c.speed, c.length, c.media, c.source) for c in cables] == [
        ("leaf1", "swp1", "gpu01", 400 * 10**9, 3, "dac", "links-file"),
        ("leaf1", "swp2", "gpu02", 400 * 10**9, 3, "dac", "links-file"),
        ("x", "1", "y", None, None, "", "links-file"),
    ]


def test_both_ends_of_lldp_are_one_cable() -> None:
    leaf = Device("leaf1", "nxos", {"swp1": Port("swp1", neighbour=Neighbour("leaf2", "swp9", "lldp"))})
    peer = Device("leaf2", "nxos", {"swp9": Port("swp9", neighbour=Neighbour("leaf1", "swp1", "lldp"))})
    hint = Device("leaf3", "nxos", {"swp1": Port("swp1", neighbour=Neighbour("leaf1", "swp7", "description"))})
    assert cables_of_neighbours([leaf, peer, hint]) == [
        Cable(PortName("leaf1", "swp1"), PortName("leaf2", "swp9"), source="lldp")
    ]


def test_expectations_follow_the_levels_of_the_intent() -> None:
    expect = Expectations(fabric())
    leaf = expect.of("leaf1", "swp1")
    assert leaf is not None
    assert leaf is expect.of("leaf1", "swp1"), "equal settings are one object"
    assert (leaf.trust, leaf.congestion_control, leaf.asymmetric_pfc) == ("dscp", "dcqcn", False)
    assert (leaf.lossless, leaf.lossless_dscps) == (frozenset({3}), frozenset({26, 27}))
    off = expect.of("leaf1", "swp2")
    assert off is not None
    assert off.lossless == frozenset(), "PFC is off there by intent"
    spine = expect.of("spine1", "Ethernet0")
    assert spine is not None
    assert (spine.trust, spine.congestion_control, spine.asymmetric_pfc) == ("pcp", "none", True)
    unknown = expect.of("leaf1", "mgmt0")
    assert unknown is not None
    assert (unknown.classes, unknown.trust) == ((), None), "a port the intent does not have"
    assert expect.of("leaf9", "swp1") is None
    assert Expectations(None).of("leaf1", "swp1") is None
