"""What the template prints: the wanted values of the script, as PowerShell data."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.vendor.api import View
from rocecfg.vendor.manifest import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rocecfg.state.model import Device, Port, PortQos

_HERE = Path(__file__)
_CONDITIONS = {"netdirect": "NetDirectPortMatchCondition = {}", "cluster": "Cluster = $true"}
_NAMES = {("netdirect", 445): "SMB Direct", ("cluster", 0): "Cluster"}


@lru_cache(maxsize=1)
def limits() -> dict[str, Any]:
    """Return `limits.yaml`."""
    return read_yaml(_HERE.with_name("limits.yaml"))


def from_state(device: Device) -> Mapping[str, View]:
    """Return the view of the script of a fitted host."""
    ports = list(device.ports.values())
    qos = next((port.qos for port in ports if port.qos.queues is not None), ports[0].qos if ports else None)
    values: dict[str, object] = {
        "device": device.name,
        "settings": [] if qos is None else list(_settings(qos)),
        "policies": [] if qos is None else list(_policies(qos)),
        "classes": None if qos is None or qos.queues is None else list(_classes(qos)),
        "adapters": [_adapter(port) for port in ports],
    }
    return {"rocecfg-nic.ps1.j2": View(values)}


def _settings(qos: PortQos) -> Iterator[str]:
    if qos.dcbx is not None and qos.dcbx.willing is not None:
        yield f"Willing = {_switch(qos.dcbx.willing)}"
    if qos.pfc is not None and qos.pfc.tx is not None:
        yield f"FlowControl = @({_list(qos.pfc.tx)})"


def _policies(qos: PortQos) -> Iterator[str]:
    for selector, number, priority in qos.app_to_tc or ():
        name = _NAMES.get((selector, number), f"port {number}")
        condition = _CONDITIONS[selector].format(number)
        yield f"Name = '{name}'; Condition = @{{ {condition} }}; Priority = {priority}"
    if qos.default_tc is not None:
        yield f"Name = 'Default'; Condition = @{{ Default = $true }}; Priority = {qos.default_tc}"


def _classes(qos: PortQos) -> Iterator[str]:
    table = (qos.tc_to_queue or ())[:8]
    default = default_queue(qos)
    for number, queue in enumerate(qos.queues or ()):
        if queue is None or number == default:
            continue
        priorities = [priority for priority, to in enumerate(table) if to == number]
        weighted = queue.scheduler == "weighted"
        yield (
            f"Name = 'priority {number}'; Priority = @({_list(priorities)}); "
            f"Algorithm = '{'ETS' if weighted else 'Strict'}'; BandwidthPercentage = {queue.weight if weighted else 0}"
        )


def default_queue(qos: PortQos) -> int | None:
    """Return the queue that is Windows' own default class: the one of unmatched traffic."""
    table = qos.tc_to_queue or ()
    return table[qos.default_tc or 0] if table else None


def _adapter(port: Port) -> str:
    properties: dict[str, int] = {}
    known = limits()
    pause = port.qos.link_pause
    if pause is not None:
        word = {(False, False): "none", (False, True): "tx", (True, False): "rx", (True, True): "both"}
        properties["*FlowControl"] = known["flow_control"][word[(bool(pause.rx), bool(pause.tx))]]
    if port.mtu is not None:
        properties["*JumboPacket"] = port.mtu + known["ethernet_header"]["value"]
    if port.nic is not None and port.nic.roce_version is not None:
        properties["*NetworkDirectTechnology"] = known["network_direct_technology"][port.nic.roce_version]
    listed = "; ".join(f"'{name}' = {value}" for name, value in properties.items())
    enabled = port.qos.queues is not None or (port.qos.pfc is not None and port.qos.pfc.admin == "on")
    rdma = " Rdma = $true;" if port.nic is not None else ""
    inner = f" {listed} " if listed else ""
    return f"Name = '{port.name}'; Qos = {_switch(enabled)};{rdma} Properties = @{{{inner}}}"


def _switch(on: bool) -> str:
    return "$true" if on else "$false"


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))
