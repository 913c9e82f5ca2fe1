"""What the paths of a command line stand for: intents, captures, saved configurations."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.state.capture import LARGEST_TEXT, capture_paths, decode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

INTENT_ENDINGS = (".roce.yaml", ".roce.yml")
_LOOKED_AT = 65_536
_KEYS = tuple(re.compile(rf"^{key}:", re.MULTILINE) for key in ("fabric", "devices"))


@dataclass(frozen=True, slots=True)
class Source:
    """One thing to read: a file, a capture folder, or the text of stdin (then `text` holds it)."""

    path: Path
    is_intent: bool
    text: str | None = None


def sources_under(paths: Iterable[Path]) -> Iterator[Source | ReadError]:
    """Yield what lies under the paths, each once, in order; an intent is told by its name or by its first keys."""
    seen: set[Path] = set()
    for path in paths:
        if str(path) == "-":
            yield from _stdin()
            continue
        for found in capture_paths(path):
            if isinstance(found, ReadError):
                yield found
            elif found not in seen:
                seen.add(found)
                yield Source(found, is_intent(found))


def _stdin() -> Iterator[Source | ReadError]:
    try:
        text = decode(stdin_bytes(LARGEST_TEXT + 1), "<stdin>")
    except ReadError as error:
        yield error
        return
    yield Source(Path("-"), looks_like_intent(text), text)


def stdin_bytes(most: int = -1) -> bytes:
    """Return what stdin holds, at most `most` bytes. Raises ReadError when it is closed (`<&-`)."""
    if sys.stdin is None:
        raise ReadError("<stdin>: closed, nothing to read")
    return sys.stdin.buffer.read(most)


def is_intent(path: Path) -> bool:
    """Return whether a file is an intent: by its name, or a YAML file by its top-level keys."""
    if path.name.endswith(INTENT_ENDINGS):
        return True
    if path.suffix not in {".yaml", ".yml"}:
        return False
    try:
        with path.open("rb") as stream:
            return looks_like_intent(stream.read(_LOOKED_AT).decode("utf-8", "replace"))
    except OSError:
        return False


def looks_like_intent(text: str) -> bool:
    """Return whether a text has the top-level keys `fabric:` and `devices:`."""
    return all(key.search(text, 0, _LOOKED_AT) for key in _KEYS)
