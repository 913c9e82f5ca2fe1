"""Bad input: any text gives a state or one clear error, in bounded time."""

from __future__ import annotations

import json
import pickle
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sonic_plans import capture, fit, planned_switch, read
from test_sonic_reading import DUMP

from rocecfg.errors import ReadError
from rocecfg.render.engine import as_capture, render
from rocecfg.state.model import Device
from rocecfg.state.parse import effective, parse, stated

QUICK = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
TABLES = ("QUEUE", "PORT", "PORT_QOS_MAP", "PFC_WD", "BUFFER_PG", "BUFFER_PROFILE", "WRED_PROFILE", "CABLE_LENGTH")
WORDS = st.one_of(
    st.sampled_from(
        ["Ethernet0", "Ethernet0|3", "3", "3-4", "4-3", "-8", "|", ",", "[QUEUE|x]", "", "GLOBAL", "AZURE"]
    ),
    st.text(max_size=6),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=6,
)


def state_or_error(text: str) -> None:
    try:
        device = effective(stated(capture(text)))
    except ReadError:
        return
    else:
        assert isinstance(device, Device)
        for port in device.ports.values():
            assert port.where("pfc") is not None
            dict(port.places)


@QUICK
@given(st.dictionaries(st.sampled_from(TABLES), st.dictionaries(WORDS, VALUES, max_size=4), max_size=4))
def test_any_rows(dump: dict[str, object]) -> None:
    state_or_error(json.dumps(dump))


@QUICK
@given(
    st.sampled_from(TABLES),
    st.sampled_from(["type", "mtu", "pfc_enable", "dynamic_th", "xoff", "profile", "scheduler", "ecn", "weight"]),
    VALUES,
)
def test_any_value_of_a_known_field(table: str, field: str, value: object) -> None:
    dump = json.loads(json.dumps(DUMP))
    for key in list(dump.get(table, {})):
        dump[table][key][field] = value
    state_or_error(json.dumps(dump))


@QUICK
@given(st.one_of(st.text(max_size=300), st.binary(max_size=300).map(lambda raw: raw.decode("latin-1"))))
def test_any_text(text: str) -> None:
    state_or_error(text)
    state_or_error("{" + text)
    state_or_error("Pool: x\n----  ----\n" + text)
    state_or_error("# PG lossless profiles\n" + text)


@pytest.mark.parametrize("indent", [4, None])
def test_cut_at_every_line_or_byte(indent: int | None) -> None:
    text = json.dumps(DUMP, indent=indent)
    step = 37
    for cut in range(0, len(text), step):
        with pytest.raises(ReadError):
            read(text[:cut])


def test_rendered_text_cut_at_every_line() -> None:
    fitted, _ = fit(planned_switch("sonic", ["Ethernet0"], model="SN5600"))
    for file in render(fitted):
        lines = file.content.splitlines(keepends=True)
        for cut in range(len(lines)):
            state_or_error("".join(lines[:cut]))


def test_a_foreign_table_at_every_place_changes_nothing() -> None:
    expected = read(DUMP)
    for at in range(len(DUMP) + 1):
        items = list(DUMP.items())
        items.insert(at, ("ACL_TABLE", {"x": {"mtu": "1", "ports": ["Ethernet0"], "QUEUE": {"Ethernet0|3": {}}}}))
        assert read(dict(items)) == expected


@pytest.mark.parametrize(
    "text",
    [
        '{"QUEUE": {"' + "x" * 10_000_000 + '": {}}}',
        '{"QUEUE": {"Ethernet0|3": {"scheduler": "' + "y" * 10_000_000 + '"}}}',
        "z" * 10_000_000,
        "Pool: " + "p" * 10_000_000,
        '{"QUEUE": {"' + ",".join(f"Ethernet{n}" for n in range(20_000)) + '|0-7": {}}}',
        '{"QUEUE": {"Ethernet0|0-99999999999": {}}}',
        "{" + ",".join(f'"QUEUE|Ethernet{n}|3": {{"a": "b"}}' for n in range(15_000)) + "}",
        "PORT  ACTION  DETECTION TIME\n----  ----  ----\n" * 30_000,
        "- - -\n" * 100_000,
        "a  " * 1_000_000 + "\n---\n",
    ],
    ids=range(10),
)
def test_large_texts_take_bounded_time(text: str) -> None:
    start = time.process_time()
    state_or_error(text)
    assert time.process_time() - start < 5


def test_state_travels_to_another_process() -> None:
    device = read(DUMP)
    again = pickle.loads(pickle.dumps(device))
    assert again == device
    assert again.ports["Ethernet0"].where("mtu") == device.ports["Ethernet0"].where("mtu")


def test_many_ports_cost_a_line_each_not_a_build_each() -> None:
    fitted, _ = fit(planned_switch("sonic", [f"Ethernet{n}" for n in range(512)], model="SN5600"))
    device = parse(as_capture(fitted, render(fitted)))
    assert len(device.ports) == 512
    assert len({id(port.qos) for port in device.ports.values()}) == 1
