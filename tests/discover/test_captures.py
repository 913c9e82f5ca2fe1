"""An intent from captures: what we render of an intent leads back to an intent that wants the very same devices."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rocecfg.discover.captures import Found, draft_of
from rocecfg.discover.settle import Trial, compared
from rocecfg.discover.text import write
from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.plan.resolve import plan
from rocecfg.render.engine import as_capture, render
from rocecfg.state.model import (
    Amount,
    Curve,
    Device,
    Ecn,
    Headroom,
    Interner,
    Neighbour,
    Pfc,
    Port,
    PortQos,
    PriorityGroup,
)
from rocecfg.state.parse import parse
from rocecfg.vendor import registry
from rocecfg.vendor.registry import known_systems
from tests.laws.intents import auto_intent, intents, planned, rendering

if TYPE_CHECKING:
    from rocecfg.discover.draft import Draft
    from rocecfg.plan.planned import Plan

FABRIC = """\
version: 1
fabric: pod
classes:
  roce: {dscp: 26, priority: 3, lossless: true, bandwidth: 60%}
  cnp:  {dscp: 48, priority: 6, strict: true}
devices:
  leaf[01-12]: {nos: nxos, role: leaf}
  spine[1-2]: {nos: sonic, role: spine}
  gpu[01-24]: {nic: mlx5, role: host}
links:
  - {a: "leaf[01-12]:Ethernet1/[1-2]", b: "gpu[01-24]:rail0", speed: 400G, cable: 5m}
  - {a: "leaf[01-12]:Ethernet1/49", b: "spine1:Ethernet[0-88:8]", speed: 400G, cable: 30m}
  - {a: "leaf[01-12]:Ethernet1/50", b: "spine2:Ethernet[0-88:8]", speed: 400G, cable: 30m}
"""


def live_of(wanted: Plan, *, lldp: bool = False) -> Found:
    """What captures of a plan's devices read as; with LLDP, ports know speed and neighbour."""
    found, share = Found(), Interner()
    for planned_device in wanted.devices.values():
        device = parse(as_capture(planned_device.fitted, render(planned_device.fitted)))
        if lldp:
            device = replace(
                device,
                ports={name: with_neighbour(port, planned_device.wanted) for name, port in device.ports.items()},
            )
        found.add(device, planned_device.name, share)
    return found


def with_neighbour(port: Port, wanted: Device) -> Port:
    asked = wanted.ports.get(port.name)
    if asked is None or asked.neighbour is None:
        return port
    seen = Neighbour(f"{asked.neighbour.device}.example.net", asked.neighbour.port, "lldp")
    return replace(port, neighbour=seen, speed_now=asked.speed)


def discovered(found: Found) -> tuple[Draft, Trial, str]:
    draft = draft_of(found, "pod", ["heading"])
    return draft, compared(draft, found.devices), write(draft)


@pytest.mark.parametrize("system", rendering())
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_law_what_we_render_leads_back_to_the_same_devices(system: str, data: st.DataObject) -> None:
    wanted = planned(data.draw(st.one_of(intents(system), st.just(auto_intent(system, "400G", "150m fibre")))))
    if wanted.refusals():
        return
    found = live_of(wanted)
    draft, left, text = discovered(found)
    assert not left.problem, left.problem
    assert not left.findings, "\n".join(item.message for item in left.findings) + "\n" + text
    fabric = expand(parse_intent(text, "new.roce.yaml", known_systems()))
    assert list(fabric.devices) == list(wanted.devices)
    for name, device in wanted.devices.items():
        lossless = {port for port, item in found.devices[name].ports.items() if item.qos.pfc and item.qos.pfc.tx}
        assert set(fabric.devices[name].ports) >= lossless & set(device.fitted.ports)
    assert write(draft) == text, "the same bytes again"


def test_cables_roles_and_patterns_come_back() -> None:
    wanted = planned(FABRIC)
    draft, left, text = discovered(live_of(wanted, lldp=True))
    assert not left.findings
    fabric = expand(parse_intent(text, "new.roce.yaml", known_systems()))

    def cables(links: list[object]) -> set[frozenset[str]]:
        return {frozenset((str(link.a), str(link.b))) for link in links}  # type: ignore[attr-defined]

    assert cables(fabric.links) == cables(wanted.fabric.links)
    assert {name: device.role for name, device in fabric.devices.items()} == {
        name: device.role for name, device in wanted.fabric.devices.items()
    }
    lines = [line for line in text.splitlines() if line.startswith("  - {")]
    assert len(lines) == 3, text
    assert "leaf[01-12]: {nos: nxos, role: leaf}   # guessed: role one cable from the hosts" in text
    assert "gpu[01-24]:" in text
    assert all(link.speed == 400 * 10**9 for link in draft.links)
    assert "ports:" not in text, "every port has its cable"


def test_what_single_devices_have_otherwise_is_counted_not_copied() -> None:
    found = live_of(planned(FABRIC), lldp=True)
    odd = Ecn((Curve(Amount(150, "kbyte"), Amount(1500, "kbyte"), 10),), weight=0)
    for name in ("leaf03", "leaf04", "leaf07"):
        device = found.devices[name]
        ports = {}
        for port, item in device.ports.items():
            queues = list(item.qos.queues or ())
            if len(queues) > 3 and queues[3] is not None:
                queues[3] = replace(queues[3], ecn=odd)
            ports[port] = replace(item, qos=replace(item.qos, queues=tuple(queues)))
        found.devices[name] = replace(device, ports=ports)
    draft, left, text = discovered(found)
    assert {item.device for item in left.findings} == {"leaf03", "leaf04", "leaf07"}
    assert "150KB" not in text.partition("version: 1")[2]
    (line,) = [line for line in draft.heading if "ECN Kmin of queue 3" in line]
    assert line.startswith(" 3 of 12 leaf: ECN Kmin of queue 3 is 150")
    assert line.endswith(": leaf[03-04,07]")
    assert "What runs otherwise than this file says" in text


def test_contradicting_classes_go_by_the_majority() -> None:
    most = live_of(planned(FABRIC))
    other = live_of(planned(FABRIC.replace("dscp: 26, priority: 3", "dscp: 24, priority: 4")))
    for name in ("leaf01", "leaf02", "gpu01"):
        most.devices[name] = other.devices[name]
    draft, left, text = discovered(most)
    assert "roce: {dscp: 26, priority: 3, lossless: true" in text
    assert {item.device for item in left.findings} == {"leaf01", "leaf02", "gpu01"}
    assert "Lossless classes are those of 64 of 72 ports; the others have other ones." in draft.heading


def test_two_halves_that_contradict_each_other_still_give_a_file_that_loads() -> None:
    one = live_of(planned(auto_intent("nxos")))
    other = live_of(planned(auto_intent("nxos").replace("dscp: 26, priority: 3", "dscp: 48, priority: 6").replace(
        "cnp: {dscp: 48, priority: 6}", "cnp: {dscp: 26, priority: 3}")))  # fmt: skip
    one.devices["two"] = other.devices["two"]
    _, left, text = discovered(one)
    assert left.findings or left.problem
    parse_intent(text, "new.roce.yaml", known_systems())


def test_numbers_that_are_not_those_of_the_priority_are_stated() -> None:
    text = auto_intent("junos").replace("lossless: true}", "lossless: true, queue: 4, traffic_class: 4}")
    found = live_of(planned(text))
    _, left, made = discovered(found)
    assert not left.findings, made
    assert "queue: 4" in made


OWN_OF_CLASSES = {
    "marks of its own": ", ecn: {kmin: 120KB, kmax: 900KB, pmax: 7%}",
    "no marks": ", ecn: false",
    "a threshold of its own": ", alpha: 1/16",
}


@pytest.mark.parametrize("system", [name for name in rendering() if registry.get(name).manifest.kind == "switch"])
@pytest.mark.parametrize("own", OWN_OF_CLASSES.values(), ids=OWN_OF_CLASSES)
def test_what_one_class_has_of_its_own_comes_back(system: str, own: str) -> None:
    more = f"  storage: {{dscp: 34, priority: 4, lossless: true{own}}}\n"
    wanted = planned(auto_intent(system).replace("devices:\n", f"{more}devices:\n"))
    if wanted.refusals():
        pytest.skip("this system cannot carry it")
    _, left, made = discovered(live_of(wanted))
    assert not left.findings, "\n".join(item.message for item in left.findings) + f"\n{made}"


@pytest.mark.parametrize("system", ["mlx5", "bnxt"])
def test_the_class_that_hosts_mark_for_is_of_kind_roce(system: str) -> None:
    text = auto_intent(system)
    wanted = planned(
        text.replace("devices:\n", "  lossy: {dscp: 11, priority: 2, lossless: false, kind: roce}\ndevices:\n")
    )
    _, left, made = discovered(live_of(wanted))
    assert not left.findings, made
    assert "kind: roce" in made


def test_ports_of_one_device_that_differ_are_stated_by_port() -> None:
    text = auto_intent("sonic").replace(
        "  one: {nos: sonic, role: edge}",
        '  one: {nos: sonic, role: edge, ports: {"Ethernet0": {ecn: {kmin: 111KB, kmax: 999KB}}}}',
    )
    wanted = planned(text)
    found = live_of(wanted)
    del found.devices["two"]
    _, left, made = discovered(found)
    assert not left.findings
    assert '"Ethernet0": {speed: 100G, cable: 5m, ecn: {kmin: 111KB, kmax: 999KB}}' in made
    assert '"Ethernet8": {speed: 100G, cable: 5m}' in made


def test_no_lldp_says_what_to_fill_in() -> None:
    _, _, text = discovered(live_of(planned(FABRIC)))
    assert "links: []" in text
    assert "fill in the cables" in text
    assert '"Ethernet1/[1-2,49-50]": {speed: ' in text
    assert plan(expand(parse_intent(text, "x", known_systems()))).devices["leaf01"].fitted.ports


def test_neighbours_without_a_capture_are_named() -> None:
    found = live_of(planned(FABRIC), lldp=True)
    for name in [name for name in found.devices if name.startswith("gpu")]:
        del found.devices[name]
    draft, left, text = discovered(found)
    assert not left.findings
    assert "24 neighbours have no capture and are left out:" in text
    assert {member.role for name, member in draft.members.items() if name.startswith("leaf")} == {"leaf"}
    assert {member.role for name, member in draft.members.items() if name.startswith("spine")} == {"spine"}


def test_a_network_without_lossless_classes_gets_the_usual_ones() -> None:
    found = Found()
    found.add(Device("sw1", "nxos"), "sw1", Interner())
    text = write(draft_of(found, "pod", []))
    assert "No device has a lossless class" in text
    assert text.count("guessed: no text tells the classes") == 2
    expand(parse_intent(text, "x", known_systems()))


def test_names_of_devices_are_only_text() -> None:
    found, share = Found(), Interner()
    found.add(Device("evil: {nos: nxos}\n# x", "nxos"), "", share)
    found.add(Device("on", "nxos", model='M"1: #', os_version="1e3"), "", share)
    assert list(found.devices) == ["on"]
    assert len(found.unreadable) == 1
    text = write(draft_of(found, "pod", ["a\nversion: 2"]))
    fabric = expand(parse_intent(text, "x", known_systems()))
    assert (fabric.devices["on"].model, fabric.devices["on"].release) == ('M"1: #', "1e3")


def test_a_second_capture_of_a_name_does_not_replace_the_first() -> None:
    found, share = Found(), Interner()
    found.add(Device("sw1", "nxos", model="first"), "sw1", share, "a/sw1")
    found.add(Device("sw1", "sonic", model="second"), "", share, "b/sw1.json")
    assert found.devices["sw1"].model == "first"
    (said,) = found.unreadable
    assert said.startswith("b/sw1.json: a second capture of sw1, the first one is used;")


def made_for(speed: int, metres: int) -> PortQos:
    headroom = Headroom(Amount(100_000, "byte", 100_000), "length", made_for=(speed, Fraction(metres)))
    pfc = Pfc("on", tx=frozenset({3}), rx=frozenset({3}))
    return PortQos(pfc=pfc, priority_groups=(None, None, None, PriorityGroup(lossless=True, headroom=headroom)))


@pytest.mark.parametrize(("told", "marked"), [(None, True), (100 * 10**9, False)])
def test_a_length_by_headroom_is_a_guess_where_the_speed_is_one(told: int | None, *, marked: bool) -> None:
    found, share = Found(), Interner()
    for name, other in (("one", "two"), ("two", "one")):
        ports = {
            "Ethernet0": Port("Ethernet0", speed=told, qos=made_for(100 * 10**9, 40), neighbour=Neighbour(
                other, "Ethernet0", "lldp")),
            "Ethernet8": Port("Ethernet8", speed=told, qos=made_for(100 * 10**9, 5)),
        }  # fmt: skip
        found.add(Device(name, "sonic", ports=ports), name, share)
    draft = draft_of(found, "pod", [])
    (link,) = draft.links
    assert (link.speed, link.cable) == (100 * 10**9, 40)
    guesses = [link.guessed, *(item.guessed for member in draft.members.values() for item in member.loose.values())]
    assert len(guesses) == 3
    assert all(("cable, by what the headroom was made for" in guess) == marked for guess in guesses), guesses


def test_a_length_worked_out_of_a_stated_headroom_is_marked_wherever_it_stands() -> None:
    draft = draft_of(live_of(planned(FABRIC)), "pod", [])
    assert any(item.guessed for member in draft.members.values() for item in member.loose.values())
    kin, port = draft.members["leaf01"].kin, next(iter(draft.members["leaf01"].loose))
    mark = "cable, the length that the headroom is enough for, at speeds that are guessed"
    draft.settings["cable",], draft.roles["leaf"] = "70m", {("cable",): "80m"}
    draft.kin[kin], draft.ports[kin] = {("cable",): "90m"}, {port: {("cable",): "95m"}}
    for length in ("70m", "80m", "90m", "95m"):
        said = [line for line in write(draft).splitlines() if f"cable: {length}" in line]
        assert said, length
    marked = [line for line in write(draft).splitlines() if mark in line]
    assert len(marked) >= 4, write(draft)
    draft.settings["cable",], draft.roles["leaf"] = "auto", {}
    draft.kin[kin], draft.ports[kin] = {}, {}
    assert mark not in write(draft)
