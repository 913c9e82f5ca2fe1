"""Faults that people type into texts of the further systems: the rule fires, on the right line."""

from __future__ import annotations

import pytest

from tests.rules.test_faults_in_texts import changed

FAULTS = [
    # system, rule, what stands there (a pattern), what the fault makes of it, what stands on the reported line
    ("eos", "PFC-002", "priority 3 no-drop", "priority 4 no-drop", "priority 4 no-drop"),
    ("eos", "QMAP-002", r"(qos map dscp 26) to", r"\1 24 to", "dscp 26 24 to"),
    ("eos", "QMAP-005", "dscp 48 to traffic-class 6", "dscp 48 to traffic-class 0", "dscp 48 to"),
    ("eos", "QMAP-006", "dscp 48 to traffic-class 6", "dscp 48 to traffic-class 3", "dscp 48 to"),
    ("eos", "QMAP-008", "traffic-class 6 to tx-queue 6", "traffic-class 6 to tx-queue 3", "to tx-queue 3"),
    ("eos", "SCH-001", r"      priority strict", r"      no priority\n      bandwidth percent 5", "no priority"),
    ("eos", "SCH-002", r"(tx-queue 3\n) +no priority\n +bandwidth percent 60", r"\1      priority strict", "priority strict"),
    ("eos", "SCH-005", "percent 40", "percent 99", "bandwidth percent 60"),
    ("eos", "SCH-006", r"(tx-queue 3\n)", r"\1      shape rate 10000000\n", "shape rate"),
    ("eos", "SCH-006", r"(tx-queue 3\n)", r"\1      shape rate 40 percent\n", "40 percent"),
    ("eos", "ECN-009", "minimum-threshold 400000", "minimum-threshold 4000", "minimum-threshold 4000"),
    ("eos", "ECN-013", "weight 0", "weight 7", "weight 7"),
    ("eos", "WD-014", "timeout 0.20", "timeout 60", "timeout 60"),
    ("eos", "WD-007", "recovery-time 0.40", "recovery-time 0.10", "recovery-time 0.10"),
    ("eos", "WD-012", r"priority-flow-control pause watchdog action drop\n", "", ""),
    ("dell_os10", "PFC-002", "pfc-cos 3", "pfc-cos 4", "pfc-cos 4"),
    ("dell_os10", "QMAP-002", "dscp 26", "dscp 24,26", "dscp 24,26"),
    ("dell_os10", "QMAP-005", r" qos-group 6 dscp 48", r" qos-group 0 dscp 48", "qos-group 0 dscp 48"),
    ("dell_os10", "QMAP-008", r"queue 6 qos-group 6", r"queue 3 qos-group 6", "queue 3 qos-group 6"),
    ("dell_os10", "SCH-001", r"  priority\n", r"  bandwidth percent 5\n", "ROCE-Q6"),
    ("dell_os10", "SCH-004", "percent 40", "percent 99", "percent 99"),
    ("dell_os10", "SCH-006", r"(  bandwidth percent 60)", r"\1\n  shape min mbps 0 max mbps 100", "shape min"),
    ("dell_os10", "ECN-009", "minimum-threshold 400", "minimum-threshold 4", "minimum-threshold 4"),
    ("dell_sonic", "PFC-002", "flow-control priority 3", "flow-control priority 4", "flow-control priority 4"),
    ("dell_sonic", "PFC-007", "pfc-priority 3 queue 3", "pfc-priority 3 queue 4", "pfc-priority 3 queue 4"),
    ("dell_sonic", "PFC-008", "0-2,4-7 priority-group 7", "0-2,4-7 priority-group 3", "0-2,4-7"),
    ("dell_sonic", "QMAP-002", "dscp 26 traffic", "dscp 24,26 traffic", "dscp 24,26"),
    ("dell_sonic", "QMAP-005", "dscp 48 traffic-class 6", "dscp 48 traffic-class 0", "dscp 48"),
    ("dell_sonic", "QMAP-008", "traffic-class 6 queue 6", "traffic-class 6 queue 3", "traffic-class 6 queue 3"),
    ("dell_sonic", "SCH-001", r"  type strict", r"  type dwrr\n  weight 5", "queue 6"),
    ("dell_sonic", "ECN-009", "minimum-threshold 400", "minimum-threshold 4", "minimum-threshold 4"),
    ("dell_sonic", "WD-004", "detect-time 200", "detect-time 6000", "6000"),
    ("dell_sonic", "WD-007", "restore-time 400", "restore-time 150", "150"),
    ("dell_sonic", "WD-008", "watchdog action drop", "watchdog action forward", "action forward"),
    ("onyx", "PFC-002", "priority 3 enable", "priority 4 enable", "priority 4 enable"),
    ("onyx", "QMAP-002", "map dscp 27 to switch-priority 0", "map dscp 27 to switch-priority 3", "dscp 27"),
    ("onyx", "QMAP-005", "map dscp 48 to switch-priority 6", "map dscp 48 to switch-priority 0", "dscp 48"),
    ("onyx", "QMAP-006", "map dscp 48 to switch-priority 6", "map dscp 48 to switch-priority 3", "dscp 48"),
    ("onyx", "SCH-001", "6 dcb ets strict", "6 dcb ets wrr 5", "6 dcb ets wrr 5"),
    ("onyx", "SCH-002", "3 dcb ets wrr 60", "3 dcb ets strict", "3 dcb ets strict"),
    ("onyx", "SCH-005", "0 dcb ets wrr 40", "0 dcb ets wrr 99", "3 dcb ets wrr 60"),
    ("onyx", "ECN-009", "minimum-absolute 400", "minimum-absolute 4", "minimum-absolute 4"),
    ("huawei", "BUF-021", r"qos buffer headroom-pool.*\n", "", ""),
    ("huawei", "BUF-021", "headroom-pool size [0-9]+ kbytes", "headroom-pool size 32 kbytes", "size 32 kbytes"),
    ("huawei", "PFC-002", r"\n priority 3\n", r"\n priority 4\n", "priority 4"),
    ("huawei", "QMAP-002", "inbound 27 phb be", "inbound 27 phb af3", "inbound 27"),
    ("huawei", "QMAP-005", "inbound 48 phb cs6", "inbound 48 phb be", "inbound 48"),
    ("huawei", "QMAP-006", "inbound 48 phb cs6", "inbound 48 phb af3", "inbound 48"),
    ("huawei", "QMAP-013", r"dcb pfc dscp-mapping enable slot 1\n#\n", "", ""),
    ("huawei", "SCH-001", r" qos pq 6 to 7\n qos drr 0 to 5", r" qos pq 7\n qos drr 0 to 6", "qos drr"),
    ("huawei", "SCH-002", r" qos drr 0 to 5\n(.*)\n qos queue 3 drr weight 60", r" qos pq 3\n qos drr 0 to 2 4 to 5\n\1", "pq 3"),
    ("huawei", "SCH-005", "drr weight 40", "drr weight 100", "queue 3 drr weight 60"),
    ("huawei", "SCH-006", r"( qos queue 3 ecn)", r"\1\n qos queue 3 shaping percent cir 10 pir 40", "pir 40"),
    ("huawei", "ECN-009", "low-limit 400000", "low-limit 4000", "low-limit 4000"),
    ("huawei", "WD-015", r"dcb pfc deadlock recovery-behavior discard slot 1\n#\n", "", ""),
    ("h3c", "PFC-002", "no-drop dot1p 3", "no-drop dot1p 4", "dot1p 4"),
    ("h3c", "QMAP-002", "import 27 export 0", "import 27 export 3", "import 27"),
    ("h3c", "QMAP-005", "import 48 export 6", "import 48 export 0", "import 48"),
    ("h3c", "QMAP-006", "import 48 export 6", "import 48 export 3", "import 48"),
    ("h3c", "SCH-001", "qos wfq cs6 group sp", "qos wfq cs6 group 1 byte-count 5", "wfq cs6"),
    ("h3c", "SCH-002", "qos wfq af3 group 1 byte-count 60", "qos wfq af3 group sp", "wfq af3"),
    ("h3c", "SCH-005", "wfq be group 1 byte-count 40", "wfq be group 1 byte-count 99", "af3 group 1 byte-count 60"),
    ("h3c", "ECN-013", "weighting-constant 0", "weighting-constant 9", "weighting-constant 9"),
    ("h3c", "WD-015", r" priority-flow-control deadlock auto-recover action discard\n", "", ""),
    ("srlinux", "PFC-004", "unicast-3 pfc-pause-frame-priority 3", "unicast-3 pfc-pause-frame-priority 4", "pfc3"),
    ("srlinux", "QMAP-002", r"(set / qos classifiers dscp-policy roce-dscp dscp) 26 forwarding-class fc3", r"\g<0>\n\1 24 forwarding-class fc3", "dscp 24"),
    ("srlinux", "QMAP-005", "dscp 48 forwarding-class fc6", "dscp 48 forwarding-class fc0", "dscp 48"),
    ("srlinux", "QMAP-006", "dscp 48 forwarding-class fc6", "dscp 48 forwarding-class fc3", "dscp 48"),
    ("srlinux", "SCH-005", "unicast-0 weight 40", "unicast-0 weight 254", "unicast-3 weight 60"),
    ("srlinux", "SCH-006", r"(set .* input unicast-3) weight 60", r"\g<0>\n\1 peak-rate-percent 40", "percent 40"),
    ("srlinux", "ECN-009", "min-threshold 400000", "min-threshold 4000", "min-threshold 4000"),
    ("aruba_cx", "PFC-002", "priority rxtx 3", "priority rxtx 4", "rxtx 4"),
    ("aruba_cx", "QMAP-002", "dscp-map 27 local-priority 1", "dscp-map 27 local-priority 3", "dscp-map 27"),
    ("aruba_cx", "QMAP-005", "dscp-map 48 local-priority 6", "dscp-map 48 local-priority 1", "dscp-map 48"),
    ("aruba_cx", "QMAP-006", "dscp-map 48 local-priority 6", "dscp-map 48 local-priority 3", "dscp-map 48"),
    ("aruba_cx", "SCH-001", "strict queue 2", "dwrr queue 2 weight 5", "dwrr queue 2"),
    ("aruba_cx", "SCH-002", "dwrr queue 1 weight 60", "strict queue 1", "strict queue 1"),
    ("aruba_cx", "SCH-005", "queue 0 weight 40", "queue 0 weight 99", "queue 1 weight 60"),
    ("aruba_cx", "ECN-009", "min-threshold 391", "min-threshold 4", "min-threshold 4"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("system", "rule", "old", "new", "there"),
    FAULTS,
    ids=[f"{row[0]}-{row[1]}-{index}" for index, row in enumerate(FAULTS)],
)
def test_the_fault_is_found_where_it_stands(system: str, rule: str, old: str, new: str, there: str) -> None:
    before = {(item.rule, item.message) for item in changed(system, r"\A", "")[0]}
    findings, text = changed(system, old, new)
    found = [item for item in findings if (item.rule, item.message) not in before]
    own = [item for item in found if item.rule == rule]
    assert own, sorted({(item.rule, item.message) for item in found})
    lines = text.splitlines()
    shown = {lines[item.line - 1].strip() for item in own if item.line}
    assert not there or any(there in line for line in shown), shown
