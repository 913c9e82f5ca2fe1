"""The laws of docs/architecture.md, for every vendor folder there is."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rocecfg.drift.compare import compare
from rocecfg.errors import ReadError
from rocecfg.findings import Severity
from rocecfg.lint.run import lint
from rocecfg.render.engine import as_capture, render
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import Device
from rocecfg.state.parse import effective, parse
from rocecfg.vendor import registry
from tests.laws.intents import auto_intent, intents, planned, rendering

SYSTEMS = rendering()
QUICK = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))


def read_back(device: Device) -> Device:
    return parse(as_capture(device, render(device)))


def differences(one: Device, other: Device) -> str:
    """A short account of where two devices differ: a plain assert would print thousands of characters."""
    lines = []
    for name in sorted({*one.ports, *other.ports}):
        a, b = one.ports.get(name), other.ports.get(name)
        if a == b:
            continue
        if a is None or b is None:
            lines.append(f"{name}: only in one")
            continue
        for holder_a, holder_b in ((a, b), (a.qos, b.qos), (a.nic, b.nic)):
            for leaf in getattr(holder_a, "__slots__", ()):
                left, right = getattr(holder_a, leaf), getattr(holder_b, leaf, None)
                if leaf not in {"qos", "nic", "place", "places", "defaulted"} and left != right:
                    lines.append(f"{name}.{leaf}: {left} != {right}")
    lines.extend(
        f"{leaf}: {getattr(one, leaf)} != {getattr(other, leaf)}"
        for leaf in ("pfc_enabled", "ecn_enabled", "pools", "buffer_model", "traffic")
        if getattr(one, leaf) != getattr(other, leaf)
    )
    return "\n".join(lines)


@pytest.mark.parametrize("system", SYSTEMS)
@QUICK
@given(data=st.data())
def test_1_round_trip(system: str, data: st.DataObject) -> None:
    text = data.draw(intents(system))
    for device in planned(text).devices.values():
        if any(item.kind == "refused" for item in device.adjustments):
            continue
        for item in device.adjustments:
            assert set(item.object.split(", ")) <= {"", *device.fitted.ports}, item
            assert item.because, item
        again, more = registry.get(system).module.fit(device.fitted)
        assert again == device.fitted, f"fit is not idempotent:\n{differences(device.fitted, again)}"
        assert not [item for item in more if item.kind != "refused"], f"the second fit adjusts: {more}"
        back = read_back(device.fitted)
        assert not back.lines, back.lines
        assert back == device.fitted, differences(device.fitted, back)
        assert effective(back) == back, "defaults are not idempotent"


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    ("speed", "cable"), [("25G", "3m dac"), ("100G", "30m fibre"), ("400G", "3m dac"), ("400G", "150m fibre")]
)
def test_2_what_we_render_lints_clean(system: str, speed: str, cable: str) -> None:
    result = planned(auto_intent(system, speed, cable))
    assert not result.refusals()
    devices = [read_back(device.fitted) for device in result.devices.values()]
    found = lint(devices, intent=result.fabric)
    worse = [item for item in found.findings if item.severity >= Severity.WARNING]
    assert not worse, "\n".join(f"{item.rule} {item.object}: {item.message}" for item in worse)


@pytest.mark.parametrize("system", SYSTEMS)
@QUICK
@given(data=st.data())
def test_3_what_runs_our_text_has_no_drift(system: str, data: st.DataObject) -> None:
    for device in planned(data.draw(intents(system))).devices.values():
        if not any(item.kind == "refused" for item in device.adjustments):
            found = compare(device, read_back(device.fitted))
            assert not found.findings, found.findings


@pytest.mark.parametrize("system", SYSTEMS)
@QUICK
@given(junk=st.one_of(st.binary(max_size=400), st.text(max_size=400)))
def test_6_any_bytes_give_a_state_or_one_error(system: str, junk: bytes | str) -> None:
    content = junk.decode("latin-1") if isinstance(junk, bytes) else junk
    with contextlib.suppress(ReadError):
        assert isinstance(parse(Capture("x", system, (Text("x.txt", content),), file="x.txt")), Device)


@pytest.mark.parametrize("system", SYSTEMS)
def test_6_a_text_cut_anywhere_gives_a_state_or_one_error(system: str) -> None:
    device = planned(auto_intent(system)).devices["one"]
    for file in render(device.fitted):
        lines = file.content.splitlines(keepends=True)
        for cut in range(0, len(lines), max(len(lines) // 40, 1)):
            try:
                text = Text("x", "".join(lines[:cut]), file.command, complete=False)
                assert isinstance(parse(Capture("one", system, (text,))), Device)
            except ReadError:
                pass


@pytest.mark.parametrize("system", SYSTEMS)
def test_7_a_missing_line_is_never_an_error_in_an_incomplete_text(system: str) -> None:
    """Deleting a line from a text that is not whole may silence a rule; it must not make one speak of the absence."""
    result = planned(auto_intent(system))
    device = result.devices["one"]
    files = render(device.fitted)
    for file in files:
        lines = file.content.splitlines(keepends=True)
        for at in range(len(lines)):
            rest = [
                Text(
                    f.file,
                    f.content if f is not file else "".join(lines[:at] + lines[at + 1 :]),
                    f.command,
                    complete=False,
                )
                for f in files
            ]
            try:
                found = lint([parse(Capture("one", system, tuple(rest)))], intent=result.fabric)
            except ReadError:
                continue
            spoken = [item for item in found.findings if item.severity == Severity.ERROR and item.rule in _OF_ABSENCE]
            assert not spoken, f"without {lines[at]!r}: {spoken}"


_OF_ABSENCE = {"WD-001", "ECN-002", "BUF-001", "REF-001"}
"""Rules that speak when something is not there: in an incomplete text they must be not evaluated."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_9_same_input_same_bytes(system: str) -> None:
    """Two interpreters with different hash seeds render the same bytes."""
    code = (
        "import sys; from tests.laws.intents import auto_intent, planned; from rocecfg.render.engine import render\n"
        f"for device in planned(auto_intent({system!r})).devices.values():\n"
        "    for item in render(device.fitted): sys.stdout.write(item.file + item.content)\n"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1
    assert len(texts.pop()) > 200


_CAPABILITIES = {
    "classification", "pfc", "headroom", "pause threshold", "ecn", "scheduler", "watchdog", "buffers", "dcbx", "reads",
}  # fmt: skip
"""What the support matrix says of each system."""


def test_every_vendor_has_its_rooms() -> None:
    """A vendor is a folder here, a folder of templates and a folder of tests: nothing else has to be edited."""
    from rocecfg.packs import room_folders
    from tests.conftest import ROOT

    for name in registry.names():
        vendor = registry.get(name)
        assert vendor.manifest.name == name
        assert len(vendor.manifest.port_names) >= 2, name
        assert set(vendor.manifest.capabilities) == _CAPABILITIES, name
        assert (vendor.folder / "limits.yaml").is_file(), name
        templates = room_folders("templates")[0]
        has_templates = (templates / name).is_dir() or (templates / "nic" / name).is_dir()
        assert has_templates == bool(vendor.manifest.render), name
        assert vendor.manifest.render or vendor.manifest.notes, f"{name} renders nothing and does not say why"
        assert (ROOT / "tests" / "vendors" / name).is_dir(), name
        for command in vendor.manifest.commands:
            assert command.send, name


def test_replace_keeps_equality_outside_of_metadata() -> None:
    device = planned(auto_intent(SYSTEMS[0])).devices["one"].fitted
    assert replace(device, role="other", source="running") == device
