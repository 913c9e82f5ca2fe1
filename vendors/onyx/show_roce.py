"""Reads `show roce`: the mode, and the settings that it made, as the settings of every port."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.grammar import grammar
from rocecfg.state.numbers import whole_number
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.capture import Text
    from rocecfg.state.grammar import Record
    from rocecfg.state.model import Amount
    from vendors.onyx.config import Config, Interface

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_EFFECTIVE = load_module(_HERE.with_name("effective.py"))
_MODES = load_module(_HERE.with_name("modes.py"))

_SHOWN = re.compile(r"^ {0,8}RoCE mode {0,10}: ?\S", re.MULTILINE)
_TRUST = {"L2": "pcp", "L3": "dscp", "both": "both", "port": "none"}
_RULES = frozenset("=-+. ")
_PROMPT = re.compile(r"\S{1,63} ?(?:\[[^\]]{1,80}\] ?)?(?:\(config[^)]{0,120}\) ?)?[#>](?: |$)")
_NO_LIST = re.compile(r"[0-7](?: ?, ?[0-7]){0,7},?")
"""The rest of a pool's priorities, where they do not fit into one line of the table."""


def is_roce(text: Text) -> bool:
    """Return whether a text is the output of this command."""
    return "RoCE mode" in text.content and _SHOWN.search(text.content[:100_000]) is not None


def read_roce(text: Text) -> Config:
    """Return what the switch shows, as if it stood in a configuration. Raises ReadError where no mode is shown."""
    config: Config = _CONFIG.Config(text.file)
    port = config.ports[_EFFECTIVE.EVERY_PORT] = _CONFIG.Interface(_EFFECTIVE.EVERY_PORT, 1)
    lines = [(at, " ".join(raw.split())) for at, raw in enumerate(text_lines(text.content), 1)]
    lines = [(at, line) for at, line in lines if line and not _RULES.issuperset(line) and not _PROMPT.match(line)]
    records = grammar(_HERE.with_name("parse") / "show_roce.ttp").read(line for _, line in lines)
    reader = _Reader(config, port)
    for at, line in lines:
        config.lines_read += 1
        record = records[line]
        if record is not None:
            reader.take(record, at)
        elif not _NO_LIST.fullmatch(line):
            config.refuse(line, at)
    if config.roce is None:
        raise ReadError(f"{text.file}: no RoCE mode in it")
    reader.close()
    return config


class _Reader:
    """Takes the lines in their order: a ramp stands on two of them."""

    def __init__(self, config: Config, port: Interface) -> None:
        self.config, self.port = config, port
        self._ends: dict[str, tuple[Amount, int]] = {}
        self._mode = "ecn"

    def take(self, record: Record, at: int) -> None:
        """Take a known line; a value without sense is reported."""
        kind, words = record.kind, record.values
        if kind == "known":
            return
        reader = self._mode_line if kind == "mode" else getattr(self, f"_{kind}")
        if not reader(words, at):
            self.config.refuse(" ".join((kind, *words.values())), at)

    def close(self) -> None:
        """Put the ramp on the classes that the mode marks."""
        if len(self._ends) == 2:
            low, high = self._ends["low"], self._ends["high"]
            for tc in (0, _MODES.ROCE_PRIORITY):
                self.port.settings["marking", tc] = ((self._mode, low[0], high[0]), low[1])

    def _mode_line(self, words: Mapping[str, str], at: int) -> bool:
        mode = words["mode"]
        if mode not in (*_MODES.MODES, "N/A"):
            return False
        self.config.roce = ("" if mode == "N/A" else mode, at)
        return True

    def _trust(self, words: Mapping[str, str], at: int) -> bool:
        if words["trust"] not in _TRUST:
            return False
        self.port.settings["trust",] = (_TRUST[words["trust"]], at)
        return True

    def _low(self, words: Mapping[str, str], at: int) -> bool:
        return self._end("low", words, at)

    def _high(self, words: Mapping[str, str], at: int) -> bool:
        return self._end("high", words, at)

    def _end(self, which: str, words: Mapping[str, str], at: int) -> bool:
        value = _CONFIG.threshold(words["value"])
        if value is not None:
            self._ends[which] = (value, at)
        return value is not None

    def _marking(self, words: Mapping[str, str], at: int) -> bool:  # noqa: ARG002 - one call for all lines
        self._mode = words["mode"] if words["mode"] in ("ecn", "red", "both") else self._mode
        return words["mode"] == self._mode

    def _pfc(self, words: Mapping[str, str], at: int) -> bool:
        self.config.pfc = (words["state"] == "enabled", at)
        return words["state"] in ("enabled", "disabled")

    def _priority(self, words: Mapping[str, str], at: int) -> bool:  # noqa: ARG002 - one call for all lines
        # The mode says which side of PFC a priority has; the line only repeats it.
        return whole_number(words["priority"], 7) is not None

    def _weighted(self, words: Mapping[str, str], at: int) -> bool:
        weight = whole_number(words["weight"], 100)
        return weight is not None and self._class(words, at, ("weighted", weight))

    def _strict(self, words: Mapping[str, str], at: int) -> bool:
        return self._class(words, at, ("strict", 0))

    def _class(self, words: Mapping[str, str], at: int, served: tuple[str, int]) -> bool:
        priority, tc = (whole_number(words[name], 7) for name in ("priority", "tc"))
        if priority is None or tc is None:
            return False
        self.port.settings["bind", priority] = (tc, at)
        self.port.settings["ets", tc] = (served, at)
        return True

    def _pool(self, words: Mapping[str, str], at: int) -> bool:
        share = _CONFIG.percent(words["memory"])
        if words["type"] not in ("lossy", "lossless", "lossy-mc") or (share is None and words["memory"] != "auto"):
            return False
        pool = _CONFIG.TrafficPool(words["name"], at, words["type"], share)
        for word in words["list"].split():
            priority = whole_number(word.rstrip(","), 7)
            if priority is None:
                break
            pool.priorities[priority] = at
            if not word.endswith(","):
                break
        self.config.pools[pool.name] = pool
        return True
