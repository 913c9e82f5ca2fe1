"""docs/advise.md: its example gives what it shows, its rule is one that is taken."""

from __future__ import annotations

import re

from tests.advise.test_knowledge import SITE
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "advise.md").read_text(encoding="utf-8")


def block(language: str, number: int = 0) -> str:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)[number]


def test_the_worked_example_is_what_comes_out(advise) -> None:
    out = advise(plan=block("yaml")).out.splitlines()
    at = 0
    for line in filter(None, block("text").splitlines()):
        assert line in out[at:], line
        at = out.index(line, at)


def test_the_rule_of_the_page_is_a_rule() -> None:
    assert re.sub(r"\s+", " ", block("yaml", 1)) == re.sub(r"\s+", " ", SITE)
