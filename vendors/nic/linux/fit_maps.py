"""Fits maps and queues: DSCP to priority, priority to TC, the scheduler of each TC, receive buffers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.state.model import UNLIMITED, CodeMap, PortQos, Queue, eight

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vendors.nic.linux.fit import Notes

GIGABIT = 1_000_000_000
ETS_SUM = 100


def lossless_of(qos: PortQos) -> frozenset[int]:
    """Return the planned lossless priorities."""
    return qos.lossless_priorities() or (
        qos.pfc.tx if qos.pfc and qos.pfc.tx and qos.pfc.admin != "off" else frozenset()
    )


def best_effort(qos: PortQos) -> int:
    """Return the priority that stray traffic takes: the planned default class, else the lowest that is not lossless."""
    lossless = lossless_of(qos)
    first = qos.default_tc if qos.default_tc is not None else 0
    number: int = next(tc for tc in (first, *range(8), first) if tc not in lossless or len(lossless) == 8)
    return number


def dscp_map(qos: PortQos, stray: int, notes: Notes, *, by_eight: bool = False) -> CodeMap | None:
    """Return all 64 codes: planned ones as planned, free ones in the class of stray traffic.

    `by_eight`: the driver's default is DSCP / 8; a free code keeps that class unless a planned class uses it, so that
    a stray DSCP never lands in a lossless class.
    """
    planned = qos.dscp_to_tc
    if planned is None:
        return None
    if qos.trust == "pcp":
        notes.add("dscp_to_tc", "dropped", "a DSCP map", "nothing", "with trust pcp the NIC holds no DSCP map")
        return None
    if planned.conflicts:
        codes = ", ".join(str(code) for code, _ in planned.conflicts)
        notes.add("dscp_to_tc", "refused", f"DSCP {codes} in several classes", "one class", "one priority a DSCP")
    beyond = sorted({tc for tc in planned.to if tc is not None and tc > 7})
    if beyond:
        notes.add("dscp_to_tc", "refused", f"class {beyond[0]}", "0 to 7", "the class of a NIC is the 802.1p priority")
    taken = ({tc for tc in planned.to if tc is not None} | lossless_of(qos)) - {stray}
    to = tuple(
        (stray if code >> 3 in taken or not by_eight else code >> 3) if tc is None else min(tc, 7)
        for code, tc in enumerate(planned.to)
    )
    return CodeMap(to, planned.stated)


def pcp_map(qos: PortQos, notes: Notes) -> CodeMap | None:
    """Return None: PCP n is priority n by definition, nothing else can be set."""
    planned = qos.pcp_to_tc
    if planned is not None and any(tc is not None and tc != pcp for pcp, tc in enumerate(planned.to)):
        notes.add("pcp_to_tc", "refused", "PCP other than n to n", "n to n", "PCP n is priority n on a NIC")
    return None


def fit_queues(qos: PortQos, stray: int, notes: Notes) -> PortQos:
    """Return the 8 priorities mapped to TCs and a scheduler for each TC that carries one."""
    if qos.tc_to_queue is None and qos.queues is None:
        return qos
    planned = (qos.tc_to_queue or ()) + (None,) * 16
    if any(number is not None for number in planned[8:16]) or any(
        number not in {None, *range(8)} for number in planned
    ):
        notes.add("tc_to_queue", "refused", "more than 8 classes or queues", "8", "8 priorities, 8 TCs")
    lossless = lossless_of(qos)
    rest = planned[stray] if planned[stray] in range(8) else None
    if rest is None:
        taken = {planned[priority] for priority in lossless}
        rest = next((queue for queue in (stray, *range(8)) if queue not in taken), stray)
    queue_of = [rest if number is None else min(number, 7) for number in planned[:8]]
    mixed = {queue_of[priority] for priority in lossless} & {queue_of[p] for p in range(8) if p not in lossless}
    if mixed:
        notes.add(
            "tc_to_queue", "refused", f"TC {min(mixed)} shared by lossless and lossy priorities", "TCs of their own",
            "PFC would stop the lossy traffic too",
        )  # fmt: skip
    qos_queues = _schedulers(qos, sorted(set(queue_of)), notes)
    return replace(qos, tc_to_queue=(*queue_of, *(None,) * 8), priority_to_queue=None, queues=qos_queues)


def _schedulers(qos: PortQos, used: list[int], notes: Notes) -> tuple[Queue | None, ...]:
    planned = {number: qos.queue(number) or Queue() for number in used}
    for number in range(8):
        queue = qos.queue(number)
        if queue is not None and number not in planned and queue.scheduler is not None:
            notes.add(f"queues.{number}", "dropped", queue.scheduler, "nothing", "no priority maps to this TC")
    note_marking(qos, notes)
    weighted = {number: queue for number, queue in planned.items() if queue.scheduler != "strict"}
    weights = shares(weighted, notes)
    strict = sorted((number for number in used if number not in weighted), reverse=True)
    shaped = any(queue.shaper is not None for queue in planned.values())  # the list is set whole
    fitted: dict[int, Queue] = {}
    for number, queue in planned.items():
        shaper = _shaper(number, queue.shaper, notes) if shaped else None
        if number in weights:
            fitted[number] = Queue("weighted", None, weights[number], "percent-of-rest", shaper=shaper)
            continue
        rank = strict.index(number) + 1
        if queue.rank is not None and queue.rank != rank and len(strict) > 1:
            notes.add(f"queues.{number}.rank", "box-made", queue.rank, rank, "the higher strict TC is served first")
        fitted[number] = Queue("strict", rank, shaper=shaper)
    return eight(fitted)


def shares(queues: dict[int, Queue], notes: Notes) -> dict[int, int]:
    """Return whole percents that add up to 100, each at least 1, in the planned proportion."""
    if not queues:
        return {}
    stated = [Fraction(queue.weight) for queue in queues.values() if queue.weight]
    smallest = min(stated, default=Fraction(1))
    wanted = {number: Fraction(queue.weight) if queue.weight else smallest for number, queue in queues.items()}
    total = sum(wanted.values())
    exact = {number: weight * ETS_SUM / total for number, weight in wanted.items()}
    whole = {number: max(int(share), 1) for number, share in exact.items()}
    by_rest = sorted(exact, key=lambda number: (-(exact[number] - int(exact[number])), number))
    while sum(whole.values()) < ETS_SUM:
        for number in by_rest[: ETS_SUM - sum(whole.values())]:
            whole[number] += 1
    while sum(whole.values()) > ETS_SUM:
        largest = max(whole, key=lambda number: (whole[number], number))
        whole[largest] -= 1
    for number, queue in queues.items():
        if queue.scheduler is None or not queue.weight:
            notes.add(f"queues.{number}.weight", "chosen", "left open", f"{whole[number]} %",
                      "every TC with traffic needs a share; ETS shares add up to 100")  # fmt: skip
        elif queue.weight != whole[number] or queue.weight_kind not in {None, "percent-of-rest"}:
            notes.add(
                f"queues.{number}.weight", "quantised", f"{float(queue.weight):g} ({queue.weight_kind or 'share'})",
                f"{whole[number]} %", "ETS shares are whole percents of what strict TCs leave and add up to 100",
            )  # fmt: skip
    return whole


def _shaper(number: int, rate: int | None, notes: Notes) -> int:
    if rate is None or rate == UNLIMITED:
        return UNLIMITED
    fitted = max(-(-rate // GIGABIT), 1) * GIGABIT
    if fitted != rate:
        notes.add(f"queues.{number}.shaper", "quantised", f"{rate} bit/s", f"{fitted} bit/s", "whole Gb/s, rounded up")
    return fitted


def note_marking(qos: PortQos, notes: Notes) -> None:
    """Say once a port what switch queues have and NIC queues do not."""
    queues = [queue for queue in qos.queues or () if queue is not None]
    if any((queue.ecn is not None and queue.ecn.curves) or queue.wred for queue in queues):
        notes.add("queues.ecn", "dropped", "a marking or dropping curve", "nothing",
                  "a NIC queue has no curve: on the host ECN means DCQCN")  # fmt: skip
    if any(queue.limit is not None or queue.reserved is not None or queue.pool is not None for queue in queues):
        notes.add("queues.limit", "dropped", "a buffer limit", "nothing", "transmit queues have no shared buffer limit")
    if any(queue.guarantee not in {None, UNLIMITED} for queue in queues):
        notes.add("queues.guarantee", "dropped", "a guaranteed rate", "nothing", "TCs have a share or a limit only")


def compact(qos: PortQos, stray: int, notes: Notes, *, most: int = 8) -> PortQos:
    """Return the TCs numbered from 0 without gaps: best effort first, then by number, the strict ones last.

    Drivers make as many TCs as the highest number says and share the port's rings among them. Where there are more
    than `most`, weighted TCs without a lossless priority join best effort.
    """
    if qos.tc_to_queue is None:
        return qos
    lossless = {qos.tc_to_queue[priority] for priority in lossless_of(qos)}
    first = qos.tc_to_queue[stray]
    used = sorted({number for number in qos.tc_to_queue[:8] if number is not None}, key=lambda number: (
        number != first, _is_strict(qos.queue(number)), number))  # fmt: skip
    if sorted(used) == list(range(len(used))) and len(used) <= most:
        return qos
    spare = [number for number in reversed(used) if number != first and number not in lossless]
    merged = set(spare[: max(len(used) - most, 0)])
    if len(used) - len(merged) > most:
        notes.add("tc_to_queue", "refused", f"{len(used)} TCs", most, "the NIC has no more traffic classes")
    if merged:
        notes.add("tc_to_queue", "equalised", f"{len(used)} TCs", f"{most} TCs",
                  f"the NIC has {most} traffic classes: the priorities of TC {', '.join(map(str, sorted(merged)))} "
                  "join best effort")  # fmt: skip
    left = [number for number in used if number not in merged]
    place = {number: at for at, number in enumerate(left)} | dict.fromkeys(merged, 0)
    if not merged and any(place[number] != number for number in left):
        notes.add("tc_to_queue", "quantised", _numbers(used), _numbers(place[number] for number in used),
                  "the NIC numbers its TCs from 0 without gaps; the numbers are its own and go on no wire")  # fmt: skip
    queues = {place[number]: qos.queue(number) for number in left}
    if merged:  # their share goes to best effort, which carries them now
        kept = queues[0]
        shares = [queue.weight for number in merged if (queue := qos.queue(number)) is not None and queue.weight]
        if kept is not None and kept.weight is not None:
            queues[0] = replace(kept, weight=kept.weight + sum(shares))
    renumbered = tuple(None if number is None else place[number] for number in qos.tc_to_queue[:8])
    return replace(qos, tc_to_queue=(*renumbered, *(None,) * 8), priority_to_queue=None, queues=_ranked(eight(queues)))


def _is_strict(queue: Queue | None) -> bool:
    return queue is not None and queue.scheduler == "strict"


def _numbers(numbers: Iterable[int]) -> str:
    return "TC " + ", ".join(map(str, numbers))


def _ranked(queues: tuple[Queue | None, ...]) -> tuple[Queue | None, ...]:
    """Return queues with the rank of strict TCs as the NIC serves them: the higher first."""
    strict = [number for number in range(7, -1, -1) if _is_strict(queues[number])]
    return tuple(
        replace(queue, rank=strict.index(number) + 1) if queue is not None and number in strict else queue
        for number, queue in enumerate(queues)
    )
