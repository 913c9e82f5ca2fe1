"""What the texts of a Windows host say, and the ports that come of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rocecfg.state.model import Dcbx, LinkPause, Named, Nic, NicBoot, Pfc, Port, PortQos, Queue, Where, eight

GLOBAL = "Global"
"""The port of a text that names no adapter: what is in force on every adapter of the host (Windows' own word)."""
FLOW_CONTROL = {0: (False, False), 1: (False, True), 2: (True, False), 3: (True, True)}
"""*FlowControl -> (rx, tx); 4 = negotiated, which says neither."""
TECHNOLOGIES: dict[int, Any] = {3: "v1", 4: "v2"}
DEFAULT_CLASS = "[Default]"
HEADER = 14


@dataclass(slots=True)
class TrafficClass:
    """One traffic class: its priorities, ETS or Strict, the share in percent."""

    priorities: frozenset[int]
    algorithm: str
    share: int | None
    place: Where


@dataclass(slots=True)
class Adapter:
    """One network adapter."""

    name: str
    place: Where
    qos: bool | None = None
    rdma: bool | None = None
    willing: bool | None = None
    operational: frozenset[int] | None = None
    """Priorities with PFC on the adapter now."""
    classes: dict[str, TrafficClass] = field(default_factory=dict)
    """Traffic classes on the adapter now, by their number."""
    flow_control: dict[int, bool] = field(default_factory=dict)
    """The adapter's own PFC setting, which goes before the host's."""
    own_classes: dict[str, TrafficClass] = field(default_factory=dict)
    """The adapter's own traffic classes by name, which go before the host's."""
    properties: dict[str, int] = field(default_factory=dict)
    owners: set[str] = field(default_factory=set)
    firmware_lldp: bool | None = None
    places: dict[str, Where] = field(default_factory=dict)

    def speaks_of_dcb(self) -> bool:
        """Return whether a text says anything of the adapter's DCB."""
        return self.operational is not None or self.qos is not None or bool(self.flow_control or self.own_classes)


class Host:
    """Collects what all texts of a host say."""

    def __init__(self) -> None:
        self.willing: bool | None = None
        self.flow_control: dict[int, bool] = {}
        self.policies: dict[tuple[str, int], int] = {}
        self.default_priority: int | None = None
        self.classes: dict[str, TrafficClass] = {}
        self.adapters: dict[str, Adapter] = {}
        self.places: dict[str, Where] = {}
        self.objects: list[Named] = []

    def adapter(self, name: str, place: Where) -> Adapter:
        """Return an adapter by name; Windows compares names without case."""
        return self.adapters.setdefault(name.lower(), Adapter(name, place))

    def spoken(self) -> bool:
        """Return whether any text said anything."""
        return bool(self.adapters or self.places)

    def ports(self) -> list[Port]:
        """Return every adapter as a port; one port for the host where no adapter is named."""
        first = next(iter(self.places.values()), Where(""))
        adapters = list(self.adapters.values()) or [Adapter(GLOBAL, first)]
        return [self._port(adapter) for adapter in adapters]

    def _port(self, adapter: Adapter) -> Port:
        properties = adapter.properties
        pause = FLOW_CONTROL.get(properties.get("*flowcontrol", -1))
        jumbo = properties.get("*jumbopacket")
        technology = properties.get("*networkdirecttechnology")
        boot = None if adapter.firmware_lldp is None else NicBoot(lldp_agent=adapter.firmware_lldp)
        nic = None
        if adapter.rdma or technology is not None or boot is not None:
            nic = Nic(roce_version=TECHNOLOGIES.get(technology or 0), next_boot=boot)
        qos = PortQos(
            trust="pcp" if self.places or adapter.speaks_of_dcb() else None,
            default_tc=self.default_priority,
            app_to_tc=self._policies(),
            pfc=self._pfc(adapter),
            link_pause=None if pause is None else LinkPause(*pause),
            dcbx=self._dcbx(adapter),
            **self._queues(adapter),
        )
        places = {**self.places, **adapter.places}
        mtu = None if jumbo is None or jumbo < HEADER else jumbo - HEADER
        return Port(
            adapter.name, qos=qos, mtu=mtu, mtu_counts=None if mtu is None else "ip", nic=nic,
            place=adapter.place, places=places,
        )  # fmt: skip

    def _policies(self) -> tuple[tuple[str, int, int], ...] | None:
        if not self.policies and "app_to_tc" not in self.places:
            return None
        return tuple(sorted((selector, number, tc) for (selector, number), tc in self.policies.items()))

    def _dcbx(self, adapter: Adapter) -> Dcbx | None:
        willing = self.willing if adapter.willing is None or self.willing is False else adapter.willing
        owners = set(adapter.owners)
        if willing is False:
            owners.add("os")
        if willing is None and not owners:
            return None
        return Dcbx(willing=willing, owners=frozenset(owners) or None)

    def _pfc(self, adapter: Adapter) -> Pfc | None:
        stated, setting = None, adapter.flow_control or self.flow_control
        if setting:
            stated = frozenset(priority for priority, on in setting.items() if on)
        if adapter.qos is False:
            return Pfc(admin="off", tx=frozenset(), rx=frozenset())
        if stated is None and adapter.operational is None:
            return None
        wanted = adapter.operational if stated is None else stated
        willing = self.willing if adapter.willing is None or self.willing is False else adapter.willing
        if willing and stated is not None:  # the adapter takes the switch's word, or none
            return Pfc(admin="auto", tx=wanted, rx=wanted, oper=adapter.operational)
        return Pfc(admin="on" if wanted else "off", tx=wanted, rx=wanted, oper=adapter.operational)

    def _queues(self, adapter: Adapter) -> dict[str, Any]:
        if adapter.qos is False:
            return {}
        classes = adapter.classes or adapter.own_classes or self.classes
        if not classes and "tc_to_queue" not in self.places:
            return {}
        stated = {name: item for name, item in classes.items() if name != DEFAULT_CLASS}
        taken = frozenset().union(*(item.priorities for item in stated.values()))
        rest = frozenset(range(8)) - taken
        groups = [(item.priorities, item.algorithm, item.share) for item in stated.values()]
        default = classes.get(DEFAULT_CLASS)
        left = 100 - sum(item.share or 0 for item in stated.values())
        if rest and not adapter.classes:
            groups.append((rest, default.algorithm if default else "ETS", default.share if default else left))
        queue_of: list[int | None] = [None] * 16
        queues = {}
        for priorities, algorithm, share in groups:
            if not priorities:
                continue
            number = min(priorities)
            for priority in priorities:
                queue_of[priority] = number
            weighted = algorithm == "ETS"
            queues[number] = (
                Queue("weighted", None, share, "percent-of-rest") if weighted else Queue(scheduler="strict")
            )
        return {"tc_to_queue": tuple(queue_of), "queues": eight(queues)}
