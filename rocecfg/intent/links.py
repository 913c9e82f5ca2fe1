"""The list of links: tens of thousands of them, read without a model object per link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocecfg.errors import Problem, did_you_mean
from rocecfg.intent import fields, patterns
from rocecfg.units import UnitError, shown
from rocecfg.yamlevents import MAX_PROBLEMS

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.intent.fields import Cable
    from rocecfg.yamlfile import Document, Place

_DEVICE, _PORT = fields.DEVICE_NAME, fields.PORT_NAME
LINK_KEYS = ("a", "b", "speed", "cable")


@dataclass(frozen=True, slots=True)
class LinkLine:
    """One line under `links`, still with its patterns; `pairs` = how many links it stands for."""

    a: str
    b: str
    speed: int | None
    cable: Cable | None
    place: Place
    pairs: int = 1


class LinkReader:
    """Reads the `links` list of a document and collects the problems."""

    def __init__(self, document: Document, *, speed_required: bool = True) -> None:
        self.problems: list[Problem] = []
        self._document = document
        self._speed_required = speed_required
        self._budget = patterns.MAX_LINKS
        self._known: dict[tuple[str, str], Any] = {}  # texts repeat: read each speed and cable once

    def read(self, items: Any) -> tuple[LinkLine, ...]:
        """Return the links in file order. Problems are in `self.problems`."""
        if not isinstance(items, list):
            place = self._document.key_place(("links",))
            self._add(
                place, f"links: {shown(items)} is no list", 'accepted: - {a: "leaf1:swp1", b: "gpu01:rail0", ...}'
            )
            return ()
        links = []
        for index, item in enumerate(items):
            if len(self.problems) > MAX_PROBLEMS:
                break
            if not isinstance(item, dict):
                place = self._document.child_place(items, index)
                self._add(place, f"links[{index}]: {shown(item)} is no link",
                          'accepted: {a: "leaf1:swp1", b: "gpu01:rail0", speed: 400G, cable: 5m dac}')  # fmt: skip
            elif link := self._link(item):
                links.append(link)
        return tuple(links)

    def _link(self, item: dict[str, Any]) -> LinkLine | None:
        if len(item) == 4 and "a" in item and "b" in item and "speed" in item and "cable" in item:
            before = 0
        else:
            before = self._keys(item)
        a: Any = item.get("a")
        b: Any = item.get("b")
        if before or not (self._end(item, "a", a) and self._end(item, "b", b)):
            return None
        pairs = 1
        if "[" in a or "[" in b or "]" in a or "]" in b:
            pairs = self._pairs(item, a, b)
        noted = len(self.problems)
        speed = self._quantity(item, "speed", fields.read_speed)
        cable = self._quantity(item, "cable", fields.read_cable)
        if not pairs or len(self.problems) > noted:
            return None
        return LinkLine(a, b, speed, cable, self._document.place_of(item), pairs)

    def _keys(self, item: dict[str, Any]) -> int:
        """Report unknown and missing keys; return how many required ones are missing."""
        for key in item:
            if key not in LINK_KEYS:
                place = self._document.child_place(item, key, key=True)
                near = did_you_mean(str(key), LINK_KEYS)
                self._add(place, f"link: unknown key {shown(key)}{near}", f"accepted: {', '.join(LINK_KEYS)}")
        required = ("a", "b", "speed") if self._speed_required else ("a", "b")
        missing = [key for key in required if key not in item]
        for key in missing:
            example = "speed: 400G" if key == "speed" else f'{key}: "leaf1:Ethernet1/1"'
            self._add(self._document.place_of(item), f'link: "{key}" is missing', f"add {example}")
        return len(missing)

    def _end(self, item: dict[str, Any], key: str, text: Any) -> bool:
        """Whether an end is `device:port`; reports it when not."""
        if isinstance(text, str):
            device, _, port = (patterns.literal(text) if "[" in text else text).partition(":")
            if _DEVICE.fullmatch(device) and _PORT.fullmatch(port) and len(text) <= 1000:
                return True
        place = self._document.child_place(item, key)
        self._add(place, f"link.{key}: {shown(text)} is no link end", 'accepted: "device:port", such as "leaf1:swp1"')
        return False

    def _pairs(self, item: dict[str, Any], a: str, b: str) -> int:
        counts = []
        for key, text in (("a", a), ("b", b)):
            try:
                counts.append(patterns.count(text))
            except UnitError as error:
                self._add(self._document.child_place(item, key), f"link.{key}: {error.message}", error.help)
        if len(counts) < 2:
            return 0
        left, right = counts
        if left != right and 1 not in counts:
            self._add(self._document.place_of(item),
                      f"link: a stands for {left:,} ports and b for {right:,}: {shown(a)}, {shown(b)}",
                      "both sides need the same number of names, or one side exactly one")  # fmt: skip
            return 0
        pairs = max(counts)
        if pairs > self._budget:
            self._add(self._document.place_of(item),
                      f"link: the links of this file stand for more than {patterns.MAX_LINKS:,} cables",
                      "check the ranges of this line")  # fmt: skip
            return 0
        self._budget -= pairs
        return pairs

    def _quantity(self, item: dict[str, Any], key: str, reader: Callable[[Any], Any]) -> Any:
        if key not in item:
            return None
        text = item[key]
        try:
            if not isinstance(text, str):
                return reader(text)
            found = self._known.get((key, text))
            if found is None:
                found = self._known[key, text] = reader(text)
        except UnitError as error:
            self._add(self._document.child_place(item, key), f"link.{key}: {error.message}", error.help)
            return None
        return found

    def _add(self, place: Place, message: str, help_text: str) -> None:
        self.problems.append(Problem(place.file, place.line, place.column, message, help_text))
