"""What `roce lossless | semi-lossless | lossy` stands for: settings that the switch makes itself.

Sources: RoCE commands of the Onyx User Manual 3.10 (modes, trust, thresholds, classes, scheduling, PFC), `show roce` of
a switch with 3.10.4006 (its two traffic pools, both `auto`), and what a host learnt from that switch by DCBX: all other
priorities in traffic class 0 with a weight of 50. What no output shows stays unknown: the pools of the two other modes.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from rocecfg.state.model import Amount

ROCE_PRIORITY: Final = 3
CNP_PRIORITY: Final = 6
LOW, HIGH = Amount(150, "kbyte", 150_000), Amount(1500, "kbyte", 1_500_000)
"""Thresholds of the marking, in KB as the command line counts."""
Mode = Literal["lossless", "semi-lossless", "lossy"]
MODES: tuple[Mode, ...] = ("lossless", "semi-lossless", "lossy")
LOSSLESS_POOL: Final = "roce-reserved"
LOSSY_POOL: Final = "lossy-default"

SETTINGS: dict[tuple[object, ...], object] = {
    ("trust",): "dscp",
    **{("bind", priority): 0 for priority in range(8)},
    ("bind", ROCE_PRIORITY): ROCE_PRIORITY,
    ("bind", CNP_PRIORITY): CNP_PRIORITY,
    ("ets", 0): ("weighted", 50),
    ("ets", ROCE_PRIORITY): ("weighted", 50),
    ("ets", CNP_PRIORITY): ("strict", 0),
    ("marking", ROCE_PRIORITY): ("ecn", LOW, HIGH),
    ("marking", 0): ("ecn", LOW, HIGH),
}
"""What every mode sets on each port; a line of the port wins."""


class Sides(NamedTuple):
    """PFC of a mode: whether the ports pause their peers, and whether they obey pauses."""

    sends: bool
    honours: bool


PFC: dict[str, Sides] = {
    "lossless": Sides(sends=True, honours=True),
    "semi-lossless": Sides(sends=False, honours=True),
    "lossy": Sides(sends=False, honours=False),
}
