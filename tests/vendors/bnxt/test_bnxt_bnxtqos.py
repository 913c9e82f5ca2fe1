"""The tool before niccli, and what follows a call of Broadcom's own script."""

from __future__ import annotations

from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

SCRIPT = """\
#!/bin/bash
bnxtqos -dev=ens2f0 set_ets tsa=0:ets,1:ets,2:strict priority2tc=0:0,1:0,2:0,3:1,4:0,5:0,6:0,7:2 tcbw=40,60
bnxtqos -dev=ens2f0 set_pfc enabled=3
bnxtqos -dev=ens2f0 set_apptlv app=3,5,26
bnxtqos -dev=ens2f0 set_apptlv app=7,5,48
bnxtqos -dev=ens2f0 set_apptlv app=3,5,24
bnxtqos -dev=ens2f0 set_apptlv -d app=3,5,24
"""


def read(content: str):
    return parse(Capture("host1", "bnxt", (Text("a.sh", content),), file="a.sh"))


def test_bnxtqos_sets_what_niccli_sets() -> None:
    assert registry.detect((Text("a.sh", SCRIPT),), "a.sh") == "bnxt"
    device = read(SCRIPT)
    qos = device.ports["ens2f0"].qos
    assert not device.lines
    assert (device.lines_read, qos.pfc.tx) == (6, {3})
    assert (qos.dscp_to_tc.to[26], qos.dscp_to_tc.to[48], qos.dscp_to_tc.to[24]) == (3, 7, None)
    assert qos.tc_to_queue[:8] == (0, 0, 0, 1, 0, 0, 0, 2)
    assert {n: (queue.scheduler, queue.weight) for n, queue in enumerate(qos.queues) if queue} == {
        0: ("weighted", 40), 1: ("weighted", 60), 2: ("strict", None),
    }  # fmt: skip


def test_bnxtqos_ends_flow_control() -> None:
    assert read("#!/bin/sh\nbnxtqos -dev=ens2f0 set_pfc enabled=none\n").ports["ens2f0"].qos.pfc.admin == "off"


def test_words_that_nobody_documents_are_reported() -> None:
    device = read(f"{SCRIPT}bnxtqos -dev=ens2f0 set_map x=1\nniccli -i 1 set_pfc -enabled 3\n")
    assert [line.place.line for line in device.lines] == [8, 9]


def test_a_line_behind_the_script_has_the_last_word() -> None:
    device = read(
        "#!/bin/sh\nbnxt_setupcc.sh -d bnxt_re0 -i ens2f0 -m 3 -r 3 -s 26 -c 7 -p 48 -u 3\n"
        "echo -n 106 > /sys/kernel/config/rdma_cm/bnxt_re0/ports/1/default_roce_tos\n"
    )
    assert device.ports["ens2f0"].nic.default_tos == 106
