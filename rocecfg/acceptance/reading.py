"""What one flow measured, whatever tool measured it, and what makes an output unfit to be judged."""

from __future__ import annotations

from dataclasses import dataclass


class NoJudgement(Exception):  # noqa: N818 - it is no mistake of ours
    """An output that says nothing certain; the message says why. Never a pass, never a failure."""


class FlowBroke(Exception):  # noqa: N818
    """The tool ran and the network did not carry the flow; the message is the tool's own line."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one flow measured: numbers that the tool does not give are None."""

    gbps: float | None = None
    """Gigabits of payload a second."""
    size: int = 0
    """Bytes of a message."""
    messages: int = 0
    """Messages that were sent while it measured."""
    typical_us: float | None = None
    """Half of the round trip, microseconds: the median, or the average of a run by time."""
    p99_us: float | None = None
    mtu: int | None = None
    """Payload of an RDMA packet, bytes."""
    lost: float | None = None
    """Share of packets lost (ping)."""
    wrong: int = 0
    """Values that a collective computed wrongly."""
    remarks: tuple[str, ...] = ()
