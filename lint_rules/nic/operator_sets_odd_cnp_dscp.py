"""Firmware set by the NIC configuration operator marks CNPs with DSCP 4.

## What it finds

A NIC whose firmware will use CNP DSCP 4 from the next boot on, in a fabric that expects another one: in what mlxconfig
shows, and in a NicConfigurationTemplate of the operator, which writes 4 wherever `roceOptimized` is enabled and no
`rawNvConfig` says otherwise.

## Why it matters

DSCP 4 is best effort on most maps, and lossless on SONiC's default map (4 to class 4): after the next reset the CNPs
ride in a class that PFC stops.

## What to do

Set the firmware value to the fabric's, or map DSCP 4 on every switch on purpose. Where the operator owns the card, put
`CNP_DSCP_P1` and `CNP_DSCP_P2` with that value into the template's `rawNvConfig`: it wins over `roceOptimized`.

- mlx5: `mlxconfig -d DEVICE set CNP_DSCP_P1=48`

## When to ignore

Fabrics that planned DSCP 4 for CNPs: say so in the intent.

## References

- NVIDIA NIC guide; Mellanox/nic-configuration-operator pkg/configuration/configvalidation.go writes CNP_DSCP = 4
- SONiC default DSCP_TO_TC_MAP: 4 to 4
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Option, Port, Severity, numbers_text

ID, NAME, SEVERITY, PROFILE, SINCE = "NIC-016", "operator-sets-odd-cnp-dscp", Severity.WARNING, "safe", "0.1"
DEVICES = "host"
OPTIONS = {
    "odd": Option(4, "the DSCP that the operator writes"),
    "usual": Option(48, "the DSCP of CNPs where no intent says"),
}
GOOD = """
device: {name: gpu01, kind: host, ports: {rail0: {nic: {next_boot: {cnp_dscp: 48}}}}}
"""
BAD = GOOD.replace("48", "4")


def check(port: Port, given: Given) -> Iterator[Hit]:
    boot = port.nic.next_boot if port.nic is not None else None
    if boot is None or boot.cnp_dscp != given.options.odd:
        return
    stated = given.expect.classes if given.expect is not None else ()
    wanted = frozenset(dscp for item in stated if item.kind == "cnp" for dscp in item.dscps)
    wanted = wanted or frozenset({given.options.usual})
    if boot.cnp_dscp not in wanted:
        yield Hit(
            f"from the next boot on the NIC sends CNPs with DSCP {boot.cnp_dscp}, the fabric expects {numbers_text(wanted)}",
            f"set the firmware value to {min(wanted)}",
            "nic.next_boot.cnp_dscp",
            "CNP",
        )
