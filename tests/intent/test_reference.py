"""docs/intent.md names every key of the language, and its example loads."""

from __future__ import annotations

import re

from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.intent.schema import json_schema
from tests.conftest import ROOT

TEXT = (ROOT / "docs" / "intent.md").read_text(encoding="utf-8")


def test_every_key_is_explained() -> None:
    schema = json_schema()
    keys = {key for part in (schema, *schema["$defs"].values()) for key in part.get("properties", {})}
    missing = {key for key in keys if not re.search(rf"\b{key}\b", TEXT)}
    assert not missing


def test_the_example_loads() -> None:
    example = re.search(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    assert example is not None
    fabric = expand(parse_intent(example[1], "docs/intent.md"))
    assert set(fabric.devices) == {"leaf1", "leaf2", "spine1", *(f"gpu{n:02d}" for n in range(1, 9))}
    assert fabric.settings("leaf2", "Ethernet1/4").watchdog_enabled.value is False
