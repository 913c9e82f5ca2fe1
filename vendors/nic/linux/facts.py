"""Collects what the texts of a host say, port by port.

Texts name a NIC port in several ways: by netdev (`dcb pfc show dev ens1f0np0`), by RDMA device (`cma_roce_tos -d
mlx5_0`), by a tool's own number of a card. `Host` keeps them apart and joins them at the end, by what `rdma link`,
`show_gids`, `ethtool -i` or sysfs say; a host with a single port needs no such text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.counters import Tally

if TYPE_CHECKING:
    from rocecfg.state.model import Gid, Port, Where
    from vendors.nic.linux.family import Family

_ports = load_module(Path(__file__).with_name("ports.py"))
NAMELESS = "nic0"
"""The name of a port whose texts name none."""


@dataclass(slots=True)
class Facts:
    """What is said of one netdev; None = nothing."""

    first: Where
    places: dict[str, Where] = field(default_factory=dict)
    trust: str | None = None
    codes: dict[int, int] = field(default_factory=dict)
    """DSCP -> priority."""
    conflicts: dict[int, frozenset[int]] = field(default_factory=dict)
    other_codes: str | int | None = None
    """Priority of the DSCPs not in `codes`; "default" = the driver's DSCP / 8."""
    pfc: frozenset[int] | None = None
    cable: int | None = None
    apps: dict[tuple[str, int], int] = field(default_factory=dict)
    """(selector, number) -> priority, of the entries that are no DSCPs."""
    no_apps: bool = False
    """The whole table was printed: entries it does not hold do not exist."""
    willing: bool | None = None
    owners: set[str] | None = None
    dcbx_state: str | None = None
    priority_to_tc: dict[int, int] = field(default_factory=dict)
    scheduler: dict[int, str] = field(default_factory=dict)
    share: dict[int, int] = field(default_factory=dict)
    rate: dict[int, int] = field(default_factory=dict)
    """TC -> bit/s."""
    priority_to_buffer: dict[int, int] = field(default_factory=dict)
    buffer_bytes: dict[int, int] = field(default_factory=dict)
    manual_buffers: bool | None = None
    pause: dict[str, bool] = field(default_factory=dict)
    mtu: int | None = None
    mtu_counts: str | None = "ip"
    pfc_admin: str | None = None
    """The state of PFC where no text says on which priorities."""
    speed: int | None = None
    speed_now: int | None = None
    lag: str | None = None
    vf_of: str | None = None
    """The physical function's netdev, of a virtual function."""
    fec: str | None = None
    enabled: bool | None = None
    nic: dict[str, Any] = field(default_factory=dict)
    """Fields of `Nic` by name."""
    receives: dict[int, bool] = field(default_factory=dict)
    reacts: dict[int, bool] = field(default_factory=dict)
    parameters: dict[str, int] = field(default_factory=dict)
    lossless_tcs: dict[int, bool] = field(default_factory=dict)
    """TC -> whether its receive queue keeps what PFC asks for."""
    firmware: dict[str, int] = field(default_factory=dict)
    """Values of the next boot by the firmware's own names, as our own script wants them."""
    algorithm: str | None = None
    """Congestion control of a NIC that knows no switch per priority; "none" = known to be off."""

    def at(self, leaf: str, place: Where) -> None:
        """Note which line says a leaf; a later line wins, as it does on the host."""
        self.places[leaf] = place

    def map_code(self, code: int, priority: int, place: Where) -> None:
        """Note that a DSCP goes to a priority."""
        self.codes[code] = priority
        self.places[f"dscp_to_tc.{code}"] = place
        self.places.setdefault("dscp_to_tc", place)


@dataclass(slots=True)
class Rdma:
    """What is said of one RDMA device."""

    first: Where
    places: dict[str, Where] = field(default_factory=dict)
    nic: dict[str, Any] = field(default_factory=dict)
    gids: list[Gid] = field(default_factory=list)
    netdev: str = ""


class Host:
    """All that the texts of one host say."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self.ports: dict[str, Facts] = {}
        self.devices: dict[str, Rdma] = {}
        self.numbered = False
        """Several outputs that name no port: they are several ports."""
        self.pci_of: dict[str, str] = {}
        """netdev -> PCI function."""
        self.tally = Tally()

    def port(self, name: str, place: Where) -> Facts:
        """Return what is known of a netdev; the empty name stands for "the one this text is about"."""
        found = self.ports.get(name)
        if found is None:
            found = self.ports[name] = Facts(place)
        return found

    def device(self, name: str, place: Where) -> Rdma:
        """Return what is known of an RDMA device; the empty name = the one this text is about."""
        found = self.devices.get(name)
        if found is None:
            found = self.devices[name] = Rdma(place)
        return found

    def build(self) -> list[Port]:
        """Return the ports, in the order the texts first name them."""
        if not self.ports and not self.devices:  # a capture of nothing but RDMA counters
            for name, place in self.tally.rdma_devices():
                self.device(name, place)
        self._join_nameless()
        self._join_devices()
        self.join()
        return [
            _ports.port(name, facts, self.family.name)
            for name, facts in self.ports.items()
            if not self.family.is_others(facts.nic.get("driver"))
        ]

    def join(self) -> None:
        """Join what a family knows by names of its own."""

    def link(self, name: str, address: str) -> None:
        """Note the address of a netdev, where a family knows ports by it."""

    def _join_nameless(self) -> None:
        """Give what names no port to the only port there is, else to a port called nic0."""
        nameless = self.ports.pop("", None)
        if nameless is not None:
            if len(self.ports) == 1 and not self.numbered:
                merge(next(iter(self.ports.values())), nameless)
            else:
                self.ports = {NAMELESS: nameless, **self.ports}
            self.tally.rename("", next(iter(self.ports)))
        nameless_device = self.devices.pop("", None)
        if nameless_device is not None:
            name = next(iter(self.devices)) if len(self.devices) == 1 else ""
            known = self.devices.setdefault(name, nameless_device)
            if known is not nameless_device:
                known.nic = {**nameless_device.nic, **known.nic}
                known.places = {**nameless_device.places, **known.places}

    def _join_devices(self) -> None:
        stated = bool(self.ports)
        by_device = {facts.nic["rdma_device"]: name for name, facts in self.ports.items() if "rdma_device" in facts.nic}
        strangers = self.family.others_rdma()
        only = next(iter(self.ports)) if len(self.ports) == 1 else ""
        for name, device in self.devices.items():
            netdev = device.netdev or by_device.get(name, "")
            if netdev not in self.ports and (name.startswith(strangers) or (stated and not device.nic and netdev)):
                continue  # another vendor's NIC, or one that no other text is about
            if not netdev:
                netdev = only or name or NAMELESS
            facts = self.port(netdev, device.first)
            if name:
                facts.nic.setdefault("rdma_device", name)
            facts.nic = {**device.nic, **facts.nic}
            if device.gids:
                facts.nic["gids"] = tuple(sorted(device.gids, key=lambda gid: gid.index))
            facts.places = {**device.places, **facts.places}


def merge(into: Facts, other: Facts) -> None:
    """Add what another text says of the same port where `into` says nothing."""
    for name in Facts.__dataclass_fields__:
        mine, theirs = getattr(into, name), getattr(other, name)
        if isinstance(mine, dict):
            setattr(into, name, {**theirs, **mine})
        elif mine is None:
            setattr(into, name, theirs)
