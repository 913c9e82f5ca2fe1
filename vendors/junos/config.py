"""What a Junos class-of-service configuration says, object by object, before anything is resolved per port.

Text is read into a `Config`, a plan is built into one, and `effective` turns either into the neutral state: so
what `fit` promises and what a parse finds come from the same function.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction

    from rocecfg.state.model import Where


class Ref(NamedTuple):
    """A name that a line refers to, and that line."""

    name: str
    place: Where | None


@dataclass(slots=True)
class ForwardingClass:
    """A class: the queue it leaves by, and the priority its packets pause."""

    name: str
    queue: int | None = None
    no_loss: bool = False
    priority: int | None = None
    place: Where | None = None
    predefined: bool = False


@dataclass(slots=True)
class CodeClass:
    """The class and loss priority of one code point."""

    forwarding_class: str
    loss: str
    place: Where | None = None


@dataclass(slots=True)
class Classifier:
    """Code points to forwarding classes; `kind` is dscp, ieee-802.1 ..."""

    kind: str
    name: str
    place: Where | None = None
    codes: dict[int, CodeClass] = field(default_factory=dict)
    imports: str = ""


@dataclass(slots=True)
class DropProfile:
    """Fill levels in percent of the queue's buffer and the probability at each."""

    name: str
    place: Where | None = None
    levels: list[int | Fraction] = field(default_factory=list)
    probabilities: list[int] = field(default_factory=list)
    levels_place: Where | None = None


@dataclass(slots=True)
class Scheduler:
    """How one queue is served, marked and limited."""

    name: str
    place: Where | None = None
    priority: str = ""
    percent: int | None = None
    rate: int | None = None
    shaper: int | None = None
    shaper_share: int | None = None
    ecn: Where | bool = False
    keeps_non_ect: bool = False
    threshold: int | None = None
    drops: dict[str, Ref] = field(default_factory=dict)
    """Loss priority -> drop profile."""
    places: dict[str, Where] = field(default_factory=dict)


@dataclass(slots=True)
class Input:
    """One code point whose packets make the switch pause its peer."""

    pfc: bool = False
    mru: int | None = None
    xon: int | None = None
    place: Where | None = None


@dataclass(slots=True)
class Watchdog:
    """`pfc-watchdog` of a congestion notification profile; None = the default of the system."""

    poll: int | None = None
    detection: int | None = None
    recovery: int | None = None
    action: str = ""
    place: Where | None = None


@dataclass(slots=True)
class CnProfile:
    """A congestion notification profile: what we pause for (input) and whose pauses stop which queue (output)."""

    name: str
    place: Where | None = None
    inputs: dict[str, dict[int, Input]] = field(default_factory=dict)
    """"dscp" or "ieee-802.1" -> code point -> what it asks for."""
    output: dict[int, frozenset[int]] = field(default_factory=dict)
    cable: int | Fraction | None = None
    watchdog: Watchdog | None = None
    places: dict[str, Where] = field(default_factory=dict)


@dataclass(slots=True)
class Partition:
    """A partition of the shared buffer, in percent."""

    direction: str
    name: str
    percent: int | None = None
    index: int | None = None
    place: Where | None = None


@dataclass(slots=True)
class Binding:
    """What `class-of-service interfaces NAME` attaches; NAME may be a wildcard."""

    pattern: str
    place: Where | None = None
    cn: Ref | None = None
    maps: list[Ref] = field(default_factory=list)
    profiles: list[Ref] = field(default_factory=list)
    classifiers: dict[tuple[str, str], Ref] = field(default_factory=dict)
    """(unit, kind) -> classifier; unit "" = the physical interface, "*" = each unit."""
    rewrites: dict[tuple[str, str], Ref] = field(default_factory=dict)
    fixed: dict[str, Ref] = field(default_factory=dict)
    """Unit -> the one class of all its packets, whatever they are marked with."""


@dataclass(slots=True)
class Interface:
    """What `interfaces NAME` says that matters here."""

    name: str
    place: Where | None = None
    mtu: int | None = None
    speed: int | None = None
    sub_ports: int = 0
    disabled: bool = False
    lag: str = ""
    pause: dict[str, bool] = field(default_factory=dict)
    """"rx" and "tx" -> on."""
    units: list[str] = field(default_factory=list)
    families: set[str] = field(default_factory=set)
    places: dict[str, Where] = field(default_factory=dict)


@dataclass(slots=True)
class Dcbx:
    """`protocols dcbx interface NAME`."""

    disabled: bool = False
    version: str = ""
    forced_pfc: bool = False
    place: Where | None = None


@dataclass(slots=True)
class Config:
    """A whole configuration."""

    host: str = ""
    version: str = ""
    classes: dict[str, ForwardingClass] = field(default_factory=dict)
    classifiers: dict[tuple[str, str], Classifier] = field(default_factory=dict)
    marks: dict[tuple[str, str], dict[str, dict[str, tuple[int, Where | None]]]] = field(default_factory=dict)
    """Rewrite rule -> class -> loss priority -> (code point written, line)."""
    drop_profiles: dict[str, DropProfile] = field(default_factory=dict)
    schedulers: dict[str, Scheduler] = field(default_factory=dict)
    scheduler_maps: dict[str, dict[str, Ref]] = field(default_factory=dict)
    map_places: dict[str, Where] = field(default_factory=dict)
    traffic_profiles: dict[str, Ref] = field(default_factory=dict)
    """Traffic control profile -> scheduler map."""
    cn_profiles: dict[str, CnProfile] = field(default_factory=dict)
    partitions: dict[tuple[str, str], Partition] = field(default_factory=dict)
    bindings: dict[str, Binding] = field(default_factory=dict)
    interfaces: dict[str, Interface] = field(default_factory=dict)
    dcbx: dict[str, Dcbx] = field(default_factory=dict)
    missing_groups: dict[str, Where] = field(default_factory=dict)
    """Groups that are applied and stand nowhere in the text."""
    has_cos: bool = False
    has_interfaces: bool = False
