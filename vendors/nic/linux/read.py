"""Texts of a host to the state of its NIC ports: what was printed, or what a script sets."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.grammar import grammar
from rocecfg.state.model import Device, Line, Where, intern_ports
from rocecfg.state.numbers import whole_number
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from rocecfg.state.capture import Capture, Text
    from rocecfg.state.grammar import Record
    from vendors.nic.linux.family import Family

_HERE = Path(__file__)
_apps = load_module(_HERE.with_name("apps.py"))
_counters = load_module(_HERE.with_name("counters.py"))
_data = load_module(_HERE.with_name("data.py"))
_shell = load_module(_HERE.with_name("shell.py"))
_sysfs = load_module(_HERE.with_name("sysfs.py"))
_wanted = load_module(_HERE.with_name("wanted.py"))

SHAPES = _HERE.parent / "parse" / "outputs.ttp"
"""The lines that tools of every host print."""
TOOLS = "ethtool, ip, cma_roce_tos"
OUTPUTS = (
    "show_gids, ibv_devinfo, rdma link, ip -j link, grep -H . of /sys files), or nccl.conf and other NCCL_ and UCX_ "
    "settings"
)
"""What is read of every host, for the error of a text that is nothing of it."""
_JSON = re.compile(r"\s*(?:\{\s*(?:[\"}]|$)|\[\s*(?:\{|\]|$))")
_NAMED_FILE = re.compile(r"(?:^|\s)(/sys/class/(?:net|infiniband)/[^\s:=]{1,200}) ?= ?([^=]{1,40}(?:=[0-9]{1,3})?)$")
"""`ECN of priority 3: /sys/class/net/eth0/ecn/roce_np/enable/3 = 1`, as scripts print what they read."""
_LOOK_ALIKE = {"link", "pause", "app_priority", "app_selector", "app_number"}
"""Kinds whose shape other texts have too: outside our outputs such a line is not ours."""
_CONF = f"{_apps.CONF}:"
"""How `grep -H` begins a line of NCCL's settings."""
_SETTINGS_FILE = re.compile(r"\[(?:Unit|Service)\]|(?:auto|iface|allow-hotplug) +[A-Za-z]")
"""A line of a systemd unit or of /etc/network/interfaces: commands stand in them, and no outputs."""
_LONGEST_COMMAND = 65_536
_WHOLE = {"ethtool -a", "show_gids", "cma default_tos", "cma roce_version"}
"""Commands whose output is all ours: each strange line in it is reported."""


class _Reading:
    """Reads the texts of one capture."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self.host = family.host(family)
        self.outputs = family.outputs(self.host)
        self.apps = _apps.Apps()
        self.lines: list[Line] = []
        self.lines_read = 0

    def text(self, text: Text) -> None:
        self.outputs.begin()
        shell = _shell.Shell(self.outputs)
        lines = text_lines(text.content)
        start = Where(text.file)
        if not any(line.strip() for line in lines):
            return
        if text.command and ";" not in text.command:  # a loop of ours prints a "# command" line before each output
            shell.take(text.command, start, only_reading=True)
        if _wanted.is_script(lines):
            read, strange = _wanted.read(self.outputs, lines, text.file)
            self.lines_read += read
            self.lines += [Line(line, place) for line, place in strange]
        elif _JSON.match(text.content):
            self._json(text.content, len(lines), Where(text.file, 1))
        elif _apps.is_settings(text, lines):
            for number, line in enumerate(lines, 1):
                self._setting(line.strip(), Where(text.file, number), file=text.file, whole=_apps.is_whole(text))
        else:
            self._walk(lines, text.file, shell)

    def _setting(self, line: str, place: Where, *, file: str, whole: bool = False) -> bool:
        """Take a line of an application's settings; False when it is none."""
        taken = self.apps.setting(line, place, file=file.endswith(".conf"), whole=whole)
        if taken is not None:
            self.lines_read += 1
            if not taken:
                self.lines.append(Line(line, place))
        return taken is not None

    def _json(self, content: str, count: int, place: Where) -> None:
        self.outputs.content = content
        strange = _data.take(self.outputs, _data.parse(content, place.file), place)
        if strange is not None:
            self.lines_read += count
            self.lines += [Line(key, place) for key in strange]

    def _walk(self, lines: list[str], file: str, shell: Any) -> None:
        """Read outputs and commands line by line."""
        script = lines[0].startswith("#!") or any(map(_SETTINGS_FILE.match, lines))
        normal = [" ".join(line.split()) for line in lines]
        if script or any(line.endswith("\\") for line in lines):
            _join(lines, normal)
        records = {} if script else self._records(normal)
        get, take = records.get, self.outputs.take
        for number, words in enumerate(normal, 1):
            if not words:
                continue
            record = get(words)
            place = Where(file, number)
            named = None if script or "/sys/class/" not in words else _NAMED_FILE.search(words)
            if named is not None:
                self._file(f"{named[1]}:{named[2]}", place)
            elif record is None:
                self._other(words, lines, normal, place, shell, script=script)
            elif take(record[0], record[1], words, place):
                self.lines_read += 1
            elif self._inside() or record[0] not in _LOOK_ALIKE | self.family.look_alike:
                self.lines_read += 1
                self.outputs.foreign()
                self.lines.append(Line(words, place))

    def _records(self, lines: list[str]) -> dict[str, Record]:
        """Return the lines that have one of the shapes we know, by line."""
        statistics = _counters.STATISTIC
        left = [line for line in lines if not statistics.fullmatch(line)]
        found: dict[str, Record] = {}
        for path in self.family.shapes:
            records = grammar(path).read(left)
            found.update((line, record) for line, record in records.items() if record is not None)
            left = [line for line in left if records[line] is None]
        return found

    def _other(
        self, words: str, lines: list[str], normal: list[str], place: Where, shell: Any, *, script: bool
    ) -> None:
        """Read a line that is no output of a shape we know: a file, a bare number, JSON, a command."""
        alone = whole_number(words, 10**18)
        if self.outputs.command == "cma default_tos" and alone is not None and len(words) <= 3:
            self.lines_read += 1
            self.outputs.default_tos(alone, place)
        elif self.outputs.command.startswith("lldptool") and not self.outputs.tlv and alone is not None:
            self.lines_read += 1  # the seconds of "Time to Live"
        elif self.outputs.command == "ethtool -S" and (found := _counters.STATISTIC.fullmatch(words)) is not None:
            self.lines_read += 1
            self.outputs.statistic(found[1], found[2], place)
        elif words.startswith("/sys/"):
            self._file(words, place)
        elif words.startswith(_CONF):
            self._setting(words.removeprefix(_CONF), place, file=_apps.CONF, whole=True)
        elif self._setting(words, place, file=""):
            pass
        elif not script and _JSON.match(words):
            self._inline_json(lines, normal, place)
        else:
            self._command(words, lines[place.line - 1], place, shell, script=script)

    def _inside(self) -> bool:
        return self.outputs.command in _WHOLE | self.family.whole or self.outputs.command.startswith("dcb ")

    def _file(self, words: str, place: Where) -> None:
        path, value = _sysfs.split_line(words)
        if self.family.counting.file(self.host.tally, path, value, place):
            self.lines_read += 1
        elif self.family.files.is_ours(path):
            self.lines_read += 1
            if not self.family.files.take(self.host, path, value, place):
                self.lines.append(Line(words, place))

    def _inline_json(self, lines: list[str], normal: list[str], place: Where) -> None:
        """Read JSON that stands between the command lines of a transcript."""
        end = place.line
        while end < len(lines) and not lines[end].startswith(("#", "$")):
            end += 1
        self._json("\n".join(lines[place.line - 1 : end]), 1, place)
        normal[place.line : end] = [""] * (end - place.line)

    def _command(self, words: str, line: str, place: Where, shell: Any, *, script: bool) -> None:
        behind = None if script else shell.prompt(line)
        bare_hash = words.startswith("#")
        taken: bool | None = None
        if self.outputs.command == "cat" and self.outputs.files and behind is None and not bare_hash:
            self._file(f"{self.outputs.files.pop(0)}:{words}", place)
            return
        if behind is not None and shell.looks_ours(f" {behind} "):
            taken = shell.take(behind, place, only_reading=bare_hash)
            if taken is None and not bare_hash:
                self.outputs.begin()
        elif behind is not None and not bare_hash:
            self.outputs.begin()  # the output of a command that is none of ours
        elif not bare_hash:
            taken = shell.take(words, place)
            if taken is None and not script:
                self.outputs.foreign()
                taken = False if self._inside() else None
        if taken is not None:
            self.lines_read += 1
            if not taken:
                self.lines.append(Line(words, place))

    def device(self, capture: Capture) -> Device:
        for item, place in self.outputs.links:
            name = item["ifname"]
            self.host.link(name, str(item.get("address", "")))
            if name in self.host.ports or len(self.outputs.links) == 1:
                _data.link(self.host.port(name, place), item, place)
        ports = self.host.build()
        apps = self.apps.found()
        if not ports and not apps:
            raise ReadError(f"{capture.file or 'this text'}: nothing of {self.family.expected}")
        model = self.outputs.models[0] if self.outputs.models else None
        return Device(
            capture.device,
            self.family.name,
            intern_ports(ports),
            kind="host",
            model=model,
            lines=tuple(self.lines),
            lines_read=self.lines_read,
            sample=self.host.tally.sample(),
            apps=apps,
            place=ports[0].place if ports else apps[0].place if apps else None,
        )


def _join(lines: list[str], normal: list[str]) -> None:
    """Join lines that end in a backslash with the next ones, at the number of the first."""
    at = 0
    while at < len(lines):
        first, parts = at, [normal[at]]
        while parts[-1].endswith("\\") and at + 1 < len(lines):
            at += 1
            parts[-1] = parts[-1][:-1]
            parts.append(normal[at])
            normal[at] = ""
        normal[first] = " ".join(" ".join(parts).split())[:_LONGEST_COMMAND]
        at += 1


def to_state(family: Family, capture: Capture) -> Device:
    """Read the texts of a host: what its NIC ports are set to, or what a script sets them to.

    Raises ReadError when no text says anything about a port of the family, or JSON or a rendered script is cut off.
    """
    reading = _Reading(family)
    for text in capture.texts:
        reading.text(text)
    return reading.device(capture)
