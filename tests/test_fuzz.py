"""The fuzzer notices what it looks for, and breaks texts the same way for the same seed."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module

if TYPE_CHECKING:
    import pytest

fuzz = load_module(Path(__file__).resolve().parents[1] / "benchmarks" / "fuzz.py")
SEED = fuzz.Seed("nxos", "a.cfg", "", "interface Ethernet1/1\n  mtu 9216\n")


def _raises(error: BaseException):
    def read(seed: object, text: str) -> None:
        raise error

    return read


def test_ends_are_told_apart() -> None:
    assert fuzz.attempt(lambda seed, text: None, SEED, "") == "state"
    assert fuzz.attempt(_raises(ReadError("x")), SEED, "") == "error"
    assert "ZeroDivisionError" in fuzz.attempt(_raises(ZeroDivisionError()), SEED, "")
    assert "MemoryError" in fuzz.attempt(_raises(MemoryError()), SEED, "")


def test_slow_inputs_are_defects(monkeypatch: pytest.MonkeyPatch) -> None:
    import signal

    monkeypatch.setattr(fuzz, "SECONDS_EACH", 1)
    before = signal.signal(signal.SIGALRM, fuzz.too_slow)
    try:
        assert "TimeoutError" in fuzz.attempt(lambda seed, text: time.sleep(5), SEED, "")
    finally:
        signal.signal(signal.SIGALRM, before)


def test_mutations_are_many_and_repeatable() -> None:
    def made(seed: int) -> list[str]:
        chance = random.Random(seed)
        return [fuzz.mutated(SEED.text, chance, [SEED]) for _ in range(200)]

    assert made(1) == made(1)
    assert len(set(made(1))) > 100


def test_every_example_gives_seeds() -> None:
    assert {"intent", "nxos", "sonic", "cumulus", "junos", "mlx5"} <= {seed.system for seed in fuzz.seeds()}
