"""The counters that display commands print: PFC frames, deadlocks, queues, drops, marks, headroom."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.counters import number as counted

if TYPE_CHECKING:
    from rocecfg.state.grammar import Record
    from vendors.huawei.show_reader import Reader
else:
    Reader = load_module(Path(__file__).with_name("show_reader.py")).Reader

_KILO = 1024


class Pfc(Reader):
    """`display dcb pfc`: two lines a queue, received above transmitted, deadlocks above recoveries."""

    def row(self, record: Record, number: int) -> bool:
        words = record.values
        if self.queue is None:
            return False
        if record.kind == "second":
            self.count("tx_pfc", words["frames"], number)
            self.count("storms_restored", words.get("deadlocks", ""), number)
            return True
        self.count("rx_pfc", words["frames"], number)
        self.count("storms", words.get("deadlocks", ""), number)
        return True


class Trigger(Reader):
    """`display dcb pfc deadlock trigger status`: queues whose PFC was turned off for too many deadlocks."""

    def row(self, record: Record, number: int) -> bool:
        port, status = self.table.current, record.values["status"]
        if not port or self.queue is None:
            return False
        off = status.lower() in {"turnoff", "errordown"}
        self.table.tally.storm(port, self.queue, self.table.where(number), now=off)
        return True


class Statistics(Reader):
    """`display qos queue statistics`: two lines a queue, packets above bytes."""

    def row(self, record: Record, number: int) -> bool:
        words = record.values
        if self.queue is None or not self.table.current:
            return record.kind == "port"
        if record.kind == "second":
            self.count("queue_bytes", words["passed"], number)
            self.count("queue_drop_bytes", words["dropped"], number)
        elif record.kind == "first":
            self.count("queue_packets", words["passed"], number)
            self.count("queue_drops", words["dropped"], number)
        return True


class Marked(Reader):
    """`display qos ecn statistics`: one total for each interface."""

    def row(self, record: Record, number: int) -> bool:
        if "count" in record.values:
            self.count("marked_total", record.values["count"], number, single=True)
        return bool(self.table.current)


class Headroom(Reader):
    """`display qos headroom-usage interface`: the most headroom of each queue that was ever in use, in kbytes."""

    def row(self, record: Record, number: int) -> bool:
        peak = counted(record.values["peak"])
        if "slot" in record.values:
            return peak is not None
        if peak is None or not self.table.current:
            return False
        self.table.tally.add(self.table.current, "headroom_peak", peak * _KILO, self.table.where(number), self.queue)
        return True


class Dropped(Reader):
    """`display qos buffer ingress-statistics`: two lines a port, packets above bytes."""

    def row(self, record: Record, number: int) -> bool:
        if record.kind == "first":
            self.count("rx_buffer_drops", record.values["dropped"], number, single=True)
        return bool(self.table.current)


class Interface(Reader):
    """`display interface`: frames with a wrong checksum, by port. Blocks of VLANs and the like end the port before."""

    def take(self, record: Record, number: int) -> bool:
        """Take the first line of a block, or the line with the checksum errors."""
        if record.kind == "crc":
            self.count("fcs_errors", record.values["count"], number, single=True)
        elif not self.table.open(record.values["port"], number):
            self.table.current = ""
        return True


class Nothing(Reader):
    """An output that is understood and says nothing of a port."""

    def take(self, record: Record, number: int) -> bool:
        """Take every line of a known shape."""
        return bool(record.kind and number)
