"""What CONFIG_DB can carry of a planned device: the device-wide decisions, and every change said."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Amount, Device, Dynamic, Pool
from rocecfg.vendor.api import Adjustment
from rocecfg.vendor.fitting import carried

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.state.model import Port, PortQos
    from rocecfg.vendor.api import Kind

_HERE = Path(__file__)
effective: Any = load_module(_HERE.with_name("effective.py"))
family: Any = load_module(_HERE.with_name("family.py"))
fit_port: Any = load_module(_HERE.with_name("fit_port.py"))

_PORT_NAME = re.compile(r"(Ethernet|Ethernet-[A-Za-z]+|Eth|PortChannel)[0-9][0-9/]*")
_ETHERNET = {"ip": 0, None: 0, "l2": 14, "l2+fcs": 18}
"""Bytes an MTU counts beyond the IP packet."""


class Notes:
    """Collects adjustments by port; ports that share their settings share their changes."""

    def __init__(self, device: Device) -> None:
        self._name = device.name
        self._found: dict[str, dict[tuple[str, str, str, Kind, str], None]] = {"": {}}
        self.port = ""

    def say(self, field: str, wanted: object, got: object, kind: Kind, because: str) -> None:
        """Note a change on the current port, or on the device when no port is current."""
        self._found.setdefault(self.port, {})[field, str(wanted), str(got), kind, because] = None

    def also(self, port: str, like: str) -> None:
        """Note that a port's settings change in all the ways another port's did."""
        self._found[port] = {change: None for change in self._found.get(like, {}) if change[0] != "mtu"}

    def all(self) -> tuple[Adjustment, ...]:
        """Return every adjustment: the device's, then port by port."""
        return tuple(
            Adjustment(self._name, port, *change) for port, changes in self._found.items() for change in changes
        )


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return the device as CONFIG_DB carries it, ending with SONiC's defaults, and the adjustments."""
    notes = Notes(device)
    sku = family.family_of(device)
    plan = _Plan(device, sku, notes)
    fitted: dict[int, tuple[PortQos, str]] = {}
    ports = []
    for port in device.ports.values():
        notes.port = port.name
        known = fitted.get(id(port.qos))
        if known is None:
            known = fitted[id(port.qos)] = (fit_port.fit_qos(port.qos, plan), port.name)
        else:
            notes.also(port.name, known[1])
        ports.append(_fit_port(replace(port, qos=known[0]), notes))
    for name in device.ports:
        if _PORT_NAME.fullmatch(name) is None:  # it becomes a key of the database and a word of a root's script
            notes.port = name
            notes.say("name", name, "not rendered", "refused", "SONiC names ports Ethernet0 or PortChannel0001")
    notes.port = ""
    _say_switches(device, notes)
    traffic, pools = plan.traffic(), plan.pools()
    model: Any = "dynamic" if sku.dynamic else "table"
    complete = proved(ports, pools)
    result = carried(
        device,
        ports,
        pools=pools,
        buffer_model=model if sku.dynamic or "buffers" in complete else None,
        traffic=traffic,
        complete=complete,
    )
    filled: Device = effective.defaults(result, planned=True)
    return filled, notes.all()


def proved(ports: Iterable[Port], pools: object) -> frozenset[str]:
    """Return the sections whose absence proves something in the dump we render."""
    found = {"qos", "maps", "queues"}
    for port in ports:
        qos = port.qos
        if qos.cable is not None or (qos.priority_groups is not None and any(qos.priority_groups)):
            found.add("buffers")
        if qos.watchdog is not None and qos.watchdog.detect is not None:
            found.add("watchdog")
    if pools is not None:
        found.add("buffers")
    return frozenset(found)


def _say_switches(device: Device, notes: Notes) -> None:
    """Switches for the whole device, which SONiC does not have."""
    for field, word, wanted in (("pfc_enabled", "PFC", device.pfc_enabled), ("ecn_enabled", "ECN", device.ecn_enabled)):
        if wanted is False:
            why = f"SONiC has no device-wide switch for {word}: take it off the ports instead"
            notes.say(field, "off", "not expressed", "refused", why)
    if device.ecn_on_pool is not None:
        notes.say("ecn_on_pool", "set", "left out", "dropped", "SONiC marks on queues only, not on a pool's fill")


def _fit_port(port: Port, notes: Notes) -> Port:
    """Return the port with its MTU counted as SONiC does: the IP packet."""
    if port.mtu is None:
        return replace(port, mtu_counts=None, nic=None)
    low, high = family.limits()["port"]["mtu"]
    mtu = min(max(port.mtu - _ETHERNET[port.mtu_counts], low), high)
    if mtu != port.mtu or port.mtu_counts not in {"ip", None}:
        why = "PORT mtu counts the IP packet, the Ethernet header comes on top"
        if mtu == high:
            why += f"; {high} is the most it takes"
        wanted = f"{port.mtu} bytes {port.mtu_counts or ''}".strip()
        notes.say("mtu", wanted, f"{mtu} bytes ip", "quantised", why)
    return replace(port, mtu=mtu, mtu_counts="ip", nic=None)


class _Plan:
    """What is one value for the whole device, decided before the ports are fitted."""

    def __init__(self, device: Device, sku: Any, notes: Notes) -> None:
        self.device = device
        self.sku = sku
        self.notes = notes
        self.limits = family.limits()
        self.profiles = family.profiles() if sku.egress_lossless is not None else None
        self.distinct = list({id(port.qos): port.qos for port in device.ports.values()}.values())
        self.poll = self._poll()
        self.power = self._power()

    def _poll(self) -> int | None:
        """Return one poll interval: the shortest planned, never above a detection or restoration time."""
        dogs = [qos.watchdog for qos in self.distinct if qos.watchdog is not None and qos.watchdog.enabled]
        if not dogs:
            return None
        low, high = self.limits["watchdog"]["poll"]
        planned = {dog.poll for dog in dogs if dog.poll is not None and dog.poll >= 0}
        times = [dog.detect for dog in dogs if dog.detect is not None and dog.detect > 0]
        chosen = min(planned) if planned else self.limits["watchdog"]["chosen"]["poll"]
        poll = int(min(max(chosen, low), high, *[max(low, time) for time in times]))
        if not planned:
            self.notes.say("watchdog.poll", "open", f"{poll} ms", "chosen", "pfcwd start_default polls every 200 ms")
        elif planned != {poll}:
            shown = ", ".join(f"{value} ms" for value in sorted(planned))
            self.notes.say(
                "watchdog.poll", shown, f"{poll} ms", "equalised",
                f"POLL_INTERVAL is one value for the device, {low} to {high} ms, no longer than a detection",
            )  # fmt: skip
        return poll

    def _power(self) -> int | None:
        """Return one power of alpha for all lossless PGs of the dynamic model: the smallest planned pauses first."""
        if not self.sku.dynamic:
            return None
        planned = {
            group.xoff_at.alpha
            for qos in self.distinct
            for group in qos.priority_groups or ()
            if group is not None and group.lossless and isinstance(group.xoff_at, Dynamic) and group.xoff_at.alpha
        }
        if not planned:
            return int(self.limits["buffer"]["default_dynamic_th"])
        low, high = self.limits["buffer"]["dynamic_th"]
        power: int = min(max(math.floor(math.log2(min(planned))), low), high)
        if planned != {Fraction(2) ** power}:
            shown = ", ".join(str(alpha) for alpha in sorted(planned))
            self.notes.say(
                "priority_groups.xoff_at", f"alpha {shown}", f"alpha {Fraction(2) ** power}",
                "equalised" if len(planned) > 1 else "quantised",
                "default_dynamic_th is one power of two for all lossless groups; the next smaller pauses in time",
            )  # fmt: skip
        return power

    def traffic(self) -> tuple[int, int] | None:
        """Return the lossless MTU and share of small packets that the dynamic model sizes headroom for."""
        planned = self.device.traffic
        if not self.sku.dynamic:
            if planned is not None:
                why = "the traditional model takes headroom from a table, not from a traffic pattern"
                self.notes.say("traffic", planned, "left out", "dropped", why)
            return None
        low, high = self.limits["buffer"]["mtu"]
        if planned is None:
            mtu, small = self.limits["buffer"]["traffic"]
            groups = [g for qos in self.distinct for g in qos.priority_groups or () if g is not None and g.mtu]
            mtu = max((group.mtu or 0 for group in groups), default=mtu)
            planned = (min(mtu, high), small)
            self.notes.say(
                "traffic", "open", f"{planned[0]} bytes, {small} % small packets", "chosen",
                "the dynamic model sizes headroom for a traffic pattern; all packets small is its worst case",
            )  # fmt: skip
        return min(max(planned[0], low), high), min(max(planned[1], 0), 100)

    def pools(self) -> tuple[Pool, ...] | None:
        """Return the pools of a SKU whose sizes are published, else None: stock pools are left as they are."""
        planned = self.device.pools
        size = self.sku.egress_lossless
        if size is None:
            if planned is not None:
                why = f"no published pool sizes for this SKU ({self.sku.name}): its stock pools are left as they are"
                self.notes.say("pools", f"{len(planned)} pools", "left as they are", "dropped", why)
            return None
        pools = (
            Pool("ingress_lossless_pool", "ingress", lossless=True, mode="dynamic", oversubscription=self._ratio()),
            Pool("egress_lossless_pool", "egress", lossless=True, total=Amount.of_bytes(size), mode="dynamic"),
            Pool("egress_lossy_pool", "egress", lossless=False, mode="dynamic"),
        )
        if planned is not None and planned != pools:
            why = f"the dynamic model computes pool sizes; the egress pool of {self.sku.name} is the whole buffer"
            self.notes.say("pools", f"{len(planned)} pools as planned", "three pools of the SKU", "box-made", why)
        return pools

    def _ratio(self) -> int | None:
        for pool in self.device.pools or ():
            if pool.oversubscription:
                return min(max(math.floor(pool.oversubscription), 1), max(len(self.device.ports), 1))
        return None
