"""The kinds of value an intent holds: each reads what a person wrote and says what it accepts.

Every reader takes the plain YAML value and returns a number in base units, a word or a small tuple; it raises
`FieldError` with the value and the accepted forms. `auto_or` wraps a reader so that `auto` is accepted too.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from rocecfg import units
from rocecfg.errors import did_you_mean
from rocecfg.units import UnitError, shown
from rocecfg.yamlevents import WrittenFloat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Auto(Enum):
    """`auto`: let the planner decide, also where a broader level says something else."""

    AUTO = "auto"


AUTO = Auto.AUTO


class FieldError(UnitError):
    """A value that a field does not take: `message` shows the value, `help` what is accepted."""


class Cable(NamedTuple):
    """A cable: its length in metres, and its medium (`dac`, `aoc`, `fibre`, ...) when the intent says so."""

    length: units.Number
    media: str | None = None

    def __str__(self) -> str:
        return f"{units.print_length(self.length)} {self.media}" if self.media else units.print_length(self.length)


# medium -> other spellings people use
MEDIA: dict[str, tuple[str, ...]] = {
    "dac": ("copper", "twinax"),
    "aoc": (),
    "aec": ("acc",),
    "fibre": ("fiber", "optic", "optics", "sr", "dr", "fr", "lr"),
}
_MEDIA_WORDS = {word: medium for medium, others in MEDIA.items() for word in (medium, *others)}
_YAML_1_1_BOOLEANS = {
    "yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false",
}  # fmt: skip
_DSCP_PART = re.compile(r"([0-9]{1,3})(?:-([0-9]{1,3}))?")
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,126}")
# Device names become folder names; port names stand in configurations, some systems put blanks in them.
CLASS_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,60}")
DEVICE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,250}")
PORT_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.:/#()+ -]{0,250}[A-Za-z0-9_)])?")


def auto_or(reader: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a reader that takes `auto` as well."""

    def read(value: Any) -> Any:
        if value == "auto":
            return AUTO
        if value is None:
            raise FieldError("no value is written", "write auto, or remove the key")
        try:
            return reader(value)
        except UnitError as error:
            raise FieldError(error.message, f"{error.help}, or auto") from error

    return read


def read_whole(low: int, high: int) -> Callable[[Any], int]:
    """Return a reader of whole numbers of a range."""

    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise FieldError(f"{shown(value)} is not accepted", f"accepted: a whole number from {low} to {high}")
        return value

    return read


def read_word(*known: str) -> Callable[[Any], str]:
    """Return a reader of one word out of a list."""

    def read(value: Any) -> str:
        if isinstance(value, str) and value in known:
            return value
        near = did_you_mean(value.lower(), known) if isinstance(value, str) else ""
        raise FieldError(f"{shown(value)} is not accepted{near}", f"accepted: {', '.join(known)}")

    return read


def read_boolean(value: Any) -> bool:
    """Read `true` or `false`; the YAML 1.1 words are refused by name."""
    if isinstance(value, bool):
        return value
    meant = _YAML_1_1_BOOLEANS.get(value.lower()) if isinstance(value, str) else None
    raise FieldError(f"{shown(value)} is no truth value", f"write {meant}" if meant else "accepted: true, false")


def read_text(value: Any) -> str:
    """Read a name or version; numbers are taken as they are written (release 5.10 stays "5.10")."""
    if isinstance(value, WrittenFloat):
        value = value.text
    elif isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise FieldError(f"{shown(value)} is no text", "put it in quotes if it is meant as a name")
    if not value.strip() or len(value) > 200 or not value.isprintable():
        raise FieldError(f"{shown(value)} is no name", "accepted: 1 to 200 printable characters")
    return value


def read_name(value: Any) -> str:
    """Read a name without blanks: fabric, system, role, RDMA device."""
    text = read_text(value)
    if not _WORD.fullmatch(text):
        raise FieldError(f"{shown(text)} is no name", "accepted: letters, digits and . _ - +, no blanks")
    return text


def read_dscp(value: Any) -> tuple[int, ...]:
    """Read DSCPs: 26, "24-31", [24, 26, "30-31"]. Returns them sorted, each once."""
    found: set[int] = set()
    forms = 'accepted: 0 to 63, "24-31", [24, 26]'
    for item in value if isinstance(value, list) else [value]:
        for part in item.split(",") if isinstance(item, str) and len(item) < 400 else [item]:
            match = _DSCP_PART.fullmatch(part.strip()) if isinstance(part, str) else None
            if match:
                first, last = int(match[1]), int(match[2] or match[1])
            elif isinstance(part, int) and not isinstance(part, bool):
                first = last = part
            else:
                raise FieldError(f"{shown(part)} is no DSCP", forms)
            if not 0 <= first <= last <= 63:
                raise FieldError(f"DSCP {shown(part)} is outside 0 to 63" if first <= last
                                 else f"the DSCP range {shown(part)} counts down", forms)  # fmt: skip
            found.update(range(first, last + 1))
    if not found:
        raise FieldError("the list of DSCPs is empty", forms)
    return tuple(sorted(found))


def read_priorities(value: Any) -> tuple[int, ...]:
    """Read priority code points: 3 or [3, 4]."""
    items = value if isinstance(value, list) and value else [value]
    return tuple(sorted({read_whole(0, 7)(item) for item in items}))


def read_cable(value: Any) -> Cable:
    """Read `5m dac`, `30m fibre` or `2km`."""
    forms = f"accepted: 5m dac, 30m fibre, 2km; media: {', '.join(MEDIA)}"
    if not isinstance(value, str) or len(value) > 60:
        raise FieldError(f"{shown(value)} is no cable", forms)
    length, _, medium = value.strip().partition(" ")
    metres = units.parse_length(length)
    if not 0 < metres <= 200_000:
        raise FieldError(f"a cable of {shown(length)} is not accepted", "accepted: above 0m, up to 200km")
    if not medium.strip():
        return Cable(metres)
    known = _MEDIA_WORDS.get(medium.strip().lower())
    if known is None:
        near = did_you_mean(medium.strip().lower(), _MEDIA_WORDS)
        raise FieldError(f"{shown(medium.strip())} is no medium{near}", forms)
    return Cable(metres, known)


def read_speed(value: Any) -> int:
    """Read a port speed in bit/s: `25G`, `400G`."""
    rate = units.parse_rate(value)
    if not 10**9 <= rate <= 10**13:
        raise FieldError(f"the speed {shown(value)} is not accepted", "accepted: 1G to 10T")
    return rate


def read_traffic(value: Any) -> units.Number:
    """Read the traffic to size for as percent of small packets: `worst` = 100, `large` = 0, `mixed 50%` = 50."""
    if value == "worst":
        return 100
    if value == "large":
        return 0
    if isinstance(value, str) and value.startswith("mixed "):
        return units.parse_percent(value.removeprefix("mixed ").strip())
    near = did_you_mean(value, ("worst", "large", "mixed 50%")) if isinstance(value, str) else ""
    raise FieldError(f"{shown(value)} is not accepted{near}", "accepted: worst, large, mixed 50%")


def read_applications(value: Any) -> tuple[tuple[str, str | None], ...]:
    """Read applications: [nccl, ucx], or {nvme: storage} with the class of each (auto: the one of its kind)."""
    from rocecfg.vendor import applications

    forms = "accepted: [nccl, ucx], {nvme: storage}"
    if isinstance(value, list):
        pairs: list[tuple[Any, Any]] = [(item, None) for item in value]
    elif isinstance(value, dict):
        pairs = list(value.items())
    else:
        raise FieldError(f"{shown(value)} is no list of applications", forms)
    known = applications.names()
    found: dict[str, str | None] = {}
    for name, of_class in pairs:
        if name not in known:
            near = did_you_mean(name, known) if isinstance(name, str) else ""
            raise FieldError(f"the application {shown(name)} is not known{near}", f"accepted: {', '.join(known)}")
        found[name] = None if of_class is None or of_class == "auto" else read_name(of_class)
    return tuple(found.items())


def read_ignores(value: Any) -> tuple[tuple[str, str], ...]:
    """Read suppressions, `["PFC-003 -- reason"]`, as pairs of rule and reason."""
    if not isinstance(value, list):
        raise FieldError(f"{shown(value)} is no list", 'accepted: ["PFC-003 -- why it is fine here"]')
    return tuple(pair for item in value for pair in parse_ignore(item))


def parse_ignore(text: Any) -> Iterable[tuple[str, str]]:
    """Return (rule, reason) of `PFC-003, ECN-001 -- reason`. Raises FieldError."""
    rules, _, reason = text.partition("--") if isinstance(text, str) else ("", "", "")
    names = [name.strip() for name in rules.split(",")]
    if not all(re.fullmatch(r"[A-Za-z][A-Za-z0-9-]{1,60}", name) for name in names):
        raise FieldError(f"{shown(text)} names no rule", "accepted: PFC-003 -- why it is fine here")
    return [(name, reason.strip()) for name in names]
