"""A packet followed along a path: its mark, class, queue and protection at each device.

steps = follow(path, dscp=26)
steps[1].tc, steps[1].pauses, steps[1].ecn
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocecfg.fabric.paths import Hop, Path
    from rocecfg.lint.api import Expected
    from rocecfg.state.model import Amount, CodeMap, PortQos, Queue


class Flow(NamedTuple):
    """Traffic to follow: its DSCP, the priority it shall have, and who says so."""

    name: str
    dscp: int
    priority: int | None = None
    because: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """What one device does with a packet. None = the texts do not tell."""

    hop: Hop
    dscp: int | None
    pcp: int | None
    """Priority in its VLAN tag; None = untagged."""
    tc: int | None
    queue: int | None
    group: int | None
    pauses: frozenset[int] | None
    """Priorities that the arriving side pauses for it; empty = lossy. None at the sender."""
    honours: frozenset[int] | None
    """Priorities whose pause stops its queue on the leaving side; None at the receiver."""
    ecn: bool | None
    """Whether its queue marks ECN."""
    dscp_out: int | None
    rewrite_known: bool
    settings: Queue | None

    @property
    def rewritten(self) -> bool:
        """Whether the packet leaves with another DSCP."""
        return self.dscp is not None and self.dscp_out is not None and self.dscp != self.dscp_out


def follow(path: Path, dscp: int | None, priority: int | None = None) -> list[Step]:
    """Return what each device of a path does with a packet of this DSCP.

    A sender that marks by priority alone (trust pcp) puts the priority of its class into a VLAN tag, which stays on
    until a routed port takes it off.
    """
    sender = path.hops[0].outward
    pcp = priority if sender is not None and sender.qos.trust == "pcp" else None
    steps = []
    for hop in path.hops:
        step = _step(hop, dscp, pcp)
        steps.append(step)
        dscp = step.dscp_out
        if hop.is_switch and hop.outward is not None and hop.outward.mode == "routed":
            pcp = None
    return steps


def _step(hop: Hop, dscp: int | None, pcp: int | None) -> Step:
    arriving = hop.inward.qos if hop.inward is not None else None
    leaving = hop.outward.qos if hop.outward is not None else None
    first = not hop.arrives
    classifier = leaving if first else arriving
    tc = classify(classifier, dscp, pcp) if classifier is not None else None
    queue = _at(leaving.tc_to_queue if leaving is not None else None, tc)
    group = _at(arriving.tc_to_pg if arriving is not None else None, tc)
    settings = leaving.queue(queue) if leaving is not None and queue is not None else None
    return Step(
        hop,
        dscp,
        pcp,
        tc,
        queue,
        group,
        None if first else pauses(arriving, tc),
        None if not hop.leaves else honours(leaving, queue),
        _marks(settings),
        _rewritten(leaving, tc, dscp),
        not hop.leaves or leaving is None or leaving.rewrite is not None,
        settings,
    )


def classify(qos: PortQos, dscp: int | None, pcp: int | None = None) -> int | None:
    """Return the class that a port puts a RoCE packet of this DSCP into; `pcp` is None for untagged ones."""
    for selector, number, tc in qos.app_to_tc or ():
        if (selector, number) == ("udp", 4791):
            return tc
    if qos.trust in {"dscp", "both"}:
        return _at(qos.dscp_to_tc.to if qos.dscp_to_tc is not None else None, dscp)
    if qos.trust == "pcp" and pcp is not None:
        return _at(qos.pcp_to_tc.to if qos.pcp_to_tc is not None else None, pcp)
    return qos.default_tc if qos.trust in {"pcp", "none"} else None


def pauses(qos: PortQos | None, tc: int | None) -> frozenset[int] | None:
    """Return the priorities that a port pauses its peer for when a class fills up."""
    sends = qos.pfc.sends() if qos is not None and qos.pfc is not None else None
    if sends is None or qos is None:
        return None
    if not sends:
        return frozenset()
    group = _at(qos.tc_to_pg, tc)
    return None if group is None else _holding(group, sends, qos.priority_to_pg)


def honours(qos: PortQos | None, queue: int | None) -> frozenset[int] | None:
    """Return the priorities whose pause stops the queue of a class."""
    obeyed = qos.pfc.honours() if qos is not None and qos.pfc is not None else None
    if obeyed is None or qos is None:
        return None
    if not obeyed:
        return frozenset()
    return None if queue is None else _holding(queue, obeyed, qos.priority_to_queue)


def _holding(
    number: int, priorities: frozenset[int], table: tuple[frozenset[int] | None, ...] | None
) -> frozenset[int] | None:
    """Return the priorities that a table gives this group or queue; None when it does not tell."""
    if table is None:
        return None
    found = frozenset(priority for priority in priorities if number in (table[priority] or ()))
    return None if not found and any(table[priority] is None for priority in priorities) else found


def _at(table: tuple[int | None, ...] | None, index: int | None) -> int | None:
    return table[index] if table is not None and index is not None and index < len(table) else None


def _marks(queue: Queue | None) -> bool | None:
    if queue is None or queue.ecn is None:
        return None
    if queue.ecn.gate is False:
        return False
    return any(curve.active is not False for curve in queue.ecn.curves)


def about_bytes(amount: Amount | None) -> int | None:
    """Return an amount in bytes, a kbyte of unknown size as 1000: good enough to tell apart what differs twofold."""
    if amount is None or amount.bytes is not None:
        return None if amount is None else amount.bytes
    factor = {"byte": 1, "kbyte": 1000, "mbyte": 1_000_000}.get(amount.unit)
    return int(amount.value * factor) if factor is not None else None


def _rewritten(qos: PortQos | None, tc: int | None, dscp: int | None) -> int | None:
    """Return the DSCP a packet leaves with."""
    for kind, old, new in (qos.rewrite or ()) if qos is not None else ():
        if old == (tc if kind == "tc" else dscp):
            return new
    return dscp


# -- which traffic ---------------------------------------------------------------------------------------------------


def roce_flows(path: Path, expect: Expected | None) -> list[Flow]:
    """Return the lossless RoCE traffic of a path: what the intent names, else what NIC or first switch show."""
    if expect is not None:
        return [
            Flow(item.name, dscp, item.priority, f"class {item.name}")
            for item in expect.classes
            if item.lossless
            for dscp in sorted(item.dscps)
        ]
    marked = [Flow("roce", dscp, None, why) for dscp, why in marks(path.hops[0]) if dscp]
    return marked or list(_likely(path))


def nic_mark(hop: Hop) -> tuple[int, str] | None:
    """Return the DSCP that RoCE packets of a host get, and by which setting; None when no setting is known."""
    return next(iter(marks(hop)), None)


def marks(hop: Hop) -> list[tuple[int, str]]:
    """Return each DSCP that RoCE packets of a host get, and who gives it: the strongest setting alone, all of its kind.

    A traffic class forced on the NIC wins over the applications, they over the default for RDMA-CM.
    """
    nic = hop.outward.nic if hop.outward is not None else None
    if nic is not None and nic.forced_tos is not None:
        return [(nic.forced_tos >> 2, f"traffic class {nic.forced_tos} forced by the NIC")]
    apps = hop.state.apps or () if hop.state is not None else ()
    found = [(app.tos >> 2, f"{app.name} traffic class {app.tos}") for app in apps if app.tos is not None]
    if found:
        return list(dict(found).items())
    if nic is not None and nic.default_tos is not None:
        return [(nic.default_tos >> 2, f"default ToS {nic.default_tos} of the NIC")]
    return []


def _likely(path: Path) -> Iterator[Flow]:
    """Yield for each lossless class of the first switch the DSCP that most switches of the path protect."""
    switches = [hop.inward.qos for hop in path.hops if hop.is_switch and hop.inward is not None]
    if not switches:
        return
    first = switches[0]
    codes = first.dscp_to_tc if first.trust in {"dscp", "both"} else None
    for tc in sorted({tc for tc in codes.to if tc is not None} if codes is not None else ()):
        if codes is not None and pauses(first, tc):
            dscp = _best(switches, codes, tc)
            yield Flow(f"DSCP {dscp}", dscp, None, f"class {tc} of {path.hops[1].device}")


def _best(switches: list[PortQos], codes: CodeMap, tc: int) -> int:
    counts = Counter(
        {dscp: sum(bool(pauses(qos, classify(qos, dscp))) for qos in switches) for dscp in codes.codes(tc)}
    )
    return max(counts, key=lambda dscp: (counts[dscp], codes.stated >> dscp & 1, -dscp))


def walks(path: Path, expect: Expected | None) -> Iterator[tuple[Flow, list[Step]]]:
    """Yield each lossless RoCE flow of a path with what happens to it on the way."""
    for flow in roce_flows(path, expect):
        yield flow, follow(path, flow.dscp, flow.priority)


def cnp_flow(path: Path, expect: Expected | None) -> Flow | None:
    """Return the CNP of a path's receiver, to be followed on the way back; None when its mark is not known."""
    nic = path.hops[-1].inward.nic if path.hops[-1].inward is not None else None
    wanted = next((item for item in expect.classes if item.kind == "cnp" and item.dscps), None) if expect else None
    priority = wanted.priority if wanted is not None else nic.cnp_priority if nic is not None else None
    if nic is not None and nic.cnp_dscp is not None:
        return Flow("cnp", nic.cnp_dscp, priority, f"CNP DSCP {nic.cnp_dscp} of {path.hops[-1].device}")
    if wanted is not None:
        return Flow("cnp", min(wanted.dscps), priority, f"class {wanted.name}")
    return None
