"""Reads the numbers of NVUE's counter tables: PFC frames, drops, ECN marks, watchdog events, RoCE counters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rocecfg.state.counters import number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.counters import Tally
    from rocecfg.state.model import Where

_WITH_UNIT = re.compile(r"([0-9,]{1,27})(?: (Bytes|B))?")
_PFC = {"rx-pause-frames": "rx_pfc", "tx-pause-frames": "tx_pfc"}
"""Pause durations stand there too; nobody says in which unit."""
_QUEUE = {"tx-frames": "queue_packets", "tx-bytes": "queue_bytes", "tx-uc-buffer-discards": "queue_drops"}
_GROUP = {"rx-buffer-discards": "pg_drops"}
_PORT = {
    "pause-frames": ("rx_link_pause", "tx_link_pause"),
    "ecn-marked-packets": ("", "marked_total"),
}
"""Row of "Qos Port Statistics" -> counter received, counter sent."""
_ROCE = {
    "rx-stats/rx-pfc-stats/pause-packets": "rx_pfc_total",
    "tx-stats/tx-pfc-stats/pause-packets": "tx_pfc_total",
    "rx-stats/rx-roce-stats/no-buffer-discard": "roce_rx_drops",
    "tx-stats/tx-roce-stats/unicast-no-buffer-discard": "roce_tx_drops",
    "tx-stats/tx-ecn-stats/ecn-marked-packets": "marked_total",
}
"""Leaves of `nv show interface swp1 qos roce counters`."""


def row(tally: Tally, port: str, cells: Mapping[str, str], place: Where) -> None:
    """Take a row of one of the counter tables, told apart by their heads."""
    if "deadlock-count" in cells:
        queue = number(cells.get("traffic-class", ""))
        if queue is not None:
            tally.storm(port, queue, place, now=cells.get("status", "").upper() == "DEADLOCK")
            tally.add(port, "storms", number(cells["deadlock-count"]), place, queue)
    elif "Counter" in cells:
        for counter, column in zip(_PORT.get(cells["Counter"], ()), ("Receive", "Transmit"), strict=False):
            if counter:
                tally.add(port, counter, number(cells.get(column, "")), place)
    else:
        for key, counters in (("switch-priority", _PFC), ("traffic-class", _QUEUE), ("priority-group", _GROUP)):
            at = number(cells.get(key, ""))
            if at is None:
                continue
            for column, counter in counters.items():
                _drops(tally, port, counter, cells.get(column, ""), place, at)


def _drops(tally: Tally, port: str, counter: str, cell: str, place: Where, at: int) -> None:
    """Note a cell; discards are printed as packets, or as `0 Bytes`."""
    found = _WITH_UNIT.fullmatch(cell)
    if found is None:
        return
    in_bytes = counter in {"queue_drops", "pg_drops"} and found[2] is not None
    tally.add(port, counter.replace("drops", "drop_bytes") if in_bytes else counter, number(found[1]), place, at)


def leaf(tally: Tally, port: str, path: str, value: str, place: Where) -> None:
    """Take a leaf of the RoCE counters."""
    counter = _ROCE.get(path)
    if counter is not None:
        tally.add(port, counter, number(value), place)
