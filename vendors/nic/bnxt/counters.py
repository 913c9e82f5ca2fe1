"""What the counters of the bnxt driver and its RDMA devices are called: Linux bnxt_ethtool.c, hw_counters.c."""

from __future__ import annotations

from pathlib import Path

from rocecfg.packs import load_module

_counters = load_module(Path(__file__).parents[1] / "linux" / "counters.py")

COUNTING = _counters.Counting(
    by_priority={
        "rx_pfc_ena_frames_pri#": "rx_pfc",
        "tx_pfc_ena_frames_pri#": "tx_pfc",
        "pfc_pri#_rx_duration_us": ("rx_paused", _counters.MICROSECOND),
    },
    of_port={
        "rx_pfc_frames": "rx_pfc_total",
        "tx_pfc_frames": "tx_pfc_total",
        "rx_pause_frames": "rx_link_pause",
        "tx_pause_frames": "tx_link_pause",
        "rx_fcs_err_frames": "fcs_errors",
    },
    of_rdma={
        "oos_drop_count": "out_of_sequence",
        "seq_err_naks_rcvd": "sequence_errors",
        "to_retransmits": "ack_timeouts",
    },
)
