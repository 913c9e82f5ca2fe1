"""The watchdog ranges that a system accepts, read from its `limits.yaml`, whichever way the file writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocecfg import yamlfile
from rocecfg.errors import ConfigurationError, IntentError
from rocecfg.vendor import registry

NAMES = {"poll": ("poll", "watchdog_poll"), "detect": ("detect", "detection"), "restore": ("restore", "recovery")}


@dataclass(frozen=True, slots=True)
class Range:
    """The values a timer accepts, in its own unit; None = the files say nothing."""

    low: int | None = None
    high: int | None = None
    default: int | None = None
    unit: str = "ms"

    @property
    def shown(self) -> str:
        """How a table shows it."""
        span = f"{self.low} to {self.high} {self.unit}" if self.low is not None and self.high is not None else ""
        default = f"default {self.default} {self.unit}" if self.default is not None else ""
        return ", ".join(filter(None, (span, default))) or "not known"


def watchdog_ranges(system: str) -> dict[str, Range]:
    """Return poll, detect and restore of a system. Raises UsageError for an unknown system."""
    folder = registry.get(system).folder
    path = folder / "limits.yaml"
    if not path.is_file():
        return {name: Range() for name in NAMES}
    try:
        data = yamlfile.load_path(path).data
    except IntentError as error:
        raise ConfigurationError(str(error)) from error
    return {name: next(filter(None, (_find(data, word) for word in words)), Range()) for name, words in NAMES.items()}


def _find(data: Any, word: str) -> Range | None:
    """Return the range that a file gives a word in its watchdog part, its ranges, or at its top."""
    if not isinstance(data, dict):
        return None
    nested, flat = data.get("watchdog"), data.get("ranges")
    places = (
        nested.get(word) if isinstance(nested, dict) else None,
        flat.get(word) if isinstance(flat, dict) else None,
        data.get(word) if word.startswith("watchdog") else None,
    )
    return next((found for found in map(_range, places) if found is not None), None)


def _range(entry: Any) -> Range | None:
    if isinstance(entry, list) and len(entry) == 2 and all(isinstance(item, int) for item in entry):
        return Range(entry[0], entry[1])
    if not isinstance(entry, dict):
        return None
    unit = {"millisecond": "ms"}.get(str(entry.get("unit", "ms")), str(entry.get("unit", "ms")))
    low, high = entry.get("low", entry.get("from")), entry.get("high", entry.get("to"))
    return Range(low, high, entry.get("default"), unit)
