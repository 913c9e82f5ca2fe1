"""One DSCP is mapped to two priorities.

## What it finds

A host port whose text maps the same DSCP to more than one priority.

## Why it matters

The driver keeps one of them and the reader believes the other; which one wins may change with the next restart.

## What to do

Remove the entry that is not meant.

- mlx5: `dcb app replace dev IF dscp-prio DSCP:PRIORITY`

## When to ignore

Never.

## References

- iproute2 dcb-app(8): entries add up, `replace` removes the others of the same DSCP
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, numbers_text

ID, NAME, SEVERITY, PROFILE, SINCE = "NIC-018", "dscp-mapped-to-two-priorities", Severity.ERROR, "min", "0.1"
DEVICES = "host"
GOOD = """
device: {name: gpu01, kind: host, ports: {rail0: {qos: {dscp_to_tc: {26: 3, rest: 0}}}}}
"""
BAD = GOOD.replace("26: 3, rest: 0", "26: 3, rest: 0, conflicts: {26: [3, 4]}")


def check(qos: PortQos, given: Given) -> Iterator[Hit]:
    for code, to in qos.dscp_to_tc.conflicts if qos.dscp_to_tc is not None else ():
        yield Hit(
            f"DSCP {code} is mapped to priorities {numbers_text(to)} at once",
            "keep one entry for it",
            f"dscp_to_tc.{code}",
            f"DSCP {code}",
        )
