"""What the counters of hosts and switches say about a step: drops, pauses, marks, CNPs, classes."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from rocecfg.acceptance.read_counters import Growth, growth
from rocecfg.acceptance.verdict import Status, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rocecfg.acceptance.model import Acceptance, Step
    from rocecfg.acceptance.reading import Reading

_SEQUENCE = ("out_of_sequence", "sequence_errors", "ack_timeouts")


def judge_counters(
    plan: Acceptance, limits: dict[str, float], folder: Path, stage: str, step: Step, readings: dict[str, Reading]
) -> Iterator[Verdict]:
    """Yield the judgements of every host that took part in a step."""
    root = folder / "results" / stage / step.name / "counters"
    hosts = sorted({end.host for flow in step.flows for end in (flow.client, flow.server)} | set(step.hosts))
    receivers = {flow.server.host for flow in step.flows if not flow.lossy_competitor}
    expected = _expected(plan, step, readings)
    marks: list[int] = []
    silent: list[str] = []
    for host in hosts:
        nics = {name: port.nic for name, port in plan.hosts[host].interfaces.items()} if host in plan.hosts else {}
        grew = growth(root / "before" / host, root / "after" / host, nics)
        yield from _Host(plan, limits, stage, step, host, grew).verdicts(expected.get(host, {}))
        if step.kind == "incast" and host in receivers:
            count = [n for n in (grew.of("ecn_marked"), grew.of("cnp_sent")) if n is not None]
            (marks.append(max(count)) if count else silent.append(host))
    if step.kind == "incast":
        yield _marks(stage, step, marks, silent)


def _marks(stage: str, step: Step, marks: list[int], silent: list[str]) -> Verdict:
    subject, check, limit = "receivers of the incast", "ECN marks", "more than 0"
    if silent and not any(marks):
        said = f"no counter of marks or CNPs: {', '.join(silent[:5])}"
        return Verdict(stage, step.name, "counters", subject, check, Status.UNKNOWN, reason=said)
    status = Status.PASS if any(marks) else Status.FAIL
    return Verdict(stage, step.name, "counters", subject, check, status, f"{sum(marks)} marked", limit, cause="ecn")


def _expected(plan: Acceptance, step: Step, readings: dict[str, Reading]) -> dict[str, dict[int, int]]:
    """Return host -> priority -> packets that its flows certainly sent."""
    found: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for flow in step.flows:
        reading = readings.get(flow.id)
        if flow.tool == "ib_write_bw" and reading is not None and reading.size and reading.messages:
            packets = reading.messages * -(-reading.size // (reading.mtu or 4096))
            found[flow.client.host][plan.classes[flow.traffic_class].priority] += packets
    return found


class _Host:
    """Judges one host."""

    def __init__(
        self, plan: Acceptance, limits: dict[str, float], stage: str, step: Step, host: str, grew: Growth
    ) -> None:
        self._plan, self._limits, self._stage, self._step = plan, limits, stage, step
        self._host, self._grew = host, grew
        self._lossless = {known.priority for known in plan.classes.values() if known.pfc}
        self._cnp = {known.priority for known in plan.classes.values() if known.cnp}

    def _verdict(self, check: str, status: Status, **more: str) -> Verdict:
        return Verdict(self._stage, self._step.name, "counters", self._host, check, status, **more)  # type: ignore[arg-type]

    def verdicts(self, expected: dict[int, int]) -> Iterator[Verdict]:
        """Yield the judgements of a host."""
        for trouble in self._grew.trouble[:5]:
            yield self._verdict("counters", Status.UNKNOWN, reason=trouble)
        if not self._grew.grew:
            return
        yield self._drops()
        if any(self._plan.classes[flow.traffic_class].pfc for flow in self._step.flows) or not self._lossless:
            yield self._sequence()
        yield self._pfc()
        yield from self._global_pause()
        yield from self._storm()
        yield from self._classes(expected)
        if self._step.kind == "incast":
            yield from self._notifications()

    def _drops(self) -> Verdict:
        by_priority = self._grew.by_priority("rx_priority_drops")
        if by_priority:
            lost = {at: by_priority[at] for at in self._lossless if by_priority.get(at)}
            said = ", ".join(f"priority {at}: {count}" for at, count in sorted(lost.items())) or "0"
        else:
            whole = self._grew.of("rx_buffer_drops")
            if whole is None:
                return self._verdict("lossless drops", Status.UNKNOWN, reason="no counter of drops")
            if whole and any(flow.lossy_competitor for flow in self._step.flows):
                said = f"{whole} drops of whatever class, beside a competitor that may lose"
                return self._verdict("lossless drops", Status.UNKNOWN, reason=said)
            lost, said = ({0: whole} if whole else {}), f"{whole} of whatever class"
        status = Status.FAIL if lost else Status.PASS
        return self._verdict("lossless drops", status, measured=said, limit="0", cause="drops")

    def _sequence(self) -> Verdict:
        known = {name: count for name in _SEQUENCE if (count := self._grew.of(name)) is not None}
        if not known:
            return self._verdict("lost packets", Status.UNKNOWN, reason="no counter of sequence errors")
        bad = {name: count for name, count in known.items() if count}
        said = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in bad.items()) or "0"
        status = Status.FAIL if bad else Status.PASS
        return self._verdict("lost packets", status, measured=said, limit="0", cause="sequence")

    def _pfc(self) -> Verdict:
        known = {**self._grew.by_priority("rx_pfc")}
        for at, count in self._grew.by_priority("tx_pfc").items():
            known[at] = known.get(at, 0) + count
        if not known:
            return self._verdict(
                "PFC on the RoCE priority only", Status.UNKNOWN, reason="no counter of PFC by priority"
            )
        wrong = {at: count for at, count in known.items() if count and at not in self._lossless}
        said = ", ".join(f"priority {at}: {count} frames" for at, count in sorted(wrong.items()))
        status = Status.FAIL if wrong else Status.PASS
        limit = f"priority {', '.join(map(str, sorted(self._lossless)))} only" if self._lossless else "none at all"
        return self._verdict(
            "PFC on the RoCE priority only", status, measured=said or "none elsewhere", limit=limit, cause="pfc"
        )

    def _global_pause(self) -> Iterator[Verdict]:
        known = [n for n in (self._grew.of("rx_link_pause"), self._grew.of("tx_link_pause")) if n is not None]
        if known:
            status = Status.FAIL if sum(known) else Status.PASS
            yield self._verdict(
                "no global pause", status, measured=f"{sum(known)} frames", limit="0", cause="global pause"
            )

    def _storm(self) -> Iterator[Verdict]:
        storms = self._grew.of("nic_storms")
        seconds = self._step.seconds * len(self._step.rounds)
        paused = {at: ns for (name, at), ns in self._grew.paused.items() if name == "rx_paused" and ns}
        if storms:
            said = f"the NIC stopped pausing by itself {storms} times"
            yield self._verdict("no pause storm", Status.FAIL, measured=said, limit="0", cause="storm")
        elif self._grew.paused and seconds:
            most = max(paused.values(), default=0) / 1e9 / seconds
            limit = self._limits["pause_share"]
            status = Status.FAIL if most > limit else Status.PASS
            said = f"paused {most:.1%} of {seconds} s"
            yield self._verdict("no pause storm", status, measured=said, limit=f"<= {limit:.0%}", cause="storm")
        elif storms is not None:
            yield self._verdict("no pause storm", Status.PASS, measured="0 events", limit="0")
        else:
            yield self._verdict("no pause storm", Status.UNKNOWN, reason="no counter of paused time or of storms")

    def _classes(self, expected: dict[int, int]) -> Iterator[Verdict]:
        sent = self._grew.by_priority("tx_priority_packets")
        for priority, packets in sorted(expected.items()):
            check = f"packets leave in priority {priority}"
            if priority not in sent:
                yield self._verdict(check, Status.UNKNOWN, reason="no counter of packets sent by priority")
                continue
            share, limit = sent[priority] / packets, self._limits["class_share"]
            status = Status.PASS if share >= limit else Status.FAIL
            said = f"{sent[priority]} of at least {packets} packets"
            others = {at: n for at, n in sent.items() if at not in expected and n > packets * 0.5}
            reason = (
                f"priority {max(others, key=lambda at: others[at])} grew instead" if others and share < limit else ""
            )
            yield self._verdict(check, status, measured=said, limit=f">= {limit:.0%}", reason=reason, cause="class")

    def _notifications(self) -> Iterator[Verdict]:
        sent = self._grew.of("cnp_sent")
        packets = self._grew.by_priority("tx_priority_packets")
        if not sent or not self._cnp:
            return
        check = "CNPs in priority " + ", ".join(map(str, sorted(self._cnp)))
        counted = [packets[at] for at in self._cnp if at in packets]
        if not counted:
            yield self._verdict(check, Status.UNKNOWN, reason="no counter of packets sent by priority")
            return
        share = sum(counted) / sent
        status = Status.PASS if share >= self._limits["class_share"] else Status.FAIL
        said = f"{sum(counted)} packets there, {sent} CNPs sent"
        yield self._verdict(check, status, measured=said, limit=f">= {sent}", cause="cnp")
