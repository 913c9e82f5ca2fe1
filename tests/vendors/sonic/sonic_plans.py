"""Plans and texts that the tests of this folder start from."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from rocecfg.render.engine import as_capture, render
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import Amount, Curve, Device, Dynamic, Ecn, Pfc, Port, PortQos, Queue, Static, intern_ports
from rocecfg.state.parse import parse, stated
from rocecfg.vendor import registry

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from planned import planned_qos, planned_switch

if TYPE_CHECKING:
    from rocecfg.vendor.api import Adjustment

__all__ = ["planned_qos", "planned_switch"]

MODELS = (
    "ACS-MSN2700", "ACS-MSN3700", "Mellanox-SN4600C-C64", "Mellanox-SN5600-O128", "Mellanox-SN5640-C512S2",
    "Arista-7060CX-32S-C32", "DellEMC-Z9332f-O32", "montara", None,
)  # fmt: skip


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    return registry.get("sonic").module.fit(device)


def defaults(device: Device) -> Device:
    return registry.get("sonic").module.defaults(device)


def read_back(device: Device) -> Device:
    return parse(as_capture(device, render(device)))


def capture(content: str | dict[str, Any] | list[Any], command: str = "", complete: bool | None = None) -> Capture:
    text = content if isinstance(content, str) else json.dumps(content, indent=4)
    return Capture("", "sonic", (Text("t", text, command, complete),), file="t")


def read(content: str | dict[str, Any] | list[Any]) -> Device:
    """What a text states, without defaults."""
    return stated(capture(content))


def whole(content: str | dict[str, Any] | list[Any]) -> Device:
    """What is in force: a text with its defaults."""
    return parse(capture(content))


def differences(one: Device, other: Device) -> list[str]:
    found = [
        leaf for leaf in ("name", "pools", "buffer_model", "traffic") if getattr(one, leaf) != getattr(other, leaf)
    ]
    for name in {*one.ports, *other.ports}:
        a, b = one.ports.get(name), other.ports.get(name)
        if a is None or b is None:
            found.append(f"{name} only in one")
            continue
        if (a.mtu, a.mtu_counts) != (b.mtu, b.mtu_counts):
            found.append(f"{name}.mtu {a.mtu} != {b.mtu}")
        found += [
            f"{name}.{leaf}: {getattr(a.qos, leaf)} != {getattr(b.qos, leaf)}"
            for leaf in PortQos.__slots__
            if leaf != "defaulted" and getattr(a.qos, leaf) != getattr(b.qos, leaf)
        ]
    return found


@st.composite
def port_qos(draw: st.DrawFn) -> PortQos:
    """Settings as the planner makes them, with odd values in every leaf that SONiC rounds or leaves out."""
    priorities = draw(st.lists(st.integers(1, 5), min_size=0, max_size=2, unique=True))
    marks = draw(st.lists(st.integers(1, 47), min_size=len(priorities), max_size=len(priorities), unique=True))
    kmin = draw(st.integers(0, 10_000_000))
    qos = planned_qos(
        lossless=dict(zip(marks, priorities, strict=True)),
        cnp=draw(st.sampled_from([None, (48, 6), (50, 7)])),
        kmin=kmin,
        kmax=kmin + draw(st.integers(0, 10_000_000)),
        pmax=draw(st.integers(0, 100)),
        headroom=draw(st.integers(1, 500_000)),
        alpha=draw(
            st.sampled_from([None, Fraction(1, 8), Fraction(1), Fraction(3, 7), Fraction(16), Fraction(1, 999)])
        ),
        cable=draw(st.sampled_from([None, 1, 5, 30, 40, 41, 300, 2000])),
        watchdog=draw(st.booleans()),
    )
    if draw(st.booleans()):
        qos = replace(qos, cable=draw(st.fractions(Fraction(1, 10), 500)))
    if qos.watchdog is not None:
        dog = replace(
            qos.watchdog,
            enabled=draw(st.sampled_from([True, True, False, None])),
            poll=draw(st.sampled_from([None, 50, 100, 333, 1000, 5000])),
            detect=draw(st.sampled_from([None, 20, 150, 200, 3200, 90_000])),
            restore=draw(st.sampled_from([None, -1, 90, 400, 3200, 90_000])),
            action=draw(st.sampled_from([None, "drop", "forward", "alert", "ignore-pause"])),
        )
        qos = replace(qos, watchdog=dog)
    return replace(qos, queues=draw(queues(qos)), **draw(odd_leaves(qos)))


@st.composite
def queues(draw: st.DrawFn, qos: PortQos) -> tuple[Queue | None, ...]:
    return tuple(None if queue is None else draw(odd_queue(queue)) for queue in qos.queues or ())


@st.composite
def odd_queue(draw: st.DrawFn, queue: Queue) -> Queue:
    weight = draw(st.sampled_from([queue.weight, Fraction(100, 3), 1, 250, Fraction(1, 9)]))
    odd = replace(
        queue,
        weight=weight if queue.scheduler == "weighted" else None,
        shaper=draw(st.sampled_from([None, -1, 10**10, 7])),
        guarantee=draw(st.sampled_from([None, -1, 10**9, 10**11 + 1])),
        limit=draw(st.sampled_from([None, Dynamic(Fraction(1, 2)), Static(Amount.of_bytes(5))])),
    )
    if odd.ecn is not None and draw(st.booleans()):
        curve = odd.ecn.curves[0]
        green, red = (
            replace(curve, colours=frozenset({"green"})),
            replace(curve, colours=frozenset({"red"}), probability=1),
        )
        return replace(odd, ecn=Ecn((green, red), non_ect=draw(st.sampled_from([None, "drop", "pass"]))))
    if draw(st.booleans()):
        return replace(odd, wred=(Curve(Amount.of_bytes(9), Amount.of_bytes(99), 7),))
    return odd


@st.composite
def odd_leaves(draw: st.DrawFn, qos: PortQos) -> dict[str, Any]:
    trust = draw(st.sampled_from(["dscp", "dscp", "pcp", "both", "none", None]))
    return {
        "trust": trust,
        "rewrite": draw(st.sampled_from([(), None, (("tc", 3, 26), ("tc", 6, 48)), (("dscp", 26, 24),)])),
        "default_tc": draw(st.sampled_from([0, None, 2])),
        "pfc": draw(
            st.sampled_from(
                [qos.pfc, None, Pfc("off", frozenset(), frozenset()), Pfc("auto", frozenset({3}), frozenset({3}))]
            )
        ),
        "priority_to_pg": draw(st.sampled_from([qos.priority_to_pg, None])),
        "tc_to_pg": draw(st.sampled_from([qos.tc_to_pg, None])),
        "tc_to_queue": draw(st.sampled_from([qos.tc_to_queue, None, (4, 3, 2, 1, 0, 5, 6, 7, *[None] * 8)])),
    }


@st.composite
def plans(draw: st.DrawFn) -> Device:
    settings = draw(st.lists(port_qos(), min_size=1, max_size=3))
    names = [f"Ethernet{number * 4}" for number in range(draw(st.integers(1, 5)))]
    ports = [
        Port(
            name,
            qos=draw(st.sampled_from(settings)),
            speed=draw(st.sampled_from([100, 400])) * 10**9,
            mtu=draw(st.sampled_from([None, 1500, 9000, 9216, 12_000])),
            mtu_counts=draw(st.sampled_from([None, "ip", "l2", "l2+fcs"])),
        )
        for name in names
    ]
    return Device(
        name="leaf1",
        nos="sonic",
        ports=intern_ports(ports),
        model=draw(st.sampled_from(MODELS)),
        pfc_enabled=draw(st.sampled_from([None, True])),
        traffic=draw(st.sampled_from([None, (1024, 50), (20_000, 300)])),
        source="intended",
    )
