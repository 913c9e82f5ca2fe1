"""NetBox becomes a draft: devices with platform, role and model, cables with their lengths, speeds of interfaces.

What a NetBox does not hold are the classes: they are those of `--preset`, else those of `rocecfg init`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.collect.inventory import netbox
from rocecfg.collect.inventory.entries import system
from rocecfg.discover.draft import Draft, Link, Member, most
from rocecfg.discover.names import natural, patterns_of
from rocecfg.discover.roles import guess
from rocecfg.discover.starter import starter_classes
from rocecfg.errors import UsageError
from rocecfg.intent.fields import DEVICE_NAME, PORT_NAME
from rocecfg.units import Number, parse_length, print_rate
from rocecfg.vendor.registry import known_systems

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.collect.inventory.entries import Entry

_USUAL = 100 * 10**9
_SHOWN = 8


def draft_of(source: str, fabric: str, preset: str, heading: Iterable[str]) -> tuple[Draft, list[str]]:
    """Return the intent of a NetBox's active devices and their cables, and the devices that had to be left out.

    Raises ReadError where it does not answer, UsageError without address or token, or without a usable device.
    """
    entries = netbox.read(source)
    cables = netbox.cables(source)
    speeds = netbox.speeds(source)
    draft = Draft(fabric, preset)
    left_out: dict[str, list[str]] = {}
    for entry in sorted(entries, key=lambda entry: natural(entry.name)):
        member, problem = _member(entry)
        if member is None:
            left_out.setdefault(problem, []).append(entry.name or "(no name)")
        else:
            draft.members[member.name] = member
    if not draft.members:
        raise UsageError(
            f"NetBox has no active device of a system that is known: {'; '.join(left_out) or 'none at all'}"
        )
    _links(draft, cables, speeds)
    _roles(draft)
    if not preset:
        draft.classes = starter_classes()
    draft.heading += list(heading)
    remarks = [f"{', '.join(patterns_of(names)[:_SHOWN])}: {problem}" for problem, names in left_out.items()]
    draft.devices_remarks += ["Left out, because nothing says what they run:", *remarks] if remarks else []
    return draft, [name for names in left_out.values() for name in names]


def _member(entry: Entry) -> tuple[Member | None, str]:
    nos, trouble = system(entry.words)
    if trouble:
        return None, trouble
    if not DEVICE_NAME.fullmatch(entry.name):
        return None, "no name that an intent can hold"
    kind = "host" if nos in known_systems()["nic"] else "switch"
    role = str(entry.words.get("role") or "").lower()
    return Member(entry.name, kind, nos, _text(entry.words.get("model")), role=role), ""


def _text(value: object) -> str:
    text = str(value or "")
    return text if text.isprintable() and text.strip() and len(text) <= 200 else ""


def _links(
    draft: Draft,
    cables: Iterable[tuple[tuple[str, str], tuple[str, str], float | None]],
    speeds: dict[tuple[str, str], int],
) -> None:
    outside: set[str] = set()
    usual = most(speeds.values())
    taken: set[tuple[str, str]] = set()
    for near, far, metres in cables:
        strangers = {device for device, _ in (near, far) if device not in draft.members}
        if strangers:
            outside |= strangers if len(strangers) == 1 else set()
            continue
        if not all(PORT_NAME.fullmatch(port) for _, port in (near, far)) or {near, far} & taken or near == far:
            continue
        taken |= {near, far}
        speed, guessed = next((speeds[end] for end in (near, far) if end in speeds), None), ""
        if speed is None:
            speed = usual if isinstance(usual, int) else _USUAL
            guessed = f"speed: no interface says it, {print_rate(speed)} is assumed"
        draft.links.append(Link(near, far, speed, _length(metres), guessed))
    if not draft.links:
        draft.links_remarks += [
            "NetBox has no cables between these devices: fill them in, one line each, such as",
            '- {a: "leaf[1-2]:Ethernet1/49", b: "spine1:Ethernet1/[1-2]", speed: 400G, cable: 30m fibre}',
        ]
    unknown = sum(link.cable is None for link in draft.links)
    if unknown:
        draft.links_remarks.append(
            f"{unknown} of {len(draft.links)} cables have no length in NetBox: 100m is assumed until one is written."
        )
    if outside:
        shown = patterns_of(name for name in outside if DEVICE_NAME.fullmatch(name))
        draft.links_remarks.append(
            f"Cables to {len(outside)} devices that are left out: {', '.join(shown[:_SHOWN])}"
            + (", ..." if len(shown) > _SHOWN else "")
        )


def _length(metres: float | None) -> Number | None:
    return parse_length(f"{metres:.2f}m") if metres is not None and 0 < metres <= 200_000 else None


def _roles(draft: Draft) -> None:
    """Keep NetBox's role words, and guess where it has none; the ends of a link are ordered from the hosts up."""
    kinds = {name: member.kind for name, member in draft.members.items()}
    guessed = guess(kinds, ((link.a[0], link.b[0]) for link in draft.links))
    rank = {"host": 0, "leaf": 1, "spine": 2, "core": 3}
    for name, member in draft.members.items():
        if not member.role:
            member.role, member.role_because = guessed[name]

    def order(name: str) -> tuple[int, int]:
        return int(kinds[name] == "host"), rank.get(guessed[name].name, 9)

    draft.links = [
        link if order(link.a[0]) <= order(link.b[0]) else Link(link.b, link.a, link.speed, link.cable, link.guessed)
        for link in draft.links
    ]
