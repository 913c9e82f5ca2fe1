"""HPE Aruba AOS-CX: the four functions of a vendor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module

if TYPE_CHECKING:
    from rocecfg.state.model import Device

_HERE = Path(__file__)
to_state = load_module(_HERE.with_name("read.py")).to_state
defaults = load_module(_HERE.with_name("effective.py")).defaults
fit = load_module(_HERE.with_name("fit.py")).fit
from_state = load_module(_HERE.with_name("view.py")).from_state


def notes(device: Device) -> tuple[str, ...]:
    """Return what the rendered lines cannot say, because the plan does not know which ports are routed."""
    if all(port.mtu is None for port in device.ports.values()):
        return ()
    note = (
        "an interface forwards IP packets up to its own `ip mtu`, 1500 by itself: type `ip mtu` on routed ports,"
        " or RoCE packets above it are dropped (the plan does not know which ports are routed)"
    )
    return (note,)
