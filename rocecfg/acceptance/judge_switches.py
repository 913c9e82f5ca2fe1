"""What the captures of switches before and after a step say: the rules on counters (OPS) judge each pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.acceptance.verdict import Status, Verdict
from rocecfg.errors import RocecfgError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rocecfg.acceptance.model import Acceptance, Step
    from rocecfg.state.model import Device

_STORMS = {"OPS-003", "OPS-011"}
"""Never to be seen in an acceptance, whatever their severity elsewhere."""
_CHECK = "switch counters"


def judge_switches(plan: Acceptance, folder: Path, stage: str, step: Step) -> Iterator[Verdict]:
    """Yield the judgements of every switch that was read, and of the leaves of the step that were not."""
    from rocecfg.api import lint, parse
    from rocecfg.collect.store import folder_name
    from rocecfg.findings import Severity
    from rocecfg.lint.config import Settings

    root = folder / "results" / stage / step.name / "counters"
    hosts = {end.host for flow in step.flows for end in (flow.client, flow.server)} | set(step.hosts)
    near = {port.leaf for host in hosts if host in plan.hosts for port in plan.hosts[host].interfaces.values()}
    unread: list[str] = []
    for switch in sorted(plan.switches):
        places = [root / when / folder_name(switch) for when in ("before", "after")]
        if not any(place.exists() for place in places):
            unread += [switch] if switch in near else []
            continue
        try:
            pair: list[Device] = [parse(place, nos=plan.switches[switch], name=switch) for place in places]
            result = lint(pair, settings=Settings(select=("OPS",)))
        except RocecfgError as error:
            said = str(error).splitlines()[0] if str(error) else "unreadable"
            yield Verdict(stage, step.name, "counters", switch, _CHECK, Status.UNKNOWN, reason=said)
            continue
        if not all(device.sample and device.sample.ports for device in pair):
            said = "the captures hold no counters of its ports"
            yield Verdict(stage, step.name, "counters", switch, _CHECK, Status.UNKNOWN, reason=said)
            continue
        bad = [f for f in result.findings if f.severity is Severity.ERROR or f.rule in _STORMS]
        for found in bad:
            said = f"{found.object}: {found.message}" if found.object else found.message
            yield Verdict(
                stage, step.name, "counters", switch, found.name, Status.FAIL, said, rule=found.rule, help=found.help
            )
        missing = sorted({item.missing for item in result.not_evaluated if item.rule == "OPS-001"})
        if not bad and missing:  # whether the lossless class lost anything is what was asked
            said = "lossless drops: want of " + "; ".join(missing[:3])
            yield Verdict(stage, step.name, "counters", switch, _CHECK, Status.UNKNOWN, reason=said)
        elif not bad:
            remarks = sorted({found.rule for found in result.findings})
            said = "remarks of " + ", ".join(remarks) if remarks else "nothing found"
            yield Verdict(stage, step.name, "counters", switch, _CHECK, Status.PASS, said)
    if unread:
        said = (
            f"not read: {', '.join(unread[:5])}{' ...' if len(unread) > 5 else ''}; set ROCECFG_INVENTORY and run again"
        )
        yield Verdict(stage, step.name, "counters", "leaves of the step", _CHECK, Status.UNKNOWN, reason=said)
