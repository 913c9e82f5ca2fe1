"""Turns a plan into what SR Linux (7220) can carry, and says what changed and why."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Device, Lag, Port, PortQos, distinct_qos
from rocecfg.vendor.changes import Steps
from rocecfg.vendor.fitting import carried
from rocecfg.vendor.manifest import read_yaml

if TYPE_CHECKING:
    from rocecfg.vendor.api import Adjustment

_HERE = Path(__file__)
defaults: Any = load_module(_HERE.with_name("defaults.py"))
fit_port: Any = load_module(_HERE.with_name("fit_port.py"))
fit_buffers: Any = load_module(_HERE.with_name("fit_buffers.py"))
build: Any = load_module(_HERE.with_name("build.py"))

_NAME = re.compile(r"ethernet-[0-9]{1,2}/[0-9]{1,3}(?:/[0-9]{1,2})?|lag[0-9]{1,3}")
_TO_L2 = {"ip": 14, "l2": 0, "l2+fcs": -4}
"""Bytes to add to an MTU to make it one of the frame without FCS."""


@lru_cache(maxsize=1)
def limits() -> dict[str, Any]:
    """Return `limits.yaml`."""
    return read_yaml(_HERE.with_name("limits.yaml"))


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what SR Linux can carry of a planned device, with defaults, and every change. Idempotent."""
    work = _Fit(device)
    work.model()
    work.names()
    work.lags()
    work.ports()
    work.classes()
    fit_buffers.pools(work)
    fit_buffers.pause_points(work)
    fit_buffers.queue_sizes(work)
    return work.result(), tuple(work.log.changes)


class _Fit(Steps):
    """The plan on its way; each step settles one subject for the whole device."""

    def __init__(self, device: Device) -> None:
        super().__init__(device)
        self.pools = device.pools
        self.limits = limits()
        self._lags = device.lags

    def model(self) -> None:
        """Refuse the 7250: which priority it sends for a PFC queue, its books do not say."""
        model = self.device.model or ""
        if "7250" in model:
            because = "only the 7220 is rendered: how a 7250 chooses the priority it sends is not documented"
            self.note("", "model", model, model, "refused", because)

    def names(self) -> None:
        """Interface names and MTUs."""
        bounds = self.limits["ranges"]["mtu"]
        changed: dict[tuple[int, Any, int], list[Port]] = {}
        for name, port in self.by_name.items():
            if not _NAME.fullmatch(name):
                because = "SR Linux names ports ethernet-1/1, ethernet-1/1/1 and lag1"
                self.note(name, "name", name, name, "refused", because)
            if port.mtu is None:
                self.by_name[name] = replace(port, nic=None, mtu_counts=None)
                continue
            counts = port.mtu_counts or "l2"
            mtu = min(max(port.mtu + _TO_L2[counts], bounds["from"]), bounds["to"])
            if mtu != port.mtu or counts != "l2":
                changed.setdefault((port.mtu, counts, mtu), []).append(port)
            self.by_name[name] = replace(port, nic=None, mtu=mtu, mtu_counts="l2")
        for (wanted, said, got), ports in changed.items():
            because = f"`mtu` counts the frame without FCS, {bounds['from']} to {bounds['to']}"
            self.note(label(ports), "mtu", f"{wanted} bytes ({said})", f"{got} bytes (l2)", "quantised", because)

    def lags(self) -> None:
        """Members carry the QoS of their LAG: the model refuses it on the members."""
        members: dict[str, list[str]] = {lag.name: list(lag.members) for lag in self._lags or ()}
        for name, port in self.by_name.items():
            if port.lag is not None and name not in members.setdefault(port.lag, []):
                members[port.lag].append(name)
        for lag, names in members.items():
            for name in names:
                if name not in self.by_name:
                    known = self.by_name.get(lag) or Port(name)
                    self.by_name[name] = replace(known, name=name)
            if lag not in self.by_name and names:
                first = self.by_name[names[0]]
                self.by_name[lag] = replace(first, name=lag, lag=None, place=None, places={}, neighbour=None)
                if not _NAME.fullmatch(lag):
                    self.note(lag, "name", lag, lag, "refused", "SR Linux names LAGs lag1, lag2")
            for name in names:
                own, of_lag = self.by_name[name], self.by_name[lag].qos
                if of_lag != own.qos:
                    self.note(name, "qos", "its own", f"that of {lag}", "equalised", "QoS is taken on the LAG only")
                self.by_name[name] = replace(own, lag=lag, qos=of_lag)
        self._lags = tuple(Lag(lag, tuple(names)) for lag, names in members.items()) or self._lags

    def ports(self) -> None:
        """Everything that each port may have for itself."""

        def change(qos: PortQos, ports: list[Port]) -> PortQos:
            where = label(ports)
            fitted: PortQos = fit_port.fit_port(qos, lambda *what: self.note(where, *what), self.limits)
            return fitted

        self.each(change)

    def classes(self) -> None:
        """One map from forwarding class to queue for the device."""
        merged: dict[int, int] = {}
        for qos, _ in distinct_qos(self.now()):
            for tc, queue in enumerate(qos.tc_to_queue or ()):
                if queue is None:
                    continue
                known = merged.setdefault(tc, queue)
                if known != queue or tc > 7 or queue > 7:
                    because = "one map of eight forwarding classes to eight queues for the whole switch"
                    self.note("", f"tc_to_queue.{tc}", queue, known, "refused", because)
        if merged:
            full = tuple(merged.get(tc, tc if tc < 8 else None) for tc in range(16))
            self.each(lambda qos, _: replace(qos, tc_to_queue=full))

    def result(self) -> Device:
        """Return the fitted device with the system's defaults."""
        device = self.device
        if device.pfc_enabled is False:
            self.note("", "pfc_enabled", "off", "no such switch", "refused", "no switch turns all PFC off")
        if device.ecn_on_pool is not None:
            self.note("", "ecn_on_pool", "stated", "none", "dropped", "marking is by queue, not by the pool's fill")
        if device.traffic is not None:
            self.note("", "traffic", device.traffic, "none", "dropped", "headroom is stated, not worked out")
        marks = any(
            queue is not None and queue.ecn is not None and queue.ecn.curves
            for qos, _ in distinct_qos(self.now())
            for queue in qos.queues or ()
        )
        if device.ecn_enabled is False and marks:
            self.note("", "ecn_enabled", "off", "on", "refused", "the plan marks on queues and turns marking off")
        fitted = carried(
            device,
            self.by_name.values(),
            ecn_enabled=marks,
            pools=self.pools,
            buffer_model="stated",
            lags=self._lags,
        )
        done: Device = defaults.defaults(fitted)
        self._profiles(done)
        return done

    def _profiles(self, fitted: Device) -> None:
        """Refuse more kinds of ports than the switch has profiles for."""
        config, ranges = build.build(fitted), self.limits["ranges"]
        for what, made, of in (
            ("pfc-mapping-profile", config.mappings, "pfc_mapping_profiles"),
            ("buffer-allocation-profile", config.allocations, "buffer_profiles"),
            ("queue-management-profile", config.managements, "buffer_profiles"),
        ):
            most = ranges[of]["to"]
            if len(made) > most:
                because = f"a switch has {most} entries of {what}: let more ports be alike"
                self.note("", what, len(made), most, "refused", because)


def label(ports: list[Port]) -> str:
    """Return the names of ports as an adjustment gives them."""
    return ", ".join(port.name for port in ports)
