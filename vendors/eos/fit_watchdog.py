"""Fits the PFC watchdog: device-wide times where all ports agree, a timer line in the profile where they do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import NEVER, PortWatchdog

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.model import Action, Device, Pfc
    from rocecfg.vendor.changes import Log


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds; None = auto."""

    detect: int
    poll: int | None
    restore: int | None


@dataclass(frozen=True, slots=True)
class Timers:
    """What holds for the device, and what each planned watchdog becomes."""

    times: Times | None
    """The device-wide times; None = every port states its own."""
    action: Action
    limits: Mapping[str, Any]


def timers_of(device: Device, known: Mapping[str, Any], log: Log) -> Timers:
    """Return the device-wide times and action."""
    planned = list(dict.fromkeys(port.qos.watchdog for port in device.ports.values() if port.qos.watchdog is not None))
    running = [watchdog for watchdog in planned if watchdog.enabled]
    quiet = any(watchdog.enabled is False for watchdog in planned)
    actions = [_action(watchdog, log) for watchdog in running]
    action: Action = "port-down" if not actions or "port-down" in actions else actions[0]
    if not running or quiet:
        return Timers(None, action, known["watchdog"])
    return Timers(times_of(running[0], known["watchdog"], None), action, known["watchdog"])


def watchdog_of(planned: PortWatchdog | None, pfc: Pfc, timers: Timers, log: Log) -> PortWatchdog | None:
    """Return what becomes of a planned watchdog."""
    if planned is None or planned.enabled is None:
        return _of_device(timers)
    if not planned.enabled:
        return PortWatchdog(action=None if timers.action == "port-down" else timers.action)
    if planned.priorities not in (None, pfc.rx):
        because = "EOS watches the no-drop priorities of the port and no other"
        wanted = ",".join(map(str, sorted(planned.priorities or ())))
        log("equalised", "watchdog.priorities", wanted, ",".join(map(str, sorted(pfc.rx or ()))), because)
    times = times_of(planned, timers.limits, log)
    if times.restore is None and times != timers.times:
        restore = min(2 * times.detect, timers.limits["restore"]["high"])
        because = "the timer line of a port needs a recovery time: twice the timeout, as in published examples"
        log("chosen", "watchdog.restore", "open", f"{restore} ms", because)
        times = Times(times.detect, times.poll, restore)
    return PortWatchdog(
        enabled=True,
        priorities=pfc.rx,
        poll=times.poll,
        detect=times.detect,
        restore=times.restore,
        action=_action(planned, log),
    )


def _of_device(timers: Timers) -> PortWatchdog | None:
    """Return what the device-wide lines make of a port that the plan leaves open."""
    action = None if timers.action == "port-down" else timers.action
    if timers.times is None:
        return None if action is None else PortWatchdog(action=action)
    times = timers.times
    return PortWatchdog(poll=times.poll, detect=times.detect, restore=times.restore, action=action)


def _action(planned: PortWatchdog, log: Log) -> Action:
    wanted = planned.action or "port-down"
    if wanted in ("drop", "alert", "port-down"):
        return wanted
    because = "the actions of EOS are drop, errdisable and notify-only"
    log("equalised", "watchdog.action", wanted, "drop", because)
    return "drop"


def times_of(planned: PortWatchdog, known: Mapping[str, Any], log: Log | None) -> Times:
    """Return the times of a watchdog as EOS takes them; a poll is at most half of the shorter of the others."""
    detect = _time("detect", planned.detect, known, log)
    restore = _time("restore", planned.restore, known, log) if planned.restore is not None else None
    if detect is None:
        detect = 200
        if log is not None:
            log(
                "chosen",
                "watchdog.detect",
                "open",
                f"{detect} ms",
                "without a timeout the watchdog never fires; 0.20 s stands in published examples",
            )
    poll = _time("poll", planned.poll, known, log) if planned.poll is not None else None
    half = min(detect, restore if restore is not None else detect) // 2
    if poll is not None and poll > half:
        if log is not None:
            because = "a poll over half of the timeout or the recovery time is replaced by an automatic one (reported)"
            log("quantised", "watchdog.poll", f"{poll} ms", f"{max(half, known['poll']['low'])} ms", because)
        poll = max(half, known["poll"]["low"])
    return Times(detect, poll, restore)


def _time(name: str, value: int | None, known: Mapping[str, Any], log: Log | None) -> int | None:
    if value is None:
        return None
    low, high, step = (known[name][word] for word in ("low", "high", "step"))
    got = high if value == NEVER else min(max(-(-value // step) * step, low), high)
    if got != value and log is not None:
        because = f"EOS takes {low} to {high} ms in steps of {step} ms"
        log("quantised", f"watchdog.{name}", "never" if value == NEVER else f"{value} ms", f"{got} ms", because)
    return int(got)
