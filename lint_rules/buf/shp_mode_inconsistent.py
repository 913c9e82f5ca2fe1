"""Headroom is counted twice, or by nobody.

## What it finds

A device with a shared headroom pool whose priority groups keep their headroom in their own guarantee too (counted
twice), or one without such a pool whose priority groups leave the headroom out of their guarantee (kept nowhere). Also
a row of a headroom table that does it differently from three quarters of the others.

## Why it matters

Counted twice it wastes the buffer; kept nowhere, each pause loses packets although every profile shows a headroom.

## What to do

Choose one mode for the whole device.

- sonic: with `xoff` in ingress_lossless_pool write `size` = `xon` in the profiles; without it `size` = `xon` + `xoff`

## When to ignore

Never: a single deviating row is a copy error.

## References

- sonic-swss cfgmgr/buffer_pool_mellanox.lua: sanity note on both modes
- sonic-buildimage SN5600-C256S1: the row 10G 250 m holds 43,008 bytes where all others hold 19,456
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Given, HeadroomRow, Hit, Option, Severity
from rocecfg.lint.headrooms import kept_headrooms, metres_text, rate_text

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-011", "shp-mode-inconsistent", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {"share": Option(75, "percent of the rows that must agree before one counts as odd")}
GOOD = """
device:
  name: leaf1
  pools: [{name: ingress_lossless_pool, direction: ingress, lossless: true, total: 10000000, headroom: 688128}]
  ports:
    Ethernet0:
      qos: {priority_groups: {3: {lossless: true, headroom: {amount: 22528}, reserved: 19456, headroom_shared: true}}}
"""
BAD = GOOD.replace("headroom_shared: true", "headroom_shared: false")


def check(device: Device, given: Given) -> Iterator[Hit]:
    pools = [pool for pool in device.pools or () if pool.lossless and pool.direction != "egress"]
    if len(pools) == 1 and pools[0].headroom is not None:
        (pool,) = pools
        shared = bool(pool.headroom is not None and pool.headroom.value)
        odd: dict[tuple[int, int], list[str]] = {}
        for port in device.ports.values():
            for kept in kept_headrooms(port.qos):
                if kept.group.headroom_shared is not None and kept.group.headroom_shared != shared:
                    odd.setdefault((kept.number, kept.bytes), []).append(port.name)
        for (number, count), ports in sorted(odd.items()):
            where = (
                f"pool {pool.name} keeps {pool.headroom.value} bytes of shared headroom"
                if shared and pool.headroom
                else (f"pool {pool.name} keeps no shared headroom")
            )
            own = "holds its headroom itself too" if shared else "leaves its headroom out of its own guarantee"
            yield Hit(
                f"{where}, and priority group {number} with {count} bytes {own}",
                "make the guarantee of the group xon alone"
                if shared
                else "make the guarantee of the group xon and headroom",
                f"priority_groups.{number}.headroom",
                f"priority group {number}",
                ports=tuple(ports),
            )
    yield from _rows(device.headroom_table or (), given.options.share)


def _rows(rows: tuple[HeadroomRow, ...], share: int) -> Iterator[Hit]:
    judged = [(row, own) for row in rows if (own := _own(row)) is not None]
    inside = sum(own for _, own in judged)
    for row, own in judged:
        alike = inside if own else len(judged) - inside
        if (len(judged) - alike) * 100 >= len(judged) * share:
            others = "leave it to the shared pool" if own else "hold it in their size"
            yield Hit(
                f"the row {rate_text(row.speed)} {metres_text(row.cable)}m has a size of {(row.reserved or 0) + own * row.headroom} bytes, "
                f"{'with' if own else 'without'} its headroom of {row.headroom}; {len(judged) - alike} of {len(judged)} rows {others}",
                "size the row as the others are",
                object=f"row {row.speed // 10**6} {metres_text(row.cable)}m",
                place=row.place,
            )


def _own(row: HeadroomRow) -> bool | None:
    """Return whether a row's size holds its headroom; None when the row does not tell."""
    return None if row.headroom_shared is None else not row.headroom_shared
