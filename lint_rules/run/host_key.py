"""A device shows another SSH host key than the known one.

## What it finds

A host key that is not in the known hosts file, or differs from the one there.

## Why it matters

Either the device was replaced or re-installed, or somebody stands between you and it.

## What to do

Compare the key on the device's console; then correct the known hosts file.

## When to ignore

Never.

## References

- OpenSSH manual, sshd(8): known_hosts
"""

from __future__ import annotations

from rocecfg.lint.api import Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "RUN-003", "host-key", Severity.ERROR, "min", "0.1"
PRODUCED_BY = "collect"
