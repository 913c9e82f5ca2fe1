"""Texts of an mlx5 host to the state of its NIC ports: what was printed, or what a script sets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module

if TYPE_CHECKING:
    from rocecfg.state.capture import Capture
    from rocecfg.state.model import Device

_HERE = Path(__file__)
_LINUX = _HERE.parents[1] / "linux"
_read = load_module(_LINUX / "read.py")
_wanted = load_module(_HERE.with_name("wanted.py"))
_operator = load_module(_HERE.with_name("operator.py"))
_commands = load_module(_HERE.with_name("commands.py"))

EXPECTED = (
    f"an mlx5 NIC in it; expected a script of mlnx_qos, dcb, {_read.TOOLS} or mlxconfig commands, or what one of them "
    f"printed (also {_read.OUTPUTS}"
)
FAMILY = load_module(_LINUX / "family.py").Family(
    "mlx5",
    EXPECTED,
    host=load_module(_HERE.with_name("facts.py")).Host,
    outputs=load_module(_HERE.with_name("outputs.py")).Outputs,
    counting=load_module(_HERE.with_name("counters.py")).COUNTING,
    readers={**load_module(_LINUX / "commands.py").READERS, **_commands.READERS},
    shapes=(_read.SHAPES, _HERE.parent / "parse" / "outputs.ttp"),
    commands="mlnx_qos|mlxconfig|mstconfig",
    paths="traffic_class|/ecn/|cc_params|/roce_[nr]p/",
    files=load_module(_HERE.with_name("sysfs.py")),
    json=load_module(_HERE.with_name("data.py")).take,
    look_alike=frozenset({"parameter", "tc_of_priority"}),
    whole=frozenset({"mlnx_qos", "mlxconfig"}),
    keys=_wanted.KEYS,
    leaves=_wanted.LEAVES,
    delay_is_metres=True,
    any_selector=False,
    lldpad=False,
)


def to_state(capture: Capture) -> Device:
    """Read the texts of a host, templates of the Kubernetes operator among them. Raises ReadError."""
    templates = [text for text in capture.texts if _operator.is_template(text)]
    others = tuple(text for text in capture.texts if text not in templates)
    device: Device | None = None
    if others or not templates:
        device = _read.to_state(FAMILY, replace(capture, texts=others))
    for text in templates:
        device = _operator.read(device, capture.device, text)
    assert device is not None
    return device
