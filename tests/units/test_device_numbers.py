"""Numbers as devices print them: plain digits, within bounds, no matter how long or strange the word."""

from __future__ import annotations

import pytest

from rocecfg.state.numbers import DSCP_NAMES, natural, number_set, whole_number


@pytest.mark.parametrize(
    "word", ["", "-1", "+1", "1_0", "1.0", " 1", "1\n", "٣", "３", "²", "1e3", "0x1", "9" * 5000, None]
)
def test_only_plain_digits_are_a_number(word: str | None) -> None:
    assert whole_number(word, 10**30) is None


def test_bounds_belong_to_the_range() -> None:
    assert [whole_number(word, 7, 1) for word in ("0", "1", "7", "8", "007")] == [None, 1, 7, None, 7]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("3", {3}), ("0-2,4-7", {0, 1, 2, 4, 5, 6, 7}), ("0, 2", {0, 2}), ("0 2 to 4", {0, 2, 3, 4}), ("3,3", {3}),
        ("", None), ("8", None), ("4-2", None), ("1-", None), ("-1", None), ("1-2-3", None), ("3,x", None), ("af11", None),
    ],
)  # fmt: skip
def test_lists_and_ranges(text: str, numbers: set[int] | None) -> None:
    assert number_set(text, 7) == numbers


def test_names_stand_for_their_codes_within_the_bounds_too() -> None:
    assert number_set("AF31,ef,1-2", 63, DSCP_NAMES) == {26, 46, 1, 2}
    assert number_set("af31", 7, DSCP_NAMES) is None
    assert (len(DSCP_NAMES), DSCP_NAMES["cs6"], DSCP_NAMES["af43"]) == (20, 48, 38)


def test_a_list_of_any_length_ends() -> None:
    assert number_set("1," * 1_000_000, 7) == {1}


def test_natural_raises_for_what_is_none() -> None:
    assert natural("42") == 42
    with pytest.raises(ValueError, match="64"):
        natural("64", 63)
