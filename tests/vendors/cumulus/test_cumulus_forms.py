"""Reading: the files and tables of other releases: qos_infra.conf, remarks, shapers, early 3.x, `nv show qos ...`."""

from __future__ import annotations

from fractions import Fraction

import pytest
from cumulus_plans import capture, read

from rocecfg.state.capture import Text
from rocecfg.state.model import Amount, Dynamic
from rocecfg.state.parse import parse, stated
from rocecfg.vendor import registry


def test_qos_infra_gives_pools_factors_and_the_queue_map() -> None:
    device = read(
        "ingress_service_pool.0.percent = 60\ningress_service_pool.1.percent = 40.0\ningress_service_pool.1.mode = 1\n"
        "egress_service_pool.1.infinite_flag = TRUE\nflow_control.ingress_service_pool = 1\n"
        "port.service_pool.1.ingress_buffer.dynamic_quota = ALPHA_1\n"
        "flow_control.ingress_buffer.dynamic_quota = ALPHA_1_4\negress_buffer.egr_queue_2.uc.dynamic_quota = ALPHA_8\n"
        "priority_group.service2.ingress_buffer.dynamic_quota = ALPHA_8\ncos_egr_queue.cos_2.uc  = 7\n"
        "pfc.port_group_list = [g]\npfc.g.port_set = [swp1,swp2]\npfc.g.cos_list = [3]\n"
        "pfc.g.tx_enable = true\npfc.g.rx_enable = true\n"
    )
    assert device.lines == ()
    assert device.pools is not None
    assert [(pool.name, pool.total, pool.mode) for pool in device.pools] == [
        ("ingress-service-pool 0", Amount(60, "percent"), None), ("ingress-service-pool 1", Amount(40, "percent"), "dynamic"),
    ]  # fmt: skip
    qos = device.ports["swp2"].qos
    assert qos.priority_group(3).xoff_at == Dynamic(Fraction(1, 4))  # type: ignore[union-attr]
    assert (qos.tc_to_queue or ())[2] == 7


@pytest.mark.parametrize(
    "line",
    ["ingress_service_pool.1.percent = 140", "ingress_service_pool.1.percent = 12.5", "egress_service_pool.1.mode = 3",
     "flow_control.ingress_buffer.dynamic_quota = ALPHA_3", "traffic.cos_1.priority_remark.dscp = [64]",
     "traffic.packet_priority_remark_set = [pcp]", "shaping.g.egr_queue_1.shaper = [5]", "shaping.g.port.shaper = fast"],
)  # fmt: skip
def test_a_line_of_these_forms_without_sense_is_reported(line: str) -> None:
    device = read(f"pfc.port_group_list = [g]\npfc.g.port_set = swp1\npfc.g.cos_list = [3]\n{line}\n")
    assert [item.place.line for item in device.lines] == [4]


def test_remarks_and_shapers_of_a_datapath_file_are_bound_to_their_ports() -> None:
    device = read(
        "remark.port_group_list = [r]\nremark.r.packet_priority_remark_set = [dscp]\nremark.r.port_set = swp1\n"
        "remark.r.cos_3.priority_remark.dscp = [37]\nremark.r.cos_3.priority_remark.8021p = [5]\n"
        "shaping.port_group_list = [s]\nshaping.s.port_set = swp1-swp2\n"
        "shaping.s.egr_queue_2.shaper = [50000, 100000]\nshaping.s.port.shaper = 900000\n"
        "pfc_wd.poll_interval = 200\npfc_wd.robustness = 5\n"
        "cut_through_enable = false\nhash_config.enable = true\n"
    )
    assert device.lines == ()
    first = device.ports["swp1"].qos
    assert first.rewrite == (("tc", 3, 37),)
    queue = first.queue(2)
    assert queue is not None
    assert (queue.guarantee, queue.shaper) == (50_000_000, 100_000_000)
    assert first.watchdog is not None
    assert (first.watchdog.poll, first.watchdog.detect) == (200, 1000)
    assert device.ports["swp2"].qos.rewrite is None


def test_in_the_first_releases_a_port_group_of_the_ecn_section_marks() -> None:
    device = read("ecn.port_group_list = [e]\necn.e.cos_list = [3]\necn.e.port_set = swp1-swp4,swp6\n")
    assert device.lines == ()
    assert not any(item.used and not item.defined for item in device.objects)
    queue = device.ports["swp6"].qos.queue(3)
    assert queue is not None
    assert queue.ecn is not None
    assert queue.ecn.curves


def test_the_spellings_of_the_guide_are_those_of_the_model() -> None:
    device = read(
        "nv set qos congestion-control RED traffic-class 1,2 min-threshold-bytes 40000\n"
        "nv set qos congestion-control RED traffic-class 1,2 max-threshold-bytes 200000\n"
        "nv set interface swp1,swp2 qos congestion-control RED\nnv set interface swp1 qos qos pfc-watchdog state enable\n"
    )
    assert device.lines == ()
    (curve,) = device.ports["swp2"].qos.queue(2).ecn.curves  # type: ignore[union-attr]
    assert (curve.low, curve.high) == (Amount.of_bytes(40000), Amount.of_bytes(200000))
    assert device.ports["swp1"].qos.watchdog.enabled is True  # type: ignore[union-attr]


SHOWN = """\
leaf1$ nv show qos roce
                    operational  applied
------------------  -----------  --------
enable                           on
mode                lossless     lossless
pfc
  pfc-priority      3
  rx-enabled        enabled
  tx-enabled        enabled
congestion-control
  congestion-mode   ECN
  enabled-tc        0,3
  min-threshold     146.48 KB
  max-threshold     1.43 MB
  probability       100
trust
  trust-mode        pcp,dscp
RoCE PCP/DSCP->SP mapping configurations
===========================================
       pcp  dscp     switch-prio
    -  ---  -------  -----------
    0  0    0,1,2,7  0
    3  3    24,26    3
    5  5    -        5
RoCE SP->TC mapping and ETS configurations
=============================================
       switch-prio  traffic-class  scheduler-weight
    -  -----------  -------------  ----------------
    0  0            0              DWRR-50%
    3  3            3              DWRR-50%
    6  6            6              strict-priority
RoCE pool config
===================
       name                   mode     size  switch-priorities  traffic-class
    -  ---------------------  -------  ----  -----------------  -------------
    0  lossy-default-ingress  Dynamic  100%  0,1,2,3,4,5,6,7    -
Exception List
=================
No Data
"""


def test_show_qos_roce_with_lists_in_its_cells() -> None:
    device = read(SHOWN)
    assert device.lines == ()
    (port,) = device.ports.values()
    qos = port.qos
    assert (qos.trust, qos.pfc.tx, qos.pfc.rx) == ("both", frozenset({3}), frozenset({3}))  # type: ignore[union-attr]
    assert qos.dscp_to_tc is not None
    assert (qos.dscp_to_tc.to[7], qos.dscp_to_tc.to[26], qos.dscp_to_tc.to[46]) == (0, 3, None)
    assert (qos.pcp_to_tc.to[5], (qos.tc_to_queue or ())[6]) == (5, 6)  # type: ignore[union-attr]
    assert qos.queue(6).scheduler == "strict"  # type: ignore[union-attr]
    assert qos.queue(3).ecn.curves[0].low.bytes == 149_995  # type: ignore[union-attr]


def test_show_of_one_class_one_priority_and_pools() -> None:
    device = read(
        "leaf1$ nv show qos congestion-control default-global traffic-class 4\n"
        "               operational  applied   description\n-------------  -----------  --------  -----------\n"
        "ecn            enable       enable    State\nmax-threshold  200000 B     200000 B  Maximum\n"
        "min-threshold  40000 B      40000 B   Minimum\nprobability    100          100       Probability\n"
        "red            enable       enable    RED\n\n"
        "leaf1$ nv show qos egress-queue-mapping default-global switch-priority 2\n"
        "               operational  applied  description\n-------------  -----------  -------  -------------\n"
        "traffic-class  7            7        Traffic Class\n\n"
        "leaf1$ nv show qos egress-queue-mapping default-global\nSP->TC mapping configuration\n"
        "===============================\n    switch-priority  traffic-class\n    ---------------  -------------\n"
        "    3                5\n\n"
        "leaf1$ nv show qos traffic-pool default-lossless\n                   applied\n-----------------  -------\n"
        "memory-percent     30\n[switch-priority]  3\n[switch-priority]  4\n\n"
        "leaf1$ nv show qos advance-buffer-config default-global ingress-pool\n"
        "Pool-Id  infinite  memory-percent  mode     reserved\n-------  --------  --------------  -------  --------\n"
        "3                  20              dynamic\n"
    )
    assert device.lines == ()
    (port,) = device.ports.values()
    (curve,) = port.qos.queue(4).ecn.curves  # type: ignore[union-attr]
    assert (curve.low, curve.high) == (Amount.of_bytes(40000), Amount.of_bytes(200000))
    assert ((port.qos.tc_to_queue or ())[2], (port.qos.tc_to_queue or ())[3]) == (7, 5)
    assert device.pools is not None
    assert [(pool.name, pool.total, pool.mode) for pool in device.pools] == [
        ("default-lossless", Amount(30, "percent"), None), ("ingress-service-pool 3", Amount(20, "percent"), "dynamic"),
    ]  # fmt: skip
    assert [number for number in range(8) if port.qos.priority_group(number) is not None] == [3, 4]


def test_show_of_an_interface_and_of_the_default_profile_stay_apart() -> None:
    device = read(
        "leaf1$ nv show interface swp5 qos mapping\n                 operational  applied\n---------------  -----------  -------\n"
        "port-default-sp  0\ntrust            l3\n\nPCP->SP mapping configuration\n================================\n"
        "    802.1p  switch-priority\n    ------  ---------------\n    7       6\n\n"
        "leaf1$ nv show interface swp5 qos egress-shaper\nShaper Min/Max Rate\n======================\n"
        "    traffic-class  min-shaper-state  min-rate(kbps)  max-shaper-state  max-rate(kbps)\n"
        "    -------------  ----------------  --------------  ----------------  --------------\n"
        "    0              enable            0               enable            2147483647\n"
        "    1              enable            0               enable            50000\n\n"
        "leaf1$ nv show interface swp5 qos egress-scheduler traffic-class 2\n            operational  applied\n"
        "----------  -----------  -------\nbw-percent  12\nmode        dwrr\n\n"
        "leaf1$ nv show qos mapping default-global\n                 operational  applied\n---------------  -----------  -------\n"
        "port-default-sp  3            3\ntrust            port         port\n\n"
        "leaf1$ nv show qos congestion-control\nProfile         Summary\n--------------  ----------------\n"
        "default-global  traffic-class: 0\n"
    )
    assert device.lines == ()
    qos = device.ports["swp5"].qos
    assert (qos.trust, qos.default_tc, qos.pcp_to_tc.to[7]) == ("dscp", 0, 6)  # type: ignore[union-attr]
    assert (qos.queue(1).shaper, qos.queue(2).weight) == (50_000_000, 12)  # type: ignore[union-attr]
    assert qos.queue(0) is None


def test_a_profile_that_names_no_direction_sends_and_honours() -> None:
    lines = "nv set qos pfc P switch-priority 3,5\n{}nv set interface swp1 qos pfc profile P\n"
    whole = parse(capture("nv set system hostname leaf1\n" + lines.format(""))).ports["swp1"].qos.pfc
    assert whole is not None
    assert (whole.tx, whole.rx) == (frozenset({3, 5}), frozenset({3, 5}))
    half = parse(capture("nv set system hostname leaf1\n" + lines.format("nv set qos pfc P rx disable\n")))
    assert half.ports["swp1"].qos.pfc.tx == frozenset({3, 5})  # type: ignore[union-attr]
    assert half.ports["swp1"].qos.pfc.rx == frozenset()  # type: ignore[union-attr]
    change = stated(capture(lines.format(""))).ports["swp1"].qos.pfc
    assert change is not None
    assert change.tx is None


@pytest.mark.parametrize(
    "text", ["ecn.port_group_list = [e]\n", "ingress_service_pool.0.percent = 50\n", "pfc_wd.robustness = 5\n", SHOWN,
             '[{"header": {"model": "SN5600", "nvue-api-version": "nvue_v1"}}, {"set": {"qos": {"roce": {}}}}]\n'],
)  # fmt: skip
def test_these_forms_are_recognised(text: str) -> None:
    assert registry.detect((Text("f", text),), "f") == "cumulus"


def test_a_counter_table_with_a_damaged_head_is_no_error() -> None:
    device = read(
        "leaf1$ nv show interface swp1 qos pfc-watchdog\nPFC WD Status\n===============\n"
        "    traff -cl ss   status    deadlock-count\n    -------------  --------  --------------\n    3              OK        3\n"
    )
    assert list(device.ports) == ["swp1"]


QOS_FILE = """\
pfc.port_group_list = [g]
pfc.spare.cos_list = [3]
pfc.spare.port_set = swp1
pfc.spare.xoff_size = 10000
pfc.spare.xon_delta = 2000
pfc.g.cos_list = [3]
pfc.g.port_set = swp1
pfc.g.tx_enable = true
ecn.port_group_list = [e]
ecn.e.cos_list = [3]
ecn.e.port_set = swp1
ecn.e.min_threshold_bytes = 40000
traffic.packet_priority_source_set = [dscp]
traffic.cos_3.priority_source.dscp = [26]
egress_sched.port_group_list = [s]
egress_sched.s.egr_queue_3.bw_percent = 50
cos_egr_queue.cos_3.uc = 3
"""


@pytest.mark.parametrize("number", range(len(QOS_FILE.splitlines())))
@pytest.mark.parametrize("value", ["[]", "", "[ ]", "[,]"])
def test_an_empty_list_or_value_is_read_or_refused(number: int, value: str) -> None:
    lines = QOS_FILE.splitlines()
    lines[number] = f"{lines[number].split(' = ')[0]} = {value}"
    device = parse(capture("\n".join(lines)))
    assert all(line.place.line == number + 1 for line in device.lines)
