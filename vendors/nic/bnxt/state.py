"""Broadcom NetXtreme-E ports on Linux (bnxt_en, bnxt_re), both directions.

The neutral words on this system: traffic class = the 802.1p priority; queue = the NIC's traffic class (TC); priority
group = the receive queue of a TC, which niccli shows as lossy or lossless.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from rocecfg.packs import load_module

_HERE = Path(__file__)
_LINUX = _HERE.parents[1] / "linux"
_read = load_module(_LINUX / "read.py")
_wanted = load_module(_HERE.with_name("wanted.py"))
_commands = load_module(_HERE.with_name("commands.py"))

FAMILY = load_module(_LINUX / "family.py").Family(
    "bnxt",
    "a bnxt NIC in it; expected a script of niccli, bnxt_setupcc.sh, dcb, "
    f"{_read.TOOLS} commands, or what one of them printed (also {_read.OUTPUTS}",
    host=load_module(_HERE.with_name("facts.py")).Host,
    outputs=load_module(_HERE.with_name("outputs.py")).Outputs,
    counting=load_module(_HERE.with_name("counters.py")).COUNTING,
    readers={**load_module(_LINUX / "commands.py").READERS, **_commands.READERS},
    shapes=(_read.SHAPES, _HERE.parent / "parse" / "outputs.ttp"),
    commands=r"niccli|bnxtqos|bnxt_setupcc\.sh",
    paths="bnxt_re/|/ports/1/cc",
    files=load_module(_HERE.with_name("sysfs.py")),
    look_alike=frozenset({"pri2cos", "app_priority", "app_selector", "app_number", "listed", "cosq", "dscp2prio"}),
    whole=frozenset({"niccli", "niccli dump", "niccli dscp2prio", "niccli cosq"}),
    keys=_wanted.KEYS,
    leaves=_wanted.LEAVES,
)

to_state = partial(_read.to_state, FAMILY)
defaults = load_module(_LINUX / "effective.py").defaults
fit = load_module(_HERE.with_name("fit.py")).fit
from_state = load_module(_HERE.with_name("view.py")).from_state
