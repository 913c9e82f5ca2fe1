"""Lets a room be called like the function of `rocecfg.api` that has its name: `rocecfg.plan(...)`.

`from rocecfg import plan` gives the package `rocecfg.plan` as soon as anything has imported it, whatever the name
stood for before: Python sets a package's parts as its attributes. So the package forwards the call.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class CallableRoom(ModuleType):
    """A package that can be called."""

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Call the function of `rocecfg.api` that has the room's name."""
        from rocecfg import api

        return getattr(api, self.__name__.rpartition(".")[2])(*given, **named)


def make_callable(room: str) -> None:
    """Let a package that is being imported be called."""
    sys.modules[room].__class__ = CallableRoom
