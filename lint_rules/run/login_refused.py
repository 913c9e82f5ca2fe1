"""A device refused the login.

## What it finds

A wrong or missing user name, password, key or enable password, or an account without the right to read the
configuration.

## Why it matters

The device was not looked at, and a locked account may follow.

## What to do

Set ROCECFG_USERNAME and ROCECFG_PASSWORD (ROCECFG_ENABLE where needed), or use a key; check the account's role.

## When to ignore

Never.

## References

- docs/architecture.md, section on live devices
"""

from __future__ import annotations

from rocecfg.lint.api import Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "RUN-002", "login-refused", Severity.ERROR, "min", "0.1"
PRODUCED_BY = "collect"
