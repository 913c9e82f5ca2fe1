"""What must hold whatever the rules of thumb say: more of a good thing never makes the answer smaller."""

from __future__ import annotations

from itertools import islice, pairwise, product
from typing import TYPE_CHECKING, Any

import pytest

from rocecfg.advise.changes import changes
from rocecfg.advise.judge import Verdict, judge, verdict_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocecfg.advise.knowledge import Knowledge

GRID: dict[str, list[Any]] = {
    "workloads.training": [None, 10, 60],
    "traffic.pattern": [None, "collectives", "exchange", "independent"],
    "goal": [None, "cost", "throughput"],
    "network.kind": [None, "none", "ethernet", "infiniband"],
    "network.keep": [None, True],
    "network.pfc": [None, False],
    "link.speed": [None, 25 * 10**9, 400 * 10**9],
    "hardware.loss_recovery": [None, False],
}
GPUS = [8, 9, 32, 64, 65, 128, 255, 256, 512, 513, 999, 1000, 4096, 100_000]
PEOPLE = [0, 1, 2, 3, 20]


def situations(every: int = 1) -> Iterator[dict[str, Any]]:
    """Yield the plans of the grid, each or every n-th (5 and 23 divide none of its columns)."""
    for values in islice(product(*GRID.values()), 0, None, every):
        facts = {name: value for name, value in zip(GRID, values, strict=True) if value is not None}
        if {"workloads.training", "traffic.pattern"} & facts.keys():
            yield facts


def carried(verdict: Verdict, known: Knowledge) -> int:
    return min(known.choices[name].carries for name in verdict.choices)


def people(verdict: Verdict, known: Knowledge) -> int:
    return max(known.choices[name].people for name in verdict.choices)


@pytest.mark.parametrize("staff", [{}, {"people.roce": 0, "people.infiniband": 0}, {"people.roce": 2}], ids=str)
def test_more_gpus_never_ask_for_less(known: Knowledge, staff: dict[str, int]) -> None:
    """Above all: more GPUs never lead from lossless RoCE to plain Ethernet."""
    for facts in situations(every=5):
        verdicts = [verdict_of({**facts, **staff, "gpus.later": count}, known) for count in GPUS]
        for (before, fewer), (after, more) in pairwise(zip(GPUS, verdicts, strict=True)):
            assert carried(more, known) >= carried(fewer, known), (facts, before, after)


@pytest.mark.parametrize(
    ("kind", "others"),
    [("people.roce", [None, 0, 2]), ("people.infiniband", [None, 0, 2])],
)
@pytest.mark.parametrize("count", [32, 512, 2048])
def test_more_people_never_need_fewer(known: Knowledge, kind: str, others: list[int | None], count: int) -> None:
    other = "people.infiniband" if kind == "people.roce" else "people.roce"
    for facts in situations(every=5):
        for also in others:
            base = {**facts, "gpus.later": count} | ({} if also is None else {other: also})
            verdicts = [verdict_of({**base, kind: number}, known) for number in PEOPLE]
            for fewer, more in pairwise(verdicts):
                assert people(more, known) >= people(fewer, known), base
                assert more.compromise <= fewer.compromise, ("more people never make it a compromise", base)


def test_more_training_never_asks_for_less(known: Knowledge) -> None:
    for facts in situations():
        for count in (32, 600, 2048):
            verdicts = [
                verdict_of({**facts, "gpus.later": count, "workloads.training": n}, known) for n in (0, 29, 30, 100)
            ]
            for less, more in pairwise(verdicts):
                assert carried(more, known) >= carried(less, known), (facts, count)


def test_faster_links_never_take_an_answer_away(known: Knowledge) -> None:
    for facts in situations():
        base = {**facts, "gpus.later": 1000}
        verdicts = [
            verdict_of({**base, "link.speed": speed * 10**9}, known) for speed in (10, 25, 99, 100, 200, 400, 800)
        ]
        for slower, faster in pairwise(verdicts):
            assert carried(faster, known) >= carried(slower, known), facts
            assert faster.compromise <= slower.compromise, facts


def test_there_is_always_an_answer_and_it_is_founded(known: Knowledge) -> None:
    """Nothing that stands is ruled out, and something that is needed and not carried is said to be a compromise."""
    for facts in situations(every=5):
        for count, roce in product((8, 64, 2048), (None, 0, 2)):
            advice = judge({**facts, "gpus.later": count} | ({} if roce is None else {"people.roce": roce}), known)
            assert advice.verdict.choices
            for name in advice.verdict.choices:
                reasons = advice.reasons[name]
                assert not reasons.rule_out, (facts, count)
                needs = [rule for rule in reasons.speak_against if rule.needs]
                assert bool(needs) == advice.verdict.compromise, (facts, count)
                assert reasons.speak_for or reasons.speak_against, (facts, count)


def test_remarks_never_change_a_verdict(known: Knowledge) -> None:
    """Facts of remarks alone (monitoring, drills, scheduler, sites, budget) leave the verdict as it is."""
    remarks = {
        "operations.monitoring": False, "operations.drills": False, "scheduler.topology": False, "months": 3,
        "sites.count": 3, "sites.distance": 100_000, "budget": 1, "network.shared": True, "traffic.message": 64_000,
    }  # fmt: skip
    for facts in situations():
        base = {**facts, "gpus.later": 600}
        assert verdict_of(base, known) == verdict_of({**base, **remarks}, known)


def test_every_change_that_is_named_is_true(known: Knowledge) -> None:
    """What the report says would change the verdict gives that verdict, and it differs."""
    seen = 0
    for facts in situations(every=23):
        base = {**facts, "gpus.later": 384, "people.roce": 1}
        now = verdict_of(base, known)
        for change in changes(base, known):
            assert verdict_of({**base, change.fact: change.value}, known) == change.verdict
            assert change.verdict != now or change.fact not in base
            seen += 1
    assert seen > 100
