"""A configuration names an object that is defined nowhere, or one whose settings bind to nothing.

## What it finds

A class, map, profile, pool, policy or scheduler that is named by an attachment or by another object and that a complete
text does not define; and one that is defined and named but has no effect, for instance because its class does not
exist on that system.

## Why it matters

The device drops the reference or refuses it, and the policy does nothing: the numbers are right and bind to no port.
This is the most common real fault.

## What to do

Define the object, or correct the name.

- nxos: classes of `type network-qos` policies are the system's own, `c-8q-nq1` to `c-8q-nq7` and `c-8q-nq-default`

## When to ignore

Texts that are parts of a configuration: lint the whole one.

## References

- Public Azure Stack switch configurations: network-qos policies over classes that do not exist
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Given, Hit, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "REF-001", "undefined-object-referenced", Severity.ERROR, "min", "0.1"
GOOD = """
device:
  name: leaf1
  complete: [all]
  objects:
    - {kind: policy-map type qos, name: QOS-IN, defined: true, used: true, matters: true, place: "leaf1.cfg:4"}
"""
BAD = """
device:
  name: leaf1
  complete: [all]
  objects:
    - {kind: policy-map type qos, name: QOS-1N, defined: false, used: true, place: "leaf1.cfg:40", near: QOS-IN}
"""


def check(device: Device, given: Given) -> Iterator[Hit | Unknown]:
    for named in device.objects:
        if named.system or not named.used or (named.defined and not named.inert):
            continue
        title = f'{named.kind} "{named.name}"'
        if not device.complete:
            yield Unknown("the whole text: what it lacks may stand elsewhere")
        elif not named.defined:
            near = f', did you mean "{named.near}"?' if named.near else ""
            yield Hit(
                f'"{named.name}" is used and defined nowhere{near}',
                f'use "{named.near}" or define "{named.name}"' if named.near else f'define "{named.name}"',
                object=title,
                place=named.place,
            )
        else:
            yield Hit(f'"{named.name}" has no effect: {named.inert}', "bind it to what the device has", object=title,
                      place=named.place)  # fmt: skip
