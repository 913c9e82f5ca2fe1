"""What a parse makes of real-looking texts: both forms, groups, wildcards, comments, and half-applied objects."""

from __future__ import annotations

from pathlib import Path

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import LinkPause
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

LEAF = (Path(__file__).parent / "leaf.conf").read_text()


def device(text, command="", complete=None):
    return parse(Capture("", "junos", (Text("leaf.conf", text, command, complete),), file="leaf.conf"))


def line_of(text, part, nth=1):
    numbers = [number for number, line in enumerate(text.split("\n"), 1) if part in line]
    return numbers[nth - 1]


def cos(body):
    return f"class-of-service {{\n{body}\n}}\ninterfaces {{\n et-0/0/1 {{\n mtu 9216;\n unit 0 {{ family inet; }}\n }}\n}}\n"


@pytest.fixture(scope="module")
def leaf():
    return device(LEAF)


def test_ports(leaf):
    assert leaf.name == "leaf7"
    assert leaf.os_version == "23.4X100-D31.6-EVO"
    # the channelised parent and lo0 are no ports
    assert list(leaf.ports) == ["et-0/0/0:0", "et-0/0/0:1", "et-0/0/3", "et-0/0/4", "et-0/0/5", "ae1"]
    port = leaf.ports["et-0/0/0:0"]
    assert (port.mtu, port.mtu_counts, port.speed, port.mode) == (9216, "l2", 400_000_000_000, "routed")
    assert (leaf.ports["et-0/0/3"].mode, leaf.ports["et-0/0/3"].speed) == ("trunk", 100_000_000_000)
    assert leaf.ports["et-0/0/5"].enabled is False
    assert leaf.ports["et-0/0/3"].qos.link_pause == LinkPause(False, False)
    assert leaf.lags[0].members == ("et-0/0/4",)


def test_what_is_in_force(leaf):
    qos = leaf.ports["et-0/0/0:0"].qos
    assert qos.trust == "dscp"
    assert qos.dscp_to_tc.codes(4) == (24, 26)
    assert qos.dscp_to_tc.codes(3) == (48,)
    assert qos.dscp_to_tc.codes(0) == (0,)
    assert qos.dscp_to_tc.to[1] is None
    assert (qos.dscp_to_colour[0], qos.dscp_to_colour[26]) == ("red", "green")
    assert (qos.tc_to_queue[3], qos.tc_to_queue[4]) == (3, 4)
    assert qos.pfc.tx == qos.pfc.rx == frozenset({3})
    assert (qos.pfc.admin, qos.pfc.by) == ("on", "internal")
    assert qos.priority_to_queue[3] == frozenset({4})
    assert qos.priority_to_pg[3] == frozenset({3})
    assert qos.lossless_tcs() == frozenset({4})
    assert qos.priority_group(3).lossless is True
    assert qos.priority_group(3).xoff_at.index == 10
    assert qos.cable == 40
    watchdog = qos.watchdog
    assert (watchdog.enabled, watchdog.poll, watchdog.detect, watchdog.restore, watchdog.action) == (
        True,
        50,
        200,
        200,
        None,
    )
    curve = qos.queue(4).ecn.curves[0]
    assert (curve.low.value, curve.high.value, curve.high.unit, curve.probability) == (55, 90, "percent", 100)
    assert (qos.queue(3).scheduler, qos.queue(3).rank, qos.queue(3).shaper) == ("strict", 1, 8_000_000_000)
    assert [(pool.name, pool.total.value) for pool in leaf.pools] == [("ingress lossless", 66), ("ingress lossy", 10)]
    assert leaf.pools[0].headroom.value == 24


def test_ports_with_equal_settings_share_them(leaf):
    assert leaf.ports["et-0/0/0:0"].qos is leaf.ports["et-0/0/0:1"].qos


def test_places(leaf):
    port = leaf.ports["et-0/0/0:0"]
    for leaf_path, part in {
        "pfc": "congestion-notification-profile pause;",
        "watchdog": "pfc-watchdog {",
        "watchdog.poll": "poll-interval 50",
        "watchdog.restore": "pfc-watchdog {",
        "cable": "cable-length 40",
        "trust": "dscp LEAF;",
        "dscp_to_tc": "dscp LEAF {",
        "queues.4.ecn": "fill-level [ 55 90 ]",
        "queues.3": "cnp {",
        "queues.3.shaper": "shaping-rate 8g",
        "priority_groups.3": "class ROCE queue-num",
        "priority_groups.3.xoff_at": "buffer-partition lossless {",
        "mtu": "mtu 9216",
    }.items():
        assert port.where(leaf_path).line == line_of(LEAF, part), leaf_path
    assert port.place.line == line_of(LEAF, "et-* {")


def test_the_explicit_port_wins_over_the_wildcard(leaf):
    disabled = leaf.ports["et-0/0/5"]
    assert disabled.qos.pfc.admin == "on"  # from et-*
    assert disabled.qos.queue(4).ecn.curves == ()  # its own scheduler map is not defined
    assert disabled.qos.trust is None  # it has no unit for `unit *`
    assert leaf.ports["et-0/0/3"].qos.queue(4).ecn.curves  # its own entry is inactive


def test_objects(leaf):
    undefined = [
        (found.kind, found.name, found.near)
        for found in leaf.objects
        if found.used and not found.defined and not found.system
    ]
    assert undefined == [("scheduler-map", "mian", "main")]
    unused = [(found.kind, found.name) for found in leaf.objects if found.defined and not found.used and found.matters]
    assert unused == [("drop-profile", "unused")]


def test_only_the_unknown_line_is_reported(leaf):
    assert [(entry.text, entry.place.line) for entry in leaf.lines] == [
        ("class-of-service schedulers roce frobnicate 3", line_of(LEAF, "frobnicate"))
    ]


def test_members_of_an_aggregate_get_no_default():
    text = LEAF.replace("et-* {", "et-9/* {")
    member = device(text).ports["et-0/0/4"]
    assert member.qos.pfc is None
    assert member.qos.watchdog is None
    assert device(text).ports["et-0/0/3"].qos.pfc.admin == "off"


def as_set(text):
    """The same configuration as `display set` prints it: one value of a list a line."""
    scan = registry.load_module(registry.get("junos").folder / "scan.py").scan(text)
    lines = ["set version 23.4X100-D31.6-EVO"]
    for section, statements in scan.statements.items():
        for body, _ in statements:
            head, bracket, rest = body.partition(" [ ")
            words = rest.rstrip(" ]").split() if bracket else [""]
            lines += [f"set {section} {head} {word}".rstrip() for word in words]
    return (
        "\n".join(lines)
        + "\nset class-of-service interfaces et-0/0/3 scheduler-map nowhere\ndeactivate class-of-service interfaces et-0/0/3\n"
    )


def test_set_form_says_the_same(leaf):
    other = device(as_set(LEAF))
    assert other == leaf
    assert other.lines_read >= leaf.lines_read


def test_windows_line_ends_tabs_blank_lines_and_no_indentation(leaf):
    odd = "\r\n\r\n".join(
        line.strip().replace(" ", "  ") if "description" not in line else line.strip() for line in LEAF.split("\n")
    )
    assert device(odd.replace("{", "\t{")) == leaf


def test_everything_on_one_line(leaf):
    flat = " ".join(line for line in LEAF.replace("## SECRET-DATA", "").split("\n") if not line.startswith("##"))
    # a line of ours ends after 4096 characters: cut between top-level blocks
    assert device("\n".join(flat.replace(" } ", " }\n").split("\n"))) == leaf


@pytest.mark.parametrize(
    "foreign",
    [
        "interface Ethernet1/1\n  mtu 1500\n  priority-flow-control mode on\n",
        "policy-options {\n    policy-statement x { term 1 { then accept; } }\n}\n",
        '{\n  "PORT": {"Ethernet0": {"mtu": "9100"}}\n}\n',
        "nv set qos roce enable on\n",
        "set qos-group 3\nset system services ssh\n",
        "! end of something\n% Invalid command\n",
        "{master:0}\nadmin@leaf7> show configuration\n",
        "Possible completions:\n  <name>   Name of the class { or not\n",
    ],
)
def test_a_foreign_section_changes_nothing(leaf, foreign):
    lines = LEAF.split("\n")
    tops = [index for index, line in enumerate(lines) if line and line[0] in "vsic" and line[-1] in "{;"]
    assert len(tops) == 5
    for index in [*tops, len(lines)]:
        found = device("\n".join(lines[:index]) + ("\n" if index else "") + foreign + "\n".join(lines[index:]))
        if "{ or not" in foreign:  # an open brace: the block after it is lost, and nothing is taken as proved
            assert found.complete == frozenset() or found == leaf
        else:
            assert found == leaf, (index, foreign)


def test_groups():
    text = """
groups {
    QOS {
        class-of-service {
            interfaces {
                <et-*> {
                    congestion-notification-profile P;
                    scheduler-map FROM-GROUP;
                }
            }
        }
        interfaces {
            <et-*> {
                mtu 9216;
            }
        }
    }
    MORE { class-of-service { interfaces { <*> { unit 0 { classifiers { dscp C; } } } } } }
}
apply-groups QOS;
interfaces {
    et-0/0/1 { unit 0 { family inet; } }
    et-0/0/2 { mtu 1500; apply-groups-except QOS; }
    xe-0/0/3 { unit 0 { family inet; } }
}
class-of-service {
    apply-groups [ MORE ];
    classifiers { dscp C { forwarding-class L { loss-priority low code-points af31; } } }
    forwarding-classes { class L queue-num 3 no-loss pfc-priority 3; }
    congestion-notification-profile {
        P {
            input { dscp { code-point 011010 { pfc; } } }
            output { ieee-802.1 { code-point 011 { flow-control-queue 3; } } }
        }
    }
    interfaces {
        et-0/0/1 { scheduler-map OWN; }
        et-0/0/2 { scheduler-map OWN; }
    }
    scheduler-maps { OWN { forwarding-class L scheduler S; } FROM-GROUP { forwarding-class L scheduler S; } }
    schedulers { S { priority low; } }
}
"""
    found = device(text)
    one, two, three = (found.ports[name] for name in ("et-0/0/1", "et-0/0/2", "xe-0/0/3"))
    assert (one.mtu, two.mtu, three.mtu) == (9216, 1500, None)
    assert one.qos.pfc.tx == frozenset({3})
    assert one.qos.trust == two.qos.trust == "dscp"
    assert three.qos.trust is None  # a wildcard of a group matches what is there, and xe-0/0/3 has no CoS entry
    assert [f.name for f in found.objects if f.kind == "scheduler-map" and f.used] == ["OWN"]
    assert found.complete == frozenset({"all"})


def test_a_group_that_is_not_in_the_text_leaves_everything_open():
    found = device(cos("apply-groups GONE;\n forwarding-classes { class L queue-num 3; }"))
    assert found.complete == frozenset()
    assert found.ports["et-0/0/1"].qos.pfc is None


def test_delete_and_deactivate_lines():
    text = (
        "set interfaces et-0/0/1 mtu 9216\nset class-of-service interfaces et-0/0/1 scheduler-map A\n"
        "delete class-of-service interfaces et-0/0/1\nset class-of-service interfaces et-0/0/1 scheduler-map B\n"
        "set class-of-service scheduler-maps B forwarding-class L scheduler S\n"
        "set class-of-service schedulers S priority strict-high\n"
        "set class-of-service forwarding-classes class L queue-num 5\n"
        "set interfaces et-0/0/2 mtu 9216\ndeactivate interfaces et-0/0/2\n"
    )
    found = device(text)
    assert list(found.ports) == ["et-0/0/1"]
    assert found.ports["et-0/0/1"].qos.queue(5).scheduler == "strict"
    assert not [f for f in found.objects if f.used and not f.defined]


def test_only_output_never_asks_the_peer():
    found = device(cos(
        "congestion-notification-profile { P { output { ieee-802.1 { code-point 011 { flow-control-queue 5; } } } } }\n"
        "interfaces { et-0/0/1 { congestion-notification-profile P; } }"))  # fmt: skip
    pfc = found.ports["et-0/0/1"].qos.pfc
    assert (pfc.tx, pfc.rx) == (frozenset(), frozenset({3}))
    assert found.ports["et-0/0/1"].qos.watchdog.enabled is False


def test_a_class_paused_for_some_of_its_codes_is_not_paused():
    found = device(LEAF.replace("code-point 011000 {", "code-point 111000 {"))
    assert found.ports["et-0/0/3"].qos.pfc.tx == frozenset()
    assert "DSCP 24" in next(f.inert for f in found.objects if f.name == "ROCE")


def test_missing_lines():
    no_ecn = device(LEAF.replace("explicit-congestion-notification;", "")).ports["et-0/0/3"].qos.queue(4)
    assert no_ecn.ecn.curves == ()
    assert len(no_ecn.wred) == 1
    no_watchdog = LEAF.replace(
        "pfc-watchdog {\n                poll-interval 50;\n                detection 4;\n            }", ""
    )
    port = device(no_watchdog).ports["et-0/0/3"]
    assert port.qos.watchdog.enabled is False
    assert port.where("watchdog").line == line_of(no_watchdog, "congestion-notification-profile pause;")
    no_cable = device(LEAF.replace("cable-length 40;", "")).ports["et-0/0/3"].qos
    assert no_cable.cable == 100
    assert "cable" in no_cable.defaulted
    unbound = device(LEAF.replace("congestion-notification-profile pause;", "")).ports["et-0/0/3"].qos
    assert unbound.pfc.admin == "off"


def test_an_alias_in_a_cn_profile_is_refused_by_the_device():
    found = device(LEAF.replace("code-point 011010 {", "code-point af31 {"))
    assert any("code-point af31" in entry.text for entry in found.lines)


def test_own_aliases_and_imports():
    found = device(cos(
        "code-point-aliases { dscp { roce 011010; } }\n"
        "classifiers { dscp BASE { forwarding-class L { loss-priority low code-points roce; } }\n"
        "dscp C { import BASE; forwarding-class M { loss-priority low code-points ef; } } }\n"
        "forwarding-classes { class L queue-num 3; class M queue-num 3; class X queue-num 8; }\n"
        "interfaces { et-0/0/1 { classifiers { dscp C; } rewrite-rules { dscp R; } } }\n"
        "rewrite-rules { dscp R { forwarding-class L { loss-priority low code-point cs1; } } }"))  # fmt: skip
    qos = found.ports["et-0/0/1"].qos
    assert (qos.dscp_to_tc.to[26], qos.dscp_to_tc.to[46]) == (3, 8)
    assert (qos.tc_to_queue[3], qos.tc_to_queue[8]) == (3, 3)
    assert qos.rewrite == (("tc", 3, 8),)


def test_dcbx_negotiates_unless_forced():
    base = LEAF.replace("protocols {", "protocols {\n dcbx {\n interface all;\n }")
    assert device(base).ports["et-0/0/3"].qos.pfc.admin == "auto"
    forced = base.replace(
        "interface all;\n }", "interface all { priority-flow-control { no-auto-negotiation; } }\n }", 1
    )
    assert device(forced).ports["et-0/0/3"].qos.pfc.admin == "on"


def test_interface_ranges():
    text = (
        "interfaces {\n interface-range spines {\n member et-0/0/9;\n member-range et-0/0/1 to et-0/0/3;\n mtu 9216;\n }\n"
        " et-0/0/2 { mtu 1500; }\n}\n"
    )
    found = device(text)
    assert {name: port.mtu for name, port in found.ports.items()} == {
        "et-0/0/1": 9216, "et-0/0/2": 1500, "et-0/0/3": 9216, "et-0/0/9": 9216}  # fmt: skip


def test_traffic_control_profiles_bring_the_scheduler_map():
    found = device(cos(
        "forwarding-classes { class L queue-num 3; }\n"
        "interfaces { et-0/0/1 { forwarding-class-set F { output-traffic-control-profile T; } } }\n"
        "forwarding-class-sets { F { class L; } }\n"
        "traffic-control-profiles { T { scheduler-map M; guaranteed-rate percent 50; } }\n"
        "scheduler-maps { M { forwarding-class L scheduler S; } }\n"
        "schedulers { S { priority low; transmit-rate percent 50; } }"))  # fmt: skip
    assert found.ports["et-0/0/1"].qos.queue(3).weight == 50
    assert not found.lines


SHOWN = """admin@leaf7> show class-of-service forwarding-class
Forwarding class                       ID      Queue  Policing priority  No-Loss   PFC priority
  best-effort                           0       0      normal             disabled  0
  NO-LOSS                               1       3      normal             enabled   3
"""
BUFFER = """Ingress:
  Total Buffer     :  65536.00 KB
  Dedicated Buffer :  9830.40 KB
  Shared Buffer    :  55705.60 KB
    Lossless          :  36765.70 KB
    Lossless Headroom :  13369.34 KB
    Lossy             :  5570.56 KB

  Lossless Headroom Utilization:
  Node Device         Total          Used                  Free
  0                   13369.34 KB    0.00 KB               13369.34 KB
Egress:
    Lossless          :  36765.70 KB
    Lossy             :  5570.56 KB
"""
BOUND = """Physical interface: et-0/0/0, Index: 1017
  Scheduler map: SM-RDMA
  Congestion-notification: Enabled, Name: RDMA-PFC
  Drop-Congestion-notification: Disabled
"""
QUEUE = """Physical interface: et-0/0/0, Enabled, Physical link is Up
Queue: 3, Forwarding classes: NO-LOSS
  Queued:
    Packets              :               9120441                  2000 pps
    Bytes                :           38102233001            8000000000 bps
  Transmitted:
    Tail-dropped packets :                     0                     0 pps
    ECN-CE packets       :                 48211                   120 pps
  MAC Priority Flow Control Statistics:
    Priority :  3                        104201              318
"""


def test_show_outputs():
    classes = device(SHOWN)
    assert [(found.name, found.matters) for found in classes.objects] == [("best-effort", False), ("NO-LOSS", True)]
    assert not classes.lines
    pools = device(BUFFER).pools
    assert [(pool.name, pool.headroom is not None) for pool in pools] == [
        ("ingress lossless", True), ("ingress lossy", False), ("egress lossless", False), ("egress lossy", False)]  # fmt: skip
    assert pools[0].total.bytes == round(36765.70 * 1024)
    assert device(BOUND).ports["et-0/0/0"].qos.pfc.admin == "on"
    assert device(BOUND).complete == frozenset()
    assert list(device(QUEUE).ports) == ["et-0/0/0"]
    for text in (BUFFER, BOUND, QUEUE):
        assert not device(text).lines


def test_configuration_and_show_outputs_together(leaf):
    texts = (Text("a", LEAF), Text("b", BUFFER), Text("c", SHOWN, "show class-of-service forwarding-class"))
    found = parse(Capture("x", "junos", texts, file="folder"))
    assert found.ports == leaf.ports
    assert found.pools == leaf.pools


@pytest.mark.parametrize("text", [
    "hello world\n", "% Invalid input\n", "error: permission denied\n", "hostname x\ninterface Ethernet1/1\n",
    '{"a": 1}', "}\n}\n", "system {\n}\n", "groups {\n}\n", "set\nset \n", "###", '"', "/*", "{" * 5000,
])  # fmt: skip
def test_what_is_nothing_of_ours_is_an_error(text):
    with pytest.raises(ReadError, match=r"leaf\.conf"):
        device(text)


def test_a_pager_or_an_open_brace_proves_nothing():
    assert device(LEAF + "---(more 30%)---\n").complete == frozenset()
    assert device(LEAF[: LEAF.index("scheduler-maps {")]).complete == frozenset()
    assert device(LEAF, complete=False).complete == frozenset()
    assert device(LEAF).complete == frozenset({"all"})


def test_nothing_else_claims_the_text():
    for text in (LEAF, as_set(LEAF)):
        scores = registry.scores(text)
        assert max(scores, key=lambda name: scores[name][0]) == "junos"


def test_a_profile_with_an_output_half_that_no_interface_has():
    text = LEAF.replace("congestion-notification-profile {", """congestion-notification-profile {
        SPARE {
            output {
                ieee-802.1 {
                    code-point 011 {
                        flow-control-queue 3;
                    }
                }
            }
        }""", 1)  # fmt: skip
    spare = next(item for item in device(text).objects if item.name == "SPARE")
    assert not spare.used
    assert (spare.would.qos.pfc.tx, spare.would.qos.pfc.rx) == (frozenset(), {3})
    assert spare.would.where("pfc.tx") == spare.place
