"""Resolves what a configuration says into what is in force on each port."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import (
    Dcbx,
    Headroom,
    LinkPause,
    Pfc,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Where,
    code_map,
    eight,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.model import Action
    from vendors.huawei.config import Config, Domain, Interface, PfcProfile

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_QUEUES = load_module(_HERE.with_name("inforce_queues.py"))

Places = dict[str, Where]
DEFAULT_INTERVAL, DEFAULT_UNITS = 10, 10
ACTIONS: dict[str, Action] = {"forwarding": "forward", "discard": "drop"}
_NOT_COMPARED = {"mode", "trunk", "speed", "transceiver", "type", "enabled", "mtu", "peer link", "tagged"}


class Resolver:
    """Builds the `PortQos` of a port from its settings; equal settings are built once."""

    def __init__(self, config: Config, family: str | None, *, whole: bool) -> None:
        self.config = config
        self.family = family
        self.whole = whole
        self._known: dict[tuple[object, ...], tuple[PortQos, Places]] = {}

    def port(self, port: Interface) -> tuple[PortQos, Places]:
        """Return what is in force on a port, and which line decides it."""
        stated = port.settings
        slot = _CONFIG.slot_of(port.name)
        limited = any(name.startswith("shaper ") for name in stated)
        speed = next(
            (stated[name][0] for name in ("speed", "transceiver", "type", "type") if limited and name in stated), None
        )
        key = (slot, speed, *((name, value) for name, (value, _) in stated.items() if name not in _NOT_COMPARED))
        built = self._known.get(key)
        if built is None:
            built = self._known[key] = self._build(stated, slot)
        return built[0], {**built[1], **self._places(stated)}

    def _places(self, stated: Mapping[str, tuple[Any, int]]) -> Places:
        """Return the lines of the port itself. What no line states points at the line that turns PFC on."""
        config, places = self.config, {}
        pfc = stated.get("pfc")
        if pfc is not None:
            live = config.where(pfc[1])
            places = {"pfc": live, "pfc.admin": live, "watchdog": live, "trust": live, "priority_groups": live}
        for name, (_, number) in stated.items():
            for leaf in _leaves(name):
                places[leaf] = config.where(number)
        return places

    def _build(self, stated: Mapping[str, tuple[Any, int]], slot: str) -> tuple[PortQos, Places]:
        config = self.config
        places: Places = {}
        trust, maps = self._classification(stated, places)
        pfc = self._pfc(stated, slot, places)
        queues = _QUEUES.queues(config, stated, pfc, places)
        qos = PortQos(
            trust=trust,
            **maps,
            rewrite=self._rewrite(stated),
            pfc=pfc,
            link_pause=_link_pause(stated),
            dcbx=self._dcbx(stated),
            watchdog=self._watchdog(stated, slot, pfc, places),
            queues=queues,
            priority_groups=_groups(stated, pfc, pool=self._pool(slot)),
        )
        return qos, places

    def _pool(self, slot: str) -> bool:
        """Return False where a whole text of family A has no headroom pool: no line then gives PFC headroom."""
        return f"headroom-pool {slot}" in self.config.options or not (self.whole and self.family == "A")

    def _domain(self, stated: Mapping[str, tuple[Any, int]]) -> Domain | None:
        name = stated["domain"][0] if "domain" in stated else "default"
        return self.config.domains.get(name)

    def _classification(self, stated: Mapping[str, tuple[Any, int]], places: Places) -> tuple[Any, dict[str, Any]]:
        """Return trust and maps: the codes that the port's domain states; the system's map stands behind them."""
        domain = self._domain(stated)
        priority = stated["port priority"][0] if "port priority" in stated else None
        trust = stated["trust"][0] if "trust" in stated else None
        pcp = {code: queue for code, (queue, _, _) in domain.pcp.items()} if domain is not None else {}
        default = None if priority is None else pcp.get(priority, priority)
        if stated.get("domain", ("", 0))[0] == "none":
            return "none", {"default_tc": default}
        if domain is None:
            return trust, {"default_tc": default}
        where = self.config.where
        dscp = {code: queue for code, (queue, _, _) in domain.dscp.items()}
        places["dscp_to_tc"] = places["pcp_to_tc"] = where(domain.number)
        places |= {f"dscp_to_tc.{code}": where(number) for code, (_, _, number) in domain.dscp.items()}
        places |= {f"pcp_to_tc.{code}": where(number) for code, (_, _, number) in domain.pcp.items()}
        colours = [None] * 64
        for code, (_, colour, _) in domain.dscp.items():
            colours[code] = colour  # type: ignore[call-overload]
        maps = {
            "dscp_to_tc": code_map(dscp) if dscp and trust != "pcp" else None,
            "pcp_to_tc": code_map(pcp, 8) if pcp and trust != "dscp" else None,
            "dscp_to_colour": tuple(colours) if dscp and trust != "pcp" else None,
            "default_tc": default,
        }
        return trust, maps

    def _rewrite(self, stated: Mapping[str, tuple[Any, int]]) -> tuple[tuple[str, int, int], ...] | None:
        """Return the DSCP that packets of each queue leave with, where marking is on: of green packets."""
        if "remark dscp" not in stated:
            return None
        domain = self._domain(stated)
        out = dict(_CONFIG.DSCP_OUT)
        for (queue, colour), (dscp, _) in domain.dscp_out.items() if domain is not None else ():
            if colour == "green":
                out[queue] = dscp
        return tuple(("tc", queue, dscp) for queue, dscp in sorted(out.items()))

    def _profile(self, stated: Mapping[str, tuple[Any, int]]) -> PfcProfile | None:
        return self.config.pfc_profiles.get(stated["pfc"][0][1]) if "pfc" in stated else None

    def _pfc(self, stated: Mapping[str, tuple[Any, int]], slot: str, places: Places) -> Pfc | None:
        config, profile = self.config, self._profile(stated)
        killed = config.value("pfc_off")
        gate = None if killed is None else not killed
        mapping = config.value(f"dscp-mapping {slot}")
        by = "internal" if mapping or self.family == "B" else "pcp" if mapping is False else None
        if "pfc" not in stated:
            return None if gate is None else Pfc(gate=gate)
        admin = stated["pfc"][0][0]
        priorities = None
        if profile is not None and profile.priorities:
            priorities = frozenset(profile.priorities)
            places["pfc.tx"] = places["pfc.rx"] = config.where(min(profile.priorities.values()))
            places |= {f"pfc.tx.{priority}": config.where(line) for priority, line in profile.priorities.items()}
        elif profile is not None:
            places["pfc.tx"] = places["pfc.rx"] = config.where(profile.number)
        if admin == "off":
            return Pfc(admin="off", gate=gate)
        return Pfc(admin=admin, tx=priorities, rx=priorities, by=by, gate=gate)  # type: ignore[arg-type]

    def _dcbx(self, stated: Mapping[str, tuple[Any, int]]) -> Dcbx | None:
        lldp = self.config.value("lldp")
        if lldp is False or stated.get("dcbx", (None, 0))[0] is False:
            return Dcbx(state="off")
        if "dcbx" not in stated or lldp is None:
            return None
        shown = {name for name in ("ets", "app") if name in stated}
        if stated.get("pfc", (("off", ""), 0))[0][0] != "off":
            shown.add("pfc")
        return Dcbx(state="cee" if "cee" in stated else "ieee", advertises=frozenset(shown))

    def _watchdog(
        self, stated: Mapping[str, tuple[Any, int]], slot: str, pfc: Pfc | None, places: Places
    ) -> PortWatchdog | None:
        """Return deadlock detection. It is always on where PFC is; times of several priorities: the longest one."""
        config, profile = self.config, self._profile(stated)
        if pfc is None or pfc.admin in {None, "off"}:
            return None
        interval = config.value("interval")
        found: dict[str, int | None] = {}
        for name in ("detect", "restore"):
            units = [
                (count, line)
                for (kind, priority), (count, line) in (profile.times if profile is not None else {}).items()
                if kind == name and (pfc.tx is None or priority in pfc.tx)
            ]
            if units:
                count, line = max(units)
                found[name] = count * (interval or DEFAULT_INTERVAL)
                if name == "restore" and count == 0:
                    found[name] = -1
                places[f"watchdog.{name}"] = config.where(line)
            elif name in config.options:
                found[name], line = config.options[name]
                places[f"watchdog.{name}"] = config.where(line)
            elif interval is not None and self.whole:
                found[name] = DEFAULT_UNITS * interval
                places[f"watchdog.{name}"] = config.where(config.options["interval"][1])
        recovery = config.value(f"recovery {slot}")
        if recovery is not None:
            places["watchdog.action"] = config.where(config.options[f"recovery {slot}"][1])
        if not found and recovery is None:
            return None
        return PortWatchdog(
            enabled=True,
            priorities=pfc.tx,
            detect=found.get("detect"),
            restore=found.get("restore"),
            action=ACTIONS[recovery] if recovery is not None else None,
        )


@lru_cache(maxsize=4096)
def _leaves(name: str) -> tuple[str, ...]:
    """Return the leaf paths that a setting of a port decides."""
    word, _, queue = name.partition(" ")
    by_queue = {
        "xoff": "priority_groups.{}.xoff_at", "xon_below": "priority_groups.{}.xon_below",
        "xon_at": "priority_groups.{}.xon_at", "reserved": "priority_groups.{}.reserved",
        "headroom": "priority_groups.{}.headroom", "weight": "queues.{}.weight", "mode": "queues.{}.scheduler",
        "limit": "queues.{}.limit", "shaper": "queues.{}.shaper",
    }  # fmt: skip
    if queue.isdecimal() and word in by_queue:
        return (by_queue[word].format(queue),)
    return {
        "trust": ("trust",),
        "domain": ("trust",),
        "mtu": ("mtu",),
        "speed": ("speed",),
        "flow-control": ("link_pause",),
        "dcbx": ("dcbx",),
        "port priority": ("default_tc",),
        "remark dscp": ("rewrite",),
    }.get(name, ())


def _link_pause(stated: Mapping[str, tuple[Any, int]]) -> LinkPause | None:
    if "flow-control" not in stated:
        return None
    on, side = stated["flow-control"][0]
    if not on:
        return LinkPause(rx=False, tx=False)
    # `input` obeys pauses, `output` sends them
    return LinkPause(rx=side in {"", "input"}, tx=side in {"", "output"})


def _groups(
    stated: Mapping[str, tuple[Any, int]], pfc: Pfc | None, *, pool: bool
) -> tuple[PriorityGroup | None, ...] | None:
    """Return the priority groups that lines state, or that PFC makes lossless."""
    lossless = (pfc.tx or frozenset()) if pfc is not None else frozenset()
    groups: dict[int, PriorityGroup] = {}
    for number in range(8):
        values = {
            name: stated[f"{name} {number}"][0]
            for name in ("xoff", "xon_below", "xon_at", "reserved", "headroom")
            if f"{name} {number}" in stated
        }
        if values or number in lossless:
            headroom = values.get("headroom")
            groups[number] = PriorityGroup(
                lossless=True if number in lossless else None,
                headroom=Headroom(headroom, by="stated" if pool else "none") if headroom is not None else None,
                xoff_at=values.get("xoff"),
                xon_at=values.get("xon_at"),
                xon_below=values.get("xon_below"),
                reserved=values.get("reserved"),
            )
    return eight(groups) if groups else None


_OF_TRUNK = ("trust", "domain", "port priority", "remark dscp", "mode", "tagged", "mtu")
"""What is set on an Eth-Trunk and holds on its members."""
_OF_MEMBERS = re.compile(
    r"(?:pfc|ets|app|cee|dcbx|flow-control|distance)"
    r"|(?:xoff|xon_below|xon_at|reserved|headroom|wred|ecn|mode|weight|limit|shaper) \d"
)


def share_in_trunks(interfaces: Mapping[str, Interface]) -> dict[str, list[str]]:
    """Give Eth-Trunks and their members one another's settings; return the members by trunk.

    Trust is set on the Eth-Trunk. PFC and queues are set on physical ports only: what all members say alike holds for
    the Eth-Trunk.
    """
    trunks: dict[str, list[str]] = {}
    for name, port in interfaces.items():
        if "trunk" in port.settings:
            trunks.setdefault(str(port.settings["trunk"][0]), []).append(name)
    for name, members in trunks.items():
        owner = interfaces.get(name)
        if owner is None:
            continue
        for key in _OF_TRUNK:
            for member in members if key in owner.settings else ():
                interfaces[member].settings[key] = owner.settings[key]
        first = interfaces[members[0]].settings
        for key in [key for key in first if _OF_MEMBERS.fullmatch(key) and key not in owner.settings]:
            found = [interfaces[member].settings.get(key) for member in members]
            if all(item is not None and item[0] == first[key][0] for item in found):
                owner.settings[key] = first[key]
    return trunks
