"""Prepares what `switch.cfg.j2` prints for a fitted switch."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import UNLIMITED
from rocecfg.vendor.api import View

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocecfg.state.model import Device, Port, PortQos, Queue

_CONFIG = load_module(Path(__file__).with_name("config.py"))
_EFFECTIVE = load_module(Path(__file__).with_name("effective.py"))
_CLASSES = load_module(Path(__file__).with_name("fit_classes.py"))
NAME = "ROCE"


@dataclass(frozen=True, slots=True)
class Block:
    """A profile or an interface: its name and its lines."""

    name: str
    lines: tuple[str, ...]


def from_state(device: Device) -> Mapping[str, View]:
    """Return the view of `switch.cfg.j2`."""
    ports = list(device.ports.values())
    schedules = _named([_schedule(port.qos) for port in ports])
    thresholds = _named([lines for port in ports if (lines := _thresholds(port.qos))])
    marked = [_thresholds(port.qos) for port in ports]
    everywhere = len(set(marked)) == 1 and bool(marked[0])
    common = next(iter(schedules), ())
    maps = tuple(_map_lines(ports[0].qos)) if ports else ()
    return {
        "switch.cfg.j2": View(
            {
                "name": device.name,
                "dcbx": _dcbx(ports),
                "globals": (*_dscp_lines(ports), *_cos_lines(ports)),
                "queue_profile": Block(NAME, maps),
                "schedules": [Block(name, lines) for lines, name in schedules.items()],
                "thresholds": [Block(name, lines) for lines, name in thresholds.items()],
                "pools": list(_pool_lines(device)),
                "schedule": schedules.get(common, ""),
                "everywhere": thresholds[marked[0]] if everywhere else "",
                "ports": [
                    Block(
                        port.name,
                        tuple(
                            _port_lines(
                                port, schedules, thresholds, common, whole=everywhere, speaks=bool(_dcbx(ports))
                            )
                        ),
                    )
                    for port in ports
                ],
            }
        )
    }


def _named(found: list[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """Return a name for each distinct profile, the most frequent one first."""
    order = [lines for lines, _ in Counter(found).most_common()]
    return {lines: NAME if not at else f"{NAME}-{at + 1}" for at, lines in enumerate(order)}


def _dcbx(ports: list[Port]) -> str:
    """Return the line that turns DCBX on for the switch, empty when no port speaks it."""
    states = [port.qos.dcbx.state for port in ports if port.qos.dcbx is not None and port.qos.dcbx.state != "off"]
    if not states:
        return ""
    return "lldp dcbx" if "ieee" in states else "lldp dcbx version cee"


def _dscp_lines(ports: list[Port]) -> Iterator[str]:
    """Yield the whole DSCP map, one code a line as the switch prints it: no code is left to the system's default."""
    table = next((port.qos.dscp_to_tc for port in ports if port.qos.trust == "dscp" and port.qos.dscp_to_tc), None)
    for code, to in enumerate(table.to if table is not None else ()):
        yield f"qos dscp-map {code} local-priority {to}"


def _cos_lines(ports: list[Port]) -> Iterator[str]:
    """Yield the CoS map where a port trusts it, or a paused priority has to own its code."""
    table = next((port.qos.pcp_to_tc for port in ports if port.qos.trust == "pcp" and port.qos.pcp_to_tc), None)
    paused = {priority for port in ports for priority in _CLASSES.paused(port.qos)}
    to = table.to if table is not None else tuple(range(8)) if paused & {0, 1} else _EFFECTIVE.COS_MAP
    for code, (own, system) in enumerate(zip(to, _EFFECTIVE.COS_MAP, strict=True)):
        if own != system:
            yield f"qos cos-map {code} local-priority {own}"


def _map_lines(qos: PortQos) -> Iterator[str]:
    queues: dict[int, list[int]] = {}
    for priority, queue in enumerate((qos.tc_to_queue or ())[:8]):
        if queue is not None:
            queues.setdefault(queue, []).append(priority)
    for queue, priorities in sorted(queues.items()):
        yield f"map queue {queue} local-priority {_CONFIG.listed(priorities)}"


def _schedule(qos: PortQos) -> tuple[str, ...]:
    return tuple(_queue_line(number, queue) for number, queue in enumerate(qos.queues or ()) if queue is not None)


def _queue_line(number: int, queue: Queue) -> str:
    line = f"strict queue {number}" if queue.scheduler == "strict" else f"dwrr queue {number} weight {queue.weight}"
    return line if queue.shaper in (None, UNLIMITED) else f"{line} max-bandwidth {(queue.shaper or 0) // 1000} kbps"


def _thresholds(qos: PortQos) -> tuple[str, ...]:
    lines = []
    for number, queue in enumerate(qos.queues or ()):
        for curve in queue.ecn.curves if queue is not None and queue.ecn is not None else ():
            if curve.low is None or curve.high is None:
                continue
            low, high = curve.low.value, curve.high.value
            ramp = (
                f"threshold {low} kbytes" if low == high else f"min-threshold {low} kbytes max-threshold {high} kbytes"
            )
            lines.append(f"queue {number} action ecn all {ramp}")
    return tuple(lines)


def _pool_lines(device: Device) -> Iterator[str]:
    for pool in device.pools or ():
        priorities = {
            number
            for port in device.ports.values()
            for number, group in enumerate(port.qos.priority_groups or ())
            if group is not None and group.pool == pool.name
        }
        size, room = pool.total, pool.headroom
        if size is not None and room is not None:
            yield (
                f"qos pool {pool.name} lossless size {size.value} percent headroom {room.value} kbytes "
                f"priorities {_CONFIG.listed(priorities)}"
            )


def _port_lines(
    port: Port,
    schedules: dict[tuple[str, ...], str],
    thresholds: dict[tuple[str, ...], str],
    common: tuple[str, ...],
    *,
    whole: bool,
    speaks: bool,
) -> Iterator[str]:
    qos = port.qos
    if port.mtu is not None and port.mtu != _EFFECTIVE.DEFAULT_MTU:
        yield f"mtu {port.mtu}"
    pfc = qos.pfc
    tx, rx = (pfc.tx or frozenset(), pfc.rx or frozenset()) if pfc is not None else (frozenset(), frozenset())
    for priority in sorted(tx | rx):
        way = "rxtx" if priority in tx & rx else "tx" if priority in tx else "rx"
        yield f"flow-control priority {way} {priority}"
    if qos.cable is not None:
        yield f"flow-control buffer cable-length {qos.cable}"
    if qos.trust is not None and qos.trust != "none":
        yield f"qos trust {'cos' if qos.trust == 'pcp' else qos.trust}"
    own, marking = _schedule(qos), _thresholds(qos)
    if own != common:
        yield f"apply qos schedule-profile {schedules[own]}"
    if marking and not whole:
        yield f"apply qos threshold-profile {thresholds[marking]}"
    state = qos.dcbx.state if qos.dcbx is not None else None
    if speaks:
        yield f"lldp dcbx version {state}" if state in ("ieee", "cee") else "lldp dcbx disable"
