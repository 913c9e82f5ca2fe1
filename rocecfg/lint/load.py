"""Finds the lint rules by listing `lint_rules/<family>/*.py`, and imports only those that are needed.

Start-up matters (`rocecfg lint one.roce.yaml` needs five rules out of many), so the list is made from a cheap scan of
each file's text: its constants line and the first parameter of its checks. A rule's module is imported when it is run
or explained, and its shape is checked then.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from rocecfg import plugins
from rocecfg.errors import ConfigurationError, did_you_mean
from rocecfg.findings import Severity
from rocecfg.packs import load_module, room_folders

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PROFILES = ("min", "safe", "strict")
SUBJECTS = (
    "Intent", "Device", "Port", "PortQos", "Link", "Path", "Fabric", "Fleet",
    "Counters", "CounterPair", "CounterFabric",
)  # fmt: skip
HEADINGS = ("What it finds", "Why it matters", "What to do", "When to ignore", "References")

_CONSTANTS = re.compile(
    r'^ID, NAME, SEVERITY, PROFILE, SINCE = \(?\s*"([^"\n]*)",\s*"([^"\n]*)",\s*Severity\.(\w+),\s*"([^"\n]*)",'
    r'\s*"([^"\n]*)",?\s*\)?$',
    re.MULTILINE,
)
_CHECK = re.compile(r"^def (check\w*)\(\s*\w+: (\w+)", re.MULTILINE)
_DEVICES = re.compile(r'^DEVICES = "(\w*)"', re.MULTILINE)
_PRODUCED_BY = re.compile(r'^PRODUCED_BY = "([^"\n]*)"', re.MULTILINE)
_ID = re.compile(r"[A-Z]{2,8}-[0-9]{3}")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_CURE = re.compile(r"- (\w+(?:, \w+)*): (.*)")


class CheckHead(NamedTuple):
    """A check as the scan sees it: the function's name and the annotation of its first parameter."""

    function: str
    subject: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as its file's text shows it, not imported yet."""

    id: str
    name: str
    severity: Severity
    profile: str
    since: str
    file: Path
    checks: tuple[CheckHead, ...]
    devices: str = ""
    """ "switch", "host", or empty for both."""
    produced_by: str = ""
    """The part of rocecfg that makes this finding, for pages without a check."""

    @property
    def family(self) -> str:
        """The letters before the number."""
        return self.id.partition("-")[0]


@dataclass(frozen=True, slots=True)
class LoadedRule:
    """An imported rule: its functions, options, page and examples."""

    rule: Rule
    functions: Mapping[str, Callable[..., Iterable[Any]]]
    options: Mapping[str, Any]
    page: str
    good: str
    bad: str
    cures: Mapping[str, str] = field(default_factory=dict)
    """Per system, the sentence under "What to do" that says what to type."""

    @property
    def title(self) -> str:
        """The page's first sentence."""
        return self.page.strip().split("\n\n")[0].replace("\n", " ")

    def section(self, heading: str) -> str:
        """Return the text under a heading of the page."""
        _, _, rest = self.page.partition(f"\n## {heading}\n")
        return rest.partition("\n## ")[0].strip()


_assertions: dict[str, LoadedRule] = {}
"""The site's assertions (`rocecfg.lint.site`), which are rules without a file of their own."""


def set_assertions(made: Iterable[LoadedRule]) -> None:
    """Make the site's assertions known, and only these. Raises ConfigurationError for an id used twice."""
    _assertions.clear()
    for each in made:
        if each.rule.id in _assertions:
            raise ConfigurationError(f"{each.rule.file}: {each.rule.id} is already the id of another assertion")
        _assertions[each.rule.id] = each


def assertions() -> frozenset[str]:
    """Return the ids of the site's assertions."""
    return frozenset(_assertions)


def rules() -> dict[str, Rule]:
    """Return every rule by id, sorted. Raises ConfigurationError naming the file whose shape is wrong."""
    known = _rules(tuple(room_folders("lint_rules")), plugins.rule_folders())
    if not _assertions:
        return known
    for rule_id, each in _assertions.items():
        if rule_id in known:
            raise ConfigurationError(f"{each.rule.file}: {rule_id} is already the id of {known[rule_id].file}")
    return dict(sorted((known | {rule_id: each.rule for rule_id, each in _assertions.items()}).items()))


@lru_cache(maxsize=4)
def _rules(rooms: tuple[Path, ...], from_plugins: tuple[tuple[str, Path], ...] = ()) -> dict[str, Rule]:
    found: dict[str, Rule] = {}
    _add_rules(found, rooms)
    for plugin, folder in from_plugins:
        added = dict(found)
        try:
            _add_rules(added, (folder,))
            for rule_id in added.keys() - found.keys():
                load(added[rule_id])
        except ConfigurationError as error:
            plugins.report(plugin, str(error))
        else:
            found = added
    return dict(sorted(found.items()))


def _add_rules(found: dict[str, Rule], rooms: tuple[Path, ...]) -> None:
    for file in _files(rooms):
        rule = _scan(file)
        other = found.get(rule.id)
        if other is not None:
            raise ConfigurationError(f"{file}: {rule.id} is already the id of {other.file}")
        found[rule.id] = rule


def _files(rooms: tuple[Path, ...]) -> Iterator[Path]:
    for room in rooms:
        for family in (room, *sorted(path for path in room.iterdir() if path.is_dir())):
            for file in sorted(family.glob("*.py")):
                if not file.name.startswith("_"):
                    yield file


def _scan(file: Path) -> Rule:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file}: cannot be read: {error}") from error
    constants = _CONSTANTS.search(text)
    if constants is None:
        raise ConfigurationError(
            f'{file}: no rule: it lacks the line ID, NAME, SEVERITY, PROFILE, SINCE = "PFC-001", '
            '"lossless-priority-without-pfc", Severity.ERROR, "safe", "0.1"'
        )
    rule_id, name, severity, profile, since = constants.groups()
    if not _ID.fullmatch(rule_id):
        raise ConfigurationError(f'{file}: ID "{rule_id}" does not have the form FAM-001')
    if not _NAME.fullmatch(name):
        raise ConfigurationError(f'{file}: NAME "{name}" is not lower-case words joined by dashes')
    if severity not in Severity.__members__:
        raise ConfigurationError(f"{file}: Severity.{severity} is none of {', '.join(Severity.__members__)}")
    if profile not in PROFILES:
        raise ConfigurationError(f'{file}: profile "{profile}" is none of {", ".join(PROFILES)}')
    checks = tuple(CheckHead(*found) for found in _CHECK.findall(text))
    for check in checks:
        if check.subject not in SUBJECTS:
            near = did_you_mean(check.subject, SUBJECTS)
            raise ConfigurationError(f'{file}: {check.function} asks for "{check.subject}"{near or ", unknown"}')
    devices = _DEVICES.search(text)
    produced_by = _PRODUCED_BY.search(text)
    if bool(checks) == bool(produced_by):
        raise ConfigurationError(f"{file}: a rule needs either a function check(...) or PRODUCED_BY")
    return Rule(
        rule_id, name, Severity[severity], profile, since, file, checks,
        devices[1] if devices else "", produced_by[1] if produced_by else "",
    )  # fmt: skip


def load(rule: Rule) -> LoadedRule:
    """Import a rule and return its functions, options, page and examples.

    Raises ConfigurationError naming the file when the module does not import or its page, options or examples are
    not as `rocecfg.lint.api` says.
    """
    assertion = _assertions.get(rule.id)
    return assertion if assertion is not None and assertion.rule == rule else _load(rule)


@lru_cache(maxsize=1024)
def _load(rule: Rule) -> LoadedRule:
    module = load_module(rule.file)
    page = (module.__doc__ or "").strip() + "\n"
    for heading in HEADINGS:
        if f"\n## {heading}\n" not in page:
            raise ConfigurationError(f'{rule.file}: the page (docstring) lacks the heading "## {heading}"')
    from rocecfg.lint.api import Option

    options = getattr(module, "OPTIONS", {})
    if not isinstance(options, Mapping) or not all(isinstance(option, Option) for option in options.values()):
        raise ConfigurationError(f"{rule.file}: OPTIONS must map names to Option(default, help)")
    if getattr(module, "DEVICES", "") not in {"", "switch", "host"}:
        raise ConfigurationError(f'{rule.file}: DEVICES is neither "switch" nor "host"')
    examples = [getattr(module, name, "") for name in ("GOOD", "BAD")]
    if rule.checks and not all(isinstance(text, str) and text.strip() for text in examples):
        raise ConfigurationError(f"{rule.file}: GOOD and BAD must be YAML texts")
    functions = {check.function: cast("Any", getattr(module, check.function)) for check in rule.checks}
    loaded = LoadedRule(rule, functions, options, page, examples[0], examples[1])
    cures = {
        system: match[2]
        for line in _unwrapped(loaded.section("What to do"))
        if (match := _CURE.fullmatch(line))
        for system in match[1].split(", ")
    }
    return replace(loaded, cures=cures)


def _unwrapped(text: str) -> list[str]:
    """Return the lines of a list with continuation lines joined to their item."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("  ") and lines:
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
    return lines


def matching(selector: str) -> list[Rule]:
    """Return the rules that an id, a prefix ("PFC"), a name or "ALL" stands for; empty when unknown."""
    known = rules()
    word = selector.strip()
    upper = word.upper()
    if upper == "ALL":
        return list(known.values())
    return [
        rule
        for rule in known.values()
        if upper in {rule.id, rule.family, rule.family + "-"} or word.lower() == rule.name
    ]


def find(word: str) -> Rule | None:
    """Return the one rule with this id or name."""
    upper, lower = word.strip().upper(), word.strip().lower()
    return next((rule for rule in rules().values() if upper == rule.id or lower == rule.name), None)


def selectors() -> list[str]:
    """Return every word that `matching` knows, for "did you mean"."""
    known = rules().values()
    return [
        "ALL",
        *dict.fromkeys(rule.family for rule in known),
        *(rule.id for rule in known),
        *(r.name for r in known),
    ]
