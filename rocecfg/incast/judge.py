"""What acts first, marks or PAUSE: the closed form, then the stepped model, as a verdict and as findings."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from rocecfg.findings import Finding, NotEvaluated, Severity
from rocecfg.physics import marking
from rocecfg.physics.dcqcn import Reaction as Increase
from rocecfg.physics.derived import Derived
from rocecfg.physics.ecn import Ramp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocecfg.incast.numbers import Incast
    from rocecfg.incast.result import Run
    from rocecfg.incast.scene import Changes, Scene
    from rocecfg.physics.marking import Check

Verdict = Literal["ECN first", "marginal", "PFC first", "no congestion", "not evaluated"]
CLEAR, LATE = 0.9, 1.1
"""Below nine tenths of the way to PAUSE marks clearly act first; above eleven tenths PAUSE does."""
RULES = {"PFC first": "SIM-001", "marginal": "SIM-002", "headroom": "SIM-003"}


@dataclass(slots=True)
class Closed:
    """Layer 1: what can be said without stepping through time."""

    pause_depth: float
    earliest_us: float | None
    check: Check | None
    settles: Derived | None


@dataclass(slots=True)
class Case:
    """One incast judged."""

    scene: Scene
    changes: Changes
    verdict: Verdict
    missing: tuple[str, ...] = ()
    incast: Incast | None = None
    closed: Closed | None = None
    run: Run | None = None
    reach: float = 0.0
    """How far the buffer would go towards PAUSE if nobody paused: 1 = exactly there."""
    findings: list[Finding] = field(default_factory=list)

    def not_evaluated(self) -> NotEvaluated | None:
        """Return what is missing, for reports."""
        if self.verdict != "not evaluated":
            return None
        return NotEvaluated("simulate", self.scene.switch, "; ".join(self.missing))


def judge(scenes: Sequence[Scene], sweep: Sequence[Changes], duration_us: float, *, record: bool) -> list[Case]:
    """Return every scene with every set of changes, judged. Needs numpy.

    The second run lets the buffer grow without PAUSE, only where PAUSE went out: it tells a near miss from a flood.
    """
    from rocecfg.incast import model

    cases = []
    for scene in scenes:
        for changes in sweep:
            swept = {name for name, _ in changes}
            missing = tuple(text for text in scene.missing if not _cured(text, swept))
            case = Case(scene, changes, "not evaluated", missing)
            if not missing:
                case.incast = scene.incast(changes)
                case.closed = closed_form(case.incast)
            cases.append(case)
    ready = [case for case in cases if case.incast is not None]
    runs = model.run([_incast(case) for case in ready], duration_us, record=record) if ready else []
    for case, run in zip(ready, runs, strict=True):
        case.run, case.reach = run, run.fill
    paused = [case for case in ready if case.run is not None and case.run.pause_at is not None]
    if paused:
        free = model.run([_incast(case) for case in paused], duration_us, pfc=False, enough=LATE)
        for case, run in zip(paused, free, strict=True):
            case.reach = max(run.fill, 1.0)
    for case in ready:
        if _incast(case).offered <= _incast(case).rate:
            case.verdict = "no congestion"
            continue
        case.verdict = "ECN first" if case.reach <= CLEAR else "marginal" if case.reach <= LATE else "PFC first"
        case.findings = list(_findings(case))
    return cases


def stage(run: Run) -> str:
    """Return whether PAUSE went out in the first burst or when senders that had slowed down came back."""
    again = run.pause_at is not None and run.calm_at is not None and run.pause_at > run.calm_at
    return "when the senders speed up again" if again else "in the first burst"


def _incast(case: Case) -> Incast:
    assert case.incast is not None
    return case.incast


_CURES = {"PAUSE threshold": {"alpha", "xoff"}, "shared buffer": {"pool"}, "Kmin": {"kmin"}, "Kmax": {"kmax"},
          "Pmax": {"pmax"}, "headroom": {"headroom"}}  # fmt: skip


def _cured(missing: str, swept: set[str]) -> bool:
    """Return whether a sweep states what was missing."""
    return any(missing.startswith(what) and names & swept for what, names in _CURES.items())


def closed_form(incast: Incast) -> Closed:
    """Return layer 1: depth at PAUSE, earliest PAUSE, the fan-in inequality, where DCQCN settles."""
    check, settles = None, None
    if incast.ramp is not None:
        low, high, top = incast.ramp
        if incast.alpha is not None and incast.pool is not None:
            shared = marking.Shared(incast.pool, incast.alpha, incast.reserved)
            check = marking.fan_in(low, incast.rate, incast.rtt_ns, shared, incast.ports)
        if high > low and top > 0 and incast.senders > 1 and incast.message is None:
            settles = settled(incast)
    return Closed(incast.pause_depth(), incast.earliest_pause_us(), check, settles)


def settled(incast: Incast) -> Derived:
    """Return where the fluid model says the queue settles."""
    assert incast.ramp is not None
    low, high, top = incast.ramp
    made = Ramp(Derived(low, "B", ""), Derived(high, "B", ""), Derived(max(top, Fraction(1)), "%", ""))
    values = incast.reaction
    flows = incast.senders + incast.background
    increase = Increase(
        values["rpg_ai_rate"], max(values["rpg_time_reset"], 1), values["rpg_byte_reset"], max(values["dce_tcp_rtt"], 1)
    )
    return marking.settles_at(made, incast.rate, flows, increase, incast.frame)


def _findings(case: Case) -> Any:
    """Yield what is worth a person's attention: a warning where PAUSE acts first, a remark where it is close."""
    scene, run, incast = case.scene, case.run, case.incast
    assert run is not None
    assert incast is not None
    where = f"{scene.port}, {incast.senders}:1"
    if case.verdict == "PFC first":
        assert run.pause_at is not None
        when = f"after {run.pause_at:.0f} us, {stage(run)}"
        yield _finding(
            "PFC first", "pause-before-marks", Severity.WARNING, scene, where,
            f"PAUSE goes out {when}: marks do not slow {incast.senders} senders in time; headroom use"
            f" {run.headroom_part:.0%}, ports silenced {run.paused:.1%} of the time",
            "a shorter interval between notifications, more shared buffer or a larger alpha, fewer senders at once",
        )  # fmt: skip
    elif case.verdict == "marginal":
        yield _finding(
            "marginal", "pause-near-marks", Severity.INFO, scene, where,
            f"{incast.senders} senders fill {case.reach:.0%} of the way to PAUSE: too close for the model to say",
            "leave more room: a shorter interval between notifications, more shared buffer",
        )  # fmt: skip
    over_pool = incast.headroom_pool is not None and run.headroom_total > incast.headroom_pool
    if run.headroom_part > 1 or over_pool:
        used = (
            f"{run.headroom_total:.0f} B of a headroom pool of {incast.headroom_pool} B"
            if over_pool
            else f"{run.headroom:.0f} B in one group, {run.headroom_part:.0%} of its headroom"
        )
        yield _finding(
            "headroom", "headroom-overrun", Severity.WARNING, scene, where,
            f"after PAUSE {used} arrive: lossless packets would be dropped",
            "more headroom, or less over-subscription of its pool",
        )  # fmt: skip


def _finding(kind: str, name: str, severity: Severity, scene: Scene, where: str, message: str, cure: str) -> Finding:
    file, line, column = scene.place if scene.place is not None else ("", 0, 0)
    return Finding(
        RULES[kind], name, severity, scene.switch, where, message, cure, file, line, column, ports=(scene.port,)
    )
