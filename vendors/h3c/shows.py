"""Reads the display commands of a Comware switch: PFC in operation, priority maps, WRED tables, version."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.counters import Tally, number
from rocecfg.state.model import Device, Line, Pfc, Port, PortQos, Where, intern_ports
from rocecfg.state.numbers import number_set, whole_number
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rocecfg.state.capture import Text

_NAMES = load_module(Path(__file__).with_name("names.py"))
_TOP_PORTS = 20_000
_LONGEST = 300
_WITHOUT_RATES = 3
_RULES = frozenset("=-+ ")
_PROMPT = re.compile(r"(?:<[^>]{1,80}>|\[[^\]]{1,80}\]) ?(?:dis(?:play)? .*)?")
_HEADINGS = ("Interface ", "Send ", "Conf -- ", "Ne -- ", "P -- ", "---- More")
_STATES = {
    "enabled": "on",
    "enable": "on",
    "on": "on",
    "disabled": "off",
    "disable": "off",
    "off": "off",
    "auto": "auto",
}
_LIST = re.compile(r"[0-7](?:-[0-7])?(?:,[0-7](?:-[0-7])?){0,7},?")
_MODEL = re.compile(r"^(?:H3C|HPE?) (.{2,60}?)(?: Switch)? uptime is ", re.MULTILINE)
_VERSION = re.compile(r"^(?:H3C )?Comware Software, Version ([^\n]{1,60})", re.MULTILINE)


def read_show(command: str, text: Text) -> Device:
    """Return what a display command says. Raises ReadError when nothing of it stands in the text."""
    return READERS[command](text)


def joined(stated: Port, shown: Port) -> Port:
    """Return a port of the configuration with what a display command adds: it never overrides a line."""
    pfc, seen = stated.qos.pfc, shown.qos.pfc
    if seen is None:
        return stated
    merged = seen
    if pfc is not None:
        tx, rx = (own if own is not None else other for own, other in ((pfc.tx, seen.tx), (pfc.rx, seen.rx)))
        merged = replace(pfc, admin=pfc.admin or seen.admin, tx=tx, rx=rx, oper=seen.oper)
    return replace(stated, qos=replace(stated.qos, pfc=merged), places={**shown.places, **stated.places})


def renamed(shown: Device, stated: Device) -> Device:
    """Return a display output under the configuration's port names: short forms differ by release, numbers do not."""
    by_number = {_NAMES.number_of(name): name for name in stated.ports if "/" in name}
    names = {name: by_number.get(_NAMES.number_of(name), name) for name in shown.ports}
    if all(name == full for name, full in names.items()):
        return shown
    sample = shown.sample
    if sample is not None:
        sample = replace(sample, ports={names.get(name, name): counted for name, counted in sample.ports.items()})
    ports = [replace(port, name=names[name]) for name, port in shown.ports.items()]
    return replace(shown, ports=intern_ports(ports), sample=sample)


def table_lines(text: Text) -> Iterator[tuple[int, str]]:
    """Yield the lines of a table with their numbers: words joined by one blank, rules and prompts left out."""
    for at, raw in enumerate(text_lines(text.content), 1):
        line = " ".join(raw[:_LONGEST].split())
        if line and not _RULES.issuperset(line) and _PROMPT.fullmatch(line) is None:
            yield at, line


class _Pfc:
    """The rows of `display priority-flow-control interface`, of which a long one is wrapped at 80 columns."""

    def __init__(self, text: Text) -> None:
        self.file = text.file
        self.ports: dict[str, Port] = {}
        self.tally = Tally()
        self.lines: list[Line] = []
        self.count = 0
        self._current = ""
        self._priority: int | None = None
        self._width = 0
        """Columns behind the list of priorities in the heading: 2 where it is wrapped, 3 without rates, 5."""
        self._awaits = False
        """The row's second part, from the frames sent on, stands on the next line."""

    def heading(self, line: str) -> None:
        """Take a line of the heading."""
        words = line.split(" ")
        if words[0] == "Interface" and "Dot1pList" in words:
            self._width = len(words) - words.index("Dot1pList") - 1

    def line(self, at: int, line: str) -> None:
        """Take a line."""
        words = line.split(" ")
        place = Where(self.file, at)
        name = _NAMES.short_port(words[0])
        taken = False
        if name is not None and len(words) > 2:
            taken = self._port(name, words[1:], place)
        elif self._current and all(number(word) is not None for word in words):
            taken = self._numbers(words, place)
        self.count += 1
        if not taken:
            self.lines.append(Line(line, place))

    def _port(self, name: str, words: list[str], place: Where) -> bool:
        admin, oper = (_STATES.get(word.lower()) for word in words[:2])
        if admin is None or oper not in ("on", "off"):
            return False
        rest = words[2:]
        listed: frozenset[int] = frozenset()
        # The list of priorities may be empty: then a row has two numbers, or five where it is not wrapped, or three.
        with_list = (1, 4) if self._width == _WITHOUT_RATES else (1, 3, 6)
        if rest and (len(rest) in with_list or not rest[0].isdecimal()):
            if _LIST.fullmatch(rest[0]) is None:
                return False
            listed = number_set(rest[0], 7) or frozenset()
            rest = rest[1:]
        if len(self.ports) >= _TOP_PORTS:
            raise ReadError(f"{self.file}:{place.line}: more than {_TOP_PORTS} ports")
        pfc = Pfc(admin=admin, tx=listed, rx=listed, oper=listed if oper == "on" else frozenset())  # type: ignore[arg-type]
        self.ports[name] = Port(name, PortQos(pfc=pfc), place=place, places={"pfc": place})
        self._current = name
        return not rest or self._numbers(rest, place)

    def _numbers(self, words: list[str], place: Where) -> bool:
        """Take priority, frames received and sent, and their rates, as far as they stand on this line."""
        if self._awaits and len(words) == 3:
            self._count("tx_pfc", words[0], place)
            self._awaits = False
            return True
        priority = whole_number(words[0], 7)
        if priority is None or len(words) not in (2, 3, 5):
            return False
        self._priority = priority
        self._count("rx_pfc", words[1], place)
        self._awaits = len(words) == 2
        if not self._awaits:
            self._count("tx_pfc", words[2], place)
        return True

    def _count(self, counter: str, word: str, place: Where) -> None:
        if self._priority is not None:
            self.tally.add(self._current, counter, number(word), place, self._priority)


def _read_pfc(text: Text) -> Device:
    rows = _Pfc(text)
    for at, line in table_lines(text):
        if line.startswith(_HEADINGS) or line in ("Interface", "Send Inpps Outpps"):
            rows.heading(line)
        else:
            rows.line(at, line)
    if not rows.ports:
        raise ReadError(f"{text.file}: no port in it: expected the table of display priority-flow-control interface")
    return Device(
        "",
        "h3c",
        ports=intern_ports(rows.ports.values()),
        source="applied",
        lines=tuple(rows.lines),
        lines_read=rows.count,
        sample=rows.tally.sample(),
        place=Where(text.file),
    )


def _read_version(text: Text) -> Device:
    model, version = _MODEL.search(text.content[:20_000]), _VERSION.search(text.content[:20_000])
    if version is None:
        raise ReadError(f"{text.file}: no version in it: expected the output of display version")
    return Device(
        "",
        "h3c",
        model=model[1].strip() if model is not None else None,
        os_version=version[1].strip(),
        source="applied",
        place=Where(text.file),
    )


_PORT_OF_DROPS = re.compile(r"([A-Za-z-]{2,30} ?[0-9/:]{3,20}):")
_DROPS = (
    (re.compile(r"Packets dropped due to insufficient data buffer\. Input dropped: ?(\S+) Output dropped: ?\S+"),
     "rx_buffer_drops"),
    (re.compile(r"Packets of ECN marked: ?(\S+)"), "marked_total"),
)  # fmt: skip
_OTHER_DROPS = re.compile(r"Packets (?:dropped due to|of) [A-Za-z (),/-]{3,80}: ?\S+")


def _read_drops(text: Text) -> Device:
    """Read `display packet-drop interface`: packets marked, and packets dropped at ingress for want of buffer."""
    tally, port = Tally(), ""
    ports: dict[str, Port] = {}
    lines: list[Line] = []
    count = 0
    for at, line in table_lines(text):
        place = Where(text.file, at)
        count += 1
        header = _PORT_OF_DROPS.fullmatch(line)
        if header is not None:
            name = _NAMES.short_port(header[1])
            port = name or ""
            if name is not None and len(ports) < _TOP_PORTS:
                ports[name] = Port(name, place=place)
            continue
        found = next(((counter, hit[1]) for shape, counter in _DROPS if (hit := shape.fullmatch(line))), None)
        if found is not None and port:
            tally.add(port, found[0], number(found[1]), place)
        elif not port or _OTHER_DROPS.fullmatch(line) is None:
            lines.append(Line(line, place))
    if not ports:
        raise ReadError(f"{text.file}: no port in it: expected the output of display packet-drop interface")
    return Device(
        "",
        "h3c",
        ports=intern_ports(ports.values()),
        source="applied",
        lines=tuple(lines),
        lines_read=count,
        sample=tally.sample(),
        place=Where(text.file),
    )


READERS: dict[str, Callable[[Text], Device]] = {
    "display-priority-flow-control": _read_pfc,
    "display-packet-drop": _read_drops,
    "display-version": _read_version,
}
