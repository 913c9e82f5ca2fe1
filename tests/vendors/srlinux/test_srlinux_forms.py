"""The ways in which people and programs write the same tree."""

from __future__ import annotations

import json

import pytest
from srlinux_plans import read
from texts import BRACES, FLAT, TREE

from rocecfg.errors import ReadError
from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.capture import Text
from rocecfg.vendor import registry


def paths(tree: object, path: str = "") -> list[dict[str, object]]:
    """A tree as the updates of a gNMI set."""
    keys = {
        "interface": ["name"], "subinterface": ["index"], "queue": ["name"], "pfc-queue": ["pfc-queue-name"],
        "forwarding-class": ["name"], "pfc-mapping-profile": ["name"], "dscp-policy": ["name"], "dscp": ["value"],
        "scheduler-policy": ["name"], "scheduler": ["sequence"], "input": ["id"], "linecard": ["slot"],
        "queue-management-profile": ["name"], "buffer-allocation-profile": ["name"], "forwarding-complex": ["name"],
        "wred-slope": ["traffic-type", "drop-probability", "enable-ecn"], "network-instance": ["name"],
        "address": ["ip-prefix"],
    }  # fmt: skip
    found: list[dict[str, object]] = []
    for name, value in tree.items() if isinstance(tree, dict) else ():
        if isinstance(value, dict) and value:
            found += paths(value, f"{path}/{name}")
        elif isinstance(value, list) and isinstance(value[0], dict):
            for entry in value:
                names = [key for key in (*keys[name], "interface-id", "queue-name") if key in entry][: len(keys[name])]
                at = "".join(
                    f"[{key}={str(entry[key]).lower() if entry[key] is True else entry[key]}]" for key in names
                )
                rest = {key: inner for key, inner in entry.items() if key not in names}
                found += paths(rest, f"{path}/{name}{at}") or [{"path": f"{path}/{name}{at}", "value": {}}]
        else:
            found.append({"path": f"{path}/{name}", "value": value})
    return found


WRAPPED = {
    "gNMI updates": {"update": paths(TREE)},
    "gNMI replace": {
        "delete": ["/qos"],
        "replace": [{"path": f"/{name}", "value": value} for name, value in TREE.items()],
    },
    "JSON-RPC": {
        "jsonrpc": "2.0",
        "id": 0,
        "method": "set",
        "params": {"commands": [{"action": "update", **entry} for entry in paths(TREE)]},
    },
    "gnmic get": [
        {
            "source": "leaf1:57400",
            "timestamp": 1,
            "updates": [{"Path": name, "values": {name: value}} for name, value in TREE.items()],
        }
    ],
}


@pytest.mark.parametrize("form", WRAPPED)
def test_what_clients_wrap_around_a_tree(form: str) -> None:
    text = json.dumps(WRAPPED[form], indent=2)
    device = read(text)
    assert device == read(FLAT)
    assert device.lines == ()
    if form != "gnmic get":
        assert registry.detect((Text("a.json", text),), "a.json") == "srlinux"


def test_qos_alone_as_the_command_line_prints_it() -> None:
    assert read(json.dumps(TREE["qos"])).ports["ethernet-1/1"].qos.pfc == read(FLAT).ports["ethernet-1/1"].qos.pfc


def test_a_context_in_the_prompt_says_where_lines_stand() -> None:
    text = """\
--{ + candidate shared default }--[ qos pfc-mapping-profile rails received-pfc-pause-frames ]--
A:rail1# info
    deadlock {
        enable true
        detection-timer 400
    }
--{ + candidate shared default }--[ qos ]--
A:rail1# set interfaces interface ethernet-1/7 pfc pfc-mapping-profile rails pfc-enable true
"""
    device = read(text, complete=None)
    assert device.ports["ethernet-1/7"].qos.watchdog.detect == 400
    assert device.name == "rail1"
    assert device.lines == ()


def test_ranges_and_lines_that_go_on() -> None:
    text = (
        "set / interface ethernet-1/{1..3} mtu 9100\n"
        "set / interface ethernet-1/{7,9} mtu 9000\n"
        "set / qos queues queue a \\\n    queue-index 4\n"
        "- set / qos queues queue b queue-index 5\n"
    )
    device = read(text)
    assert {name: port.mtu for name, port in device.ports.items()} == {
        "ethernet-1/1": 9100, "ethernet-1/2": 9100, "ethernet-1/3": 9100, "ethernet-1/7": 9000, "ethernet-1/9": 9000,
    }  # fmt: skip
    assert device.lines == ()


def test_delete_takes_back() -> None:
    text = FLAT + (
        "delete / qos pfc-mapping-profile rails received-pfc-pause-frames deadlock\n"
        "delete / qos interfaces interface p1 output queues queue lossless\n"
        "delete / interface ethernet-1/1 mtu\n"
        "delete / qos interfaces interface nobody pfc\n"
        "delete / network-instance default\n"
    )
    port = read(text).ports["ethernet-1/1"]
    assert port.qos.watchdog.enabled is False
    assert port.qos.queues[4].ecn.curves == ()
    assert (port.mtu, port.qos.pfc.admin) == (9232, "on")


def test_models_before_25_3_list_priorities() -> None:
    text = FLAT.replace("pfc-pause-frame-priority 5", "pfc-pause-frame-priority [ 4 5 ]")
    pfc = read(text).ports["ethernet-1/1"].qos.pfc
    assert pfc.tx == pfc.rx == frozenset({4, 5})


def test_foreign_sections_do_not_count() -> None:
    before = read(BRACES)
    foreign = '    acl {\n        ipv4-filter x {\n            entry 1 {\n                description "qos {"\n            }\n        }\n    }\n'
    after = read(foreign + BRACES + foreign)
    assert after == before
    assert (after.lines_read, after.lines) == (before.lines_read, ())


def test_what_is_not_known_is_said() -> None:
    device = read(
        FLAT
        + "set / qos queues queue x colour green\n"
        + "set / qos pfc-mapping-profile rails received-pfc-pause-frames deadlock detection-timer soon\n"
        + "set / qos interfaces interface p1 pfc pfc-enable maybe\n"
    )
    assert [line.place.line for line in device.lines] == [len(FLAT.split("\n")) + more for more in range(3)]
    tree = json.loads(json.dumps(TREE["qos"]))
    tree["queues"]["queue"][0]["colour"] = "green"
    tree["linecard"] = "all"
    device = read(json.dumps(tree, indent=1))
    assert [line.text for line in device.lines] == ["colour", "linecard: all"]


def test_old_queue_templates_are_understood() -> None:
    text = "set / qos queue-templates queue-template t queue-depth maximum-burst-size 1000\n" + FLAT
    assert read(text).lines == ()


@pytest.mark.parametrize(
    "text",
    [
        FLAT,
        BRACES,
        json.dumps(TREE, indent=2),
        json.dumps({"srl_nokia-qos:qos": TREE["qos"]}),
        "--{ running }--[  ]--\nA:leaf1# info flat /qos\nset / qos queues queue a queue-index 1\n",
    ],
)
def test_detection(text: str) -> None:
    assert registry.detect((Text("a.txt", text),), "a.txt") == "srlinux"


@pytest.mark.parametrize(
    "text",
    [
        "set class-of-service schedulers a priority low\nset interfaces et-0/0/0 mtu 9216\n",
        "nv set qos roce\nnv set interface swp1 link mtu 9216\n",
        "interface Ethernet1/1\n  priority-flow-control mode on\n",
        json.dumps({"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4"}}}, indent=2),
    ],
)
def test_texts_of_other_systems_are_left_alone(text: str) -> None:
    assert registry.detect((Text("a.txt", text),), "a.txt") != "srlinux"


def test_lines_that_begin_at_the_top_need_no_verb() -> None:
    text = """\
# a start-up file
/ interface ethernet-1/1 {
    mtu 9100
    subinterface 0 {
    }
}
/ qos interfaces interface p1 {
    interface-ref {
        interface ethernet-1/1
    }
    pfc {
        pfc-enable true
    }
}
/interface ethernet-1/2 mtu 9000
"""
    device = read(text)
    assert {name: port.mtu for name, port in device.ports.items()} == {"ethernet-1/1": 9100, "ethernet-1/2": 9000}
    assert device.ports["ethernet-1/1"].qos.pfc.admin == "on"
    assert device.lines == ()


def test_json_printed_inside_a_part_of_the_tree() -> None:
    text = """\
--{ + running }--[ qos interfaces interface ethernet-1/4 ]--
A:leaf1# info | as json
{
  "interface-ref": {
    "interface": "ethernet-1/4"
  },
  "pfc": {
    "pfc-enable": true
  }
}
"""
    device = read(text, complete=None)
    assert device.ports["ethernet-1/4"].qos.pfc.admin == "on"
    assert device.lines == ()


def test_json_of_other_parts_of_the_system_is_no_qos() -> None:
    """The platform has line cards too, and events of telemetry tags that are called interface."""
    platform = json.dumps({"linecard": [{"slot": 1, "type": "imm"}], "trust": {}})
    event = json.dumps(
        [{"name": "a", "tags": {"interface": "ethernet-1/1"}, "values": {"/interface/oper-state": "up"}}]
    )
    for text in (platform, event):
        with pytest.raises(ReadError):
            read(text)


def test_before_23_7_a_queue_has_the_index_of_its_class() -> None:
    text = FLAT.replace("set / qos queues queue lossless queue-index 4\n", "set / qos queues queue lossless\n")
    assert read(text).ports["ethernet-1/1"].qos.tc_to_queue[3] == 3


def test_what_the_switch_refuses_is_said() -> None:
    both = FLAT + (
        "set / qos buffer-management queue-management-profile ramp wred wred-slope all drop-probability all "
        "enable-ecn true min-threshold 1000\n"
    )
    assert [line.text for line in read(both).lines] == [
        "min-threshold-percent beside a threshold in bytes",
        "max-threshold-percent beside a threshold in bytes",
    ]
    high = read(FLAT.replace("pfc-pause-frame-priority 5", "pfc-pause-frame-priority 8"))
    assert {line.text for line in high.lines} == {"pfc-pause-frame-priority 8"}
    unsized = read(FLAT.replace("maximum-burst-size 2000000", "maximum-burst-size 0"))
    (found,) = [item for item in lint([unsized], settings=Settings()).findings if item.rule == "REF-001"]
    assert "no maximum burst size" in found.message


def test_a_queue_no_policy_lists_is_strict() -> None:
    queues = read(FLAT).ports["ethernet-1/1"].qos.queues
    assert [(queue.scheduler, queue.rank) for queue in queues] == [
        ("strict", 7), ("strict", 6), ("strict", 5), ("strict", 4), ("weighted", None), ("strict", 3), ("strict", 2),
        ("strict", 1),
    ]  # fmt: skip
