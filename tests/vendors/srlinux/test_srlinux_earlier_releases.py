"""Releases up to 23.3 had the bindings of a port in the interface tree."""

from __future__ import annotations

import pytest
from srlinux_plans import read

from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint

FLAT = """\
set / system name host-name old1
set / network-instance default interface ethernet-1/1.0
set / interface ethernet-1/1 subinterface 0 qos input classifiers dscp-policy marks
set / interface ethernet-1/1 subinterface 0 qos output rewrite-rules dscp-policy back
set / interface ethernet-1/1 subinterface 0 ipv4 address 192.0.2.1/31
set / interface ethernet-1/1 qos output unicast-queue 3 scheduling weight 20
set / qos classifiers dscp-policy marks dscp 26 forwarding-class fc3
set / qos rewrite-rules dscp-policy back map fc3 dscp 26
"""
BRACES = """\
    interface ethernet-1/1 {
        admin-state enable
        qos {
            output {
                unicast-queue 3 {
                    scheduling {
                        weight 20
                    }
                }
            }
        }
        subinterface 0 {
            qos {
                input {
                    classifiers {
                        dscp-policy marks
                    }
                }
                output {
                    rewrite-rules {
                        dscp-policy back
                    }
                }
            }
            ipv4 {
                admin-state enable
            }
        }
    }
    qos {
        classifiers {
            dscp-policy marks {
                dscp 26 {
                    forwarding-class fc3
                }
            }
        }
        rewrite-rules {
            dscp-policy back {
                map fc3 {
                    dscp 26
                }
            }
        }
    }
"""
JSON = """\
{"srl_nokia-interfaces:interface": [{"name": "ethernet-1/1",
 "srl_nokia-qos:qos": {"output": {"unicast-queue": [{"queue-id": 3, "scheduling": {"weight": 20}}]}},
 "subinterface": [{"index": 0, "ipv4": {"address": []}, "srl_nokia-qos:qos": {
  "input": {"classifiers": {"dscp-policy": "marks"}},
  "output": {"rewrite-rules": {"dscp-policy": "back"}}}}]}],
 "srl_nokia-qos:qos": {
  "classifiers": {"dscp-policy": [{"name": "marks", "dscp": [{"value": 26, "forwarding-class": "fc3"}]}]},
  "rewrite-rules": {"dscp-policy": [{"name": "back", "map": [{"forwarding-class": "fc3", "dscp": 26}]}]}}}
"""


@pytest.mark.parametrize("text", [FLAT, BRACES, JSON], ids=["set", "braces", "json"])
def test_bindings_of_a_subinterface_are_read_and_queues_reported(text: str) -> None:
    device = read(text)
    qos = device.ports["ethernet-1/1"].qos
    assert (qos.trust, qos.dscp_to_tc.to[26]) == ("dscp", 3)
    assert ("tc", 3, 26) in qos.rewrite
    assert len(device.lines) == 1
    assert "ipv4" not in device.lines[0].text


def test_a_policy_bound_there_is_used() -> None:
    found = lint([read(FLAT)], links=[], settings=Settings(select=("REF",))).findings
    assert [item.message for item in found if item.rule in {"REF-001", "REF-002"}] == []
    unbound = FLAT.replace("set / interface ethernet-1/1 subinterface 0 qos input classifiers dscp-policy marks\n", "")
    found = lint([read(unbound)], links=[], settings=Settings(select=("REF-002",))).findings
    assert [item.object for item in found] == ['dscp-policy "marks"']


def test_the_class_of_a_bridged_subinterface() -> None:
    text = FLAT + "set / interface ethernet-1/1 subinterface 0 qos input classifiers default-forwarding-class fc3\n"
    assert read(text).ports["ethernet-1/1"].qos.default_tc == 3
