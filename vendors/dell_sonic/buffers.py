"""Priority groups as `buffer init lossless` carves them: sizes come from the SKU's table, by speed and cable length."""

from __future__ import annotations

from rocecfg.state.model import Headroom, PriorityGroup, eight

POOL = "ingress_lossless_pool"
DEFAULT_CABLE = 40
"""Metres; `cable-length` takes 5, 40 and 300."""


def groups(lossless: frozenset[int], *, carved: bool) -> tuple[PriorityGroup | None, ...] | None:
    """Return the groups of a port whose lossless groups are given; None while nobody carved lossless buffers."""
    if not carved:
        return None
    return eight(
        {
            number: PriorityGroup(lossless=True, headroom=Headroom(by="table"), pool=POOL)
            if number in lossless
            else PriorityGroup(lossless=False)
            for number in range(8)
        }
    )
