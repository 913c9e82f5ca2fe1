"""The planner knows the chip: headroom per ASIC, the budget of the box, a ramp that acts before PAUSE."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rocecfg import packs
from rocecfg.errors import PlanError
from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.plan.resolve import plan
from rocecfg.report.plan import as_plain, as_text, why_text

if TYPE_CHECKING:
    from rocecfg.plan.numbers import Number
    from rocecfg.plan.planned import Plan

INTENT = """\
version: 1
fabric: test
classes:
  roce: {dscp: 26, priority: 3, lossless: true}
  cnp: {dscp: 48, priority: 6}
devices:
  leaf1: {nos: plainos, role: leaf}
  leaf2: {nos: plainos, role: leaf}
links:
  - {a: "leaf1:p[1-32]", b: "leaf2:p[1-32]", speed: 100G, cable: 40m fibre}
"""


@pytest.fixture(autouse=True)
def plainos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs, "_extra", [])
    packs.add_packs([Path(__file__).parent / "pack"])


def planned(model: str = "", settings: str = "", text: str = INTENT) -> Plan:
    if model:
        text = text.replace("role: leaf", f"{model}, role: leaf", 1)
    if settings:
        text = text.replace("devices:\n", f"settings: {settings}\ndevices:\n", 1)
    return plan(expand(parse_intent(text, "test.roce.yaml")))


def numbers(made: Plan, device: str = "leaf1", port: str | None = "p1") -> dict[str, Number]:
    return {item.name: item for item in made.devices[device].numbers(port)}


def headroom(made: Plan, device: str = "leaf1") -> Number:
    return numbers(made, device)["priority_groups.3.headroom"]


def test_a_known_model_gets_the_headroom_of_its_chip() -> None:
    """Spectrum-2: 9216 + 3 x (9216 + 5050.5 + 819.2 + 25216) = 130,121 in whole KiB, 802.3's time for the peer."""
    made = planned("model: ACS-MSN3700")
    assert headroom(made).value == 131_072
    assert "ACS-MSN3700" in headroom(made).because
    assert "shipped table gives 44032 B" in headroom(made).because
    assert headroom(made, "leaf2").value == 2 * 9236 + 84 + 25_216 + 2 * 2500
    assert "chip is not known" in headroom(made, "leaf2").because


def test_the_asic_word_decides_where_the_model_says_nothing() -> None:
    assert headroom(planned("asic: tomahawk5")).value == 160_274
    assert headroom(planned('model: SN9999, asic: "th5"')).value == 160_274


@pytest.mark.parametrize(("traffic", "value"), [("worst", 160_274), ("large", 54_864), ("mixed 50%", 56_388)])
def test_the_declared_traffic_decides_the_packing(traffic: str, value: int) -> None:
    """Tomahawk 5: 52,936 B on the wire; 254/84, 17 x 254 / 4178, and 1.5 % of the bytes in 64 B packets of 4200 B."""
    made = planned("asic: tomahawk-5", f'{{traffic: "{traffic}"}}')
    assert headroom(made).value == value
    assert traffic.split(maxsplit=1)[0] in headroom(made).because


def test_an_unknown_cell_says_which_bound_was_used() -> None:
    found = headroom(planned("model: N9K-C9364D-GX2A"))
    assert found.value == 2 * 9236 + 84 + 25_216 + 2 * 2500
    assert "is not public" in found.because


def test_the_derivation_stands_behind_the_number() -> None:
    found = headroom(planned("model: ACS-MSN3700"))
    assert found.derived is not None
    assert sum(term.bytes for term in found.derived.terms) == found.value
    text = "".join(why_text(planned("model: ACS-MSN3700").devices["leaf1"], "p1"))
    assert " B  response " in text
    assert "131072 B" in text


def test_the_box_is_added_up() -> None:
    box = numbers(planned("model: ACS-MSN3700"), port=None)
    assert box["buffer.memory"].value == 34_287_552
    assert box["buffer.headroom"].value == 32 * 131_072
    assert box["buffer.shared"].value == 34_287_552 - 32 * 131_072 - 32 * 19_456
    assert "[seen]" in box["buffer.memory"].because


def test_a_box_that_certainly_does_not_fit_is_refused_with_the_arithmetic() -> None:
    long = INTENT.replace("40m fibre", "2km fibre")
    with pytest.raises(PlanError) as caught:
        planned(
            "model: ACS-MSN2700", text=long.replace("  cnp:", "  more: {dscp: 34, priority: 4, lossless: true}\n  cnp:")
        )
    message = str(caught.value)
    for part in (
        "test.roce.yaml:8",
        "leaf1",
        "64 x ",
        "13945824 B",
        "fewer lossless",
        "shorter cables",
        "oversubscription",
    ):
        assert part in message


def test_sharing_the_headroom_pool_is_a_way_out() -> None:
    long = INTENT.replace("40m fibre", "2km fibre")
    made = planned("model: ACS-MSN2700", "{buffer: {oversubscription: 4}}", text=long)
    assert made.devices["leaf1"].box.budget is not None
    assert any("in headroom at once" in note for note in made.devices["leaf1"].notes)


def test_an_uncertain_memory_gives_a_note_and_no_refusal() -> None:
    long = INTENT.replace("40m fibre", "20km fibre")
    made = planned("asic: trident-4", text=long)
    assert any("may not fit" in note for note in made.devices["leaf1"].notes)
    assert any("not checked" in note for note in planned("asic: spectrum-5").devices["leaf1"].notes)
    assert "note: " in "".join(as_text(made, ["leaf1"]))
    assert as_plain(made, ["leaf1"])["devices"]["leaf1"]["notes"]


def test_a_speed_that_the_chip_lacks_is_noted() -> None:
    text = INTENT.replace("speed: 100G", "speed: 400G")
    assert any(
        "not known to have ports of 400G" in note
        for note in planned("model: ACS-MSN3700", text=text).devices["leaf1"].notes
    )


def test_a_stated_headroom_counts_in_the_budget() -> None:
    box = numbers(planned("model: ACS-MSN3700", "{pfc: {headroom: 200KB}}"), port=None)
    assert box["buffer.headroom"].value == 32 * 200_000


def test_a_small_pool_lowers_the_ramp_and_says_why() -> None:
    long = INTENT.replace("40m fibre", "300m fibre").replace(
        "  cnp:", "  more: {dscp: 34, priority: 4, lossless: true}\n  cnp:"
    )
    found = numbers(planned("model: ACS-MSN2700", "{design_incast: 8}", text=long))
    assert found["queues.3.ecn.kmax"].value < 400_000 or "holds" in found["queues.3.ecn.kmin"].because
    tight = numbers(planned("model: ACS-MSN2700", "{design_incast: 14}", text=long))
    assert tight["queues.3.ecn.kmax"].value < 400_000
    assert "lowered from 400000 B" in tight["queues.3.ecn.kmax"].because


def test_a_stated_kmin_above_pause_is_kept_and_noted() -> None:
    made = planned("model: ACS-MSN2700", "{ecn: {kmin: 12MB, kmax: 13MB}}")
    assert numbers(made)["queues.3.ecn.kmin"].value == 12_000_000
    assert any("marks too late, fan-in 1:1 FAILS" in note for note in made.devices["leaf1"].notes)


def test_a_lone_stated_end_keeps_the_ramp_a_ramp() -> None:
    found = numbers(planned("", "{ecn: {kmin: 2MB}}"))
    assert (found["queues.3.ecn.kmin"].value, found["queues.3.ecn.kmax"].value) == (2_000_000, 4_000_000)
    found = numbers(planned("", "{ecn: {kmax: 80KB}}"))
    assert (found["queues.3.ecn.kmin"].value, found["queues.3.ecn.kmax"].value) == (20_000, 80_000)


def test_a_slow_port_on_a_large_pool_gets_a_patient_watchdog() -> None:
    slow = INTENT.replace("speed: 100G", "speed: 1G")
    found = numbers(planned("model: ACS-MSN3700", text=slow))
    assert found["watchdog.detect"].value > 200
    assert numbers(planned("model: ACS-MSN3700"))["watchdog.detect"].value == 200
