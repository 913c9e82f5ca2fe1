"""DCQCN at the NIC: every knob with NVIDIA's default, the published alternatives, and why it is this one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from rocecfg.physics.derived import Derived
from rocecfg.physics.headroom import GIGABIT

if TYPE_CHECKING:
    from collections.abc import Iterator

NVIDIA = "NVIDIA DOCA, DCQCN CC Parameters; mlxconfig dumps of ConnectX-5 and ConnectX-6 Dx"
HPCC = "alibaba-edu/High-Precision-Congestion-Control simulation/run.py"
CNP_INTERVAL_US = 4
AI_RATE_PER_25G, HAI_RATE_PER_25G = 5, 50


class Knob(NamedTuple):
    """One DCQCN parameter: mlx5's name, NVIDIA's default, unit, reason."""

    name: str
    default: int
    unit: str
    because: str


KNOBS = (
    Knob("min_time_between_cnps", CNP_INTERVAL_US, "us",
         "newer cards' default; 50 us of the paper lets a 32:1 incast reach PAUSE before the second notification"),
    Knob("rate_reduce_monitor_period", 4, "us", "shortest time between two rate cuts; the paper used 50"),
    Knob("rpg_time_reset", 300, "us", "time between two rate increases; the paper used 55"),
    Knob("rpg_byte_reset", 32_767, "B", "bytes between two rate increases; the paper used 10 MB, HPCC switches it off"),
    Knob("rpg_threshold", 1, "", "fast-recovery rounds before additive increase; the paper used 5"),
    Knob("rpg_ai_rate", AI_RATE_PER_25G, "Mb/s", "additive increase; HPCC scales it with the line rate, 5 a 25G"),
    Knob("rpg_hai_rate", HAI_RATE_PER_25G, "Mb/s", "hyper increase; HPCC scales it with the line rate, 50 a 25G"),
    Knob("rpg_gd", 11, "log2", "gain of the rate cut"),
    Knob("rpg_min_dec_fac", 50, "%", "a cut never takes more than half"),
    Knob("rpg_min_rate", 1, "Mb/s", "a sender never falls below this"),
    Knob("rate_to_set_on_first_cnp", 0, "Mb/s", "0 = keep the line rate until the first cut"),
    Knob("initial_alpha_value", 1023, "of 1024", "the first cut is a full one"),
    Knob("dce_tcp_g", 1019, "of 1024", "alpha keeps 1019/1024 of itself: g = 5/1024; the paper used 1/256"),
    Knob("dce_tcp_rtt", 1, "us", "alpha is updated each microsecond; the paper used 55"),
)  # fmt: skip
"""In the order people read them."""


PLANNED = (
    "min_time_between_cnps",
    "rate_reduce_monitor_period",
    "rpg_time_reset",
    "rpg_byte_reset",
    "rpg_threshold",
    "rpg_ai_rate",
    "rpg_hai_rate",
)
"""The knobs that a plan states: notification interval, timers and increase. The others stay as the card has them."""
UNITS = {knob.name: knob.unit for knob in KNOBS}


@dataclass(frozen=True, slots=True)
class Reaction:
    """The numbers that decide where senders settle: Mb/s, microseconds, bytes (0 = byte counter off)."""

    ai_rate: int = AI_RATE_PER_25G
    time_reset_us: int = 300
    byte_reset: int = 32_767
    alpha_timer_us: int = 1


def parameters() -> Iterator[tuple[str, Derived]]:
    """Yield every knob by mlx5's name with NVIDIA's default and its reason."""
    for knob in KNOBS:
        yield knob.name, Derived(knob.default, knob.unit, f"NVIDIA's default; {knob.because}", sources=(NVIDIA,))


def scaled_increase(rate: int) -> tuple[Derived, Derived]:
    """Return additive and hyper increase in Mb/s that grow with the line rate, as HPCC's script sets them.

    An increase that does not grow makes recovery slow: 5 Mb/s each 300 us needs 6 s for 100 Gb/s without the hyper
    phase.
    """
    steps = Fraction(rate, 25 * GIGABIT)
    return tuple(  # type: ignore[return-value]
        Derived(
            max(int(base * steps), base),
            "Mb/s",
            f"{base} Mb/s for each 25G of line rate: recovery then takes the same time at every speed",
            sources=(HPCC,),
        )
        for base in (AI_RATE_PER_25G, HAI_RATE_PER_25G)
    )
