"""rocecfg: one intent for RoCE, every number with its reason, every device's configuration.

    from rocecfg import drift, lint, load_intent, parse, plan, render

    wanted = plan(load_intent("pod1.roce.yaml"))
    drift(wanted, [parse("captures/leaf1")]).findings

These six functions (`rocecfg.api`, docs/api.md) are loaded when they are first used: importing rocecfg costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocecfg.api import drift, lint, load_intent, parse, plan, render

__version__ = "0.1.0"

__all__ = ["__version__", "drift", "lint", "load_intent", "parse", "plan", "render"]

_ROOMS = ("drift", "lint", "plan", "render")
"""Functions with the name of a room: the room itself can be called (`rocecfg.callroom`)."""


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        from importlib import import_module

        return import_module(f"rocecfg.{name}")
    if name in __all__:
        from rocecfg import api

        return getattr(api, name)
    raise AttributeError(f"module 'rocecfg' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
