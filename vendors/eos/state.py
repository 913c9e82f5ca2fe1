"""Arista EOS: the four functions of a vendor."""

from __future__ import annotations

from pathlib import Path

from rocecfg.packs import load_module

_HERE = Path(__file__)
to_state = load_module(_HERE.with_name("read.py")).to_state
defaults = load_module(_HERE.with_name("effective.py")).defaults
fit = load_module(_HERE.with_name("fit.py")).fit
from_state = load_module(_HERE.with_name("view.py")).from_state
