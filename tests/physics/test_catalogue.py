"""The catalogue: every value has a source, and the words of an intent find the right chip."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rocecfg import packs
from rocecfg.errors import ConfigurationError, UsageError
from rocecfg.vendor.asics import catalogue

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("model", "chip"),
    [
        ("Mellanox-SN5600", "spectrum-4"),
        ("SN5400", "spectrum-4"),
        ("msn2700", "spectrum-1"),
        ("SN3420", "spectrum-2"),
        ("N9K-C9364D-GX2A", "cloud-scale-gx2"),
        ("QFX5230-64CD", "tomahawk-4"),
        ("QFX5240-64OD", "tomahawk-5"),
        ("DellEMC-Z9664f-O64", "tomahawk-4"),
        ("dellemc-z9664F", "tomahawk-4"),
        ("DCS-7060X6-64PE", "tomahawk-5"),
        ("ConnectX-7", "connectx-7"),
        ("connectx7", "connectx-7"),
        ("MCX75310AAS-NEAT", "connectx-7"),
        ("BlueField-3", "connectx-7"),
        ("7280R3A", None),
        ("SN9999", None),
        ("", None),
        ("x" * 10_000, None),
    ],
)
def test_a_model_finds_its_chip(model: str, chip: str | None) -> None:
    found = catalogue().of_device(model, None)
    assert (found.name if found else None) == chip


def test_a_sku_is_found_without_case_and_builder() -> None:
    assert catalogue().sku("acs-sn5600").sku == "ACS-SN5600"
    assert catalogue().sku("SN2700-D48C8").sku == "Mellanox-SN2700-D48C8"
    assert catalogue().sku("SN5400").sku is None  # a model without an entry of its own


def test_the_asic_word_wins_over_the_model() -> None:
    found = catalogue().of_device("SN9999", "Tomahawk5")
    assert found is not None
    assert found.name == "tomahawk-5"
    both = catalogue().of_device("ACS-MSN3700", "spectrum2")
    assert both is not None
    assert both.sku == "ACS-MSN3700"


def test_unknown_names_get_the_nearest_one() -> None:
    with pytest.raises(UsageError, match='did you mean "ACS-MSN3700"'):
        catalogue().sku("ACS-MSN370")
    with pytest.raises(UsageError, match='did you mean "tomahawk-5"'):
        catalogue().asic("tomahawk-55")


def test_every_fact_has_a_source_and_the_families_are_there() -> None:
    known = catalogue()
    for chip in (*known.chips.values(), *known.skus.values()):
        for name, fact in {**chip.facts, **chip.shipped}.items():
            assert fact.source, (chip.name, name)
            assert fact.mark in {"seen", "computed", "inferred"}
    for family in ("spectrum", "tomahawk"):
        assert {f"{family}-{number}" for number in range(1, 7)} <= set(known.chips)
    assert {
        "trident-2",
        "trident-3",
        "trident-4",
        "jericho-2",
        "qumran-3d",
        "teralynx-7",
        "teralynx-10",
        "tofino-1",
    } <= set(known.chips)


def test_what_is_unknown_stays_unknown() -> None:
    chip = catalogue().chips["cloud-scale-gx2"]
    assert chip.number("cell") is None
    assert chip.memory() == (125_829_120, "buffer")
    assert not chip.is_seen("buffer")
    assert catalogue().chips["spectrum-5"].memory() == (None, "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("chips: {x: {law: magic}}", "law magic is unknown"),
        ("chips: {x: {law: cells, facts: {cell: {value: 1}}}}", "needs a mark"),
        ("chips: {x: {law: cells, facts: {cell: 1}}}", "is no fact"),
        ("chips: {x: 1}", "is no mapping"),
        ("skus: {x: {chip: nothing}}", "not in the catalogue"),
        ("chips: [", "line"),
    ],
)
def test_a_broken_pack_names_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    folder = tmp_path / "vendors" / "asics"
    folder.mkdir(parents=True)
    (folder / "own.yaml").write_text(text + "\n")
    monkeypatch.setattr(packs, "_extra", [])
    packs.add_packs([tmp_path])
    with pytest.raises(ConfigurationError) as caught:
        catalogue()
    assert "own.yaml" in str(caught.value)
    assert message in str(caught.value) or message == "line"
