"""Aggregates and their members: PFC and queues are set on the members, an aggregate stands for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vendors.h3c.config import Config

_INHERITED = ("pfc", "no_drop", "watchdog", "recover", "trust", "priority", "wred", "profile", "flow_control", "jumbo")


def share_in_aggregates(config: Config) -> dict[str, list[str]]:
    """Give aggregates and their members one another's settings; return the members by aggregate.

    What an aggregate says holds on the members that do not say it themselves. What all its members say alike holds on
    the aggregate: Comware takes PFC, trust, queues and WRED on the Ethernet interface only.
    """
    members: dict[str, list[str]] = {}
    for name, port in config.interfaces.items():
        group = port.settings.get("member")
        if group is not None:
            aggregate = _name(config, str(group[0]), port.settings.get("link mode"))
            port.settings["aggregate"] = (aggregate, group[1])
            members.setdefault(aggregate, []).append(name)
    for name, ports in members.items():
        owner = config.interfaces.get(name)
        if owner is None:
            continue
        for key in _INHERITED:
            of_members = [config.interfaces[port].settings.get(key) for port in ports]
            if key in owner.settings:
                for member in ports:
                    config.interfaces[member].settings.setdefault(key, owner.settings[key])
            elif of_members[0] is not None and len({item and item[0] for item in of_members}) == 1:
                owner.settings[key] = of_members[0]
        if not owner.schedule.said() and not owner.wred.queues and not owner.buffers:
            first = config.interfaces[ports[0]]
            owner.schedule, owner.wred = first.schedule, first.wred
            owner.buffers, owner.shapers = first.buffers, first.shapers
    return members


def _name(config: Config, number: str, link_mode: tuple[object, int] | None) -> str:
    """Return the aggregate of a group: the one the text has, else the kind that the port's mode asks for."""
    bridge, route = f"Bridge-Aggregation{number}", f"Route-Aggregation{number}"
    if route in config.interfaces and bridge not in config.interfaces:
        return route
    if bridge not in config.interfaces and link_mode is not None and link_mode[0] == "route":
        return route
    return bridge
