"""What a remedy needs of CONFIG_DB beside the rendered tables: the frame size of ports, which provisioning owns."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocecfg.remedy.text import Settings
    from rocecfg.state.model import Device


def wanted(device: Device, wanted: Settings, live: Settings) -> Settings:
    """Return the rendered rows with the MTU of each planned port that the switch has."""
    more: Settings = {
        ("PORT", name, "mtu"): json.dumps(str(port.mtu))
        for name, port in device.ports.items()
        if port.mtu is not None and ("PORT", name) in live
    }
    return {**wanted, ("PORT",): "", **{path[:2]: "" for path in more}, **more} if more else wanted
