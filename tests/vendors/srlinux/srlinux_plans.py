"""Plans and texts that the tests of this folder start from."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st
from planned import planned_qos, planned_switch

from rocecfg.render.engine import as_capture, render
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from rocecfg.state.model import Device, PortQos
    from rocecfg.vendor.api import Adjustment

NOS = "srlinux"
PORTS = ["ethernet-1/1", "ethernet-1/2"]


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    return registry.get(NOS).module.fit(device)


def defaults(device: Device) -> Device:
    return registry.get(NOS).module.defaults(device)


def rendered(device: Device) -> dict[str, str]:
    return {item.file: item.content for item in render(device)}


def read_back(device: Device) -> Device:
    return parse(as_capture(device, render(device)))


def capture(content: str, file: str = "leaf.cfg", command: str = "", complete: bool | None = None) -> Capture:
    return Capture("leaf1", NOS, (Text(file, content, command, complete),), file=file)


def read(content: str, *, complete: bool | None = True, **more: Any) -> Device:
    """Read a text that is proved whole, unless the test says otherwise."""
    return parse(capture(content, complete=complete, **more))


def planned(qos: PortQos | None = None, **more: object) -> Device:
    return planned_switch(NOS, PORTS, qos, **more)


def kinds(adjustments: tuple[Adjustment, ...], kind: str) -> list[str]:
    return [change.field for change in adjustments if change.kind == kind]


@st.composite
def qos(draw: st.DrawFn, lossless: dict[int, int], cnp: tuple[int, int] | None) -> PortQos:
    kmin = draw(st.integers(1, 2_000_000))
    return planned_qos(
        lossless=lossless,
        cnp=cnp,
        kmin=kmin,
        kmax=kmin + draw(st.integers(0, 4_000_000)),
        pmax=draw(st.integers(1, 100)),
        headroom=draw(st.integers(10_000, 900_000)),
        alpha=draw(st.sampled_from([None, Fraction(1, 8), Fraction(2), Fraction(1, 500)])),
        cable=draw(st.sampled_from([None, 5, 300, Fraction(5, 2)])),
        watchdog=draw(st.booleans()),
    )


@st.composite
def plans(draw: st.DrawFn) -> Device:
    """Switches with one or two lossless classes on ports of two kinds."""
    codes = draw(st.lists(st.integers(1, 63), min_size=3, max_size=3, unique=True))
    priorities = draw(st.lists(st.integers(1, 5), min_size=2, max_size=2, unique=True))
    lossless = dict(zip(codes[: draw(st.integers(1, 2))], priorities, strict=False))
    cnp = draw(st.sampled_from([None, (codes[2], 6)]))
    first = planned_switch(NOS, ["ethernet-1/1", "ethernet-2/1"], draw(qos(lossless, cnp)))
    second = planned_switch(NOS, ["ethernet-1/33", "ethernet-1/2/1"], draw(qos(lossless, cnp)))
    return planned_switch(NOS, []).__class__(
        name="leaf1", nos=NOS, ports={**first.ports, **second.ports}, pfc_enabled=True, source="intended"
    )
