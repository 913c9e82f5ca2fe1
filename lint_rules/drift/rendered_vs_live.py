"""A device differs from what the intent renders.

## What it finds

A setting of the neutral state whose value on the device is not the planned one. Settings that the intent leaves open
are skipped; order, abbreviations and defaults that the device does not print make no difference.

## Why it matters

The fabric works as it is configured, not as it is planned: a change by hand, a forgotten device, a change that was
rolled back.

## What to do

Apply the rendered configuration again (`rocecfg render`), or change the intent.

## When to ignore

Settings under test: ignore the rule on the device with a reason.

## References

- docs/architecture.md, section on drift
"""

from __future__ import annotations

from rocecfg.lint.api import Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "DRIFT-001", "rendered-vs-live", Severity.ERROR, "min", "0.1"
PRODUCED_BY = "drift"
