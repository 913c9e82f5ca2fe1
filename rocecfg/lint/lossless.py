"""Questions about the lossless class of a port that several rules ask. Part of what a rule may import (`lint.api`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocecfg.lint.api import Given
    from rocecfg.state.model import Amount, Curve, PortQos


def lossless_groups(qos: PortQos, priority: int) -> frozenset[int] | None:
    """Return the priority groups that a priority pauses for, None when the map is not known."""
    return qos.priority_to_pg[priority] if qos.priority_to_pg is not None else None


def configured_lossless(qos: PortQos) -> frozenset[int]:
    """Return the priorities whose priority group the configuration itself makes lossless."""
    groups = {number for number, group in enumerate(qos.priority_groups or ()) if group is not None and group.lossless}
    return frozenset(priority for priority, of in enumerate(qos.priority_to_pg or ()) if of is not None and of & groups)


def wanted_lossless(qos: PortQos, given: Given) -> frozenset[int]:
    """Return the priorities that shall be lossless: the intent's, without one those the configuration makes so."""
    return given.expect.lossless if given.expect is not None else configured_lossless(qos)


def tcs_of_priority(qos: PortQos, priority: int) -> frozenset[int] | None:
    """Return the traffic classes that a priority protects, None when the maps do not tell."""
    groups = lossless_groups(qos, priority)
    if groups is None or qos.tc_to_pg is None:
        return None
    return frozenset(tc for tc, group in enumerate(qos.tc_to_pg) if group in groups)


def queues_of_priority(qos: PortQos, priority: int) -> frozenset[int] | None:
    """Return the egress queues of the traffic that a priority protects, None when the maps do not tell."""
    tcs = tcs_of_priority(qos, priority)
    if tcs and qos.tc_to_queue is not None:
        queues = {qos.tc_to_queue[tc] for tc in tcs}
        return frozenset(queue for queue in queues if queue is not None) or None
    return qos.priority_to_queue[priority] if qos.priority_to_queue is not None else None


def reachable_tcs(qos: PortQos) -> tuple[frozenset[int], bool]:
    """Return the traffic classes that classification can put a packet into, and whether that is all of them.

    The second value is False when a map or the trust mode is not known.
    """
    found: set[int] = set() if qos.default_tc is None else {qos.default_tc}
    found.update(tc for _, _, tc in qos.app_to_tc or ())
    if qos.trust is None:
        return frozenset(found), False
    maps = {"dscp": [qos.dscp_to_tc], "pcp": [qos.pcp_to_tc], "both": [qos.dscp_to_tc, qos.pcp_to_tc], "none": []}
    certain = True
    for codes in maps[qos.trust]:
        if codes is None:
            certain = False
            continue
        found.update(tc for tc in codes.to if tc is not None)
        certain = certain and None not in codes.to
    return frozenset(found), certain


def amount_text(amount: Amount) -> str:
    """Return an amount as the device says it: `300 kbyte`, `1500000 byte`, `90 %`."""
    value = (
        amount.value
        if not hasattr(amount.value, "denominator") or amount.value.denominator == 1
        else float(amount.value)
    )
    return f"{value} %" if amount.unit == "percent" else f"{value} {amount.unit}"


def compare(low: Amount, high: Amount) -> int | None:
    """Return -1, 0 or 1 as `low` is below, equal to or above `high`; None when the units cannot be compared."""
    if low.unit == high.unit:
        left, right = low.value, high.value
    elif low.bytes is not None and high.bytes is not None:
        left, right = low.bytes, high.bytes
    else:
        return _compare_sizes(low, high)
    return (left > right) - (left < right)


UNIT_BYTES = {"byte": (1, 1), "kbyte": (1000, 1024), "mbyte": (1_000_000, 1_048_576)}
"""Unit -> the least and the most bytes it may stand for: systems do not all say whether a kilobyte has 1000 or 1024."""


def _compare_sizes(low: Amount, high: Amount) -> int | None:
    """Compare sizes in different units of bytes where the answer holds for either meaning of a kilobyte."""
    left, right = UNIT_BYTES.get(low.unit), UNIT_BYTES.get(high.unit)
    if left is None or right is None:
        return None
    if low.value * left[0] > high.value * right[1]:
        return 1
    return -1 if low.value * left[1] < high.value * right[0] else None


def colour_text(curve: Curve) -> str:
    """Return ` (green, yellow)` for a curve of some colours, an empty text for one of all."""
    return f" ({', '.join(sorted(curve.colours))})" if curve.colours else ""


def numbers_text(numbers: frozenset[int]) -> str:
    """Return `3, 4` for a set of priorities, `none` for an empty one."""
    return ", ".join(map(str, sorted(numbers))) or "none"
