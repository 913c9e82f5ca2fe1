"""NIC ports on Linux of any driver that is set through the kernel's dcbnl (iproute2 dcb), both directions.

The neutral words on this system: traffic class = the 802.1p priority; queue = the NIC's traffic class (TC); priority
group = the receive buffer of `dcb buffer`, which few drivers have.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from rocecfg.packs import load_module

_HERE = Path(__file__)
_LINUX = _HERE.parents[1] / "linux"
_read = load_module(_LINUX / "read.py")
_view = load_module(_LINUX / "view.py")

FAMILY = load_module(_LINUX / "family.py").Family(
    "linux_dcb",
    "a NIC of Linux in it; expected a script of dcb, lldptool, "
    f"{_read.TOOLS} commands, or what one of them printed (also {_read.OUTPUTS}",
    host=load_module(_LINUX / "facts.py").Host,
    outputs=load_module(_LINUX / "outputs.py").Outputs,
    counting=load_module(_LINUX / "counters.py").Counting(),
    readers=load_module(_LINUX / "commands.py").READERS,
    shapes=(_read.SHAPES,),
    files=load_module(_LINUX / "sysfs.py"),
)

to_state = partial(_read.to_state, FAMILY)
defaults = load_module(_LINUX / "effective.py").defaults
fit = load_module(_HERE.with_name("fit.py")).fit
from_state = partial(_view.from_state, wants_of=_view.wants)
