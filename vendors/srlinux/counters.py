"""Counters of `info from state ... | as json`: PFC frames, deadlock recoveries, discards, queues."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocecfg.state.counters import number

if TYPE_CHECKING:
    from rocecfg.state.counters import Tally

_PRIORITY = {
    "pfc-pause-frames-received": "rx_pfc",
    "pfc-pause-frames-generated": "tx_pfc",
}
_TOTAL = {
    "total-pfc-pause-frames-received": "rx_pfc_total",
    "total-pfc-pause-frames-generated": "tx_pfc_total",
    "total-packet-pfc-discards": "rx_buffer_drops",
}
_QUEUE = {
    "transmitted-packets": "queue_packets",
    "transmitted-octets": "queue_bytes",
    "dropped-packets": "queue_drops",
    "dropped-octets": "queue_drop_bytes",
    "ecn-marked-packets": "queue_marked",
}


def gather(tally: Tally, port: str, entry: Any, names: Any) -> None:
    """Add the counters that the state of an interface shows."""
    if entry is None:
        return
    statistics = entry.below("pfc", "statistics")
    if statistics is not None:
        queue_of = _queue_of_priority(entry, names)
        for word, counter in _TOTAL.items():
            _add(tally, port, counter, statistics, word, names)
        for keys, priority in statistics.listed("pfc-priority").items():
            at = number(keys[0])
            if at is None or at > 7:
                continue
            for word, counter in _PRIORITY.items():
                _add(tally, port, counter, priority, word, names, at)
            stalled = queue_of.get(at)
            if stalled is not None:
                _add(tally, port, "storms", priority, "deadlock-recovery-occurrences", names, stalled)
    for keys, queue in entry.listed("queue", "output", "queues").items():
        at = names.queue(keys[0])
        counted = queue.below("queue-statistics", "aggregate-statistics")
        if counted is not None and at is not None and at < 8 and not names.is_multicast(keys[0]):
            for word, counter in _QUEUE.items():
                _add(tally, port, counter, counted, word, names, at)


def _queue_of_priority(entry: Any, names: Any) -> dict[int, int]:
    """Return the egress queue that each received priority stops, as the port's mapping profile says."""
    profile = names.listed("pfc-mapping-profile").get(entry.below("pfc").word("pfc-mapping-profile"))
    found: dict[int, int] = {}
    for keys, queue in profile.listed("queue", "received-pfc-pause-frames").items() if profile is not None else ():
        leaf, index = queue.leaves.get("pfc-pause-frame-priority"), names.queue(keys[0])
        for word in leaf.words if leaf is not None and index is not None else ():
            found[int(word)] = index
    return found


def _add(tally: Tally, port: str, counter: str, node: Any, word: str, names: Any, at: int | None = None) -> None:
    leaf = node.leaves.get(word)
    if leaf is None:
        return
    place = names.tree.where(leaf.file, leaf.line)
    if at is None:
        tally.add(port, counter, number(leaf.word), place)
    else:
        tally.add(port, counter, number(leaf.word), place, at)
