"""What SR Linux does where a complete text is silent. It ends reading and planning alike.

Sources (`limits.yaml`): the models of 25.3.1, and the QoS books of 23.3 to 25.10.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from rocecfg.packs import load_module
from rocecfg.state.model import (
    UNLIMITED,
    Amount,
    Device,
    Ecn,
    Headroom,
    Interner,
    Pfc,
    Pool,
    Port,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Queue,
    Static,
    distinct_qos,
)

read: Any = load_module(Path(__file__).with_name("read.py"))

DETECT = RESTORE = 750
"""Milliseconds."""
PFC_QUEUE_SIZE = 51_200
"""Bytes of a PFC queue at which PAUSE goes out (7220)."""
SHARE = 10
"""Percent of the headroom pool that one PFC queue may take."""
RESERVATION = 1
"""Percent of the buffer kept for headroom (7220)."""
MTU = read.PORT_MTU
_SLOT = re.compile(r"ethernet-([0-9]{1,2})/")
_NOTHING = frozenset[int]()


def defaults(device: Device) -> Device:
    """Fill in the system's defaults where the text was complete. Idempotent; a stated value never changes."""
    if not device.knows_all_of("qos"):
        return device
    marking = bool(device.ecn_enabled)
    share = Interner()
    filled = {id(qos): share(_filled(qos, marking)) for qos, _ in distinct_qos(device)}
    ports = {name: _port(port, filled[id(port.qos)]) for name, port in device.ports.items()}
    done = replace(device, ports=ports, ecn_enabled=marking, buffer_model="stated")
    return replace(done, pools=device.pools or _pools(done))


def _port(port: Port, qos: PortQos) -> Port:
    if port.mtu is not None:
        return replace(port, qos=qos)
    return replace(port, qos=qos, mtu=MTU, mtu_counts="l2")


def _pools(device: Device) -> tuple[Pool, ...] | None:
    """Return the headroom pools of the line cards whose ports pause: 1 percent each where no line says so."""
    paused = [name for name, port in device.ports.items() if port.qos.pfc is not None and port.qos.pfc.sends()]
    if any(_is_dnx(port.qos) for port in device.ports.values()):
        return None
    slots = dict.fromkeys(found[1] for name in paused if (found := _SLOT.match(name)) is not None)
    return (
        tuple(Pool(read.pool_name(slot), "ingress", True, headroom=Amount(RESERVATION, "percent")) for slot in slots)
        or None
    )


def _is_dnx(qos: PortQos) -> bool:
    """Return whether a PFC queue has what only the 7250 offers: bytes of its own."""
    return any(group is not None and group.reserved is not None for group in qos.priority_groups or ())


def _filled(qos: PortQos, marking: bool) -> PortQos:
    """Return a port's QoS with every known default."""
    fill = _Fill(qos, set(qos.defaulted))
    fill.maps()
    fill.pfc()
    fill.groups()
    fill.queues(marking)
    return replace(qos, **fill.fields, defaulted=frozenset(fill.marks))


def lossy_group(classes: tuple[int | None, ...], groups: tuple[PriorityGroup | None, ...] | None) -> int:
    """Return the number that stands for "in no PFC queue": the lowest that no PFC queue has."""
    taken = {group for group in classes if group is not None}
    taken |= {number for number, group in enumerate(groups or ()) if group is not None}
    return min(set(range(9)) - taken)


class _Fill:
    """Collects what is filled in, and marks it."""

    def __init__(self, qos: PortQos, marks: set[str]) -> None:
        self._qos, self.marks = qos, marks
        self.fields: dict[str, Any] = {}

    def _put(self, name: str, value: Any) -> None:
        if getattr(self._qos, name) is None:
            self.fields[name] = value
            self.marks.add(name)

    def maps(self) -> None:
        """Trust DSCP; what a bound policy leaves out is class 0, green; classes to queues n to n; no rewriting."""
        qos = self._qos
        self._put("trust", "dscp")
        self._put("rewrite", ())
        self._put("default_tc", 0)
        codes = qos.dscp_to_tc
        if codes is not None and None in codes.to:
            self.fields["dscp_to_tc"] = replace(codes, to=tuple(0 if to is None else to for to in codes.to))
        colours = qos.dscp_to_colour
        if codes is not None and (colours is None or None in colours):
            self.fields["dscp_to_colour"] = tuple(colour or "green" for colour in colours or (None,) * 64)
        queues = qos.tc_to_queue or (None,) * 16
        if any(queue is None for queue in queues[:8]):
            self.fields["tc_to_queue"] = tuple(
                queue if queue is not None or tc > 7 else tc for tc, queue in enumerate(queues)
            )
            if qos.tc_to_queue is None:
                self.marks.add("tc_to_queue")

    def pfc(self) -> None:
        """No PFC on a port that does not say so; what a mapping profile does not list is neither sent nor obeyed."""
        qos = self._qos
        pfc = qos.pfc
        if pfc is None:
            self._put("pfc", Pfc("off", _NOTHING, _NOTHING, "internal"))
            return
        if pfc.admin is None:
            self.fields["pfc"] = Pfc("off", _NOTHING, _NOTHING, pfc.by or "internal")
            self.marks.add("pfc.admin")
        for name in ("priority_to_queue", "priority_to_pg"):
            known = getattr(qos, name)
            if known is not None and None in known:
                self.fields[name] = tuple(_NOTHING if numbers is None else numbers for numbers in known)
        if qos.tc_to_pg is not None and None in qos.tc_to_pg[:8]:
            lossy = lossy_group(qos.tc_to_pg, qos.priority_groups)
            self.fields["tc_to_pg"] = tuple(
                lossy if group is None and tc < 8 else group for tc, group in enumerate(qos.tc_to_pg)
            )
        if pfc.rx is not None and self.fields.get("pfc", pfc).admin == "on":
            self._watchdog(pfc.rx)

    def _watchdog(self, rx: frozenset[int]) -> None:
        """Deadlock recovery is off although its timers stand at 750 ms; it ignores pauses, and no poll is known."""
        own = self._qos.watchdog or PortWatchdog()
        for leaf in ("enabled", "detect", "restore"):
            if getattr(own, leaf) is None:
                self.marks.add(f"watchdog.{leaf}")
        enabled = bool(own.enabled)
        self.fields["watchdog"] = PortWatchdog(
            enabled,
            rx if enabled else _NOTHING,
            None,
            DETECT if own.detect is None else own.detect,
            RESTORE if own.restore is None else own.restore,
            "ignore-pause",
        )

    def groups(self) -> None:
        """Let a listed PFC queue pause at 51,200 bytes and take up to 10 percent of the headroom pool."""
        if self._qos.priority_groups is None:
            return
        made: list[PriorityGroup | None] = []
        for number, group in enumerate(self._qos.priority_groups):
            if group is None or group.headroom is None:
                made.append(group)
                continue
            more: dict[str, Any] = {}
            if group.headroom.amount is None:
                more["headroom"] = Headroom(Amount(SHARE, "percent"), by="pool-share")
                self.marks.add(f"priority_groups.{number}.headroom")
            if group.xoff_at is None and group.reserved is None and group.xon_at is None:
                more["xoff_at"] = Static(Amount.of_bytes(PFC_QUEUE_SIZE))
                self.marks.add(f"priority_groups.{number}.xoff_at")
            made.append(replace(group, **more))
        self.fields["priority_groups"] = tuple(made)

    def queues(self, marking: bool) -> None:
        """Serve a queue that no policy lists strictly, the higher index first; neither mark nor drop it early."""
        stated = [queue or Queue() for queue in self._qos.queues or (None,) * 8]
        strict = [number for number, queue in enumerate(stated) if queue.scheduler in {None, "strict"}]
        ranks = {number: rank for rank, number in enumerate(reversed(strict), 1)}
        for number, queue in enumerate(stated):
            more: dict[str, Any] = {}
            if queue.ecn is None:
                more["ecn"] = Ecn()
                self.marks.add(f"queues.{number}.ecn")
            elif queue.ecn.curves:
                weight = 0 if queue.ecn.weight is None else queue.ecn.weight
                more["ecn"] = replace(queue.ecn, weight=weight, gate=marking)
            if queue.wred is None:
                more["wred"] = ()
            if queue.scheduler is None:
                more["scheduler"] = "strict"
                self.marks.add(f"queues.{number}.scheduler")
            if number in ranks:
                more["rank"] = ranks[number]
            if queue.shaper is None and queue.shaper_share is None:
                more["shaper"] = UNLIMITED
                self.marks.add(f"queues.{number}.shaper")
            stated[number] = replace(queue, **more)
        self.fields["queues"] = tuple(stated)
