"""The laws of a plan: what is fitted, rendered and read back is what was fitted."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from sonic_plans import MODELS, defaults, differences, fit, planned_qos, planned_switch, plans, read_back

from rocecfg.render.engine import as_capture, render
from rocecfg.render.evidence import Shapes
from rocecfg.state.model import Device, Dynamic
from rocecfg.state.parse import stated
from rocecfg.vendor import registry

HERE = Path(__file__).parent
FAST = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@FAST
@given(plans())
def test_what_is_rendered_reads_back_as_the_fitted_plan(plan: Device) -> None:
    fitted, _ = fit(plan)
    again = read_back(fitted)
    assert differences(again, fitted) == []
    assert again == fitted
    assert again.lines == ()


@FAST
@given(plans())
def test_fitting_and_defaults_are_idempotent(plan: Device) -> None:
    fitted, _ = fit(plan)
    twice, again = fit(fitted)
    assert differences(twice, fitted) == []
    assert again == ()
    assert defaults(fitted) == fitted


@FAST
@given(plans())
def test_every_rendered_path_and_command_has_evidence(plan: Device) -> None:
    fitted, _ = fit(plan)
    shapes = Shapes(registry.get("sonic").manifest.evidence)
    dump, script = render(fitted)
    for table, rows in json.loads(dump.content).items():
        for key, fields in rows.items():
            for field in fields:
                assert shapes.of_path((table, key, field)) == "schema", (table, key, field)
    for line in script.content.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            assert shapes.of_script_line(line) in {"documented", "shell"}, line


@FAST
@given(plans())
def test_no_stray_code_lands_in_a_lossless_class(plan: Device) -> None:
    fitted, _ = fit(plan)
    for name, port in fitted.ports.items():
        planned = plan.ports[name].qos
        lossless = port.qos.lossless_tcs() or frozenset()
        if port.qos.dscp_to_tc is None or planned.dscp_to_tc is None:
            continue
        for code, to in enumerate(port.qos.dscp_to_tc.to):
            assert to is not None
            if planned.dscp_to_tc.to[code] is None:
                assert to not in lossless


def test_the_same_plan_renders_the_same_bytes() -> None:
    plan = planned_switch("sonic", [f"Ethernet{number}" for number in range(0, 256, 8)], model="Mellanox-SN5600")
    assert render(fit(plan)[0]) == render(fit(plan)[0])


@pytest.mark.parametrize("model", MODELS)
def test_ordinary_plan_is_carried_without_refusal(model: str | None) -> None:
    fitted, adjustments = fit(planned_switch("sonic", ["Ethernet0", "Ethernet8"], model=model))
    assert [change for change in adjustments if change.kind == "refused"] == []
    assert {change.object for change in adjustments} <= {"", "Ethernet0", "Ethernet8"}
    assert fitted.ports["Ethernet0"].qos.pfc == planned_qos().pfc


@pytest.mark.parametrize(
    ("model", "file"), [("ACS-MSN3700", "dynamic.json"), ("DellEMC-Z9332f-O32", "traditional.json")]
)
def test_small_plan_renders_the_golden_text(model: str, file: str) -> None:
    dump, script = render(fit(planned_switch("sonic", ["Ethernet0", "Ethernet4"], model=model))[0])
    assert dump.content == (HERE / file).read_text()
    assert script.content == (HERE / file.replace(".json", ".sh")).read_text()


def test_all_codes_and_classes_are_written() -> None:
    rows = json.loads(render(fit(planned_switch("sonic", ["Ethernet0"]))[0])[0].content)
    assert rows["DSCP_TO_TC_MAP"]["ROCE"] == {str(code): {26: "3", 48: "6"}.get(code, "0") for code in range(64)}
    assert set(rows["TC_TO_QUEUE_MAP"]["ROCE"]) == set(rows["TC_TO_PRIORITY_GROUP_MAP"]["ROCE"]) == set("01234567")
    assert rows["WRED_PROFILE"]["ROCE_ECN"]["wred_green_enable"] == "true"


def test_dynamic_model_asks_for_headroom_by_length_and_the_traditional_one_takes_a_table_row() -> None:
    dynamic = json.loads(render(fit(planned_switch("sonic", ["Ethernet0"], model="SN5600"))[0])[0].content)
    assert dynamic["BUFFER_PG"]["Ethernet0|3"] == {"profile": "NULL"}
    assert dynamic["CABLE_LENGTH"] == {"AZURE": {"Ethernet0": "30m"}}
    assert dynamic["BUFFER_POOL"]["egress_lossless_pool"]["size"] == "158229504"
    assert dynamic["DEFAULT_LOSSLESS_BUFFER_PARAMETER"]["AZURE"]["default_dynamic_th"] == "-3"
    assert dynamic["PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"] == {"ROCE": {"3": "3"}}
    fitted, adjustments = fit(planned_switch("sonic", ["Ethernet0"], model="Z9332f"))
    table = json.loads(render(fitted)[0].content)
    assert table["CABLE_LENGTH"] == {"AZURE": {"Ethernet0": "40m"}}
    assert not {"BUFFER_PG", "BUFFER_POOL", "BUFFER_PROFILE", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"} & table.keys()
    assert not re.search(r"pg_lossless_\d", json.dumps(table))
    assert ("cable", "30 m", "40 m", "quantised") in {(c.field, c.wanted, c.got, c.kind) for c in adjustments}


def test_watchdog_times_fit_their_ranges_and_the_poll() -> None:
    from dataclasses import replace

    qos = planned_qos()
    assert qos.watchdog is not None
    qos = replace(qos, watchdog=replace(qos.watchdog, poll=20, detect=90_000, restore=50))
    dog = fit(planned_switch("sonic", ["Ethernet0"], qos))[0].ports["Ethernet0"].qos.watchdog
    assert dog is not None
    assert (dog.poll, dog.detect, dog.restore) == (100, 5000, 100)


def test_ports_of_one_switch_share_alpha_and_poll() -> None:
    from fractions import Fraction

    from rocecfg.state.model import Port, intern_ports

    plan = planned_switch("sonic", ["Ethernet0"], model="SN5600")
    ports = [
        Port(f"Ethernet{n}", qos=planned_qos(alpha=alpha)) for n, alpha in ((0, Fraction(1, 2)), (8, Fraction(1, 16)))
    ]
    from dataclasses import replace

    fitted, adjustments = fit(replace(plan, ports=intern_ports(ports)))
    groups = [port.qos.priority_group(3) for port in fitted.ports.values()]
    assert {group.xoff_at for group in groups if group is not None} == {Dynamic(Fraction(1, 16))}
    assert "equalised" in {change.kind for change in adjustments if change.field == "priority_groups.xoff_at"}


def test_script_states_the_mtu_of_the_ip_packet_and_it_is_read_back() -> None:
    fitted, _ = fit(planned_switch("sonic", ["Ethernet0"]))
    files = render(fitted)
    assert "config interface mtu Ethernet0 9202\n" in files[1].content
    assert stated(as_capture(fitted, files)).ports["Ethernet0"].mtu == 9202
