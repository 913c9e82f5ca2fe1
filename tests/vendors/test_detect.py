"""Detection of the system: never a guess."""

from __future__ import annotations

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Text
from rocecfg.vendor import registry


@pytest.mark.parametrize("content", ["", "\n\n", " \t\r\n"])
def test_an_empty_text_is_said_to_be_empty(content: str) -> None:
    with pytest.raises(ReadError, match=r"^leaf1\.cfg: empty$"):
        registry.detect((Text("leaf1.cfg", content),), "leaf1.cfg")


def test_a_text_of_no_known_system_names_the_systems() -> None:
    with pytest.raises(ReadError, match=r"of no known system \(known: .*nxos.*--nos"):
        registry.detect((Text("leaf1.cfg", "one two\nthree\n"),), "leaf1.cfg")
