"""`nv config show` of all values, and the port that is not split."""

from __future__ import annotations

import pytest
from cumulus_plans import read

HEAD = "- header:\n    version: Cumulus Linux 5.5.0\n- set:\n"
QOS = "    qos:\n      egress-shaper: {}\n      link-pause: {}\n      pfc: {}\n      remark:\n        default-global: {}\n"
PORT = """\
    interface:
      swp1:
        link:
          breakout: 1x
          mtu: 9216
        qos:
          congestion-control: {}
          egress-scheduler: {}
          egress-shaper: {}
          mapping: {}
          pfc: {}
          pfc-watchdog:
            state: disable
          remark: {}
        type: swp
"""


def test_places_without_settings_state_nothing() -> None:
    device = read(HEAD + QOS + PORT)
    assert device.lines == ()
    assert list(device.ports) == ["swp1"]
    assert device.ports["swp1"].mtu == 9216
    assert device.ports["swp1"].qos.pfc.admin == "off"


def test_nothing_behind_a_colon_is_a_gap() -> None:
    device = read(HEAD + "    qos:\n      pfc:\n        BLUE:\n          switch-priority:\n")
    assert [line.text for line in device.lines] == ["pfc BLUE switch-priority"]
    assert len(read(HEAD + "    qos:\n      pcf: {}\n" + PORT).lines) == 1


def test_a_command_that_ends_before_its_setting_states_nothing() -> None:
    device = read("nv set interface swp1 qos congestion-control\nnv set qos pfc BLUE switch-priority 3\n")
    assert device.lines == ()


@pytest.mark.parametrize(
    ("mode", "ports"),
    [("1x", ["swp1", "swp9"]), ("2x", ["swp1s0", "swp1s1", "swp9"]), ("disabled", ["swp9"])],
)
def test_what_a_breakout_makes_of_a_port(mode: str, ports: list[str]) -> None:
    device = read(f"nv set qos roce\nnv set interface swp1 link breakout {mode}\nnv set interface swp9 link mtu 9216\n")
    assert sorted(device.ports) == ports
