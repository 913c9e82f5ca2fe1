"""What `switch.set.j2` prints: plain objects in the order of the validated files, every decision made."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.vendor.api import View

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocecfg.state.model import Device
    from vendors.junos.config import Config, Scheduler, Watchdog

_HERE = Path(__file__).parent
_FACTORS = (("g", 1_000_000_000), ("m", 1_000_000), ("k", 1_000))


@dataclass(frozen=True, slots=True)
class PortLine:
    """The lines of one port: `interfaces` and `class-of-service interfaces`."""

    name: str
    mtu: int | None
    options: tuple[str, ...]
    profile: str
    scheduler_map: str
    classifiers: tuple[tuple[str, str], ...]
    rewrite: str


@dataclass(frozen=True, slots=True)
class Codes:
    """The code points of one class with one loss priority."""

    kind: str
    name: str
    forwarding_class: str
    loss: str
    bits: str


@dataclass(frozen=True, slots=True)
class Profile:
    """A congestion notification profile."""

    name: str
    cable: object
    inputs: tuple[tuple[str, str, tuple[str, ...]], ...]
    outputs: tuple[tuple[str, str], ...]
    watchdog: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SchedulerLines:
    """A scheduler and its lines."""

    name: str
    lines: tuple[str, ...]


def from_state(device: Device) -> Mapping[str, View]:
    """Return the view of the one file of this system."""
    config = load_module(_HERE / "build.py").build(device)
    natural = load_module(_HERE / "effective.py").natural
    return {
        "switch.set.j2": View(
            {
                "ports": list(_ports(config)),
                "codes": list(_codes(config)),
                "drop_profiles": sorted(config.drop_profiles.values(), key=lambda found: natural(found.name)),
                "partitions": list(config.partitions.values()),
                "classes": list(config.classes.values()),
                "profiles": list(_profiles(config)),
                "marks": [
                    (name, of_class, format(code, "06b"))
                    for (_, name), rule in config.marks.items()
                    for of_class, by_loss in rule.items()
                    for code, _ in by_loss.values()
                ],
                "scheduler_maps": [
                    (name, of_class, ref.name)
                    for name, entries in config.scheduler_maps.items()
                    for of_class, ref in entries.items()
                ],
                "schedulers": [_scheduler(found) for found in config.schedulers.values()],
            }
        )
    }


def _ports(config: Config) -> Iterator[PortLine]:
    for name, interface in config.interfaces.items():
        binding = config.bindings.get(name)
        rewrites = list(binding.rewrites.values()) if binding else []
        yield PortLine(
            name,
            interface.mtu,
            _options(name, interface.lag, interface.pause, bound=binding is not None or interface.mtu is not None),
            binding.cn.name if binding and binding.cn else "",
            binding.maps[0].name if binding and binding.maps else "",
            tuple((kind, ref.name) for (_, kind), ref in binding.classifiers.items()) if binding else (),
            rewrites[0].name if rewrites else "",
        )


def _options(name: str, lag: str, pause: Mapping[str, bool], *, bound: bool) -> tuple[str, ...]:
    """Return the further lines of a port; one without any line at all is named by its unit."""
    options = "aggregated-ether-options" if name.startswith("ae") else "ether-options"
    lines = [f"{options} 802.3ad {lag}"] if lag else []
    lines += _pause(options, pause)
    return tuple(lines) if lines or bound else ("unit 0",)


def _pause(options: str, pause: Mapping[str, bool]) -> tuple[str, ...]:
    if len(pause) == 2 and len(set(pause.values())) == 1:
        return (f"{options} {'flow-control' if pause['rx'] else 'no-flow-control'}",)
    return tuple(
        f"{options} configured-flow-control {side}-buffers {'on' if on else 'off'}" for side, on in pause.items()
    )


def _codes(config: Config) -> Iterator[Codes]:
    for (kind, name), classifier in config.classifiers.items():
        size = "06b" if kind == "dscp" else "03b"
        grouped: dict[tuple[str, str], list[str]] = {}
        for code, entry in sorted(classifier.codes.items()):
            grouped.setdefault((entry.forwarding_class, entry.loss), []).append(format(code, size))
        for of_class in config.classes:
            for (forwarding_class, loss), bits in grouped.items():
                if forwarding_class == of_class:
                    yield Codes(kind, name, forwarding_class, loss, _list(bits))


def _list(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"[ {' '.join(words)} ]"


def _profiles(config: Config) -> Iterator[Profile]:
    for profile in config.cn_profiles.values():
        inputs = []
        for kind, codes in profile.inputs.items():
            for code, entry in codes.items():
                settings = ["pfc"]
                settings += [f"{word} {value}" for word, value in (("mru", entry.mru), ("xon", entry.xon)) if value]
                inputs.append((kind, format(code, "06b" if kind == "dscp" else "03b"), tuple(settings)))
        outputs = tuple(
            (format(code, "03b"), _list([str(queue) for queue in sorted(queues)]))
            for code, queues in profile.output.items()
        )
        watchdog = _watchdog(profile.watchdog) if profile.watchdog is not None else ()
        yield Profile(profile.name, profile.cable, tuple(inputs), outputs, watchdog)


def _watchdog(found: Watchdog) -> tuple[str, ...]:
    """Return what stands behind `pfc-watchdog`: nothing to turn it on, then each setting."""
    settings: list[tuple[str, object]] = [
        ("poll-interval", found.poll),
        ("detection", found.detection),
        ("recovery", found.recovery),
        ("watchdog-action", found.action or None),
    ]
    return ("", *(f" {word} {value}" for word, value in settings if value is not None))


def _scheduler(found: Scheduler) -> SchedulerLines:
    lines = []
    if found.percent is not None:
        lines.append(f"transmit-rate percent {found.percent}")
    if found.rate is not None:
        lines.append(f"transmit-rate {_rate(found.rate)}")
    if found.shaper is not None:
        lines.append(f"shaping-rate {_rate(found.shaper)}")
    if found.priority:
        lines.append(f"priority {found.priority}")
    for loss, ref in found.drops.items():
        lines.append(f"drop-profile-map loss-priority {loss} protocol any drop-profile {ref.name}")
    if found.ecn:
        lines.append("explicit-congestion-notification")
    if found.threshold is not None:
        lines.append(f"buffer-dynamic-threshold {found.threshold}")
    return SchedulerLines(found.name, tuple(lines))


def _rate(bits: int) -> str:
    for letter, factor in _FACTORS:
        if bits and bits % factor == 0:
            return f"{bits // factor}{letter}"
    return str(bits)
