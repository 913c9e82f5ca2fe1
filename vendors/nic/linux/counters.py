"""Reads what a NIC port and its RDMA device count: `ethtool -S`, `rdma statistic` (text and JSON), `hw_counters`.

Every driver has names of its own; `Counting` is a family's table of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocecfg.state.counters import number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocecfg.state.counters import Tally
    from rocecfg.state.model import Where

STATISTIC = re.compile(r"([a-z][a-z0-9]{0,30}_[a-z0-9_]{1,60}(?:\.nic)?): ([0-9]{1,20})")
"""A line of `ethtool -S`. Its names hold an underscore, which no line of another output does."""
MICROSECOND = 1000
"""Nanoseconds."""
_FIRST_DIGIT = re.compile(r"([a-z_]*)([0-7])(?![0-9])(.*)")
_FILE = re.compile(r"/sys/class/infiniband/([\w.-]{1,64})/ports/[0-9]{1,3}/hw_counters/([A-Za-z_0-9]{1,64})")


@dataclass(frozen=True, slots=True)
class Counting:
    """What the counters of one driver are called."""

    by_priority: Mapping[str, str | tuple[str, int]] = field(default_factory=dict)
    """Name with `#` for its first digit -> ours, or ours and what one step of it is in our unit."""
    of_port: Mapping[str, str] = field(default_factory=dict)
    of_rdma: Mapping[str, str] = field(default_factory=dict)

    def statistic(self, tally: Tally, port: str, name: str, value: str, place: Where) -> bool:
        """Take a line of `ethtool -S`; False when it is none of those we know."""
        single = self.of_port.get(name)
        if single is not None:
            tally.add(port, single, number(value), place)
            return True
        split = _FIRST_DIGIT.fullmatch(name)
        counter = None if split is None else self.by_priority.get(f"{split[1]}#{split[3]}")
        if split is None or counter is None:
            return False
        count = number(value)
        if not isinstance(counter, str):
            counter, step = counter
            count = None if count is None else count * step
        tally.add(port, counter, count, place, int(split[2]))
        return True

    def rdma(self, tally: Tally, device: str, pairs: Iterable[tuple[str, object]], place: Where) -> bool:
        """Take the counters of an RDMA device by name; False when none of them is ours."""
        known = False
        for name, value in pairs:
            counter = self.of_rdma.get(name)
            if counter is not None and not isinstance(value, bool):
                known = True
                tally.rdma(device, counter, number(str(value)[:24]), place)
        return known

    def file(self, tally: Tally, path: str, value: str, place: Where) -> bool:
        """Take a file below `hw_counters`; False when the path is another one."""
        found = _FILE.fullmatch(path)
        if found is None:
            return False
        self.rdma(tally, found[1], [(found[2], value)], place)
        return True


def words(text: str) -> list[tuple[str, Any]]:
    """Return the name and value pairs of a line of `rdma statistic`."""
    split = text.split()
    return list(zip(split[::2], split[1::2], strict=False))
