"""Commands for systems that take flat lines: `set ...` and `delete ...`, `nv set ...` and `nv unset ...`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.remedy.rules import Rules
    from rocecfg.remedy.text import Settings


def commands(have: Settings, want: Settings, rules: Rules) -> list[str]:
    """Return the lines that make `want` out of `have`: deletions first, each group in the vendor's order."""
    gone = [
        line
        for path, line in have.items()
        if path not in want or (want[path] != line and any(pattern.search(line) for pattern in rules.deletes_first))
    ]
    new = [line for path, line in want.items() if have.get(path) != line]
    removing = [text for line in sorted(gone, key=lambda line: -rules.weight(line)) if (text := rules.negated(line))]
    return [*dict.fromkeys(removing), *sorted(new, key=rules.weight)]


def replayed(have: Settings, lines: Iterable[str], rules: Rules) -> Settings:
    """Return the settings after the lines were entered."""
    now = dict(have)
    for line in lines:
        if line.startswith(rules.unset):
            words = rules.set + line[len(rules.unset) :]
            gone = [path for path, known in now.items() if known == words or known.startswith(words + " ")]
            for path in gone:
                del now[path]
        elif line.startswith(rules.set):
            now[(rules.key(line, inside=False),)] = line
    return now
