"""The named things of a text: profiles, policies, queues and classes, defined and used."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Any

from rocecfg.packs import load_module
from rocecfg.state.model import Named

names_module: Any = load_module(Path(__file__).with_name("names.py"))

_DEFINED = (
    ("dscp-policy", "dscp-policy", ("classifiers",)),
    ("dot1p-policy", "dot1p-policy", ("classifiers",)),
    ("rewrite-rules dscp-policy", "dscp-policy", ("rewrite-rules",)),
    ("forwarding-class", "forwarding-class", ("forwarding-classes",)),
    ("queue", "queue", ("queues",)),
    ("pfc-queue", "pfc-queue", ("queues",)),
    ("pfc-mapping-profile", "pfc-mapping-profile", ()),
    ("scheduler-policy", "scheduler-policy", ("scheduler-policies",)),
    ("buffer-allocation-profile", "buffer-allocation-profile", ("buffer-management",)),
    ("queue-management-profile", "queue-management-profile", ("buffer-management",)),
)
_MATTER = frozenset(kind for kind, _, _ in _DEFINED) - {"queue", "pfc-queue", "forwarding-class"}
"""Kinds that nobody defines without binding them; names of queues and classes may stand ready."""


def objects_of(names: Any, sites: dict[str, Any], tree: Any, *, whole: bool) -> tuple[Named, ...]:
    """Return every named thing that is defined or used, in the order of the text."""
    _use_unbound(names)
    bound = bool(sites)
    found: list[Named] = []
    for kind, listed, path in _DEFINED:
        defined = names.listed(listed, *path)
        for name, entry in defined.items():
            used = (kind, name) in names.used
            system = names_module.is_default(kind, name)
            found.append(
                Named(
                    kind,
                    name,
                    True,
                    used or not (whole or bound),
                    matters=kind in _MATTER,
                    system=system or kind not in _MATTER,
                    place=tree.where(entry.file, entry.line),
                    inert=_inert(kind, name, entry, names),
                )
            )
        for (of, name), node in names.used.items():
            if of == kind and name not in defined and not names_module.is_default(kind, name):
                near = get_close_matches(name, list(defined), n=1, cutoff=0.5)
                found.append(
                    Named(
                        kind,
                        name,
                        False,
                        True,
                        matters=True,
                        place=tree.where(node.file, node.line),
                        near=near[0] if near else "",
                    )
                )
    return tuple(sorted(found, key=lambda named: (named.place.file, named.place.line) if named.place else ("", 0)))


def _use_unbound(names: Any) -> None:
    """Note what profiles use that no port is bound to: a wrong name there is as wrong."""
    for policy in names.listed("dscp-policy", "classifiers").values():
        for entry in policy.listed("dscp").values():
            leaf = entry.leaves.get("forwarding-class")
            if leaf is not None:
                names.use("forwarding-class", leaf.word, leaf)
    for profile in names.listed("pfc-mapping-profile").values():
        for keys, entry in profile.listed("pfc-queue", "received-traffic", "unicast-mapping").items():
            names.use("pfc-queue", keys[0], entry)
            leaf = entry.leaves.get("forwarding-class")
            for name in leaf.words if leaf is not None else ():
                names.use("forwarding-class", name, leaf)
        for keys, entry in profile.listed("queue", "received-pfc-pause-frames").items():
            names.use("queue", keys[0], entry)
    for profile in names.listed("buffer-allocation-profile", "buffer-management").values():
        for keys, entry in profile.listed("queue", "queues").items():
            names.use("queue", keys[0], entry)
        for keys, entry in profile.listed("pfc-queue", "queues").items():
            names.use("pfc-queue", keys[0], entry)
    for policy in names.listed("scheduler-policy", "scheduler-policies").values():
        for scheduler in policy.listed("scheduler").values():
            for entry in scheduler.listed("input").values():
                leaf = entry.leaves.get("queue-name")
                if leaf is not None:
                    names.use("queue", leaf.word, leaf)
    marking = names.qos.below("explicit-congestion-notification") if names.qos is not None else None
    leaf = marking.leaves.get("ecn-dscp-policy") if marking is not None else None
    if leaf is not None:
        names.use("rewrite-rules dscp-policy", leaf.word, leaf)


def _inert(kind: str, name: str, entry: Any, names: Any) -> str:
    """Return why a profile that ports use binds to nothing; empty where it binds."""
    if kind != "queue-management-profile" or (kind, name) not in names.used:
        return ""
    if not entry.listed("wred-slope", "wred"):
        return "it has no slope: the queues are neither marked nor dropped early"
    if name in names.unsized:
        return f"queue {names.unsized[name]} has no maximum burst size on a port that uses it: the switch refuses that"
    return ""
