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

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from fractions import Fraction

    from rocecfg.state.counters import Sample

NEVER: Final = -1
"""A time that is known to be unset: the watchdog never restores, the timer never fires."""
UNLIMITED: Final = -1
"""A rate that is known to be without a limit."""

PRIORITIES: Final = range(8)
DSCPS: Final = range(64)

Unit = Literal["byte", "kbyte", "mbyte", "cell", "packet", "segment", "percent", "ns"]
Trust = Literal["dscp", "pcp", "both", "none"]
Source = Literal["intended", "running", "startup", "applied"]
Action = Literal["drop", "forward", "alert", "ignore-pause", "port-down", "pfc-off"]


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a text: file, line from 1 (0 = the file as a whole), column from 1 (0 = the whole line)."""

    file: str
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Amount:
    """A quantity in the device's own unit; `bytes` is the same in bytes, None when the factor is unknown."""

    value: int | Fraction
    unit: Unit = "byte"
    bytes: int | None = field(default=None, compare=False)

    @classmethod
    def of_bytes(cls, count: int) -> Amount:
        """Return an amount that is stated in bytes."""
        return cls(count, "byte", count)


@dataclass(frozen=True, slots=True)
class Dynamic:
    """A limit of alpha x free shared buffer. `index` is kept where the device's ratio table is unpublished."""

    alpha: Fraction | None = None
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Static:
    """A fixed limit."""

    amount: Amount


Limit = Dynamic | Static


@dataclass(frozen=True, slots=True)
class CodeMap:
    """64 DSCPs or 8 PCPs to traffic classes; None = this code is not known (capture) or free (plan)."""

    to: tuple[int | None, ...]
    stated: int = field(default=0, compare=False)
    """Bit n = code n stands in the text (the rest comes from the system's default)."""
    conflicts: tuple[tuple[int, frozenset[int]], ...] = ()
    """Codes that the text maps to several classes (NIC APP tables allow it)."""

    def codes(self, traffic_class: int) -> tuple[int, ...]:
        """Return the codes that land in a traffic class, ascending."""
        return tuple(code for code, to in enumerate(self.to) if to == traffic_class)


@dataclass(frozen=True, slots=True)
class Curve:
    """A marking or dropping ramp: nothing below `low`, `probability` percent at `high`, all above."""

    low: Amount | None
    high: Amount | None
    probability: int | None
    colours: frozenset[str] = frozenset()
    """Empty = every colour."""
    active: bool | None = True
    """False = the thresholds stand there and the switch that arms them does not (SONiC `wred_green_enable`)."""


@dataclass(frozen=True, slots=True)
class Ecn:
    """ECN on a queue. No curve = known to be off."""

    curves: tuple[Curve, ...] = ()
    weight: int | None = None
    """Averaging weight; 0 = the instantaneous queue."""
    non_ect: Literal["drop", "pass"] | None = None
    gate: bool | None = None
    """False = a device-wide switch keeps all ECN off; None = the system has no such switch, or it is unknown."""


@dataclass(frozen=True, slots=True)
class Queue:
    """One egress queue of a port."""

    scheduler: Literal["strict", "weighted"] | None = None
    rank: int | None = None
    """Order among strict queues, 1 = served first."""
    weight: Fraction | int | None = None
    weight_kind: Literal["percent-of-link", "percent-of-rest", "relative"] | None = None
    guarantee: int | None = None
    """bit/s, UNLIMITED where known to be without."""
    shaper: int | None = None
    """bit/s, UNLIMITED where known to be without."""
    ecn: Ecn | None = None
    wred: tuple[Curve, ...] | None = None
    """Curves that DROP, ECT packets included. Empty = known to have none."""
    limit: Limit | None = None
    reserved: Amount | None = None
    pool: str | None = None


@dataclass(frozen=True, slots=True)
class Headroom:
    """Bytes kept for what still arrives after PAUSE went out."""

    amount: Amount | None = None
    by: Literal["none", "stated", "length", "table", "pool-share", "box"] = "stated"
    """Who chose it: `length` and `box` = the device works it out (amount None until a capture shows it)."""
    made_for: tuple[int, Fraction | int] | None = field(default=None, compare=False)
    """(bit/s, metres) that a table row or profile was made for."""


@dataclass(frozen=True, slots=True)
class PriorityGroup:
    """One ingress priority group of a port (a NIC's receive buffer)."""

    lossless: bool | None = None
    headroom: Headroom | None = None
    xoff_at: Limit | None = None
    xon_at: Amount | None = None
    xon_below: Amount | None = None
    reserved: Amount | None = None
    pool: str | None = None
    mtu: int | None = None
    headroom_shared: bool | None = field(default=None, compare=False)
    """False = the group's own guarantee holds the headroom; True = it must come from a shared headroom pool."""


@dataclass(frozen=True, slots=True)
class Pfc:
    """Priority flow control of a port. `tx` = priorities we pause the peer for, `rx` = pauses we honour."""

    admin: Literal["on", "off", "auto"] | None = None
    tx: frozenset[int] | None = None
    rx: frozenset[int] | None = None
    by: Literal["internal", "pcp"] | None = None
    """What selects the priority of an arriving packet: the internal class, or the PCP of its tag only."""
    oper: frozenset[int] | None = field(default=None, compare=False)
    """What negotiation ended with, where a capture shows it."""
    gate: bool | None = None
    """False = the device-wide kill switch is thrown; None = none, or unknown."""

    def sends(self) -> frozenset[int] | None:
        """Return the priorities this port asks its peer to pause; None when the text leaves it open."""
        return self._in_force(self.tx)

    def honours(self) -> frozenset[int] | None:
        """Return the priorities whose pauses this port obeys; None when the text leaves it open."""
        return self._in_force(self.rx)

    def _in_force(self, wanted: frozenset[int] | None) -> frozenset[int] | None:
        if self.gate is False or self.admin == "off":
            return frozenset()
        if self.admin == "auto":
            return self.oper
        return wanted if self.admin == "on" else None


@dataclass(frozen=True, slots=True)
class LinkPause:
    """IEEE 802.3x pause of the whole link."""

    rx: bool | None = None
    tx: bool | None = None


@dataclass(frozen=True, slots=True)
class Dcbx:
    """Negotiation of PFC, ETS and APP with the peer."""

    state: Literal["off", "auto", "ieee", "cee"] | None = None
    willing: bool | None = None
    advertises: frozenset[str] | None = None
    """Of "pfc", "ets", "app"."""
    owners: frozenset[str] | None = None
    """Who writes the NIC's DCB settings: "os", "firmware", "lldpad"."""


@dataclass(frozen=True, slots=True)
class PortWatchdog:
    """PFC watchdog in force on a port (global AND port switch); times in milliseconds."""

    enabled: bool | None = None
    priorities: frozenset[int] | None = None
    poll: int | None = None
    detect: int | None = None
    restore: int | None = None
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class PortQos:
    """All that is in force on a port. The unit of interning and of most lint rules."""

    trust: Trust | None = None
    dscp_to_tc: CodeMap | None = None
    pcp_to_tc: CodeMap | None = None
    default_tc: int | None = None
    dscp_to_colour: tuple[str | None, ...] | None = None
    app_to_tc: tuple[tuple[str, int, int], ...] | None = None
    """(selector, number, traffic class), for example ("udp", 4791, 3)."""
    rewrite: tuple[tuple[str, int, int], ...] | None = None
    """("tc" or "dscp", from, to DSCP); empty = known to leave the mark alone."""
    tc_to_queue: tuple[int | None, ...] | None = None
    tc_to_pg: tuple[int | None, ...] | None = None
    priority_to_queue: tuple[frozenset[int] | None, ...] | None = None
    priority_to_pg: tuple[frozenset[int] | None, ...] | None = None
    pfc: Pfc | None = None
    link_pause: LinkPause | None = None
    dcbx: Dcbx | None = None
    cable: Fraction | int | None = None
    """Metres, as the device was told; None where it has no such input."""
    watchdog: PortWatchdog | None = None
    queues: tuple[Queue | None, ...] | None = None
    priority_groups: tuple[PriorityGroup | None, ...] | None = None
    defaulted: frozenset[str] = field(default=frozenset(), compare=False)
    """Leaf paths ("link_pause", "queues.0.scheduler") whose value is the system's default, not stated."""

    def queue(self, number: int) -> Queue | None:
        """Return a queue by number, None when the state does not know it."""
        return self.queues[number] if self.queues is not None and number < len(self.queues) else None

    def priority_group(self, number: int) -> PriorityGroup | None:
        """Return a priority group by number, None when the state does not know it."""
        groups = self.priority_groups
        return groups[number] if groups is not None and number < len(groups) else None

    def lossless_priorities(self) -> frozenset[int] | None:
        """Return the priorities the device itself treats as lossless: those it pauses for or honours."""
        if self.pfc is None:
            return None
        sends, honours = self.pfc.sends(), self.pfc.honours()
        if sends is None or honours is None:
            return None
        return sends | honours

    def lossless_tcs(self) -> frozenset[int] | None:
        """Return the traffic classes whose priority group is lossless or paused for; None when unknown."""
        lossless = self.lossless_priorities()
        if lossless is None or self.tc_to_pg is None or self.priority_to_pg is None:
            return None
        groups: set[int] = set()
        for priority in lossless:
            of_priority = self.priority_to_pg[priority]
            if of_priority is None:
                return None
            groups |= of_priority
        return frozenset(tc for tc, group in enumerate(self.tc_to_pg) if group in groups)


@dataclass(frozen=True, slots=True)
class CongestionControl:
    """DCQCN (or another algorithm) on a NIC."""

    algorithm: str | None = None
    receives: frozenset[int] | None = None
    """Priorities on which the NIC answers marks with CNPs (notification point)."""
    reacts: frozenset[int] | None = None
    """Priorities on which the NIC slows down on CNPs (reaction point)."""
    parameters: tuple[tuple[str, int], ...] = ()
    """(neutral name, number), sorted by name."""


@dataclass(frozen=True, slots=True)
class NicBoot:
    """What the firmware will use after the next reset, where it differs from the running value."""

    cnp_dscp: int | None = None
    cnp_priority: int | None = None
    congestion_control: frozenset[int] | None = None
    willing: bool | None = None
    lldp_agent: bool | None = None
    rdma: bool | None = None


@dataclass(frozen=True, slots=True)
class Gid:
    """One entry of a RoCE address table."""

    index: int
    version: Literal["v1", "v2"]
    kind: Literal["ipv4", "ipv6", "link-local"]
    netdev: str = ""


@dataclass(frozen=True, slots=True)
class Nic:
    """What a NIC port has beyond a switch port."""

    family: str | None = field(default=None, compare=False)
    model: str | None = field(default=None, compare=False)
    firmware: str | None = field(default=None, compare=False)
    driver: str | None = field(default=None, compare=False)
    pcie: tuple[int, int] | None = field(default=None, compare=False)
    """(generation, lanes)."""
    rdma_device: str | None = None
    roce_version: Literal["v1", "v2"] | None = None
    active_mtu: int | None = None
    gids: tuple[Gid, ...] | None = field(default=None, compare=False)
    default_tos: int | None = None
    forced_tos: int | None = None
    sets_ect: bool | None = None
    congestion_control: CongestionControl | None = None
    cnp_dscp: int | None = None
    cnp_priority: int | None = None
    storm_timeout: int | None = None
    """Milliseconds until the NIC stops pausing by itself; NEVER = off."""
    manual_buffers: bool | None = None
    reorders: bool | None = None
    next_boot: NicBoot | None = None


@dataclass(frozen=True, slots=True)
class App:
    """What an RDMA application on a host was told: how it marks its packets, and how long it retries."""

    name: str
    """ "nccl" (RCCL reads the same settings), "ucx"."""
    tos: int | None = None
    """ToS byte (traffic class) of its packets: DSCP x 4 + ECN bits; 0 = known to mark nothing."""
    sl: int | None = None
    gid_index: int | None = None
    """Entry of the RoCE address table; None where the application chooses by itself."""
    timeout: int | None = None
    """Code of the QP's ACK timeout: 4.096 us x 2^code."""
    retry: int | None = None
    defaulted: frozenset[str] = frozenset()
    """Fields that hold the application's own default."""
    place: Where | None = field(default=None, compare=False)
    places: Mapping[str, Where] = field(default_factory=dict, compare=False, hash=False, repr=False)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The other end of a cable, as the intent or LLDP says."""

    device: str
    port: str
    source: Literal["intent", "lldp", "links-file", "description"] = "intent"


@dataclass(frozen=True, slots=True)
class Port:
    """A front-panel port, a port-channel or a NIC port."""

    name: str
    qos: PortQos = PortQos()
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
    role: Literal["host", "fabric", "peer-link", "other"] | None = field(default=None, compare=False)
    enabled: bool | None = field(default=None, compare=False)
    fec: str | None = field(default=None, compare=False)
    macsec: bool | None = field(default=None, compare=False)
    vf_of: str | None = field(default=None, compare=False)
    neighbour: Neighbour | None = field(default=None, compare=False)
    place: Where | None = field(default=None, compare=False)
    places: Mapping[str, Where] = field(default_factory=dict, compare=False, hash=False, repr=False)
    """Leaf path of this port or of its `qos` ("pfc", "queues.3.ecn", "watchdog", "mtu") -> line that decides it."""

    def where(self, leaf: str) -> Where | None:
        """Return the line that decides a leaf, else that of the nearest outer leaf, else the port's own."""
        while leaf:
            found = self.places.get(leaf)
            if found is not None:
                return found
            leaf = leaf.rpartition(".")[0]
        return self.place


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
    arp_timeout: int | None = field(default=None, compare=False)
    mac_ageing: int | None = field(default=None, compare=False)
    objects: tuple[Named, ...] = field(default=(), compare=False)
    lines: tuple[Line, ...] = field(default=(), compare=False)
    lines_read: int = field(default=0, compare=False)
    """Lines inside sections we read, taken or not (the base of "percent understood")."""
    sample: Sample | None = field(default=None, compare=False)
    """Counters of the capture; None = it shows none."""
    place: Where | None = field(default=None, compare=False)

    def knows_all_of(self, section: str) -> bool:
        """Return whether the text of a section was complete, so that absence means the default."""
        return "all" in self.complete or section in self.complete


_Q = TypeVar("_Q")


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
    """Return ports by name with equal `PortQos` shared."""
    share = Interner()
    shared = {}
    for port in ports:
        qos = share(port.qos)
        shared[port.name] = port if qos is port.qos else replace(port, qos=qos)
    return shared


def distinct_qos(device: Device) -> Iterator[tuple[PortQos, list[Port]]]:
    """Yield each distinct `PortQos` object of a device with the ports that have it, in port order."""
    groups: dict[int, tuple[PortQos, list[Port]]] = {}
    for port in device.ports.values():
        groups.setdefault(id(port.qos), (port.qos, []))[1].append(port)
    yield from groups.values()


def eight(values: Mapping[int, _Q]) -> tuple[_Q | None, ...]:
    """Return an 8-tuple with the given places filled and None elsewhere."""
    return tuple(values.get(number) for number in range(8))


def code_map(codes: Mapping[int, int], size: int = 64, *, rest: int | None = None) -> CodeMap:
    """Return a map of 64 DSCPs (or 8 PCPs) from the stated codes; `rest` = class of all others."""
    stated = 0
    for code in codes:
        stated |= 1 << code
    return CodeMap(tuple(codes.get(code, rest) for code in range(size)), stated)
