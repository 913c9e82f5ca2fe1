"""Plan -> text -> state for NX-OS: the round trip, the golden text, the evidence of every line."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from rocecfg.render.engine import as_capture, render
from rocecfg.state.model import (
    Amount,
    CodeMap,
    Curve,
    Dynamic,
    Headroom,
    LinkPause,
    Pfc,
    Pool,
    PriorityGroup,
    Queue,
    Static,
    code_map,
    eight,
)
from rocecfg.state.parse import effective, stated
from rocecfg.vendor import registry
from tests.planned import planned_qos, planned_switch, sixteen
from tests.vendors.nxos.plans import plans, small_plan

if TYPE_CHECKING:
    from rocecfg.state.model import Device, PortQos
    from rocecfg.vendor.api import Adjustment

HERE = Path(__file__).parent
VENDOR = registry.get("nxos")


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    return VENDOR.module.fit(device)


def text_of(device: Device) -> str:
    return render(device)[0].content


def read_back(device: Device) -> Device:
    return effective(stated(as_capture(device, render(device))))


def one_port(qos: PortQos) -> Device:
    return planned_switch("nxos", ["Ethernet1/1"], qos)


def changes(device: Device) -> dict[tuple[str, str], Adjustment]:
    return {(item.field, item.kind): item for item in fit(device)[1]}


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
    assert {word for line in text_of(fitted).splitlines() for word in [line.strip()] if not _evidence(word)} <= {""}
    broken = [item for item in back.objects if item.used and not (item.defined or item.system)]
    assert not broken


@settings(max_examples=20, deadline=None)
@given(plans())
def test_no_code_nobody_planned_lands_in_a_lossless_class(device: Device) -> None:
    planned = next(iter(device.ports.values())).qos.dscp_to_tc  # one map for all ports of a generated plan
    assert planned is not None
    for port in fit(device)[0].ports.values():
        lossless = port.qos.lossless_tcs()
        assert port.qos.dscp_to_tc is not None
        assert lossless is not None
        stray = {code for code, to in enumerate(port.qos.dscp_to_tc.to) if to in lossless and planned.to[code] is None}
        assert not stray


def test_small_plan_renders_the_reviewed_text() -> None:
    fitted, _ = fit(small_plan())
    assert text_of(fitted) == (HERE / "expected_switch.cfg").read_text()
    assert text_of(fitted) == text_of(fit(small_plan())[0])


def _evidence(line: str) -> bool:
    if line.startswith("!"):
        return True  # a comment: NX-OS drops it
    return any(pattern.fullmatch(line) for pattern in SHAPES)


def _pattern(shape: str) -> re.Pattern[str]:
    words = [r"\S+" if word.startswith("<") else re.escape(word) for word in shape.split(" ")]
    return re.compile(" ".join(words))


SHAPES = [_pattern(item.shape) for item in VENDOR.manifest.evidence]


def test_each_rendered_line_has_evidence_and_none_is_inferred() -> None:
    assert {item.level for item in VENDOR.manifest.evidence} <= {"device", "documented"}
    for line in text_of(fit(small_plan())[0]).splitlines():
        assert not line.strip() or _evidence(line.strip()), line


@pytest.mark.oracle
def test_the_table_of_published_lines_knows_every_line(shared: Path, tmp_path: Path) -> None:
    checker = shared / "oracles" / "nxos" / "check_lines.py"
    if not checker.is_file():
        pytest.skip("no table of published NX-OS lines beside this checkout")
    two = replace(planned_qos(lossless={26: 3, 18: 4}, cable=500), trust="both", pcp_to_tc=code_map({3: 3, 4: 4}, 8))
    files = []
    for number, device in enumerate([small_plan(), one_port(two), one_port(planned_qos(cnp=None, watchdog=False))]):
        file = tmp_path / f"{number}.cfg"
        file.write_text(text_of(fit(device)[0]))
        files.append(str(file))
    done = subprocess.run(
        [sys.executable, str(checker), "--strict", *files], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "unknown" not in done.stdout


def test_box_keeps_headroom_up_to_100_m_and_is_told_above() -> None:
    near, far = (fit(one_port(planned_qos(cable=cable)))[0].ports["Ethernet1/1"].qos for cable in (100, 101))
    group = near.priority_group(3)
    assert group is not None
    assert group.headroom == Headroom(by="box")
    assert group.xoff_at is None
    assert "headroom" in str(changes(one_port(planned_qos(cable=100)))[("priority_groups.3.headroom", "box-made")])
    group = far.priority_group(3)
    assert group is not None
    # 98304 B = 472.6 cells of 208 B, kept as 473; the trigger is 5/4 of Kmin = 187500 B, down to whole cells.
    assert group.headroom == Headroom(Amount(473 * 208), by="stated")
    assert group.xoff_at == Static(Amount(187_500 // 208 * 208))
    assert group.xon_at == Amount((187_500 // 208 * 208 - 18_432) // 208 * 208)
    change = changes(one_port(planned_qos(cable=101)))[("priority_groups.3.xoff_at", "quantised")]
    assert change.wanted == "alpha 1/8"
    assert change.got == "187408 B"
    assert "static" in change.because


def test_a_planned_static_trigger_goes_down_to_whole_cells() -> None:
    qos = planned_qos(cable=400)
    groups = list(qos.priority_groups or ())
    groups[3] = replace(groups[3], xoff_at=Static(Amount.of_bytes(131_072)))  # type: ignore[type-var]
    fitted, _ = fit(one_port(replace(qos, priority_groups=tuple(groups))))
    assert "pause buffer-size 229424 pause-threshold 131040 resume-threshold 112528" in text_of(fitted)


def test_a_small_pause_buffer_is_filled_up_to_what_a_device_accepts() -> None:
    qos = planned_qos(cable=400, headroom=500)
    groups = list(qos.priority_groups or ())
    groups[3] = replace(groups[3], xoff_at=Static(Amount.of_bytes(100)))  # type: ignore[type-var]
    fitted, _ = fit(one_port(replace(qos, priority_groups=tuple(groups))))
    assert "pause buffer-size 27456 pause-threshold 12480 resume-threshold" in text_of(fitted)
    assert read_back(fitted) == fitted


def test_thresholds_go_to_the_nearest_kbyte_and_stay_ordered() -> None:
    fitted, _ = fit(one_port(planned_qos(kmin=150_499, kmax=150_501)))
    queue = fitted.ports["Ethernet1/1"].qos.queue(3)
    assert queue is not None
    assert queue.ecn is not None
    assert queue.ecn.curves == (Curve(Amount(150, "kbyte"), Amount(151, "kbyte"), 10),)
    fitted, log = fit(one_port(planned_qos(kmin=400_000, kmax=150_000)))
    queue = fitted.ports["Ethernet1/1"].qos.queue(3)
    assert queue is not None
    assert queue.ecn is not None
    assert queue.ecn.curves == (Curve(Amount(150, "kbyte"), Amount(150, "kbyte"), 10),)
    (moved,) = [entry for entry in log if entry.field.endswith("ecn.kmin") and entry.kind == "equalised"]
    assert (moved.wanted, moved.got) == ("400 kbytes", "150 kbytes")


def test_shares_of_weighted_queues_are_whole_and_sum_to_100() -> None:
    qos = planned_qos(lossless={26: 3, 18: 4})
    queues = list(qos.queues or ())
    for number, weight in ((0, 1), (3, 1), (4, 1)):
        queues[number] = replace(queues[number] or Queue(), weight=Fraction(weight))
    fitted, _ = fit(one_port(replace(qos, queues=tuple(queues))))
    found = [queue.weight for queue in fitted.ports["Ethernet1/1"].qos.queues or () if queue]
    assert found == [34, 0, 0, 33, 33, 0, None, None]
    assert sum(int(weight) for weight in found if weight) == 100


def test_strict_queues_without_rank_get_levels_from_the_top() -> None:
    qos = planned_qos(cnp=(48, 6))
    queues = list(qos.queues or ())
    queues[6], queues[7] = Queue("strict"), Queue("strict")
    text = text_of(fit(one_port(replace(qos, queues=tuple(queues))))[0])
    assert "c-out-8q-q7\n    priority level 1\n  class type queuing c-out-8q-q6\n    priority level 2\n" in text


def test_a_class_in_another_queue_takes_the_number_of_its_queue() -> None:
    """The plan puts RoCE (priority 3) in queue 4: on NX-OS that is qos-group 4 pausing priority 3."""
    qos = planned_qos()
    queues = {number: queue for number, queue in enumerate(qos.queues or ()) if queue and number != 3}
    moved = replace(
        qos,
        tc_to_queue=sixteen({0: 0, 3: 4, 6: 6}),
        priority_to_queue=eight({3: frozenset({4})}),
        queues=eight({**queues, 4: qos.queue(3)}),
    )
    fitted, adjusted = fit(one_port(moved))
    text = text_of(fitted)
    assert "class type network-qos c-8q-nq4\n    mtu 9216\n    pause pfc-cos 3\n" in text
    assert "set qos-group 4" in text
    assert not [item for item in adjusted if item.kind == "refused"]
    assert read_back(fitted) == fitted


def refused(device: Device) -> set[str]:
    fitted, adjusted = fit(device)
    assert fit(fitted)[0] == fitted
    return {item.field for item in adjusted if item.kind == "refused"}


def test_what_must_not_change_silently_is_refused() -> None:
    two_sets = planned_switch("nxos", ["Ethernet1/1"])
    other = planned_switch("nxos", ["Ethernet1/2"], planned_qos(lossless={26: 4}))
    assert "pfc" in refused(replace(two_sets, ports={**two_sets.ports, **other.ports}))

    qos = planned_qos()
    uneven = replace(qos, pfc=Pfc("on", tx=frozenset({3}), rx=frozenset(range(8))))
    assert "pfc" in refused(one_port(uneven))
    assert "pfc.by" in refused(one_port(replace(qos, pfc=replace(qos.pfc or Pfc(), by="pcp"))))
    shared = replace(qos, tc_to_queue=sixteen({0: 3, 3: 3, 6: 6}))
    assert "tc_to_queue" in refused(one_port(shared))
    assert "tc_to_queue" in refused(one_port(replace(qos, tc_to_queue=sixteen({0: 0, 3: 3, 6: 9}))))
    assert "pfc_enabled" in refused(replace(one_port(qos), pfc_enabled=False))
    bare = replace(planned_qos(cable=300), priority_groups=eight({3: PriorityGroup(lossless=True)}))
    assert "priority_groups.3.headroom" in refused(one_port(bare))
    assert "name" in refused(planned_switch("nxos", ["swp1"]))


def test_what_no_published_line_says_is_dropped_with_notice() -> None:
    qos = planned_qos()
    queues = list(qos.queues or ())
    queues[0] = replace(queues[0] or Queue(), shaper=10**9, limit=Dynamic(Fraction(1)), wred=())
    wanted = replace(
        qos,
        queues=tuple(queues),
        link_pause=LinkPause(rx=True, tx=False),
        rewrite=(("tc", 3, 26),),
        app_to_tc=(("udp", 4791, 3),),
        dscp_to_colour=("green",) * 64,
        pcp_to_tc=code_map({3: 3}, 8),
    )
    device = replace(one_port(wanted), pools=(Pool("lossless"),), traffic=(9216, 0), ecn_enabled=True)
    fitted, adjusted = fit(device)
    dropped = {item.field for item in adjusted if item.kind == "dropped"}
    assert dropped >= {
        "queues.0.shaper", "queues.0.limit", "link_pause", "rewrite", "app_to_tc", "dscp_to_colour", "pcp_to_tc",
        "pools", "traffic", "watchdog.detect", "watchdog.restore",
    }  # fmt: skip
    assert all(item.wanted and item.got and item.because for item in adjusted)
    assert all(item.object in {"Ethernet1/1", ""} for item in adjusted)
    assert read_back(fitted) == fitted


def test_a_lossless_default_class_leaves_free_codes_to_a_lossy_one() -> None:
    qos = replace(planned_qos(lossless={26: 0}, cnp=(48, 6)), default_tc=0)
    queues = list(qos.queues or ())
    queues[5] = Queue("weighted", weight=40, weight_kind="percent-of-rest")
    qos = replace(qos, tc_to_queue=sixteen({0: 0, 5: 5, 6: 6}), queues=tuple(queues))
    fitted, _ = fit(one_port(qos))
    found = fitted.ports["Ethernet1/1"].qos.dscp_to_tc
    assert isinstance(found, CodeMap)
    assert found.codes(0) == (26,)
    assert read_back(fitted) == fitted


def test_a_port_planned_without_pfc_says_so() -> None:
    lossy = replace(planned_qos(watchdog=False), pfc=Pfc("off", tx=frozenset(), rx=frozenset()))
    device = planned_switch("nxos", ["Ethernet1/1"])
    device = replace(device, ports={**device.ports, **planned_switch("nxos", ["Ethernet1/2"], lossy).ports})
    fitted, adjusted = fit(device)
    assert not [item for item in adjusted if item.kind == "refused"]
    pfc = read_back(fitted).ports["Ethernet1/2"].qos.pfc
    assert pfc is not None
    assert pfc.sends() == frozenset()
    assert "interface Ethernet1/2\n  priority-flow-control mode off\n" in text_of(fitted)
