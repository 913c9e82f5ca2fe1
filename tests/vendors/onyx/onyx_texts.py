"""Texts and plans for the Onyx tests, written for them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from rocecfg.render.engine import as_capture, render
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import Amount, Curve, Device, Ecn, Pfc, Port, PortQos, intern_ports
from rocecfg.state.parse import effective, parse, stated
from rocecfg.vendor import registry
from tests.planned import GIGABIT, planned_qos, planned_switch

if TYPE_CHECKING:
    from rocecfg.vendor.api import Adjustment

VENDOR = registry.get("onyx")

DATABASE = """\
##
## Running database "initial"
## Generated at 2024/05/06 07:08:09 +0000
## Hostname: rack7-leaf1
## Product release: 3.10.4206
##

##
## Running-config temporary prefix mode setting
##
no cli default prefix-modes enable

##
## Interface Ethernet configuration
##
   interface mlag-port-channel 4
   interface ethernet 1/1-1/2 speed 100G force
   interface ethernet 1/1-1/3 mtu 9000 force
   interface ethernet 1/3 mlag-channel-group 4 mode active
   interface ethernet 1/4 description "spare ! # not used"
   interface ethernet 1/4 shutdown
   interface ethernet 1/2 no switchport force

##
## Interface Ethernet buffer configuration
##
   traffic pool fast type lossless
   traffic pool fast memory percent 37.50
   traffic pool fast map switch-priority 4

##
## QoS switch configuration
##
   interface ethernet 1/1-1/3 qos trust L3
   interface ethernet 1/1 qos map dscp 34 to switch-priority 4
   interface ethernet 1/1 qos map dscp 46 to switch-priority 2
   interface ethernet 1/1 traffic-class 0 bind switch-priority 0 1 2
   interface ethernet 1/1 traffic-class 4 congestion-control ecn minimum-absolute 200 maximum-absolute 900
   interface ethernet 1/2 traffic-class 4 congestion-control both minimum-relative 10 maximum-relative 80
   interface ethernet 1/3 traffic-class 4 congestion-control red minimum-absolute 64 maximum-absolute 128
   interface ethernet 1/1 traffic-class 4 dcb ets wrr 60
   interface ethernet 1/1 traffic-class 7 dcb ets strict

##
## DCBX PFC configuration
##
   dcb priority-flow-control enable force
   dcb priority-flow-control priority 4 enable
   interface ethernet 1/1 dcb priority-flow-control mode on force
   interface mlag-port-channel 4 dcb priority-flow-control mode on force
   interface ethernet 1/1 pfc-wd

##
## Network interface configuration
##
no interface mgmt0 dhcp
   interface mgmt0 ip address 10.9.8.7 /24
   hostname rack7-leaf1
   ip route vrf default 0.0.0.0/0 10.9.8.1
"""

ADVANCED = """\
advanced buffer management force
pool iPool2 size 4194304 type dynamic
pool ePool2 size 16000000 type dynamic
interface ethernet 1/5-1/6 ingress-buffer iPort.pg4 bind switch-priority 4
interface ethernet 1/5-1/6 ingress-buffer iPort.pg4 map pool iPool2 type lossless reserved 90000 xoff 20000 xon 19000 shared alpha 1/2
interface ethernet 1/5-1/6 ingress-buffer iPort.pg1 map pool iPool0 type lossy reserved 9000 shared alpha 8
interface ethernet 1/5-1/6 egress-buffer ePort.tc4 map pool ePool2 reserved 1500 shared alpha inf
interface ethernet 1/5-1/6 qos trust both
dcb priority-flow-control enable force
dcb priority-flow-control priority 4 enable
interface ethernet 1/5-1/6 dcb priority-flow-control mode on force
"""


def read(content: str, command: str = "", *, complete: bool | None = None) -> Device:
    return parse(Capture("", "onyx", (Text("leaf.cfg", content, command, complete),), file="leaf.cfg"))


def as_stated(content: str, *, complete: bool | None = None) -> Device:
    return stated(Capture("", "onyx", (Text("leaf.cfg", content, "", complete),), file="leaf.cfg"))


def qos_of(content: str, port: str = "Eth1/1") -> PortQos:
    return read(content).ports[port].qos


def line_of(device: Device, port: str, leaf: str) -> int:
    place = device.ports[port].where(leaf)
    assert place is not None
    return place.line


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    return VENDOR.module.fit(device)


def text_of(device: Device) -> str:
    return render(device)[0].content


def read_back(device: Device) -> Device:
    return effective(stated(as_capture(device, render(device))))


def small_plan() -> Device:
    """Two host ports, a third without watchdog, and an uplink with another ramp."""
    near = planned_qos()
    far = planned_qos(kmin=950_400, kmax=3_000_000)
    device = planned_switch("onyx", ["Eth1/1", "Eth1/2"], near)
    ports = [
        *device.ports.values(),
        Port("Eth1/3", planned_qos(watchdog=False), speed=100 * GIGABIT, mtu=9216, mtu_counts="l2"),
        Port("Eth1/31", far, speed=100 * GIGABIT, mtu=9216, mtu_counts="l2"),
    ]
    return replace(device, ports=intern_ports(ports))


@st.composite
def port_settings(draw: st.DrawFn, lossless: dict[int, int], cnp: tuple[int, int] | None) -> PortQos:
    kmin = draw(st.integers(20_000, 900_000))
    qos = planned_qos(
        lossless=lossless,
        cnp=cnp,
        kmin=kmin,
        kmax=kmin + draw(st.integers(0, 11_000_000)),
        pmax=draw(st.integers(1, 100)),
        headroom=draw(st.integers(20_000, 300_000)),
        alpha=draw(st.sampled_from([None, Fraction(1, 64), Fraction(1, 3), Fraction(4)])),
        cable=draw(st.one_of(st.none(), st.integers(1, 400))),
        watchdog=draw(st.booleans()),
    )
    weights = draw(st.lists(st.integers(1, 300), min_size=8, max_size=8))
    queues = [
        queue and (replace(queue, weight=weights[number]) if queue.weight is not None else queue)
        for number, queue in enumerate(qos.queues or ())
    ]
    if draw(st.integers(0, 3)) == 0:
        percent = Curve(Amount(draw(st.integers(0, 40)), "percent"), Amount(draw(st.integers(41, 100)), "percent"), 10)
        non_ect = draw(st.sampled_from([None, "pass", "drop"]))
        queues = [
            queue and (replace(queue, ecn=Ecn((percent,), non_ect=non_ect)) if queue.ecn is not None else queue)
            for queue in queues
        ]
    return replace(qos, queues=tuple(queues), trust=draw(st.sampled_from(["dscp", "both"])))


@st.composite
def plans(draw: st.DrawFn) -> Device:
    """A device with one PFC set, ports of several kinds, and several ways to write a port's name."""
    priorities = draw(st.lists(st.integers(1, 6), min_size=1, max_size=2, unique=True))
    dscps = draw(st.lists(st.integers(1, 63), min_size=len(priorities) + 1, max_size=len(priorities) + 1, unique=True))
    lossless = dict(zip(dscps, priorities, strict=False))
    cnp = draw(st.sampled_from([None, (dscps[-1], 7)]))
    kinds = draw(st.lists(port_settings(lossless, cnp), min_size=1, max_size=3))
    forms = ["Eth1/{}", "ethernet 1/{}", "Eth1/{}/1", "Po{}", "mlag-port-channel {}"]
    ports = []
    for number in range(1, draw(st.integers(1, 6)) + 1):
        qos = draw(st.sampled_from(kinds))
        if draw(st.integers(0, 5)) == 0:
            qos = replace(qos, pfc=Pfc(admin="off", tx=frozenset(), rx=frozenset()), watchdog=None)
        mtu = draw(st.sampled_from([None, 1500, 9000, 9216, 9999]))
        name = draw(st.sampled_from(forms)).format(number)
        ports.append(
            Port(name, qos, speed=100 * GIGABIT, mtu=mtu, mtu_counts=draw(st.sampled_from([None, "l2", "ip"])))
        )
    return replace(planned_switch("onyx", []), ports=intern_ports(ports))
