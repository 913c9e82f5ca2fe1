"""Every form a report of findings can have, by the word of `--format`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocecfg.report.outcome import Outcome

FORMS = ("text", "json", "sarif", "junit", "github", "gitlab", "markdown", "html")
"""A form `x` is the function `write` of `rocecfg.report.x`."""


def write(outcome: Outcome, form: str, *, colour: bool = False) -> str:
    """Return an outcome in a form; colour is for text only."""
    if form == "text":
        from rocecfg.report import text

        return text.write(outcome, colour=colour)
    written: str = import_module(f"rocecfg.report.{form}").write(outcome)
    return written
