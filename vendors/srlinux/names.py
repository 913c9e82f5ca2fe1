"""What the names of a text stand for: forwarding classes, queues and PFC queues by their index."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rocecfg.packs import load_module
from rocecfg.state.numbers import whole_number

schema: Any = load_module(Path(__file__).with_name("schema.py"))

_DEFAULT_QUEUE = re.compile(r"(?:unicast|multicast|queue)-([0-7])\Z")
_DEFAULT_CLASS = re.compile(r"fc([0-7])\Z")
_DEFAULT_PFC = re.compile(r"pfc([0-7])\Z")
CLASSES = 16
"""Forwarding class indexes that the models know; 7220 and 7250 use 0 to 7."""


class Names:
    """The named things of one device, and which line uses what."""

    def __init__(self, tree: Any) -> None:
        self.tree = tree
        self.qos = tree.root.below("qos")
        self.used: dict[tuple[str, str], Any] = {}
        """(kind, name) -> the leaf that uses it first."""
        self.unsized: dict[str, str] = {}
        """Queue management profile -> a queue that it is bound to and that has no size."""
        self._queues = self._indexes("queue", "queues")
        self._pfc = self._indexes("pfc-queue", "queues")
        self._classes = self.listed("forwarding-class", "forwarding-classes")
        self._of_class = self._queues_by_class()
        self._multicast = {
            entry.below("output").word("multicast-queue")
            for entry in self._classes.values()
            if entry.below("output") is not None
        }

    def listed(self, name: str, *path: str) -> dict[str, Any]:
        """Return the entries of a list of `qos` by their only key."""
        if self.qos is None:
            return {}
        return {keys[0]: entry for keys, entry in self.qos.listed(name, *path).items()}

    def _indexes(self, name: str, *path: str) -> dict[str, int]:
        found = {}
        for key, entry in self.listed(name, *path).items():
            index = entry.number("queue-index")
            if index is not None and index < CLASSES:
                found[key] = index
        return found

    def _queues_by_class(self) -> dict[str, int]:
        """Return the queues that have the index of their forwarding class: releases 22.11 to 23.3 state no other."""
        found: dict[str, int] = {}
        for entry in self._classes.values():
            index, output = entry.number("forwarding-class-index"), entry.below("output")
            if index is not None and output is not None:
                for word in ("unicast-queue", "multicast-queue"):
                    found.setdefault(output.word(word), index)
        return found

    def use(self, kind: str, name: str, node: Any) -> None:
        """Note that a line uses a named thing; `node` is its leaf or list entry."""
        if name:
            self.used.setdefault((kind, name), node)

    def queue(self, name: str, node: Any = None) -> int | None:
        """Return the index of an egress queue: stated, else that of a default name."""
        if node is not None:
            self.use("queue", name, node)
        stated = self._queues.get(name)
        default = _DEFAULT_QUEUE.match(name)
        if stated is None and default is None:
            return self._of_class.get(name)
        return stated if stated is not None else int(default[1]) if default else None

    def is_multicast(self, name: str) -> bool:
        """Return whether a queue is for multicast packets: none of the lossless traffic goes there."""
        return name.startswith("multicast-") or (name in self._multicast and not name.startswith("unicast-"))

    def pfc_queue(self, name: str, node: Any = None) -> int | None:
        """Return the index of an ingress PFC queue: stated, else that of a default name."""
        if node is not None:
            self.use("pfc-queue", name, node)
        stated = self._pfc.get(name)
        default = _DEFAULT_PFC.match(name)
        return stated if stated is not None else int(default[1]) if default else None

    def forwarding_class(self, name: str, node: Any = None) -> int | None:
        """Return the index of a forwarding class: stated, that of a default name, else that of its queue."""
        if node is not None:
            self.use("forwarding-class", name, node)
        entry = self._classes.get(name)
        stated = entry.number("forwarding-class-index") if entry is not None else None
        if stated is not None:
            return stated if stated < CLASSES else None
        default = _DEFAULT_CLASS.match(name)
        if default:
            return int(default[1])
        output = entry.below("output") if entry is not None else None
        queue = self.queue(output.word("unicast-queue") or output.word("queue")) if output is not None else None
        return queue if queue is not None and queue < CLASSES else None

    def class_queues(self) -> dict[int, tuple[int, Any]]:
        """Return the egress queue of each forwarding class that is stated: index -> (queue, leaf)."""
        found: dict[int, tuple[int, Any]] = {}
        for name, entry in self._classes.items():
            output, index = entry.below("output"), self.forwarding_class(name)
            if output is None or index is None:
                continue
            for word in ("unicast-queue", "queue", "multicast-queue"):
                leaf = output.leaves.get(word)
                queue = self.queue(leaf.word, leaf) if leaf is not None else None
                if queue is not None and word != "multicast-queue":
                    found.setdefault(index, (queue, leaf))
        return found


def is_default(kind: str, name: str) -> bool:
    """Return whether the system has a thing of that name without any line that says so."""
    patterns = {"queue": _DEFAULT_QUEUE, "forwarding-class": _DEFAULT_CLASS, "pfc-queue": _DEFAULT_PFC}
    pattern = patterns.get(kind)
    return bool(pattern.match(name)) if pattern is not None else name == "default"


def dscp(word: str) -> int | None:
    """Return a DSCP by number or name, None for what is neither."""
    named: int | None = schema.DSCP_NAMES.get(word.upper())
    return whole_number(word, 63) if named is None else named
