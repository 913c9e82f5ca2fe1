"""Reads the lines that ethtool, ip, rdma, show_gids and ibv_devinfo print, one record at a time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rocecfg.state.model import Where
    from vendors.nic.linux.facts import Host
    from vendors.nic.linux.tlv import TlvOutputs
else:
    TlvOutputs = load_module(Path(__file__).with_name("tlv.py")).TlvOutputs

_sysfs = load_module(Path(__file__).with_name("sysfs.py"))
_words = load_module(Path(__file__).with_name("words.py"))
_counters = load_module(Path(__file__).with_name("counters.py"))

MEGABIT = 1_000_000


class Outputs(TlvOutputs):
    """Reads output lines into a host; remembers which port and which section they belong to."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.family = host.family
        self.netdev = ""
        self.device = ""
        self.card = ""
        self.columns: tuple[str, ...] = ()
        self.tc: int | None = None
        self.command = ""
        self.files: list[str] = []
        """Files that a `cat` prints, one line each."""
        self.links: list[tuple[dict[str, Any], Where]] = []
        """Links of `ip -j link`, used for the ports that other texts name."""
        self.models: list[str] = []
        self.content = ""
        """The JSON text that is being read, for the lines of its keys."""
        self._numbered: list[str] = []
        self._handlers: dict[str, Callable[[Mapping[str, str], str, Where], bool]] = {
            name.removeprefix("_on_"): getattr(self, name) for name in dir(self) if name.startswith("_on_")
        }

    def begin(self, command: str = "", *, netdev: str = "", device: str = "", card: str = "") -> None:
        """Begin the output of a command: what follows belongs to the port it names."""
        self.command, self.netdev, self.device, self.card = command, netdev, device, card
        self.columns, self.tc, self.tlv = (), None, ""

    def foreign(self) -> None:
        """Pass a line of nobody: nothing after it is credited to what stood before it."""
        self.tc = None

    def take(self, kind: str, values: Mapping[str, str], line: str, place: Where) -> bool:
        """Take one record; False when its values make no sense."""
        handler = self._handlers.get(kind)
        try:
            return handler is None or handler(values, line, place)
        except (ValueError, KeyError, IndexError):
            return False

    def _on_ip_link(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        name = values["interface"].partition("@")[0]
        link = {"ifname": name, "mtu": values["mtu"], "flags": values["flags"].split(",")}
        rest = values["rest"].split()
        if "master" in rest[:-1]:
            link["master"] = rest[rest.index("master") + 1]
        self.links.append((link, place))
        return True

    def _on_ibdev(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        device = self.host.device(values["device"], place)
        device.netdev = device.netdev or values["netdev"]
        return True

    # ethtool

    def _on_pause_of(self, values: Mapping[str, str], _: str, __: Where) -> bool:
        self.begin("ethtool -a", netdev=values["interface"])
        return True

    def _on_pause(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if self.command != "ethtool -a":
            return False
        for side, value in values.items():
            self._port(place).pause[side] = {"on": True, "off": False}[value]
            self._port(place).places.setdefault("link_pause", place)
            self._port(place).at(f"link_pause.{side}", place)
        return True

    def _on_settings_of(self, values: Mapping[str, str], _: str, __: Where) -> bool:
        self.begin("ethtool", netdev=values["interface"])
        return True

    def _on_speed(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        self._port(place).speed_now = int(values["megabits"]) * MEGABIT
        return True

    def _on_fec_of(self, values: Mapping[str, str], _: str, __: Where) -> bool:
        self.begin("ethtool --show-fec", netdev=values["interface"])
        return True

    def _on_fec(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        port = self._port(place)
        port.fec = values["word"].lower()
        port.at("fec", place)
        return True

    def _on_driver(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        self._port(place).nic["driver"] = values["driver"]
        return True

    def _on_firmware(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        self._port(place).nic["firmware"] = values["version"]
        return True

    def _on_bus(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if self.netdev and self._port(place):
            self.host.pci_of[self.netdev] = values["function"]
        return True

    def _on_storm_timeout(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        _sysfs.set_storm_timeout(self._port(place), int(values["timeout"]), place)
        return True

    def _on_statistics(self, _: Mapping[str, str], __: str, ___: Where) -> bool:
        if self.command != "ethtool -S":
            self.begin("ethtool -S")
        return True

    def statistic(self, name: str, value: str, place: Where) -> None:
        """Note a counter of `ethtool -S`; names of other drivers make no port."""
        if self.family.counting.statistic(self.host.tally, self.netdev, name, value, place):
            self._port(place)

    # RDMA

    def _on_hca(self, values: Mapping[str, str], _: str, __: Where) -> bool:
        self.begin("ibv_devinfo", device=values["device"])
        return True

    def _on_active_mtu(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if self.command != "ibv_devinfo":
            return False
        device = self.host.device(self.device, place)
        device.nic["active_mtu"] = int(values["mtu"])
        device.places["nic.active_mtu"] = place
        return True

    def default_tos(self, tos: int, place: Where) -> None:
        """Note what cma_roce_tos prints: one decimal number."""
        device = self.host.device(self.device, place)
        device.nic["default_tos"] = tos
        device.places["nic.default_tos"] = place

    def _on_roce_mode(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        device = self.host.device(self.device, place)
        device.nic["roce_version"] = f"v{int(values['version'])}"
        device.places["nic.roce_version"] = place
        return values["version"] in {"1", "2"}

    def _on_link(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        pairs = _counters.words(values["words"])
        named = dict(pairs)
        if "state" not in named and "netdev" not in named:
            return bool(self.family.counting.rdma(self.host.tally, values["device"], pairs, place))
        device = self.host.device(values["device"], place)
        device.netdev = named.get("netdev", device.netdev)
        return True

    def _on_gid(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        address, netdev = values["gid"], values["netdev"]
        device = self.host.device(values["device"], place)
        device.gids.append(_words.gid_of(int(values["index"]), address, values["version"], netdev))
        device.netdev = device.netdev or netdev
        device.places.setdefault("nic.gids", place)
        return True
