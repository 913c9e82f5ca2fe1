"""Intel E810 and E830 ports on Linux (ice, irdma), both directions.

The neutral words on this system: traffic class = the 802.1p priority, in DSCP mode the TC itself; queue = the NIC's
traffic class (TC).
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
    "ice",
    "an ice NIC in it; expected a script of lldptool, dcb, "
    f"{_read.TOOLS} commands, or what one of them printed (also ethtool --show-priv-flags, {_read.OUTPUTS}",
    host=load_module(_LINUX / "facts.py").Host,
    outputs=load_module(_HERE.with_name("outputs.py")).Outputs,
    counting=load_module(_HERE.with_name("counters.py")).COUNTING,
    readers={**load_module(_LINUX / "commands.py").READERS, **_commands.READERS},
    shapes=(_read.SHAPES, _HERE.parent / "parse" / "outputs.ttp"),
    commands="options|modprobe",
    paths="config/irdma/",
    files=load_module(_HERE.with_name("sysfs.py")),
    look_alike=frozenset({"flag"}),
    keys=_wanted.KEYS,
    leaves=_wanted.LEAVES,
    any_selector=False,
    other_codes=None,
)

to_state = partial(_read.to_state, FAMILY)
defaults = load_module(_HERE.with_name("effective.py")).defaults
fit = load_module(_HERE.with_name("fit.py")).fit
from_state = load_module(_HERE.with_name("view.py")).from_state
