"""The words of each profile's lines, from the QoS they stand for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Dynamic, Static

if TYPE_CHECKING:
    from rocecfg.state.model import CodeMap, Curve, Port, PortQos, Queue

_HERE = Path(__file__)
profiles = load_module(_HERE.with_name("profiles.py"))
defaults = load_module(_HERE.with_name("defaults.py"))
amounts = load_module(_HERE.with_name("amounts.py"))

_GLOBAL = profiles.GLOBAL


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


def mapping_key(qos: PortQos) -> object:
    return qos.trust, qos.default_tc, qos.dscp_to_tc, qos.pcp_to_tc


def stated(codes: CodeMap | None, usual: CodeMap | None, standard: tuple[int, ...]) -> tuple[Pair, ...]:
    """Return the codes worth a line: planned, or other than the system's map or the usual profile's."""
    if codes is None:
        return ()
    other = usual.to if usual is not None else standard
    return tuple(
        Pair(code, to)
        for code, to in enumerate(codes.to)
        if to is not None and (to != standard[code] or to != other[code] or codes.stated >> code & 1)
    )


def has_map(qos: PortQos) -> bool:
    return qos.tc_to_queue is not None and any(queue != tc for tc, queue in enumerate(qos.tc_to_queue[:8]))


def remark(name: str, found: Any) -> Profile:
    return Profile(name, ("rewrite: l3",), rows=tuple(Row(of, f"dscp: {to}") for _, of, to in found))


def pfc_key(qos: PortQos) -> tuple[Any, ...] | None:
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


def pfc_name(key: tuple[Any, ...], taken: set[str]) -> str:
    priorities, _, _, cable, _ = key
    plain = f"PFC-{'-'.join(map(str, priorities))}" + (f"-{cable}M" if cable is not None else "")
    name, at = plain, 2
    while name in taken:
        name, at = f"{plain}-{at}", at + 1
    return name


def pfc(name: str, key: tuple[Any, ...]) -> Profile:
    priorities, tx, rx, cable, stated = key
    words = [
        "switch-priority: {" + ", ".join(f"'{priority}': {{}}" for priority in priorities) + "}",
        f"tx: {switch(tx)}",
        f"rx: {switch(rx)}",
    ]
    if cable is not None:
        words.append(f"cable-length: {cable}")
    for word, value in zip(("port-buffer", "xoff-threshold", "xon-threshold"), stated, strict=False):
        if value is not None:
            words.append(f"{word}: {value}")
    return Profile(name, tuple(words))


def switch(on: bool) -> str:
    return "enable" if on else "disable"


def pause_key(qos: PortQos) -> tuple[bool, bool] | None:
    pause = qos.link_pause
    return (bool(pause.rx), bool(pause.tx)) if pause is not None and (pause.rx or pause.tx) else None


def pause(name: str, key: tuple[bool, bool]) -> Profile:
    return Profile(name, (f"rx: {switch(key[0])}", f"tx: {switch(key[1])}"))


def congestion_key(qos: PortQos) -> object:
    return tuple((queue.ecn, queue.wred) if queue is not None else None for queue in qos.queues or ())


def congestion(shared: Any) -> Profile:
    rows = []
    for number, queue in enumerate(shared.qos.queues or ()):
        if queue is not None and queue.ecn is not None and (queue.ecn.curves or queue.wred):
            rows.append(Row(number, ramp(queue)))
    if not rows and any(queue is not None and queue.ecn is not None for queue in shared.qos.queues or ()):
        rows.append(Row(0, "ecn: disable"))  # else the system's own ramp on class 0 stays
    return Profile(shared.name, rows=tuple(rows))


def ramp(queue: Queue) -> str:
    assert queue.ecn is not None
    marks = bool(queue.ecn.curves)
    curve: Curve = queue.ecn.curves[0] if marks else (queue.wred or ())[0]
    red = queue.ecn.non_ect == "drop" if marks else True
    words = [f"ecn: {switch(marks)}", f"red: {switch(red)}"]
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


def scheduler(shared: Any) -> Profile:
    said = profiles.scheduling(shared.qos)
    if (
        said == tuple((number, "weighted", weight) for number, weight in enumerate(defaults.DWRR_DEFAULT))
        and shared.name == _GLOBAL
    ):
        return Profile(shared.name)
    rows = []
    for number, queue in enumerate(shared.qos.queues or ()):
        if queue is None or queue.scheduler is None or (queue.scheduler != "strict" and queue.weight == 0):
            continue
        if queue.scheduler == "strict":
            rows.append(Row(number, "mode: strict"))
        else:
            rows.append(
                Row(number, "mode: dwrr" + (f", bw-percent: {queue.weight}" if queue.weight is not None else ""))
            )
    return Profile(shared.name, rows=tuple(rows))


def shaper_key(qos: PortQos) -> tuple[Any, ...] | None:
    rows = tuple(
        (number, queue.guarantee, queue.shaper)
        for number, queue in enumerate(qos.queues or ())
        if queue is not None and (queue.guarantee is not None or queue.shaper is not None)
    )
    return rows or None


def shaper(name: str, key: tuple[Any, ...]) -> Profile:
    rows = []
    for number, low, high in key:
        words = [
            f"{word}: {rate // 1000}" for word, rate in (("min-rate", low), ("max-rate", high)) if rate is not None
        ]
        rows.append(Row(number, ", ".join(words)))
    return Profile(name, rows=tuple(rows))


def alphas(qos: PortQos, ports: list[Port]) -> Alphas | None:
    """Return the buffer shares that differ from the system's, for all ports without a trigger of their own."""
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


def watchdog(qos: PortQos) -> tuple[int, int] | None:
    dog = qos.watchdog
    if dog is None or not dog.poll or not dog.detect:
        return None
    return dog.poll, dog.detect // dog.poll
