"""`ingress-buffer dynamic`: a percentage that the chip rounds to a power of two of alpha."""

from __future__ import annotations

from fractions import Fraction

_BANDS: tuple[tuple[int, Fraction], ...] = (
    (0, Fraction(1, 128)),
    (1, Fraction(1, 64)),
    (3, Fraction(1, 32)),
    (5, Fraction(1, 16)),
    (11, Fraction(1, 8)),
    (20, Fraction(1, 4)),
    (33, Fraction(1, 2)),
    (50, Fraction(1)),
    (66, Fraction(2)),
    (80, Fraction(4)),
    (100, Fraction(8)),
)
"""(highest percentage of a band, alpha): share = alpha / (1 + alpha), rounded up. From the RDMA Technical Reference."""


def alpha_of(percent: int) -> Fraction:
    """Return the alpha that a percentage ends in: 21 and 33 are both 1/2."""
    return next(alpha for top, alpha in _BANDS if percent <= top)


def percent_of(alpha: Fraction) -> tuple[int, Fraction]:
    """Return the percentage to enter for the nearest alpha that is not larger, and that alpha."""
    top, found = next(((top, own) for top, own in reversed(_BANDS) if own <= alpha), _BANDS[0])
    return top, found
