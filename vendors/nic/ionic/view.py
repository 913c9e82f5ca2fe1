"""What the templates print for ionic ports: the wanted values of all hosts in the words of nicctl."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.vendor.manifest import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocecfg.state.model import Device, Port, PortQos
    from rocecfg.vendor.api import View

_HERE = Path(__file__)
_view = load_module(_HERE.parents[1] / "linux" / "view.py")
_GIGABIT = 1_000_000_000
_FRAME = 22
"""Bytes around the IP packet: Ethernet header, VLAN tag, FCS."""


@lru_cache(maxsize=1)
def _port_mtu() -> int:
    return int(read_yaml(_HERE.with_name("limits.yaml"))["port_mtu"]["value"])


def from_state(device: Device) -> Mapping[str, View]:
    """Return the views of the script and of its systemd unit."""
    views: Mapping[str, View] = _view.from_state(device, _wants)
    return views


def _wants(port: Port) -> Iterator[Any]:
    qos = port.qos
    for want in _view.wants(port):
        if want.key == "pause_rx":
            yield _view.Want("pause_type", "pfc", "of the port: PFC in both directions, no 802.3x pause")
        elif want.key == "priority_to_tc":
            yield _view.Want("schedule", _schedule(qos), "priority:share in percent:Gb/s; a share of 0 is strict")
        elif want.key == "mtu":
            yield want
            if port.mtu is not None and port.mtu + _FRAME <= _port_mtu():
                yield _view.Want("port_mtu", str(_port_mtu()), "of the port: the frame")
        elif want.key not in {"pause_tx", "tc_scheduler", "tc_share", "tc_rate"}:
            yield want


def _schedule(qos: PortQos) -> str:
    entries = []
    for number, queue in enumerate(qos.queues or ()):
        if queue is not None:
            strict = queue.scheduler == "strict"
            rate = (queue.shaper or 0) // _GIGABIT if strict else 0
            entries.append(f"{number}:{0 if strict else queue.weight}:{rate}")
    return ",".join(entries)
