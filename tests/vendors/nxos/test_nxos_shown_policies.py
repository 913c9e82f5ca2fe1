"""`show policy-map interface` says what the running configuration of the same policies says."""

from __future__ import annotations

from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import Amount
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

SHOWN = """\
Global statistics status :   enabled

Ethernet1/7

  Service-policy (qos) input:   MARKS
    SNMP Policy Index:  285213502

    Class-map (qos):   BULK (match-any)

     Slot 1
        4711 packets
     Aggregate forwarded :
        4711 packets
      Match: dscp 26
      set qos-group 3

    Class-map (qos):   class-default (match-any)
      set qos-group 0

  Service-policy (queuing) output:   LEAVES
    SNMP Policy Index:  301991215

    Class-map (queuing):   c-out-8q-q7 (match-any)
      priority level 1
      queue dropped pkts : 0
      queue depth in bytes : 0

    Class-map (queuing):   c-out-8q-q3 (match-any)
      bandwidth remaining percent 70
      random-detect minimum-threshold 200 kbytes maximum-threshold 2000 kbytes drop-probability 9 weight 0 ecn
      queue dropped pkts : 12
      surprise of a later release

Ethernet1/8

  Service-policy (queuing) output:   default-8q-out-policy
    Class-map (queuing):   c-out-8q-q7 (match-any)
      priority level 1
"""


def read(content: str):
    return parse(Capture("", "nxos", (Text("out.txt", content),), file="out.txt"))


def test_policies_of_ports() -> None:
    device = read(SHOWN)
    qos = device.ports["Ethernet1/7"].qos
    assert qos.dscp_to_tc is not None
    assert qos.dscp_to_tc.codes(3) == (26,)
    assert qos.default_tc == 0
    assert qos.queues is not None
    strict, weighted = qos.queue(7), qos.queue(3)
    assert strict is not None
    assert weighted is not None
    assert (strict.scheduler, strict.rank) == ("strict", 1)
    assert (weighted.weight, weighted.weight_kind) == (70, "percent-of-rest")
    assert weighted.ecn is not None
    assert weighted.ecn.curves[0].low == Amount(200, "kbyte", None)
    assert weighted.ecn.curves[0].probability == 9
    assert [line.text for line in device.lines] == ["surprise of a later release"]
    number = SHOWN.splitlines().index("      bandwidth remaining percent 70") + 1
    assert device.ports["Ethernet1/7"].places["queues.3.weight"].line == number


def test_what_is_not_shown_is_not_known() -> None:
    device = read(SHOWN)
    assert device.complete == frozenset()
    for port in device.ports.values():
        assert (port.mtu, port.qos.watchdog, port.qos.link_pause) == (None, None, None)
        assert port.qos.pfc is None or port.qos.pfc.admin is None


def test_it_is_told_from_other_texts() -> None:
    for content in (SHOWN, f"leaf1# show policy-map interface\n{SHOWN}leaf1#\n", SHOWN.replace("\n", "\r\n")):
        assert registry.detect((Text("a", content),), "a") == "nxos"
        assert read(content).ports.keys() == {"Ethernet1/7", "Ethernet1/8"}
