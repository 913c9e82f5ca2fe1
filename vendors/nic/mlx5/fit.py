"""What an mlx5 port can carry of a plan, and every change with its reason."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Amount, Device, Dynamic, LinkPause, Pfc, Port, PortQos, PriorityGroup, intern_ports
from rocecfg.vendor.api import Adjustment
from rocecfg.vendor.manifest import read_yaml

if TYPE_CHECKING:
    from rocecfg.vendor.api import Kind

_HERE = Path(__file__)
_effective = load_module(_HERE.with_name("effective.py"))
_maps = load_module(_HERE.with_name("fit_maps.py"))
_nic = load_module(_HERE.with_name("fit_nic.py"))

HEADER_BYTES = {"ip": 0, "l2": 14, "l2+fcs": 18}
"""Bytes that a frame size counts beyond the netdev's MTU."""


@lru_cache(maxsize=1)
def limits() -> dict[str, Any]:
    """Return `limits.yaml`."""
    return read_yaml(_HERE.with_name("limits.yaml"))


class Notes:
    """Collects the adjustments of one device; `object` is the port being fitted."""

    def __init__(self, device: str) -> None:
        self.device = device
        self.object = ""
        self.all: list[Adjustment] = []

    def add(self, field: str, kind: Kind, wanted: object, got: object, because: str) -> None:
        """Note one change."""
        self.all.append(Adjustment(self.device, self.object, field, str(wanted), str(got), kind, because))


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what the NIC ports of a host carry of a plan, ending with the derived values, and every change."""
    notes = Notes(device.name)
    ports = [_port(port, notes) for port in device.ports.values()]
    fitted = replace(
        device, kind="host", ports=intern_ports(ports), pfc_enabled=None, ecn_enabled=None, ecn_on_pool=None,
        pools=None, buffer_model=None, traffic=None,
    )  # fmt: skip
    return _effective.defaults(fitted), tuple(notes.all)


def _port(port: Port, notes: Notes) -> Port:
    notes.object = port.name
    names = limits()["names"]
    for kind, name in (("name", port.name), ("nic.rdma_device", port.nic.rdma_device if port.nic else None)):
        if name is None:
            continue
        if re.fullmatch(names["pattern"], name) is None or (kind == "name" and len(name) > names["longest"]):
            notes.add(
                kind, "refused", repr(name), "not rendered",
                f"a network device name is 1 to {names['longest']} letters, digits, '_', '.', '-', not beginning "
                "with '.' or '-'; anything else is not put into a root's shell script",
            )  # fmt: skip
    mtu, counts = _mtu(port, notes)
    nic = _nic.fit_nic(port.nic, port.qos, notes, limits())
    qos = _qos(port.qos, notes, manual=nic is not None and nic.manual_buffers is True)
    return replace(port, qos=qos, mtu=mtu, mtu_counts=counts, nic=nic)


def _mtu(port: Port, notes: Notes) -> tuple[int | None, Any]:
    if port.mtu is None:
        return None, None
    mtu = port.mtu - HEADER_BYTES[port.mtu_counts or "ip"]
    if mtu != port.mtu:
        notes.add(
            "mtu", "quantised", f"{port.mtu} B ({port.mtu_counts})", f"{mtu} B (ip)",
            "a netdev MTU counts the IP packet, without the Ethernet header",
        )  # fmt: skip
    low, high = limits()["mtu"]["range"]
    if not low <= mtu <= high:
        notes.add("mtu", "refused", f"{mtu} B", f"{low} to {high} B", "the netdev accepts no other MTU")
    return mtu, "ip"


def _qos(qos: PortQos, notes: Notes, *, manual: bool) -> PortQos:
    qos = replace(qos, defaulted=frozenset())
    trust = qos.trust
    if trust is None and qos.dscp_to_tc is not None:
        trust = "dscp"
        notes.add("trust", "chosen", "left open", "dscp", "a DSCP map works only where DSCP is trusted")
    if trust in {"both", "none"}:
        notes.add("trust", "refused", trust, "dscp or pcp", "the driver trusts DSCP or PCP, one of the two")
    qos = replace(qos, trust=trust)
    best_effort = _maps.best_effort(qos)
    _note_dropped(qos, notes)
    qos = replace(
        qos,
        dscp_to_tc=_maps.dscp_map(qos, best_effort, notes),
        pcp_to_tc=_maps.pcp_map(qos, notes),
        default_tc=None,
        dscp_to_colour=None,
        app_to_tc=None,
        rewrite=None,
        watchdog=None,
        pfc=_pfc(qos.pfc, trust, notes),
        link_pause=_pause(qos.link_pause),
        dcbx=_nic.fit_dcbx(qos.dcbx, notes),
        cable=_cable(qos.cable, notes),
    )
    qos = _maps.fit_queues(qos, best_effort, notes)
    return _buffers(qos, notes) if manual else _box_buffers(qos, notes)


_DROPPED = (
    ("default_tc", 0, "frames without a usable mark take priority 0; no input changes it"),
    ("dscp_to_colour", None, "a NIC has no drop precedence"),
    ("app_to_tc", (), "the driver accepts DSCP entries only (EINVAL for others)"),
    ("rewrite", (), "the NIC does not rewrite DSCP: applications mark"),
    ("watchdog", None, "no PFC watchdog here: the NIC's own guard is the pause storm timeout"),
)
"""Leaf, the value that says what the NIC does anyway, why nothing else can be said."""


def _note_dropped(qos: PortQos, notes: Notes) -> None:
    for leaf, harmless, because in _DROPPED:
        wanted = getattr(qos, leaf)
        if wanted is not None and wanted != harmless:
            text = "a PFC watchdog" if leaf == "watchdog" else wanted
            notes.add(leaf, "dropped", text, "nothing", because)


def _pfc(pfc: Pfc | None, trust: str | None, notes: Notes) -> Pfc | None:
    if pfc is None:
        return None
    by = {"dscp": "internal", "pcp": "pcp"}.get(trust or "")
    if pfc.by is not None and by is not None and pfc.by != by:
        notes.add("pfc.by", "refused", pfc.by, by, f"with trust {trust} the priority comes from there")
    if pfc.admin == "auto":
        notes.add("pfc.admin", "refused", "auto", "on", "PFC is set by the host; negotiating it needs firmware DCBX")
    if pfc.tx != pfc.rx:
        notes.add(
            "pfc", "refused", f"tx {_list(pfc.tx)}, rx {_list(pfc.rx)}", "equal sets",
            "one bit per priority turns both directions on",
        )  # fmt: skip
    priorities = frozenset() if pfc.admin == "off" else pfc.tx or frozenset()
    return Pfc(admin="on" if priorities else "off", tx=priorities, rx=priorities)


def _list(priorities: frozenset[int] | None) -> str:
    return ",".join(map(str, sorted(priorities))) if priorities else "none"


def _pause(pause: LinkPause | None) -> LinkPause | None:
    return None if pause is None or (pause.rx is None and pause.tx is None) else pause


def _cable(cable: Any, notes: Notes) -> int | None:
    if cable is None:
        return None
    low, high = limits()["cable_m"]["range"]
    metres: int = max(int(-(-cable // 1)), low)
    if metres > high:
        notes.add("cable", "refused", f"{cable} m", f"{high} m", "the driver refuses longer cables")
        metres = high
    if metres != cable:
        notes.add("cable", "quantised", f"{float(cable):g} m", f"{metres} m", "whole metres, rounded up")
    return metres


def _box_buffers(qos: PortQos, notes: Notes) -> PortQos:
    """Leave the receive buffers to firmware and driver, which size them from PFC, cable, speed and MTU."""
    bare = replace(qos, priority_groups=None, tc_to_pg=None, priority_to_pg=None)
    layout = _effective.defaults(Device("", "mlx5", {"": Port("", qos=bare)})).ports[""].qos
    if qos.tc_to_pg is not None and qos.tc_to_pg != layout.tc_to_pg:
        wanted = ", ".join(f"{tc} in {pg}" for tc, pg in enumerate(qos.tc_to_pg) if pg is not None)
        notes.add("tc_to_pg", "box-made", wanted, "as the firmware lays them out",
                  "stating receive buffers by hand freezes their sizes on older drivers")  # fmt: skip
    for number, group in enumerate(qos.priority_groups or ()):
        if group is not None and group.headroom is not None and group.headroom.by == "stated":
            amount = group.headroom.amount
            notes.add(
                f"priority_groups.{number}.headroom", "box-made", f"{amount.value} B" if amount else "present",
                "the driver's formula", "the driver works the headroom out from cable length, speed and MTU",
            )  # fmt: skip
        if group is not None and (_is_stated_limit(group, layout, number)):
            notes.add(
                f"priority_groups.{number}.xoff_at", "box-made", _threshold(group),
                "buffer less headroom", "the driver sets XOFF and XON inside the receive buffer",
            )  # fmt: skip
    return bare


def _threshold(group: PriorityGroup) -> str:
    """Return a pause threshold in words; groups without one state how far the resume threshold lies below it."""
    if group.xoff_at is None:
        return "resume distance"
    if isinstance(group.xoff_at, Dynamic):
        alpha, index = group.xoff_at.alpha, group.xoff_at.index
        return f"alpha {alpha}" if alpha is not None else f"alpha index {index}"
    return f"{group.xoff_at.amount.value} {group.xoff_at.amount.unit}"


def _is_stated_limit(group: Any, layout: PortQos, number: int) -> bool:
    made = layout.priority_group(number)
    return (group.xoff_at is not None and (made is None or group.xoff_at != made.xoff_at)) or any(
        value is not None for value in (group.xon_at, group.xon_below)
    )


def _buffers(qos: PortQos, notes: Notes) -> PortQos:
    """Keep receive buffers that the plan states by hand, rounded to cells."""
    if qos.tc_to_pg is None or any(number is None for number in qos.tc_to_pg[:8]):
        notes.add("tc_to_pg", "refused", "not all 8 priorities", "8 receive buffers", "prio2buffer takes 8 numbers")
        return _box_buffers(qos, notes)
    cell = limits()["buffers"]["cell"]
    groups: list[PriorityGroup | None] = []
    for number, group in enumerate(qos.priority_groups or (None,) * 8):
        if group is None or group.reserved is None:
            groups.append(None)
            continue
        if group.headroom is not None and group.headroom.by == "stated":
            notes.add(f"priority_groups.{number}.headroom", "box-made", "stated", "the driver's formula",
                      "the driver places XOFF inside the buffer from cable length, speed and MTU")  # fmt: skip
        amount = group.reserved
        rounded = int(-(-amount.value // cell) * cell)
        if rounded != amount.value:
            notes.add(f"priority_groups.{number}.reserved", "quantised", f"{amount.value} B", f"{rounded} B",
                      f"receive buffers come in cells of {cell} B")  # fmt: skip
        groups.append(PriorityGroup(reserved=Amount.of_bytes(rounded)))
    tc_to_pg = (*qos.tc_to_pg[:8], *(None,) * 8)
    return replace(qos, tc_to_pg=tc_to_pg, priority_to_pg=None, priority_groups=tuple(groups))
