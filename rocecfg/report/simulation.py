"""A simulated incast as text and as data: the verdict, what it rests on, what was assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocecfg.incast.judge import LATE, stage
from rocecfg.incast.scene import print_scene
from rocecfg.lint.ranges import compact
from rocecfg.report import derivation
from rocecfg.report.chart import size_text
from rocecfg.report.json import as_plain as outcome_plain
from rocecfg.report.outcome import Outcome
from rocecfg.report.table import columns, printable
from rocecfg.units import print_rate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from fractions import Fraction

    from rocecfg.incast.judge import Case
    from rocecfg.incast.numbers import Incast
    from rocecfg.incast.result import Run

CAVEAT = "A model of one switch: it ranks designs and finds cliffs, it proves nothing (docs/simulate.md)."


def outcome_of(cases: Sequence[Case]) -> Outcome:
    """Return the findings of all cases, for exit code and JSON."""
    unknown = dict.fromkeys(item for case in cases if (item := case.not_evaluated()) is not None)
    return Outcome(
        findings=[item for case in cases for item in case.findings],
        not_evaluated=list(unknown),
        devices=len({name for case in cases for name in case.scene.alike}),
        files=1,
    )


# -- text ------------------------------------------------------------------------------------------------------------


def as_text(fabric: str, duration_us: float, cases: Sequence[Case]) -> Iterator[str]:
    """Yield the report: one block a scene, of a sweep one table a scene."""
    yield f"{fabric}: {duration_us / 1000:g} ms of incast, marks or PAUSE first\n"
    for scene_cases in by_scene(cases):
        first = scene_cases[0]
        yield f"\n{compact(first.scene.alike, 'devices')}: {_head(first)}\n"
        if first.scene.receiver and len(first.scene.alike) > 1:
            yield f"  shown for {first.scene.switch}, the others are alike\n"
        if len(scene_cases) == 1 and not first.changes:
            yield columns((f"  {name}", text) for name, text in facts(first))
        else:
            yield columns(_table(scene_cases))
        yield from _notes("help", dict.fromkeys(item.help for case in scene_cases for item in case.findings))
        yield from _notes("assumed", assumed(scene_cases))
    yield f"\n{CAVEAT}\n"


def _notes(title: str, notes: Iterable[str]) -> Iterator[str]:
    lines = [f"    - {printable(note)}\n" for note in notes]
    yield from [f"  {title}\n", *lines] if lines else []


def by_scene(cases: Iterable[Case]) -> list[list[Case]]:
    """Return the cases of each scene together, in order."""
    found: dict[int, list[Case]] = {}
    for case in cases:
        found.setdefault(id(case.scene), []).append(case)
    return list(found.values())


def assumed(cases: Sequence[Case]) -> tuple[str, ...]:
    """Return everything that cases of one scene assume."""
    return tuple(dict.fromkeys(text for case in cases for text in case.scene.remarks(senders_of(case))))


def senders_of(case: Case) -> int:
    """Return how many senders a case has, also where it is not evaluated."""
    return int(dict(case.changes).get("senders", case.scene.senders))


def _head(case: Case) -> str:
    if case.incast is not None:
        return print_scene(case.scene, case.incast)
    return f"{senders_of(case)} senders into {case.scene.switch}:{case.scene.port}"


def verdict_text(case: Case) -> str:
    """Return the verdict with its reason in short."""
    run, incast = case.run, case.incast
    if run is None or incast is None:
        return f"not evaluated: {'; '.join(case.missing)}"
    if case.verdict == "no congestion":
        return f"no congestion: {print_rate(round(incast.offered))} arrive, the port takes {print_rate(incast.rate)}"
    if case.verdict == "PFC first":
        return (
            f"PFC first: PAUSE after {run.pause_at:.0f} us {stage(run)}, headroom use {run.headroom_part:.0%},"
            f" ports silenced {run.paused:.1%} of the time"
        )
    return f"{case.verdict}: the buffer fills {reach_text(case)} of the way to PAUSE"


def reach_text(case: Case) -> str:
    """Return how far a case goes towards PAUSE; the model stops to count where it is clear."""
    return f"over {LATE:.0%}" if case.reach > LATE else f"{case.reach:.0%}"


def facts(case: Case) -> Iterator[tuple[str, str]]:
    """Yield what there is to say about one case, name and text."""
    yield "verdict", verdict_text(case)
    run, incast, closed = case.run, case.incast, case.closed
    if run is None or incast is None or closed is None:
        return
    earliest = "never" if closed.earliest_us is None else f"after {closed.earliest_us:.0f} us if nobody slows down"
    yield "PAUSE", f"at {size_text(closed.pause_depth)} of egress queue: {earliest}"
    if closed.check is not None:
        yield (
            "closed form",
            f"{closed.check.name} {'holds' if closed.check.holds else 'FAILS'}: {closed.check.sentence}",
        )
    if closed.settles is not None:
        yield "fluid model", closed.settles.because
    peak = f"{size_text(run.peak)} after {run.peak_at:.0f} us" if run.peak > 0 else "none"
    yield "peak queue", f"{peak}; {size_text(run.settled)} on average in the last fifth"
    yield "marks", f"first mark {_us(run.marked_at)}, first slower sender {_us(run.cut_at)}"
    yield "pauses", f"{run.pauses}, the first {_us(run.pause_at)}"
    yield "headroom", f"{size_text(run.headroom)} in one group, {run.headroom_part:.0%} of what it keeps"
    if incast.ideal_us is not None:
        yield "messages", done_text(incast, run)
    shared = f", {run.background:.0%} by the flows that were there before" if incast.background else ""
    yield "link", f"used {run.used:.0%}{shared}; the slowest sender got {run.fairness:.0%} of the fastest"
    yield "taken", numbers_text(incast)


def done_text(incast: Incast, run: Run) -> str:
    """Return when the last message was through, against the port's line rate."""
    ideal = incast.ideal_us
    if run.done_at is None or not ideal:
        return "not all through in this time: a longer --time tells when"
    return (
        f"the last one through after {run.done_at:.0f} us, {run.done_at / ideal:.2f} x what the port alone would take"
    )


def _us(value: float | None) -> str:
    return "never" if value is None else f"after {value:.0f} us"


def numbers_text(incast: Incast) -> str:
    """Return the numbers that went in, in one line."""
    limit = f"alpha {incast.alpha}" if incast.alpha is not None else f"fixed {incast.limit} B"
    pool = "not known" if incast.pool is None else size_text(incast.pool)
    ramp = "ECN off"
    if incast.ramp is not None:
        low, high, top = incast.ramp
        ramp = f"Kmin {size_text(low)}, Kmax {size_text(high)}, Pmax {float(top):g}%"
    lane = incast.lanes[0].of
    return (
        f"shared buffer {pool}, {limit}, headroom {size_text(lane.headroom)} a group, silent"
        f" {lane.silence_ns / 1000:.2f} us after PAUSE, {ramp}, round trip {incast.rtt_ns / 1000:g} us, CNP each"
        f" {incast.reaction['min_time_between_cnps']} us, cut each {incast.reaction['rate_reduce_monitor_period']} us,"
        f" rise each {incast.reaction['rpg_time_reset']} us"
    )


def change_text(name: str, value: Fraction) -> str:
    """Return a swept value as people write it."""
    if name in {"kmin", "kmax", "pool", "headroom", "xoff", "message"}:
        return size_text(float(value))
    if name == "rtt":
        return f"{float(value) / 1000:g} us"
    if name == "min_time_between_cnps":
        return f"{float(value):g} us"
    return str(value) if name == "alpha" else f"{float(value):g}"


def _table(cases: Sequence[Case]) -> Iterator[tuple[str, ...]]:
    names = [name for name, _ in cases[0].changes]
    head = [*names, "verdict", "to PAUSE", "peak queue", "PAUSE after", "headroom", "silenced", "link"]
    ends = any(case.incast is not None and case.incast.message is not None for case in cases)
    head += ["all through"] if ends else []
    yield (f"  {head[0]}", *head[1:])
    for case in cases:
        changes = [change_text(name, value) for name, value in case.changes]
        run = case.run
        if run is None:
            row = [*changes, "not evaluated", f"missing: {'; '.join(case.missing)}"]
        else:
            row = [
                *changes,
                case.verdict,
                reach_text(case),
                size_text(run.peak) if run.peak > 0 else "-",
                "-" if run.pause_at is None else f"{run.pause_at:.0f} us",
                f"{run.headroom_part:.0%}",
                f"{run.paused:.1%}",
                f"{run.used:.0%}",
            ]
            row += [_us(run.done_at).removeprefix("after ")] if ends else []
        yield (f"  {row[0]}", *row[1:])


# -- data ------------------------------------------------------------------------------------------------------------


def as_plain(fabric: str, duration_us: float, cases: Sequence[Case]) -> dict[str, Any]:
    """Return a report as JSON-ready data."""
    plain = outcome_plain(outcome_of(cases))
    return {
        "schema": plain["schema"],
        "fabric": fabric,
        "duration_us": duration_us,
        "caveat": CAVEAT,
        "cases": [_case_plain(case) for case in cases],
        "findings": plain["findings"],
        "not_evaluated": plain["not_evaluated"],
        "summary": plain["summary"],
    }


def _case_plain(case: Case) -> dict[str, Any]:
    scene = case.scene
    return {
        "device": scene.switch,
        "port": scene.port,
        "receiver": scene.receiver or None,
        "alike": list(scene.alike),
        "senders": senders_of(case),
        "changes": {name: _number(value) for name, value in case.changes},
        "verdict": case.verdict,
        "to_pause": round(case.reach, 4) if case.run is not None else None,
        "missing": list(case.missing),
        "assumed": list(scene.remarks(senders_of(case))),
        "numbers": None if case.incast is None else _numbers(case.incast),
        "closed_form": _closed_plain(case),
        "model": _run_plain(case),
    }


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)


def _numbers(incast: Incast) -> dict[str, Any]:
    ramp = incast.ramp
    return {
        "rate": incast.rate,
        "ingress": [
            {"ports": lane.ports, "flows": lane.flows, "rate": round(lane.rate), "headroom": lane.of.headroom,
             "silence_ns": lane.of.silence_ns, "background": lane.background} for lane in incast.lanes
        ],
        "message": incast.message,
        "pool": incast.pool,
        "alpha": None if incast.alpha is None else float(incast.alpha),
        "limit": incast.limit,
        "reserved": incast.reserved,
        "xon_at": incast.xon_at,
        "xon_below": incast.xon_below,
        "headroom_pool": incast.headroom_pool,
        "ramp": None if ramp is None else {"kmin": ramp[0], "kmax": ramp[1], "pmax": float(ramp[2])},
        "rtt_ns": incast.rtt_ns,
        "loop_ns": incast.loop_ns,
        "frame": incast.frame,
        "packing": round(float(incast.packing), 6),
        "dcqcn": dict(incast.reaction.values),
    }  # fmt: skip


def _closed_plain(case: Case) -> dict[str, Any] | None:
    closed = case.closed
    if closed is None:
        return None
    check = closed.check
    return {
        "pause_depth": round(closed.pause_depth),
        "earliest_pause_us": None if closed.earliest_us is None else round(closed.earliest_us, 2),
        "fan_in": None if check is None else {"name": check.name, "holds": check.holds, "left": check.left,
                                              "right": check.right, "because": check.sentence},
        "settles": None if closed.settles is None else derivation.as_plain(closed.settles),
    }  # fmt: skip


def _run_plain(case: Case) -> dict[str, Any] | None:
    run = case.run
    if run is None:
        return None
    return {
        "peak": round(run.peak),
        "peak_at_us": round(run.peak_at, 2),
        "first_mark_us": run.marked_at,
        "first_cut_us": run.cut_at,
        "pause_at_us": None if run.pause_at is None else round(run.pause_at, 3),
        "pause_stage": None if run.pause_at is None else stage(run),
        "pauses": run.pauses,
        "silenced": round(run.paused, 6),
        "headroom": round(run.headroom),
        "headroom_use": round(run.headroom_part, 4),
        "headroom_total": round(run.headroom_total),
        "settled": round(run.settled),
        "link_used": round(run.used, 4),
        "fairness": round(run.fairness, 4),
        "done_at_us": None if run.done_at is None else round(run.done_at, 2),
        "background": round(run.background, 4),
        "series": {name: [round(value, 4) for value in values] for name, values in run.series.items()},
    }
