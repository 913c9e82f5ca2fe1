"""Incasts for the tests of the model."""

from __future__ import annotations

from fractions import Fraction

from rocecfg.incast.numbers import DEFAULTS, Incast, Ingress, Reaction, spread

GIGABIT = 10**9
MB = 1_000_000


def incast(
    senders: int,
    *,
    rate: int = 100 * GIGABIT,
    pool: int = 32 * MB,
    alpha: Fraction = Fraction(1, 8),
    ramp: tuple[int, int, Fraction] | None = (400_000, 1_600_000, Fraction(20)),
    headroom: int = 60_000,
    clamp: bool = False,
    frame: int = 1000,
    **knobs: int,
) -> Incast:
    """100G, round trip 8 us, 32 MB, alpha 1/8, HPCC's ns-3 numbers: the case of the published prototype table."""
    ingress = Ingress(rate, 2_000, headroom)
    values = {**DEFAULTS, "rpg_byte_reset": 0, "rpg_ai_rate": 20, "rpg_hai_rate": 200, **knobs}
    return Incast(
        rate, spread([(port, ingress, rate) for port in range(senders)], senders), pool, alpha, None, ramp, 8_000, 8_000,
        Reaction(values, clamp), xon_below=9_000, frame=frame,
    )  # fmt: skip
