"""A rule's page as text and as Markdown: for `explain`, for docs/rules/ and for the viewers that show help."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocecfg.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.findings import Severity
    from rocecfg.lint.load import LoadedRule

_SUBJECTS = {
    "Intent": "the intent",
    "Device": "a device",
    "Port": "a port",
    "PortQos": "a port",
    "Link": "both ends of a cable",
    "Path": "a path",
    "Fabric": "the whole fabric",
    "Fleet": "devices of one role",
    "Counters": "the newest capture of a device",
    "CounterPair": "two captures of a device, some time apart",
    "CounterFabric": "two captures of every device",
}


@dataclass(frozen=True, slots=True)
class Page:
    """What people read about a rule."""

    rule: LoadedRule

    @property
    def name(self) -> str:
        """The rule's name in words joined by dashes."""
        return self.rule.rule.name

    @property
    def family(self) -> str:
        """The letters of its id."""
        return self.rule.rule.family

    @property
    def profile(self) -> str:
        """The smallest profile that holds it."""
        return self.rule.rule.profile

    @property
    def severity(self) -> Severity:
        """Its severity unless the configuration gives another."""
        return self.rule.rule.severity

    @property
    def title(self) -> str:
        """Its first sentence."""
        return self.rule.title

    def section(self, heading: str) -> str:
        """Return the text under a heading."""
        return self.rule.section(heading)

    @property
    def text(self) -> str:
        """The page as plain text."""
        return self.rule.page.strip()

    @property
    def markdown(self) -> str:
        """The page as Markdown, with its options."""
        return "\n".join([*_body(self.rule), *_options(self.rule)]).strip() + "\n"


def page_of(rule_id: str) -> Page | None:
    """Return the page of a rule, None when there is no such rule or its file does not load (a broken pack)."""
    from rocecfg.lint import load

    try:
        rule = load.rules().get(rule_id)
        return Page(load.load(rule)) if rule is not None else None
    except ConfigurationError:
        return None


def page(each: LoadedRule) -> str:
    """Return the file docs/rules/<ID>.md: facts, page, options and the executed examples."""
    rule = each.rule
    made_by = f" · found by {rule.produced_by}" if rule.produced_by else ""
    subjects = ", ".join(dict.fromkeys(_SUBJECTS.get(check.subject, check.subject) for check in rule.checks))
    reads = f" · reads {subjects}" if subjects else ""
    lines = [
        f"# {rule.id} {rule.name}",
        "",
        f"{rule.severity.word} · profile {rule.profile} · since {rule.since}{reads}{made_by}",
        "",
        *_body(each),
        *_options(each),
        *_examples(each),
    ]
    return "\n".join(lines).rstrip() + "\n"


def index(rules: Iterable[LoadedRule]) -> str:
    """Return docs/rules/README.md: every rule in a table per family."""
    lines = [
        "# Rules",
        "",
        "Written by `rocecfg explain --all --output docs/rules` from the rules themselves; `rocecfg explain ID`",
        "prints the same pages. Profiles: `min` will not work, `safe` (the default) can lose, storm or lock up,",
        "`strict` vendor best practice; each holds the one before.",
    ]
    family = ""
    for each in rules:
        rule = each.rule
        if rule.family != family:
            family = rule.family
            lines += ["", f"## {family}", "", "| rule | severity | profile | finds |", "|---|---|---|---|"]
        title = each.title.replace("|", "\\|")
        lines.append(f"| [{rule.id} {rule.name}]({rule.id}.md) | {rule.severity.word} | {rule.profile} | {title} |")
    return "\n".join(lines) + "\n"


def _body(each: LoadedRule) -> list[str]:
    return [each.page.strip(), ""]


def _options(each: LoadedRule) -> list[str]:
    if not each.options:
        return []
    rows = [f"| `{name}` | `{option.default}` | {_cell(option.help)} |" for name, option in each.options.items()]
    table = ["## Options", "", "| option | default | meaning |", "|---|---|---|", *rows, ""]
    first = next(iter(each.options))
    return [*table, f'In rocecfg.toml: `[rules."{each.rule.id}"]`, then `{first} = ...`.', ""]


def _examples(each: LoadedRule) -> list[str]:
    lines: list[str] = []
    for title, example in (("Good", each.good), ("Bad", each.bad)):
        if example.strip():
            lines += [f"## {title}", "", "```yaml", example.strip("\n"), "```", ""]
    return lines


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
