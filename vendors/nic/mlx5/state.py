"""NVIDIA ConnectX and BlueField ports on Linux (mlx5), both directions.

The neutral words on this system: traffic class = the 802.1p priority; queue = the NIC's traffic class (TC); priority
group = the receive buffer. A priority group's `reserved` is the whole receive buffer as `mlnx_qos` prints it; its
headroom is the upper part of that buffer, worked out by the driver from cable length, speed and MTU.
"""

from __future__ import annotations

from pathlib import Path

from rocecfg.packs import load_module

_HERE = Path(__file__)

to_state = load_module(_HERE.with_name("read.py")).to_state
defaults = load_module(_HERE.with_name("effective.py")).defaults
fit = load_module(_HERE.with_name("fit.py")).fit
notes = load_module(_HERE.with_name("operator.py")).notes
from_state = load_module(_HERE.with_name("view.py")).from_state
