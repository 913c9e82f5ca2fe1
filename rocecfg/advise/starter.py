"""The starter intent of a RoCE verdict: one leaf and two hosts to begin with, checked before it is written.

A preset that fits the NICs is named; without one, the classes stand in the file. Nothing here is sized for the whole
fabric: what the planner can derive is left to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocecfg.errors import IntentError, UsageError
from rocecfg.units import print_rate, shown

if TYPE_CHECKING:
    from rocecfg.advise.judge import Advice
    from rocecfg.advise.knowledge import Knowledge

_CLASSES = {
    "lossless": "  roce: {dscp: 26, priority: 3, lossless: true}\n",
    "lossy": "  roce: {dscp: 26, priority: 3, lossless: false, kind: roce}\n",
}
_CNP = "  cnp:  {dscp: 48, priority: 6, strict: true}\n"


def carrier(advice: Advice, known: Knowledge) -> str | None:
    """Return the first answer of the verdict that an intent can be written for."""
    return next((name for name in advice.verdict.choices if known.choices[name].intent), None)


def starter_intent(advice: Advice, known: Knowledge) -> str:
    """Return the text of the intent. Raises UsageError: the verdict is no RoCE, or a system is not known."""
    name = carrier(advice, known)
    if name is None:
        titles = " or ".join(known.choices[name].title["en"] for name in advice.verdict.choices)
        raise UsageError(
            f"no intent is written: the verdict is {titles or 'not established'}, and an intent is of RoCE"
        )
    text = _text(advice, known, name)
    _check(text)
    return text


def _text(advice: Advice, known: Knowledge, name: str) -> str:
    facts, form = advice.facts, str(known.choices[name].intent)
    nos, nic = (_system(facts, known, word, kind) for word, kind in (("nos", "switch"), ("nic", "host")))
    preset = known.starter["presets"].get(nic) if form == "lossless" else None
    stand_ins = [word for word in ("nos", "nic") if f"hardware.{word}" not in facts]
    speed = facts.get("link.speed")
    plan = str(facts.get("name", "pod1"))
    first, second = _port_names(nos)
    model = f", model: {_quoted(facts['hardware.model'])}" if "hardware.model" in facts else ""
    return "".join(
        [
            f"# Starter intent for: {known.choices[name].title['en']} (rocecfg advise).\n",
            "# One leaf and two hosts: add yours, then `rocecfg plan`, `rocecfg lint`, `rocecfg render`.\n",
            *(f"# {word}: nobody named one, this stands in; `rocecfg vendors` lists them.\n" for word in stand_ins),
            "" if speed is not None else "# speed: nobody named one, this stands in.\n",
            "# cable: write the real lengths, headroom depends on them.\n",
            f"version: 1\nfabric: {_quoted(plan)}\n",
            f"preset: {preset}\n" if preset else f"classes:\n{_CLASSES[form]}{_CNP}",
            "" if form == "lossless" else "settings: {pfc: {mode: off}, congestion_control: dcqcn}\n",
            f"devices:\n  leaf1:      {{nos: {nos}{model}, role: leaf}}\n",
            f"  gpu[01-02]: {{nic: {nic}, role: host}}\nlinks:\n",
            *(
                f'  - {{a: "leaf1:{port}", b: "gpu{number:02}:rail0", speed: {print_rate(speed or 400 * 10**9)}, '
                "cable: 5m dac}\n"
                for number, port in enumerate((first, second), 1)
            ),
        ]
    )


def _quoted(text: Any) -> str:
    import json

    return json.dumps(str(text))


def _system(facts: dict[str, Any], known: Knowledge, word: str, kind: str) -> str:
    """Return the system to write for. Raises UsageError for one that is not known."""
    from rocecfg.errors import did_you_mean
    from rocecfg.vendor import registry

    name = str(facts.get(f"hardware.{word}", known.starter[word]))
    accepted = [system for system in registry.names() if registry.get(system).manifest.kind == kind]
    if name not in accepted:
        near = did_you_mean(name, accepted)
        raise UsageError(f"hardware.{word}: {shown(name)} is not known{near}; accepted: {', '.join(accepted)}")
    return name


def _port_names(nos: str) -> tuple[str, str]:
    from rocecfg.vendor import registry

    first, second, *_ = registry.get(nos).manifest.port_names
    return first, second


def _check(text: str) -> None:
    """Raise UsageError when the intent does not load or cannot be planned: better none than a wrong one."""
    from rocecfg.errors import PlanError, RenderError
    from rocecfg.intent.expand import expand
    from rocecfg.intent.load import parse_intent
    from rocecfg.plan.resolve import plan

    try:
        refused = plan(expand(parse_intent(text, "starter"))).refusals()
    except (IntentError, PlanError, RenderError) as error:
        raise UsageError(f"no intent is written: {error}") from error
    if refused:
        raise UsageError(f"no intent is written: {refused[0].because}")
