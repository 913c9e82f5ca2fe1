"""Something else than the host may change the NIC's settings.

## What it finds

A host port whose DCB settings are written by the firmware's DCBX or by lldpad, beside or instead of the static
settings; or whose firmware will speak LLDP from the next boot on.

## Why it matters

The last writer wins: what the host set is overwritten with the next LLDP frame of the switch, and two agents on one
port confuse the switch.

## What to do

Let the host alone own the settings.

- mlx5: `mlnx_qos -i IF -d os`, and `mlxconfig -d DEVICE set LLDP_NB_DCBX_P1=0 LLDP_NB_RX_MODE_P1=0 LLDP_NB_TX_MODE_P1=0`

## When to ignore

Fabrics that negotiate on purpose, with a willing NIC and a switch that is not: say `dcbx: ieee` in the intent.

## References

- intel/openlldp issues 42 and 125
- Azure/AzureLocal-Supportability pull request 297: two LLDP agents on one port
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Port, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "NIC-019", "two-dcb-owners", Severity.WARNING, "safe", "0.1"
DEVICES = "host"
GOOD = """
device: {name: gpu01, kind: host, ports: {rail0: {qos: {dcbx: {owners: [os]}}}}}
"""
BAD = GOOD.replace("[os]", "[os, lldpad]")
_WORDS = {"firmware": "the firmware's DCBX", "lldpad": "lldpad", "os": "the host"}


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    owners = port.qos.dcbx.owners if port.qos.dcbx is not None else None
    others = sorted((owners or frozenset()) - {"os"})
    boot = port.nic.next_boot if port.nic is not None else None
    if owners is None and port.qos.pfc is not None and port.qos.pfc.sends():
        yield Unknown("who owns the NIC's DCB settings")
    if others:
        who = " and ".join(_WORDS.get(word, word) for word in others)
        yield Hit(
            f"{who} may write the port's PFC, ETS and maps{' beside the host' if 'os' in (owners or ()) else ''}",
            "let the host alone own the DCB settings",
            "dcbx",
            "DCB owner",
        )
    elif boot is not None and boot.lldp_agent and owners is not None:
        yield Hit(
            "the host owns the DCB settings now, from the next boot on the firmware speaks LLDP too",
            "turn the firmware's LLDP agent off",
            "nic.next_boot",
            "DCB owner",
        )
