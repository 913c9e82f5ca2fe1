"""Reads the lines that only ice hosts print: private flags, and options of the irdma module."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import NicBoot

_LINUX = Path(__file__).parents[1] / "linux"

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.model import Where
    from vendors.nic.linux.facts import Facts
    from vendors.nic.linux.outputs import Outputs as LinuxOutputs
else:
    LinuxOutputs = load_module(_LINUX / "outputs.py").Outputs


def firmware_agent(port: Facts, place: Where, *, on: bool) -> None:
    """Note the firmware's LLDP agent: it stands in NVM, and while it is on it owns DCB."""
    port.nic["next_boot"] = NicBoot(lldp_agent=on)
    port.at("nic.next_boot", place)
    if on:
        port.owners = (port.owners or set()) - {"os"} | {"firmware"}
        port.at("dcbx", place)


class Outputs(LinuxOutputs):
    """Reads output lines into an ice host."""

    def _on_flags_of(self, values: Mapping[str, str], _: str, __: Where) -> bool:
        self.begin("ethtool --show-priv-flags", netdev=values["interface"])
        return True

    def _on_agent(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        firmware_agent(self._port(place), place, on={"on": True, "off": False}[values["switch"]])
        return True

    def _on_flag(self, _: Mapping[str, str], __: str, ___: Where) -> bool:
        return self.command == "ethtool --show-priv-flags"
