"""What differs by release: the global ECN switch, the words of display tables; and the view that a prompt names."""

from __future__ import annotations

import pytest

from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse

AI_ECN = """\
{version}#
sysname leaf1
#
dcb pfc
 priority 3
#
dcb pfc deadlock-detect timer 150
#
interface 100GE1/0/1
 dcb pfc enable mode manual
#
ai-service
 ai-ecn
  ai-ecn enable
  assign queue 3
#
return
"""
SESSION = """\
[~leaf1]dcb pfc
[*leaf1-dcb-pfc-default]priority 4
[*leaf1-dcb-pfc-default]commit
[~leaf1]vlan 100
[*leaf1]commit
[~leaf1]interface 25GE1/0/1
[*leaf1-25GE1/0/1]dcb pfc enable mode manual
[*leaf1-25GE1/0/1]commit
"""
OLDER_BUFFER = """\
Xon:        PFC backpressure stop threshold
The actual PFC backpressure stop threshold is the higher value between the value of
xon and the difference between the value of xoff and the value of xon-offset.
--------------------------------------------------------------------------------
Interface      Queue    Guaranteed      Xon    Xon-Offset     Xoff        Hdrm
--------------------------------------------------------------------------------
100GE1/0/1         3        10(C)    100(C)         20(C)     4(D)      250(C)
"""
OLDER_INGRESS = """\
Ingress Buffer Usage (KBytes) on lossless priority: (Current/Total)
*: Dynamic threshold
--------------------------------------------------------------------------
Interface        Priority   Guaranteed   PFC-Xoff   Headroom
--------------------------------------------------------------------------
100GE1/0/1              3          0/2       0/4*       0/67
--------------------------------------------------------------------------
Service Pool: 12/30699
Headroom Pool: 0/4095
"""


def read(content: str):
    return parse(Capture("", "huawei", (Text("a.cfg", content),), file="a.cfg"))


@pytest.mark.parametrize(
    ("version", "switch"),
    [("!Software Version V300R022C10\n", False), ("!Software Version V200R020C10\n", None), ("", None)],
)
def test_the_ecn_switch_is_off_by_default_only_where_it_is_documented(version: str, switch: bool | None) -> None:
    device = read(AI_ECN.format(version=version))
    assert not device.lines
    assert device.ecn_enabled is switch
    found = lint([device], settings=Settings(select=("ECN-004",))).findings
    assert len(found) == (1 if switch is False else 0)


def test_a_prompt_of_the_system_view_ends_a_view() -> None:
    device = read(SESSION)
    assert not device.lines
    assert device.ports["25GE1/0/1"].qos.pfc.tx == {4}


def test_tables_of_older_releases() -> None:
    for content in (OLDER_BUFFER, OLDER_INGRESS):
        device = read(content)
        assert not device.lines
        assert device.ports["100GE1/0/1"].qos.priority_groups[3].xoff_at.index == 4
