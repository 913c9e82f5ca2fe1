"""Rows and numbers that once ended in a traceback: each ends in a state with a line reported, or in one clear error."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse

fuzz = load_module(Path(__file__).resolve().parents[2] / "benchmarks" / "fuzz.py")
CASES = {
    "a DCBX row without its word": ("windows_dcb", "Willing PolicySet IfIndex IfAlias\n------- --------- ------- -------\n        Global\n"),
    "a queue that no switch has": (
        "srlinux",
        ("set / qos queues queue q queue-index 99\nset / qos forwarding-classes forwarding-class c output unicast-queue q\n"
        "set / interface ethernet-1/1 mtu 99999999999999999999\n"),
    ),
    "a row before its headings": ("aruba_cx", "Interface 1/1/1 is up\n  Q3   12\n"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_damage_is_reported(case: str) -> None:
    system, text = CASES[case]
    with suppress(ReadError):
        device = parse(Capture("box", system, (Text("box.txt", text),), file="box.txt"))
        assert fuzz.impossible(device) == ""
        assert device.lines
