"""The device that answered is not the one asked for.

## What it finds

A prompt or host name in the text that differs from the name in the inventory or of the capture folder, or a text of
another system than the intent says.

## Why it matters

The findings would be reported for the wrong device.

## What to do

Correct the address in the inventory, or the host name on the device.

## When to ignore

Devices whose prompt is an alias of their inventory name.

## References

- docs/architecture.md, section on live devices
"""

from __future__ import annotations

from rocecfg.lint.api import Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "RUN-005", "wrong-device", Severity.ERROR, "min", "0.1"
PRODUCED_BY = "collect and drift"
