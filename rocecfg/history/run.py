"""What one audit leaves behind."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from rocecfg.findings import Finding


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of one device in an audit."""

    device: str
    nos: str
    status: str
    """ "ok", "partial" or "failed"."""
    rule: str = ""
    reason: str = ""
    seconds: float = 0.0
    digest: str = ""
    """Of all its texts as they were stored: equal digests are equal configurations."""


@dataclass(frozen=True, slots=True)
class AuditRun:
    """One audit: when, of which fabric, what was read and what was found."""

    fabric: str
    started: datetime
    finished: datetime
    readings: Sequence[Reading]
    findings: Sequence[Finding]
    rules: frozenset[str] = field(default_factory=frozenset)
    """Rules that ran; a finding of another rule is not resolved by its absence. Empty = all."""
