"""Fits classes into the TCs of an ice port: in DSCP mode a class, its priority and its TC are one number, 0 to 3."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import CodeMap, Pfc, PortQos, Queue

if TYPE_CHECKING:
    from vendors.nic.linux.fit import Notes

_maps = load_module(Path(__file__).parents[1] / "linux" / "fit_maps.py")
TCS = load_module(Path(__file__).with_name("effective.py")).TCS
_SPARE_WEIGHT = 1
"""Percent of a TC that no planned class uses: the driver makes all TCs, and stray packets may reach them."""


def check_lossless(qos: PortQos, notes: Notes) -> None:
    """Refuse what the NIC cannot keep lossless, and name what it can."""
    lossless = sorted(_maps.lossless_of(qos))
    if len(lossless) > 1:
        notes.add(
            "pfc", "refused", f"priorities {', '.join(map(str, lossless))}", "one priority",
            "E810 and E830 keep one traffic class lossless: put RoCE in one class, or use a NIC with more",
        )  # fmt: skip
    elif lossless and qos.trust == "dscp" and lossless[0] >= TCS:
        notes.add(
            "pfc", "refused", f"priority {lossless[0]}", "priority 1, 2 or 3",
            "with trust dscp a priority is the number of its TC, and there are TCs 0 to 3: give RoCE priority "
            "1, 2 or 3 on the whole fabric, or trust pcp and send RoCE with a VLAN tag",
        )  # fmt: skip


def dscp_mode(qos: PortQos, stray: int, notes: Notes) -> PortQos:
    """Return classes, maps and queues as DSCP mode has them."""
    planned = qos.dscp_to_tc
    if planned is None:
        return qos
    if planned.conflicts:
        codes = ", ".join(str(code) for code, _ in planned.conflicts)
        notes.add("dscp_to_tc", "refused", f"DSCP {codes} in several classes", "one class", "one priority a DSCP")
    lossless = _maps.lossless_of(qos)
    stated = {tc for tc in planned.to if tc is not None}
    mapped = {tc for tc, queue in enumerate(qos.tc_to_queue or ()) if queue is not None}
    classes = sorted(stated | mapped | lossless | {stray})
    place = _places(classes, lossless, stray, qos)
    moved = [f"{tc} to {place[tc]}" for tc in classes if place[tc] != tc]
    if moved:
        notes.add(
            "dscp_to_tc", "quantised", f"classes {', '.join(map(str, classes))}", f"class {', '.join(moved)}",
            "in DSCP mode a class is a TC, 0 to 3; classes without PFC are told apart by their DSCP on the wire",
        )  # fmt: skip
    # classes that found no TC of their own join the one of stray traffic, whose queue decides
    queues = {place[tc]: _queue(qos, tc) for tc in classes if place[tc] != place[stray]}
    queues[place[stray]] = _queue(qos, stray)
    codes_to = tuple(None if tc is None else place[tc] for tc in planned.to)
    spare = [number for number in range(TCS) if number not in queues]
    weights = [Fraction(queue.weight) for queue in queues.values() if queue.scheduler != "strict" and queue.weight]
    for number in spare:
        share = sum(weights, Fraction(0)) / 100 * _SPARE_WEIGHT or _SPARE_WEIGHT
        queues[number] = Queue("weighted", weight=share, weight_kind="percent-of-rest")
        notes.add(f"queues.{number}", "chosen", "left open", "about 1 %",
                  "the driver makes this TC anyway; with a share of 0 what strays into it would starve")  # fmt: skip
    priorities = frozenset(place[priority] for priority in lossless)
    pfc = qos.pfc and Pfc(qos.pfc.admin, priorities, priorities, by=qos.pfc.by)
    identity = (*range(TCS), *(None,) * (16 - TCS))
    fitted: PortQos = _maps.fit_queues(
        replace(
            qos, dscp_to_tc=CodeMap(codes_to, planned.stated), pfc=pfc, tc_to_queue=identity, priority_to_queue=None,
            queues=tuple(queues.get(number) for number in range(8)), defaulted=frozenset(),
        ),
        place[stray],
        notes,
    )  # fmt: skip
    return replace(fitted, tc_to_queue=None, priority_to_queue=None)


def _queue(qos: PortQos, tc: int) -> Queue:
    number = qos.tc_to_queue[tc] if qos.tc_to_queue is not None else tc
    return (qos.queue(number) if number is not None else None) or Queue()


def _places(classes: list[int], lossless: frozenset[int], stray: int, qos: PortQos) -> dict[int, int]:
    """Return the TC of each class: its own number where it is free, else the highest free one, else that of stray."""
    place: dict[int, int] = {tc: tc for tc in sorted(lossless) if tc < TCS}
    home = stray if stray < TCS and stray not in place else min(set(range(TCS)) - set(place.values()))
    place[stray] = home
    for tc in classes:
        if tc < TCS and tc not in place and tc not in place.values():
            place[tc] = tc
    rest = sorted(set(classes) - set(place), key=lambda tc: (_queue(qos, tc).scheduler != "strict", tc))
    for tc in rest:
        free = sorted(set(range(1, TCS)) - set(place.values()))
        place[tc] = free[-1] if free else home
    return place
