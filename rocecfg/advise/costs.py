"""What the equipment of each answer costs, from the user's own prices; without them only what a rule of thumb gives.

The network is counted as a non-blocking fat tree of equal switches. Sums are rounded to two significant figures: the
count is no bill of materials.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.advise.knowledge import Knowledge, Relative
    from rocecfg.advise.situation import Facts

PIECES = ("nic", "switch", "cable")


@dataclass(frozen=True, slots=True)
class Size:
    """How many pieces a network has."""

    nics: int
    switches: int
    cables: int
    tiers: int


@dataclass(frozen=True, slots=True)
class Cost:
    """What one answer costs: a sum (low to high), a factor beside another answer, or what is missing to say so."""

    low: int | None = None
    high: int | None = None
    relative: Relative | None = None
    reference: bool = False
    missing: tuple[str, ...] = ()
    people: int | None = None

    @property
    def known(self) -> bool:
        """Return whether there is a sum."""
        return self.low is not None


def size_of(facts: Facts) -> Size | None:
    """Return how large the network is at the end of the period; None when unknown or beyond three tiers."""
    if "gpus" not in facts:
        return None
    servers = -(-facts["gpus"] // facts["gpus.per_server"])
    nics = servers * facts["link.nics_per_server"] if "link.nics_per_server" in facts else facts["gpus"]
    ports = facts["link.switch_ports"]
    half = ports // 2
    if nics <= ports:
        return Size(nics, 1, nics, 1)
    leaves = -(-nics // half)
    if leaves <= ports:
        return Size(nics, leaves + -(-leaves * half // ports), nics + leaves * half, 2)
    if nics <= half * half * ports:
        # Each tier carries the bandwidth of all NICs: as many leaves as middle switches, half as many on top.
        return Size(nics, 2 * leaves + -(-leaves * half // ports), nics + 2 * leaves * half, 3)
    return None


def costs(facts: Facts, known: Knowledge) -> Mapping[str, Cost]:
    """Return the cost of every answer."""
    size = size_of(facts)
    sums = {name: _sum(choice.prices, facts, size) for name, choice in known.choices.items()}
    found: dict[str, Cost] = {}
    references = {relative.to for relative in known.relative}
    for name, choice in known.choices.items():
        people = facts["prices.person"] * choice.people * facts.get("months", 12) // 12 if (
            "prices.person" in facts) else None  # fmt: skip
        relative = next((item for item in known.relative if item.choice == name), None)
        total, missing = sums[name]
        if total is not None:
            found[name] = Cost(rounded(total), rounded(total), people=people)
        elif relative and len(missing) == len(PIECES) and (base := sums[relative.to][0]) is not None:
            found[name] = Cost(rounded(base * relative.low), rounded(base * relative.high), relative, people=people)
        elif relative and len(missing) == len(PIECES):
            found[name] = Cost(relative=relative, people=people)
        else:
            found[name] = Cost(reference=name in references and len(missing) == len(PIECES), missing=missing,
                               people=people)  # fmt: skip
    return found


def _sum(table: str, facts: Facts, size: Size | None) -> tuple[int | None, tuple[str, ...]]:
    """Return the sum, or None and the prices that lack."""
    prices = {piece: facts[f"prices.{table}.{piece}"] for piece in PIECES if f"prices.{table}.{piece}" in facts}
    missing = tuple(piece for piece in PIECES if piece not in prices)
    if missing or size is None:
        return None, missing
    return prices["nic"] * size.nics + prices["switch"] * size.switches + prices["cable"] * size.cables, ()


def rounded(amount: float) -> int:
    """Return an amount with two significant figures."""
    whole = round(amount)
    factor: int = 10 ** max(len(str(whole)) - 2, 0)
    return round(whole / factor) * factor
