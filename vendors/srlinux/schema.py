"""The part of SR Linux's tree that says something about RoCE: names, list keys and kinds of values.

The command line of SR Linux is made from its YANG models, so one tree reads all its forms: JSON with and without
module prefixes, `set /` lines and the braces of `info`. Names are those of the public models 22.11 to 25.3.1.
"""

from __future__ import annotations

from dataclasses import dataclass, field

NUMBER, SWITCH, WORD, NUMBERS, WORDS = "number", "switch", "word", "numbers", "words"
"""Kinds of leaves: digits, true or false, anything; the last two are leaf-lists."""
MANY = frozenset({NUMBERS, WORDS})


@dataclass(frozen=True, slots=True)
class Listed:
    """A list: the names of its keys, and what stands in an entry (a word = a leaf, None = none of our business)."""

    keys: tuple[str, ...]
    below: dict[str, object] = field(hash=False)


_COUNTERS: dict[str, object] = {
    "last-clear": WORD, "transmitted-packets": NUMBER, "transmitted-octets": NUMBER, "dropped-packets": NUMBER,
    "dropped-octets": NUMBER, "ecn-marked-packets": NUMBER, "ecn-marked-octets": NUMBER,
}  # fmt: skip
_PROFILE_COUNTERS = {f"{word}-profile": dict(_COUNTERS) for word in ("in-plus", "in", "out", "exceed")}
_QUEUE_STATE: dict[str, object] = {
    "forwarding-class": WORDS,
    "queue-type": WORD,
    "active-queue-management": None,
    "queue-depth": None,
    "scheduling": None,
    "queue-statistics": {
        "aggregate-statistics": {**_COUNTERS, **_PROFILE_COUNTERS},
        "per-lag-member-statistics": None,
    },
}
_PFC_STATE: dict[str, object] = {
    "statistics": {
        "last-clear": WORD,
        "total-pfc-pause-frames-received": NUMBER,
        "total-pfc-pause-frames-generated": NUMBER,
        "total-packet-pfc-discards": NUMBER,
        "pfc-priority": Listed(
            ("index",),
            {
                "pfc-pause-frames-received": NUMBER,
                "pfc-pause-frames-generated": NUMBER,
                "pfc-transitions": NUMBER,
                "deadlock-recovery-occurrences": NUMBER,
            },
        ),
    },
    "source-pfc-mac": WORD,
    "oper-state": WORD,
    "deadlock-detection-timer": NUMBER,
    "pfc-queue": None,
}

_CODES: dict[str, object] = {
    "forwarding-class": WORD,
    "drop-probability": WORD,
    "profile": WORD,
    "de-out-profile": SWITCH,
    "ip-rewrite-policy": WORD,
}
_MARKS: dict[str, object] = {
    "dscp": WORD,
    "drop-probability": Listed(("drop-probability",), {"dscp": WORD}),
    "profile": Listed(("profile",), {"dscp": WORD}),
}
_SLOPE: dict[str, object] = {
    "min-threshold": NUMBER,
    "max-threshold": NUMBER,
    "min-threshold-percent": NUMBER,
    "max-threshold-percent": NUMBER,
    "slope-enabled": SWITCH,
    "max-drop-probability-percent": NUMBER,
    "weight-factor": NUMBER,
}

_INTERFACES = {
    "interface": Listed(
        ("interface-id",),
        {
            "interface-ref": {"interface": WORD, "subinterface": NUMBER},
            "pfc": {"pfc-mapping-profile": WORD, "pfc-enable": SWITCH, **_PFC_STATE},
            "dcbx": {"admin-state": WORD, "oper-state": WORD, "local": None, "remote": None, "statistics": None},
            "input": {
                "classifiers": {
                    "default": {"forwarding-class": WORD, "drop-probability": WORD, "profile": WORD},
                    "ipv4-dscp-policy": WORD,
                    "ipv6-dscp-policy": WORD,
                    "dscp-policy": WORD,
                    "dot1p-policy": WORD,
                    "mpls-traffic-class-policy": WORD,
                    "ler-use-dscp": SWITCH,
                    "match-qinq-dot1p": WORD,
                    "tos-rewrite-state": WORD,
                },
                "input-class-map": WORD,
                "policer-policies": None,
                "policer-templates": None,
                "pfc-buffer-allocation-profile": WORD,
            },
            "output": {
                "queues": {
                    "queue": Listed(
                        ("queue-name",), {"queue-management-profile": WORD, "queue-template": WORD, **_QUEUE_STATE}
                    )
                },
                "scheduler": {
                    "scheduler-policy": WORD,
                    "queue-scheduling-policy": WORD,
                    "sched-class-scheduling-policy": WORD,
                    "scheduling-resources-pools": None,
                    "queue-scheduler": None,
                    "sched-class-scheduler": None,
                },
                "rewrite-rules": {
                    "ipv4-dscp-policy": WORD,
                    "ipv6-dscp-policy": WORD,
                    "dscp-policy": WORD,
                    "dot1p-policy": WORD,
                    "mpls-traffic-class-policy": WORD,
                    "dscp-rewrite": None,
                    "qinq-rewrite-outer-only": SWITCH,
                },
                "buffer-allocation-profile": WORD,
                "interface-pool-policy": WORD,
                "dscp-reclassify-policy": WORD,
                "output-class-map": WORD,
                "output-class-map-pending": WORDS,
                "interface-pool": None,
            },
        },
    )
}

_BUFFERS = {
    "committed-burst-size-table": None,
    "queue-management-profile": Listed(
        ("name",),
        {
            "weight-factor": NUMBER,
            "wred": {"wred-slope": Listed(("traffic-type", "drop-probability", "enable-ecn"), _SLOPE)},
        },
    ),
    "buffer-allocation-profile": Listed(
        ("name",),
        {
            "queues": {
                "queue": Listed(
                    ("queue-name",),
                    {
                        "maximum-burst-size": NUMBER,
                        "mbs-adaptation-rule": WORD,
                        "committed-burst-size": NUMBER,
                        "cbs-adaptation-rule": WORD,
                        "high-threshold-bytes": NUMBER,
                        "interface-pool": WORD,
                    },
                ),
                "pfc-queue": Listed(
                    ("pfc-queue-name",),
                    {
                        "maximum-burst-size": NUMBER,
                        "committed-burst-size": NUMBER,
                        "maximum-pfc-reserved-share-percentage": NUMBER,
                        "maximum-pfc-reserved-share-bytes": NUMBER,
                        "pfc-on-threshold": NUMBER,
                        "pfc-off-threshold": NUMBER,
                        "use-dynamic-allocation": SWITCH,
                    },
                ),
            }
        },
    ),
    "slope-policy": None,
    "fp-pool-policy": None,
    "interface-pool-policy": None,
}

_OLD_SLOPE: dict[str, object] = {
    "min-threshold": NUMBER,
    "max-threshold": NUMBER,
    "min-threshold-percent": NUMBER,
    "max-threshold-percent": NUMBER,
    "slope-enabled": SWITCH,
    "max-probability": NUMBER,
    "max-drop-probability-percent": NUMBER,
}
_QUEUE_TEMPLATES = {
    "queue-template": Listed(
        ("name",),
        {
            "queue-depth": {"maximum-burst-size": NUMBER, "high-threshold-bytes": NUMBER},
            "active-queue-management": {
                "weight-factor": NUMBER,
                "wred-slope": Listed(("traffic-type", "drop-probability"), _OLD_SLOPE),
                "ecn-slope": Listed(("ecn-drop-probability",), _OLD_SLOPE),
            },
        },
    )
}
"""Queue templates of releases up to 23.10, which became two kinds of profiles."""

QOS: dict[str, object] = {
    "explicit-congestion-notification": {"ecn-dscp-policy": WORD},
    "queues": {
        "queue": Listed(("name",), {"queue-index": NUMBER, "queue-type": WORD}),
        "pfc-queue": Listed(("pfc-queue-name",), {"queue-index": NUMBER}),
        "queue-depth-sampling": None,
    },
    "forwarding-classes": {
        "forwarding-class": Listed(
            ("name",),
            {
                "forwarding-class-index": NUMBER,
                "output": {"unicast-queue": WORD, "multicast-queue": WORD, "queue": WORD, "slope-policy": WORD},
            },
        )
    },
    "pfc-mapping-profile": Listed(
        ("name",),
        {
            "received-traffic": {
                "unicast-mapping": {
                    "pfc-queue": Listed(
                        ("pfc-queue-name",),
                        {
                            "dot1p": NUMBERS,
                            "forwarding-class": WORDS,
                            "pfc-pause-frame-priority": NUMBERS,
                            "enable-pfc": SWITCH,
                        },
                    )
                }
            },
            "received-pfc-pause-frames": {
                "deadlock": {
                    "enable": SWITCH,
                    "detection-timer": NUMBER,
                    "recovery-timer": NUMBER,
                    "detection-time": NUMBER,
                },
                "queue": Listed(("queue-name",), {"pfc-pause-frame-priority": NUMBERS, "enable-pfc": SWITCH}),
            },
        },
    ),
    "classifiers": {
        "vxlan-default": WORD,
        "dscp-policy": Listed(("name",), {"dscp": Listed(("value",), _CODES)}),
        "dot1p-policy": Listed(("name",), {"dot1p": Listed(("value",), _CODES)}),
        "mpls-traffic-class-policy": None,
        "dscp-reclassify-policy": None,
    },
    "rewrite-rules": {
        "vxlan-outer-header-dscp-policy": WORD,
        "dscp-policy": Listed(("name",), {"map": Listed(("forwarding-class",), _MARKS)}),
        "dot1p-policy": None,
        "mpls-traffic-class-policy": None,
        "ip-rewrite-policy": None,
    },
    "scheduler-policies": {
        "scheduler-policy": Listed(
            ("name",),
            {
                "scheduler": Listed(
                    ("sequence",),
                    {
                        "priority": WORD,
                        "input": Listed(
                            ("id",),
                            {
                                "input-type": WORD,
                                "queue-name": WORD,
                                "peak-rate-percent": NUMBER,
                                "weight": NUMBER,
                            },
                        ),
                    },
                )
            },
        ),
        "scheduling-priority-mapping-table": None,
        "queue-scheduling-policy": None,
        "sched-class-scheduling-policy": None,
    },
    "preserve-dscp": SWITCH,
    "interfaces": _INTERFACES,
    "buffer-management": _BUFFERS,
    "queue-templates": _QUEUE_TEMPLATES,
    "linecard": Listed(
        ("slot",),
        {
            "forwarding-complex": Listed(
                ("name",),
                {
                    "input": {"pfc-buffer-reservation": NUMBER, "pfc-reserved-buffer-size": NUMBER},
                    "output": {"fp-pool-policy": WORD},
                },
            )
        },
    ),
    "cbs-size-table": None,
    "forwarding-complexes": None,
    "policer-templates": None,
    "policer-policies": None,
    "resource-management": None,
    "system-generated-traffic": None,
    "input-class-map": None,
    "output-class-map": None,
}

_SUBINTERFACE_QOS: dict[str, object] = {
    "input": {
        "classifiers": {
            "default-forwarding-class": WORD,
            "default-drop-probability": WORD,
            "ipv4-dscp-policy": WORD,
            "ipv6-dscp-policy": WORD,
            "dscp-policy": WORD,
            "dot1p-policy": WORD,
            "mpls-traffic-class-policy": WORD,
        },
        "policer-policies": None,
        "policer-templates": None,
    },
    "output": {
        "rewrite-rules": {
            "ipv4-dscp-policy": WORD,
            "ipv6-dscp-policy": WORD,
            "dscp-policy": WORD,
            "dot1p-policy": WORD,
            "mpls-traffic-class-policy": WORD,
        }
    },
}
"""Where the bindings of a subinterface stood up to 23.3 (models 22.11 and 23.3)."""

INTERFACE: dict[str, object] = {
    "mtu": NUMBER,
    "admin-state": WORD,
    "description": WORD,
    "vlan-tagging": SWITCH,
    "breakout-mode": None,
    "ethernet": {
        "aggregate-id": WORD,
        "port-speed": WORD,
        "flow-control": {"receive": SWITCH, "transmit": SWITCH},
        "forward-error-correction": None,
    },
    "subinterface": Listed(("index",), {"type": WORD, "ip-mtu": NUMBER, "qos": _SUBINTERFACE_QOS}),
    "qos": {},
}
"""Of an interface only this is read; addresses, VLANs and the rest are passed over. Up to 23.3 queues and schedulers
of a port stood below its `qos`: no word of that is read, and each line is reported."""

ROOT: dict[str, object] = {
    "qos": QOS,
    "interface": Listed(("name",), INTERFACE),
    "system": {
        "name": {"host-name": WORD},
        "mtu": {"default-port-mtu": NUMBER, "default-ip-mtu": NUMBER},
        "information": {"version": WORD},
        "lldp": {
            "interface": Listed(
                ("name",),
                {"neighbor": Listed(("id",), {"system-name": WORD, "port-id": WORD, "port-id-type": WORD})},
            )
        },
    },
    "platform": {"chassis": {"type": WORD}},
}

OTHER_ROOTS = frozenset(
    {"acl", "bfd", "network-instance", "routing-policy", "tunnel", "tunnel-interface", "oam", "tls", "sync"}
)
"""Further words of the top level: they tell a whole configuration from an excerpt."""

STATE = (_PFC_STATE["statistics"], _QUEUE_STATE["queue-statistics"])
"""Trees of counters: what stands there beside ours is none of our business."""

DSCP_NAMES = {
    "CS0": 0, "LE": 1, "CS1": 8, "AF11": 10, "AF12": 12, "AF13": 14, "CS2": 16, "AF21": 18, "AF22": 20, "AF23": 22,
    "CS3": 24, "AF31": 26, "AF32": 28, "AF33": 30, "CS4": 32, "AF41": 34, "AF42": 36, "AF43": 38, "CS5": 40, "EF": 46,
    "CS6": 48, "CS7": 56,
}  # fmt: skip
"""Names that stand for a DSCP (srl_nokia-common, dscp-name)."""
