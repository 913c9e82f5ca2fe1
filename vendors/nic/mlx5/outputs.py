"""Reads the lines that mlnx_qos and mlxconfig print, one record at a time."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import UNLIMITED
from rocecfg.state.numbers import natural

_LINUX = Path(__file__).parents[1] / "linux"

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.model import Where
    from vendors.nic.linux.outputs import Outputs as LinuxOutputs
    from vendors.nic.mlx5.facts import Firmware, Host
else:
    LinuxOutputs = load_module(_LINUX / "outputs.py").Outputs

_words = load_module(_LINUX / "words.py")
_firmware = load_module(Path(__file__).with_name("words.py"))
_GIGABIT = 1_000_000_000


class Outputs(LinuxOutputs):
    """Reads output lines into an mlx5 host."""

    host: Host

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
            port.share[tc] = natural(values["share"], 100)
        port.rate[tc] = round(float(values["rate"]) * _GIGABIT) if "rate" in values else UNLIMITED
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
        row = _firmware.ROW.match(values["name"])
        if row is None or (self.command != "mlxconfig" and row["port"] is None and row["name"] != "ROCE_CONTROL"):
            return False
        cells = values["values"].split()
        columns = self.columns or {1: ("Next",), 3: ("Default", "Current", "Next")}.get(len(cells), ())
        numbers = {
            column: number
            for column, cell in zip(columns, cells, strict=False)
            if (number := _firmware.firmware_number(cell)) is not None
        }
        card, number = _firmware.card_of(self.card, row["port"])
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
    numbers = [natural(code.strip()) for code in codes.split(",") if code.strip()]
    if int(priority) > 7 or any(number > 63 for number in numbers):
        raise ValueError(codes)
    return tuple((number, int(priority)) for number in numbers)
