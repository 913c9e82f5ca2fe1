"""The changes that fitting a device makes, gathered with the ports that each is about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rocecfg.state.model import distinct_qos
from rocecfg.vendor.api import Adjustment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rocecfg.state.model import Device, Port, PortQos
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

    def about(self, ports: Iterable[Port]) -> None:
        """Note what follows on these ports; on the device when there are none."""
        self.ports = ", ".join(port.name for port in ports)

    def by_qos(self, device: Device) -> Iterator[tuple[PortQos, list[Port]]]:
        """Yield each distinct `PortQos` with its ports: what is noted meanwhile is about those."""
        for qos, ports in distinct_qos(device):
            self.about(ports)
            yield qos, ports
        self.about(())
