"""What waits in a profile that no port has yet: said as information, at the line of the profile."""

from __future__ import annotations

from rocecfg.findings import Severity
from rocecfg.lint.run import lint
from rocecfg.state.model import (
    Amount,
    Curve,
    Device,
    Ecn,
    Named,
    Pfc,
    Port,
    PortQos,
    Queue,
    Where,
    eight,
)

WAITS = Where("leaf1.cfg", 7)


def device(ecn: Ecn) -> Device:
    own = tuple(frozenset({number}) for number in range(8))
    qos = PortQos(
        pfc=Pfc("on", frozenset({3}), frozenset({3})),
        tc_to_queue=(*range(8),),
        tc_to_pg=(*range(8),),
        priority_to_queue=own,
        priority_to_pg=own,
        queues=eight({3: Queue(ecn=ecn)}),
    )
    port = Port("SPARE", qos, places={"queues.3.ecn": WAITS})
    spare = Named("qos profile", "SPARE", defined=True, used=False, matters=True, would=port)
    return Device("leaf1", "nxos", complete=frozenset({"all"}), objects=(spare,))


def found(ecn: Ecn, rule: str) -> list[tuple[Severity, int, str]]:
    findings = lint([device(ecn)]).findings
    return [(item.severity, item.line, item.message) for item in findings if item.rule == rule]


def test_a_step_in_an_unused_profile() -> None:
    step = Ecn((Curve(Amount.of_bytes(320_000), Amount.of_bytes(320_000), 90),))
    ((severity, line, message),) = found(step, "ECN-001")
    assert (severity, line) == (Severity.INFO, 7)
    assert message.startswith('qos profile "SPARE" is in force nowhere; a port that gets it: queue 3')
    assert not found(Ecn((Curve(Amount.of_bytes(1), Amount.of_bytes(320_000), 90),)), "ECN-001")


def test_a_lossless_queue_without_marks_in_an_unused_profile() -> None:
    ((severity, line, message),) = found(Ecn(), "ECN-002")
    assert (severity, line) == (Severity.INFO, 7)
    assert "queue 3 is lossless (priority 3) and marks no ECN" in message
    assert not found(Ecn((Curve(Amount.of_bytes(1), Amount.of_bytes(9), 90),)), "ECN-002")
