"""Reads the lines of a section with a TTP template, each line on its own, and remembers what it learnt.

A `.ttp` file of a vendor lists the shapes of the lines that may stand in one kind of section:

    <group name="pfc_mode*">
    priority-flow-control mode {{ mode }}
    priority-flow-control mode {{ mode }} {{ send_tlv | equal("send-tlv") }}
    </group>
    <group name="known*">
    no shutdown
    </group>

Every line inside a group is one shape of the same record; the record is named by its group, and shapes named
`known` are understood and carry nothing we model. Where two groups match a line, the first in the file wins.

The lines are given to TTP numbered, so each result says which line it came from: a line that comes back is
taken, one that does not is reported as not understood, and no line can be credited to another section. Equal
lines are read once per process, however many ports and devices hold them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from rocecfg.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

REMEMBER = 50_000
"""Distinct lines kept per grammar; the memory is emptied when it is full."""

_GROUP = re.compile(r'<group name="([a-z0-9_]+)\*"[^>]*>')
_MATCHES_NOTHING_ELSE = {"at"}


class Record(NamedTuple):
    """What a line says: the name of its shape's group, and the words at its variables."""

    kind: str
    values: Mapping[str, str]


class Grammar:
    """The line shapes of one kind of section."""

    def __init__(self, path: Path) -> None:
        """Read a `.ttp` file. Raises ConfigurationError when a group has no `name="word*"`."""
        self._path = path
        self._order: dict[str, int] = {}
        self._template = self._number_lines(path.read_text(encoding="utf-8"))
        self._parser: Any = None
        self._memory: dict[str, Record | None] = {}

    def _number_lines(self, source: str) -> str:
        numbered, inside = [], False
        for line in source.split("\n"):
            if line.startswith("<group"):
                named = _GROUP.match(line)
                if named is None:
                    raise ConfigurationError(f'{self._path}: a group needs name="word*": {line}')
                self._order.setdefault(named[1], len(self._order))
                inside = True
            elif line.startswith("</group"):
                inside = False
            elif inside and line.strip():
                numbered.append("{{ at | DIGIT | _start_ }} " + line.strip())
                continue
            numbered.append(line)
        return "\n".join(numbered)

    def read(self, lines: Iterable[str]) -> dict[str, Record | None]:
        """Return each distinct line with its record, None for a line of no known shape.

        Lines must be words joined by one blank, without indentation.
        """
        wanted = dict.fromkeys(lines)
        memory = self._memory
        new = [line for line in wanted if line not in memory]
        if new:
            if len(memory) + len(new) > REMEMBER:
                memory.clear()
                new = list(wanted)
            self._learn(new)
        return {line: memory[line] for line in wanted}

    def _learn(self, lines: list[str]) -> None:
        found: dict[int, Record] = {}
        for kind, records in self._parse("".join(f"{at} {line}\n" for at, line in enumerate(lines))).items():
            for record in records:
                at = int(record["at"])
                earlier = found.get(at)
                if earlier is None or self._order[kind] < self._order[earlier.kind]:
                    values = {key: value for key, value in record.items() if key not in _MATCHES_NOTHING_ELSE}
                    found[at] = Record(kind, values)
        for at, line in enumerate(lines):
            self._memory[line] = found.get(at)

    def _parse(self, text: str) -> dict[str, list[dict[str, str]]]:
        from ttp import ttp

        if self._parser is None:
            self._parser = ttp(template=self._template, log_level="CRITICAL")
        parser = self._parser
        parser.clear_input()
        parser.clear_result()
        parser.add_input(text)
        parser.parse(one=True)
        results = parser.result(structure="flat_list")
        return results[0] if results and isinstance(results[0], dict) else {}


@lru_cache(maxsize=256)
def grammar(path: Path) -> Grammar:
    """Return the grammar of a `.ttp` file, compiled once per process."""
    return Grammar(path)
