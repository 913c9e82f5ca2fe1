"""What Cumulus does where a complete text is silent, and what it derives: it ends reading and planning alike.

Source: Quality-of-Service pages 5.11 and 5.14 (values in `limits.yaml`, `defaults:`).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rocecfg.state.model import (
    Amount,
    CodeMap,
    Curve,
    Device,
    Dynamic,
    Ecn,
    Interner,
    LinkPause,
    Pfc,
    Pool,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Queue,
    distinct_qos,
    eight,
)

POLL, ROBUSTNESS, CABLE = 100, 3, 10
LOSSLESS_ALPHA = Dynamic(Fraction(1))
DSCP_DEFAULT = tuple(code // 8 for code in range(64))
PCP_DEFAULT = tuple(range(8))
DWRR_DEFAULT = (12, 13, 12, 13, 12, 13, 12, 13)
_TC0_RAMP = Curve(Amount.of_bytes(150_000), Amount.of_bytes(1_500_000), 100)
_ALL_LOSSY = (Pool("default-lossy", "both", lossless=False, total=Amount(100, "percent")),)


def defaults(device: Device) -> Device:
    """Fill in the system's defaults where the text was complete. Idempotent; a stated value never changes."""
    if not device.knows_all_of("qos"):
        return device
    share = Interner()
    filled = {id(qos): share(with_defaults(qos)) for qos, _ in distinct_qos(device)}
    ports = {name: replace(port, qos=filled[id(port.qos)]) for name, port in device.ports.items()}
    return replace(device, ports=ports, pools=device.pools or _ALL_LOSSY, buffer_model="dynamic")


@lru_cache(maxsize=1024)
def _filled(qos: PortQos, already: frozenset[str]) -> PortQos:
    fill = _Fill(qos, set(already))
    fill.maps()
    fill.pfc()
    fill.buffers()
    fill.watchdog()
    fill.queues()
    return replace(qos, **fill.fields, defaulted=frozenset(fill.marks))


def with_defaults(qos: PortQos) -> PortQos:
    """Return a port's QoS with every known default; each distinct one is worked out once."""
    return _filled(qos, qos.defaulted)


class _Fill:
    """Collects what is filled in, and marks it."""

    def __init__(self, qos: PortQos, marks: set[str]) -> None:
        self._qos, self.marks = qos, marks
        self.fields: dict[str, Any] = {}

    def _put(self, name: str, value: Any, *, mark: bool = True) -> None:
        if getattr(self._qos, name) is None:
            self.fields[name] = value
            if mark:
                self.marks.add(name)

    def _now(self, name: str) -> Any:
        return self.fields.get(name, getattr(self._qos, name))

    def maps(self) -> None:
        """Trust l2; DSCP in blocks of eight; PCP n and switch priority n to n; nothing rewritten."""
        self._put("trust", "pcp")
        self._put("rewrite", ())
        for name, standard in (("dscp_to_tc", DSCP_DEFAULT), ("pcp_to_tc", PCP_DEFAULT)):
            stated: CodeMap | None = getattr(self._qos, name)
            if stated is None:
                self._put(name, CodeMap(standard))
            elif None in stated.to:
                full = tuple(to if to is not None else standard[code] for code, to in enumerate(stated.to))
                self.fields[name] = replace(stated, to=full)
        queues = self._qos.tc_to_queue or (None,) * 16
        if any(queues[tc] is None for tc in range(8)):
            self.fields["tc_to_queue"] = tuple(
                queue if queue is not None or tc > 7 else tc for tc, queue in enumerate(queues)
            )
            if self._qos.tc_to_queue is None:
                self.marks.add("tc_to_queue")
        own = self._now("tc_to_queue")
        self.fields["priority_to_queue"] = eight({tc: frozenset({own[tc]}) for tc in range(8) if own[tc] is not None})

    def pfc(self) -> None:
        """No PFC and no pause without a profile; with one both ways, over 10 m, unless it says otherwise."""
        self._put("pfc", Pfc("off", frozenset(), frozenset(), "internal"))
        self._put("link_pause", LinkPause(rx=False, tx=False))
        pfc: Pfc = self._now("pfc")
        if pfc.tx is None or pfc.rx is None:
            groups = enumerate(self._qos.priority_groups or ())
            on = frozenset(n for n, group in groups if group is not None and group.lossless and group.headroom)
            self.marks |= {f"pfc.{way}" for way in ("tx", "rx") if getattr(pfc, way) is None}
            pfc = replace(pfc, tx=on if pfc.tx is None else pfc.tx, rx=on if pfc.rx is None else pfc.rx)
            self.fields["pfc"] = pfc
        if pfc.admin == "on" and (pfc.tx or pfc.rx):
            self._put("cable", CABLE)

    def buffers(self) -> None:
        """Give each lossless priority its group; all others share one, numbered after the first of them."""
        stated = self._qos.priority_groups or (None,) * 8
        lossless = {number for number, group in enumerate(stated) if group is not None and group.lossless}
        groups: dict[int, PriorityGroup] = {}
        for number, group in enumerate(stated):
            if number not in lossless:
                groups[number] = group or PriorityGroup(lossless=False)
                continue
            assert group is not None
            if group.xoff_at is None:
                group = replace(group, xoff_at=LOSSLESS_ALPHA)  # noqa: PLW2901
                self.marks.add(f"priority_groups.{number}.xoff_at")
            groups[number] = group
        lossy = min(set(range(8)) - lossless, default=0)
        self.fields["priority_groups"] = eight(
            {number: group for number, group in groups.items() if number in lossless or number == lossy}
        )
        of = tuple(None if tc > 7 else tc if tc in lossless else lossy for tc in range(16))
        self.fields["tc_to_pg"] = of
        self.fields["priority_to_pg"] = eight({sp: frozenset({of[sp]}) for sp in range(8)})

    def watchdog(self) -> None:
        """Off on every port; 3 polls of 100 ms; one quiet poll restores; pauses are ignored meanwhile."""
        own = self._qos.watchdog or PortWatchdog()
        pfc: Pfc = self._now("pfc")
        enabled = own.enabled if own.enabled is not None else False
        protected = None if pfc.tx is None or pfc.rx is None else pfc.tx | pfc.rx
        poll = own.poll if own.poll is not None else POLL
        for name in ("enabled", "poll", "detect"):
            if getattr(own, name) is None:
                self.marks.add(f"watchdog.{name}")
        self.fields["watchdog"] = PortWatchdog(
            enabled,
            protected if enabled else frozenset(),
            poll,
            own.detect if own.detect is not None else poll * ROBUSTNESS,
            poll,
            "ignore-pause",
        )

    def queues(self) -> None:
        """DWRR 12 and 13 percent by turns; ECN on traffic class 0 alone; no RED."""
        stated = [queue or Queue() for queue in self._qos.queues or (None,) * 8]
        marks_stated = any(queue.ecn is not None for queue in stated)
        scheduled = any(queue.scheduler is not None or queue.weight is not None for queue in stated)
        strict = [number for number, queue in enumerate(stated) if queue.scheduler == "strict"]
        for number, queue in enumerate(stated):
            more: dict[str, Any] = {}
            if queue.ecn is None:
                more["ecn"] = Ecn((_TC0_RAMP,), non_ect="pass") if number == 0 and not marks_stated else Ecn()
                self.marks.add(f"queues.{number}.ecn")
            else:
                more["ecn"] = _full_ramp(queue.ecn)
            if queue.wred is None:
                more["wred"] = ()
            if not scheduled:
                more |= {"scheduler": "weighted", "weight": DWRR_DEFAULT[number], "weight_kind": "percent-of-rest"}
                self.marks.add(f"queues.{number}.scheduler")
            elif queue.scheduler is None and queue.weight is not None:
                more["scheduler"] = "weighted"
            if strict == [number]:
                more["rank"] = 1
            stated[number] = replace(queue, **more)
        self.fields["queues"] = tuple(stated)


def _full_ramp(ecn: Ecn) -> Ecn:
    """Probability 100 where the ramp states none; RED is off by default, so what cannot be marked passes."""
    if not ecn.curves:
        return ecn
    curves = tuple(curve if curve.probability is not None else replace(curve, probability=100) for curve in ecn.curves)
    return replace(ecn, curves=curves, non_ect=ecn.non_ect or "pass")
