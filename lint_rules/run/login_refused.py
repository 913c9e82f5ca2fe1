"""A device refused the login.

## What it finds

A wrong or missing user name, password, key or enable password, a password that must be changed first, or a login that
ends without a terminal. An account that may log in and not read the configuration is RUN-006.

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
