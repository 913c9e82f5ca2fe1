"""A device could not be reached.

## What it finds

A device of the inventory that did not answer on its management address: no route, a closed port, a server that
accepts the connection and then says nothing. Offline: a file that cannot be opened, or a device of the intent for
which no capture was given.

## Why it matters

Nothing is known about the device. "Found nothing" and "could not look" must never look alike, so the run ends with
exit code 3.

## What to do

Live: check address, port, access list and jump host.
Offline: check the path and its permissions, or add the capture.

## When to ignore

Devices that are being installed: leave them out of the inventory.

## References

- docs/architecture.md, section on live devices
"""

from __future__ import annotations

from rocecfg.lint.api import Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "RUN-001", "unreachable", Severity.ERROR, "min", "0.1"
PRODUCED_BY = "collect, lint and drift"
