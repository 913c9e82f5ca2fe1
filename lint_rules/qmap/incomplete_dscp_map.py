"""The map from DSCP to class leaves codes open.

## What it finds

A map that lists fewer than 64 DSCPs, on a port with PFC, where the class of the others is not known, or is a lossless
one by the system's default.

## Why it matters

A mark that no line names goes where the vendor likes: on one system to class 0, on another to DSCP divided by 8, which
puts seven foreign marks beside RoCE. The same intent then behaves differently on two models.

## What to do

List all 64 code points, or state the class of the rest.

- sonic: all 64 code points in DSCP_TO_TC_MAP, as the shipped templates do
- junos: list every code point in the classifier

## When to ignore

Systems whose guide says that unlisted marks are best effort.

## References

- sonic-buildimage qos_config.j2: AZURE lists all 64
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Port, Severity
from rocecfg.lint.classes import codes_text, lossless_tcs, pfc_sets

ID, NAME, SEVERITY, PROFILE, SINCE = "QMAP-009", "incomplete-dscp-map", Severity.WARNING, "strict", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  complete: [maps]
  ports:
    Ethernet0: {qos: {trust: dscp, dscp_to_tc: {26: 3, rest: 0}, pfc: {admin: "on", tx: [3], rx: [3]}}}
"""
BAD = GOOD.replace("{26: 3, rest: 0}", "{26: 3, 48: 6}")
_CODES = 64


def check(port: Port, given: Given) -> Iterator[Hit]:
    qos, codes = port.qos, port.qos.dscp_to_tc
    if given.device is None or not given.device.knows_all_of("maps"):
        return  # a table of single codes is no map
    if codes is None or qos.trust not in {"dscp", "both"} or not pfc_sets(qos).sends:
        return
    listed = codes.stated.bit_count()
    lossless = lossless_tcs(qos) or frozenset()
    unlisted = [code for code in range(_CODES) if not codes.stated >> code & 1]
    unknown = [code for code in unlisted if codes.to[code] is None]
    protected = [code for code in unlisted if codes.to[code] in lossless]
    if not listed or not (unknown or protected):
        return
    what = (
        f"DSCP {codes_text(protected)} is lossless by the system's default"
        if protected
        else f"the class of {len(unknown)} others is up to the system"
    )
    yield Hit(
        f"the map lists {listed} of {_CODES} DSCPs, and {what}",
        "list all 64 code points",
        "dscp_to_tc",
        f"DSCP {codes_text(protected or unknown)}",
    )
