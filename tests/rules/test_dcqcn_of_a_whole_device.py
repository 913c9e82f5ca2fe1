"""NIC-006 on NICs whose congestion control has one switch for the whole RDMA device."""

from __future__ import annotations

import pytest

from rocecfg.state.model import CongestionControl
from tests.rules.test_mutations_hosts import found, host, switch


@pytest.mark.parametrize(("algorithm", "fires"), [("dcqcn", False), ("none", True), ("timely", False)])
def test_one_switch_says_it_all(algorithm: str, fires: bool) -> None:
    rules = found(host({"congestion_control": CongestionControl(algorithm)}), switch())
    assert ("NIC-006" in rules) is fires


def test_without_an_intent_nobody_knows_whether_it_should_be_on() -> None:
    rules = found(host({"congestion_control": CongestionControl("none")}), switch(), intent=False)
    assert "NIC-006" not in rules
