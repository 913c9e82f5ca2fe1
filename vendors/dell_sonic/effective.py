"""Fills in what the switch does where a complete running configuration is silent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.defaults import Defaults
from rocecfg.state.model import Dcbx, Device, Ecn, Interner, Pfc, PortQos, PortWatchdog, Queue

if TYPE_CHECKING:
    from rocecfg.state.model import Port

_BUFFERS = load_module(Path(__file__).with_name("buffers.py"))
POLL = 100
"""Milliseconds between two looks of the watchdog where nobody sets them (sonic_qos_pfc)."""


def defaults(device: Device) -> Device:
    """Return a device with the defaults of Enterprise SONiC filled in where its text was complete. Idempotent."""
    whole = device.knows_all_of("all")
    share = Interner()
    done: dict[int, PortQos] = {}
    ports: dict[str, Port] = {}
    for name, port in device.ports.items():
        qos = done.get(id(port.qos))
        if qos is None:
            qos = done[id(port.qos)] = share(_Defaults(port.qos, whole=whole).qos())
        ports[name] = port if qos is port.qos else replace(port, qos=qos)
    carved = any(group is not None for port in ports.values() for group in port.qos.priority_groups or ())
    model = "table" if carved and device.buffer_model is None else device.buffer_model
    return replace(device, ports=ports, buffer_model=model)


class _Defaults(Defaults):
    """The defaults of one `PortQos`."""

    def __init__(self, qos: PortQos, *, whole: bool) -> None:
        super().__init__(qos)
        self._whole = whole

    def qos(self) -> PortQos:
        given, nothing = self.given, frozenset[int]()
        pfc = self.fill("pfc", self._whole, given.pfc, Pfc("off", nothing, nothing))
        if pfc is not None and pfc.by is None:
            pfc = replace(pfc, by="internal")
        changed = replace(
            given,
            trust=self.fill("trust", self._whole, given.trust, "none"),
            pfc=pfc,
            rewrite=self.fill("rewrite", self._whole, given.rewrite, ()),
            dcbx=self.fill("dcbx", self._whole, given.dcbx, Dcbx(state="off")),
            cable=self._cable(),
            watchdog=self._watchdog(pfc),
            queues=self._queues(),
        )
        return self.marked(changed)

    def _cable(self) -> Any:
        """Return the cable length that the headroom table is asked for, where lossless buffers were carved."""
        lossless = any(group is not None and group.lossless for group in self.given.priority_groups or ())
        return self.fill("cable", self._whole, self.given.cable, _BUFFERS.DEFAULT_CABLE if lossless else None)

    def _watchdog(self, pfc: Pfc | None) -> PortWatchdog | None:
        stated = self.given.watchdog or PortWatchdog()
        enabled = self.fill("watchdog.enabled", self._whole, stated.enabled, False)
        if enabled is not True:
            return replace(stated, enabled=enabled) if enabled is not None else self.given.watchdog
        return replace(
            stated,
            poll=self.fill("watchdog.poll", self._whole, stated.poll, POLL),
            action=self.fill("watchdog.action", self._whole, stated.action, "drop"),
            priorities=stated.priorities if pfc is None or stated.priorities is not None else pfc.tx,
        )

    def _queues(self) -> tuple[Queue | None, ...] | None:
        """Return the queues; one without a WRED policy marks nothing and drops nothing at random."""
        given = self.given.queues
        if not self._whole:
            return given
        made: list[Queue | None] = []
        for number in range(8):
            queue = (given[number] if given is not None else None) or Queue()
            if queue.ecn is None:
                self.filled.add(f"queues.{number}.ecn")
                queue = replace(queue, ecn=Ecn())
            made.append(queue if queue.wred is not None else replace(queue, wred=()))
        return tuple(made)
