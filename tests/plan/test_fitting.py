"""What fitting is on every switch: nothing of the device as a whole is carried by accident, changes are said once."""

from __future__ import annotations

from dataclasses import replace

from rocecfg.state.model import Device, Nic, Pfc, Port, PortQos
from rocecfg.vendor.changes import Log, Steps
from rocecfg.vendor.fitting import as_printed, both_ways, carried, listed, one_set

PAUSED = PortQos(pfc=Pfc("on", frozenset({3}), frozenset({3})))


def test_nothing_is_set_for_the_whole_device_but_what_the_system_says() -> None:
    planned = Device("a", "nxos", pfc_enabled=True, ecn_enabled=True, buffer_model="box", traffic=(9216, 10), pools=())
    made = carried(planned, [Port("1", PAUSED), Port("2", replace(PAUSED))], buffer_model="stated")
    assert made == replace(Device("a", "nxos", ports=made.ports), buffer_model="stated")
    assert made.ports["1"].qos is made.ports["2"].qos
    assert made.knows_all_of("all")


def test_a_port_takes_the_name_that_the_system_prints_and_leaves_its_nic_settings() -> None:
    log = Log("a")
    port = as_printed(Port("eth 1/1", nic=Nic()), "Ethernet1/1", log, names="Ethernet1/1", by="show running-config")
    assert (port.name, port.nic) == ("Ethernet1/1", None)
    assert as_printed(Port("x"), None, log, names="ports are Ethernet1/1", by="show").name == "x"
    said = [(change.kind, change.object, change.field) for change in log.changes]
    assert said == [("equalised", "eth 1/1", "name"), ("dropped", "eth 1/1", "nic"), ("refused", "x", "name")]


def test_two_sets_of_a_port_and_several_of_a_device_are_one_and_it_is_said() -> None:
    log = Log("a")
    assert both_ways(Pfc("on", frozenset({3}), frozenset({3, 4})), log, "both are one", at="1") == {3, 4}
    assert both_ways(Pfc("on", frozenset({3}), frozenset({3})), log, "both are one") == {3}
    assert one_set({frozenset({3}): "1", frozenset({4}): "2"}, log, "one for all") == {3, 4}
    assert one_set({frozenset({3}): "1"}, log, "one for all") == {3}
    assert [(change.wanted, change.got) for change in log.changes] == [
        ("tx 3, rx 3,4", "3,4"),
        ("3 on 1 and 4 on 2", "3,4"),
    ]
    assert listed(()) == "none"


def test_changes_are_about_the_ports_at_work_then_about_the_device_again() -> None:
    device = Device("a", "nxos", ports={"1": Port("1", PAUSED), "2": Port("2", PAUSED), "3": Port("3")})
    log = Log("a")
    for _ in log.by_qos(device):
        log("dropped", "leaf", 1, 2, "why")
        log("dropped", "leaf", 1, 2, "why")
    log("dropped", "leaf", 1, 2, "why")
    assert [change.object for change in log.changes] == ["1, 2", "3", ""]


def test_a_step_changes_each_distinct_qos_once() -> None:
    steps = Steps(Device("a", "nxos", ports={"1": Port("1", PAUSED), "2": Port("2", PAUSED), "3": Port("3")}))
    seen = []
    steps.each(lambda qos, ports: seen.append([port.name for port in ports]) or replace(qos, trust="dscp"))
    assert seen == [["1", "2"], ["3"]]
    assert all(port.qos.trust == "dscp" for port in steps.now().ports.values())
