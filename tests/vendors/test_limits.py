"""A law for every system: no number of a `limits.yaml` stands there without its source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from rocecfg import yamlfile
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def numbers(data: Any, path: tuple[str | int, ...] = (), *, vouched: bool = False) -> Iterator[tuple[str | int, ...]]:
    """The places of numbers with no `source` (or `because`) beside them or above them."""
    if isinstance(data, dict):
        vouched = vouched or bool(str(data.get("source") or data.get("because") or "").strip())
        for key, value in data.items():
            yield from numbers(value, (*path, key), vouched=vouched)
    elif isinstance(data, list):
        for at, value in enumerate(data):
            yield from numbers(value, (*path, at), vouched=vouched)
    elif isinstance(data, int | float) and not isinstance(data, bool) and not vouched:
        yield path


def commented(text: list[str], line: int) -> bool:
    """Whether a comment on a line, right above it, or so at a line it stands below says where a number is from."""
    indent = len(text[line]) + 1
    for at in range(line, -1, -1):
        words = text[at].lstrip()
        depth = len(text[at]) - len(words)
        if words and not words.startswith("#") and depth < indent:
            indent = depth
            if " #" in text[at] or (at and text[at - 1].lstrip().startswith("#")):
                return True
    return False


def unsourced(path: Path) -> list[str]:
    if not any(line.strip() and not line.startswith("#") for line in path.read_text(encoding="utf-8").splitlines()):
        return []
    document = yamlfile.load_path(path)
    text = path.read_text(encoding="utf-8").splitlines()
    found = []
    for where in numbers(document.data):
        line = int(str(document.place(where)).split(":")[-2]) - 1
        if not commented(text, line):
            found.append(f"{path.parent.name}: {'.'.join(map(str, where))}")
    return found


@pytest.mark.parametrize("system", registry.names())
def test_every_number_has_a_source(system: str) -> None:
    assert unsourced(registry.get(system).folder / "limits.yaml") == []


def test_a_number_without_a_source_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "limits.yaml"
    path.write_text(
        "# title\n\none: {low: 1, source: book}\ntwo: {low: 2}\nthree: [3]   # book\n# book\nfour:\n  low: 4\n"
    )
    assert [line.partition(": ")[2] for line in unsourced(path)] == ["two.low"]
