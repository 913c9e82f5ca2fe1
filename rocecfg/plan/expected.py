"""What lint rules may expect of a device, taken from the intent's fabric."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.lint.api import Expected, ExpectedClass

if TYPE_CHECKING:
    from rocecfg.intent.fabric import Fabric


def expected_of(fabric: Fabric, device: str) -> Expected:
    """Return the classes and settings that the intent wants of a device. Raises KeyError for an unknown one."""
    settings = fabric.settings(device)
    return Expected(
        classes=tuple(
            ExpectedClass(item.name, item.kind, frozenset(item.dscp), item.priority, item.lossless)
            for item in fabric.classes.values()
        ),
        trust=settings.trust.or_else("dscp"),
        congestion_control=settings.congestion_control.or_else("dcqcn"),
        asymmetric_pfc=bool(settings.asymmetric_pfc.or_else(default=False)),
    )
