"""Byte questions that several rules ask: how large a threshold is, and when a port begins to pause."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.lint.headrooms import chip_of
from rocecfg.lint.lossless import UNIT_BYTES, amount_text, lossless_groups
from rocecfg.state.model import Dynamic, Static

if TYPE_CHECKING:
    from rocecfg.state.model import Amount, Device, Limit, Pool, PortQos, PriorityGroup


def least_bytes(amount: Amount | None) -> Fraction | None:
    """Return the fewest bytes an amount can stand for, None when its unit cannot be turned into bytes."""
    return _bytes(amount, 0)


def most_bytes(amount: Amount | None) -> Fraction | None:
    """Return the most bytes an amount can stand for, None when its unit cannot be turned into bytes."""
    return _bytes(amount, 1)


def _bytes(amount: Amount | None, which: int) -> Fraction | None:
    if amount is None:
        return None
    if amount.bytes is not None:
        return Fraction(amount.bytes)
    factors = UNIT_BYTES.get(amount.unit)
    if factors is None or not isinstance(amount.value, int | Fraction):
        return None
    return Fraction(amount.value) * factors[which]


def size_text(count: Fraction | int) -> str:
    """Return bytes for people: `98 kB`, `1.5 MB`; below 10 kB exactly."""
    number = float(count)
    if number < 10_000:
        return f"{int(number)} B"
    if number < 1_000_000:
        return f"{number / 1000:.0f} kB"
    return f"{number / 1_000_000:.4g} MB"


def pool_named(device: Device | None, name: str | None) -> Pool | None:
    """Return a pool of the device by name."""
    if device is None or device.pools is None or name is None:
        return None
    return next((pool for pool in device.pools if pool.name == name), None)


def pool_of(device: Device | None, group: PriorityGroup) -> Pool | None:
    """Return the pool a priority group shares: the one it names, else the device's only lossless ingress pool."""
    if group.pool is not None or device is None:
        return pool_named(device, group.pool)
    pools = [pool for pool in device.pools or () if pool.lossless and pool.direction != "egress"]
    return pools[0] if len(pools) == 1 else None


def shared_bytes(device: Device | None, pool: Pool | None) -> Fraction | None:
    """Return the shared bytes of a pool (a percentage: of what the device's chip has), None where nobody knows them."""
    if pool is None or pool.total is None:
        return None
    if pool.total.unit != "percent" or pool.total.bytes is not None:
        return most_bytes(pool.total)
    chip = chip_of(device)
    usable = chip.number("usable") if chip is not None else None
    return usable * Fraction(pool.total.value) / 100 if usable is not None else None


def static_bytes(limit: Limit | None) -> Fraction | None:
    """Return a fixed limit in bytes, None for a dynamic or unknown one."""
    return least_bytes(limit.amount) if isinstance(limit, Static) else None


def limit_text(limit: Limit) -> str:
    """Return a limit as the device says it: `12480 byte`, so that two of them can be compared by eye; `alpha 1/8`."""
    return amount_text(limit.amount) if isinstance(limit, Static) else f"alpha {limit.alpha}"


def alpha_of(limit: Limit | None) -> Fraction | None:
    """Return the alpha of a dynamic limit, None for a fixed one or where only an index is known."""
    return limit.alpha if isinstance(limit, Dynamic) else None


def is_dynamic(limit: Limit | None) -> bool:
    """Return whether a limit moves with the free buffer."""
    return isinstance(limit, Dynamic)


def pause_onset(group: PriorityGroup, device: Device | None, senders: int) -> Fraction | None:
    """Return the queue (bytes) at which PAUSE goes out when `senders` ports feed one queue: N a B / (1 + N a).

    Choudhury and Hahne: N equal ingress groups of factor a hold N a B / (1 + N a) of a shared buffer B. A fixed
    threshold is reached by each of them alone. None when neither a ratio nor bytes are known.
    """
    fixed = static_bytes(group.xoff_at)
    reserved = most_bytes(group.reserved) or Fraction(0)
    if fixed is not None:
        return senders * fixed if fixed > 0 else None
    alpha, buffer = alpha_of(group.xoff_at), shared_bytes(device, pool_of(device, group))
    if alpha is None or buffer is None:
        return None
    return senders * alpha * buffer / (1 + senders * alpha) + senders * reserved


def groups_of(qos: PortQos, priority: int | None) -> list[PriorityGroup]:
    """Return the known priority groups that a priority pauses for."""
    numbers = lossless_groups(qos, priority) if priority is not None else None
    return [group for number in sorted(numbers or ()) if (group := qos.priority_group(number)) is not None]
