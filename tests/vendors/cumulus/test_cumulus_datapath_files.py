"""traffic.conf and datapath.conf of 3.x and 4.x: a code point in two lists, buffer settings by the name of a group."""

from __future__ import annotations

from cumulus_plans import read

TWICE = """\
traffic.packet_priority_source_set = [dscp,802.1p]
traffic.cos_0.priority_source.8021p = [0]
traffic.cos_0.priority_source.dscp = [0,1,26,34]
traffic.cos_3.priority_source.dscp = [26]
traffic.cos_5.priority_source.dscp = [34,40]
pfc.port_group_list = [blue]
pfc.blue.cos_list = [3]
pfc.blue.port_set = swp1
"""
DATAPATH = """\
priority_group.bulk.id = 0
priority_group.bulk.service_pool = 0
priority_group.bulk.ingress_buffer.dynamic_quota = 11
priority_group.bulk.egress_buffer.uc.sp_dynamic_quota = 11
priority_group.bulk.egress_buffer.mc.sp_dynamic_quota = 9
flow_control.service_pool = 1
flow_control.ingress_buffer.dynamic_quota = 9
ingress_service_pool.1.percent = 40.0
ingress_service_pool.1.mode = 1
"""


def test_a_code_point_in_two_lists_is_reported() -> None:
    device = read(TWICE, file="traffic.conf")
    assert [(line.place.line, line.text) for line in device.lines] == [
        (4, "DSCP 26 of cos_3 stands in the list of cos_0 too: which holds is not documented"),
        (5, "DSCP 34 of cos_5 stands in the list of cos_0 too: which holds is not documented"),
    ]
    assert device.ports["swp1"].qos.dscp_to_tc.to[26] == 3


def test_the_same_list_twice_is_no_doubt() -> None:
    line = "traffic.cos_3.priority_source.dscp = [26]\n"
    assert read(TWICE.replace("26,", "").replace("34]", "35]") + line).lines == ()


def test_buffer_settings_by_group_are_known() -> None:
    device = read(DATAPATH, file="datapath.conf")
    assert device.lines == ()
    assert device.lines_read == 9
    odd = read(DATAPATH.replace("uc.sp_dynamic_quota = 11", "uc.sp_dynamic_quota = many"), file="datapath.conf")
    assert len(odd.lines) == 1
