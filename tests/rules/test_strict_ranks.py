"""SCH-002 names the queues that wait for a strict lossless queue, and none that is served before it."""

from __future__ import annotations

from typing import Any

import pytest

from rocecfg.lint.config import Settings
from rocecfg.lint.examples import example_of

STRICT = {number: {"scheduler": "strict", "rank": 8 - number, "shaper": -1} for number in range(8)}
"""As VRP and AOS-CX serve eight strict queues: the highest number first."""


def said(lossless: int, queues: dict[int, dict[str, Any]]) -> list[str]:
    qos = {
        "trust": "pcp",
        "pcp_to_tc": {number: number for number in queues},
        "tc_to_queue": {number: number for number in queues},
        "priority_to_queue": {lossless: [lossless]},
        "pfc": {"admin": "on", "tx": [lossless], "rx": [lossless]},
        "queues": queues,
    }
    data = {"device": {"name": "leaf1", "ports": {"p": {"qos": qos}}}}
    return [finding.message for finding in example_of(data).lint(Settings(select=("SCH-002",))).findings]


@pytest.mark.parametrize(
    ("lossless", "queues", "waiting"),
    [
        (3, STRICT, "queue 0, 1, 2 waits"),
        (0, STRICT, None),
        (7, STRICT, "queue 0, 1, 2, 3, 4, 5, 6 waits"),
        (
            3,
            {**STRICT, 0: {"scheduler": "weighted", "weight": 50}, 1: {"scheduler": "weighted", "weight": 50}},
            "0, 1, 2",
        ),
        (3, {0: {"scheduler": "weighted", "weight": 9}, 3: {"scheduler": "strict", "shaper": -1}}, "queue 0 waits"),
        (3, {3: {"scheduler": "strict", "shaper": -1}, 6: {"scheduler": "strict", "shaper": -1}}, "queue 6 waits"),
        (3, {3: STRICT[3], 6: STRICT[6]}, None),
    ],
)
def test_who_waits(lossless: int, queues: dict[int, dict[str, Any]], waiting: str | None) -> None:
    found = said(lossless, queues)
    assert (len(found) == 1 and waiting in found[0]) if waiting else not found, found
