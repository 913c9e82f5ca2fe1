"""Counters of a device at one moment: pauses, drops, marks, watchdog events, and what an RDMA device counts.

A counter that a device does not offer, prints as `N/A` or as something that is no number is None: never zero. Most
counters run since somebody cleared them, so one capture says little; rules compare two captures of one device
(`rocecfg.lint.counting`). Peaks (`headroom_peak`) and states (`stormed`) speak for themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from rocecfg.state.numbers import LONGEST, whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.model import Where

NUMBERED: Final = 8
"""Priorities, queues and priority groups that are counted: 0 to 7."""
_LARGEST: Final = 10**LONGEST - 1
"""A number with more digits than a 64-bit counter is none."""
_MOST_PORTS: Final = 20_000


@dataclass(frozen=True, slots=True)
class PortCounters:
    """What one port counted. Frames, packets and bytes since the counters were cleared, paused time in nanoseconds.

    Tuples have eight places, by priority, queue or priority group.
    """

    rx_pfc: tuple[int | None, ...] | None = None
    """PFC frames received, by priority: the peer asked us to stop."""
    tx_pfc: tuple[int | None, ...] | None = None
    """PFC frames sent, by priority: we asked the peer to stop."""
    rx_pfc_total: int | None = None
    """PFC frames received, of a device that does not tell the priorities apart."""
    tx_pfc_total: int | None = None
    rx_paused: tuple[int | None, ...] | None = None
    """Nanoseconds this port was kept from sending, by priority."""
    rx_priority_packets: tuple[int | None, ...] | None = None
    tx_priority_packets: tuple[int | None, ...] | None = None
    rx_priority_drops: tuple[int | None, ...] | None = None
    """Packets dropped for want of receive buffer, by priority (a NIC)."""
    queue_packets: tuple[int | None, ...] | None = None
    """Packets sent, by egress queue."""
    queue_bytes: tuple[int | None, ...] | None = None
    queue_drops: tuple[int | None, ...] | None = None
    """Packets that found no room in the egress queue."""
    queue_drop_bytes: tuple[int | None, ...] | None = None
    """The same in bytes, of a device that counts bytes."""
    queue_marked: tuple[int | None, ...] | None = None
    """Packets marked with ECN, by egress queue."""
    queue_depth: tuple[int | None, ...] | None = None
    """Bytes that wait in the queue at the moment of the capture."""
    marked_total: int | None = None
    """Packets marked with ECN, of a device that does not tell the queues apart."""
    pg_drops: tuple[int | None, ...] | None = None
    """Packets that found no room at ingress, by priority group."""
    pg_drop_bytes: tuple[int | None, ...] | None = None
    headroom_peak: tuple[int | None, ...] | None = None
    """Bytes of headroom that were in use at most, by priority group."""
    roce_rx_drops: int | None = None
    """Drops of the class that the device itself calls RoCE."""
    roce_tx_drops: int | None = None
    rx_link_pause: int | None = None
    """IEEE 802.3x pause frames: they stop the whole link."""
    tx_link_pause: int | None = None
    fcs_errors: int | None = None
    fec_uncorrectable: int | None = None
    """Code words that forward error correction could not repair."""
    rx_buffer_drops: int | None = None
    """Packets dropped at ingress for want of buffer, of a device that does not tell the classes apart."""
    tx_bytes: int | None = None
    tx_rdma_packets: int | None = None
    """RDMA packets that a NIC sent, whatever their priority."""
    nic_storms: int | None = None
    """Times a NIC stopped pausing by itself, because it had paused for too long."""
    storms: tuple[int | None, ...] | None = None
    """Times the PFC watchdog found the queue stalled, by queue."""
    storms_restored: tuple[int | None, ...] | None = None
    stormed: frozenset[int] | None = None
    """Queues that the PFC watchdog reports as stalled now."""
    place: Where | None = field(default=None, compare=False)
    places: Mapping[str, Where] = field(default_factory=dict, compare=False, hash=False, repr=False)
    """Counter ("fcs_errors", "pg_drops.3") -> line it stands in."""

    def where(self, counter: str) -> Where | None:
        """Return the line of a counter, of its table's row, or where the port is first named."""
        return self.places.get(counter) or self.places.get(counter.partition(".")[0]) or self.place


@dataclass(frozen=True, slots=True)
class RdmaCounters:
    """What one RDMA device counted (mlx5 `hw_counters`)."""

    ecn_marked: int | None = None
    """RoCE packets that arrived marked."""
    cnp_sent: int | None = None
    cnp_handled: int | None = None
    """CNPs that slowed a flow."""
    cnp_ignored: int | None = None
    """CNPs that arrived on a priority without congestion control."""
    out_of_sequence: int | None = None
    """Packets that arrived out of order: loss, or several paths."""
    sequence_errors: int | None = None
    """Negative acknowledgements received: the far end missed a packet of ours."""
    ack_timeouts: int | None = None
    """Acknowledgements that never came."""
    place: Where | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Sample:
    """All counters of one device at one moment."""

    taken: str = ""
    """When, as `capture.json` says (ISO 8601); empty when nobody says."""
    ports: Mapping[str, PortCounters] = field(default_factory=dict)
    rdma: Mapping[str, RdmaCounters] = field(default_factory=dict)
    """By RDMA device."""


BY_NUMBER: Final = frozenset(item.name for item in fields(PortCounters) if "tuple" in str(item.type))
"""Counters that have a place for each priority, queue or priority group."""
_SINGLE: Final = frozenset(item.name for item in fields(PortCounters) if str(item.type) == "int | None")
_RDMA: Final = frozenset(item.name for item in fields(RdmaCounters)) - {"place"}


def number(text: str) -> int | None:
    """Return a counter as a device prints it: `1204`, `1,204`; None for `N/A` and all that is no number."""
    digits = text.strip()
    if "," in digits:
        head, *groups = digits.split(",")
        if not 1 <= len(head) <= 3 or any(len(group) != 3 for group in groups[:LONGEST]):
            return None
        digits = "".join((head, *groups[:LONGEST]))
    return whole_number(digits, _LARGEST)


def moment(taken: str) -> datetime | None:
    """Return the time of a capture; without a zone it counts as UTC. None when it is no ISO 8601 time."""
    try:
        found = datetime.fromisoformat(taken.strip()) if len(taken) < 64 else None
    except ValueError:
        return None
    if found is None:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


class Tally:
    """Gathers counters while a device's texts are read. A later line wins over an earlier one, as on the device."""

    def __init__(self) -> None:
        self._single: dict[str, dict[str, int | None]] = {}
        self._numbered: dict[str, dict[str, list[int | None]]] = {}
        self._stormed: dict[str, set[int]] = {}
        self._first: dict[str, Where] = {}
        self._places: dict[str, dict[str, Where]] = {}
        self._rdma: dict[str, tuple[dict[str, int], Where]] = {}

    def add(self, port: str, counter: str, value: int | None, place: Where, at: int | None = None) -> None:
        """Note a counter of a port; `at` = its priority, queue or group. None and numbers over 7 are left out."""
        if value is None or len(self._first) >= _MOST_PORTS:
            return
        self._first.setdefault(port, place)
        if at is None:
            if counter in _SINGLE:
                self._single.setdefault(port, {})[counter] = value
                self._places.setdefault(port, {})[counter] = place
        elif counter in BY_NUMBER and 0 <= at < NUMBERED:
            self._numbered.setdefault(port, {}).setdefault(counter, [None] * NUMBERED)[at] = value
            places = self._places.setdefault(port, {})
            if places.setdefault(counter, place) != place:
                places[f"{counter}.{at}"] = place

    def row(self, port: str, counter: str, values: Mapping[int, int | None], place: Where) -> None:
        """Note one counter for several priorities, queues or groups that stand in one line."""
        for at, value in values.items():
            self.add(port, counter, value, place, at)

    def storm(self, port: str, queue: int, place: Where, *, now: bool) -> None:
        """Note whether the watchdog reports a queue as stalled; the first line that does is kept."""
        if 0 <= queue < NUMBERED and len(self._first) < _MOST_PORTS:
            self._first.setdefault(port, place)
            stormed = self._stormed.setdefault(port, set())
            if now and queue not in stormed:
                stormed.add(queue)
                self._places.setdefault(port, {})[f"stormed.{queue}"] = place

    def rdma_devices(self) -> list[tuple[str, Where]]:
        """Return the RDMA devices that were counted, with the line that names each first."""
        return [(name, place) for name, (_, place) in self._rdma.items()]

    def rdma(self, device: str, counter: str, value: int | None, place: Where) -> None:
        """Note a counter of an RDMA device."""
        if value is not None and counter in _RDMA and (device in self._rdma or len(self._rdma) < _MOST_PORTS):
            self._rdma.setdefault(device, ({}, place))[0][counter] = value

    def rename(self, old: str, new: str) -> None:
        """Give what was counted for one name to another, where that one has nothing."""
        tables: tuple[dict[str, object], ...] = (
            self._single, self._numbered, self._stormed, self._first, self._places,
        )  # type: ignore[assignment]  # fmt: skip
        for table in tables:
            if old in table and new not in table:
                table[new] = table.pop(old)

    def sample(self) -> Sample | None:
        """Return what was gathered, None when that is nothing."""
        if not self._first and not self._rdma:
            return None
        ports = {name: self._port(name, place) for name, place in self._first.items()}
        return Sample("", ports, {name: RdmaCounters(**found, place=at) for name, (found, at) in self._rdma.items()})

    def _port(self, name: str, place: Where) -> PortCounters:
        numbered = {counter: tuple(values) for counter, values in self._numbered.get(name, {}).items()}
        stormed = self._stormed.get(name)
        return PortCounters(
            **self._single.get(name, {}),  # type: ignore[arg-type]
            **numbered,  # type: ignore[arg-type]
            stormed=frozenset(stormed) if stormed is not None else None,
            place=place,
            places=self._places.get(name, {}),
        )


def joined(first: Sample | None, second: Sample | None) -> Sample | None:
    """Return the counters of two texts of one capture: where both speak, the second wins."""
    if first is None or second is None:
        return first or second
    ports = dict(first.ports)
    for name, port in second.ports.items():
        ports[name] = _joined(ports[name], port) if name in ports else port
    return Sample(first.taken or second.taken, ports, {**first.rdma, **second.rdma})


def _joined(first: PortCounters, second: PortCounters) -> PortCounters:
    values = {item.name: getattr(second, item.name) for item in fields(PortCounters)}
    for name, value in values.items():
        mine = getattr(first, name)
        if name == "places":
            values[name] = {**first.places, **second.places}
        elif value is None or name == "place":
            values[name] = mine
        elif name in BY_NUMBER and mine is not None:
            values[name] = tuple(new if new is not None else old for old, new in zip(mine, value, strict=True))
        elif name == "stormed" and mine is not None:
            values[name] = mine | value
    return PortCounters(**values)
