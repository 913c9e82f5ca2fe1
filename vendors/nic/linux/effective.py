"""What holds on every NIC port: PCP n is priority n, and a pause stops the TC that a priority is mapped to."""

from __future__ import annotations

from dataclasses import replace

from rocecfg.state.model import Device, Pfc, PortQos, code_map, intern_ports


def defaults(device: Device) -> Device:
    """Fill in what follows from the stated settings on any driver."""
    ports = []
    for port in device.ports.values():
        marks = set(port.qos.defaulted)
        qos = maps_of_priorities(priorities(port.qos, marks), marks)
        ports.append(replace(port, qos=replace(qos, defaulted=frozenset(marks))))
    return replace(device, ports=intern_ports(ports))


def priorities(qos: PortQos, marks: set[str]) -> PortQos:
    """Fill in what PCP means, and what selects the priority that PFC acts on."""
    if qos.trust == "pcp" and qos.pcp_to_tc is None:
        # The neutral traffic class of a NIC IS the 802.1p priority.
        qos = replace(qos, pcp_to_tc=code_map({pcp: pcp for pcp in range(8)}, 8))
        marks.add("pcp_to_tc")
    if qos.pfc is not None and qos.pfc.by is None and qos.trust in {"dscp", "pcp"}:
        qos = replace(qos, pfc=replace(qos.pfc, by="internal" if qos.trust == "dscp" else "pcp"))
        marks.add("pfc.by")
    return qos


def maps_of_priorities(qos: PortQos, marks: set[str]) -> PortQos:
    """Fill the maps of priorities: a pause stops the TC, and frames fill the buffer, that the priority is mapped to."""
    if qos.priority_to_queue is None and qos.tc_to_queue is not None:
        marks.add("priority_to_queue")
        qos = replace(qos, priority_to_queue=_sets(qos.tc_to_queue))
    if qos.priority_to_pg is None and qos.tc_to_pg is not None:
        marks.add("priority_to_pg")
        qos = replace(qos, priority_to_pg=_sets(qos.tc_to_pg))
    return qos


def _sets(numbers: tuple[int | None, ...]) -> tuple[frozenset[int] | None, ...]:
    return tuple(None if number is None else frozenset({number}) for number in numbers[:8])


def paused(pfc: Pfc | None) -> frozenset[int] | None:
    """Return the priorities that are paused; None when the text leaves it open."""
    if pfc is None or pfc.tx is None:
        return None
    return frozenset() if pfc.admin == "off" else pfc.tx
