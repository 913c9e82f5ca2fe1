"""From the tree of a device to its state: what each port is bound to, the headroom pool, the names."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rocecfg.packs import load_module
from rocecfg.state.counters import Tally
from rocecfg.state.model import Amount, Device, Interner, Lag, Neighbour, Pool, Port, PortQos, Where

if TYPE_CHECKING:
    from collections.abc import Iterator

_HERE = Path(__file__)
names_module: Any = load_module(_HERE.with_name("names.py"))
port_qos: Any = load_module(_HERE.with_name("port_qos.py"))
objects: Any = load_module(_HERE.with_name("objects.py"))
counters: Any = load_module(_HERE.with_name("counters.py"))

MOST_PORTS = 4096
"""More interfaces than any switch has."""
_SPEED = re.compile(r"([0-9]{1,4})([MG])\Z")
_RATES = {"M": 10**6, "G": 10**9}
_PORT = re.compile(r"(?:ethernet-[0-9a-z]{1,4}/[0-9]{1,4}(?:/[0-9]{1,3})?|lag[0-9a-z_-]{1,40})\Z")
_SUBINTERFACE = re.compile(r"(.{1,80})\.([0-9]{1,5})\Z")
_DNX_LEAVES = frozenset({"committed-burst-size", "pfc-on-threshold", "pfc-off-threshold"})
_MODELS = re.compile(r"7[0-9]{3} ?[A-Z0-9][A-Za-z0-9 /+-]{1,40}")
_ALL = frozenset({"all"})
IP_MTU = 1500
"""Bytes of an IP packet on a routed subinterface that states nothing (system mtu default-ip-mtu)."""
PORT_MTU = 9232
"""Bytes of a frame without FCS on an interface that states nothing (system mtu default-port-mtu)."""
ETHERNET_HEADER = 14
"""Bytes of a frame without FCS beside its IP packet, untagged."""


class _Usual(NamedTuple):
    """The MTUs that `system mtu` gives to interfaces without one of their own."""

    port: Any = None
    ip: Any = None


class _Site:
    """What `qos interfaces` says of one port: its own entry, and those of its subinterfaces."""

    __slots__ = ("numbers", "own", "subs")

    def __init__(self) -> None:
        self.own: Any = None
        self.subs: list[Any] = []
        self.numbers: set[str] = set()


def device_of(tree: Any, name: str) -> Device:
    """Return the device that a tree describes."""
    names = names_module.Names(tree)
    xgs, dnx = _families(names)
    gate = True if names.qos is not None and names.qos.below("explicit-congestion-notification") is not None else None
    resolver = port_qos.Resolver(names, gate, dnx, xgs)
    sites = dict(_sites(names, tree))
    interfaces = {keys[0]: node for keys, node in tree.root.entries.get("interface", {}).items()}
    lag_of = {
        port: node.below("ethernet").word("aggregate-id")
        for port, node in interfaces.items()
        if node.below("ethernet") is not None and node.below("ethernet").word("aggregate-id")
    }
    mtu = tree.root.below("system", "mtu")
    usual = (
        _Usual(mtu.leaves.get("default-port-mtu"), mtu.leaves.get("default-ip-mtu")) if mtu is not None else _Usual()
    )
    neighbours = _neighbours(tree)
    ports: dict[str, Port] = {}
    share = Interner()
    for port in _ordered(interfaces, sites, lag_of):
        of = lag_of.get(port, port)
        bound = _bound(sites.get(of) or _Site(), interfaces.get(port), names)
        qos, places = resolver.of(bound)
        ports[port] = _port(
            port, share(qos), places, interfaces.get(port), sites.get(port), lag_of.get(port), usual, tree
        )
        if port in neighbours:
            ports[port] = replace(ports[port], neighbour=neighbours[port])
    tally = Tally()
    for port, site in sites.items():
        counters.gather(tally, port, site.own, names)
    members: dict[str, list[str]] = {}
    for port, lag in lag_of.items():
        members.setdefault(lag, []).append(port)
    device = Device(
        name=_host(tree) or name,
        nos="srlinux",
        ports=ports,
        ecn_enabled=gate,
        pools=_pools(names, tree),
        buffer_model="stated",
        os_version=_version(tree),
        model=_model(tree),
        complete=_ALL if tree.whole else frozenset(),
        lags=tuple(Lag(lag, tuple(of)) for lag, of in members.items()) if members or tree.whole else None,
        lines=tuple(tree.junk),
        lines_read=tree.read,
        sample=tally.sample(),
        place=Where(tree.files[0]) if tree.files else None,
    )
    return replace(device, objects=objects.objects_of(names, sites, tree, whole=tree.whole), lines=tuple(tree.junk))


def _neighbours(tree: Any) -> dict[str, Neighbour]:
    """Return what LLDP says of the other ends; a port that is named by its MAC address has no name here."""
    found: dict[str, Neighbour] = {}
    lldp = tree.root.below("system", "lldp")
    for keys, entry in lldp.listed("interface").items() if lldp is not None else ():
        for neighbour in entry.listed("neighbor").values():
            device, port = neighbour.word("system-name"), neighbour.word("port-id")
            if device and neighbour.word("port-id-type") in {"", "INTERFACE_NAME", "INTERFACE_ALIAS", "LOCAL"}:
                found.setdefault(keys[0], Neighbour(device, port, source="lldp"))
    return found


def _families(names: Any) -> tuple[bool, bool]:
    """Return whether leaves stand in the text that only the 7220 has, and such that only the 7250 has."""
    xgs = any(entry.below("received-traffic") is not None for entry in names.listed("pfc-mapping-profile").values())
    dnx = False
    for profile in names.listed("buffer-allocation-profile", "buffer-management").values():
        for entry in profile.listed("pfc-queue", "queues").values():
            xgs |= "maximum-burst-size" in entry.leaves
            dnx |= bool(_DNX_LEAVES & entry.leaves.keys())
    for card in names.listed("linecard").values():
        for complex_ in card.listed("forwarding-complex").values():
            inner = complex_.below("input")
            xgs |= inner is not None and "pfc-buffer-reservation" in inner.leaves
    return xgs and not dnx, dnx


def _sites(names: Any, tree: Any) -> Iterator[tuple[str, _Site]]:
    found: dict[str, _Site] = {}
    for key, entry in names.listed("interface", "interfaces").items():
        ref = entry.below("interface-ref")
        port, sub = (ref.word("interface"), ref.word("subinterface")) if ref is not None else ("", "")
        if not port:  # the identifier is free text; without a reference it is all there is
            split = _SUBINTERFACE.match(key)
            port, sub = (split[1], split[2]) if split is not None else (key, "")
        if not _PORT.match(port):
            if not port.startswith(("irb", "mgmt", "system", "lo", "lif", "vhn")):
                tree.not_understood(f"interface {key}", entry.file, entry.line)
            continue
        site = found.setdefault(port, _Site())
        if sub:
            site.subs.append(entry)
            site.numbers.add(sub)
        else:
            site.own = entry
        if len(found) >= MOST_PORTS:
            break
    yield from found.items()


def _ordered(interfaces: dict[str, Any], sites: dict[str, _Site], lag_of: dict[str, str]) -> list[str]:
    known = [name for name in interfaces if _PORT.match(name)]
    return list(dict.fromkeys([*known, *sites, *lag_of.values()]))[:MOST_PORTS]


def _bound(site: _Site, interface: Any, names: Any) -> Any:
    """Return the bindings of a port, noting each as a use of its profile."""
    found: dict[str, Any] = {}
    dscp: list[str] = []
    dot1p: list[str] = []
    rewrite: list[str] = []
    for sub in (*site.subs, *((site.own,) if site.own is not None else ()), *_inside(interface)):
        classifiers = sub.below("input", "classifiers")
        for word in ("dscp-policy", "ipv4-dscp-policy", "ipv6-dscp-policy"):
            _take(dscp, classifiers, word, "dscp-policy", names)
            _take(rewrite, sub.below("output", "rewrite-rules"), word, "rewrite-rules dscp-policy", names)
        _take(dot1p, classifiers, "dot1p-policy", "dot1p-policy", names)
        earlier = classifiers.leaves.get("default-forwarding-class") if classifiers is not None else None
        if earlier is not None:
            found.setdefault("default_class", earlier.word)
            names.use("forwarding-class", earlier.word, earlier)
        default = classifiers.below("default") if classifiers is not None else None
        if default is not None and default.word("forwarding-class"):
            found.setdefault("default_class", default.word("forwarding-class"))
            names.use("forwarding-class", default.word("forwarding-class"), default)
    found |= {"dscp": tuple(dscp), "dot1p": tuple(dot1p), "rewrite": tuple(rewrite)}
    if site.own is not None:
        found |= _own(site.own, names)
    if interface is not None:
        flow = interface.below("ethernet", "flow-control")
        if flow is not None:
            found["pause"] = (flow.switch("receive"), flow.switch("transmit"))
        found["speed"] = _speed(interface)
    return port_qos.Bound(**found)


def _inside(interface: Any) -> list[Any]:
    """Return the bindings that stand below the subinterfaces of a port (up to 23.3)."""
    entries = interface.listed("subinterface").values() if interface is not None else ()
    return [entry.below("qos") for entry in entries if entry.below("qos") is not None]


def _take(into: list[str], node: Any, word: str, kind: str, names: Any) -> None:
    leaf = node.leaves.get(word) if node is not None else None
    if leaf is not None:
        names.use(kind, leaf.word, leaf)
        if leaf.word not in into:
            into.append(leaf.word)


def _own(entry: Any, names: Any) -> dict[str, Any]:
    """Return what the entry of the port itself binds: PFC, buffers, slopes and the scheduler."""
    found: dict[str, Any] = {}
    pfc, output = entry.below("pfc"), entry.below("output")
    if pfc is not None:
        found["enabled"] = pfc.switch("pfc-enable")
    dcbx = entry.below("dcbx")
    if dcbx is not None:
        found["dcbx"] = dcbx.word("admin-state")
    for field, node, word, kind in (
        ("mapping", pfc, "pfc-mapping-profile", "pfc-mapping-profile"),
        ("ingress", entry.below("input"), "pfc-buffer-allocation-profile", "buffer-allocation-profile"),
        ("egress", output, "buffer-allocation-profile", "buffer-allocation-profile"),
        ("scheduler", entry.below("output", "scheduler"), "scheduler-policy", "scheduler-policy"),
    ):
        leaf = node.leaves.get(word) if node is not None else None
        if leaf is not None:
            names.use(kind, leaf.word, leaf)
            found[field] = leaf.word
    management = []
    for keys, queue in entry.listed("queue", "output", "queues").items():
        leaf = queue.leaves.get("queue-management-profile")
        if leaf is not None:
            names.use("queue-management-profile", leaf.word, leaf)
            names.queue(keys[0], queue)
            management.append((keys[0], leaf.word))
            if not _is_sized(names, found.get("egress", ""), keys[0]):
                names.unsized.setdefault(leaf.word, keys[0])
    found["management"] = tuple(management)
    return found


def _is_sized(names: Any, profile: str, queue: str) -> bool:
    """Return whether a buffer allocation profile gives a queue a maximum burst size: a slope needs one."""
    allocation = names.listed("buffer-allocation-profile", "buffer-management").get(profile)
    entry = allocation.listed("queue", "queues").get((queue,)) if allocation is not None else None
    return bool(entry is not None and entry.number("maximum-burst-size"))


def _speed(interface: Any) -> int | None:
    ethernet = interface.below("ethernet")
    found = _SPEED.match(ethernet.word("port-speed")) if ethernet is not None else None
    return int(found[1]) * _RATES[found[2]] if found is not None else None


def _port(
    name: str, qos: PortQos, shared: dict[str, Where], interface: Any, site: Any, lag: str | None, usual: Any, tree: Any
) -> Port:
    """Return a port with what its own lines decide."""
    places = dict(shared)
    first = interface if interface is not None else site.own if site is not None and site.own is not None else None
    if first is None and site is not None and site.subs:
        first = site.subs[0]
    place = tree.where(first.file, first.line) if first is not None else None
    for entry in (site.own,) if site is not None and site.own is not None else ():
        pfc = entry.below("pfc")
        if pfc is not None:
            where = pfc.leaves.get("pfc-enable") or pfc
            places["pfc.admin"] = tree.where(where.file, where.line)
            places.setdefault("pfc", places["pfc.admin"])
            places.setdefault("watchdog", places["pfc.admin"])
    for entry in (*(site.subs if site is not None else ()), *_inside(interface)):
        classifiers = entry.below("input", "classifiers")
        leaf = classifiers.leaves.get("dscp-policy") if classifiers is not None else None
        if leaf is not None:
            places["trust"] = tree.where(leaf.file, leaf.line)
    enabled = None
    if interface is not None:
        state = interface.word("admin-state")
        enabled = {"enable": True, "disable": False}.get(state)
        flow = interface.below("ethernet", "flow-control")
        if flow is not None:
            places["link_pause"] = tree.where(flow.file, flow.line)
    mtu, decides = _mtu(interface, site, usual, whole=tree.whole)
    if decides is not None:
        places["mtu"] = tree.where(decides.file, decides.line)
    return Port(
        name,
        qos,
        _speed(interface) if interface is not None else None,
        mtu,
        "l2" if mtu is not None else None,
        mode=_mode(interface),  # type: ignore[arg-type]
        lag=lag,
        enabled=enabled,
        place=place,
        places=places,
    )


def _mtu(interface: Any, site: _Site | None, usual: _Usual, *, whole: bool) -> tuple[int | None, Any]:
    """Return the longest frame that passes a port, and what decides it.

    A port forwards no packet above the IP MTU of its routed subinterface, whatever the port's own MTU says: 1500 bytes
    where nothing is stated. What counts are the subinterfaces with QoS, where there are such.
    """
    own = interface.leaves.get("mtu", usual.port) if interface is not None else usual.port
    found: list[tuple[int, Any]] = [(int(own.word), own)] if own is not None else []
    routed = False
    subs = {keys[0]: sub for keys, sub in interface.listed("subinterface").items()} if interface is not None else {}
    bound = site.numbers & subs.keys() if site is not None else set()
    for number, sub in subs.items():
        if sub.word("type") != "routed" or (bound and number not in bound):
            continue
        routed = True
        stated = sub.leaves.get("ip-mtu", usual.ip)
        if stated is not None:
            found.append((int(stated.word) + ETHERNET_HEADER, stated))
        elif whole:
            found.append((IP_MTU + ETHERNET_HEADER, sub))
    if routed and own is None and whole:
        found.append((PORT_MTU, None))
    return min(found, key=lambda one: one[0], default=(None, None))


def _mode(interface: Any) -> str | None:
    if interface is None:
        return None
    kinds = {entry.word("type") for entry in interface.listed("subinterface").values()}
    return "routed" if kinds == {"routed"} else None


def _pools(names: Any, tree: Any) -> tuple[Pool, ...] | None:
    """Return the headroom pool of each forwarding complex that states one."""
    pools = []
    for slot, card in sorted(names.listed("linecard").items()):
        for keys, complex_ in card.listed("forwarding-complex").items():
            inner = complex_.below("input")
            leaf = inner.leaves.get("pfc-buffer-reservation") if inner is not None else None
            if leaf is not None and inner is not None:
                size = inner.number("pfc-reserved-buffer-size")
                pools.append(
                    Pool(
                        pool_name(slot, keys[0]),
                        "ingress",
                        lossless=True,
                        headroom=Amount(int(leaf.word), "percent", size),
                        place=tree.where(leaf.file, leaf.line),
                    )
                )
    return tuple(pools) or None


def pool_name(slot: str, complex_: str = "0") -> str:
    """Return how the headroom pool of a forwarding complex is called."""
    return f"linecard {slot} forwarding-complex {complex_}"


def _host(tree: Any) -> str:
    named = tree.root.below("system", "name")
    return (named.word("host-name") if named is not None else "") or tree.host


def _version(tree: Any) -> str | None:
    found = tree.root.below("system", "information")
    return (found.word("version") or None) if found is not None else None


def _model(tree: Any) -> str | None:
    chassis = tree.root.below("platform", "chassis")
    word = chassis.word("type") if chassis is not None else ""
    return word if _MODELS.match(word) else None
