"""What became of devices, as findings of the family RUN and as JSON: shared by `pull` and `audit`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocecfg.findings import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.collect.target import DeviceResult

_RULES = {
    "RUN-001": ("unreachable", "check address, port, access list and jump host"),
    "RUN-002": ("login-refused", "set ROCECFG_USERNAME and ROCECFG_PASSWORD (ROCECFG_ENABLE), or use a key"),
    "RUN-003": ("host-key", "compare the key on the device's console, then correct the known hosts file"),
    "RUN-004": ("incomplete-text", "read the device again; where it stays so, save the text by other means"),
    "RUN-005": ("wrong-device", "correct the address or the system in the inventory, or the name on the device"),
    "RUN-006": ("command-refused", "give the account the right to run it; a release without it: nothing to do"),
    "RUN-007": ("not-understood", "report it with the text"),
    "RUN-008": ("internal-error", "report it with the command"),
}


def of_results(results: Iterable[DeviceResult]) -> list[Finding]:
    """Return a finding for each device that was not read whole; a refused extra is a warning."""
    found = []
    for result in results:
        if result.rule:
            name, cure = _RULES[result.rule]
            severity = Severity.WARNING if result.status == "ok" else Severity.ERROR
            found.append(
                Finding(result.rule, name, severity, result.device, "", result.reason, cure, file=result.folder)
            )
    return found


def as_plain(results: Iterable[DeviceResult]) -> list[dict[str, Any]]:
    """Return results as the `devices` of JSON reports."""
    return [
        {
            "device": result.device,
            "nos": result.nos,
            "status": result.status,
            "reason": result.reason,
            "seconds": round(result.seconds, 3),
            "rule": result.rule,
            "folder": result.folder,
        }
        for result in results
    ]
