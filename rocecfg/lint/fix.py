"""`lint --fix`: writes into an intent what its findings' certain cures say, and takes idle `ignore` comments out.

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
from rocecfg.lint.run import Linter
from rocecfg.lint.suppress import of_fabric

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rocecfg.findings import Edit, Finding
    from rocecfg.intent.fabric import Fabric
    from rocecfg.lint.config import Settings
    from rocecfg.lint.suppress import Suppressions

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./%-]*")
_COMMENT = re.compile(r"#\s{0,8}rocecfg:\s{0,8}ignore\s{1,8}[A-Za-z0-9-]{1,80}\s{1,8}--[^\r\n]*(?P<end>\r?\n|\Z)")
_MOST_ROUNDS = 200
"""Cures proven one by one; each costs a load of the intent."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """What became of one intent: its text before and after, and what was done."""

    path: Path
    before: str
    after: str
    done: tuple[str, ...]

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


class Fixer:
    """Mends intents. `load` makes a fabric of a path and its text, `silenced` says what silences its findings."""

    def __init__(
        self,
        settings: Settings,
        load: Callable[[Path, str], Fabric],
        silenced: Callable[[Fabric], Suppressions] = of_fabric,
    ) -> None:
        self._settings = settings
        self._load = load
        self._silenced = silenced

    def fix(self, path: Path) -> Fixed:
        """Return an intent with every certain cure applied, and comments gone that silence nothing.

        Raises IntentError when the intent does not load as it is: then there is nothing to prove a cure against.
        """
        before = text = _read(path)
        now = self._state(path, text)
        done: list[str] = []
        for finding in [finding for finding in now.findings if finding.edits][:_MOST_ROUNDS]:
            current = next((one for one in now.findings if identity(one) == identity(finding) and one.edits), None)
            if current is None:
                continue
            changed = splice(text, current.edits)
            then = self._tried(path, changed) if changed != text else None
            if then is not None and _better(now, then, current):
                text, now = changed, then
                done.append(f"{current.rule} {current.object}")
        for rule, line in reversed(now.stale):
            changed = without_comment(text, line)
            then = self._tried(path, changed) if changed != text else None
            if then is not None and _no_worse(now, then):
                text = changed
                done.append(f"line {line}: the comment about {rule} silenced nothing")
        return Fixed(path, before, text, tuple(done))

    def _tried(self, path: Path, text: str) -> _State | None:
        """Return how a changed text fares, None when it no longer loads."""
        try:
            return self._state(path, text)
        except IntentError:
            return None

    def _state(self, path: Path, text: str) -> _State:
        fabric = self._load(path, text)
        suppressions = self._silenced(fabric)
        findings = Linter(self._settings, intent=fabric, suppressions=suppressions).result().findings
        stale = tuple(
            (entry.rule, int(entry.place.rpartition(":")[2]))
            for entry in suppressions.entries
            if entry.line and entry.file == str(path) and not entry.used and self._judged_here(entry.rule)
        )
        return _State(findings, stale, _plans(fabric))

    def _judged_here(self, rule_id: str) -> bool:
        """Return whether a rule ran and looks at nothing but intents: what silences it can only be used here."""
        return any(
            rule.id == rule_id and rule.checks and all(check.subject == "Intent" for check in rule.checks)
            for rule in self._settings.selected()
        )


@dataclass(frozen=True, slots=True)
class _State:
    """How an intent fares: its findings, idle comments, and whether it can be planned."""

    findings: tuple[Finding, ...]
    stale: tuple[tuple[str, int], ...]
    """Rule and line of every comment that silences nothing."""
    plans: bool


def _read(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            return stream.read()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from error


def _plans(fabric: Fabric) -> bool:
    from rocecfg.plan.resolve import plan

    try:
        plan(fabric)
    except RocecfgError:
        return False
    return True


def _better(before: _State, after: _State, cured: Finding) -> bool:
    """Return whether a change took its finding away and brought nothing."""
    left, was = (sum(identity(one) == identity(cured) for one in state.findings) for state in (after, before))
    return left < was and _no_worse(before, after)


def _no_worse(before: _State, after: _State) -> bool:
    """Return whether a change brought no finding, and the intent can still be planned if it could."""
    was = {identity(one) for one in before.findings}
    return all(identity(one) in was for one in after.findings) and (after.plans or not before.plans)


def without_comment(text: str, line: int) -> str:
    """Return a text without the one `# rocecfg: ignore` comment of a line; unchanged when it names several rules."""
    lines = text.splitlines(keepends=True)
    match = _COMMENT.search(lines[line - 1]) if 0 < line <= len(lines) else None
    if match is None:
        return text
    rest = lines[line - 1][: match.start()].rstrip()
    lines[line - 1] = rest + match["end"] if rest else ""
    return "".join(lines)


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
