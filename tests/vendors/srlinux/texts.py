"""One small fabric port in each form that SR Linux prints, written for these tests."""

FLAT = """\
set / interface ethernet-1/1 admin-state enable
set / interface ethernet-1/1 mtu 9232
set / interface ethernet-1/1 ethernet flow-control receive false
set / interface ethernet-1/1 subinterface 0 type routed
set / interface ethernet-1/1 subinterface 0 ip-mtu 9218
set / interface ethernet-1/1 subinterface 0 ipv4 address 192.0.2.1/31
set / network-instance default interface ethernet-1/1.0
set / qos explicit-congestion-notification
set / qos queues queue lossless queue-index 4
set / qos queues queue control queue-index 7
set / qos queues pfc-queue stop-me queue-index 2
set / qos forwarding-classes forwarding-class rdma forwarding-class-index 3
set / qos forwarding-classes forwarding-class rdma output unicast-queue lossless
set / qos forwarding-classes forwarding-class cnp forwarding-class-index 6 output unicast-queue control
set / qos pfc-mapping-profile rails received-traffic unicast-mapping pfc-queue stop-me forwarding-class [ rdma ]
set / qos pfc-mapping-profile rails received-traffic unicast-mapping pfc-queue stop-me pfc-pause-frame-priority 5
set / qos pfc-mapping-profile rails received-pfc-pause-frames deadlock enable true
set / qos pfc-mapping-profile rails received-pfc-pause-frames deadlock detection-timer 300
set / qos pfc-mapping-profile rails received-pfc-pause-frames queue lossless pfc-pause-frame-priority 5
set / qos pfc-mapping-profile rails received-pfc-pause-frames queue lossless enable-pfc true
set / qos classifiers dscp-policy marks dscp 26 forwarding-class rdma
set / qos classifiers dscp-policy marks dscp AF41 forwarding-class rdma drop-probability high
set / qos classifiers dscp-policy marks dscp CS6 forwarding-class cnp
set / qos scheduler-policies scheduler-policy shares scheduler 0 priority strict
set / qos scheduler-policies scheduler-policy shares scheduler 0 input c queue-name control peak-rate-percent 20
set / qos scheduler-policies scheduler-policy shares scheduler 1 input r queue-name lossless weight 60
set / qos interfaces interface p1 interface-ref interface ethernet-1/1
set / qos interfaces interface p1 pfc pfc-mapping-profile rails
set / qos interfaces interface p1 pfc pfc-enable true
set / qos interfaces interface p1 input pfc-buffer-allocation-profile in
set / qos interfaces interface p1 output queues queue lossless queue-management-profile ramp
set / qos interfaces interface p1 output scheduler scheduler-policy shares
set / qos interfaces interface p1 output buffer-allocation-profile out
set / qos interfaces interface p1-sub interface-ref interface ethernet-1/1
set / qos interfaces interface p1-sub interface-ref subinterface 0
set / qos interfaces interface p1-sub input classifiers dscp-policy marks
set / qos buffer-management queue-management-profile ramp wred wred-slope all drop-probability all enable-ecn true min-threshold-percent 5
set / qos buffer-management queue-management-profile ramp wred wred-slope all drop-probability all enable-ecn true max-threshold-percent 80
set / qos buffer-management queue-management-profile ramp wred wred-slope all drop-probability all enable-ecn true max-drop-probability-percent 100
set / qos buffer-management buffer-allocation-profile out queues queue lossless maximum-burst-size 2000000
set / qos buffer-management buffer-allocation-profile in queues pfc-queue stop-me maximum-burst-size 700000
set / qos buffer-management buffer-allocation-profile in queues pfc-queue stop-me maximum-pfc-reserved-share-bytes 120000
set / qos linecard 1 forwarding-complex 0 input pfc-buffer-reservation 12
set / system name host-name rail1
"""

BRACES = """\
    interface ethernet-1/1 {
        admin-state enable
        mtu 9232
        ethernet {
            flow-control {
                receive false
            }
        }
        subinterface 0 {
            type routed
            ip-mtu 9218
            ipv4 {
                admin-state enable
                address 192.0.2.1/31 {
                }
            }
        }
    }
    network-instance default {
        type default
        description "a text with { in it"
        interface ethernet-1/1.0 {
        }
    }
    qos {
        explicit-congestion-notification {
        }
        queues {
            queue lossless {
                queue-index 4
            }
            queue control {
                queue-index 7
            }
            pfc-queue stop-me {
                queue-index 2
            }
        }
        forwarding-classes {
            forwarding-class rdma {
                forwarding-class-index 3
                output {
                    unicast-queue lossless
                }
            }
            forwarding-class cnp {
                forwarding-class-index 6
                output {
                    unicast-queue control
                }
            }
        }
        pfc-mapping-profile rails {
            received-traffic {
                unicast-mapping {
                    pfc-queue stop-me {
                        pfc-pause-frame-priority 5
                        forwarding-class [
                            rdma
                        ]
                    }
                }
            }
            received-pfc-pause-frames {
                deadlock {
                    enable true
                    detection-timer 300
                }
                queue lossless {
                    pfc-pause-frame-priority 5
                    enable-pfc true
                }
            }
        }
        classifiers {
            dscp-policy marks {
                dscp 26 {
                    forwarding-class rdma
                }
                dscp 34 {
                    forwarding-class rdma
                    drop-probability high
                }
                dscp 48 {
                    forwarding-class cnp
                }
            }
        }
        scheduler-policies {
            scheduler-policy shares {
                scheduler 0 {
                    priority strict
                    input c {
                        queue-name control
                        peak-rate-percent 20
                    }
                }
                scheduler 1 {
                    input r {
                        queue-name lossless
                        weight 60
                    }
                }
            }
        }
        interfaces {
            interface p1 {
                interface-ref {
                    interface ethernet-1/1
                }
                pfc {
                    pfc-mapping-profile rails
                    pfc-enable true
                }
                input {
                    pfc-buffer-allocation-profile in
                }
                output {
                    buffer-allocation-profile out
                    queues {
                        queue lossless {
                            queue-management-profile ramp
                        }
                    }
                    scheduler {
                        scheduler-policy shares
                    }
                }
            }
            interface p1-sub {
                interface-ref {
                    interface ethernet-1/1
                    subinterface 0
                }
                input {
                    classifiers {
                        dscp-policy marks
                    }
                }
            }
        }
        buffer-management {
            queue-management-profile ramp {
                wred {
                    wred-slope all drop-probability all enable-ecn true {
                        min-threshold-percent 5
                        max-threshold-percent 80
                        max-drop-probability-percent 100
                    }
                }
            }
            buffer-allocation-profile out {
                queues {
                    queue lossless {
                        maximum-burst-size 2000000
                    }
                }
            }
            buffer-allocation-profile in {
                queues {
                    pfc-queue stop-me {
                        maximum-burst-size 700000
                        maximum-pfc-reserved-share-bytes 120000
                    }
                }
            }
        }
        linecard 1 {
            forwarding-complex 0 {
                input {
                    pfc-buffer-reservation 12
                }
            }
        }
    }
    system {
        name {
            host-name rail1
        }
    }
"""

TREE = {
    "interface": [
        {
            "name": "ethernet-1/1",
            "admin-state": "enable",
            "mtu": 9232,
            "ethernet": {"flow-control": {"receive": False}},
            "subinterface": [
                {
                    "index": 0,
                    "type": "routed",
                    "ip-mtu": 9218,
                    "ipv4": {"admin-state": "enable", "address": [{"ip-prefix": "192.0.2.1/31"}]},
                }
            ],
        }
    ],
    "network-instance": [{"name": "default", "interface": [{"name": "ethernet-1/1.0"}]}],
    "qos": {
        "explicit-congestion-notification": {},
        "queues": {
            "queue": [{"name": "lossless", "queue-index": 4}, {"name": "control", "queue-index": 7}],
            "pfc-queue": [{"pfc-queue-name": "stop-me", "queue-index": 2}],
        },
        "forwarding-classes": {
            "forwarding-class": [
                {"name": "rdma", "forwarding-class-index": 3, "output": {"unicast-queue": "lossless"}},
                {"name": "cnp", "forwarding-class-index": 6, "output": {"unicast-queue": "control"}},
            ]
        },
        "pfc-mapping-profile": [
            {
                "name": "rails",
                "received-traffic": {
                    "unicast-mapping": {
                        "pfc-queue": [
                            {
                                "pfc-queue-name": "stop-me",
                                "forwarding-class": ["rdma"],
                                "pfc-pause-frame-priority": 5,
                            }
                        ]
                    }
                },
                "received-pfc-pause-frames": {
                    "deadlock": {"enable": True, "detection-timer": 300},
                    "queue": [{"queue-name": "lossless", "pfc-pause-frame-priority": 5, "enable-pfc": True}],
                },
            }
        ],
        "classifiers": {
            "dscp-policy": [
                {
                    "name": "marks",
                    "dscp": [
                        {"value": 26, "forwarding-class": "rdma"},
                        {"value": "AF41", "forwarding-class": "rdma", "drop-probability": "high"},
                        {"value": "48", "forwarding-class": "cnp"},
                    ],
                }
            ]
        },
        "scheduler-policies": {
            "scheduler-policy": [
                {
                    "name": "shares",
                    "scheduler": [
                        {
                            "sequence": 0,
                            "priority": "strict",
                            "input": [{"id": "c", "queue-name": "control", "peak-rate-percent": 20}],
                        },
                        {"sequence": 1, "input": [{"id": "r", "queue-name": "lossless", "weight": 60}]},
                    ],
                }
            ]
        },
        "interfaces": {
            "interface": [
                {
                    "interface-id": "p1",
                    "interface-ref": {"interface": "ethernet-1/1"},
                    "pfc": {"pfc-mapping-profile": "rails", "pfc-enable": True},
                    "input": {"pfc-buffer-allocation-profile": "in"},
                    "output": {
                        "buffer-allocation-profile": "out",
                        "queues": {"queue": [{"queue-name": "lossless", "queue-management-profile": "ramp"}]},
                        "scheduler": {"scheduler-policy": "shares"},
                    },
                },
                {
                    "interface-id": "p1-sub",
                    "interface-ref": {"interface": "ethernet-1/1", "subinterface": 0},
                    "input": {"classifiers": {"dscp-policy": "marks"}},
                },
            ]
        },
        "buffer-management": {
            "queue-management-profile": [
                {
                    "name": "ramp",
                    "wred": {
                        "wred-slope": [
                            {
                                "traffic-type": "all",
                                "drop-probability": "all",
                                "enable-ecn": True,
                                "min-threshold-percent": 5,
                                "max-threshold-percent": 80,
                                "max-drop-probability-percent": 100,
                            }
                        ]
                    },
                }
            ],
            "buffer-allocation-profile": [
                {"name": "out", "queues": {"queue": [{"queue-name": "lossless", "maximum-burst-size": 2000000}]}},
                {
                    "name": "in",
                    "queues": {
                        "pfc-queue": [
                            {
                                "pfc-queue-name": "stop-me",
                                "maximum-burst-size": 700000,
                                "maximum-pfc-reserved-share-bytes": 120000,
                            }
                        ]
                    },
                },
            ],
        },
        "linecard": [{"slot": 1, "forwarding-complex": [{"name": "0", "input": {"pfc-buffer-reservation": 12}}]}],
    },
    "system": {"name": {"host-name": "rail1"}},
}

STATE = {
    "interface": [
        {
            "interface-id": "ethernet-1/1",
            "interface-ref": {"interface": "ethernet-1/1"},
            "pfc": {
                "pfc-mapping-profile": "rails",
                "pfc-enable": True,
                "oper-state": "up",
                "deadlock-detection-timer": 300,
                "statistics": {
                    "total-pfc-pause-frames-received": "1204",
                    "total-pfc-pause-frames-generated": "377",
                    "total-packet-pfc-discards": "2",
                    "pfc-priority": [
                        {
                            "index": 5,
                            "pfc-pause-frames-received": "1204",
                            "pfc-pause-frames-generated": "377",
                            "pfc-transitions": "41",
                            "deadlock-recovery-occurrences": "3",
                        }
                    ],
                },
                "pfc-queue": [{"pfc-queue-name": "stop-me", "pfc-buffer-used": 0, "peak-pfc-buffer-used": 4096}],
            },
            "output": {
                "queues": {
                    "queue": [
                        {
                            "queue-name": "unicast-4",
                            "queue-depth": {"maximum-burst-size": 2000000},
                            "queue-statistics": {
                                "aggregate-statistics": {
                                    "transmitted-packets": "900",
                                    "transmitted-octets": "90000",
                                    "dropped-packets": "7",
                                    "dropped-octets": "700",
                                }
                            },
                        },
                        {
                            "queue-name": "multicast-4",
                            "queue-statistics": {"aggregate-statistics": {"dropped-packets": "99"}},
                        },
                    ]
                }
            },
        }
    ]
}
"""What `info from state /qos interfaces interface * | as json` prints, below `qos interfaces`."""

STATE_BRACES = """\
--{ running }--[  ]--
A:leaf1# info from state qos interfaces interface ethernet-1/1
    qos {
        interfaces {
            interface ethernet-1/1 {
                interface-ref {
                    interface ethernet-1/1
                }
                pfc {
                    pfc-mapping-profile rails
                    oper-state up
                    statistics {
                        total-pfc-pause-frames-received 1204
                        pfc-priority 5 {
                            pfc-pause-frames-received 1204
                            deadlock-recovery-occurrences 3
                        }
                    }
                }
                output {
                    queues {
                        queue unicast-4 {
                            queue-statistics {
                                aggregate-statistics {
                                    transmitted-packets 900
                                    dropped-packets 7
                                }
                            }
                        }
                    }
                }
            }
        }
    }
--{ running }--[  ]--
A:leaf1#
"""
"""The counters as `info from state` prints them without `as json`."""
