"""AMD Pensando Pollara ports on Linux (ionic, nicctl), both directions.

The neutral words on this system: traffic class = the 802.1p priority; queue = the same priority, as nicctl
schedules it; priority group = the same again, lossless where nicctl says no-drop.
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
    "ionic",
    "an ionic NIC in it; expected a script of nicctl commands, what nicctl show qos, dcqcn, port or card prints (also "
    f"JSON), or what one of {_read.TOOLS} printed (also {_read.OUTPUTS}",
    host=load_module(_HERE.with_name("facts.py")).Host,
    outputs=load_module(_HERE.with_name("outputs.py")).Outputs,
    counting=load_module(_HERE.with_name("counters.py")).COUNTING,
    # the driver has no dcbnl: dcb and lldptool lines of a script for several NICs are about others
    readers={
        name: reader
        for name, reader in {**load_module(_LINUX / "commands.py").READERS, **_commands.READERS}.items()
        if name not in {"dcb", "lldptool"}
    },
    shapes=(_read.SHAPES, _HERE.parent / "parse" / "outputs.ttp"),
    commands="nicctl",
    files=load_module(_LINUX / "sysfs.py"),
    json=load_module(_HERE.with_name("data.py")).take,
    look_alike=frozenset({"schedule", "status", "port_mtu", "port_speed", "port_fec"}),
    whole=frozenset({"nicctl show qos", "nicctl show dcqcn"}),
    keys=_wanted.KEYS,
    leaves=_wanted.LEAVES,
    other_codes=None,
)

to_state = partial(_read.to_state, FAMILY)
defaults = load_module(_HERE.with_name("effective.py")).defaults
fit = load_module(_HERE.with_name("fit.py")).fit
from_state = load_module(_HERE.with_name("view.py")).from_state
