"""Whatever stands in the file: one clear message with its place, exit code 2, no traceback."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocecfg.advise import situation
from rocecfg.errors import IntentError

CASES = {
    "duplicate key": ("gpus: {now: 8, now: 16}", '"now"'),
    "duplicate part": ("gpus: {now: 8}\ngpus: {now: 16}", '"gpus"'),
    "unknown key": ("workload: {training: 50%}", 'did you mean "workloads"?'),
    "unknown inner key": ("gpus: {latr: 64}", 'did you mean "later"?'),
    "unknown word": ("traffic: {pattern: colectives}", 'did you mean "collectives"?'),
    "unknown goal": ("goal: troughput", 'did you mean "throughput"?'),
    "share without unit": ("workloads: {training: 60}", "has no unit"),
    "share above 100": ("workloads: {training: 160%}", "above 100%"),
    "shares above 100": ("workloads: {training: 60%, inference: 50%}", "add up to 110%"),
    "size with a wrong unit": ("traffic: {message: 64G}", 'unknown unit "G"'),
    "speed with a wrong unit": ("link: {speed: 400GB}", 'unknown unit "GB"'),
    "speed without unit": ("link: {speed: 400}", "has no unit"),
    "distance in miles": ("sites: {count: 2, distance: 80mi}", 'unknown unit "mi"'),
    "no distance": ("sites: {count: 2, distance: 0m}", "is not accepted"),
    "negative GPUs": ("gpus: {later: -4}", "a whole number from 1"),
    "no GPUs at all": ("gpus: {later: 0}", "a whole number from 1"),
    "too many GPUs": ("gpus: {later: 99999999999}", "a whole number from 1"),
    "half a person": ("people: {roce: 1.5}", "a whole number from 0"),
    "people in words": ("people: {roce: two}", "a whole number from 0"),
    "other digits": ("gpus: {later: ٦٤}", "a whole number from 1"),
    "yes": ("network: {keep: yes}", "write true"),
    "unknown as a word": ("network: {keep: unknown}", "accepted: true, false"),
    "nothing written": ("gpus:", "nothing is written"),
    "no mapping": ("gpus: 64", "is no mapping"),
    "other version": ("version: 2", 'version "2" is not known'),
    "price with currency": ("prices: {roce: {nic: 1000EUR}}", "a whole number from 0"),
    "list": ("- gpus", "is no plan"),
    "word": ("gpus", "is no plan"),
    "empty": ("", "`rocecfg advise --example` writes"),
    "comment only": ("# nothing\n", "the file is empty"),
    "octal": ("gpus: {later: 0100}", ""),
    "tag": ("gpus: !!python/object:os.system {}", ""),
    "tab": ("gpus:\n\tlater: 8", ""),
    "control character": ("name: a\x07b", "control character"),
}


@pytest.mark.parametrize("name", CASES)
def test_bad_plan(name: str, advise) -> None:
    text, message = CASES[name]
    ran = advise(plan=text)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("<stdin>:")
    assert message in ran.err


@pytest.mark.parametrize(
    "data", [b"\x00\x01\x02", b"\xff\xfeg\x00", b"\x7fELF\x02\x01\x01\x00", b"gpus: \xc3\x28", b"\x89PNG\r\n\x1a\n"]
)
def test_binary(data: bytes, advise) -> None:
    ran = advise(plan=data)
    assert (ran.code, ran.out) == (2, "")
    assert "<stdin>:" in ran.err


def test_every_problem_at_once(advise) -> None:
    ran = advise(plan="goal: cheap\ngpus: {later: many}\nlink: {speed: 1}\n")
    assert ran.err.count("<stdin>:") == 3


def test_byte_order_mark_and_other_line_ends_are_taken(advise) -> None:
    plan = b"\xef\xbb\xbfversion: 1\r\ngpus: {later: 64}\r\nworkloads: {training: 80%}\r\n"
    assert advise(plan=plan).code == 0


def test_a_missing_file_and_a_folder(advise, tmp_path) -> None:
    ran = advise("missing.yaml")
    assert (ran.code in (2, 3), ran.out) == (True, "")
    assert "missing.yaml" in ran.err
    assert advise(str(tmp_path)).code in (2, 3)


def test_without_file_and_terminal(advise) -> None:
    ran = advise()
    assert ran.code == 2
    assert "--example" in ran.err


def test_the_version_may_be_left_out(advise) -> None:
    assert advise(plan="gpus: {later: 64}\nworkloads: {training: 80%}\n").code == 0


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
def test_any_bytes_give_facts_or_one_clear_error(data: bytes) -> None:
    try:
        problems = [] if isinstance(situation.parse(data), dict) else ["no facts"]
    except IntentError as error:
        assert_says_where(error)
        problems = []
    assert not problems


def assert_says_where(error: IntentError) -> None:
    assert error.problems
    assert all(problem.line >= 1 and problem.column >= 1 and problem.message for problem in error.problems)
