"""Quantities: what is accepted, what is refused with which words, and that printing loses nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocecfg import units
from rocecfg.units import UnitError


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (units.parse_size, "150KB", 150_000),
        (units.parse_size, "150kB", 150_000),
        (units.parse_size, "1MiB", 1_048_576),
        (units.parse_size, "1.5KB", 1_500),
        (units.parse_size, "9216B", 9_216),
        (units.parse_size, "12 MB", 12_000_000),
        (units.parse_rate, "400G", 400_000_000_000),
        (units.parse_rate, "1.6T", 1_600_000_000_000),
        (units.parse_rate, "100Gb/s", 100_000_000_000),
        (units.parse_rate, "25Gbps", 25_000_000_000),
        (units.parse_length, "30m", 30),
        (units.parse_length, "2km", 2_000),
        (units.parse_length, "0.5m", Fraction(1, 2)),
        (units.parse_duration, "200ms", 200_000_000),
        (units.parse_duration, "8us", 8_000),
        (units.parse_duration, "8µs", 8_000),
        (units.parse_percent, "10%", 10),
        (units.parse_percent, "0.5%", Fraction(1, 2)),
        (units.parse_alpha, "1/8", Fraction(1, 8)),
        (units.parse_alpha, "2^-3", Fraction(1, 8)),
        (units.parse_alpha, 2, Fraction(2)),
        (units.parse_alpha, 0.125, Fraction(1, 8)),
        (units.parse_ratio, "2:1", Fraction(2)),
        (units.parse_ratio, "3/2", Fraction(3, 2)),
    ],
)
def test_reads(read, text, value):
    assert read(text) == value


@pytest.mark.parametrize(
    ("read", "text", "parts"),
    [
        (units.parse_size, 150, ('size "150" has no unit', "150KB (1000), 128KiB (1024)")),
        (units.parse_size, "150", ('size "150" has no unit',)),
        (units.parse_size, "150Kb", ('unknown unit "Kb"', 'did you mean "kB"?')),
        (units.parse_size, "150Mib", ('unknown unit "Mib"', 'did you mean "MiB"?')),
        (units.parse_size, "0.3B", ("no whole number of bytes",)),
        (units.parse_size, "-1KB", ('"-1KB" is no size',)),
        (units.parse_size, True, ('"true" is no size',)),
        (units.parse_size, None, ('"nothing" is no size',)),
        (units.parse_size, ["1KB"], ("is no size",)),
        (units.parse_size, "1" * 5000 + "KB", ("unknown unit",)),
        (units.parse_rate, 400, ('speed "400" has no unit', "25G, 400G, 1.6T")),
        (units.parse_rate, "400GB", ('did you mean "G"?',)),
        (units.parse_length, "30ft", ('unknown unit "ft"', "accepted: 3m")),
        (units.parse_duration, 200, ('time "200" has no unit', "8us, 200ms, 1s")),
        (units.parse_duration, "0.5ns", ("no whole number of nanoseconds",)),
        (units.parse_percent, 10, ("has no unit", "10%")),
        (units.parse_percent, "101%", ("above 100%",)),
        (units.parse_alpha, "1/0", ("must be above 0",)),
        (units.parse_alpha, "2^99", ('"2^99" is no alpha',)),
        (units.parse_alpha, "eighth", ("is no alpha", "1/8")),
        (units.parse_ratio, 0, ("must be above 0",)),
    ],
)
def test_refuses_and_says_what_it_takes(read, text, parts):
    with pytest.raises(UnitError) as caught:
        read(text)
    said = f"{caught.value.message} | {caught.value.help}"
    assert all(part in said for part in parts), said
    assert len(said) < 300


@pytest.mark.parametrize(
    ("write", "value", "text"),
    [
        (units.print_size, 150_000, "150KB"),
        (units.print_size, 131_072, "128KiB"),
        (units.print_size, 1_500_000, "1.5MB"),
        (units.print_size, 0, "0B"),
        (units.print_rate, 400_000_000_000, "400G"),
        (units.print_rate, 1_600_000_000_000, "1.6T"),
        (units.print_length, Fraction(1, 2), "0.5m"),
        (units.print_length, 2_000, "2km"),
        (units.print_duration, 200_000_000, "200ms"),
        (units.print_duration, 8_000, "8us"),
        (units.print_percent, Fraction(1, 2), "0.5%"),
        (units.print_alpha, Fraction(1, 8), "1/8"),
    ],
)
def test_prints_the_shortest_exact_form(write, value, text):
    assert write(value) == text


@given(st.integers(0, 10**17))
def test_whole_quantities_survive_printing(value):
    assert units.parse_size(units.print_size(value)) == value
    assert units.parse_duration(units.print_duration(value)) == value


@given(st.integers(0, 10**12).map(lambda kbit: kbit * 1000))
def test_rates_survive_printing(value):
    assert units.parse_rate(units.print_rate(value)) == value


@given(st.integers(0, 10**9).map(lambda cm: Fraction(cm, 100)))
def test_lengths_and_percents_survive_printing(value):
    assert units.parse_length(units.print_length(value)) == value
    if value <= 100:
        assert units.parse_percent(units.print_percent(value)) == value


@given(st.fractions(min_value=Fraction(1, 1000), max_value=1000, max_denominator=1000))
def test_alpha_survives_printing(value):
    assert units.parse_alpha(units.print_alpha(value)) == value


@given(st.one_of(st.text(), st.integers(), st.floats(), st.booleans(), st.none()))
def test_anything_gives_a_number_or_a_unit_error(value):
    readers = (units.parse_size, units.parse_rate, units.parse_length, units.parse_duration,
               units.parse_percent, units.parse_alpha, units.parse_ratio)  # fmt: skip
    for read in readers:
        number, cure = None, ""
        try:
            number = read(value)
        except UnitError as error:
            cure = error.help
        assert cure.startswith("accepted: ") if number is None else number >= 0
