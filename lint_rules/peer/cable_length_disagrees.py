"""The two ends of a cable were told different lengths.

## What it finds

A switch port that was told a shorter cable than the cabling has; without a length in the cabling, two ends that were
told different lengths. A host is judged against the cabling by NIC-005. A length that is the system's default is no
statement.

## Why it matters

Headroom is worked out from this length: the end with the shorter one pauses too late for what is under way.

## What to do

Tell both ends the real length, rounded up.

- sonic: `config interface cable-length IF LENGTH`
- cumulus: `nv set qos pfc NAME cable-length 40`
- junos: `set class-of-service congestion-notification-profile NAME input cable-length 40`
- mlx5: `mlnx_qos -i IF --cable_len 40`

## When to ignore

A longer length than the cable's is rounding and is accepted.

## References

- SONiC CABLE_LENGTH holds one length for each end of a link
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import End, Given, Hit, Link, Severity
from rocecfg.lint.headrooms import metres_text

ID, NAME, SEVERITY, PROFILE, SINCE = "PEER-007", "cable-length-disagrees", Severity.WARNING, "safe", "0.1"
GOOD = """
devices:
  - {name: leaf1, ports: {Ethernet0: {qos: {cable: 300}}}}
  - {name: spine1, ports: {Ethernet0: {qos: {cable: 300}}}}
links: [{a: "leaf1:Ethernet0", b: "spine1:Ethernet0"}]
"""
BAD = GOOD.replace("leaf1, ports: {Ethernet0: {qos: {cable: 300}}}", "leaf1, ports: {Ethernet0: {qos: {cable: 5}}}")


def check(link: Link, given: Given) -> Iterator[Hit]:
    if link.cable is not None:
        for end in (link.a, link.b):
            told = end.port.qos.cable if end.port is not None else None
            if told is not None and told < link.cable and not _is_host(end):
                yield Hit(
                    f"the port was told a cable of {metres_text(told)} m, the cabling has {metres_text(link.cable)} m",
                    f"tell it {metres_text(-(-link.cable // 1))} m",
                    "cable",
                    end=end,
                )
        return
    lengths = [(end.port.qos.cable, end) for end in (link.a, link.b) if end.port is not None and _stated(end)]
    known = sorted(((length, end) for length, end in lengths if length is not None), key=lambda item: item[0])
    if len(known) == 2 and known[0][0] != known[1][0]:
        (shorter, end), (longer, far) = known
        yield Hit(
            f"the port was told a cable of {metres_text(shorter)} m, {far.device_name} {metres_text(longer)} m",
            "tell both ends the real length",
            "cable",
            end=end,
        )


def _stated(end: End) -> bool:
    return end.port is not None and "cable" not in end.port.qos.defaulted


def _is_host(end: End) -> bool:
    return end.device is not None and end.device.kind == "host"
