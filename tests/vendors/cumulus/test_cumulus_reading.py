"""Reading: both generations of NVUE, its YAML traps, ranges, bonds, the RoCE mode, datapath files, show outputs."""

from __future__ import annotations

from fractions import Fraction

import pytest
from cumulus_plans import NOS, capture, read

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import Amount, Device, Dynamic, Headroom, LinkPause, Static, distinct_qos
from rocecfg.state.parse import parse, stated
from rocecfg.vendor import registry

EXPLICIT = """\
nv set qos traffic-pool default-lossy memory-percent 40
nv set qos traffic-pool default-lossless memory-percent 60
nv set qos traffic-pool default-lossless switch-priority 3
nv set qos mapping default-global trust l3
nv set qos mapping default-global dscp 26 switch-priority 3
nv set qos mapping EDGE trust l2
nv set qos egress-queue-mapping default-global switch-priority 3 traffic-class 4
nv set qos pfc HOST switch-priority 3
nv set qos pfc HOST tx enable
nv set qos pfc HOST rx disable
nv set qos pfc HOST cable-length 5
nv set qos congestion-control default-global traffic-class 3,5 ecn enable
nv set qos congestion-control default-global traffic-class 3,5 min-threshold 150000
nv set qos congestion-control default-global traffic-class 3,5 max-threshold 1500000
nv set qos egress-scheduler EDGE traffic-class 3 mode dwrr
nv set qos egress-scheduler EDGE traffic-class 3 bw-percent 70
nv set qos egress-scheduler EDGE traffic-class 6 mode strict
nv set qos pfc-watchdog polling-interval 200
nv set qos pfc-watchdog robustness 5
nv set interface swp1-4,swp6s0-1 qos pfc profile HOST
nv set interface swp1 qos pfc-watchdog
nv set interface swp2 qos pfc-watchdog state disable
nv set interface swp3 qos egress-scheduler profile EDGE
nv set interface swp4 qos mapping profile EDGE
nv set interface swp1 link mtu 9100
nv set interface swp1 link speed 400G
nv config apply
"""


def line_of(device: Device, port: str, leaf: str) -> int:
    where = device.ports[port].where(leaf)
    assert where is not None
    return where.line


def test_a_command_list_gives_what_is_in_force_with_its_lines() -> None:
    device = read(EXPLICIT)
    assert list(device.ports) == ["swp1", "swp2", "swp3", "swp4", "swp6s0", "swp6s1"]
    assert device.lines == ()
    assert device.lines_read == 26
    one, three, four = (device.ports[name].qos for name in ("swp1", "swp3", "swp4"))
    assert (one.trust, four.trust) == ("dscp", "pcp")
    assert (one.pfc.admin, one.pfc.tx, one.pfc.rx) == ("on", frozenset({3}), frozenset())
    assert one.tc_to_queue[3] == 4
    assert one.priority_to_queue[3] == frozenset({4})
    assert (one.cable, one.priority_groups[3].headroom) == (5, Headroom(by="length"))
    assert one.queues[5].ecn.curves[0].low == Amount.of_bytes(150_000)
    assert one.queues[5].ecn.curves[0].probability == 100
    assert one.queues[0].ecn.curves == ()
    assert (one.watchdog.enabled, one.watchdog.poll, one.watchdog.detect, one.watchdog.restore) == (
        True,
        200,
        1000,
        200,
    )
    assert device.ports["swp2"].qos.watchdog.enabled is False
    assert (device.ports["swp1"].mtu, device.ports["swp1"].speed) == (9100, 400_000_000_000)
    assert [queue.weight for queue in one.queues] == [12, 13, 12, 13, 12, 13, 12, 13]
    assert [queue.weight for queue in three.queues] == [0, 0, 0, 70, 0, 0, None, 0]
    assert (three.queues[6].scheduler, three.queues[6].rank) == ("strict", 1)
    assert [(pool.name, pool.lossless, pool.total.value) for pool in device.pools] == [
        ("default-lossless", True, 60),
        ("default-lossy", False, 40),
    ]
    assert [line_of(device, "swp1", leaf) for leaf in ("pfc", "pfc.rx", "cable", "trust", "queues.5.ecn", "watchdog", "mtu")] == [
        8, 10, 11, 4, 12, 21, 25,
    ]  # fmt: skip
    assert line_of(device, "swp3", "watchdog") == 8
    assert device.ports["swp4"].place.line == 20


def test_crlf_prompts_comments_blank_lines_quotes_and_a_banner_change_nothing() -> None:
    dressed = "# saved\r\n\r\n" + "".join(
        f"cumulus@leaf01:mgmt:~$ {line}  # note\r\n" for line in EXPLICIT.splitlines()
    )
    dressed += "nv set system message post-login '#####\r\nnv set qos pfc HOST tx disable\r\n####'\r\n"
    dressed = dressed.replace("profile HOST", "profile 'HOST'")
    assert dict(read(dressed).ports) == dict(read(EXPLICIT).ports)


def test_a_foreign_section_at_any_place_changes_nothing() -> None:
    foreign = (
        "nv set router policy prefix-list A rule 1 match 10.0.0.0/8\nnv set vrf default router bgp autonomous-system 65001\n"
        "nv set interface eth0 description 'qos pfc profile'\nnv set acl ACL1 rule 10 match ip dscp 26\n"
        "interface Ethernet1/1\n  priority-flow-control mode on\n! nv\n"
    )
    plain = read(EXPLICIT)
    lines = EXPLICIT.splitlines(keepends=True)
    for at in range(len(lines) + 1):
        device = read("".join(lines[:at]) + foreign + "".join(lines[at:]))
        assert dict(device.ports) == dict(plain.ports)
        assert device.lines == ()
        assert device.pools == plain.pools


@pytest.mark.parametrize(
    "line",
    [
        "nv set qos pfc HOST cable-lenght 50",
        "nv set qos mapping default-global dscp 64 switch-priority 3",
        "nv set qos congestion-control default-global traffic-class 9 ecn enable",
        "nv set qos congestion-control default-global traffic-class 3 probability 101",
        "nv set qos roce mode losless",
        "nv set interface swp1 qos pfc-watchdog state maybe",
        "nv set interface swp1 qos pfc profile",
        "nv set interface swp1-,swp qos pfc profile X Y",
        "nv set qos <TAB>",
    ],
)
def test_a_line_that_nvue_does_not_know_is_reported(line: str) -> None:
    device = read(EXPLICIT + line + "\n")
    assert [(each.text, each.place.line) for each in device.lines] == [(line, 28)]
    plain = read(EXPLICIT).ports
    if "watchdog" in line:
        assert device.ports["swp1"].qos.watchdog != plain["swp1"].qos.watchdog, "what the line may have set"
        assert {**device.ports, "swp1": None} == {**plain, "swp1": None}
    elif "ecn" in line:
        assert device.ports["swp1"].qos.queues[0].ecn is None
        assert device.ports["swp1"].qos.pfc == plain["swp1"].qos.pfc
    else:
        assert dict(device.ports) == dict(plain)


def test_unset_takes_away_what_was_set_before() -> None:
    device = read(EXPLICIT + "nv unset qos pfc HOST switch-priority 3\nnv unset interface swp1 qos pfc-watchdog\n")
    assert device.ports["swp2"].qos.pfc.tx == frozenset()
    assert device.ports["swp1"].qos.watchdog.enabled is False


@pytest.mark.parametrize(
    "command",
    ["nv set qos roce", "nv set qos roce enable on", "nv set qos roce state enabled", "nv set qos roce mode lossless"],
)
def test_both_generations_of_the_roce_mode(command: str) -> None:
    device = read(
        f"{command}\nnv set interface swp1 link state up\nnv set qos traffic-pool roce-lossless memory-percent 70\n"
    )
    qos = device.ports["swp1"].qos
    assert (qos.trust, qos.pfc.tx, qos.pfc.rx, qos.cable) == ("both", frozenset({3}), frozenset({3}), 100)
    assert qos.tc_to_queue[:8] == (0, 0, 0, 3, 0, 0, 6, 0)
    assert [number for number, queue in enumerate(qos.queues) if queue.ecn.curves] == [0, 3]
    assert (qos.queues[3].weight, qos.queues[0].weight, qos.queues[6].scheduler) == (50, 50, "strict")
    assert qos.queues[5].weight == 0
    assert qos.watchdog.enabled is False
    assert line_of(device, "swp1", "watchdog") == 1
    assert {"trust", "pfc", "cable", "queues.3.ecn"} <= qos.defaulted
    assert [(pool.name, pool.total.value) for pool in device.pools] == [("default-lossy", 50), ("roce-lossless", 70)]
    assert qos.dcbx.advertises == frozenset({"app"})


def test_what_is_stated_beats_the_roce_mode_and_a_profile_beats_both() -> None:
    device = read(
        "nv set qos roce\nnv set qos pfc default-global cable-length 40\nnv set qos mapping default-global trust l3\n"
        "nv set qos pfc FAR switch-priority 3\nnv set qos pfc FAR tx enable\nnv set qos pfc FAR rx enable\n"
        "nv set qos pfc FAR cable-length 500\nnv set interface swp1-2 type swp\nnv set interface swp2 qos pfc profile FAR\n"
    )
    one, two = device.ports["swp1"].qos, device.ports["swp2"].qos
    assert (one.cable, one.trust, one.pfc.tx) == (40, "dscp", frozenset({3}))
    assert two.cable == 500
    assert "cable" not in one.defaulted


def test_roce_off_lossy_and_unpublished_modes() -> None:
    off = (
        read("nv set qos roce state disabled\nnv set qos roce mode lossless\nnv set interface swp1 type swp\n")
        .ports["swp1"]
        .qos
    )
    assert (off.trust, off.pfc.admin) == ("pcp", "off")
    lossy = read("nv set qos roce mode lossy\nnv set interface swp1 type swp\n").ports["swp1"].qos
    assert (lossy.pfc.admin, lossy.trust) == ("off", "both")
    unknown = read("nv set qos roce mode dci-1\nnv set interface swp1 type swp\n").ports["swp1"].qos
    assert (unknown.trust, unknown.pfc, unknown.watchdog) == (None, None, None)


def test_defaults_that_are_not_printed() -> None:
    qos = read("nv set interface swp1 type swp\n").ports["swp1"].qos
    assert (qos.trust, qos.dscp_to_tc.to[26], qos.pcp_to_tc.to[5], qos.pfc.admin) == ("pcp", 3, 5, "off")
    assert [number for number, queue in enumerate(qos.queues) if queue.ecn.curves] == [0]
    assert qos.link_pause == LinkPause(rx=False, tx=False)
    assert {"trust", "dscp_to_tc", "pfc", "queues.0.ecn", "watchdog.enabled"} <= qos.defaulted


def test_deleting_a_line_from_an_incomplete_text_leaves_it_unknown() -> None:
    qos = (
        read("nv set qos pfc default-global switch-priority 3\n...\nnv set interface swp1 type swp\n").ports["swp1"].qos
    )
    assert (qos.trust, qos.watchdog, qos.dscp_to_tc, qos.pfc.tx) == (None, None, None, None)
    cut = parse(capture(EXPLICIT.replace("nv set interface swp1 qos pfc-watchdog\n", ""), complete=False))
    assert cut.ports["swp1"].qos.watchdog.enabled is None


def test_a_few_lines_are_a_change_and_prove_no_default() -> None:
    change = read("nv set qos roce\nnv set interface swp1 type swp\n", complete=None)
    assert (change.complete, change.ports["swp1"].qos.watchdog) == (frozenset(), None)
    assert change.ports["swp1"].qos.cable == 100
    whole = read("nv set qos roce\nnv set interface swp1 type swp\nnv set system hostname a\n", complete=None)
    assert whole.ports["swp1"].qos.watchdog.enabled is False
    assert read(YAML, complete=None).complete == frozenset({"all"})
    assert read("- set:\n    qos:\n      roce: {}\n", complete=None).complete == frozenset()
    shown = read("nv set qos roce\n", complete=None, command="nv config show -o commands")
    assert shown.complete == frozenset({"all"})


def test_a_bond_gives_its_qos_to_its_members_and_takes_its_watchdog_from_them() -> None:
    device = read(
        EXPLICIT.replace("swp1-4,swp6s0-1", "bond1")
        + "nv set interface bond1 bond member swp1-2\nnv set interface swp2 qos pfc-watchdog state enable\nnv set interface swp9 type swp\n"
    )
    assert device.lags[0].members == ("swp1", "swp2")
    assert device.ports["swp1"].lag == "bond1"
    assert device.ports["swp1"].qos.pfc.tx == device.ports["bond1"].qos.pfc.tx == frozenset({3})
    assert device.ports["bond1"].qos.watchdog.enabled is True
    assert device.ports["swp9"].qos.pfc.admin == "off"


def test_breakouts_and_bgp_sessions_name_ports_that_no_qos_line_names() -> None:
    device = read(
        "nv set qos roce\nnv set interface swp1,swp3 link breakout 2x\nnv set interface swp1s0 qos pfc-watchdog\n"
        "nv set vrf default router bgp neighbor swp7s1 type unnumbered\n"
    )
    assert sorted(device.ports) == ["swp1s0", "swp1s1", "swp3s0", "swp3s1", "swp7s1"]
    assert [name for name, port in device.ports.items() if port.qos.watchdog.enabled] == ["swp1s0"]


def test_broken_and_half_applied_profiles() -> None:
    device = read(
        "nv set qos pfc FABRIC switch-priority 3\nnv set interface swp1 qos pfc profile FABRlC\n"
        "nv set qos traffic-pool roce-lossless memory-percent 50\nnv set qos traffic-pool default-lossless memory-percent 50\n"
    )
    found = {(each.kind, each.name): each for each in device.objects}
    missing, unused = found["pfc profile", "FABRlC"], found["pfc profile", "FABRIC"]
    assert (missing.defined, missing.used, missing.near, missing.place.line) == (False, True, "FABRIC", 2)
    assert (unused.defined, unused.used, unused.matters, unused.place.line) == (True, False, True, 1)
    assert "RoCE mode is not on" in found["traffic-pool", "roce-lossless"].inert
    assert "no switch priority" in found["traffic-pool", "default-lossless"].inert


YAML = """\
- header:
    model: sn3700
    nvue-api-version: nvue_v1
    rev-id: 1.0
    version: Cumulus Linux 5.14.0
- set:
    bridge:
      domain:
        br_default:
          qos: none
    qos:
      pfc:
        HOST:
          cable-length: 5
          rx: enable
          switch-priority:
            3: {}
          tx: enable
      roce:
        enable: on
    interface:
      bond1:
        bond: {member: {swp3: {}, swp4: {}}}
        qos: {pfc: {profile: HOST}}
      eth0:
        link: {mtu: 1500}
        type: eth
      swp1:
        link:
          mtu: 9216
          breakout:
            2x: {}
      swp2:
        qos:
          pfc: {profile: HOST}
          pfc-watchdog: {state: enable}
        type: swp
    system:
      hostname: leaf07
      message:
        post-login: |
          qos:
            pfc:
              HOST: {cable-length: 9}
"""


def test_yaml_with_on_and_number_keys_flow_and_block() -> None:
    device = read(YAML)
    assert (device.model, device.os_version) == ("sn3700", "5.14.0")
    assert device.lines == ()
    assert sorted(device.ports) == ["bond1", "swp1s0", "swp1s1", "swp2", "swp3", "swp4"]
    assert device.ports["swp2"].qos.cable == 5
    assert device.ports["swp1s0"].qos.cable == 100
    assert line_of(device, "swp2", "cable") == 14
    assert line_of(device, "swp2", "watchdog") == 36
    assert line_of(device, "swp1s0", "watchdog") == 20
    for other in ("'on'", "true", "True"):
        assert dict(read(YAML.replace("enable: on", f"enable: {other}")).ports) == dict(device.ports)
    newer = (
        YAML.replace("enable: on", "state: enabled")
        .replace("            3: {}", "            '3': {}")
        .replace("5.14.0", "5.15.0")
    )
    assert dict(read(newer).ports) == dict(device.ports)


def test_a_session_around_the_text_and_crlf_change_nothing() -> None:
    plain = dict(read(YAML).ports)
    session = f"cumulus@leaf01:mgmt:~$ nv config show\n{YAML}cumulus@leaf01:mgmt:~$ \n"
    assert dict(read(session).ports) == plain
    assert dict(read(session.replace("\n", "\r\n")).ports) == plain
    assert dict(read(YAML + "          nv set qos pfc HOST cable-length 9\n").ports) == plain


def test_the_hostname_names_a_lone_file() -> None:
    assert stated(Capture("", NOS, (Text("x.yaml", YAML),), file="x.yaml")).name == "leaf07"
    assert (
        stated(Capture("", NOS, (Text("x.cfg", EXPLICIT + "nv set system hostname leaf09\n"),), file="x.cfg")).name
        == "leaf09"
    )


def test_json_and_unset_items_are_the_same_tree() -> None:
    text = '[{"header": {"version": "Cumulus Linux 5.15.1"}}, {"set": {"qos": {"pfc": {"A": {"switch-priority": {"3": {}}, "tx": "enable"}}}, "interface": {"swp1": {"qos": {"pfc": {"profile": "A"}}}}}}]'
    device = read(text)
    assert device.ports["swp1"].qos.pfc.tx == frozenset({3})
    assert device.os_version == "5.15.1"
    unset = read(YAML + "- unset:\n    interface:\n      swp2:\n        qos:\n          pfc-watchdog: {}\n")
    assert unset.ports["swp2"].qos.watchdog.enabled is False


def test_a_yaml_leaf_that_nvue_does_not_know_is_reported_with_its_line() -> None:
    device = read(YAML.replace("cable-length: 5", "cable-lenght: 5"))
    assert [(each.text, each.place.line) for each in device.lines] == [("pfc HOST cable-lenght 5", 14)]


def test_every_foreign_yaml_section_is_ignored_wherever_it_stands() -> None:
    plain = read(YAML)
    foreign = "    router:\n      policy: {a: [1, 2], swp99: {}}\n      text: |\n        qos:\n         pfc: x\n"
    lines = YAML.splitlines(keepends=True)
    tops = [at for at, line in enumerate(lines) if at > 5 and line.startswith("    ") and line[4] != " "]
    for at in [*tops, len(lines)]:
        assert dict(read("".join(lines[:at]) + foreign + "".join(lines[at:])).ports) == dict(plain.ports)


TRAFFIC = """\
traffic.packet_priority_source_set = [802.1p,dscp]
traffic.port_default_priority = 0
traffic.cos_0.priority_source.dscp = [0-25]
traffic.cos_3.priority_source.dscp = [ 26, 27 ]
traffic.cos_3.priority_source.8021p = [3]
cos_egr_queue.cos_0.uc = 0
cos_egr_queue.cos_3.uc = 3
priority_group.bulk.cos_list = [0]
priority_group.bulk.weight = 16
priority_group.service.cos_list = [3]
priority_group.service.weight = 16
pfc.port_group_list = [storage]
pfc.storage.port_set = swp1-swp2,swp50s0-swp50s1
pfc.storage.cos_list = [3]
pfc.storage.port_buffer_bytes = 25000
pfc.storage.xoff_size = 10000
pfc.storage.xon_delta = 0
pfc.storage.tx_enable = true
pfc.storage.rx_enable = true
pfc.storage.cable_length = 10
link_pause.port_group_list = [pause]
link_pause.pause.port_set = swp1
link_pause.pause.rx_enable = true
link_pause.pause.tx_enable = false
ecn_red.port_group_list = [marks]
ecn_red.ecn_red_port_group.port_set = swp1
ecn_red.ecn_red_port_group.cos_list = [3]
ecn_red.ecn_red_port_group.ecn_enable = true
pfc_watchdog.port_group_list = [dogs]
pfc_watchdog.dogs.port_set = swp2
scheduling.algorithm = dwrr
"""


def test_a_datapath_file_with_groups_listed_written_and_misnamed() -> None:
    device = read(TRAFFIC, file="traffic.conf")
    assert device.lines == ()
    assert (device.lines_read, device.complete) == (31, frozenset({"port groups"}))
    gap = TRAFFIC.replace("pfc.storage.cos_list", "...\npfc.storage.cos_list")
    assert read(gap).complete == frozenset()
    assert read("...\n" + TRAFFIC + "...\n").complete == frozenset({"port groups"})
    assert list(device.ports) == ["swp1", "swp2", "swp50s0", "swp50s1"]
    one, two = device.ports["swp1"].qos, device.ports["swp2"].qos
    assert (one.trust, one.dscp_to_tc.to[26], one.dscp_to_tc.to[30], one.pcp_to_tc.to[3]) == ("both", 3, None, 3)
    group = one.priority_groups[3]
    assert (group.headroom.amount, group.xoff_at, group.xon_below) == (
        Amount.of_bytes(15_000), Static(Amount.of_bytes(10_000)), Amount.of_bytes(0),
    )  # fmt: skip
    assert one.link_pause == LinkPause(rx=True, tx=False)
    assert two.link_pause is None
    assert (one.watchdog, two.watchdog.enabled) == (None, True)
    assert one.queues[3].ecn is None
    assert (one.queues[3].weight, one.queues[0].weight) == (50, 50)
    assert [line_of(device, "swp1", leaf) for leaf in ("pfc", "link_pause", "priority_groups.3.xon_below")] == [
        14,
        22,
        17,
    ]
    found = {each.name: each for each in device.objects if each.kind == "congestion-control profile"}
    assert (found["marks"].defined, found["marks"].place.line, found["marks"].near) == (False, 25, "ecn_red_port_group")
    assert (found["ecn_red_port_group"].used, found["ecn_red_port_group"].matters) == (False, True)


@pytest.mark.parametrize(
    "line",
    [
        "link pause",
        "pfc.storage.cos_list = [9]",
        "pfc.storage.tx_enable = maybe",
        "pfc.storage.port_set = swp1-",
        "foo.bar = 1",
    ],
)
def test_a_datapath_line_without_sense_is_reported(line: str) -> None:
    device = read(TRAFFIC + line + "\n")
    assert [each.place.line for each in device.lines] == [32]


SHOW = """\
cumulus@leaf01:~$ nv show interface swp5 qos roce
                    operational    applied  description
------------------  -------------  -------  -----------------------------
congestion-control
  congestion-mode   ecn, absolute           Congestion config mode
  enabled-tc        3                       Congestion config enabled TC
  max-threshold     1.43 MB                 Congestion config max-threshold
  min-threshold     146.48 KB               Congestion config min-threshold
  probability       100
pfc
  pfc-priority      3                       switch-prio on which PFC is enabled
  rx-enabled        yes                     PFC Rx Enabled status
  tx-enabled        no                      PFC Tx Enabled status
trust
  trust-mode        pcp,dscp                Trust Setting
mode                lossless                Roce Mode

RoCE SP->TC mapping and ETS configurations
=============================================
          switch-prio  traffic-class  scheduler-weight
    ----  -----------  -------------  ----------------
    cnp   6            6              strict priority
    roce  3            4              dwrr-50%
"""


def test_a_show_output_gives_what_it_shows_and_nothing_else() -> None:
    device = read(SHOW)
    assert device.lines == ()
    assert list(device.ports) == ["swp5"]
    qos = device.ports["swp5"].qos
    assert (qos.trust, qos.pfc.rx, qos.pfc.tx) == ("both", frozenset({3}), frozenset())
    assert qos.queues[3].ecn.curves[0].low == Amount(Fraction("146.48"), "kbyte")
    assert qos.queues[3].ecn.curves[0].low.bytes == 149_995
    assert (qos.queues[4].weight, qos.queues[6].scheduler) == (50, "strict")
    assert (qos.tc_to_queue[3], qos.tc_to_queue[0]) == (4, None)
    assert (qos.watchdog, qos.cable, qos.dscp_to_tc) == (None, None, None)
    odd = read(SHOW.replace("dwrr-50%", "dwrr-many").replace("trust-mode  ", "trusty-mode "))
    assert [each.place.line for each in odd.lines] == [23]


def test_the_buffer_values_written_along_with_a_cable_length_are_not_in_force() -> None:
    along = TRAFFIC.replace("xon_delta = 0", "xon_delta = 2000")
    group = read(along).ports["swp1"].qos.priority_groups[3]
    assert (group.headroom, group.xoff_at, group.xon_below) == (Headroom(by="length"), None, None)
    alone = read(along.replace("pfc.storage.cable_length = 10\n", "")).ports["swp1"].qos.priority_groups[3]
    assert alone.headroom.amount == Amount.of_bytes(15_000)


def test_a_shown_scheduler() -> None:
    text = (
        "cumulus@switch:~$ nv show qos egress-scheduler default-global\n    operational  applied  description\n"
        "--  -----------  -------  -----------\n\nTC->DWRR weight configuration\n================================\n"
        "    traffic-class  mode    bw-percent\n    -------------  ------  ----------\n"
        "    0              strict\n    2              dwrr    30\n    9              dwrr    30\n"
    )
    device = read(text)
    queues = device.ports["default-global"].qos.queues
    assert (queues[0].scheduler, queues[2].scheduler, queues[2].weight, queues[1]) == ("strict", "weighted", 30, None)
    assert [each.place.line for each in device.lines] == [11]


def test_alphas_reach_the_groups_and_queues() -> None:
    device = read(
        EXPLICIT + "nv set qos advance-buffer-config default-global ingress-lossless-buffer shared-alpha alpha_1_8\n"
        "nv set qos advance-buffer-config default-global egress-lossy-buffer traffic-class 0 shared-alpha alpha_4\n"
        "nv set qos advance-buffer-config default-global ingress-service-pool 1 memory-percent 50\n"
        "nv set qos advance-buffer-config default-global ingress-service-pool 1 mode dynamic\n"
    )
    qos = device.ports["swp1"].qos
    assert qos.priority_groups[3].xoff_at == Dynamic(Fraction(1, 8))
    assert qos.queues[0].limit == Dynamic(Fraction(4))
    assert ("ingress-service-pool 1", "ingress", 50, "dynamic") in [
        (pool.name, pool.direction, pool.total.value, pool.mode) for pool in device.pools
    ]
    assert read(EXPLICIT).ports["swp1"].qos.priority_groups[3].xoff_at == Dynamic(Fraction(1))


def test_sixty_four_equal_ports_are_one_object() -> None:
    device = read(EXPLICIT.replace("swp1-4,swp6s0-1", "swp1-64"))
    assert len(list(distinct_qos(device))) == 5


def test_a_capture_of_several_texts_is_one_device() -> None:
    texts = (
        Text("a", YAML, "nv config show"),
        Text("b", SHOW, "nv show interface swp5 qos roce"),
        Text("c", "nv config apply\n"),
    )
    device = parse(Capture("leaf1", NOS, texts, file="leaf1"))
    assert device.name == "leaf07"
    assert {"swp2", "swp5"} <= set(device.ports)
    assert device.complete == frozenset({"all"})
    assert device.ports["swp5"].qos.queues[3].ecn.curves[0].low == Amount.of_bytes(150_000)  # not the 146.48 KB shown


def test_each_shown_interface_keeps_its_own_values() -> None:
    other = SHOW.replace("swp5", "swp6").replace("146.48 KB", "300.00 KB").replace("dwrr-50%", "dwrr-20%")
    device = parse(Capture("leaf1", NOS, (Text("a", SHOW), Text("b", other)), file="leaf1"))
    five, six = device.ports["swp5"].qos, device.ports["swp6"].qos
    assert (five.queues[4].weight, six.queues[4].weight, five.queues[1]) == (50, 20, None)
    assert (five.queues[3].ecn.curves[0].low.value, six.queues[3].ecn.curves[0].low.value) == (Fraction("146.48"), 300)
    assert [each.name for each in device.objects if each.used and not each.system] == []


@pytest.mark.parametrize(
    "text",
    [
        "hello\n",
        "interface Ethernet1/1\n  mtu 9216\n",
        "- set: [unclosed\n",
        "a: {b\n",
        '{"PORT": {"Ethernet0": {}}}',
        "nv config patch nvue.yaml\nnv config apply\n",
        "[1, 2, 3]\n",
    ],
)
def test_a_text_of_another_kind_is_a_read_error(text: str) -> None:
    with pytest.raises(ReadError) as caught:
        read(text)
    assert "leaf.cfg" in str(caught.value)


def test_texts_are_recognised_and_others_are_not() -> None:
    for text in (EXPLICIT, YAML, TRAFFIC, SHOW):
        assert registry.detect((Text("x", text),), "x") == NOS
    assert NOS not in registry.scores("interface Ethernet1/1\n  priority-flow-control mode on\n")


def test_an_unlisted_group_keeps_its_resume_threshold() -> None:
    """The list names a group that has no settings, and the settings stand under a name that no list has."""
    device = read(
        "pfc.port_group_list = [ROCE_PFC]\npfc.spare.cos_list = [3]\npfc.spare.port_set = swp1\n"
        "pfc.spare.port_buffer_bytes = 70000\npfc.spare.xoff_size = 18000\npfc.spare.xon_delta = 0\n"
        "pfc.spare.tx_enable = true\npfc.spare.rx_enable = true\n"
    )
    spare = next(item for item in device.objects if item.name == "spare")
    assert spare.would is not None
    place = spare.would.where("priority_groups.3.xon_below")
    assert place is not None
    assert place.line == 6
