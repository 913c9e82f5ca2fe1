"""A device to read: where it answers, what it runs, how to log in. Inventories make it, sessions use it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.model import Where


class Secret:
    """A password or key phrase. It never shows itself: not in a log, a traceback, a report or a dump."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the secret, for the one place that hands it to the SSH library."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(***)"

    def __str__(self) -> str:
        return "***"

    def __format__(self, spec: str) -> str:
        return "***"

    def __bool__(self) -> bool:
        return bool(self._value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __reduce__(self) -> tuple[type[Secret], tuple[str]]:
        """Travel to a worker process; a pickle of it is as secret as the secret."""
        return Secret, (self._value,)


@dataclass(frozen=True, slots=True)
class Target:
    """One device of an inventory."""

    name: str
    nos: str = ""
    """Our word for its system (`nxos`, `mlx5`), empty when the inventory does not say."""
    address: str = ""
    """Host name or IP address; empty = the name."""
    port: int = 22
    username: str = ""
    password: Secret | None = None
    enable: Secret | None = None
    key_file: str = ""
    groups: tuple[str, ...] = ()
    data: Mapping[str, str] = field(default_factory=dict)
    """Whatever else the inventory says: role, site, model; what `--limit role=leaf` looks at."""
    problem: str = ""
    """Why it cannot be read (a vaulted password, no known system): a finding, and the others go on."""
    place: Where | None = field(default=None, compare=False)
    """Where the inventory names it."""


@dataclass(frozen=True, slots=True)
class DeviceResult:
    """What became of one device. Exactly one of these exists for each target."""

    device: str
    nos: str
    status: Literal["ok", "failed", "partial"]
    rule: str = ""
    """RUN-001 to RUN-008 of what went wrong, empty when nothing did."""
    reason: str = ""
    """One true sentence: what was seen, on which address, in which phase."""
    seconds: float = 0.0
    folder: str = ""
    """The capture folder that was written; empty when none was."""
