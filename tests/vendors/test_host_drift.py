"""From the intent to the host and back: the rendered script runs on a host that does not exist, whose capture has no drift."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rocecfg.drift.compare import compare
from rocecfg.render.engine import render
from tests.laws.intents import auto_intent, planned
from tests.vendors.bnxt.test_bnxt_script import bnxt_host
from tests.vendors.ice.test_ice_script import ice_host
from tests.vendors.ionic.test_ionic_script import captured, ionic_host
from tests.vendors.linux_dcb.dcb_host import Host
from tests.vendors.linux_dcb.test_linux_dcb_script import PORTS

if TYPE_CHECKING:
    from pathlib import Path

    from rocecfg.state.model import Device


def start(nos: str, folder: Path) -> Host:
    if nos == "linux_dcb":
        return Host(folder, nos, PORTS, storm=0)
    return {"bnxt": bnxt_host, "ice": ice_host, "ionic": ionic_host}[nos](folder)


def live(nos: str, host: Host) -> Device:
    if nos == "ionic":
        return captured(host)
    more = [("ethtool", "--show-priv-flags", name) for name in host.devices] if nos == "ice" else []
    tunables = [("ethtool", "--get-tunable", name, "pfc-prevention-tout") for name in host.devices if nos != "ice"]
    return host.captured(*more, *tunables)


@pytest.mark.parametrize("nos", ["linux_dcb", "bnxt", "ice", "ionic"])
def test_what_runs_our_script_has_no_drift_and_a_changed_value_has(nos: str, tmp_path: Path) -> None:
    host, device = start(nos, tmp_path), planned(auto_intent(nos, "400G")).devices["one"]
    done = host.run(render(device.fitted)[0].content)
    assert done.returncode == 0, done.stderr
    assert not compare(device, live(nos, host)).findings
    name = next(iter(host.devices))
    if nos == "ionic":
        host.change_port(name, no_drop=[5])
    else:
        host.change_port(name, pfc=[0, 0, 0, 0, 0, 1, 0, 0])
    found = compare(device, live(nos, host)).findings
    assert found
    assert all(name in finding.object for finding in found)
