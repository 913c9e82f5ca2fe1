"""Reads what an mlx5 port and its RDMA device count: `ethtool -S`, `rdma statistic` (text and JSON), `hw_counters`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rocecfg.state.counters import number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.state.counters import Tally
    from rocecfg.state.model import Where

STATISTIC = re.compile(r"([a-z][a-z0-9]{0,30}_[a-z0-9_]{1,60}): ([0-9]{1,20})")
"""A line of `ethtool -S`. Its names hold an underscore, which no line of another output does."""
_BY_PRIORITY = re.compile(r"([rt]x)_prio([0-7])_([a-z_]{4,16})")
_OF_PRIORITY = {
    "rx_pause": "rx_pfc",
    "tx_pause": "tx_pfc",
    "rx_pause_duration": "rx_paused",
    "rx_packets": "rx_priority_packets",
    "tx_packets": "tx_priority_packets",
    "rx_discards": "rx_priority_drops",
}
_OF_PORT = {
    "rx_global_pause": "rx_link_pause",
    "tx_global_pause": "tx_link_pause",
    "rx_crc_errors_phy": "fcs_errors",
    "rx_discards_phy": "rx_buffer_drops",
    "tx_bytes_phy": "tx_bytes",
    "tx_vport_rdma_unicast_packets": "tx_rdma_packets",
    "tx_pause_storm_error_events": "nic_storms",
}
_MICROSECOND = 1000
"""Nanoseconds; the driver counts paused time in microseconds (kernel mlx5 counters.rst)."""
_OF_RDMA = {
    "np_ecn_marked_roce_packets": "ecn_marked",
    "np_cnp_sent": "cnp_sent",
    "rp_cnp_handled": "cnp_handled",
    "rp_cnp_ignored": "cnp_ignored",
    "out_of_sequence": "out_of_sequence",
    "packet_seq_err": "sequence_errors",
    "local_ack_timeout_err": "ack_timeouts",
}
_FILE = re.compile(r"/sys/class/infiniband/([\w.-]{1,64})/ports/[0-9]{1,3}/hw_counters/([a-z_0-9]{1,64})")


def statistic(tally: Tally, port: str, name: str, value: str, place: Where) -> bool:
    """Take a line of `ethtool -S`; False when it is none of those we know."""
    split = _BY_PRIORITY.fullmatch(name)
    if split is not None:
        counter = _OF_PRIORITY.get(f"{split[1]}_{split[3]}")
        count = number(value)
        if counter == "rx_paused" and count is not None:
            count *= _MICROSECOND
        if counter is not None:
            tally.add(port, counter, count, place, int(split[2]))
        return counter is not None
    if name in _OF_PORT:
        tally.add(port, _OF_PORT[name], number(value), place)
        return True
    return False


def rdma(tally: Tally, device: str, pairs: Iterable[tuple[str, object]], place: Where) -> bool:
    """Take the counters of an RDMA device by name; False when none of them is ours."""
    known = False
    for name, value in pairs:
        counter = _OF_RDMA.get(name)
        if counter is not None and not isinstance(value, bool):
            known = True
            tally.rdma(device, counter, number(str(value)[:24]), place)
    return known


def file(tally: Tally, path: str, value: str, place: Where) -> bool:
    """Take a file below `hw_counters`; False when the path is another one."""
    found = _FILE.fullmatch(path)
    if found is None:
        return False
    rdma(tally, found[1], [(found[2], value)], place)
    return True


def words(text: str) -> list[tuple[str, Any]]:
    """Return the name and value pairs of a line of `rdma statistic`."""
    split = text.split()
    return list(zip(split[::2], split[1::2], strict=False))
