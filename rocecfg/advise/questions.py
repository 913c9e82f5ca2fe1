"""The questions of `rocecfg advise` on a terminal: each answer is checked at once, Enter leaves it open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rocecfg.advise.situation import readers
from rocecfg.state.numbers import whole_number
from rocecfg.units import UnitError

if TYPE_CHECKING:
    from rocecfg.advise.knowledge import Knowledge, Question

_HINT = {
    "en": "Enter leaves a question open. Units: 60%, 64MB, 400G, 80km.",
    "zh": "直接回车表示不回答。单位示例：60%、64MB、400G、80km。",
}
_YES_NO = {"yes": True, "y": True, "true": True, "是": True, "no": False, "n": False, "false": False, "否": False}


def ask(known: Knowledge, language: str) -> dict[str, Any]:
    """Ask on stderr and return the answers by dotted name, as a file would write them."""
    click.echo(_HINT[language], err=True)
    answers: dict[str, Any] = {}
    reader = readers()
    for fact, question in known.questions.items():
        if question.is_asked(answers):
            answer = _answer(fact, question, reader[fact], language)
            if answer is not None:
                answers[fact] = answer
    return answers


def _answer(fact: str, question: Question, read: Any, language: str) -> Any:
    for word, text in question.words.items():
        click.echo(f"    {word}: {text[language]}", err=True)
    while True:
        said = click.prompt(f"{question.text[language]} ({fact})", default="", show_default=False, err=True).strip()
        if not said:
            return None
        try:
            value = _value(said, read)
        except UnitError as error:
            click.echo(f"    {error.message}; {error.help}", err=True)
            continue
        return value


def _value(said: str, read: Any) -> Any:
    """Return an answer as YAML would give it. Raises UnitError."""
    number = whole_number(said, 10**17)
    plain: Any = said if number is None else number
    if said.lower() in _YES_NO:
        try:
            read(said)
        except UnitError:
            plain = _YES_NO[said.lower()]
    read(plain)
    return plain


def as_yaml(answers: dict[str, Any]) -> str:
    """Return answers as the file that `rocecfg advise` reads."""
    import json

    lines = ["# Answers to the questions of `rocecfg advise`.", "version: 1"]
    opened: list[str] = []
    for fact, value in answers.items():
        *parents, name = fact.split(".")
        if parents and parents != opened:
            lines.append(f"{parents[0]}:")
        opened = parents
        lines.append(f"{'  ' * len(parents)}{name}: {json.dumps(value, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"
