"""A made-up audit: a fabric, findings of many kinds, hostile ones among them, its history and its remedies."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from rocecfg.cli.auditing import Audited
from rocecfg.collect.target import DeviceResult
from rocecfg.findings import Finding, NotEvaluated, NotUnderstood, Severity
from rocecfg.history.query import Account, Audit, Known
from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.lint.identity import fingerprints
from rocecfg.plan.resolve import plan
from rocecfg.remedy.make import Remedy
from rocecfg.report.outcome import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rocecfg.plan.planned import Plan

FINISHED = datetime(2026, 3, 4, 2, 3, 20, tzinfo=UTC)
EVIL = """<img src=x onerror="alert(1)"></script><script>alert(2)</script>"""
EVIL_NAME = "leaf'\"><svg onload=alert(3)>\u202e\x1b[31m"

SMALL = """
version: 1
fabric: pod1
classes:
  roce: {dscp: 26, priority: 3, lossless: true, bandwidth: 60%}
  cnp: {dscp: 48, priority: 6, strict: true}
devices:
  leaf[1-4]: {nos: nxos, model: N9K-C9364D-GX2A, role: leaf}
  spine[1-2]: {nos: sonic, model: Mellanox-SN5600, role: spine}
  gpu[01-16]: {nic: mlx5, model: ConnectX-7, role: host}
links:
  - {a: "leaf1:Ethernet1/[1-16]", b: "gpu[01-16]:rail0", speed: 400G, cable: 5m dac}
  - {a: "leaf2:Ethernet1/[1-16]", b: "gpu[01-16]:rail1", speed: 400G, cable: 5m dac}
  - {a: "leaf3:Ethernet1/[1-16]", b: "gpu[01-16]:rail2", speed: 400G, cable: 5m dac}
  - {a: "leaf4:Ethernet1/[1-16]", b: "gpu[01-16]:rail3", speed: 400G, cable: 5m dac}
  - {a: "leaf[1-4]:Ethernet1/[49-50]", b: "spine1:Ethernet[0-56:8]", speed: 400G, cable: 30m fibre}
  - {a: "leaf[1-4]:Ethernet1/[51-52]", b: "spine2:Ethernet[0-56:8]", speed: 400G, cable: 30m fibre}
"""
_CAPTURE = """hostname leaf2
interface Ethernet1/7
  description to gpu07
  priority-flow-control mode off
  mtu 9216
"""


def planned(text: str = SMALL) -> Plan:
    return plan(expand(parse_intent(text, "pod1.roce.yaml")))


def small_findings(folder: Path | None = None) -> list[Finding]:
    """Findings of the small fabric; with a folder, its capture of leaf2 is written there."""
    file = "captures/leaf2/show_running-config.txt"
    if folder is not None:
        path = folder / "leaf2" / "show_running-config.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_CAPTURE)
        file = str(path)
    ports = tuple(f"Ethernet1/{number}" for number in range(1, 17))
    made = [
        Finding("PFC-004", "pfc-off-on-lossless-port", Severity.ERROR, "leaf2", "Ethernet1/7 priority 3",
                "PFC is off on a port that carries lossless priority 3: PAUSE from gpu07 is ignored and RoCE is dropped"
                " there", "type `priority-flow-control mode on` below `interface Ethernet1/7`", file, 4, 3,
                ("Ethernet1/7",), "pfc.admin"),
        Finding("DRIFT-001", "rendered-vs-live", Severity.ERROR, "leaf2", "Ethernet1/7",
                "PFC is off, the plan wants on (class roce is lossless)",
                "set it to on with the lines that `rocecfg render` writes, or change the intent", file, 4, 3,
                ("Ethernet1/7",), "pfc.admin"),
        Finding("WD-001", "no-watchdog", Severity.WARNING, "leaf4", "Ethernet1/1-16 priority 3",
                "no PFC watchdog on 16 lossless ports: one stuck NIC can stop the fabric",
                "type `priority-flow-control watch-dog-interval on`", "captures/leaf4/show_running-config.txt", 0, 0,
                ports, "watchdog.enabled"),
        Finding("OPS-003", "pause-duty-storm", Severity.ERROR, "spine1", "Ethernet24 priority 3",
                "48211 PAUSE frames a second came in over 300 s: the receiver is not draining",
                "look at the host behind leaf4 first", "captures/spine1/pfc_counters.txt", 12, 0, ("Ethernet24",)),
        Finding("RUN-002", "login-refused", Severity.ERROR, "gpu09", "",
                "10.0.2.9:22 refused the password of user audit", "check the user, the password or key"),
    ]  # fmt: skip
    made += [
        Finding("ECN-003", "ramp-differs", Severity.WARNING, f"leaf{number}", "queue 3",
                "Kmin is 150000 B, its peers of role leaf have 1000000 B", "set Kmin to 1000000 B",
                f"captures/leaf{number}/show_running-config.txt", 40 + number, 0, (), "queues.3.ecn")
        for number in (1, 3, 4)
    ]  # fmt: skip
    made += [
        Finding("NIC-011", "ring-size", Severity.INFO, f"gpu{number:02}", "rail0-3", "the receive ring holds 1024",
                "ethtool -G rail0 rx 8192", f"captures/gpu{number:02}/ethtool.txt", 3)
        for number in range(1, 17) if number != 9
    ]  # fmt: skip
    return made


def audited(
    findings: Sequence[Finding], names: Sequence[str], failed: dict[str, tuple[str, str]] | None = None
) -> Audited:
    failed = failed or {}
    outcome = Outcome(
        findings=list(findings),
        not_evaluated=[NotEvaluated("BUF-007", name, "the size of the shared buffer") for name in names[:3]],
        not_understood=[NotUnderstood("captures/leaf1/show_running-config.txt", 77, "  hardware qos frobnicate 7")],
        devices=len(names) - len(failed),
        files=len(names),
        unreadable=len(failed),
        rules=tuple(sorted({item.rule for item in findings} | {"BUF-007", "PFC-001"})),
    )
    results = [
        DeviceResult(name, "nxos", "failed", *failed[name]) if name in failed else DeviceResult(name, "nxos", "ok")
        for name in names
    ]
    return Audited("pod1", FINISHED - timedelta(seconds=42), FINISHED, outcome, results)


def small(folder: Path | None = None) -> tuple[Audited, Plan]:
    made = planned()
    failed = {"gpu09": ("RUN-002", "10.0.2.9:22 refused the password of user audit after the key was not accepted")}
    return audited(small_findings(folder), list(made.devices), failed), made


def hostile() -> tuple[Audited, Plan]:
    """The small audit with a device, an object, a message and lines that try to be markup."""
    run, made = small()
    run.outcome.findings += [
        Finding("PFC-004", EVIL, Severity.ERROR, EVIL_NAME, EVIL, EVIL, EVIL + "`", EVIL, 1, 0, (EVIL,)),
        Finding(EVIL, EVIL, Severity.WARNING, "", EVIL, "javascript:alert(4) \ud800 \x00 \u2028", "`" + EVIL + "`"),
    ]
    run.outcome.not_understood.append(NotUnderstood(EVIL, 1, EVIL))
    run.outcome.not_evaluated.append(NotEvaluated(EVIL, EVIL_NAME, EVIL))
    run.devices += [
        DeviceResult(EVIL_NAME, EVIL, "ok"),
        DeviceResult(EVIL + "2", EVIL, "failed", "RUN-001", EVIL),
    ]
    run.fabric = EVIL
    return run, made


def history(run: Audited, days: int = 12, *, recorded: bool = True) -> Account:
    """A history in which the last two errors are new and one warning went away."""
    now = run.finished.replace(tzinfo=None)
    findings = run.outcome.findings
    marks = fingerprints(findings)
    known = []
    for at, (finding, mark) in enumerate(zip(findings, marks, strict=True)):
        first = now if at < 2 else now - timedelta(days=5)
        if recorded or at >= 2:
            known.append(_known(finding, mark, first, now))
    gone = Finding("MTU-002", "mtu-differs", Severity.ERROR, "leaf3", "Ethernet1/4", "MTU 1500 against 9216", "")
    when = now if recorded else None
    known.append(_known(gone, "f" * 32, now - timedelta(days=9), now - timedelta(days=1), when))
    audits = [
        Audit(days - back, run.fabric, now - timedelta(days=back, seconds=42), now - timedelta(days=back), "0.1.0",
              len(run.devices), int(back % 4 == 1), max(3 + back // 2, 1), 4 + back % 3, 15, 2, 1)
        for back in range(0 if recorded else 1, days)
    ]  # fmt: skip
    return Account(tuple(audits), tuple(known))


def _known(finding: Finding, mark: str, first: datetime, last: datetime, gone: datetime | None = None) -> Known:
    return Known(finding.rule, finding.name, finding.severity.word, finding.device, finding.object, finding.message,
                 finding.help, finding.file, finding.line, first, last, gone, 1, mark)  # fmt: skip


def hostile_remedy() -> Remedy:
    words = (EVIL,)
    return Remedy(EVIL, EVIL, EVIL, {EVIL: EVIL}, words, words, EVIL, (), words, words, words)


def remedies() -> dict[str, Remedy]:
    ramp = ("class c-roce", "  random-detect minimum-threshold 1000000 bytes")
    return {
        "leaf2": Remedy(
            "leaf2",
            commands=("interface Ethernet1/7", "  priority-flow-control mode on", "  mtu 9216"),
            undo=("interface Ethernet1/7", "  priority-flow-control mode off"),
            risk="port flap",
            steps=("drain gpu07", "enter the lines", "read the counters again"),
            check=("show interface priority-flow-control",),
        ),
        **{f"leaf{number}": Remedy(f"leaf{number}", commands=ramp, risk="none") for number in (1, 3, 4)},
        "gpu03": Remedy("gpu03", by_hand=("no commands back are known for this system",)),
    }


def large(switches: int) -> str:
    """An intent of leaves with 32 hosts' ports (one host a leaf) and spines, 64 ports each."""
    leaves = switches - 16
    return f"""
version: 1
fabric: pod1
classes:
  roce: {{dscp: 26, priority: 3, lossless: true, bandwidth: 60%}}
  cnp: {{dscp: 48, priority: 6, strict: true}}
devices:
  leaf[0001-{leaves:04}]: {{nos: nxos, model: N9K-C9364D-GX2A, role: leaf}}
  spine[01-16]: {{nos: nxos, model: N9K-C9364D-GX2A, role: spine}}
  gpu[0001-{leaves:04}]: {{nic: mlx5, model: ConnectX-7, role: host}}
links:
  - {{a: "leaf[0001-{leaves:04}]:Ethernet1/1", b: "gpu[0001-{leaves:04}]:rail0", speed: 400G, cable: 5m dac}}
""" + "".join(
        f'  - {{a: "leaf[0001-{leaves:04}]:Ethernet1/{32 + spine}", b: "spine{spine:02}:Ethernet1/[1-{leaves}]",'
        " speed: 400G, cable: 30m fibre}\n"
        for spine in range(1, 17)
    )


def many_findings(names: Sequence[str], count: int) -> list[Finding]:
    """A third the same everywhere, a third with its own ports, a third with its own numbers."""
    made = []
    for at in range(count):
        name = names[at * 7 % len(names)]
        file = f"captures/{name}/show_running-config.txt"
        ports = tuple(f"Ethernet1/{port}" for port in range(1, 2 + at % 48))
        about = f"Ethernet1/1-{1 + at % 48} priority 3"
        text = (
            "PFC is off on a lossless port",
            "headroom is 0 B, 98304 B are needed",
            f"{at} drops of priority 3 in 300 s",
        )
        rule = (("PFC-004", "pfc-off"), ("BUF-001", "headroom"), ("OPS-001", "lossless-drops"))[at % 3]
        made.append(Finding(*rule, Severity(1 + at % 3), name, about if at % 3 else "Ethernet1/1-32", text[at % 3],
                            "type `priority-flow-control mode on`", file, 100 + at % 50, 3, ports))  # fmt: skip
    return made
