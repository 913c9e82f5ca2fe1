"""Reads the numbers in SONiC's counter tables, by header: column widths and columns differ between releases."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rocecfg.state.counters import Sample, Tally, number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocecfg.state.model import Where

_QUEUES = {
    "Counter/pkts": "queue_packets",
    "Counter/bytes": "queue_bytes",
    "Drop/pkts": "queue_drops",
    "EcnMarked/pkts": "queue_marked",
}
"""Columns of `show queue counters` and `show queue wredcounters`."""
_QUEUE = re.compile(r"(?:UC|ALL)([0-9]{1,2})")
_BY_TITLE = {
    "Ingress PG dropped packets:": ("PG", "pg_drops"),
    "Ingress headroom per PG:": ("PG", "headroom_peak"),
}
"""Tables with a row a port whose header does not say what they count: the line above does."""
_PAUSED = {"Total RX Pause Time US": 1_000, "Total RX Pause Time MS": 1_000_000}
"""Columns of `show pfc counters --history` and the nanoseconds of their unit, which changed between releases."""
INTERFACES = {"FEC_UNCORR": "fec_uncorrectable"}
"""Columns of the tables about interfaces that are our subject."""
_NUMBERED = re.compile(r"([A-Z]{2,3})([0-9]{1,2})")


def sample(rows: Iterable[tuple[str, tuple[str, ...], list[str], int]], files: Any) -> Sample | None:
    """Return what the rows of counter tables say: title above, header, cells, line."""
    tally = Tally()
    for title, header, cells, line in rows:
        _row(tally, title, header, cells, files.where(line))
    return tally.sample()


def _row(tally: Tally, title: str, header: Sequence[str], cells: list[str], place: Where) -> None:
    if "RX Pause Transitions" in header:
        _paused(tally, header, cells, place)
        return
    if len(cells) != len(header):
        return
    port, named = cells[0], dict(zip(header, cells, strict=True))
    if header[0] == "QUEUE":
        _storms(tally, named, place)
    elif header[0] in {"Port Rx", "Port Tx"}:
        side = header[0][-2:].lower()
        tally.row(port, f"{side}_pfc", _by_number("PFC", named), place)
    elif "TxQ" in named:
        queue = _QUEUE.fullmatch(named["TxQ"])
        for column, counter in _QUEUES.items():
            if queue is not None and column in named:
                tally.add(port, counter, number(named[column]), place, int(queue[1]))
    elif header[0] == "IFACE":
        for column, counter in INTERFACES.items():
            tally.add(port, counter, number(named.get(column, "")), place)
    elif title in _BY_TITLE:
        prefix, counter = _BY_TITLE[title]
        tally.row(port, counter, _by_number(prefix, named), place)


def _paused(tally: Tally, header: Sequence[str], cells: list[str], place: Where) -> None:
    """Note a row of `show pfc counters --history`: the time stamp at its end has words of its own."""
    for column, nanoseconds in _PAUSED.items():
        at = header.index(column) if column in header else len(cells)
        priority = _NUMBERED.fullmatch(cells[1]) if at < len(cells) else None
        time = number(cells[at]) if priority is not None and priority[1] == "PFC" else None
        if priority is not None and time is not None:
            tally.add(cells[0], "rx_paused", time * nanoseconds, place, int(priority[2]))


def _by_number(prefix: str, named: dict[str, str]) -> dict[int, int | None]:
    """Return the columns `PG0`, `PG1` ... by number."""
    found = {}
    for column, cell in named.items():
        match = _NUMBERED.fullmatch(column)
        if match is not None and match[1] == prefix:
            found[int(match[2])] = number(cell)
    return found


def _storms(tally: Tally, named: dict[str, str], place: Where) -> None:
    """Note a row of `show pfcwd stats`: `Ethernet0:3  stormed  2/1 ...`."""
    port, _, queue = named["QUEUE"].rpartition(":")
    detected, slash, restored = named["STORM DETECTED/RESTORED"].partition("/")
    index = number(queue)
    if index is None or not port:
        return
    tally.storm(port, index, place, now=named["STATUS"] == "stormed")
    tally.add(port, "storms", number(detected), place, index)
    if slash:
        tally.add(port, "storms_restored", number(restored), place, index)
