"""The view of a fitted device: profiles by name, and for each interface what it is bound to."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.vendor.api import View

if TYPE_CHECKING:
    from rocecfg.state.model import Device, Port, PortQos

_HERE = Path(__file__)
profiles = load_module(_HERE.with_name("profiles.py"))
defaults = load_module(_HERE.with_name("defaults.py"))
rows = load_module(_HERE.with_name("view_rows.py"))

_TRUST = {"dscp": "l3", "pcp": "l2", "both": "both", "none": "port"}
_GLOBAL = profiles.GLOBAL
_PREFIXES = {"mapping": "MAP", "congestion-control": "ECN", "egress-scheduler": "SCHEDULER"}


def views(device: Device) -> dict[str, View]:
    """Return the views of `nvue.yaml.j2` and `apply.sh.j2`."""
    made = _Views(device)
    return {"nvue.yaml.j2": View(made.values()), "apply.sh.j2": View({"device": device.name})}


class _Views:
    def __init__(self, device: Device) -> None:
        self._device = device
        self._ports = list(device.ports.values())
        self._bound: dict[str, list[tuple[str, str]]] = {name: [] for name in device.ports}

    def values(self) -> dict[str, object]:
        """Return the variables of the patch."""
        device = self._device
        first = self._ports[0].qos if self._ports else None
        model = re.search(r"sn[0-9]{4}[a-z]{0,2}", device.model.lower()) if device.model else None
        lossless = sorted(
            {
                number
                for port in self._ports
                for number, group in enumerate(port.qos.priority_groups or ())
                if group and group.lossless
            }
        )
        sections = (
            ("mapping", "", self._named("mapping", rows.mapping_key, self._mapping)),
            (
                "remark",
                "switch-priority",
                self._optional("remark", lambda qos: qos.rewrite or None, rows.remark, "REMARK"),
            ),
            ("pfc", "", self._optional("pfc", rows.pfc_key, rows.pfc, "")),
            ("link-pause", "", self._optional("link-pause", rows.pause_key, rows.pause, "PAUSE")),
            (
                "congestion-control",
                "traffic-class",
                self._named("congestion-control", rows.congestion_key, rows.congestion),
            ),
            ("egress-scheduler", "traffic-class", self._named("egress-scheduler", profiles.scheduling, rows.scheduler)),
            ("egress-shaper", "traffic-class", self._optional("egress-shaper", rows.shaper_key, rows.shaper, "SHAPER")),
        )
        return {
            "model": model[0] if model else "",
            "version": device.os_version or "",
            "pools": [
                ("default-lossless" if pool.lossless else "default-lossy", pool.total.value if pool.total else 50)
                for pool in device.pools or ()
                if pool.direction == "both" and pool.lossless is not None
            ]
            if lossless
            else [],
            "lossless": lossless,
            "sections": [rows.Section(*section) for section in sections if section[2]],
            "queue_map": list(enumerate(first.tc_to_queue[:8]))
            if first is not None and first.tc_to_queue and rows.has_map(first)
            else [],
            "alphas": rows.alphas(first, self._ports) if first is not None else None,
            "watchdog": rows.watchdog(first) if first is not None else None,
            "interfaces": [self._interface(port) for port in self._ports if port.name != _GLOBAL],
        }

    def _named(self, section: str, key: Any, build: Any) -> list[Any]:
        """Return the most common setting for all ports, others by name; one that says nothing is left out."""
        made = []
        shared = profiles.split(self._ports, key, _PREFIXES[section])
        for one in shared:
            profile = build(one, shared[0].qos) if section == "mapping" else build(one)
            if profile.words or profile.rows or profile.dscp or profile.pcp:
                made.append(profile)
                if one.name != _GLOBAL:
                    self._bind(section, one.name, one.ports)
        return made

    def _optional(self, section: str, key: Any, build: Any, prefix: str) -> list[Any]:
        """Return settings that only bound ports have; the port that stands for all has `default-global`."""
        groups: dict[Any, list[Port]] = {}
        for port in self._ports:
            found = key(port.qos)
            if found is not None:
                groups.setdefault(found, []).append(port)
        made: list[Any] = []
        for at, (found, ports) in enumerate(groups.items(), 1):
            name = f"{prefix}-{at}" if prefix else rows.pfc_name(found, {profile.name for profile in made})
            if any(port.name == _GLOBAL for port in ports):
                name = _GLOBAL
            made.append(build(name, found))
            self._bind(section, name, tuple(port.name for port in ports))
        return made

    def _bind(self, section: str, name: str, ports: tuple[str, ...]) -> None:
        for port in ports:
            if self._device.ports[port].lag is None:
                self._bound[port].append((section, name))

    def _interface(self, port: Port) -> Any:
        members = next((lag.members for lag in self._device.lags or () if lag.name == port.name), ())
        dog = port.qos.watchdog
        kind = "bond" if members or not port.name.startswith("swp") else "swp"
        return rows.Interface(
            port.name,
            kind,
            port.mtu,
            members,
            tuple(self._bound[port.name]),
            bool(dog and dog.enabled and kind == "swp"),
        )

    def _mapping(self, shared: Any, usual: PortQos) -> Any:
        qos = shared.qos
        words = [f"trust: {_TRUST[qos.trust]}"] if qos.trust is not None else []
        if qos.default_tc is not None:
            words.append(f"port-default-sp: {qos.default_tc}")
        dscp = rows.stated(qos.dscp_to_tc, usual.dscp_to_tc, defaults.DSCP_DEFAULT)
        pcp = rows.stated(qos.pcp_to_tc, usual.pcp_to_tc, defaults.PCP_DEFAULT)
        return rows.Profile(shared.name, tuple(words), dscp, pcp)
