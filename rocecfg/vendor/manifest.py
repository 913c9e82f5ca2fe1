"""`vendor.yaml`: what is known about a system, as data.

    name: nxos                                # the folder's name, the word in `nos:` (or `nic:`)
    title: Cisco Nexus 9000 (NX-OS)
    kind: switch                              # switch | host
    netmiko: cisco_nxos
    inventory_names: [cisco.nxos.nxos]        # what other inventories call it: Ansible's network OS, NetBox's platform
    marks: pcp                                # a host that marks its packets with an 802.1p priority only
    port_names: [Ethernet1/1, Ethernet1/2]    # at least two, as this system spells them: examples and generated tests
    commands:                                 # read over one session, in this order
      - {send: show running-config, id: running-config, whole_when: "how the text is proved whole"}
    detect:                                   # patterns (multi-line mode) that tell a text of this system
      - {pattern: '^policy-map type network-qos ', score: 40}
      - {pattern: '^cmd', score: 50, id: show-queuing}       # `id`: and which command printed it
    render:
      - {file: switch.cfg, template: switch.cfg.j2}          # optional: mode: "0755", command: show running-config,
                                                             # only_with: kubernetes (`host: {kubernetes: true}`)
    capabilities: {pfc: yes text, ecn: ..., headroom: ..., watchdog: ...}
    evidence:                                 # one entry a line shape we render
      - {shape: 'priority-flow-control mode on', level: device, source: "..."}
      - {shape: 'mtu <bytes>', level: device, source: "..."}
    notes: ["one sentence: what is not proven, what is left out and why, what surprises on which version"]
    sources: ["document, version"]

A shape is words; `<name>` stands for one word, `<name...>` for one or more. Levels: schema,
device, documented, inferred.
JSON and YAML files are compared as paths: `TABLE/<key>/field`, `set/qos/pfc/<name>/cable-length`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, ValidationError

from rocecfg import yamlfile
from rocecfg.errors import ConfigurationError, IntentError, did_you_mean
from rocecfg.units import shown

if TYPE_CHECKING:
    from pathlib import Path

    from pydantic_core import ErrorDetails

    from rocecfg.yamlfile import Document

Level = Literal["schema", "device", "documented", "inferred"]
LEVELS: tuple[str, ...] = get_args(Level)


def _pattern(text: Any) -> re.Pattern[str]:
    if not isinstance(text, str) or not text:
        raise ValueError("a pattern is expected: a regular expression in quotes")
    try:
        return re.compile(text, re.MULTILINE)
    except re.error as error:
        raise ValueError(f"no regular expression: {error}") from error


def _mode(text: Any) -> int:
    if not isinstance(text, str) or not re.fullmatch(r"0?[0-7]{3}", text):
        raise ValueError('a file mode is expected, in quotes: "0644", "0755"')
    return int(text, 8)


class _Entry(BaseModel):
    """A piece of a manifest: read once, no other keys than its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")


_T = TypeVar("_T", bound=_Entry)


class Command(_Entry):
    """A read-only command that an audit sends, and how its text is proved whole."""

    send: str
    id: str
    whole_when: str = ""


class Detect(_Entry):
    """A pattern that tells a text of this system."""

    pattern: Annotated[re.Pattern[str], PlainValidator(_pattern)]
    score: Annotated[int, Field(strict=True)]
    id: str = ""


class Output(_Entry):
    """A file that is rendered for each device. `command` = the text it stands for when it is read back."""

    file: str
    template: str
    mode: Annotated[int, PlainValidator(_mode)] = 0o644
    command: str = ""
    only_with: Literal["", "kubernetes"] = ""
    """"kubernetes": only for hosts whose NICs a Kubernetes operator sets up too."""


class Evidence(_Entry):
    """Who says that a rendered line shape exists."""

    shape: str
    level: Level
    source: str


class Manifest(_Entry):
    """All of a `vendor.yaml`."""

    name: str
    title: str
    kind: Literal["switch", "host"]
    netmiko: str = ""
    inventory_names: tuple[str, ...] = ()
    marks: Literal["dscp", "pcp"] = "dscp"
    commands: tuple[Command, ...] = ()
    detect: tuple[Detect, ...] = ()
    render: tuple[Output, ...] = ()
    capabilities: dict[str, str] = {}
    evidence: tuple[Evidence, ...] = ()
    notes: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    port_names: tuple[str, ...] = ()


class Application(_Entry):
    """All of an application's file (`rocecfg.vendor.applications`)."""

    name: str
    title: str
    hosts: tuple[str, ...]
    class_kind: Literal["roce", "cnp", "default", "control", "other"] = "roce"
    takes: tuple[Literal["tos", "sl", "gid_index"], ...] = ("tos", "sl", "gid_index")
    output: Output | None = None
    evidence: tuple[Evidence, ...] = ()
    sources: tuple[str, ...] = ()


_ENTRIES: dict[str, type[_Entry]] = {
    "commands": Command, "detect": Detect, "render": Output, "evidence": Evidence, "output": Output,
}  # fmt: skip


def read_yaml(path: Path) -> dict[str, Any]:
    """Return a YAML file of ours as plain data. Raises ConfigurationError when it is broken."""
    data: dict[str, Any] = _document(path).data
    return data


@lru_cache(maxsize=64)
def load_manifest(folder: Path) -> Manifest:
    """Return the manifest of a vendor folder. Raises ConfigurationError naming each line and key that is wrong."""
    document = _document(folder / "vendor.yaml")
    return _checked(Manifest, document.data, document)


def load_application(path: Path) -> Application:
    """Return an application's file; its name is the file's. Raises ConfigurationError naming each mistake."""
    document = _document(path)
    return _checked(Application, {"name": path.stem, **document.data}, document)


def _checked(shape: type[_T], data: dict[str, Any], document: Document) -> _T:
    try:
        return shape.model_validate(data)
    except ValidationError as error:
        lines = [_mistake(detail, document, shape) for detail in error.errors(include_url=False)[:20]]
        raise ConfigurationError("\n".join(lines)) from error


def _document(path: Path) -> Document:
    try:
        document = yamlfile.load_path(path)
    except IntentError as error:
        raise ConfigurationError(str(error)) from error
    if not isinstance(document.data, dict):
        raise ConfigurationError(f"{path}: a mapping is expected")
    return document


def _mistake(detail: ErrorDetails, document: Document, shape: type[_Entry]) -> str:
    """Return one of pydantic's errors as place, key, what stands there and what is accepted."""
    path, kind, raw = detail["loc"], detail["type"], detail["input"]
    key, place = ".".join(map(str, path)), document.place(path)
    context: dict[str, Any] = detail.get("ctx", {})
    if kind == "missing":
        return f"{place}: {key} is missing"
    if kind == "extra_forbidden":
        known = _ENTRIES[str(path[0])].model_fields if len(path) > 1 else shape.model_fields
        near = did_you_mean(str(path[-1]), known)
        return f"{document.key_place(path)}: unknown key {key}{near}; accepted: {', '.join(known)}"
    if kind == "value_error":
        return f"{place}: {key}: {shown(raw)}: {context['error']}"
    accepted = detail["msg"].removeprefix("Input should be ")
    near = did_you_mean(raw, re.findall(r"'(\w+)'", accepted)) if isinstance(raw, str) else ""
    return f"{place}: {key}: {shown(raw)} is not accepted{near}; accepted: {accepted}"
