"""What mlx5 hosts have beyond other hosts: the firmware's own values, now and at the next boot, card by card.

`mlxconfig -d 0000:17:00.0` names a PCI function, which `ethtool -i` or sysfs join with a netdev; a host with a single
port needs no such text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import NicBoot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.model import Where
    from vendors.nic.linux.facts import Facts
    from vendors.nic.linux.facts import Host as LinuxHost
    from vendors.nic.linux.family import Family
else:
    LinuxHost = load_module(Path(__file__).parents[1] / "linux" / "facts.py").Host

_NAMELESS = load_module(Path(__file__).parents[1] / "linux" / "facts.py").NAMELESS


@dataclass(slots=True)
class Firmware:
    """What `mlxconfig` says of one port of a card: its values now and at the next boot."""

    first: Where
    places: dict[str, Where] = field(default_factory=dict)
    current: dict[str, int] = field(default_factory=dict)
    following: dict[str, int] = field(default_factory=dict)
    debug: dict[str, int] = field(default_factory=dict)
    """Values of `cc_params` in debugfs, which is sorted by PCI function too."""


class Host(LinuxHost):
    """All that the texts of one mlx5 host say."""

    def __init__(self, family: Family) -> None:
        super().__init__(family)
        self.cards: dict[tuple[str, int], Firmware] = {}

    def card(self, name: str, number: int, place: Where) -> Firmware:
        """Return what is known of the firmware of a card's port (numbered from 1)."""
        return self.cards.setdefault((name, number), Firmware(place))

    def join(self) -> None:
        """Give each card's values to the port of its PCI function."""
        for facts in self.ports.values():
            if facts.firmware:
                _apply_firmware(facts, Firmware(facts.first, following=facts.firmware))
        by_function = {pci: name for name, pci in self.pci_of.items()}
        for (card, number), firmware in self.cards.items():
            function = f"{card}.{number - 1}"
            netdev = by_function.get(function) or by_function.get(f"0000:{function}")
            if netdev is None:
                alone = len(self.ports) <= 1 and number == 1
                netdev = (next(iter(self.ports), _NAMELESS)) if alone else f"{card or _NAMELESS} P{number}"
            _apply_firmware(self.port(netdev, firmware.first), firmware)


_BOOT_SWITCHES = ("LLDP_NB_DCBX", "LLDP_NB_RX_MODE", "LLDP_NB_TX_MODE")
_ROCE_ENABLE = 2


def _apply_firmware(facts: Facts, firmware: Firmware) -> None:
    values = firmware.following
    mask = values.get("ROCE_CC_PRIO_MASK")
    agent = [values[name] for name in _BOOT_SWITCHES if name in values]
    boot = NicBoot(
        cnp_dscp=values.get("CNP_DSCP"),
        cnp_priority=values.get("CNP_802P_PRIO"),
        congestion_control=None if mask is None else _bits(mask),
        willing=None if "DCBX_WILLING" not in values else bool(values["DCBX_WILLING"]),
        lldp_agent=any(agent) if agent else None,
        rdma=None if "ROCE_CONTROL" not in values else values["ROCE_CONTROL"] == _ROCE_ENABLE,
    )
    if boot != NicBoot():
        facts.nic.setdefault("next_boot", boot)
    current = firmware.current
    # What runs: sysfs (already in facts) before debugfs before the firmware's own current values.
    for field_name, debug, name in (
        ("cnp_dscp", "np_cnp_dscp", "CNP_DSCP"),
        ("cnp_priority", "np_cnp_prio", "CNP_802P_PRIO"),
    ):
        value = firmware.debug.get(debug, current.get(name))
        if value is not None:
            facts.nic.setdefault(field_name, value)
    if "ROCE_CC_PRIO_MASK" in current and not facts.receives and not facts.reacts:
        facts.receives = facts.reacts = {number: number in _bits(current["ROCE_CC_PRIO_MASK"]) for number in range(8)}
    facts.parameters = {**firmware_parameters(current, firmware.debug), **facts.parameters}
    facts.places = {**firmware.places, **facts.places}


def firmware_parameters(current: Mapping[str, int], debug: Mapping[str, int]) -> dict[str, int]:
    """Return the DCQCN numbers in force by their sysfs words: debugfs says what runs, else the firmware's current."""
    found = {}
    for word, (firmware_name, debug_name) in PARAMETERS.items():
        value = debug.get(debug_name, current.get(firmware_name))
        if value is not None:
            found[word] = value
    return found


def _debug_name(word: str) -> str:
    if word == "min_time_between_cnps":
        return f"np_{word}"
    if word == "clamp_tgt_rate_after_time_inc":
        return "rp_clamp_tgt_rate_ati"
    return "rp_" + word.removeprefix("rpg_")


PARAMETERS: Mapping[str, tuple[str, str]] = {
    word: (word.upper(), _debug_name(word))
    for word in (
        "clamp_tgt_rate", "clamp_tgt_rate_after_time_inc", "dce_tcp_g", "dce_tcp_rtt", "initial_alpha_value",
        "min_time_between_cnps", "rate_reduce_monitor_period", "rate_to_set_on_first_cnp", "rpg_ai_rate",
        "rpg_byte_reset", "rpg_gd", "rpg_hai_rate", "rpg_max_rate", "rpg_min_dec_fac", "rpg_min_rate",
        "rpg_threshold", "rpg_time_reset",
    )
}  # fmt: skip
"""DCQCN number, the word of sysfs -> (firmware name, debugfs name): Linux mlx5 cong.c, mlxconfig."""


def _bits(mask: int) -> frozenset[int]:
    return frozenset(number for number in range(8) if mask >> number & 1)
