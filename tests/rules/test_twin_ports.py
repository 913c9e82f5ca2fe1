"""REF-004 compares thresholds between ports of one speed only: they follow the speed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.model import Device, Ecn, Port, intern_ports
from tests.planned import GIGABIT, planned_qos


def device(odd: Port, speed: int | None) -> Device:
    ports = [Port(f"swp{n}", qos=planned_qos(kmin=25_000, kmax=100_000), speed=speed) for n in range(1, 9)]
    return Device("leaf1", "cumulus", ports=intern_ports([*ports, odd]), complete=frozenset({"all"}))


def found(odd: Port, speed: int | None) -> list[str]:
    return [item.rule for item in lint([device(odd, speed)], settings=Settings(select=("REF-004",))).findings]


FASTER = planned_qos(kmin=100_000, kmax=400_000)


@pytest.mark.parametrize(
    ("speed", "of_odd", "rules"),
    [(None, None, []), (25 * GIGABIT, 100 * GIGABIT, []), (25 * GIGABIT, 25 * GIGABIT, ["REF-004"])],
)
def test_thresholds(speed: int | None, of_odd: int | None, rules: list[str]) -> None:
    assert found(Port("swp49", qos=FASTER, speed=of_odd), speed) == rules


def test_a_queue_that_marks_nothing_is_odd_at_any_speed() -> None:
    queues = tuple(queue and replace(queue, ecn=Ecn(())) for queue in FASTER.queues or ())
    assert found(Port("swp49", qos=replace(FASTER, queues=queues)), None) == ["REF-004"]
