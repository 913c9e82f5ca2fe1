"""A 64-port NX-OS text of 2,000 lines, and the least program that can read it: the base of the parse ratio."""

from __future__ import annotations

_QOS = """\
class-map type qos match-any ROCE
  match dscp 26
class-map type qos match-any CNP
  match dscp 48
policy-map type qos QOS-IN
  class ROCE
    set qos-group 3
  class CNP
    set qos-group 7
  class class-default
    set qos-group 0
policy-map type network-qos NQ-ROCE
  class type network-qos c-8q-nq3
    mtu 9216
    pause pfc-cos 3
  class type network-qos c-8q-nq-default
    mtu 9216
policy-map type queuing Q-OUT
  class type queuing c-out-8q-q7
    priority level 1
  class type queuing c-out-8q-q3
    bandwidth remaining percent 60
    random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 40
system qos
  service-policy type network-qos NQ-ROCE
  service-policy type queuing output Q-OUT
"""


def switch_text(ports: int = 64, lines: int = 2000) -> str:
    """Return a running configuration: QoS policies, `ports` interfaces of 12 lines, BGP and prefix lists to fill."""
    parts = ["hostname leaf-001\n", "feature bgp\nfeature lldp\nfeature interface-vlan\n", _QOS, "\n"]
    parts += [
        f"interface Ethernet1/{port}\n"
        f"  description to-host-{port:03d} rail{port % 8} gpu{port % 64}\n"
        "  no switchport\n"
        "  mtu 9216\n"
        "  speed 400000\n"
        "  priority-flow-control mode on\n"
        "  priority-flow-control watch-dog-interval on\n"
        "  service-policy type qos input QOS-IN\n"
        f"  ip address 10.{port // 250}.{port % 250}.1/31\n"
        "  ipv6 link-local use-bia\n"
        "  no ip redirects\n"
        "  no shutdown\n\n"
        for port in range(1, ports + 1)
    ]
    text = "".join(parts)
    have, number = text.count("\n"), 0
    filler = []
    while have < lines:
        number += 1
        filler.append(
            f"ip prefix-list PL-{number} seq 5 permit 10.{number // 250}.{number % 250}.0/24 le 32\n"
            f"router bgp {64512 + number}\n"
            f"  neighbor 10.9.{number // 250}.{number % 250}\n"
            f"    remote-as {65000 + number % 400}\n"
            "    address-family ipv4 unicast\n"
            "      send-community\n"
            "      maximum-prefix 12000\n"
        )
        have += 7
    return text + "".join(filler)


def walk(text: str) -> dict[str, dict[str, object]]:
    """Read the same facts by hand: one pass, `split()` and prefix tests, one dictionary a section."""
    found: dict[str, dict[str, object]] = {}
    section: dict[str, object] | None = None
    inner: dict[str, object] | None = None
    for line in text.splitlines():
        if not line.startswith(" "):
            section = inner = None
            if line.startswith(("interface ", "class-map ", "policy-map ", "system qos")):
                section = found.setdefault(line, {})
            continue
        if section is None:
            continue
        words = line.split()
        first = words[0]
        if first == "class":
            inner = section.setdefault(words[-1], {})  # type: ignore[assignment]
        elif first in {"mtu", "speed"}:
            (inner if inner is not None else section)[first] = int(words[1])
        elif first == "priority-flow-control":
            section["pfc" if words[1] == "mode" else "watchdog"] = words[2]
        elif first == "service-policy":
            section[" ".join(words[1:-1])] = words[-1]
        elif first == "match":
            section["match"] = words[1:]
        elif inner is not None:
            inner[first] = words[1:]
    return found
