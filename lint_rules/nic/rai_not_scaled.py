"""The NIC climbs back to line rate too slowly for its speed.

## What it finds

DCQCN whose hyper increase needs more than a second from half to full rate: half the line rate, divided by the hyper
increase, times the reaction timer.

## Why it matters

The increase steps are absolute numbers made for slower NICs. At 400G with 50 Mb/s every 300 us the climb takes 1.2 s,
after every cut.

## What to do

Scale the additive and hyper increase with the line rate.

- mlx5: `rp_hai_rate` and `rp_ai_rate` in `/sys/kernel/debug/mlx5/DEVICE/cc_params/`

## When to ignore

Fast recovery brings most flows back before hyper increase begins; look at throughput first.

## References

- alibaba-edu/High-Precision-Congestion-Control run.py: 5 and 50 Mb/s for every 25G
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rocecfg.lint.api import Given, Hit, Option, Port, Severity, Unknown
from rocecfg.lint.headrooms import rate_text

ID, NAME, SEVERITY, PROFILE, SINCE = "NIC-009", "rai-not-scaled", Severity.INFO, "strict", "0.1"
DEVICES = "host"
OPTIONS = {"milliseconds": Option(1000, "longest climb from half to full rate")}
GOOD = """
device:
  name: gpu01
  kind: host
  ports:
    rail0:
      speed: 400000000000
      nic: {congestion_control: {parameters: [[rpg_hai_rate, 800], [rpg_time_reset, 300]]}}
"""
BAD = GOOD.replace("800", "50")
_MEGABIT = 1_000_000


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    control = port.nic.congestion_control if port.nic is not None else None
    numbers = dict(control.parameters) if control is not None else {}
    step, timer = numbers.get("rpg_hai_rate"), numbers.get("rpg_time_reset")
    if not step or timer is None:
        return
    speed = port.line_rate
    if speed is None:
        yield Unknown("the port's speed")
        return
    climb = Fraction(speed, 2 * _MEGABIT * step) * timer / 1000
    if climb > given.options.milliseconds:
        yield Hit(
            f"from half to full {rate_text(speed)} the NIC climbs {int(climb)} ms: {step} Mb/s every {timer} us",
            f"raise the hyper increase to {step * int(-(-climb // given.options.milliseconds))} Mb/s or more",
            "nic.congestion_control",
            "rpg_hai_rate",
        )
