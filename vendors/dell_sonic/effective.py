"""Fills in what the switch does where a complete running configuration is silent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
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


class _Defaults:
    """The defaults of one `PortQos`."""

    def __init__(self, qos: PortQos, *, whole: bool) -> None:
        self._given = qos
        self._whole = whole
        self._filled: set[str] = set()

    def qos(self) -> PortQos:
        given, nothing = self._given, frozenset[int]()
        pfc = self._fill("pfc", given.pfc, Pfc("off", nothing, nothing))
        if pfc is not None and pfc.by is None:
            pfc = replace(pfc, by="internal")
        changed = replace(
            given,
            trust=self._fill("trust", given.trust, "none"),
            pfc=pfc,
            rewrite=self._fill("rewrite", given.rewrite, ()),
            dcbx=self._fill("dcbx", given.dcbx, Dcbx(state="off")),
            cable=self._cable(),
            watchdog=self._watchdog(pfc),
            queues=self._queues(),
        )
        if not self._filled:
            return given if changed == given else changed
        return replace(changed, defaulted=given.defaulted | self._filled)

    def _fill(self, leaf: str, value: Any, default: Any) -> Any:
        """Return the stated value, else the default where the text was whole."""
        if value is not None or not self._whole:
            return value
        self._filled.add(leaf)
        return default

    def _cable(self) -> Any:
        """Return the cable length that the headroom table is asked for, where lossless buffers were carved."""
        lossless = any(group is not None and group.lossless for group in self._given.priority_groups or ())
        return self._fill("cable", self._given.cable, _BUFFERS.DEFAULT_CABLE if lossless else None)

    def _watchdog(self, pfc: Pfc | None) -> PortWatchdog | None:
        stated = self._given.watchdog or PortWatchdog()
        enabled = self._fill("watchdog.enabled", stated.enabled, False)
        if enabled is not True:
            return replace(stated, enabled=enabled) if enabled is not None else self._given.watchdog
        return replace(
            stated,
            poll=self._fill("watchdog.poll", stated.poll, POLL),
            action=self._fill("watchdog.action", stated.action, "drop"),
            priorities=stated.priorities if pfc is None or stated.priorities is not None else pfc.tx,
        )

    def _queues(self) -> tuple[Queue | None, ...] | None:
        """Return the queues; one without a WRED policy marks nothing and drops nothing at random."""
        given = self._given.queues
        if not self._whole:
            return given
        made: list[Queue | None] = []
        for number in range(8):
            queue = (given[number] if given is not None else None) or Queue()
            if queue.ecn is None:
                self._filled.add(f"queues.{number}.ecn")
                queue = replace(queue, ecn=Ecn())
            made.append(queue if queue.wred is not None else replace(queue, wred=()))
        return tuple(made)
