"""A trace as text and as data: the hops of each way, data and CNP, and where the chain breaks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocecfg.fabric.trace import Flow, cnp_flow, follow, marks, roce_flows
from rocecfg.fabric.verdict import judge_cnp, judge_data
from rocecfg.report.table import columns, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocecfg.fabric.paths import Path
    from rocecfg.fabric.trace import Step
    from rocecfg.fabric.verdict import Verdict
    from rocecfg.lint.api import Expected

HEAD = ("device", "in", "out", "DSCP", "TC", "queue", "PG", "lossless", "ECN", "rewrite")


@dataclass(slots=True)
class Traced:
    """One way with its data and CNP; `count` ways of equal cost are treated alike."""

    path: Path
    data: Verdict | None
    cnp: Verdict | None
    remark: str = ""
    count: int = 1

    @property
    def broken(self) -> bool:
        """Whether data or CNP meet a break."""
        return any(verdict.breaks for verdict in (self.data, self.cnp) if verdict is not None)

    @property
    def unknown(self) -> bool:
        """Whether something on the way is not known, the sender's mark included."""
        verdicts = (verdict for verdict in (self.data, self.cnp) if verdict is not None)
        return bool(self.remark) or self.data is None or any(verdict.unknown for verdict in verdicts)

    def treatment(self) -> object:
        """Return what the report shows of it, names of devices and ports left out."""
        return (
            self.remark,
            *(
                (verdict.flow, tuple(_treated(step) for step in verdict.steps), _places(verdict))
                for verdict in (self.data, self.cnp)
                if verdict is not None
            ),
        )


def _treated(step: Step) -> tuple[object, ...]:
    """Return what makes a hop another one; the number of a priority group is a label of its device."""
    return (step.dscp, step.tc, step.queue, step.pauses, step.honours, step.ecn, step.dscp_out, step.rewrite_known)


def _places(verdict: Verdict) -> tuple[object, ...]:
    """Return at which hops something breaks or is unknown."""
    at = {step.hop.device: number for number, step in enumerate(verdict.steps)}
    broken = tuple((at[item.device], bool(item.port)) for item in verdict.breaks)
    return broken, tuple(at[item.device] for item in verdict.unknown)


def traced(path: Path, expect: Expected | None, dscp: int | None) -> Iterator[Traced]:
    """Yield what happens on a way to the DSCP given, else to each mark of the sender, else to each RoCE class."""
    flows, remark = _flows(path, expect, dscp)
    if not flows:
        yield Traced(path, None, None, f"which DSCP is RoCE is not known for {path.hops[0].device}: give --dscp")
    back = path.back()
    for flow in flows:
        data = judge_data(flow, follow(path, flow.dscp, flow.priority), expect)
        cnp = cnp_flow(path, expect)
        own = expect is not None and any(item.kind == "cnp" for item in expect.classes)
        answered = (
            judge_cnp(cnp, follow(back, cnp.dscp, cnp.priority), flow, own_class=own) if cnp is not None else None
        )
        yield Traced(path, data, answered, remark)


def _flows(path: Path, expect: Expected | None, dscp: int | None) -> tuple[list[Flow], str]:
    if dscp is not None:
        return [_flow(expect, dscp, "--dscp")], ""
    marked = marks(path.hops[0])
    if marked:
        return [_flow(expect, code, why) for code, why in marked], ""
    flows = roce_flows(path, expect)
    return flows, f"how {path.hops[0].device} marks its packets is not known" if flows else ""


def _flow(expect: Expected | None, dscp: int, because: str) -> Flow:
    for item in expect.classes if expect is not None else ():
        if dscp in item.dscps and item.lossless:
            return Flow(item.name, dscp, item.priority, because)
    return Flow(f"DSCP {dscp}", dscp, None, because)


# -- text ------------------------------------------------------------------------------------------------------------


def to_text(ways: Sequence[Traced]) -> str:
    """Return a report for people."""
    parts = []
    for one in ways:
        title = one.path.text()
        if one.count > 1:
            title += f" ({one.count} ways are treated alike, this is one)"
        lines = [title + "\n"]
        if one.remark:
            lines.append(f"  {one.remark}\n")
        if one.data is not None:
            lines += _verdict_text("data", one.data)
        if one.cnp is not None:
            lines += _verdict_text("CNP back", one.cnp)
        elif one.data is not None:
            lines.append("  CNP back: neither the receiver nor an intent tells its DSCP\n")
        parts.append("".join(lines))
    return printable_text("\n".join(parts))


def printable_text(text: str) -> str:
    """Return a text whose lines hold nothing a terminal would act on."""
    return "".join(printable(line) + "\n" for line in text.splitlines())


def _verdict_text(what: str, verdict: Verdict) -> Iterator[str]:
    flow = verdict.flow
    state = "BROKEN" if verdict.breaks else "not fully known" if verdict.unknown else "whole"
    yield f"  {what}: DSCP {flow.dscp} ({flow.because}): {state}\n"
    table = columns([HEAD, *(_cells(step) for step in verdict.steps)])
    yield from (f"    {line}\n" for line in table.splitlines())
    for word, remarks in (("broken at", verdict.breaks), ("unknown:", verdict.unknown)):
        yield from (f"    {word} {item.device} {item.port}: {item.text}\n".replace(" :", ":") for item in remarks)


def _cells(step: Step) -> tuple[str, ...]:
    hop = step.hop
    switch, host = hop.is_switch, not hop.arrives
    return (
        hop.device,
        hop.arrives or "-",
        hop.leaves or "-",
        _number(step.dscp),
        _number(step.tc),
        _number(step.queue) if hop.leaves else "-",
        _number(step.group) if hop.arrives else "-",
        _lossless(step.honours if host else step.pauses),
        {True: "yes", False: "no", None: "?"}[step.ecn] if switch else "-",
        _rewrite(step),
    )


def _number(value: int | None) -> str:
    return "?" if value is None else str(value)


def _lossless(priorities: frozenset[int] | None) -> str:
    if priorities is None:
        return "?"
    return f"priority {', '.join(map(str, sorted(priorities)))}" if priorities else "no"


def _rewrite(step: Step) -> str:
    if not step.hop.is_switch:
        return "-"
    if not step.rewrite_known:
        return "?"
    return f"to {step.dscp_out}" if step.rewritten else "-"


# -- data ------------------------------------------------------------------------------------------------------------


def to_json(start: str, end: str, ways: Sequence[Traced]) -> str:
    """Return a report for programs."""
    data = {
        "schema": 1,
        "from": start,
        "to": end,
        "whole": not any(one.broken or one.unknown for one in ways),
        "ways": [
            {
                "devices": [hop.device for hop in one.path.hops],
                "count": one.count,
                "remark": one.remark,
                "data": _verdict_plain(one.data),
                "cnp": _verdict_plain(one.cnp),
            }
            for one in ways
        ],
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _verdict_plain(verdict: Verdict | None) -> dict[str, Any] | None:
    if verdict is None:
        return None
    return {
        "class": verdict.flow.name,
        "dscp": verdict.flow.dscp,
        "because": verdict.flow.because,
        "hops": [_step_plain(step) for step in verdict.steps],
        "breaks": [item._asdict() for item in verdict.breaks],
        "unknown": [item._asdict() for item in verdict.unknown],
    }


def _step_plain(step: Step) -> dict[str, Any]:
    hop = step.hop
    protected = step.pauses if hop.arrives else step.honours
    return {
        "device": hop.device,
        "nos": hop.state.nos if hop.state is not None else None,
        "in": hop.arrives or None,
        "out": hop.leaves or None,
        "dscp": step.dscp,
        "tc": step.tc,
        "queue": step.queue,
        "pg": step.group,
        "lossless": None if protected is None else bool(protected),
        "pauses": None if step.pauses is None else sorted(step.pauses),
        "honours": None if step.honours is None else sorted(step.honours),
        "ecn": step.ecn,
        "rewrite": step.dscp_out if step.rewritten else None,
    }
