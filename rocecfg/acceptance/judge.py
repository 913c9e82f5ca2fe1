"""`rocecfg accept judge`: reads what an acceptance run left behind and judges flows, groups, counters and steps.

    text, status = run(Path("acceptance"), form="text")

What is missing, cut short, of mixed units or impossible is "cannot judge" with the reason; never a pass.
"""

from __future__ import annotations

import os
from collections import defaultdict
from statistics import mean, median
from typing import TYPE_CHECKING

from rocecfg.acceptance import model, read_nccl, read_others, read_perftest, thresholds
from rocecfg.acceptance.judge_counters import judge_counters
from rocecfg.acceptance.judge_switches import judge_switches
from rocecfg.acceptance.reading import FlowBroke, NoJudgement, Reading
from rocecfg.acceptance.verdict import Outcome, Status, Verdict, worst
from rocecfg.errors import EXIT_CLEAN, EXIT_FINDINGS, EXIT_UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rocecfg.acceptance.model import Acceptance, Flow, Step

LARGEST = 4 * 1024 * 1024
"""Bytes of one output; perftest writes some kilobytes."""
_DEFAULT_MTU = 4096


def run(folder: Path, form: str = "text") -> tuple[str, int]:
    """Return the report of a run in a form, and the exit code: 0 all pass, 1 a failure, 3 not all could be judged.

    Raises UsageError or ReadError when there is no readable plan.
    """
    from rocecfg.report import acceptance as report

    outcome = judge(folder)
    exits = {Status.PASS: EXIT_CLEAN, Status.FAIL: EXIT_FINDINGS, Status.UNKNOWN: EXIT_UNREADABLE}
    return report.write(outcome, form), exits[outcome.status]


def judge(folder: Path) -> Outcome:
    """Return every judgement of the run in a folder."""
    plan = model.read(folder / model.FILE)
    limits = thresholds.settle(plan.thresholds)
    verdicts: list[Verdict] = []
    pairs: dict[tuple[str, str], tuple[Status, float | None]] = {}
    for stage in plan.stages:
        for step in stage.steps:
            of_step = list(_Judge(plan, limits, folder, stage.name, step, pairs).verdicts())
            status = worst(verdict.status for verdict in of_step)
            reason = _sum(of_step)
            verdicts += [
                *of_step,
                Verdict(stage.name, step.name, "step", step.kind, "all of it", status, reason=reason),
            ]
        ended = [verdict.status for verdict in verdicts if verdict.stage == stage.name and verdict.about == "step"]
        passed = sum(status is Status.PASS for status in ended)
        said = f"{passed} of {len(ended)} steps passed"
        verdicts.append(Verdict(stage.name, "", "stage", stage.name, "all steps", worst(ended), reason=said))
    return Outcome(plan.intent, tuple(verdicts), pairs)


def _sum(verdicts: list[Verdict]) -> str:
    counts: dict[Status, int] = defaultdict(int)
    for verdict in verdicts:
        counts[verdict.status] += 1
    return ", ".join(f"{counts[status]} {status.value}" for status in Status if counts[status])


class _Judge:
    """Judges one step."""

    def __init__(
        self,
        plan: Acceptance,
        limits: dict[str, float],
        folder: Path,
        stage: str,
        step: Step,
        pairs: dict[tuple[str, str], tuple[Status, float | None]],
    ) -> None:
        self._plan, self._limits, self._root = plan, limits, str(folder)
        self._folder, self._stage, self._step, self._pairs = folder, stage, step, pairs
        self._readings: dict[str, Reading] = {}
        self._shares: dict[str, float] = {}

    def verdicts(self) -> Iterator[Verdict]:
        """Yield the judgements of flows, then of groups, then of counters."""
        for flow in self._step.flows:
            found = list(self._flow(flow))
            status = worst(verdict.status for verdict in found) if found else Status.PASS
            if not flow.lossy_competitor:
                key = (flow.client.host, flow.server.host)
                before = self._pairs.get(key)
                share = self._shares.get(flow.id)
                if before is not None:
                    status = worst((before[0], status))
                    share = min((s for s in (before[1], share) if s is not None), default=None)
                self._pairs[key] = (status, share)
            yield from found
        yield from self._groups()
        if self._step.kind == "incast":
            yield from self._incast()
        if self._step.counters:
            yield from judge_counters(self._plan, self._limits, self._folder, self._stage, self._step, self._readings)
            yield from judge_switches(self._plan, self._folder, self._stage, self._step)

    def _verdict(self, subject: str, check: str, status: Status, about: str = "flow", **more: object) -> Verdict:
        return Verdict(self._stage, self._step.name, about, subject, check, status, **more)  # type: ignore[arg-type]

    def _flow(self, flow: Flow) -> Iterator[Verdict]:
        name = self._name(flow)
        try:
            reading = self._read(flow)
            self._readings[flow.id] = reading
            yield from self._judged(flow, name, reading)
        except FlowBroke as broke:
            yield self._verdict(name, "carries the flow", Status.FAIL, reason=str(broke), cause="broke")
        except NoJudgement as why:
            yield self._verdict(name, "result", Status.UNKNOWN, reason=str(why))

    def _name(self, flow: Flow) -> str:
        ends = f"{flow.client.host}:{flow.client.interface} -> {flow.server.host}:{flow.server.interface}"
        return f"{flow.id} {ends}"

    def _read(self, flow: Flow) -> Reading:
        try:
            return self._reading(flow)
        except NoJudgement as why:
            self._look_in_log(flow, str(why))
            raise

    def _reading(self, flow: Flow) -> Reading:
        text, is_json = self._text(flow.result)
        if flow.tool == "ping":
            return read_others.read_ping(text)
        if flow.tool == "iperf3":
            return read_others.read_iperf3(text)
        if flow.tool == "all_reduce_perf":
            return read_nccl.read(text)
        try:
            return read_perftest.read(text, is_json=is_json, message=self._step.message)
        except NoJudgement:
            if not is_json:
                raise
            try:  # the text beside it may say that the flow broke, or hold what JSON lost
                other, _ = self._text(flow.result, (".txt",))
                return read_perftest.read(other, is_json=False, message=self._step.message)
            except NoJudgement:
                pass
            raise

    def _look_in_log(self, flow: Flow, why: str) -> None:
        """Raise what the tool said on its error stream, which the scripts keep beside the results, if it says more."""
        try:
            said, _ = self._text(f"logs/{self._stage}/{self._step.name}/{flow.id}", (".log",))
        except NoJudgement:
            return
        read_perftest.complain(said, why)

    def _text(self, result: str, suffixes: tuple[str, ...] = (".json", ".txt")) -> tuple[str, bool]:
        for suffix in suffixes:
            path = f"{self._root}/{result}{suffix}"
            try:
                handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise NoJudgement(f"{result}{suffix}: {error.strerror or error}") from error
            try:
                with os.fdopen(handle, "rb") as stream:
                    data = stream.read(LARGEST + 1)
            except OSError as error:
                raise NoJudgement(f"{result}{suffix}: {error.strerror or error}") from error
            if len(data) > LARGEST:
                raise NoJudgement(f"{result}{suffix}: larger than {LARGEST // 1024 // 1024} MiB, no result is")
            if b"\0" in data:
                raise NoJudgement(f"{result}{suffix}: binary data, no result")
            return data.decode("utf-8-sig", "replace"), suffix == ".json"
        raise NoJudgement(f"{result}: no result ({' or '.join(suffixes)}): the flow did not run")

    def _speed(self, flow: Flow) -> float:
        hosts = self._plan.hosts
        ends = (hosts[end.host].interfaces[end.interface] for end in (flow.client, flow.server))
        return min(end.speed_gbps for end in ends)

    def _carries(self, mtu: int | None) -> float:
        size = mtu or _DEFAULT_MTU
        return size / (size + self._limits["overhead_bytes"])

    def _judged(self, flow: Flow, name: str, reading: Reading) -> Iterator[Verdict]:
        if flow.tool == "ping":
            yield from self._ping(name, reading)
        elif flow.tool == "ib_write_lat":
            yield from self._latency(flow, name, reading)
        elif flow.tool == "all_reduce_perf":
            yield from self._collective(flow, name, reading)
        elif reading.gbps is None:
            raise NoJudgement("a latency test where bandwidth was to be measured")
        else:
            yield from self._bandwidth(flow, name, reading, reading.gbps)

    def _ping(self, name: str, reading: Reading) -> Iterator[Verdict]:
        lost = reading.lost or 0.0
        status = Status.PASS if lost == 0 else Status.FAIL
        said = f"{lost:.0%} lost" + "".join(f"; {remark}" for remark in reading.remarks)
        yield self._verdict(name, "packets of full size", status, measured=said, limit="0% lost", cause="mtu")

    def _latency(self, flow: Flow, name: str, reading: Reading) -> Iterator[Verdict]:
        if reading.typical_us is None:
            raise NoJudgement("a bandwidth test where latency was to be measured")
        kind = "same_leaf" if flow.path == "same-leaf" else "across_spines"
        limit = self._limits[f"latency_{kind}_us"]
        status = Status.PASS if reading.typical_us <= limit else Status.FAIL
        measured = f"{reading.typical_us:.2f} us" + (f", 99 % {reading.p99_us:.2f} us" if reading.p99_us else "")
        yield self._verdict(name, "latency", status, measured=measured, limit=f"{limit:g} us", cause="latency")

    def _collective(self, flow: Flow, name: str, reading: Reading) -> Iterator[Verdict]:
        hosts = self._step.hosts or [flow.client.host, flow.server.host]
        known = [self._plan.hosts[host].interfaces.values() for host in hosts if host in self._plan.hosts]
        lines = min(
            (sum(port.speed_gbps for port in ports if port.rail or len(ports) == 1) for ports in known), default=0
        )
        lines = lines or self._speed(flow)
        busbw = reading.gbps or 0
        share = busbw / (lines * self._carries(None))
        self._shares[flow.id] = share
        limit = self._limits["collective_share"]
        status = Status.PASS if share >= limit else Status.FAIL
        measured = f"busbw {busbw / 8:.1f} GB/s, {share:.1%} of {lines:g} Gb/s"
        yield self._verdict(
            name, "bus bandwidth", status, measured=measured, limit=f">= {limit:.0%}", cause="collective", share=share
        )
        if reading.wrong:
            said = f"{reading.wrong} wrong values"
            yield self._verdict(name, "result is right", Status.FAIL, measured=said, limit="0", cause="wrong values")

    def _bandwidth(self, flow: Flow, name: str, reading: Reading, gbps: float) -> Iterator[Verdict]:
        speed = self._speed(flow)
        share = gbps / (speed * self._carries(reading.mtu))
        if gbps > speed * 1.005:
            raise NoJudgement(
                f"{gbps:.1f} Gb/s is more than the {speed:g} Gb/s line carries: another unit, both directions, "
                "or the plan has a wrong speed"
            )
        self._shares[flow.id] = share
        planned = self._plan.hosts[flow.client.host].interfaces[flow.client.interface].mtu
        if reading.mtu is not None and planned is not None and reading.mtu < _DEFAULT_MTU <= planned - 80:
            said = f"RDMA MTU {reading.mtu}"
            yield self._verdict(name, "RDMA MTU", Status.FAIL, measured=said, limit="4096", cause="rdma mtu")
        if self._step.kind not in {"pair", "bisection"} or flow.lossy_competitor:
            return
        limit = self._limits["bisection_share" if self._step.kind == "bisection" else "pair_share"]
        status = Status.PASS if share >= limit else Status.FAIL
        measured = f"{gbps:.2f} Gb/s, {share:.1%} of the payload of {speed:g} Gb/s"
        cause = "bisection" if self._step.kind == "bisection" else "bandwidth"
        yield self._verdict(
            name, "share of line rate", status, measured=measured, limit=f">= {limit:.0%}", cause=cause, share=share
        )

    def _groups(self) -> Iterator[Verdict]:
        """Compare pairs that should be equal: same path, same tool, same speed."""
        groups: dict[tuple[str, str, float], list[tuple[Flow, float]]] = defaultdict(list)
        slower = self._step.kind == "latency"
        if self._step.kind not in {"pair", "bisection", "latency"}:
            return
        for flow in self._step.flows:
            reading = self._readings.get(flow.id)
            value = None if reading is None else reading.typical_us if slower else reading.gbps
            if value is not None and not flow.lossy_competitor and (slower or flow.id in self._shares):
                groups[flow.path, flow.traffic_class, self._speed(flow)].append((flow, value))
        unit = "us" if slower else "Gb/s"
        for (path, traffic_class, speed), members in sorted(groups.items()):
            if len(members) < 3:  # of two nobody knows which is the odd one
                continue
            middle = median(value for _, value in members)
            room = self._limits["latency_spread" if slower else "spread"]
            off = max(middle * room, self._limits["latency_slack_us"]) if slower else middle * room
            odd = [(f, v) for f, v in members if (v > middle + off if slower else v < middle - off)]
            name = f"{len(members)} pairs {path}, {traffic_class}, {speed:g} Gb/s"
            lowest, highest = min(v for _, v in members), max(v for _, v in members)
            measured = f"median {middle:.2f} {unit}, {lowest:.2f} to {highest:.2f}"
            limit = f"within {off:.2f} {unit} of the median"
            said = ", ".join(f"{self._name(flow)} {value:.2f}" for flow, value in odd[:5])
            said += f" and {len(odd) - 5} more" if len(odd) > 5 else ""
            status = Status.FAIL if odd else Status.PASS
            yield self._verdict(
                name, "spread", status, "group", measured=measured, limit=limit, reason=said, cause="spread"
            )

    def _incast(self) -> Iterator[Verdict]:
        """Judge senders into one receiver: together they fill its line, and nobody starves."""
        flows = {flow.id: flow for flow in self._step.flows}
        for ids in self._step.rounds:
            by_receiver: dict[tuple[str, str], list[Flow]] = defaultdict(list)
            for each in ids:
                by_receiver[flows[each].server.host, flows[each].server.interface].append(flows[each])
            for (host, interface), members in sorted(by_receiver.items()):
                senders = [flow for flow in members if not flow.lossy_competitor]
                name = f"{len(senders)} senders -> {host}:{interface}"
                absent = [flow.id for flow in members if (self._readings.get(flow.id) or Reading()).gbps is None]
                if absent:
                    said = "no bandwidth of " + ", ".join(absent[:5])
                    yield self._verdict(name, "fills the line", Status.UNKNOWN, "group", reason=said)
                    continue
                rates = {flow.id: self._readings[flow.id].gbps or 0.0 for flow in members}
                speed = self._plan.hosts[host].interfaces[interface].speed_gbps
                carries = speed * self._carries(min((self._readings[f.id].mtu or 9999 for f in senders), default=None))
                total = sum(rates.values())
                share, limit = total / carries, self._limits["incast_share"]
                measured = f"{total:.1f} Gb/s together, {share:.1%} of the payload of {speed:g} Gb/s"
                if total > speed * 1.02:
                    said = "more than the line carries: the flows did not run at the same time"
                    yield self._verdict(name, "fills the line", Status.UNKNOWN, "group", measured=measured, reason=said)
                    continue
                status = Status.PASS if share >= limit else Status.FAIL
                yield self._verdict(
                    name, "fills the line", status, "group", measured=measured, limit=f">= {limit:.0%}", cause="incast"
                )
                if len(senders) > 1:
                    yield self._fairness(name, {flow.id: rates[flow.id] for flow in senders})

    def _fairness(self, name: str, rates: dict[str, float]) -> Verdict:
        middle, limit = mean(rates.values()), self._limits["incast_fairness"]
        slowest = min(rates, key=lambda each: rates[each])
        share = rates[slowest] / middle if middle else 0.0
        status = Status.PASS if share >= limit else Status.FAIL
        measured = f"slowest {slowest} {rates[slowest]:.1f} Gb/s, {share:.0%} of the mean"
        return self._verdict(
            name, "fair shares", status, "group", measured=measured, limit=f">= {limit:.0%}", cause="incast"
        )
