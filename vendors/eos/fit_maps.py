"""Fits the classification: EOS has one DSCP map, one CoS map and one queue map for all ports."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import CodeMap, PortQos

if TYPE_CHECKING:
    from rocecfg.state.model import Device, Port, Trust
    from rocecfg.vendor.changes import Log

_EFFECTIVE = load_module(Path(__file__).with_name("effective.py"))


@dataclass(frozen=True, slots=True)
class Maps:
    """The device's maps; None = the system's default stays."""

    dscp: CodeMap | None
    pcp: CodeMap | None
    queue_of: tuple[int | None, ...]


def trust_of(qos: PortQos, log: Log) -> Trust:
    """Return what a port trusts: EOS trusts DSCP, CoS or nothing."""
    trust = qos.trust or ("dscp" if qos.dscp_to_tc else "pcp" if qos.pcp_to_tc else "none")
    if trust == "both":
        log("equalised", "trust", "both", "dscp", "qos trust names one mark; routed RoCEv2 carries the DSCP")
        return "dscp"
    return trust


def maps_of(device: Device, log: Log) -> Maps:
    """Return the maps that all ports share, and note where ports differ or a class gets another number."""
    ports = list(device.ports.values())
    if not ports:
        return Maps(None, None, _EFFECTIVE.IDENTITY)
    classes = _classes(ports, log)
    rest = _best_effort(ports, classes, log)
    trusts = {
        port.qos.trust or ("dscp" if port.qos.dscp_to_tc else "pcp" if port.qos.pcp_to_tc else "none") for port in ports
    }
    dscp = _joined(ports, "dscp_to_tc", 64, classes, rest, log) if trusts & {"dscp", "both", "none"} else None
    pcp = _joined(ports, "pcp_to_tc", 8, classes, rest, log) if trusts & {"pcp", "none"} else None
    if pcp is None and any(port.qos.pcp_to_tc is not None and "pcp_to_tc" not in port.qos.defaulted for port in ports):
        log("dropped", "pcp_to_tc", "a map", "the default", "no port trusts CoS, as the planned trust says")
    if dscp is None and any(
        port.qos.dscp_to_tc is not None and "dscp_to_tc" not in port.qos.defaulted for port in ports
    ):
        log("dropped", "dscp_to_tc", "a map", "the default", "no port trusts DSCP, as the planned trust says")
    return Maps(dscp, pcp, _queues(ports, classes, log))


def default_of(qos: PortQos, trust: Trust, maps: Maps, log: Log) -> int | None:
    """Return the class of packets without a mark: that of DSCP 0 or CoS 0, the default marks of a port."""
    of_dscp = maps.dscp.to[0] if maps.dscp is not None else _EFFECTIVE.DSCP_OF_ZERO
    of_pcp = maps.pcp.to[0] if maps.pcp is not None else _EFFECTIVE.COS_OF_ZERO
    got = of_pcp if trust == "pcp" else of_dscp
    if qos.default_tc not in (None, got):
        because = f"a packet without a mark is classified as {'CoS' if trust == 'pcp' else 'DSCP'} 0"
        log("equalised", "default_tc", qos.default_tc, got, because)
    return got


def _used(qos: PortQos) -> set[int]:
    used = {tc for table in (qos.dscp_to_tc, qos.pcp_to_tc) if table for tc in table.to if tc is not None}
    stated = qos.tc_to_queue or ()
    if "tc_to_queue" not in qos.defaulted:
        used |= {tc for tc, queue in enumerate(stated) if queue is not None}
    return used | {qos.default_tc or 0}


def _lossless_of(qos: PortQos) -> dict[int, int]:
    """Return the planned traffic class -> PFC priority of the lossless classes."""
    found: dict[int, int] = {}
    wanted = (qos.pfc.tx or frozenset()) | (qos.pfc.rx or frozenset()) if qos.pfc is not None else frozenset()
    for priority in sorted(wanted):
        groups = qos.priority_to_pg[priority] if qos.priority_to_pg is not None else None
        of_group = [tc for tc, group in enumerate(qos.tc_to_pg or ()) if groups and group in groups]
        for tc in of_group or [priority]:
            found.setdefault(tc, priority)
    return found


def _classes(ports: list[Port], log: Log) -> dict[int, int]:
    """Return the EOS traffic class of each planned one: a lossless class gets the number of its priority."""
    done: set[int] = set()
    lossless: dict[int, int] = {}
    used: set[int] = set()
    for port in ports:
        if id(port.qos) not in done:
            done.add(id(port.qos))
            used |= _used(port.qos)
            lossless |= _lossless_of(port.qos)
    if 7 in lossless.values():
        because = "traffic class 7 is bound to queue 7 and to the switch's own control traffic: PFC would pause that"
        log("refused", "pfc.tx", "priority 7 lossless", "none", because)
    classes = {tc: priority for tc, priority in lossless.items() if tc in used}
    taken = set(classes.values())
    for tc in sorted(used - classes.keys()):
        own = tc if tc < 8 and tc not in taken else next((free for free in range(7) if free not in taken), 0)
        classes[tc] = own
        taken.add(own)
    for tc, own in sorted(classes.items()):
        if tc != own:
            because = "on EOS the traffic class, the 802.1p priority of its PFC and its priority group are one number"
            log("equalised", "tc_to_pg", f"traffic class {tc}", f"traffic class {own}", because)
    return classes


def _best_effort(ports: list[Port], classes: dict[int, int], log: Log) -> int:
    """Return the class that every code goes to which nobody planned: never a lossless one."""
    lossless = {classes[tc] for port in ports for tc in _lossless_of(port.qos) if tc in classes}
    rest = classes.get(ports[0].qos.default_tc or 0, 0)
    if rest not in lossless:
        return rest
    lossy = [own for own in sorted(set(classes.values())) if own not in lossless]
    if not lossy:
        because = "every planned class is lossless: codes nobody planned would be paused with them"
        log("refused", "default_tc", rest, rest, because)
    return lossy[0] if lossy else rest


def _joined(ports: list[Port], leaf: str, size: int, classes: dict[int, int], rest: int, log: Log) -> CodeMap:
    """Return the one map of the device: planned codes to their classes, all others to best effort."""
    to: dict[int, int] = {}
    for port in ports:
        planned: CodeMap | None = getattr(port.qos, leaf)
        if planned is None or leaf in port.qos.defaulted:
            continue
        for code, tc in enumerate(planned.to):
            if tc is None:
                continue
            own = classes[tc]
            if to.setdefault(code, own) != own:
                because = "the map is one for all ports"
                log("refused", leaf, f"{code} to class {own}", f"class {to[code]}", because, at=port.name)
    full = tuple(to.get(code, rest) for code in range(size))
    return CodeMap(full, (1 << size) - 1)


def _queues(ports: list[Port], classes: dict[int, int], log: Log) -> tuple[int | None, ...]:
    """Return the one queue map of the device; class 7 leaves by queue 7 whatever is planned."""
    queue_of = dict(enumerate(_EFFECTIVE.IDENTITY[:8]))
    stated: dict[int, int] = {}
    for port in ports:
        for tc, queue in enumerate(port.qos.tc_to_queue or ()):
            if queue is None or tc not in classes:
                continue
            own = classes[tc]
            if queue > 7:
                log(
                    "refused",
                    "tc_to_queue",
                    f"class {tc} in queue {queue}",
                    "none",
                    "EOS has queues 0 to 7",
                    at=port.name,
                )
            elif own == 7 and queue != 7:
                because = "traffic class 7 and queue 7 are bound to each other for control traffic"
                log("refused", "tc_to_queue", f"class 7 in queue {queue}", "queue 7", because, at=port.name)
            elif stated.setdefault(own, queue) != queue:
                because = "the map from class to queue is one for all ports"
                log(
                    "refused",
                    "tc_to_queue",
                    f"class {own} in queue {queue}",
                    f"queue {stated[own]}",
                    because,
                    at=port.name,
                )
    return tuple({**queue_of, **stated}.get(tc) for tc in range(16))
