"""Real texts: all are read, nearly every line is understood, and their known faults stand in the state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cumulus_plans import fit, read_back

from rocecfg.state.capture import captures_under
from rocecfg.state.model import Amount, Device
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def devices(shared: Path) -> dict[str, Device]:
    found = {}
    for each in captures_under(shared / "corpus" / "cumulus"):
        assert not isinstance(each, Exception), each
        found[each.file.rpartition("/")[2]] = parse(each)
    if not found:
        pytest.skip("no Cumulus texts beside this checkout")
    return found


def line_of(device: Device, port: str, leaf: str) -> int:
    where = device.ports[port].where(leaf)
    assert where is not None
    return where.line


def test_all_files_are_ours_and_understood(devices: dict[str, Device]) -> None:
    assert len(devices) == 15
    assert all(device.nos == "cumulus" and device.ports for device in devices.values())
    read = sum(device.lines_read for device in devices.values())
    lost = [(name, line.text) for name, device in devices.items() for line in device.lines]
    assert lost == [("cl4-traffic-conf-pfc-pause.cfg", "link pause")]  # neither comment nor setting
    assert read > 200
    assert len(lost) * 100 <= read


def test_no_other_system_claims_them(shared: Path) -> None:
    for folder in ("nxos", "eos", "junos", "sonic", "onyx", "host", "os10", "enterprise-sonic", "huawei"):
        for each in captures_under(shared / "corpus" / folder):
            if not isinstance(each, Exception):
                for text in each.texts:
                    assert "cumulus" not in registry.scores(text.content), text.file


def test_lossless_without_any_watchdog(devices: dict[str, Device]) -> None:
    device = devices["air-cl-01-converged-no-watchdog.cfg"]
    assert [port.qos.watchdog.enabled for port in device.ports.values()] == [False]
    assert line_of(device, "default-global", "watchdog") == 8
    assert device.ports["default-global"].qos.pfc.sends() == frozenset({3})
    assert [(pool.name, pool.total) for pool in device.pools] == [
        ("default-lossy", Amount(10, "percent")),
        ("roce-lossless", Amount(90, "percent")),
    ]


def test_watchdog_on_gpu_ports_only(devices: dict[str, Device]) -> None:
    one = devices["air-gl-plane2-05.cfg"]
    without = [name for name, port in one.ports.items() if not port.qos.watchdog.enabled]
    assert without == ["swp33s0", "swp33s1", "swp63s0"]
    assert line_of(one, "swp33s0", "watchdog") == 14
    assert len(one.ports) == 67
    two = devices["air-gsl-plane1-01.cfg"]
    assert {name for name, port in two.ports.items() if not port.qos.watchdog.enabled} == {
        f"swp{n}s{s}" for n in range(33, 49) for s in (0, 1)
    }
    assert line_of(two, "swp48s1", "watchdog") == 48


def test_groups_listed_under_another_name(devices: dict[str, Device]) -> None:
    device = devices["cl3-traffic-conf-storage-optimized-pfc.cfg"]
    broken = {
        each.name: (each.place.line, each.near)
        for each in device.objects
        if each.used and not each.defined and not each.system
    }
    assert broken == {"ROCE_PFC": (27, "pfc_port_group"), "ROCE_ECN": (46, "ecn_red_port_group")}
    qos = device.ports["swp1"].qos
    assert device.complete == frozenset({"port groups"})
    assert (qos.trust, qos.dscp_to_tc.to[26], qos.dscp_to_tc.to[48], qos.pfc, qos.queues) == ("dscp", 3, 2, None, None)
    assert qos.dscp_to_tc.codes(0) == tuple(code for code in range(64) if code not in {26, 48})


def test_pause_beside_pfc_on_no_priority(devices: dict[str, Device]) -> None:
    device = devices["cl4-traffic-conf-pfc-pause.cfg"]
    assert list(device.ports) == ["swp1", "swp2", "swp3", "swp4", "swp6"]
    qos = device.ports["swp6"].qos
    assert (qos.pfc.admin, qos.pfc.tx, qos.link_pause.rx, qos.link_pause.tx) == ("on", frozenset(), True, True)
    assert [line_of(device, "swp6", leaf) for leaf in ("pfc", "link_pause")] == [14, 27]


def test_pfc_on_priority_0_that_is_not_honoured(devices: dict[str, Device]) -> None:
    device = devices["cl59-nv-pfc-rx-disabled.cfg"]
    qos = device.ports["swp1"].qos
    assert (qos.pfc.tx, qos.pfc.rx, qos.cable) == (frozenset({0}), frozenset(), 50)
    assert [line_of(device, "swp1", leaf) for leaf in ("pfc", "pfc.rx", "watchdog")] == [1, 3, 5]
    assert (qos.watchdog.poll, qos.watchdog.detect) == (200, 1000)
    assert [number for number, queue in enumerate(qos.queues) if queue is not None and queue.ecn.curves] == [4, 5, 7]
    assert device.complete == frozenset()  # eleven QoS lines are a change
    file = devices["cl59-qos-features-pfc-ecn.cfg"]
    assert [line_of(file, "swp1", leaf) for leaf in ("pfc", "pfc.rx")] == [4, 9]
    low, high = (Amount.of_bytes(count) for count in (40_000, 200_000))
    for stated in (qos.queues[4], file.ports["swp1"].qos.queues[4]):
        assert (stated.ecn.curves[0].low, stated.ecn.curves[0].high, stated.ecn.non_ect) == (low, high, "drop")
    shown = devices["cl59-show-qos-pfc-default-global.txt"]
    assert line_of(shown, "default-global", "pfc.rx") == 5
    table = devices["cl59-show-congestion-control.txt"].ports["default-global"].qos
    assert table.queues[4].ecn == file.ports["swp1"].qos.queues[4].ecn


def test_shown_status(devices: dict[str, Device]) -> None:
    qos = devices["cl59-show-interface-qos-roce-status.txt"].ports["default-global"].qos
    assert (qos.trust, qos.pfc.tx, qos.queues[3].weight, qos.queues[6].scheduler) == (
        "both",
        frozenset({3}),
        50,
        "strict",
    )
    assert (qos.dscp_to_tc.to[26], qos.dscp_to_tc.to[48], qos.watchdog) == (3, 6, None)
    assert list(devices["nvue-show-interface-qos-buffer.txt"].ports) == ["swp5"]


def test_what_is_read_from_them_can_be_fitted_rendered_and_read_again(devices: dict[str, Device]) -> None:
    whole = 0
    for name, device in devices.items():
        if "all" in device.complete:
            whole += 1
            fitted, changes = fit(device)
            assert [change for change in changes if change.kind == "refused"] == [], name
            assert read_back(fitted) == fitted, name
    assert whole == 3
