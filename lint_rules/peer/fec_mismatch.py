"""The two ends of a cable use different forward error correction.

## What it finds

A cable whose ends are set to different FEC modes, or an end without FEC at a speed that needs it (200G and more: PAM4
lanes).

## Why it matters

The link stays down, or comes up with errors. A frame that fails its checksum is lost whatever PFC does, and RDMA goes
back for it.

## What to do

Use Reed-Solomon FEC on both ends.

- sonic: `"fec": "rs"` in the PORT row

## When to ignore

Ends that negotiate (auto) are not judged.

## References

- IEEE 802.3bs: RS(544,514) is part of 200G and 400G
- Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.1: 1 in 256 lost, goodput zero
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import End, Given, Hit, Link, Option, Severity, Unknown
from rocecfg.lint.headrooms import GIGABIT, rate_text

ID, NAME, SEVERITY, PROFILE, SINCE = "PEER-004", "fec-mismatch", Severity.ERROR, "safe", "0.1"
OPTIONS = {"pam4": Option(200, "Gb/s from which every port needs FEC")}
GOOD = """
devices:
  - {name: leaf1, ports: {Ethernet0: {fec: rs, speed: 100000000000}}}
  - {name: spine1, ports: {Ethernet0: {fec: rs, speed: 100000000000}}}
links: [{a: "leaf1:Ethernet0", b: "spine1:Ethernet0"}]
"""
BAD = GOOD.replace("leaf1, ports: {Ethernet0: {fec: rs", "leaf1, ports: {Ethernet0: {fec: none")
_NONE = {"none", "off", "disabled", "n/a"}
_AUTO = {"auto", "default", ""}
_SAME = {"baser": "fc", "firecode": "fc", "reed-solomon": "rs"}
"""Words of other tools for the same code."""


def check(link: Link, given: Given) -> Iterator[Hit | Unknown]:
    words = [_fec(end) for end in (link.a, link.b)]
    for end, word in zip((link.a, link.b), words, strict=True):
        speed = (end.port.line_rate or link.speed) if end.port is not None else None
        if word in _NONE and speed is not None and speed >= given.options.pam4 * GIGABIT:
            yield Hit(
                f"FEC is off, {rate_text(speed)} ports need it",
                "use Reed-Solomon FEC on both ends",
                "fec",
                end=end,
            )
            return
    first, second = words
    if first is None or second is None:
        if first is not None or second is not None:
            yield Unknown("FEC of the port", link.b if second is None else link.a)
    elif not {first, second} & _AUTO and (first in _NONE) + (second in _NONE) != 2 and first != second:
        yield Hit(
            f"FEC is {first}, on {link.b.device_name} {second}",
            "use the same FEC on both ends",
            "fec",
            end=link.a,
        )


def _fec(end: End) -> str | None:
    word = end.port.fec if end.port is not None else None
    return None if word is None else _SAME.get(word.lower().removesuffix("-fec"), word.lower().removesuffix("-fec"))
