"""The reference corpus, where it lies beside the checkout: what it holds of H3C is read and understood."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rocecfg.state.capture import Capture, captures_under
from rocecfg.state.parse import parse

if TYPE_CHECKING:
    from pathlib import Path


def test_every_file_is_understood(shared: Path) -> None:
    folder = shared / "corpus" / "h3c"
    if not folder.is_dir():
        pytest.skip("no H3C files beside this checkout")
    read = left = 0
    for capture in captures_under(folder):
        assert isinstance(capture, Capture)
        device = parse(capture)
        assert device.nos == "h3c"
        assert device.ports
        read += device.lines_read
        left += len(device.lines)
    assert read
    assert left <= read / 100


def test_the_wrapped_row_of_the_command_reference(shared: Path) -> None:
    file = shared / "corpus" / "h3c" / "cmdref-display-priority-flow-control.txt"
    if not file.is_file():
        pytest.skip("no H3C files beside this checkout")
    (capture,) = captures_under(file)
    assert isinstance(capture, Capture)
    device = parse(capture)
    assert device.sample is not None
    counted = device.sample.ports["HundredGigE1/0/1"]
    assert counted.rx_pfc is not None
    assert counted.tx_pfc is not None
    assert (counted.rx_pfc[0], counted.tx_pfc[0]) == (5, 5)
