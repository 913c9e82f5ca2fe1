"""One judgement of an acceptance run, and what its failure points to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class Status(StrEnum):
    """Passed, failed, or nobody can say."""

    PASS = "pass"  # noqa: S105
    FAIL = "fail"
    UNKNOWN = "cannot judge"


class Cause(NamedTuple):
    """What is probably wrong, and the rules that find it in a configuration."""

    likely: str
    rules: tuple[str, ...]


CAUSES: dict[str, Cause] = {
    "bandwidth": Cause(
        "the flow is not in the lossless class, the NIC's PCIe slot is too slow, or the link trained lower",
        ("QMAP-001", "NIC-002", "NIC-012", "PEER-003", "APP-006"),
    ),
    "bisection": Cause(
        "more hosts than uplinks, a spine link that is down, or lossless classes that do not reach across the spines",
        ("PATH-005", "PATH-001", "ECN-016"),
    ),
    "spread": Cause(
        "one port or device is configured unlike its equals, or its cable has errors",
        ("REF-004", "REF-005", "DRIFT-007", "OPS-009"),
    ),
    "latency": Cause(
        "the flow waits in a shared queue, crosses more switches than planned, or its frames are repaired",
        ("QMAP-001", "PEER-010", "OPS-009", "SCH-002"),
    ),
    "mtu": Cause("a port on the path carries smaller packets than its hosts send", ("PATH-003", "PEER-002", "NIC-015")),
    "rdma mtu": Cause("the NIC's interface was given a smaller MTU than planned", ("NIC-015", "PEER-002")),
    "broke": Cause(
        "packets were lost and retries ran out: PFC is off on a hop, or the MTU does not fit",
        ("PATH-001", "PFC-001", "PATH-003", "APP-005", "WD-006"),
    ),
    "class": Cause(
        "the packets carry another DSCP (a DSCP given where the byte belongs), or the NIC does not trust DSCP",
        ("APP-006", "NIC-002", "QMAP-001", "OPS-006"),
    ),
    "drops": Cause(
        "headroom too small for the cable, or a peer that does not honour the pause",
        ("OPS-001", "BUF-002", "PEER-001", "PFC-001"),
    ),
    "sequence": Cause("packets of the lossless class were lost or took several paths", ("OPS-008", "PATH-001")),
    "pfc": Cause("PFC is on for a priority that is not RoCE", ("OPS-013", "PFC-002", "PEER-001")),
    "global pause": Cause("IEEE 802.3x pause is on beside PFC, or instead of it", ("OPS-012", "NIC-003", "PFC-006")),
    "ecn": Cause(
        "no switch marks the lossless queue, marking begins above the pause threshold, or DCQCN is off",
        ("ECN-002", "ECN-004", "ECN-005", "NIC-006", "OPS-005"),
    ),
    "cnp": Cause("CNPs do not travel in their own class", ("NIC-007", "QMAP-005", "QMAP-006", "OPS-007")),
    "storm": Cause("a receiver is too slow, or marking begins too late", ("OPS-003", "OPS-004", "WD-001", "ECN-005")),
    "incast": Cause(
        "senders are slowed unevenly, or the class has too small a share beside the competitor",
        ("SCH-005", "NIC-008", "BUF-012", "ECN-007"),
    ),
    "collective": Cause(
        "NCCL does not mark its packets, uses the wrong GID, or ranks are not on their own rails",
        ("APP-001", "APP-004", "PATH-005"),
    ),
    "wrong values": Cause("memory or a GPU is at fault, hardly the network", ()),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """One judgement."""

    stage: str
    step: str
    about: str
    """`flow`, `group`, `counters` or `step`."""
    subject: str
    check: str
    status: Status
    measured: str = ""
    limit: str = ""
    reason: str = ""
    cause: str = ""
    """Key of CAUSES, of a failure."""
    share: float | None = None
    """Of what the line carries, for the heat map."""
    rule: str = ""
    """The rule that found it, where one did."""
    help: str = ""
    """What that rule says to do."""

    @property
    def likely(self) -> str:
        """What is probably misconfigured."""
        if self.rule:
            return self.help
        return CAUSES[self.cause].likely if self.status is Status.FAIL and self.cause else ""

    @property
    def rules(self) -> tuple[str, ...]:
        """Ids of the rules that explain it."""
        if self.rule:
            return (self.rule,)
        return CAUSES[self.cause].rules if self.status is Status.FAIL and self.cause else ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """All judgements of a run."""

    intent: str
    verdicts: tuple[Verdict, ...]
    pairs: dict[tuple[str, str], tuple[Status, float | None]] = field(default_factory=dict)
    """(client, server) host -> its worst status and lowest share of the line."""

    @property
    def counts(self) -> Counter[Status]:
        """How many judgements ended how; steps and stages only sum them up."""
        return Counter(verdict.status for verdict in self.verdicts if verdict.about not in {"step", "stage"})

    @property
    def status(self) -> Status:
        """The whole: failed when anything failed, passed when all passed."""
        return worst(verdict.status for verdict in self.verdicts)


def worst(statuses: object) -> Status:
    """Return the worst of several; of none, that nobody can say."""
    found = set(statuses)  # type: ignore[call-overload]
    return Status.FAIL if Status.FAIL in found else Status.PASS if found == {Status.PASS} else Status.UNKNOWN
