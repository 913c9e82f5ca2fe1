"""A text, an intent or a line could not be understood.

## What it finds

Lines of QoS, PFC, ECN, buffer, watchdog, classification or scheduling sections that no parser took; a whole
text that is of no known system, broken or empty; an intent that does not load. The last two are errors, and the run
does not end with exit code 0.

## Why it matters

A linter that says "clean" about text it did not read is worse than none: the setting in such a line was not judged.

## What to do

Look at the line: a typing error, a line of another system, or a command that rocecfg should learn (please report it
with the line). A whole text: name its system with `--nos`, or capture it again. An intent: the help of each problem
says what is accepted.

## When to ignore

Lines that are known to be without effect.

## References

- docs/architecture.md, section on captures
"""

from __future__ import annotations

from rocecfg.lint.api import Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "RUN-007", "not-understood", Severity.WARNING, "min", "0.1"
PRODUCED_BY = "parse, lint and drift"
