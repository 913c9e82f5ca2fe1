"""One audit: every capture is read once, judged by the rules and compared with the plan."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rocecfg.cli.comparing import Comparison
from rocecfg.cli.judging import Judging
from rocecfg.cli.terminal import Progress
from rocecfg.findings import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from rocecfg.cli.inputs import Source
    from rocecfg.cli.reading import Reading as Capture
    from rocecfg.collect.target import DeviceResult
    from rocecfg.errors import ReadError
    from rocecfg.history import AuditRun
    from rocecfg.lint.config import Settings
    from rocecfg.plan.planned import Plan
    from rocecfg.report.outcome import Outcome


@dataclass(slots=True)
class Audited:
    """What an audit found: the outcome of rules and comparison, and what became of each device."""

    fabric: str
    started: datetime
    finished: datetime
    outcome: Outcome
    devices: list[DeviceResult] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)
    """Device -> digest of the texts it was judged by."""
    strangers: int = 0
    """Captures of devices that the intent does not have: judged, not compared."""

    def run(self) -> AuditRun:
        """Return what the history keeps of this audit."""
        from rocecfg.history import AuditRun, Reading

        readings = [
            Reading(
                item.device,
                item.nos,
                item.status,
                item.rule,
                item.reason,
                item.seconds,
                self.digests.get(item.device, ""),
            )
            for item in self.devices
        ]
        rules = frozenset(self.outcome.rules)
        return AuditRun(self.fabric, self.started, self.finished, readings, self.outcome.findings, rules)


def audit(
    plan: Plan,
    sources: Sequence[Source | ReadError],
    settings: Settings,
    *,
    results: Sequence[DeviceResult] = (),
    only: AbstractSet[str] | None = None,
    nos: str = "",
    jobs: int | None = None,
    ways: Path | None = None,
) -> Audited:
    """Read, judge and compare the captures of a fabric.

    `results` = what became of the devices when they were pulled; one that failed is a finding with its true reason.
    `only` = devices that are expected at all, None = every device of the intent.
    """
    from rocecfg.cli.reading import read_devices

    started = datetime.now(UTC)
    judging = Judging(settings, ways)
    wanted = {name: device for name, device in plan.devices.items() if only is None or name in only}
    cure = "add it to the inventory, or its capture to the folder"
    comparison = Comparison(wanted, set(plan.devices), settings, cure=cure)
    judging.start(plan.fabric)
    for result in results:
        if result.status == "failed":
            comparison.excuse(result.device)
    seen: dict[str, DeviceResult] = {}
    digests: dict[str, str] = {}
    progress = Progress("audited", len(sources))
    for reading in read_devices(sources, nos, jobs):
        progress.step()
        judging.take(reading)
        comparison.take(reading)
        name, result = _result(reading)
        seen[name] = result
        digests[name] = reading.digest
    judging.finish()
    outcome = _joined(judging.outcome, comparison.finish(), results)
    for finding in outcome.findings:
        if finding.rule == "RUN-001" and finding.device and finding.device not in seen:
            seen[finding.device] = _failed(finding)
    devices = {**seen, **{result.device: result for result in results}}
    return Audited(
        plan.name,
        started,
        datetime.now(UTC),
        outcome,
        sorted(devices.values(), key=lambda item: item.device),
        digests,
        comparison.strangers,
    )


def _result(reading: Capture) -> tuple[str, DeviceResult]:
    """Return what became of a stored capture."""
    from rocecfg.collect.target import DeviceResult

    device = reading.device
    name = reading.name or (device.name if device is not None else "") or reading.file
    if device is None:
        return name, DeviceResult(name, "", "failed", reading.rule, reading.error, folder=reading.file)
    return name, DeviceResult(name, device.nos, "ok", folder=reading.file)


def _failed(finding: Finding) -> DeviceResult:
    from rocecfg.collect.target import DeviceResult

    return DeviceResult(finding.device, "", "failed", finding.rule, finding.message)


def _joined(judged: Outcome, compared: Outcome, results: Iterable[DeviceResult]) -> Outcome:
    """Return one outcome: findings of the rules, of the comparison and of the pull, each once."""
    from rocecfg.collect.findings import of_results

    findings = dict.fromkeys([*of_results(list(results)), *judged.findings, *compared.findings])
    judged.findings = sorted(findings, key=Finding.sort_key)
    judged.not_evaluated = list(dict.fromkeys([*judged.not_evaluated, *compared.not_evaluated]))
    judged.rules = tuple(dict.fromkeys([*judged.rules, *compared.rules]))
    unread = {
        item.device or item.file
        for item in judged.findings
        if item.rule.startswith("RUN-") and item.severity >= Severity.ERROR
    }
    judged.unreadable = len(unread)
    return judged
