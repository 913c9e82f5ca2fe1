"""Reads a running configuration line by line: published ones lost their indentation, the words tell the section."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.grammar import grammar
from rocecfg.state.model import Line
from rocecfg.state.numbers import number_set, whole_number
from rocecfg.state.sections import expand_numbers, text_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.state.grammar import Record
    from vendors.dell_sonic.config import Config, Interface, Named

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))

MOST_PORT_REFERENCES = 100_000
"""Ports named by all headers of one text, ranges expanded; a text with more is not a switch's."""
_PROMPT = re.compile(r"^[\w.-]{1,64}(?:\((?:config|conf)[^)\n]{0,80}\))?#[ \t]?")
_OUR_FIRST = frozenset(
    {"qos", "priority-flow-control", "buffer", "roce", "dcbx", "scheduler-policy", "qos-map", "cable-length",
     "hostname", "interface"}
)  # fmt: skip
_BODY_FIRST = frozenset(
    {"dscp", "dot1p", "traffic-class", "pfc-priority", "green", "yellow", "red", "ecn", "queue", "type", "weight",
     "cir", "cbs", "pir", "pbs", "meter-type", "mtu", "speed", "channel-group", "shutdown"}
)  # fmt: skip
_FOREIGN_FIRST = frozenset({"class-map", "policy-map", "router"})
"""What opens a section of another subject, also where no bang ends ours before it."""
_PLAIN = frozenset({"mtu", "speed", "channel", "shutdown", "no_shutdown", "hostname", "interface"})
"""Lines that are read and are not of our subject: they do not count."""
_MARKS = {"green", "yellow", "red", "green_yellow", "green_red", "yellow_red", "all", "none"}


def read_config(file: str, content: str) -> Config:
    """Return what a text says. Raises ReadError when it names more ports than a switch has."""
    return _Reader(file, content).config


class _Reader:
    """Goes through the lines; the section at work is what the last header opened."""

    def __init__(self, file: str, content: str) -> None:
        self.config: Config = _CONFIG.Config(file)
        self._named: Named | None = None
        self._queue: int | None = None
        self._ports: list[Interface] = []
        self._foreign = False
        self._references = 0
        lines = [self._words(line) for line in text_lines(content)]
        wanted = dict.fromkeys(text for text in lines if self._may_be_ours(text))
        records = grammar(_HERE.with_name("parse") / "config.ttp").read(wanted)
        fresh = True
        for number, text in enumerate(lines, 1):
            if not text or text.startswith("!"):
                fresh = fresh or text == "!"
                continue
            if text in ("exit", "end"):  # a session or script leaves a mode; the next header says where it goes on
                continue
            self._line(text, records.get(text), number, fresh=fresh)
            fresh = False

    @staticmethod
    def _words(line: str) -> str:
        text = _PROMPT.sub("", line) if "#" in line[:160] else line
        return " ".join(text.split())

    @staticmethod
    def _may_be_ours(text: str) -> bool:
        first, _, rest = text.partition(" ")
        word = rest.partition(" ")[0] if first == "no" else first
        return word in _OUR_FIRST or word in _BODY_FIRST

    def _line(self, text: str, record: Record | None, number: int, *, fresh: bool) -> None:
        header = _HEADERS.get(record.kind) if record is not None else None
        if record is not None and header is not None:
            self._foreign = False
            self._count(record.kind)
            if not header(self, record, number):
                self._refuse(text, number)
            return
        first = text.split(" ", 2)[1] if text.startswith("no ") else text.split(" ", 1)[0]
        # a policy of type qos may set the class of a packet in place of the maps, and is not resolved: it is reported
        ours = first in _OUR_FIRST or (bool(self._ports) and text.startswith("service-policy type qos "))
        if first in _FOREIGN_FIRST:
            self._close(foreign=True)
            return
        if not ours and (self._foreign or (fresh and not self._in_body(record))):
            self._close(foreign=True)
            return
        if record is not None and self._take(record, number):
            self._count(record.kind)
        elif ours or (self._named is not None and (not self._ports or first in _OUR_FIRST)):
            self.config.lines_read += 1
            self._refuse(text, number)

    def _in_body(self, record: Record | None) -> bool:
        """Return whether a line after a bang still belongs to the section: a queue of a policy, a line of a port."""
        return record is not None and (self._named is not None or bool(self._ports))

    def _count(self, kind: str) -> None:
        self.config.lines_read += kind not in _PLAIN

    def _refuse(self, text: str, number: int) -> None:
        self.config.lines.append(Line(text, self.config.where(number)))

    def _close(self, *, foreign: bool = False) -> None:
        self._named, self._queue, self._ports, self._foreign = None, None, [], foreign

    def open_map(self, record: Record, number: int) -> bool:
        """Begin a map; False for a kind that does not exist."""
        self._close()
        kind, name = record.values["kind"], record.values["name"]
        if kind not in _CONFIG.MAP_KINDS:
            self._foreign = True
            return False
        self._named = self.config.maps.setdefault((kind, name), _CONFIG.Named(kind, name, number))
        return True

    def open_policy(self, record: Record, number: int) -> bool:
        """Begin a WRED or scheduler policy."""
        self._close()
        table = self.config.wred if record.kind == "wred" else self.config.schedulers
        self._named = table.setdefault(record.values["name"], _CONFIG.Named(record.kind, record.values["name"], number))
        return True

    def open_interface(self, record: Record, number: int) -> bool:
        """Begin a port or a range of them; what has no PFC (VLAN, loopback) is passed over."""
        self._close()
        text = f"{record.values['name']} {record.values.get('number', '')}".strip().removeprefix("range ")
        single = _CONFIG.port_name(text)
        names = [single] if single else [_CONFIG.port_name(name) for name in expand_numbers(text, limit=600)]
        if not names or None in names:
            self._foreign = True  # a VLAN, loopback, management port: nothing of ours stands there
            return True
        self._references += len(names)
        if self._references > MOST_PORT_REFERENCES:
            raise ReadError(f"{self.config.file}:{number}: more than {MOST_PORT_REFERENCES} ports are named")
        self._ports = [
            self.config.interfaces.setdefault(str(name), _CONFIG.Interface(str(name), number)) for name in names
        ]
        return True

    def open_global(self, record: Record, number: int) -> bool:
        """Take a line of the switch as a whole. It ends whatever section was open, but for DCBX of a port."""
        kind, words, options = record.kind, record.values, self.config.options
        if kind in ("dcbx_global", "no_dcbx") and self._ports:
            for port in self._ports:
                port.settings["dcbx"] = (kind == "dcbx_global", number)
            return True
        self._close()
        if kind == "hostname":
            self.config.hostname = words["name"][:253]
        elif kind == "poll":
            poll = whole_number(words["milliseconds"], 3000, 100)
            if poll is not None:
                options["poll"] = (poll, number)
            return poll is not None
        elif kind in ("dcbx_global", "no_dcbx"):
            options["dcbx"] = (kind == "dcbx_global", number)
        elif kind in ("buffer_init", "no_buffer_init"):
            options["buffers"] = (kind == "buffer_init", number)
        elif kind in ("roce", "no_roce"):
            priorities = number_set(words.get("priorities", "3,4"), 7)
            options["roce"] = (priorities if kind == "roce" else None, number)
            return priorities is not None
        elif kind == "pool":
            size = whole_number(words["size"], 10**10)
            self.config.pools[words["name"]] = (size or 0, number)
            return size is not None
        return True

    def _take(self, record: Record, number: int) -> bool:
        if self._ports:
            return self._take_port(record, number)
        named = self._named
        if named is None:
            return False
        if named.kind == "wred":
            return self._take_wred(named, record, number)
        if named.kind == "scheduler":
            return self._take_scheduler(named, record, number)
        return bool(_CONFIG.take_entry(named, record, number))

    def _take_wred(self, named: Named, record: Record, number: int) -> bool:
        words = record.values
        if record.kind == "marks":
            colours = words["colours"].removeprefix("ecn_").replace("-", "_").replace(",", "_")
            if colours in _MARKS:
                named.entries["marks"] = (colours, number)
            return colours in _MARKS
        if record.kind != "curve" or words["colour"] not in ("green", "yellow", "red"):
            return False
        low, high = (whole_number(words[end], 10**7) for end in ("low", "high"))
        probability = whole_number(words.get("probability", "0"), 100)
        if low is None or high is None or probability is None:
            return False
        stated = probability if "probability" in words else None
        named.entries[words["colour"]] = ((low, high, stated), number)
        return True

    def _take_scheduler(self, named: Named, record: Record, number: int) -> bool:
        words, queue = record.values, self._queue
        if record.kind == "queue":
            self._queue = whole_number(words["queue"], 255)
            if self._queue is not None:
                named.entries.setdefault(self._queue, ({}, number))
            return self._queue is not None
        if queue is None or record.kind not in ("type", "weight", "rate", "peak"):
            return False
        stated: dict[str, Any] = named.entries[queue][0]
        if record.kind == "type":
            if words["word"] not in ("strict", "dwrr", "wrr"):
                return False
            stated["type"] = words["word"]
        elif record.kind == "weight":
            weight = whole_number(words["weight"], 1000, 1)
            if weight is None:
                return False
            stated["weight"] = weight
        elif record.kind == "peak":
            stated["peak"] = whole_number(words["rate"], 10**12)
        return True

    def _take_port(self, record: Record, number: int) -> bool:
        kind, words = record.kind, record.values
        if kind in ("pfc", "no_pfc"):
            priorities = number_set(words["priorities"], 7)
            for port in self._ports:
                for priority in priorities or ():
                    if kind == "pfc":
                        port.pfc[priority] = number
                    else:
                        port.pfc.pop(priority, None)
            return priorities is not None
        if kind == "queue_wred":
            queue = whole_number(words["queue"], 7)
            for port in self._ports:
                if queue is not None:
                    port.wred[queue] = (words["name"], number)
            return queue is not None
        meaning = _port_meaning(record)
        if meaning is None:
            return False
        for port in self._ports:
            for name, value in meaning.items():
                if value is None:
                    port.settings.pop(name, None)
                else:
                    port.settings[name] = (value, number)
        return True


def _port_meaning(record: Record) -> dict[str, Any] | None:
    """Return what a line of a port states by name (None takes it back), None for words that make no sense."""
    kind, words = record.kind, record.values
    if kind in ("bind", "unbind"):
        known = words["kind"] in _CONFIG.MAP_KINDS
        return {words["kind"]: words["name"] if kind == "bind" else None} if known else None
    if kind == "cable":
        metres = whole_number(words["metres"].removesuffix("m"), 2000, 1) if words["metres"].endswith("m") else None
        return None if metres is None else {"cable": metres}
    if kind in ("detect", "restore"):
        time = whole_number(words["milliseconds"], 60_000)
        return None if time is None else {kind: time, **({"watchdog": True} if kind == "detect" else {})}
    if kind == "action":
        return {"action": words["word"]} if words["word"] in ("drop", "forward", "alert") else None
    if kind in ("mtu", "speed"):
        number = whole_number(words[kind], 2_000_000)
        return None if number is None else {kind: number}
    plain: dict[str, dict[str, Any]] = {
        "port_scheduler": {"scheduler": words.get("name")},
        "asymmetric": {"asymmetric": True},
        "no_asymmetric": {"asymmetric": None},
        "watchdog_on": {"watchdog": True},
        "watchdog_off": {"watchdog": False},
        "channel": {"lag": f"PortChannel{words.get('number', '')[:4]}"},
        "shutdown": {"enabled": False},
        "no_shutdown": {"enabled": True},
        "known_port": {},
    }
    return plain.get(kind)


_HEADERS: dict[str, Callable[[_Reader, Record, int], bool]] = {
    "map": _Reader.open_map,
    "wred": _Reader.open_policy,
    "scheduler": _Reader.open_policy,
    "interface": _Reader.open_interface,
    **dict.fromkeys(
        ("hostname", "poll", "counter_poll", "dcbx_global", "no_dcbx", "buffer_init", "no_buffer_init", "roce",
         "no_roce", "pool", "profile", "known_global"),
        _Reader.open_global,
    ),
}  # fmt: skip
