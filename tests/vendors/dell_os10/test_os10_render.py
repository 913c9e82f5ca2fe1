"""Plan -> text -> state for OS10: the round trip, the golden text, the evidence of every line."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from rocecfg.render.engine import as_capture, render
from rocecfg.state.model import (
    Amount,
    Curve,
    Dcbx,
    Dynamic,
    Ecn,
    Headroom,
    LinkPause,
    Pfc,
    PriorityGroup,
    Queue,
    Static,
    code_map,
    eight,
)
from rocecfg.state.parse import effective, stated
from rocecfg.vendor import registry
from tests.planned import planned_qos, planned_switch, sixteen
from tests.vendors.dell_os10.plans import plans, small_plan

if TYPE_CHECKING:
    from rocecfg.state.model import Device, PortQos
    from rocecfg.vendor.api import Adjustment

HERE = Path(__file__).parent
VENDOR = registry.get("dell_os10")


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    return VENDOR.module.fit(device)


def text_of(device: Device) -> str:
    return render(device)[0].content


def read_back(device: Device) -> Device:
    return effective(stated(as_capture(device, render(device))))


def one_port(qos: PortQos) -> Device:
    return planned_switch("dell_os10", ["ethernet1/1/1"], qos)


def changes(device: Device) -> dict[tuple[str, str], Adjustment]:
    return {(item.field, item.kind): item for item in fit(device)[1]}


def _evidence(line: str) -> bool:
    for item in VENDOR.manifest.evidence:
        words = [r"\S+" if word.startswith("<") else re.escape(word) for word in item.shape.split()]
        if re.fullmatch(" ".join(words), line):
            return True
    return line in ("", "!")


@settings(max_examples=60, deadline=None)
@given(plans())
def test_what_is_rendered_reads_back_as_fitted(device: Device) -> None:
    fitted, adjusted = fit(device)
    again, more = fit(fitted)
    assert again == fitted
    assert not more
    if any(item.kind == "refused" for item in adjusted):
        return
    back = read_back(fitted)
    assert not back.lines
    assert back == fitted
    assert VENDOR.module.defaults(back) == back
    assert text_of(back) == text_of(fitted), "what is read back renders as the same text"
    lines = [line.strip() for line in text_of(fitted).splitlines()[1:]]
    assert [line for line in lines if not _evidence(line)] == []
    assert not [item for item in back.objects if item.used != item.defined and not item.system]


def test_the_golden_text() -> None:
    assert text_of(fit(small_plan())[0]) == (HERE / "expected_switch.cfg").read_text(encoding="utf-8")


@pytest.mark.oracle
def test_the_table_of_published_lines_knows_every_line(shared: Path, tmp_path: Path) -> None:
    checker = shared / "oracles" / "nxos" / "check_lines.py"
    shapes = shared / "oracles" / "os10" / "shapes.tsv"
    if not checker.is_file() or not shapes.is_file():
        pytest.skip("no table of published OS10 lines beside this checkout")
    two = replace(planned_qos(lossless={26: 3, 18: 4}, cable=500), trust="both", pcp_to_tc=code_map({3: 3, 4: 4}, 8))
    by_priority = replace(planned_qos(), trust="pcp", dscp_to_tc=None, pcp_to_tc=code_map({3: 3}, 8))
    plans_ = [small_plan(), one_port(two), one_port(by_priority), one_port(planned_qos(cnp=None, watchdog=False))]
    files = []
    for number, device in enumerate(plans_):
        file = tmp_path / f"{number}.cfg"
        file.write_text(text_of(fit(device)[0]))
        files.append(str(file))
    done = subprocess.run(
        [sys.executable, str(checker), "--shapes", str(shapes), *files], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "unknown" not in done.stdout


def test_box_keeps_headroom_up_to_100_m_and_is_told_above() -> None:
    near, far = (fit(one_port(planned_qos(cable=cable)))[0].ports["ethernet1/1/1"].qos for cable in (100, 101))
    group = near.priority_group(3)
    assert group is not None
    assert group.headroom == Headroom(by="box")
    assert group.xoff_at is None
    assert "100 m" in changes(one_port(planned_qos(cable=100)))["priority_groups.3.headroom", "box-made"].because
    group = far.priority_group(3)
    assert group is not None
    # 98304 B = 98.3 KB, kept as 99; the trigger is 5/4 of Kmin = 187.5 KB, down; resume 18432 B below: 168.568, down
    assert group.headroom == Headroom(Amount(99, "kbyte"))
    assert group.xoff_at == Static(Amount(187, "kbyte"))
    assert group.xon_at == Amount(168, "kbyte")
    text = text_of(fit(one_port(planned_qos(cable=101)))[0])
    assert "\n  pause buffer-size 286 pause-threshold 187 resume-threshold 168\n  pfc-cos 3\n" in text


def test_the_longest_cable_states_the_buffer_of_all_pfc_ports() -> None:
    fitted, adjusted = fit(small_plan())
    groups = {name: port.qos.priority_group(3) for name, port in fitted.ports.items()}
    assert groups["ethernet1/1/1"] == groups["ethernet1/1/49"]
    assert groups["ethernet1/1/1"] is not None
    assert groups["ethernet1/1/1"].headroom == Headroom(Amount(512, "kbyte"))
    assert groups["ethernet1/1/2"] == PriorityGroup(lossless=False)
    said = [item for item in adjusted if item.field == "priority_groups.3.headroom" and item.kind == "equalised"]
    assert [item.object for item in said] == ["ethernet1/1/1", "ethernet1/1/3:1"]


def test_every_change_is_said() -> None:
    qos = planned_qos(alpha=None)
    queues = list(qos.queues or ())
    queues[5] = Queue("strict", rank=2)
    said = changes(
        one_port(
            replace(
                qos,
                queues=tuple(queues),
                link_pause=LinkPause(rx=True, tx=True),
                dcbx=Dcbx(state="ieee", willing=True),
                rewrite=(("dscp", 26, 0),),
                default_tc=1,
            )
        )
    )
    for leaf, kind in (
        ("watchdog", "dropped"), ("link_pause", "dropped"), ("dcbx", "equalised"), ("dcbx", "dropped"),
        ("rewrite", "dropped"), ("default_tc", "dropped"), ("queues.5.rank", "dropped"), ("queues.6.rank", "dropped"),
        ("queues.3.ecn.weight", "dropped"), ("queues.3.ecn.kmin", "quantised"),
    ):  # fmt: skip
        assert (leaf, kind) in said, (leaf, kind, sorted(said))
        assert said[leaf, kind].because


def test_pfc_by_negotiation_is_forced_on() -> None:
    qos = replace(planned_qos(), pfc=Pfc(admin="auto", tx=frozenset({3}), rx=frozenset({3}), by="internal"))
    assert ("pfc.admin", "equalised") in changes(one_port(qos))
    assert "\n priority-flow-control mode on\n" in text_of(fit(one_port(qos))[0])


def test_thresholds_end_at_12480_kb() -> None:
    fitted, adjusted = fit(one_port(planned_qos(kmin=10_000_000, kmax=20_000_000)))
    queue = fitted.ports["ethernet1/1/1"].qos.queue(3)
    assert queue is not None
    assert queue.ecn == Ecn((Curve(Amount(10_000, "kbyte"), Amount(12_480, "kbyte"), 10),))
    assert any(item.field == "queues.3.ecn.kmax" and item.kind == "quantised" for item in adjusted)


@pytest.mark.parametrize(
    ("change", "leaf"),
    [
        ({"pfc": Pfc(admin="on", tx=frozenset({3}), rx=frozenset(), by="internal")}, "pfc"),
        ({"pfc": Pfc(admin="on", tx=frozenset({3}), rx=frozenset({3}), by="pcp")}, "pfc.by"),
        ({"dscp_to_tc": code_map({26: 9})}, "dscp_to_tc"),
        ({"tc_to_queue": sixteen({0: 0, 3: 9})}, "tc_to_queue"),
        (
            {"queues": eight({3: Queue(ecn=Ecn((Curve(Amount(5, "percent"), Amount(9, "percent"), 5),)))})},
            "queues.3.ecn",
        ),
        ({"priority_groups": eight({3: PriorityGroup(lossless=True)}), "cable": 200}, "priority_groups.3.headroom"),
    ],
)
def test_what_cannot_be_carried_is_refused(change: dict[str, object], leaf: str) -> None:
    adjusted = fit(one_port(replace(planned_qos(), **change)))[1]  # type: ignore[arg-type]
    assert [item for item in adjusted if item.kind == "refused" and item.field.startswith(leaf)], adjusted


def test_ports_of_other_names_and_port_channels_are_refused() -> None:
    for name in ("Ethernet1/1", "swp1", "port-channel10"):
        adjusted = fit(planned_switch("dell_os10", [name]))[1]
        assert [item for item in adjusted if item.kind == "refused" and item.field == "name"], name


def test_two_pfc_sets_are_refused() -> None:
    device = small_plan()
    other = planned_qos(lossless={26: 4})
    ports = {**device.ports, "ethernet1/1/9": replace(device.ports["ethernet1/1/1"], name="ethernet1/1/9", qos=other)}
    adjusted = fit(replace(device, ports=ports))[1]
    assert any(item.kind == "refused" and item.field == "pfc" for item in adjusted)


def test_alpha_has_no_published_index() -> None:
    device = one_port(planned_qos(cable=300))
    said = changes(device)
    assert "published" in said["priority_groups.3.xoff_at", "quantised"].because
    group = fit(device)[0].ports["ethernet1/1/1"].qos.priority_group(3)
    assert group is not None
    assert not isinstance(group.xoff_at, Dynamic)
