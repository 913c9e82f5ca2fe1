"""Resolves what a configuration of Onyx says into what is in force on each port."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import (
    Amount,
    CodeMap,
    Curve,
    Dcbx,
    Dynamic,
    Ecn,
    Headroom,
    LinkPause,
    Pfc,
    Pool,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Queue,
    Where,
    code_map,
    eight,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vendors.onyx.config import Config, Interface, TrafficPool

_MODES = load_module(Path(__file__).with_name("modes.py"))

Places = dict[str, Where]
_LEAVES = {
    "trust": "trust", "dscp": "dscp_to_tc.{}", "pcp": "pcp_to_tc.{}", "default priority": "default_tc",
    "bind": "tc_to_queue", "ets": "queues.{}.scheduler", "marking": "queues.{}.ecn", "group of": "tc_to_pg",
    "group": "priority_groups.{}", "queue buffer": "queues.{}.limit", "pfc": "pfc", "watchdog": "watchdog",
    "flowcontrol send": "link_pause", "flowcontrol receive": "link_pause", "dcbx": "dcbx", "mtu": "mtu",
    "rewrite dscp": "rewrite.dscp",
}  # fmt: skip
"""Which leaf of the state a setting decides; {} = its number."""
_NOT_QOS = frozenset(("mtu", "speed", "shutdown", "switchport", "channel", "peer link"))


class Resolver:
    """Builds the `PortQos` of a port from its settings; equal settings are built once."""

    def __init__(self, config: Config, *, whole: bool = False) -> None:
        self.config, self.whole = config, whole
        self.mode = config.roce[0] if config.roce is not None else ""
        self.pooled = {
            priority: (self.lossless(pool), number)
            for pool in config.pools.values()
            for priority, number in pool.priorities.items()
        }
        self.simple = bool(config.pools) or self.mode == "lossless"
        self._known: dict[tuple[object, ...], tuple[PortQos, Places]] = {}
        self._of_lines: dict[tuple[object, ...], tuple[PortQos, Places]] = {}

    def lossless(self, pool: TrafficPool) -> bool | None:
        """Return whether a traffic pool is lossless, None where the line that says it may be missing."""
        if not pool.type and not self.whole:
            return None
        return pool.type == "lossless"

    def port(self, port: Interface) -> tuple[PortQos, Places]:
        """Return what is in force on a port, and which line decides it. Ports that the same lines set share both."""
        lines = tuple(port.settings.items())
        found = self._of_lines.get(lines)
        if found is None:
            found = self._of_lines[lines] = self._port(port)
        return found

    def _port(self, port: Interface) -> tuple[PortQos, Places]:
        own = {name: value for name, (value, _) in port.settings.items() if name[0] not in _NOT_QOS}
        key = tuple(sorted(own.items(), key=str))
        built = self._known.get(key)
        if built is None:
            settings = {**_MODES.SETTINGS, **own} if self.mode else own
            built = self._known[key] = (_Port(self, settings).qos(), self._shared())
        return built[0], {**built[1], **self._places(port)}

    def _shared(self) -> Places:
        """Return the lines of the device that decide leaves of every port."""
        config, places = self.config, {}
        if config.roce is not None and self.mode:
            where = config.where(config.roce[1])
            places = dict.fromkeys(("trust", "tc_to_queue", "queues", "pfc", "priority_groups", "watchdog"), where)
        for pool in config.pools.values():
            for priority, number in pool.priorities.items():
                places[f"priority_groups.{priority}"] = config.where(number)
        if config.pfc is not None:
            places["pfc.gate"] = config.where(config.pfc[1])
        for priority, (on, number) in config.priorities.items():
            if on:
                where = config.where(number)
                places |= dict.fromkeys(("pfc.tx", "pfc.rx", f"pfc.tx.{priority}", f"pfc.rx.{priority}"), where)
        return places

    def _places(self, port: Interface) -> Places:
        """Return the lines of the port itself; what is missing points at the line that turns PFC on."""
        config, places = self.config, {}
        pfc = port.settings.get(("pfc",))
        if pfc is not None:
            places = dict.fromkeys(("pfc", "pfc.admin", "watchdog", "trust", "dscp_to_tc"), config.where(pfc[1]))
            if config.pfc is not None and config.pfc[0]:
                places["watchdog"] = config.where(config.pfc[1])
        for name, (_, number) in port.settings.items():
            leaf = _LEAVES.get(name[0])
            if leaf is not None:
                places[leaf.format(name[1]) if "{}" in leaf else leaf] = config.where(number)
            if name[0] == "ets":
                places[f"queues.{name[1]}.weight"] = config.where(number)
        return places

    def priorities(self) -> frozenset[int] | None:
        """Return the priorities of PFC on every port, None when neither a line nor a pool names one."""
        found = {priority for priority, (on, _) in self.config.priorities.items() if on}
        # A lossless pool turns flow control on for the priorities it holds.
        found |= {
            priority
            for priority, (lossless, _) in self.pooled.items()
            if lossless and self.config.priorities.get(priority, (True, 0))[0]
        }
        if self.mode in ("lossless", "semi-lossless"):
            found.add(_MODES.ROCE_PRIORITY)
        return frozenset(found) if found or self.config.priorities or self.mode else None

    def pools(self) -> tuple[Pool, ...] | None:
        """Return the traffic pools, or the pools of the advanced form; None when the text names none."""
        config = self.config
        pools = [
            Pool(
                pool.name,
                "both",
                self.lossless(pool),
                Amount(_whole(pool.percent), "percent") if pool.percent is not None else None,
                place=config.where(pool.number),
            )
            for pool in config.pools.values()
        ]
        if not pools and self.mode == "lossless" and config.roce is not None:
            place = config.where(config.roce[1])
            pools = [
                Pool(_MODES.LOSSLESS_POOL, "both", lossless=True, place=place),
                Pool(_MODES.LOSSY_POOL, "both", lossless=False, place=place),
            ]
        lossless: dict[str, bool] = {}
        for port in config.ports.values():
            for name, (value, _) in port.settings.items():
                if name[0] == "group":
                    lossless[value[0]] = lossless.get(value[0], False) or value[1]
        for pool in config.buffer_pools.values():
            ingress, egress = pool.name.startswith("iPool"), pool.name.startswith("ePool")
            pools.append(
                Pool(
                    pool.name,
                    "ingress" if ingress else "egress" if egress else None,
                    lossless.get(pool.name, False if pool.name in ("iPool0", "ePool0") else None),
                    pool.size,
                    pool.mode,  # type: ignore[arg-type]
                    place=config.where(pool.number),
                )
            )
        return tuple(pools) or None


def _whole(number: Any) -> Any:
    return int(number) if number.denominator == 1 else number


class _Port:
    """The settings of one kind of port on their way to a `PortQos`."""

    def __init__(self, device: Resolver, settings: Mapping[tuple[Any, ...], Any]) -> None:
        self.device, self.settings = device, settings
        self.numbered: dict[str, dict[int, Any]] = {}
        for name, value in settings.items():
            if len(name) > 1:
                self.numbered.setdefault(name[0], {})[name[1]] = value

    def one(self, name: str) -> Any:
        """Return a setting that stands once on a port."""
        return self.settings.get((name,))

    def of(self, name: str) -> dict[int, Any]:
        """Return a setting that stands for each priority, class or code."""
        return self.numbered.get(name, {})

    def qos(self) -> PortQos:
        """Return what the settings put in force."""
        binds = self.of("bind")
        to_queue = tuple(binds.get(tc) if tc < 8 else None for tc in range(16)) if binds else None
        groups = self.groups()
        to_group = self.to_group()
        return PortQos(
            trust=self.one("trust"),
            dscp_to_tc=_codes(self.of("dscp"), 64),
            pcp_to_tc=_codes(self.of("pcp"), 8),
            default_tc=self.one("default priority"),
            rewrite=None,
            tc_to_queue=to_queue,
            tc_to_pg=tuple(to_group.get(tc) for tc in range(16)) if to_group else None,
            priority_to_queue=eight({tc: frozenset({queue}) for tc, queue in binds.items()}) if binds else None,
            priority_to_pg=eight({tc: frozenset({group}) for tc, group in to_group.items()}) if to_group else None,
            pfc=self.pfc(),
            link_pause=self.pause(),
            dcbx=Dcbx(state=self.one("dcbx")) if self.one("dcbx") else None,
            watchdog=PortWatchdog(enabled=True) if self.one("watchdog") else None,
            queues=self.queues(),
            priority_groups=groups,
        )

    def pfc(self) -> Pfc | None:
        """Return PFC: the priorities of the device, and the port's own mode."""
        device = self.device
        mode = self.one("pfc")
        admin = None if mode == "force" else mode
        priorities = device.priorities()
        sides = _MODES.PFC.get(device.mode)
        sends = honours = priorities
        if sides is not None and not device.config.priorities:
            sends = priorities if sides.sends else frozenset()
            honours = priorities if sides.honours else frozenset()
            if admin is None:  # full PFC support is the point of the mode, with LLDP off too
                admin = "on" if sides.honours else "off"
        gate = device.config.pfc[0] if device.config.pfc is not None else None
        if gate is None and sides is not None and sides.honours:
            gate = True
        if (admin, sends, gate) == (None, None, None):
            return None
        return Pfc(admin=admin, tx=sends, rx=honours, by="internal", gate=gate)

    def pause(self) -> LinkPause | None:
        """Return the pause of the whole link."""
        receive, send = self.one("flowcontrol receive"), self.one("flowcontrol send")
        return LinkPause(rx=receive, tx=send) if (receive, send) != (None, None) else None

    def to_group(self) -> dict[int, int]:
        """Return the priority group of each switch priority that a line or a pool gives one."""
        paused = self.device.priorities() or frozenset()
        found = {
            priority: priority
            for priority, (lossless, _) in self.device.pooled.items()
            if lossless or (lossless is False and priority in paused)
        }
        if self.device.mode == "lossless" and not self.device.pooled:
            found[_MODES.ROCE_PRIORITY] = _MODES.ROCE_PRIORITY
        return {**found, **self.of("group of")}

    def groups(self) -> tuple[PriorityGroup | None, ...] | None:
        """Return the priority groups: sized by the switch for a lossless pool, by the line in the advanced form."""
        made: dict[int, PriorityGroup] = {}
        for priority, group in self.to_group().items():
            if group not in made and self.of("group of").get(priority) is None:
                lossless = self.device.pooled.get(priority, (True, 0))[0]
                made[group] = PriorityGroup(lossless, Headroom(by="box" if lossless else "none"))
        for number, (pool, lossless, reserved, xoff, xon, factor) in self.of("group").items():
            limit = Dynamic(factor) if factor is not None else None
            made[number] = _stated_group(pool, reserved, xoff, xon, limit, lossless=lossless)
        return eight(made) if made else None

    def queues(self) -> tuple[Queue | None, ...] | None:
        """Return the queues that a line is about."""
        made: dict[int, Queue] = {}
        for number in sorted({*self.of("ets"), *self.of("marking"), *self.of("queue buffer")}):
            scheduler, weight = self.of("ets").get(number, (None, None))
            ecn, wred = _curves(self.of("marking").get(number))
            pool, reserved, factor = self.of("queue buffer").get(number, (None, None, None))
            made[number] = Queue(
                scheduler=scheduler,
                weight=weight if scheduler == "weighted" else None,
                weight_kind="relative" if scheduler == "weighted" else None,
                ecn=ecn,
                wred=wred,
                limit=Dynamic(factor) if factor is not None else None,
                reserved=reserved,
                pool=pool,
            )
        return eight(made) if made else None


def _codes(stated: Mapping[int, int], codes: int) -> CodeMap | None:
    return code_map(stated, codes) if stated else None


def _stated_group(
    pool: str, reserved: Amount, xoff: Amount | None, xon: Amount | None, limit: Dynamic | None, *, lossless: bool
) -> PriorityGroup:
    """Return a group of the advanced form: what is reserved holds the headroom, above the fill that pauses."""
    if not lossless:
        return PriorityGroup(False, Headroom(by="none"), limit, reserved=reserved, pool=pool)
    headroom = None
    kept: Amount | None = reserved
    if reserved.bytes is not None and xoff is not None and xoff.bytes is not None and xoff.bytes <= reserved.bytes:
        headroom = Headroom(Amount.of_bytes(reserved.bytes - xoff.bytes))
        kept = xoff
    return PriorityGroup(True, headroom, limit, xon_at=xon, reserved=kept, pool=pool)


def _curves(stated: Any) -> tuple[Ecn | None, tuple[Curve, ...] | None]:
    """Return (marking, dropping) of a class: `ecn` marks, `red` drops, `both` marks what can be marked."""
    if not isinstance(stated, tuple):
        return None, None
    mode, low, high = stated
    curve = Curve(low, high, None)
    if mode == "red":
        return Ecn(), (curve,)
    return Ecn((curve,), non_ect="drop" if mode == "both" else "pass"), ()


_INHERITED = ("trust", "dscp", "pcp", "bind", "ets", "marking", "group of", "group", "queue buffer", "pfc", "watchdog")


def share_in_channels(ports: Mapping[str, Interface]) -> dict[str, list[str]]:
    """Give the members of a port-channel what it says; return the members by channel."""
    channels: dict[str, list[str]] = {}
    for name, port in ports.items():
        channel = port.settings.get(("channel",))
        if channel is not None:
            channels.setdefault(channel[0], []).append(name)
    for name, members in channels.items():
        owner = ports.get(name)
        if owner is None:
            continue
        for member in members:
            for key, value in owner.settings.items():
                if key[0] in _INHERITED:
                    ports[member].settings.setdefault(key, value)
    return channels
