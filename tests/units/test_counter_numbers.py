"""Counters as devices print them, and the state that holds them, there and back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocecfg.state.codec import from_plain, to_plain
from rocecfg.state.counters import BY_NUMBER, PortCounters, RdmaCounters, Sample, Tally, joined, moment, number
from rocecfg.state.model import Device, Where, eight

PLACE = Where("a.txt", 3)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("0", 0),
        (" 1204 ", 1204),
        ("1,204", 1204),
        ("61,115,381", 61_115_381),
        ("18446744073709551615", 2**64 - 1),
        ("N/A", None),
        ("", None),
        ("-", None),
        ("-5", None),
        ("1.5", None),
        ("12,04", None),
        ("1,,204", None),
        (",204", None),
        ("1204 packets", None),
        ("٣", None),
        ("9" * 21, None),
        ("1" + ",000" * 5000, None),
    ],
)
def test_numbers(text: str, count: int | None) -> None:
    assert number(text) == count


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_a_counter_or_none(text: str) -> None:
    found = number(text)
    assert found is None or 0 <= found < 10**20


@given(st.integers(0, 2**64 - 1))
def test_thousands_separators_change_nothing(count: int) -> None:
    assert number(f"{count:,}") == number(str(count)) == count


def test_moments() -> None:
    assert moment("2026-11-30T02:00:00Z") == moment("2026-11-30T03:00:00+01:00") == moment("2026-11-30T02:00:00")
    assert moment("") is moment("noon") is moment("2026-13-40T99:00:00Z") is None


def sample() -> Sample:
    port = PortCounters(
        rx_pfc=eight({3: 1204}), pg_drops=eight({0: 0, 3: 7}), fcs_errors=2, stormed=frozenset({3, 4}), place=PLACE
    )
    return Sample("2026-11-30T02:00:00Z", {"Ethernet1/1.100": port}, {"mlx5_0": RdmaCounters(cnp_sent=5)})


def test_a_sample_survives_plain_data() -> None:
    device = Device("leaf1", "demo", sample=sample())
    plain = json.loads(json.dumps(to_plain(device)))
    assert from_plain(Device, plain).sample == device.sample
    assert plain["sample"]["ports"]["Ethernet1/1.100"]["pg_drops"] == {"0": 0, "3": 7}


def test_counters_do_not_make_devices_different() -> None:
    assert Device("leaf1", "demo", sample=sample()) == Device("leaf1", "demo")


def test_the_tables_by_number_are_known() -> None:
    assert {"rx_pfc", "pg_drops", "queue_marked", "storms"} <= BY_NUMBER
    assert not {"stormed", "fcs_errors", "place"} & BY_NUMBER


def test_a_tally_keeps_what_it_knows_and_where() -> None:
    tally = Tally()
    tally.row("p", "rx_pfc", {3: 5, 4: None, 9: 7, -1: 2}, PLACE)
    tally.add("p", "rx_pfc", 6, Where("a.txt", 9), 4)
    tally.add("p", "no_such_counter", 6, PLACE)
    tally.add("p", "fcs_errors", None, PLACE)
    tally.storm("p", 3, Where("a.txt", 5), now=False)
    tally.storm("p", 3, Where("a.txt", 6), now=True)
    tally.storm("p", 3, Where("a.txt", 7), now=True)
    found = tally.sample()
    assert found is not None
    port = found.ports["p"]
    assert (port.rx_pfc, port.fcs_errors, port.stormed) == (eight({3: 5, 4: 6}), None, frozenset({3}))
    assert [port.where(leaf) for leaf in ("rx_pfc.3", "rx_pfc.4", "stormed.3", "pg_drops.1")] == [
        PLACE, Where("a.txt", 9), Where("a.txt", 6), PLACE,
    ]  # fmt: skip
    assert Tally().sample() is None


def test_two_texts_of_a_capture_add_up() -> None:
    first = Sample("", {"p": PortCounters(rx_pfc=eight({3: 1, 4: 2}), fcs_errors=1, stormed=frozenset({3}))})
    second = Sample("t", {"p": PortCounters(rx_pfc=eight({4: 9}), stormed=frozenset({4})), "q": PortCounters()})
    both = joined(first, second)
    assert both == Sample(
        "t",
        {"p": PortCounters(rx_pfc=eight({3: 1, 4: 9}), fcs_errors=1, stormed=frozenset({3, 4})), "q": PortCounters()},
    )
    assert joined(None, second) is second
    assert joined(first, None) is first
