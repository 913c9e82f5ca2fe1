"""The knowledge is data: both languages, a source for every rule, and one file to edit for a new rule of thumb."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from rocecfg import packs
from rocecfg.advise import knowledge, situation
from rocecfg.advise.knowledge import LANGUAGES
from rocecfg.errors import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

HAN = re.compile(r"[\u4e00-\u9fff\uff00-\uffef]")
PLACEHOLDER = re.compile(r"\{([a-z_.]*)\}")


def sentences(known: knowledge.Knowledge):
    yield from ((rule.name, rule.sentence) for rule in known.rules)
    yield from ((choice.name, item) for choice in known.choices.values() for item in choice.imposes)
    yield from ((item.choice, item.sentence) for item in known.relative)
    yield from ((fact, sentence) for fact, (_, sentence) in known.assumed.items())


def texts(known: knowledge.Knowledge):
    yield from ((name, sentence.text) for name, sentence in sentences(known))
    yield from ((choice.name, choice.title) for choice in known.choices.values())
    for group in (known.words, known.kinds, known.sources, known.values):
        yield from group.items()
    for name, question in known.questions.items():
        yield name, question.text
        yield from ((f"{name}: {word}", text) for word, text in question.words.items())


def test_every_sentence_has_its_chinese_twin(known) -> None:
    same = {"infiniband", "network.kind: infiniband"}  # a name of its own
    for name, text in texts(known):
        assert set(text) == set(LANGUAGES)
        assert not HAN.search(text["en"]), name
        assert HAN.search(text["zh"]) or name in same, name
        assert sorted(PLACEHOLDER.findall(text["en"])) == sorted(PLACEHOLDER.findall(text["zh"])), name


def test_numbers_are_the_same_in_both_languages(known) -> None:
    """A number of one language that the other lacks is a slip of the translator (words such as `one` aside)."""
    for name, sentence in sentences(known):
        numbers = [
            set(re.findall(r"\d[\d,.]*\d|\d", PLACEHOLDER.sub("", sentence.text[language]))) for language in LANGUAGES
        ]
        assert numbers[0] <= numbers[1], name


def test_every_rule_has_its_source_and_every_source_is_used(known) -> None:
    used = set()
    for name, sentence in sentences(known):
        assert sentence.source in known.sources, name
        assert sentence.kind in known.kinds, name
        used.add(sentence.source)
    assert used == set(known.sources)


def test_what_has_no_primary_source_is_called_a_house_rule(known) -> None:
    for name, sentence in sentences(known):
        assert (sentence.source == "house") == (sentence.kind == "house"), name


def test_every_question_is_a_key_of_the_file_and_every_fact_of_a_rule_can_be_given(known) -> None:
    readers = set(situation.readers())
    facts = {name for name in readers - set(situation.DERIVED) if not name.startswith("prices.")}
    assert facts == set(known.questions)
    asked = {condition.fact for rule in known.rules for condition in rule.when}
    assert asked <= readers
    filled = {name for _, sentence in sentences(known) for name in PLACEHOLDER.findall(sentence.text["en"])}
    assert filled <= readers


def test_a_number_in_a_sentence_is_one_that_its_condition_guarantees(known) -> None:
    """`{gpus}` in a sentence needs a condition on it: otherwise the sentence might say "not given"."""
    behind = {"gpus.now": "shrinking", "gpus.later": "shrinking", "gpus.per_server": "server_too_large"}
    for rule in known.rules:
        conditions = {condition.fact for condition in rule.when if not condition.unknown}
        for name in PLACEHOLDER.findall(rule.sentence.text["en"]):
            known_by = {name, behind.get(name, name)} | (
                {"flight"} if name in ("link.speed", "sites.distance") else set()
            )
            known_by |= {"server_too_large"} if name == "gpus" else set()
            assert known_by & conditions, (rule.name, name)


def test_rules_reach_every_answer(known) -> None:
    for name in known.choices:
        assert any(name in rule.speaks_for or name == rule.needs for rule in known.rules), name
        assert any(name in (*rule.speaks_against, *rule.rules_out) for rule in known.rules) or name == "plain-ethernet"
    assert not any("plain-ethernet" in rule.rules_out for rule in known.rules), "something must always be left"


def test_every_rule_can_speak(known) -> None:
    """A rule whose conditions contradict each other would be dead: each holds for some plan."""
    for rule in known.rules:
        facts = {}
        for condition in rule.when:
            value = condition.low if condition.low is not None else condition.high
            facts[condition.fact] = value if value is not None else next(iter(condition.values), None)
            if facts[condition.fact] is None:
                del facts[condition.fact]
        assert rule.holds(facts), rule.name


@pytest.fixture
def pack(tmp_path: Path):
    rules = tmp_path / "pack" / "vendors" / "advice" / "rules"
    rules.mkdir(parents=True)
    packs._extra.clear()
    packs.add_packs([tmp_path / "pack"])
    yield rules / "site.yaml"
    packs._extra.clear()


SITE = """\
sources:
  policy: {en: "our purchasing policy, 2026", zh: "本公司采购政策，2026 年"}
rules:
  no-single-maker:
    when: {gpus: {least: 16}}
    rules_out: [spectrum-x, infiniband]
    en: the policy wants two makers for everything
    zh: 政策要求任何设备都有两家供应商
    kind: documented
    source: policy
"""


def test_a_new_rule_of_thumb_is_one_file(pack: Path, advise) -> None:
    pack.write_text(SITE, encoding="utf-8")
    plan = "version: 1\nworkloads: {training: 90%}\ngpus: {later: 4096}\npeople: {roce: 3}\n"
    ran = advise("--pack", str(pack.parents[3]), plan=plan)
    assert "the policy wants two makers" in ran.out
    assert "our purchasing policy" in ran.out
    assert "  lossless RoCE (PFC and ECN)\n  - A compromise" in ran.out
    assert ran.code == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("source: policy", "source: polisy", 'source "polisy" is not known, did you mean "policy"?'),
        ("kind: documented", "kind: documentd", 'kind "documentd" is not known, did you mean "documented"?'),
        ("    zh: 政策要求任何设备都有两家供应商\n", "", 'the text in "zh" is missing'),
        ("en: the policy wants two makers for everything", "en: ''", 'the text in "en" is missing'),
        ("gpus: {least: 16}", "gpu: {least: 16}", 'fact "gpu" is not known, did you mean "gpus"?'),
        ("gpus: {least: 16}", "gpus: {leest: 16}", 'limit "leest" is not known, did you mean "least"?'),
        ("gpus: {least: 16}", "link.speed: {least: 16}", "has no unit"),
        ("gpus: {least: 16}", "goal: chep", 'goal: "chep" is not accepted'),
        ("spectrum-x", "spectrumx", 'rules_out "spectrumx" is not known, did you mean "spectrum-x"?'),
        ("    rules_out: [spectrum-x, infiniband]\n", "", "the rule says nothing"),
        ("    when: {gpus: {least: 16}}\n", "", "`when` is missing"),
        ("no-single-maker", "from-1000", 'a rule "from-1000" is there already'),
        ("rules:", "rules: []\nmore:", "is no mapping"),
        ("rules_out:", "rule_out:", 'key "rule_out" is not known'),
        (SITE, "- a\n", "must be a mapping"),
        (SITE, "rules: {a: 1}\n", '"1" is no mapping'),
    ],
)
def test_a_broken_rule_names_itself(pack: Path, old: str, new: str, message: str) -> None:
    assert old in SITE
    pack.write_text(SITE.replace(old, new), encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"site\.yaml:\d+:\d+: ") as caught:
        knowledge.load()
    assert message in str(caught.value)
