"""The runner: what is judged once, where findings point, what a broken rule does, and that order does not matter."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from rocecfg import packs
from rocecfg.fabric.links import Cable, PortName
from rocecfg.findings import Severity
from rocecfg.lint import load
from rocecfg.lint.api import Expected, ExpectedClass
from rocecfg.lint.config import Settings, read_settings
from rocecfg.lint.run import Linter, lint
from rocecfg.state.model import Device, LinkPause, Neighbour, Pfc, Port, PortQos, PortWatchdog, Where, intern_ports
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PFC = Pfc("on", frozenset({3}), frozenset({3}))
UNWATCHED = PortQos(pfc=PFC, watchdog=PortWatchdog(enabled=False), link_pause=LinkPause(rx=False, tx=False))


def switch(name: str, *ports: Port, **more: object) -> Device:
    return Device(name, "demo", intern_ports(ports), **more)  # type: ignore[arg-type]


def only(*rules: str) -> Settings:
    return Settings(select=rules)


def test_one_finding_lists_all_ports_that_share_the_deciding_line() -> None:
    line = Where("leaf1.cfg", 7)
    ports = [Port(f"swp{n}", UNWATCHED, places={"pfc": line, "watchdog": line}) for n in range(1, 33)]
    (finding,) = lint([switch("leaf1", *ports)], settings=only("WD-001")).findings
    assert finding.object == "swp1-32 priority 3"
    assert finding.ports == tuple(f"swp{n}" for n in range(1, 33))
    assert (finding.file, finding.line) == ("leaf1.cfg", 7)


def test_ports_with_lines_of_their_own_are_one_finding_at_the_first_line() -> None:
    ports = [Port(f"swp{n}", UNWATCHED, place=Where("leaf1.cfg", 100 - n)) for n in range(1, 5)]
    (finding,) = lint([switch("leaf1", *ports)], settings=only("WD-001")).findings
    assert (finding.object, finding.line) == ("swp1-4 priority 3", 96)


def test_two_shared_lines_are_two_findings() -> None:
    ports = [
        Port(f"swp{n}", UNWATCHED, places={"watchdog": Where("leaf1.cfg", 10 if n < 3 else 20)}) for n in range(1, 5)
    ]
    found = lint([switch("leaf1", *ports)], settings=only("WD-001")).findings
    assert [(finding.line, finding.ports) for finding in found] == [(10, ("swp1", "swp2")), (20, ("swp3", "swp4"))]


def test_a_port_qos_is_judged_once_for_all_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = load.load(load.rules()["WD-001"])
    calls: list[PortQos] = []

    def check(qos: PortQos, given: object) -> Iterator[object]:
        calls.append(qos)
        yield from rule.functions["check"](qos, given)

    monkeypatch.setattr(load, "load", lambda _: replace(rule, functions={"check": check}))
    devices = [switch(f"leaf{n}", *(Port(f"swp{m}", replace(UNWATCHED)) for m in range(4))) for n in range(50)]
    assert len(lint(devices, settings=only("WD-001")).findings) == 50
    assert len(calls) == 1


def test_the_same_qos_is_judged_apart_where_the_default_or_the_expectation_differs() -> None:
    wanted = Expected((ExpectedClass("roce", "roce", frozenset({26}), 3, lossless=True),), "dscp", "none")
    port = Port("swp1", replace(UNWATCHED, pfc=replace(PFC, tx=frozenset({4}), rx=frozenset({4}))))
    devices = [switch("leaf1", port), switch("leaf2", port)]
    found = lint(devices, settings=only("PFC-001"), expect={"leaf1": wanted}).findings
    assert [finding.device for finding in found] == ["leaf1"]


def test_rules_about_switches_are_not_asked_about_hosts() -> None:
    host = switch("gpu01", Port("rail0", UNWATCHED), kind="host")
    result = lint([host], settings=only("WD-001"))
    assert (result.findings, result.not_evaluated) == ((), ())


def test_the_help_says_what_to_type_on_that_system() -> None:
    device = replace(switch("leaf1", Port("swp1", UNWATCHED)), nos="cumulus")
    (finding,) = lint([device], settings=only("WD-001")).findings
    assert finding.help.startswith("turn the PFC watchdog on; `nv set interface swp1 qos pfc-watchdog`")


def test_result_does_not_depend_on_the_order_of_devices() -> None:
    devices = [
        switch("leaf1", Port("swp1", UNWATCHED, mtu=9216, mtu_counts="l2"), role="leaf"),
        switch("leaf2", Port("swp1", replace(UNWATCHED, link_pause=LinkPause(True, True)), mtu=1500), role="leaf"),
        switch("leaf3", Port("swp1", PortQos(), mtu=1514, mtu_counts="l2"), role="leaf"),
    ]
    cables = [
        Cable(PortName("leaf1", "swp1"), PortName("leaf3", "swp1")),
        Cable(PortName("leaf2", "swp1"), PortName("leaf9", "swp1")),
    ]
    first = lint(devices, links=cables, settings=Settings())
    again = lint(devices[::-1], links=cables, settings=Settings())
    assert first == again
    assert {item.missing for item in first.not_evaluated if item.rule == "PEER-001"} == {
        "PFC of the port", "the port: it is in no text",
    }  # fmt: skip
    assert "PEER-002" in {finding.rule for finding in first.findings}


def test_without_any_cable_link_rules_say_so_once() -> None:
    result = lint([switch("leaf1", Port("swp1", UNWATCHED)), switch("leaf2")], settings=only("PEER"))
    every = [rule.id for rule in load.rules().values() if rule.family == "PEER"]
    assert [(item.rule, item.device) for item in result.not_evaluated] == [(rule, "") for rule in every]


def test_cables_come_from_lldp_when_nothing_else_gives_them() -> None:
    seen = Neighbour("gpu01", "rail0", "lldp")
    leaf = switch("leaf1", Port("swp1", UNWATCHED, neighbour=seen))
    host = switch("gpu01", Port("rail0", replace(UNWATCHED, pfc=replace(PFC, rx=frozenset(), tx=frozenset()))))
    (finding,) = lint([leaf, host], settings=only("PEER-001")).findings
    assert finding.message == "the port pauses gpu01 for priority 3, which honours none"


def test_devices_are_let_go_when_their_cables_are_judged() -> None:
    linter = Linter(only("PEER"), links=[Cable(PortName("leaf1", "swp1"), PortName("leaf2", "swp1"))])
    linter.add(switch("leaf1", Port("swp1", UNWATCHED)))
    assert linter._ends is not None
    assert linter._ends.held_ports() == 1
    linter.add(switch("leaf2", Port("swp1", UNWATCHED)))
    assert linter._ends.held_ports() == 0


def test_cable_longer_than_the_device_was_told() -> None:
    from rocecfg.state.model import Amount, Headroom, PriorityGroup, eight

    group = PriorityGroup(lossless=True, headroom=Headroom(Amount.of_bytes(60_000)))
    qos = PortQos(pfc=PFC, cable=5, priority_to_pg=eight({3: frozenset({3})}), priority_groups=eight({3: group}))
    leaf = switch("leaf1", Port("swp1", qos, speed=400 * 10**9))
    cable = Cable(PortName("leaf1", "swp1"), PortName("spine1", "swp1"), length=300)
    assert lint([leaf], settings=only("BUF-002")).findings == ()
    (finding,) = lint([leaf], links=[cable], settings=only("BUF-002")).findings
    assert "300 m of cable at 400G and one frame of 4200 bytes hold 154200" in finding.message
    untold = switch("leaf1", Port("swp1", replace(qos, cable=None), speed=400 * 10**9))
    result = lint([untold], links=[cable], settings=only("BUF-002"))
    assert ([item.rule for item in result.findings], result.not_evaluated) == (["BUF-002"], ())
    for links in ([replace(cable, length=None)], None):
        result = lint([untold], links=links, settings=only("BUF-002"))
        assert [item.missing for item in result.not_evaluated] == ["the length of the cable"]


def write_rule(folder: Path, body: str, rule_id: str = "PFC-900") -> None:
    family = folder / "lint_rules" / "pfc"
    family.mkdir(parents=True)
    headings = "\n\n".join(f"## {heading}\n\nThis." for heading in load.HEADINGS)
    name = f"broken-{rule_id[-3:]}"
    (family / f"broken_{rule_id[-3:]}.py").write_text(
        f'"""A rule.\n\n{headings}\n"""\nfrom rocecfg.lint.api import PortQos, Severity\n'
        f'ID, NAME, SEVERITY, PROFILE, SINCE = "{rule_id}", "{name}", Severity.ERROR, "min", "0.1"\n'
        f'GOOD = BAD = "device: {{name: a}}"\n\ndef check(qos: PortQos, given):\n    {body}\n'
    )


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(packs, "_extra", [tmp_path])
    return tmp_path


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("yield 1 / 0", "rule PFC-900 failed: ZeroDivisionError: division by zero"),
        ("yield qos.nothing", "rule PFC-900 failed: AttributeError"),
        ("yield 'oops'", "rule PFC-900 failed: it yielded a str"),
        ("return None", "rule PFC-900 failed: TypeError"),
        ("yield check(qos, given).__next__()", "rule PFC-900 failed: RecursionError"),
    ],
)
def test_a_broken_rule_is_a_finding_and_hides_nothing(pack: Path, body: str, text: str) -> None:
    write_rule(pack, body)
    result = lint(
        [switch("leaf1", Port("swp1", UNWATCHED), Port("swp2", UNWATCHED))], settings=only("PFC-900", "WD-001")
    )
    broken, other = sorted(result.findings, key=lambda finding: finding.rule)
    assert (broken.rule, broken.name, broken.device, broken.object) == ("RUN-008", "internal-error", "leaf1", "PFC-900")
    assert broken.message.startswith(text)
    assert broken.severity is Severity.ERROR
    assert other.rule == "WD-001"
    assert [(item.rule, item.device) for item in result.not_evaluated] == [("PFC-900", "leaf1")]


def test_severity_of_the_user_wins_and_decides_the_exit() -> None:
    settings = read_settings({"select": ["WD-001"], "rules": {"WD-001": {"severity": "info"}}}, "rocecfg.toml")
    result = lint([switch("leaf1", Port("swp1", UNWATCHED))], settings=settings)
    assert [finding.severity for finding in result.findings] == [Severity.INFO]
    assert not result.fails(settings)
    assert result.fails(replace(settings, fail_on=Severity.INFO))
    assert not result.fails(replace(settings, fail_on=None))


def test_an_option_of_the_user_reaches_the_rule() -> None:
    ports = [Port(f"swp{n}", UNWATCHED, role="host") for n in range(1, 4)]
    odd = Port("swp4", replace(UNWATCHED, trust="pcp"), role="host")
    ports = [replace(port, qos=replace(UNWATCHED, trust="dscp")) for port in ports]
    device = switch("leaf1", *ports, odd)
    assert lint([device], settings=only("REF-004")).findings == ()
    settings = read_settings({"select": ["REF-004"], "rules": {"twin-ports-treated-differently": {"least": 3}}}, "t")
    assert [finding.ports for finding in lint([device], settings=settings).findings] == [("swp4",)]


def test_nothing_to_judge_is_no_error() -> None:
    result = lint([], settings=Settings())
    assert (result.findings, result.not_evaluated, result.worst()) == ((), (), None)


def test_linting_an_intent_imports_only_rules_about_intents() -> None:
    code = (
        "import sys\n"
        "from rocecfg.intent.load import parse_intent\n"
        "from rocecfg.intent.expand import expand\n"
        "from rocecfg.lint.run import Linter\n"
        "text = 'version: 1\\nfabric: pod1\\nclasses: {roce: {dscp: 26, priority: 3, lossless: true}}\\n"
        "devices: {leaf1: {nos: nxos}}\\n'\n"
        "result = Linter(intent=expand(parse_intent(text))).result()\n"
        "assert not result.findings, result\n"
        "print(*sorted(name.rpartition('lint_rules_')[2] for name in sys.modules if 'lint_rules' in name))\n"
        "print(*[name for name in ('ttp', 'netmiko', 'paramiko', 'rich', 'jinja2') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    imported, heavy = done.stdout.split("\n")[:2]
    assert imported
    assert all(name.startswith("int_") for name in imported.split()), imported
    assert heavy == ""
