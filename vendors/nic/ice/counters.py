"""What the counters of the ice driver and of irdma are called (Linux ice_ethtool.c; Intel irdma README)."""

from __future__ import annotations

from pathlib import Path

from rocecfg.packs import load_module

_counters = load_module(Path(__file__).parents[1] / "linux" / "counters.py")

COUNTING = _counters.Counting(
    by_priority={
        "rx_priority_#_xoff.nic": "rx_pfc",
        "tx_priority_#_xoff.nic": "tx_pfc",
    },
    of_port={
        "link_xoff_rx.nic": "rx_link_pause",
        "link_xoff_tx.nic": "tx_link_pause",
        "rx_crc_errors.nic": "fcs_errors",
        "rx_dropped.nic": "rx_buffer_drops",
        "tx_bytes.nic": "tx_bytes",
    },
    of_rdma={
        "RxECNMrkd": "ecn_marked",
        "cnpSent": "cnp_sent",
        "cnpHandled": "cnp_handled",
        "cnpIgnored": "cnp_ignored",
    },
)
