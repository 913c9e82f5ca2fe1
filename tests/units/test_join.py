"""Several texts of one device are joined field by field: no field of the state is forgotten."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.counters import PortCounters, Sample
from rocecfg.state.join import join, read_texts
from rocecfg.state.model import Device, Line, Named, Port, Where

STAY = {"nos", "kind", "source", "defaulted"}
SAID = {
    "name": "leaf1",
    "ports": {"Eth1": Port("Eth1")},
    "complete": frozenset({"all"}),
    "objects": (Named("policy", "p", defined=True, used=True),),
    "lines": (Line("odd", Where("a.txt", 1)),),
    "lines_read": 3,
    "sample": Sample("", {"Eth1": PortCounters(fcs_errors=1)}),
}


def first(one: Port, _: Port) -> Port:
    return one


@pytest.mark.parametrize("leaf", [item.name for item in fields(Device) if item.name not in STAY])
def test_what_only_one_of_two_texts_says_is_kept_whichever_it_is(leaf: str) -> None:
    said = SAID.get(leaf, "something")
    plain = Device("", "nxos")
    speaking = replace(plain, **{leaf: said})
    assert getattr(join(speaking, plain, first), leaf) == said
    assert getattr(join(plain, speaking, first), leaf) == said


@pytest.mark.parametrize("known", [False, (), 0])
def test_a_known_absence_stands_against_a_later_text(known: object) -> None:
    earlier = replace(Device("", "nxos"), pools=known)
    assert join(earlier, replace(earlier, pools="later"), first).pools == known


def test_a_configuration_goes_before_a_show_output_whatever_the_order() -> None:
    found = {
        "show": Device("", "nxos", source="applied", ports={"Eth1": Port("Eth1", mtu=1)}, arp_timeout=1),
        "running": Device("leaf1", "nxos", ports={"Eth1": Port("Eth1", mtu=9216)}, arp_timeout=2),
    }
    for order in (("show", "running"), ("running", "show")):
        capture = Capture("", "nxos", tuple(Text(name, "") for name in order))
        device = read_texts(capture, "nxos", lambda text: found[text.file], first)
        assert (device.name, device.ports["Eth1"].mtu, device.arp_timeout) == ("leaf1", 9216, 2)


def test_a_capture_without_texts_is_refused() -> None:
    with pytest.raises(ReadError, match="no text"):
        read_texts(Capture("", "nxos", ()), "nxos", lambda _: Device("", "nxos"), first)
