"""The questions on a terminal, over a real pseudo-terminal, and the example file."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

import pytest

from rocecfg.advise import questions, situation
from rocecfg.advise.questions import as_yaml
from rocecfg.units import UnitError
from tests.conftest import ROOT

ANSWERS = {
    "name": "lab", "months": "24", "workloads.training": "60%", "gpus.later": "64", "traffic.pattern": "collectives",
    "network.kind": "ethernet", "network.keep": "yes", "people.roce": "2", "sites.count": "1",
}  # fmt: skip


def _talk(tmp_path, answers: list[str], *arguments: str) -> tuple[int, str, str]:
    """Answer each prompt with the next line; return the exit code, what was shown and what went to stdout."""
    parent, child = pty.openpty()
    env = os.environ | {"PYTHONPATH": str(ROOT), "TERM": "dumb"}
    command = [sys.executable, "-m", "rocecfg", "advise", *arguments]
    process = subprocess.Popen(
        command, stdin=child, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, cwd=tmp_path
    )
    os.close(child)
    os.write(parent, "".join(f"{line}\n" for line in answers).encode())
    out, err = process.communicate(timeout=60)
    os.close(parent)
    return process.returncode, err.decode(), out.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_questions_to_verdict_and_a_file_that_says_the_same(known, tmp_path, advise) -> None:
    asked = [fact for fact in known.questions if fact not in ("sites.distance", "sites.together")]
    lines = [ANSWERS.get(fact, "") for fact in asked]
    lines.insert(asked.index("gpus.later"), "sixty-four")  # refused, asked again
    code, shown, out = _talk(tmp_path, lines, "--save", "plan.yaml")
    assert code == 0, shown
    assert "accepted: a whole number from 1" in shown
    assert "Does one training job span them" not in shown, "one data centre: nothing to ask"
    assert "lossless RoCE (PFC and ECN)" in out
    assert advise(str(tmp_path / "plan.yaml")).out == out


@pytest.mark.parametrize(
    ("said", "fact", "value"),
    [("yes", "network.keep", True), ("否", "network.keep", False), ("64", "gpus.later", 64), ("60%", "workloads.training", "60%"),
     ("2026", "name", 2026), ("none", "network.kind", "none"), ("80km", "sites.distance", "80km")],
)  # fmt: skip
def test_an_answer_as_a_file_would_write_it(said: str, fact: str, value: object) -> None:
    read = situation.readers()[fact]
    found = questions._value(said, read)
    assert found == value
    assert situation.parse(as_yaml({fact: found})) == {fact: read(value)}


@pytest.mark.parametrize(
    ("said", "fact"), [("60", "workloads.training"), ("maybe", "network.keep"), ("-1", "gpus.later")]
)
def test_a_wrong_answer_is_refused(said: str, fact: str) -> None:
    with pytest.raises(UnitError):
        questions._value(said, situation.readers()[fact])


def test_the_example_is_read_and_names_every_question(advise, known) -> None:
    ran = advise("--example")
    assert ran.code == 0
    assert advise(plan=ran.out).code == 0
    whole = re.sub(r"^( *)# ( *)([a-z_]+: )", r"\1\2\3", ran.out, flags=re.MULTILINE)
    facts = situation.parse(whole)
    assert set(known.questions) - {"hardware.model"} <= set(facts)
    assert {"prices.currency", "prices.platform.nic", "prices.person"} <= set(facts)


def test_save_needs_the_terminal(advise) -> None:
    assert advise("--save", "x.yaml", plan="gpus: {later: 8}").code == 2
