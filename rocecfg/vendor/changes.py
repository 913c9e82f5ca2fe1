"""The changes that fitting a device makes, gathered with the ports that each is about."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rocecfg.state.model import distinct_qos, intern_ports
from rocecfg.vendor.api import Adjustment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

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


class Steps:
    """A planned device on its way through steps, each of which settles one subject for the whole device."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.log = Log(device.name)
        self.by_name: dict[str, Port] = dict(device.ports)
        """The ports as fitted so far."""

    def now(self) -> Device:
        """Return the device as fitted so far."""
        return replace(self.device, ports=self.by_name)

    def note(self, where: str, leaf: str, wanted: object, got: object, kind: Kind, because: str) -> None:
        """Note one change of some ports, or of the device where `where` is empty."""
        self.log(kind, leaf, wanted, got, because, at=where)

    def each(self, change: Callable[[PortQos, list[Port]], PortQos]) -> None:
        """Apply `change(qos, ports) -> qos` to each distinct QoS once."""
        new = {id(qos): change(qos, ports) for qos, ports in distinct_qos(self.now())}
        self.by_name = intern_ports(replace(port, qos=new[id(port.qos)]) for port in self.by_name.values())
