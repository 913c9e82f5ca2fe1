"""When PAUSE goes out and when it ends: dynamic thresholds (Choudhury and Hahne) and hysteresis."""

from __future__ import annotations

from fractions import Fraction

from rocecfg.physics.derived import Derived

DEFAULT_ALPHA = Fraction(1)
HYSTERESIS_FRAMES = 2
CHOUDHURY_HAHNE = "Choudhury and Hahne, Dynamic queue length thresholds, IEEE/ACM ToN 6(2), 1998"
SOURCES = (CHOUDHURY_HAHNE, "sonic-net/sonic-buildimage pg_profile_lookup.ini (dynamic_th 0 on most SKUs)")


def share(alpha: Fraction, queues: int) -> Fraction:
    """Return the part of the shared buffer that each of `queues` equal queues may hold: alpha / (1 + n alpha)."""
    return alpha / (1 + queues * alpha)


def pause_depth(alpha: Fraction, shared: int, senders: int, reserved: int = 0) -> Fraction:
    """Return the egress depth in bytes at which PAUSE goes out when `senders` ingress ports feed one egress queue.

    N alpha B / (1 + N alpha) + N x reserved: ECN counts the egress queue, PFC each ingress, so their sum matters.
    """
    return senders * share(alpha, senders) * shared + senders * reserved


def xoff(alpha: Fraction, shared: int, queues: int) -> Derived:
    """Return the fill at which PAUSE goes out for each of `queues` equally full ingress groups, in bytes."""
    value = int(share(alpha, queues) * shared)
    return Derived(
        value,
        "B",
        f"alpha {alpha} / (1 + {queues} x {alpha}) = {float(share(alpha, queues)):.1%} of {shared} B shared",
        sources=(CHOUDHURY_HAHNE,),
    )


def default_alpha() -> Derived:
    """Return the alpha of a lossless priority group where the intent leaves it open."""
    one, eight = share(DEFAULT_ALPHA, 1), share(DEFAULT_ALPHA, 8)
    return Derived(
        DEFAULT_ALPHA,
        "",
        f"one congested port may fill {float(one):.0%} of the shared buffer, eight at once {float(eight):.0%} each;"
        " the value most shipped SONiC tables use",
        sources=SOURCES,
    )


def xon_below(frame: int) -> Derived:
    """Return how far below the PAUSE threshold transmission resumes, in bytes."""
    value = HYSTERESIS_FRAMES * frame
    return Derived(
        value,
        "B",
        f"{HYSTERESIS_FRAMES} frames of {frame} B: with less, one drained packet resumes and the next pauses again",
    )
