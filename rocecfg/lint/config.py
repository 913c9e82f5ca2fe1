"""The linter's settings: `rocecfg.toml`, `.rocecfg.toml` or `[tool.rocecfg]`, from the nearest folder upwards.

    profile = "safe"                    # min, safe or strict
    select = ["PFC", "BUF-002"]         # instead of the profile: ids, families, names, ALL
    ignore = ["step-ramp", "REF-004"]
    fail-on = "error"                   # error, warning, info or never
    baseline = ".rocecfg-baseline.json" # findings that are known already, from this file's folder

    rule-folders = ["rules"]            # rules of your own: *.py, and *.yaml with assertions

    [rules."PFC-003"]
    severity = "info"
    maximum = 4                         # an option of that rule

    [[site]]                            # an assertion about the state: rocecfg.lint.site
    id = "SITE-001"
    require = {mtu = {min = 9000}}

Everything unknown or of the wrong type is a ConfigurationError with the file and the key.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ConfigurationError, did_you_mean
from rocecfg.findings import Severity
from rocecfg.lint import load
from rocecfg.lint.load import PROFILES, Rule

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

FILES = ("rocecfg.toml", ".rocecfg.toml", "pyproject.toml")
NEVER = "never"


@dataclass(frozen=True, slots=True)
class RuleSettings:
    """What the user sets for one rule."""

    severity: Severity | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Settings:
    """Which rules run, how strictly, and what fails the run."""

    profile: str = "safe"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: Severity | None = Severity.ERROR
    """Findings of this severity or above end with exit code 1; None = never."""
    rules: Mapping[str, RuleSettings] = field(default_factory=dict)
    """By rule id."""
    file: str = ""
    """The configuration file, empty when there is none."""
    baseline: Path | None = None
    """The file of findings that are known already."""

    def selected(self) -> list[Rule]:
        """Return the rules that run, sorted by id. `select` stands instead of the profile; `ignore` takes away.

        Raises ConfigurationError for a selector that names nothing.
        """
        if self.select:
            chosen = {rule.id for word in self.select for rule in _known(word, self.file, "select")}
        else:
            held = PROFILES[: PROFILES.index(self.profile) + 1]
            chosen = {rule.id for rule in load.rules().values() if rule.profile in held}
        chosen -= {rule.id for word in self.ignore for rule in _known(word, self.file, "ignore")}
        return [rule for rule in load.rules().values() if rule.id in chosen]

    def wants(self, rule_id: str) -> bool:
        """Return whether a finding of this rule is asked for: for findings that the engine itself makes."""
        return any(rule.id == rule_id for rule in self.selected())

    def severity_of(self, rule_id: str, otherwise: Severity) -> Severity:
        """Return the severity the user gave a rule, else the one it has."""
        own = self.rules.get(rule_id)
        return own.severity if own is not None and own.severity is not None else otherwise

    def options_of(self, rule: Rule) -> SimpleNamespace:
        """Return the options a rule runs with: its defaults and what the user set."""
        values = {name.replace("-", "_"): option.default for name, option in load.load(rule).options.items()}
        own = self.rules.get(rule.id)
        return SimpleNamespace(**values | dict(own.options if own is not None else {}))

    def overridden(
        self,
        *,
        profile: str | None = None,
        select: Sequence[str] = (),
        ignore: Sequence[str] = (),
        fail_on: str | None = None,
    ) -> Settings:
        """Return these settings with the command line's on top: `select` replaces, `ignore` adds.

        Raises ConfigurationError for a word that is not known.
        """
        changed = self
        if profile is not None:
            changed = replace(changed, profile=_word(profile, PROFILES, "", "--profile"))
        if select:
            changed = replace(changed, select=_selectors(list(select), "", "--select"))
        if ignore:
            changed = replace(changed, ignore=(*changed.ignore, *_selectors(list(ignore), "", "--ignore")))
        if fail_on is not None:
            changed = replace(changed, fail_on=_fail_on(fail_on, "", "--fail-on"))
        return changed


def find_file(start: Path) -> Path | None:
    """Return the configuration file of the nearest folder at or above `start`, None when there is none."""
    folder = start.resolve()
    for parent in (folder, *folder.parents):
        for name in FILES:
            file = parent / name
            if file.is_file() and (name != "pyproject.toml" or "[tool.rocecfg" in _text(file)):
                return file
    return None


def load_settings(file: Path | None) -> Settings:
    """Return the settings of a configuration file, the defaults for None. Raises ConfigurationError."""
    if file is None:
        _own_rules({}, "")
        return Settings()
    import tomllib

    try:
        data = tomllib.loads(_text(file))
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{file}: not TOML: {error}") from error
    if file.name == "pyproject.toml":
        data = data.get("tool", {}).get("rocecfg", {})
    return read_settings(data, str(file))


def read_settings(data: Any, file: str) -> Settings:
    """Return the settings of a configuration's plain data. Raises ConfigurationError with file and key."""
    if not isinstance(data, dict):
        raise _wrong(file, "tool.rocecfg", data, "a table")
    known = ("profile", "select", "ignore", "fail-on", "baseline", "rule-folders", "rules", "site")
    for key in data:
        if key not in known:
            raise ConfigurationError(f'{file}: unknown key "{key}"{did_you_mean(key, known)} Known: {", ".join(known)}')
    _own_rules(data, file)
    return Settings(
        profile=_word(data.get("profile", "safe"), PROFILES, file, "profile"),
        select=_selectors(data.get("select", []), file, "select"),
        ignore=_selectors(data.get("ignore", []), file, "ignore"),
        fail_on=_fail_on(data.get("fail-on", "error"), file, "fail-on"),
        rules=_rules(data.get("rules", {}), file),
        file=file,
        baseline=_path(data.get("baseline"), file, "baseline"),
    )


def _own_rules(data: Mapping[str, Any], file: str) -> None:
    """Make the rules of the user's folders and the site's assertions known: the other keys may name them."""
    from pathlib import Path

    from rocecfg import packs

    names = data.get("rule-folders", [])
    if not isinstance(names, list) or not all(isinstance(name, str) and "\0" not in name for name in names):
        raise _wrong(file, "rule-folders", names, "a list of folders")
    packs.add_rule_folders([Path(file).parent / name for name in names])
    files = [found for folder in packs.rule_folders() for found in sorted(folder.glob("*.y*ml"))]
    made = []
    if files or "site" in data:
        from rocecfg.lint import site

        made = [
            *site.made(data.get("site", []), Path(file)),
            *(rule for found in files for rule in site.read_file(found)),
        ]
    load.set_assertions(made)


def _path(value: object, file: str, key: str) -> Path | None:
    """Return a path of the configuration, counted from its folder."""
    from pathlib import Path

    if value is None:
        return None
    if not isinstance(value, str) or not value or "\0" in value:
        raise _wrong(file, key, value, "the name of a file")
    return Path(file).parent / value


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file}: cannot be read: {error}") from error


def _wrong(file: str, key: str, value: object, accepted: str) -> ConfigurationError:
    return ConfigurationError(f"{file + ': ' if file else ''}{key}: {value!r} is not {accepted}")


def _word(value: object, known: Sequence[str], file: str, key: str) -> str:
    if not isinstance(value, str) or value not in known:
        near = did_you_mean(value, known) if isinstance(value, str) else ""
        raise _wrong(file, key, value, f"one of {', '.join(known)}{near}")
    return value


def _fail_on(value: object, file: str, key: str) -> Severity | None:
    word = _word(value, ("error", "warning", "info", NEVER), file, key)
    return None if word == NEVER else Severity.parse(word)


def _selectors(value: object, file: str, key: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise _wrong(file, key, value, 'a list of rules such as ["PFC", "BUF-002"]')
    words = tuple(part.strip() for word in value for part in word.split(",") if part.strip())
    for word in words:
        _known(word, file, key)
    return words


def _known(word: str, file: str, key: str) -> list[Rule]:
    found = load.matching(word)
    if not found:
        near = did_you_mean(word, load.selectors())
        raise ConfigurationError(f'{file + ": " if file else ""}{key}: no rule is called "{word}"{near}')
    return found


def _rules(value: object, file: str) -> dict[str, RuleSettings]:
    if not isinstance(value, dict):
        raise _wrong(file, "rules", value, 'a table such as [rules."PFC-003"]')
    found: dict[str, RuleSettings] = {}
    for word, table in value.items():
        rule = load.find(str(word))
        if rule is None:
            known = [word for rule in load.rules().values() for word in (rule.id, rule.name)]
            raise ConfigurationError(f'{file}: rules: no rule is called "{word}"{did_you_mean(str(word), known)}')
        if not isinstance(table, dict):
            raise _wrong(file, f"rules.{word}", table, "a table of severity and options")
        found[rule.id] = _rule(rule, table, file, f"rules.{word}")
    return found


def _rule(rule: Rule, table: dict[str, Any], file: str, key: str) -> RuleSettings:
    options = load.load(rule).options
    severity: Severity | None = None
    values: dict[str, Any] = {}
    for name, value in table.items():
        if name == "severity":
            severity = Severity.parse(_word(value, ("error", "warning", "info"), file, f"{key}.severity"))
        elif name in options:
            values[name.replace("-", "_")] = _option(value, options[name].default, file, f"{key}.{name}")
        else:
            known = ["severity", *options]
            near = did_you_mean(name, known)
            raise ConfigurationError(f'{file}: {key}: unknown key "{name}"{near} Known: {", ".join(known)}')
    return RuleSettings(severity, values)


def _option(value: Any, default: Any, file: str, key: str) -> Any:
    """Return an option's value when it has the type of the default."""
    if isinstance(default, bool):
        fits, accepted = isinstance(value, bool), "true or false"
    elif isinstance(default, int):
        fits, accepted = isinstance(value, int) and not isinstance(value, bool), "a whole number"
    elif isinstance(default, float | Fraction):
        fits, accepted = isinstance(value, int | float) and not isinstance(value, bool), "a number"
    elif isinstance(default, str):
        fits, accepted = isinstance(value, str), "a text"
    elif isinstance(default, tuple | list):
        fits, accepted = isinstance(value, list), "a list"
        if fits and default:
            return tuple(_option(item, default[0], file, key) for item in value)
    else:
        fits, accepted = True, ""
    if not fits:
        raise _wrong(file, key, value, accepted)
    return tuple(value) if isinstance(value, list) else value
