"""Loads an intent for a command, with the systems that this installation knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

    from rocecfg.intent.fabric import Fabric
    from rocecfg.plan.planned import Plan


def load_fabric(path: Path, text: str | None = None) -> Fabric:
    """Return the fabric of an intent file, or of stdin for `-`. Raises IntentError with every problem."""
    from rocecfg.intent.expand import expand
    from rocecfg.intent.load import load_intent, parse_intent
    from rocecfg.vendor.registry import known_systems

    if str(path) == "-":
        from rocecfg.cli.inputs import stdin_bytes
        from rocecfg.cli.terminal import or_usage_error

        source = or_usage_error(stdin_bytes) if text is None else text
        return expand(parse_intent(source, "<stdin>", known_systems()))
    return expand(load_intent(path, known_systems()))


def load_plan(path: Path) -> Plan:
    """Return the plan of an intent. Raises IntentError, PlanError."""
    from rocecfg.plan.resolve import plan

    return plan(load_fabric(path))


def chosen_devices(plan: Plan, globs: tuple[str, ...]) -> list[str]:
    """Return the device names that the globs choose, all without globs, in the intent's order.

    Raises UsageError for a glob that chooses nothing: a typing mistake must not look like "nothing to do".
    """
    from fnmatch import fnmatchcase

    for glob in globs:
        if not any(fnmatchcase(name, glob) for name in plan.devices):
            raise UsageError(f'no device of {plan.name} is called "{glob}"{did_you_mean(glob, plan.devices)}')
    return [name for name in plan.devices if not globs or any(fnmatchcase(name, glob) for glob in globs)]
