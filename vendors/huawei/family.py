"""The two hardware families of CloudEngine switches: which one a device is of, and what differs between them."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rocecfg.vendor.manifest import read_yaml

if TYPE_CHECKING:
    from rocecfg.state.model import Device
    from vendors.huawei.config import Config

Family = Literal["A", "B", "none", "other"]
"""A: eight PFC priorities and a headroom pool. B: priorities 0 to 5, headroom simulated by the box. none: no PFC.
other: a model that the documents read do not place."""
_LIMITS = Path(__file__).with_name("limits.yaml")


@lru_cache(maxsize=1)
def limits() -> dict[str, Any]:
    """Return `limits.yaml`."""
    return read_yaml(_LIMITS)


@lru_cache(maxsize=1)
def _models() -> tuple[tuple[re.Pattern[str], Family], ...]:
    return tuple(
        (re.compile("|".join(f"(?:{pattern})" for pattern in family["models"])), name)
        for name, family in limits()["families"].items()
    )


def of_model(model: str | None) -> Family | None:
    """Return the family of a hardware model, None without one."""
    if not model:
        return None
    word = model.strip().upper()[:80]
    return next((name for pattern, name in _models() if pattern.fullmatch(word)), "other")


def of_device(device: Device) -> Family | None:
    """Return the family of a device: by its model, else by what its state shows of its buffer; None = unknown."""
    by_model = of_model(device.model)
    if by_model is not None and by_model != "other":
        return by_model
    shown: dict[str | None, Family] = {"stated": "A", "box": "B"}
    return shown.get(device.buffer_model, by_model)


def is_older(version: str | None) -> bool:
    """Return whether a version is older than V300: its defaults for queues and deadlocks are in no document read."""
    return version is not None and version[:2] in {"V1", "V2"}


def of_config(config: Config) -> Family | None:
    """Return the family that a text shows: by the board it names, else by lines that only one family takes."""
    by_model = of_model(model_of(config))
    if by_model in {"A", "B", "none"}:
        return by_model
    if is_older(config.version or None):
        return by_model
    if _marks_of_a(config):
        return "A"
    return "B" if _marks_of_b(config) else by_model


def model_of(config: Config) -> str | None:
    """Return the hardware model of a text, None where it names none or several."""
    return next(iter(config.models)) if len(config.models) == 1 else None


def _marks_of_a(config: Config) -> bool:
    """Return whether a line stands there that only family A takes."""
    least = limits()["headroom_pool"]["maximum_b"]
    for name, (value, _) in config.options.items():
        if name == "interval" or name.startswith("dscp-mapping"):
            return True
        if name.startswith("headroom-pool"):
            size, unit = value
            if size * (1024 if unit == "mbytes" else 1) > least:
                return True
    if any(profile.times for profile in config.pfc_profiles.values()):
        return True
    marks = ("xon_below ", "headroom ", "reserved ")
    return any(name.startswith(marks) for port in config.interfaces.values() for name in port.settings)


def _marks_of_b(config: Config) -> bool:
    """Return whether a line stands there that only family B takes."""
    if "detect" in config.options or "restore" in config.options or config.value("ecn"):
        return True
    return any(name.startswith("xon_at ") for port in config.interfaces.values() for name in port.settings)
