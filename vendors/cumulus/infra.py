"""What the lines of qos_infra.conf (5.x) say, as paths of NVUE's advanced buffer tree.

Source: the QoS pages of 5.4 to 5.9, which give both forms of the same setting side by side.
"""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from rocecfg.packs import load_module

if TYPE_CHECKING:
    from collections.abc import Mapping

facts_module = load_module(FilePath(__file__).with_name("facts.py"))

_POOL_MODES = {"0": "static", "1": "dynamic"}


def setting(values: Mapping[str, str]) -> tuple[tuple[str, ...], str]:
    """Return (path below `qos`, value) of a line: a pool's share or mode, a buffer's factor or reserved bytes.

    Raises ValueError for a value that NVUE has no word for.
    """
    above = ("advance-buffer-config", facts_module.EVERY_PORT, *_part(values))
    if "percent" in values:
        whole, _, rest = values["percent"].partition(".")
        if rest.strip("0"):
            raise ValueError(values["percent"])
        return (*above, "memory-percent"), whole
    if "mode" in values:
        return (*above, "mode"), _POOL_MODES.get(values["mode"], values["mode"])
    if "alpha" in values:
        return (*above, "shared-alpha"), values["alpha"].lower()
    return (*above, "reserved"), values["reserved"]


def _part(values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the pool or buffer that a line is about."""
    if "pool" in values:
        return (f"{values['direction']}-service-pool", values["pool"])
    if "queue" in values:
        return ("egress-lossy-buffer", "traffic-class", values["queue"])
    if "cos" in values:
        return ("egress-lossy-buffer", "multicast-switch-priority", values["cos"])
    if "group" in values:
        return ("ingress-lossy-buffer", "priority-group", values["group"])
    return (f"{values['direction']}-lossless-buffer",)
