"""What the counters of the ionic driver, of nicctl and of its RDMA devices are called."""

from __future__ import annotations

from pathlib import Path

from rocecfg.packs import load_module

_counters = load_module(Path(__file__).parents[1] / "linux" / "counters.py")

COUNTING = _counters.Counting(
    by_priority={
        "rx_pripause_#_1us_count": ("rx_paused", _counters.MICROSECOND),
        "frames_rx_pri_#": "rx_priority_packets",
        "frames_tx_pri_#": "tx_priority_packets",
    },
    of_port={
        "frames_rx_pause": "rx_link_pause",
        "frames_tx_pause": "tx_link_pause",
        "frames_rx_pripause": "rx_pfc_total",
        "frames_tx_pripause": "tx_pfc_total",
        "frames_rx_dropped": "rx_buffer_drops",
        "frames_rx_bad_fcs": "fcs_errors",
        "octets_tx_ok": "tx_bytes",
    },
    of_rdma={
        "rx_rdma_ecn_pkts": "ecn_marked",
        "tx_rdma_cnp_pkts": "cnp_sent",
        "req_rx_pkt_seq_err": "sequence_errors",
        "resp_rx_outouf_seq": "out_of_sequence",
    },
)
