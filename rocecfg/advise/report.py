"""An advice as text, Markdown or JSON, in English or Chinese: one list of blocks, printed in three ways."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocecfg.advise.costs import costs, size_of
from rocecfg.units import print_length, print_percent, print_rate, print_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rocecfg.advise.changes import Change
    from rocecfg.advise.costs import Cost
    from rocecfg.advise.judge import Advice, Verdict
    from rocecfg.advise.knowledge import Knowledge, Rule, Sentence

_FILLED = re.compile(r"\{([a-z_.]+)\}")
_PRINTERS = {
    "link.speed": print_rate,
    "traffic.message": print_size,
    "sites.distance": print_length,
    **dict.fromkeys(("workloads.training", "workloads.inference", "workloads.experiments"), print_percent),
}


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the report: its heading (level 1 to 3, 0 = none), a paragraph, and points."""

    level: int = 0
    heading: str = ""
    paragraph: str = ""
    points: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """Writes one advice in one language."""

    advice: Advice
    changes: tuple[Change, ...]
    known: Knowledge
    language: str

    def text(self) -> str:
        """Return the report for a terminal."""
        parts: list[str] = []
        for block in self.blocks():
            if block.level == 1:
                parts.append(f"{block.heading}\n")
            elif block.heading:
                parts.append(f"{'' if block.level == 3 else chr(10)}{'  ' * (block.level - 2)}{block.heading}\n")
            indent = "  " * max(block.level - 1, 1)
            parts += [f"{indent}{block.paragraph}\n"] if block.paragraph else []
            parts += [f"{indent}- {point}\n" for point in block.points]
        return "".join(parts)

    def markdown(self) -> str:
        """Return the report as Markdown."""
        parts: list[str] = []
        for block in self.blocks():
            parts += [f"{'#' * block.level} {_markdown(block.heading)}"] if block.heading else []
            parts += [_markdown(block.paragraph)] if block.paragraph else []
            parts += ["\n".join(f"- {_markdown(point)}" for point in block.points)] if block.points else []
        return "\n\n".join(parts) + "\n"

    def json(self) -> str:
        """Return the report as JSON: names as in the knowledge, sentences in the language."""
        advice, known = self.advice, self.known
        data = {
            "schema": 1,
            "language": self.language,
            "name": advice.facts.get("name"),
            "status": self._status(),
            "verdict": list(advice.verdict.choices),
            "missing": [list(names) for names in advice.verdict.missing],
            "given": {fact: self._plain(fact, value) for fact, value in advice.given.items()},
            "choices": {
                name: {
                    "title": choice.title[self.language],
                    "for": [self._rule(rule) for rule in advice.reasons[name].speak_for],
                    "against": [self._rule(rule) for rule in advice.reasons[name].speak_against],
                    "ruled_out": [self._rule(rule) for rule in advice.reasons[name].rule_out],
                    "imposes": [self._sentence(sentence) for sentence in choice.imposes],
                    "people": choice.people,
                }
                for name, choice in known.choices.items()
            },
            **{about: list(map(self._rule, advice.about(about))) for about in ("between", "contradiction", "mind")},
            "changes": [
                {"question": change.fact, "value": self._plain(change.fact, change.value), "reach": change.reach,
                 "verdict": list(change.verdict.choices), "compromise": change.verdict.compromise}
                for change in self.changes
            ],
            "unanswered": self._unanswered(),
            "assumed": {fact: value for fact, (value, _) in known.assumed.items() if self._is_assumed(fact)},
            "cost": self._cost_data(),
        }  # fmt: skip
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"

    def blocks(self) -> Iterator[Block]:
        """Return the report piece by piece."""
        advice, known = self.advice, self.known
        yield Block(1, self._word("title", name=advice.facts.get("name", self._word("unnamed"))))
        yield from self._verdict()
        for about, word in (("contradiction", "contradictions"), ("between", "between")):
            if rules := advice.about(about):
                yield Block(2, self._word(word), points=tuple(map(self._point, rules)))
        yield Block(2, self._word("reasons"))
        for name in known.choices:
            yield self._choice(name)
        if not advice.verdict.missing:
            yield Block(2, self._word("changes"), "" if self.changes else self._word("no_changes"),
                        tuple(map(self._change, self.changes)))  # fmt: skip
        for name in advice.verdict.choices:
            yield Block(2, self._word("imposes", choice=self._title(name)),
                        points=tuple(self._point_of(sentence) for sentence in known.choices[name].imposes))  # fmt: skip
        yield from self._cost()
        if rules := advice.about("mind"):
            yield Block(2, self._word("mind"), points=tuple(map(self._point, rules)))
        assumed = [self._point_of(known.assumed[fact][1]) for fact in known.assumed if self._is_assumed(fact)]
        if "link.nics_per_server" not in advice.facts:
            assumed.append(self._word("assumed_nics"))
        yield Block(2, self._word("assumptions"), points=tuple(assumed)) if assumed else Block()
        if unanswered := self._unanswered():
            yield Block(2, self._word("unanswered"),
                        points=tuple(f"{self._question(fact)} ({fact})" for fact in unanswered))  # fmt: skip
        yield Block(2, self._word("sources"), points=tuple(self._sources()))
        yield Block(paragraph=self._word("caution"))

    # -- pieces --------------------------------------------------------------------------------------------------------

    def _status(self) -> str:
        verdict = self.advice.verdict
        if verdict.missing or not verdict.choices:
            return "undecided"
        if verdict.compromise:
            return "compromise"
        return "open" if any(change.fact not in self.advice.facts for change in self.changes) else "clear"

    def _verdict(self) -> Iterator[Block]:
        verdict, status = self.advice.verdict, self._status()
        if verdict.missing:
            missing = "; ".join(self._word("or").join(map(self._question, names)) for names in verdict.missing)
            yield Block(2, self._word("verdict"), self._word("undecided", missing=missing))
            return
        if not verdict.choices:
            yield Block(2, self._word("verdict"), self._word("impossible"))
            return
        tie = [self._word("tie")] if len(verdict.choices) > 1 else []
        yield Block(2, self._word("verdict"), self._answer(verdict), points=(*tie, self._word(status)))

    def _choice(self, name: str) -> Block:
        reasons = self.advice.reasons[name]
        points = [
            self._word("labelled", label=self._word(word), text=self._point(rule))
            for word, rules in (
                ("ruled_out", reasons.rule_out),
                ("for", reasons.speak_for),
                ("against", reasons.speak_against),
            )
            for rule in rules
        ]
        return Block(3, self._title(name), points=tuple(points or [self._word("no_reasons")]))

    def _change(self, change: Change) -> str:
        word = {"least": "at_least", "most": "at_most"}.get(change.reach)
        value = self._shown(change.fact, change.value)
        shown = value if word is None or value == "0" else self._word(word, value=value)
        facts = self.advice.facts
        now = self._word("given", value=self._shown(change.fact, facts[change.fact])) if (
            change.fact in facts) else self._word("not_given")  # fmt: skip
        note = f" ({self._word('as_compromise')})" if change.verdict.compromise else ""
        answer = f"{self._answer(change.verdict)}{note}"
        return self._word("change", question=self._question(change.fact), value=shown, now=now, answer=answer)

    def _cost(self) -> Iterator[Block]:
        advice = self.advice
        size = size_of(advice.facts)
        if size is None:
            basis = self._word("cost_too_large" if "gpus" in advice.facts else "cost_unknown_size")
        else:
            basis = self._word("cost_basis", nics=size.nics, switches=size.switches, cables=size.cables,
                               tiers=size.tiers)  # fmt: skip
        found = costs(advice.facts, self.known)
        points = [
            self._word("labelled", label=self._title(name), text=self._cost_line(name, cost))
            for name, cost in found.items()
        ]
        budget = advice.facts.get("budget")
        if budget is not None:
            for name in advice.verdict.choices:
                cost = found[name]
                if cost.high is not None and cost.low is not None and cost.high > budget:
                    word = "over_budget" if cost.low > budget else "maybe_over_budget"
                    points.append(self._word(word, choice=self._title(name), amount=self._sum(cost),
                                             budget=self._money(budget)))  # fmt: skip
        yield Block(2, self._word("cost"), basis, tuple(points))

    def _cost_line(self, name: str, cost: Cost) -> str:
        if cost.relative and cost.known:
            line = f"{self._sum(cost)} = {self._factor(cost)}; {self._point_of(cost.relative.sentence)}"
        elif cost.relative:
            line = f"{self._factor(cost)}; {self._point_of(cost.relative.sentence)}"
        elif cost.known:
            line = f"{self._sum(cost)} ({self._word('your_prices')})"
        elif cost.reference:
            line = self._word("reference")
        elif len(cost.missing) == 3:
            line = self._word("no_prices", table=self.known.choices[name].prices)
        elif cost.missing:
            line = self._word("half_prices", table=self.known.choices[name].prices, missing=", ".join(cost.missing))
        else:
            line = self._word("cost_unknown_size")
        if cost.people is not None:
            months = self.advice.facts.get("months", 12)
            line += f"; {self._word('people_cost', months=months, amount=self._money(cost.people))}"
        return line

    def _cost_data(self) -> dict[str, Any]:
        size = size_of(self.advice.facts)
        return {
            "currency": self.advice.facts.get("prices.currency"),
            "budget": self.advice.facts.get("budget"),
            "size": None if size is None else {"nics": size.nics, "switches": size.switches, "cables": size.cables,
                                               "tiers": size.tiers},
            "choices": {
                name: {
                    "low": cost.low, "high": cost.high, "people": cost.people, "missing": list(cost.missing),
                    "basis": "rule of thumb" if cost.relative else "your prices" if cost.known else "not established",
                    "relative": None if cost.relative is None else {
                        "to": cost.relative.to, "low": cost.relative.low, "high": cost.relative.high,
                        "because": self._sentence(cost.relative.sentence)},
                }
                for name, cost in costs(self.advice.facts, self.known).items()
            },
        }  # fmt: skip

    def _sources(self) -> Iterable[str]:
        rules = [rule.sentence for rule in self.advice.rules]
        rules += [item for name in self.advice.verdict.choices for item in self.known.choices[name].imposes]
        rules += [item.sentence for item in self.known.relative]
        used = dict.fromkeys(sentence.source for sentence in rules)
        return (f"[{name}] {self.known.sources[name][self.language]}" for name in used)

    def _unanswered(self) -> list[str]:
        facts = self.advice.facts
        return [
            fact
            for fact, question in self.known.questions.items()
            if (fact not in facts or self._is_assumed(fact)) and question.is_asked(facts)
        ]

    def _is_assumed(self, fact: str) -> bool:
        return fact in self.known.assumed and fact not in self.advice.given

    # -- words ---------------------------------------------------------------------------------------------------------

    def _word(self, word: str, /, **filled: Any) -> str:
        return self.known.words[word][self.language].format(**filled)

    def _title(self, name: str) -> str:
        return self.known.choices[name].title[self.language]

    def _question(self, fact: str) -> str:
        return self.known.questions[fact].text[self.language]

    def _answer(self, verdict: Verdict) -> str:
        return self._word("or").join(map(self._title, verdict.choices)) or self._word("impossible")

    def _point(self, rule: Rule) -> str:
        return self._point_of(rule.sentence)

    def _point_of(self, sentence: Sentence) -> str:
        kind = self.known.kinds[sentence.kind][self.language]
        return f"{self._filled(sentence)} [{kind}: {sentence.source}]"

    def _filled(self, sentence: Sentence) -> str:
        return _FILLED.sub(lambda match: self._shown(match[1], self.advice.facts.get(match[1])),
                           sentence.text[self.language])  # fmt: skip

    def _shown(self, fact: str, value: Any) -> str:
        if value is None:
            return self._word("not_given")
        if isinstance(value, bool):
            return self.known.values[str(value).lower()][self.language]
        question = self.known.questions.get(fact)
        if question is not None and value in question.words:
            return question.words[value][self.language]
        if fact == "flight":
            return f"{value / 10**6:,.1f} MB"
        if fact in _PRINTERS:
            return str(_PRINTERS[fact](value))
        return f"{value:,}" if isinstance(value, int) else str(value)

    def _plain(self, fact: str, value: Any) -> Any:
        return str(_PRINTERS[fact](value)) if fact in _PRINTERS else value

    def _sum(self, cost: Cost) -> str:
        assert cost.low is not None and cost.high is not None  # noqa: PT018 - both or none
        return self._money(cost.low) if cost.low == cost.high else f"{self._money(cost.low)} - {self._money(cost.high)}"

    def _money(self, amount: int) -> str:
        currency = self.advice.facts.get("prices.currency")
        return f"{amount:,} {currency}" if currency else f"{amount:,}"

    def _factor(self, cost: Cost) -> str:
        assert cost.relative is not None
        low, high = cost.relative.low, cost.relative.high
        factor = f"{low:g}" if low == high else f"{low:g} - {high:g}"
        return self._word("times", factor=factor, choice=self._title(cost.relative.to))

    def _rule(self, rule: Rule) -> dict[str, str]:
        return {"rule": rule.name, **self._sentence(rule.sentence)}

    def _sentence(self, sentence: Sentence) -> dict[str, str]:
        return {
            "text": self._filled(sentence),
            "kind": self.known.kinds[sentence.kind]["en"],
            "source": self.known.sources[sentence.source][self.language],
        }


def _markdown(text: str) -> str:
    """Return a text that Markdown shows as it is."""
    return re.sub(r"([\\`*_<>|])", r"\\\1", text)
