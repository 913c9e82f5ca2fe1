"""Proves that a text came whole: `whole_when` of a manifest, read as far as a program can check it.

Each phrase below is understood wherever it stands in the sentence. What a program cannot check (a count that only a
person knows) leaves the prompt as the proof: it stood alone after the echo of the command and the last line.

    the last line is end                      one block for each port of the running configuration
    the text begins with !                    one row for each Ethernet port
    the JSON is whole / closed / parses       a closing rule stands behind the rows
    | count of a second look                  a second look counts the same lines
    each line begins with set or deactivate   both Ingress and Egress stand there
    the line n_gids_found=                    a header and a set item
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_COUNT = "| count"


def second_look(send: str, whole_when: str) -> str:
    """Return the command whose answer proves a text whole: the same with `| count`, the same again, or none."""
    if _COUNT in whole_when:
        return f"{send} {_COUNT}"
    return send if "second look" in whole_when else ""


def second_look_problem(text: str, second: str, send: str, look: str) -> str | None:
    """Return what a second look says against a text, "" when it confirms it, None when it says nothing."""
    of_text = text.splitlines()
    lines = len(of_text)
    if look != send:
        numbers = re.findall(
            r"^\s*(?:Count:|lines?:)?\s*(\d{1,9})(?: lines?)?\s*$", second, re.MULTILINE | re.IGNORECASE
        )
        if len(numbers) != 1:
            return None
        count = int(numbers[0])
        least = sum(map(bool, map(str.strip, of_text)))
        if least <= count <= lines + 3:  # blank lines and the header are counted on some releases only
            return ""
        return f"{least} lines came, the device counts {count}"
    again = len(second.splitlines())
    return "" if again == lines else f"{lines} lines came, {again} at a second look"


def proofs(text: str, whole_when: str, ports: Sequence[str]) -> tuple[list[str], str]:
    """Return what proves a text whole, and the first thing that says it is not."""
    proved = ["prompt"]
    for name, phrase, check in _CHECKS:
        found = re.search(phrase, whole_when, re.IGNORECASE)
        if found is None:
            continue
        problem = check(text, next((group for group in found.groups() if group), ""), ports)
        if problem:
            return proved, problem
        if problem is not None:
            proved.append(name)
    return proved, ""


def _last_line(text: str, word: str, _ports: Sequence[str]) -> str | None:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    last = lines[-1] if lines else ""
    return "" if last == word else f'the last line is not "{word}" but "{last[:60]}"'


def _begins(text: str, word: str, _ports: Sequence[str]) -> str | None:
    """Judge by the first line; a frame of marks (`##`) may stand above a title."""
    title = next((line for line in text.split("\n") if line.strip(" \t\r#!")), "")
    fits = text.lstrip().startswith(word) or title.startswith(word)
    return "" if fits else f'the text does not begin with "{word}" but "{_first(text)}"'


def _first(text: str) -> str:
    return next((line.strip() for line in text.split("\n") if line.strip()), "")[:60]


def _json(text: str, word: str, _ports: Sequence[str]) -> str | None:
    """Judge every object in a text; a tool that has none to show on this host says so in words."""
    decoder, found = json.JSONDecoder(strict=False), 0
    start = _next_object(text, 0)
    while start >= 0:
        try:
            _, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            return f"its JSON is not whole: {error}"
        found += 1
        start = _next_object(text, end)
    if found:
        return ""
    return "it holds no JSON" if text.strip() and not word else None


def _next_object(text: str, at: int) -> int:
    """Return where the next line begins with a bracket (the first may stand anywhere), -1 where none does."""
    found = re.compile(r"^\s*[\[{]" if at else r"[\[{]", re.MULTILINE).search(text, at)
    return found.end() - 1 if found else -1


def _rule(text: str, _word: str, _ports: Sequence[str]) -> str | None:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    rules = [at for at, line in enumerate(lines) if len(line) > 5 and set(line) <= set("-=+")]
    if not rules:
        return None
    return "" if len(rules) >= 2 and rules[-1] >= len(lines) - 3 else "no closing rule stands behind its rows"


def _all_lines(text: str, _word: str, _ports: Sequence[str]) -> str | None:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.startswith(("set ", "deactivate ", "#", "protect ", "activate ")):
            return f'line {number} begins with neither set nor deactivate: "{line[:60]}"'
    return ""


def _both(text: str, _word: str, _ports: Sequence[str]) -> str | None:
    missing = [word for word in ("Ingress", "Egress") if word.lower() not in text.lower()]
    return f"{missing[0]} is missing" if missing else ""


def _stands(text: str, word: str, _ports: Sequence[str]) -> str | None:
    return "" if word in text else f'the line "{word}" is missing'


def _yaml_list(text: str, _word: str, _ports: Sequence[str]) -> str | None:
    keys = re.findall(r"^- (\w+):", text, re.MULTILINE)
    return "" if "header" in keys and "set" in keys else "it is not a list with a header and a set item"


def _ports(text: str, _word: str, ports: Sequence[str]) -> str | None:
    """Judge by the last port of the configuration: a text that is cut off lacks the end of its list."""
    if not ports:
        return None
    numbers = {token.rstrip(".:") for token in _NUMBERS.findall(text)}
    shown = [port for port in ports if _number(port) in numbers]
    if not shown:
        return f"none of the {len(ports)} ports of the configuration stands there"
    return "" if shown[-1] == ports[-1] else f"it ends with {shown[-1]}, the configuration with {ports[-1]}"


_NUMBERS = re.compile(r"\d[\d/:.]*")


def _number(port: str) -> str:
    return port.lstrip("".join(set(port) - set("0123456789/:.")))


def ports_of(text: str, words: Sequence[str]) -> list[str]:
    """Return the ports that a configuration has, in its order, without subinterfaces."""
    if not words:
        return []
    names = "|".join(re.escape(word) for word in words)
    found = re.findall(rf"^interface ((?:{names}) ?\d[\d/:]*)[ \t]*$", text, re.MULTILINE)
    return list(dict.fromkeys(found))


_CHECKS: tuple[tuple[str, str, Callable[[str, str, Sequence[str]], str | None]], ...] = (
    ("end marker", r"the last line is [`\"]?(\w+)[`\"]?", _last_line),
    ("first line", r"begins with (Current configuration|## Running database|!)", _begins),
    ("JSON", r"\bJSON\b(?: that (parses))?", _json),
    ("closing rule", r"a closing rule stands", _rule),
    ("every line", r"each line begins with set or deactivate", _all_lines),
    ("both parts", r"both Ingress and Egress", _both),
    ("last line", r"the line (n_gids_found=)", _stands),
    ("list", r"YAML list with a header and a set item", _yaml_list),
    ("ports", r"(?:row|block) for each (?:Ethernet )?port\b|eight queues stand behind each port", _ports),
)
