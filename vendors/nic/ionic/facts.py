"""What ionic hosts have beyond other hosts: nicctl names cards and ports by UUIDs of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import UNLIMITED

_LINUX = Path(__file__).parents[1] / "linux"

if TYPE_CHECKING:
    from rocecfg.state.model import Where
    from vendors.nic.linux.facts import Facts
    from vendors.nic.linux.facts import Host as LinuxHost
    from vendors.nic.linux.family import Family
else:
    LinuxHost = load_module(_LINUX / "facts.py").Host

_facts = load_module(_LINUX / "facts.py")
PREFIX = "nicctl "
"""How a port is called that nicctl names by a UUID."""
GIGABIT = 1_000_000_000


@dataclass(slots=True)
class Card:
    """A card as nicctl knows it."""

    first: Where
    functions: tuple[str, ...] = ()
    model: str | None = None
    firmware: str | None = None


class Host(LinuxHost):
    """All that the texts of one ionic host say."""

    def __init__(self, family: Family) -> None:
        super().__init__(family)
        self.found: dict[str, Card] = {}
        self.card_of: dict[str, str] = {}
        """Port UUID -> card UUID."""
        self.addresses: dict[str, str] = {}
        """MAC address, twelve digits -> netdev."""
        self.counted: list[tuple[str, str, str, Where]] = []
        """Counters of ports by UUID: name and value, with their line."""
        self.everywhere: Facts | None = None
        """What commands without a port set on all of them."""

    def uuid(self, identifier: str, place: Where) -> Facts:
        """Return what is known of a port by its UUID."""
        found: Facts = self.port(f"{PREFIX}{identifier}" if identifier else "", place)
        return found

    def link(self, name: str, address: str) -> None:
        """Note the address of a netdev: a port's UUID begins with it."""
        self.addresses[address.replace(":", "").lower()] = name

    def join(self) -> None:
        """Give what nicctl printed to the netdev it is about, where a text says which that is."""
        by_function = {pci.lower(): name for name, pci in self.pci_of.items()}
        if not self.ports and self.everywhere is not None:
            self.ports[_facts.NAMELESS] = _facts.Facts(self.everywhere.first)
        if not self.ports:
            for identifier, known_card in self.found.items():
                self.port(f"{PREFIX}{identifier}", known_card.first)
                self.card_of[identifier] = identifier
        netdev_of: dict[str, str] = {}
        unnamed = [name for name in self.ports if name.startswith(PREFIX)]
        others = [name for name in self.ports if name not in unnamed]
        for name in unnamed:
            identifier = name.removeprefix(PREFIX)
            card, facts = self.found.get(self.card_of.get(identifier, "")), self.ports[name]
            netdev = None
            if card is not None:
                said = {"model": card.model, "firmware": card.firmware}
                facts.nic.update({field: value for field, value in said.items() if value is not None})
                netdev = next((by_function[pci] for pci in card.functions if pci in by_function), None)
            netdev = netdev or self.addresses.get(identifier.replace("-", "")[:12])
            if netdev is None and len(unnamed) == len(others) == 1:
                netdev = others[0]
            if netdev is not None and netdev != name:
                del self.ports[name]
                known = self.ports.setdefault(netdev, facts)
                if known is not facts:
                    _facts.merge(known, facts)
                netdev_of[identifier] = netdev
        for identifier, counter, value, place in self.counted:
            name = netdev_of.get(identifier, f"{PREFIX}{identifier}")
            self.family.counting.statistic(self.tally, name, counter, value, place)
        for facts in self.ports.values():
            if self.everywhere is not None:
                _facts.merge(facts, self.everywhere)
                facts.places = {**self.everywhere.places, **facts.places}
            _settle(facts)


def everywhere(place: Where) -> Facts:
    """Return an empty account for commands that name no port."""
    found: Facts = _facts.Facts(place)
    return found


def _settle(facts: Facts) -> None:
    """Say what the kind of pause means for PFC, and take the port's MTU where nobody knows the netdev's."""
    kind, port_mtu = facts.nic.pop("pause_kind", None), facts.nic.pop("port_mtu", None)
    if kind in {"link", "none"}:
        facts.pfc = frozenset()
    elif kind == "pfc" and facts.pfc is None:
        facts.pfc_admin = "on"
    if facts.mtu is None and port_mtu is not None:
        facts.mtu, facts.mtu_counts = port_mtu, None


def schedule(port: Facts, priority: int, share: int, rate: int) -> None:
    """Note how a priority is served: by its share, or with a share of 0 strictly, up to a rate in Gb/s."""
    if not 0 <= priority <= 7 or not 0 <= share <= 100 or rate < 0:
        raise ValueError(priority)
    port.scheduler[priority] = "ets" if share else "strict"
    if share:
        port.share[priority] = share
        port.rate.pop(priority, None)
    else:
        port.share.pop(priority, None)
        port.rate[priority] = rate * GIGABIT or UNLIMITED
