"""Which mark decides the class of a packet where the intent leaves it open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.vendor import registry

if TYPE_CHECKING:
    from rocecfg.intent.fabric import Fabric

BECAUSE = {
    "dscp": "routed RoCEv2 carries DSCP on every hop, no VLAN tag",
    "pcp": "all hosts of the fabric mark their packets with an 802.1p priority only",
}


def default_trust(fabric: Fabric) -> str:
    """Return "dscp"; "pcp" where every host of the fabric marks its packets with an 802.1p priority only."""
    systems = {device.system for device in fabric.devices.values() if device.kind == "host"}
    return "pcp" if systems and all(map(registry.marks_by_pcp, systems)) else "dscp"
