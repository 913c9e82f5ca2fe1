"""Plan -> text -> state for CloudEngine: the round trip, the golden texts, the evidence of every line, the oracle."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings

from rocecfg.drift.compare import compare
from rocecfg.findings import Severity
from rocecfg.lint.run import lint
from rocecfg.render.engine import as_capture, render
from rocecfg.render.evidence import Shapes
from rocecfg.state.model import Amount, Curve, Dcbx, Dynamic, LinkPause, Pfc, Pool, Static, code_map
from rocecfg.state.parse import effective, stated
from rocecfg.vendor import registry
from tests.laws.intents import auto_intent, planned
from tests.planned import planned_qos, planned_switch
from tests.vendors.huawei.plans import OF_A, OF_B, plans, small_plan

if TYPE_CHECKING:
    from rocecfg.state.model import Device, PortQos
    from rocecfg.vendor.api import Adjustment

HERE = Path(__file__).parent
VENDOR = registry.get("huawei")
GENERATED = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    return VENDOR.module.fit(device)


def text_of(device: Device) -> str:
    return render(device)[0].content


def read_back(device: Device) -> Device:
    return effective(stated(as_capture(device, render(device))))


def one_port(qos: PortQos | None = None, model: str | None = OF_A) -> Device:
    return planned_switch("huawei", ["400GE1/0/1"], qos or planned_qos(), model=model)


def changes(device: Device) -> dict[tuple[str, str], Adjustment]:
    return {(item.field, item.kind): item for item in fit(device)[1]}


def lines(device: Device) -> list[str]:
    return [line.strip() for line in text_of(fit(device)[0]).splitlines()]


@GENERATED
@given(plans())
def test_what_is_rendered_reads_back_as_fitted(device: Device) -> None:
    fitted, adjusted = fit(device)
    again, more = fit(fitted)
    assert again == fitted
    assert not [item for item in more if item.kind != "refused"]
    for item in adjusted:
        assert set(item.object.split(", ")) <= {"", *device.ports, *fitted.ports}, item
    if any(item.kind == "refused" for item in adjusted):
        return
    assert not more
    back = read_back(fitted)
    assert not back.lines
    assert back == fitted
    assert VENDOR.module.defaults(back) == back
    assert text_of(back) == text_of(fitted), "what is read back renders as the same text"
    assert not [line for line in text_of(fitted).splitlines() if not evidence(line.strip())]
    assert not [item for item in back.objects if item.used and not (item.defined or item.system)]


@pytest.mark.parametrize(("model", "file"), [(OF_A, "expected_a.cfg"), (OF_B, "expected_b.cfg")])
def test_small_plans_render_the_reviewed_texts(model: str, file: str) -> None:
    fitted, adjusted = fit(small_plan(model))
    assert not [item for item in adjusted if item.kind == "refused"]
    assert text_of(fitted) == (HERE / file).read_text()


SHAPES = Shapes(VENDOR.manifest.evidence)


def evidence(line: str) -> bool:
    return line == "#" or SHAPES.of_line(line) in {"device", "documented"}


def test_each_rendered_line_has_evidence_and_none_is_inferred() -> None:
    assert {item.level for item in VENDOR.manifest.evidence} <= {"device", "documented"}
    for model in (OF_A, OF_B):
        for line in text_of(fit(small_plan(model))[0]).splitlines():
            assert evidence(line.strip()), line


def test_the_lines_of_one_family_are_not_written_for_the_other() -> None:
    of_a, of_b = "\n".join(lines(small_plan(OF_A))), "\n".join(lines(small_plan(OF_B)))
    for words in (
        "dscp-mapping",
        "headroom-pool",
        "hdrm",
        "priority 3 deadlock",
        "xon offset",
        "deadlock-detect interval",
    ):
        assert words in of_a, words
        assert words not in of_b, words
    for words in ("qos ecn enable", "deadlock-detect timer", "deadlock-recovery timer", "xon static"):
        assert words in of_b, words
        assert words not in of_a, words


def test_without_a_model_family_a_is_written_and_said() -> None:
    fitted, adjusted = fit(small_plan(None))
    chosen = [item for item in adjusted if item.field == "model"]
    assert [item.kind for item in chosen] == ["chosen"]
    assert "give `model`" in chosen[0].because
    assert text_of(fitted) == text_of(fit(small_plan(OF_A))[0])
    assert not [item for item in fit(fitted)[1] if item.field == "model"]


@pytest.mark.parametrize(
    ("model", "kind"),
    [("CE6881H-48S6CQ", "refused"), ("CE16804", "refused"), ("CE8850-64CQ-EI", "refused"), ("CE6885-LL-56F", None),
     ("ce6866-48s8cq-p", None), ("CE6860-HAM", None)],
)  # fmt: skip
def test_models(model: str, kind: str | None) -> None:
    found = [item.kind for item in fit(small_plan(model))[1] if item.field == "model"]
    assert found == ([kind] if kind else [])


def test_family_b_refuses_priority_6_and_a_fourth_one() -> None:
    far = planned_qos(lossless={26: 6})
    assert ("pfc.tx", "refused") in changes(one_port(far, OF_B))
    assert ("pfc.tx", "refused") not in changes(one_port(far, OF_A))
    four = planned_qos(lossless={8: 1, 16: 2, 24: 3, 32: 4}, cnp=None)
    assert ("pfc.tx", "refused") in changes(one_port(four, OF_B))
    assert ("pfc.tx", "refused") not in changes(one_port(four, OF_A))


def test_a_set_without_priority_3_gets_a_profile_of_its_own() -> None:
    found = lines(one_port(planned_qos(lossless={32: 4})))
    assert "dcb pfc roce" in found
    assert "priority 4" in found
    assert "dcb pfc enable roce mode manual" in found
    assert "dcb pfc" not in found


def test_more_sets_of_priorities_than_profiles_are_refused() -> None:
    ports = {}
    for number, priority in enumerate((1, 2), 1):
        device = planned_switch("huawei", [f"400GE1/0/{number}"], planned_qos(lossless={26: priority}), model=OF_A)
        ports |= device.ports
    assert ("pfc", "refused") in changes(replace(one_port(), ports=ports))


@pytest.mark.parametrize(
    ("detect", "restore", "interval", "units"),
    [(100, 100, 10, (10, 10)), (200, 400, 100, (2, 4)), (150, 310, 10, (15, 31)), (1, 1, 10, (1, 1)),
     (7_500, 9_000, 500, (15, 18)), (99_999, 99_999, 1000, (15, 31))],
)  # fmt: skip
def test_deadlock_times_of_family_a(detect: int, restore: int, interval: int, units: tuple[int, int]) -> None:
    qos = planned_qos()
    assert qos.watchdog is not None
    qos = replace(qos, watchdog=replace(qos.watchdog, detect=detect, restore=restore))
    found = lines(one_port(qos))
    assert f"dcb pfc deadlock-detect interval {interval}" in found
    assert f"priority 3 deadlock-detect time {units[0]}" in found
    assert f"priority 3 deadlock-recovery time {units[1]}" in found


def test_deadlock_detection_cannot_be_turned_off() -> None:
    qos = planned_qos()
    assert qos.watchdog is not None
    found = changes(one_port(replace(qos, watchdog=replace(qos.watchdog, enabled=False))))
    assert found["watchdog.enabled", "box-made"].got == "on"


def test_what_has_no_line_is_said() -> None:
    qos = planned_qos(alpha=Fraction(1, 8))
    queues = list(qos.queues or ())
    assert queues[3] is not None
    queues[3] = replace(queues[3], shaper=10**9, reserved=Amount.of_bytes(1), limit=Dynamic(Fraction(1, 4)))
    qos = replace(
        qos,
        queues=tuple(queues),
        link_pause=LinkPause(rx=True, tx=True),
        rewrite=(("tc", 3, 26),),
        app_to_tc=(("udp", 4791, 3),),
        dcbx=Dcbx(state="ieee", willing=True, advertises=frozenset({"ets", "app"})),
    )
    device = replace(one_port(qos), pools=(Pool("lossless"),), traffic=(9216, 50))
    found = changes(device)
    for leaf in ("link_pause", "rewrite", "app_to_tc", "dcbx", "queues.3.shaper", "queues.3.reserved", "queues.3.limit",
                 "pools", "traffic"):  # fmt: skip
        assert (leaf, "dropped") in found, leaf
    assert ("priority_groups.3.xoff_at", "chosen") in found


def test_refusals() -> None:
    qos = planned_qos()
    split = replace(qos, pfc=Pfc(admin="on", tx=frozenset({3}), rx=frozenset({4})))
    assert ("pfc", "refused") in changes(one_port(split))
    assert ("name", "refused") in changes(planned_switch("huawei", ["Ethernet1/1"], qos))
    assert ("name", "refused") in changes(planned_switch("huawei", ["Eth-Trunk1"], qos))
    assert ("speed", "refused") in changes(planned_switch("huawei", ["25GE1/0/1"], qos))
    assert ("speed", "refused") not in changes(planned_switch("huawei", ["25GE1/0/1:1"], qos))
    only = replace(planned_qos(lossless={0: 0}, cnp=None), dscp_to_tc=code_map({0: 0}))
    assert ("default_tc", "refused") in changes(one_port(only))


def test_the_headroom_pool_is_the_sum_and_is_cut_at_the_largest() -> None:
    names = [f"400GE1/0/{number}" for number in range(1, 5)]
    small = planned_switch("huawei", names, planned_qos(headroom=102_400), model=OF_A)
    assert "qos buffer headroom-pool size 400 kbytes slot 1" in lines(small)
    large = planned_switch("huawei", names, planned_qos(headroom=10_240_000), model=OF_A)
    assert "qos buffer headroom-pool size 30720 kbytes slot 1" in lines(large)
    assert "cut at" in changes(large)["pools.headroom slot 1", "chosen"].because


def test_one_pool_and_one_mapping_for_each_slot() -> None:
    device = planned_switch("huawei", ["400GE1/0/1", "400GE3/0/1"], planned_qos(), model=OF_A)
    found = lines(device)
    for slot in (1, 3):
        assert f"dcb pfc dscp-mapping enable slot {slot}" in found
        assert f"dcb pfc deadlock recovery-behavior discard slot {slot}" in found


def test_percent_ramps_and_drop_curves() -> None:
    qos = planned_qos()
    queues = list(qos.queues or ())
    assert queues[3] is not None
    assert queues[3].ecn is not None
    assert queues[0] is not None
    curve = Curve(Amount(50, "percent"), Amount(80, "percent"), 30)
    queues[3] = replace(queues[3], ecn=replace(queues[3].ecn, curves=(curve,)))
    queues[0] = replace(queues[0], wred=(Curve(Amount(40, "percent"), Amount(60, "percent"), 40),))
    found = lines(one_port(replace(qos, queues=tuple(queues))))
    assert "ecn low-limit 50 high-limit 80 discard-percentage 30" in found
    for colour in ("green", "yellow", "red"):
        assert f"color {colour} low-limit 40 high-limit 60 discard-percentage 40" in found
    assert "qos queue 0 ecn" not in found


def test_a_static_trigger_keeps_its_offset_below_it() -> None:
    qos = planned_qos()
    groups = list(qos.priority_groups or ())
    assert groups[3] is not None
    groups[3] = replace(groups[3], xoff_at=Static(Amount.of_bytes(10_240)), xon_below=Amount.of_bytes(20_480))
    found = lines(one_port(replace(qos, priority_groups=tuple(groups))))
    assert "dcb pfc buffer 3 xoff static 10 kbytes xon offset 9 kbytes" in found


def test_trust_pcp_and_none() -> None:
    pcp = replace(planned_qos(), trust="pcp", dscp_to_tc=None, pcp_to_tc=code_map({3: 3}, 8))
    pcp = replace(pcp, pfc=replace(pcp.pfc, by="pcp") if pcp.pfc else None)
    found = lines(one_port(pcp))
    assert "trust 8021p outer" in found
    assert "8021p-inbound 3 phb af3 green" in found
    assert "8021p-inbound 4 phb be green" in found
    assert not [line for line in found if "dscp-mapping" in line]
    assert "trust upstream none" in lines(one_port(replace(planned_qos(), trust="none")))


@pytest.mark.parametrize("model", [OF_A, OF_B])
@pytest.mark.parametrize(("speed", "cable"), [("25G", "3m dac"), ("100G", "30m fibre"), ("400G", "150m fibre")])
def test_both_families_lint_clean_and_have_no_drift(model: str, speed: str, cable: str) -> None:
    result = planned(auto_intent("huawei", speed, cable).replace("role: edge}", f"role: edge, model: {model}}}"))
    assert not result.refusals()
    assert {device.fitted.model for device in result.devices.values()} == {model}
    devices = [read_back(device.fitted) for device in result.devices.values()]
    found = lint(devices, intent=result.fabric).findings
    assert not [item for item in found if item.severity >= Severity.WARNING]
    for planned_device, device in zip(result.devices.values(), devices, strict=True):
        assert not compare(planned_device, device).findings


@pytest.mark.oracle
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(device=plans())
def test_the_oracle_knows_every_line(shared: Path, tmp_path_factory: pytest.TempPathFactory, device: Device) -> None:
    fitted, adjusted = fit(device)
    if any(item.kind == "refused" for item in adjusted):
        return
    file = tmp_path_factory.mktemp("oracle") / "switch.cfg"
    file.write_text(text_of(fitted))
    found = subprocess.run(
        [sys.executable, shared / "oracles" / "nxos" / "check_lines.py", "--shapes",
         shared / "oracles" / "huawei" / "shapes.tsv", file],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout + found.stderr
