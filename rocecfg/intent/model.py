"""The shape of an intent file, level by level. Places and links are added by `rocecfg.intent.load`.

Fields hold numbers in base units (bytes, bit/s, metres, nanoseconds, percent points). Three states of a setting:
`None` = this level does not say, `AUTO` = this level says "auto", anything else = this level says so.
The docstring under each field is its description in the published JSON Schema.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict
from pydantic_core import core_schema

from rocecfg import units
from rocecfg.intent import fields
from rocecfg.intent.fields import Auto, Cable, FieldError
from rocecfg.units import Number, shown

if TYPE_CHECKING:
    from collections.abc import Callable

_NUMBER = r"[0-9]+(\.[0-9]+)? ?"
SIZE = {"type": "string", "pattern": rf"^{_NUMBER}(B|[kK]B|MB|GB|KiB|MiB|GiB)$", "examples": ["150KB", "1MiB"]}
RATE = {"type": "string", "pattern": rf"^{_NUMBER}[MGT](b/s|bps|bit/s)?$", "examples": ["25G", "400G"]}
TIME = {"type": "string", "pattern": rf"^{_NUMBER}(ns|us|µs|μs|ms|s)$", "examples": ["200ms", "8us"]}
PERCENT = {"type": "string", "pattern": rf"^{_NUMBER}%$", "examples": ["10%"]}
CABLE = {
    "type": "string",
    "pattern": rf"^{_NUMBER}(m|km|cm)( +[A-Za-z]+)?$",
    "examples": ["5m dac", "30m fibre"],
}
ALPHA = {
    "anyOf": [
        {"type": "number", "exclusiveMinimum": 0},
        {"type": "string", "pattern": r"^([0-9]+(\.[0-9]+)?|[0-9]+/[0-9]+|2\^-?[0-9]+)$"},
    ],
    "examples": ["1/8", 2],
}
RATIO = {
    "anyOf": [
        {"type": "number", "exclusiveMinimum": 0},
        {"type": "string", "pattern": r"^([0-9]+(\.[0-9]+)?|[0-9]+/[0-9]+)(:1)?$"},
    ],
    "examples": [1.5, "2:1"],
}
NAME = {"type": ["string", "number"], "examples": ["leaf"]}
DSCP = {
    "anyOf": [
        {"type": "integer", "minimum": 0, "maximum": 63},
        {"type": "string", "pattern": r"^ *[0-9]+(-[0-9]+)? *(, *[0-9]+(-[0-9]+)? *)*$"},
        {
            "type": "array",
            "minItems": 1,
            "items": {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 63}, {"type": "string"}]},
        },
    ],
    "examples": [26, "24-31", [24, 26]],
}
PRIORITY = {"type": "integer", "minimum": 0, "maximum": 7}
TRAFFIC = {
    "anyOf": [{"enum": ["worst", "large"]}, {"type": "string", "pattern": rf"^mixed {_NUMBER}%$"}],
    "examples": ["worst", "mixed 50%"],
}
ROCE_MTUS = (256, 512, 1024, 2048, 4096)
IGNORE = {"type": "array", "items": {"type": "string"}, "examples": [["PFC-003 -- host ports are audited elsewhere"]]}


class Reads:
    """Annotation of a field: the function that reads it and the JSON Schema of what it reads."""

    __slots__ = ("reader", "schema")

    def __init__(self, reader: Callable[[Any], Any], schema: dict[str, Any]) -> None:
        self.reader = reader
        self.schema = schema

    def __get_pydantic_core_schema__(self, _source: Any, _handler: Any) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self.reader)

    def __get_pydantic_json_schema__(self, _schema: Any, _handler: Any) -> dict[str, Any]:
        return dict(self.schema)


def _auto(reader: Callable[[Any], Any], schema: dict[str, Any]) -> Reads:
    examples = schema.get("examples", [])
    inner = {key: value for key, value in schema.items() if key != "examples"}
    return Reads(fields.auto_or(reader), {"anyOf": [{"const": "auto"}, inner], "examples": ["auto", *examples]})


def _whole(low: int, high: int) -> Reads:
    return _auto(fields.read_whole(low, high), {"type": "integer", "minimum": low, "maximum": high})


def _words(*known: str) -> Reads:
    return _auto(fields.read_word(*known), {"type": "string", "enum": list(known)})


Size = Annotated[int | Auto | None, _auto(units.parse_size, SIZE)]
Time = Annotated[int | Auto | None, _auto(units.parse_duration, TIME)]
Percent = Annotated[Number | Auto | None, _auto(units.parse_percent, PERCENT)]
Alpha = Annotated[Fraction | Auto | None, _auto(units.parse_alpha, ALPHA)]
Ratio = Annotated[Fraction | Auto | None, _auto(units.parse_ratio, RATIO)]
Flag = Annotated[bool | Auto | None, _auto(fields.read_boolean, {"type": "boolean"})]
Name = Annotated[str | None, Reads(fields.read_name, NAME)]
Text = Annotated[str | None, Reads(fields.read_text, NAME)]
AutoName = Annotated[str | Auto | None, _auto(fields.read_name, NAME)]
Word = str | Auto | None
Count = int | Auto | None


def _read_roce_mtu(value: Any) -> int:
    if isinstance(value, bool) or value not in ROCE_MTUS:
        raise FieldError(f"{shown(value)} is no RDMA path MTU", f"accepted: {', '.join(map(str, ROCE_MTUS))}")
    return int(value)


class Part(BaseModel):
    """A piece of an intent: fixed after loading, and closed to unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class EcnCurve(Part):
    """The ECN marking ramp: nothing below kmin, pmax at kmax, everything above."""

    enabled: Flag = None
    """Whether packets are marked at all."""
    kmin: Size = None
    """Queue fill at which marking begins."""
    kmax: Size = None
    """Queue fill at which marking reaches pmax."""
    pmax: Percent = None
    """Marking probability at kmax."""


def _read_ecn(value: Any) -> Any:
    """Take the short forms `ecn: false` and `ecn: auto` beside the full ramp."""
    if isinstance(value, bool):
        return {"enabled": value}
    if isinstance(value, str) and value != "auto":
        raise FieldError(
            f"{shown(value)} is not accepted", "accepted: auto, false, {kmin: 150KB, kmax: 1500KB, pmax: 10%}"
        )
    return {} if value == "auto" else value


class TrafficClass(Part):
    """One class of traffic, the same on every device of the fabric."""

    dscp: Annotated[tuple[int, ...] | None, Reads(fields.read_dscp, DSCP)] = None
    """DSCPs of the class. The class `default` takes every DSCP that no other class names."""
    priority: Annotated[int | None, Reads(fields.read_whole(0, 7), {"type": "integer", "minimum": 0, "maximum": 7})] = (
        None
    )
    """802.1Q priority, as PFC frames and VLAN tags carry it."""
    lossless: Annotated[bool, Reads(fields.read_boolean, {"type": "boolean"})] = False
    """Protected by PFC and headroom."""
    bandwidth: Percent = None
    """Share of the link that the scheduler guarantees."""
    strict: Flag = None
    """Served before all weighted queues."""
    kind: Annotated[Word, _words("roce", "cnp", "default", "control", "other")] = None
    """What the class carries; auto: lossless is roce, the names cnp, default and control mean themselves."""
    queue: Annotated[Count, _whole(0, 7)] = None
    """Egress queue; auto: as the device prefers."""
    traffic_class: Annotated[Count, _whole(0, 15)] = None
    """Switch-internal class; auto: as the device prefers."""
    priority_group: Annotated[Count, _whole(0, 7)] = None
    """Ingress priority group; auto: as the device prefers."""
    pcp: Annotated[
        tuple[int, ...] | Auto | None,
        _auto(fields.read_priorities, {"anyOf": [PRIORITY, {"type": "array", "minItems": 1, "items": PRIORITY}]}),
    ] = None
    """PCPs that fall into the class where a port trusts VLAN tags; auto: the priority."""
    ecn: Annotated[EcnCurve | None, BeforeValidator(_read_ecn)] = None
    """ECN marking: auto, false, or a ramp of its own."""
    alpha: Alpha = None
    """Dynamic threshold factor of the class."""


class Pfc(Part):
    """Priority flow control."""

    mode: Annotated[Word, _words("on", "off", "dcbx")] = None
    """on: always; dcbx: as negotiated; off: no PFC here."""
    headroom: Size = None
    """Bytes kept for what still arrives after PAUSE."""
    xoff_at: Size = None
    """Fill at which PAUSE goes out (a fixed threshold instead of alpha)."""
    xon_at: Size = None
    """Fill at which transmission resumes."""
    xon_below: Size = None
    """Distance under the PAUSE threshold at which transmission resumes."""
    alpha: Alpha = None
    """Dynamic PAUSE threshold: alpha x free shared buffer."""


class Ecn(EcnCurve):
    """ECN marking of the lossless classes."""

    profile: Annotated[Word, _words("latency", "balanced", "throughput")] = None
    """Where the ramp lies between short queues and full links."""


class Buffer(Part):
    """How the switch buffer is divided."""

    lossless_share: Percent = None
    """Part of the buffer for lossless traffic."""
    headroom_share: Percent = None
    """Part of the buffer kept as headroom."""
    oversubscription: Ratio = None
    """Sum of all headrooms over the shared headroom pool; 1 = no sharing."""


class Watchdog(Part):
    """PFC storm and deadlock watchdog."""

    enabled: Flag = None
    poll: Time = None
    """How often the device looks."""
    detect: Time = None
    """How long a queue must be paused before it counts as a storm."""
    restore: Time = None
    """How long after the storm the queue returns to normal."""
    action: Annotated[Word, _words("drop", "forward", "alert")] = None
    """What happens to packets of a stormed queue."""


class HostSettings(Part):
    """What only hosts have."""

    tool: AutoName = None
    """Tool that the host script uses; which ones exist is the NIC family's business."""
    rdma_device: AutoName = None
    """RDMA device of a port, such as mlx5_0."""
    gid_index: Annotated[Count, _whole(0, 255)] = None
    """GID index that applications use."""
    roce_version: Annotated[Word, _words("v1", "v2")] = None
    cnp_dscp: Annotated[Count, _whole(0, 63)] = None
    """DSCP of congestion notification packets; auto: that of the cnp class."""
    cnp_priority: Annotated[Count, _whole(0, 7)] = None
    """802.1Q priority of congestion notification packets; auto: that of the cnp class."""
    cnp_interval: Time = None
    """Shortest time between two notifications of one flow."""
    pause_storm_timeout: Time = None
    """How long the NIC may send PAUSE without a break."""


class SettingsPart(Part):
    """Settings of one level: fabric, role, device or port. What a level leaves out the broader level says."""

    mtu: Annotated[Count, _whole(1280, 10240)] = None
    """Largest IP packet plus Ethernet header as the system counts it, in bytes."""
    roce_mtu: Annotated[Count, _auto(_read_roce_mtu, {"type": "integer", "enum": list(ROCE_MTUS)})] = None
    """RDMA path MTU in bytes."""
    trust: Annotated[Word, _words("dscp", "pcp")] = None
    """Which marking decides the class of a packet."""
    congestion_control: Annotated[Word, _words("dcqcn", "none", "other")] = None
    """dcqcn: ECN and CNP; other: the NICs' own algorithm; none."""
    traffic: Annotated[Number | Auto | None, _auto(fields.read_traffic, TRAFFIC)] = None
    """Packets to size headroom for: worst (all small), large, or mixed N%. Kept as percent of small packets."""
    design_incast: Annotated[Count, _whole(1, 65536)] = None
    """Senders that may hit one receiver at once."""
    design_fanout: Annotated[Count, _whole(1, 65536)] = None
    """Ports that may be paused at once."""
    max_oversubscription: Ratio = None
    """Accepted ratio of host to fabric bandwidth of a switch."""
    rtt: Time = None
    """Base round-trip time across the fabric."""
    cable: Annotated[Cable | Auto | None, _auto(fields.read_cable, CABLE)] = None
    """Cable of links that give none."""
    asymmetric_pfc: Flag = None
    """Send PAUSE for the lossless priorities but obey it on all."""
    dcbx: Annotated[Word, _words("off", "ieee", "cee")] = None
    pfc: Pfc | None = None
    ecn: Ecn | None = None
    buffer: Buffer | None = None
    watchdog: Watchdog | None = None
    host: HostSettings | None = None


def _read_version(value: Any) -> int:
    if isinstance(value, bool) or value != 1:
        raise FieldError(f"version {shown(value)} is not known", "accepted: 1")
    return 1


class PortLine(SettingsPart):
    """One line under a device's `ports`: settings of these ports alone."""

    speed: Annotated[int | None, Reads(fields.read_speed, RATE)] = None
    """Speed of a port that no link names."""


class DeviceLine(SettingsPart):
    """One line under `devices`: a name or pattern, what it is, and its own settings."""

    nos: Name = None
    """Network operating system of a switch."""
    nic: Name = None
    """NIC family of a host."""
    model: Text = None
    """Hardware model."""
    role: Name = None
    """What the device does in the fabric; settings of `roles` with this name apply."""
    release: Text = None
    """Release of the operating system, firmware or driver package."""
    asic: Name = None
    """Switch chip, where the model does not tell."""
    ports: dict[str, PortLine] = {}
    """Settings of single ports, by name or pattern."""
    ignore: Annotated[tuple[tuple[str, str], ...], Reads(fields.read_ignores, IGNORE)] = ()
    """Rules that are not applied to these devices, each with a reason."""


class IntentFile(Part):
    """A whole intent file, without its links."""

    version: Annotated[int, Reads(_read_version, {"const": 1})]
    """Version of the intent language."""
    fabric: Annotated[str, Reads(fields.read_name, NAME)]
    """Name of the fabric."""
    classes: dict[str, TrafficClass]
    """Traffic classes by name."""
    settings: SettingsPart = SettingsPart()
    """Settings of the whole fabric."""
    roles: dict[str, SettingsPart] = {}
    """Settings of all devices of a role."""
    devices: dict[str, DeviceLine]
    """Devices by name or pattern; later lines add to and override earlier ones."""
    ignore: Annotated[tuple[tuple[str, str], ...], Reads(fields.read_ignores, IGNORE)] = ()
    """Rules that are not applied to this fabric, each with a reason."""
