"""Headroom per chip: to the byte where vendors ship tables, monotone everywhere, never below what is in the cable."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocecfg.physics.headroom import GIGABIT
from rocecfg.physics.laws import Demand, headroom, longest_cable
from rocecfg.physics.traffic import LARGE, Traffic
from rocecfg.vendor.asics import catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rocecfg.physics.chip import Chip


def shipped(sku: str, gigabits: int, metres: int) -> int:
    chip = catalogue().sku(sku).as_shipped()
    traffic = Traffic(chip.number("small") or Fraction(100), chip.word("small_by") or "")  # type: ignore[arg-type]
    if chip.number("small") == 0:
        traffic = LARGE
    mtu, lossless = chip.whole("mtu_port") or 9216, chip.whole("mtu_lossless") or 9216
    return int(headroom(chip, Demand(gigabits * GIGABIT, metres, mtu, lossless, traffic)).value)


def rows(shared: Path, sku: str) -> Iterator[tuple[int, int, int]]:
    """Gb/s, metres, shipped headroom."""
    path = shared / "oracles" / "sonic" / "pg_profile_lookup" / f"{sku}.ini"
    if not path.is_file():
        pytest.skip(f"{path.name} is not beside this checkout")
    for line in path.read_text().splitlines():
        words = line.split()
        if words and words[0].isdigit():
            yield int(words[0]) // 1000, int(words[1].removesuffix("m")), int(words[4])


@pytest.mark.parametrize(
    ("sku", "count"),
    [
        ("ACS-MSN2700", 15),
        ("ACS-MSN3700", 18),
        ("ACS-MSN4700", 21),
        ("ACS-MSN4600C", 21),
        ("ACS-SN5600", 24),
        ("Mellanox-SN5600-O128", 24),
        ("Mellanox-SN5640-C512S2", 36),
    ],
)
def test_every_row_of_the_shipped_table_to_the_byte(shared: Path, sku: str, count: int) -> None:
    table = list(rows(shared, sku))
    assert len(table) == count
    assert [(g, m, shipped(sku, g, m)) for g, m, _ in table] == table


@pytest.mark.parametrize("sku", ["Mellanox-SN2700", "Mellanox-SN4600C-C64"])
def test_the_halved_rows_of_two_kilometres_are_not_followed(shared: Path, sku: str) -> None:
    for gigabits, metres, kept in rows(shared, sku):
        ours = shipped(sku, gigabits, metres)
        if metres == 2000:
            assert ours > 1.9 * kept
        else:
            assert ours == kept


def test_a_row_that_repeats_a_slower_port_is_not_followed(shared: Path) -> None:
    table = list(rows(shared, "Mellanox-SN4700-O32"))
    off = [(g, m) for g, m, kept in table if abs(shipped("Mellanox-SN4700-O32", g, m) - kept) > 2048]
    assert off == [(400, 1500), (400, 2000)]
    assert sum(shipped("Mellanox-SN4700-O32", g, m) == kept for g, m, kept in table) == 28


@pytest.mark.parametrize(
    ("sku", "low", "high", "slowest"),
    [
        ("DellEMC-Z9332f-O32", 0.999, 1.005, 100),
        ("DellEMC-Z9664f-O64", 0.98, 1.02, 10),
        ("Dell-Z9864f-O64", 0.99, 1.01, 100),
        ("DellEMC-S5448f-C48O8", 0.98, 1.02, 10),
        ("DellEMC-S5232f-C32", 0.95, 1.07, 10),
        ("DellEMC-Z9264f-C64", 0.94, 1.05, 10),
        ("common-th-balanced", 0.92, 1.11, 10),
        ("common-td2-balanced", 0.998, 1.005, 40),
    ],
)
def test_broadcom_tables_within_the_spread_of_their_law(
    shared: Path, sku: str, low: float, high: float, slowest: int
) -> None:
    for gigabits, metres, kept in rows(shared, sku):
        if gigabits >= slowest:
            assert low <= shipped(sku, gigabits, metres) / kept <= high, (gigabits, metres)


# (301 + 2.16 x metres) x Gb/s + 2.72 x 9000, in the driver's whole numbers
@pytest.mark.parametrize(
    ("gigabits", "metres", "value"),
    [
        (100, 3, 55_180), (100, 7, 56_080), (100, 30, 60_980), (100, 100, 76_180), (100, 300, 119_380),
        (200, 3, 85_880), (200, 7, 87_680), (200, 30, 97_480), (200, 100, 127_880), (200, 300, 214_280),
        (400, 3, 147_280), (400, 7, 150_880), (400, 30, 170_480), (400, 100, 231_280), (400, 300, 404_080),
        (800, 3, 270_080), (800, 7, 277_280), (800, 30, 316_480), (800, 100, 438_080), (800, 300, 783_680),
        (25, 7, 316 * 40 + 24_480),
    ],
)  # fmt: skip
def test_the_nic_driver_keeps_what_it_keeps(gigabits: int, metres: int, value: int) -> None:
    chip = catalogue().chips["connectx-7"]
    assert headroom(chip, Demand(gigabits * GIGABIT, metres, 9000, 9000)).value == value


def test_a_worked_case_term_by_term() -> None:
    """Spectrum-4, 400G, 40 m: 1024 + 3 x (9216 + 20202.02 + 819.2 + 905 x 64 + 6000) rounded up to KiB."""
    found = headroom(catalogue().sku("ACS-SN5600").as_shipped(), Demand(400 * GIGABIT, 40, 9216, 1024))
    assert found.value == 283_648
    assert [(term.name, term.bytes) for term in found.terms] == [
        ("lossless frame", 1024), ("port frame", 9216), ("cable both ways", 20_202), ("MAC and PHY", 819),
        ("response", 57_920), ("tile", 6000), ("packing", 188_314), ("rounding up", 153),
    ]  # fmt: skip
    assert sum(term.bytes for term in found.terms) == found.value


def test_tomahawk_5_in_the_worst_case_by_hand() -> None:
    """254/84 x (21186 + 50 x (2140 + 10 x 40)) = 448,078 B, in whole cells of 254 B."""
    found = headroom(catalogue().chips["tomahawk-5"], Demand(400 * GIGABIT, 40, 9216, 9216))
    assert found.value == 448_310
    assert found.value % 254 == 0


def test_a_known_cell_without_a_law_packs_the_802_1q_bound() -> None:
    chip = catalogue().chips["silicon-one-gibraltar"]
    demand = Demand(100 * GIGABIT, 40, 9216, 9216)
    found = headroom(chip, demand)
    on_wire = int(headroom(None, demand).value)
    exact = 384 * 25 + Fraction(384, 84) * (on_wire - 9236)
    assert found.value == -(-exact // 384) * 384
    assert headroom(chip, Demand(100 * GIGABIT, 40, 9216, 9216, LARGE)).value < found.value


def test_an_unknown_cell_says_which_bound_is_used() -> None:
    found = headroom(catalogue().chips["cloud-scale-gx2"], Demand(400 * GIGABIT, 5, 9216, 9216))
    assert found.value == headroom(None, Demand(400 * GIGABIT, 5, 9216, 9216)).value
    assert "bound of 802.1Q is used instead" in found.assumptions[0]


def test_800g_keeps_the_time_of_400g_unless_a_shipped_table_is_followed() -> None:
    own = headroom(catalogue().chips["spectrum-4"], Demand(800 * GIGABIT, 5, 9216, 1024))
    table = headroom(catalogue().sku("ACS-SN5600").as_shipped(), Demand(800 * GIGABIT, 5, 9216, 1024))
    assert own.value > table.value == 257_024
    assert any("1810" in term.because for term in own.terms)


def test_gearbox_and_own_delay_are_added_both_ways() -> None:
    demand = Demand(100 * GIGABIT, 5, 9216, 1024)
    plain = headroom(catalogue().sku("ACS-MSN3700"), demand).value
    gearbox = headroom(catalogue().sku("ACS-MSN3800"), demand)
    # 2 x 100,000 Mb/s x 400 / 8192 = 9766 B, packed at 3 x
    assert gearbox.value - plain == pytest.approx(3 * 9766, abs=1024)
    delayed = headroom(None, Demand(100 * GIGABIT, 5, 9216, 1024, extra_delay=250))
    assert delayed.value == headroom(None, demand).value + 2 * 3125


def test_forty_kilometres() -> None:
    found = headroom(None, Demand(400 * GIGABIT, 40_000, 9216, 9216))
    assert found.value == pytest.approx(20_080_000, rel=0.001)


def test_the_longest_cable_is_where_headroom_meets_the_limit() -> None:
    chip = catalogue().chips["spectrum-4"]
    demand = Demand(400 * GIGABIT, 1, 9216, 9216)
    longest = longest_cable(chip, demand, 8_388_608)
    assert headroom(chip, Demand(400 * GIGABIT, longest, 9216, 9216)).value <= 8_388_608
    assert headroom(chip, Demand(400 * GIGABIT, longest + 1, 9216, 9216)).value > 8_388_608
    assert longest_cable(chip, demand, 10) == 0


CHIPS = st.sampled_from([None, *catalogue().chips.values(), *(chip.as_shipped() for chip in catalogue().skus.values())])
PAIR_OF_SPEEDS = st.tuples(st.integers(1, 1600), st.integers(1, 1600))
PAIR_OF_LENGTHS = st.tuples(st.integers(1, 40_000), st.integers(1, 40_000))
PAIR_OF_MTUS = st.tuples(st.integers(256, 10_000), st.integers(256, 10_000))
PAIR_OF_SHARES = st.tuples(st.integers(0, 100), st.integers(0, 100))
COUNTED = st.sampled_from(["", "bytes", "packets", "script"])


@given(CHIPS, PAIR_OF_SPEEDS, PAIR_OF_LENGTHS, st.integers(256, 10_000), st.integers(0, 100))
def test_faster_or_longer_never_needs_less(
    chip: Chip | None, speeds: tuple[int, int], lengths: tuple[int, int], mtu: int, small: int
) -> None:
    """Law 5, on every chip."""
    traffic = Traffic(Fraction(small))
    less = headroom(chip, Demand(min(speeds) * GIGABIT, min(lengths), mtu, mtu, traffic))
    more = headroom(chip, Demand(max(speeds) * GIGABIT, max(lengths), mtu, mtu, traffic))
    assert less.value <= more.value


@given(CHIPS, PAIR_OF_MTUS, PAIR_OF_SHARES, COUNTED)
def test_more_small_packets_or_a_larger_port_frame_never_needs_less(
    chip: Chip | None, mtus: tuple[int, int], shares: tuple[int, int], counted: str
) -> None:
    low, high = (Traffic(Fraction(share), counted) for share in sorted(shares))  # type: ignore[arg-type]
    less = headroom(chip, Demand(100 * GIGABIT, 40, min(mtus), 4200, low))
    more = headroom(chip, Demand(100 * GIGABIT, 40, max(mtus), 4200, high))
    assert less.value <= more.value


@given(CHIPS, PAIR_OF_MTUS)
def test_a_larger_lossless_frame_never_needs_less_in_the_worst_case(chip: Chip | None, mtus: tuple[int, int]) -> None:
    less = headroom(chip, Demand(100 * GIGABIT, 40, 9216, min(mtus)))
    more = headroom(chip, Demand(100 * GIGABIT, 40, 9216, max(mtus)))
    assert less.value <= more.value


@given(CHIPS, st.integers(1, 1600), st.integers(1, 40_000), st.integers(256, 10_000), st.integers(0, 100))
def test_never_below_what_is_under_way(chip: Chip | None, gigabits: int, metres: int, mtu: int, small: int) -> None:
    demand = Demand(gigabits * GIGABIT, metres, mtu, mtu, Traffic(Fraction(small)))
    found = headroom(chip, demand)
    assert found.value >= demand.floor
    assert sum(term.bytes for term in found.terms) == found.value
    assert found.because
    assert found.sources
