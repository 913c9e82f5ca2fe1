"""The parts of the ingress buffer do not add up to the whole.

## What it finds

Ingress buffer partitions given in percent (lossless, lossless headroom, lossy) whose sum is not 100.

## Why it matters

The commit fails, or the platform falls back to its default partitions: the lossless class then has the buffer that the
factory chose.

## What to do

Let the three partitions add up to 100 percent.

- junos: `set class-of-service shared-buffer ingress buffer-partition lossy percent N`

## When to ignore

Never.

## References

- Juniper, Understanding CoS Buffer Configuration: lossless, lossless-headroom and lossy must total 100 percent
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Given, Hit, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-023", "ingress-partitions-not-100-percent", Severity.ERROR, "min", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  pools:
    - {name: ingress lossless, direction: ingress, lossless: true, total: 66 percent, headroom: 24 percent}
    - {name: ingress lossy, direction: ingress, lossless: false, total: 10 percent}
"""
BAD = GOOD.replace("total: 10 percent", "total: 20 percent")


def check(device: Device, given: Given) -> Iterator[Hit | Unknown]:
    pools = [pool for pool in device.pools or () if pool.direction == "ingress"]
    if not any(pool.total is not None and pool.total.unit == "percent" and pool.headroom is not None for pool in pools):
        return  # only systems that divide the headroom in percent too ask for a sum of 100
    parts = []
    for pool in pools:
        amounts = (
            (pool.name, pool.total),
            (f"{pool.name} headroom", pool.headroom if pool.lossless else None),
        )
        if pool.lossless is None:
            yield Unknown(f"whether {pool.name} is lossless")
            return
        for name, amount in amounts:
            if amount is not None and amount.unit == "percent":
                parts.append((name, amount.value))
            elif name == pool.name or pool.lossless:
                yield Unknown(f"the percentage of {name}")
                return
    total = sum(value for _, value in parts)
    if total != 100 and any(pool.lossless is False for pool in pools):
        listed = " + ".join(f"{value} ({name.removeprefix('ingress ')})" for name, value in parts)
        yield Hit(
            f"the ingress partitions are {listed} = {total} percent, not 100",
            "let them add up to 100 percent",
            object="ingress partitions",
            place=next((pool.place for pool in reversed(pools) if pool.place is not None), None),
        )
