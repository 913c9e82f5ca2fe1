"""`lint --fix`: writes into an intent what its findings' certain cures say; everything else stays to the byte.

ruamel.yaml composes the file into nodes that know where each scalar starts and ends, and only those characters are
replaced: comments, order, quotes and alignment are kept. Every edit is proven before it counts: the intent must still
load, still plan if it did before, the finding must be gone, and no other may have come.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.errors import IntentError, RocecfgError, UsageError
from rocecfg.lint.identity import identity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rocecfg.findings import Edit, Finding
    from rocecfg.intent.fabric import Fabric
    from rocecfg.lint.config import Settings

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./%-]*")
_MOST_ROUNDS = 200
"""Cures proven one by one; each costs a load of the intent."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """What became of one intent: its text before and after, and the findings that are gone."""

    path: Path
    before: str
    after: str
    cured: tuple[Finding, ...]

    def diff(self) -> str:
        """Return the change as a unified diff, empty when there is none."""
        lines = difflib.unified_diff(
            self.before.splitlines(keepends=True),
            self.after.splitlines(keepends=True),
            f"a/{self.path}",
            f"b/{self.path}",
        )
        return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)

    def write(self) -> None:
        """Put the new text in place, whole or not at all. Raises UsageError."""
        if self.after == self.before:
            return
        target = self.path.resolve()
        try:
            handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
            try:
                with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
                    stream.write(self.after)
                Path(name).chmod(target.stat().st_mode & 0o7777)
                Path(name).replace(target)
            finally:
                with suppress(OSError):
                    Path(name).unlink(missing_ok=True)
        except OSError as error:
            raise UsageError(f"{self.path}: cannot write: {error.strerror or error}") from error


def fix(path: Path, settings: Settings, load: Callable[[Path, str], Fabric]) -> Fixed:
    """Return an intent with every certain cure applied. `load` makes a fabric of a text.

    Raises IntentError when the intent does not load as it is: then there is nothing to prove a cure against.
    """
    text = _read(path)
    now = _state(path, text, settings, load)
    cured: list[Finding] = []
    for finding in [finding for finding in now.findings if finding.edits][:_MOST_ROUNDS]:
        current = next((one for one in now.findings if identity(one) == identity(finding) and one.edits), None)
        if current is None:
            continue
        changed = splice(text, current.edits)
        then = _tried(path, changed, settings, load) if changed != text else None
        if then is not None and _better(now, then, current):
            text, now = changed, then
            cured.append(current)
    return Fixed(path, _read(path), text, tuple(cured))


@dataclass(frozen=True, slots=True)
class _State:
    """How an intent fares: its findings, and whether it can be planned."""

    findings: tuple[Finding, ...]
    plans: bool


def _read(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            return stream.read()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from error


def _tried(path: Path, text: str, settings: Settings, load: Callable[[Path, str], Fabric]) -> _State | None:
    """Return how a changed text fares, None when it no longer loads."""
    try:
        return _state(path, text, settings, load)
    except IntentError:
        return None


def _state(path: Path, text: str, settings: Settings, load: Callable[[Path, str], Fabric]) -> _State:
    from rocecfg.lint.run import Linter
    from rocecfg.lint.suppress import of_fabric
    from rocecfg.plan.resolve import plan

    fabric = load(path, text)
    findings = Linter(settings, intent=fabric, suppressions=of_fabric(fabric)).result().findings
    try:
        plan(fabric)
    except RocecfgError:
        return _State(findings, plans=False)
    return _State(findings, plans=True)


def _better(before: _State, after: _State, cured: Finding) -> bool:
    """Return whether a change took its finding away and brought nothing."""
    was, left = [identity(one) for one in before.findings], [identity(one) for one in after.findings]
    return (
        left.count(identity(cured)) < was.count(identity(cured))
        and set(left) <= set(was)
        and (after.plans or not before.plans)
    )


def splice(text: str, edits: Sequence[Edit]) -> str:
    """Return a YAML text with the scalars at the edits' places replaced; unchanged when a place holds no scalar."""
    spans = dict(_scalars(text))
    wanted: dict[tuple[int, int], str] = {}
    for edit in edits:
        span = spans.get((edit.place.line, edit.place.column))
        if span is None:
            return text
        wanted[span[0], span[1]] = _quoted(edit.value, span[2])
    for (start, end), value in sorted(wanted.items(), reverse=True):
        text = text[:start] + value + text[end:]
    return text


def _scalars(text: str) -> Iterator[tuple[tuple[int, int], tuple[int, int, str]]]:
    """Yield line and column (of the key, and of the value) of every scalar value, with its span and quotes."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError
    from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode

    try:
        stack: list[Any] = [YAML(typ="safe", pure=True).compose(text)]
    except YAMLError as error:
        raise IntentError([]) from error
    seen: set[int] = set()
    while stack:
        node = stack.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        children: list[tuple[Any, Any]] = []
        if isinstance(node, MappingNode):
            children = list(node.value)
        elif isinstance(node, SequenceNode):
            children = [(value, value) for value in node.value]
        for key, value in children:
            if isinstance(value, ScalarNode) and value.style in {None, "", '"', "'"}:
                span = (value.start_mark.index, value.end_mark.index, value.style or "")
                yield (key.start_mark.line + 1, key.start_mark.column + 1), span
                yield (value.start_mark.line + 1, value.start_mark.column + 1), span
            stack.append(value)


def _quoted(value: str, style: str) -> str:
    if style == "'":
        return "'" + value.replace("'", "''") + "'"
    return value if not style and _PLAIN.fullmatch(value) else json.dumps(value, ensure_ascii=False)
