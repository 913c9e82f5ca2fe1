"""ECN must act before PFC: the two inequalities, the clamp of a ramp to them, and where DCQCN settles.

ECN marks on an egress queue, PFC counts each ingress, so there are two opposite worst cases: many ingress ports into
one queue (fan-in) and one ingress port into many queues (fan-out).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.physics.derived import Derived
from rocecfg.physics.ecn import LEAST_KMIN_FRAMES, Ramp
from rocecfg.physics.headroom import bytes_in
from rocecfg.physics.thresholds import pause_depth

if TYPE_CHECKING:
    from rocecfg.physics.dcqcn import Reaction

DESIGN_INCAST = 16
"""Senders into one receiver that a fabric is sized for where nobody says."""
SAFE_PART = Fraction(8, 10)
"""House rule: Kmax and the overshoot stay within 80 % of the depth at which PAUSE goes out."""
REACTION_NS = 5_000
"""From a mark to a slower sender beyond the round trip: making the CNP and acting on it, 1 to 5 us."""
SOURCES = (
    "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (SIGCOMM 2015), section on buffer thresholds",
    "Choudhury and Hahne, IEEE/ACM ToN 6(2), 1998",
)
FLUID = "Zhu et al., ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY (CoNEXT 2016), small-p fixed point"


@dataclass(frozen=True, slots=True)
class Shared:
    """The buffer that lossless queues share on a box: bytes left after headroom, alpha, guaranteed bytes a group."""

    size: int
    alpha: Fraction
    reserved: int = 0


@dataclass(frozen=True, slots=True)
class Check:
    """One inequality: `left` must stay below `right`, both in bytes."""

    name: str
    holds: bool
    left: int
    right: int
    sentence: str


def loop_ns(rtt_ns: int) -> int:
    """Return the time from the first mark to the first slower byte, in nanoseconds."""
    return rtt_ns + REACTION_NS


def overshoot(rate: int, rtt_ns: int, senders: int) -> int:
    """Return the bytes that `senders` at line rate add to one queue before the first of them slows down."""
    return int((senders - 1) * bytes_in(rate, loop_ns(rtt_ns)))


def fan_in(kmin: int, rate: int, rtt_ns: int, shared: Shared, senders: int) -> Check:
    """Return whether marks act before PAUSE when `senders` ingress ports feed one egress queue."""
    more = overshoot(rate, rtt_ns, senders)
    depth = int(pause_depth(shared.alpha, shared.size, senders, shared.reserved))
    return Check(
        f"fan-in {senders}:1",
        kmin + more < depth,
        kmin + more,
        depth,
        f"Kmin {kmin} B + {senders - 1} x line rate x {loop_ns(rtt_ns) / 1000:g} us = {kmin + more} B against PAUSE at"
        f" {depth} B (N alpha B / (1 + N alpha), N = {senders}, alpha {shared.alpha}, B {shared.size} B)",
    )


def fan_out(kmin: int, shared: Shared, queues: int, lossless: int = 1) -> Check:
    """Return whether one ingress feeding `queues` egress queues just below Kmin can pause without any mark."""
    most = int(shared.alpha * shared.size / (queues * (1 + lossless * shared.alpha)))
    return Check(
        f"fan-out 1:{queues}",
        kmin < most,
        kmin,
        most,
        f"Kmin {kmin} B against alpha B / (M (1 + P alpha)) = {most} B, M = {queues} queues, P = {lossless} lossless"
        f" priorit{'y' if lossless == 1 else 'ies'}, alpha {shared.alpha}, B {shared.size} B",
    )


def clamp(ramp: Ramp, rate: int, rtt_ns: int, shared: Shared, senders: int, frame: int) -> Ramp:
    """Return the ramp lowered until Kmax and the overshoot of the design incast stay under 80 % of the PAUSE depth.

    Kmin falls with Kmax and never below five frames; where no ramp fits, it stays and Kmax says so.
    """
    room = int(SAFE_PART * pause_depth(shared.alpha, shared.size, senders, shared.reserved))
    room -= overshoot(rate, rtt_ns, senders)
    hopeless = (
        f"{float(SAFE_PART):.0%} of the PAUSE depth (alpha {shared.alpha}, {shared.size} B shared) less the overshoot"
        f" of {senders}:1 leaves {room} B, too little for any ramp; raise alpha, share more buffer or lower the design"
        " incast"
    )
    limit = (
        f"Kmax + overshoot of {senders}:1 within {float(SAFE_PART):.0%} of the PAUSE depth leaves {room} B"
        f" (alpha {shared.alpha}, {shared.size} B shared)"
    )
    return _within(ramp, room, frame, limit, hopeless)


def clamp_fixed(ramp: Ramp, xoff: int, frame: int) -> Ramp:
    """Return the ramp lowered until Kmax stays under 80 % of a fixed PAUSE threshold of one ingress group, in bytes."""
    room = int(SAFE_PART * xoff)
    limit = (
        f"Kmax within {float(SAFE_PART):.0%} of the fixed PAUSE threshold of {xoff} B, which one sender alone can reach"
    )
    return _within(ramp, room, frame, limit, f"{limit}, leaves {room} B, too little for any ramp; raise the threshold")


def _within(ramp: Ramp, room: int, frame: int, limit: str, hopeless: str) -> Ramp:
    high, low = int(ramp.kmax.value), int(ramp.kmin.value)
    if high <= room:
        return ramp
    floor = -(-LEAST_KMIN_FRAMES * frame // 1000) * 1000
    if room < 2 * floor:
        return replace(ramp, kmax=replace(ramp.kmax, because=f"{ramp.kmax.because}; not lowered: {hopeless}"))
    new_low = max(min(low, low * room // high // 1000 * 1000), floor)
    new_high = room // 1000 * 1000
    return replace(
        ramp,
        kmin=_lowered(ramp.kmin, min(low, new_low), limit),
        kmax=_lowered(ramp.kmax, min(high, new_high), limit),
    )


def _lowered(number: Derived, value: int, limit: str) -> Derived:
    if value == number.value:
        return number
    return replace(number, value=value, because=f"{number.because}; lowered from {number.value} B: {limit}",
                   sources=(*number.sources, *SOURCES))  # fmt: skip


def settles_at(ramp: Ramp, rate: int, flows: int, reaction: Reaction, packet: int = 1000) -> Derived:
    """Return the queue in bytes where `flows` DCQCN senders settle, from the fluid model's small-p fixed point.

    The model is good to about a quarter. Above Pmax the queue parks at Kmax.
    """
    capacity = rate / 8 / packet
    add = reaction.ai_rate * 1_000_000 / 8 / packet
    tau, timer = reaction.alpha_timer_us / 1e6, reaction.time_reset_us / 1e6
    counter = reaction.byte_reset / packet
    inner = (1 / counter if counter else 0) + flows / (timer * capacity)
    probability = (add * flows**2 / (tau * capacity**2) * inner**2) ** (1 / 3)
    most = int(ramp.pmax.value) / 100
    low, high = int(ramp.kmin.value), int(ramp.kmax.value)
    parked = probability > most
    value = high if parked else int(low + probability / most * (high - low))
    end = (
        f"above Pmax {most:.0%}: the queue parks at Kmax, raise Pmax rather than Kmax"
        if parked
        else f"of Pmax {most:.0%}: Kmin + {probability / most:.1%} of the ramp"
    )
    model = (
        f"rate increase {reaction.ai_rate} Mb/s each {reaction.time_reset_us} us or {reaction.byte_reset} B, alpha"
        f" update {reaction.alpha_timer_us} us, packets of {packet} B; the model is good to about 25 %"
    )
    return Derived(
        value,
        "B",
        f"{flows} flows settle at a marking probability of {probability:.3%}, {end} = {value} B",
        assumptions=(model,),
        sources=(FLUID,),
    )
