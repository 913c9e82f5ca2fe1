"""What is rendered for a planned Arista switch, what is said about it, and that it reads back as it was meant."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings

from rocecfg.render.engine import as_capture, render
from rocecfg.render.evidence import Shapes, doubtful
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import Amount, Device, Dynamic, Ecn, PortWatchdog, Static, code_map
from rocecfg.state.parse import parse
from rocecfg.vendor import registry
from tests.laws.intents import auto_intent, planned
from tests.planned import planned_qos, planned_switch, sixteen
from tests.vendors.eos.plans import MODELS, small_plan, switches

if TYPE_CHECKING:
    from rocecfg.vendor.api import Adjustment

EXPECTED = Path(__file__).with_name("expected_switch.cfg")
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    return registry.get("eos").module.fit(device)


def text(device: Device) -> str:
    (file,) = render(fit(device)[0])
    return file.content


def said(changes: tuple[Adjustment, ...], kind: str, leaf: str) -> list[Adjustment]:
    return [item for item in changes if item.kind == kind and item.field == leaf]


def test_the_small_plan_word_for_word() -> None:
    assert text(small_plan()) == EXPECTED.read_text(encoding="utf-8")


def test_the_small_plan_reads_back_without_an_open_line() -> None:
    fitted, _ = fit(small_plan())
    back = parse(as_capture(fitted, render(fitted)))
    assert back == fitted
    assert not back.lines
    assert back.lines_read > 40


@QUICK
@given(device=switches())
def test_what_is_fitted_reads_back(device: Device) -> None:
    fitted, changes = fit(device)
    assert all(item.because and item.wanted != item.got for item in changes), changes
    again, more = fit(fitted)
    assert again == fitted
    assert not more, more
    back = parse(as_capture(fitted, render(fitted)))
    assert not back.lines
    assert back.ports == fitted.ports
    assert back.pfc_enabled == fitted.pfc_enabled


@pytest.mark.parametrize("seed", range(12))
def test_the_order_of_sections_and_lines_says_nothing(seed: int) -> None:
    """Editions of Arista's own tools print queue lines, PFC lines and sections in different orders."""
    dice = random.Random(seed)
    fitted, _ = fit(small_plan())
    sections = render(fitted)[0].content.split("\n!\n")
    head, rest = sections[0], [section for section in sections[1:] if section]
    shuffled = []
    for section in rest:
        blocks = section.split("\n   !\n")
        bodies = []
        for number, block in enumerate(blocks):
            first, *lines = block.split("\n")
            if block.startswith("qos map") or first.startswith(
                ("priority-flow-control", "platform trident mmu queue profile ROCE apply")
            ):
                lines, first = [first, *lines], ""
            dice.shuffle(lines)
            bodies.append("\n".join(line for line in (first, *lines) if line) if number or first else "\n".join(lines))
        queues = bodies[1:]
        dice.shuffle(queues)
        shuffled.append("\n   !\n".join([bodies[0], *queues]))
    dice.shuffle(shuffled)
    text = Text("switch.cfg", "\n!\n".join([head, *shuffled, ""]), "show running-config", complete=True)
    back = parse(Capture(fitted.name, "eos", (text,), file="switch.cfg"))
    assert not back.lines
    assert back.ports == fitted.ports


@QUICK
@given(device=switches())
def test_every_rendered_line_has_evidence(device: Device) -> None:
    fitted, _ = fit(device)
    shapes = Shapes(registry.get("eos").manifest.evidence)
    assert not list(doubtful(shapes, "leaf1", render(fitted)))


@pytest.mark.oracle
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(device=switches())
def test_no_rendered_line_is_unknown_to_aristas_model(device: Device, shared: Path, tmp_path_factory) -> None:
    checker = shared / "oracles" / "eos" / "check_lines.py"
    if not checker.is_file():
        pytest.skip("the EOS oracle is not beside this checkout")
    file = tmp_path_factory.mktemp("oracle") / "switch.cfg"
    file.write_text(text(device), encoding="utf-8")
    ran = subprocess.run([sys.executable, str(checker), str(file)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize(
    ("model", "word", "mmu"),
    [
        ("DCS-7060DX4-32", "uc-tx-queue", True),
        ("DCS-7060DX5-64S", "uc-tx-queue", True),
        ("DCS-7060X6-64PE", "uc-tx-queue", True),
        ("DCS-7050PX4-32S", "uc-tx-queue", False),
        ("DCS-7260CX3-64", "tx-queue", False),
        ("DCS-7050CX3-32S", "tx-queue", False),
        ("DCS-7280CR3-32P4", "tx-queue", False),
        ("DCS-7280SR3AK-48YC8", "tx-queue", False),
        ("DCS-7808-CH", "tx-queue", False),
        ("DCS-7358X4", "uc-tx-queue", False),
        ("dcs-7060px4-32", "uc-tx-queue", True),
        (None, "tx-queue", False),
        ("DCS-9999", "tx-queue", False),
    ],
)
def test_the_platform_decides_the_word_of_a_queue_and_the_buffer_profile(
    model: str | None, word: str, mmu: bool
) -> None:
    device = replace(planned_switch("eos", ["Ethernet1/1"]), model=model)
    content = text(device)
    assert f"   {word} 3\n" in content
    assert ("   tx-queue 3\n" in content) == (word == "tx-queue")
    assert ("platform trident mmu" in content) == mmu
    assert "mc-tx-queue" not in content
    assert "qos map traffic-class 3 to tx-queue 3\n" in content, "the target of a map is tx-queue on every platform"
    chosen = said(fit(device)[1], "chosen", "queues")
    proven = ("7060DX4", "7060DX5", "7060px4", "7260", "7280", "7808")
    assert bool(chosen) == (not any(series in (model or "") for series in proven))


def test_the_asic_tells_the_platform_as_well() -> None:
    device = replace(planned_switch("eos", ["Ethernet1/1"]), asic="tomahawk4")
    assert "   uc-tx-queue 3\n" in text(device)


def test_headroom_is_one_for_the_device_in_whole_cells() -> None:
    fitted, changes = fit(small_plan())
    assert "    ingress headroom 400050\n" in text(small_plan())
    assert 400_050 % 254 == 0
    (equalised,) = said(changes, "equalised", "priority_groups.3.headroom")
    assert equalised.object == "Ethernet1/1, Ethernet2/1"
    (rounded,) = said(changes, "quantised", "priority_groups.3.headroom")
    assert (rounded.wanted, rounded.got) == ("400000 B", "400050 B")
    group = fitted.ports["Ethernet1/1"].qos.priority_group(3)
    assert group is not None
    assert group.headroom is not None
    assert group.headroom.amount == Amount.of_bytes(400_050)


def test_without_a_published_profile_the_headroom_is_said_to_be_the_boxes_own() -> None:
    device = replace(planned_switch("eos", ["Ethernet1/1"]), model="DCS-7280CR3-32P4")
    fitted, changes = fit(device)
    (dropped,) = said(changes, "dropped", "priority_groups.3.headroom")
    assert dropped.wanted == "98304 B"
    assert "no MMU profile of this platform is published" in dropped.because
    group = fitted.ports["Ethernet1/1"].qos.priority_group(3)
    assert group is not None
    assert group.headroom is None


@pytest.mark.parametrize(("alpha", "got"), [("1/8", "1/8"), ("3/5", "1/2"), ("16", "8"), ("1/300", "1/128")])
def test_the_pause_threshold_is_a_power_of_two(alpha: str, got: str) -> None:
    from fractions import Fraction

    device = replace(
        planned_switch("eos", ["Ethernet1/1"], planned_qos(alpha=Fraction(alpha))), model="DCS-7060DX5-64S"
    )
    assert f"    ingress priority-group 3 threshold {got}\n" in text(device)
    assert bool(said(fit(device)[1], "quantised", "priority_groups.3.xoff_at")) == (alpha != got)


def test_a_fixed_pause_threshold_has_no_command() -> None:
    qos = planned_qos()
    groups = list(qos.priority_groups or ())
    assert groups[3] is not None
    groups[3] = replace(groups[3], xoff_at=Static(Amount.of_bytes(100_000)))
    device = planned_switch("eos", ["Ethernet1/1"], replace(qos, priority_groups=tuple(groups)))
    fitted, changes = fit(replace(device, model="DCS-7060DX5-64S"))
    assert said(changes, "dropped", "priority_groups.3.xoff_at")
    group = fitted.ports["Ethernet1/1"].qos.priority_group(3)
    assert group is not None
    assert not isinstance(group.xoff_at, (Static, Dynamic))


def test_every_dscp_is_mapped_and_none_strays_into_the_lossless_class() -> None:
    fitted, _ = fit(small_plan())
    table = fitted.ports["Ethernet1/1"].qos.dscp_to_tc
    assert table is not None
    assert table.codes(3) == (26,)
    assert None not in table.to
    content = text(small_plan())
    lines = [line for line in content.splitlines() if line.startswith("qos map dscp ")]
    assert sorted(int(word) for line in lines for word in line.split()[3:-3]) == list(range(64))


def test_a_lossless_class_gets_the_number_of_its_priority() -> None:
    qos = planned_qos()
    moved = replace(
        qos,
        dscp_to_tc=code_map({26: 5, 48: 6}),
        tc_to_queue=sixteen({0: 0, 5: 3, 6: 6}),
        tc_to_pg=sixteen({0: 0, 5: 3, 6: 0}),
    )
    fitted, changes = fit(planned_switch("eos", ["Ethernet1/1"], moved))
    assert said(changes, "equalised", "tc_to_pg")
    table = fitted.ports["Ethernet1/1"].qos.dscp_to_tc
    assert table is not None
    assert table.to[26] == 3


def test_class_seven_leaves_by_queue_seven() -> None:
    qos = planned_qos(cnp=(48, 7))
    moved = replace(qos, tc_to_queue=sixteen({0: 0, 3: 3, 7: 5}))
    _, changes = fit(planned_switch("eos", ["Ethernet1/1"], moved))
    assert said(changes, "refused", "tc_to_queue")


def test_the_control_class_is_never_made_lossless() -> None:
    _, changes = fit(planned_switch("eos", ["Ethernet1/1"], planned_qos(lossless={26: 7}, cnp=None)))
    (refused,) = said(changes, "refused", "pfc.tx")
    assert "control traffic" in refused.because


def test_thresholds_in_bytes_whatever_the_plan_counts_in() -> None:
    qos = planned_qos()
    queues = list(qos.queues or ())
    assert queues[3] is not None
    assert queues[3].ecn is not None
    curve = replace(queues[3].ecn.curves[0], low=Amount(150, "kbyte", 150_000), probability=None)
    queues[3] = replace(queues[3], ecn=Ecn((curve,), weight=40, non_ect="drop"))
    fitted, changes = fit(planned_switch("eos", ["Ethernet1/1"], replace(qos, queues=tuple(queues))))
    line = "minimum-threshold 150000 bytes maximum-threshold 1500000 bytes max-mark-probability 100 weight 15"
    assert line in text(planned_switch("eos", ["Ethernet1/1"], replace(qos, queues=tuple(queues))))
    assert said(changes, "quantised", "queues.3.ecn.kmin")
    assert said(changes, "chosen", "queues.3.ecn.pmax")
    assert said(changes, "quantised", "queues.3.ecn.weight")
    assert said(changes, "dropped", "queues.3.ecn.non_ect")
    assert fitted.ports["Ethernet1/1"].qos.queues is not None


def test_watchdog_times_are_seconds_and_shared_where_they_agree() -> None:
    content = text(planned_switch("eos", ["Ethernet1/1", "Ethernet2/1"]))
    for line in ("default timeout 0.20", "default recovery-time 0.40", "default polling-interval 0.10", "action drop"):
        assert f"\npriority-flow-control pause watchdog {line}\n" in content
    assert "port timer" not in content


def test_a_port_without_watchdog_keeps_the_times_out_of_the_device() -> None:
    qos = planned_qos()
    quiet = replace(qos, watchdog=PortWatchdog(enabled=False))
    device = planned_switch("eos", ["Ethernet1/1"], qos)
    other = replace(device.ports["Ethernet1/1"], name="Ethernet2/1", qos=quiet)
    device = replace(device, ports={**device.ports, "Ethernet2/1": other})
    content = text(device)
    assert "default timeout" not in content
    assert "port timer timeout 0.20 polling-interval 0.10 recovery-time 0.40" in content
    fitted, _ = fit(device)
    back = parse(as_capture(fitted, render(fitted)))
    assert back.ports["Ethernet2/1"].qos.watchdog == PortWatchdog(enabled=False, action="drop") or (
        back.ports["Ethernet2/1"].qos.watchdog is not None and back.ports["Ethernet2/1"].qos.watchdog.enabled is False
    )


def test_a_poll_over_half_of_the_timeout_is_shortened() -> None:
    qos = replace(planned_qos(), watchdog=PortWatchdog(enabled=True, poll=180, detect=200, restore=400, action="drop"))
    fitted, changes = fit(planned_switch("eos", ["Ethernet1/1"], qos))
    assert said(changes, "quantised", "watchdog.poll")
    watchdog = fitted.ports["Ethernet1/1"].qos.watchdog
    assert watchdog is not None
    assert watchdog.poll == 100


def test_ports_are_named_as_eos_prints_them() -> None:
    fitted, changes = fit(planned_switch("eos", ["et1/1", "po7"]))
    assert list(fitted.ports) == ["Ethernet1/1", "Port-Channel7"]
    assert len(said(changes, "equalised", "name")) == 2
    _, changes = fit(planned_switch("eos", ["swp1"]))
    assert said(changes, "refused", "name")


@pytest.mark.parametrize("model", MODELS)
def test_a_plan_on_auto_of_every_family_has_no_refusal(model: str | None) -> None:
    intent = auto_intent("eos", "400G", "3m dac")
    if model is not None:
        intent = intent.replace("nos: eos", f"nos: eos, model: {model}")
    assert not planned(intent).refusals()
