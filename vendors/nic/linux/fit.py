"""What every NIC port on Linux can carry of a plan, and every change with its reason. Families add their own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import NEVER, Device, Dynamic, LinkPause, Pfc, Port, PortQos, PriorityGroup
from rocecfg.vendor.api import Adjustment
from rocecfg.vendor.fitting import carried

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocecfg.vendor.api import Kind


HEADER_BYTES = {"ip": 0, "l2": 14, "l2+fcs": 18}
"""Bytes that a frame size counts beyond the netdev's MTU."""


class Notes:
    """Collects the adjustments of one device; `object` is the port being fitted."""

    def __init__(self, device: str) -> None:
        self.device = device
        self.object = ""
        self.all: list[Adjustment] = []

    def add(self, field: str, kind: Kind, wanted: object, got: object, because: str) -> None:
        """Note one change."""
        self.all.append(Adjustment(self.device, self.object, field, str(wanted), str(got), kind, because))


def fit(
    device: Device, fit_port: Callable[[Port, Notes], Port], defaults: Callable[[Device], Device]
) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what the NIC ports of a host carry of a plan, ending with `defaults`, and every change."""
    notes = Notes(device.name)
    ports = []
    for port in device.ports.values():
        notes.object = port.name
        ports.append(fit_port(port, notes))
    fitted = carried(device, ports, kind="host", complete=device.complete)
    return defaults(fitted), tuple(notes.all)


def check_names(port: Port, notes: Notes, names: dict[str, Any]) -> None:
    """Refuse what may not stand in a root's shell script, and a virtual function."""
    for kind, name in (("name", port.name), ("nic.rdma_device", port.nic.rdma_device if port.nic else None)):
        if name is None:
            continue
        if re.fullmatch(names["pattern"], name) is None or (kind == "name" and len(name) > names["longest"]):
            notes.add(
                kind, "refused", repr(name), "not rendered",
                f"a network device name is 1 to {names['longest']} letters, digits, '_', '.', '-', not beginning "
                "with '.' or '-'; anything else is not put into a root's shell script",
            )  # fmt: skip
    if port.vf_of is not None:
        notes.add(
            "vf_of", "refused", f"a virtual function of {port.vf_of}", port.vf_of,
            "DCB settings belong to the physical function",
        )  # fmt: skip


def fit_mtu(port: Port, notes: Notes, accepted: Sequence[int]) -> tuple[int | None, Any]:
    """Return the netdev MTU of a planned frame size."""
    if port.mtu is None:
        return None, None
    mtu = port.mtu - HEADER_BYTES[port.mtu_counts or "ip"]
    if mtu != port.mtu:
        notes.add(
            "mtu", "quantised", f"{port.mtu} B ({port.mtu_counts})", f"{mtu} B (ip)",
            "a netdev MTU counts the IP packet, without the Ethernet header",
        )  # fmt: skip
    low, high = accepted
    if not low <= mtu <= high:
        notes.add("mtu", "refused", f"{mtu} B", f"{low} to {high} B", "the netdev accepts no other MTU")
    return mtu, "ip"


def fit_trust(qos: PortQos, notes: Notes) -> Any:
    """Return what selects the priority of an arriving packet."""
    trust = qos.trust
    if trust is None and qos.dscp_to_tc is not None:
        trust = "dscp"
        notes.add("trust", "chosen", "left open", "dscp", "a DSCP map works only where DSCP is trusted")
    if trust in {"both", "none"}:
        notes.add("trust", "refused", trust, "dscp or pcp", "the driver trusts DSCP or PCP, one of the two")
    return trust


def note_dropped(qos: PortQos, notes: Notes, dropped: Sequence[tuple[str, Any, str]]) -> None:
    """Say what a NIC has no word for: leaf, the value that says what it does anyway, why nothing else can be said."""
    for leaf, harmless, because in dropped:
        wanted = getattr(qos, leaf)
        if leaf == "watchdog" and wanted is not None and wanted.enabled is False:
            continue  # none is wanted, and there is none
        if wanted is not None and wanted != harmless:
            text = "a PFC watchdog" if leaf == "watchdog" else wanted
            notes.add(leaf, "dropped", text, "nothing", because)


def fit_pfc(pfc: Pfc | None, trust: str | None, notes: Notes) -> Pfc | None:
    """Return the priorities of PFC; one bit turns on both directions."""
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


def fit_pause(pause: LinkPause | None) -> LinkPause | None:
    """Return 802.3x pause where the plan speaks of it."""
    return None if pause is None or (pause.rx is None and pause.tx is None) else pause


def in_range(value: int | None, field: str, allowed: Sequence[int], notes: Notes) -> int | None:
    """Return a number, refused where it does not exist."""
    if value is not None and not allowed[0] <= value <= allowed[1]:
        notes.add(field, "refused", value, f"{allowed[0]} to {allowed[1]}", "no such value exists")
    return value


def fit_storm(timeout: int | None, allowed: Sequence[int], notes: Notes) -> int | None:
    """Return the milliseconds until the NIC stops pausing by itself, within what the driver accepts."""
    if timeout is None or timeout == NEVER:
        return timeout
    fitted = min(max(timeout, allowed[0]), allowed[1])
    if fitted != timeout:
        notes.add("nic.storm_timeout", "quantised", f"{timeout} ms", f"{fitted} ms",
                  f"the driver accepts {allowed[0]} to {allowed[1]} ms")  # fmt: skip
    return fitted


def is_stated_limit(group: PriorityGroup, made: PriorityGroup | None) -> bool:
    """Return whether a plan states a pause threshold that the NIC makes by itself."""
    return (group.xoff_at is not None and (made is None or group.xoff_at != made.xoff_at)) or any(
        value is not None for value in (group.xon_at, group.xon_below)
    )


def threshold(group: PriorityGroup) -> str:
    """Return a pause threshold in words; groups without one state how far the resume threshold lies below it."""
    if group.xoff_at is None:
        return "resume distance"
    if isinstance(group.xoff_at, Dynamic):
        alpha, index = group.xoff_at.alpha, group.xoff_at.index
        return f"alpha {alpha}" if alpha is not None else f"alpha index {index}"
    return f"{group.xoff_at.amount.value} {group.xoff_at.amount.unit}"
