"""A rule's GOOD and BAD: small YAML texts that become devices, cables and an intent.

device: {name: leaf1, nos: demo, ports: {Ethernet1/1: {qos: {...}}}}     # or devices: [...]
expect: {classes: {roce: {dscp: [26], priority: 3, lossless: true}}, trust: dscp}
links: [{a: "leaf1:Ethernet1/1", b: "gpu01:rail0", cable: 5}]            # speed in bit/s, cable in metres
paths: [{via: [leaf1, spine1, leaf2], priority: 3}]                      # as in a paths file
intent: {version: 1, ...}                                                # as in a *.roce.yaml file
instead: {roce: {dscp: [64]}}                                            # class fields no intent file can hold
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ConfigurationError, RocecfgError, did_you_mean
from rocecfg.fabric.links import Cable, PortName
from rocecfg.fabric.pathsfile import paths_of
from rocecfg.lint.api import Expected, ExpectedClass
from rocecfg.lint.run import Result, lint
from rocecfg.state.codec import from_plain
from rocecfg.state.model import Device, intern_ports

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.fabric.graph import DeclaredPath
    from rocecfg.intent.fabric import Fabric
    from rocecfg.lint.config import Settings

_KEYS = ("device", "devices", "expect", "links", "paths", "intent", "instead")


@dataclass(frozen=True, slots=True)
class Example:
    """The subjects of one example."""

    devices: tuple[Device, ...] = ()
    expect: Mapping[str, Expected] | None = None
    links: tuple[Cable, ...] | None = None
    intent: Fabric | None = None
    paths: tuple[DeclaredPath, ...] = ()

    def lint(self, settings: Settings) -> Result:
        """Run the linter over the example."""
        return lint(
            self.devices,
            intent=self.intent,
            links=self.links,
            settings=settings,
            expect=self.expect,
            paths=self.paths,
        )


def read_example(text: str, name: str = "example") -> Example:
    """Return the subjects of an example. Raises ConfigurationError naming the example and what is wrong in it."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        data = YAML(typ="safe", pure=True).load(text)
    except YAMLError as error:
        raise ConfigurationError(f"{name}: not YAML: {error}") from error
    if not isinstance(data, dict):
        raise ConfigurationError(f"{name}: a mapping of {', '.join(_KEYS)} is expected")
    for key in data:
        if key not in _KEYS:
            raise ConfigurationError(f'{name}: unknown key "{key}"{did_you_mean(str(key), _KEYS)}')
    try:
        return example_of(data)
    except RocecfgError as error:
        raise ConfigurationError(f"{name}: {error}") from error


def example_of(data: Mapping[str, Any]) -> Example:
    """Return the subjects of an example's plain data. Raises UsageError or IntentError for what does not fit."""
    states = [*data.get("devices", ()), *([data["device"]] if "device" in data else [])]
    return Example(
        tuple(map(_device, states)),
        {"*": _expected(data["expect"])} if "expect" in data else None,
        tuple(map(_cable, data["links"])) if "links" in data else None,
        _fabric(data["intent"], data.get("instead", {})) if "intent" in data else None,
        tuple(paths_of(data.get("paths", ()))),
    )


def _device(data: Mapping[str, Any]) -> Device:
    device: Device = from_plain(Device, {"nos": "demo", **data})
    return replace(device, ports=intern_ports(device.ports.values()))


def _expected(data: Mapping[str, Any]) -> Expected:
    classes = tuple(
        ExpectedClass(
            name,
            item.get("kind", "roce" if item.get("lossless") else "other"),
            frozenset(item.get("dscp", ())),
            item["priority"],
            bool(item.get("lossless")),
            item.get("bandwidth"),
        )
        for name, item in data.get("classes", {}).items()
    )
    rest = {key: value for key, value in data.items() if key != "classes"}
    return Expected(classes, **rest)


def _cable(data: Mapping[str, Any]) -> Cable:
    a, b = (PortName(*str(data[end]).split(":", 1)) for end in ("a", "b"))
    return Cable(a, b, data.get("speed"), data.get("cable"), data.get("media", ""))


def _fabric(data: Mapping[str, Any], instead: Mapping[str, Any]) -> Fabric:
    import json

    from rocecfg.intent.expand import expand
    from rocecfg.intent.load import parse_intent

    fabric = expand(parse_intent(json.dumps(data, indent=1), "example.roce.yaml"))
    for name, fields in instead.items():
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()
        }
        fabric.classes[name] = replace(fabric.classes[name], **values)
    return fabric
