"""A system without limits: what the planner wants is what it gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocecfg.state.model import Device
    from rocecfg.vendor.api import Adjustment


def defaults(device: Device) -> Device:
    return device


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    return device, ()
