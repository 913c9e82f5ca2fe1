"""In a simulated incast PAUSE goes out before ECN marks slow the senders.

## What it finds

`rocecfg simulate`: with the planned thresholds, buffer and DCQCN numbers the ingress buffer of a sender reaches its PAUSE
threshold, in the first burst or when the senders speed up again. The finding tells when, and how much headroom is used.

## Why it matters

PFC is meant as the last resort. Where it comes first, it stops flows that have no part in the congestion, and pauses can
spread from switch to switch.

## What to do

See `rocecfg simulate INTENT --sweep kmin=... --sweep cnp=...` for what moves it: earlier marks (a lower Kmin), a larger
alpha or pool, notifications at shorter intervals, fewer senders to one receiver.

## When to ignore

Incasts that the applications cannot make: state the number of senders with `--incast`. The model is one switch and ideal
senders: it ranks designs and certifies nothing.

## References

- docs/simulate.md: the model, what it was checked against, what it cannot answer
"""

from __future__ import annotations

from rocecfg.lint.api import Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "SIM-001", "pause-before-marks", Severity.WARNING, "safe", "0.1"
PRODUCED_BY = "simulate"
