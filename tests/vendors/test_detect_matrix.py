"""Every text there is, whole and every 40 % of it: its own system, or a request to name one; never another system."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks import device_texts
from rocecfg.errors import ReadError
from rocecfg.state.capture import Text
from rocecfg.vendor import registry
from tests.laws.intents import rendering

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.device_texts import DeviceText

CUTS = 12
COMMON = 20
"""The most that commands of every Linux driver score: a part of a host's script that holds only such may be anyone's."""


def named(content: str) -> str:
    """The system that a text is taken for; "" where the user is asked."""
    try:
        return registry.detect((Text("box.txt", content),), "box.txt")
    except ReadError as error:
        said = str(error)
    assert "--nos" in said or not content.strip(), said
    return ""


def parts(text: str) -> Iterator[str]:
    """Pieces of 40 % of a text that begin at a dozen places."""
    lines = text.splitlines(keepends=True)
    length = max(len(lines) * 2 // 5, 1)
    for start in range(0, len(lines), max(len(lines) // CUTS, 1)):
        yield "".join(lines[start : start + length])


def common_to_hosts(system: str, other: str, content: str) -> bool:
    """Whether only commands that several families of NICs share stand in a part of a host's text."""
    hosts = all(registry.get(name).manifest.kind == "host" for name in (system, other))
    return hosts and registry.score(other, content)[0] <= COMMON


def strangers(item: DeviceText) -> list[str]:
    """What a text and its parts are taken for beside its own system."""
    found = [named(item.text)] + [
        other
        for part in parts(item.text)
        if (other := named(part)) and not (item.system and common_to_hosts(item.system, other, part))
    ]
    return [f"{item.name}: {other}" for other in found if other not in {"", item.system}]


@pytest.mark.parametrize("system", rendering())
def test_what_we_render_is_told(system: str) -> None:
    for speed in ("25G", "400G"):
        items = list(device_texts.rendered(system, 4, speed))
        assert [line for item in items for line in strangers(item)] == []
        assert named(items[0].text) == system


@pytest.mark.parametrize("system", registry.names())
def test_files_of_the_tests_are_told(system: str) -> None:
    items = [item for item in device_texts.fixtures(system) if "." in item.name and not item.name.startswith("test")]
    files = [item for item in items if (device_texts.VENDOR_TESTS / system / item.name).is_file()]
    assert [line for item in files for line in strangers(item)] == []


def test_real_texts_are_told() -> None:
    items = list(device_texts.reference())
    if not items:
        pytest.skip("the reference corpus is not beside this checkout")
    assert [line for item in items if item.system for line in strangers(item)] == []
    assert [item.name for item in items if item.system and named(item.text) != item.system] == []
    hosts = {name for name in registry.names() if registry.get(name).manifest.kind == "host"}
    for item in items:
        if item.system:
            continue
        accepted = {"", *hosts} if item.name.startswith("host/") else {""}
        assert {named(content) for content in (item.text, *parts(item.text))} <= accepted, item.name
