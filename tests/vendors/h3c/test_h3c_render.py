"""Plan -> text -> state for H3C: the round trip, the golden text, the evidence of every line."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from rocecfg.render.engine import as_capture, render
from rocecfg.state.model import (
    Amount,
    Curve,
    Dynamic,
    Ecn,
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
from tests.vendors.h3c.plans import plans, small_plan

if TYPE_CHECKING:
    from rocecfg.state.model import Device, PortQos
    from rocecfg.vendor.api import Adjustment

HERE = Path(__file__).parent
VENDOR = registry.get("h3c")
PORT = "HundredGigE1/0/1"


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    return VENDOR.module.fit(device)


def text_of(device: Device) -> str:
    return render(device)[0].content


def read_back(device: Device) -> Device:
    return effective(stated(as_capture(device, render(device))))


def one_port(qos: PortQos, **more: object) -> Device:
    return planned_switch("h3c", [PORT], qos, **more)


def changes(device: Device) -> dict[tuple[str, str], Adjustment]:
    return {(item.field, item.kind): item for item in fit(device)[1]}


@settings(max_examples=60, deadline=None)
@given(plans())
def test_what_is_rendered_reads_back_as_fitted(device: Device) -> None:
    fitted, adjusted = fit(device)
    again, more = fit(fitted)
    assert again == fitted
    assert not [item for item in more if item.kind != "refused"]
    assert all(item.because and item.wanted and item.got for item in adjusted)
    if any(item.kind == "refused" for item in adjusted):
        return
    back = read_back(fitted)
    assert not back.lines
    assert back == fitted
    assert VENDOR.module.defaults(back) == back
    assert text_of(back) == text_of(fitted), "what is read back renders as the same text"
    assert [line for line in text_of(fitted).splitlines() if not _evidence(line.strip())] == []
    assert not [item for item in back.objects if not (item.defined and item.used) or item.inert]


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
    assert read_back(fitted) == fitted


def _evidence(line: str) -> bool:
    return line in ("", "#") or any(pattern.fullmatch(line) for pattern in SHAPES)


def _pattern(shape: str) -> re.Pattern[str]:
    words = [r"\S+" if word.startswith("<") else re.escape(word) for word in shape.split(" ")]
    return re.compile(" ".join(words))


SHAPES = [_pattern(item.shape) for item in VENDOR.manifest.evidence]


def test_none_of_the_evidence_is_inferred_and_each_has_a_source() -> None:
    assert {item.level for item in VENDOR.manifest.evidence} <= {"device", "documented"}
    assert all(item.source for item in VENDOR.manifest.evidence)


@pytest.mark.parametrize(("model", "known"), [("S9820-64H", 1923 * 208), (None, None), ("S9825-64D", None)])
def test_bytes_of_a_cell_are_known_for_a_model_of_the_catalogue_only(model: str | None, known: int | None) -> None:
    fitted, log = fit(one_port(planned_qos(kmin=400_000), model=model))
    queue = fitted.ports[PORT].qos.queue(3)
    assert queue is not None
    assert queue.ecn is not None
    assert queue.ecn.curves[0].low is not None
    assert (queue.ecn.curves[0].low.value, queue.ecn.curves[0].low.unit, queue.ecn.curves[0].low.bytes) == (
        1923,
        "cell",
        known,
    )
    (change,) = [item for item in log if item.field == "queues.3.ecn.kmin"]
    assert change.kind == ("chosen" if known is None else "quantised")
    assert ("not known" in change.because) == (known is None)


def test_headroom_is_rounded_up_and_a_ramp_stays_ordered_and_within_the_range() -> None:
    fitted, _ = fit(one_port(planned_qos(headroom=209, kmin=5_000_000, kmax=5_000_000)))
    group, queue = fitted.ports[PORT].qos.priority_group(3), fitted.ports[PORT].qos.queue(3)
    assert group is not None
    assert group.headroom == Headroom(Amount(2, "cell"), by="stated")
    assert queue is not None
    assert queue.ecn == Ecn((Curve(Amount(15_999, "cell"), Amount(16_000, "cell"), 10),), weight=0, non_ect="drop")


def test_alpha_goes_to_the_next_smaller_power_of_two() -> None:
    fitted, _ = fit(one_port(planned_qos(alpha=Fraction(1, 3))))
    group = fitted.ports[PORT].qos.priority_group(3)
    assert group is not None
    assert group.xoff_at == Dynamic(Fraction(1, 4))
    assert "ingress-buffer dynamic 20\n" in text_of(fitted)
    assert ("priority_groups.3.xoff_at", "quantised") in changes(one_port(planned_qos(alpha=Fraction(1, 3))))


def test_a_fixed_trigger_and_a_fill_to_resume_at() -> None:
    qos = planned_qos()
    group = PriorityGroup(
        lossless=True,
        headroom=Headroom(Amount.of_bytes(100_000)),
        xoff_at=Static(Amount.of_bytes(208_000)),
        xon_at=Amount.of_bytes(187_200),
    )
    fitted, _ = fit(one_port(replace(qos, priority_groups=eight({3: group}))))
    assert "dot1p 3 ingress-buffer static 1000\n" in text_of(fitted)
    assert "dot1p 3 ingress-threshold-offset 100\n" in text_of(fitted)
    moving = replace(group, xoff_at=Dynamic(Fraction(1)))
    assert ("priority_groups.3.xon_at", "dropped") in changes(
        one_port(replace(qos, priority_groups=eight({3: moving})))
    )


def test_a_class_in_another_queue_keeps_its_802_1p_priority() -> None:
    """RoCE pauses as priority 3 and leaves by queue 4: the map of the device says so, and cos counts queues."""
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
    assert (
        "qos map-table dot1p-lp\n import 0 export 0\n import 1 export 1\n import 2 export 2\n import 3 export 4\n import 4 export 0\n"
        in text
    )
    assert "priority-flow-control no-drop dot1p 3\n" in text
    assert "priority-flow-control deadlock cos 4 interval 10\n" in text
    assert "queue 4 ecn\n" in text
    assert not [item for item in adjusted if item.kind == "refused"]
    assert read_back(fitted) == fitted


def refused(device: Device) -> set[str]:
    fitted, adjusted = fit(device)
    assert fit(fitted)[0] == fitted
    return {item.field for item in adjusted if item.kind == "refused"}


def test_what_must_not_change_silently_is_refused() -> None:
    qos = planned_qos()
    two = planned_switch("h3c", [PORT])
    other = planned_switch("h3c", ["HundredGigE1/0/2"], planned_qos(lossless={26: 4}))
    assert "dscp_to_tc" in refused(replace(two, ports={**two.ports, **other.ports}))
    uneven = replace(qos, pfc=Pfc("on", tx=frozenset({3}), rx=frozenset(range(8))))
    assert "pfc" in refused(one_port(uneven))
    assert "pfc.by" in refused(one_port(replace(qos, pfc=replace(qos.pfc or Pfc(), by="pcp"))))
    assert "tc_to_queue" in refused(one_port(replace(qos, tc_to_queue=sixteen({0: 3, 3: 3, 6: 6}))))
    assert "tc_to_queue" in refused(one_port(replace(qos, tc_to_queue=sixteen({0: 0, 3: 3, 6: 9}))))
    assert "name" in refused(planned_switch("h3c", ["Ethernet1/1"]))
    tagged = replace(qos, trust="pcp", dscp_to_tc=None, pcp_to_tc=code_map({4: 3}, 8))
    assert "pcp_to_tc" in refused(one_port(tagged))


def test_what_no_published_line_says_is_dropped_with_notice() -> None:
    qos = planned_qos()
    queues = list(qos.queues or ())
    queues[0] = replace(
        queues[0] or Queue(), shaper=10**9, guarantee=10**8, limit=Dynamic(Fraction(1)), reserved=Amount(1)
    )
    wanted = replace(
        qos,
        queues=tuple(queues),
        link_pause=LinkPause(rx=True, tx=False),
        rewrite=(("tc", 3, 26),),
        app_to_tc=(("udp", 4791, 3),),
        dscp_to_colour=("green",) * 64,
        pcp_to_tc=code_map({3: 3}, 8),
    )
    device = replace(one_port(wanted), pools=(Pool("lossless"),), traffic=(9216, 0), pfc_enabled=False)
    fitted, adjusted = fit(device)
    dropped = {item.field for item in adjusted if item.kind == "dropped"}
    assert dropped >= {
        "queues.0.shaper", "queues.0.guarantee", "queues.0.limit", "queues.0.reserved", "link_pause", "rewrite",
        "app_to_tc", "dscp_to_colour", "pcp_to_tc", "pools", "traffic", "pfc_enabled", "watchdog.detect",
        "watchdog.restore", "watchdog.poll",
    }  # fmt: skip
    assert read_back(fitted) == fitted


def test_a_tagged_fabric_trusts_the_tag() -> None:
    qos = replace(planned_qos(), trust="pcp", dscp_to_tc=None, pcp_to_tc=code_map({0: 0, 3: 3, 6: 6}, 8))
    fitted, adjusted = fit(one_port(qos))
    text = text_of(fitted)
    assert " qos trust dot1p\n" in text
    assert "dscp-dot1p" not in text
    assert not [item for item in adjusted if item.kind == "refused"]
    assert read_back(fitted) == fitted


def test_a_lossless_default_class_leaves_free_codes_to_a_lossy_one() -> None:
    qos = replace(planned_qos(lossless={26: 0}, cnp=(48, 6)), default_tc=0)
    fitted, _ = fit(one_port(qos))
    found = fitted.ports[PORT].qos.dscp_to_tc
    assert found is not None
    assert found.codes(0) == (26,)
    assert read_back(fitted) == fitted


def test_a_port_planned_without_pfc_has_none() -> None:
    lossy = replace(planned_qos(watchdog=False), pfc=Pfc("off", tx=frozenset(), rx=frozenset()))
    device = planned_switch("h3c", [PORT])
    device = replace(device, ports={**device.ports, **planned_switch("h3c", ["HundredGigE1/0/2"], lossy).ports})
    fitted, adjusted = fit(device)
    assert not [item for item in adjusted if item.kind == "refused"]
    back = read_back(fitted)
    assert back == fitted
    pfc = back.ports["HundredGigE1/0/2"].qos.pfc
    assert pfc is not None
    assert pfc.sends() == frozenset()
