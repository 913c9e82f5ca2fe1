"""Counters of a step: a name means what its own NIC's driver means by it, and nothing where no driver is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rocecfg.acceptance.read_counters import growth, meaning

if TYPE_CHECKING:
    from pathlib import Path


def folders(root: Path, before: int, after: int) -> tuple[Path, Path]:
    for name, count in (("before", before), ("after", after)):
        (root / name).mkdir()
        (root / name / "rail0.ethtool").write_text(f"     rx_prio3_pause: {count}\n     tx_prio3_pause: {count}\n")
    return root / "before", root / "after"


def test_a_name_is_read_in_the_words_of_its_family() -> None:
    assert meaning("mlx5", "rx_prio3_pause") == ("rx_pfc", 3, 1)
    assert meaning("mlx5", "tx_pause_storm_error_events") == ("nic_storms", None, 1)
    assert meaning("mlx5", "no_such_counter") is None


@pytest.mark.parametrize("family", ["linux_dcb", "windows_dcb", "unheard_of", "", "../mlx5"])
def test_a_family_without_words_of_its_own_borrows_none(family: str) -> None:
    assert meaning(family, "rx_prio3_pause") is None


def test_growth_of_a_known_family_and_of_an_unknown_one(tmp_path: Path) -> None:
    before, after = folders(tmp_path, 5, 12)
    grew = growth(before, after, {"rail0": "mlx5"})
    assert (grew.of("rx_pfc", 3), grew.trouble) == (7, [])
    unknown = growth(before, after, {"rail0": "linux_dcb"})
    assert unknown.of("rx_pfc", 3) is None
    assert unknown.trouble == ["no counter that is known by name"]
    assert growth(before, after, {}).trouble == ["no counter that is known by name"]
