"""What is known about a switch chip or NIC: every number with who says so, the unknown ones left unknown."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Mark = Literal["seen", "computed", "inferred"]
MARKS: tuple[str, ...] = ("seen", "computed", "inferred")
Law = Literal["standard", "cells", "script", "fitted", "driver"]
LAWS: tuple[str, ...] = ("standard", "cells", "script", "fitted", "driver")

Known = int | Fraction | str | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """One known value. `mark`: seen (read in a document or shipped file), computed, inferred (believed)."""

    value: Known
    mark: Mark
    source: str


@dataclass(frozen=True, slots=True)
class Chip:
    """A switch chip or NIC, or one SKU of it.

    `facts` holds what is known, by name (sizes in bytes, times in nanoseconds, speeds in Gb/s); a name that is absent
    is not publicly known. `shipped` holds what additionally reproduces the SKU's own headroom table.
    """

    name: str
    title: str
    law: Law
    facts: Mapping[str, Fact] = field(default_factory=dict, repr=False, hash=False)
    sku: str | None = None
    shipped: Mapping[str, Fact] = field(default_factory=dict, repr=False, hash=False)
    table: Fact | None = None
    ports: tuple[int, int] | None = None
    """(number, Gb/s) of the SKU's ports at full speed."""

    def number(self, name: str) -> Fraction | None:
        """Return a numeric fact, None where it is not known."""
        fact = self.facts.get(name)
        return Fraction(fact.value) if fact is not None and isinstance(fact.value, (int, Fraction)) else None

    def whole(self, name: str) -> int | None:
        """Return a numeric fact in whole units, None where it is not known."""
        found = self.number(name)
        return None if found is None else int(found)

    def needs(self, name: str) -> Fraction:
        """Return a numeric fact that the chip's law cannot do without. Raises KeyError naming it."""
        found = self.number(name)
        if found is None:
            raise KeyError(f"{self.name}: {name}")
        return found

    def word(self, name: str) -> str | None:
        """Return a fact that is a word."""
        fact = self.facts.get(name)
        return fact.value if fact is not None and isinstance(fact.value, str) else None

    def speeds(self) -> tuple[int, ...]:
        """Return the port speeds in Gb/s, empty where they are not known."""
        fact = self.facts.get("speeds")
        return fact.value if fact is not None and isinstance(fact.value, tuple) else ()

    def is_seen(self, name: str) -> bool:
        """Return whether a fact was read in a document or a shipped file."""
        fact = self.facts.get(name)
        return fact is not None and fact.mark == "seen"

    def cite(self, *names: str) -> tuple[str, ...]:
        """Return the sources of facts, each once, with their marks: for the reader of a derivation."""
        found = (self.facts.get(name) for name in names)
        return tuple(dict.fromkeys(f"[{fact.mark}] {fact.source}" for fact in found if fact is not None))

    def memory(self) -> tuple[int | None, str]:
        """Return the bytes to divide between headroom and sharing, and which fact says so ("" = unknown)."""
        for name in ("usable", "buffer"):
            found = self.whole(name)
            if found is not None:
                return found, name
        return None, ""

    def as_shipped(self) -> Chip:
        """Return the chip with the parameters that reproduce the SKU's own headroom table."""
        facts = dict(self.facts)
        packing = facts.get("shipped_packing")
        if packing is not None:
            facts["packing_worst"] = packing
        return replace(self, facts={**facts, **self.shipped})

    @property
    def shown(self) -> str:
        """How messages call it."""
        return f"{self.sku} ({self.title})" if self.sku else self.title
