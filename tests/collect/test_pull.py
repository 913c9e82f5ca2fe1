"""Reading live devices: what is kept, what is said of those that fail, what they are sent."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

pytest.importorskip("asyncssh")

from rocecfg.collect.credentials import Credentials
from rocecfg.collect.order import Times
from rocecfg.collect.pull import PullOptions, pull
from rocecfg.collect.redact import redacted
from rocecfg.collect.target import DeviceResult, Secret, Target
from rocecfg.vendor import registry
from tests.collect.fake_devices import ENABLE, PASSWORD, USER, FakeDevice, Fleet
from tests.collect.texts import answers_of

QUICK = Times(connect=2, login=5, silence=5, device=15)


@pytest.fixture
def fleet():
    with Fleet() as made:
        yield made


def target(device: FakeDevice, nos: str, **more: object) -> Target:
    return Target(device.name, nos, "127.0.0.1", device.port, username=USER, **more)


def options(fleet: Fleet, folder: Path, **more: object) -> PullOptions:
    known = folder / "known_hosts"
    known.write_text(fleet.known_hosts())
    given = {"credentials": Credentials(USER, Secret(PASSWORD), Secret(ENABLE)), "times": QUICK, "tries": 1}
    config = folder / "ssh_config"
    config.write_text("")
    return PullOptions(known_hosts=known, ssh_config=config, **{**given, **more})


def one(fleet: Fleet, folder: Path, nos: str, fault: str = "", **more: object) -> tuple[DeviceResult, FakeDevice]:
    driver = registry.get(nos).manifest.netmiko
    device = fleet.add("leaf1", driver, answers_of(nos, "leaf1"), fault)
    (result,) = pull([target(device, nos)], folder / "captures", options(fleet, folder, **more))
    return result, device


SYSTEMS = ("nxos", "eos", "junos", "huawei", "h3c", "sonic", "cumulus", "dell_os10", "dell_sonic", "onyx", "aruba_cx",
           "srlinux", "linux_dcb", "mlx5")  # fmt: skip


@pytest.mark.parametrize("nos", SYSTEMS)
def test_a_device_of_each_system_is_read_whole(fleet: Fleet, tmp_path: Path, nos: str) -> None:
    result, device = one(fleet, tmp_path, nos)
    assert (result.status, result.reason) == ("ok", "")
    index = json.loads((tmp_path / "captures" / "leaf1" / "capture.json").read_text())
    assert (index["device"], index["nos"], index["address"]) == ("leaf1", nos, f"127.0.0.1:{device.port}")
    assert all(text["complete"] for text in index["texts"])
    for text in index["texts"]:
        kept = (tmp_path / "captures" / "leaf1" / text["file"]).read_text()
        assert kept.strip() == redacted(device.answers[text["command"]]).strip()


FAULTS = {
    "refused": ("failed", "RUN-001", "refuses TCP"),
    "silent-tcp": ("failed", "RUN-001", "says nothing for 1.5 s"),
    "closed-at-greeting": ("failed", "RUN-001", "closed the connection before the SSH greeting"),
    "not-ssh": ("failed", "RUN-001", "HTTP/1.1 400"),
    "hung-login": ("failed", "RUN-001", "did not answer the login"),
    "closed-at-login": ("failed", "RUN-002", "closed the connection during the login"),
    "wrong-password": ("failed", "RUN-002", f"the login as {USER}@127.0.0.1 was refused: the password"),
    "changed-key": ("failed", "RUN-003", "the host key changed"),
    "old-ciphers": ("failed", "RUN-001", "no acceptable kex algorithm"),
    "no-prompt": ("failed", "RUN-001", 'the last it said is "Welcome."'),
    "password-expired": ("failed", "RUN-002", "must change its password"),
    "wrong-hostname": ("failed", "RUN-005", "another device answers"),
    "closed-in-the-middle": ("partial", "RUN-004", "closed the connection in the middle of `show running-config`"),
    "hung-command": ("partial", "RUN-004", "nothing came for"),
    "rejected": ("failed", "RUN-006", "% Invalid command at"),
    "denied": ("failed", "RUN-006", "% Permission denied for the role"),
    "pager": ("partial", "RUN-004", "--More--"),
    "truncated": ("partial", "RUN-004", "the device counts"),
    "garbage": ("partial", "RUN-004", "are no text"),
    "flood": ("partial", "RUN-004", "printed more than 1000000 bytes"),
    "log-lines": ("partial", "RUN-004", "log messages of the device"),
    "other-prompt": ("failed", "RUN-005", 'the prompt changed from "leaf1#" to "spine9#"'),
    "drip": ("partial", "RUN-004", "was not done when the 3 s of the device were over"),
    "empty": ("failed", "RUN-004", "printed nothing"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_true_reason_of_each_fault_is_said(
    fleet: Fleet, tmp_path: Path, fault: str, capfd: pytest.CaptureFixture[str]
) -> None:
    times = Times(connect=2, login=1.5, silence=1, device=3)
    result, device = one(fleet, tmp_path, "nxos", fault, times=times, most_bytes=1_000_000)
    status, rule, words = FAULTS[fault]
    assert (result.status, result.rule) == (status, rule), result
    assert words in result.reason
    assert PASSWORD not in repr(result)
    assert bool(result.folder) == (status == "partial")
    assert capfd.readouterr() == ("", ""), "libraries print nothing"
    if status == "partial":
        index = json.loads((Path(result.folder) / "capture.json").read_text())
        assert not all(text["complete"] for text in index["texts"])
    assert set(device.received) <= allowed("nxos")


QUIRKS = ("keyboard-interactive", "new-names", "message-of-the-day", "coloured", "log-while-idle", "trickle")


@pytest.mark.parametrize("nos", ["nxos", "junos", "linux_dcb"])
@pytest.mark.parametrize("quirk", QUIRKS)
def test_an_odd_device_is_read_whole(fleet: Fleet, tmp_path: Path, quirk: str, nos: str) -> None:
    result, device = one(fleet, tmp_path, nos, quirk)
    assert (result.status, result.reason) == ("ok", ""), result
    index = json.loads((tmp_path / "captures" / "leaf1" / "capture.json").read_text())
    for text in index["texts"]:
        kept = (tmp_path / "captures" / "leaf1" / text["file"]).read_text()
        assert kept.strip() == redacted(device.answers[text["command"]]).strip()


def test_a_key_that_is_refused_is_followed_by_the_password(fleet: Fleet, tmp_path: Path) -> None:
    """asyncssh closes the connection where the login service is asked for twice."""
    import asyncssh

    keys = []
    for number in range(2):
        path = tmp_path / f"key{number}"
        asyncssh.generate_private_key("ssh-ed25519").write_private_key(path)
        keys.append(str(path))
    device = fleet.add("leaf1", "cisco_nxos", answers_of("nxos", "leaf1"))
    config = tmp_path / "ssh_config"
    how = options(fleet, tmp_path)
    config.write_text("Host *\n" + "".join(f"  IdentityFile {path}\n" for path in keys))
    (result,) = pull([target(device, "nxos")], tmp_path / "captures", how)
    assert (result.status, result.reason) == ("ok", "")


def allowed(nos: str) -> set[str]:
    from rocecfg.collect.gate import PREPARATION

    manifest = registry.get(nos).manifest
    sends = {command.send for command in manifest.commands}
    return sends | {f"{send} | count" for send in sends} | set(PREPARATION[manifest.netmiko]) | {"(secret)"}


def test_sixty_mixed_devices(fleet: Fleet, tmp_path: Path) -> None:
    """Every fault at once: each has its reason, the rest is read, nothing takes longer than the slowest allowed."""
    targets, faults = [], {}
    names = list(FAULTS)
    for number in range(60):
        nos = SYSTEMS[number % len(SYSTEMS)] if number >= len(names) else "nxos"
        faults[f"sw{number}"] = names[number] if number < len(names) else ""
        name = f"sw{number}"
        driver = registry.get(nos).manifest.netmiko
        targets.append(target(fleet.add(name, driver, answers_of(nos, name), faults[name]), nos))
    seen: list[str] = []
    start = time.monotonic()
    results = pull(
        targets,
        tmp_path / "captures",
        options(fleet, tmp_path, most_bytes=1_000_000, times=Times(2, 6, 6, 12)),
        on_done=lambda result: seen.append(result.device),
    )
    assert time.monotonic() - start < 30
    assert [result.device for result in results] == [target.name for target in targets]
    assert sorted(seen) == sorted(faults)
    for result, item in zip(results, targets, strict=True):
        fault = faults[result.device]
        expected = FAULTS[fault][:2] if fault else ("ok", "")
        assert (result.status, result.rule) == expected, result
        assert set(fleet.devices[item.name].received) <= allowed(item.nos)
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or PASSWORD not in file.read_text()
    assert not list((tmp_path / "captures").glob(".*.part"))


def test_unknown_hosts_are_refused_and_noted_on_demand(fleet: Fleet, tmp_path: Path) -> None:
    device = fleet.add("leaf1", "cisco_nxos", answers_of("nxos", "leaf1"))
    how = options(fleet, tmp_path)
    known = tmp_path / "known_hosts"
    known.write_text("# nothing\n")
    known.chmod(0o640)
    (result,) = pull([target(device, "nxos")], tmp_path / "captures", how)
    assert (result.status, result.rule) == ("failed", "RUN-003")
    assert "--accept-new" in result.reason
    assert device.logins == 0
    from dataclasses import replace

    (result,) = pull([target(device, "nxos")], tmp_path / "captures", replace(how, accept_new=True))
    assert result.status == "ok"
    assert known.read_text() == f"# nothing\n{device.key_line}\n"
    assert known.stat().st_mode & 0o777 == 0o640
    (result,) = pull([target(device, "nxos")], tmp_path / "captures", how)
    assert result.status == "ok"


def test_a_connection_that_broke_is_tried_again(fleet: Fleet, tmp_path: Path) -> None:
    result, device = one(fleet, tmp_path, "nxos", "once-closed", tries=2)
    assert result.rule == "RUN-002", "a refused login is never repeated: accounts get locked"
    assert device.logins == 1


@pytest.mark.parametrize(("given", "status", "words"), [
    (ENABLE, "ok", ""),
    ("Wr0ng-one!", "failed", "the enable password was refused"),
    ("", "failed", "ROCECFG_ENABLE"),
])  # fmt: skip
def test_enable(fleet: Fleet, tmp_path: Path, given: str, status: str, words: str) -> None:
    device = fleet.add("leaf1", "arista_eos", answers_of("eos", "leaf1"), enable=ENABLE)
    credentials = Credentials(USER, Secret(PASSWORD), Secret(given) if given else None)
    (result,) = pull([target(device, "eos")], tmp_path / "c", options(fleet, tmp_path, credentials=credentials))
    assert (result.status, words in result.reason) == (status, True), result
    assert all(ENABLE not in file.read_text() for file in tmp_path.rglob("*") if file.is_file())


def test_an_answer_that_comes_late_is_not_the_answer_to_enable(fleet: Fleet, tmp_path: Path) -> None:
    """On a busy device the prompt of the line before comes while enable is under way."""
    device = fleet.add("leaf1", "mellanox_mlnxos", answers_of("onyx", "leaf1"), "late-prompt")
    (result,) = pull([target(device, "onyx")], tmp_path / "c", options(fleet, tmp_path))
    assert result.status == "ok", result


def test_an_account_that_enable_leaves_as_it_is(fleet: Fleet, tmp_path: Path) -> None:
    device = fleet.add("leaf1", "mellanox_mlnxos", answers_of("onyx", "leaf1"), "enable-does-nothing")
    (result,) = pull([target(device, "onyx")], tmp_path / "c", options(fleet, tmp_path))
    assert result.status == "ok", result


def test_inventory_problems_are_results(fleet: Fleet, tmp_path: Path) -> None:
    targets = [Target("a", "nxos", problem="password is vaulted"), Target("b"), Target("c", "windows_dcb")]
    results = pull(targets, tmp_path / "captures", options(fleet, tmp_path))
    assert [result.status for result in results] == ["failed"] * 3
    assert ["vaulted" in results[0].reason, "which system" in results[1].reason, "SSH" in results[2].reason] == [
        True
    ] * 3


def test_a_device_of_another_system(fleet: Fleet, tmp_path: Path) -> None:
    texts = dict.fromkeys(answers_of("nxos", "leaf1"), answers_of("eos", "leaf1")["show running-config"])
    device = fleet.add("leaf1", "cisco_nxos", texts)
    (result,) = pull([target(device, "nxos")], tmp_path / "captures", options(fleet, tmp_path))
    assert (result.status, result.rule) == ("failed", "RUN-005")
    assert "is of eos" in result.reason


def test_two_processes(fleet: Fleet, tmp_path: Path) -> None:
    targets = [
        target(fleet.add(f"sw{n}", "cisco_nxos", answers_of("nxos", f"sw{n}")), "nxos", password=Secret(PASSWORD))
        for n in range(6)
    ]
    results = pull(targets, tmp_path / "captures", options(fleet, tmp_path, workers=2, threads=2))
    assert [result.status for result in results] == ["ok"] * 6, results


def test_a_host_without_a_tool_is_read_with_the_others(fleet: Fleet, tmp_path: Path) -> None:
    texts = answers_of("mlx5", "gpu01")
    texts.pop(next(send for send in texts if "mlnx_qos" in send))
    device = fleet.add("gpu01", "linux", texts)
    (result,) = pull([target(device, "mlx5")], tmp_path / "captures", options(fleet, tmp_path))
    assert (result.status, result.reason) == ("ok", "")
    kept = sorted(path.name for path in Path(result.folder).iterdir())
    assert "dcb.txt" in kept
    assert "mlnx_qos.txt" not in kept


def test_a_switch_without_an_extra_command_is_read_with_a_remark(fleet: Fleet, tmp_path: Path) -> None:
    texts = answers_of("nxos", "leaf1")
    texts.pop("show queuing pfc-queue")
    device = fleet.add("leaf1", "cisco_nxos", texts)
    (result,) = pull([target(device, "nxos")], tmp_path / "captures", options(fleet, tmp_path))
    assert (result.status, result.rule) == ("ok", "RUN-006")
    assert "`show queuing pfc-queue`" in result.reason


@pytest.mark.parametrize(
    "fault", ["wrong-password", "hung-at-once", "rejected", "empty", "other-prompt", "other-system"]
)
def test_the_capture_of_another_day_stays_and_is_named(fleet: Fleet, tmp_path: Path, fault: str) -> None:
    device = fleet.add("leaf1", "cisco_nxos", answers_of("nxos", "leaf1"))
    how = options(fleet, tmp_path)
    (result,) = pull([target(device, "nxos")], tmp_path / "captures", how)
    taken = json.loads((Path(result.folder) / "capture.json").read_text())["taken"]
    kept = {file: file.read_bytes() for file in Path(result.folder).iterdir()}
    device.fault = fault
    if fault == "other-system":
        device.answers["show running-config"] = "set interfaces et-0/0/0 mtu 9216\n" * 20
    (result,) = pull([target(device, "nxos")], tmp_path / "captures", how)
    assert result.status == "failed"
    assert result.reason.endswith(f"; the capture of {taken} is still there")
    assert {file: file.read_bytes() for file in (tmp_path / "captures" / "leaf1").iterdir()} == kept


def test_a_flood_of_another_system_is_a_flood(fleet: Fleet, tmp_path: Path) -> None:
    device = fleet.add("leaf1", "aruba_aoscx", answers_of("aruba_cx", "leaf1"), "flood")
    (result,) = pull([target(device, "aruba_cx")], tmp_path / "c", options(fleet, tmp_path))
    assert (result.status, result.rule) == ("partial", "RUN-004"), result
