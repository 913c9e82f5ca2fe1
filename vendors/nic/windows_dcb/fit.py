"""What a Windows host carries of a plan, and every change with its reason."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import (
    UNLIMITED,
    Dcbx,
    Device,
    LinkPause,
    Nic,
    Pfc,
    Port,
    PortQos,
    Queue,
    eight,
)
from rocecfg.vendor.fitting import carried

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.state.model import App
    from rocecfg.vendor.api import Adjustment

_HERE = Path(__file__)
_LINUX = _HERE.parents[1] / "linux"
_nic = load_module(_LINUX / "fit.py")
_maps = load_module(_LINUX / "fit_maps.py")
_effective = load_module(_LINUX / "effective.py")
_view = load_module(_HERE.with_name("view.py"))

OS_OWNS = Dcbx(willing=False, owners=frozenset({"os"}))
_SELECTORS = {"smb-direct": "netdirect", "cluster": "cluster"}
"""Application -> the policy that gives it its priority."""
_DROPPED = (
    ("dscp_to_tc", None, "Windows' DCB knows the 802.1p priority only; a DSCP is the NIC driver's own setting"),
    ("dscp_to_colour", None, "there is no drop precedence"),
    ("rewrite", (), "the NIC does not rewrite marks"),
    ("watchdog", None, "Windows has no PFC watchdog"),
    ("cable", None, "no cmdlet takes a cable length: the driver sizes its buffers"),
)
_NIC_DROPPED = ("rdma_device", "default_tos", "forced_tos", "congestion_control", "cnp_dscp", "cnp_priority",
                "storm_timeout", "sets_ect", "manual_buffers", "reorders", "active_mtu", "next_boot")  # fmt: skip


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what the adapters of a host carry of a plan, ending with the derived values, and every change."""
    notes = _nic.Notes(device.name)
    ports = list(device.ports.values())
    lead = next((port for port in ports if _pauses(port.qos)), ports[0] if ports else None)
    fitted = []
    if lead is not None:
        host = _of_host(lead.qos, device.apps or (), notes)
        fitted = [_port(port, lead, host, notes) for port in ports]
    whole = carried(device, fitted, kind="host", complete=device.complete)
    return _effective.defaults(whole), tuple(notes.all)


def _pauses(qos: PortQos) -> bool:
    return qos.pfc is not None and qos.pfc.admin != "off" and bool(qos.pfc.tx)


def _of_host(qos: PortQos, apps: Iterable[App], notes: Any) -> PortQos:
    """Return what holds on every adapter: policies, PFC and traffic classes are the host's."""
    qos = replace(qos, defaulted=frozenset())
    if qos.trust != "pcp":
        notes.add("trust", "dropped" if qos.trust else "chosen", qos.trust or "left open", "pcp",
                  "Windows marks and sorts by the 802.1p priority; switches in front of it must trust PCP")  # fmt: skip
    _nic.note_dropped(qos, notes, _DROPPED)
    _maps.pcp_map(qos, notes)
    if qos.default_tc is not None and qos.default_tc > 7:
        notes.add("default_tc", "refused", qos.default_tc, "0 to 7", "the class of a NIC is the 802.1p priority")
        qos = replace(qos, default_tc=None)
    if any(group is not None for group in qos.priority_groups or ()):
        notes.add("priority_groups", "box-made", "headroom and thresholds", "the driver's own",
                  "no cmdlet sizes the receive buffers")  # fmt: skip
    pfc = None if qos.pfc is None else replace(qos.pfc, by=None)
    fitted = replace(
        qos, trust="pcp", dscp_to_tc=None, pcp_to_tc=None, dscp_to_colour=None, rewrite=None, watchdog=None, cable=None,
        pfc=_nic.fit_pfc(pfc, "pcp", notes), tc_to_pg=None, priority_to_pg=None, priority_groups=None,
        dcbx=_dcbx(qos.dcbx, notes), app_to_tc=_policies(qos, apps, notes),
    )  # fmt: skip
    return _queues(fitted, notes)


def _dcbx(dcbx: Dcbx | None, notes: Any) -> Dcbx:
    if dcbx == OS_OWNS:
        return OS_OWNS
    if dcbx is None:
        notes.add("dcbx", "chosen", "left open", "not willing",
                  "while the host is willing, Windows gives none of its settings to the adapters")  # fmt: skip
    else:
        notes.add("dcbx", "dropped", f"state {dcbx.state}, willing {dcbx.willing}", "not willing",
                  "Windows does not speak DCBX; a willing host takes the switch's settings, or none")  # fmt: skip
    return OS_OWNS


def _policies(qos: PortQos, apps: Iterable[App], notes: Any) -> tuple[tuple[str, int, int], ...]:
    """Return the policies: those of the applications, else those planned, else SMB Direct in the lossless class."""
    port = _view.limits()["smb_direct_port"]["value"]
    numbers = {"netdirect": port, "cluster": 0}
    wanted = {(selector, number): tc for selector, number, tc in qos.app_to_tc or () if selector in numbers}
    for selector, number, tc in qos.app_to_tc or ():
        if selector not in numbers:
            notes.add("app_to_tc", "dropped", f"{selector} {number} to {tc}", "nothing",
                      "only SMB Direct and cluster heartbeats have a policy here")  # fmt: skip
    for app in apps:
        of_app = _SELECTORS.get(app.name)
        if of_app is not None and app.sl is not None:
            wanted[(of_app, numbers[of_app])] = app.sl
    lossless = sorted(_maps.lossless_of(qos))
    if lossless and not any(selector == "netdirect" for selector, _ in wanted):
        wanted[("netdirect", port)] = lossless[0]
        notes.add("app_to_tc", "chosen", "left open", f"SMB Direct to priority {lossless[0]}",
                  "RDMA gets its priority from a policy only; SMB Direct (port 445) is Windows' own RDMA")  # fmt: skip
    return tuple(sorted((selector, number, tc) for (selector, number), tc in wanted.items()))


def _queues(qos: PortQos, notes: Any) -> PortQos:
    """Return traffic classes of whole percents; each is called by its lowest priority."""
    if qos.tc_to_queue is None and qos.queues is None:
        return qos
    stray = _maps.best_effort(qos)
    shaped = [
        number for number, queue in enumerate(qos.queues or ()) if queue and queue.shaper not in {None, UNLIMITED}
    ]
    if shaped:
        notes.add("queues.shaper", "dropped", f"a rate limit of queue {shaped[0]}", "nothing",
                  "a traffic class has a share, no limit")  # fmt: skip
    bare = [queue and replace(queue, shaper=None, rank=None) for queue in qos.queues or ()]
    made: PortQos = _maps.fit_queues(replace(qos, queues=tuple(bare) or None), stray, notes)
    table: tuple[int | None, ...] = made.tc_to_queue or ()
    queues = made.queues or ()
    label = {number: min(p for p in range(8) if table[p] == number) for number in table[:8] if number is not None}
    if any(number != to for number, to in label.items()):
        shown = ", ".join(f"{number} as {to}" for number, to in sorted(label.items()) if number != to)
        notes.add("tc_to_queue", "box-made", shown, "by priority", "Windows numbers its traffic classes by itself")
    default = table[qos.default_tc if qos.default_tc is not None and qos.default_tc < 8 else 0]
    kept: dict[int, Queue] = {}
    for number, to in label.items():
        queue = queues[number] or Queue()
        if number == default and queue.scheduler == "strict":
            notes.add(f"queues.{number}.scheduler", "refused", "strict", "weighted",
                      "the default class of Windows is an ETS class with what the others leave")  # fmt: skip
        if queue.scheduler == "strict":
            kept[to] = Queue(scheduler="strict")
        else:
            kept[to] = Queue("weighted", None, queue.weight, "percent-of-rest")
    most = _view.limits()["traffic_classes"]["most"]
    if len(kept) - 1 > most:
        notes.add("queues", "refused", f"{len(kept)} classes", f"{most} beside the default one", "Windows has no more")
    labels = (label.get(number) if number is not None else None for number in table[:8])
    return replace(made, tc_to_queue=(*labels, *(None,) * 8), priority_to_queue=None, queues=eight(kept))


def _port(port: Port, lead: Port, host: PortQos, notes: Any) -> Port:
    notes.object = port.name
    names = _view.limits()["names"]
    if re.fullmatch(names["pattern"], port.name) is None:
        notes.add("name", "refused", repr(port.name), "not rendered",
                  "only letters, digits, blanks and _.:/#()+- of an adapter's name are put into a script")  # fmt: skip
    mtu, counts = _nic.fit_mtu(port, notes, _view.limits()["mtu"]["range"])
    pause = _pause(port.qos.link_pause, notes)
    qos = replace(host, link_pause=pause)
    if not _pauses(port.qos) and _pauses(lead.qos):
        off = Pfc(admin="off", tx=frozenset(), rx=frozenset())
        qos = replace(qos, pfc=off, tc_to_queue=None, queues=None, priority_to_queue=None)
    elif _own(port.qos) != _own(lead.qos):
        notes.add("pfc", "equalised", "settings of its own", f"those of {lead.name}",
                  "policies, PFC and traffic classes belong to the whole host")  # fmt: skip
    return replace(port, qos=qos, mtu=mtu, mtu_counts=counts, nic=_fit_nic(port.nic, notes))


def _own(qos: PortQos) -> tuple[object, ...]:
    pfc = None if qos.pfc is None else (qos.pfc.admin, qos.pfc.tx, qos.pfc.rx)
    return (pfc, qos.queues, qos.tc_to_queue, qos.default_tc, qos.app_to_tc)


def _pause(pause: LinkPause | None, notes: Any) -> LinkPause | None:
    if pause is None or (pause.rx is None and pause.tx is None):
        return None
    if pause.rx is None or pause.tx is None:
        notes.add("link_pause", "chosen", "one direction left open", "off", "one property holds both directions")
    return LinkPause(rx=bool(pause.rx), tx=bool(pause.tx))


def _fit_nic(nic: Nic | None, notes: Any) -> Nic | None:
    if nic is None:
        return None
    gone = [name for name in _NIC_DROPPED if getattr(nic, name) is not None]
    for name in gone:
        notes.add(f"nic.{name}", "dropped", _shown(getattr(nic, name)), "nothing",
                  "no cmdlet of Windows says it; the NIC's own driver tool may")  # fmt: skip
    return replace(nic, **dict.fromkeys(gone))


def _shown(value: object) -> str:
    return str(getattr(value, "algorithm", None) or value)[:60]
