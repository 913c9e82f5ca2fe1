"""Sizes of lossless pools: whole percent, hundredths, the factory's."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse


@pytest.mark.parametrize(
    ("size", "percent"),
    [("30", 30), ("30.00", 30), ("30.25", Fraction(121, 4)), ("factory-default", Fraction(203, 5))],
)
def test_the_size_of_a_pool(size: str, percent: Fraction) -> None:
    line = f"qos pool 1 lossless size {size} percent headroom 2048 kbytes priorities 3,4\n"
    device = parse(Capture("a", "aruba_cx", (Text("a.cfg", f"hostname a\n{line}interface 1/1/1\n    no shutdown\n"),)))
    assert not device.lines
    assert device.pools[0].total.value == percent


@pytest.mark.parametrize("size", ["100.01", "30.123", "-3", "1e1", "٣", "3.", ".5", "30%"])
def test_a_size_that_cannot_be_is_reported(size: str) -> None:
    line = f"qos pool 1 lossless size {size} percent headroom 2048 kbytes priorities 3,4\n"
    device = parse(Capture("a", "aruba_cx", (Text("a.cfg", f"hostname a\n{line}interface 1/1/1\n    no shutdown\n"),)))
    assert len(device.lines) == 1
