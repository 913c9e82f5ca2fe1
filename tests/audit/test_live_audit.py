"""`rocecfg audit -i INVENTORY` over real SSH on loopback: what the night job of an operator does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

pytest.importorskip("asyncssh")

from rocecfg.cli.group import rocecfg
from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.plan.resolve import plan
from rocecfg.render.engine import render
from rocecfg.vendor import registry
from tests.collect.fake_devices import PASSWORD, USER, FakeDevice, Fleet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from click.testing import Result

INTENT = """\
version: 1
fabric: pod1
classes:
  roce: {dscp: 26, priority: 3, lossless: true, bandwidth: 60%}
  cnp: {dscp: 48, priority: 6, strict: true}
devices:
  leaf[1-4]: {nos: nxos, role: leaf}
links:
  - {a: "leaf1:Ethernet1/1", b: "leaf2:Ethernet1/1", speed: 100G, cable: 30m fibre}
  - {a: "leaf3:Ethernet1/1", b: "leaf4:Ethernet1/1", speed: 100G, cable: 30m fibre}
"""


def running(name: str, content: str) -> str:
    return f"!Command: show running-config\nversion 10.2(3)\nhostname {name}\n{content}"


PORT = "Ethernet1/1"
SHOWS = {
    "show interface priority-flow-control": "=" * 60
    + f"\nPort               Mode Oper(VL bmap)  RxPPP      TxPPP\n{'=' * 60}\n{PORT}        On   On   (8)       1204       33\n",
    "show queuing interface": f"Egress Queuing for {PORT} [System]\n"
    "+-------------------------------------------------------------------+\n"
    "|                              QOS GROUP 3                          |\n"
    "+-------------------------------------------------------------------+\n"
    "|                           |  Unicast       |Multicast             |\n"
    "|                   Tx Pkts |           51200|               7       |\n",
    "show queuing pfc-queue": f"{PORT} Interface PFC watchdog: [Enabled]\n"
    "+----------------------------------------------------+\n"
    "| QOS GROUP 3 [Active] PFC [YES] PFC-COS [3]\n"
    "|                       Shutdown|                   0|\n",
    "show interface": f"{PORT} is up\nadmin state is up, Dedicated Interface\n  MTU 9216 bytes,  BW 100000000 Kbit, DLY 10 usec\n"
    "  full-duplex, 100 Gb/s\n  Input flow-control is off, output flow-control is off\n",
}


class Pod:
    """The fabric: its fake devices, and the audit of it."""

    def __init__(self, fleet: Fleet, folder: Path) -> None:
        self.fleet, self.folder = fleet, folder
        self.devices: dict[str, FakeDevice] = {}
        for name, device in plan(expand(parse_intent(INTENT, "x"))).devices.items():
            (file,) = render(device.fitted)
            texts = {"show running-config": running(name, file.content), **SHOWS}
            assert set(texts) == {command.send for command in registry.get("nxos").manifest.commands}
            self.devices[name] = fleet.add(name, "cisco_nxos", texts)
        (folder / "pod1.roce.yaml").write_text(INTENT)

    def audit(self, *words: str) -> Result:
        rows = [f"{name},127.0.0.1,{device.port},nxos" for name, device in self.devices.items()]
        (self.folder / "hosts.csv").write_text("name,address,port,nos\n" + "\n".join(rows) + "\n")
        (self.folder / "known_hosts").write_text(self.fleet.known_hosts())
        (self.folder / "ssh_config").write_text("")
        return CliRunner().invoke(
            rocecfg,
            ["audit", "pod1.roce.yaml", "-i", "hosts.csv", "--known-hosts", "known_hosts", "--ssh-config", "ssh_config",
             "--select", "DRIFT-001,PFC,PEER", "--login-timeout", "5", "--silence-timeout", "5", *words],
            env={"ROCECFG_USERNAME": USER, "ROCECFG_PASSWORD": PASSWORD},
        )  # fmt: skip


@pytest.fixture
def pod(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pod]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("ROCECFG_DB", raising=False)
    with Fleet() as fleet:
        yield Pod(fleet, tmp_path)


def data_of(ran: Result) -> dict[str, Any]:
    return json.loads(ran.stdout)  # type: ignore[no-any-return]


def test_two_nights(pod: Pod) -> None:
    ran = pod.audit("--format", "json")
    assert ran.exit_code == 0, ran.output
    assert {item["status"] for item in data_of(ran)["devices"]} == {"ok"}
    assert data_of(ran)["findings"] == []

    changed, dead = pod.devices["leaf1"], pod.devices["leaf3"]
    text = changed.answers["show running-config"]
    changed.answers["show running-config"] = text.replace("    pause pfc-cos 3\n", "")
    assert changed.answers["show running-config"] != text
    dead.fault = "closed-at-login"
    ran = pod.audit("--format", "json", "--report", "audit.html", "--metrics", "out.prom")
    assert ran.exit_code == 3
    found = {(item["rule"], item["device"]) for item in data_of(ran)["findings"]}
    assert ("DRIFT-001", "leaf1") in found
    assert ("RUN-002", "leaf3") in found
    assert {device for rule, device in found if rule == "DRIFT-001"} == {"leaf1"}, "injected drift and nothing else"
    assert {device for rule, device in found if rule.startswith("RUN-")} == {"leaf3"}, "said once, with the true reason"
    page = (pod.folder / "audit.html").read_text()
    assert "leaf1" in page
    assert PASSWORD not in page + ran.output + (pod.folder / "out.prom").read_text()

    changed.answers["show running-config"], dead.fault = text, ""
    ran = pod.audit("--format", "json")
    assert ran.exit_code == 0
    told = CliRunner().invoke(rocecfg, ["history", "--since", "1d", "--format", "json"])
    lives = {(item["rule"], item["device"]): item["resolved"] for item in json.loads(told.stdout)["findings"]}
    assert lives["DRIFT-001", "leaf1"]
    assert lives["RUN-002", "leaf3"]


def test_the_password_stands_in_no_file(pod: Pod) -> None:
    pod.audit()
    for path in pod.folder.rglob("*"):
        if path.is_file():
            assert PASSWORD.encode() not in path.read_bytes(), path


def test_a_limited_audit_does_not_miss_the_rest(pod: Pod) -> None:
    ran = pod.audit("--limit", "leaf1,leaf2", "--format", "json")
    assert ran.exit_code == 0, ran.output
    assert [item["device"] for item in data_of(ran)["devices"]] == ["leaf1", "leaf2"]


def test_two_looks_at_the_counters(pod: Pod) -> None:
    ran = pod.audit("--counters-interval", "1s", "--format", "json")
    assert ran.exit_code == 0, ran.output
    assert len(list((pod.folder / "captures").glob("*/leaf1/capture.json"))) == 2
    logins = {name: device.logins for name, device in pod.devices.items()}
    assert set(logins.values()) == {2}


def test_captures_of_an_earlier_run_are_not_judged(pod: Pod) -> None:
    pod.audit()
    gone = pod.devices.pop("leaf4")
    assert gone.logins == 1
    ran = pod.audit("--format", "json")
    assert ran.exit_code == 3
    status = {item["device"]: item["status"] for item in data_of(ran)["devices"]}
    assert status["leaf4"] == "failed"
    unread = [item for item in data_of(ran)["findings"] if item["device"] == "leaf4"]
    assert [item["rule"] for item in unread] == ["RUN-001"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--counters-interval", "soon"], "is no time"),
        (["--limit", "spine9"], "none of the 4 devices"),
        (["--captures", "captures"], "give -i INVENTORY"),
    ],
)
def test_bad_calls(pod: Pod, words: list[str], says: str) -> None:
    ran = pod.audit(*words)
    assert ran.exit_code == 2
    assert says in ran.output
