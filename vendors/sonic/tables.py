"""The tables and fields of CONFIG_DB that we read, as SONiC's YANG modules and schema document name them."""

from __future__ import annotations

import re

_NUMBERS = frozenset(str(number) for number in range(64))
_BUFFER_REFERENCE = frozenset({"profile"})
_PROFILE_LIST = frozenset({"profile_list", "profile_list@"})

FIELDS: dict[str, frozenset[str] | None] = {
    "DSCP_TO_TC_MAP": _NUMBERS,
    "DOT1P_TO_TC_MAP": _NUMBERS,
    "TC_TO_QUEUE_MAP": _NUMBERS,
    "TC_TO_PRIORITY_GROUP_MAP": _NUMBERS,
    "TC_TO_DSCP_MAP": _NUMBERS,
    "MAP_PFC_PRIORITY_TO_QUEUE": _NUMBERS,
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": _NUMBERS,
    "PORT_QOS_MAP": frozenset({
        "dscp_to_tc_map", "dot1p_to_tc_map", "tc_to_queue_map", "tc_to_pg_map", "pfc_to_queue_map", "pfc_to_pg_map",
        "tc_to_dscp_map", "pfc_enable", "pfcwd_sw_enable", "scheduler",
    }),
    "SCHEDULER": frozenset({"type", "weight", "priority", "meter_type", "cir", "pir", "cbs", "pbs"}),
    "WRED_PROFILE": frozenset(
        {"ecn"}
        | {f"wred_{colour}_enable" for colour in ("green", "yellow", "red")}
        | {
            f"{colour}_{what}"
            for colour in ("green", "yellow", "red")
            for what in ("min_threshold", "max_threshold", "drop_probability")
        }
    ),
    "QUEUE": frozenset({"scheduler", "wred_profile"}),
    "CABLE_LENGTH": None,
    "BUFFER_POOL": frozenset({"type", "mode", "size", "xoff", "percentage"}),
    "BUFFER_PROFILE": frozenset({
        "pool", "size", "xon", "xoff", "xon_offset", "dynamic_th", "static_th", "headroom_type", "mode",
        "packet_discard_action",
    }),
    "BUFFER_PG": _BUFFER_REFERENCE,
    "BUFFER_QUEUE": _BUFFER_REFERENCE,
    "BUFFER_PORT_INGRESS_PROFILE_LIST": _PROFILE_LIST,
    "BUFFER_PORT_EGRESS_PROFILE_LIST": _PROFILE_LIST,
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": frozenset({"default_dynamic_th", "over_subscribe_ratio", "max_headroom_size"}),
    "LOSSLESS_TRAFFIC_PATTERN": frozenset({"mtu", "small_packet_percentage"}),
    "PFC_WD": frozenset({
        "action", "detection_time", "restoration_time", "pfc_stat_history", "POLL_INTERVAL", "BIG_RED_SWITCH",
    }),
    "PORT": None,
    "PORTCHANNEL": None,
    "PORTCHANNEL_MEMBER": None,
    "DEVICE_METADATA": None,
    "DEVICE_NEIGHBOR": None,
    "LLDP_ENTRY_TABLE": None,
    "TUNNEL": None,
}  # fmt: skip
"""Table -> its fields; None = the fields are port names, or the table is interface business beyond our subject."""

PORT_FIELDS = ("speed", "mtu", "fec", "alias", "admin_status", "pfc_asym", "role", "macsec")
"""What is taken from a PORT row; the rest (lanes, description, ...) is not our subject."""

NOT_MODELLED = frozenset({
    "MPLS_TC_TO_TC_MAP", "TC_TO_DOT1P_MAP", "DSCP_TO_FC_MAP", "EXP_TO_FC_MAP", "PFC_WD_TABLE", "BUFFER_MAX_PARAM_TABLE",
})  # fmt: skip
"""QoS tables that carry nothing the neutral state has a place for."""

_OURS = re.compile(
    r"(?:BUFFER|PFC|WRED|SCHEDULER|QUEUE|LOSSLESS|DEFAULT_LOSSLESS|MAP_PFC|PORT_QOS)(?:_|$)"
    r"|(?:DSCP|DOT1P|TC|PFC_PRIORITY)_TO_"
)


def is_ours(name: str) -> bool:
    """Return whether an unknown table has the name of a QoS, buffer or PFC table, so that it must be reported."""
    return name not in NOT_MODELLED and _OURS.match(name) is not None


_APPLIED = frozenset({
    "BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG", "BUFFER_QUEUE", "BUFFER_PORT_INGRESS_PROFILE_LIST",
    "BUFFER_PORT_EGRESS_PROFILE_LIST", "PORT",
})  # fmt: skip
"""Tables that the managers copy into APPL_DB and STATE_DB, with what they worked out themselves filled in."""


def applied(key: str) -> tuple[str, str] | None:
    """Return (table, row) of `BUFFER_PG_TABLE:Ethernet0:3-4` as CONFIG_DB would name them, None for any other key."""
    name, mark, rest = key.partition("_TABLE")
    if not mark or name not in _APPLIED or rest[:1] not in {":", "|"} or len(rest) == 1:
        return None
    return name, rest[1:].replace(":", "|")
