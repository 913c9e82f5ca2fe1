"""What `nv set qos roce` stands for: settings that the box makes itself, as constant data.

Source: RoCE pages of Cumulus Linux 5.11 and 5.14 and the table of `nv show interface <p> qos roce` (5.9).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module

if TYPE_CHECKING:
    from rocecfg.state.model import Where
    from vendors.cumulus.facts import Facts

facts_module = load_module(Path(__file__).with_name("facts.py"))

_D = "default-global"
_COMMON: dict[tuple[str, ...], str] = {
    ("mapping", _D, "trust"): "both",
    **{("egress-queue-mapping", _D, "switch-priority", str(sp), "traffic-class"): "0" for sp in range(8)},
    ("egress-queue-mapping", _D, "switch-priority", "3", "traffic-class"): "3",
    ("egress-queue-mapping", _D, "switch-priority", "6", "traffic-class"): "6",
    ("egress-scheduler", _D, "traffic-class", "0", "mode"): "dwrr",
    ("egress-scheduler", _D, "traffic-class", "0", "bw-percent"): "50",
    ("egress-scheduler", _D, "traffic-class", "3", "mode"): "dwrr",
    ("egress-scheduler", _D, "traffic-class", "3", "bw-percent"): "50",
    ("egress-scheduler", _D, "traffic-class", "6", "mode"): "strict",
}
_RAMP = {"ecn": "enable", "red": "disable", "min-threshold": "150000", "max-threshold": "1500000", "probability": "100"}
for _tc in ("0", "3"):
    for _leaf, _value in _RAMP.items():
        _COMMON["congestion-control", _D, "traffic-class", _tc, _leaf] = _value
_LOSSLESS = {
    **_COMMON,
    ("pfc", _D, "switch-priority", "3"): "",
    ("pfc", _D, "tx"): "enable",
    ("pfc", _D, "rx"): "enable",
    ("pfc", _D, "cable-length"): "100",
    ("traffic-pool", "default-lossy", "memory-percent"): "50",
    ("traffic-pool", "roce-lossless", "memory-percent"): "50",
    ("traffic-pool", "roce-lossless", "switch-priority", "3"): "",
}
_MULTI_TC: dict[tuple[str, ...], str] = {
    ("congestion-control", _D, "traffic-class", tc, leaf): value
    for tc in ("1", "2", "3")
    for leaf, value in {
        "ecn": "enable", "min-threshold": "163 KB", "max-threshold": "234 KB", "probability": "5"
    }.items()
}  # fmt: skip
MODES: dict[str, dict[tuple[str, ...], str]] = {
    "lossless": _LOSSLESS,
    "lossless-single-ipool": {path: v for path, v in _LOSSLESS.items() if path[0] != "traffic-pool"},
    "lossy": _COMMON,
    "lossy-multi-tc": _MULTI_TC,
}
_OFF = {"off", "false", "False", "no", "disabled"}
_UNPUBLISHED = {"lossy-multi-tc", "dci-1", "dci-custom"}
"""Modes whose whole set is not published: what they do not state here is not known, rather than the default."""


def expand_roce(facts: Facts) -> str:
    """Add the settings of the RoCE mode in force below the stated ones; return the mode, "" when RoCE is off."""
    stated = {path[1] if len(path) > 1 else "": leaf for path, leaf in facts.settings.items() if path[0] == "roce"}
    if not stated or any(stated[word].value in _OFF for word in ("enable", "state") if word in stated):
        return ""
    mode = stated["mode"].value if "mode" in stated else "lossless"
    place: Where = next(stated[word].place for word in ("mode", "state", "enable", *stated) if word in stated)
    for path, value in MODES.get(mode, {}).items():
        facts.settings.setdefault(path, facts_module.Leaf(value, place, system=True))
    length = stated.get("cable-length")
    if length is not None and mode.startswith("lossless"):
        facts.settings["pfc", _D, "cable-length"] = length
    if mode in _UNPUBLISHED:
        facts.unpublished = True
    return mode
