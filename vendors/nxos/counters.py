"""Reads the numbers of a Nexus's show commands: PFC frames, queue drops, MMU drops, watchdog, interface errors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rocecfg.state.counters import number

if TYPE_CHECKING:
    from rocecfg.state.counters import Tally
    from rocecfg.state.model import Where

_GROUP = re.compile(r"(?:\w{1,16} )?QOS GROUP ?([0-9]{0,3})(?: \[(\w{1,20})\].{0,80})?")
_QUEUE = {
    "Tx Pkts": "queue_packets",
    "Tx Byts": "queue_bytes",
    "Dropped Pkts": "queue_drops",
    "WRED/AFD & Tail Drop Pkts": "queue_drops",
    "WRED & Tail Drop Pkts": "queue_drops",
    "Q Depth Byts": "queue_depth",
}
"""Rows of a QOS GROUP block; the names of the drops by release."""
_WATCHDOG = {"Shutdown": "storms", "Restored": "storms_restored"}
_INTERFACE = {
    "CRC": "fcs_errors",
    "CRC/FCS": "fcs_errors",
    "Rx pause": "rx_link_pause",
    "Tx pause": "tx_link_pause",
}
_LONGEST = 400


def interface_pfc(tally: Tally, port: str, words: dict[str, str], place: Where) -> None:
    """Note the frames of a row of `show interface priority-flow-control`: of all priorities together."""
    for side in ("rx", "tx"):
        tally.add(port, f"{side}_pfc_total", number(words.get(side, "")), place)


def pauses(tally: Tally, port: str, words: dict[str, str], place: Where) -> None:
    """Note the frames of a `COS` row of `show queuing interface`."""
    priority = number(words["cos"])
    for side in ("rx", "tx"):
        if priority is not None:
            tally.add(port, f"{side}_pfc", number(words[f"{side}_count"]), place, priority)


class Blocks:
    """Reads the boxes of `show queuing interface` and `show queuing pfc-queue`: a QOS GROUP and rows below it."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._group: int | None = None
        self._unicast = 1

    def start(self) -> None:
        """Begin another port."""
        self._group, self._unicast = None, 1

    def line(self, port: str, line: str, place: Where) -> None:
        """Take a line that begins with a bar."""
        cells = [cell.strip() for cell in line[:_LONGEST].strip("| ").split("|")]
        header = _GROUP.fullmatch(cells[0])
        if header is not None:
            self._group = number(header[1])
            if header[2] and self._group is not None:
                self._tally.storm(port, self._group, place, now=header[2] == "Shutdown")
        elif "Unicast" in cells:
            self._unicast = cells.index("Unicast") + (cells[0] != "")
        elif self._group is not None and len(cells) > 1:
            counter = _WATCHDOG.get(cells[0])
            if counter is not None:
                self._tally.add(port, counter, number(cells[1]), place, self._group)
            elif len(cells) == 4 and cells[2] in _QUEUE:  # older: `Tx Pkts | 5| Dropped Pkts | 0`
                for label, count in (cells[:2], cells[2:]):
                    if label in _QUEUE:
                        self._tally.add(port, _QUEUE[label], number(count), place, self._group)
            elif cells[0] in _QUEUE and self._unicast < len(cells):
                self._tally.add(port, _QUEUE[cells[0]], number(cells[self._unicast]), place, self._group)


def interface_line(tally: Tally, port: str, line: str, place: Where) -> None:
    """Note what a line of `show interface` counts: numbers, each with its words behind it."""
    if not line[:1].isdecimal() or len(line) > _LONGEST:
        return
    value: int | None = None
    words: list[str] = []
    pairs: list[tuple[int | None, str]] = []
    for word in (*line.split(), "0"):
        if word.isdecimal():
            if words:
                pairs.append((value, " ".join(words)))
            value, words = number(word), []
        else:
            words.append(word)
    for count, label in pairs:
        if label in _INTERFACE:
            tally.add(port, _INTERFACE[label], count, place)
    if len(pairs) > 1 and pairs[0][1] == "output packets" and pairs[1][1] == "bytes":
        tally.add(port, "tx_bytes", pairs[1][0], place)
