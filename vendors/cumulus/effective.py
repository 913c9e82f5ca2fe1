"""What is in force on each port: interface profile, else `default-global`, with the RoCE mode below what is stated."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.model import Amount, Device, Interner, Lag, Pool, Port, PortQos, Where
from rocecfg.state.numbers import whole_number

if TYPE_CHECKING:
    from vendors.cumulus.facts import Facts, Leaf

facts_module = load_module(Path(__file__).with_name("facts.py"))
schema = load_module(Path(__file__).with_name("schema.py"))
qos_module = load_module(Path(__file__).with_name("port_qos.py"))
objects_module = load_module(Path(__file__).with_name("objects.py"))

_D = facts_module.EVERY_PORT
_WATCHDOG = ("qos", "pfc-watchdog")
_RATES = {"M": 10**6, "G": 10**9}


class Key(NamedTuple):
    """What decides a port's QoS: the name of its profile for each section, and its watchdog switch."""

    profiles: tuple[str, ...]
    watchdog: bool | None


def device_of(facts: Facts, roce: str) -> Device:
    """Return the device that the facts describe. Raises ReadError when they describe nothing."""
    tables = group(facts)
    whole = facts.whole and not facts.unpublished
    _split_breakouts(facts)
    if facts.settings and not any(_is_switch_port(name) for name in facts.ports):
        first = min((leaf.place for leaf in facts.settings.values()), key=lambda place: (place.file, place.line))
        facts.port(_D, first)  # settings for all ports, and no port named: one stands for them
    bonds = {
        name: tuple(path[2] for path in leaves if path[:2] == ("bond", "member"))
        for name, leaves in facts.ports.items()
        if any(path[:2] == ("bond", "member") for path in leaves)
    }
    for members in bonds.values():
        for member in members:
            facts.port(member, facts.places[next(bond for bond, of in bonds.items() if member in of)])
    ports = _ports(facts, tables, bonds)
    objects = objects_module.objects_of(facts, tables, roce)
    if not ports and not objects and not facts.settings and not facts.lines and facts.place is None:
        raise ReadError("no interface and no qos setting in it")
    return Device(
        name=facts.name,
        nos="cumulus",
        ports={port.name: port for port in ports},
        pools=pools_of(tables),
        os_version=facts.version,
        model=facts.model,
        complete=frozenset({"all"}) if whole else frozenset(facts.sections),
        lags=tuple(Lag(name, members) for name, members in bonds.items()) if bonds or whole else None,
        objects=objects,
        lines=tuple(facts.lines),
        lines_read=facts.read,
        sample=facts.tally.sample(),
        place=facts.place,
    )


def group(facts: Facts) -> dict[str, dict[str, dict[tuple[str, ...], Leaf]]]:
    """Return the settings as section -> profile -> path below it."""
    tables: dict[str, dict[str, dict[tuple[str, ...], Leaf]]] = {}
    for path, leaf in facts.settings.items():
        profile = path[1] if len(path) > 1 else ""
        tables.setdefault(path[0], {}).setdefault(profile, {})[path[2:]] = leaf
    return tables


def _is_switch_port(name: str) -> bool:
    return name.startswith("swp") and name[3:4].isdecimal()


def _split_breakouts(facts: Facts) -> None:
    """`link breakout 4x` on swp1 makes swp1s0 to swp1s3 and leaves no swp1, as `disabled` does; 1x splits nothing."""
    for name in list(facts.ports):
        for path, leaf in list(facts.ports[name].items()):
            if path[:2] == ("link", "breakout") and len(path) > 2:
                ways = 0 if path[2] == "disabled" else whole_number(path[2].partition("x")[0], 16, 2)
                if ways is not None and ("x" in path[2] or not ways):
                    for child in range(ways):
                        facts.port(f"{name}s{child}", leaf.place)
                    del facts.ports[name]
                    break


def _ports(
    facts: Facts, tables: dict[str, dict[str, dict[tuple[str, ...], Leaf]]], bonds: dict[str, tuple[str, ...]]
) -> list[Port]:
    bond_of = {member: bond for bond, members in bonds.items() for member in members}
    built: dict[Key, tuple[PortQos, dict[str, Where]]] = {}
    sections, share = schema.PROFILES, Interner()
    ports: list[Port] = []
    for name, own in facts.ports.items():
        bond = bond_of.get(name)
        bindings = own if bond is None or not _binds(facts.ports.get(bond, {})) else facts.ports[bond]
        if not (_is_switch_port(name) or name in bonds or name == _D or any(path[0] == "qos" for path in own)):
            continue
        names = []
        for section in sections:
            leaf = bindings.get(("qos", section, "profile"))
            names.append(leaf.value if leaf is not None else _D)
        key = Key(tuple(names), _watchdog(facts, name, bonds))
        found = built.get(key)
        if found is None:
            qos, shared = qos_module.port_qos(tables, dict(zip(sections, names, strict=True)), key.watchdog)
            found = built[key] = (share(qos), shared)
        places = _own_places(found[1], own, bindings)
        ports.append(_port(name, found[0], own, places, bond, facts.places[name]))
    return ports


def _binds(leaves: dict[tuple[str, ...], Leaf]) -> bool:
    return any(path[0] == "qos" and path[-1] == "profile" for path in leaves)


def _watchdog(facts: Facts, name: str, bonds: dict[str, tuple[str, ...]]) -> bool | None:
    """Return the switch of a port; it stands on physical ports only, so a bond has it when all members do."""
    if name in bonds:
        states = [_watchdog(facts, member, {}) for member in bonds[name]]
        return all(states) if states and None not in states else None
    leaves = facts.ports.get(name, {})
    state = leaves.get((*_WATCHDOG, "state"))
    if state is not None:
        return state.value.startswith("enable")
    return True if _WATCHDOG in leaves else None


def _own_places(
    shared: dict[str, Where], own: dict[tuple[str, ...], Leaf], bindings: dict[tuple[str, ...], Leaf]
) -> dict[str, Where]:
    more: dict[str, Where] = {}
    watchdog = own.get((*_WATCHDOG, "state")) or own.get(_WATCHDOG)
    if watchdog is not None:
        more["watchdog"] = watchdog.place
    pause = bindings.get(("qos", "link-pause", "profile"))
    if pause is not None:
        more["link_pause"] = pause.place
    mtu = own.get(("link", "mtu"))
    if mtu is not None:
        more["mtu"] = mtu.place
    return {**shared, **more} if more else shared


def _port(
    name: str, qos: PortQos, own: dict[tuple[str, ...], Leaf], places: dict[str, Where], bond: str | None, place: Where
) -> Port:
    mtu, speed = own.get(("link", "mtu")), own.get(("link", "speed"))
    rate = None
    if speed is not None and re.fullmatch(r"[0-9]{1,5}[A-Z]", speed.value) and speed.value[-1] in _RATES:
        rate = int(speed.value[:-1]) * _RATES[speed.value[-1]]
    size = int(mtu.value) if mtu is not None else None
    counts: Literal["ip"] | None = "ip" if mtu is not None else None
    return Port(name, qos, rate, size, counts, lag=bond, place=place, places=places)


def pools_of(tables: dict[str, dict[str, dict[tuple[str, ...], Leaf]]]) -> tuple[Pool, ...] | None:
    """Return the traffic pools and service pools that are stated or made by the RoCE mode."""
    pools: list[Pool] = []
    for name, leaves in sorted(tables.get("traffic-pool", {}).items()):
        memory = leaves.get(("memory-percent",))
        place = memory.place if memory is not None else next(iter(leaves.values())).place
        total = Amount(int(memory.value), "percent") if memory is not None else None
        pools.append(Pool(name, "both", name.endswith("-lossless"), total, place=place))
    for profile in tables.get("advance-buffer-config", {}).values():
        for direction in ("ingress", "egress"):
            pools += _service_pools(profile, direction)
    return tuple(pools) or None


def _service_pools(profile: dict[tuple[str, ...], Leaf], direction: str) -> list[Pool]:
    found: dict[str, dict[str, Leaf]] = {}
    for path, leaf in profile.items():
        if path and path[0] in {f"{direction}-pool", f"{direction}-service-pool"} and len(path) == 3:
            found.setdefault(path[1], {})[path[2]] = leaf
    pools = []
    for number, leaves in sorted(found.items(), key=lambda item: int(item[0])):
        memory, mode = leaves.get("memory-percent"), leaves.get("mode")
        pools.append(
            Pool(
                f"{direction}-service-pool {number}",
                direction,  # type: ignore[arg-type]
                total=Amount(int(memory.value), "percent") if memory is not None else None,
                mode=mode.value if mode is not None else None,  # type: ignore[arg-type]
                place=next(iter(leaves.values())).place,
            )
        )
    return pools
