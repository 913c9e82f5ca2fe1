"""Reading: each tool's output, users' scripts, and texts that are cut, broken, strange or of somebody else."""

from __future__ import annotations

import contextlib
import gc
import random
import re
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import UNLIMITED, Device
from rocecfg.vendor import registry
from tests.vendors.mlx5 import texts

if TYPE_CHECKING:
    from pathlib import Path

MLX5 = registry.get("mlx5").module


def stated(*given: str | tuple[str, str]) -> Device:
    pairs = [("", item) if isinstance(item, str) else item for item in given]
    listed = tuple(Text(f"text{at}", content, command) for at, (command, content) in enumerate(pairs))
    return MLX5.to_state(Capture("gpu01", "mlx5", listed, file="gpu01"))


def effective(*given: str | tuple[str, str]) -> Device:
    return MLX5.defaults(stated(*given))


def only_port(device: Device):
    (port,) = device.ports.values()
    return port


def test_mlnx_qos_with_everything() -> None:
    device = effective(texts.QOS)
    port = only_port(device)
    qos = port.qos
    assert (port.name, device.kind, device.lines) == ("nic0", "host", ())
    assert (qos.trust, qos.cable, qos.dcbx.owners) == ("dscp", 20, {"os"})
    assert qos.dscp_to_tc.codes(5) == (40, 41, 42, 43, 44, 45, 46, 47, 60)
    assert qos.dscp_to_tc.to[63] == 0  # a DSCP in no entry goes to priority 0
    assert not qos.dscp_to_tc.stated >> 63 & 1
    assert (qos.pfc.admin, qos.pfc.tx, qos.pfc.rx, qos.pfc.by) == ("on", {3}, {3}, "internal")
    assert qos.tc_to_queue[:8] == (1, 1, 1, 3, 1, 1, 6, 1)
    assert qos.tc_to_pg[:8] == (0, 0, 0, 1, 0, 0, 0, 0)
    assert qos.priority_to_queue[3] == {3}
    assert (qos.queue(1).weight, qos.queue(3).weight, qos.queue(3).shaper) == (30, 70, 40 * 10**9)
    assert (qos.queue(6).scheduler, qos.queue(6).rank, qos.queue(6).shaper) == ("strict", 1, UNLIMITED)
    assert qos.queue(0) is None
    group = qos.priority_group(1)
    assert (group.lossless, group.reserved.value, group.headroom.by, group.headroom.amount) == (
        True,
        241_664,
        "length",
        None,
    )
    assert qos.priority_group(0).lossless is False
    assert (port.where("pfc").line, port.where("dscp_to_tc.60").line, port.where("cable").line) == (17, 10, 14)
    assert (port.where("queues.3").line, port.where("priority_groups.1.headroom").line) == (26, 13)


def test_headroom_needs_speed_cable_and_mtu() -> None:
    port = only_port(effective(("mlnx_qos -i ens1f0np0", texts.QOS), texts.SYSFS))
    group = port.qos.priority_group(1)
    assert group.headroom.amount.value == 162_080  # (301 + 2.16 * 20) * 400 + 2.72 * 9000, in the driver's integers
    assert group.xoff_at.amount.value == 241_664 - 162_080


def test_mlnx_qos_of_an_old_release_and_firmware_owner() -> None:
    qos = only_port(
        effective(
            "****** WARNING: lldpad service is running and may overwrite your settings ******\n\n" + texts.QOS_OLD
        )
    ).qos
    assert (qos.trust, qos.dscp_to_tc, qos.dcbx.owners) == ("pcp", None, {"firmware", "lldpad"})
    assert qos.pcp_to_tc.to == tuple(range(8))
    assert (qos.pfc.tx, qos.pfc.by, qos.tc_to_queue[:2]) == ({4}, "pcp", (1, 0))
    assert qos.queue(0).scheduler is None  # "vendor": nobody publishes its order
    assert only_port(effective(texts.QOS_TOTAL)).qos == only_port(effective(texts.QOS)).qos


@pytest.mark.parametrize("change", [
    lambda text: text.replace("\n", "\r\n"),
    lambda text: text.replace("\t", "        "),
    lambda text: "\n" + text.replace("\n", "\n\n"),
    lambda text: "\n".join(line.strip() for line in text.splitlines()),
    lambda text: "root@gpu01:~# mlnx_qos -i nic0\n" + text,
    lambda text: "[root@gpu01 ~]# sudo mlnx_qos -i nic0\n" + text + "[root@gpu01 ~]# date\nMon Nov 30\n",
    lambda text: "# a note of an engineer: mind the cable\n" + text,
])  # fmt: skip
def test_layout_changes_nothing(change) -> None:
    assert stated(change(texts.QOS)).ports == stated(texts.QOS).ports


FOREIGN = "interface Ethernet1/1\n  mtu 9216\n  priority-flow-control mode on\n priority: 5\nRX: on\nEND\n"


def test_foreign_sections_change_nothing() -> None:
    plain, lines = stated(texts.QOS).ports, texts.QOS.splitlines(keepends=True)
    for at, line in enumerate(lines):
        if line.startswith(("\t priority:", " priority:")):
            continue  # inside a TC: what follows a foreign line there is not credited, and reported
        device = stated("".join(lines[:at]) + FOREIGN + "".join(lines[at:]))
        assert device.ports == plain, at
        assert {item.text for item in device.lines} <= {line.strip() for line in FOREIGN.splitlines()}
    inside = lines.index("\t priority:  4\n")
    device = stated("".join(lines[:inside]) + FOREIGN + "".join(lines[inside:]))
    assert "priority: 4" in {item.text for item in device.lines}
    assert device.ports["nic0"].qos.tc_to_queue[4] is None


def test_two_outputs_without_names_are_two_ports() -> None:
    device = stated(texts.QOS + texts.QOS_OLD)
    assert [(name, port.qos.trust) for name, port in device.ports.items()] == [("nic0", "dscp"), ("nic1", "pcp")]


def test_dcb_text_and_json_say_the_same() -> None:
    text = effective(texts.DCB)
    data = effective(*texts.DCB_JSON.items())
    assert text.ports == data.ports
    assert (text.lines, data.lines) == ((), ())
    qos = text.ports["eth0"].qos
    assert {code: qos.dscp_to_tc.to[code] for code in (26, 48, 10, 0, 34)} == {26: 3, 48: 6, 10: 4, 0: 0, 34: 0}
    assert (qos.queue(6).shaper, qos.queue(3).weight, qos.cable) == (800_000_000, 90, 7)
    assert (qos.dcbx.owners, qos.dcbx.state, qos.priority_group(1).reserved.value) == ({"os"}, "ieee", 262_144)
    pairs = {**texts.DCB_JSON, "dcb -j app show dev eth0": '{"dscp_prio":[[26,3],[48,6],[10,4]]}'}
    assert effective(*pairs.items()).ports == text.ports


def test_dcb_json_in_one_transcript() -> None:
    transcript = "".join(f"# {command}\n{body}\n" for command, body in texts.DCB_JSON.items())
    assert effective(transcript).ports == effective(*texts.DCB_JSON.items()).ports


def test_an_empty_app_table_means_pcp_and_duplicates_are_conflicts() -> None:
    assert only_port(stated(("dcb -j app show dev eth0", "{}"))).qos.trust == "pcp"
    doubled = only_port(stated(("dcb -j app show dev eth0", '{"dscp_prio":[[26,3],[26,4]]}'))).qos.dscp_to_tc
    assert doubled.conflicts == ((26, frozenset({3, 4})),)


def test_delay_of_another_driver_is_no_cable_length() -> None:
    port = only_port(
        stated("pfc-cap 8 macsec-bypass on delay 4096\npg-pfc 0:off 1:on 2:off 3:off 4:off 5:off 6:off 7:off\n")
    )
    assert (port.qos.cable, port.qos.pfc.tx) == (None, {1})


def test_a_users_script() -> None:
    device = effective(texts.SCRIPT)
    assert device.lines == ()
    assert list(device.ports)[:2] == ["ens1f0np0", "ens1f1np1"]
    assert "ens9" not in device.ports  # commented out
    first = device.ports["ens1f0np0"]
    qos = first.qos
    assert (qos.trust, qos.cable, qos.pfc.tx, qos.dcbx.owners) == ("dscp", 25, {3}, {"os"})
    assert {code: qos.dscp_to_tc.to[code] for code in (26, 48, 30, 8, 63)} == {26: 3, 48: 5, 30: 0, 8: 1, 63: 7}
    assert [code for code in range(64) if qos.dscp_to_tc.stated >> code & 1] == [26, 30, 48]
    assert (qos.queue(3).weight, qos.queue(6).scheduler, qos.queue(6).shaper) == (90, "strict", 25 * 10**9)
    assert (qos.link_pause.rx, qos.link_pause.tx, first.mtu) == (False, False, 4200)
    assert (first.nic.cnp_dscp, first.nic.cnp_priority, first.nic.storm_timeout) == (48, 6, 100)
    assert (first.nic.congestion_control.receives, first.nic.congestion_control.reacts) == ({3}, {3})
    assert first.where("pfc").line == 12
    assert device.ports["ens1f1np1"].qos is qos  # equal settings are one object
    by_device = {port.nic.rdma_device: port.nic for port in device.ports.values() if port.nic and port.nic.rdma_device}
    assert (by_device["mlx5_0"].default_tos, by_device["mlx5_0"].forced_tos, by_device["mlx5_1"].roce_version) == (
        106,
        106,
        "v2",
    )
    boot = device.ports["0000:17:00 P1"].nic.next_boot
    assert (boot.congestion_control, boot.cnp_dscp, boot.lldp_agent) == (frozenset(range(8)), 48, False)


def test_a_users_dcb_script() -> None:
    qos = only_port(effective(texts.DCB_SCRIPT)).qos
    assert (qos.trust, qos.cable, qos.pfc.tx) == ("dscp", 30, {3})
    assert qos.dscp_to_tc.codes(3) == (26,)
    assert qos.tc_to_queue[:8] == (0, 0, 0, 1, 0, 0, 2, 0)
    assert (qos.queue(1).weight, qos.queue(2).scheduler, qos.queue(2).shaper) == (90, "strict", 10 * 10**9)
    assert [qos.priority_group(number).reserved.value for number in (0, 1)] == [65_536, 262_144]


@pytest.mark.parametrize("line", [
    "mlnx_qos -i eth0 --pfc 0,0,0,1",
    "mlnx_qos -i eth0 --pfc 0,0,0,9,0,0,0,0",
    'mlnx_qos -i "$(first_nic)" --trust dscp',
    "mlnx_qos -i eth0 --frobnicate 3",
    "mlnx_qos -i eth0 --dscp2prio set,99,3",
    "mlnx_qos -i eth0 --cable_len 5000",
    "dcb app add dev eth0 dgram-port-prio 4791:3",
    "dcb rewr add dev eth0 prio-dscp 3:26",
    "lldptool -T -i eth0 -V PFC willing=no enabled=3",
    "cma_roce_tos -d mlx5_0 -t high",
    "echo 1 > /sys/class/net/eth0/ecn/roce_np/enable/9",
])  # fmt: skip
def test_a_setting_not_understood_is_reported(line: str) -> None:
    device = stated("#!/bin/sh\nmlnx_qos -i eth0 --trust dscp\n" + line + "\n")
    assert [item.text for item in device.lines] == [line]
    assert device.lines[0].place.line == 3


def test_lines_of_a_shell_that_are_not_ours_are_not_counted() -> None:
    device = stated(
        "#!/bin/sh\nset -e\nsysctl -w net.ipv4.tcp_ecn=1\nif true; then\nmlnx_qos -i eth0 --trust dscp\nfi\nexit 0\n"
    )
    assert (device.lines_read, device.lines) == (1, ())


def test_mlxconfig_text_and_json() -> None:
    device = stated(("mlxconfig -d 0000:17:00.0 -e q", texts.MLXCONFIG))
    assert device.lines == ()
    assert device.model == "ConnectX7"
    first, second = device.ports.values()
    assert (first.name, second.name) == ("nic0", "0000:17:00 P2")
    nic = first.nic
    assert (nic.cnp_dscp, nic.next_boot.cnp_dscp, nic.next_boot.congestion_control) == (48, 4, {3})
    assert (nic.congestion_control.reacts, nic.congestion_control.parameters) == (
        frozenset(range(8)),
        (("rpg_ai_rate", 40),),
    )
    assert (nic.next_boot.lldp_agent, nic.next_boot.willing, nic.next_boot.rdma) == (True, True, True)
    assert first.where("nic.next_boot.cnp_dscp").line == 14
    nic = only_port(stated(texts.MLXCONFIG_JSON)).nic
    assert (nic.cnp_dscp, nic.next_boot.cnp_dscp, nic.next_boot.lldp_agent, nic.next_boot.congestion_control) == (
        48,
        4,
        False,
        {3},
    )


def test_plain_mlxconfig_shows_the_next_boot_only() -> None:
    nic = only_port(stated("        CNP_DSCP_P1                 4\n        RPG_AI_RATE_P1              5\n")).nic
    assert (nic.next_boot.cnp_dscp, nic.cnp_dscp, nic.congestion_control) == (4, None, None)


def test_texts_of_one_host_are_joined_to_its_ports() -> None:
    device = effective(
        ("mlnx_qos -i ens1f0np0", texts.QOS),
        ("mlnx_qos -i ens1f1np1", texts.QOS_OLD),
        texts.GIDS,
        texts.SYSFS,
        texts.ETHTOOL,
        ("ethtool -i ens1f0np0", "driver: mlx5_core\nversion: 6.8\nfirmware-version: 28.39.1002 (MT_0000000838)\nbus-info: 0000:17:00.0\n"),
        ("mlxconfig -d 0000:17:00.0 -e q", texts.MLXCONFIG.replace("ROCE_CC_PRIO_MASK_P2", "NUM_OF_VFS")),
        ("ethtool --get-tunable ens1f0np0 pfc-prevention-tout", "pfc-prevention-tout: 65535\n"),
        ("ip -j link", '[{"ifname":"lo","flags":["UP"],"mtu":65536},{"ifname":"ens1f1np1","flags":["UP"],"mtu":4200,"master":"bond0"}]'),
        ("rdma link", "link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev ens1f0np0\nlink bnxt_re0/1 state ACTIVE netdev eno1\n"),
    )  # fmt: skip
    assert device.lines == ()
    assert list(device.ports) == ["ens1f0np0", "ens1f1np1"]
    first, second = device.ports.values()
    nic = first.nic
    assert (nic.rdma_device, nic.driver, nic.firmware, nic.storm_timeout) == ("mlx5_0", "mlx5_core", "28.39.1002", 100)
    assert (nic.default_tos, nic.forced_tos, nic.roce_version, nic.cnp_dscp) == (106, 106, "v2", 48)
    assert [(gid.index, gid.version, gid.kind) for gid in nic.gids] == [
        (0, "v1", "link-local"), (1, "v2", "link-local"), (3, "v2", "ipv4"),
    ]  # fmt: skip
    # sysfs says what runs; debugfs and the firmware's current values fill what it does not show
    assert nic.congestion_control.receives == {3}
    assert dict(nic.congestion_control.parameters) == {"min_time_between_cnps": 4, "rpg_ai_rate": 5, "rpg_hai_rate": 50}
    assert nic.next_boot.cnp_dscp == 4
    assert (first.qos.link_pause.rx, first.qos.link_pause.tx, first.mtu, first.speed_now) == (
        True,
        False,
        9000,
        400 * 10**9,
    )
    assert (second.mtu, second.lag, second.enabled) == (4200, "bond0", True)
    # 802.3x pause is on: every active buffer counts as lossless
    assert [group.lossless for group in first.qos.priority_groups if group] == [True, True]


def test_texts_of_our_own_audit_commands() -> None:
    """One text a command: each output stands under a "# command" line of its port."""
    send = {command.id: command.send for command in registry.get("mlx5").manifest.commands}
    outputs = {
        "mlnx_qos": f"# mlnx_qos -i ens1f0np0\n{texts.QOS}# mlnx_qos -i ens1f1np1\n{texts.QOS_OLD}",
        "dcb": "".join(
            f"# {command.replace('eth0', 'ens1f0np0')}\n{body}\n" for command, body in texts.DCB_JSON.items()
        ),
        "ethtool": f"# ethtool -a ens1f0np0\n{texts.ETHTOOL}# ethtool -i ens1f0np0\ndriver: mlx5_core\nbus-info: 0000:17:00.0\n# ethtool --get-tunable ens1f0np0 pfc-prevention-tout\npfc-prevention-tout: 8000\n# ethtool --show-fec ens1f0np0\nFEC parameters for ens1f0np0:\nActive FEC encoding: RS\n",
        "sysfs": texts.SYSFS,
        "ethtool_statistics": "# ethtool -S ens1f0np0\nNIC statistics:\n     rx_prio3_pause: 12\n     tx_queue_0_bytes: 3\n",
        "rdma_statistic": '[{"ifname":"mlx5_0","port":1,"np_cnp_sent":7,"lifespan":10}]',
        "rdma_link": "link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev ens1f0np0\n",
        "ibv_devinfo": "hca_id:\tmlx5_0\n\t\tport:\t1\n\t\t\tactive_mtu:\t\t4096 (5)\n",
        "show_gids": texts.GIDS,
        "ip_link": '[{"ifname":"ens1f0np0","flags":["UP"],"mtu":9000}]',
    }
    assert outputs.keys() == send.keys()
    device = stated(*((send[name], text) for name, text in outputs.items()))
    assert (list(device.ports), device.lines) == (["ens1f0np0", "ens1f1np1"], ())
    first = device.ports["ens1f0np0"]
    assert (first.mtu, first.nic.storm_timeout, first.nic.rdma_device, first.qos.link_pause.rx) == (
        9000,
        8000,
        "mlx5_0",
        True,
    )
    assert device.sample is not None
    assert device.sample.ports["ens1f0np0"].rx_pfc == (None, None, None, 12, None, None, None, None)
    assert device.sample.rdma["mlx5_0"].cnp_sent == 7


def test_ethtool_json_and_cma_print() -> None:
    port = only_port(
        stated(("ethtool --json -a eth0", '[{"ifname":"eth0","autonegotiate":false,"rx":false,"tx":true}]'))
    )
    assert (port.qos.link_pause.rx, port.qos.link_pause.tx) == (False, True)
    port = only_port(stated(("cma_roce_tos -d mlx5_1 -p 1", "104\n"), ("cma_roce_mode -d mlx5_1", "IB/RoCE v1\n")))
    assert (port.name, port.nic.rdma_device, port.nic.default_tos, port.nic.roce_version) == (
        "mlx5_1",
        "mlx5_1",
        104,
        "v1",
    )


@pytest.mark.parametrize(
    "text",
    [
        "", "\n\n", "hello\n", "106\n", "[]", "{}", '{"a": 1}', "hostname leaf1\ninterface Ethernet1/1\n mtu 9216\n",
        '{"pfc_cap":8,"delay":7,"prio_pfc":[false', '{"Device #1": {"tlv_configuration": {', "[" * 50_000,
        "#!/usr/bin/env bash\nwanted() {\n  settings\n  want trust dscp\n  port eth0 auto\n", "[Unit]\nDescription=x\n",
    ],
)  # fmt: skip
def test_what_says_nothing_is_a_read_error(text: str) -> None:
    with pytest.raises(ReadError) as caught:
        stated(text)
    assert len(str(caught.value)) < 600


ALL = [value for name, value in vars(texts).items() if name.isupper() and isinstance(value, str)]


@pytest.mark.parametrize(
    "text", ALL, ids=[name for name, value in vars(texts).items() if name.isupper() and isinstance(value, str)]
)
def test_cut_anywhere_gives_a_state_or_a_read_error(text: str) -> None:
    for at in range(0, len(text), 7):
        try:
            device = stated(text[:at])
        except ReadError:
            continue
        assert device.ports


def test_random_text_gives_a_state_or_a_read_error() -> None:
    chance = random.Random(1)
    words = " ".join(ALL).split() + list("{}[]<>\"'\\$;&|#:=,\t\n\r") + ["\n"] * 200 + ["\x00", "ÿ", "９", "²"]
    for _ in range(400):
        text = chance.choice(["", "#!/bin/sh\n", "{", "DCBX mode: OS controlled\n"]) + "".join(
            chance.choice(words) + chance.choice([" ", "\n", ""]) for _ in range(chance.randrange(60))
        )
        try:
            MLX5.defaults(stated(("mlnx_qos -i eth0", text)))
        except ReadError:
            continue


@pytest.mark.parametrize("make", [
    lambda: "mlnx_qos " + "x" * 10_000_000,
    lambda: texts.QOS + "\tprio:3 dscp:" + "26," * 3_000_000,
    lambda: "#!/bin/sh\nmlnx_qos -i eth0 --trust dscp " + "\\\n" * 200_000,
    lambda: "#!/bin/sh\nA=1 B=2\n" + "for A in " + "a " * 5000 + "; do\nfor B in " + "b " * 5000 + "; do\nmlnx_qos -i $A$B --trust dscp\n",
    lambda: "".join(f"# mlnx_qos -i eth{number}\n{texts.QOS}" for number in range(2000)),
    lambda: '{"dscp_prio": ' + "[" * 100_000,
])  # fmt: skip
def test_large_texts_take_bounded_time(make) -> None:
    text, start = make(), time.process_time()
    with contextlib.suppress(ReadError):
        stated(text)
    assert time.process_time() - start < 8


def test_speed_against_a_hand_written_walker() -> None:
    """64 ports, 2,000 lines, warm: at most 8 times a walker that only splits lines into a dictionary."""
    text = "".join(f"# mlnx_qos -i eth{number}\n{texts.QOS}" for number in range(64))
    stated(text)
    gc.collect()
    gc.freeze()  # what other tests left behind is not this reader's to walk
    try:
        mine = min(_timed(lambda: stated(text)) for _ in range(15))
        walker = min(_timed(lambda: _walk(text)) for _ in range(15))
    finally:
        gc.unfreeze()
    assert mine < 12 * walker, (mine, walker)  # the bar is 8, measured 4.1; the rest is for a busy test machine


def _timed(call) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def _walk(text: str) -> dict[str, dict[str, object]]:
    """What a person would write by hand for this one output: no places, no checks."""
    ports: dict[str, dict[str, object]] = {}
    port: dict = {}
    for line in text.splitlines():
        words = line.split()
        if line.startswith("# mlnx_qos"):
            port = ports[words[3]] = {"codes": {}, "tc": {}, "tcs": {}}
        elif line.startswith("DCBX mode"):
            port["owner"] = words[2]
        elif line.startswith("Priority trust"):
            port["trust"] = words[3]
        elif words[0].startswith("prio:"):
            for code in words[1][5:].split(","):
                if code:
                    port["codes"][int(code)] = int(words[0][5:])
        elif line.startswith("Receive buffer"):
            port["sizes"] = [int(size) for size in words[4].split(",")[:8]]
        elif line.startswith("Cable"):
            port["cable"] = int(words[2])
        elif words[0] == "enabled":
            port["pfc"] = {at for at, bit in enumerate(words[1:]) if bit == "1"}
        elif words[0] == "buffer":
            port["buffers"] = [int(word) for word in words[1:]]
        elif words[0] == "tc:":
            tc = int(words[1])
            port["tcs"][tc] = words[2:]
        elif words[0] == "priority:":
            port["tc"][int(words[1])] = tc
    return ports


def test_rendered_files_and_outputs_are_detected() -> None:
    from rocecfg.render.engine import as_capture, render
    from tests.planned import planned_host

    device, _ = MLX5.fit(planned_host("mlx5", ["eth0"]))
    script = as_capture(device, render(device)).texts[0]
    for text in (
        script,
        *(
            Text("t", body)
            for body in (
                texts.QOS,
                texts.QOS_OLD,
                texts.SCRIPT,
                texts.MLXCONFIG,
                texts.MLXCONFIG_JSON,
                texts.GIDS,
                texts.SYSFS,
                texts.DCB + texts.GIDS,  # dcb alone is any driver's
            )
        ),
    ):
        assert registry.scores(text.content).get("mlx5", (0, ""))[0] >= 20, text.content[:60]
        assert registry.detect((text,), "t") == "mlx5"
    assert registry.command_of("mlx5", replace(script, command="")) == "rocecfg-nic.sh"


CORPUS = {
    "dcb-pfc-show.txt": ["eni1np1", "eth0"],
    "mlnx-qos-dscp-cx-split-buffers.txt": ["nic0"],
    "mlnx-qos-firmware-dcbx-ets.txt": ["nic0"],
    "mlxconfig-query-rocecc-cx4.txt": ["nic0"],
    "show-gids-bond.txt": ["bond0"],
}


@pytest.mark.parametrize("name", CORPUS)
def test_corpus(shared: Path, name: str) -> None:
    content = (shared / "corpus" / "host" / name).read_text(encoding="utf-8")
    device = MLX5.defaults(MLX5.to_state(Capture("", "mlx5", (Text(name, content),), file=name)))
    assert list(device.ports) == CORPUS[name]
    assert device.lines == ()
    assert device.lines_read >= len([line for line in content.splitlines() if line.strip()]) - 2
    if not name.startswith("dcb-"):  # dcb alone is any driver's
        assert registry.detect((Text(name, content),), name) == "mlx5"


def test_corpus_facts(shared: Path) -> None:
    def port(name: str):
        content = (shared / "corpus" / "host" / name).read_text(encoding="utf-8")
        return only_port(MLX5.defaults(MLX5.to_state(Capture("", "mlx5", (Text(name, content),), file=name))))

    split = port("mlnx-qos-dscp-cx-split-buffers.txt")
    assert split.qos.dscp_to_tc.to[30] == 6
    assert split.qos.dscp_to_tc.codes(3) == (24, 25, 26, 27, 28, 29, 31)
    assert split.where("dscp_to_tc.30").line == 10
    assert split.qos.priority_to_pg[3] == {7}
    assert split.qos.priority_group(7).reserved.value == 896  # the lossless buffer holds less than one frame
    firmware = port("mlnx-qos-firmware-dcbx-ets.txt")
    assert (firmware.qos.dcbx.owners, firmware.where("dcbx").line) == ({"firmware"}, 1)
    assert (firmware.qos.queue(0).weight, firmware.qos.queue(3).weight) == (50, 50)
    gids = port("show-gids-bond.txt").nic
    assert (gids.rdma_device, len(gids.gids), gids.gids[3].kind) == ("mlx5_bond_0", 4, "ipv4")
    assert port("mlxconfig-query-rocecc-cx4.txt").nic.next_boot.congestion_control == frozenset(range(8))


def test_other_families_outputs_are_not_claimed(shared: Path) -> None:
    for path in sorted((shared / "corpus").rglob("*")):
        if path.is_file() and path.name not in CORPUS and path.suffix not in {".md", ".tsv"}:
            score = registry.scores(path.read_text(encoding="utf-8", errors="replace")).get("mlx5", (0, ""))[0]
            assert score == 0, path.name


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ("for d in $(ls /sys/class/net); do\n  mlnx_qos -i $d --trust dscp --pfc 0,0,0,1,0,0,0,0\ndone", "$d"),
        ("NIC=$1\nmlnx_qos -i ${NIC} --trust dscp --pfc 0,0,0,1,0,0,0,0", "$NIC"),
        (
            'NIC=""\nwhile getopts ":i:" o; do NIC=$OPTARG; done\nmlnx_qos -i "$NIC" --trust dscp -f 0,0,0,1,0,0,0,0',
            "$NIC",
        ),
        (
            "NICS=$(rdma link | awk '{print $8}')\nfor n in ${NICS}; do dcb pfc set dev $n prio-pfc all:off 3:on; dcb app add dev $n dscp-prio 26:3; done",
            "$n",
        ),
    ],
)
def test_a_script_for_ports_only_a_run_would_name_is_read(lines: str, name: str) -> None:
    device = stated(f"#!/bin/bash\n{lines}\n")
    assert device.lines == ()
    port = only_port(device)
    assert (port.name, port.qos.trust, port.qos.pfc.tx) == (name, "dscp", frozenset({3}))


def test_defaults_arrays_and_ranges_of_a_script_are_followed() -> None:
    device = stated(
        "#!/bin/bash\nNICS=(ens1f0np0 ens2f0np0)\nPRIO=${ROCE_PRIO:-3}\n"
        'for n in "${NICS[@]}"; do\n  mlnx_qos -i $n --trust ${TRUST:-dscp} --dscp2prio set,26,$PRIO\n'
        "  for p in {0..7}; do echo 0 > /sys/class/net/$n/ecn/roce_np/enable/$p; done\n"
        "  echo 1 | sudo tee /sys/class/net/$n/ecn/roce_np/enable/$PRIO > /dev/null\n"
        "  sudo sh -c 'echo 48 > /sys/class/net/ens1f0np0/ecn/roce_np/cnp_dscp'\ndone\n"
    )
    assert device.lines == ()
    assert list(device.ports) == ["ens1f0np0", "ens2f0np0"]
    for port in device.ports.values():
        assert port.qos.dscp_to_tc.to[26] == 3
        assert port.nic.congestion_control.receives == frozenset({3})
    assert device.ports["ens1f0np0"].nic.cnp_dscp == 48


def test_an_option_leaves_the_default_of_a_script_and_a_computed_value_does_not() -> None:
    script = "#!/bin/bash\nMASK=0,0,0,1,0,0,0,0\n{}\nmlnx_qos -i eth0 --trust dscp --pfc $MASK\n"
    assert only_port(stated(script.format("getopts p: o && MASK=$OPTARG"))).qos.pfc.tx == frozenset({3})
    computed = stated(script.format("MASK=$(make_mask)"))
    assert only_port(computed).qos.pfc is None
    assert [line.place.line for line in computed.lines] == [4]


def test_the_trace_of_a_script_names_the_port_of_each_output() -> None:
    device = stated(
        "$ ./lossless.sh eth4\n+ mlnx_qos -i eth4 --trust dscp\nDCBX mode: OS controlled\nPriority trust state: dscp\n"
        "PFC configuration:\n\tpriority    0   1   2   3   4   5   6   7\n\tenabled     0   0   0   1   0   0   0   0\n"
        "++ sudo cma_roce_tos -d mlx5_2 -t 106\n106\n"
    )
    assert device.lines == ()
    port = only_port(device)
    assert (port.name, port.qos.pfc.tx, port.nic.default_tos) == ("eth4", frozenset({3}), 106)


def test_arrays_over_several_lines() -> None:
    device = stated(
        "#!/bin/bash\nreadonly NICS=(\n    ens1f0np0\n    ens2f0np0   # the second rail\n)\n"
        'for n in "${NICS[@]}"; do\n  mlnx_qos -i "${n}" \\\n    --trust dscp \\\n    >/dev/null\ndone\n'
    )
    assert device.lines == ()
    assert list(device.ports) == ["ens1f0np0", "ens2f0np0"]


def test_what_cat_prints_belongs_to_its_file_and_to_nothing_before_it() -> None:
    device = stated(
        "root@gpu:~# mlnx_qos -i eth0\nDCBX mode: OS controlled\nPriority trust state: dscp\n"
        "root@gpu:~# cma_roce_tos -d mlx5_0\n106\n"
        "root@gpu:~# cat /sys/class/infiniband/mlx5_0/tc/1/traffic_class\nGlobal tclass=104\n"
        "root@gpu:~# cat /sys/class/net/eth0/ecn/roce_np/enable/3\n1\n"
        "root@gpu:~# cat /proc/sys/net/ipv4/tcp_ecn\n2\n"
    )
    nic = only_port(device).nic
    assert (nic.default_tos, nic.forced_tos) == (106, 104)
    assert nic.congestion_control.receives == frozenset({3})


def test_links_and_devices_as_their_tools_print_them() -> None:
    device = stated(
        "root@gpu:~# mlnx_qos -i eth0\nDCBX mode: OS controlled\nroot@gpu:~# mlnx_qos -i eth1\nDCBX mode: OS controlled\n"
        "root@gpu:~# ip link\n1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN\n"
        "4: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 4200 qdisc mq state UP mode DEFAULT\n"
        "    link/ether 0c:42:a1:00:00:01 brd ff:ff:ff:ff:ff:ff\n"
        "root@gpu:~# ibdev2netdev\nmlx5_0 port 1 ==> eth0 (Up)\nmlx5_1 port 1 ==> eth1 (Down)\n"
        "root@gpu:~# cma_roce_tos -d mlx5_1\n106\n"
    )
    assert list(device.ports) == ["eth0", "eth1"]
    assert (device.ports["eth0"].mtu, device.ports["eth0"].enabled) == (4200, True)
    assert device.ports["eth1"].nic.default_tos == 106


def test_files_named_in_a_sentence() -> None:
    device = stated(
        "Priority trust state: dscp\nPFC configuration:\n\tpriority    0   1   2   3   4   5   6   7\n"
        "\tenabled     0   0   0   0   0   1   0   0\n"
        "ECN Enabled for priority 5: /sys/class/net/eth0/ecn/roce_np/enable/5 = 1\n"
        "QOS for CNP: /sys/class/net/eth0/ecn/roce_np/cnp_dscp = 48\n"
        "libverbs qos: /sys/class/infiniband/mlx5_0/tc/1/traffic_class = Global tclass=160\n"
    )
    assert device.lines == ()
    port = only_port(device)
    assert (port.name, port.qos.trust, port.qos.pfc.tx) == ("eth0", "dscp", frozenset({5}))
    assert (port.nic.cnp_dscp, port.nic.forced_tos) == (48, 160)
    assert port.nic.congestion_control.receives == frozenset({5})


NUMBERED = {"mlnx_qos": texts.QOS, "old": texts.QOS_OLD, "dcb": texts.DCB, "script": texts.DCB_SCRIPT,
            "json": "".join(f"# {command}\n{body}\n" for command, body in texts.DCB_JSON.items())}  # fmt: skip


@pytest.mark.parametrize("text", NUMBERED.values(), ids=NUMBERED)
@pytest.mark.parametrize("odd", ["-3", "99", "9" * 18, "9" * 30, "\u0663", "1_0", "+2"])
def test_each_number_in_turn_made_odd_is_read_or_refused(text: str, odd: str) -> None:
    for found in re.finditer(r"(?<![\w-])\d+(?!\w)", text):
        with contextlib.suppress(ReadError):
            device = effective(f"{text[: found.start()]}{odd}{text[found.end() :]}")
            for port in device.ports.values():
                assert all(number is None or 0 <= number <= 7 for number in port.qos.tc_to_queue or ())
