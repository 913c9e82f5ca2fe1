"""Lossless packets that were let in find no room on the way out.

## What it finds

An egress pool for lossless traffic that is smaller than the ingress pool it is fed from (error), or smaller than that
pool and its headroom together (warning). Two pools of one size are both the whole memory, headroom and all.

## Why it matters

Ingress pauses before its own pool is full. When the egress pool is the smaller one it is full first, and the packet is
dropped at egress: no pause ever went out.

## What to do

Make the egress pool at least as large as ingress pool and headroom together.

- sonic: raise `size` of egress_lossless_pool in BUFFER_POOL
- junos: `set class-of-service shared-buffer egress buffer-partition lossless percent N`

## When to ignore

Chips with virtual output queues, which count a packet once. Platforms whose ingress size already holds the headroom
(the warning).

## References

- sonic-buildimage pull request 21320: egress 32,340,992 under ingress 32,689,152 bytes
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Amount, Device, Given, Hit, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-009", "egress-pool-smaller-than-ingress", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  pools:
    - {name: ingress_lossless_pool, direction: ingress, lossless: true, total: 28000000, headroom: 4194112}
    - {name: egress_lossless_pool, direction: egress, lossless: true, total: 32340992}
"""
BAD = GOOD.replace("28000000", "32689152")


def check(device: Device, given: Given) -> Iterator[Hit]:
    pools = [pool for pool in device.pools or () if pool.lossless and pool.total is not None and pool.total.value]
    ingress = [pool for pool in pools if pool.direction == "ingress" and not pool.name.endswith("_hbm")]
    egress = [pool for pool in pools if pool.direction == "egress"]
    if len(ingress) != 1 or len(egress) != 1:
        return  # one pool for both directions, or several: which feeds which is not said
    (inner,), (outer,) = ingress, egress
    assert inner.total is not None
    assert outer.total is not None
    if inner.total.unit != outer.total.unit:
        return
    total, room = inner.total.value, outer.total.value
    kept = inner.headroom.value if inner.headroom is not None and inner.headroom.unit == inner.total.unit else 0
    if inner.total.unit == "percent":
        kept = 0  # ingress and egress percentages are parts of different wholes, headroom is an ingress part
    if room < total or total < room < total + kept:
        what = f"{_text(inner.total)} of {inner.name}" + (f" and its {kept} of headroom" if room > total else "")
        yield Hit(
            f"{outer.name} holds {_text(outer.total)}, less than the {what}",
            f"give {outer.name} {_text(Amount(total + kept, inner.total.unit))} or more",
            object=f"pool {outer.name}",
            severity=None if room < total else Severity.WARNING,
            place=outer.place,
        )


def _text(amount: Amount) -> str:
    unit = {"byte": "bytes", "percent": "percent"}.get(amount.unit, amount.unit)
    return f"{amount.value} {unit}"
