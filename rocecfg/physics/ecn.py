"""The ECN marking ramp (Kmin, Kmax, Pmax) from line rate and round-trip time.

K is a length of queue; what matters to a flow is its time at line rate, so K grows with the rate and stays equal in
microseconds across a fabric (HPCC `run.py` scales K with bandwidth; Huawei: Kmax = 2 to 3 bandwidth-delay products).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rocecfg.physics.derived import Derived, round_up
from rocecfg.physics.headroom import GIGABIT, bytes_in

LEAST_KMIN_FRAMES = 5
"""A ramp that starts below five frames marks single bursts."""
SOURCES = (
    "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (SIGCOMM 2015)",
    "alibaba-edu/High-Precision-Congestion-Control simulation/run.py (K grows with bandwidth, ratio 1:4, Pmax 20 %)",
)


@dataclass(frozen=True, slots=True)
class Profile:
    """Where the ramp lies, in bandwidth-delay products."""

    kmin: Fraction
    kmax: Fraction
    pmax: int
    because: str


PROFILES = {
    "latency": Profile(Fraction(1, 4), Fraction(2), 20, "short queues before full links"),
    "balanced": Profile(Fraction(1), Fraction(4), 20, "the 1:4 ramp of the published RDMA simulators"),
    "throughput": Profile(Fraction(2), Fraction(10), 5, "full links and long cables before short queues"),
}
"""House ratios, bracketed by the published ramps."""

TWO_TIER_RTT_NS = 8_000
THREE_TIER_RTT_NS = 12_000
"""Round trip without queueing: 4 to 8 us through two tiers, 10 to 15 us through three."""


@dataclass(frozen=True, slots=True)
class Ramp:
    """The three numbers of a marking ramp, each with its reason."""

    kmin: Derived
    kmax: Derived
    pmax: Derived


def ramp(rate: int, rtt_ns: int, profile: str, frame: int) -> Ramp:
    """Return the ramp of a profile for a port: `rate` in bit/s, `frame` the largest lossless frame in bytes.

    Raises KeyError for an unknown profile.
    """
    chosen = PROFILES[profile]
    product = bytes_in(rate, rtt_ns)
    speed, rtt = f"{Fraction(rate, GIGABIT)}G", f"{Fraction(rtt_ns, 1000)} us"
    base = f"bandwidth-delay product {speed} x {rtt} = {int(product)} B"
    floor = LEAST_KMIN_FRAMES * frame
    low = max(round_up(product * chosen.kmin, 1000), round_up(floor, 1000))
    high = max(round_up(product * chosen.kmax, 1000), 2 * low)
    why_low = f"{profile} profile: {_ratio(chosen.kmin)} x {base}"
    if round_up(product * chosen.kmin, 1000) < floor:
        why_low = (
            f"{LEAST_KMIN_FRAMES} frames of {frame} B, because {_ratio(chosen.kmin)} x {base} would mark single bursts"
        )
    why_high = f"{profile} profile: {_ratio(chosen.kmax)} x {base}"
    if high == 2 * low and round_up(product * chosen.kmax, 1000) < high:
        why_high = f"twice Kmin, because {_ratio(chosen.kmax)} x {base} would leave no ramp"
    return Ramp(
        Derived(low, "B", why_low, sources=SOURCES),
        Derived(high, "B", why_high, sources=SOURCES),
        Derived(chosen.pmax, "%", f"{profile} profile: {chosen.because}", sources=SOURCES),
    )


def _ratio(ratio: Fraction) -> str:
    return f"{float(ratio):g}"
