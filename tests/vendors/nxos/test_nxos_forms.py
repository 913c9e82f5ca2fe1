"""The same configuration in the forms it is met in: scripts, sessions, quoted blocks, older platforms."""

from __future__ import annotations

import contextlib
from textwrap import indent
from typing import TYPE_CHECKING

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.state.model import Device, Port

CONFIG = """\
hostname leaf7
class-map type qos match-any STORAGE
  match dscp 24-26
policy-map type qos MARK-IN
  class STORAGE
    set qos-group 3
policy-map type network-qos LOSSLESS
  class type network-qos c-8q-nq3
    mtu 9216
    pause pfc-cos 3
policy-map type queuing SCHEDULE
  class type queuing c-out-8q-q3
    bandwidth remaining percent 70
    random-detect minimum-threshold 200 kbytes maximum-threshold 2000 kbytes drop-probability 10 weight 0 ecn
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 30
system qos
  service-policy type network-qos LOSSLESS
  service-policy type queuing output SCHEDULE
interface Ethernet1/5
  switchport mode trunk
  mtu 9216
  priority-flow-control mode on
  priority-flow-control watch-dog-interval on
  service-policy type qos input MARK-IN
  no shutdown
"""
MODES = {
    "class-map": "config-cmap-qos",
    "policy-map": "config-pmap-qos",
    "system": "config-sys-qos",
    "interface": "config-if",
    "hostname": "config",
}


def read(content: str) -> Device:
    return parse(Capture("", "nxos", (Text("leaf7.cfg", content),), file="leaf7.cfg"))


def flat(content: str) -> str:
    return "".join(line.lstrip() for line in content.splitlines(keepends=True))


def session(content: str) -> str:
    lines, mode = ["leaf7# configure terminal\n"], "config"
    for line in content.splitlines():
        if line[0] != " ":
            mode = MODES[line.split()[0].rstrip(":")]
            lines.append(f"leaf7(config)# {line}\n")
        else:
            lines.append(f"leaf7({mode})# {line.lstrip()}\n")
    return "".join([*lines, "leaf7(config-if)# end\n", "leaf7# copy running-config startup-config\n"])


def settings(device: Device) -> dict[str, tuple[object, ...]]:
    def of(port: Port) -> tuple[object, ...]:
        return port.qos.dscp_to_tc, port.qos.pfc, port.qos.queues, port.qos.priority_groups, port.mtu, port.mode

    return {name: of(port) for name, port in device.ports.items()}


@pytest.mark.parametrize("form", [flat, session, lambda content: indent(content, "    ")])
def test_a_configuration_without_its_indentation_says_the_same(form: object) -> None:
    content = form(CONFIG)  # type: ignore[operator]
    device, plain = read(content), read(CONFIG)
    assert not device.lines
    if form is not session:  # a session is a change: its silence proves nothing, so no default is filled in
        assert settings(device) == settings(plain)
    assert device.ports["Ethernet1/5"].qos.pfc is not None
    assert device.ports["Ethernet1/5"].qos.pfc.rx == frozenset({3})
    assert device.ports["Ethernet1/5"].qos.queue(3) is not None
    number = next(n for n, line in enumerate(content.splitlines(), 1) if "random-detect" in line)
    assert device.ports["Ethernet1/5"].places["queues.3.ecn"].line == number


def test_a_session_is_detected_and_is_not_complete() -> None:
    text = session(CONFIG)
    assert registry.detect((Text("a", text),), "a") == "nxos"
    assert read(text).complete == frozenset()
    assert "all" in read(CONFIG).complete


def test_exit_between_flat_sections_ends_nothing_that_follows() -> None:
    content = flat(CONFIG).replace("set qos-group 3\n", "set qos-group 3\nexit\nexit\n")
    assert settings(read(content)) == settings(read(CONFIG))


def test_a_global_line_after_an_indented_port_stays_global() -> None:
    content = (
        CONFIG.replace("    set qos-group 3", "set qos-group 3") + "priority-flow-control watch-dog-interval off\n"
    )
    watchdog = read(content).ports["Ethernet1/5"].qos.watchdog
    assert watchdog is not None
    assert watchdog.enabled is False


def test_a_class_at_the_margin_of_an_indented_policy_is_of_that_policy() -> None:
    content = CONFIG.replace(
        "  class type queuing c-out-8q-q-default\n",
        "class type queuing c-out-8q-q7\n# for the notification packets\n    priority level 1\n"
        "  class type queuing c-out-8q-q-default\n",
    )
    device = read(content)
    queue = device.ports["Ethernet1/5"].qos.queue(7)
    assert queue is not None
    assert queue.scheduler == "strict"
    assert not device.lines


def objects(content: str) -> dict[tuple[str, str], tuple[bool, bool, bool]]:
    return {(o.kind, o.name): (o.defined, o.used, o.system) for o in read(content).objects}


def test_classes_and_policies_of_older_platforms_are_the_systems_own() -> None:
    content = CONFIG.replace(
        "system qos\n",
        "policy-map type network-qos FCOE\n  class type network-qos class-fcoe\n    pause no-drop\n    mtu 2158\n"
        "  class type network-qos class-default\n    multicast-optimize\n"
        "policy-map type queuing N7K\n  class type queuing 1p7q4t-out-q2\n    bandwidth remaining percent 10\n"
        "system qos\n  service-policy type qos input fcoe-default-in-policy\n  fex queue-limit\n",
    )
    assert not read(content).lines
    undefined = [
        name for (_, name), (defined, used, system) in objects(content).items() if used and not defined and not system
    ]
    assert undefined == []


@pytest.mark.parametrize("header", ["vlan configuration 20", "interface Vlan20", "interface Ethernet1/9.20"])
def test_a_policy_attached_to_a_vlan_is_attached(header: str) -> None:
    content = CONFIG.replace(
        "interface Ethernet1/5\n",
        "policy-map type qos OF-VLAN\n  class STORAGE\n    set qos-group 2\n"
        f"{header}\n  service-policy type qos input OF-VLAN\ninterface Ethernet1/5\n",
    )
    assert objects(content)["policy-map type qos", "OF-VLAN"] == (True, True, False)
    assert settings(read(content)) == settings(read(CONFIG))


def test_an_attachment_without_its_type_is_of_type_qos() -> None:
    content = CONFIG.replace("service-policy type qos input MARK-IN", "service-policy input MARK-IN")
    assert settings(read(content)) == settings(read(CONFIG))


def test_precedences_by_name() -> None:
    by_name = CONFIG.replace("match dscp 24-26", "match precedence flash")
    by_number = CONFIG.replace("match dscp 24-26", "match precedence 3")
    assert settings(read(by_name)) == settings(read(by_number))
    assert read(CONFIG.replace("match dscp 24-26", "match precedence quickly")).lines


@pytest.mark.parametrize(
    "text",
    [
        "interface GigabitEthernet0/1\n mtu 9000\ninterface Ethernet1/1\n mtu 1500\n",
        "! Command: show running-config\ninterface Ethernet1/1\n   mtu 9214\n",
        "interface Ethernet1\n   mtu 9214\ninterface Ethernet2/1\n   mtu 9214\n",
        "dcbx enable\ninterface Ethernet1/1\n mtu 9216\n",
    ],
)
def test_configurations_of_similar_systems_are_not_taken_for_nexus(text: str) -> None:
    with contextlib.suppress(ReadError):
        assert registry.detect((Text("a", text),), "a") != "nxos"


def test_default_policies_that_a_device_prints_are_its_own() -> None:
    content = CONFIG.replace(
        "system qos\n",
        "class-map type queuing match-any c-out-8q-q3\n  match qos-group 3\n"
        "policy-map type queuing default-8q-out-policy\n  class type queuing c-out-8q-q7\n    priority level 1\nsystem qos\n",
    )
    assert objects(content)["policy-map type queuing", "default-8q-out-policy"] == (True, False, True)
    assert not read(content).lines


def test_exit_inside_indented_sections_says_nothing() -> None:
    content = CONFIG.replace("    pause pfc-cos 3\n", "    pause pfc-cos 3\n    exit\n  exit\n")
    assert not read(content).lines
    assert settings(read(content)) == settings(read(CONFIG))


@pytest.mark.parametrize(
    "text",
    [
        "class-map type qos match-all STORAGE\n  match cos 3\n",
        "policy-map type qos MARK-IN\n  class STORAGE\n    set qos-group 3\n",
        "interface ethernet 1/1-20\n  priority-flow-control mode off\n",
    ],
)
def test_an_excerpt_is_detected(text: str) -> None:
    assert registry.detect((Text("a", text),), "a") == "nxos"


@pytest.mark.parametrize("header", ["int Ethernet1/5", "int e1/5", "interface eth 1/5"])
@pytest.mark.parametrize("form", [str, flat])
def test_a_port_header_as_it_is_typed(header: str, form: Callable[[str], str]) -> None:
    content = form(CONFIG.replace("interface Ethernet1/5", header))
    assert settings(read(content)) == settings(read(CONFIG))


def test_policies_alone_leave_their_classes_open() -> None:
    policy = "policy-map type qos MARK-IN\n  class STORAGE\n    set qos-group 3\n"
    assert ("class-map type qos", "STORAGE") not in objects(policy)
    assert objects(f"hostname leaf7\n{policy}")["class-map type qos", "STORAGE"] == (False, True, False)
    other = "class-map type qos match-all CNP\n  match dscp 48\n"
    assert objects(f"{other}{policy}")["class-map type qos", "STORAGE"] == (False, True, False)


HELP = """\

  leaf7(config)# class-map ?
  WORD                             Class-map name (Max Size 40)
  c-dflt-mpls-qosgrp1 (no abbrev)
  type                             Specify the type of this class-map

leaf7(config)# policy-map type ?
  network-qos    Network QoS policy
"""


def test_pasted_help_is_no_configuration() -> None:
    helped = read(CONFIG + HELP)
    assert helped == read(CONFIG)
    assert not helped.lines
    after = read(CONFIG + HELP + "\nclass-map type qos match-any LATE\n  nonsense\n")
    assert [line.place.line for line in after.lines] == [len((CONFIG + HELP).split("\n")) + 2]  # numbers stay


def test_flat_ports_beside_an_indented_one() -> None:
    port = CONFIG[CONFIG.index("interface Ethernet1/5") :]
    rest = CONFIG.removesuffix(port)
    mixed = read(rest + flat(port) + "exit\ninterface port-channel9\n  shutdown\n")
    assert settings(mixed)["Ethernet1/5"] == settings(read(CONFIG))["Ethernet1/5"]
    assert not mixed.lines
    assert mixed.ports["port-channel9"].enabled is False


def test_an_attachment_below_a_flat_control_plane_is_not_ours() -> None:
    assert not read(flat(CONFIG) + "control-plane\nservice-policy input copp-system-policy\n").lines


def test_a_lone_mtu_at_the_margin_is_reported() -> None:
    assert [line.text for line in read(CONFIG + "end\nmtu 9216\n").lines] == ["mtu 9216"]


@pytest.mark.parametrize("attached", ["  service-policy type queuing output SCHEDULE\n", ""])
@pytest.mark.parametrize(
    ("line", "marks"),
    [
        ("congestion-control random-detect ecn", True),
        ("congestion-control random-detect", False),
        ("congestion-control tail-drop", False),
    ],
)
def test_older_platforms_mark_by_the_network_policy(attached: str, line: str, marks: bool) -> None:
    content = CONFIG.replace("    pause pfc-cos 3\n", f"    pause pfc-cos 3\n    {line}\n")
    content = content.replace("  service-policy type queuing output SCHEDULE\n", attached)
    content = "".join(line for line in content.splitlines(keepends=True) if "minimum-threshold" not in line)
    device, plain = read(content), read(content.replace(f"    {line}\n", ""))
    assert not device.lines
    queue, before = (one.ports["Ethernet1/5"].qos.queue(3) for one in (device, plain))
    assert queue is not None
    assert before is not None
    assert queue.ecn is not None
    assert bool(queue.ecn.curves) is marks
    assert (queue.scheduler, queue.weight) == (before.scheduler, before.weight)
    assert [q and q.scheduler for q in device.ports["Ethernet1/5"].qos.queues or ()] == [
        q and q.scheduler for q in plain.ports["Ethernet1/5"].qos.queues or ()
    ]


def test_the_queuing_policy_goes_before_the_mark_of_the_network_policy() -> None:
    marked = read(
        CONFIG.replace("    pause pfc-cos 3\n", "    pause pfc-cos 3\n    congestion-control random-detect ecn\n")
    )
    assert settings(marked)["Ethernet1/5"] == settings(read(CONFIG))["Ethernet1/5"]


def test_burst_detection_sets_nothing_of_ours() -> None:
    line = "    burst-detect rise-threshold 416 bytes fall-threshold 208 bytes\n"
    device = read(CONFIG.replace("  class type queuing c-out-8q-q3\n", f"  class type queuing c-out-8q-q3\n{line}"))
    assert not device.lines
    assert settings(device)["Ethernet1/5"] == settings(read(CONFIG))["Ethernet1/5"]
