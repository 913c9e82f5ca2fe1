"""Why a device could not be read, in one true sentence."""

from __future__ import annotations

UNREACHABLE, LOGIN, HOST_KEY, INCOMPLETE, WRONG_DEVICE, REFUSED, INTERNAL = (
    "RUN-001", "RUN-002", "RUN-003", "RUN-004", "RUN-005", "RUN-006", "RUN-008",
)  # fmt: skip


class TroubleError(Exception):
    """A device that could not be read: the rule it is a finding of, the reason, and whether another try may help."""

    def __init__(self, rule: str, reason: str, *, again: bool = False) -> None:
        super().__init__(reason)
        self.rule, self.reason, self.again = rule, reason, again

    def __reduce__(self) -> tuple[object, ...]:
        return _made, (self.rule, self.reason, self.again)


def _made(rule: str, reason: str, again: bool) -> TroubleError:
    return TroubleError(rule, reason, again=again)
