"""The example of two sites: what keeps a lossless class off a link that cannot carry it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from rocecfg.cli.group import rocecfg

EXAMPLE = (Path(__file__).resolve().parents[2] / "examples" / "two-sites" / "two-sites.roce.yaml").read_text(
    encoding="utf-8"
)


def found(folder: Path, text: str, *, rendered: bool) -> set[tuple[str, str]]:
    """Return rule and severity of what lint finds in the intent, with or without the rendered devices."""
    intent = folder / "two-sites.roce.yaml"
    intent.write_text(text, encoding="utf-8")
    words = ["lint", str(intent), "--format", "json"]
    if rendered:
        out = str(folder / "out")
        assert CliRunner().invoke(rocecfg, ["render", str(intent), "-o", out]).exit_code == 0
        words = ["lint", out, "--intent", str(intent), "--format", "json"]
    ran = CliRunner().invoke(rocecfg, words)
    return {
        (item["rule"], item["severity"]) for item in json.loads(ran.stdout)["findings"] if not item.get("suppressed")
    }


def test_the_example_is_clean(tmp_path: Path) -> None:
    assert found(tmp_path, EXAMPLE, rendered=True) == set()


def test_a_lossless_class_over_the_long_link_is_an_error(tmp_path: Path) -> None:
    pausing = EXAMPLE.replace('{pfc: {mode: "off"}}', '{pfc: {mode: "on"}}')
    assert pausing != EXAMPLE
    assert ("INT-008", "error") in found(tmp_path, pausing, rendered=False)


@pytest.mark.parametrize("short", ["500m", "2km"])
def test_a_short_link_between_buildings_may_carry_it(tmp_path: Path, short: str) -> None:
    near = EXAMPLE.replace('{pfc: {mode: "off"}}', '{pfc: {mode: "on"}}').replace("40km", short)
    assert "INT-008" not in {rule for rule, _ in found(tmp_path, near, rendered=False)}


def test_roce_that_crosses_without_a_reason_given_is_an_error(tmp_path: Path) -> None:
    silent = EXAMPLE.replace('"PATH-001 -- ', '"PATH-002 -- ')
    assert ("PATH-001", "error") in found(tmp_path, silent, rendered=True)
