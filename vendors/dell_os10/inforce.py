"""Resolves what a running configuration says into what is in force on each port."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import Dcbx, LinkPause, Pfc, PortQos, PriorityGroup, Queue, Where, eight

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocecfg.state.model import CodeMap, Trust
    from vendors.dell_os10.config import Config, Interface, Settings
    from vendors.dell_os10.policies import Network

_POLICIES = load_module(Path(__file__).with_name("policies.py"))

Places = dict[str, Where]
Values = dict[str, str]
_OF_PORT = ("pfc", "flowcontrol receive", "flowcontrol transmit", "dcbx", "wred")
_OF_SYSTEM = ("trust dot1p", "trust dscp", "queue map", "network-qos", "queuing", "qos input")
"""What `system qos` states for every port, and a port may state otherwise."""
LOSSY_GROUP = 7
"""All classes without a no-drop class of their own share priority group 7 (OS10 User Guide, buffer management)."""


def group_numbers(lossless: Iterable[int]) -> tuple[int | None, ...]:
    """Return the priority group of each qos-group: its own number where it is no-drop, else the common lossy one."""
    own = frozenset(lossless)
    lossy = LOSSY_GROUP if LOSSY_GROUP not in own else next((n for n in range(8) if n not in own), LOSSY_GROUP)
    return (*(number if number in own else lossy for number in range(8)), *([None] * 8))


class Resolver:
    """Builds the `PortQos` of a port from its settings; equal settings are built once."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._known: dict[tuple[str, ...], tuple[PortQos, Places]] = {}

    def port(self, port: Interface) -> tuple[PortQos, Places]:
        """Return what is in force on a port, and which line decides it."""
        stated, system = port.settings, self.config.system
        values = {name: stated[name][0] for name in _OF_PORT if name in stated}
        attached = {name: item for name in _OF_SYSTEM if (item := stated.get(name) or system.get(name)) is not None}
        values |= {name: item[0] for name, item in attached.items()}
        key = tuple(f"{name}={value}" for name, value in values.items())
        built = self._known.get(key)
        if built is None:
            built = self._known[key] = self._build(values)
        return built[0], {**built[1], **self._places(stated, attached)}

    def _places(self, stated: Settings, attached: Mapping[str, tuple[str, int]]) -> Places:
        """Return the lines of the port itself. What a PFC port lacks is decided by its PFC line."""
        where, places = self.config.where, {}
        pfc = stated.get("pfc")
        if pfc is not None:
            live = where(pfc[1])
            places = dict.fromkeys(("pfc", "pfc.admin", "watchdog", "trust", "tc_to_queue"), live)
        if "network-qos" in attached:
            places["pfc.tx"] = places["pfc.rx"] = where(attached["network-qos"][1])
        for name in ("trust dot1p", "trust dscp"):
            if name in attached:
                places["trust"] = where(attached[name][1])
        if "queue map" in attached:
            places.pop("tc_to_queue", None)
        for name in ("flowcontrol receive", "flowcontrol transmit"):
            if name in stated:
                places["link_pause"] = where(stated[name][1])
        if "mtu" in stated:
            places["mtu"] = where(stated["mtu"][1])
        return places

    def _build(self, values: Values) -> tuple[PortQos, Places]:
        config = self.config
        net: Network = _POLICIES.network(config, values.get("network-qos", ""))
        places: Places = dict(net.places)
        to_queue: tuple[int | None, ...] | None = None
        if "queue map" in values:
            to_queue, found = _POLICIES.queue_of_group(config, values["queue map"])
            places |= found
        queues, found = (None, {})
        if "queuing" in values:
            queues, found = _POLICIES.queues(config, values["queuing"])
            places |= found
        trust, maps = self._trust(values, places)
        self._ecn_places(net, to_queue, places)
        qos = PortQos(
            trust=trust,
            dscp_to_tc=maps.get("dscp"),
            pcp_to_tc=maps.get("dot1p"),
            default_tc=0 if trust == "dscp" else None,
            tc_to_queue=to_queue,
            tc_to_pg=group_numbers(net.groups) if net.attached and net.known else None,
            priority_to_queue=_queues_of_priorities(net, to_queue),
            priority_to_pg=_groups_of_priorities(net),
            pfc=_pfc(values, net),
            link_pause=_link_pause(values),
            dcbx=self._dcbx(values),
            queues=self._with_port_profile(queues, values, places),
            priority_groups=_groups(net),
        )
        return qos, places

    def _trust(self, values: Values, places: Places) -> tuple[Trust | None, dict[str, CodeMap]]:
        """Return trust and maps. A `type qos` input policy classifies by rules of its own: then nothing is known."""
        maps: dict[str, CodeMap] = {}
        for name in ("dot1p", "dscp"):
            if f"trust {name}" in values:
                maps[name], found = _POLICIES.trusted(self.config, name, values[f"trust {name}"])
                places |= found
        if "qos input" in values:
            return None, _POLICIES.UNKNOWN
        if not maps:
            return None, {}
        return ("both" if len(maps) == 2 else "dscp" if "dscp" in maps else "pcp"), maps

    def _ecn_places(self, net: Network, to_queue: tuple[int | None, ...] | None, places: Places) -> None:
        """Let the line that makes a class no-drop decide the ECN of its queue where no profile does."""
        for group in net.groups:
            queue = group if to_queue is None else to_queue[group]
            if queue is not None and f"queues.{queue}.ecn" not in places:
                places[f"queues.{queue}.ecn"] = net.places[f"priority_groups.{group}.lossless"]

    def _with_port_profile(
        self, queues: tuple[Queue | None, ...] | None, values: Values, places: Places
    ) -> tuple[Queue | None, ...] | None:
        """Return the queues with the profile that `random-detect` gives the port as a whole, where they have none."""
        if "wred" not in values:
            return queues
        ecn, wred, line = _POLICIES.marking(self.config, values["wred"])
        if line is not None:
            places.setdefault("queues", line)
        made: dict[int, Queue] = {}
        for number, queue in enumerate(queues or eight({})):
            given = queue or Queue()
            own = given.ecn is not None
            made[number] = Queue(
                given.scheduler,
                given.rank,
                given.weight,
                given.weight_kind,
                ecn=given.ecn if own else ecn,
                wred=given.wred if own else wred,
                limit=given.limit,
            )
        return eight(made)

    def _dcbx(self, values: Values) -> Dcbx | None:
        """Return DCBX of a port: it runs where both the device and the port have it on (ports have by default)."""
        enabled = self.config.options.get("dcbx", (None, 0))[0]
        if enabled is False or values.get("dcbx") == "off":
            return Dcbx(state="off")
        return Dcbx(state=values.get("dcbx", "auto")) if enabled else None  # type: ignore[arg-type]


def _pfc(values: Values, net: Network) -> Pfc | None:
    both = frozenset().union(*(item.priorities for item in net.groups.values())) if net.attached and net.known else None
    if net.attached and not net.known and "pfc" not in values:
        return None
    if both is None and "pfc" not in values:
        return None
    return Pfc(admin=values.get("pfc"), tx=both, rx=both)  # type: ignore[arg-type]


def _link_pause(values: Values) -> LinkPause | None:
    known = {"on": True, "off": False, "": None}
    rx, tx = (known[values.get(f"flowcontrol {way}", "")] for way in ("receive", "transmit"))
    return LinkPause(rx=rx, tx=tx) if (rx, tx) != (None, None) else None


def _groups_of_priorities(net: Network) -> tuple[frozenset[int] | None, ...] | None:
    found: dict[int, frozenset[int]] = {}
    for group, paused in net.groups.items():
        for priority in paused.priorities:
            found[priority] = found.get(priority, frozenset()) | {group}
    return eight(found) if found else None


def _queues_of_priorities(
    net: Network, to_queue: tuple[int | None, ...] | None
) -> tuple[frozenset[int] | None, ...] | None:
    """Return the queue that a pause stops: that of the qos-group whose class names the priority."""
    groups = _groups_of_priorities(net)
    if groups is None or to_queue is None:
        return None
    found: dict[int, frozenset[int]] = {}
    for priority, numbers in enumerate(groups):
        queues = {to_queue[number] for number in numbers or ()}
        if queues and None not in queues:
            found[priority] = frozenset(queue for queue in queues if queue is not None)
    return eight(found) if found else None


def _groups(net: Network) -> tuple[PriorityGroup | None, ...] | None:
    if not net.known:
        return eight({})
    if not net.attached:
        return None
    made = {}
    for number in range(8):
        paused = net.groups.get(number)
        made[number] = (
            PriorityGroup() if paused is None else PriorityGroup(True, paused.headroom, paused.xoff_at, paused.xon_at)
        )
    return eight(made)


_OF_MEMBERS = ("pfc", "flowcontrol receive", "flowcontrol transmit", "dcbx", "wred", "mtu", *_OF_SYSTEM)


def share_in_channels(interfaces: Mapping[str, Interface]) -> dict[str, list[str]]:
    """Give a port-channel what all its members say alike; return the members by channel.

    Policies attach to physical interfaces (OS10 User Guide), so what stands on a port-channel is not theirs.
    """
    channels: dict[str, list[str]] = {}
    for name, port in interfaces.items():
        channel = port.settings.get("channel")
        if channel is not None:
            channels.setdefault(str(channel[0]), []).append(name)
    for name, members in channels.items():
        owner = interfaces.get(name)
        mode = owner.settings.get("mode") if owner is not None else None
        for member in members:  # OS10 wants `no switchport` on every member: the port-channel decides
            settings = interfaces[member].settings
            settings.pop("mode", None)
            if mode is not None:
                settings["mode"] = mode
        for key in _OF_MEMBERS if owner is not None else ():
            of_members = [interfaces[member].settings.get(key) for member in members]
            if (
                owner is not None
                and key not in owner.settings
                and of_members[0] is not None
                and len({item and item[0] for item in of_members}) == 1
            ):
                owner.settings[key] = of_members[0]
    return channels


def attached_names(config: Config) -> dict[tuple[str, str], int]:
    """Return every object that a port or `system qos` names: (kind of setting, name) -> the first line that does."""
    found: dict[tuple[str, str], int] = {}
    wanted = {"trust dot1p", "trust dscp", "queue map", "network-qos", "queuing", "wred", "pool wred"}
    for settings in (config.system, *(port.settings for port in config.interfaces.values())):
        for key, (name, number) in settings.items():
            if key in wanted:
                found[key, name] = min(number, found.get((key, name), number))
    return found
