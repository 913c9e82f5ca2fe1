"""What the intent wants of each device and port, in the form rules read (`rocecfg.lint.api.Expected`)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rocecfg.lint.api import Expected, ExpectedClass
from rocecfg.plan.trust import default_trust, marks_by_pcp, of_host

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.intent.fabric import Fabric

_UNMANAGED = Expected()
"""A port that the intent does not have: nothing is asked of it."""


class Expectations:
    """Hands out one `Expected` object for all ports that are asked for the same."""

    def __init__(self, fabric: Fabric | None, stated: Mapping[str, Expected] | None = None) -> None:
        self._fabric = fabric
        self._stated = stated or {}
        self._made: dict[Expected, Expected] = {}
        self._by_settings: dict[tuple[int, bool], tuple[object, Expected]] = {}
        self._classes: tuple[ExpectedClass, ...] = ()
        self._trust = "dscp" if fabric is None else default_trust(fabric)
        if fabric is not None:
            self._classes = tuple(
                ExpectedClass(item.name, item.kind, frozenset(item.dscp), item.priority, item.lossless, item.bandwidth)
                for item in fabric.classes.values()
            )

    def of(self, device: str, port: str | None = None) -> Expected | None:
        """Return what is wanted of a device or of one of its ports; None when no intent speaks about the device."""
        stated = self._stated.get(device) or self._stated.get("*")
        if stated is not None:
            return stated
        fabric = self._fabric
        if fabric is None or device not in fabric.devices:
            return None
        known = fabric.devices[device].ports
        if port is not None and known and port not in known:
            return _UNMANAGED
        settings = fabric.settings(device, port)
        by_tag = marks_by_pcp(fabric.devices[device])
        found = self._by_settings.get((id(settings), by_tag))
        if found is not None:
            return found[1]
        made = Expected(
            classes=self._classes if settings.pfc_mode.value != "off" else tuple(map(_lossy, self._classes)),
            trust=of_host(settings.trust.or_else(self._trust), by_tag=by_tag),
            congestion_control=settings.congestion_control.or_else("dcqcn"),
            asymmetric_pfc=bool(settings.asymmetric_pfc.value),
            rtt=settings.rtt.value,
            traffic=settings.traffic.value,
            roce_mtu=settings.roce_mtu.value,
            design_incast=settings.design_incast.value,
            design_fanout=settings.design_fanout.value,
        )
        shared = self._made.setdefault(made, made)
        self._by_settings[(id(settings), by_tag)] = (settings, shared)
        return shared


def _lossy(item: ExpectedClass) -> ExpectedClass:
    """Return a class as it is wanted where the intent turns PFC off."""
    return replace(item, lossless=False)
