"""`rocecfg audit` of stored captures: everything is said once, counted right, remembered, and told in every form."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from rocecfg.cli.group import rocecfg
from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.plan.resolve import plan
from rocecfg.render.engine import render

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

INTENT = """\
version: 1
fabric: pod1
classes:
  roce: {dscp: 26, priority: 3, lossless: true, bandwidth: 60%}
  cnp: {dscp: 48, priority: 6, strict: true}
devices:
  leaf[1-2]: {nos: nxos, role: leaf}
  gpu[1-2]: {nic: mlx5, role: host}
links:
  - {a: "leaf1:Ethernet1/1", b: "gpu1:rail0", speed: 100G, cable: 3m dac}
  - {a: "leaf2:Ethernet1/1", b: "gpu2:rail0", speed: 100G, cable: 3m dac}
  - {a: "leaf1:Ethernet1/49", b: "leaf2:Ethernet1/49", speed: 100G, cable: 30m fibre}
"""


@pytest.fixture
def pod(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An intent, and a capture of every device that runs just what it wants."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("ROCECFG_DB", raising=False)
    (tmp_path / "pod1.roce.yaml").write_text(INTENT)
    for name, device in plan(expand(parse_intent(INTENT, "x"))).devices.items():
        folder = tmp_path / "captures" / name
        folder.mkdir(parents=True)
        texts = []
        for file in render(device.fitted):
            (folder / file.file).write_text(file.content)
            texts.append({"command": file.command, "file": file.file, "complete": True})
        data = {"schema": 1, "device": name, "nos": device.fitted.nos, "texts": texts}
        (folder / "capture.json").write_text(json.dumps(data))
    return tmp_path


def audit(*words: str) -> Result:
    return CliRunner().invoke(rocecfg, ["audit", "pod1.roce.yaml", "--captures", "captures", *words])


def change(pod: Path, device: str, old: str, new: str) -> None:
    (path,) = (pod / "captures" / device).glob("switch.cfg")
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def as_data(ran: Result) -> dict[str, Any]:
    return json.loads(ran.stdout)  # type: ignore[no-any-return]


def test_a_fabric_as_intended_is_clean(pod: Path) -> None:
    ran = audit("--format", "json")
    assert ran.exit_code == 0, ran.output
    data = as_data(ran)
    assert data["findings"] == []
    assert [(item["device"], item["nos"], item["status"]) for item in data["devices"]] == [
        ("gpu1", "mlx5", "ok"), ("gpu2", "mlx5", "ok"), ("leaf1", "nxos", "ok"), ("leaf2", "nxos", "ok"),
    ]  # fmt: skip
    assert data["summary"]["devices"] == 4
    assert "0 findings are new, 0 are gone" in ran.stderr
    assert (pod / "state" / "rocecfg" / "history.db").is_file()


def test_a_changed_line_is_judged_and_compared_and_remembered(pod: Path) -> None:
    change(pod, "leaf1", "pause pfc-cos 3", "mtu 9216")
    ran = audit("--format", "json")
    assert ran.exit_code == 1
    rules = [item["rule"] for item in as_data(ran)["findings"] if item["device"] == "leaf1"]
    assert "DRIFT-001" in rules
    assert {"PEER-001", "PFC-001"} & set(rules)
    assert " 0 are gone" in ran.stderr
    again = audit()
    assert "0 findings are new, 0 are gone" in again.stderr
    told = CliRunner().invoke(rocecfg, ["history"])
    assert "DRIFT-001" in told.stdout


def test_what_was_not_read_is_exit_3_and_said_once(pod: Path) -> None:
    import shutil

    shutil.rmtree(pod / "captures" / "leaf2")
    (pod / "captures" / "gpu1" / "rocecfg-nic.sh").write_bytes(b"\0\0")
    ran = audit("--format", "json")
    assert ran.exit_code == 3
    data = as_data(ran)
    unread = [(item["rule"], item["device"]) for item in data["findings"] if item["rule"].startswith("RUN-")]
    assert sorted(unread) == [("RUN-001", "leaf2"), ("RUN-007", "gpu1")]
    status = {item["device"]: item["status"] for item in data["devices"]}
    assert status == {"leaf1": "ok", "leaf2": "failed", "gpu1": "failed", "gpu2": "ok"}
    assert "--device" not in ran.output, "audit has no such option"


def test_metrics(pod: Path) -> None:
    change(pod, "leaf1", "pause pfc-cos 3", "mtu 9216")
    audit("--metrics", "out.prom", "--no-history")
    text = (pod / "out.prom").read_text()
    assert 'rocecfg_device_read{fabric="pod1",device="leaf1",rule=""} 1' in text
    assert 'rocecfg_device_drift{fabric="pod1",device="leaf2"} 0' in text
    assert 'rocecfg_findings{fabric="pod1",device="leaf1",rule="DRIFT-001",severity="error"} ' in text
    assert text.count("# TYPE ") == text.count("# HELP ") == 6
    assert not (pod / "state").exists()


def test_hostile_names_stay_words_in_metrics() -> None:
    from datetime import UTC, datetime

    from rocecfg.cli.auditing import Audited
    from rocecfg.collect.target import DeviceResult
    from rocecfg.report import metrics
    from rocecfg.report.outcome import Outcome

    now = datetime.now(UTC)
    audited = Audited('p"od\n1', now, now, Outcome(), [DeviceResult('a"} 1\nevil{x="\\', "nxos", "ok")])
    lines = metrics.write(audited).splitlines()
    assert all(line.startswith(("# ", "rocecfg_")) for line in lines)


@pytest.mark.parametrize("form", ["text", "sarif", "junit", "github", "gitlab", "markdown", "html"])
def test_every_form(pod: Path, form: str) -> None:
    change(pod, "leaf1", "pause pfc-cos 3", "mtu 9216")
    ran = audit("--format", form, "--no-history")
    assert ran.exit_code == 1
    assert "leaf1" in ran.stdout


def test_a_history_that_cannot_be_written_loses_no_audit(pod: Path) -> None:
    ran = audit("--db", "postgresql://audit:hunter2@127.0.0.1:1/none", "--format", "json")
    assert as_data(ran)["summary"]["devices"] == 4
    assert ran.exit_code == 3
    assert "the history was not written" in ran.stderr
    assert "hunter2" not in ran.output


def test_bad_calls(pod: Path) -> None:
    def code(*words: str) -> tuple[int, str]:
        ran = CliRunner().invoke(rocecfg, ["audit", *words])
        return ran.exit_code, ran.output

    assert code("pod1.roce.yaml")[0] == 2
    assert code("missing.roce.yaml", "--captures", "captures")[0] == 2
    (pod / "empty").mkdir()
    assert code("pod1.roce.yaml", "--captures", "empty")[0] == 3
    assert code("pod1.roce.yaml", "--captures", "nowhere")[0] == 3
