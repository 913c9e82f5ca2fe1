"""What `rocecfg advise` knows: `vendors/advice/`, read and checked. Adding a rule of thumb edits one file there.

    choices.yaml      the answers, what each carries and imposes, what is assumed where nothing is said
    rules/*.yaml      rules of thumb; those of a user's pack (`--pack`) come after ours
    questions.yaml    what the questions are called, words.yaml the sentences of the report

Every text stands in every language, and every rule names its source: what lacks one is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from rocecfg import yamlfile
from rocecfg.advise.situation import readers
from rocecfg.errors import ConfigurationError, IntentError, did_you_mean
from rocecfg.packs import room_folders
from rocecfg.units import UnitError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from rocecfg.advise.situation import Facts
    from rocecfg.yamlfile import Document

LANGUAGES = ("en", "zh")
ABOUT = ("mind", "contradiction", "between")
UNKNOWN = "unknown"
ROOM = "advice"
Text = dict[str, str]


@dataclass(frozen=True, slots=True)
class Condition:
    """What one fact must be: between two limits (both inclusive), or one of some values; `unknown` may count too."""

    fact: str
    low: Any = None
    high: Any = None
    values: tuple[Any, ...] = ()
    unknown: bool = False

    def holds(self, facts: Facts) -> bool:
        """Return whether the facts meet it; what nobody said meets only `unknown`."""
        if self.fact not in facts:
            return self.unknown
        value = facts[self.fact]
        if self.low is None and self.high is None:
            return value in self.values
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence in every language, with how well it is founded and who says so."""

    text: Text
    kind: str
    source: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of thumb."""

    name: str
    when: tuple[Condition, ...]
    sentence: Sentence
    needs: str | None = None
    rules_out: tuple[str, ...] = ()
    speaks_for: tuple[str, ...] = ()
    speaks_against: tuple[str, ...] = ()
    prefers: tuple[str, ...] = ()
    about: str | None = None

    def holds(self, facts: Facts) -> bool:
        """Return whether the facts meet all of its conditions."""
        return all(condition.holds(facts) for condition in self.when)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the answers."""

    name: str
    title: Text
    carries: int
    people: int
    prices: str
    intent: str | None
    imposes: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Relative:
    """What the equipment of a choice costs beside that of another."""

    choice: str
    to: str
    low: Any
    high: Any
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Question:
    """What a fact is called, the words it may be answered with, and when there is any sense in asking."""

    text: Text
    words: Mapping[str, Text]
    ask_when: tuple[Condition, ...]

    def is_asked(self, facts: Facts) -> bool:
        """Return whether no other answer has settled the question."""
        return all(condition.holds(facts) for condition in self.ask_when)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything of `vendors/advice/`."""

    choices: Mapping[str, Choice]
    rules: tuple[Rule, ...]
    required: tuple[tuple[str, ...], ...]
    relative: tuple[Relative, ...]
    assumed: Mapping[str, tuple[Any, Sentence]]
    starter: Mapping[str, Any]
    sources: Mapping[str, Text]
    questions: Mapping[str, Question]
    values: Mapping[str, Text]
    words: Mapping[str, Text]
    kinds: Mapping[str, Text]

    @property
    def assumed_values(self) -> dict[str, Any]:
        """Return what is taken where nothing is said."""
        return {fact: value for fact, (value, _) in self.assumed.items()}


def load() -> Knowledge:
    """Return what is known. Raises ConfigurationError with the file and line of what is wrong in it."""
    rooms = [room / ROOM for room in room_folders("vendors") if (room / ROOM).is_dir()]
    own = rooms[0]
    documents = [_document(path) for room in rooms for path in sorted((room / "rules").glob("*.yaml"))]
    base = _document(own / "choices.yaml")
    sources: dict[str, Text] = {}
    for document in (base, *documents):
        sources |= {name: _text(document, ("sources", name)) for name in _part(document, "sources")}
    words, questions = _document(own / "words.yaml"), _document(own / "questions.yaml")
    kinds = {name: _text(words, ("kinds", name)) for name in words.data["kinds"]}
    reader = _Reader(sources, kinds, tuple(base.data["choices"]), readers())
    rules: dict[str, Rule] = {}
    for document in documents:
        for name in _part(document, "rules"):
            if name in rules:
                _refuse(document, ("rules", name), f"a rule {shown(name)} is there already")
            rules[name] = reader.rule(document, name)
    return Knowledge(
        choices={name: reader.choice(base, name) for name in base.data["choices"]},
        rules=tuple(rules.values()),
        required=tuple(tuple(item) if isinstance(item, list) else (item,) for item in base.data["required"]),
        relative=tuple(reader.relative(base, at) for at in range(len(base.data["relative"]))),
        assumed={
            fact: (entry["value"], reader.sentence(base, ("assumed", fact)))
            for fact, entry in base.data["assumed"].items()
        },
        starter=base.data["starter"],
        sources=sources,
        questions={name: reader.question(questions, name) for name in questions.data["questions"]},
        values={name: _text(questions, ("values", name)) for name in questions.data["values"]},
        words={name: _text(words, ("words", name)) for name in words.data["words"]},
        kinds=kinds,
    )


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the parts of the files that name sources, kinds, choices and facts."""

    sources: Mapping[str, Text]
    kinds: Mapping[str, Text]
    choices: tuple[str, ...]
    facts: Mapping[str, Callable[[Any], Any]]

    def sentence(self, document: Document, path: tuple[str | int, ...]) -> Sentence:
        entry = _at(document, path)
        for key, known in (("kind", self.kinds), ("source", self.sources)):
            self._known(document, path, key, entry.get(key), known)
        return Sentence(_text(document, path), entry["kind"], entry["source"])

    def rule(self, document: Document, name: str) -> Rule:
        path = ("rules", name)
        entry = _at(document, path)
        keys = ("when", "needs", "rules_out", "for", "against", "prefers", "about", "kind", "source", *LANGUAGES)
        for key in entry:
            self._known(document, path, "key", key, keys)
        if not {"needs", "rules_out", "for", "against", "prefers", "about"} & entry.keys():
            _refuse(document, path, "the rule says nothing: add needs, rules_out, for, against, prefers or about")
        if not isinstance(entry.get("when"), dict):
            _refuse(document, path, "`when` is missing; `when: {}` is always")
        lists = {key: self._choices(document, path, entry, key) for key in ("rules_out", "for", "against", "prefers")}
        needs, about = entry.get("needs"), entry.get("about")
        if needs is not None:
            self._known(document, path, "needs", needs, self.choices)
        if about is not None:
            self._known(document, path, "about", about, ABOUT)
        when = tuple(self._condition(document, (*path, "when"), fact, wanted) for fact, wanted in entry["when"].items())
        return Rule(name, when, self.sentence(document, path), needs, lists["rules_out"], lists["for"],
                    lists["against"], lists["prefers"], about)  # fmt: skip

    def choice(self, document: Document, name: str) -> Choice:
        path = ("choices", name)
        entry = _at(document, path)
        imposes = tuple(self.sentence(document, (*path, "imposes", at)) for at in range(len(entry["imposes"])))
        return Choice(name, _text(document, path), entry["carries"], entry["people"], entry["prices"],
                      entry.get("intent"), imposes)  # fmt: skip

    def question(self, document: Document, name: str) -> Question:
        path = ("questions", name)
        self._known(document, path, "fact", name, self.facts)
        entry = _at(document, path)
        words = {word: _text(document, (*path, "words", word)) for word in entry.get("words", {})}
        when = entry.get("ask_when", {})
        return Question(
            _text(document, path),
            words,
            tuple(self._condition(document, (*path, "ask_when"), fact, wanted) for fact, wanted in when.items()),
        )

    def relative(self, document: Document, at: int) -> Relative:
        entry = document.data["relative"][at]
        low, high = float(entry["low"]), float(entry["high"])
        return Relative(entry["choice"], entry["to"], low, high, self.sentence(document, ("relative", at)))

    def _condition(self, document: Document, path: tuple[str, ...], fact: str, wanted: Any) -> Condition:
        path = (*path, fact)
        self._known(document, path, "fact", fact, self.facts)
        read = self.facts[fact]
        try:
            if isinstance(wanted, dict):
                for key in wanted:
                    self._known(document, path, "limit", key, ("least", "most"))
                limits = {key: read(value) for key, value in wanted.items()}
                return Condition(fact, limits.get("least"), limits.get("most"))
            items = wanted if isinstance(wanted, list) else [wanted]
            values = tuple(read(item) for item in items if item != UNKNOWN)
        except UnitError as error:
            _refuse(document, path, f"{fact}: {error.message}; {error.help}")
        return Condition(fact, values=values, unknown=UNKNOWN in items)

    def _choices(self, document: Document, path: tuple[str, ...], entry: dict[str, Any], key: str) -> tuple[str, ...]:
        for name in entry.get(key, []):
            self._known(document, path, key, name, self.choices)
        return tuple(entry.get(key, []))

    @staticmethod
    def _known(document: Document, path: tuple[str | int, ...], what: str, word: Any, known: Iterable[str]) -> None:
        if word not in (words := list(known)):
            near = did_you_mean(word, words) if isinstance(word, str) else ""
            _refuse(document, path, f"{what} {shown(word)} is not known{near}; accepted: {', '.join(words)}")


def _document(path: Path) -> Document:
    try:
        document = yamlfile.load_path(path)
    except IntentError as error:
        raise ConfigurationError(str(error)) from error
    if not isinstance(document.data, dict):
        _refuse(document, (), "must be a mapping of keys and values")
    return document


def _part(document: Document, name: str) -> Mapping[str, Any]:
    """Return a part of a file; empty where it has none."""
    part: Mapping[str, Any] = _at(document, (name,)) if name in document.data else {}
    return part


def _at(document: Document, path: tuple[str | int, ...]) -> Any:
    value = document.data
    for step in path:
        value = value[step]
    if not isinstance(value, dict):
        _refuse(document, path, f"{shown(value)} is no mapping")
    return value


def _text(document: Document, path: tuple[str | int, ...]) -> Text:
    entry = _at(document, path)
    for language in LANGUAGES:
        if not isinstance(entry.get(language), str) or not entry[language].strip():
            _refuse(document, path, f"the text in {shown(language)} is missing")
    return {language: entry[language] for language in LANGUAGES}


def _refuse(document: Document, path: tuple[str | int, ...], message: str) -> NoReturn:
    raise ConfigurationError(f"{document.place(path)}: {message}")
