"""The catalogue of chips and SKUs in `vendors/asics/*.yaml`, and how the words of an intent find one.

sources: {tables: "document, version"}
chips:
  spectrum-2:
    title: NVIDIA Spectrum-2
    words: [spectrum2, spc2]         # what `asic:` may say, beside the name
    models: [SN3700, "MCX7*"]        # beginnings of model names, token by token; * = any ending of the last token
    law: script                      # standard | cells | script | fitted | driver (rocecfg.physics.laws)
    facts: {cell: {value: 144, mark: seen, source: tables}}      # value null = not publicly known
skus:
  ACS-MSN3700: {chip: spectrum-2, also: [...], facts: {...}, shipped: {...}, table: {...}, ports: {value: [32, 200]}}
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn

from rocecfg import yamlfile
from rocecfg.errors import ConfigurationError, IntentError, UsageError, did_you_mean
from rocecfg.packs import room_folders
from rocecfg.physics.chip import LAWS, MARKS, Chip, Fact

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rocecfg.yamlfile import Document

_FRACTION = re.compile(r"(\d{1,9})/(\d{1,9})")
_BRANDS = frozenset(
    {"acs", "accton", "arista", "celestica", "cisco", "dcs", "dell", "dellemc", "edgecore", "juniper", "mellanox",
     "n9k", "nokia", "nvidia", "quanta", "supermicro"}
)  # fmt: skip
"""First words of model names that say who built or packed the box."""


class Catalogue:
    """Every known chip and SKU."""

    def __init__(self, chips: dict[str, Chip], skus: dict[str, Chip], words: dict[str, str], models: Models) -> None:
        self.chips = chips
        self.skus = skus
        self._words = words
        self._models = models
        self._skus_by_word = _by_words(skus)
        self._devices: dict[tuple[str | None, str | None], Chip | None] = {}

    def sku(self, name: str) -> Chip:
        """Return a SKU by its name, or the chip of a model that has no entry of its own.

        Raises UsageError with the nearest known name.
        """
        found = self._skus_by_word.get(_plain(name)) or self.of_model(name)
        if found is None:
            raise UsageError(
                f'no SKU or model "{name[:80]}" is known{_near(name, self.skus) or "."}'
                " Or give --asic NAME; without either the bound of 802.1Q is used."
            )
        return found

    def asic(self, word: str) -> Chip:
        """Return a chip by its name or one of its words. Raises UsageError with the known names."""
        found = self._by_word(word)
        if found is None:
            near = _near(word, self.chips)
            raise UsageError(f'no ASIC "{word[:80]}" is known{near}; known: {", ".join(self.chips)}')
        return found

    def of_device(self, model: str | None, asic: str | None) -> Chip | None:
        """Return the SKU or chip of a device, by its `asic` word first; None when unknown or ambiguous."""
        key = (model, asic)
        if key not in self._devices:
            self._devices[key] = self._of_device(model, asic)
        return self._devices[key]

    def _of_device(self, model: str | None, asic: str | None) -> Chip | None:
        of_model = (self._skus_by_word.get(_plain(model)) or self.of_model(model)) if model else None
        if not asic:
            return of_model
        stated = self._by_word(asic)
        return of_model if of_model is not None and stated is not None and of_model.name == stated.name else stated

    def of_model(self, model: str) -> Chip | None:
        """Return the chip that a model name stands for; None when none or several different ones fit."""
        tokens = _tokens(model)
        found: set[str] = set()
        best = 0
        for known, chip in self._models:
            if _begins(tokens, known) and len(known) >= best:
                found = {chip} if len(known) > best else found | {chip}
                best = len(known)
        return self.chips[found.pop()] if len(found) == 1 else None

    def _by_word(self, word: str) -> Chip | None:
        name = self._words.get(_plain(word))
        return self.chips[name] if name is not None else None


Models = list[tuple[tuple[str, ...], str]]
"""(tokens of the beginning of a model name, chip)."""


def catalogue() -> Catalogue:
    """Return the catalogue, a user's packs included. Raises ConfigurationError naming file and line of a mistake."""
    return _load(tuple(path for room in room_folders("vendors") for path in sorted((room / "asics").glob("*.yaml"))))


@lru_cache(maxsize=4)
def _load(paths: tuple[Path, ...]) -> Catalogue:
    chips: dict[str, Chip] = {}
    skus: dict[str, Chip] = {}
    words: dict[str, str] = {}
    models: Models = []
    for path in paths:
        reader = _Reader(path)
        for name, entry in reader.section("chips"):
            chips[name] = reader.chip(name, entry)
            words.update(dict.fromkeys((_plain(word) for word in (name, *entry.get("words", ()))), name))
            models += [(_tokens(str(model)), name) for model in entry.get("models", ())]
        for name, entry in reader.section("skus"):
            of = chips.get(str(entry.get("chip")))
            if of is None:
                reader.refuse(entry, f"SKU {name}: chip {entry.get('chip')} is not in the catalogue")
            for also in (name, *entry.get("also", ())):
                skus[str(also)] = reader.sku(str(also), entry, of)
    return Catalogue(chips, skus, words, models)


class _Reader:
    """One file of the catalogue."""

    def __init__(self, path: Path) -> None:
        try:
            self._document: Document = yamlfile.load_path(path)
        except IntentError as error:
            raise ConfigurationError(str(error)) from error
        data = self._document.data
        self._data: dict[str, Any] = data if isinstance(data, dict) else {}
        self._sources: dict[str, str] = self._data.get("sources") or {}

    def section(self, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        for key, entry in (self._data.get(name) or {}).items():
            if not isinstance(entry, dict):
                self.refuse(self._data, f"{name}.{key} is no mapping")
            yield str(key), entry

    def refuse(self, at: Any, message: str) -> NoReturn:
        raise ConfigurationError(f"{self._document.place_of(at)}: {message}")

    def chip(self, name: str, entry: dict[str, Any]) -> Chip:
        law = entry.get("law")
        if law not in LAWS:
            self.refuse(entry, f"chip {name}: law {law} is unknown; accepted: {', '.join(LAWS)}")
        return Chip(name, str(entry.get("title", name)), law, self._facts(entry.get("facts")))

    def sku(self, name: str, entry: dict[str, Any], of: Chip) -> Chip:
        ports = self._facts({"ports": entry.get("ports") or {"value": None}}).get("ports")
        table = entry.get("table")
        return replace(
            of,
            sku=name,
            facts={**of.facts, **self._facts(entry.get("facts"))},
            shipped=self._facts(entry.get("shipped")),
            table=self._fact(table) if table else None,
            ports=ports.value[:2] if ports is not None and isinstance(ports.value, tuple) else None,  # type: ignore[arg-type]
        )

    def _facts(self, entries: Any) -> dict[str, Fact]:
        found = {str(name): self._fact(entry) for name, entry in (entries or {}).items()}
        return {name: fact for name, fact in found.items() if fact is not None}

    def _fact(self, entry: Any) -> Fact | None:
        if not isinstance(entry, dict):
            self.refuse(self._data, f"{entry!r} is no fact; accepted: {{value: ..., mark: ..., source: ...}}")
        raw = entry.get("value")
        if raw is None:
            return None
        mark, source = entry.get("mark"), entry.get("source")
        if mark not in MARKS or source not in self._sources:
            self.refuse(entry, f"a fact needs a mark ({', '.join(MARKS)}) and a source of this file's list")
        note = f" ({entry['note']})" if entry.get("note") else ""
        return Fact(_known(raw), mark, f"{self._sources[source]}{note}")


def _known(raw: Any) -> int | Fraction | str | tuple[int, ...]:
    if isinstance(raw, list):
        return tuple(int(item) for item in raw)
    if isinstance(raw, str) and (match := _FRACTION.fullmatch(raw)):
        return Fraction(int(match[1]), int(match[2]))
    return raw if isinstance(raw, (int, str)) else Fraction(str(raw))


def _plain(word: str) -> str:
    """Return a name without case and punctuation."""
    return re.sub(r"[^a-z0-9]", "", word[:200].lower())


def _tokens(model: str) -> tuple[str, ...]:
    """Return the parts of a model name without the builder's: Mellanox-SN5600-V256 and MSN5600 begin with sn5600."""
    parts = [part for part in re.split(r"[^a-z0-9*]+", model[:200].lower()) if part]
    while len(parts) > 1 and parts[0] in _BRANDS:
        parts.pop(0)
    if parts:
        parts[0] = re.sub(r"^msn(?=\d)", "sn", parts[0])
        parts[0] = re.sub(r"^connectx(?=\d)", "connectx-", parts[0])
    return tuple(piece for part in parts for piece in part.split("-"))


def _begins(tokens: tuple[str, ...], known: tuple[str, ...]) -> bool:
    if len(tokens) < len(known):
        return False
    *head, last = known
    same = tokens[: len(head)] == tuple(head)
    of = tokens[len(head)]
    return same and (of.startswith(last[:-1]) if last.endswith("*") else of == last)


def _by_words(skus: dict[str, Chip]) -> dict[str, Chip]:
    """Return SKUs by plain name, and by the name without the builder's where no two are alike then."""
    short: dict[str, list[Chip]] = {}
    for name, chip in skus.items():
        short.setdefault("".join(_tokens(name)), []).append(chip)
    unique = {word: found[0] for word, found in short.items() if len(found) == 1 and not word.isalpha()}
    return {**unique, **{_plain(name): chip for name, chip in skus.items()}}


def _near(word: str, known: dict[str, Chip]) -> str:
    """Return a hint at the nearest name, case and builder aside."""
    by_lower = {name.lower(): name for name in known}
    hint = did_you_mean(word.lower(), by_lower)
    for lower, name in by_lower.items():
        if f'"{lower}"' in hint:
            return hint.replace(lower, name)
    return hint
