"""Reads the lines that nicctl prints, one record at a time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import UNLIMITED
from rocecfg.state.numbers import natural

_LINUX = Path(__file__).parents[1] / "linux"

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.model import Where
    from vendors.nic.ionic.facts import Host
    from vendors.nic.linux.facts import Facts
    from vendors.nic.linux.outputs import Outputs as LinuxOutputs
else:
    LinuxOutputs = load_module(_LINUX / "outputs.py").Outputs

_words = load_module(_LINUX / "words.py")
_facts = load_module(Path(__file__).with_name("facts.py"))
_lists = load_module(Path(__file__).with_name("words.py"))
_GIGABIT = 1_000_000_000
_SPEED_UNITS = {"G": _GIGABIT, "M": 1_000_000}


def port_type(port: Facts, words: Mapping[str, str], place: Where) -> None:
    """Note the kind of pause of a port: PFC, or of the whole link."""
    kind = words["pause_type"].lower()
    if kind == "pfc":
        port.pause = {"rx": False, "tx": False}
        port.nic["pause_kind"] = "pfc"
    elif kind.startswith("link"):
        for side in ("rx", "tx"):
            if f"{side}_pause" in words:
                port.pause[side] = _lists.switch(words[f"{side}_pause"])
        port.nic["pause_kind"] = "link"
    elif kind == "none":
        port.pause = {"rx": False, "tx": False}
        port.nic["pause_kind"] = "none"
    else:
        raise ValueError(kind)
    port.at("link_pause", place)
    port.at("pfc", place)


def speed_of(word: str) -> int | None:
    """Return bit/s of `400G`. Raises ValueError."""
    return natural(word[:-1], 10_000) * _SPEED_UNITS[word[-1:]] if word[-1:] in _SPEED_UNITS else None


class Outputs(LinuxOutputs):
    """Reads output lines into an ionic host."""

    host: Host
    identifier = ""
    """The card whose block the lines are in."""
    rdma_device = ""

    def _here(self, place: Where) -> Facts:
        return self.host.port(self.netdev, place)

    def _on_card(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        self.identifier, self.rdma_device = values["card"], ""
        self.command = self.command if self.command.startswith("nicctl") else "nicctl"
        self.netdev = ""
        card = self.host.found.setdefault(values["card"], _facts.Card(place))
        function = values.get("function", "").lower()
        if function and function not in card.functions:
            card.functions = (*card.functions, function)
        return True

    def _on_port(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        self.command = self.command if self.command.startswith("nicctl") else "nicctl"
        self.netdev = f"{_facts.PREFIX}{values['port']}"
        self.host.card_of[values["port"]] = self.identifier
        self._here(place)
        return True

    def _on_classification(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        port = self._here(place)
        port.trust = {"dscp": "dscp", "pcp": "pcp"}[values["kind"].lower()]
        port.at("trust", place)
        return True

    def _on_codes(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        port, priority = self._here(place), natural(values["priority"], 7)
        for code in _lists.numbers(values["codes"], 63):
            port.map_code(code, priority, place)
        return True

    def _on_pfc_bitmap(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        mask = _words.whole(values["mask"], 255)
        self._set_pfc(frozenset(priority for priority in range(8) if mask >> priority & 1), place)
        return True

    def _on_no_drop(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        listed = values.get("priorities", "").strip()
        kept = _lists.numbers(listed, 7) if listed and listed.lower() != "none" else []
        port = self._here(place)
        port.lossless_tcs = {priority: priority in kept for priority in range(8)}
        port.priority_to_buffer = {priority: priority for priority in range(8)}
        port.at("priority_groups", place)
        return True

    def _on_schedule(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        port, priority = self._here(place), natural(values["priority"], 7)
        if values["kind"] == "DWRR":
            _facts.schedule(port, priority, natural(values["share"], 100) or 0, 0)
            if values["share"] == "0":  # as delivered: the only priority, without a share
                port.scheduler[priority] = "vendor"
                port.rate.pop(priority, None)
        elif values["kind"] == "strict":
            rate = 0 if values["rate"] == "N/A" else natural(values["rate"], 1_000_000)
            _facts.schedule(port, priority, 0, rate)
            port.rate[priority] = rate * _GIGABIT or UNLIMITED
        else:
            return False
        port.at(f"queues.{priority}", place)
        return True

    # nicctl show dcqcn

    def _on_roce_device(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        name = values["device"]
        self.rdma_device = "" if name == "-" else name
        if self.rdma_device:
            self.host.device(name, place)
        return True

    def _on_status(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if self.rdma_device and values["status"] in {"Enabled", "Disabled"}:
            device = self.host.device(self.rdma_device, place)
            device.nic["algorithm"] = "dcqcn" if values["status"] == "Enabled" else "none"
            device.places["nic.congestion_control"] = place
        return True

    def _on_cnp_dscp(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if self.rdma_device:
            device = self.host.device(self.rdma_device, place)
            device.nic["cnp_dscp"] = natural(values["dscp"], 63)
            device.places["nic.cnp_dscp"] = place
        return True

    # nicctl show port

    def _on_pause_type(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        port_type(self._here(place), {"pause_type": values["kind"]}, place)
        return True

    def _on_port_pause(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        port, side = self._here(place), values["side"].lower()
        if port.nic.get("pause_kind") == "link":
            port.pause[side] = _lists.switch(values["state"])
            port.at(f"link_pause.{side}", place)
        return side in {"rx", "tx"}

    def _on_port_mtu(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        self._here(place).nic["port_mtu"] = natural(values["mtu"], 65535)
        self._here(place).places.setdefault("mtu", place)
        return True

    def _on_port_speed(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        self._here(place).speed_now = speed_of(values["speed"])
        return True

    def _on_port_fec(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        self._here(place).fec = values["fec"].lower()
        self._here(place).at("fec", place)
        return True
