"""What a Cumulus text states, whatever its form: one flat table of settings, one of interface lines.

NVUE YAML, `nv set` lists, the datapath files of 3.x to 5.x and `nv show` outputs all become the paths of NVUE's own
tree (`("pfc", "HOST", "cable-length")` below `qos`), so that one resolver decides what is in force.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from rocecfg.errors import ReadError
from rocecfg.state.counters import Tally
from rocecfg.state.model import Line, Where
from rocecfg.state.sections import expand_numbers

MOST_PORTS = 8192
"""More interfaces than any switch has (512 sub-ports and their bonds); beyond it the text is no configuration."""
EVERY_PORT = "default-global"
"""NVUE's own word for "all ports": the name of the port that stands for them where a text names none."""

SHOWN = "nv show "
"""Start of the profile name under which the settings of one shown interface are kept: no profile of the device."""

Path = tuple[str, ...]
_NO_RANGE = re.compile(r"-\Z|[0-9]-[a-z]{0,8}[0-9]{1,9}\Z")
"""What stays of a range that runs backwards, too far, or nowhere."""


class Leaf(NamedTuple):
    """A stated value and its line; `system` = it comes from a one-command mode (`qos roce`), not from a line."""

    value: str
    place: Where
    system: bool = False
    shown: bool = False
    """It stands in a show output, which may list some classes of many."""


@dataclass(slots=True)
class Facts:
    """All that the texts of one device state."""

    settings: dict[Path, Leaf] = field(default_factory=dict)
    ports: dict[str, dict[Path, Leaf]] = field(default_factory=dict)
    """Interface -> path below it ("qos", "pfc", "profile") -> leaf. An interface merely named has no leaf."""
    places: dict[str, Where] = field(default_factory=dict)
    """Interface -> the line that names it first."""
    listed_groups: dict[tuple[str, str], Where] = field(default_factory=dict)
    """(section, group) of a datapath file's `port_group_list`."""
    lines: list[Line] = field(default_factory=list)
    read: int = 0
    whole: bool = False
    """A text among them is a whole configuration: what it does not state is the default."""
    configured: bool = False
    """A configuration was read: it says exactly what show outputs say rounded."""
    unpublished: bool = False
    """A one-command mode is on whose settings nobody published: absence proves nothing."""
    sections: set[str] = field(default_factory=set)
    """Parts of a datapath file that are whole, though the file is not."""
    tally: Tally = field(default_factory=Tally)
    """Counters of the show outputs."""
    name: str = ""
    model: str | None = None
    version: str | None = None
    place: Where | None = None

    def port(self, name: str, place: Where) -> dict[Path, Leaf]:
        """Return the leaves of an interface, made on first sight. Raises ReadError for absurdly many."""
        leaves = self.ports.get(name)
        if leaves is None:
            if len(self.ports) >= MOST_PORTS:
                raise ReadError(f"{place.file}:{place.line}: more than {MOST_PORTS} interfaces: no switch has them")
            leaves = self.ports[name] = {}
            self.places[name] = place
        return leaves

    def not_understood(self, text: str, place: Where) -> None:
        """Report a line of a section we read that says nothing we know."""
        self.lines.append(Line(" ".join(text.split())[:200], place))


@lru_cache(maxsize=4096)
def expand(word: str) -> tuple[str, ...]:
    """Return the names of a comma list or range (`swp1-4,swp6s0-1`, `swp1-swp4`, `4,5,7`), none when it is absurd."""
    if "-" not in word and "," not in word:
        return (word,)
    if len(word) > 4096 or any(not part for part in word.split(",")):
        return ()
    names: list[str] = []
    for part in word.split(","):
        found = expand_numbers(part, limit=1024) if part.count("-") == 1 else [part]
        if len(names) + len(found) > MOST_PORTS or (found == [part] and _NO_RANGE.search(part)):
            return ()
        names += found
    return tuple(names)
