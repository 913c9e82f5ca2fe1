"""Fills in what a system does where its complete text is silent, and marks each leaf that was filled."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rocecfg.state.model import PortQos

_V = TypeVar("_V")


class Defaults:
    """The defaults of one `PortQos`; a system's own class says which they are."""

    def __init__(self, given: PortQos) -> None:
        self.given = given
        self.filled: set[str] = set()
        """Paths of the leaves that hold a default."""

    def fill(self, path: str, whole: bool, value: _V | None, default: _V | None) -> _V | None:
        """Return the stated value, else the default where the text was whole; None is no default."""
        if value is not None or not whole or default is None:
            return value
        self.filled.add(path)
        return default

    def marked(self, changed: PortQos) -> PortQos:
        """Return the filled `PortQos` with its marks; the given object where nothing is different."""
        if not self.filled:
            return self.given if changed == self.given else changed
        return replace(changed, defaulted=self.given.defaulted | self.filled)
