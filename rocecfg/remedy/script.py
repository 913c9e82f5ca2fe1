"""Hosts: the remedy is the rendered script, which changes only what differs; the undo, one of what was there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rocecfg.drift.compare import compare
from rocecfg.errors import RocecfgError
from rocecfg.plan.planned import PlannedDevice
from rocecfg.remedy.make import Effect, Remedy
from rocecfg.remedy.rules import RISKS
from rocecfg.render.engine import as_capture, render
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocecfg.findings import Finding
    from rocecfg.remedy.rules import Rules
    from rocecfg.state.model import Device


def of_host(start: Remedy, planned: PlannedDevice, live: Device, findings: Sequence[Finding], rules: Rules) -> Remedy:
    """Return the remedy of a host: its script, and what it will change in words."""
    script = render(planned.fitted)[0]
    ext = script.file.rpartition(".")[2]
    effects = []
    for finding in findings:
        text = f"{finding.object}: {finding.message}" if finding.object else finding.message
        risk = rules.risk(finding.leaf)
        effects.append(Effect(*((risk.risk, 1, text, risk.source) if risk is not None else (RISKS[1], 1, text))))
    files = {f"remedy.{ext}": script.content}
    undo = _undo(planned, live)
    by_hand: tuple[str, ...] = ()
    if undo:
        files[f"undo.{ext}"] = undo
    else:
        by_hand = ("undo: what was there cannot be written as a script; keep the capture, it holds every value",)
    effects.sort(key=lambda effect: (-RISKS.index(effect.risk), effect.example))
    return replace(
        start,
        files=files,
        commands=tuple(script.content.splitlines()),
        undo=tuple(undo.splitlines()),
        risk=max((effect.risk for effect in effects), key=RISKS.index),
        effects=tuple(effects),
        steps=rules.apply,
        check=rules.check,
        by_hand=by_hand,
    )


def _undo(planned: PlannedDevice, live: Device) -> str:
    """Return the script that sets what the host has now; nothing where it could not be read back as that."""
    ports = {name: port for name, port in live.ports.items() if name in planned.fitted.ports}
    before = replace(live, ports=ports, name=planned.name, apps=None)
    try:
        fitted, _ = registry.get(live.nos).module.fit(before)
        files = render(fitted)
        back = parse(as_capture(fitted, files))
    except (RocecfgError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
        return ""  # a live host may lack what a plan always has: then there is no script of it
    proof = PlannedDevice(planned.name, before, fitted, ())
    reached = not compare(proof, back).findings and not compare(proof, live).findings
    return files[0].content if reached else ""
