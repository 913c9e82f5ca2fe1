"""The changes that fitting a device makes, gathered with the ports that each is about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rocecfg.vendor.api import Adjustment

if TYPE_CHECKING:
    from rocecfg.vendor.api import Kind


@dataclass(slots=True)
class Log:
    """The changes made so far. `ports` names those that the step at work is about, "" = the device."""

    device: str
    ports: str = ""
    changes: dict[Adjustment, None] = field(default_factory=dict)

    def __call__(self, kind: Kind, leaf: str, wanted: object, got: object, because: str, *, at: str = "") -> None:
        """Note one change of a leaf, on all ports at work or on the port `at`; the same change is noted once."""
        self.changes[Adjustment(self.device, at or self.ports, leaf, str(wanted), str(got), kind, because)] = None
