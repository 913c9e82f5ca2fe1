"""Reads the JSON of an Arista switch's show commands (`| json`): PFC frames, queue drops, ECN marks, watchdog."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.counters import number
from rocecfg.state.model import LinkPause, Where
from rocecfg.state.numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rocecfg.state.capture import Text
    from vendors.eos.shows import Table

_CONFIG = load_module(Path(__file__).with_name("config.py"))


def read(command: str, text: Text, table: Table) -> None:
    """Note what the JSON of a show command counts. Raises ReadError for a text that is no JSON of that command."""
    try:
        data = json.loads(text.content)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{text.file}: not JSON: {str(error)[:200]}") from error
    reader = _READERS.get(command)
    if not isinstance(data, dict) or reader is None or not _HOLDERS & data.keys():
        raise ReadError(
            f"{text.file}: the JSON of {command.replace('-', ' ')} is another object: {', '.join(sorted(_HOLDERS))}"
        )
    reader(data, _Ports(text, table))


_HOLDERS = {"interfaceCounters", "interfaces", "intfQueueCounters", "egressQueueCounters", "interfaceErrorCounters",
            "interfaceFlowControls"}  # fmt: skip
"""Keys that hold the ports; without an event the holder is there and empty."""


class _Ports:
    """Finds the ports of a text, with the line each is named in."""

    def __init__(self, text: Text, table: Table) -> None:
        self._text = text
        self._table = table

    def of(self, holder: Any) -> Iterator[tuple[str, Any, Where]]:
        """Yield name, value and place of each port of an object."""
        for word, value in holder.items() if isinstance(holder, dict) else ():
            at = self._text.content.find(f'"{word}"')
            line = self._text.content.count("\n", 0, at) + 1 if at >= 0 else 1
            port = self._table.port(word, line)
            if port is not None:
                self._table.count += 1
                yield port.name, value, Where(self._text.file, line)

    def pauses(self, port: str, pause: LinkPause) -> None:
        """Note whether the link of a port pauses now."""
        known = self._table.ports[port]
        self._table.ports[port] = replace(known, qos=replace(known.qos, link_pause=pause))

    def add(self, port: str, counter: str, value: Any, place: Where, at: int | None = None) -> None:
        """Note a counter: a whole number, or one in quotes."""
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value) if value >= 0 else ""
        if isinstance(value, str):
            self._table.tally.add(port, counter, number(value), place, at)


def _inner(holder: Any, *keys: str) -> Any:
    """Return what lies at the end of a path of keys, None where there is none."""
    for key in keys:
        holder = holder.get(key) if isinstance(holder, dict) else None
    return holder


def _numbered(holder: Any, prefix: str = "") -> Iterator[tuple[int, Any]]:
    """Yield the entries of an object that are keyed by a queue or class: `3`, `TC3`."""
    for key, value in holder.items() if isinstance(holder, dict) else ():
        at = whole_number(str(key).removeprefix(prefix), 7)
        if at is not None:
            yield at, value


def _pfc(data: dict[str, Any], ports: _Ports) -> None:
    for port, counters, place in ports.of(data.get("interfaceCounters")):
        ports.add(port, "rx_pfc_total", _inner(counters, "rxFrames"), place)
        ports.add(port, "tx_pfc_total", _inner(counters, "txFrames"), place)


def _marks(data: dict[str, Any], ports: _Ports) -> None:
    for port, counters, place in ports.of(data.get("intfQueueCounters")):
        for queue, count in _numbered(_inner(counters, "queueCounters")):
            ports.add(port, "queue_marked", count, place, queue)


def _watchdog(data: dict[str, Any], ports: _Ports) -> None:
    """Note the events: a port without any has no entry."""
    for port, counters, place in ports.of(data.get("interfaces")):
        for queue, events in _numbered(_inner(counters, "txQueues")):
            ports.add(port, "storms", _inner(events, "stuckCount"), place, queue)
            ports.add(port, "storms_restored", _inner(events, "recoveryCount"), place, queue)


def _queues(data: dict[str, Any], ports: _Ports) -> None:
    """Note drops: by egress queue on XGS, by traffic class at the VOQ and at egress on R-series."""
    for port, counters, place in ports.of(_inner(data, "egressQueueCounters", "interfaces")):
        for queue, entry in _numbered(_inner(counters, "ucastQueues", "trafficClasses"), "TC"):
            for name, counter in (("enqueuedPackets", "queue_packets"), ("enqueuedBytes", "queue_bytes"),
                                  ("droppedPackets", "queue_drops"), ("droppedBytes", "queue_drop_bytes")):  # fmt: skip
                ports.add(port, counter, _sum(_inner(entry, "dropPrecedences"), name), place, queue)
    for port, counters, place in ports.of(data.get("interfaces")):
        for queue, entry in _numbered(_inner(counters, "trafficClasses"), "TC"):
            both = [
                _inner(entry, side, "countersSum", "droppedPackets")
                for side in ("ingressVoqCounters", "egressQueueCounters")
            ]
            known = [count for count in both if isinstance(count, int) and not isinstance(count, bool)]
            if known:
                ports.add(port, "queue_drops", sum(known), place, queue)


def _errors(data: dict[str, Any], ports: _Ports) -> None:
    for port, counters, place in ports.of(data.get("interfaceErrorCounters")):
        ports.add(port, "fcs_errors", _inner(counters, "fcsErrors"), place)


def _flow_control(data: dict[str, Any], ports: _Ports) -> None:
    """Note pause frames of the whole link, and whether the link pauses."""
    for port, counters, place in ports.of(data.get("interfaceFlowControls")):
        ports.add(port, "rx_link_pause", _inner(counters, "rxPause"), place)
        ports.add(port, "tx_link_pause", _inner(counters, "txPause"), place)
        states = [{"on": True, "off": False}.get(str(_inner(counters, f"{side}OperState"))) for side in ("rx", "tx")]
        if states != [None, None]:
            ports.pauses(port, LinkPause(rx=states[0], tx=states[1]))


def _sum(holder: Any, name: str) -> int | None:
    """Return a counter over all drop precedences, None where none shows it."""
    counts = [_inner(entry, name) for entry in holder.values()] if isinstance(holder, dict) else []
    known = [count for count in counts if isinstance(count, int) and not isinstance(count, bool) and count >= 0]
    return sum(known) if known else None


_READERS: dict[str, Callable[[dict[str, Any], _Ports], None]] = {
    "show-pfc-counters": _pfc,
    "show-ecn-counters": _marks,
    "show-pfc-watchdog": _watchdog,
    "show-queue-counters": _queues,
    "show-errors": _errors,
    "show-flow-control": _flow_control,
}
