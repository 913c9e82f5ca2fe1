"""Any damage to a text of counters gives counters, unknown ones, or one clear error: never a traceback, never a wild number."""

from __future__ import annotations

import random

import pytest

from rocecfg.errors import RocecfgError
from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.capture import Capture, Text
from rocecfg.state.codec import from_plain, to_plain
from rocecfg.state.counters import BY_NUMBER, NUMBERED, Sample
from rocecfg.state.parse import parse
from tests.vendors.cumulus import test_cumulus_counters as cumulus
from tests.vendors.junos import test_junos_counters as junos
from tests.vendors.mlx5 import test_mlx5_counters as mlx5
from tests.vendors.nxos import test_nxos_counters as nxos
from tests.vendors.sonic import test_sonic_counters as sonic

TEXTS = {
    "nxos": [nxos.PFC, nxos.QUEUING, nxos.WATCHDOG.replace("{state}", "Shutdown"), nxos.INTERFACE],
    "sonic": [
        sonic.PFC,
        sonic.QUEUES,
        sonic.MARKS,
        sonic.GROUPS.replace("{title}", "Ingress PG dropped packets:"),
        sonic.WATCHDOG,
        sonic.HISTORY.replace("{unit}", "US"),
        sonic.FEC,
    ],
    "cumulus": [cumulus.QOS, cumulus.WATCHDOG, cumulus.ROCE],
    "junos": [junos.QUEUE, junos.EXTENSIVE],
    "mlx5": [mlx5.STATISTICS, mlx5.JSON, mlx5.TEXT, mlx5.FILES],
}
CASES = [(nos, number) for nos, texts in TEXTS.items() for number in range(len(texts))]
STRANGE = ("9" * 400, "N/A", "-1", "1e9", "٣", "{}", "|", ":", "\x0b", "%s", "0x1f", "1,2,3", "18446744073709551616")
ROUNDS = 40


def damaged(text: str, dice: random.Random) -> str:
    """The text with a few words replaced, lines lost, doubled or cut off."""
    lines = text.split("\n")
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(lines))
        words = lines[at].split(" ")
        how = dice.randrange(5)
        if how == 0:
            words[dice.randrange(len(words))] = dice.choice(STRANGE)
            lines[at] = " ".join(words)
        elif how == 1:
            lines[at] = ""
        elif how == 2:
            lines.insert(dice.randrange(len(lines)), lines[at])
        elif how == 3:
            lines[at] = lines[at][: dice.randrange(len(lines[at]) + 1)]
        else:
            lines = lines[: at + 1]
    return "\n".join(lines)


def sound(sample: Sample) -> bool:
    for port in sample.ports.values():
        for name in BY_NUMBER:
            counts = getattr(port, name)
            if counts is None:
                continue
            assert len(counts) == NUMBERED
            assert all(count is None or 0 <= count < 10**26 for count in counts)
        assert port.stormed is None or port.stormed <= set(range(NUMBERED))
        assert port.place is not None
        assert port.place.line > 0
    return True


@pytest.mark.parametrize(("nos", "number"), CASES, ids=[f"{nos}-{number}" for nos, number in CASES])
def test_damage(nos: str, number: int) -> None:
    text, dice, read = TEXTS[nos][number], random.Random(f"{nos}{number}"), 0
    refused: list[str] = []
    for _ in range(ROUNDS):
        samples = []
        for taken in ("2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z"):
            try:
                samples.append(parse(Capture("box", nos, (Text("a.txt", damaged(text, dice)),), taken, file="a.txt")))
            except RocecfgError as error:
                refused.append(str(error))
        for device in samples:
            if device.sample is not None:
                read += sound(device.sample)
                assert from_plain(Sample, to_plain(device.sample)) == device.sample
        result = lint(samples, settings=Settings(select=("OPS",)))
        assert "RUN-008" not in {finding.rule for finding in result.findings}
    assert read > ROUNDS // 4
    assert all(message.startswith("a.txt") for message in refused)
