"""Reads the lines that mlnx_qos, dcb, ethtool, show_gids, rdma and mlxconfig print, one record at a time."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import UNLIMITED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from rocecfg.state.model import Where
    from vendors.nic.mlx5.facts import Facts, Firmware, Host

_sysfs = load_module(Path(__file__).with_name("sysfs.py"))
_words = load_module(Path(__file__).with_name("words.py"))
counters = load_module(Path(__file__).with_name("counters.py"))

GIGABIT, MEGABIT = 1_000_000_000, 1_000_000


_LEAF_OF = tuple(f"dscp_to_tc.{code}" for code in range(64))


class Outputs:
    """Reads output lines into a host; remembers which port and which section they belong to."""

    def __init__(self, host: Host) -> None:
        self.host = host
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
        self._numbered: list[str] = []
        self._handlers: dict[str, Callable[[Mapping[str, str], str, Where], bool]] = {
            name.removeprefix("_on_"): getattr(self, name) for name in dir(self) if name.startswith("_on_")
        }

    def begin(self, command: str = "", *, netdev: str = "", device: str = "", card: str = "") -> None:
        """Begin the output of a command: what follows belongs to the port it names."""
        self.command, self.netdev, self.device, self.card = command, netdev, device, card
        self.columns, self.tc = (), None

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

    def _port(self, place: Where) -> Facts:
        return self.host.port(self.netdev, place)

    def _on_ip_link(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        name = values["interface"].partition("@")[0]
        self.links.append(({"ifname": name, "mtu": values["mtu"], "flags": values["flags"].split(",")}, place))
        return True

    def _on_ibdev(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        device = self.host.device(values["device"], place)
        device.netdev = device.netdev or values["netdev"]
        return True

    # mlnx_qos

    def _on_lldpad(self, _: Mapping[str, str], __: str, place: Where) -> bool:
        port = self._port(place)
        port.owners = (port.owners or set()) | {"lldpad"}
        port.at("dcbx.owners", place)
        return True

    def _on_dcbx_mode(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        owner = {"OS": "os", "Firmware": "firmware"}[values["owner"]]
        self._next_nameless(place)
        self.command = self.command or "mlnx_qos"
        port = self._port(place)
        port.owners = (port.owners or set()) | {owner}
        port.at("dcbx", place)
        return True

    def _next_nameless(self, place: Where) -> None:
        """Give a second output that names no port a port of its own."""
        if self.netdev in {"", *self._numbered}:
            known = self.host.ports.get(self.netdev)
            if known is not None and "dcbx" in known.places:
                self.netdev = f"nic{len(self._numbered) + 1}"
                self._numbered.append(self.netdev)
                self.host.numbered = True
                self.host.port(self.netdev, place)

    def _on_trust(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        port = self._port(place)
        port.trust = {"dscp": "dscp", "pcp": "pcp", "none": None}[values["trust"]]
        port.at("trust", place)
        return True

    def _on_codes(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        self.map_codes(_entries(values["priority"], values["codes"]), place)
        return True

    def _on_buffer_bytes(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        sizes = [size for size in values["sizes"].split(",") if size and "=" not in size]
        return self._buffers([(str(number), size) for number, size in enumerate(sizes)], place)

    def _on_cable(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if int(values["cable"]) in _words.METRES:
            self._port(place).cable = int(values["cable"])
            self._port(place).at("cable", place)
        return True

    def _on_pfc_enabled(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        bits = [int(values[f"p{number}"]) for number in range(8)]
        if any(bit > 1 for bit in bits):
            return False
        self._set_pfc(frozenset(number for number, bit in enumerate(bits) if bit), place)
        return True

    def _set_pfc(self, priorities: frozenset[int], place: Where) -> None:
        port = self._port(place)
        port.pfc = priorities
        port.at("pfc", place)

    def _on_priority_to_buffer(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        return self._numbers("priority_to_buffer", [(str(n), values[f"p{n}"]) for n in range(8)], place, "tc_to_pg")

    def _on_tc(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        self.tc = None
        tc, scheduler = int(values["tc"]), values["scheduler"]
        if tc > 7 or scheduler not in {"ets", "strict", "vendor", "unknown"}:
            return False
        port = self._port(place)
        port.scheduler[tc] = scheduler
        if "share" in values:
            port.share[tc] = int(values["share"])
        port.rate[tc] = round(float(values["rate"]) * GIGABIT) if "rate" in values else UNLIMITED
        port.at(f"queues.{tc}", place)
        self.tc = tc
        return True

    def _on_tc_of_priority(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if self.tc is None or int(values["priority"]) > 7:
            return False
        port = self._port(place)
        port.priority_to_tc[int(values["priority"])] = self.tc
        port.places.setdefault("tc_to_queue", place)
        return True

    # dcb

    def _on_dcb_pfc(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        return self._on_cable({"cable": values["delay"]}, "", place)

    def _on_dcb_prio_pfc(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        pairs = _pairs(values)
        if not pairs or any(on not in {"on", "off"} for _, on in pairs):
            return False
        self._set_pfc(frozenset(_words.natural(priority, 7) for priority, on in pairs if on == "on"), place)
        return True

    def _on_dcb_ets(self, values: Mapping[str, str], _: str, __: Where) -> bool:
        return values["willing"] in {"on", "off"}

    def _on_dcb_tc_bw(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        return self._numbers("share", _pairs(values), place, "queues")

    def _on_dcb_tc_tsa(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        port = self._port(place)
        for tc, word in _pairs(values):
            number = _words.natural(tc, 7)
            port.scheduler[number] = word
            port.at(f"queues.{number}", place)
        return True

    def _on_dcb_prio_tc(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        return self._numbers("priority_to_tc", _pairs(values), place, "tc_to_queue")

    def _on_dcb_dscp_prio(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        pairs = [(_words.dscp_of(code), _words.natural(priority)) for code, priority in _pairs(values)]
        if any(priority > 7 for _, priority in pairs):
            return False
        self.map_codes(pairs, place)
        return True

    def map_codes(self, pairs: Iterable[tuple[int, int]], place: Where) -> None:
        """Note an APP table: DSCP is trusted as soon as it has one entry, unlisted DSCPs go to priority 0."""
        port = self._port(place)
        port.trust = "dscp"
        port.places.setdefault("trust", place)
        port.other_codes = 0
        codes, places = port.codes, port.places
        places.setdefault("dscp_to_tc", place)
        pairs = list(pairs)
        fresh = dict(pairs)
        if len(fresh) == len(pairs) and codes.keys().isdisjoint(fresh):  # as every table is, but for a fault
            codes.update(fresh)
            places.update(dict.fromkeys([_LEAF_OF[code] for code in fresh], place))
            return
        for code, priority in pairs:
            before = codes.get(code, priority)
            if before != priority:
                port.conflicts[code] = port.conflicts.get(code, frozenset({before})) | {priority}
            codes[code] = priority
            places[_LEAF_OF[code]] = place

    def _on_dcb_prio_buffer(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        return self._numbers("priority_to_buffer", _pairs(values), place, "tc_to_pg")

    def _on_dcb_buffer_size(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        return self._buffers([(number, str(_words.size_of(size))) for number, size in _pairs(values)], place)

    def _on_dcb_tc_maxrate(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        for tc, rate in _pairs(values):
            self._port(place).rate[_words.natural(tc)] = _words.rate_of(rate) or UNLIMITED
        return True

    def _on_dcb_dcbx(self, _: Mapping[str, str], line: str, place: Where) -> bool:
        words = set(line.split())
        if not words <= {"lld-managed", "static", "host", "cee", "ieee"}:
            return False
        self.dcbx(words, place)
        return True

    def dcbx(self, words: set[str], place: Where) -> None:
        """Note the DCBX flags that the kernel reports."""
        port = self._port(place)
        port.owners = (port.owners or set()) | ({"os"} if "host" in words else {"firmware"})
        port.dcbx_state = "ieee" if "ieee" in words else "cee" if "cee" in words else None
        port.at("dcbx", place)

    def _numbers(self, name: str, pairs: list[tuple[str, str]], place: Where, leaf: str) -> bool:
        numbers = {_words.natural(key): _words.natural(value.rstrip("%")) for key, value in pairs}
        if any(key > 7 for key in numbers) or (name != "share" and any(value > 7 for value in numbers.values())):
            return False
        port = self._port(place)
        getattr(port, name).update(numbers)
        port.at(leaf, place)
        return bool(numbers)

    def _buffers(self, pairs: list[tuple[str, str]], place: Where) -> bool:
        sizes = {_words.natural(number): _words.natural(size) for number, size in pairs}
        if not sizes or max(sizes) > 7:
            return False
        port = self._port(place)
        port.buffer_bytes.update(sizes)
        for number in sizes:
            port.at(f"priority_groups.{number}", place)
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
        if counters.statistic(self.host.tally, self.netdev, name, value, place):
            self._port(place)

    # RDMA

    def _on_roce_mode(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        device = self.host.device(self.device, place)
        device.nic["roce_version"] = f"v{int(values['version'])}"
        device.places["nic.roce_version"] = place
        return values["version"] in {"1", "2"}

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

    def _on_link(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        pairs = counters.words(values["words"])
        named = dict(pairs)
        if "state" not in named and "netdev" not in named:
            return bool(counters.rdma(self.host.tally, values["device"], pairs, place))
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

    # mlxconfig

    def _on_card(self, values: Mapping[str, str], _: str, __: Where) -> bool:
        self.card, self.columns = values["card"], ()
        return True

    def _on_card_type(self, values: Mapping[str, str], _: str, __: Where) -> bool:
        self.command = "mlxconfig"
        self.models.append(values["model"])
        return True

    def _on_columns(self, values: Mapping[str, str], _: str, __: Where) -> bool:
        self.command = "mlxconfig"
        self.columns = tuple(values["columns"].replace("Next Boot", "Next").split())
        return set(self.columns) <= {"Default", "Current", "Next", "New"}

    def _on_parameter(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        row = _words.ROW.match(values["name"])
        if row is None or (self.command != "mlxconfig" and row["port"] is None and row["name"] != "ROCE_CONTROL"):
            return False
        cells = values["values"].split()
        columns = self.columns or {1: ("Next",), 3: ("Default", "Current", "Next")}.get(len(cells), ())
        numbers = {
            column: number
            for column, cell in zip(columns, cells, strict=False)
            if (number := _words.firmware_number(cell)) is not None
        }
        card, number = _words.card_of(self.card, row["port"])
        if "Next" in numbers:
            self.firmware(card, number, row["name"], numbers["Next"], place)
        if "Current" in numbers:
            self.host.card(card, number, place).current[row["name"]] = numbers["Current"]
        return True

    def firmware(self, card: str, number: int, name: str, value: int, place: Where) -> Firmware:
        """Note a firmware value of the next boot."""
        found = self.host.card(card, number, place)
        found.following[name] = value
        found.places.setdefault("nic.next_boot", place)
        leaf = {"CNP_DSCP": "cnp_dscp", "CNP_802P_PRIO": "cnp_priority", "ROCE_CC_PRIO_MASK": "congestion_control"}
        if name in leaf:
            found.places[f"nic.next_boot.{leaf[name]}"] = place
        return found


@lru_cache(maxsize=4096)
def _entries(priority: str, codes: str) -> tuple[tuple[int, int], ...]:
    """Return the (DSCP, priority) pairs of a `prio:3 dscp:31,30,` line. Raises ValueError."""
    numbers = [_words.natural(code.strip()) for code in codes.split(",") if code.strip()]
    if int(priority) > 7 or any(number > 63 for number in numbers):
        raise ValueError(codes)
    return tuple((number, int(priority)) for number in numbers)


def _pairs(values: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the `place:value` words of a dcb line; "total-size N" and the like end the list."""
    pairs = []
    for word in values["pairs"].split():
        key, colon, value = word.partition(":")
        if not colon:
            break
        pairs.append((key, value))
    return pairs
