"""Reads the numbers of one incast from the devices of a plan, and keeps what is assumed and what is missing."""

from __future__ import annotations

from fnmatch import fnmatchcase
from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.errors import UsageError, did_you_mean
from rocecfg.incast.numbers import DEFAULTS, Incast, Ingress, Reaction
from rocecfg.physics.dcqcn import PLANNED
from rocecfg.physics.headroom import bytes_in, standard_bound
from rocecfg.physics.marking import REACTION_NS, loop_ns
from rocecfg.physics.thresholds import HYSTERESIS_FRAMES
from rocecfg.physics.traffic import large_packing
from rocecfg.plan.demand import DEFAULT_CABLE, mtu_of, roce_frame
from rocecfg.plan.ramp import rtt_of
from rocecfg.state.model import Amount, Dynamic, Static

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.plan.classes import PlannedClass
    from rocecfg.plan.planned import Plan, PlannedDevice
    from rocecfg.state.model import PortQos, PriorityGroup, Queue

KBYTES = {"kbyte": 1000, "mbyte": 1_000_000, "byte": 1}


class Reader:
    """Reads one scene; what is assumed and what is missing gathers on the way."""

    def __init__(self, plan: Plan, switch: str, port: str, receiver: str, sent_from: str, given: set[str]) -> None:
        self._plan, self._switch, self._port, self._receiver, self._given = plan, switch, port, receiver, given
        self._device: PlannedDevice = plan.devices[switch]
        self.assumed: list[str] = []
        self.missing: list[str] = []
        self.sources: list[tuple[int, Ingress, int]] = []
        self.sender = ""
        self.direct = 0
        self._from_port = ""
        self._in_port = ""
        self._ingresses: dict[str, Ingress] = {}
        self._class = _lossless(plan)
        peer = plan.fabric.devices[switch].ports[port].peer
        self._to_port = peer.port if peer is not None else ""
        self._find_sources(sent_from)

    def read(self) -> Incast:
        plan, device = self._plan, self._device
        settings = plan.fabric.settings(self._switch, self._port)
        rtt = rtt_of(settings, plan.tiers)
        if settings.rtt.value is None:
            self.assumed.append(
                f"round trip {rtt / 1000:g} us: usual for {'two' if plan.tiers < 3 else 'three'} tiers, not stated"
            )
        self.assumed.append(f"{REACTION_NS / 1000:g} us more for making and obeying a notification")
        rate = device.fitted.ports[self._port].speed or plan.fabric.devices[self._switch].ports[self._port].speed or 0
        limit = self._limit()
        group = self._group()
        chip = device.box.chip
        cell = chip.whole("cell") if chip is not None else None
        if cell is None:
            self.assumed.append("the chip's cell size is not known: no packing loss is counted")
        budget = device.box.budget
        reserved = max((item.reserved for item in budget.groups), default=0) if budget is not None else 0
        at, below = self._xon(group)
        made = Incast(
            rate=rate,
            lanes=(),
            pool=self._pool(limit),
            alpha=limit if isinstance(limit, Fraction) else None,
            limit=limit if isinstance(limit, int) else None,
            ramp=self._ramp(),
            rtt_ns=rtt,
            loop_ns=loop_ns(rtt),
            reaction=self._reaction(),
            reserved=reserved,
            xon_below=below,
            xon_at=at,
            headroom_pool=budget.headroom if budget is not None and budget.oversubscription > 1 else None,
            frame=roce_frame(settings),
            packing=large_packing(cell),
        )
        self.assumed += [
            "all senders start at once, at their line rate, one flow each, and send for ever",
            "one switch, this class alone on the port; nobody else uses the shared buffer",
            "marks at dequeue on the instantaneous queue; notifications are timed for each flow by itself",
            f"a paused peer takes all the time that 802.3 allows, and sends full frames of {made.frame} B",
            "rates rise by the timer alone, as in public simulators: rpg_byte_reset is not counted (--set counts it)",
            "the rate target is lowered only by the first cut after a timed increase (mlx5's default)",
        ]
        return made

    # -- who sends -----------------------------------------------------------------------------------------------------

    def _find_sources(self, sent_from: str) -> None:
        fabric, switch = self._plan.fabric, self._switch
        own = fabric.devices[switch].ports
        uplinks = [name for name, item in own.items() if item.peer_kind == "switch" and name != self._port]
        direct: list[tuple[str, str, int, str]] = []
        remote: list[tuple[str, int, str]] = []
        known = False
        for name, device in fabric.devices.items():
            if device.kind != "host" or (sent_from and not fnmatchcase(name, sent_from)):
                continue
            known = True
            if name == self._receiver:
                continue
            for item in device.ports.values():
                if item.peer is None or not item.speed:
                    continue
                if item.peer.device == switch:
                    direct.append((name, item.peer.port, item.speed, item.name))
                elif uplinks:
                    remote.append((name, item.speed, item.name))
        if not known and sent_from:
            hosts = [name for name, device in fabric.devices.items() if device.kind == "host"]
            raise UsageError(f'no host of {fabric.name} is called "{sent_from}"{did_you_mean(sent_from, hosts)}')
        ports = {name: number for number, name in enumerate(own)}
        for host, port, speed, host_port in direct:
            self.sources.append((ports[port], self._ingress(port), speed))
            self.sender, self._from_port = self.sender or host, self._from_port or host_port
        for number, (host, speed, host_port) in enumerate(remote):
            port = uplinks[number % len(uplinks)]
            self.sources.append((ports[port], self._ingress(port), speed))
            self.sender, self._from_port = self.sender or host, self._from_port or host_port
        if not self.sources:
            who = f"host of {sent_from}" if sent_from else "other host"
            raise UsageError(f"no {who} can send to {switch}:{self._port}")
        self.direct = len(direct)
        self._in_port = next(name for name, number in ports.items() if number == self.sources[0][0])

    def _ingress(self, port: str) -> Ingress:
        known = self._ingresses.get(port)
        if known is None:
            known = self._ingresses[port] = self._make_ingress(port)
        return known

    def _make_ingress(self, port: str) -> Ingress:
        fabric = self._plan.fabric
        item = fabric.devices[self._switch].ports[port]
        settings = fabric.settings(self._switch, port)
        rate = item.speed or 0
        metres = DEFAULT_CABLE if item.cable_m is None else item.cable_m
        if item.cable_m is None:
            self._assume(f"no cable is stated: {DEFAULT_CABLE} m")
        wire = standard_bound(rate, metres, mtu_of(settings, host=False), roce_frame(settings)).value
        silence = int(wire / bytes_in(rate, 1))
        return Ingress(rate, silence, self._headroom(port))

    def _headroom(self, port: str) -> int:
        number = self._pg(self._device.fitted.ports[port].qos)
        for qos, planned in ((self._device.fitted.ports[port].qos, False), (self._device.wanted.ports[port].qos, True)):
            group = qos.priority_group(self._class.group if planned else number)
            amount = group.headroom.amount if group is not None and group.headroom is not None else None
            size = _bytes(amount)
            if size is not None:
                if planned and "headroom" not in self._given:
                    self._assume(f"headroom as planned: {self._device.fitted.nos} works it out itself")
                return size
        if "headroom" not in self._given:
            self._miss(f"headroom of {self._switch}:{port}")
        return 0

    # -- the switch ----------------------------------------------------------------------------------------------------

    def _tc(self, qos: PortQos) -> int:
        dscp = self._class.of.dscp
        found = qos.dscp_to_tc.to[dscp[0]] if qos.dscp_to_tc is not None and dscp else None
        return self._class.tc if found is None else found

    def _pg(self, qos: PortQos) -> int:
        found = qos.tc_to_pg[self._tc(qos)] if qos.tc_to_pg is not None else None
        return self._class.group if found is None else found

    def _group(self) -> PriorityGroup | None:
        qos = self._device.fitted.ports[self._in_port].qos
        return qos.priority_group(self._pg(qos))

    def _planned_group(self) -> PriorityGroup | None:
        return self._device.wanted.ports[self._in_port].qos.priority_group(self._class.group)

    def _limit(self) -> Fraction | int | None:
        """Return alpha, or the fixed PAUSE threshold in bytes."""
        if self._given & {"alpha", "xoff"}:
            return None
        fitted, wanted = self._group(), self._planned_group()
        limit = fitted.xoff_at if fitted is not None else None
        if limit is None and wanted is not None and wanted.xoff_at is not None:
            limit = wanted.xoff_at
            shown = f"alpha {limit.alpha}" if isinstance(limit, Dynamic) else "fixed"
            self._assume(f"PAUSE threshold as planned ({shown}): {self._device.fitted.nos} works it out itself")
        if isinstance(limit, Dynamic) and limit.alpha is not None:
            return Fraction(limit.alpha)
        if isinstance(limit, Static):
            size = _bytes(limit.amount)
            if size is not None:
                return size
        what = f"index {limit.index}, whose alpha is not known" if isinstance(limit, Dynamic) else "not known in bytes"
        self._miss(f"PAUSE threshold of {self._switch} ({'not stated' if limit is None else what})", "alpha")
        return None

    def _pool(self, limit: Fraction | int | None) -> int | None:
        if "pool" in self._given:
            return None
        device = self._device
        own = next((pool for pool in device.fitted.pools or () if pool.lossless and pool.direction != "egress"), None)
        budget = device.box.budget
        if own is not None and own.total is not None and own.total.bytes is not None:
            return own.total.bytes
        if budget is not None and budget.groups and budget.fits:
            if own is None or own.total is None or own.total.unit != "percent":
                return budget.shared
            size = int(budget.memory * Fraction(own.total.value) / 100) - budget.reserved
            size -= 0 if own.headroom is not None else budget.headroom
            self._assume(
                f"lossless pool: {float(own.total.value):g}% of {budget.memory} B"
                + ("" if own.headroom is not None else ", its headroom inside")
            )
            if size > 0:
                return min(size, budget.shared)
        if isinstance(limit, int):
            self._assume("the shared buffer is not known: the fixed threshold alone decides")
            return None
        chip = device.box.chip
        why = "its chip is not known: give `model` or `asic`" if chip is None else f"{chip.shown}: memory not known"
        self._miss(f"shared buffer of {self._switch} ({why})", "pool")
        return None

    def _xon(self, group: PriorityGroup | None) -> tuple[int | None, int]:
        at = _bytes(group.xon_at) if group is not None else None
        below = _bytes(group.xon_below) if group is not None else None
        if at is None and below is None:
            settings = self._plan.fabric.settings(self._switch, self._in_port)
            below = HYSTERESIS_FRAMES * mtu_of(settings, host=False)
            self._assume(f"transmission resumes {below} B below the PAUSE threshold: {self._device.fitted.nos} decides")
        return at, below if below is not None else 1 << 60

    def _ramp(self) -> tuple[int, int, Fraction] | None:
        qos = self._device.fitted.ports[self._port].qos
        tc = self._tc(qos)
        number = qos.tc_to_queue[tc] if qos.tc_to_queue is not None else None
        queue: Queue | None = qos.queue(self._class.queue if number is None else number)
        ecn = queue.ecn if queue is not None else None
        if ecn is None:
            self._miss(f"ECN ramp of {self._switch}:{self._port}", "kmin", "kmax")
            return None
        if not ecn.curves:
            self._assume("ECN is off on this queue: nothing but PAUSE slows the senders")
            return None
        curve = ecn.curves[0]
        low, high = _bytes(curve.low), _bytes(curve.high)
        for name, amount, size in (("Kmin", curve.low, low), ("Kmax", curve.high, high)):
            if size is None:
                unit = f"{float(amount.value):g} {amount.unit}" if amount is not None else "not stated"
                self._miss(f"{name} of {self._switch}:{self._port} in bytes ({unit})", name.lower())
            elif amount is not None and amount.bytes is None and name == "Kmin":
                self._assume(f"a {amount.unit} of {self._device.fitted.nos} is {KBYTES[amount.unit]} B")
        top = curve.probability
        if top is None:
            wanted = self._device.wanted.ports[self._port].qos.queue(self._class.queue)
            curves = wanted.ecn.curves if wanted is not None and wanted.ecn is not None else ()
            top = curves[0].probability if curves else None
            if top is None:
                self._miss(f"Pmax of {self._switch}:{self._port}", "pmax")
            else:
                self._assume(f"Pmax as planned ({top}%): {self._device.fitted.nos} does not say its own")
        return low or 0, high or 0, Fraction(top or 0)

    # -- the hosts -----------------------------------------------------------------------------------------------------

    def _reaction(self) -> Reaction:
        values = dict(DEFAULTS)
        sending = self._parameters(self.sender, self._from_port)
        receiving, notifies = sending, self.sender
        receiver = self._plan.devices.get(self._receiver)
        if receiver is not None and receiver.fitted.kind == "host":
            receiving, notifies = self._parameters(self._receiver, self._to_port), self._receiver
        else:
            self._assume("receivers notify as often as the senders' own cards do")
        told = {**sending, "min_time_between_cnps": receiving.get("min_time_between_cnps")}
        lacking: dict[str, list[str]] = {}
        for name in PLANNED:
            if name == "rpg_byte_reset":
                continue
            value = told.get(name)
            if value is not None:
                values[name] = value
            elif name not in self._given:
                host = notifies if name == "min_time_between_cnps" else self.sender
                lacking.setdefault(host, []).append(name)
        for host, names in lacking.items():
            device = self._plan.devices.get(host)
            nos = device.fitted.nos if device is not None else "no NIC"
            self.missing.append(f"{', '.join(names)} of {host} ({nos})")
        values.update({name: value for name, value in sending.items() if name in DEFAULTS and name not in PLANNED})
        values["rpg_byte_reset"] = 0
        self._assume("DCQCN numbers that the plan leaves to the card: NVIDIA's defaults")
        return Reaction(values)

    def _parameters(self, host: str, port: str) -> dict[str, int]:
        device = self._plan.devices.get(host)
        if device is None:
            return {}
        ports = device.fitted.ports
        chosen = ports.get(port) or next(iter(ports.values()), None)
        nic = chosen.nic if chosen is not None else None
        control = nic.congestion_control if nic is not None else None
        if control is None or control.algorithm != "dcqcn":
            return {}
        return dict(control.parameters)

    def _assume(self, text: str) -> None:
        if text not in self.assumed:
            self.assumed.append(text)

    def _miss(self, text: str, *names: str) -> None:
        if text not in self.missing and not (names and set(names) <= self._given):
            self.missing.append(text)


def _lossless(plan: Plan) -> PlannedClass:
    """Return the class that carries the incast: the lossless RoCE one. Raises UsageError where there is none."""
    lossless: Iterable[PlannedClass] = [item for item in plan.classes if item.of.lossless]
    for item in sorted(lossless, key=lambda one: one.of.kind != "roce"):
        return item
    raise UsageError(f"{plan.name} has no lossless class: nothing is paused")


def _bytes(amount: Amount | None) -> int | None:
    """Return an amount in bytes: as the device counts, or by the usual factor where its own is not published."""
    if amount is None:
        return None
    if amount.bytes is not None:
        return amount.bytes
    factor = KBYTES.get(amount.unit)
    return None if factor is None else int(amount.value * factor)
