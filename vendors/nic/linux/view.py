"""What the templates print: the wanted values of each group of equal ports as words, and the ports."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from rocecfg.errors import RenderError
from rocecfg.state.model import NEVER, UNLIMITED, Device, Nic, Port, PortQos
from rocecfg.vendor.api import View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

MEGABIT, GIGABIT = 1_000_000, 1_000_000_000
_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
APP_WORDS = {"ethertype": "ethtype-prio", "tcp": "stream-port-prio", "udp": "dgram-port-prio", "port": "port-prio"}
"""What dcb(8) calls the selectors of APP entries."""
ROCE_MODES = {"v1": 1, "v2": 2}


@dataclass(frozen=True, slots=True)
class Want:
    """One wanted value: the words before it, the value, a remark for the reader."""

    key: str
    value: str
    remark: str = ""


@dataclass(frozen=True, slots=True)
class NicPort:
    """A port and the RDMA device on it; `auto` = found by the script."""

    name: str
    rdma_device: str
    unit: str
    """The systemd device unit of the netdev."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Values that neighbouring ports share: the order of the plan is kept."""

    wants: tuple[Want, ...]
    ports: tuple[NicPort, ...]


def from_state(device: Device, wants_of: Callable[[Port], Iterator[Want]]) -> Mapping[str, View]:
    """Return the views of the script and of its systemd unit; `wants_of` = the wanted values of a port, in order."""
    runs = groupby(device.ports.values(), key=lambda port: tuple(wants_of(port)))
    settings = tuple(Settings(wants, tuple(_nic_port(port) for port in ports)) for wants, ports in runs)
    units = tuple(port.unit for group in settings for port in group.ports)
    for name in (word for group in settings for port in group.ports for word in (port.name, port.rdma_device)):
        if not _SAFE.fullmatch(name):
            raise RenderError(f"{device.name}: {name!r} is no device name that may stand in a script")
    title = re.sub(r"[^ -~]", "?", device.name)
    return {
        "rocecfg-nic.sh.j2": View({"device": title, "settings": settings}),
        "rocecfg-nic.service.j2": View({"device": title, "units": units}),
    }


def _nic_port(port: Port) -> NicPort:
    # systemd.unit(5), "String Escaping": all but letters, digits, ":", "_" and "." become \xNN.
    unit = re.sub(r"[^A-Za-z0-9:_.]", lambda found: f"\\x{ord(found[0]):02x}", port.name)
    return NicPort(port.name, (port.nic and port.nic.rdma_device) or "auto", f"sys-subsystem-net-devices-{unit}.device")


def wants(port: Port, pfc: str = "lossless priorities") -> Iterator[Want]:
    """Yield the wanted values that hosts of every family may have; `pfc` = the remark on the PFC priorities."""
    qos = port.qos
    if port.speed is not None:
        yield Want("link_speed", str(port.speed // MEGABIT), "Mb/s, compared and never set")
    yield from _dcb(qos, port, pfc)
    if port.mtu is not None:
        yield Want("mtu", str(port.mtu), "netdev MTU: the IP packet")
    if port.nic is not None:
        yield from _nic(port.nic)


def _dcb(qos: PortQos, port: Port, pfc: str) -> Iterator[Want]:
    if qos.dcbx is not None and qos.dcbx.owners is not None:
        yield Want("dcb_owner", next(iter(qos.dcbx.owners)), "who writes the DCB settings below")
    if qos.trust is not None:
        yield Want("trust", qos.trust)
    if qos.dscp_to_tc is not None:
        yield Want("dscp_to_priority", _runs(qos.dscp_to_tc.to))
    if qos.pfc is not None:
        yield Want("pfc", numbers(qos.pfc.tx or ()), pfc)
    if qos.cable is not None:
        yield Want("cable", str(qos.cable), _headroom_remark(qos))
    for selector, number, priority in qos.app_to_tc or ():
        yield Want(f"app {APP_WORDS[selector]} {number}", str(priority))
    if qos.tc_to_queue is not None and qos.queues is not None:
        yield from _scheduler(qos)
    if port.nic is not None and port.nic.manual_buffers and qos.tc_to_pg is not None:
        yield Want("priority_to_buffer", ",".join(str(number) for number in qos.tc_to_pg[:8]))
        sizes = [group.reserved.value if group and group.reserved else 0 for group in qos.priority_groups or ()]
        yield Want("buffer_bytes", ",".join(map(str, sizes)))
    if qos.link_pause is not None:
        for side, value in (("rx", qos.link_pause.rx), ("tx", qos.link_pause.tx)):
            if value is not None:
                yield Want(f"pause_{side}", "on" if value else "off", "802.3x pause of the whole link")


def _headroom_remark(qos: PortQos) -> str:
    for group in qos.priority_groups or ():
        if group is not None and group.headroom is not None and group.headroom.amount is not None:
            return f"m; the driver keeps {group.headroom.amount.value} B of headroom for it"
    return "m"


def _scheduler(qos: PortQos) -> Iterator[Want]:
    queues = [qos.queue(number) for number in range(8)]
    yield Want("priority_to_tc", ",".join(str(number) for number in (qos.tc_to_queue or ())[:8]))
    # A TC without a priority carries nothing; strict is what dcb(8) shows for such TCs, with a share of 0.
    yield Want(
        "tc_scheduler", ",".join("ets" if q is not None and q.scheduler == "weighted" else "strict" for q in queues)
    )
    yield Want("tc_share", ",".join(str(q.weight or 0) if q is not None else "0" for q in queues), "percent")
    if any(q is not None and q.shaper is not None for q in queues):
        rates = (0 if q is None or q.shaper in {None, UNLIMITED} else (q.shaper or 0) // GIGABIT for q in queues)
        yield Want("tc_rate", ",".join(map(str, rates)), "Gb/s, 0 = no limit")


def _nic(nic: Nic) -> Iterator[Want]:
    if nic.storm_timeout is not None:
        timeout = 0 if nic.storm_timeout == NEVER else nic.storm_timeout
        yield Want("pause_storm_timeout", str(timeout), "ms until the NIC stops pausing by itself, 0 = never")
    if nic.roce_version is not None:
        yield Want("roce_mode", str(ROCE_MODES[nic.roce_version]), "RDMA-CM applications")
    if nic.default_tos is not None:
        yield Want("roce_tos", str(nic.default_tos), f"RDMA-CM applications: {_tos(nic.default_tos)}")
    if nic.forced_tos is not None:
        yield Want("traffic_class", str(nic.forced_tos), f"every RoCE connection: {_tos(nic.forced_tos)}")
    control = nic.congestion_control
    if control is not None:
        if control.receives is not None:
            yield Want("cc_receives", numbers(control.receives), "priorities on which marks are answered with CNPs")
        if control.reacts is not None:
            yield Want("cc_reacts", numbers(control.reacts), "priorities on which CNPs slow the sender down")
        if control.receives is None and control.reacts is None and control.algorithm is not None:
            yield Want("congestion_control", control.algorithm, "of the whole RDMA device")
        for name, value in control.parameters:
            yield Want(f"cc_parameter {name}", str(value))
    if nic.cnp_dscp is not None:
        yield Want("cnp_dscp", str(nic.cnp_dscp), "the DSCP itself, not the ToS byte")
    if nic.cnp_priority is not None:
        yield Want("cnp_priority", str(nic.cnp_priority))


def _tos(tos: int) -> str:
    return f"DSCP {tos >> 2}, ECN bits {tos & 3}"


def numbers(priorities: Iterable[int]) -> str:
    """Return priorities as `3,4`, or `none`."""
    return ",".join(map(str, sorted(priorities))) or "none"


def _runs(to: tuple[int | None, ...]) -> str:
    """Return a code map as runs of equal classes: `0-7:0,8-15:1,26:3`; codes of no class are left out."""
    runs: list[str] = []
    first = 0
    for code in range(1, len(to) + 1):
        if code == len(to) or to[code] != to[first]:
            last = code - 1
            if to[first] is not None:
                runs.append(f"{first if first == last else f'{first}-{last}'}:{to[first]}")
            first = code
    return ",".join(runs)
