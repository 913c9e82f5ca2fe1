"""Reads `show dcbx interface`: the PFC priorities of both ends of a link, and what came of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.state.model import Dcbx, Device, Line, Pfc, Port, PortQos, Where
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from typing import Literal

    from rocecfg.state.capture import Text

COMMAND = "show-dcbx"
_NAMED = re.compile(r"show dcbx interface (\d{1,2}/\d{1,2}/\d{1,3}(?::\d)?)\b")
_STATE = re.compile(r"(DCBx admin|DCBx operational|PFC operational) state : (\w{1,20})")
_VERSION = re.compile(r"DCBx version : local = (IEEE|CEE), remote = \S{1,20}")
_HEADING = re.compile(
    r"(Control|Priority Flow Control|Enhanced Transmission Selection|Priority Group|Application(?: Priority Map)?)"
    r"(?: \([A-Z]{2,4}\))?:?"
)
_ROW = re.compile(r"(?:-> )?([A-Z][\w -]{1,40}): (\S{1,12})((?: \S{1,12}){0,3})")
_PRIORITY = re.compile(r"Priority ([0-7])")
_TITLES = ("Mismatch ", "Priority Priority", "--")


class _Port:
    """What the table says of one port."""

    def __init__(self) -> None:
        self.states: dict[str, str] = {}
        self.version: Literal["ieee", "cee"] = "ieee"
        self.willing: bool | None = None
        self.local: set[int] = set()
        self.both: set[int] = set()
        self.rows = 0
        self.place: Where | None = None
        self._section = ""

    def line(self, line: str, place: Where) -> bool:
        """Take a line, its words joined by one blank; False when it is not understood."""
        state, version, heading = _STATE.fullmatch(line), _VERSION.fullmatch(line), _HEADING.fullmatch(line)
        if state is not None:
            self.states[state[1]] = state[2]
        elif version is not None:
            self.version = "cee" if version[1] == "CEE" else "ieee"
        elif heading is not None:
            self._section = heading[1]
        elif line.startswith(_TITLES) or self._section.startswith("Application"):
            return True
        else:
            return self._row(line, place)
        return True

    def _row(self, line: str, place: Where) -> bool:
        row = _ROW.fullmatch(line)
        if row is None or not self._section:
            return False
        priority = _PRIORITY.fullmatch(row[1])
        if self._section != "Priority Flow Control":
            return True
        if priority is not None and {row[2], row[3].strip()} <= {"True", "False", ""}:
            self.rows += 1
            self.place = self.place or place
            if row[2] == "True":
                self.local.add(int(priority[1]))
                self.both |= {int(priority[1])} if row[3].strip() == "True" else set()
        elif row[1] == "Willing":
            self.willing = {"Yes": True, "No": False}.get(row[2])
        return priority is None or row[2] in {"True", "False"}


def read_dcbx(text: Text) -> Device:
    """Return a port's PFC as DCBX advertises it. Raises ReadError when nobody says which port it is."""
    found = _NAMED.search(text.command) or _NAMED.search(text.content, 0, 20_000)
    if found is None:
        raise ReadError(f"{text.file}: a table of DCBX without its port: keep the line show dcbx interface ...")
    port, lines, read = _Port(), list[Line](), 0
    for at, raw in enumerate(text_lines(text.content), 1):
        line, place = " ".join(raw.split()), Where(text.file, at)
        if not line or "show dcbx" in line or (not port.states and not line.startswith("DCBx")):
            continue
        if line.endswith("#"):
            break  # the next prompt
        read += 1
        if not port.line(line, place):
            lines.append(Line(line, place))
    local = frozenset(port.local) if port.rows == 8 else None
    enabled = port.states.get("DCBx admin") == "enabled"
    active = port.states.get("PFC operational") == "active"
    qos = PortQos(
        pfc=None
        if local is None
        else Pfc("on" if local else "off", local, local, oper=frozenset(port.both) if active else frozenset()),
        dcbx=Dcbx(state=port.version if enabled else "off", willing=port.willing) if port.states else None,
    )
    place = port.place or Where(text.file)
    shown = Port(found[1], qos, place=place, places={"pfc": place, "dcbx": place})
    return Device(
        "", "aruba_cx", ports={found[1]: shown}, source="applied", lines=tuple(lines), lines_read=read, place=place
    )
