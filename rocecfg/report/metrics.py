"""An audit as a Prometheus text file, for node_exporter's textfile collector (`rocecfg audit --metrics FILE`)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocecfg.cli.auditing import Audited

_HELP = {
    "rocecfg_audit_timestamp_seconds": ("gauge", "When the last audit ended (Unix time)."),
    "rocecfg_audit_duration_seconds": ("gauge", "How long the last audit took."),
    "rocecfg_audit_devices": ("gauge", "Devices of the last audit by what became of them."),
    "rocecfg_findings": ("gauge", "Open findings by device, rule and severity."),
    "rocecfg_device_drift": ("gauge", "Differences between a device and its intent; 0 for a device that was compared."),
    "rocecfg_device_read": ("gauge", "1 = the device was read, 0 = it was not; the rule says why."),
}


def write(audited: Audited) -> str:
    """Return the metrics of an audit in Prometheus' text form 0.0.4."""
    return "".join(f"{line}\n" for line in _lines(audited))


def _lines(audited: Audited) -> Iterator[str]:
    fabric = {"fabric": audited.fabric}
    yield from _metric("rocecfg_audit_timestamp_seconds", [(fabric, audited.finished.timestamp())])
    seconds = (audited.finished - audited.started).total_seconds()
    yield from _metric("rocecfg_audit_duration_seconds", [(fabric, round(seconds, 3))])
    states = Counter(item.status for item in audited.devices)
    yield from _metric(
        "rocecfg_audit_devices",
        [({**fabric, "status": status}, states.get(status, 0)) for status in ("ok", "partial", "failed")],
    )
    found = Counter((item.device, item.rule, item.severity.word) for item in audited.outcome.findings)
    yield from _metric(
        "rocecfg_findings",
        [
            ({**fabric, "device": device, "rule": rule, "severity": severity}, count)
            for (device, rule, severity), count in sorted(found.items())
        ],
    )
    drifted = Counter(item.device for item in audited.outcome.findings if item.rule == "DRIFT-001")
    read = [item for item in audited.devices if item.status != "failed"]
    yield from _metric(
        "rocecfg_device_drift", [({**fabric, "device": item.device}, drifted.get(item.device, 0)) for item in read]
    )
    yield from _metric(
        "rocecfg_device_read",
        [
            ({**fabric, "device": item.device, "rule": item.rule}, int(item.status != "failed"))
            for item in audited.devices
        ],
    )


def _metric(name: str, values: list[tuple[dict[str, str], float]]) -> Iterator[str]:
    kind, text = _HELP[name]
    yield f"# HELP {name} {text}"
    yield f"# TYPE {name} {kind}"
    for labels, value in values:
        shown = ",".join(f'{key}="{_escaped(word)}"' for key, word in labels.items())
        yield f"{name}{{{shown}}} {value:.17g}"


def _escaped(word: str) -> str:
    """Return a label's value as Prometheus reads it, whatever a device called itself."""
    plain = word.encode("utf-8", "backslashreplace").decode("utf-8")
    return plain.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
