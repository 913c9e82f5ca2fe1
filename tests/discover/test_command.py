"""`rocecfg init --from-captures` and `--from-netbox`: files, exit codes, bad input."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from rocecfg import api
from rocecfg.cli.group import rocecfg
from rocecfg.collect.inventory import netbox
from tests.conftest import ROOT
from tests.laws.intents import auto_intent

if TYPE_CHECKING:
    from pathlib import Path

POD = ROOT / "examples" / "minimal" / "minimal.roce.yaml"


def run(*arguments: object) -> tuple[int, str, str]:
    ran = CliRunner().invoke(rocecfg, [str(item) for item in arguments])
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    return ran.exit_code, ran.stdout, ran.stderr


@pytest.fixture
def captures(tmp_path: Path) -> Path:
    folder = tmp_path / "captures"
    assert run("render", POD, "-o", folder)[0] == 0
    return folder


def test_the_written_file_validates_plans_and_has_no_drift(captures: Path, tmp_path: Path) -> None:
    code, out, err = run("init", tmp_path / "pod7", "--from-captures", captures)
    assert code == 0, err
    intent = tmp_path / "pod7" / "fabric.roce.yaml"
    assert out.splitlines() == [str(intent), str(intent.with_name("rocecfg-intent-1.schema.json"))]
    assert "marked; next: read" in err
    assert "\nfabric: pod7\n" in intent.read_text()
    assert run("validate", intent)[0] == 0
    assert run("plan", intent)[0] == 0
    assert run("drift", intent, captures)[0] == 0
    assert [path.name for path in intent.parent.iterdir() if path.name.startswith(".")] == []


def test_nothing_is_replaced_without_force(captures: Path, tmp_path: Path) -> None:
    intent = tmp_path / "fabric.roce.yaml"
    intent.write_text("mine\n")
    code, out, err = run("init", tmp_path, "--from-captures", captures)
    assert (code, out, intent.read_text()) == (2, "", "mine\n")
    assert "already there" in err
    assert "--force" in err
    assert run("init", tmp_path, "--from-captures", captures, "--force")[0] == 0
    assert intent.read_text() != "mine\n"
    intent.unlink()
    intent.symlink_to(tmp_path / "nowhere")
    assert run("init", tmp_path, "--from-captures", captures)[0] == 2


def test_unreadable_captures_are_counted_and_the_others_are_written(captures: Path, tmp_path: Path) -> None:
    (captures / "broken").mkdir()
    (captures / "broken" / "capture.json").write_text("{")
    (captures / "noise.cfg").write_text("lorem ipsum\n")
    code, _, err = run("init", tmp_path, "--from-captures", captures)
    assert code == 3
    assert "2 captures of" in err
    text = (tmp_path / "fabric.roce.yaml").read_text()
    assert "# 2 captures could not be read:" in text
    assert "noise.cfg" in text
    assert run("validate", tmp_path / "fabric.roce.yaml")[0] == 0


def test_a_second_capture_of_one_device_is_named_and_not_used(captures: Path, tmp_path: Path) -> None:
    assert run("init", tmp_path / "once", "--from-captures", captures)[0] == 0
    again = tmp_path / "later"
    shutil.copytree(captures, again)
    code, _, err = run("init", tmp_path / "twice", "--from-captures", captures, "--from-captures", again)
    assert code == 3
    assert "a second capture of " in err
    once, twice = ((tmp_path / name / "fabric.roce.yaml").read_text() for name in ("once", "twice"))
    assert "a second capture of " in twice
    assert twice.partition("\nclasses:")[2] == once.partition("\nclasses:")[2]


def test_nothing_to_read_writes_nothing(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    code, _, err = run("init", tmp_path, "--from-captures", empty)
    assert code == 2
    assert "no capture in it" in err
    (empty / "noise.cfg").write_text("lorem ipsum\n")
    code, _, err = run("init", tmp_path, "--from-captures", empty)
    assert code == 3
    assert "none of 1 captures could be read" in err
    assert run("init", tmp_path, "--from-captures", tmp_path / "none")[0] == 2
    assert not (tmp_path / "fabric.roce.yaml").exists()


def test_an_intent_among_the_captures_is_no_capture(captures: Path, tmp_path: Path) -> None:
    (captures / "old.roce.yaml").write_text(auto_intent("nxos"))
    assert run("init", tmp_path, "--from-captures", captures)[0] == 0


def test_a_folder_that_cannot_be_written(captures: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, _, err = run("init", tmp_path / "file" / "below", "--from-captures", captures)
    assert code == 2, err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--from-captures", ".", "--from-netbox"],
        ["--force"],
        ["--preset", "nvidia-roce"],
        ["--from-captures", ".", "--preset", "nvidia-roce"],
        ["--from-netbox", "pod1"],
        ["--from-netbox", "--preset", "nvidia-rocee"],
        ["--from-captures", ".", "--fabric", "a b"],
    ],
)
def test_options_that_do_not_go_together(arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = run("init", *arguments)
    assert code == 2
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


class Record:
    """What pynetbox hands out, as far as it is read."""

    def __init__(self, **words: object) -> None:
        self.__dict__.update(words)

    def __str__(self) -> str:
        return str(self.__dict__.get("text", ""))


def record(name: str, platform: str, role: str = "", model: str = "") -> Record:
    return Record(
        name=name, platform=Record(slug=platform) if platform else None, role=Record(slug=role) if role else None,
        device_type=Record(model=model) if model else None, primary_ip=None, custom_fields={}, tags=[], site=None,
    )  # fmt: skip


def cable(a: tuple[str, str], b: tuple[str, str], length: float | None = None) -> Record:
    ends = [[Record(device=Record(name=device), name=port)] for device, port in (a, b)]
    return Record(a_terminations=ends[0], b_terminations=ends[1], length=length, length_unit=Record(value="m"))


@pytest.fixture
def nb(monkeypatch: pytest.MonkeyPatch) -> Any:
    devices = [record(f"leaf{n}", "cisco-nxos", "leaf", "N9K-C9364D-GX2A") for n in (1, 2)]
    devices += [record("spine1", "sonic"), record("srv1", "ubuntu"), record("srv2", "")]
    devices += [record(f"gpu{n}", "mlx5", "server") for n in (1, 2)]
    cables = [cable((f"gpu{n}", "rail0"), (f"leaf{n}", "Ethernet1/1"), 3) for n in (1, 2)]
    cables += [cable((f"leaf{n}", "Ethernet1/49"), ("spine1", f"Ethernet{8 * n}")) for n in (1, 2)]
    cables += [cable(("leaf1", "Ethernet1/2"), ("srv1", "eth0"), 5)]
    interfaces = [
        Record(device=Record(name="leaf1"), name="Ethernet1/1", speed=None, type=Record(value="400gbase-x-qsfpdd")),
        Record(device=Record(name="leaf2"), name="Ethernet1/1", speed=400_000_000, type=None),
        Record(device=Record(name="leaf2"), name="Ethernet1/49", speed=None, type=Record(value="1000base-t")),
    ]
    api_ = Record(
        dcim=Record(
            devices=Record(filter=lambda **_: devices),
            cables=Record(all=lambda: cables),
            interfaces=Record(filter=lambda **_: interfaces),
        )
    )
    monkeypatch.setattr(netbox, "connect", lambda _: api_)
    return api_


def test_netbox_devices_and_cables_become_an_intent(nb: Any, tmp_path: Path) -> None:
    code, _, err = run("init", tmp_path, "--from-netbox", "--preset", "nvidia-roce", "--fabric", "dc1")
    assert code == 0, err
    text = (tmp_path / "fabric.roce.yaml").read_text()
    fabric = api.load_intent(tmp_path / "fabric.roce.yaml")
    assert "preset: nvidia-roce" in text
    assert "classes:" not in text
    assert {name: (device.system, device.role) for name, device in fabric.devices.items()} == {
        "leaf1": ("nxos", "leaf"), "leaf2": ("nxos", "leaf"), "spine1": ("sonic", "spine"),
        "gpu1": ("mlx5", "server"), "gpu2": ("mlx5", "server"),
    }  # fmt: skip
    assert '- {a: "leaf[1-2]:Ethernet1/1", b: "gpu[1-2]:rail0", speed: 400G, cable: 3m}' in text
    assert '- {a: "leaf[1-2]:Ethernet1/49", b: "spine1:Ethernet[8,16]", speed: 400G}   # guessed: speed' in text
    assert "srv1" in text
    assert "srv2" in text
    assert "2 of 4 cables have no length in NetBox" in text
    assert "2 devices left out" in err
    assert api.plan(fabric).devices["leaf1"].fitted.ports


def test_netbox_without_a_preset_takes_the_usual_classes(nb: Any, tmp_path: Path) -> None:
    assert run("init", tmp_path, "--from-netbox")[0] == 0
    assert "guessed: no text tells the classes" in (tmp_path / "fabric.roce.yaml").read_text()


def test_netbox_that_does_not_answer_or_is_empty(nb: Any, tmp_path: Path) -> None:
    nb.dcim.devices.filter = lambda **_: [record("srv1", "ubuntu")]
    code, _, err = run("init", tmp_path, "--from-netbox")
    assert code == 2
    assert "no active device of a system that is known" in err

    def broken(**_: object) -> list[object]:
        raise RuntimeError("403 Forbidden")

    nb.dcim.devices.filter = broken
    code, _, err = run("init", tmp_path, "--from-netbox")
    assert code == 3
    assert "403 Forbidden" in err
    assert list(tmp_path.iterdir()) == []


def test_netbox_needs_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NETBOX_URL", raising=False)
    monkeypatch.delenv("NETBOX_TOKEN", raising=False)
    code, _, err = run("init", tmp_path, "--from-netbox")
    assert code == 2
    assert "NETBOX_URL" in err


def test_what_a_capture_says_stays_a_comment(captures: Path, tmp_path: Path) -> None:
    """A device name out of a capture folder is text in the file, whatever stands in it."""
    (captures / "x").mkdir()
    index = {"schema": 1, "device": "a\nversion: 2\x1b[31m", "nos": "nxos", "texts": [{"file": "a.cfg"}]}
    (captures / "x" / "capture.json").write_text(json.dumps(index))
    (captures / "x" / "a.cfg").write_text("hostname a\ninterface Ethernet1/1\n  mtu 9216\n")
    code, _, _ = run("init", tmp_path, "--from-captures", captures)
    assert code == 3
    text = (tmp_path / "fabric.roce.yaml").read_text()
    assert "\x1b" not in text
    assert "\nversion: 2" not in text
    assert run("validate", tmp_path / "fabric.roce.yaml")[0] == 0
