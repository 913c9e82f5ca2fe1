"""`vendor.yaml`: what is known about a system, as data.

    name: nxos                                # the folder's name, the word in `nos:` (or `nic:`)
    title: Cisco Nexus 9000 (NX-OS)
    kind: switch                              # switch | host
    netmiko: cisco_nxos
    port_names: [Ethernet1/1, Ethernet1/2]    # at least two, as this system spells them: examples and generated tests
    commands:                                 # read over one session, in this order
      - {send: show running-config, id: running-config, whole_when: "how the text is proved whole"}
    detect:                                   # patterns (multi-line mode) that tell a text of this system
      - {pattern: '^policy-map type network-qos ', score: 40}
      - {pattern: '^cmd', score: 50, id: show-queuing}       # `id`: and which command printed it
    render:
      - {file: switch.cfg, template: switch.cfg.j2}          # optional: mode: "0755", command: show running-config
    capabilities: {pfc: yes text, ecn: ..., headroom: ..., watchdog: ...}
    evidence:                                 # one entry a line shape we render
      - {shape: 'priority-flow-control mode on', level: device, source: "..."}
      - {shape: 'mtu <bytes>', level: device, source: "..."}
    sources: ["document, version"]

A shape is words; `<name>` stands for one word, `<name...>` for one or more. Levels: schema,
device, documented, inferred.
JSON and YAML files are compared as paths: `TABLE/<key>/field`, `set/qos/pfc/<name>/cable-length`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

LEVELS = ("schema", "device", "documented", "inferred")


@dataclass(frozen=True, slots=True)
class Command:
    """A read-only command that an audit sends, and how its text is proved whole."""

    send: str
    id: str
    whole_when: str = ""


@dataclass(frozen=True, slots=True)
class Detect:
    """A pattern that tells a text of this system."""

    pattern: re.Pattern[str]
    score: int
    id: str = ""


@dataclass(frozen=True, slots=True)
class Output:
    """A file that is rendered for each device. `command` = the text it stands for when it is read back."""

    file: str
    template: str
    mode: int = 0o644
    command: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Who says that a rendered line shape exists."""

    shape: str
    level: str
    source: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """All of a `vendor.yaml`."""

    name: str
    title: str
    kind: str
    netmiko: str
    commands: tuple[Command, ...]
    detect: tuple[Detect, ...]
    render: tuple[Output, ...]
    capabilities: dict[str, str]
    evidence: tuple[Evidence, ...]
    sources: tuple[str, ...]
    port_names: tuple[str, ...] = ()


def read_yaml(path: Path) -> dict[str, Any]:
    """Return a YAML file of ours as plain data. Raises ConfigurationError when it is broken."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        data = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    except (OSError, YAMLError, ValueError) as error:
        raise ConfigurationError(f"{path}: {error}") from error
    if not isinstance(data, dict):
        raise ConfigurationError(f"{path}: a mapping is expected")
    return data


@lru_cache(maxsize=64)
def load_manifest(folder: Path) -> Manifest:
    """Return the manifest of a vendor folder. Raises ConfigurationError naming the file and the key."""
    path = folder / "vendor.yaml"
    data = read_yaml(path)
    try:
        known = {item.name for item in fields(Manifest)}
        unknown = set(data) - known
        if unknown:
            raise ConfigurationError(f"{path}: unknown key {', '.join(sorted(unknown))}")
        evidence = tuple(Evidence(**entry) for entry in data.get("evidence", ()))
        for entry in evidence:
            if entry.level not in LEVELS:
                accepted = ", ".join(LEVELS)
                raise ConfigurationError(
                    f"{path}: evidence level {entry.level!r} of {entry.shape!r}: one of {accepted}"
                )
        return Manifest(
            name=data["name"],
            title=data["title"],
            kind=data["kind"],
            netmiko=data.get("netmiko", ""),
            commands=tuple(Command(**entry) for entry in data.get("commands", ())),
            detect=tuple(
                Detect(re.compile(entry["pattern"], re.MULTILINE), entry["score"], entry.get("id", ""))
                for entry in data.get("detect", ())
            ),
            render=tuple(
                Output(
                    entry["file"],
                    entry["template"],
                    int(entry.get("mode", "0644"), 8),
                    entry.get("command", ""),
                )
                for entry in data.get("render", ())
            ),
            capabilities={str(key): str(value) for key, value in data.get("capabilities", {}).items()},
            evidence=evidence,
            sources=tuple(data.get("sources", ())),
            port_names=tuple(data.get("port_names", ())),
        )
    except (KeyError, TypeError, re.error) as error:
        raise ConfigurationError(f"{path}: {error!r}") from error
