"""What bnxt hosts have beyond other hosts: niccli numbers its ports by itself, or takes their PCI address."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module

_LINUX = Path(__file__).parents[1] / "linux"

if TYPE_CHECKING:
    from vendors.nic.linux.facts import Host as LinuxHost
    from vendors.nic.linux.family import Family
else:
    LinuxHost = load_module(_LINUX / "facts.py").Host

_facts = load_module(_LINUX / "facts.py")
PREFIX = "niccli "
"""How a port is called that niccli names by its own number or by a PCI address."""


class Host(LinuxHost):
    """All that the texts of one bnxt host say."""

    def __init__(self, family: Family) -> None:
        super().__init__(family)
        self.listed: dict[str, str] = {}
        """niccli's number, and PCI address, -> netdev."""

    def join(self) -> None:
        """Give what niccli printed to the netdev it is about, where a text says which that is."""
        by_function = {pci.lower(): name for name, pci in self.pci_of.items()}
        alone = sum(not name.startswith(PREFIX) for name in self.ports) == 1 and len(self.ports) == 2
        for name, facts in list(self.ports.items()):
            if not name.startswith(PREFIX):
                continue
            number = name.removeprefix(PREFIX).lower()
            netdev = self.listed.get(number) or by_function.get(number) or by_function.get(f"0000:{number}", "")
            if not netdev and alone:
                netdev = next(other for other in self.ports if not other.startswith(PREFIX))
            if not netdev and len(self.ports) == 1:
                netdev = _facts.NAMELESS
            if netdev:
                del self.ports[name]
                known = self.ports.setdefault(netdev, facts)
                if known is not facts:
                    _facts.merge(known, facts)
