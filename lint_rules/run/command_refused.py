"""A device refused a read-only command.

## What it finds

An error message of the device in place of a command's output: unknown on this release, or not permitted to this
account.

## Why it matters

What that command shows is unknown, and the rules that need it are not evaluated.

## What to do

Give the account the right to run it, or accept that those rules are not evaluated.

## When to ignore

Releases that do not have the command.

## References

- docs/architecture.md, section on live devices
"""

from __future__ import annotations

from rocecfg.lint.api import Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "RUN-006", "command-refused", Severity.WARNING, "min", "0.1"
PRODUCED_BY = "collect"
