"""What is in force on each port: maps and policies it binds, over what `roce enable` makes of all ports."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import (
    UNLIMITED,
    Amount,
    Curve,
    Dcbx,
    Ecn,
    Pfc,
    PortQos,
    PortWatchdog,
    Queue,
    code_map,
    eight,
)

if TYPE_CHECKING:
    from rocecfg.state.model import CodeMap, Where
    from vendors.dell_sonic.config import Config, Interface, Named

_HERE = Path(__file__)
_BUFFERS = load_module(_HERE.with_name("buffers.py"))
_ROCE = load_module(_HERE.with_name("roce.py"))

KBYTE = 1000
"""The automation module's 1000 bytes are shown as 1 KByte."""
_CODE_MAPS = frozenset({"dscp-tc", "dot1p-tc", "tc-queue", "tc-pg", "pfc-priority-queue", "pfc-priority-pg"})
_PORT_LEAVES = {
    "dscp-tc": "dscp_to_tc", "dot1p-tc": "pcp_to_tc", "tc-queue": "tc_to_queue", "tc-pg": "tc_to_pg",
    "pfc-priority-queue": "priority_to_queue", "pfc-priority-pg": "priority_to_pg", "scheduler": "queues",
    "cable": "cable", "mtu": "mtu", "watchdog": "watchdog", "detect": "watchdog.detect", "restore": "watchdog.restore",
    "action": "watchdog.action", "dcbx": "dcbx",
}  # fmt: skip
_OF_CODES = {kind: leaf for kind, leaf in _PORT_LEAVES.items() if kind in _CODE_MAPS}
_NOT_QOS = frozenset({"mtu", "speed", "enabled", "lag"})


class Resolver:
    """Resolves the ports of one configuration; ports that state the same are worked out once."""

    def __init__(self, config: Config, *, whole: bool) -> None:
        self._config = config
        self._whole = whole
        self._known: dict[tuple[Any, ...], PortQos] = {}
        self._shared: dict[tuple[tuple[tuple[str, str], ...], str], dict[str, Where]] = {}
        stated = config.options.get("roce", (None, 0))[0]
        self._base: PortQos = _ROCE.expansion(stated) if stated else PortQos()
        self._carved = bool(stated) or bool(config.options.get("buffers", (False, 0))[0])

    def port(self, interface: Interface) -> tuple[PortQos, dict[str, Where]]:
        """Return what is in force on a port, and the line that decides each leaf."""
        key = (
            tuple(
                sorted((name, str(value)) for name, (value, _) in interface.settings.items() if name not in _NOT_QOS)
            ),
            tuple(sorted(interface.pfc)),
            tuple(sorted((queue, name) for queue, (name, _) in interface.wred.items())),
        )
        qos = self._known.get(key)
        if qos is None:
            qos = self._known[key] = self._qos(interface)
        return qos, self._places(interface)

    def _qos(self, port: Interface) -> PortQos:
        base, stated = self._base, {name: value for name, (value, _) in port.settings.items()}
        dscp, dot1p = self._codes(stated.get("dscp-tc"), 64), self._codes(stated.get("dot1p-tc"), 8, "dot1p-tc")
        bound = [name for name in ("dscp-tc", "dot1p-tc") if name in stated]
        trust = {("dscp-tc",): "dscp", ("dot1p-tc",): "pcp", ("dscp-tc", "dot1p-tc"): "both"}.get(tuple(bound))
        qos = replace(
            base,
            trust=trust or base.trust,  # type: ignore[arg-type]
            dscp_to_tc=dscp if "dscp-tc" in stated else base.dscp_to_tc if not bound else None,
            pcp_to_tc=dot1p if "dot1p-tc" in stated else base.pcp_to_tc if not bound else None,
            rewrite=self._rewrite(stated.get("tc-dscp")),
            tc_to_queue=self._table(stated.get("tc-queue"), "tc-queue") or base.tc_to_queue,
            tc_to_pg=self._table(stated.get("tc-pg"), "tc-pg") or base.tc_to_pg,
            priority_to_queue=self._sets(stated.get("pfc-priority-queue"), "pfc-priority-queue")
            or base.priority_to_queue,
            priority_to_pg=self._sets(stated.get("pfc-priority-pg"), "pfc-priority-pg") or base.priority_to_pg,
            pfc=self._pfc(port),
            dcbx=self._dcbx(stated),
            cable=stated.get("cable"),
            watchdog=self._watchdog(stated),
            queues=self._queues(port, stated),
        )
        return replace(qos, priority_groups=self._groups(qos))

    def _map(self, kind: str, name: str | None) -> Named | None:
        return self._config.maps.get((kind, name)) if name is not None else None

    def _codes(self, name: str | None, size: int, kind: str = "dscp-tc") -> CodeMap | None:
        found = self._map(kind, name)
        return code_map({code: to for code, (to, _) in found.entries.items()}, size) if found is not None else None

    def _rewrite(self, name: str | None) -> tuple[tuple[str, int, int], ...] | None:
        found = self._map("tc-dscp", name)
        return tuple(("tc", tc, to) for tc, (to, _) in sorted(found.entries.items())) if found is not None else None

    def _table(self, name: str | None, kind: str) -> tuple[int | None, ...] | None:
        found = self._map(kind, name)
        return tuple(found.entries.get(tc, (None, 0))[0] for tc in range(16)) if found is not None else None

    def _sets(self, name: str | None, kind: str) -> tuple[frozenset[int] | None, ...] | None:
        found = self._map(kind, name)
        return eight({code: frozenset({to}) for code, (to, _) in found.entries.items()}) if found is not None else None

    def _pfc(self, port: Interface) -> Pfc | None:
        if not port.pfc:
            return self._base.pfc
        sends = frozenset(port.pfc)
        asymmetric = "asymmetric" in port.settings
        return Pfc("on", sends, frozenset(range(8)) if asymmetric else sends)

    def _dcbx(self, stated: dict[str, Any]) -> Dcbx | None:
        whole = self._config.options.get("dcbx")
        if whole is None or not whole[0]:
            return Dcbx(state="off") if whole is not None else None
        return Dcbx(state="off" if stated.get("dcbx") is False else "ieee")

    def _watchdog(self, stated: dict[str, Any]) -> PortWatchdog | None:
        names = ("watchdog", "detect", "restore", "action")
        poll = self._config.options.get("poll")
        if not any(name in stated for name in names):
            return None
        return PortWatchdog(
            enabled=stated.get("watchdog"),
            poll=poll[0] if poll is not None else None,
            detect=stated.get("detect"),
            restore=stated.get("restore"),
            action=stated.get("action"),
        )

    def _queues(self, port: Interface, stated: dict[str, Any]) -> tuple[Queue | None, ...] | None:
        policy = self._config.schedulers.get(stated.get("scheduler", ""))
        queues: dict[int, Queue] = {
            number: queue for number, queue in enumerate(self._base.queues or ()) if queue is not None
        }
        if policy is not None:
            queues = {
                **{n: Queue(ecn=q.ecn, wred=q.wred) for n, q in queues.items() if q.ecn is not None and q.ecn.curves}
            }
            for number, queue in scheduled(policy).items():
                marks = queues.get(number, Queue())
                queues[number] = replace(queue, ecn=marks.ecn, wred=marks.wred)
        for number, (name, _) in port.wred.items():
            found = self._config.wred.get(name)
            ecn, wred = marking(found, whole=self._whole) if found is not None else (None, None)
            queues[number] = replace(queues.get(number, Queue()), ecn=ecn, wred=wred)
        return eight(queues) if queues else None

    def _groups(self, qos: PortQos) -> Any:
        pfc = qos.pfc
        if pfc is None or pfc.tx is None:
            return self._base.priority_groups
        lossless: set[int] = set()
        for priority in pfc.tx:
            of_priority = qos.priority_to_pg[priority] if qos.priority_to_pg is not None else None
            lossless |= of_priority if of_priority is not None else {priority}
        return _BUFFERS.groups(frozenset(lossless), carved=self._carved)

    def _places(self, port: Interface) -> dict[str, Where]:
        config = self._config
        bound = tuple((kind, port.settings[kind][0]) for kind in _OF_CODES if kind in port.settings)
        places = dict(self._of_shared(bound, port.settings.get("scheduler", ("", 0))[0]))
        places |= {
            leaf: config.where(port.settings[name][1]) for name, leaf in _PORT_LEAVES.items() if name in port.settings
        }
        for option, leaf in (("roce", "pfc"), ("roce", "priority_groups"), ("buffers", "priority_groups")):
            if option in config.options:
                places[leaf] = config.where(config.options[option][1])
        if "poll" in config.options:
            places["watchdog.poll"] = config.where(config.options["poll"][1])
        if port.pfc:
            places["pfc"] = config.where(min(port.pfc.values()))
            places |= {f"pfc.tx.{priority}": config.where(line) for priority, line in port.pfc.items()}
        for number, (name, line) in port.wred.items():
            found = config.wred.get(name)
            first = min((at for _, at in found.entries.values()), default=found.number) if found is not None else line
            places[f"queues.{number}.ecn"] = places[f"queues.{number}.wred"] = config.where(first)
        return places

    def _of_shared(self, bound: tuple[tuple[str, str], ...], scheduler: str) -> dict[str, Where]:
        """Return the lines inside the maps and the scheduler policy of a port; ports that bind the same share them."""
        places = self._shared.get((bound, scheduler))
        if places is not None:
            return places
        where, places = self._config.where, {}
        for kind, name in bound:
            found = self._map(kind, name)
            for code, (_, line) in found.entries.items() if found is not None else ():
                places[f"{_OF_CODES[kind]}.{code}"] = where(line)
        policy = self._config.schedulers.get(scheduler)
        for number, (_, line) in policy.entries.items() if policy is not None else ():
            places[f"queues.{number}"] = where(line)
        self._shared[bound, scheduler] = places
        return places


def scheduled(policy: Named) -> dict[int, Queue]:
    """Return the queues of a scheduler policy; 255 is the port's shaper and no queue."""
    strict = sorted(number for number, (stated, _) in policy.entries.items() if stated.get("type") == "strict")
    queues = {}
    for number, (stated, _) in policy.entries.items():
        if number > 7:
            continue
        peak = stated.get("peak")
        shaper = UNLIMITED if peak is None else peak * 8 if peak else UNLIMITED
        if stated.get("type") == "strict":
            queues[number] = Queue("strict", rank=len(strict) - strict.index(number), shaper=shaper)
        else:
            queues[number] = Queue("weighted", weight=stated.get("weight"), weight_kind="relative", shaper=shaper)
    return queues


def kbytes(count: int) -> Amount:
    """Return a threshold as the management CLI states it."""
    return Amount(count, "kbyte", count * KBYTE)


def marking(policy: Named, *, whole: bool) -> tuple[Ecn | None, tuple[Curve, ...] | None]:
    """Return (marking, dropping) curves of a WRED policy: `ecn` names the colours that mark, the others drop.

    A part of a text may lack a line: what marks is known only where its thresholds and its `ecn` stand.
    """
    if not whole and ("marks" not in policy.entries or len(policy.entries) < 2):
        return None, None
    word = policy.entries.get("marks", ("none", 0))[0]
    marks = {"green", "yellow", "red"} if word == "all" else set(word.split("_"))
    curves: dict[bool, dict[tuple[Any, ...], set[str]]] = {True: {}, False: {}}
    for colour in ("green", "yellow", "red"):
        if colour in policy.entries:
            curves[colour in marks].setdefault(policy.entries[colour][0], set()).add(colour)
    made = {
        marked: tuple(
            Curve(kbytes(low), kbytes(high), probability, frozenset(colours) if len(colours) < 3 else frozenset())
            for (low, high, probability), colours in of.items()
        )
        for marked, of in curves.items()
    }
    return Ecn(made[True]), made[False]
