"""Which mark decides the class of a packet where the intent leaves it open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.vendor import registry

if TYPE_CHECKING:
    from rocecfg.intent.fabric import Fabric, FabricDevice

BECAUSE = {
    "dscp": "routed RoCEv2 carries DSCP on every hop, no VLAN tag",
    "pcp": "all hosts of the fabric mark their packets with an 802.1p priority only",
}


def marks_by_pcp(device: FabricDevice) -> bool:
    """Return whether a device is a host that marks its packets with an 802.1p priority only."""
    return device.kind == "host" and registry.marks_by_pcp(device.system)


def of_host(trust: str, *, by_tag: bool) -> str:
    """Return what a host trusts where the fabric trusts both marks: PCP, where it knows no other."""
    return "pcp" if by_tag and trust == "both" else trust


def default_trust(fabric: Fabric) -> str:
    """Return "dscp"; "pcp" where every host of the fabric marks its packets with an 802.1p priority only."""
    systems = {device.system for device in fabric.devices.values() if device.kind == "host"}
    return "pcp" if systems and all(map(registry.marks_by_pcp, systems)) else "dscp"
