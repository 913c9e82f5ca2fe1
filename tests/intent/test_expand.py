"""Expansion: names, ports, peers, classes, and settings merged leaf by leaf with the line that said them."""

from __future__ import annotations

import pytest
from intents import GOOD, SYSTEMS

from rocecfg.errors import IntentError
from rocecfg.intent.expand import expand
from rocecfg.intent.fields import Cable
from rocecfg.intent.load import parse_intent


@pytest.fixture(scope="module")
def fabric():
    return expand(parse_intent(GOOD, "f", SYSTEMS))


def test_devices(fabric):
    assert list(fabric.devices) == ["leaf1", "leaf2", "spine1", *(f"gpu0{n}" for n in range(1, 9))]
    leaf2, gpu = fabric.devices["leaf2"], fabric.devices["gpu01"]
    assert (leaf2.kind, leaf2.system, leaf2.model, leaf2.role) == ("switch", "nxos", "N9K-C9364D-GX2A", "leaf")
    assert (gpu.kind, gpu.system, gpu.release) == ("host", "mlx5", None)
    assert leaf2.place == ("f", 11, 3), "the last line that speaks about it"


def test_ports_and_links(fabric):
    port = fabric.devices["leaf1"].ports["Ethernet1/2"]
    assert (port.speed, port.cable_m, port.media) == (400_000_000_000, 5, "dac")
    assert str(port.peer) == "gpu02:rail0"
    assert port.peer_kind == "host"
    assert port.place == ("f", 15, 5)
    assert fabric.devices["gpu02"].ports["rail0"].peer == ("leaf1", "Ethernet1/2")
    assert [f"{link.a} {link.b}" for link in fabric.links[4:]] == [
        "leaf1:Ethernet1/49 spine1:Ethernet0",
        "leaf2:Ethernet1/49 spine1:Ethernet8",
    ]
    assert fabric.devices["spine1"].ports["Ethernet0"].cable == Cable(30, "fibre"), "from the settings"


def test_a_port_with_a_speed_needs_no_link(fabric):
    port = fabric.devices["spine1"].ports["Ethernet64"]
    assert (port.speed, port.peer, port.cable_m, port.place) == (100_000_000_000, None, 30, ("f", 12, 79))


def test_settings_merge_leaf_by_leaf(fabric):
    leaf1, leaf2 = fabric.settings("leaf1"), fabric.settings("leaf2")
    assert (leaf1.mtu.value, leaf1.mtu.because) == (9100, "role leaf (f:8)")
    assert (leaf2.mtu.value, leaf2.mtu.because) == (9000, "device leaf2 (f:11)")
    assert (leaf1.pfc_headroom.value, leaf1.pfc_headroom.because) == (98_000, "fabric (f:6)")
    assert (leaf2.pfc_headroom.value, leaf2.pfc_headroom.because) == (None, "device leaf2 (f:11)"), "auto overrides"
    assert leaf2.pfc_headroom.or_else(7) == 7
    assert leaf1.watchdog_detect.place == ("f", 8, 32)
    assert leaf1.watchdog_poll.value is None
    assert leaf1.watchdog_poll.because == ""
    on_port = fabric.settings("spine1", "Ethernet8").mtu
    assert (on_port.value, on_port.level) == (9150, "port spine1:Ethernet[0,8]")
    assert fabric.settings("spine1", "Ethernet64").mtu.level == "fabric"


def test_equal_settings_are_one_object(fabric):
    assert fabric.settings("gpu01", "rail0") is fabric.settings("gpu08")
    assert fabric.settings("leaf1", "Ethernet1/1") is fabric.settings("leaf1", "Ethernet1/2")
    assert fabric.settings("leaf1") is not fabric.settings("leaf2")


def test_classes(fabric):
    assert list(fabric.classes) == ["roce", "cnp", "default"]
    assert [item.kind for item in fabric.classes.values()] == ["roce", "cnp", "default"]
    default = fabric.classes["default"]
    assert default.dscp == tuple(code for code in range(64) if code not in (26, 48))
    assert (default.priority, default.lossless, default.implied) == (0, False, True)
    assert (fabric.classes["cnp"].strict, fabric.classes["cnp"].bandwidth) == (True, None)


def test_stated_default_class_takes_the_rest():
    text = GOOD.replace("settings:", "  bulk: {kind: default, priority: 1}\n  own: {dscp: 8, priority: 2}\nsettings:")
    classes = expand(parse_intent(text)).classes
    assert list(classes) == ["roce", "cnp", "bulk", "own"]
    assert len(classes["bulk"].dscp) == 61
    assert classes["own"].kind == "other"


def test_one_side_with_one_name_repeats():
    text = GOOD.replace('b: "gpu[01-04]:rail0"', 'b: "gpu01:rail0"')
    fabric = expand(parse_intent(text))
    assert [str(link.b) for link in fabric.links[:4]] == ["gpu01:rail0"] * 4
    assert fabric.devices["gpu01"].ports["rail0"].peer == ("leaf1", "Ethernet1/1"), "the first link stands"
    flipped = GOOD.replace('a: "leaf1:Ethernet1/[1-4]"', 'a: "leaf1:Ethernet1/1"')
    assert [str(link.a) for link in expand(parse_intent(flipped)).links[:4]] == ["leaf1:Ethernet1/1"] * 4


def test_what_lint_judges_is_representable():
    text = GOOD.replace('"gpu[01-04]:rail0"', '"gpux[01-04]:rail0"').replace(
        'Ethernet[0,8]": {mtu', 'Ethernet[0,9]": {mtu'
    )
    fabric = expand(parse_intent(text))
    assert str(fabric.links[0].b) == "gpux01:rail0"
    assert "gpux01" not in fabric.devices
    assert fabric.devices["leaf1"].ports["Ethernet1/1"].peer_kind is None
    assert [(str(ref), place[1:]) for ref, place in fabric.unused_ports] == [("spine1:Ethernet9", (12, 49))]


def test_a_link_without_cable_takes_that_of_its_own_end_then_of_the_other():
    text = GOOD.replace(", cable: 30m fibre", "").replace("leaf: {", "leaf: {cable: 7m aoc, ")
    fabric = expand(parse_intent(text))
    assert fabric.devices["leaf1"].ports["Ethernet1/49"].cable == Cable(7, "aoc")
    assert fabric.devices["spine1"].ports["Ethernet0"].cable == Cable(7, "aoc")
    bare = expand(parse_intent(GOOD.replace(", cable: 30m fibre", "")))
    assert bare.devices["leaf1"].ports["Ethernet1/49"].cable_m is None


@pytest.mark.parametrize(
    ("old", "new", "message", "line"),
    [
        ("nic: mlx5, ", "", "device gpu01 has neither nos nor nic", 13),
        ("leaf2:      {", "leaf2:      {nic: mlx5, ", "device leaf2 has both nos and nic", 11),
    ],
)
def test_switch_or_host(old, new, message, line):
    with pytest.raises(IntentError) as caught:
        expand(parse_intent(GOOD.replace(old, new), "f"))
    problem = caught.value.problems[0]
    assert message in problem.message
    assert (problem.line, problem.column) == (line, 3)


def test_all_devices_without_a_system_are_reported():
    with pytest.raises(IntentError) as caught:
        expand(parse_intent(GOOD.replace("nic: mlx5, ", "").replace("nos: sonic, ", "")))
    assert len(caught.value.problems) == 9
