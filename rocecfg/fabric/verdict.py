"""Where the chain from sender to receiver breaks, for `rocecfg trace`: data, and the CNP's way back.

verdict = judge_data(flow, follow(path, flow.dscp, flow.priority), expect)
verdict.breaks, verdict.unknown
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from rocecfg.fabric.trace import classify

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocecfg.fabric.trace import Flow, Step
    from rocecfg.lint.api import Expected


class Remark(NamedTuple):
    """A sentence about one device of a path."""

    device: str
    port: str
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found on one way."""

    flow: Flow
    steps: tuple[Step, ...]
    breaks: tuple[Remark, ...]
    unknown: tuple[Remark, ...]


def judge_data(flow: Flow, steps: Sequence[Step], expect: Expected | None) -> Verdict:
    """Return where RoCE data leaves its protected class, or meets a hop that neither pauses nor marks."""
    breaks = [*_mark(flow, steps[0], expect), *_protection(flow, steps), *_pauses_meet(steps), *_ecn(steps, expect)]
    return Verdict(flow, tuple(steps), _ordered(breaks, steps), _ordered(_unknown(steps), steps))


def judge_cnp(flow: Flow, steps: Sequence[Step], data: Flow, *, own_class: bool) -> Verdict:
    """Return where the CNP falls out of a class of its own, or into one that a pause can stop."""
    breaks: list[Remark] = []
    for step in steps:
        hop = step.hop
        if not hop.is_switch or hop.inward is None or step.tc is None:
            continue
        tagged = step.pcp is not None
        if step.pauses:
            breaks.append(
                Remark(hop.device, hop.arrives, f"the CNP is in traffic class {step.tc}, which a pause stops")
            )
        elif step.tc == classify(hop.inward.qos, data.dscp, data.priority if tagged else None):
            breaks.append(Remark(hop.device, hop.arrives, f"the CNP shares traffic class {step.tc} with the data"))
        elif own_class and step.dscp != 0 and step.tc == classify(hop.inward.qos, 0, 0 if tagged else None):
            text = f"the CNP (DSCP {step.dscp}) falls into traffic class {step.tc}, that of unmarked packets"
            breaks.append(Remark(hop.device, hop.arrives, text))
    unknown = [item for item in _unknown(steps) if "class" in item.text or "read" in item.text]
    return Verdict(flow, tuple(steps), _ordered(breaks, steps), _ordered(unknown, steps))


def _mark(flow: Flow, first: Step, expect: Expected | None) -> Iterator[Remark]:
    """Judge the mark itself, and the class the sender's NIC gives it."""
    hop = first.hop
    if expect is not None and expect.lossless_dscps and flow.dscp not in expect.lossless_dscps:
        wanted = ", ".join(map(str, sorted(expect.lossless_dscps)))
        yield Remark(
            hop.device, hop.leaves, f"{flow.because} marks DSCP {flow.dscp}; lossless classes have DSCP {wanted}"
        )
    if flow.priority is not None and first.tc is not None and not hop.arrives and first.tc != flow.priority:
        text = f"the NIC puts DSCP {flow.dscp} into priority {first.tc}; {flow.name} has priority {flow.priority}"
        yield Remark(hop.device, hop.leaves, text)


def _protection(flow: Flow, steps: Sequence[Step]) -> Iterator[Remark]:
    for step in steps:
        hop = step.hop
        if not hop.arrives or step.pauses is None:
            continue
        if not step.pauses:
            sends = hop.inward.qos.pfc.sends() if hop.inward is not None and hop.inward.qos.pfc is not None else None
            off = "PFC is off on the port" if not sends else "PFC pauses other classes"
            yield Remark(hop.device, hop.arrives, f"DSCP {step.dscp} is in traffic class {step.tc}, lossy here: {off}")
        elif flow.priority is not None and flow.priority not in step.pauses:
            named = ", ".join(map(str, sorted(step.pauses)))
            text = f"DSCP {step.dscp} is paused as priority {named}; {flow.name} has priority {flow.priority}"
            yield Remark(hop.device, hop.arrives, text)


def _pauses_meet(steps: Sequence[Step]) -> Iterator[Remark]:
    for here, there in pairwise(steps):
        if here.honours is None or not there.pauses or here.honours & there.pauses:
            continue
        named = ", ".join(map(str, sorted(there.pauses)))
        stops = ", ".join(map(str, sorted(here.honours))) or "no priority"
        text = f"{there.hop.device} pauses priority {named}; queue {here.queue} is stopped by {stops}"
        yield Remark(here.hop.device, here.hop.leaves, text)


def _ecn(steps: Sequence[Step], expect: Expected | None) -> Iterator[Remark]:
    if expect is not None and expect.congestion_control != "dcqcn":
        return
    for step in steps:
        if step.hop.is_switch and step.ecn is False:
            yield Remark(step.hop.device, step.hop.leaves, f"queue {step.queue} marks no ECN")


def _unknown(steps: Sequence[Step]) -> Iterator[Remark]:
    for step in steps:
        hop = step.hop
        if hop.state is None:
            yield Remark(hop.device, "", "was not read")
            continue
        for name, port in ((hop.arrives, hop.inward), (hop.leaves, hop.outward)):
            if name and port is None:
                yield Remark(hop.device, name, "the port was not read: it is in no text")
        if (hop.arrives and hop.inward is None) or (hop.leaves and hop.outward is None):
            continue
        if step.tc is None:
            yield Remark(hop.device, hop.arrives or hop.leaves, f"the class of DSCP {step.dscp} is not known")
            continue
        if hop.arrives and step.pauses is None:
            yield Remark(hop.device, hop.arrives, "whether the port pauses for this class is not known")
        if hop.leaves and step.honours is None:
            yield Remark(hop.device, hop.leaves, "which pause stops its queue is not known")
        if hop.is_switch and step.ecn is None:
            yield Remark(hop.device, hop.leaves, "whether its queue marks ECN is not known")


def _ordered(remarks: Iterator[Remark] | list[Remark], steps: Sequence[Step]) -> tuple[Remark, ...]:
    """Return remarks each once, in the order of the devices."""
    place = {step.hop.device: at for at, step in enumerate(steps)}
    return tuple(sorted(dict.fromkeys(remarks), key=lambda item: place[item.device]))
