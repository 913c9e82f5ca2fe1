"""What the CloudEngine template prints: sections in the order of a configuration, no arithmetic left to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import Curve, Dynamic, Static
from rocecfg.vendor.api import View

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocecfg.state.model import Amount, Device, Limit, Port, PortQos, PriorityGroup, Queue

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_EFFECTIVE = load_module(_HERE.with_name("effective.py"))
_DEADLOCK = load_module(_HERE.with_name("deadlock.py"))
_PHB = {queue: phb for phb, queue in _CONFIG.PHBS.items()}
_UNITS = {"byte": "bytes", "kbyte": "kbytes", "mbyte": "mbytes"}
_GUARANTEED = 1600
_DEFAULT_WEIGHT = 1


@dataclass(frozen=True, slots=True)
class Section:
    """A header and the lines below it."""

    header: str
    lines: tuple[str, ...] = ()


@dataclass(slots=True)
class _Named:
    """Profiles by content: the first keeps the plain name, others are numbered."""

    base: str
    names: dict[tuple[str, ...], str] = field(default_factory=dict)

    def __call__(self, content: tuple[str, ...]) -> str:
        number = len(self.names) + 1
        return self.names.setdefault(content, self.base if number == 1 else f"{self.base}-{number}")


def from_state(device: Device) -> Mapping[str, View]:
    """Return the view of `switch.cfg.j2` for a fitted device."""
    maker = _Maker(device)
    ports = [Section(f"interface {port.name}", maker.port(port)) for port in device.ports.values()]
    sections = [
        *maker.pfc_profiles(),
        *maker.switches(),
        *(Section(f"diffserv domain {name}", lines) for lines, name in maker.domains.names.items()),
        *(Section(f"drop-profile {name}", lines) for lines, name in maker.drops.names.items()),
        *ports,
    ]
    return {"switch.cfg.j2": View({"sections": sections})}


class _Maker:
    """Collects the profiles and domains that the ports need, each once."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.domains = _Named("roce")
        self.drops = _Named("roce")
        self.family_b = device.buffer_model == "box"
        self.sets = {port.qos.pfc.tx: port for port in device.ports.values() if _sends(port.qos)}  # type: ignore[union-attr]
        with_three = [one for one in self.sets if one is not None and 3 in one]
        self.default_set = with_three[0] if with_three else None
        self._known: dict[int, tuple[str, ...]] = {}

    def pfc_profiles(self) -> Iterable[Section]:
        """Yield the PFC profiles: `default` for a set with priority 3, another one for a set without."""
        for priorities, port in self.sets.items():
            numbers = sorted(priorities or ())
            lines = [f"priority {' '.join(map(str, numbers))}"]
            lines += self._deadlock_times(numbers, port)
            yield Section("dcb pfc" if priorities == self.default_set else f"dcb pfc {_OTHER_PROFILE}", tuple(lines))

    def _deadlock_times(self, numbers: list[int], port: Port) -> list[str]:
        watchdog = port.qos.watchdog
        if self.family_b or watchdog is None or watchdog.detect is None or watchdog.restore is None:
            return []
        _, detect, restore = _DEADLOCK.units(watchdog.detect, watchdog.restore)
        lines = []
        for number in numbers:
            lines.append(f"priority {number} deadlock-detect time {detect}")
            lines.append(f"priority {number} deadlock-recovery time {restore}")
        return lines

    def switches(self) -> Iterable[Section]:
        """Yield the device-wide lines."""
        device = self.device
        first = next(iter(self.sets.values()), None)
        watchdog = first.qos.watchdog if first is not None else None
        slots = sorted({_CONFIG.slot_of(port.name) for port in device.ports.values() if _sends(port.qos)})
        if device.pfc_enabled is False:
            yield Section("dcb pfc global disable")
        if watchdog is not None and self.family_b:
            yield Section(f"dcb pfc deadlock-detect timer {watchdog.detect}")
            yield Section(f"dcb pfc deadlock-recovery timer {watchdog.restore}")
        elif watchdog is not None and watchdog.detect is not None and watchdog.restore is not None:
            interval, _, _ = _DEADLOCK.units(watchdog.detect, watchdog.restore)
            yield Section(f"dcb pfc deadlock-detect interval {interval}")
        if watchdog is not None and watchdog.action in {"drop", "forward"}:
            word = "discard" if watchdog.action == "drop" else "forwarding"
            for slot in slots:
                yield Section(f"dcb pfc deadlock recovery-behavior {word} slot {slot}")
        if not self.family_b:
            for slot in self._mapped_slots():
                yield Section(f"dcb pfc dscp-mapping enable slot {slot}")
        for pool in device.pools or ():
            if pool.headroom is not None:
                slot = pool.name.rpartition(" ")[2]
                yield Section(f"qos buffer headroom-pool size {_size(pool.headroom)} slot {slot}")
        if device.ecn_enabled:
            yield Section("qos ecn enable")
        if any(
            port.qos.dcbx is not None and port.qos.dcbx.state not in {None, "off"} for port in device.ports.values()
        ):
            yield Section("lldp enable")

    def _mapped_slots(self) -> list[str]:
        slots = {
            _CONFIG.slot_of(port.name)
            for port in self.device.ports.values()
            if _sends(port.qos) and port.qos.pfc is not None and port.qos.pfc.by == "internal"
        }
        return sorted(slots)

    def port(self, port: Port) -> tuple[str, ...]:
        """Return the lines of an interface."""
        lines = self._known.get(id(port.qos))
        if lines is None:
            lines = self._known[id(port.qos)] = tuple(self._lines(port.qos))
        return (f"jumboframe enable {port.mtu}", *lines) if port.mtu is not None else lines

    def _lines(self, qos: PortQos) -> Iterable[str]:
        yield from self._classification(qos)
        if qos.dcbx is not None and qos.dcbx.state not in {None, "off"}:
            yield "lldp tlv-enable dcbx"
            if qos.dcbx.state == "cee":
                yield "dcb compliance intel-oui"
        if _sends(qos) and qos.pfc is not None:
            profile = "" if qos.pfc.tx == self.default_set else f" {_OTHER_PROFILE}"
            yield f"dcb pfc enable{profile} mode {'auto' if qos.pfc.admin == 'auto' else 'manual'}"
            for number in sorted(qos.pfc.tx or ()):
                group = qos.priority_group(number)
                if group is not None:
                    yield from _group_lines(number, group)
        yield from self._queue_lines(qos)

    def _classification(self, qos: PortQos) -> Iterable[str]:
        default = qos.default_tc or 0
        if qos.trust == "none":
            yield "trust upstream none"
        elif qos.trust is not None:
            yield "trust dscp" if qos.trust == "dscp" else "trust 8021p outer"
            lines = tuple(_domain_lines(qos))
            if lines:
                yield f"trust upstream {self.domains(lines)}"
        if qos.trust == "pcp" and qos.pcp_to_tc is not None:
            default = next((code for code, queue in enumerate(qos.pcp_to_tc.to) if queue == default), default)
        if default:
            yield f"port priority {default}"

    def _queue_lines(self, qos: PortQos) -> Iterable[str]:
        queues = {number: queue for number, queue in enumerate(qos.queues or ()) if queue is not None}
        modes = {number: _mode(queue) for number, queue in queues.items()}
        for mode in ("pq", "drr", "lpq"):
            numbers = [number for number, one in modes.items() if one == mode]
            if numbers:
                yield f"qos {mode} {_ranges(numbers)}"
        for number, queue in queues.items():
            if modes[number] == "drr" and queue.weight != _DEFAULT_WEIGHT:
                yield f"qos queue {number} drr weight {queue.weight}"
        for number, queue in queues.items():
            marks = queue.ecn is not None and bool(queue.ecn.curves)
            if marks or queue.wred:
                yield f"qos queue {number} wred {self.drops(tuple(_drop_lines(queue)))}"
            if marks:
                yield f"qos queue {number} ecn"
            if queue.limit is not None:
                yield f"qos buffer queue {number} shared-threshold {_limit(queue.limit)}"


_OTHER_PROFILE = "roce"


def _sends(qos: PortQos) -> bool:
    return qos.pfc is not None and qos.pfc.admin in {"on", "auto"} and bool(qos.pfc.tx)


def _mode(queue: Queue) -> str:
    if queue.scheduler == "weighted":
        return "lpq" if queue.weight == 0 else "drr"
    return "pq" if queue.scheduler == "strict" else ""


def _domain_lines(qos: PortQos) -> Iterable[str]:
    """Yield the codes that a line has to state: those of the plan, and those the system maps otherwise."""
    for table, word, default in (
        (qos.dscp_to_tc, "ip-dscp-inbound", _EFFECTIVE.DEFAULT_DSCP),
        (qos.pcp_to_tc, "8021p-inbound", _EFFECTIVE.DEFAULT_PCP),
    ):
        for code, queue in enumerate(table.to if table is not None else ()):
            stated = table is not None and table.stated >> code & 1
            plain = word == "8021p-inbound" or _EFFECTIVE.DEFAULT_COLOUR[code] == "green"
            if queue is not None and (stated or queue != default[code] or not plain):
                yield f"{word} {code} phb {_PHB[queue]} green"


def _group_lines(number: int, group: PriorityGroup) -> Iterable[str]:
    limit = group.xoff_at
    if group.xon_at is not None and isinstance(limit, Static):
        yield f"dcb pfc buffer {number} xon static {_size(group.xon_at)} xoff static {_size(limit.amount)}"
    elif limit is not None:
        offset = f" xon offset {_size(group.xon_below)}" if group.xon_below is not None else ""
        yield f"dcb pfc buffer {number} xoff {_limit(limit)}{offset}"
    if group.reserved is not None and group.reserved.value != _GUARANTEED:
        yield f"dcb pfc buffer {number} guaranteed {_size(group.reserved)}"
    if group.headroom is not None and group.headroom.amount is not None:
        yield f"dcb pfc buffer {number} hdrm {_size(group.headroom.amount)}"


def _limit(limit: Limit) -> str:
    return f"dynamic {limit.index}" if isinstance(limit, Dynamic) else f"static {_size(limit.amount)}"


def _size(amount: Amount) -> str:
    return f"{amount.value} {_UNITS.get(amount.unit, 'bytes')}"


def _drop_lines(queue: Queue) -> Iterable[str]:
    if queue.ecn is not None and queue.ecn.curves:
        yield f"ecn {_curve(queue.ecn.curves[0])}"
    for curve in queue.wred or ():
        for colour in sorted(curve.colours):
            yield f"color {colour} {_curve(curve)}"


def _curve(curve: Curve) -> str:
    low, high = curve.low, curve.high
    assert low is not None
    assert high is not None
    word = "" if low.unit == "percent" else "buffer-size "
    return f"{word}low-limit {low.value} high-limit {high.value} discard-percentage {curve.probability}"


def _ranges(numbers: list[int]) -> str:
    """Return numbers as VRP lists them: `0 to 2 4 to 6`."""
    parts: list[str] = []
    for number in numbers:
        if parts and number - 1 == int(parts[-1].rpartition(" ")[2]):
            parts[-1] = f"{parts[-1].partition(' ')[0]} to {number}"
        else:
            parts.append(str(number))
    return " ".join(parts)
