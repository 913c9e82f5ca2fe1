"""A derivation as people read it, line by line, and as JSON-ready data."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rocecfg.report.table import columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rocecfg.physics.derived import Derived


def as_plain(derived: Derived) -> dict[str, Any]:
    """Return a derivation as JSON holds it."""
    value = derived.value
    return {
        "value": (int(value) if value.denominator == 1 else float(value)) if isinstance(value, Fraction) else value,
        "unit": derived.unit,
        "because": derived.because,
        "terms": [{"name": term.name, "bytes": term.bytes, "because": term.because} for term in derived.terms],
        "assumptions": list(derived.assumptions),
        "sources": list(derived.sources),
    }


def to_json(data: Any) -> str:
    """Return data as JSON text."""
    return json.dumps(data, indent=2) + "\n"


def to_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows of equal keys as CSV with a head line."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def value_text(derived: Derived) -> str:
    """Return value and unit: `283648 B`."""
    return f"{derived.value} {derived.unit}".strip()


def sum_text(derived: Derived) -> str:
    """Return the terms as an addition, right-aligned, with the sum under a line."""
    if not derived.terms:
        return f"  {derived.because}\n"
    width = max(len(str(term.bytes)) for term in (*derived.terms,))
    width = max(width, len(str(derived.value)))
    lines = [f"  {term.bytes:>{width}} {derived.unit}  {term.name:<18} {term.because}" for term in derived.terms]
    lines += [f"  {'-' * width}", f"  {derived.value:>{width}} {derived.unit}"]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def notes_text(title: str, notes: Iterable[str]) -> str:
    """Return notes under a title, nothing when there are none."""
    lines = [f"  - {note}" for note in notes]
    return "\n".join([title, *lines]) + "\n" if lines else ""


def facts_text(facts: Iterable[tuple[str, str]]) -> str:
    """Return names and values in two columns."""
    return columns((f"  {name}", value) for name, value in facts)
