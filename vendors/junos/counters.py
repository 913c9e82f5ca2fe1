"""Reads the numbers of `show interfaces queue` and `show interfaces extensive`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.state.counters import Sample, Tally, number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.state.grammar import Record
    from rocecfg.state.model import Where

_DROPPED = ("Tail-dropped", "RED-dropped")


def sample(records: Iterable[tuple[Record, Where]]) -> Sample | None:
    """Return what the lines of one output count, None when that is nothing."""
    reader = _Reader()
    for record, where in records:
        reader.take(record, where)
    return reader.tally.sample()


class _Reader:
    """Remembers which port, queue and direction the next line belongs to."""

    def __init__(self) -> None:
        self.tally = Tally()
        self._port = ""
        self._queue: int | None = None
        self._sent = False
        self._drops = 0

    def take(self, record: Record, where: Where) -> None:
        values = record.values
        if record.kind == "port":
            self._port, self._queue = values["name"], None
        elif not self._port:
            return
        elif record.kind == "queue":
            self._queue, self._sent, self._drops = number(values["queue"]), False, 0
        elif record.kind in {"queued", "transmitted"}:
            self._sent = record.kind == "transmitted"
        elif record.kind == "counter" and self._queue is not None and self._sent:
            self._counter(self._queue, values.get("kind", ""), number(values["total"]), where)
        elif record.kind == "octets_of_queue" and self._queue is not None and self._sent:
            self.tally.add(self._port, "queue_bytes", number(values["total"]), where, self._queue)
        elif record.kind == "pfc":
            priority = number(values["priority"])
            for side, column in (("rx", "received"), ("tx", "sent")):
                if priority is not None:
                    self.tally.add(self._port, f"{side}_pfc", number(values[column]), where, priority)
        else:
            self._of_port(record, where)

    def _counter(self, queue: int, kind: str, total: int | None, where: Where) -> None:
        if not kind:
            self.tally.add(self._port, "queue_packets", total, where, queue)
        elif kind == "ECN-CE":
            self.tally.add(self._port, "queue_marked", total, where, queue)
        elif kind in _DROPPED and total is not None:
            self._drops += total
            self.tally.add(self._port, "queue_drops", self._drops, where, queue)

    def _of_port(self, record: Record, where: Where) -> None:
        values = record.values
        if record.kind == "crc":
            self.tally.add(self._port, "fcs_errors", number(values["received"]), where)
        elif record.kind == "fec":
            self.tally.add(self._port, "fec_uncorrectable", number(values["count"]), where)
        elif record.kind == "octets":
            self.tally.add(self._port, "tx_bytes", number(values["sent"]), where)
        elif record.kind == "link_pause":
            self.tally.add(self._port, "rx_link_pause", number(values["received"]), where)
            self.tally.add(self._port, "tx_link_pause", number(values["sent"]), where)
