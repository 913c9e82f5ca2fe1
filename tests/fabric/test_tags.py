"""Traffic that hosts mark by priority is followed by its VLAN tag, as far as the tag goes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rocecfg.fabric.paths import Hop, Path
from rocecfg.fabric.trace import follow
from rocecfg.state.model import Port, code_map
from tests.planned import planned_qos

TAGGED = replace(planned_qos(), trust="pcp", dscp_to_tc=None, pcp_to_tc=code_map({0: 0, 3: 3, 6: 6}))


def way(sender: Any = TAGGED, mode: Any = None) -> Path:
    """gpu01 > leaf1 > spine1 > gpu02, whose leaf leaves by a port of this mode."""

    def port(name: str, qos: Any = TAGGED, of: Any = None) -> Port:
        return Port(name, qos=qos, mode=of)

    return Path(
        (
            Hop("gpu01", None, "", "rail0", None, port("rail0", sender), 0),
            Hop("leaf1", None, "swp1", "swp2", port("swp1"), port("swp2", of=mode), 1),
            Hop("spine1", None, "swp1", "swp2", port("swp1"), port("swp2"), 2),
            Hop("gpu02", None, "rail0", "", port("rail0"), None, 0),
        )
    )


def test_a_tag_leads_to_its_class_on_every_switch() -> None:
    assert [step.tc for step in follow(way(), 26, 3)] == [3, 3, 3, 3]


@pytest.mark.parametrize("sender", [planned_qos(), replace(TAGGED, trust="both")])
def test_a_sender_that_marks_by_dscp_sends_no_tag(sender: Any) -> None:
    assert [step.tc for step in follow(way(sender), 26, 3)][1:] == [0, 0, 0]


def test_a_routed_port_takes_the_tag_off() -> None:
    assert [step.tc for step in follow(way(mode="trunk"), 26, 3)] == [3, 3, 3, 3]
    assert [step.tc for step in follow(way(mode="routed"), 26, 3)] == [3, 3, 0, 0]
