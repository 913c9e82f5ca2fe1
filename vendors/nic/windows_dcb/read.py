"""Texts of a Windows host to the state of its adapters: the rendered script, other scripts, what Get-cmdlets print."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.model import Device, Line, Where, intern_ports
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from rocecfg.state.capture import Capture, Text

_HERE = Path(__file__)
_facts = load_module(_HERE.with_name("facts.py"))
_script = load_module(_HERE.with_name("script.py"))
_commands = load_module(_HERE.with_name("commands.py"))
_tables = load_module(_HERE.with_name("tables.py"))

EXPECTED = (
    "a script of New-NetQosPolicy, Enable-NetQosFlowControl, New-NetQosTrafficClass, Set-NetQosDcbxSetting or "
    "Enable-NetAdapterQos, or what Get-NetAdapterQos, Get-NetQosPolicy, Get-NetQosTrafficClass, "
    "Get-NetQosFlowControl or Get-NetQosDcbxSetting print (also ConvertTo-Json)"
)
_KEY = re.compile(r"([A-Za-z][A-Za-z0-9()/]{1,40}) {0,40}: ?(.*)")
_POLICY_KEYS = {
    "owner", "networkprofile", "precedence", "template", "netdirectport", "priorityvalue", "jobobject", "ipprotocol",
    "ipsrcprefix", "ipdstprefix", "ipport", "ipsrcport", "ipdstport", "ipdstportstart", "ipdstportend", "dscpvalue",
    "apppathname", "minbandwidthweight", "throttlerate", "usermatch", "uri", "version",
}  # fmt: skip
_ADAPTER_KEYS = {
    "enabled", "capabilities", "operationaltrafficclasses", "operationalflowcontrol", "operationalclassifications",
    "remotetrafficclasses", "remoteflowcontrol", "remoteclassifications",
}  # fmt: skip
_CAPABILITY_KEYS = {"macsecbypass", "dcbxsupport", "numtcs(max/ets/pfc)"}
_TC = re.compile(r"([0-9]{1,2})\s+(ETS|Strict)\s+(?:([0-9]{1,3})%?\s+)?([0-7](?:[-,][0-7]){0,14})")
_HEADS = re.compile(r"(?:TC TSA|Protocol\s+Port/Type|Hardware\s+Current|\s*-{2,}[ -]*$)")
_GROUP = re.compile(r"PSComputerName ?: ?([A-Za-z0-9_.-]{1,63})")
"""Format-Table -GroupBy: whose rows the next table holds."""
_CLASSIFICATION = re.compile(r"(?:Default|NetDirect|TCP/UDP|TCP|UDP|EtherType|Ethertype)\b.{0,40}")


class _Reading:
    """Reads the texts of one capture."""

    def __init__(self) -> None:
        self.host = _facts.Host()
        self.lines: list[Line] = []
        self.lines_read = 0
        self._record: dict[str, tuple[str, Where]] = {}
        self._key = ""

    def text(self, text: Text) -> None:
        lines = text_lines(text.content)
        if not any(line.strip() for line in lines):
            return
        if _script.is_script(lines):
            read, strange = _script.read(self.host, lines, text.file)
            self.lines_read += read
            self.lines += [Line(words, place) for words, place in strange]
        elif text.content.lstrip()[:1] in {"{", "["} and not text.content.lstrip().startswith(("[void]", "[Cmdlet")):
            self._json(text, len(lines))
        else:
            self._walk(lines, text.file)

    def _json(self, text: Text, count: int) -> None:
        try:
            value = json.loads(text.content)
        except (ValueError, RecursionError) as error:
            raise ReadError(f"{text.file}: JSON that is broken or cut off: {str(error)[:200]}") from error
        place = Where(text.file, 1)
        before = bool(self.host.spoken())
        strange = list(_tables.take_json(self.host, value, place))
        if before or self.host.spoken():
            self.lines_read += count
        self.lines += [Line(words, place) for words in strange]

    def _walk(self, lines: list[str], file: str) -> None:
        table: list[tuple[str, int, int]] = []
        kind, comment, node = "", False, ""
        for number, line in _commands.logical_lines(lines):
            place, words = Where(file, number), line.strip()
            following = lines[number] if number < len(lines) else ""
            comment = comment or words.startswith("<#")
            if comment:
                comment = "#>" not in words
                continue
            group = _GROUP.fullmatch(words)
            if group is not None and not self._record:
                node = group[1]
            elif not words:
                table, kind = [], ""
            elif self._key and self._belongs(line):
                self._inside(words, place)
            elif _tables.is_dashes(following) and not _tables.is_dashes(line) and not self._is_list(words):
                self._close()
                table = _tables.columns(line, following)
                kind = _tables.kind_of([title for title, _, _ in table])
                self.lines_read += 2 if kind else 0
            elif table and not _tables.is_dashes(line):
                row = _tables.cells(line, table)
                self._row(kind, {"PSComputerName": node, **row} if node else row, words, place)
            elif not _tables.is_dashes(line):
                self._other(line, words, place)
        self._close()

    def _row(self, kind: str, row: dict[str, str], words: str, place: Where) -> None:
        if not kind:
            return
        self.lines_read += 1
        if not _tables.take_row(self.host, kind, row, place):
            self.lines.append(Line(words, place))

    def _is_list(self, words: str) -> bool:
        """Return whether a line is a `Key : value` of a list."""
        found = _KEY.fullmatch(words)
        key = found[1].lower() if found else ""
        return key == "name" or (bool(self._record) and key in _POLICY_KEYS | _ADAPTER_KEYS)

    def _other(self, line: str, words: str, place: Where) -> None:
        """Read a line of a list, or a command."""
        found = _KEY.fullmatch(words)
        if found is not None and self._is_list(words):
            self._list(found[1].lower(), found[2].strip(), words, place)
            return
        self._close()
        taken = _commands.take(self.host, line, place)
        if taken is not None:
            self.lines_read += 1
            if not taken:
                self.lines.append(Line(words, place))

    # ---- lists: Get-NetQosPolicy, Get-NetAdapterQos ----------------------------------------------------------------

    def _list(self, key: str, value: str, words: str, place: Where) -> None:
        if key == "name":
            self._close()
        self._record[key] = (value, place)
        self._key = key if key in _ADAPTER_KEYS - {"enabled"} else ""
        self.lines_read += 1
        if not self._key:
            return
        adapter = self.host.adapter(self._record.get("name", ("", place))[0] or _facts.GLOBAL, place)
        if key == "operationalflowcontrol":
            try:
                adapter.operational = _tables.flow_control_of(value)
                adapter.places["pfc"] = place
            except ValueError:
                self.lines.append(Line(words, place))
        elif key == "operationaltrafficclasses":
            adapter.classes = {}

    def _belongs(self, line: str) -> bool:
        """Return whether a line goes on with the list's last key: indented, or of a shape that only stands there."""
        words = line.strip()
        found = _KEY.fullmatch(words)
        if found and found[1].lower() in {"name", *_ADAPTER_KEYS, *_POLICY_KEYS}:
            return False
        return bool(
            line.startswith("  ")
            or (found and found[1].lower() in _CAPABILITY_KEYS)
            or _HEADS.match(words)
            or _TC.fullmatch(words)
            or _CLASSIFICATION.fullmatch(words)
        )

    def _inside(self, words: str, place: Where) -> None:
        self.lines_read += 1
        found = _TC.fullmatch(words)
        if self._key != "operationaltrafficclasses":
            return
        if found is None:
            if not _HEADS.match(words):
                self.lines.append(Line(words, place))
            return
        adapter = self.host.adapter(self._record["name"][0] if "name" in self._record else _facts.GLOBAL, place)
        share = int(found[3]) if found[3] else None
        priorities = _tables.priorities_of(found[4])
        adapter.classes[found[1]] = _facts.TrafficClass(priorities, found[2], share, place)
        adapter.places[f"queues.{min(priorities)}"] = place

    def _close(self) -> None:
        """Take a finished record: a policy by its keys, an adapter by its own."""
        record, self._record, self._key = self._record, {}, ""
        if not record:
            return
        name, place = record.get("name", ("", Where("")))
        row = {key: value for key, (value, _) in record.items()}
        if set(row) & _ADAPTER_KEYS:
            adapter = self.host.adapter(name or _facts.GLOBAL, place)
            enabled = row.get("enabled", "").lower()
            if enabled in {"true", "false"}:
                adapter.qos = enabled == "true"
                adapter.places.setdefault("pfc", place)
        elif set(row) & _POLICY_KEYS and not self._policy(row, place):
            self.lines.append(Line(f"policy {name}", place))

    def _policy(self, row: dict[str, Any], place: Where) -> bool:
        try:
            return bool(_tables.policy(self.host, row, place))
        except ValueError:
            return False

    def device(self, capture: Capture) -> Device:
        if not self.host.spoken():
            raise ReadError(
                f"{capture.file or 'this text'}: nothing of Windows' Data Center Bridging in it; expected {EXPECTED}"
            )
        ports = self.host.ports()
        return Device(
            capture.device, "windows_dcb", intern_ports(ports), kind="host", lines=tuple(self.lines),
            lines_read=self.lines_read, place=ports[0].place,
        )  # fmt: skip


def to_state(capture: Capture) -> Device:
    """Read the texts of a Windows host: what its adapters are set to, or what a script sets them to.

    Raises ReadError when no text says anything of DCB, or JSON or a rendered script is cut off.
    """
    reading = _Reading()
    for text in capture.texts:
        reading.text(text)
    return reading.device(capture)
