"""Reading nicctl (commands, text, JSON), counters; fitting; texts that are broken, foreign or of another NIC."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rocecfg.errors import ReadError
from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.render.engine import render
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import UNLIMITED
from rocecfg.vendor import registry
from tests.planned import planned_host, planned_qos

if TYPE_CHECKING:
    from rocecfg.state.model import Device

VENDOR = registry.get("ionic")
ID = "04908130-aa00-4242-4242-000011010000"
QOS = f"""\
# nicctl show qos
NIC  : 42424650-4c32-3531-3230-303443000001 (0000:f6:00.0)

Port : {ID}

  Classification type         : DSCP

  DSCP-to-priority :
    DSCP bitmap               : 0xffffbffffbffffff ==> priority : 1
    DSCP bitmap               : 0x0000000004000000 ==> priority : 4
    DSCP bitmap               : 0x0000400000000000 ==> priority : 6
    DSCP                      : 0-25, 27-45, 47-63 ==> priority : 1
    DSCP                      : 26 ==> priority : 4
    DSCP                      : 46 ==> priority : 6


  PFC :
    PFC priority bitmap       : 0x10
    PFC no-drop priorities    : 4

  Scheduling :
  --------------------------------------------
  Priority  Scheduling  Bandwidth Rate-limit
            Type        (in %age) (in Gbps)
  --------------------------------------------
  1         DWRR        15        N/A
  4         DWRR        85        N/A
  6         strict      N/A       20
"""
DCQCN = """\
# nicctl show dcqcn
NIC : 42424650-4c32-3531-3230-303443000001 (0000:f6:00.0)
------------------------------------------------------------------
  Lif id                                     : 43000070-0100-0000-4242-04908130aa00
  ROCE device                                : ionic_3
    DCQCN profile id                         : 1
    Status                                   : Enabled
    Rate increase in AI phase                : 160
    Token bucket size                        : 800000
    DSCP value used for CNP                  : 46
  Lif id                                     : 44000070-0100-0000-4242-04908130aa01
  ROCE device                                : -
    Status                                   : Initialization error
"""
PORT = f"""\
# nicctl show port
NIC  : 42424650-4c32-3531-3230-303443000001 (0000:f6:00.0)

Port : {ID} (eth1/1)
  Spec:
    Ifindex                                  : 0x11010000
    speed                                    : 400G
    FEC type                                 : RS
    Pause type                               : {{kind}}
    MTU                                      : 9216
    TX pause                                 : enabled
    RX pause                                 : enabled
  Status:
    Operational status                       : UP
    MAC address                              : 04:90:81:30:aa:00
"""
SCRIPT = f"""\
#!/bin/bash
PORT={ID}
nicctl update port -p $PORT --pause-type pfc --rx-pause enable --tx-pause enable
nicctl update port --all --mtu 9216
nicctl update qos pfc -p $PORT --priority 0 --no-drop disable
nicctl update qos --classification-type pcp
nicctl update qos --classification-type dscp
nicctl update qos dscp-to-purpose --dscp 46 --purpose none
nicctl update qos dscp-to-priority -p $PORT --dscp 0-63 --priority 1
nicctl update qos dscp-to-priority -p $PORT --dscp 26 --priority 4
nicctl update qos dscp-to-priority -p $PORT --dscp 46 --priority 6
nicctl update qos pfc -p $PORT --priority 4 --no-drop enable
nicctl update qos scheduling -p $PORT --priority 1,4,6 --dwrr 15,85,0 --rate-limit 0,0,20
nicctl update dcqcn -r ionic_3 -i 1 --token-bucket-size 800000 --ai-rate 160 --cnp-dscp 46
"""
CARDS = json.dumps({"nic": [{"id": "42424650-4c32-3531-3230-303443000001", "pcie_bdf": "0000:f6:00.0",
                             "eth_bdf": "0000:f9:00.0", "product_name": "POLLARA 1x400G", "firmware_version": "1.2"}]}, indent=2)  # fmt: skip
UEVENT = "/sys/class/net/benic7p1/device/uevent:PCI_SLOT_NAME=0000:f9:00.0\n"


def read(*texts: str | tuple[str, str]) -> Device:
    pairs = [("", item) if isinstance(item, str) else item for item in texts]
    listed = tuple(Text(f"text{at}", content, command) for at, (command, content) in enumerate(pairs))
    return VENDOR.module.defaults(VENDOR.module.to_state(Capture("n1", "ionic", listed, file="n1")))


def test_show_qos_and_dcqcn() -> None:
    device = read(QOS + DCQCN, ("nicctl show card -j", CARDS), UEVENT,
                  "link ionic_3/1 state ACTIVE physical_state LINK_UP netdev benic7p1\n")  # fmt: skip
    assert (list(device.ports), device.lines, device.model) == (["benic7p1"], (), "POLLARA 1x400G")
    port = device.ports["benic7p1"]
    assert (port.qos.trust, port.qos.pfc.tx, port.qos.dscp_to_tc.codes(4)) == ("dscp", {4}, (26,))
    assert (port.qos.queue(1).weight, port.qos.queue(4).weight) == (15, 85)
    assert (port.qos.queue(6).scheduler, port.qos.queue(6).shaper) == ("strict", 20_000_000_000)
    assert [port.qos.priority_group(number).lossless for number in (1, 4)] == [False, True]
    assert (port.nic.cnp_dscp, port.nic.congestion_control.algorithm, port.nic.firmware) == (46, "dcqcn", "1.2")


def test_a_script_says_the_same() -> None:
    shown, set_by = read(QOS + DCQCN + PORT.format(kind="PFC")), read(SCRIPT)
    assert set_by.lines == ()
    (shown_port,), (port,) = shown.ports.values(), set_by.ports.values()
    for leaf in ("trust", "dscp_to_tc", "pfc", "queues", "tc_to_queue", "link_pause"):
        assert getattr(port.qos, leaf) == getattr(shown_port.qos, leaf), leaf
    assert (port.nic.cnp_dscp, port.mtu, port.mtu_counts) == (46, 9216, None)


@pytest.mark.parametrize(
    ("kind", "priorities", "pause"), [("PFC", {4}, False), ("NONE", set(), False), ("LINK", set(), True)]
)
def test_the_kind_of_pause_decides(kind: str, priorities: set[int], pause: bool) -> None:
    (port,) = read(QOS + PORT.format(kind=kind)).ports.values()
    assert (port.qos.pfc.tx, port.qos.link_pause.rx, port.fec) == (priorities, pause, "rs")


def test_two_bitmaps_that_disagree() -> None:
    device = read(QOS.replace("no-drop priorities    : 4", "no-drop priorities    :"))
    (port,) = device.ports.values()
    assert (port.qos.pfc.tx, port.qos.priority_group(4).lossless) == ({4}, False)
    assert [(item.rule, item.line) for item in lint([device], settings=Settings(select=("NIC",))).findings] == [
        ("NIC-020", 19)
    ]


def test_dcb_lines_of_a_script_for_several_nics_are_about_others() -> None:
    device = read("dcb pfc set dev benic1p1 prio-pfc all:off 5:on\nethtool -A benic1p1 rx off tx off\n" + SCRIPT)
    ports = {name: port.qos.pfc and port.qos.pfc.tx for name, port in device.ports.items()}
    assert ports == {"benic1p1": None, "ionic_3": None, f"nicctl {ID}": {4}}


def test_commands_without_a_port_are_for_all() -> None:
    device = read("nicctl update qos --classification-type dscp\nnicctl update qos pfc --priority 3 --no-drop enable\n"
                  f"nicctl update qos dscp-to-priority -p {ID} --dscp 26 --priority 3\n")  # fmt: skip
    (port,) = device.ports.values()
    assert (port.qos.trust, port.qos.pfc.tx, port.qos.dscp_to_tc.to[26]) == ("dscp", {3}, 3)


def test_port_json_with_the_lines_of_its_keys() -> None:
    body = json.dumps(
        {"nic": [{"id": "c", "port": [{"spec": {"id": ID, "pause_type": "PFC", "mtu": "1500"}, "status": {}}]}]},
        indent=2,
    )
    device = read(("nicctl show port -j", body))
    (port,) = device.ports.values()
    lines = body.split("\n")
    assert "1500" in lines[port.where("mtu").line - 1]
    assert (port.mtu, port.qos.pfc.admin, port.qos.pfc.tx) == (1500, "on", None)
    assert {finding.rule for finding in lint([device], settings=Settings()).findings} == {"NIC-015"}


def test_logical_interfaces_name_the_netdevs() -> None:
    lifs = [{"spec": {"id": f"{kind}-0100-0000-4242-04908130aa00", "mac_address": mac, "rdma_mtu": "4096"}, "status": {"name": name}}
            for kind, mac, name in (("43000070", "04:90:81:30:aa:00", "enp68s0"), ("44000070", "04:90:81:30:aa:01", "enp68s0v0"))]  # fmt: skip
    body = json.dumps({"nic": [{"id": "42424650-4c32-3531-3230-303443000001", "lif": lifs}]}, indent=2)
    device = read(("nicctl show lif -j", body), QOS)
    assert {name: port.vf_of for name, port in device.ports.items()} == {"enp68s0": None, "enp68s0v0": "enp68s0"}
    assert (device.ports["enp68s0"].qos.pfc.tx, device.ports["enp68s0"].nic.active_mtu) == ({4}, 4096)
    assert registry.detect((Text("a", body),), "a") == "ionic"


def test_counters() -> None:
    device = read(
        "# ethtool -S enp68s0\nNIC statistics:\n     frames_rx_pripause: 7\n     rx_pripause_3_1us_count: 12\n     frames_tx_pri_3: 5\n"
        "     frames_rx_bad_fcs: 2\n",
        ("rdma -j statistic show link", '[{"ifname":"rocep68s0","port":1,"tx_rdma_cnp_pkts":5,"rx_rdma_ecn_pkts":6}]'),
        "link rocep68s0/1 state ACTIVE physical_state LINK_UP netdev enp68s0\n",
    )
    port, rdma = device.sample.ports["enp68s0"], device.sample.rdma["rocep68s0"]
    assert (port.rx_pfc_total, port.rx_paused[3], port.tx_priority_packets[3], port.fcs_errors) == (7, 12_000, 5, 2)
    assert (rdma.cnp_sent, rdma.ecn_marked) == (5, 6)


def test_counters_of_nicctl_are_those_of_the_netdev() -> None:
    counted = {
        "nic": [
            {"id": "c", "port": [{"spec": {"id": ID}, "statistics": {"frames_rx_pripause": "7", "octets_tx_ok": "9"}}]}
        ]
    }
    device = read(("nicctl show port statistics -j", json.dumps(counted)), ("ip -j link", json.dumps(
        [{"ifname": "enp68s0", "flags": ["UP"], "mtu": 9000, "address": "04:90:81:30:aa:00"}])))  # fmt: skip
    assert (list(device.sample.ports), list(device.ports)) == (["enp68s0"], ["enp68s0"])
    assert (device.sample.ports["enp68s0"].rx_pfc_total, device.sample.ports["enp68s0"].tx_bytes) == (7, 9)


def test_a_strict_priority_needs_a_limit() -> None:
    host = planned_host("ionic", ["enp68s0"])
    for shaper, wanted in ((None, 10), (UNLIMITED, 10), (2_500_000_000, 3)):
        qos = planned_qos()
        queues = [
            queue and replace(queue, shaper=shaper if number == 6 else queue.shaper)
            for number, queue in enumerate(qos.queues)
        ]
        port = replace(host.ports["enp68s0"], qos=replace(qos, queues=tuple(queues)))
        fitted, notes = VENDOR.module.fit(replace(host, ports={"enp68s0": port}))
        assert fitted.ports["enp68s0"].qos.queue(6).shaper == wanted * 10**9
        assert any(note.field == "queues.6.shaper" for note in notes)
        assert not [note for note in VENDOR.module.fit(fitted)[1] if note.kind != "refused"]


def test_ports_that_trust_differently_are_refused() -> None:
    host = planned_host("ionic", ["enp68s0", "enp132s0"])
    pcp = replace(planned_qos(), trust="pcp", dscp_to_tc=None, pfc=replace(planned_qos().pfc, by="pcp"))
    ports = {**host.ports, "enp132s0": replace(host.ports["enp132s0"], qos=pcp)}
    _, notes = VENDOR.module.fit(replace(host, ports=ports))
    assert [note.field for note in notes if note.kind == "refused"] == ["trust"]


@pytest.mark.parametrize(
    "content", [QOS, DCQCN, PORT, SCRIPT, CARDS, "link ionic_1/1 state ACTIVE netdev enp1s0\n", "driver: ionic\n"]
)
def test_detected(content: str) -> None:
    assert registry.detect((Text("n1.txt", content),), "n1.txt") == "ionic"


@pytest.mark.parametrize(
    ("line", "bad"),
    [
        ("DSCP                      : 26 ", "DSCP                      : 64 "), ("priority : 6\n\n", "priority : 8\n\n"),
        ("0-25, 27", "25-0, 27"), ("bitmap       : 0x10", "bitmap       : 0x100"), ("DWRR        85", "DWRR        850"),
        ("priorities    : 4", "priorities    : 4,9"), ("type         : DSCP", "type         : ٣"),
    ],
)  # fmt: skip
def test_impossible_values_are_reported(line: str, bad: str) -> None:
    assert line in QOS
    assert len(read(QOS.replace(line, bad, 1)).lines) == 1


@pytest.mark.parametrize("content", ["", "\x00", '{"nic": 3}', '{"nic": [{}]}', '{"nic": [{"id": "a", "port": [{"spec": {}}]}]}', "{",
                                     '{"nic": [{"id": "a", "port": [{"spec": {"id": "b", "mtu": "-1"}}]}]}', "hostname leaf1\n"])  # fmt: skip
def test_broken_data_is_one_clear_error_or_reported(content: str) -> None:
    with contextlib.suppress(ReadError):
        device = read(("nicctl show port -j", content))
        assert device.lines or not device.ports or all(port.mtu is None for port in device.ports.values())


@pytest.mark.parametrize("change", [
    lambda text: text.replace("\n", "\r\n"),
    lambda text: "\ufeff" + text,
    lambda text: text.replace("# nicctl", "root@n1:~# sudo nicctl"),
    lambda text: "\n".join(line.strip() for line in text.splitlines()),
])  # fmt: skip
def test_layout_changes_nothing(change) -> None:
    assert read(change(QOS)).ports == read(QOS).ports


def test_golden_script_and_unit() -> None:
    plan, _ = VENDOR.module.fit(planned_host("ionic", ["enp68s0", "enp132s0"]))
    script, unit = (file.content for file in render(plan))
    here = Path(__file__)
    golden = here.with_name("small_plan.sh").read_text(encoding="utf-8")
    assert script[: script.index("\n\n\nreadonly ROOT=")] == golden.rstrip("\n")
    assert unit == here.with_name("small_plan.service").read_text(encoding="utf-8")
