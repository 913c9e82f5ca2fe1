r"""What a vendor says about changing its configuration: `remedy.yaml` beside its manifest.

form: tree                 # tree (indented lines) | set (flat lines) | patch (JSON tables) | script (a host)
negate: "no "              # tree: what takes a line back
exit: quit                 # tree: leaves a section, where a line of the next section does not
separator: "#"             # tree: a line that ends every section
set: "set ", unset: "delete "                    # set: the two verbs
closers: [end, return]     # lines that stay last in the text
ours: ['^interface \\S+ / mtu ']                 # the only lines that may be taken back: path joined by " / "
replaces: ['^/ mtu ', '^qos map (\\S+) ']       # equal groups: the later line takes the place of the earlier one.
                                                 # In a tree a line inside a section is written "/ line": at the
                                                 # margin the same words may open a section, which is an object
deletes_first: [' code-points ']                 # set: the earlier line has to be deleted, the later would be added;
                                                 # patch: rows whose removal has to come before everything
together: ['^policy-map (\\S+) / class \\S+ / bandwidth ']   # equal groups: all or none of the changes that are due
shares: ['^bandwidth percent (\\d+)$']           # tree: numbers whose sum may not pass 100: lowered before raised
reset: "default "                                # tree: what brings back the system's default
stands: ['^no priority$']                        # negative lines that a configuration holds as such
negations: [{line: '^mtu .*', with: 'no mtu'}]   # how a line is taken back, where it is not the prefix alone
no_negation: ['^hardware ']                      # no documented way back: by hand
around: {lines: '^buffer ', before: undo buffer apply, after: buffer apply}   # what a change needs around it
modes: [{line: '^advanced buffer ', binds: 'pool|buffer', say: "..."}]   # a line that only one of live text and plan
                                                 # has: what is bound to that mode is then by hand
order: ['^class-map ', '^interface ']            # top-level lines, in the order of setting; taken back in reverse
risks: [{lines: 'network-qos', risk: buffer re-carve on all ports, source: "..."}]
apply: ["checkpoint pre-rocecfg", "<file>", ...] # what a person types, in words
refused: ['^add /BUFFER_POOL']                   # patch: "operation path" of what the live updater does not take
apply_refused: [...]                             # patch: how it is applied then
check: ["show ..."]                              # what to look at afterwards
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

RISKS = ("hitless", "not documented", "brief drop", "buffer re-carve on all ports", "port flap", "reboot")
"""From the mildest to the worst; what no document says stands before everything known to hurt."""


@dataclass(frozen=True, slots=True)
class Risk:
    """What a change of some lines does to traffic, and who says so."""

    lines: re.Pattern[str]
    risk: str
    source: str


@dataclass(frozen=True, slots=True)
class Mode:
    """A line that changes how a whole switch works, the lines that mean something in one mode only, and why not."""

    line: re.Pattern[str]
    binds: re.Pattern[str]
    say: str


@dataclass(frozen=True, slots=True)
class Rules:
    """A vendor's `remedy.yaml`, compiled."""

    form: str
    negate: str = "no "
    exit: str = ""
    separator: str = ""
    reset: str = ""
    set: str = "set "
    unset: str = "delete "
    indent: int = 2
    comment: str = "!"
    ext: str = "cfg"
    closers: frozenset[str] = frozenset()
    ours: tuple[re.Pattern[str], ...] = ()
    replaces: tuple[re.Pattern[str], ...] = ()
    deletes_first: tuple[re.Pattern[str], ...] = ()
    together: tuple[re.Pattern[str], ...] = ()
    shares: tuple[re.Pattern[str], ...] = ()
    stands: tuple[re.Pattern[str], ...] = ()
    negations: tuple[tuple[re.Pattern[str], str], ...] = ()
    no_negation: tuple[re.Pattern[str], ...] = ()
    around: tuple[re.Pattern[str], str, str] | None = None
    modes: tuple[Mode, ...] = ()
    order: tuple[re.Pattern[str], ...] = ()
    refused: tuple[re.Pattern[str], ...] = ()
    risks: tuple[Risk, ...] = ()
    apply: tuple[str, ...] = ()
    apply_refused: tuple[str, ...] = ()
    check: tuple[str, ...] = ()
    hosts: str = ""
    _keys: dict[str, str] = field(default_factory=dict, compare=False, repr=False)

    def key(self, line: str, inside: bool) -> str:
        """Return what two lines share when the later takes the place of the earlier: the line itself for most.

        `inside` = the line stands in a section, not at the margin.
        """
        text = f"/ {line}" if inside else line
        known = self._keys.get(text)
        if known is None:
            known = line
            for pattern in self.replaces:
                found = pattern.search(text)
                if found is not None:
                    known = "\x00".join((pattern.pattern, *(group or "" for group in found.groups())))
                    break
            if len(self._keys) > 100_000:
                self._keys.clear()
            self._keys[text] = known
        return known

    def is_ours(self, path: tuple[str, ...]) -> bool:
        """Return whether a live line may be taken back."""
        text = " / ".join(path)
        return any(pattern.search(text) for pattern in self.ours)

    def companies(self, text: str) -> frozenset[tuple[str, ...]]:
        """Return the groups that a changed line belongs to, written as its path joined by " / "."""
        return frozenset(
            (pattern.pattern, *(group or "" for group in found.groups()))
            for pattern in self.together
            if (found := pattern.search(text)) is not None
        )

    def weight(self, line: str) -> int:
        """Return the place of a top-level line in the order of setting."""
        return next((at for at, pattern in enumerate(self.order) if pattern.search(line)), len(self.order))

    def share(self, line: str) -> int | None:
        """Return the share of a whole that a line gives, None for a line of something else."""
        found = next((hit for pattern in self.shares if (hit := pattern.search(line)) is not None), None)
        return int(found[1]) if found is not None else None

    def negated(self, line: str) -> str | None:
        """Return the command that takes a line back, None where no document names one."""
        if any(pattern.search(line) for pattern in self.no_negation):
            return None
        for pattern, text in self.negations:
            found = pattern.search(line)
            if found is not None:
                return found.expand(text)
        if self.form == "set":
            return self.unset + self._unset_words(line[len(self.set) :])
        if self.negate and line.startswith(self.negate):
            return line[len(self.negate) :]
        return self.negate + line

    def _unset_words(self, words: str) -> str:
        """Return the words that delete a line: a value goes unnamed, an entry of a list is named."""
        line = self.set + words
        valued = any(pattern.search(line) for pattern in self.replaces)
        listed = any(pattern.search(line) for pattern in self.deletes_first)
        return words.rpartition(" ")[0] if valued and not listed else words

    def risk(self, text: str) -> Risk | None:
        """Return what a changed line does to traffic; None where no document says."""
        return next((risk for risk in self.risks if risk.lines.search(text)), None)


@lru_cache(maxsize=64)
def rules_of(folder: Path) -> Rules | None:
    """Return a vendor's rules, None where it has none. Raises ConfigurationError for a broken file."""
    path = folder / "remedy.yaml"
    if not path.is_file():
        return None
    from rocecfg.vendor.manifest import read_yaml

    data: dict[str, Any] = read_yaml(path)
    unknown = set(data) - (set(Rules.__dataclass_fields__) - {"_keys"})
    if unknown:
        raise ConfigurationError(f"{path}: unknown keys {', '.join(sorted(unknown))}")
    try:
        return _compiled(data)
    except (re.error, KeyError, TypeError) as error:
        raise ConfigurationError(f"{path}: {error}") from error


def _compiled(data: dict[str, Any]) -> Rules:
    for name in (
        "ours",
        "replaces",
        "deletes_first",
        "together",
        "shares",
        "stands",
        "no_negation",
        "order",
        "refused",
    ):
        data[name] = tuple(re.compile(text) for text in data.get(name, ()))
    data["negations"] = tuple((re.compile(item["line"]), item["with"]) for item in data.get("negations", ()))
    if "around" in data:
        around = data["around"]
        data["around"] = (re.compile(around["lines"]), around["before"], around["after"])
    data["modes"] = tuple(
        Mode(re.compile(item["line"]), re.compile(item["binds"]), item["say"]) for item in data.get("modes", ())
    )
    data["risks"] = tuple(
        Risk(re.compile(item["lines"]), item["risk"], item["source"]) for item in data.get("risks", ())
    )
    for risk in data["risks"]:
        if risk.risk not in RISKS:
            raise TypeError(f"risk {risk.risk!r}: one of {', '.join(RISKS)} is expected")
    for name in ("apply", "apply_refused", "check"):
        data[name] = tuple(data.get(name, ()))
    data["closers"] = frozenset(data.get("closers", ()))
    return Rules(**data)
