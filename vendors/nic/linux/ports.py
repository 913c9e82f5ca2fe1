"""Builds a port from what the texts of a host say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocecfg.state.model import (
    Amount,
    CodeMap,
    CongestionControl,
    Dcbx,
    LinkPause,
    Nic,
    Pfc,
    Port,
    PortQos,
    PriorityGroup,
    Queue,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vendors.nic.linux.facts import Facts


def port(name: str, facts: Facts, family: str) -> Port:
    """Return the port that the facts of a netdev make."""
    nic = _nic(facts, family)
    return Port(
        name,
        qos=_qos(facts),
        speed=facts.speed,
        speed_now=facts.speed_now,
        mtu=facts.mtu,
        mtu_counts=None if facts.mtu is None else facts.mtu_counts,  # type: ignore[arg-type]
        lag=facts.lag,
        enabled=facts.enabled,
        vf_of=facts.vf_of,
        fec=facts.fec,
        nic=nic,
        place=facts.first,
        places=facts.places,
    )


def _nic(facts: Facts, family: str) -> Nic | None:
    control = None
    algorithm = facts.nic.pop("algorithm", facts.algorithm)
    if facts.receives or facts.reacts or facts.parameters or algorithm:
        control = CongestionControl(
            "dcqcn" if facts.receives or facts.reacts else algorithm,
            frozenset(n for n, on in facts.receives.items() if on) if facts.receives else None,
            frozenset(n for n, on in facts.reacts.items() if on) if facts.reacts else None,
            tuple(sorted(facts.parameters.items())),
        )
    if control is None and not facts.nic and facts.manual_buffers is None:
        return None
    return Nic(**facts.nic, family=family, congestion_control=control, manual_buffers=facts.manual_buffers)


def _qos(facts: Facts) -> PortQos:
    owners = None if facts.owners is None else frozenset(facts.owners)
    tc_to_queue = _eight(facts.priority_to_tc)
    dcbx = Dcbx(facts.dcbx_state, willing=facts.willing, owners=owners)  # type: ignore[arg-type]
    return PortQos(
        trust=facts.trust,  # type: ignore[arg-type]
        dscp_to_tc=_code_map(facts),
        tc_to_queue=tc_to_queue,
        tc_to_pg=_eight(facts.priority_to_buffer or (facts.priority_to_tc if facts.lossless_tcs else {})),
        pfc=_pfc(facts),
        link_pause=LinkPause(facts.pause.get("rx"), facts.pause.get("tx")) if facts.pause else None,
        app_to_tc=_apps(facts),
        dcbx=dcbx if dcbx != Dcbx() else None,
        cable=facts.cable,
        queues=_queues(facts, tc_to_queue),
        priority_groups=_buffers(facts),
    )


def _pfc(facts: Facts) -> Pfc | None:
    if facts.pfc is None:
        return None if facts.pfc_admin is None else Pfc(facts.pfc_admin)  # type: ignore[arg-type]
    return Pfc("on" if facts.pfc else "off", facts.pfc, facts.pfc)


def _apps(facts: Facts) -> tuple[tuple[str, int, int], ...] | None:
    if not facts.apps and not facts.no_apps:
        return None
    return tuple(sorted((selector, number, to) for (selector, number), to in facts.apps.items()))


def _eight(numbers: Mapping[int, int]) -> tuple[int | None, ...] | None:
    return (*(numbers.get(place) for place in range(8)), *(None,) * 8) if numbers else None


def _code_map(facts: Facts) -> CodeMap | None:
    if facts.trust == "pcp" or not (facts.codes or facts.other_codes is not None):
        return None
    rest, codes, stated = facts.other_codes, facts.codes, 0
    for code in codes:
        stated |= 1 << code
    to = (
        tuple(map(codes.get, range(64)))
        if len(codes) == 64
        else tuple(codes.get(code, code >> 3 if rest == "default" else rest) for code in range(64))
    )
    return CodeMap(to, stated, tuple(sorted(facts.conflicts.items())))  # type: ignore[arg-type]


def _queues(facts: Facts, tc_to_queue: tuple[int | None, ...] | None) -> tuple[Queue | None, ...] | None:
    """Return the TCs that carry a priority: the scheduler of an empty TC says nothing."""
    if not facts.scheduler and not facts.rate:
        return None
    used = {*facts.scheduler, *facts.rate}
    if tc_to_queue is not None:
        used &= {number for number in tc_to_queue if number is not None}
    strict = sorted((number for number in used if facts.scheduler.get(number) == "strict"), reverse=True)
    queues: list[Queue | None] = []
    for number in range(8):
        word = facts.scheduler.get(number)
        shaper = facts.rate.get(number)
        if number not in used:
            queues.append(None)
        elif word == "strict":
            queues.append(Queue("strict", strict.index(number) + 1, shaper=shaper))
        elif word == "ets":
            share = facts.share.get(number)
            kind: Any = None if share is None else "percent-of-rest"
            queues.append(Queue("weighted", weight=share, weight_kind=kind, shaper=shaper))
        else:
            queues.append(Queue(shaper=shaper))  # "vendor": the arbiter's own order, which nobody publishes
    return tuple(queues)


def _buffers(facts: Facts) -> tuple[PriorityGroup | None, ...] | None:
    if facts.lossless_tcs:
        return tuple(
            PriorityGroup(lossless=facts.lossless_tcs[tc]) if tc in facts.lossless_tcs else None for tc in range(8)
        )
    if not facts.buffer_bytes:
        return None
    sizes = (facts.buffer_bytes.get(number) for number in range(8))
    return tuple(PriorityGroup(reserved=Amount.of_bytes(size)) if size else None for size in sizes)
