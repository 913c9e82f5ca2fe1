"""PEER-002: one convention for both ends, an error only where RoCE packets are lost, no verdict on what is not known."""

from __future__ import annotations

import pytest

from rocecfg.findings import Severity
from rocecfg.lint.config import Settings
from rocecfg.lint.examples import example_of

COUNTS = "what the port's MTU counts (with or without Ethernet header)"


def verdict(a: dict[str, object], b: dict[str, object], *, host: bool) -> object:
    devices = [
        {"name": "leaf1", "ports": {"p": a}},
        {"name": "far", "kind": "host" if host else "switch", "ports": {"p": b}},
    ]
    example = example_of({"devices": devices, "links": [{"a": "leaf1:p", "b": "far:p"}]})
    result = example.lint(Settings(select=("PEER-002",)))
    if result.findings:
        (finding,) = result.findings
        return (finding.device, finding.severity)
    return next((item.missing for item in result.not_evaluated), None)


@pytest.mark.parametrize(
    ("leaf", "far", "expected"),
    [
        ((9216, "l2"), (9000, "ip"), None),  # a host below its switch
        ((9014, "l2"), (9000, "ip"), None),
        ((9018, "l2+fcs"), (9000, "ip"), None),
        ((1500, "ip"), (9000, "ip"), ("leaf1", Severity.ERROR)),
        ((9000, "l2"), (9000, "ip"), ("leaf1", Severity.ERROR)),
        ((9000, None), (9000, "ip"), COUNTS),
        ((9216, None), (9000, "ip"), None),
        ((1500, None), (9000, "ip"), ("leaf1", Severity.ERROR)),
        ((None, "l2"), (9000, "ip"), "the port's MTU"),
    ],
)
def test_switch_and_host(leaf: tuple[int, str], far: tuple[int, str], expected: object) -> None:
    ends = [{"mtu": mtu, "mtu_counts": counts} for mtu, counts in (leaf, far)]
    assert verdict(*ends, host=True) == expected


def test_what_the_nic_really_sends_decides() -> None:
    leaf = {"mtu": 4300, "mtu_counts": "l2"}
    host = {"mtu": 9000, "mtu_counts": "ip", "nic": {"active_mtu": 4096}}
    assert verdict(leaf, host, host=True) == ("leaf1", Severity.INFO)
    assert verdict({**leaf, "mtu": 4100}, host, host=True) == ("leaf1", Severity.ERROR)


@pytest.mark.parametrize(
    ("leaf", "far", "expected"),
    [
        ((9216, "l2"), (9216, "l2"), None),
        ((9100, "l2"), (9216, "l2"), ("leaf1", Severity.INFO)),
        ((9216, "l2"), (9100, "l2"), ("far", Severity.INFO)),
        ((1514, "l2"), (9216, "l2"), ("leaf1", Severity.ERROR)),
        ((9216, None), (9216, "l2"), None),  # equal or not, both carry RoCE
        ((4195, None), (9216, "l2"), COUNTS),
    ],
)
def test_two_switches(leaf: tuple[int, str], far: tuple[int, str], expected: object) -> None:
    ends = [{"mtu": mtu, "mtu_counts": counts} for mtu, counts in (leaf, far)]
    assert verdict(*ends, host=False) == expected


def test_links_of_one_device_are_one_finding() -> None:
    small, large = {"mtu": 9100, "mtu_counts": "l2"}, {"mtu": 9216, "mtu_counts": "l2"}
    names = [f"swp{n}" for n in range(1, 12)]
    devices = [
        {"name": "leaf1", "ports": dict.fromkeys(names, small)},
        {"name": "spine1", "ports": dict.fromkeys(names, large)},
    ]
    links = [{"a": f"spine1:{name}", "b": f"leaf1:{name}"} for name in reversed(names)]
    result = example_of({"devices": devices, "links": links}).lint(Settings(select=("PEER-002",)))
    assert [(finding.device, finding.object) for finding in result.findings] == [("leaf1", "swp1-11")]
