"""Leaf paths in words, and the section of a device text that decides each."""

from __future__ import annotations

_WORDS = {
    "trust": "trust", "dscp_to_tc": "DSCP to traffic class", "pcp_to_tc": "PCP to traffic class",
    "default_tc": "default traffic class", "rewrite": "rewriting of marks", "cable": "cable length",
    "pfc": "PFC", "pfc.admin": "PFC mode", "pfc.tx": "set of priorities PFC pauses the peer for",
    "pfc.rx": "set of priorities whose pauses are honoured", "pfc.by": "selector of PFC priorities",
    "pfc.gate": "device-wide PFC switch", "pfc_enabled": "device-wide PFC switch",
    "ecn_enabled": "device-wide ECN switch", "ecn_on_pool": "ECN of the shared pool",
    "link_pause": "link pause", "link_pause.rx": "receiving of link pause", "link_pause.tx": "sending of link pause",
    "watchdog": "PFC watchdog", "mtu": "MTU", "dcbx": "DCBX", "buffer_model": "buffer model", "nic": "NIC setting",
    "nic.cnp_dscp": "CNP DSCP of the NIC", "nic.cnp_priority": "CNP priority of the NIC",
    "nic.default_tos": "default ToS of the NIC", "nic.forced_tos": "forced ToS of the NIC",
    "nic.roce_version": "RoCE version", "nic.storm_timeout": "pause storm timeout of the NIC",
    "nic.congestion_control": "congestion control of the NIC",
    "tc_to_queue": "queue of traffic class", "tc_to_pg": "priority group of traffic class",
    "priority_to_queue": "queue of priority", "priority_to_pg": "priority group of priority",
}  # fmt: skip
_NUMBERED = {"queues": "queue", "priority_groups": "priority group"}
_OF_QUEUE = {
    "ecn": "ECN", "ecn.kmin": "ECN Kmin", "ecn.kmax": "ECN Kmax", "ecn.pmax": "ECN marking probability",
    "ecn.weight": "ECN averaging weight", "ecn.gate": "device-wide ECN switch", "wred": "drop ramp",
    "headroom": "headroom", "xoff_at": "XOFF threshold", "xon_at": "XON threshold", "xon_below": "XON distance",
    "reserved": "reserved buffer", "limit": "buffer limit", "lossless": "lossless flag", "guarantee": "guaranteed rate",
}  # fmt: skip
_SECTIONS = (
    (("dscp_to_tc", "pcp_to_tc", "tc_to", "priority_to", "rewrite"), "maps"),
    (("priority_groups", "pools", "buffer_model", "cable"), "buffers"),
    (("watchdog",), "watchdog"),
    (("mtu",), "interfaces"),
)


def leaf_words(leaf: str) -> str:
    """Return a leaf path as a person says it: `queues.3.ecn.kmin` is "ECN Kmin of queue 3"."""
    known = _WORDS.get(leaf)
    if known is not None:
        return known
    head, _, rest = leaf.partition(".")
    if head in _NUMBERED:
        number, _, inner = rest.partition(".")
        owner = f"{_NUMBERED[head]} {number}"
        return f"{_OF_QUEUE.get(inner, _plain(inner))} of {owner}" if inner else owner
    if head == "pools":
        name, _, inner = rest.rpartition(".")
        return f"{_plain(inner)} of pool {name}" if name else f"pool {inner}"
    if head in _WORDS:
        return f"{_WORDS[head]} {_plain(rest)}"
    return _plain(leaf)


def _plain(path: str) -> str:
    return path.replace(".", " ").replace("_", " ")


def section_of(leaf: str) -> str:
    """Return the section whose absence from a complete text proves that a leaf is not set."""
    return next((section for heads, section in _SECTIONS if leaf.startswith(heads)), "qos")
