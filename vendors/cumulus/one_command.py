"""Tells when a fitted device is what `nv set qos roce mode lossless | lossy` makes."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import PortQos, Where

if TYPE_CHECKING:
    from rocecfg.state.model import Device

_HERE = Path(__file__)
facts_module = load_module(_HERE.with_name("facts.py"))
modes = load_module(_HERE.with_name("modes.py"))
effective = load_module(_HERE.with_name("effective.py"))
defaults = load_module(_HERE.with_name("defaults.py"))

_OFFERED = ("lossless", "lossy")
"""Modes whose whole set of settings is published."""
_PORT = "swp1"
_LEAVES = tuple(item.name for item in fields(PortQos) if item.compare)


def one_command(device: Device) -> str:
    """Return the command of the RoCE mode that makes the settings of a fitted device, else an empty text.

    Compared is all that both sides know of every port, and the shares of the memory; names of pools are labels. The
    mode also announces the application by LLDP, which the plan leaves open.
    """
    kinds = list({id(port.qos): port.qos for port in device.ports.values()}.values())
    if not kinds:
        return ""
    for mode in _OFFERED:
        made = _made_by(mode)
        if _share(device) == _share(made) and all(_same(qos, made.ports[_PORT].qos) for qos in kinds):
            return f"nv set qos roce mode {mode}"
    return ""


def _same(planned: PortQos, made: PortQos) -> bool:
    """Return whether two settings agree wherever both say something."""
    pairs = ((getattr(planned, leaf), getattr(made, leaf)) for leaf in _LEAVES)
    return all(one == other for one, other in pairs if one is not None and other is not None)


def _share(device: Device) -> dict[bool | None, object]:
    return {pool.lossless: pool.total.value for pool in device.pools or () if pool.total is not None}


def _made_by(mode: str) -> Device:
    """Return a device of one port that has the mode and no line beside it."""
    place = Where(f"nv set qos roce mode {mode}")
    facts = facts_module.Facts(whole=True, place=place)
    facts.settings["roce", "mode"] = facts_module.Leaf(mode, place)
    facts.port(_PORT, place)
    made: Device = defaults.defaults(effective.device_of(facts, modes.expand_roce(facts)))
    return made
