"""Dual-ToR tunnels of SONiC: whether bounced traffic has classes of its own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse

if TYPE_CHECKING:
    from rocecfg.state.model import Device

MAPS = {
    "decap_dscp_to_tc_map": "TUNNEL",
    "decap_tc_to_pg_map": "TUNNEL",
    "encap_tc_to_dscp_map": "TUNNEL",
    "encap_tc_to_queue_map": "TUNNEL",
}


def read(subtype: str, tunnel: dict[str, str] | None) -> Device:
    data: dict[str, Any] = {
        "DEVICE_METADATA": {"localhost": {"hostname": "tor1", "type": "ToRRouter", "subtype": subtype}},
        "PORT": {"Ethernet0": {"speed": "100000", "mtu": "9100", "admin_status": "up"}},
        "DSCP_TO_TC_MAP": {"AZURE": {"3": "3"}, "TUNNEL": {"3": "2"}},
        "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"0": "0", "3": "3"}, "TUNNEL": {"3": "2"}},
        "TC_TO_DSCP_MAP": {"TUNNEL": {"3": "2"}},
        "TC_TO_QUEUE_MAP": {"TUNNEL": {"3": "2"}},
        "PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "AZURE", "tc_to_pg_map": "AZURE", "pfc_enable": "3"}},
    }
    if tunnel is not None:
        data["TUNNEL"] = {"MuxTunnel0": {"tunnel_type": "IPINIP", "dscp_mode": "pipe", **tunnel}}
    return parse(Capture("tor1", "sonic", (Text("config_db.json", json.dumps(data, indent=1)),)))


@pytest.mark.parametrize(
    ("subtype", "tunnel", "dual", "remap", "found"),
    [
        ("DualToR", {}, True, False, ["DLK-006"]),
        ("DualToR", MAPS, True, True, []),
        ("DualToR", {"decap_dscp_to_tc_map": "TUNNEL"}, True, False, ["DLK-006"]),
        ("DualToR", None, True, None, []),
        ("UpstreamLC", {}, False, False, []),
    ],
)
def test_tunnels(subtype: str, tunnel: dict[str, str] | None, dual: bool, remap: bool | None, found: list[str]) -> None:
    device = read(subtype, tunnel)
    assert (device.dual_tor, device.tunnel_remap) == (dual, remap)
    result = lint([device], settings=Settings(select=("DLK-006",)))
    assert [item.rule for item in result.findings] == found
    assert bool(result.not_evaluated) is (dual and remap is None)


def test_a_map_that_a_tunnel_uses_and_nobody_defines_is_missing() -> None:
    device = read("DualToR", {**MAPS, "encap_tc_to_queue_map": "GONE"})
    assert [(item.kind, item.name) for item in device.objects if not item.defined] == [("TC_TO_QUEUE_MAP", "GONE")]
    assert all(item.used for item in device.objects if item.name == "TUNNEL" and item.kind != "TC_TO_QUEUE_MAP")
