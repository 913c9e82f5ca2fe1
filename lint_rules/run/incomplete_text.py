"""A text of a device is cut off.

## What it finds

A configuration or output without its end: a pager prompt (`--More--`), broken JSON, a missing closing brace, a
missing end marker, or a capture that says so itself.

## Why it matters

What is missing may be the very line that matters. Settings that such a text does not show are not evaluated, and the
run ends with exit code 3.

## What to do

Read the device again with paging off; save the whole text.

## When to ignore

Fragments that are linted on purpose.

## References

- docs/architecture.md, section on captures
"""

from __future__ import annotations

from rocecfg.lint.api import Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "RUN-004", "incomplete-text", Severity.ERROR, "min", "0.1"
PRODUCED_BY = "collect and parse"
