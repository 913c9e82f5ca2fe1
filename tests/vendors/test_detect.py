"""Detection of the system: never a guess."""

from __future__ import annotations

from pathlib import Path

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Text
from rocecfg.vendor import registry

GOLDENS = sorted(Path(__file__).parent.glob("*/expected_switch.cfg"))


@pytest.mark.parametrize("content", ["", "\n\n", " \t\r\n"])
def test_an_empty_text_is_said_to_be_empty(content: str) -> None:
    with pytest.raises(ReadError, match=r"^leaf1\.cfg: empty$"):
        registry.detect((Text("leaf1.cfg", content),), "leaf1.cfg")


def test_a_text_of_no_known_system_names_the_systems() -> None:
    with pytest.raises(ReadError, match=r"of no known system \(known: .*nxos.*--nos"):
        registry.detect((Text("leaf1.cfg", "one two\nthree\n"),), "leaf1.cfg")


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: path.parent.name)
def test_a_session_is_of_the_system_of_what_was_typed(golden: Path) -> None:
    content = golden.read_text(encoding="utf-8")
    typed = [line.strip() for line in content.splitlines() if line.strip() not in {"", "!", "#"}]
    session = "".join(f"leaf1(config)# {line}\n" for line in typed)
    assert registry.detect((Text("a", content),), "a") == golden.parent.name
    assert registry.detect((Text("a", session),), "a") == golden.parent.name
