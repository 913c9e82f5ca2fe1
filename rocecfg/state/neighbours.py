"""What a table of LLDP neighbours says: the far end of each port. Readers find the rows, this makes the device."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from rocecfg.errors import ReadError
from rocecfg.state.model import Device, Line, Neighbour, Port, Where
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.state.capture import Text

_MOST_PORTS = 20_000
_RULE = re.compile(r"[-=+ ]+")
_PROMPT = re.compile(r"(?:<[\w.-]{1,64}>|[\w.@:~-]{1,100}[>#$])(?: ?(?:sh|dis|run|do)\w* .*)?")


class Row(NamedTuple):
    """A row of a table: port names as the table spells them; an empty device is one without a name."""

    near: str
    device: str
    far: str


def without_domain(name: str) -> str:
    """Return a name without its domain, as a configuration states it; an address stays whole."""
    first, _, _ = name.partition(".")
    return name if first.isdecimal() or ":" in name else first


def read_table(
    text: Text,
    nos: str,
    begins: re.Pattern[str] | None,
    row: Callable[[str, str], Row | str | None],
    port_name: Callable[[str], str | None],
) -> Device:
    """Return the ports and their neighbours of a table that begins below a header, or at once where it has none.

    `row` takes a line and what the line before left over: it gives a row, the words to put before the next line (the
    long name of a device has a line of its own), or None for a line that is not understood. Rows of other interfaces
    than front ports are passed over. Raises ReadError where no header stands in the text.
    """
    ports: dict[str, Port] = {}
    lines: list[Line] = []
    read, kept, started = 0, "", begins is None
    for number, raw in enumerate(text_lines(text.content), 1):
        line = raw.rstrip()
        if begins is not None and begins.search(line):
            started, read = True, read + 1
            continue
        if not started or not line.strip() or _RULE.fullmatch(line) or _PROMPT.fullmatch(line):
            continue
        if line.lower().startswith("total "):
            continue
        read += 1
        found, place = row(line, kept), Where(text.file, number)
        kept = found if isinstance(found, str) else ""
        if found is None:
            lines.append(Line(" ".join(line.split()), place))
        if not isinstance(found, Row):
            continue
        near = port_name(found.near)
        if near is None or len(ports) >= _MOST_PORTS:
            continue
        device, far = without_domain(found.device), port_name(found.far) or found.far
        known = Neighbour(device, far, "lldp") if device and far else None
        ports[near] = Port(near, neighbour=known, place=place)
    if not started:
        raise ReadError(f"{text.file}: no table of LLDP neighbours in it")
    return Device(
        "", nos, source="applied", ports=ports, lines=tuple(lines), lines_read=read, place=Where(text.file)
    )  # fmt: skip
