"""Takes the statements of `class-of-service`, one handler for each shape of `parse/class_of_service.ttp`."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.numbers import DSCP_NAMES, whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rocecfg.state.model import Where
    from vendors.junos.config import Classifier, Config, Scheduler

_config = load_module(Path(__file__).with_name("config.py"))

ALIASES = {
    "be": 0, "nc1": 48, "nc2": 56, "cs0": 0, **DSCP_NAMES,
}  # fmt: skip
"""DSCP aliases that Junos knows by itself (RFC 2474, 2597, 3246; be, ef, afNN, csN seen in the validated files)."""
_PCP_ALIASES = {"be": 0, "be1": 1, "ef": 2, "ef1": 3, "af11": 4, "af12": 5, "nc1": 6, "nc2": 7}
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,6})?")
_RATE = re.compile(r"(\d{1,15})([kmg]?)")
_FACTOR = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


def rate(text: str) -> int | None:
    """Return a Junos rate (`16g`, `8000000`) in bit/s."""
    found = _RATE.fullmatch(text)
    return int(found[1]) * _FACTOR[found[2]] if found else None


def _words(phrase: str) -> list[str]:
    """Return the words of a list, with or without its brackets."""
    return [word for word in phrase.split() if word not in {"[", "]"}]


class Objects:
    """Fills the named objects of a Config. A handler that returns False did not understand its line."""

    def __init__(self, config: Config, opened_at: Callable[[str, int], Where]) -> None:
        self.config, self.opened_at = config, opened_at
        self.aliases: dict[str, dict[str, int]] = {"dscp": dict(ALIASES), "ieee-802.1": dict(_PCP_ALIASES)}

    def take(self, kind: str, values: Mapping[str, str], where: Where) -> bool:
        """Store one statement; False = it says something we do not know."""
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
        if direction not in {"ingress", "egress"} or name not in {
            "lossless",
            "lossless-headroom",
            "lossy",
            "multicast",
        }:
            return False
        place = self.opened_at(f"shared-buffer {direction} buffer-partition {name}", where.line)
        found = self.config.partitions.setdefault((direction, name), _config.Partition(direction, name, place=place))
        if "percent" in values:
            percent = whole_number(values["percent"], 100)
            found.percent = found.percent if percent is None else percent
            return percent is not None
        index = whole_number(values["index"], 10)
        found.index = found.index if index is None else index
        return index is not None

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
                number = whole_number(next(settings, ""), 15 if word == "queue-num" else 7)
                if word == "priority":
                    continue  # towards the fabric of a chassis
                if number is None:
                    return False
                if word == "queue-num":
                    found.queue = number
                else:
                    found.priority = number
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
                number = whole_number(next(settings, ""), 10**18)
                if number is None:
                    return False
                setattr(entry, word, number)
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
            elif (
                word in {"poll-interval", "detection", "recovery"} and (time := whole_number(value, 10**9)) is not None
            ):
                setattr(profile.watchdog, "poll" if word == "poll-interval" else word, time)
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
        return values["priority"] in {"low", "medium-low", "medium-high", "high", "strict-high", "low-latency"}

    def _take_percent(self, values: Mapping[str, str], where: Where) -> bool:
        percent = whole_number(values["percent"], 100)
        if percent is None:
            return False
        scheduler = self._scheduler(values, where)
        scheduler.percent = percent
        scheduler.places["weight"] = where
        return True

    def _take_rate(self, values: Mapping[str, str], where: Where) -> bool:
        scheduler = self._scheduler(values, where)
        scheduler.rate = rate(values["rate"])
        scheduler.places["guarantee"] = where
        return scheduler.rate is not None

    def _take_shaper(self, values: Mapping[str, str], where: Where) -> bool:
        scheduler = self._scheduler(values, where)
        scheduler.places["shaper"] = where
        share = whole_number(values.get("percent"), 100)
        scheduler.shaper, scheduler.shaper_share = rate(values["rate"]) if "rate" in values else None, share
        return (scheduler.shaper, share) != (None, None)

    def _take_threshold(self, values: Mapping[str, str], where: Where) -> bool:
        index = whole_number(values["index"], 10)
        if index is None:
            return False
        scheduler = self._scheduler(values, where)
        scheduler.threshold = index
        scheduler.places["limit"] = where
        return True

    def _take_traffic_profile(self, values: Mapping[str, str], where: Where) -> bool:
        self.config.traffic_profiles[values["name"]] = _config.Ref(values["map"], where)
        return True
