"""Shares settings between a port-channel and its members."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vendors.eos.config import Holder

_INHERITED = (
    "trust",
    "cos",
    "dscp",
    "profile",
    "policy",
    "pfc",
    "watchdog",
    "watchdog action",
    "watchdog timer",
    "mtu",
)


def share_in_channels(interfaces: Mapping[str, Holder]) -> dict[str, list[str]]:
    """Give port-channels and their members one another's settings; return the members by channel.

    What the port-channel says holds on its members as far as they say nothing themselves. What only the members say,
    and all of them alike, holds on the port-channel.
    """
    channels: dict[str, list[str]] = {}
    for name, port in interfaces.items():
        channel = port.settings.get("channel", (None, 0))[0]
        if channel is not None:
            channels.setdefault(str(channel), []).append(name)
    for name, members in channels.items():
        owner = interfaces.get(name)
        if owner is None:
            continue
        keys = {key for port in (owner, *(interfaces[m] for m in members)) for key in port.settings if _inherited(key)}
        for key in sorted(keys):
            of_members = [interfaces[member].settings.get(key) for member in members]
            if key in owner.settings:
                for member in members:
                    interfaces[member].settings.setdefault(key, owner.settings[key])
            elif of_members[0] is not None and len({item and item[0] for item in of_members}) == 1:
                owner.settings[key] = of_members[0]
    return channels


def _inherited(key: str) -> bool:
    return key in _INHERITED or key.startswith(("priority ", "queues."))
