"""Which device hurts first: what counters show now, what is new, then what is wrong in most ways."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocecfg.findings import Severity
from rocecfg.report.fleet_grouping import natural, short

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rocecfg.findings import Finding
    from rocecfg.report.fleet_grouping import RuleGroup


@dataclass(slots=True)
class Ranked:
    """A device with findings, and why it stands where it stands."""

    name: str
    shown: str
    counts: Counter[str] = field(default_factory=Counter)
    rules: dict[str, None] = field(default_factory=dict)
    fresh: int = 0
    live: int = 0
    ports: set[str] = field(default_factory=set)
    why: str = ""
    rule: str = ""

    @property
    def rule_list(self) -> str:
        """The rules that found something, a dozen of them at most."""
        names = sorted(self.rules)
        return short(", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else ""))

    @property
    def key(self) -> tuple[Any, ...]:
        """The order of devices: the first one hurts first."""
        return (
            -self.live, -(self.fresh and self.counts["error"] > 0), -self.counts["error"], -len(self.ports),
            -self.counts["warning"], -self.counts["info"], natural(self.name),
        )  # fmt: skip


def ranked(findings: Sequence[Finding], rules: Sequence[RuleGroup], is_fresh: Callable[[int], bool]) -> list[Ranked]:
    """Return the devices with findings about their configuration or counters, the one that hurts first at the top."""
    live = {rule.id for rule in rules if rule.live}
    titles = {rule.id: rule.title for rule in rules}
    found: dict[str, Ranked] = {}
    worst: dict[str, tuple[int, ...]] = {}
    for at, finding in enumerate(findings):
        if not finding.device or finding.rule.startswith("RUN-"):
            continue
        item = found.get(finding.device)
        if item is None:
            item = found[finding.device] = Ranked(finding.device, short(finding.device))
        item.counts[finding.severity.word] += 1
        item.rules[finding.rule] = None
        counts_now = finding.rule in live and finding.severity >= Severity.WARNING
        fresh = is_fresh(at) and finding.severity >= Severity.WARNING
        item.live += counts_now
        item.fresh += fresh
        if finding.severity is Severity.ERROR:
            item.ports.update(finding.ports)
        weight = (int(finding.severity), counts_now, fresh, finding.rule != "DRIFT-001", len(finding.ports))
        if weight > worst.get(finding.device, ()):
            worst[finding.device] = weight
            item.rule = finding.rule
            about = f"{finding.object}: " if finding.object else ""
            item.why = short(about + finding.message) if finding.message else titles.get(finding.rule, "")
    return sorted(found.values(), key=lambda item: item.key)


def states(findings: Sequence[Finding], status: Mapping[str, str]) -> dict[str, str]:
    """Return the state of every device that the audit looked at: unread, error, warning or ok."""
    found = {name: "unread" if word == "failed" else "ok" for name, word in status.items()}
    for finding in findings:
        known = found.get(finding.device)
        if known is None or known in {"unread", "error"}:
            continue
        if finding.severity is Severity.ERROR:
            found[finding.device] = "error"
        elif finding.severity is Severity.WARNING:
            found[finding.device] = "warning"
    return found


def bad_ports(findings: Sequence[Finding]) -> dict[tuple[str, str], str]:
    """Return the ports that an error or a warning names."""
    found: dict[tuple[str, str], str] = {}
    for finding in findings:
        if finding.severity is Severity.INFO:
            continue
        for port in finding.ports:
            key = (finding.device, port)
            if found.get(key) != "error":
                found[key] = finding.severity.word
    return found
