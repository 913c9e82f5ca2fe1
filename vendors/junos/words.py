"""The words of a Junos statement: strings, comments, tags, and what `delete` and `deactivate` take back."""

from __future__ import annotations

import re

_MARKS = {"inactive:": False, "delete:": False, "replace:": True, "protect:": True}
"""Tags before a statement, and whether the statement is in force."""
NOISE = re.compile(
    r'"(?:[^"\\]|\\.)*"?|(?<![^\s;{}])/\*.*?\*/|(?<![^\s;{}])/\*.*|(?<![^\s;{}])\#.*|\[|\]|[;{}]|[^\s";{}\[\]]+'
)


class Gone:
    """Which statements later lines of a text take back."""

    def __init__(self, verbs: dict[str, list[tuple[str, int]]]) -> None:
        self._deleted = dict(verbs.get("delete", ()))  # the last delete of a path counts
        self._inactive = {path for path, _ in verbs.get("deactivate", ())}
        self._inactive -= {path for path, _ in verbs.get("activate", ())}

    def __bool__(self) -> bool:
        return bool(self._deleted or self._inactive)

    def removes(self, path: str, index: int) -> bool:
        """Say whether the statement `index` is deleted or inactive through its path or an outer one."""
        while path:
            if path in self._inactive or self._deleted.get(path, -1) > index:
                return True
            path = path.rpartition(" ")[0]
        return False


def special(text: str) -> bool:
    """Return whether a statement holds what few do: a tag, odd blanks, groups or macros."""
    return ": " in text or "  " in text or "\t" in text or "apply-" in text


def mark(text: str) -> tuple[str, bool]:
    """Split the tag off a statement: `inactive: et-0/0/0` is (`et-0/0/0`, False)."""
    active = True
    while ": " in text:
        tag, _, rest = text.partition(" ")
        if tag not in _MARKS:
            break
        active, text = active and _MARKS[tag], rest.lstrip()
    return text, active


def without_comments(tokens: list[str]) -> list[str]:
    """Return tokens without comments; a string is one word without its quotes, its blanks kept visible."""
    words = []
    for token in tokens:
        if token[0] == '"':
            words.append("␣".join(token.strip('"').split()) or "␣")
        elif not token.startswith(("/*", "#")):
            words.append(token)
    return words
