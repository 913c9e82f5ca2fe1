"""Questions about traffic classes, code points and ECN ramps that several rules ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from rocecfg.lint.api import Hit, Unknown
from rocecfg.lint.lossless import queues_of_priority, reachable_tcs, tcs_of_priority, wanted_lossless
from rocecfg.lint.ranges import ranges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rocecfg.lint.api import Expected, ExpectedClass, Given
    from rocecfg.state.model import Curve, PortQos


_Facts = TypeVar("_Facts")


class Ramp(NamedTuple):
    """A marking curve that is in force on a queue, and the path of the leaf that decides it."""

    queue: int
    curve: Curve
    leaf: str
    priority: int | None = None


class PfcSets(NamedTuple):
    """Priorities a port pauses its peer for, and those whose pauses it honours; None = the text leaves it open."""

    sends: frozenset[int] | None
    honours: frozenset[int] | None


def pfc_sets(qos: PortQos) -> PfcSets:
    """Return the PFC sets of a port; in mode auto those it will use once the peer agrees (or agreed to, if shown)."""
    pfc = qos.pfc
    if pfc is None:
        return PfcSets(None, None)
    if pfc.admin == "auto" and pfc.oper is None and pfc.gate is not False:
        return PfcSets(pfc.tx, pfc.rx)
    return PfcSets(pfc.sends(), pfc.honours())


def turned_on_by_hand(qos: PortQos) -> bool:
    """Return whether a line of the text forces PFC on, whatever priorities that is for."""
    pfc = qos.pfc
    return pfc is not None and pfc.admin == "on" and pfc.gate is not False and "pfc.admin" not in qos.defaulted


def group_map_is_odd(qos: PortQos, priority: int) -> bool:
    """Return whether the map to groups, not the one to queues, is what puts a priority at odds with its traffic.

    Both maps name the traffic a priority stands for. Where they disagree, the one that keeps the number is believed.
    """
    stopped = qos.priority_to_queue[priority] if qos.priority_to_queue is not None else None
    groups = qos.priority_to_pg[priority] if qos.priority_to_pg is not None else None
    own = frozenset({priority})
    return stopped == own and groups is not None and groups != own


def codes_text(codes: Iterable[int]) -> str:
    """Return code points as people write them: `24, 25, 27-31`."""
    return ", ".join(ranges([str(code) for code in sorted(codes)])) or "none"


def class_of_kind(expect: Expected | None, kind: str) -> ExpectedClass | None:
    """Return the intent's class of a kind ("cnp", "control", "default"), None when it has none."""
    return next((item for item in expect.classes if item.kind == kind), None) if expect is not None else None


def tcs_of_unmarked(qos: PortQos) -> frozenset[int]:
    """Return the classes that an unmarked packet (DSCP 0, untagged) can land in; empty when the text leaves it open."""
    found: set[int] = set()
    if qos.trust in {"dscp", "both"} and qos.dscp_to_tc is not None and qos.dscp_to_tc.to[0] is not None:
        found.add(qos.dscp_to_tc.to[0])
    elif qos.trust in {"pcp", "none"} and qos.default_tc is not None:
        found.add(qos.default_tc)
    return frozenset(found)


def lossless_tcs(qos: PortQos) -> frozenset[int] | None:
    """Return the traffic classes that PFC protects on the port, None when PFC or the maps do not tell."""
    lossless = qos.lossless_priorities()
    if lossless is None:
        return None
    found: set[int] = set()
    for priority in lossless:
        tcs = tcs_of_priority(qos, priority)
        if tcs is None:
            return None
        found |= tcs
    return frozenset(found)


def lossless_queues(qos: PortQos, given: Given) -> dict[int, int]:
    """Return queue -> priority for the queues that lossless traffic leaves by, as far as the maps tell."""
    paused = qos.lossless_priorities()
    if given.expect is not None and given.expect.asymmetric_pfc:
        paused = pfc_sets(qos).sends  # it obeys pauses for every priority, lossless or not
    lossless = (paused or frozenset()) | wanted_lossless(qos, given)
    return {queue: priority for priority in sorted(lossless) for queue in queues_of_priority(qos, priority) or ()}


def ramps(qos: PortQos, queues: Iterable[int] | None = None) -> Iterator[Ramp]:
    """Yield the armed marking curves of the given queues (of all queues when None)."""
    for number, queue in enumerate(qos.queues or ()):
        if (
            queue is None
            or queue.ecn is None
            or queue.ecn.gate is False
            or (queues is not None and number not in queues)
        ):
            continue
        for curve in queue.ecn.curves:
            if curve.active is not False:
                yield Ramp(number, curve, f"queues.{number}.ecn")


def lossless_ramps(qos: PortQos, given: Given) -> Iterator[Ramp]:
    """Yield the armed marking curves of the queues that lossless traffic leaves by."""
    queues = lossless_queues(qos, given)
    for ramp in ramps(qos, queues):
        yield ramp._replace(priority=queues[ramp.queue])


def together(found: Iterable[tuple[_Facts, Ramp]]) -> list[tuple[_Facts, str, str]]:
    """Return (facts, "queues 3, 4", leaf of the first) for the ramps with equal facts: one finding for each."""
    groups: dict[_Facts, list[Ramp]] = {}
    for facts, ramp in found:
        groups.setdefault(facts, []).append(ramp)
    return [(facts, queues_text(ramp.queue for ramp in own), own[0].leaf) for facts, own in groups.items()]


def queues_text(numbers: Iterable[int]) -> str:
    """Return `queue 3` or `queues 3, 4`."""
    own = sorted(set(numbers))
    return f"queue{'s' if len(own) > 1 else ''} {', '.join(map(str, own))}"


def queues_of_dscps(qos: PortQos, dscps: Iterable[int]) -> frozenset[int] | None:
    """Return the egress queues of packets with these DSCPs, None when a map does not tell."""
    if qos.dscp_to_tc is None or qos.tc_to_queue is None:
        return None
    tcs = [qos.dscp_to_tc.to[dscp] for dscp in dscps]
    queues = [qos.tc_to_queue[tc] for tc in tcs if tc is not None]
    return None if None in tcs or None in queues else frozenset(queue for queue in queues if queue is not None)


def not_strict(
    qos: PortQos, dscps: Iterable[int], whose: str, message: Callable[[str, str], str]
) -> Iterator[Hit | Unknown]:
    """Yield a finding for each queue of these DSCPs that is not served strictly, none for ports that go by no DSCP.

    `whose` names the traffic where a map does not tell its queue: "CNPs". `message` gets "queue 6" and how it is
    served: "weighted with weight 5".
    """
    if qos.trust not in {"dscp", "both"}:
        return
    queues = queues_of_dscps(qos, dscps)
    if queues is None:
        yield Unknown(f"the queue of {whose}")
        return
    for number in sorted(queues):
        queue, name = qos.queue(number), f"queue {number}"
        if queue is None or queue.scheduler is None:
            yield Unknown(f"the scheduler of {name}")
        elif queue.scheduler != "strict":
            weight = f" with weight {float(queue.weight):g}" if queue.weight is not None else ""
            served = f"{queue.scheduler}{weight}"
            yield Hit(message(name, served), f"serve {name} strictly", f"queues.{number}.scheduler", name)


def queues_in_use(qos: PortQos) -> frozenset[int]:
    """Return the egress queues that classification can lead to, as far as the maps tell."""
    if qos.tc_to_queue is None:
        return frozenset()
    queues = {qos.tc_to_queue[tc] for tc in reachable_tcs(qos)[0]}
    return frozenset(queue for queue in queues if queue is not None)
