"""What a NIC port has beyond a switch port: marking of its own packets, DCQCN, CNP, storm prevention."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocecfg.physics import dcqcn
from rocecfg.state.model import CongestionControl, Nic

if TYPE_CHECKING:
    from rocecfg.intent.fabric import FabricClass
    from rocecfg.intent.settings import Setting, Settings
    from rocecfg.plan.classes import PlannedClass

ECT_0 = 2
"""The ECN bits of "ECN-capable" in a ToS byte (RFC 3168)."""
STORM_TIMEOUT_MS = 100
"""Guo et al., SIGCOMM 2016: the NIC stops pausing by itself after 100 ms."""


def plan_nic(settings: Settings, classes: tuple[PlannedClass, ...], model: str | None) -> tuple[Nic, dict[str, str]]:
    """Return the NIC part of a host port, and why, by leaf path."""
    why: dict[str, str] = {}
    roce = next((item.of for item in classes if item.of.kind == "roce" and item.of.dscp), None)
    cnp = next((item.of for item in classes if item.of.kind == "cnp" and item.of.dscp), None)
    priorities = frozenset(item.of.priority for item in classes if item.of.reacts)
    control = settings.congestion_control.or_else("dcqcn")
    tos = None
    if roce is not None:
        tos = roce.dscp[0] * 4 + ECT_0
        why["nic.default_tos"] = f"DSCP {roce.dscp[0]} x 4 + 2: {whose(roce, 'dscp')}, ECN-capable (ECT(0))"
    cnp_dscp = settings.host_cnp_dscp.value
    why["nic.cnp_dscp"] = settings.host_cnp_dscp.because
    if cnp_dscp is None and cnp is not None:
        cnp_dscp, why["nic.cnp_dscp"] = cnp.dscp[0], f"{whose(cnp, 'dscp')}: the switches put this DSCP in its queue"
    cnp_priority = settings.host_cnp_priority.value
    why["nic.cnp_priority"] = settings.host_cnp_priority.because
    if cnp_priority is None and cnp is not None:
        cnp_priority, why["nic.cnp_priority"] = cnp.priority, whose(cnp, "priority")
    timeout = settings.host_pause_storm_timeout.value
    why["nic.storm_timeout"] = settings.host_pause_storm_timeout.because or (
        "the NIC must end its own pause before the switch watchdog has to (SIGCOMM 2016: 100 ms)"
    )
    parameters = _parameters(settings, why) if control == "dcqcn" else ()
    if control == "dcqcn":
        why["nic.congestion_control"] = f"DCQCN on the priorities of RoCE, {', '.join(map(str, sorted(priorities)))}"
    nic = Nic(
        model=model,
        rdma_device=settings.host_rdma_device.value,
        roce_version=settings.host_roce_version.or_else("v2"),  # type: ignore[arg-type]
        default_tos=tos,
        congestion_control=CongestionControl("dcqcn", receives=priorities, reacts=priorities, parameters=parameters)
        if control == "dcqcn"
        else None,
        cnp_dscp=cnp_dscp,
        cnp_priority=cnp_priority,
        storm_timeout=STORM_TIMEOUT_MS if timeout is None else -(-timeout // 1_000_000),
    )
    why["nic.roce_version"] = settings.host_roce_version.because or "v2 carries an IP header and with it a DSCP"
    return nic, why


def stated_of_nic(settings: Settings) -> frozenset[str]:
    """Return the leaf paths of the NIC that the intent states."""
    leaves: dict[str, Setting[Any]] = {
        "nic.rdma_device": settings.host_rdma_device,
        "nic.roce_version": settings.host_roce_version,
        "nic.cnp_dscp": settings.host_cnp_dscp,
        "nic.cnp_priority": settings.host_cnp_priority,
        "nic.storm_timeout": settings.host_pause_storm_timeout,
        "nic.congestion_control.min_time_between_cnps": settings.host_cnp_interval,
    }
    return frozenset(leaf for leaf, setting in leaves.items() if setting.value is not None)


def whose(item: FabricClass, key: str) -> str:
    """Return the class a number is of, and the preset where that gives it."""
    origin = item.origins.get(key)
    return f"class {item.name} ({origin})" if origin else f"class {item.name}"


def _parameters(settings: Settings, why: dict[str, str]) -> tuple[tuple[str, int], ...]:
    """Return the DCQCN numbers that shape the reaction, explicit so that another value is drift, and why, by leaf."""
    known = dict(dcqcn.parameters())
    values = {name: int(known[name].value) for name in dcqcn.PLANNED}
    why.update({f"nic.dcqcn.{name}": known[name].because for name in values})
    interval = settings.host_cnp_interval
    if interval.value is not None:
        values["min_time_between_cnps"] = -(-interval.value // 1000)
        why["nic.dcqcn.min_time_between_cnps"] = interval.because
    return tuple(sorted(values.items()))
