"""What systems make of planned numbers: headroom is never rounded down, a ramp never ends later than planned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.plan.resolve import plan
from rocecfg.vendor import registry
from tests.laws.intents import rendering

if TYPE_CHECKING:
    from fractions import Fraction

    from rocecfg.state.model import Amount

SYSTEMS = rendering()


def intent(system: str, speed: str, cable: str) -> str:
    manifest = registry.get(system).manifest
    kind, (first, second) = "nic" if manifest.kind == "host" else "nos", manifest.port_names[:2]
    chip = ", asic: tomahawk-4" if kind == "nos" else ", model: ConnectX-7"
    return f"""\
version: 1
fabric: law
classes:
  roce: {{dscp: 26, priority: 3, lossless: true}}
devices:
  one: {{{kind}: {system}{chip}}}
  two: {{{kind}: {system}{chip}}}
links:
  - {{a: "one:{first}", b: "two:{first}", speed: {speed}, cable: {cable}}}
  - {{a: "one:{second}", b: "two:{second}", speed: {speed}, cable: {cable}}}
"""


def counted(amount: Amount) -> Fraction | int | None:
    """Return the bytes of an amount; a KB that its system leaves undefined counts as the smaller one, 1000 B."""
    return amount.value * 1000 if amount.bytes is None and amount.unit == "kbyte" else amount.bytes


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("speed", ["25G", "100G", "400G"])
@pytest.mark.parametrize("cable", ["3m dac", "137m fibre"])
def test_rounding_is_on_the_safe_side(system: str, speed: str, cable: str) -> None:
    made = plan(expand(parse_intent(intent(system, speed, cable), "test.roce.yaml")))
    device = made.devices["one"]
    for name, wanted in device.wanted.ports.items():
        fitted = device.fitted.ports[name].qos
        asked, got = wanted.qos.priority_group(3), fitted.priority_group(3)
        assert asked is not None
        assert asked.headroom is not None
        assert asked.headroom.amount is not None
        assert asked.headroom.amount.bytes
        if got is not None and got.headroom is not None and got.headroom.amount is not None:
            assert (counted(got.headroom.amount) or 0) >= asked.headroom.amount.bytes
        ramps = [qos.queue(3) for qos in (wanted.qos, fitted)]
        ends = [
            counted(queue.ecn.curves[0].high)
            for queue in ramps
            if queue is not None and queue.ecn is not None and queue.ecn.curves and queue.ecn.curves[0].high is not None
        ]
        if len(ends) == 2 and ends[0] is not None and ends[1] is not None:
            assert ends[1] <= ends[0]
