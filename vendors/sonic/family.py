"""Which buffer model a SKU uses, and what its templates say about its pools."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import Amount, Dynamic
from rocecfg.vendor.manifest import read_yaml

if TYPE_CHECKING:
    from rocecfg.state.model import Device


@dataclass(frozen=True, slots=True)
class Profile:
    """A buffer profile that a SKU's template always writes."""

    name: str
    pool: str
    guaranteed: int
    """bytes."""
    power: int
    """alpha = 2^power."""

    @property
    def limit(self) -> Dynamic:
        """The profile's share of the free pool."""
        return Dynamic(Fraction(2) ** self.power)

    @property
    def reserved(self) -> Amount:
        """The profile's guaranteed bytes."""
        return Amount.of_bytes(self.guaranteed)


@dataclass(frozen=True, slots=True)
class Family:
    """One family of SKUs."""

    name: str
    dynamic: bool
    pfc_to_pg: bool
    """It has a map of PFC priorities to priority groups."""
    egress_lossless: int | None
    """bytes of the egress lossless pool, None where no published number is at hand."""


@lru_cache(maxsize=1)
def limits() -> dict[str, Any]:
    """Return `limits.yaml`."""
    return read_yaml(Path(__file__).with_name("limits.yaml"))


@lru_cache(maxsize=1)
def profiles() -> dict[str, Profile]:
    """Return the profiles of a Spectrum template by name."""
    return {
        name: Profile(name, entry["pool"], entry["size"], entry["dynamic_th"])
        for name, entry in limits()["spectrum_profiles"].items()
    }


@lru_cache(maxsize=256)
def _named(words: str, model: str | None) -> Family:
    for entry in limits()["families"]:
        if re.search(entry["match"], words):
            dynamic = entry["model"] == "dynamic" if model is None else model == "dynamic"
            size = entry.get("egress_lossless") if dynamic else None
            return Family(entry["name"], dynamic, entry["pfc_to_pg"], size)
    raise AssertionError(words)


def family_of(device: Device) -> Family:
    """Return the family of a device by its model and ASIC; a planned buffer model wins."""
    words = f"{device.model or ''} {device.asic or ''}".lower()
    return _named(words, device.buffer_model if device.buffer_model in {"dynamic", "table"} else None)
