"""From the statements of a Junos text to a `Config`: each line is taken, or reported."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.grammar import grammar
from rocecfg.state.model import Line, Where

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from rocecfg.state.grammar import Record
    from vendors.junos.config import Binding, Classifier, Config, Ref, Scheduler
    from vendors.junos.scan import Scan, Statement

_HERE = Path(__file__).parent
_OBJECTS, _BINDINGS, _INTERFACES, _DCBX = (
    _HERE / "parse" / f"{name}.ttp" for name in ("class_of_service", "bindings", "interfaces", "dcbx")
)
_config = load_module(_HERE / "config.py")

ALIASES = {
    "be": 0, "ef": 46, "nc1": 48, "nc2": 56, "cs0": 0,
    **{f"cs{n}": n * 8 for n in range(1, 8)},
    **{f"af{c}{d}": c * 8 + d * 2 for c in range(1, 5) for d in range(1, 4)},
}  # fmt: skip
"""DSCP aliases that Junos knows by itself (RFC 2474, 2597, 3246; be, ef, afNN, csN seen in the validated files)."""
_PCP_ALIASES = {"be": 0, "be1": 1, "ef": 2, "ef1": 3, "af11": 4, "af12": 5, "nc1": 6, "nc2": 7}
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,6})?")
_RATE = re.compile(r"(\d{1,15})([kmg]?)")
_FACTOR = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}
_IGNORED_INTERFACE = re.compile(r"(?:lo|irb|em|fxp|vme|me|re\d|vtep|gr-|lsi|pfe|pfh|jsrv|fti|bme|cbp|pip|vlan|esi|st|mgmt)")
_RANGE_END = re.compile(r"(.*?)(\d{1,4})((?::\d{1,2})?)")
_LARGEST_RANGE = 1024


def rate(text: str) -> int | None:
    """Return a Junos rate (`16g`, `8000000`) in bit/s."""
    found = _RATE.fullmatch(text)
    return int(found[1]) * _FACTOR[found[2]] if found else None


def _words(phrase: str) -> list[str]:
    """Return the words of a list, with or without its brackets."""
    return [word for word in phrase.split() if word not in {"[", "]"}]


def is_port(name: str) -> bool:
    """Return whether an interface is a front-panel port or an aggregate of them."""
    return _IGNORED_INTERFACE.match(name) is None


class Reader:
    """Fills a Config from the statements of one text."""

    def __init__(self, config: Config, file: str) -> None:
        self.config, self.file = config, file
        self.lines: list[Line] = []
        self.count = 0
        self.aliases: dict[str, dict[str, int]] = {"dscp": dict(ALIASES), "ieee-802.1": dict(_PCP_ALIASES)}
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
        self._each(aliases, _OBJECTS, "class-of-service", self._object)
        self._each(objects, _OBJECTS, "class-of-service", self._object)
        records = grammar(_BINDINGS).read(text for found in bindings.values() for text, _ in found)
        for name, found in bindings.items():
            self._binding(name, found, records)

    def _object(self, kind: str, values: Mapping[str, str], where: Where) -> bool:
        if kind == "known":
            return True
        handler: Callable[[Mapping[str, str], Where], bool] = getattr(self, f"_take_{kind}")
        return handler(values, where)

    def code(self, kind: str, word: str) -> int | None:
        """Return a code point written as bits or as an alias."""
        size = {"dscp": 6, "ieee-802.1": 3}.get(kind)
        if size is not None and len(word) == size and not word.strip("01"):
            return int(word, 2)
        return self.aliases.get(kind, {}).get(word)

    def _take_alias(self, values: Mapping[str, str], _: Where) -> bool:
        if values["bits"].strip("01") or len(values["bits"]) > 6:
            return False
        self.aliases.setdefault(values["kind"], {})[values["alias"]] = int(values["bits"], 2)
        return True

    def _classifier(self, values: Mapping[str, str], where: Where) -> Classifier:
        key = (values["kind"], values["name"])
        found = self.config.classifiers.get(key)
        if found is None:
            place = self.opened_at(f"classifiers {key[0]} {key[1]}", where.line)
            found = self.config.classifiers[key] = _config.Classifier(*key, place)
        return found

    def _take_codes(self, values: Mapping[str, str], where: Where) -> bool:
        kind = values["kind"]
        if kind not in {"dscp", "ieee-802.1"}:
            return kind in {"dscp-ipv6", "inet-precedence", "exp", "ieee-802.1ad"}  # known, not our traffic
        classifier, understood = self._classifier(values, where), True
        for word in _words(values["codes"]):
            code = self.code(kind, word)
            if code is None:
                understood = False
            else:
                classifier.codes[code] = _config.CodeClass(values["class"], values["loss"], where)
        return understood

    def _take_classifier_import(self, values: Mapping[str, str], where: Where) -> bool:
        self._classifier(values, where).imports = values["imported"]
        return True

    def _take_mark(self, values: Mapping[str, str], where: Where) -> bool:
        key = (values["kind"], values["name"])
        if key[0] != "dscp":
            return key[0] in {"dscp-ipv6", "ieee-802.1", "ieee-802.1ad", "inet-precedence", "exp"}
        code = self.code("dscp", values["code"])
        if code is None:
            return False
        marks = self.config.marks.setdefault(key, {})
        marks.setdefault(values["class"], {})[values["loss"]] = (code, where)
        return True

    def _take_curve(self, values: Mapping[str, str], where: Where) -> bool:
        profile = self._drop_profile(values["name"], where)
        numbers: list[int | Fraction] = []
        text = values.get("levels") or values["probabilities"]
        for word in _words(text.replace("drop-probability", "|")):
            if word == "|":
                profile.levels += numbers
                profile.levels_place = where
                numbers, values = [], {"probabilities": ""}
            elif _NUMBER.fullmatch(word) is None:
                return False
            else:
                number = Fraction(word)
                numbers.append(int(number) if number.denominator == 1 else number)
        if any(number > 100 for number in numbers):
            return False
        if "levels" in values:
            profile.levels += numbers
            profile.levels_place = profile.levels_place or where
        else:
            profile.probabilities += [int(number) for number in numbers]
        return True

    def _take_step(self, values: Mapping[str, str], where: Where) -> bool:
        profile = self._drop_profile(values["name"], where)
        if _NUMBER.fullmatch(values["level"]) is None:
            return False
        level = Fraction(values["level"])
        profile.levels.append(int(level) if level.denominator == 1 else level)
        profile.probabilities.append(int(values["probability"]))
        profile.levels_place = profile.levels_place or where
        return True

    def _drop_profile(self, name: str, where: Where) -> Any:
        found = self.config.drop_profiles.get(name)
        if found is None:
            place = self.opened_at(f"drop-profiles {name}", where.line)
            found = self.config.drop_profiles[name] = _config.DropProfile(name, place)
        return found

    def _take_partition(self, values: Mapping[str, str], where: Where) -> bool:
        direction, name = values["direction"], values["name"]
        if direction not in {"ingress", "egress"} or name not in {"lossless", "lossless-headroom", "lossy", "multicast"}:
            return False
        place = self.opened_at(f"shared-buffer {direction} buffer-partition {name}", where.line)
        found = self.config.partitions.setdefault((direction, name), _config.Partition(direction, name, place=place))
        if "percent" in values:
            found.percent = int(values["percent"])
            return bool(found.percent <= 100)
        found.index = int(values["index"])
        return bool(found.index <= 10)

    def _class(self, name: str, where: Where) -> Any:
        place = self.opened_at(f"forwarding-classes class {name}", where.line)
        return self.config.classes.setdefault(name, _config.ForwardingClass(name, place=place))

    def _take_class(self, values: Mapping[str, str], where: Where) -> bool:
        found = self._class(values["name"], where)
        settings = iter(_words(values["settings"]))
        for word in settings:
            if word == "no-loss":
                found.no_loss = True
            elif word in {"queue-num", "pfc-priority", "priority"}:
                value = next(settings, "")
                if word == "priority":
                    continue  # towards the fabric of a chassis
                if not value.isdecimal() or int(value) > (15 if word == "queue-num" else 7):
                    return False
                if word == "queue-num":
                    found.queue = int(value)
                else:
                    found.priority = int(value)
            else:
                return False
        return True

    def _take_class_of_queue(self, values: Mapping[str, str], where: Where) -> bool:
        if int(values["queue"]) > 15:
            return False
        self._class(values["name"], where).queue = int(values["queue"])
        return True

    def _profile(self, values: Mapping[str, str], where: Where) -> Any:
        name = values["name"]
        found = self.config.cn_profiles.get(name)
        if found is None:
            place = self.opened_at(f"congestion-notification-profile {name}", where.line)
            found = self.config.cn_profiles[name] = _config.CnProfile(name, place)
        return found

    def _take_cable(self, values: Mapping[str, str], where: Where) -> bool:
        profile = self._profile(values, where)
        if _NUMBER.fullmatch(values["metres"]) is None:
            return False
        metres = Fraction(values["metres"])
        profile.cable = int(metres) if metres.denominator == 1 else metres
        profile.places["cable"] = where
        return True

    def _take_input(self, values: Mapping[str, str], where: Where) -> bool:
        kind, bits = values["kind"], values["code"]
        profile = self._profile(values, where)
        # a CN profile takes bits only: an alias here is refused by the device
        code = self.code(kind, bits) if not bits.strip("01") else None
        if code is None:
            return False
        entry = profile.inputs.setdefault(kind, {}).setdefault(code, _config.Input(place=where))
        profile.places.setdefault("input", where)
        settings = iter(values.get("settings", "").split())
        for word in settings:
            if word == "pfc":
                entry.pfc, entry.place = True, where
            elif word in {"mru", "xon"}:
                number = next(settings, "")
                if not number.isdecimal():
                    return False
                setattr(entry, word, int(number))
            else:
                return False
        return True

    def _take_output(self, values: Mapping[str, str], where: Where) -> bool:
        code = self.code("ieee-802.1", values["code"]) if not values["code"].strip("01") else None
        queues = _words(values["queues"])
        if code is None or not all(queue in "01234567" for queue in queues):
            return False
        profile = self._profile(values, where)
        profile.output[code] = profile.output.get(code, frozenset()) | {int(queue) for queue in queues}
        profile.places.setdefault("output", where)
        return True

    def _take_watchdog(self, values: Mapping[str, str], where: Where) -> bool:
        profile = self._profile(values, where)
        if profile.watchdog is None:
            place = self.opened_at(f"congestion-notification-profile {profile.name} pfc-watchdog", where.line)
            profile.watchdog = _config.Watchdog(place=place)
        settings = iter(values.get("settings", "").split())
        for word in settings:
            value = next(settings, "")
            if word == "watchdog-action" and value in {"drop", "forward"}:
                profile.watchdog.action = value
            elif word in {"poll-interval", "detection", "recovery"} and value.isdecimal() and len(value) < 10:
                setattr(profile.watchdog, "poll" if word == "poll-interval" else word, int(value))
            else:
                return False
            profile.places[f"watchdog.{word}"] = where
        return True

    def _take_scheduler_of(self, values: Mapping[str, str], where: Where) -> bool:
        name = values["map"]
        place = self.opened_at(f"scheduler-maps {name}", where.line)
        self.config.map_places.setdefault(name, place)
        self.config.scheduler_maps.setdefault(name, {})[values["class"]] = _config.Ref(values["scheduler"], where)
        return True

    def _scheduler(self, values: Mapping[str, str], where: Where) -> Scheduler:
        name = values["name"]
        found = self.config.schedulers.get(name)
        if found is None:
            place = self.opened_at(f"schedulers {name}", where.line)
            found = self.config.schedulers[name] = _config.Scheduler(name, place)
        return found

    def _take_scheduler(self, values: Mapping[str, str], where: Where) -> bool:
        self._scheduler(values, where)  # a setting we do not model still defines it
        return True

    def _take_drop(self, values: Mapping[str, str], where: Where) -> bool:
        if values["loss"] not in {"any", "low", "medium-low", "medium-high", "high"}:
            return False
        scheduler = self._scheduler(values, where)
        scheduler.drops[values["loss"]] = _config.Ref(values["profile"], where)
        scheduler.places.setdefault("drop", where)
        return True

    def _take_ecn(self, values: Mapping[str, str], where: Where) -> bool:
        self._scheduler(values, where).ecn = where
        return True

    def _take_non_ect(self, values: Mapping[str, str], where: Where) -> bool:
        self._scheduler(values, where).keeps_non_ect = True
        return True

    def _take_served(self, values: Mapping[str, str], where: Where) -> bool:
        scheduler = self._scheduler(values, where)
        scheduler.priority = values["priority"]
        scheduler.places["scheduler"] = where
        return values["priority"] in {"low", "medium-low", "medium-high", "high", "strict-high"}

    def _take_percent(self, values: Mapping[str, str], where: Where) -> bool:
        scheduler = self._scheduler(values, where)
        scheduler.percent = int(values["percent"])
        scheduler.places["weight"] = where
        return scheduler.percent <= 100

    def _take_rate(self, values: Mapping[str, str], where: Where) -> bool:
        scheduler = self._scheduler(values, where)
        scheduler.rate = rate(values["rate"])
        scheduler.places["guarantee"] = where
        return scheduler.rate is not None

    def _take_shaper(self, values: Mapping[str, str], where: Where) -> bool:
        scheduler = self._scheduler(values, where)
        scheduler.shaper = rate(values["rate"])
        scheduler.places["shaper"] = where
        return scheduler.shaper is not None

    def _take_threshold(self, values: Mapping[str, str], where: Where) -> bool:
        scheduler = self._scheduler(values, where)
        scheduler.threshold = int(values["index"])
        scheduler.places["limit"] = where
        return scheduler.threshold <= 10

    def _take_traffic_profile(self, values: Mapping[str, str], where: Where) -> bool:
        self.config.traffic_profiles[values["name"]] = _config.Ref(values["map"], where)
        return True

    def _take_class_set(self, values: Mapping[str, str], where: Where) -> bool:
        self.config.class_sets.setdefault(values["name"], where)
        return True

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
            if record.kind == "pause_half" and not _is_pause_half(record.values):
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


def _setting(found: Any, kind: str, values: Mapping[str, str], where: Where) -> None:
    """Store one line of an interface."""
    if kind == "mtu":
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
