"""One congested port may take nearly the whole buffer from everybody else.

## What it finds

A lossless priority group with alpha 8 or more, on a port where lossy traffic shares the same buffer pool.

## Why it matters

With alpha 8 a single congested port may hold 89 percent of the shared buffer. The lossy classes, and every other port,
get what is left and drop.

## What to do

Use alpha 1 or 2 on mixed fabrics.

- sonic: `dynamic_th` 0 or 1 in the lossless BUFFER_PROFILE
- cumulus: `nv set qos advance-buffer-config default-global ingress-lossless-buffer shared-alpha alpha_1`

## When to ignore

Fabrics that carry RDMA alone: shipped Tofino models use 128 there.

## References

- Choudhury and Hahne, Dynamic queue length thresholds, IEEE/ACM ToN 6(2), 1998: alpha / (1 + alpha)
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Option, PortQos, Severity, Unknown
from rocecfg.lint.headrooms import lossless_group_numbers
from rocecfg.physics.thresholds import share
from rocecfg.state.model import Dynamic

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-015", "alpha-too-large-starves", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {"largest": Option(8, "alpha from which one port starves the others")}
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      qos:
        priority_groups:
          0: {lossless: false, pool: ingress_lossless_pool}
          3: {lossless: true, pool: ingress_lossless_pool, xoff_at: {alpha: 1}}
"""
BAD = GOOD.replace("alpha: 1", "alpha: 128")


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    lossless = lossless_group_numbers(qos)
    for number in sorted(lossless):
        group = qos.priority_group(number)
        limit = group.xoff_at if group is not None else None
        if (
            group is None
            or not isinstance(limit, Dynamic)
            or limit.alpha is None
            or limit.alpha < given.options.largest
        ):
            continue
        others = [
            other
            for index, other in enumerate(qos.priority_groups or ())
            if other is not None and index not in lossless and other.lossless is False
        ]
        if group.pool is None or any(other.pool is None for other in others):
            yield Unknown("which buffer pool lossless and lossy priority groups share")
        elif any(other.pool == group.pool for other in others):
            yield Hit(
                f"priority group {number} has alpha {limit.alpha}: one congested port may hold "
                f"{float(share(limit.alpha, 1)):.0%} of {group.pool}, which lossy traffic shares",
                "use alpha 1 or 2",
                f"priority_groups.{number}.xoff_at",
                f"priority group {number}",
            )
