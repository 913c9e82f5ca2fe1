"""How the rows of a display command are taken into a table: the port and queue that a row is about, and its account."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.counters import number as counted
from rocecfg.state.model import eight
from rocecfg.state.numbers import whole_number

if TYPE_CHECKING:
    from rocecfg.state.grammar import Record
    from rocecfg.state.model import PriorityGroup, Queue
    from vendors.huawei.shows import Table

_CONFIG = load_module(Path(__file__).with_name("config.py"))


class Reader:
    """Takes the rows of one command into a table."""

    def __init__(self, table: Table) -> None:
        """Begin with no queue seen."""
        self.table = table
        self.queue: int | None = None
        self.queues: dict[str, dict[int, Queue]] = {}
        self.groups: dict[str, dict[int, PriorityGroup]] = {}

    def take(self, record: Record, number: int) -> bool:
        """Take one line; False when it does not fit what stands above it."""
        if record.kind == "known":
            return True
        words = record.values
        if "port" in words:
            if not self.table.open(words["port"], number):
                return False
            self.queue = None
        if "queue" in words:
            self.queue = whole_number(words["queue"].strip("*"), 7)
            if self.queue is None:
                return False
        return self.row(record, number)

    def row(self, record: Record, number: int) -> bool:
        """Take a row of the table."""
        raise NotImplementedError

    def count(self, counter: str, word: str, number: int, *, single: bool = False) -> None:
        """Note a counter of the current port and queue."""
        if self.table.current:
            at = None if single else self.queue
            self.table.tally.add(self.table.current, counter, counted(word), self.table.where(number), at)

    def place(self, leaf: str, number: int) -> None:
        """Note the line that shows a leaf of the current port."""
        port = self.table.ports[self.table.current]
        self.table.ports[port.name] = replace(port, places={**port.places, leaf: self.table.where(number)})

    def finish(self) -> None:
        """Put the queues and groups that were seen on their ports."""
        for name, port in self.table.ports.items():
            queues, groups = self.queues.get(name), self.groups.get(name)
            if queues or groups:
                qos = replace(
                    port.qos,
                    queues=eight(queues) if queues else None,
                    priority_groups=eight(groups) if groups else None,
                )
                self.table.ports[name] = replace(port, qos=qos)
