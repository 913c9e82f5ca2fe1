"""Reads `show policy-map interface`: which policies a port has, and what their classes say, beside their counters.

    Ethernet1/1
      Service-policy (queuing) output:   EGRESS
        SNMP Policy Index:  301991214
        Class-map (queuing):   c-out-8q-q3 (match-any)
          bandwidth remaining percent 60
          queue dropped pkts : 0

The same words as in a running configuration stand in other sections: they are handed on as its sections.
"""

from __future__ import annotations

import re

from rocecfg.state.sections import Block, BodyLine, text_lines

_IS_SHOWN = re.compile(r"^[ \t]+Service-policy \((?:qos|queuing)\) (?:input|output):", re.MULTILINE)
_POLICY = re.compile(r"Service-policy \((qos|queuing)\) (input|output): (\S+)")
_CLASS = re.compile(r"Class-map \((qos|queuing)\): (\S+) \((match-any|match-all)\)")
_PORT = re.compile(r"(?:Ethernet|port-channel)[\d/]+")
_COUNTED = re.compile(
    r"(?:SNMP Policy Index|Global statistics status|Slot|Module|Aggregate|queue (?:dropped|depth)|current q depth"
    r"|offered rate|conformed|exceeded|violated)\b.*"
    r"|[\d,]+ (?:packets|pkts|bytes).*|.* (?:pkts|packets|bytes) ?: ?[\d,]+.*",
    re.IGNORECASE,
)
"""Counters and what stands around them."""


def is_shown(content: str) -> bool:
    """Return whether a text was printed by `show policy-map interface`."""
    return "Service-policy (" in content and _IS_SHOWN.search(content) is not None


def blocks_of(content: str) -> dict[str, list[Block]]:
    """Return the sections of a running configuration that say what the output says, with its line numbers."""
    found: dict[str, list[Block]] = {"interface": [], "policy-map": [], "class-map": []}
    port: Block | None = None
    policy: Block | None = None
    matches: Block | None = None
    for number, raw in enumerate(text_lines(content), 1):
        line = " ".join(raw.split())
        if not line or _COUNTED.fullmatch(line):
            continue
        if _PORT.fullmatch(line):
            port, policy, matches = Block("interface", f"interface {line}", number), None, None
            found["interface"].append(port)
        elif (named := _POLICY.fullmatch(line)) is not None and port is not None:
            kind, direction, name = named.groups()
            port.body.append(BodyLine(number, 2, f"service-policy type {kind} {direction} {name}"))
            policy, matches = Block("policy-map", f"policy-map type {kind} {name}", number), None
            found["policy-map"].append(policy)
        elif (item := _CLASS.fullmatch(line)) is not None and policy is not None:
            kind, name, mode = item.groups()
            policy.body.append(BodyLine(number, 2, f"class {name}" if kind == "qos" else f"class type queuing {name}"))
            matches = Block("class-map", f"class-map type {kind} {mode} {name}", number)
            if kind == "qos" and name != "class-default":
                found["class-map"].append(matches)
        elif line.lower().startswith("match") and matches is not None:
            matches.body.append(BodyLine(number, 2, "match " + line.partition(" ")[2]))
        elif policy is not None:
            policy.body.append(BodyLine(number, 4, line))
    return found
