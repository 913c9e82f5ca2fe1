"""Plans and texts that the tests of this folder start from."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st
from planned import planned_qos, planned_switch

from rocecfg.render.engine import as_capture, render
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import Amount, Curve, Device, Ecn, Lag, Port, PortQos, Static, intern_ports
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from rocecfg.vendor.api import Adjustment

NOS = "cumulus"


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    return registry.get(NOS).module.fit(device)


def defaults(device: Device) -> Device:
    return registry.get(NOS).module.defaults(device)


def patch(device: Device) -> str:
    return render(device)[0].content


def read_back(device: Device) -> Device:
    return parse(as_capture(device, render(device)))


def capture(content: str, file: str = "leaf.cfg", command: str = "", complete: bool | None = None) -> Capture:
    return Capture("leaf1", NOS, (Text(file, content, command, complete),), file=file)


def read(content: str, *, complete: bool | None = True, **more: Any) -> Device:
    """Read a text that is proved whole, unless the test says otherwise."""
    return parse(capture(content, complete=complete, **more))


def refused(adjustments: tuple[Adjustment, ...]) -> list[str]:
    return [f"{change.field}: {change.because}" for change in adjustments if change.kind == "refused"]


@st.composite
def qos(draw: st.DrawFn, lossless: dict[int, int], cnp: tuple[int, int] | None) -> PortQos:
    kmin = draw(st.integers(1, 2_000_000))
    made = planned_qos(
        lossless=lossless,
        cnp=cnp,
        kmin=kmin,
        kmax=kmin + draw(st.integers(0, 4_000_000)),
        pmax=draw(st.integers(1, 100)),
        headroom=draw(st.integers(10_000, 900_000)),
        alpha=draw(
            st.sampled_from([None, Fraction(1, 8), Fraction(1, 3), Fraction(2), Fraction(100), Fraction(1, 500)])
        ),
        cable=draw(st.sampled_from([None, 1, 5, 30, 300, Fraction(5, 2)])),
        watchdog=draw(st.booleans()),
    )
    if draw(st.booleans()) and made.watchdog is not None:
        poll = draw(st.integers(50, 1000))
        made = replace(
            made,
            watchdog=replace(
                made.watchdog, poll=poll, detect=draw(st.integers(1, 4000)), restore=draw(st.integers(1, 9000))
            ),
        )
    if draw(st.booleans()):
        made = replace(made, queues=tuple(_other(draw, queue) for queue in made.queues or ()))
    if draw(st.booleans()) and made.priority_groups is not None:
        trigger = Static(Amount.of_bytes(draw(st.integers(20_000, 90_000))))
        made = replace(
            made, priority_groups=tuple(group and replace(group, xoff_at=trigger) for group in made.priority_groups)
        )
    if draw(st.booleans()):
        made = replace(made, rewrite=(("tc", 3, 26), ("tc", 0, 0)), trust=draw(st.sampled_from(["dscp", "both"])))
    if draw(st.booleans()) and made.pfc is not None:
        one = draw(st.sampled_from(["tx", "rx"]))
        made = replace(made, pfc=replace(made.pfc, **{one: frozenset()}))
    return made


def _other(draw: st.DrawFn, queue: Any) -> Any:
    if queue is None:
        return None
    if queue.ecn is not None and draw(st.booleans()):
        queue = replace(queue, ecn=replace(queue.ecn, non_ect=draw(st.sampled_from(["drop", "pass"]))))
    elif draw(st.booleans()):
        queue = replace(queue, ecn=Ecn(), wred=(Curve(Amount.of_bytes(10_000), Amount.of_bytes(90_000), 50),))
    if queue.weight is not None and draw(st.booleans()) and draw(st.booleans()):
        queue = replace(queue, weight=None, weight_kind=None)
    if queue.weight is not None:
        queue = replace(queue, weight=draw(st.sampled_from([1, 7, 33, Fraction(100, 3), 60, 90])),
                        weight_kind=draw(st.sampled_from(["percent-of-rest", "relative", "percent-of-link"])))  # fmt: skip
    return replace(queue, shaper=draw(st.sampled_from([None, -1, 1_000_000_000, 1234])))


@st.composite
def plans(draw: st.DrawFn) -> Device:
    """Devices of 1 to 6 ports with up to three different settings, and a bond now and then."""
    priorities = draw(st.lists(st.integers(1, 5), min_size=1, max_size=2, unique=True))
    codes = draw(st.lists(st.integers(0, 63), min_size=len(priorities) + 1, max_size=len(priorities) + 1, unique=True))
    lossless = dict(zip(codes, priorities, strict=False))
    cnp = draw(st.sampled_from([None, (codes[-1], 6), (codes[-1], 7)]))
    choices = [draw(qos(lossless, cnp)) for _ in range(draw(st.integers(1, 3)))]
    names = draw(
        st.lists(st.sampled_from(["swp1", "swp2s0", "swp2s1", "swp10", "swp64s3"]), min_size=1, max_size=5, unique=True)
    )
    mtu = draw(st.sampled_from([None, 1500, 9000, 9216]))
    counts = draw(st.sampled_from(["ip", "l2"])) if mtu else None
    ports = [Port(name, draw(st.sampled_from(choices)), mtu=mtu, mtu_counts=counts, role="host") for name in names]
    device = planned_switch(NOS, [], os_version=draw(st.sampled_from([None, "5.9.0", "5.14.0", "5.15", "5.18.1"])))
    lags = (Lag("bond1", tuple(names[:2])),) if draw(st.booleans()) and len(names) > 2 else None
    return replace(device, ports=intern_ports(ports), lags=lags)
