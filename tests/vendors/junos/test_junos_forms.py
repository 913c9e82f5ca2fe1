"""A class-of-service configuration in the forms it is pasted in, bindings of a whole device, excerpts, show outputs."""

from __future__ import annotations

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

BODY = """\
classifiers {
    dscp STORAGE {
        forwarding-class GUARDED {
            loss-priority low code-points [ 011010 011000 ];
        }
    }
}
drop-profiles {
    MARK {
        interpolate {
            fill-level [ 40 70 ];
            drop-probability [ 0 60 ];
        }
    }
}
forwarding-classes {
    class GUARDED queue-num 4 no-loss pfc-priority 3;
}
congestion-notification-profile {
    PAUSE {
        input {
            dscp {
                code-point 011010 {
                    pfc;
                }
                code-point 011000 {
                    pfc;
                }
            }
        }
        output {
            ieee-802.1 {
                code-point 011 {
                    flow-control-queue 4;
                }
            }
        }
    }
}
interfaces {
    et-0/0/7 {
        congestion-notification-profile PAUSE;
        scheduler-map SERVE;
        unit 0 {
            classifiers {
                dscp STORAGE;
            }
        }
    }
}
scheduler-maps {
    SERVE {
        forwarding-class GUARDED scheduler FIRST;
    }
}
schedulers {
    FIRST {
        drop-profile-map loss-priority any protocol any drop-profile MARK;
        explicit-congestion-notification;
    }
}
"""
WRAPPED = "class-of-service {\n" + "".join(f"    {line}\n" for line in BODY.splitlines()) + "}\n"
LINES = (
    "classifiers dscp STORAGE forwarding-class GUARDED loss-priority low code-points 011010",
    "classifiers dscp STORAGE forwarding-class GUARDED loss-priority low code-points 011000",
    "drop-profiles MARK interpolate fill-level 40",
    "drop-profiles MARK interpolate fill-level 70",
    "drop-profiles MARK interpolate drop-probability 0",
    "drop-profiles MARK interpolate drop-probability 60",
    "forwarding-classes class GUARDED queue-num 4",
    "forwarding-classes class GUARDED no-loss",
    "forwarding-classes class GUARDED pfc-priority 3",
    "congestion-notification-profile PAUSE input dscp code-point 011010 pfc",
    "congestion-notification-profile PAUSE input dscp code-point 011000 pfc",
    "congestion-notification-profile PAUSE output ieee-802.1 code-point 011 flow-control-queue 4",
    "interfaces et-0/0/7 congestion-notification-profile PAUSE",
    "interfaces et-0/0/7 scheduler-map SERVE",
    "interfaces et-0/0/7 unit 0 classifiers dscp STORAGE",
    "scheduler-maps SERVE forwarding-class GUARDED scheduler FIRST",
    "schedulers FIRST drop-profile-map loss-priority any protocol any drop-profile MARK",
    "schedulers FIRST explicit-congestion-notification",
)


def device(text):
    return parse(Capture("", "junos", (Text("leaf.conf", text),), file="leaf.conf"))


def line_of(text, part):
    return next(number for number, line in enumerate(text.split("\n"), 1) if part in line)


FORMS = {
    "show configuration class-of-service": f"admin@leaf9> show configuration class-of-service \n{BODY}\n{{master:0}}\nadmin@leaf9> \n",
    "without a prompt": BODY,
    "with windows line ends": BODY.replace("\n", "\r\n"),
    "prompted": "[edit]\n" + "".join(f"admin@leaf9# set class-of-service {line}\n" for line in LINES),
    "below a hierarchy": "[edit class-of-service]\n" + "".join(f"admin@leaf9# set {line}\n" for line in LINES),
    "below an edit command": "[edit]\nadmin@leaf9# edit class-of-service\n\n[edit class-of-service]\n"
    + "".join(f"admin@leaf9# set {line}\n" for line in LINES),
    "relative without prompts": "[edit class-of-service]\n" + "".join(f"set {line}\n" for line in LINES),
}


@pytest.mark.parametrize("form", FORMS)
def test_pasted_forms_say_the_same(form):
    text = FORMS[form]
    found, plain = device(text), device(WRAPPED)
    assert not found.lines
    assert list(found.ports) == list(plain.ports) == ["et-0/0/7"]
    qos, expected = found.ports["et-0/0/7"].qos, plain.ports["et-0/0/7"].qos
    assert qos.dscp_to_tc == expected.dscp_to_tc
    assert qos.pfc == expected.pfc
    assert qos.pfc.tx == qos.pfc.rx == frozenset({3})
    assert qos.queue(4).ecn == expected.queue(4).ecn
    assert found.ports["et-0/0/7"].places["queues.4.ecn"].line == line_of(text, "fill-level")
    assert registry.detect((Text("a", text),), "a") == "junos"


def test_a_session_is_a_change_and_its_silence_proves_nothing():
    assert device(FORMS["prompted"]).complete == frozenset()
    assert device(FORMS["below a hierarchy"]).complete == frozenset()
    assert "qos" in device(FORMS["relative without prompts"]).complete


def test_real_interfaces_beside_the_section_stay_real():
    text = (
        WRAPPED
        + "interfaces {\n    et-0/0/7 {\n        mtu 9216;\n    }\n    et-0/0/8 {\n        mtu 9216;\n    }\n}\n"
    )
    assert list(device(text).ports) == ["et-0/0/7", "et-0/0/8"]


PORTS = """\
system {
    host-name leaf9;
}
interfaces {
    et-0/0/7 {
        unit 0 {
            family inet;
        }
    }
    et-0/0/8 {
        unit 0 {
            family inet;
        }
    }
}
"""


def test_all_stands_for_every_port_and_a_named_entry_wins():
    text = PORTS + WRAPPED.replace(
        "    interfaces {\n",
        "    interfaces {\n        all {\n            scheduler-map OTHER;\n            unit * {\n"
        "                classifiers {\n                    dscp STORAGE;\n                }\n            }\n        }\n",
    ).replace(
        "    schedulers {\n", "    schedulers {\n        SECOND {\n            transmit-rate percent 5;\n        }\n"
    ).replace(
        "    scheduler-maps {\n",
        "    scheduler-maps {\n        OTHER {\n            forwarding-class GUARDED scheduler SECOND;\n        }\n",
    )
    found = device(text)
    assert list(found.ports) == ["et-0/0/7", "et-0/0/8"]
    assert found.ports["et-0/0/8"].qos.trust == "dscp"
    assert found.ports["et-0/0/8"].qos.queue(4).weight == 5
    assert found.ports["et-0/0/7"].qos.queue(4).ecn.curves
    assert not [item for item in found.objects if item.used and not item.defined and not item.system]


@pytest.mark.parametrize(
    "line", ["unit 0 {\n            forwarding-class GUARDED;\n        }", "forwarding-class GUARDED;"]
)
def test_a_fixed_class_takes_every_packet(line):
    text = PORTS + WRAPPED.replace(
        "        et-0/0/7 {\n",
        f"        et-0/0/8 {{\n        description spare;\n        {line}\n        }}\n        et-0/0/7 {{\n",
    )
    found = device(text)
    assert not found.lines
    qos = found.ports["et-0/0/8"].qos
    assert (qos.trust, qos.default_tc) == ("none", 4)
    assert set(qos.dscp_to_tc.to) == {4}
    assert found.ports["et-0/0/7"].qos.trust == "dscp"


def undefined(text):
    return {item.name for item in device(text).objects if item.used and not item.defined and not item.system}


def unattached(text):
    return {item.name for item in device(text).objects if item.defined and not item.used and item.matters}


def part(*heads):
    kept, inside = [], False
    for line in BODY.splitlines(keepends=True):
        if line[0] not in " }":
            inside = line.split()[0] in heads
        if inside:
            kept.append(f"    {line}")
    return "class-of-service {\n" + "".join(kept) + "}\n"


@pytest.mark.parametrize(
    "heads", [("classifiers",), ("scheduler-maps",), ("schedulers",), ("schedulers", "scheduler-maps"), ("interfaces",)]
)
def test_what_an_excerpt_leaves_open_is_no_broken_reference(heads):
    text = part(*heads)
    assert undefined(text) == set()
    assert unattached(text) - {"SERVE"} == set()


def test_broken_references_of_a_whole_text():
    assert undefined(PORTS + WRAPPED.replace("scheduler-map SERVE", "scheduler-map SERV")) == {"SERV"}
    assert undefined(PORTS + part("interfaces", "forwarding-classes", "classifiers")) == {"PAUSE", "SERVE"}
    assert unattached(
        PORTS + WRAPPED.replace("        scheduler-map SERVE;\n", "").replace("            scheduler-map SERVE;\n", "")
    ) == {"SERVE"}
    assert undefined(WRAPPED.replace("drop-profile MARK", "drop-profile MARKS")) == {"MARKS"}


def test_classes_that_other_platforms_predefine_are_no_broken_reference():
    text = PORTS + WRAPPED.replace(
        "            forwarding-class GUARDED scheduler FIRST;\n",
        "            forwarding-class GUARDED scheduler FIRST;\n            forwarding-class expedited-forwarding scheduler FIRST;\n",
    )
    assert undefined(text) == set()


def test_a_block_with_one_profile_begins_where_the_block_does():
    text = PORTS + WRAPPED
    profile = next(item for item in device(text).objects if item.kind == "congestion-notification-profile")
    assert profile.place.line == line_of(text, "congestion-notification-profile {")
    second = (
        "        SPARE {\n            output {\n                ieee-802.1 {\n                    code-point 100 {\n"
    )
    second += "                        flow-control-queue 4;\n                    }\n                }\n            }\n        }\n"
    two = text.replace("    congestion-notification-profile {\n", f"    congestion-notification-profile {{\n{second}")
    places = {
        item.name: item.place.line for item in device(two).objects if item.kind == "congestion-notification-profile"
    }
    assert places == {"SPARE": line_of(two, "SPARE {"), "PAUSE": line_of(two, "PAUSE {")}


def test_shared_buffer_with_thresholds_and_whole_numbers():
    found = device(
        "admin@leaf9> show class-of-service shared-buffer\nIngress:\n  Total Buffer     :  90000 KB\n"
        "  Shared Buffer    :  60000 KB\n    Lossless                   :  30000 KB\n    Lossless Headroom          :  9000 KB\n"
        "    Lossy                      :  21000 KB\n    Lossless dynamic threshold :  6\n    Lossy dynamic threshold    :  9\n"
        "  ITM0 Headroom Utilization:\n  Total           Used            Free\n  4500 KB         0 KB            4500 KB\n"
        "Egress:\n    Lossless                 :  30000 KB\n    Lossy                    :  21000 KB\n"
    )
    assert not found.lines
    pools = {pool.name: pool for pool in found.pools}
    assert pools["ingress lossless"].alpha.index == 6
    assert pools["ingress lossless"].headroom.bytes == 9000 * 1024
    assert pools["ingress lossy"].alpha.index == 9
    assert pools["egress lossless"].alpha is None


@pytest.mark.parametrize(
    "rows",
    [
        (
            "Forwarding class   ID  Queue  Policing priority  No-Loss   PFC priority\n"
            "  best-effort       0    0     normal            Disabled\n  GUARDED           1    4     normal            Enabled   3\n"
        ),
        (
            "Forwarding class   ID  Queue  Restricted queue  Fabric priority  Policing priority  SPU priority\n"
            "  best-effort       0    0     0                 low              normal             low\n"
            "  GUARDED           1    1     1                 high             normal             low\n"
        ),
        (
            "Forwarding class   ID  Queue  Policing priority  SPU priority\n"
            "  best-effort       0    0     normal             low\n  GUARDED           1    1     normal             low\n"
        ),
    ],
)
def test_forwarding_classes_in_the_columns_of_other_platforms(rows):
    found = device(f"admin@leaf9> show class-of-service forwarding-class\n{rows}")
    assert not found.lines
    assert [item.name for item in found.objects] == ["best-effort", "GUARDED"]
    assert found.objects[1].matters == ("Enabled" in rows)


def test_congestion_notification_and_interface_outputs():
    found = device(
        "Type: Input, Name: PAUSE, Index: 53\nCable Length: 100 m\nPriority    PFC         MRU\n011         Enabled     2500\n"
        "100         Disabled\nType: Output\nPriority        Flow-Control-Queues\n011\n                4\n"
    )
    assert not found.lines
    assert [item.name for item in found.objects] == ["PAUSE"]
    shown = device(
        "show class-of-service interface et-0/0/7\nPhysical interface: et-0/0/7, Index: 184\nQueues supported: 10, Queues in use: 5\n"
        "Scheduler map: <default>, Index: 2\nCongestion-notification: Enabled, Name: PAUSE, Index: 53\n"
    )
    assert not shown.lines
    assert shown.ports["et-0/0/7"].qos.pfc.admin == "on"


def test_link_line_of_show_interfaces():
    found = device(
        "Physical interface: et-0/0/7, Enabled, Physical link is Up\n  Link-level type: Ethernet, MTU: 9216, Speed: 400Gbps, "
        "Loopback: Disabled, Flow control: Enabled, Media type: Fiber\n"
    )
    port = found.ports["et-0/0/7"]
    assert (port.mtu, port.speed_now) == (9216, 400_000_000_000)
    assert (port.qos.link_pause.rx, port.qos.link_pause.tx) == (True, True)


def test_a_host_name_alone_is_no_configuration_of_ours():
    with pytest.raises(ReadError):
        device("set system host-name leaf9\nset system ntp server 192.0.2.1\n")


def inert(text):
    return {item.name: item.inert for item in device(text).objects if item.inert}


def test_a_dscp_input_whose_class_has_no_pfc_priority_pauses_nothing():
    text = PORTS + WRAPPED.replace(" pfc-priority 3", "")
    assert inert(text) == {"PAUSE": "DSCP 24 is of forwarding-class GUARDED, which has no pfc-priority to pause"}
    assert inert(PORTS + WRAPPED) == {}
    by_pcp = text.replace(
        "dscp {\n                    code-point 011010", "ieee-802.1 {\n                    code-point 011"
    )
    assert by_pcp != text
    assert inert(by_pcp.replace("code-point 011000", "code-point 100")) == {}


def test_edit_commands_without_end_cost_no_memory():
    with pytest.raises(ReadError):
        device("admin@h# edit forwarding-options\n" * 20_000 + "admin@h# set class-of-service x\n" * 20_000)


def test_a_shaper_with_a_burst_shapes():
    text = PORTS + WRAPPED.replace(
        "            explicit-congestion-notification;\n",
        "            explicit-congestion-notification;\n            shaping-rate 100g burst-size 1m;\n",
    )
    found = device(text)
    assert not found.lines
    assert found.ports["et-0/0/7"].qos.queue(4).shaper == 100_000_000_000


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (" no-loss pfc-priority 3", "", "DSCP 24 is of forwarding-class GUARDED, which is not no-loss"),
        (" no-loss pfc-priority 3", " pfc-priority 3", "DSCP 24 is of forwarding-class GUARDED, which is not no-loss"),
        ("[ 011010 011000 ]", "[ 001010 ]", "classifier STORAGE puts DSCP 24 in no forwarding-class"),
    ],
)
def test_a_profile_whose_inputs_reach_no_lossless_class(old, new, reason):
    text = PORTS + WRAPPED.replace(old, new)
    assert inert(text) == {"PAUSE": reason}
    qos = device(text).ports["et-0/0/7"].qos
    assert qos.priority_to_pg is None or qos.priority_to_pg[3] == frozenset({3})


def test_a_threshold_on_a_lossless_queue_is_not_supported():
    text = PORTS + WRAPPED.replace(
        "            explicit-", "            buffer-dynamic-threshold 8;\n            explicit-"
    )
    assert list(inert(text)) == ["FIRST"]
    assert inert(
        text.replace(" no-loss pfc-priority 3", "").replace("                code-point 011000", "")
    ).keys() == {"PAUSE"}


def test_a_comment_and_a_mail_address_make_no_session():
    text = f"# set by hand, ask noc@example.net\n{PORTS}{WRAPPED}"
    assert device(text).complete == frozenset({"all"})
