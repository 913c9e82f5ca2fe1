"""What libyaml means when it complains: its messages in words that name the cure."""

from __future__ import annotations

from typing import Any

from rocecfg.errors import IntentError, Problem
from rocecfg.units import shown

# libyaml's (and ruamel's Python parser's) problem -> our sentence and help; "{start}" = line where the part began.
_SENTENCES: tuple[tuple[str, str, str], ...] = (
    ("mapping values are not allowed", 'a ":" is not expected here',
     'check the indentation, or put a value that holds ": " in quotes'),
    ("',' or ']'", 'the list opened with "[" on line {start} is not closed', 'add "]" or a comma'),
    ("',' or '}'", 'the mapping opened with "{{" on line {start} is not closed', 'add "}" or a comma'),
    ("unexpected end of stream", "the quoted text that starts on line {start} is not closed", "add the closing quote"),
    ("unexpected document indicator", "the quoted text that starts on line {start} is not closed",
     "add the closing quote"),
    ("unknown escape character", "unknown escape in a double-quoted text", "use single quotes, or write \\\\"),
    ("scanning a directive", 'a line that starts with "%" is a YAML directive', "put it in quotes"),
    ("tag handle", "tags are not accepted", "remove the `!`, or put the value in quotes"),
    ("while parsing a tag", "tags are not accepted", "remove the `!`, or put the value in quotes"),
    ("expected ':'", "this line is no `key: value`", 'add ":" and a space after the key'),
    ("expected key", "the indentation does not fit the lines above", "indent all keys of one mapping alike"),
    ("expected <block end>", "the indentation does not fit the lines above", "indent all keys of one mapping alike"),
    ("expected '-' indicator", "the indentation does not fit the list above", "indent all items of one list alike"),
    ("expected <document start>", "text stands after the end of the document", "keep one document per file"),
    ("alphabetic or numeric", "an anchor or alias (& or *) has no name",
     "put a value that starts with & or * in quotes"),
    ("block sequence entries are not allowed", 'a "-" is not expected here', "start the list on its own line"),
    ("duplicate anchor", "this anchor stands twice", "rename one"),
)  # fmt: skip


def from_library(error: Exception, text: str, file: str) -> Problem:
    """Return a parser's exception as a problem with its place."""
    from rocecfg.yamlfile import refuse_unreadable

    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is None:
        try:  # ruamel's reader names a byte, not a line: look for ourselves
            refuse_unreadable(text, file)
        except IntentError as found:
            return found.problems[0]
        return Problem(file, 1, 1, f"this is no YAML text ({type(error).__name__})", "check the file")
    begun = getattr(error, "context_mark", None)
    said = f"{getattr(error, 'context', None) or ''} {getattr(error, 'problem', None) or ''}".strip()
    message, cure = _sentence(said, error, _line_at(text, mark.line), mark.column)
    if "is not closed" in message and begun is not None:
        mark = begun  # where the missing end is noticed tells nothing
    return Problem(file, mark.line + 1, mark.column + 1, message, cure)


def _sentence(said: str, error: Any, line: str, column: int) -> tuple[str, str]:
    if "cannot start any token" in said:
        character = line[column : column + 1]
        if character == "\t":
            return "a tab stands in the indentation", "YAML indents with spaces only"
        return f"a plain value cannot start with {shown(character)}", "put it in quotes"
    begun = getattr(error, "context_mark", None)
    start = begun.line + 1 if begun is not None else "?"
    for part, message, cure in _SENTENCES:
        if part in said:
            return message.format(start=start), cure
    return f"no valid YAML: {said[:200]}", "check the indentation and the quotes"


def _line_at(text: str, number: int) -> str:
    """Return one line, counted from 0, without splitting a large text."""
    at = 0
    for _ in range(number):
        at = text.find("\n", at) + 1
        if not at:
            return ""
    end = text.find("\n", at)
    return text[at : end if end >= 0 else len(text)]
