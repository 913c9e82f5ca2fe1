"""Resolves what a running configuration says into what is in force on each port."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import (
    NEVER,
    Dcbx,
    LinkPause,
    Pfc,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Queue,
    Where,
    eight,
)

if TYPE_CHECKING:
    from rocecfg.state.model import Action
    from vendors.eos.config import Config, Holder, Settings

_CLASSIFY = load_module(Path(__file__).with_name("classify.py"))
_QUEUES = load_module(Path(__file__).with_name("queues.py"))

Places = dict[str, Where]
_OF_PORT_ALONE = frozenset({"mtu", "speed", "channel", "enabled", "mode", "switched", "profile", "interface profile"})
"""What is read from the port itself and makes no difference to its `PortQos`."""


def settings_of(config: Config, holder: Holder) -> Settings:
    """Return what holds on a port: its own lines, then its qos profile, then what its `no` lines give back.

    A `no` or `default` line under an interface (`show running-config all` prints them all) gives back the default of
    the interface; a profile still holds there.
    """
    own, back = holder.settings, holder.cleared
    for name in reversed(_value(own, "interface profile") or ()):
        of_profile = config.interface_profiles.get(name)
        if of_profile is not None:
            own, back = {**of_profile.settings, **own}, {**of_profile.cleared, **back}
    profile = config.profiles.get(_value(own, "profile") or "")
    if profile is None:
        return {**back, **own}
    return {**back, **profile.cleared, **profile.settings, **own}


def _value(settings: Settings, key: str) -> Any:
    found = settings.get(key)
    return None if found is None else found[0]


class Resolver:
    """Builds the `PortQos` of a port from its settings; equal settings are built once."""

    def __init__(self, config: Config, *, whole: bool) -> None:
        self.config = config
        self.whole = whole
        self.dscp, self.cos = _CLASSIFY.stated_map(config.dscp_map, 64), _CLASSIFY.stated_map(config.cos_map, 8)
        self.queue_of = _queue_of(config)
        self.colours = _colours(config)
        applied = config.options.get("apply")
        self.mmu = config.mmu_profiles.get(applied[0]) if applied is not None else None
        self._known: dict[object, PortQos] = {}

    def port(self, holder: Holder) -> tuple[PortQos, Places, Settings]:
        """Return what is in force on a port, which line decides it, and its settings."""
        settings = settings_of(self.config, holder)
        speed, routed = _value(settings, "speed"), _value(settings, "mode") == "routed"
        key = (
            speed,
            routed,
            tuple((name, value) for name, (value, _) in settings.items() if name not in _OF_PORT_ALONE),
        )
        qos = self._known.get(key)
        if qos is None:
            qos = self._known[key] = self._build(settings, speed)
        return qos, self._places(settings), settings

    def _build(self, settings: Settings, speed: int | None) -> PortQos:
        classes = _CLASSIFY.classification(self.config, settings, self.dscp, self.cos, whole=self.whole)
        pfc = self._pfc(settings)
        return PortQos(
            trust=classes.trust,
            dscp_to_tc=classes.dscp,
            pcp_to_tc=classes.pcp,
            default_tc=classes.default_tc,
            dscp_to_colour=self.colours,
            rewrite=self._rewrite(classes.rewrites),
            tc_to_queue=self.queue_of,
            pfc=pfc,
            link_pause=_link_pause(settings),
            dcbx=_dcbx(settings),
            watchdog=self._watchdog(settings),
            queues=self._queues(settings, speed),
            priority_groups=self._groups(pfc),
        )

    def _rewrite(self, of_policy: tuple[tuple[str, int, int], ...]) -> tuple[tuple[str, int, int], ...] | None:
        if "rewrite dscp" in self.config.options:
            lines = sorted((int(tc), to[0]) for tc, to in self.config.rewrite_map.items())
            return (*(("tc", tc, to) for tc, to in lines), *of_policy)
        return of_policy or None

    def _pfc(self, settings: Settings) -> Pfc | None:
        named = {int(key[-1]): item[0] for key, item in settings.items() if key.startswith("priority ")}
        admin = _value(settings, "pfc")
        gate = False if "all off" in self.config.options else None
        if admin is None and not named and gate is None:
            return None
        wanted = frozenset(number for number, what in named.items() if what == "no-drop") if named else None
        return Pfc(admin=admin, tx=wanted, rx=wanted, gate=gate)

    def _watchdog(self, settings: Settings) -> PortWatchdog | None:
        options = self.config.options
        switch, timer = _value(settings, "watchdog"), _value(settings, "watchdog timer")
        detect, poll, restore = timer or tuple(_value(options, name) for name in ("timeout", "poll", "restore"))
        action: Action | None = (
            "drop" if "override" in options else _value(settings, "watchdog action") or _value(options, "action")
        )
        if (switch, detect, poll, restore, action) == (None, None, None, None, None):
            return None
        if detect == 0:
            detect = NEVER
        enabled = switch
        if switch and detect is not None and detect != NEVER:
            enabled = True
        return PortWatchdog(enabled=enabled, poll=poll or None, detect=detect, restore=restore or None, action=action)

    def _queues(self, settings: Settings, speed: int | None) -> tuple[Queue | None, ...] | None:
        lines: dict[int, dict[str, Any]] = {}
        for key, item in settings.items():
            if key.startswith("queues."):
                lines.setdefault(int(key[7]), {})[key[9:]] = item[0]
        if self.mmu is not None:
            for key, item in self.mmu.settings.items():
                if key.startswith("queue "):
                    lines.setdefault(int(key[6]), {})[f"mmu {key[8:]}"] = item[0]
        if not lines:
            return None
        passes = "pass" if "non ect" in self.config.options else None
        queues = {number: _QUEUES.queue(stated, speed, passes) for number, stated in lines.items()}
        return eight(_QUEUES.of_a_whole(queues))

    def _groups(self, pfc: Pfc | None) -> tuple[PriorityGroup | None, ...] | None:
        if pfc is None or pfc.tx is None:
            return None
        on = None if pfc.admin is None else pfc.admin == "on"
        groups = {}
        for number in range(8):
            lossless = on if number in pfc.tx else False
            groups[number] = _QUEUES.group(self.mmu, number) if lossless else PriorityGroup(lossless=lossless)
        return eight(groups)

    def _places(self, settings: Settings) -> Places:
        """Return the lines that decide the leaves; what is missing points at the line that makes it needed."""
        where, options = self.config.where, self.config.options
        lines: dict[str, int] = {}
        for key, (value, number) in settings.items():
            if key.startswith("queues."):
                self._queue_place(lines, key, number)
            elif key.startswith("priority ") and value == "no-drop":
                lines.setdefault("pfc.tx", number)
                lines.setdefault("watchdog", number)
                lines.setdefault(f"priority_groups.{key[-1]}", number)
                queue = self.queue_of[int(key[-1])] if self.queue_of is not None else None
                lines.setdefault(f"queues.{key[-1] if queue is None else queue}.ecn", number)
        for key, leaves in _LEAVES.items():
            if key in settings:
                lines |= dict.fromkeys(leaves, settings[key][1])
        if "pfc" in settings:
            lines.setdefault("watchdog", settings["pfc"][1])
            lines.setdefault("trust", settings["pfc"][1])
        for name, leaf in (("timeout", "detect"), ("restore", "restore"), ("poll", "poll"), ("action", "action")):
            if name in options:
                lines.setdefault(f"watchdog.{leaf}", options[name][1])
        if "all off" in options:
            lines["pfc.gate"] = options["all off"][1]
        self._device_places(lines)
        return {leaf: where(number) for leaf, number in lines.items()}

    def _queue_place(self, lines: dict[str, int], key: str, number: int) -> None:
        queue, what = key[7], key[9:]
        leaf = {"priority": "scheduler", "percent": "weight", "guaranteed": "guarantee", "shape": "shaper"}.get(
            what, what
        )
        leaf = "wred" if leaf.startswith("drop") else leaf
        if leaf != "count":
            lines[f"queues.{queue}.{leaf}"] = number
        lines.setdefault(f"queues.{queue}", number)

    def _device_places(self, lines: dict[str, int]) -> None:
        config = self.config
        for table, leaf in (
            (config.dscp_map, "dscp_to_tc"),
            (config.cos_map, "pcp_to_tc"),
            (config.queue_map, "tc_to_queue"),
        ):
            for code, (_, number) in table.items():
                lines.setdefault(leaf, number)
                lines[f"{leaf}.{code}"] = number
        if "rewrite dscp" in config.options:
            lines["rewrite"] = config.options["rewrite dscp"][1]
            lines |= {f"rewrite.tc.{code}": number for code, (_, number) in config.rewrite_map.items()}
        for key, (_, number) in self.mmu.settings.items() if self.mmu is not None else ():
            of_group = {"threshold": "xoff_at", "headroom": "headroom", "reserved": "reserved"}.get(
                key.rpartition(".")[2]
            )
            if of_group is None or key.startswith("queue "):
                continue
            for group in range(8) if key[0].isalpha() else (int(key[0]),):
                lines[f"priority_groups.{group}.{of_group}"] = number


_OF_GROUP = {"threshold": "xoff_at", "headroom": "headroom", "reserved": "reserved"}
_LEAVES = {
    "watchdog": ("watchdog",),
    "watchdog action": ("watchdog.action",),
    "watchdog timer": ("watchdog", "watchdog.detect", "watchdog.poll", "watchdog.restore"),
    "pfc": ("pfc", "pfc.admin"),
    "trust": ("trust",),
    "mtu": ("mtu",),
    "dcbx": ("dcbx",),
    "flowcontrol send": ("link_pause",),
    "flowcontrol receive": ("link_pause",),
}
"""Setting -> the leaves it decides."""


def _queue_of(config: Config) -> tuple[int | None, ...] | None:
    """Return the queue of each traffic class as far as stated; 7 is bound to 7 for ever."""
    if not config.queue_map:
        return None
    stated = {int(tc): to[0] for tc, to in config.queue_map.items()}
    return tuple({**stated, 7: 7}.get(tc) for tc in range(16))


def _colours(config: Config) -> tuple[str | None, ...] | None:
    """Return the colour of each DSCP that a map line states, None where no line gives a drop precedence."""
    if not any(config.drop_precedence.values()):
        return None
    names = ("green", "yellow", "red")
    return tuple(names[config.drop_precedence[code]] if code in config.drop_precedence else None for code in range(64))


def _link_pause(settings: Settings) -> LinkPause | None:
    receive, send = _value(settings, "flowcontrol receive"), _value(settings, "flowcontrol send")
    if receive is None and send is None:
        return None
    # `desired` negotiates: whether the link pauses is not known from the text.
    known = {"on": True, "off": False}
    return LinkPause(rx=known.get(str(receive)), tx=known.get(str(send)))


def _dcbx(settings: Settings) -> Dcbx | None:
    state = _value(settings, "dcbx")
    return None if state is None else Dcbx(state=state)
