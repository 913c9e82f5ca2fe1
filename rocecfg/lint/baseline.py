"""Findings that were there before: a baseline file, or the linted files at a git revision.

A baseline is a plain JSON file, one entry a finding with what identifies it (never its line) and the ports it holds
for. What a baseline knows is not reported again; new ports of a known finding are, and so is one whose severity rose.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ConfigurationError
from rocecfg.findings import Severity
from rocecfg.lint.identity import about, digest, identity
from rocecfg.lint.suppress import divided

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from rocecfg.findings import Finding

SCHEMA = 1
_NEVER_KNOWN = "RUN-"
"""What could not be read was not looked at: no baseline makes that acceptable."""


@dataclass(slots=True)
class _Entry:
    """What is known about one identity."""

    ports: set[str] = field(default_factory=set)
    without_ports: int = 0
    """How many findings of this identity are about no port."""
    severity: Severity = Severity.INFO
    left: int = 0
    used: bool = False


class Baseline:
    """Findings that are known, by their identity."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}

    @classmethod
    def of(cls, findings: Iterable[Finding]) -> Baseline:
        """Return the baseline that knows these findings."""
        made = cls()
        for finding in findings:
            made._add(digest(identity(finding)), finding.ports, finding.severity)
        return made

    def _add(self, key: str, ports: Iterable[str], severity: Severity) -> None:
        entry = self._entries.setdefault(key, _Entry())
        names = set(ports)
        entry.ports |= names
        entry.without_ports += not names
        entry.severity = max(entry.severity, severity)

    def new(self, findings: Iterable[Finding]) -> list[Finding]:
        """Return the findings, or the parts of them by port, that are not known."""
        for entry in self._entries.values():
            entry.left = entry.without_ports
        return [left for finding in findings if (left := self._unknown_part(finding)) is not None]

    def _unknown_part(self, finding: Finding) -> Finding | None:
        entry = self._entries.get(digest(identity(finding)))
        if entry is None or finding.rule.startswith(_NEVER_KNOWN) or finding.severity > entry.severity:
            return finding
        if not finding.ports:
            if entry.left == 0:
                return finding
            entry.left -= 1
            entry.used = True
            return None
        rest, gone = divided(finding, [port for port in finding.ports if port in entry.ports])
        entry.used = entry.used or gone is not None
        return rest

    def stale(self) -> int:
        """Return how many entries matched nothing in the last `new`: what they knew is mended."""
        return sum(not entry.used for entry in self._entries.values())


def write_baseline(findings: Iterable[Finding]) -> str:
    """Return the baseline file that knows these findings; what could not be read is left out."""
    entries = [
        {
            "fingerprint": digest(identity(finding)),
            "rule": finding.rule,
            "severity": finding.severity.word,
            "device": finding.device,
            "object": about(finding),
            "ports": list(finding.ports),
            "message": finding.message,
        }
        for finding in findings
        if not finding.rule.startswith(_NEVER_KNOWN)
    ]
    entries.sort(key=lambda entry: (entry["rule"], entry["device"], entry["object"], entry["message"]))
    lines = ",\n".join(f"  {json.dumps(entry)}" for entry in entries)
    body = f"[\n{lines}\n ]" if entries else "[]"
    return f'{{"schema": {SCHEMA},\n "findings": {body}}}\n'


def read_baseline(file: Path) -> Baseline:
    """Return the baseline of a file. Raises ConfigurationError naming the file and what is wrong in it."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(
            f"{file}: cannot be read: {error.strerror or error}; --write-baseline makes it"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{file}: not a baseline: {error}") from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA or not isinstance(data.get("findings"), list):
        raise ConfigurationError(f'{file}: not a baseline: {{"schema": {SCHEMA}, "findings": [...]}} is expected')
    made = Baseline()
    for number, entry in enumerate(data["findings"], 1):
        made._add(*_entry(entry, f"{file}: finding {number}"))  # noqa: SLF001 - the reader of this class's own file
    return made


def _entry(entry: Any, where: str) -> tuple[str, list[str], Severity]:
    if not isinstance(entry, dict) or not isinstance(entry.get("fingerprint"), str):
        raise ConfigurationError(f'{where}: it has no "fingerprint"')
    ports, word = entry.get("ports", []), entry.get("severity", "error")
    if not isinstance(ports, list) or not all(isinstance(port, str) for port in ports):
        raise ConfigurationError(f'{where}: "ports" is not a list of names')
    if word not in {severity.word for severity in Severity}:
        raise ConfigurationError(f'{where}: "severity" is not one of error, warning, info')
    return entry["fingerprint"], ports, Severity.parse(word)
