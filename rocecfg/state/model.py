"""The vendor-neutral state of one device: intended, running, startup or applied.

Everything is a frozen slots dataclass without third-party imports, so that linting a capture pays for nothing else.

Reading rules, the same everywhere:

- `None` means "the text does not say" in a capture and "do not care" in a plan. A known absence has a value:
  an empty tuple or frozenset, `False`, `NEVER` for a time, `UNLIMITED` for a rate.
- `PortQos` holds what is *in force on that port*: global maps, profiles, channel inheritance and wildcards are
  resolved by the vendor. Equal `PortQos` are one object (`Interner`), whatever the number of ports.
- Traffic class and priority group numbers are labels of the device. Compare through the maps.
- The words "xoff" and "size" never stand alone, because SONiC's `xoff` is the headroom and Cisco's the trigger:
  `headroom` (bytes kept after PAUSE went out), `xoff_at` (fill at which PAUSE goes out), `xon_at` (absolute fill
  at which it resumes) or `xon_below` (distance under `xoff_at`).
- Equality compares what the device does. Places, names of origin, roles and normalised bytes are outside `==`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from fractions import Fraction

    from rocecfg.state.counters import Sample

from rocecfg.state.nic import App, CongestionControl, Gid, Nic, NicBoot
from rocecfg.state.qos import Dcbx, Ecn, Headroom, LinkPause, Pfc, PortQos, PortWatchdog, PriorityGroup, Queue
from rocecfg.state.values import (
    DSCPS,
    NEVER,
    PRIORITIES,
    UNLIMITED,
    Action,
    Amount,
    CodeMap,
    Curve,
    Dynamic,
    Limit,
    Source,
    Static,
    Trust,
    Unit,
    Where,
    code_map,
    eight,
)

__all__ = [
    "DSCPS",
    "NEVER",
    "PRIORITIES",
    "UNLIMITED",
    "Action",
    "Amount",
    "App",
    "CodeMap",
    "CongestionControl",
    "Curve",
    "Dcbx",
    "Device",
    "Dynamic",
    "Ecn",
    "Gid",
    "Headroom",
    "HeadroomRow",
    "Interner",
    "Lag",
    "Limit",
    "Line",
    "LinkPause",
    "Named",
    "Neighbour",
    "Nic",
    "NicBoot",
    "Pfc",
    "Pool",
    "Port",
    "PortQos",
    "PortWatchdog",
    "PriorityGroup",
    "Queue",
    "Source",
    "Static",
    "Trust",
    "Unit",
    "Where",
    "code_map",
    "distinct_qos",
    "eight",
    "intern_ports",
]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The other end of a cable, as the intent or LLDP says."""

    device: str
    port: str
    source: Literal["intent", "lldp", "links-file", "description"] = "intent"


_NOTHING_KNOWN = PortQos()


@dataclass(frozen=True, slots=True)
class Port:
    """A front-panel port, a port-channel or a NIC port."""

    name: str
    qos: PortQos = _NOTHING_KNOWN
    speed: int | None = field(default=None, compare=False)
    """bit/s as configured."""
    mtu: int | None = None
    mtu_counts: Literal["ip", "l2", "l2+fcs"] | None = None
    """What `mtu` counts: the IP packet, the Ethernet frame without FCS, or with it."""
    mode: Literal["routed", "access", "trunk"] | None = field(default=None, compare=False)
    lag: str | None = field(default=None, compare=False)
    nic: Nic | None = None
    alias: str | None = field(default=None, compare=False)
    speed_now: int | None = field(default=None, compare=False)
    """bit/s as the link came up."""
    role: Literal["host", "fabric", "peer-link", "other"] | None = field(default=None, compare=False)
    enabled: bool | None = field(default=None, compare=False)
    fec: str | None = field(default=None, compare=False)
    macsec: bool | None = field(default=None, compare=False)
    vf_of: str | None = field(default=None, compare=False)
    neighbour: Neighbour | None = field(default=None, compare=False)
    place: Where | None = field(default=None, compare=False)
    places: Mapping[str, Where] = field(default_factory=dict, compare=False, hash=False, repr=False)
    """Leaf path of this port or of its `qos` ("pfc", "queues.3.ecn", "watchdog", "mtu") -> line that decides it."""

    def __reduce__(self) -> tuple[type[Port], tuple[object, ...]]:
        """Travel between processes as a call, see `Where`."""
        return Port, _port_values(self)

    @property
    def line_rate(self) -> int | None:
        """bit/s of the link: as it came up, else as configured."""
        return self.speed_now or self.speed

    def where(self, leaf: str) -> Where | None:
        """Return the line that decides a leaf, else that of the nearest outer leaf, else the port's own."""
        while leaf:
            found = self.places.get(leaf)
            if found is not None:
                return found
            leaf = leaf.rpartition(".")[0]
        return self.place


_port_values = attrgetter(*(item.name for item in fields(Port)))


@dataclass(frozen=True, slots=True)
class Pool:
    """A buffer pool or partition of the device."""

    name: str
    direction: Literal["ingress", "egress", "both"] | None = None
    lossless: bool | None = None
    total: Amount | None = None
    """Shared part; None when the box works it out."""
    mode: Literal["static", "dynamic"] | None = None
    headroom: Amount | None = None
    """Shared headroom pool."""
    oversubscription: Fraction | int | None = None
    alpha: Dynamic | None = None
    reserved: Amount | None = None
    place: Where | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Lag:
    """A port-channel and its members."""

    name: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """Something with a name in the text: a policy, class, map, profile, scheduler, pool."""

    kind: str
    """The vendor's own word: "policy-map type queuing", "BUFFER_PROFILE", "drop-profile"."""
    name: str
    defined: bool
    used: bool
    matters: bool = False
    """It holds a lossless, ECN or scheduling setting."""
    system: bool = False
    """The system defines it; no text has to."""
    place: Where | None = None
    """Where it is defined, or first used when it is not defined."""
    near: str = ""
    """The nearest defined name of that kind, when it is not defined."""
    inert: str = ""
    """Why the settings below bind to nothing although the object is used; empty = they bind."""
    would: Port | None = field(default=None, compare=False)
    """A port as this object would make it, for an object that is used nowhere: rules look at what waits there."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a section we read that nobody took."""

    text: str
    place: Where
    known_to: tuple[str, ...] = ()
    """Other systems that know this line."""


@dataclass(frozen=True, slots=True)
class HeadroomRow:
    """One row of a static headroom table (SONiC `pg_profile_lookup.ini`): speed and cable to thresholds."""

    speed: int
    """bit/s."""
    cable: Fraction | int
    """metres."""
    headroom: int
    """bytes."""
    reserved: int | None = None
    xon_at: int | None = None
    xon_below: int | None = None
    alpha: Limit | None = None
    headroom_shared: bool | None = None
    """The row's own size leaves the headroom to a shared pool; None = the row has no headroom."""
    place: Where | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Device:
    """The state of one device, from one source."""

    name: str
    nos: str
    ports: Mapping[str, Port] = field(default_factory=dict)
    pfc_enabled: bool | None = None
    """False = a device-wide kill switch turns all PFC off."""
    ecn_enabled: bool | None = None
    ecn_on_pool: Ecn | None = None
    pools: tuple[Pool, ...] | None = None
    buffer_model: Literal["stated", "table", "dynamic", "box"] | None = None
    """Who sizes the buffers: the text, a table in the image, a formula on the box, fixed hardware."""
    traffic: tuple[int, int] | None = None
    """(lossless MTU, percent of small packets) that the box sizes headroom for."""
    kind: Literal["switch", "host"] = field(default="switch", compare=False)
    source: Source = field(default="running", compare=False)
    os_version: str | None = field(default=None, compare=False)
    model: str | None = field(default=None, compare=False)
    asic: str | None = field(default=None, compare=False)
    role: str | None = field(default=None, compare=False)
    complete: frozenset[str] = field(default=frozenset(), compare=False)
    """Sections whose absence proves a default: "qos", "interfaces", "buffers", "watchdog", "maps", or "all"."""
    lags: tuple[Lag, ...] | None = field(default=None, compare=False)
    headroom_table: tuple[HeadroomRow, ...] | None = field(default=None, compare=False)
    apps: tuple[App, ...] | None = field(default=None, compare=False)
    """RDMA applications of a host, by the settings files that were read."""
    kubernetes_vfs: int | None = field(default=None, compare=False)
    """SR-IOV functions a card shall have where a Kubernetes operator sets up the NICs too; None = it does not."""
    arp_timeout: int | None = field(default=None, compare=False)
    mac_ageing: int | None = field(default=None, compare=False)
    dual_tor: bool | None = field(default=None, compare=False)
    """One of two switches that share hosts and send each other what arrives at the wrong one, through a tunnel."""
    tunnel_remap: bool | None = field(default=None, compare=False)
    """Whether such traffic travels in classes and queues of its own."""
    objects: tuple[Named, ...] = field(default=(), compare=False)
    lines: tuple[Line, ...] = field(default=(), compare=False)
    lines_read: int = field(default=0, compare=False)
    """Lines inside sections we read, taken or not (the base of "percent understood")."""
    sample: Sample | None = field(default=None, compare=False)
    """Counters of the capture; None = it shows none."""
    place: Where | None = field(default=None, compare=False)
    defaulted: frozenset[str] = field(default=frozenset(), compare=False)
    """Fields of the device ("mac_ageing") that hold the system's default."""

    def knows_all_of(self, section: str) -> bool:
        """Return whether the text of a section was complete, so that absence means the default."""
        return "all" in self.complete or section in self.complete


class Interner:
    """Hands back one object for equal values, so that 64 equal ports share one `PortQos`."""

    def __init__(self) -> None:
        self._seen: dict[tuple[object, ...], PortQos] = {}

    def __call__(self, qos: PortQos) -> PortQos:
        """Return the first object that was equal to `qos`, what rules read beside equality included.

        That is what negotiation ended with, and what a headroom was made for.
        """
        oper = qos.pfc.oper if qos.pfc is not None else None
        return self._seen.setdefault((qos, qos.defaulted, oper, _beside_equality(qos.priority_groups)), qos)


def _beside_equality(groups: tuple[PriorityGroup | None, ...] | None) -> tuple[object, ...]:
    return tuple(
        (group.headroom.made_for, group.headroom_shared)
        for group in groups or ()
        if group is not None and group.headroom is not None
    )


def intern_ports(ports: Iterable[Port]) -> dict[str, Port]:
    """Return ports by name with equal `PortQos` shared. An object is compared once, however many ports have it."""
    share = Interner()
    known: dict[int, tuple[PortQos, PortQos]] = {}  # the object stays with its number, which no other may get then
    shared = {}
    for port in ports:
        if id(port.qos) not in known:
            known[id(port.qos)] = port.qos, share(port.qos)
        _, qos = known[id(port.qos)]
        shared[port.name] = port if qos is port.qos else replace(port, qos=qos)
    return shared


def distinct_qos(device: Device) -> Iterator[tuple[PortQos, list[Port]]]:
    """Yield each distinct `PortQos` object of a device with the ports that have it, in port order."""
    groups: dict[int, tuple[PortQos, list[Port]]] = {}
    for port in device.ports.values():
        groups.setdefault(id(port.qos), (port.qos, []))[1].append(port)
    yield from groups.values()
