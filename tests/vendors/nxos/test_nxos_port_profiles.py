"""Ports that inherit a port-profile say what the profile says, unless they say it themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse

if TYPE_CHECKING:
    from rocecfg.state.model import Device, Port

HEAD = """\
version 9.3(8)
hostname leaf3
priority-flow-control watch-dog-interval on
class-map type qos match-any BULK
  match dscp 26
policy-map type qos BULK-IN
  class BULK
    set qos-group 3
policy-map type network-qos NODROP
  class type network-qos c-8q-nq3
    pause pfc-cos 3
system qos
  service-policy type network-qos NODROP
"""
PROFILE = """\
port-profile type ethernet BASE
  mtu 9216
  state enabled
port-profile type ethernet HOSTS
  inherit port-profile BASE
  priority-flow-control mode on
  priority-flow-control watch-dog-interval on
  service-policy type qos input BULK-IN
  state enabled
"""


def read(*parts: str) -> Device:
    return parse(Capture("", "nxos", (Text("leaf3.cfg", "".join((HEAD, *parts))),), file="leaf3.cfg"))


def facts(port: Port) -> tuple[object, ...]:
    return port.mtu, port.qos.pfc, port.qos.watchdog, port.qos.dscp_to_tc


def test_a_port_says_what_its_profile_says() -> None:
    direct = read(
        "interface Ethernet1/1\n  mtu 9216\n  priority-flow-control mode on\n"
        "  priority-flow-control watch-dog-interval on\n  service-policy type qos input BULK-IN\n"
    )
    device = read(PROFILE, "interface Ethernet1/1\n  inherit port-profile HOSTS\n")
    assert facts(device.ports["Ethernet1/1"]) == facts(direct.ports["Ethernet1/1"])
    assert device.ports["Ethernet1/1"].mtu == 9216
    assert not device.lines
    named = {(item.kind, item.name): item for item in device.objects}
    assert named["policy-map type qos", "BULK-IN"].used
    number = next(n for n, line in enumerate((HEAD + PROFILE).splitlines(), 1) if "flow-control mode on" in line)
    assert device.ports["Ethernet1/1"].where("pfc").line == number


@pytest.mark.parametrize(
    "body", ["  inherit port-profile HOSTS\n  mtu 4200\n", "  mtu 4200\n  inherit port-profile HOSTS\n"]
)
def test_the_ports_own_line_wins(body: str) -> None:
    port = read(PROFILE, f"interface Ethernet1/1\n{body}").ports["Ethernet1/1"]
    assert port.mtu == 4200
    assert port.qos.pfc is not None
    assert port.qos.pfc.admin == "on"


def test_a_profile_that_is_not_enabled_gives_nothing_and_is_said_to() -> None:
    device = read(PROFILE.replace("  state enabled\n", ""), "interface Ethernet1/1\n  inherit port-profile HOSTS\n")
    plain = read("interface Ethernet1/1\n")
    assert facts(device.ports["Ethernet1/1"]) == facts(plain.ports["Ethernet1/1"])
    named = {(item.kind, item.name): item for item in device.objects}
    assert "state enabled" in named["port-profile", "HOSTS"].inert


def test_a_profile_that_nobody_defined_is_reported_and_a_loop_ends() -> None:
    device = read(PROFILE, "interface Ethernet1/1\n  inherit port-profile HOST\n")
    missing = next(item for item in device.objects if item.name == "HOST")
    assert (missing.defined, missing.used, missing.near) == (False, True, "HOSTS")
    loop = PROFILE.replace("  mtu 9216\n", "  mtu 9216\n  inherit port-profile HOSTS\n")
    assert read(loop, "interface Ethernet1/1\n  inherit port-profile HOSTS\n").ports["Ethernet1/1"].mtu == 9216


def test_a_script_without_indentation_says_the_same() -> None:
    text = PROFILE + "interface Ethernet1/1, Ethernet1/2\n  description two hosts\n  inherit port-profile HOSTS\n"
    flat = "".join(f"{line.strip()}\n" for line in text.splitlines())
    idle = "interface port-channel9\n  shutdown\n"
    device = read(flat.replace("state enabled\n", "storm-control unicast level 50\nstate enabled\nexit\n"), idle)
    assert facts(device.ports["Ethernet1/2"]) == facts(read(text, idle).ports["Ethernet1/2"])
    assert device.ports["Ethernet1/2"].mtu == 9216
    assert not device.lines
