"""What an ionic port carries of a plan, and every change with its reason."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import UNLIMITED, LinkPause, PortQos, Queue, eight
from rocecfg.vendor.manifest import read_yaml

if TYPE_CHECKING:
    from rocecfg.state.model import Device, Nic, Port
    from rocecfg.vendor.api import Adjustment
    from vendors.nic.linux.fit import Notes

_HERE = Path(__file__)
_LINUX = _HERE.parents[1] / "linux"
_effective = load_module(_HERE.with_name("effective.py"))
_fit = load_module(_LINUX / "fit.py")
_fit_nic = load_module(_LINUX / "fit_nic.py")
_fit_qos = load_module(_LINUX / "fit_qos.py")
_maps = load_module(_LINUX / "fit_maps.py")
_GIGABIT = 1_000_000_000
_RDMA_CM = "RDMA-CM is reported as unsupported: applications say their ToS by verbs (NCCL_IB_TC)"


@lru_cache(maxsize=1)
def limits() -> dict[str, Any]:
    """Return `limits.yaml`."""
    return read_yaml(_HERE.with_name("limits.yaml"))


def _nic(nic: Nic | None, _: PortQos, notes: Notes) -> Nic | None:
    side = _fit_nic.RdmaSide(
        limits(),
        no_tos=_RDMA_CM,
        no_roce_version=_RDMA_CM,
        no_cnp_priority="a CNP takes the priority that the DSCP map gives its DSCP",
        no_storm_timeout="the NIC has no documented pause storm timeout",
        no_parameters="AMD's DCQCN has numbers of its own, whose ranges nobody documents",
    )
    if nic is not None and nic.congestion_control is not None and nic.congestion_control.algorithm == "none":
        notes.add("nic.congestion_control", "dropped", "none", "nothing", "no documented word turns DCQCN off")
        nic = replace(nic, congestion_control=None)
    fitted: Nic | None = _fit_nic.fit_nic(nic, notes, side)
    return fitted


_DROPPED = (
    *_fit_qos.NO_WORD[:-1],
    ("watchdog", None, "no PFC watchdog here"),
    ("app_to_tc", (), "nicctl maps DSCPs only"),
)


@lru_cache(maxsize=1)
def _carries() -> Any:
    return _fit_qos.Carries(
        limits(),
        _nic,
        no_cable="nicctl shows the cable and takes no length: the NIC keeps the headroom",
        no_buffers="nicctl shows the headroom and has no word that sets it",
        dropped=_DROPPED,
    )


def _port(port: Port, notes: Notes) -> Port:
    qos = port.qos
    trust = qos.trust or ("dscp" if qos.dscp_to_tc is not None else None)
    if trust == "dscp":
        qos = replace(qos, trust=trust)
    dcbx = qos.dcbx
    if dcbx is not None and dcbx.owners not in {None, frozenset({"os"})}:
        notes.add("dcbx.owners", "refused", ", ".join(sorted(dcbx.owners or ())), "os", "the NIC has no DCBX agent")
    elif dcbx is not None and (dcbx.willing or dcbx.state in {"auto", "ieee", "cee"}):
        notes.add("dcbx", "dropped", f"state {dcbx.state}, willing {dcbx.willing}", "nothing", "the NIC has no DCBX")
    fitted: Port = _fit_qos.fit_port(
        replace(port, qos=replace(qos, dcbx=_fit_qos.HOST_OWNS)), notes, _carries(), classes=_classes
    )
    return replace(fitted, qos=_pause(replace(fitted.qos, dcbx=None), notes))


def _pause(qos: PortQos, notes: Notes) -> PortQos:
    """Return a port of the pause type "pfc", the one that is documented."""
    pause = qos.link_pause
    if pause is not None and (pause.rx or pause.tx):
        notes.add("link_pause", "refused", "802.3x pause", "PFC", "no other pause type than pfc is documented")
    pfc = qos.pfc is not None and qos.pfc.admin == "on"
    if not pfc and pause is not None and not (pause.rx or pause.tx):
        notes.add("link_pause", "dropped", "off", "nothing", "without PFC no documented pause type says it")
    return replace(qos, link_pause=LinkPause(rx=False, tx=False) if pfc else None)


def _classes(qos: PortQos, stray: int, notes: Notes) -> PortQos:
    """Return maps and queues as the NIC has them: a queue for each priority that a DSCP leads to."""
    codes = _maps.dscp_map(qos, stray, notes)
    planned = [tc for tc, queue in enumerate((qos.tc_to_queue or ())[:8]) if queue is not None]
    used = {tc for tc in codes.to if tc is not None} if codes is not None else {*planned, stray}
    if qos.tc_to_queue is None and qos.queues is None:
        return replace(qos, dscp_to_tc=codes, tc_to_queue=None)
    queues, spread = {}, []
    for tc in sorted(used):
        number = qos.tc_to_queue[tc] if qos.tc_to_queue is not None and tc < len(qos.tc_to_queue) else tc
        queues[tc] = (qos.queue(number) if number is not None else None) or Queue()
        if number not in {None, tc}:
            spread.append(f"priority {tc} from queue {number}")
    if spread:
        notes.add("tc_to_queue", "quantised", ", ".join(spread), "a queue of its own number",
                  "nicctl schedules priorities: there is no map from them to queues")  # fmt: skip
    return replace(
        qos, dscp_to_tc=codes, tc_to_queue=None, priority_to_queue=None, queues=_schedulers(qos, queues, notes)
    )


def _schedulers(qos: PortQos, queues: dict[int, Queue], notes: Notes) -> tuple[Queue | None, ...]:
    for number, queue in enumerate(qos.queues or ()):
        if queue is not None and queue not in queues.values() and queue.scheduler is not None:
            notes.add(f"queues.{number}", "dropped", queue.scheduler, "nothing", "no DSCP leads to it")
    _maps.note_marking(qos, notes)
    weighted = {number: queue for number, queue in queues.items() if queue.scheduler != "strict"}
    fitted = {
        number: Queue("weighted", weight=share, weight_kind="percent-of-rest")
        for number, share in _maps.shares(weighted, notes).items()
    }
    for number, queue in weighted.items():
        if queue.shaper not in {None, UNLIMITED}:
            notes.add(f"queues.{number}.shaper", "dropped", f"{queue.shaper} bit/s", "nothing",
                      "a rate limit is documented for strict priorities only")  # fmt: skip
    strict = sorted((number for number in queues if number not in weighted), reverse=True)
    for number in strict:
        fitted[number] = Queue("strict", strict.index(number) + 1, shaper=_rate(number, queues[number].shaper, notes))
        planned = queues[number].rank
        if planned is not None and planned != strict.index(number) + 1 and len(strict) > 1:
            notes.add(f"queues.{number}.rank", "box-made", planned, strict.index(number) + 1,
                      "no input orders strict priorities")  # fmt: skip
    return eight(fitted)


def _rate(number: int, shaper: int | None, notes: Notes) -> int:
    """Return the rate limit of a strict priority: the NIC refuses one without."""
    if shaper is None or shaper == UNLIMITED:
        default = limits()["strict_rate_gbps"]["default"]
        notes.add(f"queues.{number}.shaper", "chosen", "without a limit", f"{default} Gb/s",
                  "the NIC takes no strict priority without a limit: AMD's guide sets 10 Gb/s")  # fmt: skip
        return int(default) * _GIGABIT
    fitted = max(-(-shaper // _GIGABIT), 1) * _GIGABIT
    if fitted != shaper:
        notes.add(
            f"queues.{number}.shaper", "quantised", f"{shaper} bit/s", f"{fitted} bit/s", "whole Gb/s, rounded up"
        )
    return fitted


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what the NIC ports of a host carry of a plan, ending with the derived values, and every change."""
    fitted: tuple[Device, tuple[Adjustment, ...]] = _fit.fit(device, _port, _effective.defaults)
    kinds = {port.qos.trust for port in fitted[0].ports.values()} - {None}
    if len(kinds) > 1:
        notes = _fit.Notes(device.name)
        notes.add("trust", "refused", "dscp and pcp", "one of the two on all ports",
                  "nicctl's classification type is documented for all ports at once")  # fmt: skip
        return fitted[0], (*fitted[1], *notes.all)
    return fitted
