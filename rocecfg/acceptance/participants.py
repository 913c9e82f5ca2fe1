"""Who takes part in an acceptance: the classes, hosts, cards and parts of a fabric's plan.

hosts, cards = participants.hosts(plan, remarks)     # remarks gets a sentence for each port that is left out
two, rack, everybody = participants.of_stages(cards)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rocecfg.acceptance import schedule
from rocecfg.acceptance.model import Host, Interface, TrafficClass
from rocecfg.errors import PlanError
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from rocecfg.acceptance.schedule import Card
    from rocecfg.plan.planned import Plan
    from rocecfg.state.model import Port

_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_BESIDE_THE_IP_PACKET = {"ip": 0, "l2": 14, "l2+fcs": 18}


def refuse_unsafe(*names: str) -> None:
    """Raise PlanError for a name that is more than one plain word to a shell."""
    for name in names:
        if not _SAFE.fullmatch(name):
            raise PlanError(f'"{name[:80]}": no script can carry this name: letters, digits, ".", "_" and "-"')


def classes(plan: Plan) -> dict[str, TrafficClass]:
    """Return the classes that have a DSCP, each with the mark its test packets carry."""
    found = {}
    for item in plan.classes:
        if item.of.dscp:
            dscp = 0 if item.of.kind == "default" and 0 in item.of.dscp else item.of.dscp[0]
            found[item.of.name] = TrafficClass(
                dscp=dscp, tclass=dscp << 2, priority=item.of.priority, pfc=item.of.lossless, cnp=item.of.kind == "cnp"
            )
    return found


def hosts(plan: Plan, remarks: list[str]) -> tuple[dict[str, Host], list[Card]]:
    """Return the hosts that are cabled to switches, and their cards; `remarks` says what is left out and why.

    Raises PlanError for a name that no script can carry.
    """
    found: dict[str, Host] = {}
    cards: list[Card] = []
    islands = _islands(plan)
    if len(set(islands.values())) > 1:
        remarks.append("links with PFC off part the fabric: no RoCE flow crosses them")
    for name, device in plan.fabric.devices.items():
        if device.kind != "host":
            continue
        if any(output.file.endswith(".ps1") for output in registry.get(device.system).manifest.render):
            remarks.append(f"{name}: the scripts are for hosts with Linux, it is left out")
            continue
        interfaces = {}
        for port in device.ports.values():
            leaf = plan.fabric.devices.get(port.peer.device) if port.peer is not None else None
            if port.peer is None or leaf is None or leaf.kind != "switch" or not port.speed:
                remarks.append(f"{name}:{port.name}: no cable to a switch of the intent, it is left out")
                continue
            refuse_unsafe(name, port.name)
            mtu = _ip_mtu(plan.devices[name].fitted.ports[port.name])
            speed = port.speed / 1e9
            interfaces[port.name] = Interface(
                nic=device.system,
                rail=port.name if "rail" in port.name else None,
                speed_gbps=speed,
                mtu=mtu,
                leaf=leaf.name,
                leaf_port=port.peer.port,
            )
            kind = (leaf.system, leaf.model, str(speed))
            cards.append(schedule.Card(name, port.name, leaf.name, speed, mtu, kind, islands[leaf.name]))
        if interfaces:
            found[name] = Host(interfaces=interfaces)
    return found, cards


def _ip_mtu(port: Port) -> int | None:
    """Return what an IP packet of a port may measure."""
    return None if port.mtu is None else port.mtu - _BESIDE_THE_IP_PACKET[port.mtu_counts or "ip"]


def _islands(plan: Plan) -> dict[str, int]:
    """Return switch -> part of the fabric. A cable whose PFC the intent turns off carries no RoCE between parts."""
    fabric = plan.fabric
    beside: dict[str, list[str]] = {name: [] for name, of in fabric.devices.items() if of.kind == "switch"}
    between = [link for link in fabric.links if link.a.device in beside and link.b.device in beside]
    carrying = [
        link for link in between if all(fabric.settings(*end).pfc_mode.value != "off" for end in (link.a, link.b))
    ]
    if len(carrying) == len(between):
        return dict.fromkeys(beside, 0)
    for link in carrying:
        beside[link.a.device].append(link.b.device)
        beside[link.b.device].append(link.a.device)
    found: dict[str, int] = {}
    for number, start in enumerate(beside):
        todo = [start] if start not in found else []
        while todo:
            name = todo.pop()
            if name not in found:
                found[name] = number
                todo += beside[name]
    return found


def of_stages(cards: list[Card]) -> tuple[set[str], set[str], set[str]]:
    """Return the hosts of the three stages: two neighbours, all of their leaf, all."""
    everybody = list(dict.fromkeys(card.host for card in cards))
    for of_leaf in schedule.grouped(cards, "leaf").values():
        rack = list(dict.fromkeys(card.host for card in of_leaf))
        if len(rack) > 1:
            return set(rack[:2]), set(rack), set(everybody)
    return set(everybody[:2]), set(everybody[:2]), set(everybody)
