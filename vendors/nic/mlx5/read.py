"""Texts of a host to the state of its NIC ports: what was printed, or what a script sets."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.grammar import grammar
from rocecfg.state.model import Device, Line, Where, intern_ports
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocecfg.state.capture import Capture, Text

_HERE = Path(__file__)
_facts = load_module(_HERE.with_name("facts.py"))
_outputs = load_module(_HERE.with_name("outputs.py"))
_shell = load_module(_HERE.with_name("shell.py"))
_data = load_module(_HERE.with_name("data.py"))
_sysfs = load_module(_HERE.with_name("sysfs.py"))
_wanted = load_module(_HERE.with_name("wanted.py"))

EXPECTED = (
    "a script of mlnx_qos, dcb, cma_roce_tos, ethtool or mlxconfig commands, or what one of them printed "
    "(also show_gids, rdma link, ip -j link, grep -H . of /sys files)"
)
_JSON = re.compile(r"\s*(?:\{|\[\s*(?:\{|\]|$))")
_WHOLE = {"mlnx_qos", "ethtool -a", "show_gids", "mlxconfig", "cma default_tos", "cma roce_version"}
"""Commands whose output is all ours: each strange line in it is reported."""


class _Reading:
    """Reads the texts of one capture."""

    def __init__(self) -> None:
        self.host = _facts.Host()
        self.outputs = _outputs.Outputs(self.host)
        self.lines: list[Line] = []
        self.lines_read = 0

    def text(self, text: Text) -> None:
        self.outputs.begin()
        shell = _shell.Shell(self.outputs)
        lines = text_lines(text.content)
        start = Where(text.file)
        if not any(line.strip() for line in lines):
            return
        if text.command:
            shell.take(text.command, start, only_reading=True)
        if _wanted.is_script(lines):
            read, strange = _wanted.read(self.outputs, lines, text.file)
            self.lines_read += read
            self.lines += [Line(line, place) for line, place in strange]
        elif _JSON.match(text.content):
            self._json(text.content, len(lines), Where(text.file, 1))
        else:
            self._walk(lines, text.file, shell)

    def _json(self, content: str, count: int, place: Where) -> None:
        strange = _data.take(self.outputs, _data.parse(content, place.file), place)
        if strange is not None:
            self.lines_read += count
            self.lines += [Line(key, place) for key in strange]

    def _walk(self, lines: Sequence[str], file: str, shell: object) -> None:
        """Read outputs and commands line by line."""
        assert isinstance(shell, _shell.Shell)
        script = lines[0].startswith("#!")
        records = grammar(_HERE.parent / "parse" / "outputs.ttp").read(
            () if script else (" ".join(line.split()) for line in lines)
        )
        pending = _joined(lines)
        for number, line, raw in pending:
            place = Where(file, number)
            words = " ".join(line.split())
            if not words:
                continue
            record = records.get(words)
            if record is not None and not (record.kind == "parameter" and shell.looks_ours(words)):
                self._record(record, words, place)
            elif self.outputs.command == "cma default_tos" and words.isdigit() and len(words) <= 3:
                self.lines_read += 1
                self.outputs.default_tos(int(words), place)
            elif words.startswith("/sys/"):
                self._file(words, place)
            elif raw and not script and _JSON.match(words):
                self._inline_json(lines, number, file)
            else:
                self._command(words, line, place, shell, script=script)

    def _record(self, record: object, words: str, place: Where) -> None:
        kind, values = record.kind, record.values  # type: ignore[attr-defined]
        taken = self.outputs.take(kind, values, words, place)
        inside = self._inside()
        if not taken and not inside and kind in {"parameter", "link", "pause", "tc_of_priority"}:
            return  # words of somebody else's text that look like ours
        self.lines_read += 1
        if not taken:
            self.outputs.foreign()
            self.lines.append(Line(words, place))

    def _inside(self) -> bool:
        return self.outputs.command in _WHOLE or self.outputs.command.startswith("dcb ")

    def _file(self, words: str, place: Where) -> None:
        path, value = _sysfs.split_line(words)
        if _sysfs.is_ours(path):
            self.lines_read += 1
            if not _sysfs.take(self.host, path, value, place):
                self.lines.append(Line(words, place))

    def _inline_json(self, lines: Sequence[str], number: int, file: str) -> None:
        """Read JSON that stands between command lines of a transcript."""
        end = number
        while end < len(lines) and not lines[end].startswith(("#", "$")):
            end += 1
        content = "\n".join(lines[number - 1 : end])
        self._json(content, 1, Where(file, number))
        for skipped in range(number, end):
            if isinstance(lines, list):
                lines[skipped] = ""

    def _command(self, words: str, line: str, place: Where, shell: object, *, script: bool) -> None:
        assert isinstance(shell, _shell.Shell)
        behind = None if script else shell.prompt(line)
        bare_hash = line.lstrip().startswith("#")
        if behind is not None:
            if not shell.looks_ours(f" {behind} "):
                if not bare_hash:
                    self.outputs.begin()
                return
            taken = shell.take(behind, place, only_reading=bare_hash)
        elif bare_hash:
            return
        else:
            taken = shell.take(words, place)
        if taken is None and behind is None and not script:
            self.outputs.foreign()
            taken = False if self._inside() else None
        if taken is None:
            return
        self.lines_read += 1
        if not taken:
            self.lines.append(Line(words, place))

    def device(self, capture: Capture) -> Device:
        for item, place in self.outputs.links:
            name = item["ifname"]
            if name in self.host.ports or len(self.outputs.links) == 1:
                _data.link(self.host.port(name, place), item, place)
        ports = self.host.build()
        if not ports:
            raise ReadError(f"{capture.file or 'this text'}: nothing of an mlx5 NIC in it; expected {EXPECTED}")
        model = self.outputs.models[0] if self.outputs.models else None
        return Device(
            capture.device,
            "mlx5",
            intern_ports(ports),
            kind="host",
            model=model,
            lines=tuple(self.lines),
            lines_read=self.lines_read,
            place=ports[0].place,
        )


def _joined(lines: Sequence[str]) -> Iterator[tuple[int, str, bool]]:
    """Yield (number, line, whole): a line that ends in a backslash is joined with the next ones."""
    number = 0
    while number < len(lines):
        first, line = number + 1, lines[number]
        while line.endswith("\\") and number + 1 < len(lines) and len(line) < 65_536:
            number += 1
            line = line[:-1] + " " + lines[number].strip()
        number += 1
        yield first, line, first == number


def to_state(capture: Capture) -> Device:
    """Read the texts of a host: what its NIC ports are set to, or what a script sets them to.

    Raises ReadError when no text says anything about an mlx5 port, or JSON or a rendered script is cut off.
    """
    reading = _Reading()
    for text in capture.texts:
        reading.text(text)
    return reading.device(capture)
