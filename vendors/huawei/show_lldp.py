"""Reads `display lldp neighbor`: a block for each port, of which two lines name the far end."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.neighbours import Row, read_table

if TYPE_CHECKING:
    from rocecfg.state.capture import Text
    from rocecfg.state.model import Device

COMMAND = "show-lldp"
_CONFIG = load_module(Path(__file__).with_name("config.py"))
_HEADER = re.compile(r"^(?P<near>[A-Za-z0-9-]{2,25}\d/[\d/:]{1,10}) has \d{1,3} neighbor(?:s|\(s\)):?")
_NAMED = re.compile(r"(Port ID|System name) *:(.{0,200})")
_NOBODY = frozenset({"", "-", "--"})


class _Blocks:
    """The lines of all blocks."""

    def __init__(self) -> None:
        self._near = self._far = ""

    def line(self, line: str, kept: str) -> Row | str:
        """Take a line; the name of the far device stands behind its port."""
        del kept
        header = _HEADER.match(line.strip())
        named = _NAMED.fullmatch(line.strip())
        if header is not None:
            self._near, self._far = header["near"], ""
        elif named is not None and named[1] == "Port ID":
            self._far = named[2].strip()
        elif named is not None and self._near and self._far:
            device = named[2].strip()
            return Row(self._near, "" if device in _NOBODY else device, self._far)
        return ""


def read_neighbours(text: Text) -> Device:
    """Return the ports with their neighbours; of several behind one port, the last."""
    return read_table(text, "huawei", None, _Blocks().line, _CONFIG.port_name)
