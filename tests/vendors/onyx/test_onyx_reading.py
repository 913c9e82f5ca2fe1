"""What a configuration of Onyx says, resolved per port."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rocecfg.lint.run import lint
from rocecfg.state.model import Amount, Curve, Dynamic, Ecn, Headroom, LinkPause, Named, PriorityGroup
from tests.vendors.onyx.onyx_texts import ADVANCED, DATABASE, as_stated, line_of, qos_of, read


def kilobytes(count: int) -> Amount:
    return Amount(count, "kbyte", count * 1000)


def test_a_running_configuration_is_whole_and_understood() -> None:
    device = read(DATABASE)
    assert not device.lines
    assert device.complete == {"all"}
    assert (device.name, device.os_version) == ("rack7-leaf1", "3.10.4206")
    assert list(device.ports) == ["Mpo4", "Eth1/1", "Eth1/2", "Eth1/3", "Eth1/4"]
    # mtu, pool (3), trust, maps (2), bind, ramps (3), ets (2), PFC (4), pfc-wd; speed, channel and shutdown are not ours
    assert device.lines_read == 18


def test_ports() -> None:
    ports = read(DATABASE).ports
    assert (ports["Eth1/1"].speed, ports["Eth1/1"].mtu, ports["Eth1/1"].mtu_counts) == (100 * 10**9, 9000, "ip")
    assert ports["Eth1/4"].enabled is False
    assert ports["Eth1/2"].mode == "routed"
    assert ports["Eth1/3"].lag == "Mpo4"
    lags = read(DATABASE).lags
    assert lags is not None
    assert [(lag.name, lag.members) for lag in lags] == [("Mpo4", ("Eth1/3",))]


def test_classification() -> None:
    qos = qos_of(DATABASE)
    assert qos.trust == "dscp"
    assert qos.dscp_to_tc is not None
    assert qos.pcp_to_tc is not None
    assert (qos.dscp_to_tc.to[34], qos.dscp_to_tc.to[46], qos.dscp_to_tc.to[26]) == (4, 2, 3)
    assert qos.dscp_to_tc.stated == 1 << 34 | 1 << 46
    assert qos.tc_to_queue is not None
    assert qos.tc_to_queue[:8] == (0, 0, 0, 3, 4, 5, 6, 7)
    assert qos_of(DATABASE, "Eth1/4").trust == "pcp"


def test_marking_and_dropping() -> None:
    queues = qos_of(DATABASE).queues
    assert queues is not None
    assert queues[4] is not None
    assert queues[4].ecn == Ecn((Curve(kilobytes(200), kilobytes(900), None),), non_ect="pass")
    assert queues[4].wred == ()
    assert queues[0] is not None
    assert queues[0].ecn == Ecn()
    both = qos_of(DATABASE, "Eth1/2").queue(4)
    assert both is not None
    assert both.ecn == Ecn((Curve(Amount(10, "percent"), Amount(80, "percent"), None),), non_ect="drop")
    drops = qos_of(DATABASE, "Eth1/3").queue(4)
    assert drops is not None
    assert (drops.ecn, drops.wred) == (Ecn(), (Curve(kilobytes(64), kilobytes(128), None),))


def test_scheduling() -> None:
    queues = qos_of(DATABASE).queues
    assert queues is not None
    shares = [(queue.scheduler, queue.weight, queue.weight_kind) for queue in queues if queue is not None]
    assert shares[4] == ("weighted", 60, "relative")
    assert shares[7] == ("strict", None, None)
    assert [share[1] for share in shares[:4]] == [12, 13, 12, 13]


def test_pfc_needs_three_lines() -> None:
    device = read(DATABASE)
    pfc = device.ports["Eth1/1"].qos.pfc
    assert pfc is not None
    assert (pfc.admin, pfc.tx, pfc.rx, pfc.gate) == ("on", {4}, {4}, True)
    assert pfc.sends() == {4}
    silent = device.ports["Eth1/2"].qos.pfc
    assert silent is not None
    assert (silent.admin, silent.sends()) == ("auto", None)
    member = device.ports["Eth1/3"].qos.pfc
    assert member is not None
    assert member.admin == "on"


@pytest.mark.parametrize(
    ("without", "sends"),
    [
        ("   dcb priority-flow-control enable force\n", frozenset()),
        ("   interface ethernet 1/1 dcb priority-flow-control mode on force\n", None),
    ],
)
def test_each_pfc_line_counts(without: str, sends: frozenset[int] | None) -> None:
    text = DATABASE.replace("   traffic pool fast map switch-priority 4\n", "").replace(without, "")
    pfc = qos_of(text).pfc
    assert pfc is not None
    assert pfc.sends() == sends


def test_without_a_priority_nothing_is_lossless() -> None:
    text = DATABASE.replace("   dcb priority-flow-control priority 4 enable\n", "")
    text = text.replace("   traffic pool fast map switch-priority 4\n", "")
    pfc = qos_of(text).pfc
    assert pfc is not None
    assert (pfc.admin, pfc.sends()) == ("on", frozenset())


def test_a_lossless_pool_turns_flow_control_on() -> None:
    text = DATABASE.replace("   dcb priority-flow-control priority 4 enable\n", "")
    pfc = qos_of(text).pfc
    assert pfc is not None
    assert pfc.sends() == {4}
    bare = "\n".join(line for line in DATABASE.splitlines() if "dcb priority" not in line)
    device = read(bare)
    assert device.pfc_enabled is None
    pfc = device.ports["Eth1/1"].qos.pfc
    assert pfc is not None
    assert (pfc.tx, pfc.gate) == ({4}, None)


def test_watchdog() -> None:
    device = read(DATABASE)
    dog = device.ports["Eth1/1"].qos.watchdog
    assert dog is not None
    assert (dog.enabled, dog.priorities, dog.detect, dog.action) == (True, {4}, None, None)
    other = device.ports["Mpo4"].qos.watchdog
    assert other is not None
    assert other.enabled is False


def test_traffic_pool() -> None:
    device = read(DATABASE)
    assert device.pools is not None
    assert [(pool.name, pool.lossless, pool.total) for pool in device.pools] == [
        ("fast", True, Amount(Fraction(75, 2), "percent"))
    ]
    qos = device.ports["Eth1/1"].qos
    assert qos.priority_group(4) == PriorityGroup(lossless=True, headroom=Headroom(by="box"))
    assert qos.priority_group(0) == PriorityGroup(lossless=False)
    assert qos.tc_to_pg is not None
    assert qos.tc_to_pg[:8] == (0, 0, 0, 0, 4, 0, 0, 0)
    assert device.buffer_model == "box"


def test_a_priority_is_in_the_pool_of_its_last_line() -> None:
    device = read(DATABASE + "   traffic pool other type lossless\n   traffic pool other map switch-priority 4 5\n")
    assert [(item.name, item.used) for item in device.objects if item.kind == "traffic pool"] == [
        ("fast", False), ("other", True),
    ]  # fmt: skip


def test_pfc_for_a_priority_of_a_lossy_pool() -> None:
    device = read(DATABASE.replace("traffic pool fast type lossless", "traffic pool fast type lossy"))
    group = device.ports["Eth1/1"].qos.priority_group(4)
    assert group == PriorityGroup(lossless=False, headroom=Headroom(by="none"))
    rules = {finding.rule for finding in lint([device]).findings}
    assert "BUF-001" in rules


def test_advanced_buffers() -> None:
    device = read(ADVANCED)
    assert not device.lines
    assert device.buffer_model == "stated"
    group = device.ports["Eth1/6"].qos.priority_group(4)
    assert group == PriorityGroup(
        lossless=True,
        headroom=Headroom(Amount.of_bytes(70_000)),
        xoff_at=Dynamic(Fraction(1, 2)),
        xon_at=Amount.of_bytes(19_000),
        reserved=Amount.of_bytes(20_000),
        pool="iPool2",
    )
    lossy = device.ports["Eth1/6"].qos.priority_group(1)
    assert lossy is not None
    assert (lossy.lossless, lossy.reserved, lossy.pool) == (False, Amount.of_bytes(9000), "iPool0")
    queue = device.ports["Eth1/5"].qos.queue(4)
    assert queue is not None
    assert (queue.reserved, queue.pool, queue.limit) == (Amount.of_bytes(1500), "ePool2", None)
    assert device.pools is not None
    assert [(pool.name, pool.direction, pool.lossless, pool.total) for pool in device.pools] == [
        ("iPool2", "ingress", True, Amount.of_bytes(4_194_304)),
        ("ePool2", "egress", None, Amount.of_bytes(16_000_000)),
    ]


def test_sizes_with_a_letter_keep_their_unit() -> None:
    text = ADVANCED.replace("reserved 90000 xoff 20000 xon 19000", "reserved 90K xoff 20K xon 19K")
    group = read(text).ports["Eth1/5"].qos.priority_group(4)
    assert group is not None
    assert group.headroom is None
    assert group.xon_at == Amount(19, "kbyte")


def test_a_list_of_commands_proves_what_it_leaves_out_of_roce() -> None:
    device = read(ADVANCED)
    assert device.complete == {"maps", "watchdog"}
    qos = device.ports["Eth1/5"].qos
    assert qos.watchdog is not None
    assert qos.watchdog.enabled is False
    assert qos.queue(0) is None
    assert qos.link_pause is None
    part = read("interface ethernet 1/1 dcb priority-flow-control mode on force\n")
    assert part.complete == frozenset()
    assert part.ports["Eth1/1"].qos.watchdog is None
    assert part.ports["Eth1/1"].qos.trust is None


def test_places() -> None:
    device = read(DATABASE)
    lines = DATABASE.splitlines()
    for leaf, text in {
        "trust": "interface ethernet 1/1-1/3 qos trust L3",
        "queues.4.ecn": "interface ethernet 1/1 traffic-class 4 congestion-control",
        "queues.7.scheduler": "interface ethernet 1/1 traffic-class 7 dcb ets strict",
        "pfc.admin": "interface ethernet 1/1 dcb priority-flow-control mode on",
        "pfc.tx": "dcb priority-flow-control priority 4",
        "watchdog": "interface ethernet 1/1 pfc-wd",
        "mtu": "interface ethernet 1/1-1/3 mtu",
        "priority_groups.4": "traffic pool fast map",
    }.items():
        assert text in lines[line_of(device, "Eth1/1", leaf) - 1], leaf
    assert "dcb priority-flow-control enable" in lines[line_of(device, "Mpo4", "watchdog") - 1]


def test_objects() -> None:
    text = ADVANCED.replace("egress-buffer ePort.tc4 map pool ePool2", "egress-buffer ePort.tc4 map pool ePol2")
    objects = {item.name: item for item in read(text).objects}
    assert objects["ePol2"] == Named(
        "pool", "ePol2", defined=False, used=True, matters=True, place=objects["ePol2"].place, near="ePool2"
    )
    assert objects["iPool2"].used
    assert objects["iPool0"].system


def test_link_pause_and_dcbx() -> None:
    qos = qos_of(
        DATABASE
        + "   interface ethernet 1/1 flowcontrol receive on force\n   interface ethernet 1/1 lldp tlv-select dcbx\n"
    )
    assert qos.link_pause == LinkPause(rx=True, tx=False)
    assert qos.dcbx is not None
    assert qos.dcbx.state == "ieee"


def test_a_rewrite_is_not_known_to_be_none() -> None:
    text = DATABASE + "   interface ethernet 1/1 qos rewrite dscp\n"
    assert qos_of(text).rewrite is None
    assert qos_of(text, "Eth1/2").rewrite == ()


def test_defaults_are_marked_and_idempotent() -> None:
    from tests.vendors.onyx.onyx_texts import VENDOR

    device = read(DATABASE)
    assert VENDOR.module.defaults(device) == device
    defaulted = device.ports["Eth1/2"].qos.defaulted
    assert {"pfc.admin", "watchdog.enabled", "queues.0.scheduler", "tc_to_queue"} <= defaulted
    assert "trust" not in defaulted
    assert as_stated(DATABASE).ports["Eth1/2"].qos.queue(0) is None


def test_a_foreign_section_changes_nothing_else() -> None:
    foreign = "##\n## BGP configuration\n##\n   protocol bgp\n   router bgp 65001 vrf default\n   router bgp 65001 neighbor 10.1.1.1 remote-as 65002\n"
    for at in range(0, DATABASE.count("\n\n"), 2):
        parts = DATABASE.split("\n\n")
        text = "\n\n".join((*parts[: at + 1], foreign, *parts[at + 1 :]))
        assert read(text).ports == read(DATABASE).ports
        assert read(text).lines_read == read(DATABASE).lines_read
