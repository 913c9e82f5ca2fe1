"""What the buffers of a device can carry of a plan: alphas and pools stand once for all ports."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Amount, Dynamic, Pool, Port, PortQos, Queue, distinct_qos

if TYPE_CHECKING:
    from rocecfg.vendor.api import Kind

fit_port = load_module(Path(__file__).with_name("fit_port.py"))


def shares(work: Any) -> None:
    """Alphas stand once for the device: the lossless ingress groups, the lossless queues, each lossy queue."""
    all_qos = [qos for qos, _ in distinct_qos(work.now())]
    lossless = frozenset[int]().union(*(fit_port.lossless_of(qos) for qos in all_qos))
    ingress = [g.xoff_at for q in all_qos for g in q.priority_groups or () if g and isinstance(g.xoff_at, Dynamic)]
    xoff = _alpha(work, "priority_groups.xoff_at", ingress)
    to_queue = next((qos.tc_to_queue for qos in all_qos if qos.tc_to_queue), tuple(range(8)))
    full = {to_queue[sp] for sp in lossless}
    limit: dict[int, Dynamic | None] = {}
    of_queue = {n: [q.queues[n] for q in all_qos if q.queues and q.queues[n]] for n in range(8)}
    shared = _alpha(
        work,
        "queues.limit",
        [q.limit for n in full for q in of_queue.get(n or 0, ()) if q and isinstance(q.limit, Dynamic)],
    )
    for number in range(8):
        own = [queue.limit for queue in of_queue[number] if queue and isinstance(queue.limit, Dynamic)]
        limit[number] = shared if number in full else _alpha(work, f"queues.{number}.limit", own)

    def change(qos: PortQos, _: list[Port]) -> PortQos:
        groups = fit_port.groups(qos, lossless, xoff)
        queues = qos.queues
        if queues is not None or any(limit.values()):
            filled = queues or (None,) * 8
            queues = tuple(
                replace(queue or Queue(), limit=limit[number]) if queue or limit[number] else None
                for number, queue in enumerate(filled)
            )
        return replace(qos, priority_groups=groups, tc_to_pg=None, priority_to_pg=None, queues=queues)

    work.each(change)


def _alpha(work: Any, field: str, wanted: list[Dynamic]) -> Dynamic | None:
    steps = sorted(Fraction(text) for text in work.limits["alphas"]["values"])
    ratios = {each.alpha for each in wanted if each.alpha is not None}
    if any(each.alpha is None for each in wanted):
        work.note("", field, "an index", "default", "dropped", "NVUE names alphas by their ratio")
    if not ratios:
        return None
    lowest = min(ratios)
    got = max([step for step in steps if step <= lowest], default=steps[0])
    for ratio in sorted(ratios):
        if ratio != got:
            kind: Kind = "quantised" if len(ratios) == 1 else "equalised"
            work.note(
                "",
                field,
                f"alpha {ratio}",
                f"alpha {got}",
                kind,
                "one alpha for the switch, from NVUE's list, not above the plan's",
            )
    return Dynamic(got)


def pools(work: Any) -> None:
    """Give the lossless pool a share: it has no memory until it is given some."""
    lossless = any(fit_port.lossless_of(qos) for qos, _ in distinct_qos(work.now()))
    if not lossless:
        if work.planned_pools and work.planned_pools != (
            Pool("default-lossy", "both", lossless=False, total=Amount(100, "percent")),
        ):
            work.note("", "pools", "stated", "default", "dropped", "without PFC all memory is the lossy pool's")
        work.planned_pools = None
        return
    shares = {
        pool.lossless: pool.total.value
        for pool in work.planned_pools or ()
        if pool.lossless is not None
        and pool.total is not None
        and pool.total.unit == "percent"
        and pool.direction != "egress"
    }
    half = work.limits["chosen"]["lossless_memory"]["value"]
    planned = shares.get(True)
    share = min(max(math.ceil(planned), 1), 99) if planned is not None else half
    rest = min(max(math.floor(shares.get(False, 100 - share)), 1), 100 - share)
    if planned is None:
        work.note(
            "",
            "pools",
            "open",
            f"lossless {share} %, lossy {rest} %",
            "chosen",
            "a lossless pool has no memory until it is given a share; half and half is what the RoCE mode uses",
        )
    elif planned != share or shares.get(False, rest) != rest:
        work.note(
            "",
            "pools",
            f"lossless {planned} %, lossy {shares.get(False)} %",
            f"lossless {share} %, lossy {rest} %",
            "quantised",
            "whole percents, together not above 100",
        )
    if any(pool.headroom is not None or pool.oversubscription is not None for pool in work.planned_pools or ()):
        work.note(
            "",
            "pools.headroom",
            "shared headroom",
            "none",
            "dropped",
            "rendered on no release: only the 5.18 schema has it",
        )
    work.planned_pools = (
        Pool("default-lossless", "both", lossless=True, total=Amount(share, "percent")),
        Pool("default-lossy", "both", lossless=False, total=Amount(rest, "percent")),
    )
