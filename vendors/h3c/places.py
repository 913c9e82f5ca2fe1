"""Which line of a Comware configuration decides each leaf of a port."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module

if TYPE_CHECKING:
    from rocecfg.state.model import Where
    from vendors.h3c.config import Config, Interface

_HERE = Path(__file__)
_CURVES = load_module(_HERE.with_name("curves.py"))
_SCHEDULE = load_module(_HERE.with_name("schedule.py"))

_OF_PFC = ("pfc", "pfc.admin", "watchdog", "trust", "dscp_to_tc", "pcp_to_tc")
"""Leaves that point at the line that turns PFC on, where no line of their own is there."""
_LEAVES = {
    "no_drop": ("pfc.tx", "pfc.rx"),
    "trust": ("trust", "dscp_to_tc", "pcp_to_tc"),
    "priority": ("default_tc",),
    "watchdog": ("watchdog", "watchdog.enabled"),
    "action": ("watchdog.action",),
    "flow_control": ("link_pause",),
    "dcbx": ("dcbx",),
    "jumbo": ("mtu",),
    "mtu": ("mtu",),
}
_GROUP_LEAVES = {
    "headroom": "headroom",
    "reserved": "reserved",
    "offset": "xon_below",
    "dynamic": "xoff_at",
    "static": "xoff_at",
}


class Places:
    """The lines that decide the leaves of ports; what the system view says is looked up once for all of them."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._shared = self._of_system()
        self._tables: dict[str, dict[str, Where]] = {}

    def _of_system(self) -> dict[str, Where]:
        config, found = self._config, {}
        for code, (_, number) in config.maps.get("dscp-dot1p", {}).items():
            if number:  # else the device shows it, and no line of the configuration decides it
                found[f"dscp_to_tc.{code}"] = config.where(number)
        for code, (_, number) in config.maps.get("dot1p-lp", {}).items():
            if number:
                found[f"tc_to_queue.{code}"] = found[f"priority_to_queue.{code}"] = config.where(number)
        for leaf, times in (("watchdog.detect", config.intervals), ("watchdog.restore", config.delays)):
            for _, number in times.values():
                found.setdefault(leaf, config.where(number))
        for queue, areas in config.buffers.items() if config.applied else ():
            for area, (_, _, number) in areas.items():
                found[f"queues.{queue}.{'limit' if area == 'shared' else 'reserved'}"] = config.where(number)
        return found

    def of(self, port: Interface) -> dict[str, Where]:
        """Return the places of a port."""
        config, places = self._config, dict(self._shared)
        live = port.settings.get("pfc") or config.options.get("pfc")
        if live is not None:
            places.update(dict.fromkeys(_OF_PFC, config.where(live[1])))
        for key, leaves in _LEAVES.items():
            stated = port.settings.get(key) or config.options.get(key)
            if stated is not None:
                places.update(dict.fromkeys(leaves, config.where(stated[1])))
        for priority, words in port.buffers.items():
            for word, (_, number) in words.items():
                places[f"priority_groups.{priority}.{_GROUP_LEAVES[word]}"] = config.where(number)
        for queue, (_, number) in port.shapers.items():
            places[f"queues.{queue}.shaper"] = config.where(number)
        places |= _SCHEDULE.places(config, port)
        applied = port.settings.get("wred")
        if applied is not None:
            places.update(dict.fromkeys(_CURVES.LEAVES, config.where(applied[1])))
            table = self._tables.get(applied[0])
            if table is None:
                table = self._tables[applied[0]] = _CURVES.places(config, config.tables.get(applied[0]))
            places |= table
        if port.wred.queues:
            places |= _CURVES.places(config, port.wred)
        return places
