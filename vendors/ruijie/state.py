"""Ruijie RGOS: recognised, and neither read nor rendered, because its QoS commands are not public."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.vendor.api import Adjustment, View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.capture import Capture
    from rocecfg.state.model import Device

_NOT_KNOWN = "the commands of Ruijie RGOS for PFC, ECN and buffers are not public (`rocecfg vendors ruijie`)"


def to_state(capture: Capture) -> Device:
    """Refuse every text. Raises ReadError: a text that nobody can judge must not look clean."""
    raise ReadError(f"{capture.file}: a text of Ruijie RGOS, which is not read: {_NOT_KNOWN}")


def defaults(device: Device) -> Device:
    """Return the device as it is: no default is known."""
    return device


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Refuse every plan, with the reason."""
    because = f"{_NOT_KNOWN}; plan this device by hand, or give its links to hosts and switches of other systems"
    return device, (Adjustment(device.name, "", "nos", "ruijie", "nothing", "refused", because),)


def from_state(device: Device) -> Mapping[str, View]:  # noqa: ARG001 - the contract of a vendor
    """Return no view: nothing is rendered."""
    return {}
