"""Takes the pager out of a terminal's log: `--More--` and what the terminal wiped it off with.

    interface Ethernet1/1
     --More-- <CR>          <CR>  mtu 9216

A log of a terminal whose length nobody set to 0 holds such marks between the lines. What a device printed after one is
a line like any other, and a mark alone on its line ends no section. Every line keeps its number. A mark that nothing
but a prompt follows stays: there somebody left the pager, and the vendors take such a text for cut off.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocecfg.state.capture import Text

_ESCAPE = r"\x1b\[[0-9;?]{0,12}[A-Za-z]"
_MARK = re.compile(
    rf"(?:{_ESCAPE}|[ \t\r]){{0,40}}"
    r"(?:-{2,4} ?(?:[Mm]ore|MORE) ?-{2,4}(?:\([0-9]{1,3}%\))?|-{2,4}\([Mm]ore(?: [0-9]{1,3}%)?\)-{2,4})"
    rf"(?:, next page: [^\r\n\x08\x1b]{{0,60}})?(?:[ \t]{{0,120}}(?:[\r\x08]+|{_ESCAPE})){{0,200}}"
)
"""`--More--` (NX-OS, EOS, OS10), `--more--` (klish), `---- More ----` (Comware, VRP), `---(more 35%)---` (Junos)."""
_SIGN = re.compile(r"-- ?\(?(?:[Mm]ore|MORE)")
_PROMPT = re.compile(r"[\w.@:~/-]{1,100}(?:\([\w./:-]{1,60}\))?[#>$%]|[<\[][~*]?[\w./:-]{1,100}[>\]]")


def without_pager(text: Text) -> Text:
    """Return a text without the marks of a pager that its device printed on after."""
    if _SIGN.search(text.content) is None:
        return text
    lines = text.content.split("\n")
    found = [(number, mark) for number, line in enumerate(lines) if "-" in line[:200] and (mark := _MARK.match(line))]
    if not found:
        return text
    printed = False
    below = len(lines)
    for number, mark in reversed(found):
        rest = lines[number][mark.end() :]
        following = [rest, *lines[number + 1 : below]]
        below = number
        if not printed:
            printed = any(line.strip() and not _PROMPT.match(line.strip()) for line in following[:1_000])
        if printed:
            lines[number] = rest if rest.strip() else ""
    return replace(text, content="\n".join(lines))
