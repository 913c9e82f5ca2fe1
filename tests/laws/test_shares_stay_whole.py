"""Between two lines of a remedy no policy promises more than it has: a smaller share goes before a larger one."""

from __future__ import annotations

import pytest

from rocecfg.remedy.clitree import replayed
from rocecfg.remedy.make import remedy
from rocecfg.remedy.text import Settings, settings
from rocecfg.state.parse import parse
from tests.laws.intents import auto_intent, planned
from tests.laws.test_remedy import SWITCHES, capture_of, live_text, rules

ROCE = "roce: {dscp: 26, priority: 3, lossless: true}"
MORE = "  bulk: {dscp: 10, priority: 1, bandwidth: %d%%}\n  other: {dscp: 18, priority: 4, bandwidth: %d%%}\ndevices:\n"
WITH_SHARES = [name for name in SWITCHES if rules(name).shares]


def intent_of(system: str, roce: int, bulk: int, other: int) -> str:
    text = auto_intent(system).replace(ROCE, ROCE.replace("true", f"true, bandwidth: {roce}%"))
    return text.replace("devices:\n", MORE % (bulk, other))


def whole(system: str, have: Settings) -> int:
    """The largest sum of shares in one section."""
    sums: dict[tuple[str, ...], int] = {}
    for path, line in have.items():
        share = rules(system).share(line)
        if share is not None:
            sums[path[:1]] = sums.get(path[:1], 0) + share
    return max(sums.values())


@pytest.mark.parametrize("system", WITH_SHARES)
@pytest.mark.parametrize(
    ("now", "then"), [((20, 60, 5), (60, 10, 15)), ((60, 5, 30), (5, 60, 5)), ((10, 10, 70), (70, 10, 10))]
)
def test_no_step_passes_the_whole(system: str, now: tuple[int, int, int], then: tuple[int, int, int]) -> None:
    device = planned(intent_of(system, *then)).devices["one"]
    text = live_text(system, planned(intent_of(system, *now)).devices["one"])
    capture = capture_of(device, text)
    commands = remedy(device, parse(capture), capture).commands
    have = settings(text, rules(system))
    assert whole(system, have) <= 100
    for count in range(1, len(commands) + 1):
        assert whole(system, replayed(have, commands[:count], rules(system))) <= 100, commands[:count]
