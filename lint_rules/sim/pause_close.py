"""In a simulated incast the buffer comes close to the PAUSE threshold.

## What it finds

`rocecfg simulate`: at its fullest the buffer lies between 90 and 110 percent of the way to PAUSE.

## Why it matters

The model is not exact enough to say on which side the real switch will be.

## What to do

Take it as no reserve: compare with a few more senders (`--sweep senders=...`), or leave marks more room.

## When to ignore

Where PAUSE now and then is accepted.

## References

- docs/simulate.md: the model, what it was checked against, what it cannot answer
"""

from __future__ import annotations

from rocecfg.lint.api import Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "SIM-002", "pause-close", Severity.INFO, "safe", "0.1"
PRODUCED_BY = "simulate"
