"""Turns a plan into what NVUE can carry, and says what changed and why."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import (
    Device,
    Lag,
    Pool,
    Port,
    PortQos,
    PortWatchdog,
    Queue,
    distinct_qos,
)
from rocecfg.vendor.changes import Steps
from rocecfg.vendor.fitting import carried
from rocecfg.vendor.manifest import read_yaml

if TYPE_CHECKING:
    from rocecfg.vendor.api import Adjustment, Kind

_HERE = Path(__file__)
profiles = load_module(_HERE.with_name("profiles.py"))
defaults = load_module(_HERE.with_name("defaults.py"))
fit_port = load_module(_HERE.with_name("fit_port.py"))
fit_buffers = load_module(_HERE.with_name("fit_buffers.py"))

_NAME = re.compile(r"swp[0-9]{1,3}(?:s[0-9]{1,2})?|[A-Za-z][A-Za-z0-9_-]{0,14}")

_HEADERS = {"ip": 0, "l2": 14, "l2+fcs": 18}


@lru_cache(maxsize=1)
def limits() -> dict[str, Any]:
    """Return `limits.yaml`."""
    return read_yaml(_HERE.with_name("limits.yaml"))


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what NVUE can carry of a planned device, with defaults, and every change. Idempotent."""
    work = _Fit(device)
    work.names()
    work.lags()
    work.ports()
    work.queue_map()
    work.watchdog()
    fit_buffers.shares(work)
    fit_buffers.pools(work)
    work.schedulers()
    return work.result(), tuple(work.log.changes)


class _Fit(Steps):
    """The plan on its way; each step settles one subject for the whole device."""

    def __init__(self, device: Device) -> None:
        super().__init__(device)
        self.planned_pools: tuple[Pool, ...] | None = device.pools
        self.limits = limits()
        self._lags = device.lags

    def names(self) -> None:
        """Interface names and MTUs."""
        bounds = limits()["ranges"]["mtu"]
        changed: dict[tuple[int, Any, int], list[Port]] = {}
        for name, port in self.by_name.items():
            if not _NAME.fullmatch(name):
                self.note(
                    name, "name", name, name, "refused", "NVUE names ports swp1, swp1s0 or by a short word (bond1)"
                )
            if port.mtu is None:
                self.by_name[name] = replace(port, nic=None, mtu_counts=None)
                continue
            counts = port.mtu_counts or "ip"
            mtu = min(max(port.mtu - _HEADERS[counts], bounds["from"]), bounds["to"])
            if mtu != port.mtu:
                changed.setdefault((port.mtu, counts, mtu), []).append(port)
            self.by_name[name] = replace(port, nic=None, mtu=mtu, mtu_counts="ip")
        for (wanted, said, got), ports in changed.items():
            self.note(
                profiles.label(ports),
                "mtu",
                f"{wanted} bytes ({said})",
                f"{got} bytes (ip)",
                "quantised",
                f"`link mtu` counts the IP packet without Ethernet header, {bounds['from']} to {bounds['to']}",
            )

    def lags(self) -> None:
        """Members carry the QoS of their bond: NVUE refuses it on the members."""
        members: dict[str, list[str]] = {lag.name: list(lag.members) for lag in self._lags or ()}
        for name, port in self.by_name.items():
            if port.lag is not None and name not in members.setdefault(port.lag, []):
                members[port.lag].append(name)
        for bond, names in members.items():
            for name in names:
                if name not in self.by_name:
                    known = self.by_name.get(bond) or Port(name)
                    self.by_name[name] = replace(known, name=name, mtu=None, mtu_counts=None)
            if bond not in self.by_name and names:
                first = self.by_name[names[0]]
                self.by_name[bond] = Port(bond, qos=first.qos, role=first.role)
            for name in names:
                own, of_bond = self.by_name[name], self.by_name[bond].qos
                shared = replace(of_bond, watchdog=own.qos.watchdog)
                if shared != own.qos:
                    self.note(name, "qos", "its own", f"that of {bond}", "equalised", "NVUE takes QoS on the bond only")
                self.by_name[name] = replace(own, lag=bond, qos=shared)
        self._lags = tuple(Lag(bond, tuple(names)) for bond, names in members.items()) or self._lags

    def ports(self) -> None:
        """Everything that each port may have for itself."""

        def change(qos: PortQos, ports: list[Port]) -> PortQos:
            where = profiles.label(ports)
            fitted: PortQos = fit_port.fit_port(
                qos, lambda *what: self.note(where, *what), limits(), self.device.os_version or ""
            )
            return fitted

        self.each(change)

    def queue_map(self) -> None:
        """One map from switch priority to queue for the device; open classes ride with best effort."""
        planned = [qos for qos, _ in distinct_qos(self.now())]
        if not any(qos.tc_to_queue for qos in planned):
            return
        lossless = frozenset[int]().union(*(fit_port.lossless_of(qos) for qos in planned))
        merged: dict[int, int] = {}
        for qos in planned:
            for tc, queue in enumerate(qos.tc_to_queue or ()):
                if queue is None:
                    continue
                if tc > 7 or queue > 7 or merged.setdefault(tc, queue) != queue:
                    self.note(
                        "",
                        f"tc_to_queue.{tc}",
                        queue,
                        merged.get(tc),
                        "refused",
                        "NVUE has one map of eight switch priorities to eight queues for the whole switch",
                    )
        best = merged.get(0, 0)
        taken = {merged.get(tc, tc) for tc in lossless}
        opened = [tc for tc in range(8) if tc not in merged]
        for tc in opened:
            merged[tc] = best if tc not in lossless and best not in taken else tc
        if opened:
            self.note(
                "",
                "tc_to_queue",
                "open",
                f"classes {', '.join(map(str, opened))} in queue {best}",
                "chosen",
                "an unused class in a queue of its own would have no share; the RoCE mode does the same",
            )
        for tc, queue in merged.items():
            if tc not in lossless and queue in taken:
                self.note(
                    "",
                    f"tc_to_queue.{tc}",
                    queue,
                    queue,
                    "refused",
                    f"queue {queue} is lossless, class {tc} is not",
                )
        full = tuple(merged.get(tc) for tc in range(16))

        def change(qos: PortQos, ports: list[Port]) -> PortQos:
            for priority, queues in enumerate(qos.priority_to_queue or ()):
                if queues is not None and priority in lossless and queues != frozenset({full[priority]}):
                    self.note(
                        profiles.label(ports),
                        f"priority_to_queue.{priority}",
                        sorted(queues),
                        full[priority],
                        "refused",
                        "a PFC frame stops the queue its switch priority is mapped to",
                    )
            return replace(qos, tc_to_queue=full, priority_to_queue=None)

        self.each(change)

    def watchdog(self) -> None:
        """One poll interval and one number of polls for the device."""
        bounds = limits()["ranges"]
        armed = [q.watchdog for q, _ in distinct_qos(self.now()) if q.watchdog and q.watchdog.enabled]
        poll = max([defaults.POLL if not armed else 0, *(dog.poll or defaults.POLL for dog in armed)])
        poll = min(max(poll, bounds["watchdog_poll"]["from"]), bounds["watchdog_poll"]["to"])
        detect = max([0, *(dog.detect or 0 for dog in armed)]) or poll * defaults.ROBUSTNESS
        detect = min(max(math.ceil(detect / poll), 1), bounds["watchdog_robustness"]["to"]) * poll

        def change(qos: PortQos, ports: list[Port]) -> PortQos:
            own = qos.watchdog
            on = bool(own is not None and own.enabled)
            lossless = fit_port.lossless_of(qos)
            where = profiles.label(ports)
            if on and not lossless and not (qos.link_pause and (qos.link_pause.rx or qos.link_pause.tx)):
                self.note(where, "watchdog", "on", "off", "dropped", "the watchdog needs PFC or link pause on the port")
                on = False
            got = PortWatchdog(on, lossless if on else frozenset(), poll, detect, poll, "ignore-pause")
            if on and own is not None:
                self._watchdog_changes(where, own, got)
            return replace(qos, watchdog=got)

        self.each(change)

    def _watchdog_changes(self, where: str, own: PortWatchdog, got: PortWatchdog) -> None:
        reasons: dict[str, tuple[Kind, str]] = {
            "poll": ("equalised", "one polling interval of 100 to 5000 ms for the switch"),
            "detect": ("quantised", "a whole number of polls, the same on all ports"),
            "restore": ("box-made", "the watchdog restores after one poll without pause"),
            "action": ("box-made", "the queue stops honouring pause and drops new packets; nothing else is offered"),
            "priorities": ("box-made", "it watches every priority with PFC"),
        }
        for field, (kind, because) in reasons.items():
            wanted, made = getattr(own, field), getattr(got, field)
            if wanted is not None and wanted != made:
                shown = [
                    ", ".join(map(str, sorted(value))) if isinstance(value, frozenset) else value
                    for value in (wanted, made)
                ]
                unit = " ms" if field in {"poll", "detect", "restore"} else ""
                self.note(where, f"watchdog.{field}", f"{shown[0]}{unit}", f"{shown[1]}{unit}", kind, because)

    def schedulers(self) -> None:
        """Give weight 0 to a queue that a scheduler profile leaves out, as the switch does."""

        def change(qos: PortQos, _: list[Port]) -> PortQos:
            if not profiles.scheduling(qos):
                return qos
            queues = tuple(
                replace(queue or Queue(), scheduler="weighted", weight=0, weight_kind="percent-of-rest")
                if queue is None or queue.scheduler is None
                else queue
                for queue in qos.queues or (None,) * 8
            )
            return replace(qos, queues=queues)

        self.each(change)

    def result(self) -> Device:
        """Return the fitted device with the system's defaults."""
        device = self.device
        for field, off in (("pfc_enabled", "PFC"), ("ecn_enabled", "ECN")):
            if getattr(device, field) is False:
                self.note("", field, "off", "no such switch", "refused", f"NVUE has no switch that turns all {off} off")
        if device.ecn_on_pool is not None:
            self.note("", "ecn_on_pool", "stated", "none", "dropped", "NVUE marks by queue, not by the pool's fill")
        if device.traffic is not None:
            self.note(
                "",
                "traffic",
                device.traffic,
                "none",
                "box-made",
                "the switch sizes headroom by cable length alone",
            )
        by_name = {lag.name: lag.members for lag in self._lags or ()}
        for bond, members in by_name.items():
            dogs = [self.by_name[member].qos.watchdog for member in members]
            if bond in self.by_name and dogs:
                first = next((dog for dog in dogs if not (dog and dog.enabled)), dogs[0])
                port = self.by_name[bond]
                self.by_name[bond] = replace(port, qos=replace(port.qos, watchdog=first))
        fitted = carried(
            device,
            self.by_name.values(),
            pools=self.planned_pools,
            buffer_model="dynamic",
            lags=self._lags,
        )
        done: Device = defaults.defaults(fitted)
        return done
