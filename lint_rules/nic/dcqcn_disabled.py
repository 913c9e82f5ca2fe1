"""The NIC does not answer congestion marks, or does not slow down on them.

## What it finds

A host port of a fabric with DCQCN whose notification point (it answers marks with CNPs) or reaction point (it slows
down on CNPs) is off for a lossless priority, or whose congestion control is off as a whole. Without an intent: one of
the two is on and the other off.

## Why it matters

ECN does nothing then: the switches mark, nobody slows down, and PFC does all the work until it spreads.

## What to do

Turn both on for the lossless priorities.

- mlx5: `echo 1 > /sys/class/net/IF/ecn/roce_np/enable/3` and the same for `roce_rp`
- bnxt: `echo 0x1 > ecn_enable` and `echo 0x1 > apply` in /sys/kernel/config/bnxt_re/DEVICE/ports/1/cc
- ice: `echo 1 > /sys/kernel/config/irdma/DEVICE/roce_dcqcn_enable`

## When to ignore

Fabrics with another congestion control: set `congestion_control: other` or `none` in the intent.

## References

- Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015
- NVIDIA DOC-2790 (default Disable) against the DOCA page "DCQCN" (default Enable): read it, never assume
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Port, PortQos, Severity, Unknown, numbers_text, wanted_lossless

ID, NAME, SEVERITY, PROFILE, SINCE = "NIC-006", "dcqcn-disabled", Severity.ERROR, "safe", "0.1"
DEVICES = "host"
GOOD = """
device:
  name: gpu01
  kind: host
  ports: {rail0: {nic: {congestion_control: {receives: [3], reacts: [3]}}}}
expect: {classes: {roce: {dscp: [26], priority: 3, lossless: true}}, congestion_control: dcqcn}
"""
BAD = GOOD.replace("reacts: [3]", "reacts: []")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    expect = given.expect
    if expect is not None and expect.congestion_control not in {None, "dcqcn"}:
        return
    # Without an intent PFC tells: with link pause on, every buffer of the NIC is lossless, which nobody asked for.
    wanted = wanted_lossless(port.qos, given) if expect is not None else _paused(port.qos)
    control = port.nic.congestion_control if port.nic is not None else None
    if not wanted or (port.nic is None and expect is None):
        return
    if control is not None and control.algorithm == "none" and expect is not None:
        yield Hit("congestion control is off on the whole NIC", "turn DCQCN on", "nic.congestion_control")
    if control is not None and control.algorithm not in {None, "dcqcn"}:
        return
    if control is not None and control.receives is None and control.reacts is None and control.algorithm == "dcqcn":
        return  # one switch for the whole device, and it is on
    sides = (
        ("receives", "answers marks with CNPs", control.receives if control is not None else None),
        ("reacts", "slows down on CNPs", control.reacts if control is not None else None),
    )
    if any(priorities is None for *_, priorities in sides):
        yield Unknown("on which priorities DCQCN answers marks and slows down")
    if expect is None and not any(priorities for *_, priorities in sides):
        return  # off on both sides: perhaps nobody wants it
    for side, what, priorities in sides:
        if priorities is not None and (lacking := wanted - priorities):
            yield Hit(
                f"the NIC {what} for priority {numbers_text(priorities)}, lossless is {numbers_text(wanted)}",
                f"turn DCQCN on for priority {numbers_text(lacking)}",
                f"nic.congestion_control.{side}",
                f"priority {numbers_text(lacking)}",
            )


def _paused(qos: PortQos) -> frozenset[int]:
    if qos.pfc is None:
        return frozenset()
    return (qos.pfc.sends() or frozenset()) | (qos.pfc.honours() or frozenset())
