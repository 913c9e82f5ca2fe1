"""The Python interface: its examples run, it is light to import, its errors are sentences."""

from __future__ import annotations

import doctest
import inspect
import json
import re
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import rocecfg
from rocecfg import api
from rocecfg.errors import IntentError, ReadError, RenderError, UsageError
from rocecfg.vendor import registry
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FUNCTIONS = ("load_intent", "plan", "render", "parse", "lint", "drift")
POD = ROOT / "examples" / "pod-400g" / "pod-400g.roce.yaml"
PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def run(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    ).stdout


def test_every_docstring_has_an_example_that_runs() -> None:
    names: dict[str, Any] = {}
    runner = doctest.DocTestRunner(verbose=False)
    for name in FUNCTIONS:
        function = getattr(api, name)
        found = doctest.DocTestParser().get_doctest(inspect.getdoc(function) or "", names | vars(api), name, None, 0)
        assert found.examples, name
        runner.run(found, clear_globs=False)
        names.update({key: value for key, value in found.globs.items() if key in {"fabric", "files", "device"}})
    assert not runner.failures
    assert runner.tries > len(FUNCTIONS)


def test_every_function_is_typed_and_exported() -> None:
    assert set(FUNCTIONS) == set(api.__all__)
    assert set(FUNCTIONS) <= set(rocecfg.__all__) <= set(dir(rocecfg))
    for name in FUNCTIONS:
        signature = inspect.signature(getattr(api, name))
        assert signature.return_annotation is not inspect.Signature.empty
        assert all(item.annotation is not item.empty for item in signature.parameters.values())


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys, rocecfg, json; print(json.dumps(sorted(n for n in sys.modules if n.startswith('rocecfg'))))"
    assert json.loads(run(code)) == ["rocecfg"]


@pytest.mark.parametrize("first", ["", "import rocecfg.plan.resolve, rocecfg.lint.run, rocecfg.drift.compare"])
def test_a_function_with_the_name_of_a_room_is_called_before_and_after_the_room_is_imported(first: str) -> None:
    code = f"""
{first}
from rocecfg import drift, lint, load_intent, parse, plan, render
wanted = plan({str(POD)!r})
assert plan(load_intent({str(POD)!r})).devices.keys() == wanted.devices.keys()
name = next(iter(wanted.devices))
files = render(wanted, name)
assert list(files) == [name]
from rocecfg.plan.planned import Plan
import rocecfg
assert isinstance(rocecfg.plan({str(POD)!r}), Plan)
assert rocecfg.plan.resolve.Plan is Plan
print(len(lint(intent=wanted.fabric).findings))
"""
    assert run(code) == "0\n"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'plam'"):
        _ = rocecfg.plam  # type: ignore[attr-defined]


def write_captures(pod: Any, captures: Path) -> None:
    for name, files in api.render(pod).items():
        (captures / name).mkdir(parents=True)
        index: dict[str, Any] = {"schema": 1, "device": name, "nos": pod.devices[name].fitted.nos, "texts": []}
        for file, text in files.items():
            (captures / name / file).write_text(text, encoding="utf-8")
            index["texts"].append({"command": "", "file": file, "complete": True})
        (captures / name / "capture.json").write_text(json.dumps(index), encoding="utf-8")


def test_every_device_of_a_fabric_goes_round(tmp_path: Path) -> None:
    wanted = api.plan(POD)
    write_captures(wanted, tmp_path)
    live = [api.parse(folder) for folder in sorted(tmp_path.iterdir())]
    assert len(live) == len(wanted.devices)
    assert api.drift(wanted, live).findings == []
    assert not [item for item in api.lint(live, intent=wanted.fabric).findings if item.severity.word == "error"]


def test_a_changed_device_drifts() -> None:
    wanted = api.plan(POD)
    name = next(name for name, device in wanted.devices.items() if device.fitted.nos == "nxos")
    text = api.render(wanted, name)[name]["switch.cfg"]
    live = api.parse({"show running-config": text.replace("mtu 9216", "mtu 4200")}, nos="nxos", name=name)
    assert {item.leaf for item in api.drift(wanted, [live]).findings} == {"mtu"}


INTENT = """\
version: 1
fabric: pod1
classes: {roce: {dscp: 26, priority: 3, lossless: true}}
devices: {leaf1: {nos: nxos}, leaf2: {nos: nxos}}
links: [{a: "leaf1:Ethernet1/1", b: "leaf2:Ethernet1/1", speed: 400G, cable: 40m dac}]
"""


def test_suppressions_of_the_intent_count() -> None:
    found = [item.rule for item in api.lint(intent=INTENT).findings]
    assert "INT-003" in found, found
    quiet = api.lint(intent=f'{INTENT}ignore: ["INT-003 -- tried"]\n')
    assert "INT-003" not in [item.rule for item in quiet.findings]
    assert quiet.suppressed


def test_bad_input_is_one_error_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(IntentError, match="devices"):
        api.load_intent("version: 1\nfabric: x\n")
    with pytest.raises(IntentError):
        api.load_intent(tmp_path / "none.roce.yaml")
    with pytest.raises(ReadError):
        api.parse(tmp_path / "none.cfg")
    with pytest.raises(ReadError):
        api.parse({})
    with pytest.raises(UsageError, match="unknown system"):
        api.parse({"show running-config": "hostname x\n"}, nos="nxoss")
    wanted = api.plan(POD)
    with pytest.raises(UsageError, match="is called"):
        api.render(wanted, "nobody")
    stranger = api.parse({"": "interface Ethernet1/1\n  mtu 9216\n"}, nos="nxos", name="nobody")
    with pytest.raises(UsageError, match="is called"):
        api.drift(wanted, [stranger])
    other = next(name for name, device in wanted.devices.items() if device.fitted.nos != "nxos")
    with pytest.raises(UsageError, match="the text is of nxos"):
        api.drift(wanted, [replace(stranger, name=other)])


def test_what_a_device_cannot_carry_is_not_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = api.plan(POD)
    name = next(iter(wanted.devices))
    refusal = SimpleNamespace(device=name, object="p", field="f", wanted="w", got="g", because="b")
    monkeypatch.setattr(type(wanted), "refusals", lambda _: [refusal])
    with pytest.raises(RenderError, match="w is wanted, g: b"):
        api.render(wanted, name)


def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every Python block of docs/api.md, in order, in one namespace; nornir is stood in for by what it hands over."""
    pod = api.plan(POD)
    captures = tmp_path / "captures"
    write_captures(pod, captures)
    (tmp_path / "pod1.roce.yaml").write_text(POD.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    texts = api.render(pod)
    switches = {name: device for name, device in pod.devices.items() if device.fitted.kind == "switch"}

    class Task:
        def __init__(self, name: str) -> None:
            self.host = SimpleNamespace(name=name, platform=switches[name].fitted.nos)

        def run(self, task: object, command_string: str, **_: object) -> Any:
            del task
            commands = registry.get(self.host.platform).manifest.commands
            first = command_string == commands[0].send
            text = next(iter(texts[self.host.name].values())) if first else ""
            return [SimpleNamespace(result=text)]

    class Nornir:
        def run(self, task: Any) -> dict[str, Any]:
            return {name: [SimpleNamespace(result=task(Task(name)).result, failed=False)] for name in switches}

    stand_in = SimpleNamespace(
        InitNornir=lambda config_file: Nornir(),
        Result=lambda host, result: SimpleNamespace(host=host, result=result),
        Task=Task,
        netmiko_send_command=object(),
    )
    for module in ("nornir", "nornir.core", "nornir.core.task", "nornir_netmiko", "nornir_netmiko.tasks"):
        monkeypatch.setitem(sys.modules, module, stand_in)
    names: dict[str, Any] = {"__name__": "page"}
    python = blocks("python")
    assert len(python) >= 3
    for block in python:
        exec(compile(block, "docs/api.md", "exec"), names)
