"""What the templates print for ice ports: the wanted values of all hosts, and the firmware's LLDP agent before them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocecfg.state.model import Device, Port, PortQos
    from rocecfg.vendor.api import View

_view = load_module(Path(__file__).parents[1] / "linux" / "view.py")
_TCS = load_module(Path(__file__).with_name("effective.py")).TCS


def from_state(device: Device) -> Mapping[str, View]:
    """Return the views of the script and of its systemd unit."""
    views: Mapping[str, View] = _view.from_state(device, _wants)
    return views


def _wants(port: Port) -> Iterator[Any]:
    boot = port.nic.next_boot if port.nic is not None else None
    if boot is not None and boot.lldp_agent is not None:
        yield _view.Want("fw_lldp_agent", "on" if boot.lldp_agent else "off", "kept in the card's memory over reboots")
    for want in _view.wants(port):
        if port.qos.trust == "dscp" and want.key == "priority_to_tc":
            continue  # priority n is TC n there
        if port.qos.trust == "dscp" and want.key in {"tc_scheduler", "tc_share"}:
            yield _view.Want(want.key, ",".join(want.value.split(",")[:_TCS]), want.remark or "TC 0 to 3")
        else:
            yield want
        if port.qos.trust == "dscp" and want.key == "dscp_to_priority":
            yield from _kept(port.qos)


def _kept(qos: PortQos) -> Iterator[Any]:
    """Yield the TCs that no other DSCP may fall into, and where those go instead."""
    lossless = (qos.pfc.tx if qos.pfc is not None else None) or frozenset()
    strict = {tc for tc, queue in enumerate(qos.queues or ()) if queue is not None and queue.scheduler == "strict"}
    home = next((tc for tc in range(_TCS) if tc not in lossless and tc not in strict), None)
    if home is not None and lossless | strict:
        yield _view.Want("kept_tcs", _view.numbers(lossless | strict), "TCs that only these DSCPs use")
        yield _view.Want("other_dscps", str(home), "where the driver's map would put others there")
