"""Resolves what a Comware configuration says into what is in force on each port.

The traffic class of our model is the 802.1p priority that a packet is given: by its DSCP (map `dscp-dot1p`), by its
tag, or by the port. It picks the ingress buffer of the same number and, by the map `dot1p-lp`, the local precedence,
which is the queue. PFC and its buffers are named by 802.1p priority, deadlock detection by local precedence ("cos").
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rocecfg.packs import load_module
from rocecfg.state.model import (
    NEVER,
    UNLIMITED,
    Amount,
    CodeMap,
    Dcbx,
    Dynamic,
    Headroom,
    LinkPause,
    Pfc,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Queue,
    Static,
    eight,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocecfg.state.model import Action, Trust, Unit, Where
    from vendors.h3c.config import Config, Interface

_CURVES = load_module(Path(__file__).with_name("curves.py"))
_SCHEDULE = load_module(Path(__file__).with_name("schedule.py"))
_PLACES = load_module(Path(__file__).with_name("places.py"))
_RATIOS = load_module(Path(__file__).with_name("ratios.py"))

DEFAULT_QUEUE_OF = (2, 0, 1, 3, 4, 5, 6, 7)
"""The default of `dot1p-lp`: 802.1p priorities 0 to 2 change places."""
UNKNOWN_CODES = CodeMap((None,) * 64, (1 << 64) - 1)
UNKNOWN_PCPS = CodeMap((None,) * 8, (1 << 8) - 1)
"""Every code is decided by the text, and not by what we read of it: no default may fill them in."""
IDENTITY: tuple[int | None, ...] = (*range(8), *([None] * 8))
"""An 802.1p priority is counted in the ingress buffer of its own number."""
_TRUSTS: dict[str, Trust | None] = {"dscp": "dscp", "dot1p": "pcp", "auto": "both", "none": "none", "exp": None}
_MODES: dict[str, Literal["on", "off", "auto"]] = {"enable": "on", "auto": "auto", "off": "off"}
_ACTIONS: dict[str, Action] = {"discard": "drop", "forwarding": "pfc-off"}
"""While a port recovers, PFC is off on it: `forwarding` lets its packets go out, `discard` drops them."""
_QOS_KEYS = ("pfc", "no_drop", "watchdog", "recover", "trust", "priority", "wred", "profile", "policy inbound",
             "flow_control", "dcbx", "lldp")  # fmt: skip


def cells(value: int) -> Amount:
    """Return an amount in the device's own unit. What a cell holds depends on the model, which no text states."""
    return Amount(value, "cell")


class Resolver:
    """Builds the `PortQos` of a port; ports with equal settings share what was built."""

    def __init__(self, config: Config, *, whole: bool) -> None:
        """Prepare what all ports share. `whole` = the text is complete: what it leaves out has its default."""
        self.config = config
        self.whole = whole
        self.queue_of = {code: to for code, (to, _) in config.maps.get("dot1p-lp", {}).items()}
        self.watched = self._watched()
        self._places = _PLACES.Places(config)
        self._known: dict[object, PortQos] = {}

    def port(self, port: Interface) -> tuple[PortQos, dict[str, Where]]:
        """Return what is in force on a port, and which line decides it."""
        key = (
            tuple(port.settings[name][0] if name in port.settings else None for name in _QOS_KEYS),
            tuple(_plain(port)),
        )
        qos = self._known.get(key)
        if qos is None:
            qos = self._known[key] = self._build(port)
        return qos, self._places.of(port)

    def _watched(self) -> frozenset[int] | None:
        """Return the 802.1p priorities whose queue has a deadlock interval, None where the map is not known whole."""
        queue_of = {**dict(enumerate(DEFAULT_QUEUE_OF)), **self.queue_of} if self.whole else self.queue_of
        if not self.config.intervals or len(queue_of) < len(DEFAULT_QUEUE_OF):
            return None
        return frozenset(code for code, to in queue_of.items() if to in self.config.intervals)

    def _stated(self, port: Interface, name: str) -> Any:
        """Return what a port says, else what the system view says for all ports.

        Where the two differ, the line typed last is in force, which no text tells: the port's own is believed.
        """
        own = port.settings.get(name) or self.config.options.get(name)
        return None if own is None else own[0]

    def _build(self, port: Interface) -> PortQos:
        trust, maps = self._classified(port)
        queues = self._queues(port)
        return PortQos(
            trust=trust,
            **maps,  # type: ignore[arg-type]
            tc_to_queue=self._tc_to_queue(),
            tc_to_pg=IDENTITY,
            priority_to_queue=eight({code: frozenset({to}) for code, to in self.queue_of.items()})
            if self.queue_of
            else None,
            priority_to_pg=tuple(frozenset({number}) for number in range(8)),
            pfc=self._pfc(port),
            link_pause=self._link_pause(port),
            dcbx=self._dcbx(port),
            watchdog=self._watchdog(port),
            queues=eight(queues) if queues else None,
            priority_groups=self._groups(port),
        )

    def _tc_to_queue(self) -> tuple[int | None, ...] | None:
        if not self.queue_of:
            return None
        return (*(self.queue_of.get(code) for code in range(8)), *([None] * 8))

    def _classified(self, port: Interface) -> tuple[Trust | None, dict[str, object]]:
        trust = _TRUSTS.get(self._stated(port, "trust"))
        priority = port.settings.get("priority")
        found: dict[str, object] = {"default_tc": priority[0] if priority is not None else None}
        if self._remarks(port):
            # The policy decides for the packets it matches: no code has a class that this text tells.
            return trust, {"dscp_to_tc": UNKNOWN_CODES, "pcp_to_tc": UNKNOWN_PCPS}
        if trust in ("dscp", "both"):
            found["dscp_to_tc"] = self._dscp_map()
            found["rewrite"] = self._rewrite()
        if trust in ("pcp", "both"):
            found["pcp_to_tc"] = CodeMap(tuple(range(8)))
        return trust, found

    def _remarks(self, port: Interface) -> bool:
        """Return whether an inbound policy changes priorities, or is defined elsewhere."""
        own = port.settings.get("policy inbound")
        for policy in {*self.config.everywhere, *(() if own is None else (own[0],))}:
            behaviors = self.config.policies.get(policy)
            if behaviors is None or any(name in self.config.remarking for name in behaviors):
                return True
        return False

    def _dscp_map(self) -> CodeMap | None:
        stated = {code: to for code, (to, _) in self.config.maps.get("dscp-dot1p", {}).items()}
        direct = {code: to for code, (to, _) in self.config.maps.get("dscp-lp", {}).items()}
        if not stated and not direct:
            return None
        bits = sum(1 << code for code in stated.keys() | direct.keys())
        # Where a platform maps a DSCP to a queue directly, the 802.1p priority does not tell the queue any more.
        unknown = {code for code, to in direct.items() if self.queue_of.get(stated.get(code, -1)) != to}
        return CodeMap(tuple(None if code in unknown else stated.get(code) for code in range(64)), bits)

    def _rewrite(self) -> tuple[tuple[str, int, int], ...] | None:
        marks = self.config.maps.get("dscp-dscp", {})
        return tuple(("dscp", code, to) for code, (to, _) in sorted(marks.items()) if code != to) or None

    def _pfc(self, port: Interface) -> Pfc | None:
        mode, listed = self._stated(port, "pfc"), self._stated(port, "no_drop")
        if mode is None and listed is None:
            return None
        return Pfc(admin=None if mode is None else _MODES[mode], tx=listed, rx=listed)

    def _link_pause(self, port: Interface) -> LinkPause | None:
        stated = port.settings.get("flow_control")
        if stated is None:
            return None
        if self._stated(port, "pfc") == "enable":
            return LinkPause(rx=False, tx=False)  # Comware ignores flow-control where PFC is on
        return LinkPause(rx=stated[0] in ("both", "rx"), tx=stated[0] == "both")

    def _dcbx(self, port: Interface) -> Dcbx | None:
        stated, lldp = port.settings.get("dcbx"), self.config.options.get("lldp")
        on_port = port.settings.get("lldp")
        if (lldp is not None and not lldp[0]) or (on_port is not None and not on_port[0]):
            return Dcbx(state="off")
        if stated is None:
            return None
        return Dcbx(state="auto", advertises=frozenset({"pfc", "ets", "app"})) if stated[0] else Dcbx(state="off")

    def _watchdog(self, port: Interface) -> PortWatchdog | None:
        stated, action = port.settings.get("watchdog"), self.config.options.get("action")
        if stated is None or not stated[0]:
            return None if stated is None else PortWatchdog(enabled=False)
        # Interval and delay count precision units, whose length nobody published: milliseconds stay unknown.
        manual = self._stated(port, "recover") == "manual"
        unset = self.whole and bool(self.config.intervals) and not self.config.delays
        return PortWatchdog(
            enabled=True,
            priorities=self.watched,
            restore=NEVER if manual or unset else None,
            action=None if action is None else _ACTIONS[action[0]],
        )

    def _queues(self, port: Interface) -> dict[int, Queue]:
        queues: dict[int, Queue] = _SCHEDULE.queues(self.config, port)
        for number, (unit, value, _) in _areas(self.config, "shared"):
            queues[number] = _with(queues.get(number), limit=_limit(unit, value))
        for number, (unit, value, _) in _areas(self.config, "guaranteed"):
            queues[number] = _with(queues.get(number), reserved=_reserved(unit, value))
        for number, (rate, _) in port.shapers.items():
            queues[number] = _with(queues.get(number), shaper=rate or UNLIMITED)
        return dict(_CURVES.with_curves(self.config, port, queues, whole=self.whole))

    def _groups(self, port: Interface) -> tuple[PriorityGroup | None, ...] | None:
        lossless = self._stated(port, "no_drop") if self._stated(port, "pfc") in ("enable", "auto") else None
        if not port.buffers and not lossless:
            return None
        groups: dict[int, PriorityGroup] = {}
        for number in sorted({*port.buffers, *(lossless or ())}):
            words = {word: value for word, (value, _) in port.buffers.get(number, {}).items()}
            groups[number] = PriorityGroup(
                lossless=True if lossless is not None and number in lossless else None,
                headroom=Headroom(cells(words["headroom"]), by="stated") if "headroom" in words else None,
                xoff_at=_trigger(words),
                xon_below=cells(words["offset"]) if "offset" in words else None,
                reserved=cells(words["reserved"]) if "reserved" in words else None,
            )
        return eight(groups)


def _plain(port: Interface) -> Iterator[object]:
    """Yield what a port says beside its settings, without the numbers of the lines."""
    yield port.schedule.mode
    for queue, (group, weight, _) in port.schedule.queues.items():
        yield (queue, group, weight)
    for queue, (rate, _) in port.schedule.guarantees.items():
        yield ("min", queue, rate)
    for queue, (rate, _) in port.shapers.items():
        yield ("gts", queue, rate)
    for queue, wred in port.wred.queues.items():
        limits = tuple((colour, *limit[:3]) for colour, limit in wred.limits.items())
        yield ("wred", queue, bool(wred.ecn), wred.weight[0] if wred.weight else None, limits)
    for priority, words in port.buffers.items():
        yield ("pfc", priority, tuple((word, value) for word, (value, _) in words.items()))


def _areas(config: Config, area: str) -> Iterator[tuple[int, tuple[Unit, int, int]]]:
    """Yield the egress areas of queues that are in force: nothing is before `buffer apply`."""
    for queue, areas in config.buffers.items() if config.applied else ():
        if area in areas:
            yield queue, areas[area]


def _with(queue: Queue | None, **changes: Any) -> Queue:
    return replace(queue or Queue(), **changes)


def _reserved(unit: Unit, value: int) -> Amount:
    return Amount(value, unit, value if unit == "byte" else None)


def _limit(unit: Unit, value: int) -> Dynamic | Static:
    """Return the most of the shared area that a queue may take; what a ratio snaps to depends on the model."""
    return Dynamic(index=value) if unit == "percent" else Static(Amount.of_bytes(value))


def _trigger(words: Mapping[str, int]) -> Dynamic | Static | None:
    if "static" in words:
        return Static(cells(words["static"]))
    return Dynamic(_RATIOS.alpha_of(words["dynamic"])) if "dynamic" in words else None
