"""Reads `show interface` and `show interface ... qos`: MTU, trust, speed, flow control, damaged frames of each port.

What stands there beside that (addresses, VLANs, rates) is the business of others and is passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from rocecfg.state.counters import Tally, number
from rocecfg.state.model import Device, Line, LinkPause, Port, PortQos, Where, intern_ports
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.state.capture import Text

COMMAND = "show-interface"
_HEADER = re.compile(r"Interface (?P<name>\S{1,32}) is (?P<state>up|down)\b.*|Aggregate-name (?P<lag>lag ?\d{1,4})")
_PORT = re.compile(r"\d{1,2}/\d{1,2}/\d{1,3}(?::\d)?|lag ?(\d{1,4})")
_TRUST: dict[str, Literal["none", "pcp", "dscp"]] = {"none": "none", "cos": "pcp", "dscp": "dscp"}
_MOST_PORTS = 20_000


@dataclass(slots=True)
class _Seen:
    """What the block of one port said."""

    name: str
    up: bool
    place: Where
    places: dict[str, Where] = field(default_factory=dict)
    enabled: bool | None = None
    mtu: int | None = None
    speed: int | None = None
    trust: Literal["none", "pcp", "dscp"] | None = None
    flow: LinkPause | None = None

    def port(self) -> Port:
        """Return the port."""
        return Port(
            self.name,
            PortQos(trust=self.trust, link_pause=self.flow),
            mtu=self.mtu,
            mtu_counts="ip" if self.mtu is not None else None,
            enabled=self.enabled,
            speed_now=self.speed,
            place=self.place,
            places=self.places,
        )


def _admin(seen: _Seen, found: re.Match[str]) -> bool:
    seen.enabled = found[1] == "up"
    return True


def _mtu(seen: _Seen, found: re.Match[str]) -> bool:
    seen.mtu = int(found[1])
    return True


def _speed(seen: _Seen, found: re.Match[str]) -> bool:
    seen.speed = int(found[1]) * 1_000_000 if seen.up and int(found[1]) else None
    return True


def _trusts(seen: _Seen, found: re.Match[str]) -> bool:
    seen.trust = _TRUST.get(found[1])
    return seen.trust is not None


def _flow(seen: _Seen, found: re.Match[str]) -> bool:
    """Take `off`; how the other states are spelt stands in no text that could be read."""
    if found[1] == "off":
        seen.flow = LinkPause(rx=False, tx=False)
    return found[1] == "off"


_LINES: tuple[tuple[str, re.Pattern[str], Callable[[_Seen, re.Match[str]], bool]], ...] = (
    ("", re.compile(r"Admin state is (up|down)"), _admin),
    ("mtu", re.compile(r"MTU (\d{1,5})"), _mtu),
    ("", re.compile(r"Speed (\d{1,7}) Mb/s"), _speed),
    ("trust", re.compile(r"qos trust (\S{1,20})(?: .{1,80})?"), _trusts),
    ("link_pause", re.compile(r"Flow-control: (.{1,60})"), _flow),
)
_DAMAGED = re.compile(r"([\d,]{1,27}) CRC/FCS|CRC/FCS ([\d,]{1,27}) .*")


def read_interfaces(text: Text) -> Device:
    """Return the ports of a `show interface`, of one port or of all."""
    tally, seen = Tally(), dict[str, _Seen]()
    now: _Seen | None = None
    lines: list[Line] = []
    read = 0
    for at, raw in enumerate(text_lines(text.content), 1):
        words, place = " ".join(raw.split()), Where(text.file, at)
        header = _HEADER.fullmatch(words)
        if header is not None:
            read += 1
            now = None
            found = _PORT.fullmatch(header["name"] or header["lag"])
            if found is not None and len(seen) < _MOST_PORTS:
                name = f"lag {found[1]}" if found[1] else found[0]
                now = seen[name] = _Seen(name, header["state"] == "up", place)
        elif now is not None:
            damaged = _DAMAGED.fullmatch(words)
            if damaged is not None:
                read += 1
                tally.add(now.name, "fcs_errors", number(damaged[1] or damaged[2]), place)
                continue
            known = _line(now, words, place)
            read += known is not None
            if known is False:
                lines.append(Line(words, place))
    return Device(
        "",
        "aruba_cx",
        source="applied",
        ports=intern_ports(item.port() for item in seen.values()),
        lines=tuple(lines),
        lines_read=read,
        sample=tally.sample(),
    )


def _line(seen: _Seen, words: str, place: Where) -> bool | None:
    """Take a line of a block; False when it is ours and not understood, None when it is not ours."""
    for leaf, shape, take in _LINES:
        found = shape.fullmatch(words)
        if found is not None:
            if leaf:
                seen.places[leaf] = place
            return take(seen, found)
    return None
