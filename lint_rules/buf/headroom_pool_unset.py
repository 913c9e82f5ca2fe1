"""PFC takes its headroom from a pool, and the pool is empty.

## What it finds

A pool of headroom that is not set, or set to nothing, on a device whose ports pause their peers; a pool smaller than the
headroom of the port that asks for the most.

## Why it matters

The headroom written on each port is a claim on that pool. Without it what arrives after a pause has no place, however
large the number on the port is, and the first pause already loses packets.

## What to do

Set the pool before PFC is turned on, to the headroom of all ports that may be congested together.

- huawei: `qos buffer headroom-pool size N kbytes slot SLOT`, before `dcb pfc enable`
- h3c: `priority-flow-control poolid POOL headroom CELLS`

## When to ignore

Never while a port has PFC on. A device that simulates its headroom has no such pool and is not judged.

## References

- Huawei CloudEngine 8800 and 6800, configuration of PFC: the headroom pool is mandatory before PFC is enabled
- H3C S9825 and S9855, data buffer commands
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Fraction, Given, Hit, Pool, Port, Severity
from rocecfg.lint.headrooms import paused_groups

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-021", "headroom-pool-unset", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  pools: [{name: headroom slot 1, direction: ingress, lossless: true, headroom: 2000000}]
  ports:
    100GE1/0/1:
      qos:
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_pg: {3: [3]}
        priority_groups: {3: {lossless: true, headroom: {amount: 100000}}}
"""
BAD = GOOD.replace("2000000", "0")


def check(device: Device, given: Given) -> Iterator[Hit]:
    pools = [pool for pool in device.pools or () if _holds_headroom_only(pool)]
    paused = (
        [port for port in device.ports.values() if port.qos.pfc is not None and port.qos.pfc.sends()] if pools else []
    )
    if not paused:
        return
    for pool in pools:
        if pool.headroom is not None and not pool.headroom.value:
            count = "1 port pauses its peer" if len(paused) == 1 else f"{len(paused)} ports pause their peers"
            yield Hit(
                f"{pool.name} has no memory, while {count}",
                "set the pool to the headroom of all ports that may be congested together",
                object=f"pool {pool.name}",
                place=pool.place,
            )
    if len(pools) == 1:
        yield from _less_than_one_port(pools[0], paused)


def _holds_headroom_only(pool: Pool) -> bool:
    """Return whether headroom is all that a pool is for; a shared pool without shared headroom may be as meant."""
    shares = pool.total is not None or pool.mode is not None or pool.alpha is not None
    return pool.headroom is not None and pool.headroom.unit != "percent" and not shares


def _less_than_one_port(pool: Pool, paused: list[Port]) -> Iterator[Hit]:
    """Yield the pool that a single port can empty; amounts are compared in the unit they are stated in."""
    room = pool.headroom
    if room is None or not room.value:
        return
    asked = {port.name: _asked(port, room.unit) for port in paused}
    name = max(asked, key=lambda port: asked[port])
    if asked[name] > room.value:
        yield Hit(
            f"{name} alone asks for {asked[name]} {room.unit}s of headroom, {pool.name} holds {room.value}",
            f"give the pool {asked[name]} {room.unit}s or more",
            object=f"pool {pool.name}",
            place=pool.place,
        )


def _asked(port: Port, unit: str) -> int | Fraction:
    """Return the headroom that a port's paused groups ask for, as far as it is stated in a unit."""
    groups = [port.qos.priority_group(number) for number in paused_groups(port.qos)]
    amounts = [group.headroom.amount for group in groups if group is not None and group.headroom is not None]
    return sum(amount.value for amount in amounts if amount is not None and amount.unit == unit)
