"""What we render is valid in Nokia's own models."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

import pytest
from srlinux_plans import fit, planned, rendered
from test_srlinux_round_trip import rich

from rocecfg.vendor import registry
from tests.laws.intents import auto_intent
from tests.laws.intents import planned as planned_intent

if TYPE_CHECKING:
    from pathlib import Path

    from rocecfg.state.model import Device

pytestmark = pytest.mark.oracle


@pytest.fixture(scope="module")
def context(shared: Path) -> Any:
    pytest.importorskip("libyang")
    folder = shared / "oracles" / "srlinux"
    if not folder.is_dir():
        pytest.skip("the models of SR Linux are not beside this checkout")
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module("validate").context()
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("validate", None)


def check(context: Any, text: str) -> None:
    context.parse_data_mem(text, "json", no_state=True, strict=True, validate_present=True)


def devices() -> list[Device]:
    # The check asks every ECN slope for drop probability `all`, which Nokia asks for on the 7250 only.
    plans = [planned(), rich(frozenset())]
    fitted = [fit(plan)[0] for plan in plans]
    for cable in ("3m dac", "150m fibre"):
        fitted += [device.fitted for device in planned_intent(auto_intent("srlinux", "400G", cable)).devices.values()]
    return fitted


def test_rendered_json_validates(context: Any) -> None:
    for device in devices():
        check(context, rendered(device)["switch.json"])


@pytest.mark.parametrize(
    ("word", "wrong"),
    [
        ('"pfc-mapping-profile": "roce-pfc"', '"pfc-mapping-profile": "nobody"'),
        ('"detection-timer": 200', '"detection-timer": 2000'),
        ('"receive": false', '"receive": true'),
        ('"maximum-burst-size": 52110640', '"maximum-burst-size": 0'),
        ('"queue-index": 3', '"queue-indx": 3'),
    ],
)
def test_the_check_bites(context: Any, word: str, wrong: str) -> None:
    import libyang

    text = rendered(fit(planned())[0])["switch.json"]
    assert word in text
    with pytest.raises(libyang.LibyangError):
        check(context, text.replace(word, wrong))


def test_the_manifest_names_the_check() -> None:
    assert any("libyang" in entry.source for entry in registry.get("srlinux").manifest.evidence)
