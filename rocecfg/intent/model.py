"""The shape of an intent file, level by level. Links are read by `rocecfg.intent.links`: they come in bulk.

Values are in base units (bytes, bit/s, metres, nanoseconds, percent points). A setting has three states: `None` =
this level does not say, `AUTO` = this level says "auto", anything else = this level says so. The texts beside the
fields are their descriptions in the published JSON Schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocecfg import units
from rocecfg.intent import fields, schematypes
from rocecfg.intent.fields import FieldError
from rocecfg.intent.schematypes import whole, words
from rocecfg.intent.shape import Field, Part, group, later, reference, setting, table, value
from rocecfg.units import shown

if TYPE_CHECKING:
    from fractions import Fraction

    from rocecfg.intent.fields import Auto
    from rocecfg.units import Number

ROCE_MTUS = (256, 512, 1024, 2048, 4096)


def _word(description: str, *known: str) -> Field[str | Auto]:
    return setting(fields.read_word(*known), words(*known), description)


def _number(description: str, low: int, high: int) -> Field[int | Auto]:
    return setting(fields.read_whole(low, high), whole(low, high), description)


def _flag(description: str) -> Field[bool | Auto]:
    return setting(fields.read_boolean, schematypes.BOOLEAN, description)


def _size(description: str) -> Field[int | Auto]:
    return setting(units.parse_size, schematypes.SIZE, description)


def _time(description: str) -> Field[int | Auto]:
    return setting(units.parse_duration, schematypes.TIME, description)


def _percent(description: str) -> Field[Number | Auto]:
    return setting(units.parse_percent, schematypes.PERCENT, description)


def _alpha(description: str) -> Field[Fraction | Auto]:
    return setting(units.parse_alpha, schematypes.ALPHA, description)


def _ratio(description: str) -> Field[Fraction | Auto]:
    return setting(units.parse_ratio, schematypes.RATIO, description)


def _name(description: str, *, example: str = "") -> Field[str]:
    return value(fields.read_name, schematypes.NAME, description, example=example)


class EcnCurve(Part):
    """The ECN marking ramp: nothing below kmin, pmax at kmax, everything above."""

    enabled = _flag("Whether packets are marked at all.")
    kmin = _size("Queue fill at which marking begins.")
    kmax = _size("Queue fill at which marking reaches pmax.")
    pmax = _percent("Marking probability at kmax.")


def _read_ecn(raw: Any) -> Any:
    """Take the short forms `ecn: false` and `ecn: auto` beside the full ramp."""
    if isinstance(raw, bool):
        return {"enabled": raw}
    if raw is None or (isinstance(raw, str) and raw != "auto"):
        raise FieldError(
            f"{shown(raw)} is not accepted", "accepted: auto, false, {kmin: 150KB, kmax: 1500KB, pmax: 10%}"
        )
    return {} if raw == "auto" else raw


class TrafficClass(Part):
    """One class of traffic, the same on every device of the fabric."""

    dscp = value(fields.read_dscp, schematypes.DSCP,
                 "DSCPs of the class. The class `default` takes every DSCP that no other class names.")  # fmt: skip
    priority = value(fields.read_whole(0, 7), schematypes.PRIORITY,
                     "802.1Q priority, as PFC frames and VLAN tags carry it.")  # fmt: skip
    lossless = value(fields.read_boolean, schematypes.BOOLEAN, "Protected by PFC and headroom.")
    bandwidth = _percent("Share of the link that the scheduler guarantees.")
    strict = _flag("Served before all weighted queues.")
    kind = _word("What the class carries; auto: lossless is roce; the names roce, cnp, default and control mean it.",
                 "roce", "cnp", "default", "control", "other")  # fmt: skip
    queue = _number("Egress queue; auto: as the device prefers.", 0, 7)
    traffic_class = _number("Switch-internal class; auto: as the device prefers.", 0, 15)
    priority_group = _number("Ingress priority group; auto: as the device prefers.", 0, 7)
    pcp = setting(fields.read_priorities, schematypes.PCP,
                  "PCPs that fall into the class where a port trusts VLAN tags; auto: the priority.")  # fmt: skip
    ecn = group(
        EcnCurve,
        short=_read_ecn,
        schema=lambda: {"anyOf": [{"const": "auto"}, {"type": "boolean"}, reference(EcnCurve)]},
    )
    alpha = _alpha("Dynamic threshold factor of the class.")


class Pfc(Part):
    """Priority flow control."""

    mode = _word("on: always; dcbx: as negotiated; off: no PFC here.", "on", "off", "dcbx")
    headroom = _size("Bytes kept for what still arrives after PAUSE.")
    xoff_at = _size("Fill at which PAUSE goes out: a fixed threshold instead of alpha.")
    xon_at = _size("Fill at which transmission resumes.")
    xon_below = _size("Distance under the PAUSE threshold at which transmission resumes.")
    alpha = _alpha("Dynamic PAUSE threshold: alpha x free shared buffer.")


class Ecn(EcnCurve):
    """ECN marking of the lossless classes, and of RoCE without PFC."""

    profile = _word("Where the ramp lies between short queues and full links.", "latency", "balanced", "throughput")


class Buffer(Part):
    """How the switch buffer is divided."""

    lossless_share = _percent("Part of the buffer for lossless traffic.")
    headroom_share = _percent("Part of the buffer kept as headroom.")
    oversubscription = _ratio("Sum of all headrooms over the shared headroom pool; 1 = no sharing.")


class Watchdog(Part):
    """PFC storm and deadlock watchdog."""

    enabled = _flag("Whether the watchdog runs.")
    poll = _time("How often the device looks.")
    detect = _time("How long a queue must be paused before it counts as a storm.")
    restore = _time("How long after the storm the queue returns to normal.")
    action = _word("What happens to packets of a stormed queue.", "drop", "forward", "alert")


def _applications_schema() -> dict[str, Any]:
    from rocecfg.vendor import applications

    known = words(*applications.names())
    return {
        "anyOf": [
            {"const": "auto"},
            {"type": "array", "items": known},
            {"type": "object", "propertyNames": known, "additionalProperties": schematypes.NAME},
        ],
        "examples": [["nccl", "ucx"], {"nvme": "storage"}],
    }


class HostSettings(Part):
    """What only hosts have."""

    applications = Field[Any](fields.auto_or(fields.read_applications), _applications_schema,
                              "Applications that get the mark of a class: [nccl], {nvme: CLASS}.")  # fmt: skip
    kubernetes = _flag("Whether a Kubernetes operator sets up the NICs too: makes its custom resource.")
    virtual_functions = _number("SR-IOV functions of a card, which the operator sets; 0 turns SR-IOV off.", 0, 1023)
    rdma_device = setting(fields.read_name, schematypes.NAME, "RDMA device of a port, such as mlx5_0.")
    gid_index = _number("GID index that applications use.", 0, 255)
    roce_version = _word("RoCE version of the GIDs.", "v1", "v2")
    cnp_dscp = _number("DSCP of congestion notification packets; auto: that of the cnp class.", 0, 63)
    cnp_priority = _number("Priority of congestion notification packets; auto: that of the cnp class.", 0, 7)
    cnp_interval = _time("Shortest time between two notifications of one flow.")
    pause_storm_timeout = _time("How long the NIC may send PAUSE without a break.")


def _read_roce_mtu(raw: Any) -> int:
    if isinstance(raw, bool) or raw not in ROCE_MTUS:
        raise FieldError(f"{shown(raw)} is no RDMA path MTU", f"accepted: {', '.join(map(str, ROCE_MTUS))}")
    return int(raw)


class SettingsPart(Part):
    """Settings of one level: fabric, role, device or port. What a level leaves out the broader level says."""

    mtu = _number("MTU of the port in bytes, as the system counts it.", 1280, 10240)
    roce_mtu = setting(_read_roce_mtu, {"type": "integer", "enum": list(ROCE_MTUS)}, "RDMA path MTU in bytes.")
    trust = _word("Which marking decides the class of a packet; both: DSCP, and PCP where there is no IP header.",
                  "dscp", "pcp", "both")  # fmt: skip
    congestion_control = _word("dcqcn: ECN and CNP; other: the NICs' own algorithm; none.", "dcqcn", "none", "other")
    traffic = setting(fields.read_traffic, schematypes.TRAFFIC,
                      "Packets to size headroom for: worst (all small), large, or mixed N%.")  # fmt: skip
    design_incast = _number("Senders that may hit one receiver at once.", 1, 65536)
    design_fanout = _number("Ports that may be paused at once.", 1, 65536)
    max_oversubscription = _ratio("Accepted ratio of host to fabric bandwidth of a switch.")
    rtt = _time("Base round-trip time across the fabric.")
    cable = setting(fields.read_cable, schematypes.CABLE, "Cable of links that give none.")
    asymmetric_pfc = _flag("Send PAUSE for the lossless priorities only, but obey it on all.")
    dcbx = _word("DCBX on the port.", "off", "ieee", "cee")
    pfc = group(Pfc)
    ecn = group(Ecn)
    buffer = group(Buffer)
    watchdog = group(Watchdog)
    host = group(HostSettings)


class PortLine(SettingsPart):
    """One line under a device's `ports`: settings of these ports alone."""

    speed = value(fields.read_speed, schematypes.RATE, "Speed of a port that no link names.")


class DeviceLine(SettingsPart):
    """One line under `devices`: a name or pattern, what it is, and its own settings."""

    nos = _name("Network operating system of a switch.")
    nic = _name("NIC family of a host.")
    model = value(fields.read_text, schematypes.NAME, "Hardware model.")
    role = _name("What the device does in the fabric; settings of `roles` with this name apply.")
    release = value(fields.read_text, schematypes.NAME, "Release of the operating system or driver package.")
    asic = _name("Switch chip, where the model does not tell.")
    ports = table(PortLine, "Settings of single ports, by name or pattern.")
    ignore = value(fields.read_ignores, schematypes.IGNORE,
                   "Rules that are not applied to these devices, each with a reason.")  # fmt: skip


def _read_version(raw: Any) -> int:
    if isinstance(raw, bool) or raw != 1:
        raise FieldError(f"version {shown(raw)} is not known", "accepted: 1")
    return 1


def _preset_schema() -> dict[str, Any]:
    from rocecfg.intent import presets

    return words(*presets.names())


class IntentFile(Part):
    """A RoCE fabric as it shall be; everything left out is derived."""

    version = value(_read_version, {"const": 1}, "Version of the intent language.", example="the line `version: 1`")
    fabric = _name("Name of the fabric.", example="a line such as `fabric: pod1`")
    preset = Field[str](None, _preset_schema, "A well-known platform: its classes and settings, under your own.")
    classes = table(TrafficClass, "Traffic classes by name; `default` is implied.", unless="preset",
                    example="`classes:` and lines such as `roce: {dscp: 26, priority: 3, lossless: true}`")  # fmt: skip
    settings = group(SettingsPart)
    roles = table(SettingsPart, "Settings of all devices of a role.")
    devices = table(DeviceLine, "Devices by name or pattern; later lines add to and override earlier ones.",
                    example="`devices:` with a line such as `leaf[1-2]: {nos: ..., role: leaf}`")  # fmt: skip
    ignore = value(fields.read_ignores, schematypes.IGNORE,
                   "Rules that are not applied to this fabric, each with a reason.")  # fmt: skip
    links = later(
        {"type": "array", "items": {"$ref": "#/$defs/Link"}},
        "Every cable of the fabric.",
    )


def _read_texts(raw: Any) -> tuple[str, ...]:
    if not isinstance(raw, list):
        raise FieldError(f"{shown(raw)} is no list", "accepted: a list of sentences")
    return tuple(map(fields.read_text, raw))


def _read_sources(raw: Any) -> dict[str, str]:
    if not isinstance(raw, dict):
        raise FieldError(f"{shown(raw)} is no mapping", "accepted: lines such as `classes.roce: document`")
    return {fields.read_text(path): fields.read_text(text) for path, text in raw.items()}


class PresetFile(Part):
    """A preset: the fixed markings and priorities of a well-known platform."""

    title = value(fields.read_text, schematypes.NAME, "What the platform is.", example="a line such as `title: vSAN`")
    classes = table(TrafficClass, "Traffic classes by name.", example="`classes:` and its lines")
    settings = group(SettingsPart)
    sources = value(_read_sources, {"type": "object"}, "Path of a value or part to the document that gives it.",
                    example="`sources:` and lines such as `classes.roce: document`")  # fmt: skip
    notes = value(_read_texts, {"type": "array"}, "What the user has to know, a sentence each.")
