"""How a platform spells its queues and sizes its buffers: EOS differs by the chip below it."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

from rocecfg.vendor.asics import catalogue
from rocecfg.vendor.manifest import read_yaml


@dataclass(frozen=True, slots=True)
class Family:
    """What differs between the platforms of EOS."""

    queue: str
    """The word of the sub-mode that schedules a queue: `tx-queue`, `uc-tx-queue`."""
    mmu: bool
    """Whether published configurations of the platform hold an MMU profile."""
    cell: int
    """Bytes that a buffer is allocated in."""
    known: bool
    """Whether the model or ASIC tells the platform, and a published configuration of it shows the word."""
    because: str
    series: bool = True
    """Whether the model or ASIC is one of a known series."""


@lru_cache(maxsize=1)
def limits() -> dict[str, Any]:
    """Return `limits.yaml`."""
    return read_yaml(Path(__file__).with_name("limits.yaml"))


def family_of(model: str | None, asic: str | None) -> Family:
    """Return the family of a device by its ASIC or model; of an unknown one the most widely accepted words."""
    chip = catalogue().of_device(model, asic)
    series = (model or "")[:64].upper().removeprefix("ARISTA-").removeprefix("DCS-")
    for entry in limits()["families"]:
        by_chip = chip is not None and chip.name in entry["chips"]
        if by_chip or (chip is None and any(fnmatchcase(series, pattern) for pattern in entry["models"])):
            return Family(
                entry["queue"], entry["mmu"], entry.get("cell", 1), not entry.get("inferred"), entry["source"]
            )
    rest = limits()["unknown_family"]
    return Family(
        rest["queue"],
        rest["mmu"],
        1,
        known=False,
        because=f"neither model nor ASIC tells the platform: {rest['source']}",
        series=False,
    )
