"""Fits a planned device to a QFX: renumbers classes by queue, rounds, drops and refuses, and says each change.

The adjusted plan is built into a `Config` and resolved again, so the result is what a parse of the rendered text
gives; whatever the adjustments here leave in that the renderer cannot print would show as a difference in the tests.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.vendor.changes import Log
from rocecfg.vendor.fitting import carried

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.state.model import Device, Port, PortQos
    from rocecfg.vendor.api import Adjustment

_HERE = Path(__file__).parent
_PORT_NAME = re.compile(r"[a-z]{2,3}-\d+/\d+/\d+(:\d+)?|(ae|em|fxp|irb|lo|me|vme)\d*")


def fit(device: Device, defaults: Callable[[Device], Device]) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what a QFX can carry of a planned device, and every change."""
    plan_classes, plan_ports, plan_buffers = (
        load_module(_HERE / f"fit_{name}.py") for name in ("classes", "ports", "buffers")
    )
    log = Log(device.name)
    classes = plan_classes.classes_of(device, log)
    pools, device = plan_buffers.pools(device, classes, log)
    base = plan_buffers.Base(device.model, pools)
    adjusted: dict[int, PortQos] = {}
    for qos, _ in log.by_qos(device):
        adjusted[id(qos)] = plan_ports.adjust(plan_classes.renumber(qos, classes, log), classes, base, log)
    for name in device.ports:
        if _PORT_NAME.fullmatch(name) is None:  # a blank in it would begin another statement
            because = "Junos names ports et-0/0/0, et-0/0/0:1 or ae0"
            log("refused", "name", name, "not rendered", because, at=name)
    _device_wide(device, log)
    literal = replace(
        device,
        ports={name: replace(port, qos=adjusted[id(port.qos)]) for name, port in device.ports.items()},
        pools=pools,
    )
    return defaults(_resolved(literal)), tuple(log.changes)


def _device_wide(device: Device, log: Log) -> None:
    """Say what a QFX has no device-wide setting for."""
    for leaf in ("pfc_enabled", "ecn_enabled"):
        if getattr(device, leaf) is False:
            log("refused", leaf, value_of(device, leaf), "no switch", "Junos has no device-wide switch for it")
    for leaf in ("ecn_on_pool", "traffic"):
        if getattr(device, leaf) is not None:
            log("dropped", leaf, value_of(device, leaf), "not set", "Junos has no statement for it")


def value_of(holder: object, leaf: str) -> str:
    """Return a value as shown in an adjustment."""
    return str(getattr(holder, leaf))


def _resolved(device: Device) -> Device:
    """Return the state that the rendered text of a device stands for."""
    build, effective = load_module(_HERE / "build.py"), load_module(_HERE / "effective.py")
    config = build.build(device)
    resolved: dict[str, Port] = effective.Resolver(config, whole=True).ports()
    ports = {}
    for name, port in device.ports.items():
        found = resolved[name]
        ports[name] = replace(port, qos=found.qos, mtu=found.mtu, mtu_counts=found.mtu_counts, nic=None)
    return carried(device, ports.values(), pools=effective.pools(config))
