"""Reads the JSON of nicctl: cards, ports, port statistics. All its scalars are strings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Where
from rocecfg.state.numbers import natural

if TYPE_CHECKING:
    from vendors.nic.ionic.outputs import Outputs

_LINUX = Path(__file__).parents[1] / "linux"
_words = load_module(_LINUX / "words.py")
_facts = load_module(Path(__file__).with_name("facts.py"))
_outputs = load_module(Path(__file__).with_name("outputs.py"))
_PHYSICAL = "43000070-"
"""How the identifier of a physical function's logical interface begins; a virtual one's begins with 44000070."""
_STATISTIC = re.compile(r"[a-z][a-z0-9_]{1,60}")


def take(outputs: Outputs, value: Any, place: Where) -> list[str] | None:
    """Take a JSON value; the keys not understood, None when it is none of nicctl's."""
    cards = value.get("nic")
    if not isinstance(cards, list):
        return None
    strange = [f'"{key}"' for key in value if key != "nic"]
    for card in cards:
        identifier = str(card["id"])
        found = outputs.host.found.setdefault(identifier, _facts.Card(place))
        addresses = [str(card[key]).lower() for key in ("eth_bdf", "pcie_bdf") if key in card]
        found.functions += tuple(pci for pci in addresses if pci not in found.functions)
        if "product_name" in card:
            found.model, found.firmware = str(card["product_name"]), str(card.get("firmware_version", "")) or None
            outputs.models.append(found.model)
        _interfaces(outputs, card.get("lif", ()), place)
        for port in card.get("port", ()):
            _port(outputs, identifier, port, place)
    return strange


def _interfaces(outputs: Outputs, lifs: Any, start: Where) -> None:
    """Take the logical interfaces of a card: each is a netdev, its identifier says whether a virtual function."""
    named = [(str(lif["spec"]["id"]), lif["spec"], lif["status"]) for lif in lifs if "name" in lif.get("status", {})]
    physical = next((str(status["name"]) for lif, _, status in named if lif.startswith(_PHYSICAL)), None)
    for identifier, spec, status in named:
        name = str(status["name"])
        lines = _Lines(outputs.content, identifier, start)
        facts = outputs.host.port(name, lines.of("id"))
        if "rdma_mtu" in spec:
            facts.nic["active_mtu"] = natural(str(spec["rdma_mtu"]), 65535)
            facts.at("nic.active_mtu", lines.of("rdma_mtu"))
        if not identifier.startswith(_PHYSICAL):
            facts.vf_of = physical
        elif "mac_address" in spec:
            outputs.host.link(name, str(spec["mac_address"]))


def _port(outputs: Outputs, card: str, port: dict[str, Any], start: Where) -> None:
    spec, status = port.get("spec", {}), port.get("status", {})
    identifier = str(spec["id"])
    lines = _Lines(outputs.content, identifier, start)
    outputs.host.card_of[identifier] = card
    facts = outputs.host.uuid(identifier, lines.of("id"))
    if "pause_type" in spec:
        pause = {key: str(spec[key]) for key in ("pause_type", "rx_pause", "tx_pause") if key in spec}
        _outputs.port_type(facts, pause, lines.of("pause_type"))
    if "mtu" in spec:
        facts.nic["port_mtu"] = natural(str(spec["mtu"]), 65535)
        facts.places.setdefault("mtu", lines.of("mtu"))
    if "admin_state" in spec:
        facts.enabled = str(spec["admin_state"]).upper() == "UP"
    if str(status.get("operational_status", "")).upper() == "UP" and "port_speed" in status:
        facts.speed_now = _outputs.speed_of(str(status["port_speed"]))
    if "fec_type" in status or "fec_type" in spec:
        facts.fec = str(status.get("fec_type", spec.get("fec_type"))).lower()
        facts.at("fec", lines.of("fec_type"))
    for name, count in port.get("statistics", {}).items():
        if _STATISTIC.fullmatch(name):
            outputs.host.counted.append((identifier, name, str(count)[:24], lines.of(name)))


class _Lines:
    """Finds the line of a key behind the identifier of its port."""

    def __init__(self, content: str, identifier: str, start: Where) -> None:
        self._start = start
        lines = content.split("\n")
        first = next((at for at, line in enumerate(lines) if f'"{identifier}"' in line), None)
        self._of: dict[str, int] = {}
        if first is not None:
            for at, line in enumerate(lines[first : first + 400], first):
                key = line.partition(":")[0].strip().strip('"')
                self._of.setdefault(key, at)

    def of(self, key: str) -> Where:
        at = self._of.get(key)
        return self._start if at is None else Where(self._start.file, self._start.line + at)
