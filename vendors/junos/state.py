"""Juniper QFX (Junos and Junos Evolved): reads and carries the neutral state."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.model import Device, Ecn, Pfc, PortQos, PortWatchdog, Queue, eight
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.capture import Capture, Text
    from rocecfg.vendor.api import Adjustment, View

_HERE = Path(__file__).parent


@lru_cache(maxsize=16)
def _part(name: str) -> Any:
    """Return another file of this folder, loaded when first needed."""
    return load_module(_HERE / f"{name}.py")


_COS_SECTIONS = frozenset({"qos", "buffers", "watchdog", "maps"})
_SHOWN = ("show-class", "show-interfaces", "show-lldp")
"""How the ids of show outputs begin."""
_LLDP = "show-lldp-neighbors"
_DEFAULT_CABLE = 100
"""Metres that headroom is sized for without `cable-length` (Juniper's statement, physics guide table 1)."""


def to_state(capture: Capture) -> Device:
    """Read a Junos configuration in braces or set form, and the class-of-service show outputs.

    Raises ReadError for a text that holds nothing of these.
    """
    config = _part("config").Config()
    whole, lines, count, shown = True, [], 0, []
    configurations = 0
    for text in capture.texts:
        command = _command(text)
        found = None if command.startswith(_SHOWN) else _part("scan").scan(_part("unwrap").unwrapped(text.content))
        if found is not None and not found.seen and not found.version and not command:
            command = registry.command_of("junos", text)  # looks at every system's patterns: only when needed
        if command.startswith(_SHOWN):
            shown.append((command, text))
            continue
        if found is None or not (found.seen or found.version):
            raise ReadError(f"{text.file}: {_what_is_it(text)}")
        configurations += 1
        whole = whole and found.whole and text.complete is not False and not _part("unwrap").is_session(text.content)
        missing = _part("groups").inherit(found, text.file)
        whole = whole and not missing
        reader = _part("read").Reader(config, text.file)
        reader.read(found, missing)
        lines += reader.lines
        count += reader.count
    if not configurations and not shown:
        raise ReadError(f"{capture.file}: no Junos text in the capture")
    device = _device(capture, config, whole=whole and configurations > 0)
    device = replace(device, lines=tuple(lines), lines_read=count, complete=_complete(config, capture, whole=whole))
    for command, text in shown:
        lldp = command == _LLDP
        device = _part("show_lldp").add(device, text) if lldp else _part("show").add(device, command, text)
    if not (device.ports or device.objects or device.pools or config.has_cos or config.has_interfaces):
        raise ReadError(f"{capture.file}: no interface and no class-of-service statement in it")
    return device


def _command(text: Text) -> str:
    """Return the id of the command that a capture names for a text, an empty string when it names none we know."""
    if not text.command:
        return ""
    commands = registry.get("junos").manifest.commands
    return next((found.id for found in commands if text.command in {found.send, found.id}), "")


def _what_is_it(text: Text) -> str:
    if "%" in text.content[:200] or "error:" in text.content[:500]:
        return "an error message of the device, not a configuration"
    return "no Junos configuration (braces or set form with class-of-service or interfaces) and no show output"


def _complete(config: object, capture: Capture, *, whole: bool) -> frozenset[str]:
    """Return the sections whose absence proves a default."""
    if not whole:
        return frozenset()
    if config.has_interfaces or any(text.complete is True for text in capture.texts):  # type: ignore[attr-defined]
        return frozenset({"all"})
    return _COS_SECTIONS if config.has_cos else frozenset()  # type: ignore[attr-defined]


def _device(capture: Capture, config: object, *, whole: bool) -> Device:
    effective = _part("effective")
    resolver = effective.Resolver(config, whole=whole)
    ports = resolver.ports()
    return Device(
        name=capture.device or config.host,  # type: ignore[attr-defined]
        nos="junos",
        ports=ports,
        pools=effective.pools(config),
        lags=effective.lags(config),
        os_version=config.version or None,  # type: ignore[attr-defined]
        objects=_part("objects").named(config, whole=whole, unmatched=resolver.unmatched),
    )


def defaults(device: Device) -> Device:
    """Fill in what a QFX does where the complete text is silent: no PFC, no ECN, no watchdog, no rewriting.

    A congestion notification profile without `output` honours pauses for priorities 3 and 4.
    A member of an aggregate may inherit from it (no document says so or otherwise): its silence stays unknown.
    """
    if not device.knows_all_of("qos"):
        return device
    known: dict[tuple[int, bool], PortQos] = {}
    ports = {}
    for name, port in device.ports.items():
        key = (id(port.qos), port.lag is not None)
        if key not in known:
            known[key] = _with_defaults(port.qos, member=port.lag is not None)
        ports[name] = port if known[key] is port.qos else replace(port, qos=known[key])
    return replace(device, ports=ports)


def _with_defaults(qos: PortQos, *, member: bool) -> PortQos:
    changes: dict[str, object] = {}
    marks: set[str] = set()
    if qos.pfc is not None and qos.pfc.rx is None and (qos.pfc.tx is not None or qos.pfc.by is not None):
        honoured = _part("settings").DEFAULT_OUTPUT
        changes["pfc"] = replace(qos.pfc, rx=frozenset(honoured))
        changes["priority_to_queue"] = eight(honoured)
        marks = {"pfc.rx", "priority_to_queue"}
    if not member:
        if qos.pfc is None:
            changes["pfc"] = Pfc("off", frozenset(), frozenset())
        if qos.watchdog is None and (qos.pfc is None or qos.pfc.admin == "off"):
            changes["watchdog"] = PortWatchdog(enabled=False)
        if qos.rewrite is None:
            changes["rewrite"] = ()
        filled = _queues(qos)
        if filled != qos.queues:
            changes["queues"] = filled
    if qos.cable is None and qos.pfc is not None and qos.pfc.tx:
        changes["cable"] = _DEFAULT_CABLE
    if not changes:
        return qos
    leaves = {f"queues.{number}.ecn" for number in range(8)} if "queues" in changes else set()
    whole_leaves = frozenset(changes) - {"queues"} - (frozenset({"pfc"}) if marks else frozenset())
    defaulted = qos.defaulted | whole_leaves | marks | leaves
    return replace(qos, **changes, defaulted=defaulted)  # type: ignore[arg-type]


def _queues(qos: PortQos) -> tuple[Queue | None, ...] | None:
    """Give each queue of a class the ECN it has without a scheduler: none (only a scheduler can turn it on)."""
    if qos.tc_to_queue is None:
        return qos.queues
    queues = {number: qos.queue(number) for number in range(8)}
    for number in {queue for queue in qos.tc_to_queue if queue is not None and queue < 8}:
        if queues[number] is None:
            queues[number] = Queue(ecn=Ecn(()), wred=())
    return eight({number: queue for number, queue in queues.items() if queue is not None})


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what a QFX can carry of a planned device, and every change."""
    found: tuple[Device, tuple[Adjustment, ...]] = _part("fit").fit(device, defaults)
    return found


def from_state(device: Device) -> Mapping[str, View]:
    """Return the view of `switch.set.j2`."""
    found: Mapping[str, View] = _part("view").from_state(device)
    return found
