"""The neutral state as plain data and back: JSON of `rocecfg parse`, YAML in rule examples and tests.

Shapes, chosen to be read by people: unknown leaves are left out; an amount is `"150 kbyte"` (bytes: `150000`); a
dynamic limit is `{alpha: "1/8"}`; sets are lists; fixed tables (queues, priority groups, maps) are mappings by
number; a DSCP map lists codes per class (`{3: [26], 0: [0-25, 27-63]}` is written `{"26": 3, "rest": 0}`).
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from rocecfg.errors import UsageError, did_you_mean
from rocecfg.state import counters, model
from rocecfg.state.model import Amount, CodeMap, Dynamic, Static, Where

_HIDDEN = {"places", "defaulted", "stated"}
_NUMBERED = {
    "tc_to_queue": 16,
    "tc_to_pg": 16,
    "priority_to_queue": 8,
    "priority_to_pg": 8,
    "queues": 8,
    "priority_groups": 8,
    "dscp_to_colour": 64,
    **dict.fromkeys(sorted(counters.BY_NUMBER), counters.NUMBERED),
}
"""Tuples that stand for a table by number: written as mappings."""


def to_plain(value: Any) -> Any:
    """Return a state object as JSON-ready data, leaving out what it does not know."""
    if isinstance(value, Amount):
        return _amount_text(value)
    if isinstance(value, Static):
        return {"at": to_plain(value.amount)}
    if isinstance(value, CodeMap):
        return _codes_plain(value)
    if isinstance(value, Where):
        return f"{value.file}:{value.line}"
    if is_dataclass(value) and not isinstance(value, type):
        return _fields_plain(value)
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    if isinstance(value, frozenset | set):
        return sorted(to_plain(item) for item in value)
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    return value


def _fields_plain(value: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for item in fields(value):
        leaf = getattr(value, item.name)
        if leaf is None or item.name in _HIDDEN or (item.name in {"objects", "lines", "ports"} and not leaf):
            continue
        if item.name in _NUMBERED:
            plain[item.name] = {str(number): to_plain(entry) for number, entry in enumerate(leaf) if entry is not None}
        else:
            plain[item.name] = to_plain(leaf)
    return plain


def _amount_text(amount: Amount) -> int | str:
    if amount.unit == "byte" and isinstance(amount.value, int):
        return amount.value
    return f"{amount.value} {amount.unit}"


def _codes_plain(codes: CodeMap) -> dict[str, Any]:
    counts: dict[int, int] = {}
    for to in codes.to:
        if to is not None:
            counts[to] = counts.get(to, 0) + 1
    rest = max(counts, key=lambda to: (counts[to], -to)) if None not in codes.to and counts else None
    plain: dict[str, Any] = {str(code): to for code, to in enumerate(codes.to) if to is not None and to != rest}
    if rest is not None:
        plain["rest"] = rest
    if codes.conflicts:
        plain["conflicts"] = {str(code): sorted(to) for code, to in codes.conflicts}
    return plain


def from_plain(kind: Any, data: Any, path: str = "") -> Any:
    """Build a state object of a class from plain data: the inverse of `to_plain`.

    Raises UsageError naming the path, the value and the known words.
    """
    if data is None:
        return None
    origin = get_origin(kind)
    if origin in {Union, types.UnionType}:
        return _one_of([arm for arm in get_args(kind) if arm is not type(None)], data, path)
    if origin is Literal:
        if data not in get_args(kind):
            raise UsageError(f"{path}: {data!r} is none of {', '.join(map(str, get_args(kind)))}")
        return data
    if kind is Amount:
        return _amount(data, path)
    if kind is CodeMap:
        return _code_map(data, path)
    if kind is Where:
        file, _, line = str(data).rpartition(":")
        return Where(file, int(line))
    if kind is Fraction:
        return Fraction(data)
    if isinstance(kind, type) and is_dataclass(kind):
        return _build(kind, data, path)
    return _container(kind, origin, data, path)


def _one_of(arms: list[Any], data: Any, path: str) -> Any:
    if Static in arms:
        return Static(_amount(data["at"], path)) if "at" in data else _build(Dynamic, data, path)
    if Fraction in arms and isinstance(data, str):
        return Fraction(data)
    return from_plain(arms[0] if arms[0] is not Fraction else arms[-1], data, path)


def _container(kind: Any, origin: Any, data: Any, path: str) -> Any:
    arguments = get_args(kind)
    if origin is frozenset:
        return frozenset(from_plain(arguments[0], item, path) for item in data)
    if origin is tuple:
        if isinstance(data, Mapping):
            count = _NUMBERED[path.rpartition(".")[2]]
            table = {int(number): item for number, item in data.items()}
            return tuple(from_plain(arguments[0], table.get(number), f"{path}.{number}") for number in range(count))
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return tuple(from_plain(arguments[0], item, path) for item in data)
        return tuple(from_plain(arm, item, path) for arm, item in zip(arguments, data, strict=True))
    if origin is not None and isinstance(data, Mapping):
        return {key: from_plain(arguments[1], item, f"{path}.{key}") for key, item in data.items()}
    return data


@lru_cache(maxsize=64)
def type_hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, vars(counters) | vars(model) | {"Mapping": Mapping, "Fraction": Fraction})


def _build(kind: type, data: Any, path: str) -> Any:
    if not isinstance(data, Mapping):
        raise UsageError(f"{path or kind.__name__}: a mapping is expected, not {data!r}")
    hints = type_hints(kind)
    values: dict[str, Any] = {}
    for key, item in data.items():
        if key not in hints:
            raise UsageError(f'{path or kind.__name__}: unknown field "{key}"{did_you_mean(str(key), hints)}')
        inner = f"{path}.{key}" if path else str(key)
        if kind is model.Device and key == "ports":
            values[key] = {
                name: _build(model.Port, {"name": name, **(port or {})}, f"{inner}.{name}")
                for name, port in item.items()
            }
        else:
            values[key] = from_plain(hints[key], item, inner)
    return kind(**values)


def _amount(data: Any, path: str) -> Amount:
    number, _, unit = str(data).partition(" ")
    unit = unit or "byte"
    if unit not in get_args(model.Unit):
        raise UsageError(f'{path}: unit "{unit}" is none of {", ".join(get_args(model.Unit))}')
    value = Fraction(number)
    exact: int | Fraction = int(value) if value.denominator == 1 else value
    factor = {"byte": 1, "kbyte": 1000, "mbyte": 1_000_000}.get(unit)
    return Amount(exact, unit, None if factor is None else int(value * factor))  # type: ignore[arg-type]


def _code_map(data: Any, path: str) -> CodeMap:
    if not isinstance(data, Mapping):
        raise UsageError(f"{path}: codes to classes are expected, for example {{26: 3, rest: 0}}")
    codes = {int(code): to for code, to in data.items() if str(code).isdecimal()}
    size = 8 if path.endswith("pcp_to_tc") else 64
    made = model.code_map(codes, size, rest=data.get("rest"))
    conflicts = tuple((int(code), frozenset(to)) for code, to in data.get("conflicts", {}).items())
    return CodeMap(made.to, made.stated, conflicts)
