"""Plan -> text -> state for Onyx: the round trip, the golden text, every change with its reason."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings

from rocecfg.render.evidence import Shapes
from rocecfg.state.model import (
    Amount,
    Dcbx,
    Device,
    Dynamic,
    Ecn,
    Headroom,
    LinkPause,
    Pfc,
    Pool,
    PortQos,
    PriorityGroup,
    Static,
    code_map,
    eight,
)
from tests.laws.intents import auto_intent
from tests.laws.intents import planned as planned_intent
from tests.planned import planned_qos, planned_switch
from tests.vendors.onyx.onyx_texts import (
    ADVANCED,
    DATABASE,
    VENDOR,
    fit,
    plans,
    read,
    read_back,
    small_plan,
    text_of,
)

HERE = Path(__file__).parent
SHAPES = Shapes(VENDOR.manifest.evidence)


def one_port(qos: PortQos, **more: object) -> Device:
    return planned_switch("onyx", ["Eth1/1"], qos, **more)


def changes(device: Device) -> dict[tuple[str, str], str]:
    return {(item.field, item.kind): item.because for item in fit(device)[1]}


@settings(max_examples=60, deadline=None)
@given(plans())
def test_what_is_rendered_reads_back_as_fitted(device: Device) -> None:
    fitted, adjusted = fit(device)
    again, more = fit(fitted)
    assert again == fitted
    assert not more
    assert all(item.because for item in adjusted)
    if any(item.kind == "refused" for item in adjusted):
        return
    back = read_back(fitted)
    assert not back.lines
    assert back == fitted
    assert VENDOR.module.defaults(back) == back
    assert text_of(back) == text_of(fitted), "what is read back renders as the same text"
    for line in text_of(fitted).splitlines():
        if line.strip() and not line.startswith("#"):
            assert SHAPES.of_line(line.strip()) in {"device", "documented"}, line


@settings(max_examples=20, deadline=None)
@given(plans())
def test_no_code_nobody_planned_lands_in_a_lossless_class(device: Device) -> None:
    planned = next(iter(device.ports.values())).qos.dscp_to_tc
    assert planned is not None
    for port in fit(device)[0].ports.values():
        lossless = port.qos.pfc.tx if port.qos.pfc is not None else None
        assert lossless is not None
        assert port.qos.dscp_to_tc is not None
        assert not {
            code for code, to in enumerate(port.qos.dscp_to_tc.to) if to in lossless and planned.to[code] is None
        }


@pytest.mark.parametrize(("name", "cable"), [("pool.cfg", 30), ("advanced.cfg", 300)])
def test_small_plan_renders_the_reviewed_text(name: str, cable: int) -> None:
    plan = small_plan()
    plan = replace(
        plan, ports={port: replace(item, qos=replace(item.qos, cable=cable)) for port, item in plan.ports.items()}
    )
    fitted, _ = fit(plan)
    assert text_of(fitted) == (HERE / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "content", [DATABASE, ADVANCED, "interface ethernet 1/1 shutdown\ninterface ethernet 1/2 pfc-wd\n"]
)
def test_what_was_read_renders_and_reads_back(content: str) -> None:
    whole = VENDOR.module.defaults(replace(read(content), complete=frozenset({"all"})))
    back = read(text_of(whole), "show running-config", complete=True)
    assert not back.lines
    assert back.ports == whole.ports
    assert (back.pools, back.pfc_enabled, back.buffer_model) == (whole.pools, whole.pfc_enabled, whole.buffer_model)


def test_one_long_cable_brings_the_advanced_form_for_the_whole_switch() -> None:
    short = fit(one_port(planned_qos(cable=100)))[0]
    assert short.buffer_model == "box"
    long, made = fit(one_port(planned_qos(cable=101, headroom=90_000, alpha=Fraction(1, 3))))
    assert long.buffer_model == "stated"
    assert long.ports["Eth1/1"].qos.priority_group(3) == PriorityGroup(
        lossless=True,
        headroom=Headroom(Amount.of_bytes(90_000)),
        xoff_at=Dynamic(Fraction(1, 4)),
        xon_at=Amount.of_bytes(18_432),
        reserved=Amount.of_bytes(18_432),
        pool="iPool1",
    )
    assert "reserved 108432 xoff 18432 xon 18432 shared alpha 1/4" in text_of(long)
    assert "traffic pool" not in text_of(long)
    assert ("priority_groups.3.xoff_at", "quantised") in {(item.field, item.kind) for item in made}


def test_headroom_that_leaves_no_room_is_refused() -> None:
    ports = [f"Eth1/{number}" for number in range(1, 33)]
    device = planned_switch("onyx", ports, planned_qos(cable=2000, headroom=400_000))
    refused = [item for item in fit(device)[1] if item.kind == "refused"]
    assert [item.field for item in refused] == ["pools"]
    assert "13945824" in refused[0].because
    smaller = planned_switch("onyx", ports, planned_qos(cable=300, headroom=200_000))
    fitted, made = fit(smaller)
    assert not [item for item in made if item.kind == "refused"]
    assert fitted.pools is not None
    assert fitted.pools[0].total == Amount.of_bytes((13_945_824 - 32 * 218_432) // 2)
    known = planned_switch("onyx", ports, planned_qos(cable=300, headroom=200_000), model="SN4600C")
    assert fit(known)[0].pools[0].total == Amount.of_bytes(22_864_069)  # type: ignore[index]


def test_the_pool_takes_the_share_of_the_intent() -> None:
    pools = (Pool("lossless", "ingress", True, total=Amount(Fraction(100, 3), "percent")),)
    fitted, _ = fit(one_port(planned_qos(), pools=pools))
    assert "memory percent 33.33" in text_of(fitted)
    assert read_back(fitted) == fitted


def test_a_switch_without_pfc_has_no_pool_and_no_switch() -> None:
    qos = replace(planned_qos(lossless={}), pfc=None, watchdog=None)
    fitted, _ = fit(one_port(qos))
    assert fitted.pfc_enabled is False
    assert "traffic pool" not in text_of(fitted)
    assert "priority-flow-control" not in text_of(fitted)
    assert read_back(fitted) == fitted


def test_a_port_without_pfc_is_left_to_negotiation_and_said_so() -> None:
    quiet = replace(planned_qos(), pfc=Pfc("off", frozenset(), frozenset()), watchdog=None)
    device = planned_switch("onyx", ["Eth1/1", "Eth1/2"])
    device = replace(device, ports={**device.ports, "Eth1/2": replace(device.ports["Eth1/2"], qos=quiet)})
    fitted, made = fit(device)
    assert ("Eth1/2", "pfc.admin", "dropped") in {(item.object, item.field, item.kind) for item in made}
    pfc = fitted.ports["Eth1/2"].qos.pfc
    assert pfc is not None
    assert pfc.admin == "auto"
    assert read_back(fitted) == fitted


@pytest.mark.parametrize(
    ("qos", "field"),
    [
        (replace(planned_qos(), pfc=Pfc("on", frozenset({3}), frozenset({3, 4}))), "pfc"),
        (replace(planned_qos(), pfc=Pfc("on", frozenset({3}), frozenset({3}), by="pcp")), "pfc.by"),
        (replace(planned_qos(), priority_to_pg=eight({3: frozenset({0})})), "priority_to_pg"),
        (replace(planned_qos(), link_pause=LinkPause(rx=True, tx=False)), "link_pause"),
        (replace(planned_qos(), dscp_to_tc=code_map({26: 9})), "dscp_to_tc"),
        (replace(planned_qos(), default_tc=2), "default_tc"),
        (replace(planned_qos(), priority_to_queue=eight({3: frozenset({5})})), "priority_to_queue.3"),
    ],
)
def test_what_cannot_be_said_is_refused(qos: PortQos, field: str) -> None:
    assert (field, "refused") in changes(one_port(qos))


def test_two_pfc_sets_are_refused() -> None:
    device = planned_switch("onyx", ["Eth1/1", "Eth1/2"])
    other = replace(device.ports["Eth1/2"], qos=planned_qos(lossless={34: 4}))
    assert ("pfc", "refused") in changes(replace(device, ports={**device.ports, "Eth1/2": other}))


def test_thresholds_are_whole_kilobytes() -> None:
    fitted, made = fit(one_port(planned_qos(kmin=150_499, kmax=1_499_501)))
    assert "minimum-absolute 150 maximum-absolute 1500" in text_of(fitted)
    assert [item.got for item in made if item.field == "queues.3.ecn" and item.kind == "quantised"] == [
        "150 KB",
        "1500 KB",
    ]


def test_a_static_trigger_is_dropped_in_the_advanced_form() -> None:
    qos = planned_qos(cable=300)
    groups = eight({3: replace(qos.priority_groups[3], xoff_at=Static(Amount.of_bytes(50_000)))})  # type: ignore[index, type-var]
    assert ("priority_groups.3.xoff_at", "dropped") in changes(one_port(replace(qos, priority_groups=groups)))


def test_dcbx_version() -> None:
    fitted, _ = fit(one_port(replace(planned_qos(), dcbx=Dcbx(state="cee"))))
    assert "interface ethernet 1/1 lldp tlv-select dcbx-cee" in text_of(fitted)
    assert read_back(fitted) == fitted
    assert ("dcbx.state", "dropped") in changes(one_port(replace(planned_qos(), dcbx=Dcbx(state="auto"))))


def test_marking_that_also_drops() -> None:
    qos = planned_qos()
    queues = tuple(
        queue and (replace(queue, ecn=replace(queue.ecn, non_ect="drop")) if queue.ecn is not None else queue)
        for queue in qos.queues or ()
    )
    fitted, _ = fit(one_port(replace(qos, queues=queues)))
    assert "congestion-control both minimum-absolute" in text_of(fitted)
    drops = tuple(
        queue and (replace(queue, ecn=Ecn(), wred=queue.ecn.curves) if queue.ecn is not None else queue)
        for queue in qos.queues or ()
    )
    fitted, _ = fit(one_port(replace(qos, queues=drops)))
    assert "congestion-control red minimum-absolute" in text_of(fitted)
    assert read_back(fitted) == fitted


def test_names_are_those_the_switch_prints() -> None:
    fitted, made = fit(planned_switch("onyx", ["ethernet 1/7", "po3"]))
    assert list(fitted.ports) == ["Eth1/7", "Po3"]
    assert "interface port-channel 3 qos trust L3" in text_of(fitted)
    assert ("name", "refused") in changes(planned_switch("onyx", ["swp1"]))
    assert [item.object for item in made if item.field == "name"] == ["ethernet 1/7", "po3"]
    assert {item.object for item in made if item.field != "name"} <= {"", "Eth1/7", "Po3", "Eth1/7, Po3"}


@pytest.mark.parametrize(
    ("model", "memory"), [("SN2700", 13_945_824), ("SN3700", 34_287_552), ("SN4700", 60_817_392), (None, 13_945_824)]
)
@pytest.mark.parametrize("share", ["", "settings: {buffer: {lossless_share: 70%}}\n"])
def test_the_pools_of_the_advanced_form_grow_with_the_chip(model: str | None, memory: int, share: str) -> None:
    """The published sizes are of the smallest chip. No egress pool is smaller than what the ingress may admit."""
    text = auto_intent("onyx", "100G", "150m fibre").replace("devices:\n", f"{share}devices:\n")
    if model is not None:
        text = text.replace("{nos: onyx,", f"{{nos: onyx, model: {model},")
    pools = {pool.name: pool.total.value for pool in planned_intent(text).devices["one"].fitted.pools or ()}  # type: ignore[union-attr]
    assert pools["ePool1"] >= memory
    if not share:
        assert pools["iPool1"] == pytest.approx(5_242_880 * memory / 13_945_824, rel=0.12)
    assert pools["iPool1"] + pools["iPool0"] <= memory
