"""The marking ramp of a planned queue: auto values that act before PAUSE, stated ones left alone and judged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rocecfg.physics import ecn, marking
from rocecfg.physics.marking import DESIGN_INCAST, Shared
from rocecfg.units import print_rate

if TYPE_CHECKING:
    from fractions import Fraction

    from rocecfg.intent.settings import Settings
    from rocecfg.physics.ecn import Ramp


@dataclass(frozen=True, slots=True)
class Marked:
    """What a queue marks for: `rate` in bit/s, the largest RoCE frame in bytes, tiers of switches in the fabric.

    `shared` is what the box leaves to share, None where unknown; `lossless` how many lossless classes a port has;
    `fixed` a stated PAUSE threshold of one ingress group, in bytes.
    """

    rate: int
    frame: int
    tiers: int
    shared: Shared | None
    lossless: int = 1
    fixed: int | None = None


def auto_ramp(settings: Settings, queue: Marked) -> Ramp:
    """Return the ramp that the planner chooses, lowered where the box would pause before it marks."""
    rtt = rtt_of(settings, queue.tiers)
    made = ecn.ramp(queue.rate, rtt, settings.ecn_profile.or_else("balanced"), queue.frame)
    if queue.fixed is not None:
        return marking.clamp_fixed(made, queue.fixed, queue.frame)
    if queue.shared is None:
        return made
    incast = int(settings.design_incast.or_else(DESIGN_INCAST))
    return marking.clamp(made, queue.rate, rtt, queue.shared, incast, queue.frame)


def rtt_of(settings: Settings, tiers: int) -> int:
    """Return the round trip without queueing in nanoseconds: stated, or that of two or three tiers."""
    return int(settings.rtt.or_else(ecn.TWO_TIER_RTT_NS if tiers < 3 else ecn.THREE_TIER_RTT_NS))


def around_stated(made: Ramp, low: int | None, high: int | None) -> Ramp:
    """Return the ramp with its auto end moved so that it stays a ramp beside a stated Kmin or Kmax (bytes)."""
    if low is not None and high is None and made.kmax.value <= low:
        kmax = replace(made.kmax, value=2 * low, because=f"twice the stated Kmin of {low} B")
        return replace(made, kmax=kmax)
    if high is not None and low is None and made.kmin.value >= high:
        kmin = replace(made.kmin, value=high // 4, because=f"a quarter of the stated Kmax of {high} B")
        return replace(made, kmin=kmin)
    return made


def checks(settings: Settings, queue: Marked, kmin: int) -> tuple[str, ...]:
    """Return what the two inequalities say about a Kmin, as sentences; empty where the shared buffer is not known."""
    shared = queue.shared
    if shared is None:
        return ()
    rtt = rtt_of(settings, queue.tiers)
    incast = int(settings.design_incast.or_else(DESIGN_INCAST))
    found = [marking.fan_in(kmin, queue.rate, rtt, shared, 1), marking.fan_in(kmin, queue.rate, rtt, shared, incast)]
    if settings.design_fanout.value is not None:
        found.append(marking.fan_out(kmin, shared, int(settings.design_fanout.value), queue.lossless))
    return tuple(f"{check.name} {'holds' if check.holds else 'FAILS'}: {check.sentence}" for check in found)


def close_call(settings: Settings, queue: Marked, kmin: int) -> str:
    """Return where to look when the design incast comes near PAUSE before marks act, or passes it; else nothing."""
    if queue.shared is None:
        return ""
    incast = int(settings.design_incast.or_else(DESIGN_INCAST))
    check = marking.fan_in(kmin, queue.rate, rtt_of(settings, queue.tiers), queue.shared, incast)
    if check.left <= marking.SAFE_PART * check.right:
        return ""
    return (
        f"an incast of {incast} at {print_rate(queue.rate)} is marginal: {check.left} B queue up before marks act,"
        f" PAUSE goes out at {check.right} B; `rocecfg simulate INTENT --incast {incast}` steps it through time"
    )


def shared_with(size: int | None, alpha: Fraction, reserved: int) -> Shared | None:
    """Return the shared buffer of a box for one alpha, None where its size is unknown or nothing is left."""
    return Shared(size, alpha, reserved) if size is not None and size > 0 else None
