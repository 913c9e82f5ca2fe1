"""A policy that holds lossless, ECN or scheduling settings is used nowhere.

## What it finds

A QoS, queuing, ECN or PFC policy, profile or map with settings that matter, which nothing in a complete text uses.

## Why it matters

The engineer believes ECN or no-drop is on; it stands in the configuration and on no port.

## What to do

Attach it, or delete it.

- nxos: `service-policy type queuing output NAME` under `system qos` or the interface
- sonic: name it in QUEUE, BUFFER_PG or PORT_QOS_MAP
- cumulus: the profile of that kind on the interface, as `nv set interface IF qos pfc profile NAME` does; a group of
  traffic.conf or qos_features.conf in the `port_group_list` of its section
- junos: below `class-of-service interfaces IF`: `scheduler-map`, `congestion-notification-profile`, or `unit 0
  classifiers dscp NAME`; a drop profile in the `drop-profile-map` of a scheduler

## When to ignore

Prepared policies for a change to come.

## References

- Public OS10, NX-OS and Junos configurations: ECN only in a policy that no port uses
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Given, Hit, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "REF-002", "policy-defined-never-attached", Severity.WARNING, "safe", "0.1"
GOOD = """
device:
  name: leaf1
  complete: [all]
  objects:
    - {kind: policy-map type queuing, name: Q-OUT, defined: true, used: true, matters: true, place: "leaf1.cfg:9"}
"""
BAD = """
device:
  name: leaf1
  complete: [all]
  objects:
    - {kind: policy-map type queuing, name: Q-OUT, defined: true, used: false, matters: true, place: "leaf1.cfg:9"}
"""


def check(device: Device, given: Given) -> Iterator[Hit | Unknown]:
    for named in device.objects:
        if named.system or not named.defined or named.used or not named.matters:
            continue
        if not device.complete:
            yield Unknown("the whole text: objects that it defines may be used elsewhere")
            continue
        title = f'{named.kind} "{named.name}"'
        yield Hit(f'"{named.name}" is defined and attached nowhere', f'attach "{named.name}" or delete it', object=title,
                  place=named.place)  # fmt: skip
