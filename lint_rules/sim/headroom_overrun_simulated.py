"""In a simulated incast what arrives after PAUSE does not fit into the headroom.

## What it finds

`rocecfg simulate`: between sending PAUSE and the peer's silence more bytes arrive than the priority group's headroom holds.

## Why it matters

What does not fit is dropped, in the class that must not lose anything.

## What to do

Compare the headroom with `rocecfg calc headroom`: the cable's real length, the MTU and the speed decide it.

## When to ignore

Systems that work the headroom out themselves from a cable length that the model does not know.

## References

- docs/simulate.md: the model, what it was checked against, what it cannot answer
"""

from __future__ import annotations

from rocecfg.lint.api import Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "SIM-003", "headroom-overrun-simulated", Severity.WARNING, "safe", "0.1"
PRODUCED_BY = "simulate"
