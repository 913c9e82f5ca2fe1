"""Reads `show lldp neighbors`, where a long name of a device stands in a line of its own, and its `detail` form."""

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
_HEADER = re.compile(r"^Device ID +Local Intf +Hold-time +Capability +Port ID")
_ROW = re.compile(
    r"(?P<device>\S[^\n]{0,200}?)?\s+(?P<near>(?:Eth|mgmt|Po)\w{0,12}[\d/.]{0,12})\s+\d{1,5}\s+"
    r"(?:(?P<capability>[BRTCWPSO]{1,8})\s+)?(?P<far>\S[^\n]{0,100})"
)


_BLOCK = re.compile(r"^Chassis id: ", re.MULTILINE)
_NAMED = re.compile(r"(Port id|Local Port id|System Name): (\S.{0,200})")


def read_neighbours(text: Text) -> Device:
    """Return the ports with their neighbours."""
    if _BLOCK.search(text.content):
        return read_table(text, "nxos", _BLOCK, _Blocks().line, _CONFIG.port_name)
    return read_table(text, "nxos", _HEADER, _row, _CONFIG.port_name)


class _Blocks:
    """The lines of the `detail` form: three of them name both ends."""

    def __init__(self) -> None:
        self._named: dict[str, str] = {}

    def line(self, line: str, kept: str) -> Row | str:
        """Take a line; the name of the far device comes last."""
        del kept
        found = _NAMED.fullmatch(line.strip())
        if found is None:
            return ""
        self._named[found[1]] = found[2].strip()
        if found[1] != "System Name" or "Local Port id" not in self._named:
            return ""
        named, self._named = self._named, {}
        device = "" if named["System Name"] in {"not advertised", "null"} else named["System Name"]
        return Row(named["Local Port id"], device, named.get("Port id", ""))


def _row(line: str, kept: str) -> Row | str | None:
    found = _ROW.fullmatch(line)
    if found is not None:
        return Row(found["near"], (found["device"] or kept).strip(), found["far"].strip())
    words = line.split()
    return line.strip() if len(words) == 1 and not kept else None
