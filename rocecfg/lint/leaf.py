"""A leaf of the neutral state by its path ("mtu", "pfc.admin", "device.role"), and conditions on its value.

Conditions compare with constants only: equals, in, min, max, match. Their numbers may carry a unit ("100KB", "400G",
"30m", "200ms"); `match` is a glob (`leaf*`), so its time is bounded whatever a device says.
"""

from __future__ import annotations

import types
from dataclasses import dataclass, is_dataclass
from fnmatch import fnmatchcase
from fractions import Fraction
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

from rocecfg import units
from rocecfg.errors import UsageError, did_you_mean
from rocecfg.state.codec import type_hints
from rocecfg.state.model import NEVER, Amount, Device, Port, PortQos, PriorityGroup, Queue

OPERATORS = ("equals", "in", "min", "max", "match")
LONGEST_PATTERN = 200
LONGEST_VALUE = 1000
_RATES = {"speed", "speed_now", "guarantee", "shaper"}
_MILLISECONDS = {"poll", "detect", "restore", "storm_timeout"}
_SIZES = {"mtu", "active_mtu"}
_NO_LEAVES = {"places", "place", "ports", "objects", "lines"}
_SUBJECTS: dict[str, type] = {"devices": Device, "ports": Port, "queues": Queue, "priority-groups": PriorityGroup}
SUBJECTS = tuple(_SUBJECTS)


class Leaf(NamedTuple):
    """Where a value is found from a subject: the object it starts at, the fields to walk, and what it holds."""

    text: str
    start: str
    """ "device", "port", "self" or "number"."""
    steps: tuple[str, ...]
    kinds: tuple[Any, ...]

    @property
    def name(self) -> str:
        """The last word of the path."""
        return self.steps[-1] if self.steps else self.text

    def value(self, subjects: dict[str, Any]) -> Any:
        """Return the value for a subject with its port and device; None when the state does not say."""
        found = subjects[self.start]
        for step in self.steps:
            found = getattr(found, step, None)
            if found is None:
                return None
        if isinstance(found, Amount):
            return found.bytes
        return found


def find(subject: str, path: str) -> Leaf:
    """Return the leaf that a path names for a kind of subject. Raises UsageError with the nearest known word."""
    head, *rest = path.split(".")
    if head == "device" and rest:
        return _walked(path, "device", Device, rest)
    if head == "port" and rest and subject in {"queues", "priority-groups"}:
        return _walked(path, "port", Port, rest)
    if path == "number" and subject in {"queues", "priority-groups"}:
        return Leaf(path, path, (), (int,))
    return _walked(path, "self", _SUBJECTS[subject], [head, *rest])


def _walked(path: str, start: str, kind: type, steps: list[str]) -> Leaf:
    """Follow a path through the types of the state. What lies below a port's `qos` may be written without it."""
    if kind is Port and steps[0] not in type_hints(Port) and steps[0] in type_hints(PortQos):
        steps = ["qos", *steps]
    kinds: list[Any] = [kind]
    for step in steps:
        known = {name: hint for each in _tables(kinds) for name, hint in type_hints(each).items()}
        known = {name: hint for name, hint in known.items() if name not in _NO_LEAVES}
        if step not in known:
            known |= type_hints(PortQos) if Port in kinds else {}
            near = did_you_mean(step, known) if known else ": there is nothing below"
            raise UsageError(f'"{path}": unknown field "{step}"{near}')
        kinds = _arms(known[step])
    inner = [name for each in _tables(kinds) if each is not Amount for name in type_hints(each)]
    if inner:
        raise UsageError(f'"{path}" holds several values: name one of {", ".join(inner)}')
    if any(get_origin(each) not in {None, frozenset, Literal} for each in kinds):
        raise UsageError(f'"{path}" is a table: nothing to compare with a constant')
    return Leaf(path, start, tuple(steps), tuple(kinds))


def _tables(kinds: list[Any]) -> list[Any]:
    return [each for each in kinds if is_dataclass(each)]


def _arms(hint: Any) -> list[Any]:
    if get_origin(hint) in {Union, types.UnionType}:
        return [arm for arm in get_args(hint) if arm is not type(None)]
    return [hint]


@dataclass(frozen=True, slots=True)
class Condition:
    """One leaf and what is asked of it: operator and constant."""

    leaf: Leaf
    operator: str
    wanted: Any

    def holds(self, value: Any) -> bool:
        """Return whether a known value fulfils the condition."""
        if self.operator == "equals":
            return bool(value == self.wanted)
        if self.operator == "in":
            return value in self.wanted
        if self.operator == "match":
            return fnmatchcase(str(value)[:LONGEST_VALUE], self.wanted)
        endless = value == NEVER and self.leaf.name in _RATES | _MILLISECONDS
        if self.operator == "min":
            return endless or bool(value >= self.wanted)
        return not endless and bool(value <= self.wanted)

    def shown(self) -> str:
        """Return what is wanted, in words."""
        wanted = self.wanted
        if self.operator == "in":
            return "one of " + ", ".join(self.text(item) for item in wanted)
        words = {"equals": "{}", "min": "{} or more", "max": "{} or less", "match": 'a value like "{}"'}
        return words[self.operator].format(wanted if self.operator == "match" else self.text(wanted))

    def text(self, value: Any) -> str:
        """Return a value of this leaf with its unit."""
        name = self.leaf.name
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, frozenset):
            return ", ".join(map(str, sorted(value))) or "none"
        if isinstance(value, int | Fraction):
            if value == NEVER and name in _RATES | _MILLISECONDS:
                return "unlimited" if name in _RATES else "never"
            if Amount in self.leaf.kinds:
                return f"{value} bytes"
            if name in _RATES and isinstance(value, int):
                return units.print_rate(value)
            if name in _MILLISECONDS:
                return f"{value} ms"
        return str(value)


def conditions(subject: str, table: Any, where: str) -> tuple[Condition, ...]:
    """Return the conditions of `where:` or `require:`. Raises UsageError naming the path and what would be accepted."""
    if not isinstance(table, dict) or not table:
        raise UsageError(f"{where}: a table such as {{mtu: {{min: 9000}}}} is expected")
    found: list[Condition] = []
    for path, asked in table.items():
        try:
            leaf = find(subject, str(path))
            found += [Condition(leaf, word, value) for word, value in _asked(leaf, asked)]
        except UsageError as error:
            raise UsageError(f"{where}: {error}") from error
    return tuple(found)


def _asked(leaf: Leaf, asked: Any) -> list[tuple[str, Any]]:
    if not isinstance(asked, dict):
        several = isinstance(asked, list) and not _is_set(leaf)
        asked = {"in" if several else "equals": asked}
    if not asked:
        raise UsageError(f'"{leaf.text}": nothing is asked; known: {", ".join(OPERATORS)}')
    for word in asked:
        if word not in OPERATORS:
            near = did_you_mean(str(word), OPERATORS)
            raise UsageError(f'"{leaf.text}": unknown operator "{word}"{near} Known: {", ".join(OPERATORS)}')
    return [(word, _constant(leaf, word, value)) for word, value in asked.items()]


def _is_set(leaf: Leaf) -> bool:
    return any(get_origin(kind) is frozenset for kind in leaf.kinds)


def _constant(leaf: Leaf, word: str, value: Any) -> Any:
    if word == "match":
        if not isinstance(value, str) or not 0 < len(value) <= LONGEST_PATTERN:
            raise UsageError(f'"{leaf.text}": match takes a glob of 1 to {LONGEST_PATTERN} characters')
        return value
    if word == "in":
        if not isinstance(value, list) or not value:
            raise UsageError(f'"{leaf.text}": in takes a list')
        return tuple(_one(leaf, item) for item in value)
    if word in {"min", "max"} and not any(kind in {int, Fraction, Amount} for kind in leaf.kinds):
        raise UsageError(f'"{leaf.text}" is no number: {word} cannot compare it')
    if _is_set(leaf):
        if not isinstance(value, list) or not all(isinstance(item, int | str) for item in value):
            raise UsageError(f'"{leaf.text}" is a set: write a list of its members')
        return frozenset(value)
    return _one(leaf, value)


def _one(leaf: Leaf, value: Any) -> Any:
    """Return a constant in the unit of the state. Raises UsageError when the leaf can never have it."""
    kinds = leaf.kinds
    words = [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
    if words:
        if value not in words:
            near = did_you_mean(str(value), map(str, words))
            raise UsageError(f'"{leaf.text}": {value!r} is none of {", ".join(map(str, words))}{near}')
        return value
    if bool in kinds and isinstance(value, bool):
        return value
    if any(kind in {int, Fraction, Amount} for kind in kinds) and not isinstance(value, bool):
        return _number(leaf, value)
    if str in kinds and isinstance(value, str):
        return value
    raise UsageError(f'"{leaf.text}": {value!r} is of another type than the field')


def _number(leaf: Leaf, value: Any) -> Any:
    if isinstance(value, int):
        return value
    name = leaf.name
    try:
        if isinstance(value, float):
            return Fraction(str(value))
        if Amount in leaf.kinds or name in _SIZES:
            return units.parse_size(value)
        if name in _RATES:
            return units.parse_rate(value)
        if name in _MILLISECONDS:
            return Fraction(units.parse_duration(value), 10**6)
        return units.parse_length(value) if name == "cable" else Fraction(str(value)[:50])
    except (ValueError, ZeroDivisionError) as error:
        raise UsageError(f'"{leaf.text}": {value!r} is no number: {error}') from error
