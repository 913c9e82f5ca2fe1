"""From an `Intent` to the `Fabric` it describes: every device, port and link by name, every class resolved.

Order: devices as the file lists them (a pattern's names in counting order), links as the file lists them. The two
sides of a link line are paired in order (`patterns`: the leftmost bracket is the outermost loop); a side with one
name repeats.

What is wrong between objects stays representable, because lint rules judge it: a link to an unknown device is in
`links` (the device is not in `devices`), a port of two links is in both, settings of a port that no link uses are
in `unused_ports`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocecfg.errors import IntentError, Problem
from rocecfg.intent import patterns
from rocecfg.intent.fabric import Fabric, FabricClass, FabricDevice, FabricLink, FabricPort, PortRef
from rocecfg.intent.fields import AUTO
from rocecfg.intent.model import PortLine
from rocecfg.intent.settings import Level
from rocecfg.yamlfile import collector_paused

if TYPE_CHECKING:
    from rocecfg.intent.links import LinkLine
    from rocecfg.intent.load import Intent
    from rocecfg.intent.model import TrafficClass

_KIND_OF_NAME = {"roce": "roce", "cnp": "cnp", "default": "default", "control": "control"}


def expand(intent: Intent) -> Fabric:
    """Return the fabric of an intent. Raises IntentError when a device is neither switch nor host, or both."""
    with collector_paused():
        return _Expander(intent).fabric()


class _Expander:
    def __init__(self, intent: Intent) -> None:
        self._intent = intent
        self._problems: list[Problem] = []
        self._fabric = Fabric(intent.fabric, intent, resolve_classes(intent))

    def fabric(self) -> Fabric:
        """Build devices, then ports of links, then ports that only settings name."""
        lines = self._device_lines()
        for name, patterns_of_device in lines.items():
            self._device(name, patterns_of_device)
        if self._problems:
            raise IntentError(self._problems)
        for line in self._intent.links:
            self._links(line)
        self._stated_ports()
        return self._fabric

    def _device_lines(self) -> dict[str, list[str]]:
        """Return which lines of the file speak about each device."""
        lines: dict[str, list[str]] = {}
        for pattern in self._intent.devices:
            for name in patterns.expand(pattern):
                lines.setdefault(name, []).append(pattern)
        return lines

    def _device(self, name: str, lines: list[str]) -> None:
        intent = self._intent
        words: dict[str, str | None] = dict.fromkeys(("nos", "nic", "model", "role", "release", "asic"))
        for line in lines:
            device = intent.devices[line]
            words.update({key: value for key in words if (value := getattr(device, key)) is not None})
        nos, nic, role = words["nos"], words["nic"], words["role"]
        place = intent.document.key_place(("devices", lines[-1]))
        if (nos is None) == (nic is None):
            message = f"device {name} has " + ("neither nos nor nic" if nos is None else "both nos and nic")
            help_text = "give a switch its `nos`, a host its `nic`"
            self._problems.append(Problem(*place, f"devices: {message}", help_text))
            return
        levels = [Level(intent.settings, ("settings",), "fabric", broad=True)]
        if (preset := intent.preset) is not None:
            levels.insert(0, Level(preset.settings, ("preset",), f"preset {preset.name}", broad=True, preset=preset))
        if role is not None and role in intent.roles:
            levels.append(Level(intent.roles[role], ("roles", role), f"role {role}"))
        levels += [Level(intent.devices[line], ("devices", line), f"device {line}") for line in lines]
        self._fabric.devices[name] = FabricDevice(
            name=name, kind="switch" if nos else "host", system=nos or nic or "", model=words["model"], role=role,
            release=words["release"], asic=words["asic"], place=place, levels=tuple(levels),
            overrides=self._overrides(lines),
        )  # fmt: skip

    def _overrides(self, lines: list[str]) -> dict[str, tuple[Level, ...]]:
        """Return the port levels of a device by port name. Equal for all devices of the same lines, so made once."""
        key = tuple(line for line in lines if self._intent.devices[line].ports)
        known = self._fabric.override_cache.get(key)
        if known is not None:
            return known
        found: dict[str, tuple[Level, ...]] = {}
        for line in key:
            for pattern, part in (self._intent.devices[line].ports or {}).items():
                level = Level(part, ("devices", line, "ports", pattern), f"port {line}:{pattern}")
                for port in patterns.expand(pattern):
                    found[port] = (*found.get(port, ()), level)
        self._fabric.override_cache[key] = found
        return found

    def _links(self, line: LinkLine) -> None:
        left, right = patterns.expand(line.a), patterns.expand(line.b)
        if len(left) != len(right):
            left, right = (left * len(right), right) if len(left) == 1 else (left, right * len(left))
        for a, b in zip(left, right, strict=True):
            end_a, end_b = _port_ref(a), _port_ref(b)
            self._fabric.links.append(FabricLink(end_a, end_b, line.speed, line.cable, line.place))
            self._port(end_a, end_b, line)
            self._port(end_b, end_a, line)

    def _port(self, end: PortRef, peer: PortRef, line: LinkLine) -> None:
        """Add the port of a link; the first link of a port gives its values."""
        device = self._fabric.devices.get(end.device)
        if device is None or end.port in device.ports:
            return
        cable = line.cable
        if cable is None:
            fabric = self._fabric
            cable = fabric.settings(end.device, end.port).cable.value
            if cable is None and peer.device in fabric.devices:
                cable = fabric.settings(peer.device, peer.port).cable.value
        other = self._fabric.devices.get(peer.device)
        device.ports[end.port] = FabricPort(
            end.port, line.speed, cable, peer, line.place, other.kind if other is not None else None
        )

    def _stated_ports(self) -> None:
        """Add the ports that have a speed of their own and no link; note settings of ports that do not exist."""
        for device in self._fabric.devices.values():
            for name, levels in device.overrides.items():
                if name in device.ports:
                    continue
                speeds = [level.part.speed for level in levels if isinstance(level.part, PortLine) and level.part.speed]
                place = self._intent.document.key_place(levels[-1].path)
                if speeds:
                    cable = self._fabric.settings(device.name, name).cable.value
                    device.ports[name] = FabricPort(name, speeds[-1], cable, None, place, None)
                else:
                    self._fabric.unused_ports.append((PortRef(device.name, name), place))


def _port_ref(text: str) -> PortRef:
    device, _, port = text.partition(":")
    return PortRef(device, port)


def resolve_classes(intent: Intent) -> dict[str, FabricClass]:
    """Return the classes in file order, `default` added last when the file has none."""
    classes = {name: _fabric_class(name, item, intent) for name, item in intent.classes.items()}
    default = next((item for item in classes.values() if item.kind == "default"), None)
    taken = {code for item in classes.values() for code in item.dscp}
    rest = tuple(code for code in range(64) if code not in taken)
    if default is None:
        place = intent.document.key_place(("classes",))
        classes["default"] = FabricClass("default", "default", rest, 0, lossless=False, place=place, implied=True)
    elif intent.classes[default.name].dscp is None:
        classes[default.name] = default.with_dscp(rest)
    return classes


def _fabric_class(name: str, item: TrafficClass, intent: Intent) -> FabricClass:
    kind = None if item.kind is AUTO else item.kind
    place, written = intent.document.key_place(("classes", name)), set(item.stated)
    origins: dict[str, str] = {}
    if (preset := intent.preset) is not None and name in preset.classes:
        classes = intent.document.data.get("classes") or {}
        written = set(classes.get(name) or ())
        origins = {
            key: preset.because("classes", name, key) for key in preset.classes[name].stated if key not in written
        }
        if name not in classes:
            place = preset.place
    return FabricClass(
        name=name,
        kind=str(kind or ("roce" if item.lossless else _KIND_OF_NAME.get(name, "other"))),
        dscp=item.dscp or (),
        priority=item.priority or 0,
        lossless=bool(item.lossless),
        place=place,
        origins=origins,
        bandwidth=_stated(item.bandwidth), strict=_stated(item.strict), queue=_stated(item.queue),
        traffic_class=_stated(item.traffic_class), priority_group=_stated(item.priority_group),
        pcp=_stated(item.pcp), alpha=_stated(item.alpha),
        ecn_enabled=_stated(item.ecn.enabled) if item.ecn else None,
        ecn_kmin=_stated(item.ecn.kmin) if item.ecn else None,
        ecn_kmax=_stated(item.ecn.kmax) if item.ecn else None,
        ecn_pmax=_stated(item.ecn.pmax) if item.ecn else None,
        stated=frozenset(written),
    )  # fmt: skip


def _stated(value: Any) -> Any:
    return None if value is AUTO else value
