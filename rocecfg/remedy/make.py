"""Makes the remedy of one drifted device, and proves it on the text before anybody sees it.

The commands are replayed on the live configuration and the result is read back: only what leaves no drift is called
a remedy. What no command is known for, or what the configuration cannot cure, is listed as by hand.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from rocecfg.drift.compare import Drift, compare
from rocecfg.errors import RocecfgError
from rocecfg.packs import load_module
from rocecfg.remedy.forms import FORMS, Form
from rocecfg.remedy.rules import RISKS, Mode, Rules, rules_of
from rocecfg.remedy.solve import Change, applied, proposed, smallest
from rocecfg.remedy.text import Settings, earlier, lines_of
from rocecfg.render.engine import render
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rocecfg.findings import Finding
    from rocecfg.plan.planned import PlannedDevice
    from rocecfg.state.model import Device

BLOT = "REDACTED"
"""What stands in a capture in the place of a secret."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a kind of line does to traffic when it changes."""

    risk: str
    lines: int
    example: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Remedy:
    """The way back of one device. Empty without drift."""

    device: str
    nos: str = ""
    kind: str = "switch"
    files: dict[str, str] = field(default_factory=dict)
    """Name of a file in the device's folder -> its content."""
    commands: tuple[str, ...] = ()
    undo: tuple[str, ...] = ()
    risk: str = ""
    """The worst of `effects`."""
    effects: tuple[Effect, ...] = ()
    steps: tuple[str, ...] = ()
    """How a person applies it."""
    check: tuple[str, ...] = ()
    by_hand: tuple[str, ...] = ()
    """What no command of ours cures, in sentences."""

    def __bool__(self) -> bool:
        return bool(self.files or self.by_hand)


def remedy(planned: PlannedDevice, live: Device, capture: Capture) -> Remedy:
    """Return the commands that bring a device back to its plan, and their undo. Writes and applies nothing."""
    drift = compare(planned, live)
    if not drift.findings:
        return Remedy(planned.name)
    rules = rules_of(registry.get(planned.fitted.nos).folder)
    start = Remedy(planned.name, planned.fitted.nos, planned.fitted.kind)
    if any(item.kind == "refused" for item in planned.adjustments):
        return _only_by_hand(start, drift.findings, "the system refuses a part of the plan: change the intent first")
    if rules is None:
        return _only_by_hand(start, drift.findings, "no commands back are known for this system")
    if rules.form == "script":
        from rocecfg.remedy.script import of_host

        return of_host(start, planned, live, drift.findings, rules)
    try:
        return _Maker(planned, capture, rules, start).made(drift)
    except (RocecfgError, ValueError) as error:
        return _only_by_hand(start, drift.findings, f"no commands were made: {error}")


def _only_by_hand(start: Remedy, findings: Iterable[Finding], why: str) -> Remedy:
    return replace(start, by_hand=(why, *(_sentence(finding) for finding in findings)))


def _sentence(finding: Finding) -> str:
    return f"{finding.object}: {finding.message}" if finding.object else finding.message


class _Maker:
    """One device on its way back."""

    def __init__(self, planned: PlannedDevice, capture: Capture, rules: Rules, start: Remedy) -> None:
        self.planned, self.rules, self.start = planned, rules, start
        self.form: Form = FORMS[rules.form]
        vendor = registry.get(planned.fitted.nos)
        path = vendor.folder / "remedy.py"
        self.hook: Any = load_module(path) if path.is_file() else None
        self.text = config_text(capture, planned.fitted.nos)
        self.capture = replace(capture, nos=planned.fitted.nos)
        self.content = self.normalised(self.text.content)
        self._known: dict[str, Drift] = {}
        self.live = self.form.settings(self.content, rules)
        self._fold()
        self.wanted = self._wanted()

    def normalised(self, content: str) -> str:
        """Return a text in the spelling that commands are made for, as the vendor's folder says."""
        content = content.replace("\r\n", "\n")
        change: Callable[[str], str] | None = getattr(self.hook, "normalised", None)
        return content if change is None else change(content)

    def _fold(self) -> None:
        """Leave out lines that a later one of their key has replaced, where the reader sees no difference."""
        twins = earlier(self.live, self.rules) if self.rules.form != "patch" else set()
        kept = {path: line for path, line in self.live.items() if path not in twins}
        if twins and _told(self.drift(kept)) == _told(self.drift(self.live)):
            self.content = self.form.changed(self.content, self.rules, kept)
            self.live = kept

    def _wanted(self) -> Settings:
        fitted = self.planned.fitted
        wanted = self.form.settings(self.normalised(render(fitted)[0].content), self.rules)
        more: Callable[[Device, Settings, Settings], Settings] | None = getattr(self.hook, "wanted", None)
        return wanted if more is None else more(fitted, wanted, self.live)

    def drift(self, settings: Settings) -> Drift:
        """Return the drift of the live text with other settings."""
        content = self.form.changed(self.content, self.rules, settings)
        known = self._known.get(content)
        if known is None:
            text = replace(self.text, content=content)
            try:
                device = parse(replace(self.capture, texts=(text,)))
            except RocecfgError:
                known = Drift(list(compare(self.planned, parse(self.capture)).findings))
            else:
                known = compare(self.planned, device)
            self._known[content] = known
        return known

    def made(self, live: Drift) -> Remedy:
        """Return the remedy."""
        before = self.drift(self.live)
        if not before.findings:
            why = "the lines are as planned, something beside them decides: another text of the capture"
            return _only_by_hand(self.start, live.findings, why)
        changes = self._in_one_mode(proposed(self.live, self.wanted, self.rules))
        after = self.drift(applied(self.live, changes, self.wanted))
        left = {_key(finding) for finding in after.findings}
        unknown = {item.missing for item in (*before.not_evaluated, *after.not_evaluated)}

        def good(settings: Settings) -> bool:
            findings, missing = _told(self.drift(settings))
            return findings <= left and missing <= unknown

        needed = smallest(self.live, self.wanted, changes, good)
        around = self.rules.around
        plain = [change for change in changes if around is None or not around[0].search(self._words(change))]
        for some in (self._with_company(needed, due, good) for due in (changes, plain, needed)):
            target = applied(self.live, some, self.wanted)
            commands = self.form.commands(self.live, target, self.rules)
            if self.form.replayed(self.live, commands, self.rules) == target:
                return self._dressed(some, target, commands, self.drift(target).findings)
        return _only_by_hand(self.start, live.findings, "the commands do not replay: nothing is written")

    def _other_modes(self) -> list[Mode]:
        """Return the modes that only one of the live text and the plan has."""

        def has(settings: Settings, mode: Mode) -> bool:
            return any(mode.line.search(line) for line in settings.values())

        return [mode for mode in self.rules.modes if has(self.live, mode) != has(self.wanted, mode)]

    def _in_one_mode(self, changes: list[Change]) -> list[Change]:
        """Return the changes without those of another mode: on the switch as it is they mean nothing."""
        bound = [mode.binds for mode in self._other_modes()]
        return [change for change in changes if not any(each.search(self._words(change)) for each in bound)]

    def _words(self, change: Change) -> str:
        """Return the line a change is about."""
        return change.line or self.live[change.path]

    def _with_company(self, needed: list[Change], due: list[Change], good: Callable[[Settings], bool]) -> list[Change]:
        """Return the needed changes and what goes with them: shares of one sum, lines that work together only."""
        if not self.rules.together:
            return needed
        everything = applied(self.live, due, self.wanted)
        of = {change: self.rules.companies(self._shown(change, everything)) for change in due}
        called = {group for change in needed for group in of[change]}
        more = [change for change in due if of[change] & called]
        more += [change for change in needed if change not in more]
        return more if good(applied(self.live, more, self.wanted)) else needed

    def _dressed(self, changes: list[Change], target: Settings, commands: list[str], left: list[Finding]) -> Remedy:
        by_hand = [_sentence(finding) for finding in left]
        by_hand += [mode.say for mode in self._other_modes()] if left else []
        staying = {path: line for path, line in target.items() if path not in self.live and self._stays(line)}
        by_hand += [f"undo: no documented command takes `{line}` back" for line in staying.values()]
        before = {**self.live, **staying}
        undo = self.form.commands(target, before, self.rules)
        if self.form.replayed(target, undo, self.rules) != before:
            by_hand.append("undo: restore the saved configuration; its commands do not replay")
            undo = []
        if any(BLOT in line for line in (*commands, *undo)):
            why = "a line to be written is redacted in the capture: nothing is written"
            return _only_by_hand(self.start, left, why)
        if not commands:
            return _only_by_hand(self.start, left, "no documented command changes this")
        effects = self._effects(changes, target)
        refused = [line for line in commands if self._is_refused(line)]
        if refused:
            source = "the system's updater does not take it live: see the steps"
            effects = (Effect("port flap", len(refused), refused[0], source), *effects)
        risk = max((effect.risk for effect in effects), key=RISKS.index, default=RISKS[1])
        return replace(
            self.start,
            files=self._files(commands, undo, risk),
            commands=tuple(commands),
            undo=tuple(undo),
            risk=risk,
            effects=effects,
            steps=self.rules.apply_refused if refused else self.rules.apply,
            check=self.rules.check,
            by_hand=tuple(by_hand),
        )

    def _stays(self, line: str) -> bool:
        return self.rules.form != "patch" and self.rules.negated(line) is None

    def _effects(self, changes: list[Change], target: Settings) -> tuple[Effect, ...]:
        found: dict[tuple[str, str], tuple[int, str]] = {}
        for change in changes:
            text = self._shown(change, target)
            risk = self.rules.risk(text)
            key = (risk.risk, risk.source) if risk is not None else (RISKS[1], "")
            count, example = found.get(key, (0, text))
            found[key] = count + 1, example
        effects = [Effect(risk, count, example, source) for (risk, source), (count, example) in found.items()]
        return tuple(sorted(effects, key=lambda effect: (-RISKS.index(effect.risk), effect.source)))

    def _is_refused(self, line: str) -> bool:
        if not self.rules.refused:
            return False
        operation = json.loads(line)
        text = f"{operation['op']} {operation['path']}"
        return any(pattern.search(text) for pattern in self.rules.refused)

    def _shown(self, change: Change, target: Settings) -> str:
        if self.rules.form == "patch":
            return " / ".join(change.path)
        return " / ".join(lines_of(change.path, target, self.live))

    def _files(self, commands: list[str], undo: list[str], risk: str) -> dict[str, str]:
        ext = self.rules.ext
        files = {f"remedy.{ext}": self._file(commands, f"back to the intent; risk: {risk}")}
        if undo:
            files[f"undo.{ext}"] = self._file(undo, f"undoes remedy.{ext}; risk: {risk}")
        return files

    def _file(self, lines: list[str], title: str) -> str:
        if self.rules.form == "patch":
            return "[\n" + ",\n".join("  " + line for line in lines) + "\n]\n"
        return f"{self.rules.comment} {self.planned.name}: {title}\n" + "".join(f"{line}\n" for line in lines)


def config_text(capture: Capture, nos: str) -> Text:
    """Return the text of a capture that is the configuration, parts of it joined. Raises ValueError without one."""
    output = registry.get(nos).manifest.render[0]
    wanted = registry.command_of(nos, Text("", "", output.command)) or output.command
    named = [(registry.command_of(nos, text), text) for text in capture.texts]
    found = [text for command, text in named if command == wanted]
    found = found or [text for _, text in named if text.command.startswith(output.command)]
    found = found or [text for command, text in named if not command]
    if not found and len(capture.texts) == 1:
        found = list(capture.texts)
    if not found:
        raise ValueError(f"the capture holds no configuration text ({output.command})")
    if len(found) > 1 and len({text.command for text in found}) == len(found):
        content = "\n".join(text.content for text in found)
        return Text(found[0].file, content, output.command, complete=all(text.complete for text in found) or None)
    return found[0]


def _key(finding: Finding) -> tuple[str, tuple[str, ...], str]:
    return finding.leaf, finding.ports, finding.message


def _told(drift: Drift) -> tuple[set[tuple[str, tuple[str, ...], str]], set[str]]:
    return {_key(finding) for finding in drift.findings}, {item.missing for item in drift.not_evaluated}
