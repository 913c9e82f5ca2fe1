"""Every line that Arista's own model can print is understood."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest

from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse

if TYPE_CHECKING:
    from pathlib import Path

_WORDS = {"threshold": "1/8", "dscp": "26", "cos": "3", "match": "3"}


def filled(shape: str, dice: random.Random) -> str:
    """A line of a shape: one choice of each list, options by lot, numbers within their range, one unit throughout."""
    unit = dice.choice(["segments", "bytes", "kbytes", "mbytes"])
    line = re.sub(r"\{(segments\|[^}]*)\}", unit, shape)
    line = re.sub(r"\{([^}]*)\}", lambda found: dice.choice(found[1].split("|")), line)
    for _ in range(2):
        line = re.sub(r"\[([^\[\]]*)\]", lambda found: found[1] if dice.random() < 0.6 else "", line)
    return " ".join(re.sub(r"<([^<>]*)>", lambda found: value(found[1], dice), line).split())


def value(kind: str, dice: random.Random) -> str:
    ranged = re.match(r"(int|list) (\d+)\.\.(\d*)", kind)
    if ranged is not None:
        low, high = int(ranged[2]), int(ranged[3] or 900)
        return " ".join(str(dice.randint(low, high)) for _ in range(3 if ranged[1] == "list" else 1))
    if kind.startswith("/"):
        return dice.choice(["auto", "0.05"]) if "auto" in kind else "0.25"
    return "7" if kind == "int" else next((word for key, word in _WORDS.items() if key in kind), "X1")


@pytest.mark.oracle
@pytest.mark.parametrize("table", ["shapes.tsv", "seen.tsv"])
def test_every_known_shape_is_understood(shared: Path, table: str) -> None:
    path = shared / "oracles" / "eos" / table
    if not path.is_file():
        pytest.skip("the EOS oracle is not beside this checkout")
    dice, lines = random.Random(table), 0
    for row in path.read_text(encoding="utf-8").splitlines()[1:]:
        context, shape = row.split("\t")[:2]
        for _ in range(6):
            headers = [filled(header, dice) for header in context.split(" / ") if header]
            body = [*headers, filled(shape, dice)]
            text = "\n".join("   " * depth + line for depth, line in enumerate(body))
            text = text.replace("interface X1", "interface Ethernet1/1")
            content = f"hostname a\ninterface Ethernet9\n   mtu 9214\n{text}\n"
            device = parse(Capture("", "eos", (Text("a", content),), file="a"))
            assert not device.lines, text
            lines += device.lines_read
    assert lines > 50
