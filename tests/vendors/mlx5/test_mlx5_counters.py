"""What an mlx5 port and its RDMA device count, in every form the tools print it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.counters import RdmaCounters
from rocecfg.state.model import eight
from rocecfg.state.parse import parse

if TYPE_CHECKING:
    from rocecfg.state.model import Device

STATISTICS = """\
NIC statistics:
     rx_packets: 100
     tx_vport_rdma_unicast_packets: 5000
     rx_prio3_pause: 12
     rx_prio3_pause_duration: 199000
     rx_prio3_pause_transition: 6
     tx_prio3_pause: 4
     tx_prio3_packets: 7
     tx_prio0_packets: 5000
     rx_prio3_discards: 1
     rx_discards_phy: 2
     rx_crc_errors_phy: 3
     rx_global_pause: 8
     tx_bytes_phy: 123456
     tx_pause_storm_error_events: 1
"""
LINK = "link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev ens1f0np0\n"
RDMA = RdmaCounters(ecn_marked=9, cnp_sent=10, cnp_handled=8, cnp_ignored=0, out_of_sequence=1, ack_timeouts=0)
NAMES = {
    "np_ecn_marked_roce_packets": 9, "np_cnp_sent": 10, "rp_cnp_handled": 8, "rp_cnp_ignored": 0, "out_of_sequence": 1,
    "local_ack_timeout_err": 0, "lifespan": 10,
}  # fmt: skip


def device(*texts: tuple[str, str]) -> Device:
    found = parse(Capture("gpu01", "mlx5", tuple(Text(f"{n}.txt", text, how) for n, (text, how) in enumerate(texts))))
    assert found.lines == ()
    assert found.sample is not None
    return found


def test_ethtool_statistics() -> None:
    found = device((STATISTICS, "ethtool -S ens1f0np0"), (LINK, "rdma link"))
    assert list(found.ports) == ["ens1f0np0"]
    port = found.sample.ports["ens1f0np0"]  # type: ignore[union-attr]
    assert (port.rx_pfc, port.tx_pfc) == (eight({3: 12}), eight({3: 4}))
    assert port.rx_paused == eight({3: 199_000_000})
    assert port.tx_priority_packets == eight({0: 5000, 3: 7})
    assert (port.rx_priority_drops, port.rx_buffer_drops, port.fcs_errors) == (eight({3: 1}), 2, 3)
    assert (port.rx_link_pause, port.tx_bytes, port.tx_rdma_packets, port.nic_storms) == (8, 123456, 5000, 1)
    assert port.where("nic_storms").line == 15  # type: ignore[union-attr]


def test_statistics_in_a_transcript_belong_to_the_port_of_the_command() -> None:
    second = STATISTICS.replace("rx_prio3_pause: 12", "rx_prio3_pause: 99")
    text = f"root@gpu01:~# ethtool -S ens1f0np0\n{STATISTICS}root@gpu01:~# ethtool -S ens1f1np1\n{second}"
    found = device((text, ""))
    assert {name: port.rx_pfc for name, port in found.sample.ports.items()} == {  # type: ignore[union-attr]
        "ens1f0np0": eight({3: 12}),
        "ens1f1np1": eight({3: 99}),
    }


def test_statistics_without_a_command_are_of_the_only_port() -> None:
    found = device((STATISTICS, ""))
    assert list(found.ports) == list(found.sample.ports) == ["nic0"]  # type: ignore[union-attr]
    named = device((STATISTICS, ""), ("# mlnx_qos -i ens1f0np0\nDCBX mode: OS controlled\n", ""))
    assert list(named.ports) == list(named.sample.ports) == ["ens1f0np0"]  # type: ignore[union-attr]


JSON = '[{"ifname":"mlx5_0","port":1,' + ",".join(f'"{name}":{count}' for name, count in NAMES.items()) + "}]"
TEXT = "link mlx5_0/1 " + " ".join(f"{name} {count}" for name, count in NAMES.items()) + "\n"
FILES = "".join(f"/sys/class/infiniband/mlx5_0/ports/1/hw_counters/{name}:{count}\n" for name, count in NAMES.items())


@pytest.mark.parametrize("text", [JSON, TEXT, FILES], ids=["json", "text", "files"])
def test_rdma_counters(text: str) -> None:
    found = device((LINK, "rdma link"), (text, ""), (STATISTICS, "ethtool -S ens1f0np0"))
    assert found.sample.rdma == {"mlx5_0": RDMA}  # type: ignore[union-attr]
    assert [port.nic.rdma_device for port in found.ports.values() if port.nic] == ["mlx5_0"]


@pytest.mark.parametrize("value", ['"many"', "true", "null", "-1", "1.5", "9" * 40, "[1]"])
def test_a_value_of_another_kind_is_not_known(value: str) -> None:
    text = f'[{{"ifname":"mlx5_0","port":1,"np_cnp_sent":{value},"out_of_sequence":4}}]'
    found = device((text, ""))
    assert found.sample.rdma["mlx5_0"] == RdmaCounters(out_of_sequence=4)  # type: ignore[union-attr]


def test_the_counters_of_another_vendors_nic_make_no_port() -> None:
    other = "NIC statistics:\n     frames_rx_ok: 12\n     rx_pripause_3_1us_count: 4\n     tx_bytes: 9\n"
    with pytest.raises(ReadError, match="nothing of an mlx5 NIC"):
        device((other, "ethtool -S ens1"))
