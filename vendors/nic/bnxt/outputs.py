"""Reads the lines that niccli prints, one record at a time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.numbers import natural

_LINUX = Path(__file__).parents[1] / "linux"

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.model import Where
    from vendors.nic.bnxt.facts import Host
    from vendors.nic.linux.outputs import Outputs as LinuxOutputs
else:
    LinuxOutputs = load_module(_LINUX / "outputs.py").Outputs

_words = load_module(_LINUX / "words.py")


class Outputs(LinuxOutputs):
    """Reads output lines into a bnxt host."""

    host: Host
    number = ""
    """The number of the port in a list of devices."""

    def _on_listed(self, values: Mapping[str, str], _: str, __: Where) -> bool:
        self.command, self.number = "niccli --list_devices", values["number"]
        self.models.append(values["model"])
        return True

    def _on_listed_interface(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if not self.number:
            return False
        self.host.listed[self.number] = values["interface"]
        self.host.port(values["interface"], place)
        return True

    def _on_listed_pci(self, values: Mapping[str, str], _: str, __: Where) -> bool:
        netdev = self.host.listed.get(self.number)
        if netdev is not None:
            self.host.listed[values["function"].lower()] = netdev
        return bool(self.number)

    def _on_app_number(self, values: Mapping[str, str], line: str, place: Where) -> bool:
        taken = super()._on_app_number(values, line, place)
        if taken:
            self._port(place).other_codes = self.family.other_codes
        return taken

    def _on_tlv(self, values: Mapping[str, str], line: str, place: Where) -> bool:
        taken = super()._on_tlv(values, line, place)
        if self.tlv == "app" and line.endswith(":"):  # niccli prints the whole table
            port = self._port(place)
            port.no_apps = True
            if port.trust is None:
                port.trust = "pcp"
                port.at("trust", place)
        return taken

    def _on_cosq_title(self, _: Mapping[str, str], __: str, ___: Where) -> bool:
        self.command = "niccli cosq"
        return True

    def _on_cosq(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        lossless = {"lossless": True, "lossy": False}[values["mode"].lower()]
        if values["state"] == "Enabled":
            self._port(place).lossless_tcs[natural(values["tc"], 7)] = lossless
            self._port(place).at(f"priority_groups.{values['tc']}", place)
        return self.command.startswith("niccli")

    def _on_pri2cos(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if self.command != "niccli dump":
            return False
        self._port(place).priority_to_tc[natural(values["priority"], 7)] = natural(values["tc"], 7)
        self._port(place).places.setdefault("tc_to_queue", place)
        return True

    def _on_pri2cos_title(self, _: Mapping[str, str], __: str, ___: Where) -> bool:
        self.command = "niccli dump"
        return True

    def _on_dscp2prio_title(self, _: Mapping[str, str], __: str, place: Where) -> bool:
        self.command = "niccli dscp2prio"
        port = self._port(place)
        port.trust = port.trust or "pcp"  # the table is all there is
        port.at("trust", place)
        return True

    def _on_dscp2prio(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if self.command != "niccli dscp2prio":
            return False
        codes = [natural(word, 63) for word in values["codes"].replace(",", " ").split()]
        self.map_codes([(code, natural(values["priority"], 7)) for code in codes], place)
        return True
