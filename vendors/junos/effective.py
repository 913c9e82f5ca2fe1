"""From a `Config` to what is in force on each port: wildcards, maps, profiles and schedulers resolved."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rocecfg.packs import load_module
from rocecfg.state.model import (
    Amount,
    Dynamic,
    Interner,
    Lag,
    Pool,
    Port,
    PortQos,
    Where,
)

if TYPE_CHECKING:
    from vendors.junos.config import Binding, Config, Interface, Ref

_classes, _settings = (load_module(Path(__file__).with_name(f"{name}.py")) for name in ("classes", "settings"))

_POOLS = (
    ("ingress", "lossless"),
    ("ingress", "lossy"),
    ("egress", "lossless"),
    ("egress", "lossy"),
    ("egress", "multicast"),
)
_WILDCARD = re.compile(r"[*\[?]|^all$")
_PART = re.compile(r"\d+|\D+")


@dataclass(slots=True)
class Bound:
    """What a port is bound to after wildcards: the key of its `PortQos`."""

    cn: Ref | None = None
    maps: tuple[Ref, ...] = ()
    dscp: Ref | None = None
    pcp: Ref | None = None
    rewrite: Ref | None = None
    fixed: Ref | None = None
    pause: tuple[bool | None, bool | None] | None = None
    dcbx: tuple[str, bool] | None = None
    """State, and whether PFC is forced on all the same."""
    dcbx_place: Where | None = None

    def key(self) -> tuple[object, ...]:
        """Return what decides the settings, without the lines."""
        names = (ref.name if ref else None for ref in (self.cn, self.dscp, self.pcp, self.rewrite, self.fixed))
        return (*names, tuple(ref.name for ref in self.maps), self.pause, self.dcbx)


@dataclass(slots=True)
class Resolved:
    """A `PortQos` and the lines of the objects it came from."""

    qos: PortQos
    places: dict[str, Where] = field(default_factory=dict)


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key in which `et-0/0/10` follows `et-0/0/9`."""
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in _PART.findall(name[:64]))


class Resolver:
    """Resolves the ports of a configuration. `whole` = absence inside an object proves that it is not set."""

    def __init__(self, config: Config, *, whole: bool) -> None:
        self.config = config
        self._settings = _settings.Settings(config, _classes.number(config), whole=whole)
        self.unmatched: list[str] = []
        self._known: dict[tuple[object, ...], Resolved] = {}
        self._share = Interner()

    # ports ----------------------------------------------------------------------------------------------------

    def ports(self) -> dict[str, Port]:
        """Return every port of the configuration with what is in force on it."""
        config = self.config
        names = dict.fromkeys(name for name, found in config.interfaces.items() if not found.sub_ports)
        wild = {name: binding for name, binding in config.bindings.items() if _WILDCARD.search(name)}
        names.update(dict.fromkeys(name for name in config.bindings if name not in wild))
        for pattern in wild:
            if not any(_matches(name, pattern) for name in names):
                self.unmatched.append(pattern)
                if not config.interfaces:
                    names[pattern] = None
        by_length = sorted(wild.items(), key=lambda item: len(item[0]))
        return {name: self._port(name, by_length) for name in names}

    def _port(self, name: str, wild: list[tuple[str, Binding]]) -> Port:
        interface = self.config.interfaces.get(name)
        binding = self.config.bindings.get(name)
        bindings = [found for pattern, found in wild if pattern != name and _matches(name, pattern)]
        if binding is not None:
            bindings.append(binding)
        bound = self._bound(name, bindings, interface)
        resolved = self._resolve(bound)
        places = dict(resolved.places)
        self._own_places(places, bound, interface)
        parent = self.config.interfaces.get(name.partition(":")[0])
        speed = interface.speed if interface and interface.speed else parent.speed if parent else None
        mode: Literal["routed", "trunk"] | None = None
        if interface is not None and interface.families:
            mode = "trunk" if "ethernet-switching" in interface.families else "routed"
        return Port(
            name,
            qos=resolved.qos,
            speed=speed,
            mtu=interface.mtu if interface else None,
            mtu_counts="l2" if interface and interface.mtu is not None else None,
            mode=mode,
            lag=interface.lag or None if interface else None,
            enabled=not interface.disabled if interface else None,
            place=(bindings[-1].place if bindings else None) or (interface.place if interface else None),
            places=places,
        )

    def _bound(self, name: str, bindings: list[Binding], interface: Interface | None) -> Bound:
        """Merge what wildcards and the port's own entry attach; the later (nearer) one wins."""
        bound = Bound()
        for binding in bindings:
            bound.cn = binding.cn or bound.cn
            maps = [*binding.maps]
            for profile in binding.profiles:
                of_profile = self.config.traffic_profiles.get(profile.name)
                if of_profile is not None:
                    maps.append(of_profile)
            bound.maps = tuple(maps) or bound.maps
            attached = [*binding.classifiers, *binding.rewrites, *((unit, "") for unit in binding.fixed)]
            units = {unit for unit, _ in attached if unit.isdecimal()}
            unit = min(units, key=int) if units else ""
            has_units = interface is None or interface.units or _WILDCARD.search(name)
            for where in ["", "*", unit] if has_units else ["", unit]:
                bound.dscp = binding.classifiers.get((where, "dscp")) or bound.dscp
                bound.pcp = binding.classifiers.get((where, "ieee-802.1")) or bound.pcp
                bound.fixed = binding.fixed.get(where) or bound.fixed
                bound.rewrite = binding.rewrites.get((where, "dscp")) or bound.rewrite
        if interface is not None and interface.pause:
            bound.pause = (interface.pause.get("rx"), interface.pause.get("tx"))
        dcbx = self.config.dcbx.get(name) or self.config.dcbx.get("all")
        if dcbx is not None:
            version = "off" if dcbx.disabled else {"ieee-dcbx": "ieee", "dcbx-1.01": "cee"}.get(dcbx.version, "auto")
            bound.dcbx, bound.dcbx_place = (version, dcbx.forced_pfc), dcbx.place
        return bound

    def _own_places(self, places: dict[str, Where], bound: Bound, interface: Interface | None) -> None:
        """Add the lines that bind this port to what it has."""
        _put(places, "pfc", bound.cn)
        if bound.cn is not None and bound.cn.place is not None:
            for leaf in ("pfc.admin", "watchdog"):
                places.setdefault(leaf, bound.cn.place)
        _put(places, "trust", bound.dscp or bound.pcp or bound.fixed)
        _put(places, "rewrite", bound.rewrite, keep=True)
        if bound.maps:
            _put(places, "queues", bound.maps[0])
        if bound.dcbx_place is not None:
            places["dcbx"] = bound.dcbx_place
        if interface is not None:
            places.update(interface.places)

    # one distinct combination ---------------------------------------------------------------------------------

    def _resolve(self, bound: Bound) -> Resolved:
        key = bound.key()
        found = self._known.get(key)
        if found is None:
            qos, places = self._settings.build(bound)
            found = self._known[key] = Resolved(self._share(qos), places)
        return found


def _matches(name: str, pattern: str) -> bool:
    """Return whether an entry of `class-of-service interfaces` holds for a port."""
    return pattern == "all" or fnmatchcase(name, pattern)


def pools(config: Config) -> tuple[Pool, ...] | None:
    """Return the partitions of the shared buffer; the headroom partition is the headroom of the lossless one."""
    found = []
    for direction, name in _POOLS:
        partition = config.partitions.get((direction, name))
        headroom = config.partitions.get((direction, "lossless-headroom")) if name == "lossless" else None
        if partition is None and headroom is None:
            continue
        first = partition or headroom
        found.append(
            Pool(
                f"{direction} {name}",
                direction=direction,  # type: ignore[arg-type]
                lossless=name == "lossless",
                total=_percent(partition.percent if partition else None),
                headroom=_percent(headroom.percent if headroom else None),
                alpha=Dynamic(index=partition.index) if partition and partition.index is not None else None,
                place=first.place if first else None,
            )
        )
    return tuple(found) or None


def lags(config: Config) -> tuple[Lag, ...] | None:
    """Return the aggregates of the configuration; None when it has no interfaces section."""
    if not config.interfaces:
        return None
    members: dict[str, list[str]] = {}
    for name, interface in config.interfaces.items():
        if interface.lag:
            members.setdefault(interface.lag, []).append(name)
    return tuple(Lag(name, tuple(of_lag)) for name, of_lag in members.items())


def _percent(value: int | None) -> Amount | None:
    return Amount(value, "percent") if value is not None else None


def _put(places: dict[str, Where], leaf: str, ref: Ref | None, *, keep: bool = False) -> None:
    if ref is not None and ref.place is not None and not (keep and leaf in places):
        places[leaf] = ref.place
