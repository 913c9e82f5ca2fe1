"""Findings that people accepted, each with a reason: in the intent or in an ignore file.

In an intent, `# rocecfg: ignore PFC-003 -- reason` speaks about its own line (alone on a line: about the next one),
that is about findings on that line and on the devices and ports the line describes; `ignore: [...]` of a device line
speaks about those devices, at the top about everything.

An ignore file (`.rocecfg-ignore`) has one line each:

    DEVICE_OR_PATH[:PORT] RULE # reason          # globs: leaf*  captures/lab/*  leaf1:Ethernet1/4*

An unknown rule, a missing reason or a broken line is a ConfigurationError; an entry that silences nothing is
reported, because it hides the next real finding.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ConfigurationError, did_you_mean
from rocecfg.lint import load
from rocecfg.lint.ranges import compact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.findings import Finding
    from rocecfg.intent.fabric import Fabric

IGNORE_FILE = ".rocecfg-ignore"


@dataclass(slots=True)
class Entry:
    """One suppression: the rule, the reason, where it stands, and whether it silenced anything."""

    rule: str
    reason: str
    place: str
    target: str = "*"
    """Glob of device name or file."""
    port: str = ""
    """Glob of port names; empty = all."""
    file: str = ""
    line: int = 0
    """With `file`: the line of the intent it speaks about."""
    devices: frozenset[str] | None = None
    used: bool = False


@dataclass(slots=True)
class Suppressions:
    """All suppressions of a run."""

    entries: list[Entry] = field(default_factory=list)
    device_lines: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Device -> file and line of the intent that describes it."""
    port_lines: dict[tuple[str, str], tuple[str, int]] = field(default_factory=dict)

    def apply(self, findings: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
        """Return the findings that stay and those that are silenced; a finding may be split by its ports."""
        by_rule: dict[str, list[Entry]] = {}
        for entry in self.entries:
            by_rule.setdefault(entry.rule, []).append(entry)
        kept: list[Finding] = []
        silenced: list[Finding] = []
        for finding in findings:
            rest: Finding | None = finding
            for entry in by_rule.get(finding.rule, ()):
                if rest is None:
                    break
                rest, gone = self._split(rest, entry)
                if gone is not None:
                    entry.used = True
                    silenced.append(gone)
            if rest is not None:
                kept.append(rest)
        return kept, silenced

    def unused(self) -> list[str]:
        """Return a sentence for each suppression that silenced nothing."""
        return [
            f"{entry.place}: the suppression of {entry.rule} silences nothing"
            for entry in self.entries
            if not entry.used
        ]

    def _split(self, finding: Finding, entry: Entry) -> tuple[Finding | None, Finding | None]:
        if entry.line:
            here = (entry.file, entry.line)
            if here in {(finding.file, finding.line), self.device_lines.get(finding.device)}:
                return None, finding
            gone = [port for port in finding.ports if self.port_lines.get((finding.device, port)) == here]
            return divided(finding, gone)
        if entry.devices is not None and finding.device not in entry.devices:
            return finding, None
        if entry.devices is None and not _targets(finding, entry.target):
            return finding, None
        if not entry.port:
            return None, finding
        return divided(finding, [port for port in finding.ports if fnmatchcase(port, entry.port)])


def _targets(finding: Finding, glob: str) -> bool:
    return any(name and fnmatchcase(name, glob) for name in (finding.device, finding.file, Path(finding.file).name))


def divided(finding: Finding, gone: list[str]) -> tuple[Finding | None, Finding | None]:
    """Return a finding without and with only the given ports."""
    if not gone:
        return finding, None
    rest = tuple(port for port in finding.ports if port not in set(gone))
    if not rest:
        return None, finding
    about = finding.object.removeprefix(compact(finding.ports)).strip()
    parts = [replace(finding, ports=ports, object=f"{compact(ports)} {about}".strip()) for ports in (rest, tuple(gone))]
    return parts[0], parts[1]


def of_fabric(fabric: Fabric) -> Suppressions:
    """Return the suppressions of an intent. Raises ConfigurationError for unknown rules and missing reasons."""
    from rocecfg.intent.patterns import expand

    found = Suppressions()
    problems: list[str] = []
    for item in fabric.intent.suppressions:
        place = f"{item.place.file}:{item.place.line}"
        entry = _entry(item.rule, item.reason, place, "write: # rocecfg: ignore PFC-003 -- reason", problems)
        if entry is None:
            continue
        if item.line is not None:
            entry.file, entry.line = item.place.file, item.line
        elif item.device is not None:
            entry.devices = frozenset(expand(item.device))
        found.entries.append(entry)
    _raise(problems)
    if any(entry.line for entry in found.entries):
        for device in fabric.devices.values():
            found.device_lines[device.name] = (device.place.file, device.place.line)
            for port in device.ports.values():
                found.port_lines[device.name, port.name] = (port.place.file, port.place.line)
    return found


def read_ignore_file(path: Path) -> list[Entry]:
    """Return the entries of an ignore file. Raises ConfigurationError listing every wrong line."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: cannot be read: {error}") from error
    entries: list[Entry] = []
    problems: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        content, _, reason = line.partition("#")
        words = content.split()
        if not words:
            continue
        place = f"{path}:{number}"
        if len(words) != 2:
            problems.append(f"{place}: {content.strip()!r} is not DEVICE_OR_PATH[:PORT] RULE # reason")
            continue
        entry = _entry(words[1], reason.strip(), place, "write: DEVICE_OR_PATH[:PORT] RULE # reason", problems)
        if entry is not None:
            entry.target, _, entry.port = words[0].partition(":")
            entries.append(entry)
    _raise(problems)
    return entries


def _entry(word: str, reason: str, place: str, form: str, problems: list[str]) -> Entry | None:
    rule = load.find(word)
    if rule is None:
        known = [word for rule in load.rules().values() for word in (rule.id, rule.name)]
        problems.append(f'{place}: no rule is called "{word}"{did_you_mean(word, known)}')
        return None
    if not reason:
        problems.append(f"{place}: the suppression of {rule.id} gives no reason; {form}")
        return None
    return Entry(rule.id, reason, place)


def _raise(problems: list[str]) -> None:
    if problems:
        raise ConfigurationError("\n".join(problems))
