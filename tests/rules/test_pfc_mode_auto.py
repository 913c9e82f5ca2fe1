"""PFC-005: mode auto is an error where nobody negotiates, a warning where an intent relies on an unseen negotiation."""

from __future__ import annotations

from typing import Any

import pytest

from rocecfg.findings import Severity
from rocecfg.lint.config import Settings
from rocecfg.lint.examples import example_of

EXPECT = {"classes": {"roce": {"dscp": [26], "priority": 3, "lossless": True}}}
LOSSLESS = {"priority_to_pg": {3: [3]}, "priority_groups": {3: {"lossless": True}}}


def verdict(pfc: dict[str, Any], *, peer: dict[str, Any] | None = None, expect: bool = False, **qos: Any) -> Any:
    data: dict[str, Any] = {
        "devices": [
            {"name": "leaf1", "ports": {"p": {"qos": {"pfc": {"admin": "auto", **pfc}, **qos}}}},
            {"name": "gpu01", "kind": "host", "ports": {"p": {"qos": {"dcbx": peer} if peer else {}}}},
        ],
        "links": [{"a": "gpu01:p", "b": "leaf1:p"}],
    }
    if expect:
        data["expect"] = EXPECT
    result = example_of(data).lint(Settings(select=("PFC-005",)))
    found = [(finding.device, finding.severity) for finding in result.findings]
    return found or [item.missing for item in result.not_evaluated]


UNSEEN = "whether the peer negotiates PFC (mode is auto)"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"pfc": {"tx": [3]}, "dcbx": {"state": "off"}}, [("leaf1", Severity.ERROR)]),
        ({"pfc": {"tx": [3], "oper": []}}, [("leaf1", Severity.ERROR)]),
        ({"pfc": {"tx": [3], "oper": [3]}, "dcbx": {"state": "off"}}, []),
        ({"pfc": {"tx": [3]}}, [UNSEEN]),
        ({"pfc": {"tx": [3]}, "expect": True}, [("leaf1", Severity.WARNING)]),
        ({"pfc": {}, "peer": {"state": "off"}, **LOSSLESS}, [("leaf1", Severity.ERROR)]),
        ({"pfc": {}, "peer": {"state": "ieee", "advertises": ["ets"]}, **LOSSLESS}, [("leaf1", Severity.ERROR)]),
        ({"pfc": {}, "peer": {"state": "ieee", "advertises": ["pfc"]}, **LOSSLESS}, [UNSEEN]),
        ({"pfc": {"gate": False}, **LOSSLESS}, []),
        ({"pfc": {}}, []),
    ],
)
def test_verdicts(arguments: dict[str, Any], expected: object) -> None:
    assert verdict(**arguments) == expected
