"""From the statements of a Junos text to a `Config`: each line is taken, or reported."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.grammar import grammar
from rocecfg.state.model import Line, Where
from rocecfg.state.numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from rocecfg.state.grammar import Record
    from vendors.junos.config import Binding, Config, Ref
    from vendors.junos.scan import Scan, Statement

_HERE = Path(__file__).parent
_OBJECTS, _BINDINGS, _INTERFACES, _DCBX = (
    _HERE / "parse" / f"{name}.ttp" for name in ("class_of_service", "bindings", "interfaces", "dcbx")
)
_config, _objects = (load_module(_HERE / f"{name}.py") for name in ("config", "read_objects"))
rate = _objects.rate

_IGNORED_INTERFACE = re.compile(
    r"(?:lo|irb|em|fxp|vme|me|re\d|vtep|gr-|lsi|pfe|pfh|jsrv|fti|bme|cbp|pip|vlan|esi|st|mgmt)"
)
_RANGE_END = re.compile(r"(.*?)(\d{1,4})((?::\d{1,2})?)")
_LARGEST_RANGE = 1024


def is_port(name: str) -> bool:
    """Return whether an interface is a front-panel port or an aggregate of them."""
    return _IGNORED_INTERFACE.match(name) is None


class Reader:
    """Fills a Config from the statements of one text."""

    def __init__(self, config: Config, file: str) -> None:
        self.config, self.file = config, file
        self.lines: list[Line] = []
        self.count = 0
        self.opened: Mapping[str, int] = {}

    def read(self, scan: Scan, missing: Mapping[str, int]) -> None:
        """Take every statement of a scanned text."""
        config, self.opened = self.config, scan.opened
        config.host = config.host or scan.host
        config.version = config.version or scan.version
        config.has_cos |= "class-of-service" in scan.seen
        config.has_interfaces |= "interfaces" in scan.seen
        for name, line in missing.items():
            config.missing_groups.setdefault(name, Where(self.file, line))
        for text, line in scan.junk:
            self.refuse(text, line)
        self.count += len(scan.junk) + scan.silent
        statements = scan.statements
        for text, _ in statements.get("system", ()):
            if text.startswith("host-name "):
                config.host = text[10:]
        self.interfaces(statements.get("interfaces", ()))
        self.class_of_service(statements.get("class-of-service", ()))
        block = self.opened.get("congestion-notification-profile")
        if block is not None and len(config.cn_profiles) == 1:
            # The block and its only profile are one thing to a reader: it begins where the block does.
            next(iter(config.cn_profiles.values())).place = Where(self.file, block)
        self.dcbx([s for s in statements.get("protocols", ()) if s[0].startswith("dcbx ")])
        self.speeds(statements.get("chassis", ()))

    def refuse(self, text: str, line: int) -> None:
        """Report a statement as not understood."""
        self.lines.append(Line(text, Where(self.file, line)))

    def opened_at(self, path: str, line: int) -> Where:
        """Return where an object begins: the line of its block, else the first line that names it."""
        return Where(self.file, self.opened.get(path, line))

    def _each(
        self, statements: list[Statement], file: Path, shown: str, take: Callable[[str, Any, Where], bool]
    ) -> None:
        """Read statements with a grammar and hand each record to `take`, which may refuse it."""
        records = grammar(file).read(text for text, _ in statements)
        for text, line in statements:
            record = records[text]
            if record is None or not take(record.kind, record.values, Where(self.file, line)):
                self.refuse(f"{shown} {text}", line)
        self.count += len(statements)

    # class-of-service -----------------------------------------------------------------------------------------

    def class_of_service(self, statements: Iterable[Statement]) -> None:
        """Take the objects and the bindings of `class-of-service`."""
        objects: list[Statement] = []
        aliases: list[Statement] = []
        bindings: dict[str, list[Statement]] = {}
        for statement in statements:
            text, line = statement
            if text.startswith("interfaces "):
                name, _, rest = text[11:].partition(" ")
                of_name = bindings.setdefault(name, [])
                if rest:
                    of_name.append((rest, line))
            elif text.startswith("code-point-aliases "):
                aliases.append(statement)
            else:
                objects.append(statement)
        take = _objects.Objects(self.config, self.opened_at).take
        self._each(aliases, _OBJECTS, "class-of-service", take)
        self._each(objects, _OBJECTS, "class-of-service", take)
        records = grammar(_BINDINGS).read(text for found in bindings.values() for text, _ in found)
        for name, found in bindings.items():
            self._binding(name, found, records)

    # bindings and interfaces ----------------------------------------------------------------------------------

    def _binding(self, name: str, statements: list[Statement], records: Mapping[str, Record | None]) -> None:
        first = statements[0][1] if statements else 0
        binding = self.config.bindings.get(name)
        if binding is None:
            place = self.opened_at(f"interfaces {name}", first)
            binding = self.config.bindings[name] = _config.Binding(name, place)
        for text, line in statements:
            record = records[text]
            if record is None:
                self.refuse(f"class-of-service interfaces {name} {text}", line)
                continue
            kind, values = record
            if kind != "known":
                _bind(binding, kind, values, _config.Ref(values["name"], Where(self.file, line)))
        self.count += len(statements)

    def interfaces(self, statements: Iterable[Statement]) -> None:
        """Take the interfaces of the device, ranges of them expanded."""
        interfaces = self.config.interfaces
        lines: dict[str, list[Statement]] = {}
        for text, line in statements:
            name, _, rest = text.partition(" ")
            found = interfaces.get(name)
            if found is None:
                if name == "interface-range":
                    name, _, rest = rest.partition(" ")
                    name = f"range {name}"
                elif not is_port(name):
                    continue
                found = interfaces.get(name)
                if found is None:
                    found = interfaces[name] = _config.Interface(name, Where(self.file, line))
            if rest[:5] == "unit ":
                words = rest.split(" ", 4)
                if words[1] not in found.units:
                    found.units.append(words[1])
                if len(words) > 3 and words[2] == "family":
                    found.families.add(words[3])
            elif rest:
                lines.setdefault(name, []).append((rest, line))
        records = grammar(_INTERFACES).read(text for found in lines.values() for text, _ in found)
        for name, of_name in lines.items():
            self._interface(name, of_name, records)
        for name in [name for name in interfaces if name.startswith("range ")]:
            interfaces.pop(name)

    def _interface(self, name: str, statements: list[Statement], records: Mapping[str, Record | None]) -> None:
        settings: list[Statement] = []
        members: list[str] = [] if name.startswith("range ") else [name]
        for text, line in statements:
            record = records[text]
            if record is None:
                if "flow-control" in text:
                    self.refuse(f"interfaces {name} {text}", line)
                    self.count += 1
                continue
            if (record.kind == "pause_half" and not _is_pause_half(record.values)) or (
                record.kind == "mtu" and not _is_mtu(record.values["mtu"])
            ):
                self.refuse(f"interfaces {name} {text}", line)
            elif record.kind == "member":
                members.append(record.values["name"])
            elif record.kind == "member_range":
                members += _range(record.values["first"], record.values["last"])
            if record.kind not in {"member", "member_range"}:
                settings.append((text, line))
            self.count += record.kind in {"mtu", "pause", "no_pause", "pause_half"}
        for member in dict.fromkeys(members):
            if any(mark in member for mark in "*[?"):
                continue
            found = self.config.interfaces.get(member)
            if found is None:
                found = self.config.interfaces[member] = _config.Interface(member, Where(self.file, statements[0][1]))
            for text, line in settings:
                record = records[text]
                if record is not None:
                    _setting(found, record.kind, record.values, Where(self.file, line))

    def dcbx(self, statements: list[Statement]) -> None:
        """Take `protocols dcbx`."""

        def take(kind: str, values: Mapping[str, str], where: Where) -> bool:
            name = values.get("name", "all")
            found = self.config.dcbx.setdefault(name, _config.Dcbx(place=where))
            if kind in {"off", "off_at"}:
                found.disabled = True
            elif kind == "version":
                found.version = values["version"]
            elif kind == "forced":
                found.forced_pfc = True
            return True

        rest = [(text[5:], line) for text, line in statements]
        self._each(rest, _DCBX, "protocols dcbx", take)

    def speeds(self, statements: Iterable[Statement]) -> None:
        """Take port speeds said under `chassis fpc N pic N port N`."""
        for text, _ in statements:
            words = text.split()
            if len(words) == 8 and words[0:5:2] == ["fpc", "pic", "port"] and words[6] == "speed":
                for kind in ("et", "xe"):
                    found = self.config.interfaces.get(f"{kind}-{words[1]}/{words[3]}/{words[5]}")
                    if found is not None and found.speed is None:
                        found.speed = rate(words[7].lower())


def _bind(binding: Binding, kind: str, values: Mapping[str, str], ref: Ref) -> None:
    """Store one line of `class-of-service interfaces NAME`."""
    if kind == "cn":
        binding.cn = ref
    elif kind == "map":
        if "unit" not in values:
            binding.maps = [ref]
    elif kind == "traffic_profile":
        binding.profiles.append(ref)
    elif kind == "classifier":
        binding.classifiers[values.get("unit", ""), values["kind"]] = ref
    elif kind == "fixed":
        binding.fixed[values.get("unit", "")] = ref
    elif kind == "rewrite":
        binding.rewrites[values.get("unit", ""), values["kind"]] = ref


def _range(first: str, last: str) -> list[str]:
    start, end = _RANGE_END.fullmatch(first), _RANGE_END.fullmatch(last)
    if start is None or end is None or start[1] != end[1] or start[3] or end[3]:
        return [first, last]
    low, high = int(start[2]), int(end[2])
    return [f"{start[1]}{number}" for number in range(low, min(high, low + _LARGEST_RANGE) + 1)]


def _is_pause_half(values: Mapping[str, str]) -> bool:
    return values["buffers"] in {"rx-buffers", "tx-buffers"} and values["state"] in {"on", "off"}


def _is_mtu(word: str) -> bool:
    return whole_number(word, 99_999) is not None


def _setting(found: Any, kind: str, values: Mapping[str, str], where: Where) -> None:
    """Store one line of an interface."""
    if kind == "mtu" and _is_mtu(values["mtu"]):
        found.mtu, found.places["mtu"] = int(values["mtu"]), where
    elif kind == "speed":
        found.speed = rate(values["speed"])
    elif kind == "sub_ports":
        found.sub_ports = int(values["count"])
        found.speed = rate(values["speed"]) if "speed" in values else found.speed
    elif kind == "disable":
        found.disabled = True
    elif kind == "lag":
        found.lag, found.places["lag"] = values["bundle"], where
    elif kind in {"pause", "no_pause"}:
        found.pause = dict.fromkeys(("rx", "tx"), kind == "pause")
        found.places["link_pause"] = where
    elif kind == "pause_half" and _is_pause_half(values):
        found.pause[values["buffers"][:2]] = values["state"] == "on"
        found.places["link_pause"] = where
