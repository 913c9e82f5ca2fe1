"""The view of a fitted device: profiles by name, and for each interface what it is bound to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Dynamic, Static
from rocecfg.vendor.api import View

if TYPE_CHECKING:
    from rocecfg.state.model import CodeMap, Curve, Device, Port, PortQos, Queue

_HERE = Path(__file__)
profiles = load_module(_HERE.with_name("profiles.py"))
defaults = load_module(_HERE.with_name("defaults.py"))
amounts = load_module(_HERE.with_name("amounts.py"))

_TRUST = {"dscp": "l3", "pcp": "l2", "both": "both", "none": "port"}
_GLOBAL = profiles.GLOBAL
_PREFIXES = {"mapping": "MAP", "congestion-control": "ECN", "egress-scheduler": "SCHEDULER"}


@dataclass(frozen=True, slots=True)
class Pair:
    """A key and its value."""

    key: int
    value: int


@dataclass(frozen=True, slots=True)
class Profile:
    """A named profile: words of one line, then its numbered rows."""

    name: str
    words: tuple[str, ...] = ()
    dscp: tuple[Pair, ...] = ()
    pcp: tuple[Pair, ...] = ()
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One traffic class of a profile."""

    number: int
    words: str


@dataclass(frozen=True, slots=True)
class Interface:
    """One interface: its type, and the words below it."""

    name: str
    kind: str
    mtu: int | None
    members: tuple[str, ...]
    bindings: tuple[tuple[str, str], ...]
    watchdog: bool


@dataclass(frozen=True, slots=True)
class Section:
    """The profiles of one kind, and the word that stands before their rows."""

    name: str
    rows_of: str
    profiles: list[Profile]


@dataclass(frozen=True, slots=True)
class Alphas:
    """Shares of the buffer, one set for the device: ingress groups and queues without loss, lossy queues."""

    ingress: str
    lossless: str
    lossy: tuple[tuple[int, str], ...]


def views(device: Device) -> dict[str, View]:
    """Return the views of `nvue.yaml.j2` and `apply.sh.j2`."""
    made = _Views(device)
    return {"nvue.yaml.j2": View(made.values()), "apply.sh.j2": View({"device": device.name})}


class _Views:
    def __init__(self, device: Device) -> None:
        self._device = device
        self._ports = list(device.ports.values())
        self._bound: dict[str, list[tuple[str, str]]] = {name: [] for name in device.ports}

    def values(self) -> dict[str, object]:
        """Return the variables of the patch."""
        device = self._device
        first = self._ports[0].qos if self._ports else None
        model = re.search(r"sn[0-9]{4}[a-z]{0,2}", device.model.lower()) if device.model else None
        lossless = sorted(
            {
                number
                for port in self._ports
                for number, group in enumerate(port.qos.priority_groups or ())
                if group and group.lossless
            }
        )
        sections = (
            ("mapping", "", self._named("mapping", _mapping_key, self._mapping)),
            ("remark", "switch-priority", self._optional("remark", lambda qos: qos.rewrite or None, _remark, "REMARK")),
            ("pfc", "", self._optional("pfc", _pfc_key, _pfc, "")),
            ("link-pause", "", self._optional("link-pause", _pause_key, _pause, "PAUSE")),
            ("congestion-control", "traffic-class", self._named("congestion-control", _congestion_key, _congestion)),
            ("egress-scheduler", "traffic-class", self._named("egress-scheduler", profiles.scheduling, _scheduler)),
            ("egress-shaper", "traffic-class", self._optional("egress-shaper", _shaper_key, _shaper, "SHAPER")),
        )
        return {
            "model": model[0] if model else "",
            "version": device.os_version or "",
            "pools": [
                ("default-lossless" if pool.lossless else "default-lossy", pool.total.value if pool.total else 50)
                for pool in device.pools or ()
                if pool.direction == "both" and pool.lossless is not None
            ]
            if lossless
            else [],
            "lossless": lossless,
            "sections": [Section(*section) for section in sections if section[2]],
            "queue_map": list(enumerate(first.tc_to_queue[:8]))
            if first is not None and first.tc_to_queue and _has_map(first)
            else [],
            "alphas": _alphas(first, self._ports) if first is not None else None,
            "watchdog": _watchdog(first) if first is not None else None,
            "interfaces": [self._interface(port) for port in self._ports if port.name != _GLOBAL],
        }

    def _named(self, section: str, key: Any, build: Any) -> list[Profile]:
        """The most common setting for all ports, the others by name; a setting that says nothing is left out."""
        made = []
        shared = profiles.split(self._ports, key, _PREFIXES[section])
        for one in shared:
            profile = build(one, shared[0].qos) if section == "mapping" else build(one)
            if profile.words or profile.rows or profile.dscp or profile.pcp:
                made.append(profile)
                if one.name != _GLOBAL:
                    self._bind(section, one.name, one.ports)
        return made

    def _optional(self, section: str, key: Any, build: Any, prefix: str) -> list[Profile]:
        """Settings that only the bound ports have; the port that stands for all has `default-global`."""
        groups: dict[Any, list[Port]] = {}
        for port in self._ports:
            found = key(port.qos)
            if found is not None:
                groups.setdefault(found, []).append(port)
        made: list[Profile] = []
        for at, (found, ports) in enumerate(groups.items(), 1):
            name = f"{prefix}-{at}" if prefix else _pfc_name(found, {profile.name for profile in made})
            if any(port.name == _GLOBAL for port in ports):
                name = _GLOBAL
            made.append(build(name, found))
            self._bind(section, name, tuple(port.name for port in ports))
        return made

    def _bind(self, section: str, name: str, ports: tuple[str, ...]) -> None:
        for port in ports:
            if self._device.ports[port].lag is None:
                self._bound[port].append((section, name))

    def _interface(self, port: Port) -> Interface:
        members = next((lag.members for lag in self._device.lags or () if lag.name == port.name), ())
        dog = port.qos.watchdog
        kind = "bond" if members or not port.name.startswith("swp") else "swp"
        return Interface(
            port.name,
            kind,
            port.mtu,
            members,
            tuple(self._bound[port.name]),
            bool(dog and dog.enabled and kind == "swp"),
        )

    def _mapping(self, shared: Any, usual: PortQos) -> Profile:
        qos = shared.qos
        words = [f"trust: {_TRUST[qos.trust]}"] if qos.trust is not None else []
        if qos.default_tc is not None:
            words.append(f"port-default-sp: {qos.default_tc}")
        dscp = _stated(qos.dscp_to_tc, usual.dscp_to_tc, defaults.DSCP_DEFAULT)
        pcp = _stated(qos.pcp_to_tc, usual.pcp_to_tc, defaults.PCP_DEFAULT)
        return Profile(shared.name, tuple(words), dscp, pcp)


def _mapping_key(qos: PortQos) -> object:
    return qos.trust, qos.default_tc, qos.dscp_to_tc, qos.pcp_to_tc


def _stated(codes: CodeMap | None, usual: CodeMap | None, standard: tuple[int, ...]) -> tuple[Pair, ...]:
    """The codes worth a line: planned ones, and those that differ from the system's map or from the usual profile's."""
    if codes is None:
        return ()
    other = usual.to if usual is not None else standard
    return tuple(
        Pair(code, to)
        for code, to in enumerate(codes.to)
        if to is not None and (to != standard[code] or to != other[code] or codes.stated >> code & 1)
    )


def _has_map(qos: PortQos) -> bool:
    return qos.tc_to_queue is not None and any(queue != tc for tc, queue in enumerate(qos.tc_to_queue[:8]))


def _remark(name: str, found: Any) -> Profile:
    return Profile(name, ("rewrite: l3",), rows=tuple(Row(of, f"dscp: {to}") for _, of, to in found))


def _pfc_key(qos: PortQos) -> tuple[Any, ...] | None:
    pfc = qos.pfc
    if pfc is None or not (pfc.tx or pfc.rx):
        return None
    priorities = (pfc.tx or frozenset()) | (pfc.rx or frozenset())
    group = qos.priority_group(min(priorities))
    stated: tuple[int | None, ...] = ()
    if (
        group is not None
        and group.headroom is not None
        and group.headroom.amount is not None
        and isinstance(group.xoff_at, Static)
    ):
        headroom, xoff = group.headroom.amount.bytes or 0, group.xoff_at.amount.bytes or 0
        stated = (headroom + xoff, xoff, group.xon_below.bytes if group.xon_below is not None else None)
    return tuple(sorted(priorities)), bool(pfc.tx), bool(pfc.rx), qos.cable, stated


def _pfc_name(key: tuple[Any, ...], taken: set[str]) -> str:
    priorities, _, _, cable, _ = key
    plain = f"PFC-{'-'.join(map(str, priorities))}" + (f"-{cable}M" if cable is not None else "")
    name, at = plain, 2
    while name in taken:
        name, at = f"{plain}-{at}", at + 1
    return name


def _pfc(name: str, key: tuple[Any, ...]) -> Profile:
    priorities, tx, rx, cable, stated = key
    words = [
        "switch-priority: {" + ", ".join(f"'{priority}': {{}}" for priority in priorities) + "}",
        f"tx: {_switch(tx)}",
        f"rx: {_switch(rx)}",
    ]
    if cable is not None:
        words.append(f"cable-length: {cable}")
    for word, value in zip(("port-buffer", "xoff-threshold", "xon-threshold"), stated, strict=False):
        if value is not None:
            words.append(f"{word}: {value}")
    return Profile(name, tuple(words))


def _switch(on: bool) -> str:
    return "enable" if on else "disable"


def _pause_key(qos: PortQos) -> tuple[bool, bool] | None:
    pause = qos.link_pause
    return (bool(pause.rx), bool(pause.tx)) if pause is not None and (pause.rx or pause.tx) else None


def _pause(name: str, key: tuple[bool, bool]) -> Profile:
    return Profile(name, (f"rx: {_switch(key[0])}", f"tx: {_switch(key[1])}"))


def _congestion_key(qos: PortQos) -> object:
    return tuple((queue.ecn, queue.wred) if queue is not None else None for queue in qos.queues or ())


def _congestion(shared: Any) -> Profile:
    rows = []
    for number, queue in enumerate(shared.qos.queues or ()):
        if queue is not None and queue.ecn is not None and (queue.ecn.curves or queue.wred):
            rows.append(Row(number, _ramp(queue)))
    if not rows and any(queue is not None and queue.ecn is not None for queue in shared.qos.queues or ()):
        rows.append(Row(0, "ecn: disable"))  # else the system's own ramp on class 0 stays
    return Profile(shared.name, rows=tuple(rows))


def _ramp(queue: Queue) -> str:
    assert queue.ecn is not None
    marks = bool(queue.ecn.curves)
    curve: Curve = queue.ecn.curves[0] if marks else (queue.wred or ())[0]
    red = queue.ecn.non_ect == "drop" if marks else True
    words = [f"ecn: {_switch(marks)}", f"red: {_switch(red)}"]
    suffix = ""
    if any(amount is not None and amount.unit == "percent" for amount in (curve.low, curve.high)):
        words.append("mode: relative")
        suffix = "-percent"
    for word, amount in (("min-threshold", curve.low), ("max-threshold", curve.high)):
        if amount is not None:
            words.append(f"{word}{suffix}: {amount.value if suffix else amount.bytes}")
    if curve.probability is not None:
        words.append(f"probability: {curve.probability}")
    return ", ".join(words)


def _scheduler(shared: Any) -> Profile:
    said = profiles.scheduling(shared.qos)
    if (
        said == tuple((number, "weighted", weight) for number, weight in enumerate(defaults.DWRR_DEFAULT))
        and shared.name == _GLOBAL
    ):
        return Profile(shared.name)
    rows = []
    for number, queue in enumerate(shared.qos.queues or ()):
        if queue is None or queue.scheduler is None or (shared.name != _GLOBAL and queue.weight == 0):
            continue
        if queue.scheduler == "strict":
            rows.append(Row(number, "mode: strict"))
        else:
            rows.append(
                Row(number, "mode: dwrr" + (f", bw-percent: {queue.weight}" if queue.weight is not None else ""))
            )
    return Profile(shared.name, rows=tuple(rows))


def _shaper_key(qos: PortQos) -> tuple[Any, ...] | None:
    rows = tuple(
        (number, queue.guarantee, queue.shaper)
        for number, queue in enumerate(qos.queues or ())
        if queue is not None and (queue.guarantee is not None or queue.shaper is not None)
    )
    return rows or None


def _shaper(name: str, key: tuple[Any, ...]) -> Profile:
    rows = []
    for number, low, high in key:
        words = [
            f"{word}: {rate // 1000}" for word, rate in (("min-rate", low), ("max-rate", high)) if rate is not None
        ]
        rows.append(Row(number, ", ".join(words)))
    return Profile(name, rows=tuple(rows))


def _alphas(qos: PortQos, ports: list[Port]) -> Alphas | None:
    """The buffer shares that differ from the system's: one for all ports that have no trigger of their own."""
    lossless = {
        number for number, group in enumerate(qos.priority_groups or ()) if group is not None and group.lossless
    }
    full = {qos.tc_to_queue[sp] for sp in lossless} if qos.tc_to_queue is not None else lossless
    limits = {
        number: amounts.alpha_name(queue.limit.alpha)
        for number, queue in enumerate(qos.queues or ())
        if queue is not None and isinstance(queue.limit, Dynamic) and queue.limit.alpha is not None
    }
    groups = (
        group for port in ports for group in port.qos.priority_groups or () if group is not None and group.lossless
    )
    triggers = (group.xoff_at for group in groups)
    xoff = next((trigger for trigger in triggers if isinstance(trigger, Dynamic)), None)
    found = Alphas(
        amounts.alpha_name(xoff.alpha)
        if xoff is not None and xoff.alpha is not None and xoff != defaults.LOSSLESS_ALPHA
        else "",
        next((name for number, name in limits.items() if number in full), ""),
        tuple((number, name) for number, name in limits.items() if number not in full),
    )
    return found if found.ingress or found.lossless or found.lossy else None


def _watchdog(qos: PortQos) -> tuple[int, int] | None:
    dog = qos.watchdog
    if dog is None or not dog.poll or not dog.detect:
        return None
    return dog.poll, dog.detect // dog.poll
