"""What a text of SR Linux says, whatever its form."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from srlinux_plans import capture, read
from texts import BRACES, FLAT, STATE, STATE_BRACES, TREE

from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import (
    Amount,
    Dcbx,
    Device,
    Dynamic,
    Headroom,
    LinkPause,
    Neighbour,
    Pfc,
    Pool,
    PortWatchdog,
    Static,
)
from rocecfg.state.parse import parse, stated

JSON = json.dumps(TREE, indent=2)


def prefixed(tree: dict[str, object]) -> dict[str, object]:
    modules = {"qos": "srl_nokia-qos", "interface": "srl_nokia-interfaces", "system": "srl_nokia-system"}
    return {f"{modules.get(name, 'srl_nokia-network-instance')}:{name}": value for name, value in tree.items()}


FORMS = {
    "set": FLAT,
    "braces": BRACES,
    "json": JSON,
    "json with prefixes": json.dumps(prefixed(TREE), indent=1),
    "json on one line": json.dumps(TREE),
    "set with prompts": f"A:admin@rail1# info flat\n{FLAT}--{{ running }}--[  ]--\nA:admin@rail1# \n",
    "braces with notes": BRACES.replace("mtu 9232", "mtu 9232 !!! EDA Source CRs: an intent"),
    "crlf": FLAT.replace("\n", "\r\n"),
}


@pytest.fixture(params=FORMS)
def device(request: pytest.FixtureRequest) -> Device:
    return read(FORMS[request.param])


def test_all_forms_say_the_same(device: Device) -> None:
    assert device == read(FLAT)
    assert device.lines == ()
    assert device.lines_read > 30
    assert device.name == "rail1"


def test_the_three_maps(device: Device) -> None:
    qos = device.ports["ethernet-1/1"].qos
    assert qos.trust == "dscp"
    assert (qos.dscp_to_tc.to[26], qos.dscp_to_tc.to[34], qos.dscp_to_tc.to[48], qos.dscp_to_tc.to[0]) == (3, 3, 6, 0)
    assert qos.dscp_to_tc.stated == 1 << 26 | 1 << 34 | 1 << 48
    assert (qos.dscp_to_colour[26], qos.dscp_to_colour[34], qos.dscp_to_colour[5]) == ("green", "red", "green")
    assert qos.tc_to_queue[:8] == (0, 1, 2, 4, 4, 5, 7, 7)
    assert qos.tc_to_pg[3] == 2
    assert qos.priority_to_pg[5] == frozenset({2})
    assert qos.priority_to_queue[5] == frozenset({4})
    assert qos.priority_to_queue[3] == frozenset()
    assert qos.pfc == Pfc("on", frozenset({5}), frozenset({5}), "internal")


def test_thresholds_and_sharing(device: Device) -> None:
    qos = device.ports["ethernet-1/1"].qos
    group = qos.priority_groups[2]
    assert group.lossless is True
    assert group.xoff_at == Static(Amount.of_bytes(700_000))
    assert group.headroom == Headroom(Amount.of_bytes(120_000))
    assert device.pools == (
        Pool("linecard 1 forwarding-complex 0", "ingress", lossless=True, headroom=Amount(12, "percent")),
    )
    (curve,) = qos.queues[4].ecn.curves
    assert (curve.low, curve.low.bytes, curve.high.bytes, curve.probability) == (
        Amount(5, "percent"), 100_000, 1_600_000, 100,
    )  # fmt: skip
    assert (qos.queues[4].ecn.gate, qos.queues[4].ecn.weight) == (True, 0)
    assert qos.queues[4].limit == Static(Amount.of_bytes(2_000_000))
    assert (qos.queues[4].scheduler, qos.queues[4].weight, qos.queues[4].weight_kind) == ("weighted", 60, "relative")
    assert (qos.queues[7].scheduler, qos.queues[7].rank) == ("strict", 1)
    assert qos.queues[0].ecn.curves == ()


def test_timers_defaults_and_the_rest(device: Device) -> None:
    port = device.ports["ethernet-1/1"]
    assert port.qos.watchdog == PortWatchdog(True, frozenset({5}), None, 300, 750, "ignore-pause")
    assert "watchdog.restore" in port.qos.defaulted
    assert "watchdog.detect" not in port.qos.defaulted
    assert (port.mtu, port.mtu_counts, port.mode, port.enabled) == (9232, "l2", "routed", True)
    assert port.qos.link_pause == LinkPause(rx=False, tx=None)
    assert device.ecn_enabled is True


@pytest.mark.parametrize(
    ("lines", "mtu", "said"),
    [
        ("", 1514, "subinterface 0 type routed"),
        ("set / interface ethernet-1/1 mtu 9412\n", 1514, "subinterface 0 type routed"),
        ("set / interface ethernet-1/1 subinterface 0 ip-mtu 9000\n", 9014, "ip-mtu 9000"),
        ("set / interface ethernet-1/1 subinterface 0 ip-mtu 9398\n", 9232, None),
        ("set / system mtu default-ip-mtu 9178\n", 9192, "default-ip-mtu 9178"),
        (
            "set / system mtu default-ip-mtu 1500\nset / interface ethernet-1/1 subinterface 0 ip-mtu 4200\n",
            4214,
            "4200",
        ),
    ],
)
def test_a_routed_port_passes_what_its_ip_mtu_lets_through(lines: str, mtu: int, said: str | None) -> None:
    """The IP MTU is 1500 where nothing is stated, however long the port's own frames may be."""
    base = FLAT.replace("set / interface ethernet-1/1 mtu 9232\n", "").replace(
        "set / interface ethernet-1/1 subinterface 0 ip-mtu 9218\n", ""
    )
    port = read(base + lines).ports["ethernet-1/1"]
    assert (port.mtu, port.mtu_counts) == (mtu, "l2")
    if said is not None:
        assert said in (base + lines).split("\n")[port.where("mtu").line - 1]


def test_an_excerpt_proves_no_ip_mtu() -> None:
    device = read(
        "set / interface ethernet-1/1 mtu 9100\nset / interface ethernet-1/1 subinterface 0 type routed\n"
        "set / qos queues queue a queue-index 3\n",
        complete=False,
    )
    assert device.ports["ethernet-1/1"].mtu == 9100


def test_places_lead_to_the_line_that_decides() -> None:
    port = read(FLAT).ports["ethernet-1/1"]
    lines = FLAT.split("\n")

    def said(leaf: str) -> str:
        return lines[port.where(leaf).line - 1]

    assert "mtu 9232" in said("mtu")
    assert "detection-timer 300" in said("watchdog.detect")
    assert "pfc-enable true" in said("pfc.admin")
    assert "queue-management-profile ramp" in said("queues.4.ecn")
    assert "maximum-burst-size 700000" in said("priority_groups.2.xoff_at")
    assert "input classifiers dscp-policy marks" in said("trust")
    in_json = read(JSON).ports["ethernet-1/1"]
    assert '"detection-timer": 300' in JSON.split("\n")[in_json.where("watchdog.detect").line - 1]
    assert '"mtu": 9232' in JSON.split("\n")[in_json.where("mtu").line - 1]


def test_counters_of_the_state() -> None:
    mapping = json.dumps(
        {"qos": {"pfc-mapping-profile": TREE["qos"]["pfc-mapping-profile"], "queues": TREE["qos"]["queues"]}}
    )
    state = json.dumps({"qos": {"interfaces": STATE}}, indent=2)
    texts = (Text("a.json", mapping), Text("b.json", state))
    sample = parse(Capture("leaf1", "srlinux", texts, file="leaf1")).sample
    counted = sample.ports["ethernet-1/1"]
    assert (counted.rx_pfc[5], counted.tx_pfc[5], counted.rx_pfc_total, counted.tx_pfc_total) == (1204, 377, 1204, 377)
    assert counted.rx_buffer_drops == 2
    assert counted.storms[4] == 3
    assert (counted.queue_packets[4], counted.queue_bytes[4], counted.queue_drops[4]) == (900, 90_000, 7)
    assert counted.queue_drop_bytes[4] == 700
    assert '"dropped-packets": "7"' in state.split("\n")[counted.where("queue_drops").line - 1]


def test_state_below_its_path_is_read() -> None:
    """`info from state /qos interfaces interface *` prints what stands below the path it was asked for."""
    sample = read(json.dumps(STATE), complete=None).sample
    assert sample.ports["ethernet-1/1"].rx_pfc[5] == 1204


def test_state_in_braces_is_read_too() -> None:
    texts = (Text("qos.txt", FLAT, "", True), Text("state.txt", STATE_BRACES, "", True))
    device = parse(Capture("leaf1", "srlinux", texts, file="leaf1"))
    counted = device.sample.ports["ethernet-1/1"]
    assert (counted.rx_pfc[5], counted.rx_pfc_total, counted.storms[4]) == (1204, 1204, 3)
    assert (counted.queue_packets[4], counted.queue_drops[4]) == (900, 7)
    assert device.lines == ()


def test_state_outputs_beside_the_configuration() -> None:
    """Commands print what stands below the path they were asked for: the model, the release, the default policy, LLDP."""
    unbound = FLAT.replace("set / qos interfaces interface p1-sub input classifiers dscp-policy marks\n", "")
    lldp = {
        "admin-state": "enable",
        "chassis-id": "1A:9A:00:FF:00:00",
        "interface": [
            {
                "name": "ethernet-1/1",
                "admin-state": "disable",
                "neighbor": [
                    {"id": "x", "system-name": "spine1", "port-id": "ethernet-1/9", "port-id-type": "INTERFACE_NAME"}
                ],
            }
        ],
    }
    policy = {"dscp": [{"value": 26, "forwarding-class": "fc3"}, {"value": 10, "forwarding-class": "fc1"}]}
    outputs = {
        "info flat /qos": unbound,
        "info from state /platform chassis | as json": json.dumps({"type": "7220 IXR-H4", "slots": 1}),
        "info from state /system information | as json": json.dumps({"version": "v25.3.1-1-gabc"}),
        "info from state /qos classifiers dscp-policy default | as json": json.dumps(policy),
        "info from state /system lldp | as json": json.dumps(lldp),
    }
    texts = tuple(Text(f"{at}.txt", content, command, True) for at, (command, content) in enumerate(outputs.items()))
    device = parse(Capture("leaf1", "srlinux", texts, file="leaf1"))
    port = device.ports["ethernet-1/1"]
    assert (device.model, device.os_version) == ("7220 IXR-H4", "v25.3.1-1-gabc")
    assert (port.qos.dscp_to_tc.to[26], port.qos.dscp_to_tc.to[10], port.qos.dscp_to_tc.to[0]) == (3, 1, 0)
    assert port.neighbour == Neighbour("spine1", "ethernet-1/9", "lldp")
    assert port.enabled is True
    assert device.lines == ()


def test_what_nobody_says_stays_unknown() -> None:
    part = "\n".join(line for line in FLAT.split("\n") if "deadlock" not in line and "system" not in line)
    qos = read(part, complete=None).ports["ethernet-1/1"].qos
    assert qos.watchdog is None
    assert qos.dscp_to_tc.to[0] is None
    assert qos.queues[0] is None
    whole = read(part, complete=True).ports["ethernet-1/1"].qos
    assert whole.watchdog.enabled is False
    assert (whole.watchdog.detect, whole.watchdog.restore) == (750, 750)


def test_marking_needs_the_switch_of_the_device() -> None:
    text = FLAT.replace("set / qos explicit-congestion-notification\n", "")
    device = read(text)
    assert device.ecn_enabled is False
    assert device.ports["ethernet-1/1"].qos.queues[4].ecn.gate is False
    rules = {finding.rule for finding in lint([device], settings=Settings()).findings}
    assert "ECN-003" in rules or any(rule.startswith("ECN") for rule in rules)


def test_defaults_of_a_listed_pfc_queue() -> None:
    text = "\n".join(line for line in FLAT.split("\n") if "pfc-reserved" not in line and "700000" not in line)
    text += "\nset / qos buffer-management buffer-allocation-profile in queues pfc-queue stop-me\n"
    group = read(text).ports["ethernet-1/1"].qos.priority_groups[2]
    assert group.xoff_at == Static(Amount.of_bytes(51_200))
    assert group.headroom == Headroom(Amount(10, "percent"), by="pool-share")


def test_a_queue_size_of_zero_is_a_quarter_of_the_shared_buffer() -> None:
    device = read(FLAT.replace("maximum-burst-size 2000000", "maximum-burst-size 0"))
    assert device.ports["ethernet-1/1"].qos.queues[4].limit == Dynamic(Fraction(1, 4), 5)


def test_a_rewrite_policy_zeroes_the_classes_it_leaves_out() -> None:
    text = FLAT + (
        "set / qos rewrite-rules dscp-policy out map rdma dscp 26\n"
        "set / qos interfaces interface p1-sub output rewrite-rules dscp-policy out\n"
    )
    rewrite = {of: to for _, of, to in read(text).ports["ethernet-1/1"].qos.rewrite}
    assert rewrite[3] == 26
    assert rewrite[6] == 0


def test_7250_leaves_are_percent_of_what_is_reserved() -> None:
    text = FLAT.replace(
        "stop-me maximum-burst-size 700000",
        "stop-me committed-burst-size 200000 pfc-on-threshold 90 pfc-off-threshold 50",
    )
    text = "\n".join(line for line in text.split("\n") if "received-traffic" not in line and "linecard" not in line)
    device = read(text)
    qos = device.ports["ethernet-1/1"].qos
    group = qos.priority_groups[2]
    assert group.xoff_at == Static(Amount(90, "percent"))
    assert group.xoff_at.amount.bytes == 180_000
    assert (group.xon_at, group.xon_at.bytes, group.reserved) == (
        Amount(50, "percent"),
        100_000,
        Amount.of_bytes(200_000),
    )
    assert qos.pfc.tx is None, "the 7250 maps classes to PFC queues by itself: which priority it sends is not known"
    assert device.pools is None


def test_dcbx_tells_and_never_listens() -> None:
    text = FLAT + "set / qos interfaces interface p1 dcbx admin-state enable\n"
    device = read(text)
    assert device.ports["ethernet-1/1"].qos.dcbx == Dcbx("ieee", willing=False, advertises=frozenset({"pfc"}))
    assert device.lines == ()
    assert read(FLAT).ports["ethernet-1/1"].qos.dcbx is None


def test_lag_members_have_the_qos_of_the_lag() -> None:
    text = FLAT.replace("interface-ref interface ethernet-1/1", "interface-ref interface lag1") + (
        "set / interface ethernet-1/1 ethernet aggregate-id lag1\nset / interface lag1 admin-state enable\n"
    )
    device = read(text)
    assert device.ports["ethernet-1/1"].lag == "lag1"
    assert device.ports["ethernet-1/1"].qos.pfc == device.ports["lag1"].qos.pfc
    assert device.lags[0].members == ("ethernet-1/1",)


def test_two_policies_that_disagree_are_a_conflict() -> None:
    text = FLAT + (
        "set / qos classifiers dscp-policy other dscp 26 forwarding-class cnp\n"
        "set / qos interfaces interface p1-2 interface-ref interface ethernet-1/1 subinterface 2\n"
        "set / qos interfaces interface p1-2 input classifiers dscp-policy other\n"
    )
    codes = read(text).ports["ethernet-1/1"].qos.dscp_to_tc
    assert codes.conflicts == ((26, frozenset({3, 6})),)


def test_names_that_lead_nowhere_are_found() -> None:
    device = read(FLAT.replace("pfc pfc-mapping-profile rails", "pfc pfc-mapping-profile rail"))
    (finding,) = [found for found in lint([device], settings=Settings()).findings if found.rule == "REF-001"]
    assert 'did you mean "rails"' in finding.message
    unbound = read(FLAT.replace("set / qos interfaces interface p1 output scheduler scheduler-policy shares\n", ""))
    assert "REF-002" in {found.rule for found in lint([unbound], settings=Settings()).findings}


def test_an_excerpt_proves_no_default() -> None:
    device = parse(capture(BRACES[BRACES.index("    qos {") : BRACES.index("    system {")]))
    assert device.complete == frozenset()
    assert device.ports["ethernet-1/1"].qos.pfc.tx == frozenset({5})
    assert stated(capture(FLAT)).complete == frozenset({"all"})
