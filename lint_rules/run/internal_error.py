"""A rule or a parser failed on this device.

## What it finds

An error inside a rule or a parser of rocecfg or of a pack.

## Why it matters

The rule judged nothing there; all others did. The run does not look clean.

## What to do

Report it with the configuration that caused it; until then `--ignore` the rule it names.

## When to ignore

Never.

## References

- docs/architecture.md, section on rules
"""

from __future__ import annotations

from rocecfg.lint.api import Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "RUN-008", "internal-error", Severity.ERROR, "min", "0.1"
PRODUCED_BY = "lint and drift"
