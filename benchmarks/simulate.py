"""What a simulated incast costs: `python benchmarks/simulate.py`. One core; the bars are those of the house plan.

10 ms of 128 senders within 3 s, a sweep of 36 such runs within 10 s.
"""

from __future__ import annotations

import os
import sys
import time
from fractions import Fraction

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

from rocecfg.incast.model import run  # noqa: E402 - threads first
from rocecfg.incast.numbers import DEFAULTS, Incast, Ingress, Reaction, spread  # noqa: E402

DURATION_US = 10_000
GIGABIT = 10**9


def incast(senders: int, cnp: int = 4, kmin: int = 400_000) -> Incast:
    """100G, round trip 8 us, 32 MB, alpha 1/8."""
    ingress = Ingress(100 * GIGABIT, 2_000, 60_000)
    lanes = spread([(port, ingress, 100 * GIGABIT) for port in range(senders)], senders)
    reaction = Reaction({**DEFAULTS, "rpg_byte_reset": 0, "min_time_between_cnps": cnp})
    ramp = (kmin, 4 * kmin, Fraction(20))
    return Incast(
        100 * GIGABIT, lanes, 32_000_000, Fraction(1, 8), None, ramp, 8_000, 13_000, reaction, xon_below=9_000
    )


def main() -> int:
    """Print seconds of processor and whether they meet the bars; the exit code is the number of bars missed."""
    sweep = [incast(128, cnp, kmin) for cnp in (0, 4, 10, 20, 30, 50) for kmin in range(100_000, 700_000, 100_000)]
    missed = 0
    for what, cases, bar in (("10 ms, 128 senders", [incast(128)], 3.0), ("sweep of 36 such runs", sweep, 10.0)):
        start, wall = time.process_time(), time.perf_counter()
        run(cases, DURATION_US)
        taken, waited = time.process_time() - start, time.perf_counter() - wall
        missed += taken > bar
        verdict = "ok" if taken <= bar else "MISSED"
        print(f"{what:24} {taken:6.2f} s <= {bar:g} s {verdict} (wall {waited:.2f} s)")
    return missed


if __name__ == "__main__":
    sys.exit(main())
