"""What `roce enable` stands for, and whether a fitted switch is just that.

Source: RoCEv2 support HLD (sonic-net/SONiC pull request 1050), published Z9664F configuration of the AMD GPU cluster
networking guide. Which maps another pair of priorities than 3 and 4 gets is not published.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import UNLIMITED, Amount, Curve, Ecn, Pfc, PortQos, Queue, code_map, eight

if TYPE_CHECKING:
    from rocecfg.state.model import Device

_BUFFERS = load_module(Path(__file__).with_name("buffers.py"))
PUBLISHED = frozenset({3, 4})
_DSCP = {24: 3, 26: 3, 4: 4, 48: 6}
_DOT1P = {3: 3, 4: 4}
LOW, HIGH, PROBABILITY = 1_048_576, 2_097_152, 5
"""Bytes and percent of the default WRED profile."""
LOSSY_GROUP = 7


def expansion(priorities: frozenset[int]) -> PortQos:
    """Return what `roce enable` makes of every port, for its lossless priorities."""
    known = priorities == PUBLISHED
    curve = Curve(Amount.of_bytes(LOW), Amount.of_bytes(HIGH), PROBABILITY, frozenset({"green"}))
    queues = {
        number: Queue("weighted", weight=50, weight_kind="relative", shaper=UNLIMITED, ecn=Ecn())
        for number in (0, 3, 4)
    }
    queues[6] = Queue("strict", rank=1, shaper=UNLIMITED, ecn=Ecn())
    if known:
        queues |= {number: replace(queues[number], ecn=Ecn((curve,)), wred=()) for number in priorities}
    else:
        queues = {number: Queue(ecn=Ecn((curve,)), wred=()) for number in priorities}
    return PortQos(
        trust="both",
        dscp_to_tc=code_map(_DSCP, rest=0) if known else None,
        pcp_to_tc=code_map(_DOT1P, 8, rest=0) if known else None,
        tc_to_queue=(*range(8), *([None] * 8)),
        tc_to_pg=(*(tc if tc in priorities else LOSSY_GROUP for tc in range(8)), *([None] * 8)),
        priority_to_queue=tuple(frozenset({number}) for number in range(8)),
        priority_to_pg=tuple(frozenset({number}) for number in range(8)),
        pfc=Pfc("on", priorities, priorities),
        queues=eight(queues),
        priority_groups=_BUFFERS.groups(priorities, carved=True),
    )


def one_command(device: Device) -> str:
    """Return `roce enable` where it makes the same classes, queues, marking and PFC on every port, else ''.

    Thresholds may differ by what a KByte cannot say; the watchdog and DCBX are not touched by the command.
    """
    want = expansion(PUBLISHED)
    same = bool(device.ports) and all(_alike(port.qos, want) for port in device.ports.values())
    return "roce enable (saves the configuration and reboots the switch)" if same else ""


def _alike(qos: PortQos, want: PortQos) -> bool:
    """Return whether a port equals the expansion wherever packets can come: in the classes of its DSCP map."""
    if qos.dscp_to_tc != want.dscp_to_tc or qos.pfc is None or want.pfc is None:
        return False
    if (qos.pfc.tx, qos.pfc.rx) != (want.pfc.tx, want.pfc.rx):
        return False
    used = (0, *sorted(set(_DSCP.values())))
    for leaf, places in (
        ("tc_to_queue", used), ("tc_to_pg", used), ("priority_to_queue", PUBLISHED), ("priority_to_pg", PUBLISHED),
    ):  # fmt: skip
        mine, theirs = getattr(qos, leaf), getattr(want, leaf)
        if mine is None or any(mine[place] != theirs[place] for place in places):
            return False
    return all(_alike_queue(qos.queue(number), want.queue(number)) for number in used)


def _alike_queue(queue: Queue | None, want: Queue | None) -> bool:
    if want is None or queue is None:
        return False
    if (queue.scheduler, queue.weight) != (want.scheduler, want.weight):
        return False
    mine, theirs = (item.ecn.curves if item.ecn is not None else () for item in (queue, want))
    if len(mine) != len(theirs):
        return False
    return all(
        one.probability == other.probability and _near(one.low, other.low) and _near(one.high, other.high)
        for one, other in zip(mine, theirs, strict=True)
    )


def _near(one: Amount | None, other: Amount | None) -> bool:
    """Return whether two thresholds are the same to a KByte."""
    return one is not None and other is not None and abs((one.bytes or 0) - (other.bytes or 0)) < 1000
