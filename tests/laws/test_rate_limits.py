"""A rate limit that somebody typed onto the lossless queue: lint names it, drift finds it, the remedy takes it off."""

from __future__ import annotations

import re

import pytest

from rocecfg.drift.compare import compare
from rocecfg.lint.run import lint
from rocecfg.state.parse import parse
from tests.laws.intents import auto_intent, planned
from tests.laws.test_remedy import capture_of, live_text, proved

LIMITS = {
    "aruba_cx": (r"(dwrr queue 1 weight \d+)", r"\1 max-bandwidth 10000000 kbps"),
    "cumulus": (
        r"\A",
        (
            "nv set qos egress-shaper slow traffic-class 3 max-rate 10000000\n"
            "nv set interface swp1 qos egress-shaper profile slow\n"
        ),
    ),
    "dell_os10": (r"(class ROCE-Q3\n)", r"\1  shape min mbps 0 max mbps 10000\n"),
    "dell_sonic": (r"( queue 3\n  type dwrr\n)", r"\1  pir 1250000000\n"),
    "eos": (r"(tx-queue 3\n)", r"\1      shape rate 10000000 kbps\n"),
    "h3c": (r"( qos wred apply ROCE)", r" qos gts queue 3 cir 10000000\n\1"),
    "huawei": (r"( qos queue 3 ecn)", r"\1\n qos queue 3 shaping cir 1 gbps pir 10 gbps"),
    "junos": (r"(set class-of-service schedulers S-NO-LOSS-3)( explicit.*)", r"\1\2\n\1 shaping-rate 10g"),
    "nxos": (r"(class type queuing c-out-8q-q3\n)", r"\1    shape min 0 gbps max 10 gbps\n"),
    "sonic": (r'("roce.dwrr50": \{)', r'\1"meter_type": "bytes", "pir": "1250000000", '),
    "srlinux": (r"(set .* input unicast-3) weight \d+", r"\g<0>\n\1 peak-rate-percent 10"),
}


@pytest.mark.parametrize("system", LIMITS)
def test_a_rate_limit_is_found_and_taken_off(system: str) -> None:
    plan = planned(auto_intent(system, "400G"))
    device = plan.devices["one"]
    text, count = re.subn(*LIMITS[system], live_text(system, device))
    assert count, "the text does not have what the fault changes"
    live = parse(capture_of(device, text))
    assert not live.lines
    assert "SCH-006" in {item.rule for item in lint([live], intent=plan.fabric).findings}
    assert any("shaper" in item.message for item in compare(device, live).findings)
    assert proved(system, device, text)
