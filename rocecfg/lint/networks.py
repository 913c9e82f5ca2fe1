"""The network that examples of rules about paths begin with.

GOOD = TWO_LEAVES
BAD = GOOD.replace("default_tos: 106", "default_tos: 2", 1)
"""

from __future__ import annotations

TWO_LEAVES = """
devices:
  - name: leaf1
    ports:
      h: &port
        speed: 400000000000
        mtu: 9216
        mtu_counts: l2
        qos: &roce
          trust: dscp
          dscp_to_tc: {26: 3, 34: 4, rest: 0}
          rewrite: []
          tc_to_queue: {0: 0, 3: 3, 4: 4}
          tc_to_pg: {0: 0, 3: 3, 4: 4}
          priority_to_queue: {3: [3], 4: [4]}
          priority_to_pg: {3: [3], 4: [4]}
          pfc: {admin: "on", tx: [3, 4], rx: [3, 4]}
          link_pause: {rx: false, tx: false}
          watchdog: {enabled: true, priorities: [3, 4], poll: 100, detect: 200, restore: 400, action: drop}
          queues:
            3: &queue {scheduler: weighted, weight: 50, weight_kind: percent-of-link,
                       ecn: {curves: [{low: 400000, high: 1600000, probability: 10}]}}
            4: *queue
          priority_groups: {3: {lossless: true, headroom: {by: box}}, 4: {lossless: true, headroom: {by: box}}}
      u: &up {speed: 400000000000, mtu: 9216, mtu_counts: l2, qos: *roce}
  - {name: leaf2, ports: {h: *port, u: *up}}
  - name: spine1
    ports:
      a: &spine {speed: 400000000000, mtu: 9216, mtu_counts: l2, qos: *roce}
      b: *spine
  - {name: gpu1, kind: host, ports: {r: {mtu: 9000, mtu_counts: ip, nic: {default_tos: 106}}}}
  - {name: gpu2, kind: host, ports: {r: {mtu: 9000, mtu_counts: ip, nic: {default_tos: 106}}}}
links:
  - {a: "leaf1:h", b: "gpu1:r"}
  - {a: "leaf2:h", b: "gpu2:r"}
  - {a: "leaf1:u", b: "spine1:a"}
  - {a: "leaf2:u", b: "spine1:b"}
"""
"""A spine, two leaves, a host at each: set alike on every port, DSCP 26 and 34 lossless."""
