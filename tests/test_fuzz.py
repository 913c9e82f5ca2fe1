"""The fuzzer notices what it looks for, and breaks texts the same way for the same seed."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.vendor import registry
from tests.laws.intents import rendering

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


def test_every_example_and_every_system_gives_seeds() -> None:
    seeds = fuzz.seeds()
    assert {"intent", *registry.names()} <= {seed.system for seed in seeds}
    for system in rendering():
        names = {seed.name for seed in seeds if seed.system == system}
        assert {item.name for item in fuzz.device_texts.rendered(system)} <= names
        assert {item.name for item in fuzz.device_texts.fixtures(system)} <= names


def test_numbers_are_replaced_by_all_kinds() -> None:
    chance = random.Random(1)
    made = {fuzz.other_number("12", chance) for _ in range(300)}
    assert {"-12", "0", "12.5", "11", "13", "\u0661\u0662", "\uff11\uff12", "9" * 400, "0-121212", "0x12"} <= made
