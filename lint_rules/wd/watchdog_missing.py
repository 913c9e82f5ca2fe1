"""A port obeys pauses and nothing watches whether they ever end.

## What it finds

A switch port that honours pauses for a priority and has no PFC watchdog (error), or one that watches only some of the
priorities it honours (warning). A port on which PFC was turned on by hand, while the text makes no class
lossless, is a warning: as soon as the class is mended, the port can be stopped for good.

## Why it matters

A single broken NIC that pauses for ever stops its switch port, then the ports behind it, and within a second the
fabric; the watchdog drops the traffic of that one queue instead. This took down production fabrics (Guo et al., SIGCOMM
2016, section 4.3).

## What to do

Turn the watchdog on wherever PFC is on.

- nxos: `priority-flow-control watch-dog-interval on`, globally and on the interface
- sonic: `config pfcwd start --action drop all 400 --restoration-time 400`, and `pfcwd_sw_enable` in PORT_QOS_MAP
- cumulus: `nv set interface IF qos pfc-watchdog` (`nv set qos roce` leaves it off)
- onyx: `pfc-wd` on the interface (`roce` leaves it off)
- junos: `pfc-watchdog` in the congestion-notification-profile (which then needs an `output`)

## When to ignore

Back-to-back storage pairs without a switch behind the port. The dual-ToR template of SONiC pauses for 2, 3, 4 and 6
and watches 3 and 4 by design.

## References

- Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.3
- SONiC PFC watchdog design
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, Unknown, numbers_text
from rocecfg.lint.classes import pfc_sets, turned_on_by_hand

ID, NAME, SEVERITY, PROFILE, SINCE = "WD-001", "watchdog-missing", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      qos: {pfc: {admin: "on", tx: [3], rx: [3]}, watchdog: {enabled: true, priorities: [3]}}
"""
BAD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      qos: {pfc: {admin: "on", tx: [3], rx: [3]}, watchdog: {enabled: false}}
"""


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    honours = qos.pfc.honours() if qos.pfc is not None else None
    watchdog = qos.watchdog
    if not honours:
        if honours is None and turned_on_by_hand(qos):
            yield Unknown("the priorities whose pauses the port honours")
        elif (
            honours is not None
            and not pfc_sets(qos).sends
            and turned_on_by_hand(qos)
            and watchdog is not None
            and watchdog.enabled is False
        ):
            yield Hit(
                "PFC is turned on, though no class is lossless in this text, and the port has no PFC watchdog",
                "turn the PFC watchdog on",
                "watchdog",
                severity=Severity.WARNING,
            )
        return
    if watchdog is None or watchdog.enabled is None:
        yield Unknown("the PFC watchdog of the port")
    elif not watchdog.enabled:
        yield Hit(
            f"the port honours pauses for priority {numbers_text(honours)} and has no PFC watchdog",
            "turn the PFC watchdog on",
            "watchdog",
            f"priority {numbers_text(honours)}",
        )
    elif watchdog.priorities is None:
        yield Unknown("the priorities the PFC watchdog watches")
    elif honours - watchdog.priorities:
        rest = numbers_text(honours - watchdog.priorities)
        yield Hit(
            f"the port honours pauses for priority {numbers_text(honours)}, its watchdog watches "
            f"{numbers_text(watchdog.priorities)}",
            f"let the watchdog watch priority {rest} too",
            "watchdog",
            f"priority {rest}",
            Severity.WARNING if watchdog.priorities & honours else None,
        )
