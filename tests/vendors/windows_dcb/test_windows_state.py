"""What a Windows host carries of a plan; the golden script; the round trip over generated plans."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rocecfg.errors import ReadError
from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.lint.run import lint
from rocecfg.plan.resolve import plan
from rocecfg.render.engine import as_capture, render
from rocecfg.render.evidence import Shapes, vouch
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import UNLIMITED, App, Dcbx, LinkPause, Nic, Pfc
from rocecfg.state.parse import parse
from rocecfg.vendor import registry
from tests.planned import planned_host, planned_qos

WINDOWS = registry.get("windows_dcb").module
HERE = Path(__file__).parent
AZURE = """\
version: 1
fabric: cluster1
preset: azure-local
devices:
  node[1-2]: {nic: windows_dcb}
links:
  - {a: "node1:Storage[1-2]", b: "node2:Storage[1-2]", speed: 25G, cable: 3m dac}
"""


def optional(values):
    return st.one_of(st.none(), values)


@st.composite
def hosts(draw):
    lossless = draw(st.dictionaries(st.integers(0, 63), st.integers(0, 7), min_size=1, max_size=2))
    cnp = draw(optional(st.tuples(st.integers(0, 63).filter(lambda code: code not in lossless), st.integers(0, 7))))
    if cnp is not None and cnp[1] in lossless.values():
        cnp = None
    qos = planned_qos(lossless=lossless, cnp=cnp, watchdog=draw(st.booleans()))
    queues = tuple(
        queue
        and replace(
            queue,
            shaper=draw(st.sampled_from([None, UNLIMITED, 10**10])),
            weight=draw(optional(st.integers(1, 200))) if queue.scheduler == "weighted" else None,
        )
        for queue in qos.queues or ()
    )
    qos = replace(
        qos,
        queues=queues,
        trust=draw(st.sampled_from(["dscp", "pcp", None])),
        link_pause=draw(optional(st.builds(LinkPause, optional(st.booleans()), optional(st.booleans())))),
        dcbx=draw(optional(st.builds(Dcbx, willing=optional(st.booleans())))),
        default_tc=draw(optional(st.integers(0, 7))),
        app_to_tc=draw(optional(st.just((("netdirect", 445, 5), ("udp", 4791, 3))))),
    )
    device = planned_host("windows_dcb", ["Storage1", "SLOT 2", "vEthernet (SMB_1)"])
    ports = {}
    for name, port in device.ports.items():
        own = draw(st.sampled_from([qos, qos, replace(qos, pfc=Pfc(admin="off", tx=frozenset(), rx=frozenset()))]))
        nic = draw(
            optional(st.builds(Nic, roce_version=st.sampled_from(["v1", "v2", None]), cnp_dscp=optional(st.just(48))))
        )
        ports[name] = replace(
            port,
            qos=own,
            nic=nic,
            mtu=draw(optional(st.integers(1500, 9600))),
            mtu_counts=draw(st.sampled_from(["ip", "l2", "l2+fcs"])),
        )
    apps = draw(optional(st.just((App("smb-direct", sl=2), App("cluster", sl=7), App("nccl", tos=106)))))
    return replace(device, ports=ports, apps=apps)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(hosts())
def test_round_trip_fit_and_defaults(wanted):
    fitted, notes = WINDOWS.fit(wanted)
    again, more = WINDOWS.fit(fitted)
    assert again == fitted
    assert [note for note in more if note.kind != "refused"] == []
    assert WINDOWS.defaults(fitted) == fitted
    assert all(note.because and note.wanted and note.got for note in notes)
    if any(note.kind == "refused" for note in notes):
        return
    back = parse(as_capture(fitted, render(fitted)))
    assert not back.lines
    assert back == fitted


def azure():
    return plan(expand(parse_intent(AZURE, "f")))


def test_the_script_of_an_azure_local_node():
    (script,) = render(azure().devices["node1"].fitted)
    text = script.content.split("\nSet-StrictMode")[0]
    golden = HERE / "azure_local.ps1"
    assert text == golden.read_text(encoding="utf-8")
    assert script.content.isascii(), "Windows PowerShell reads a file without a mark in the machine's code page"


def test_every_line_is_vouched_for():
    shapes = Shapes(registry.get("windows_dcb").manifest.evidence)
    found = {item.level for item in vouch(shapes, render(azure().devices["node1"].fitted))}
    assert found == {"documented", "shell"}


def changes(device):
    return {(note.field, note.kind): note for note in WINDOWS.fit(device)[1]}


def test_what_windows_cannot_say_is_said():
    device = planned_host("windows_dcb", ["Storage1"])
    found = changes(device)
    assert ("trust", "dropped") in found
    assert ("dscp_to_tc", "dropped") in found
    assert found[("app_to_tc", "chosen")].got == "SMB Direct to priority 3"
    assert ("dcbx", "chosen") in found
    assert {
        ("queues.ecn", "dropped"),
        ("watchdog", "dropped"),
        ("cable", "dropped"),
        ("priority_groups", "box-made"),
    } <= set(found)


def test_settings_of_the_whole_host_are_equalised():
    device = planned_host("windows_dcb", ["Storage1", "Storage2"])
    other = replace(device.ports["Storage2"], qos=planned_qos(lossless={26: 4}))
    device = replace(device, ports={**device.ports, "Storage2": other})
    fitted, notes = WINDOWS.fit(device)
    assert {port.qos.pfc.tx for port in fitted.ports.values()} == {frozenset({3})}
    assert [(note.kind, note.object) for note in notes if note.kind == "equalised"] == [("equalised", "Storage2")]


@pytest.mark.parametrize("name", ["a'b", 'a"b', "a`b", "a$b", "a*", "a[1]", "x" * 300, "a\nb", "a’b"])
def test_names_that_a_script_must_not_hold(name):
    device = planned_host("windows_dcb", [name])
    assert ("name", "refused") in changes(device)


def test_numbers_out_of_range_are_refused():
    device = planned_host("windows_dcb", ["Storage1"])
    port = device.ports["Storage1"]
    assert ("mtu", "refused") in changes(replace(device, ports={"Storage1": replace(port, mtu=1280)}))
    assert ("default_tc", "refused") in changes(
        replace(device, ports={"Storage1": replace(port, qos=replace(port.qos, default_tc=9))})
    )
    assert ("pfc", "refused") in changes(
        replace(
            device,
            ports={
                "Storage1": replace(port, qos=replace(port.qos, pfc=Pfc("on", frozenset({3}), frozenset(range(8)))))
            },
        )
    )


def test_all_hosts_on_windows_make_the_fabric_trust_pcp():
    text = AZURE.replace("preset: azure-local", "classes: {roce: {dscp: 26, priority: 3, lossless: true}}")
    made = plan(expand(parse_intent(text, "f")))
    numbers = {item.name: (item.value, item.because) for item in made.devices["node1"].numbers("Storage1")}
    assert numbers["trust"] == ("pcp", "all hosts of the fabric mark their packets with an 802.1p priority only")
    mixed = text.replace("node[1-2]: {nic: windows_dcb}", "node1: {nic: windows_dcb}\n  node2: {nic: mlx5}").replace(
        "node2:Storage[1-2]", "node2:rail[1-2]"
    )
    assert plan(expand(parse_intent(mixed, "f"))).devices["node2"].fitted.ports["rail1"].qos.trust == "dscp"


def test_a_fabric_that_trusts_both_marks_asks_windows_for_pcp():
    text = AZURE.replace(
        "preset: azure-local", "classes: {roce: {dscp: 26, priority: 3, lossless: true}}\nsettings: {trust: both}"
    )
    made = plan(expand(parse_intent(text, "f")))
    device = made.devices["node1"]
    assert not [item for item in device.adjustments if item.field == "trust"]
    assert not device.overruled()
    found = lint([parse(as_capture(device.fitted, render(device.fitted)))], intent=made.fabric).findings
    assert "NIC-002" not in {item.rule for item in found}


@pytest.mark.parametrize("cut", ["$Wanted = @{\n", "    Policies = @(\n", "Priority = 3 }"])
def test_a_script_that_is_cut_off(cut):
    (script,) = render(azure().devices["node1"].fitted)
    end = script.content.index(cut) + len(cut)
    with pytest.raises(ReadError, match="cut off"):
        parse(Capture("n", "windows_dcb", (Text("a.ps1", script.content[:end]),), file="a.ps1"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Priority = 3 }", "Priority = 9 }"),
        ("= 445", "= 4455555"),
        ("'ETS'", "'WFQ'"),
        ("FlowControl = @(3)", "FlowControl = @(3, 8)"),
        ("Willing = $false", "Willing = 0"),
        ("'*JumboPacket' = 9014", "'*JumboPacket' = big"),
    ],
)
def test_a_changed_line_of_the_script_is_reported(old, new):
    (script,) = render(azure().devices["node1"].fitted)
    assert old in script.content
    device = parse(Capture("n", "windows_dcb", (Text("a.ps1", script.content.replace(old, new, 1)),), file="a.ps1"))
    assert len(device.lines) == 1
