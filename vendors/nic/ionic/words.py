"""Lists as nicctl takes and prints them: DSCPs, priorities, states."""

from __future__ import annotations

from pathlib import Path

from rocecfg.packs import load_module
from rocecfg.state.numbers import natural

_words = load_module(Path(__file__).parents[1] / "linux" / "words.py")


def numbers(text: str, top: int) -> list[int]:
    """Return the numbers of `0-25, 27-47, 49` in their order. Raises ValueError."""
    found: list[int] = []
    for word in text.replace(" ", "").split(","):
        first, dash, last = word.partition("-")
        low = natural(first, top)
        high = natural(last, top) if dash else low
        if high < low:
            raise ValueError(text)
        found.extend(range(low, high + 1))
    return found


def switch(word: str) -> bool:
    """Return whether `enable`, `enabled` or `on` stands there. Raises KeyError for anything but them and `disable`."""
    return {"enable": True, "enabled": True, "on": True, "disable": False, "disabled": False, "off": False}[
        word.lower()
    ]
