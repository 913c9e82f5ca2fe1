"""Settings read off live ports: for each one the leaves of the state it decides, and its value as it is written."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.state.model import NEVER, Dynamic, Static
from rocecfg.units import print_alpha, print_duration, print_length, print_percent, print_size

if TYPE_CHECKING:
    from rocecfg.state.model import Amount, Curve, Port, PriorityGroup

_MS = 1_000_000
_BYTES_PER_METRE = Fraction(2 * 5, 8 * 10**9)
"""Of bit/s, there and back at 5 ns a metre."""


@dataclass(frozen=True, slots=True)
class Both:
    """A planned port beside the live one: what was wanted, and what its system carries of that."""

    wanted: Port
    fitted: Port


Read = Callable[["Port", "Both | None"], "str | None"]


@dataclass(frozen=True, slots=True)
class Knob:
    """One setting: its path in the file, the leaves that it decides, and how a port tells it (None = it does not).

    Knobs of one family are tried together.
    """

    path: tuple[str, ...]
    leaves: re.Pattern[str]
    read: Read
    family: str


def _groups(port: Port) -> list[PriorityGroup]:
    """Return the lossless priority groups of a port."""
    qos = port.qos
    lossless = qos.lossless_priorities() or (qos.pfc.tx if qos.pfc is not None else None) or frozenset()
    numbers = {
        group for priority in lossless if qos.priority_to_pg is not None for group in qos.priority_to_pg[priority] or ()
    }
    return [
        group for number, group in enumerate(qos.priority_groups or ()) if group is not None
        and (group.lossless or number in numbers)
    ]  # fmt: skip


def _curve(port: Port) -> Curve | None:
    """Return the marking ramp of a port; of several the one that most lossless queues have."""
    found: list[Curve] = []
    qos = port.qos
    numbers = [
        number
        for priority in sorted((qos.pfc.tx if qos.pfc is not None else None) or ())
        if qos.priority_to_queue is not None
        for number in sorted(qos.priority_to_queue[priority] or ())
    ]
    for queue in [qos.queue(number) for number in numbers] or list(qos.queues or ()):
        if queue is not None and queue.ecn is not None:
            found += [curve for curve in queue.ecn.curves if curve.active]
    return found[0] if found else None


def _sized(leaf: Callable[[Port], Amount | None]) -> Read:
    """Return how to read a size in bytes.

    A device's own unit whose size is not known is counted by what the same unit became of the planned bytes; that is
    repeated until it meets, because systems round.
    """

    def read(port: Port, both: Both | None) -> str | None:
        live = leaf(port)
        if live is None:
            return None
        if live.bytes is not None:
            return print_size(live.bytes)
        wanted, fitted = (leaf(both.wanted), leaf(both.fitted)) if both is not None else (None, None)
        if wanted is None or fitted is None or wanted.bytes is None or fitted.unit != live.unit or not fitted.value:
            return None
        return print_size(round(wanted.bytes * Fraction(live.value) / Fraction(fitted.value)))

    return read


def _of_groups(leaf: Callable[[PriorityGroup], Amount | None]) -> Read:
    return _sized(lambda port: next((found for group in _groups(port) if (found := leaf(group)) is not None), None))


def _headroom(group: PriorityGroup) -> Amount | None:
    headroom = group.headroom
    return headroom.amount if headroom is not None and headroom.by in {"stated", "pool-share"} else None


def _stated_headroom(port: Port, both: Both | None) -> str | None:
    """Return the headroom of a port; `auto` where its device works it out, so that a stated one does not reach it."""
    return _of_groups(_headroom)(port, both) or ("auto" if _made_by_device(port) else None)


def _made_by_device(port: Port) -> bool:
    made = {"length", "table", "box"}
    return any(group.headroom is not None and group.headroom.by in made for group in _groups(port))


def _alpha(port: Port, both: Both | None) -> str | None:
    del both
    limits = [group.xoff_at for group in _groups(port)]
    return next((print_alpha(limit.alpha) for limit in limits if isinstance(limit, Dynamic) and limit.alpha), None)


def _fixed(group: PriorityGroup) -> Amount | None:
    return group.xoff_at.amount if isinstance(group.xoff_at, Static) else None


def _cable(port: Port, both: Both | None) -> str | None:
    """Return the length that a stated headroom is large enough for, where the plan's length would have stated none."""
    stated = next((found for group in _groups(port) if (found := _headroom(group)) is not None), None)
    if stated is None and _made_by_device(port):
        return "auto"
    if both is None or stated is None or not both.wanted.speed:
        return None
    planned = next((found for group in _groups(both.wanted) if (found := _headroom(group)) is not None), None)
    if planned is None or planned.bytes is None or any(_headroom(group) for group in _groups(both.fitted)):
        return None
    size = stated.bytes if stated.bytes is not None else stated.value * 1000 if stated.unit == "kbyte" else 0
    per_metre = both.wanted.speed * _BYTES_PER_METRE
    longer = max((size - planned.bytes) / per_metre, Fraction(1))
    return print_length(min(int(both.wanted.qos.cable or 0) + int(longer), 200_000))


def _of_curve(leaf: str) -> Read:
    def amount(port: Port) -> Amount | None:
        curve = _curve(port)
        found: Amount | None = getattr(curve, leaf) if curve is not None else None
        return found

    return _sized(amount)


def _pmax(port: Port) -> str | None:
    curve = _curve(port)
    return print_percent(Fraction(curve.probability)) if curve is not None and curve.probability is not None else None


def _marks(port: Port) -> str | None:
    """Return `false` where no lossless queue is marked, `true` where one is."""
    known = [queue.ecn for queue in port.qos.queues or () if queue is not None and queue.ecn is not None]
    return None if not known else "true" if any(item.curves for item in known) else "false"


def _congestion_control(port: Port) -> str | None:
    """Return `none` where a NIC does neither answer marks nor slow down."""
    if port.nic is None:
        return "none" if _marks(port) == "false" else "dcqcn" if _marks(port) == "true" else None
    control = port.nic.congestion_control
    if control is None:
        return None
    quiet = control.receives == frozenset() and control.reacts == frozenset()
    return "none" if quiet else "dcqcn" if control.algorithm in {"dcqcn", None} else "other"


def _watchdog(leaf: str) -> Read:
    def read(port: Port, both: Both | None) -> str | None:
        del both
        watchdog = port.qos.watchdog
        value = getattr(watchdog, leaf) if watchdog is not None else None
        if value is None or value == NEVER:
            return None
        return print_duration(value * _MS)

    return read


def _watched(port: Port) -> str | None:
    watchdog = port.qos.watchdog
    return None if watchdog is None or watchdog.enabled is None else str(watchdog.enabled).lower()


def _action(port: Port) -> str | None:
    watchdog = port.qos.watchdog
    return watchdog.action if watchdog is not None and watchdog.action in {"drop", "forward", "alert"} else None


def _mode(port: Port) -> str | None:
    pfc = port.qos.pfc
    return {"on": "on", "off": "off", "auto": "dcbx"}.get(pfc.admin or "") if pfc is not None else None


def _asymmetric(port: Port) -> str | None:
    pfc = port.qos.pfc
    if pfc is None or not pfc.tx or pfc.rx is None:
        return None
    return str(len(pfc.rx) == 8 and len(pfc.tx) < 8).lower()


def _dcbx(port: Port) -> str | None:
    dcbx = port.qos.dcbx
    return dcbx.state if dcbx is not None and dcbx.state in {"off", "ieee", "cee"} else None


def _trust(port: Port) -> str | None:
    return port.qos.trust if port.qos.trust in {"dscp", "pcp", "both"} else None


def _mtu(port: Port) -> str | None:
    """Return the MTU as the system counts it, which is how an intent states it."""
    return str(port.mtu) if port.mtu is not None and 1280 <= port.mtu <= 10240 else None


def _nic(leaf: str) -> Read:
    def read(port: Port, both: Both | None) -> str | None:
        del both
        value = getattr(port.nic, leaf) if port.nic is not None else None
        return None if value is None else str(value)

    return read


def _storm(port: Port) -> str | None:
    value = port.nic.storm_timeout if port.nic is not None else None
    return print_duration(value * _MS) if value is not None and value > 0 else None


def _interval(port: Port) -> str | None:
    control = port.nic.congestion_control if port.nic is not None else None
    value = dict(control.parameters).get("min_time_between_cnps") if control is not None else None
    return None if value is None else print_duration(value * 1000)


def _plain(read: Callable[[Port], str | None]) -> Read:
    """Return how to read what needs no look at the plan."""
    return lambda port, both: read(port)  # noqa: ARG005 - a `Read`


def _knob(path: str, leaves: str, read: Read, family: str) -> Knob:
    return Knob(tuple(path.split(".")), re.compile(leaves), read, family)


TRUST = _knob("trust", r"trust$|dscp_to_tc|pcp_to_tc", _plain(_trust), "trust")
KNOBS = (
    _knob("mtu", r"mtu$", _plain(_mtu), "mtu"),
    _knob(
        "congestion_control", r"nic\.congestion_control|queues\.\d+\.ecn$", _plain(_congestion_control), "congestion"
    ),
    _knob("asymmetric_pfc", r"pfc\.(rx|tx)", _plain(_asymmetric), "pfc"),
    _knob("dcbx", r"dcbx", _plain(_dcbx), "dcbx"),
    _knob("pfc.mode", r"pfc\.admin|pfc$", _plain(_mode), "pfc"),
    _knob("cable", r"priority_groups\.\d+\.headroom", _cable, "headroom"),
    _knob("pfc.headroom", r"priority_groups\.\d+\.headroom", _stated_headroom, "headroom"),
    _knob("pfc.xoff_at", r"priority_groups\.\d+\.xoff_at", _of_groups(_fixed), "xoff"),
    _knob("pfc.alpha", r"priority_groups\.\d+\.xoff_at", _alpha, "xoff"),
    _knob("pfc.xon_at", r"priority_groups\.\d+\.xon_at", _of_groups(lambda group: group.xon_at), "xon"),
    _knob("pfc.xon_below", r"priority_groups\.\d+\.xon_below", _of_groups(lambda group: group.xon_below), "xon"),
    _knob("ecn.enabled", r"queues\.\d+\.ecn$", _plain(_marks), "marks"),
    _knob("ecn.kmin", r"queues\.\d+\.ecn\.kmin", _of_curve("low"), "ramp"),
    _knob("ecn.kmax", r"queues\.\d+\.ecn\.kmax", _of_curve("high"), "ramp"),
    _knob("ecn.pmax", r"queues\.\d+\.ecn\.pmax", _plain(_pmax), "ramp"),
    _knob("watchdog.enabled", r"watchdog(\.enabled)?$", _plain(_watched), "watchdog"),
    _knob("watchdog.poll", r"watchdog\.poll", _watchdog("poll"), "watchdog"),
    _knob("watchdog.detect", r"watchdog\.detect", _watchdog("detect"), "watchdog"),
    _knob("watchdog.restore", r"watchdog\.restore", _watchdog("restore"), "watchdog"),
    _knob("watchdog.action", r"watchdog\.action", _plain(_action), "watchdog"),
    _knob("host.cnp_dscp", r"nic\.cnp_dscp", _nic("cnp_dscp"), "host"),
    _knob("host.cnp_priority", r"nic\.cnp_priority", _nic("cnp_priority"), "host"),
    _knob("host.roce_version", r"nic\.roce_version", _nic("roce_version"), "host"),
    _knob("host.pause_storm_timeout", r"nic\.storm_timeout", _plain(_storm), "host"),
    _knob("host.cnp_interval", r"nic\.congestion_control\.parameters", _plain(_interval), "host"),
)
