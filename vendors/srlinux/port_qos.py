"""What is in force on a port: the profiles and policies it is bound to, resolved into one `PortQos`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import CodeMap, Dcbx, LinkPause, Pfc, PortQos, PortWatchdog, eight
from rocecfg.state.numbers import whole_number

if TYPE_CHECKING:
    from rocecfg.state.model import Where

names_module: Any = load_module(Path(__file__).with_name("names.py"))
buffers: Any = load_module(Path(__file__).with_name("port_buffers.py"))

COLOURS = {"low": "green", "medium": "yellow", "high": "red"}
"""Drop probability -> colour (srl_nokia-qos, wred-drop-probability)."""

_DCBX = {
    "enable": Dcbx("ieee", willing=False, advertises=frozenset({"pfc"})),
    "disable": Dcbx("off", willing=False, advertises=frozenset()),
}
"""From 25.10 on a port tells its PFC priorities to the peer, and never takes the peer's (QoS book, DCBX)."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What one port is bound to, each as the word of its leaf. Equal ones give equal QoS."""

    dscp: tuple[str, ...] = ()
    """Policies of the port's subinterfaces, each once."""
    dot1p: tuple[str, ...] = ()
    default_class: str = ""
    mapping: str = ""
    enabled: bool | None = None
    ingress: str = ""
    egress: str = ""
    scheduler: str = ""
    rewrite: tuple[str, ...] = ()
    management: tuple[tuple[str, str], ...] = ()
    """(queue, queue management profile)."""
    pause: tuple[bool | None, bool | None] = (None, None)
    speed: int | None = None
    dcbx: str = ""


@dataclass(slots=True)
class Resolver:
    """Builds the QoS of ports; equal bindings are worked out once."""

    names: Any
    ecn: bool | None
    """True = marking is on for the device, None = the text does not say."""
    dnx: bool
    """The text holds leaves that only the 7250 has."""
    xgs: bool
    """The text holds leaves that only the 7220 has."""
    _known: dict[Bound, tuple[PortQos, dict[str, Where]]] = field(default_factory=dict)
    _said: set[tuple[int, int, str]] = field(default_factory=set)

    def of(self, bound: Bound) -> tuple[PortQos, dict[str, Where]]:
        """Return the QoS of a port with these bindings, and which line decides each leaf."""
        found = self._known.get(bound)
        if found is None:
            found = self._known[bound] = self._build(bound)
        return found

    def _at(self, node: Any) -> Where:
        where: Where = self.names.tree.where(node.file, node.line)
        return where

    def _build(self, bound: Bound) -> tuple[PortQos, dict[str, Where]]:
        places: dict[str, Where] = {}
        maps = self._maps(bound, places)
        pfc = self._pfc(bound, places)
        queues = buffers.queues(self.names, bound, self.ecn, self._at, self._odd, places)
        groups = buffers.groups(self.names, bound, pfc.get("queues", {}), self._at, places)
        rx, tx = bound.pause
        qos = PortQos(
            **maps,
            pfc=pfc["pfc"],
            priority_to_queue=pfc.get("to_queue"),
            priority_to_pg=pfc.get("to_group"),
            tc_to_pg=pfc.get("classes"),
            link_pause=LinkPause(rx, tx) if bound.pause != (None, None) else None,
            dcbx=_DCBX.get(bound.dcbx),
            watchdog=pfc.get("watchdog"),
            queues=queues,
            priority_groups=groups,
        )
        return qos, places

    def _maps(self, bound: Bound, places: dict[str, Where]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if bound.dscp or bound.dot1p:
            found["trust"] = "both" if bound.dot1p else "dscp"
        policies = bound.dscp or self._default("dscp-policy", "classifiers")
        if policies:
            codes, colours = self._codes("dscp-policy", "dscp", policies, 64, places)
            found["dscp_to_tc"], found["dscp_to_colour"] = codes, colours
        if bound.dot1p:
            found["pcp_to_tc"], _ = self._codes("dot1p-policy", "dot1p", bound.dot1p, 8, places)
        if bound.default_class:
            found["default_tc"] = self.names.forwarding_class(bound.default_class)
        stated = self.names.class_queues()
        if stated:
            queues: list[int | None] = [None] * 16
            for index, (queue, leaf) in stated.items():
                queues[index] = queue
                places.setdefault("tc_to_queue", self._at(leaf))
                places[f"tc_to_queue.{index}"] = self._at(leaf)
            found["tc_to_queue"] = tuple(queues)
        if bound.rewrite:
            found["rewrite"] = self._rewrite(bound.rewrite, places)
        return found

    def _default(self, kind: str, *path: str) -> tuple[str, ...]:
        """Return the system's own profile where the state of the device shows it: configurations never do."""
        return ("default",) if "default" in self.names.listed(kind, *path) else ()

    def _codes(
        self, kind: str, word: str, policies: tuple[str, ...], size: int, places: dict[str, Where]
    ) -> tuple[CodeMap | None, tuple[str | None, ...] | None]:
        """Return the classes and colours of codes; two policies on one port that disagree are a conflict."""
        leaf = "dscp_to_tc" if word == "dscp" else "pcp_to_tc"
        to: dict[int, set[int]] = {}
        colour: dict[int, str | None] = {}
        defined = self.names.listed(kind, "classifiers")
        entries = [defined[name] for name in policies if name in defined]
        if not entries:
            return None, None
        for policy in entries:
            places.setdefault(leaf, self._at(policy))
            for keys, entry in policy.listed(word).items():
                code = names_module.dscp(keys[0]) if size == 64 else whole_number(keys[0], size - 1)
                named = entry.leaves.get("forwarding-class")
                if code is None or named is None:
                    self._odd(f"{word} {keys[0]}", entry)
                    continue
                index = self.names.forwarding_class(named.word, named)
                if index is not None:
                    to.setdefault(code, set()).add(index)
                colour[code] = COLOURS.get(entry.word("drop-probability") or "low")
                places[f"{leaf}.{code}"] = self._at(named)
        stated = 0
        for code in to:
            stated |= 1 << code
        table = tuple(min(to[code]) if code in to else None for code in range(size))
        conflicts = tuple((code, frozenset(classes)) for code, classes in sorted(to.items()) if len(classes) > 1)
        return CodeMap(table, stated, conflicts), tuple(colour.get(code) for code in range(size))

    def _odd(self, text: str, entry: Any) -> None:
        """Report an entry without effect, once, where it stands."""
        if (entry.file, entry.line, text) not in self._said:
            self._said.add((entry.file, entry.line, text))
            self.names.tree.not_understood(text, entry.file, entry.line)

    def _rewrite(self, policies: tuple[str, ...], places: dict[str, Where]) -> tuple[tuple[str, int, int], ...] | None:
        """Return the marks that leave: a class that a policy leaves out leaves with DSCP 0."""
        defined = self.names.listed("dscp-policy", "rewrite-rules")
        entries = [defined[name] for name in policies if name in defined]
        if not entries:
            return None
        marks = dict.fromkeys(range(8), 0)
        for policy in entries:
            places.setdefault("rewrite", self._at(policy))
            for keys, entry in policy.listed("map").items():
                index = self.names.forwarding_class(keys[0], entry)
                of_low = policy_code(entry)
                if index is not None and index < 8 and of_low is not None:
                    marks[index] = of_low
        return tuple(("tc", index, code) for index, code in sorted(marks.items()))

    def _pfc(self, bound: Bound, places: dict[str, Where]) -> dict[str, Any]:
        """Return PFC, its maps, its PFC queues and the deadlock recovery of a port's mapping profile."""
        if bound.enabled is None and not bound.mapping:
            return {"pfc": None}
        admin: Any = {True: "on", False: "off", None: None}[bound.enabled]
        profile = self.names.listed("pfc-mapping-profile").get(bound.mapping or "default")
        if profile is None:
            return {"pfc": Pfc(admin, frozenset(), frozenset()) if admin == "off" else Pfc(admin)}
        places.setdefault("pfc", self._at(profile))
        sent = self._received_traffic(profile, places)
        obeyed: dict[int, set[int]] = {}
        for keys, entry in profile.listed("queue", "received-pfc-pause-frames").items():
            queue = self.names.queue(keys[0], entry)
            for priority in self._priorities(entry):
                places[f"priority_to_queue.{priority}"] = self._at(entry)
                if entry.switch("enable-pfc") and queue is not None:
                    obeyed.setdefault(priority, set()).add(queue)
        rx = frozenset(obeyed)
        tx = sent["priorities"]
        if tx is not None and admin == "off":
            tx = rx = frozenset()
        stalls = profile.below("received-pfc-pause-frames", "deadlock")
        return {
            "pfc": Pfc(admin, tx, rx, sent["by"]),
            "to_queue": eight({priority: frozenset(queues) for priority, queues in obeyed.items()}),
            "to_group": sent["to_group"],
            "classes": sent["classes"],
            "queues": sent["queues"],
            "watchdog": self._watchdog(stalls, rx, places),
        }

    def _received_traffic(self, profile: Any, places: dict[str, Where]) -> dict[str, Any]:
        """Return which priorities a profile pauses the peer for, and the classes and PFC queues behind them."""
        listed = profile.listed("pfc-queue", "received-traffic", "unicast-mapping")
        to_group: dict[int, set[int]] = {}
        classes: list[int | None] = [None] * 16
        queues: dict[int, Any] = {}
        by_class = by_dot1p = False
        for keys, entry in listed.items():
            number = self.names.pfc_queue(keys[0], entry)
            if number is None or number > 7:
                continue
            queues[number] = entry
            leaf = entry.leaves.get("forwarding-class")
            for name in leaf.words if leaf is not None else ():
                index = self.names.forwarding_class(name, leaf)
                by_class = True
                if index is not None:
                    classes[index] = number
            by_dot1p |= "dot1p" in entry.leaves
            if (leaf is None and "dot1p" not in entry.leaves) or entry.switch("enable-pfc") is False:
                continue
            for priority in self._priorities(entry):
                to_group.setdefault(priority, set()).add(number)
                places[f"priority_to_pg.{priority}"] = self._at(entry)
        silent = not listed and not self.xgs  # the 7250 maps classes to PFC queues by itself
        return {
            "priorities": None if silent else frozenset(to_group),
            "to_group": eight({priority: frozenset(groups) for priority, groups in to_group.items()})
            if listed
            else None,
            "classes": tuple(classes) if by_class else None,
            "queues": queues,
            "by": "internal" if by_class or not by_dot1p else "pcp",
        }

    def _priorities(self, entry: Any) -> list[int]:
        """Return the priorities of an entry: one number from 25.3 on, a list of one before."""
        leaf = entry.leaves.get("pfc-pause-frame-priority")
        words = leaf.words if leaf is not None else ()
        if any(int(word) > 7 for word in words):
            self._odd(f"pfc-pause-frame-priority {' '.join(words)}", leaf)
        return [int(word) for word in words if int(word) < 8]

    def _watchdog(self, stalls: Any, rx: frozenset[int], places: dict[str, Where]) -> PortWatchdog | None:
        if stalls is None or not stalls.leaves:
            return None
        places["watchdog"] = self._at(stalls)
        for word, leaf in (
            ("detection-timer", "detect"),
            ("detection-time", "detect"),
            ("recovery-timer", "restore"),
            ("enable", "enabled"),
        ):
            if word in stalls.leaves:
                places[f"watchdog.{leaf}"] = self._at(stalls.leaves[word])
        enabled = stalls.switch("enable")
        return PortWatchdog(
            enabled,
            rx if enabled else None,
            None,
            stalls.number("detection-time" if "detection-time" in stalls.leaves else "detection-timer"),
            stalls.number("recovery-timer"),
            "ignore-pause",
        )


def policy_code(entry: Any) -> int | None:
    """Return the DSCP that a class leaves with: that of its low drop probability first, which RoCE has."""
    for keys, mark in entry.listed("drop-probability").items():
        if keys[0] == "low" and mark.word("dscp"):
            return names_module.dscp(mark.word("dscp"))  # type: ignore[no-any-return]
    word = entry.word("dscp")
    return names_module.dscp(word) if word else None
