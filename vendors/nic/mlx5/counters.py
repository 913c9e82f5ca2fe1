"""What the counters of the mlx5 driver and its RDMA devices are called (kernel mlx5 counters.rst)."""

from __future__ import annotations

from pathlib import Path

from rocecfg.packs import load_module

_counters = load_module(Path(__file__).parents[1] / "linux" / "counters.py")

COUNTING = _counters.Counting(
    by_priority={
        "rx_prio#_pause": "rx_pfc",
        "tx_prio#_pause": "tx_pfc",
        "rx_prio#_pause_duration": ("rx_paused", _counters.MICROSECOND),
        "rx_prio#_packets": "rx_priority_packets",
        "tx_prio#_packets": "tx_priority_packets",
        "rx_prio#_discards": "rx_priority_drops",
    },
    of_port={
        "rx_global_pause": "rx_link_pause",
        "tx_global_pause": "tx_link_pause",
        "rx_crc_errors_phy": "fcs_errors",
        "rx_discards_phy": "rx_buffer_drops",
        "tx_bytes_phy": "tx_bytes",
        "tx_vport_rdma_unicast_packets": "tx_rdma_packets",
        "tx_pause_storm_error_events": "nic_storms",
    },
    of_rdma={
        "np_ecn_marked_roce_packets": "ecn_marked",
        "np_cnp_sent": "cnp_sent",
        "rp_cnp_handled": "cnp_handled",
        "rp_cnp_ignored": "cnp_ignored",
        "out_of_sequence": "out_of_sequence",
        "packet_seq_err": "sequence_errors",
        "local_ack_timeout_err": "ack_timeouts",
    },
)
