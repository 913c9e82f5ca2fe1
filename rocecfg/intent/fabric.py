"""The expanded fabric: what the planner, the link rules and the renderer walk over."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from rocecfg.intent.settings import merge

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from rocecfg.intent.fields import Cable
    from rocecfg.intent.load import Intent
    from rocecfg.intent.settings import Level, Settings
    from rocecfg.units import Number
    from rocecfg.yamlfile import Place

Kind = Literal["switch", "host"]


class PortRef(NamedTuple):
    """One end of a cable."""

    device: str
    port: str

    def __str__(self) -> str:
        return f"{self.device}:{self.port}"


@dataclass(frozen=True, slots=True)
class FabricClass:
    """One traffic class. `None` = auto: the planner decides. Percent points, bytes; DSCPs sorted."""

    name: str
    kind: str  # roce, cnp, default, control, other
    dscp: tuple[int, ...]
    priority: int
    lossless: bool
    place: Place
    bandwidth: Number | None = None
    strict: bool | None = None
    queue: int | None = None
    traffic_class: int | None = None
    priority_group: int | None = None
    pcp: tuple[int, ...] | None = None
    alpha: Fraction | None = None
    ecn_enabled: bool | None = None
    ecn_kmin: int | None = None
    ecn_kmax: int | None = None
    ecn_pmax: Number | None = None
    implied: bool = False  # added because the file has no default class
    stated: frozenset[str] = frozenset()  # keys that the file writes for this class
    origins: Mapping[str, str] = field(default_factory=dict, compare=False)  # key that the preset gives -> its reason

    def because(self, key: str) -> str:
        """Return who states a key, for the plan's reasons: the preset, else the class of the file with its line."""
        return self.origins.get(key) or f"class {self.name} ({self.stated_at})"

    @property
    def reacts(self) -> bool:
        """Whether its senders slow down on marks: a lossless class, or RoCE that goes without PFC."""
        return self.lossless or self.kind == "roce"

    @property
    def stated_at(self) -> str:
        """File and line of the class; of the line that names the preset where that brings the whole class."""
        return "implied" if self.implied else f"{self.place.file}:{self.place.line}"

    def with_dscp(self, dscp: tuple[int, ...]) -> FabricClass:
        """Return the same class with other DSCPs."""
        return replace(self, dscp=dscp)


@dataclass(frozen=True, slots=True)
class FabricPort:
    """A port that a link (or a `ports:` line with a speed) asks for."""

    name: str
    speed: int | None  # bit/s
    cable: Cable | None
    peer: PortRef | None
    place: Place  # the line that asked for it
    peer_kind: Kind | None  # None: no peer, or an unknown device

    @property
    def cable_m(self) -> Number | None:
        """Cable length in metres."""
        return self.cable.length if self.cable else None

    @property
    def media(self) -> str | None:
        """Medium of the cable: dac, aoc, aec, fibre."""
        return self.cable.media if self.cable else None


@dataclass(frozen=True, slots=True)
class FabricLink:
    """One cable. Its ends may name devices that the file does not have."""

    a: PortRef
    b: PortRef
    speed: int | None
    cable: Cable | None
    place: Place


@dataclass(frozen=True, slots=True)
class FabricDevice:
    """One switch or host. `system` is its `nos` or `nic` word."""

    name: str
    kind: Kind
    system: str
    model: str | None
    role: str | None
    release: str | None
    asic: str | None
    place: Place
    levels: tuple[Level, ...] = field(repr=False, default=())
    overrides: dict[str, tuple[Level, ...]] = field(repr=False, default_factory=dict)
    ports: dict[str, FabricPort] = field(default_factory=dict)


@dataclass(slots=True)
class Fabric:
    """Everything an intent describes, by name."""

    name: str
    intent: Intent
    classes: dict[str, FabricClass]
    devices: dict[str, FabricDevice] = field(default_factory=dict)
    links: list[FabricLink] = field(default_factory=list)
    unused_ports: list[tuple[PortRef, Place]] = field(default_factory=list)
    override_cache: dict[tuple[str, ...], dict[str, tuple[Level, ...]]] = field(default_factory=dict, repr=False)
    _settings: dict[tuple[tuple[str, ...], ...], Settings] = field(default_factory=dict, repr=False)

    def settings(self, device: str, port: str | None = None) -> Settings:
        """Return the merged settings of a device or of one of its ports. Raises KeyError for an unknown device.

        Equal levels give the same object, so 64,000 ports without settings of their own cost one merge a role.
        """
        found = self.devices[device]
        levels = found.levels + found.overrides.get(port, ()) if port is not None else found.levels
        key = tuple(level.path for level in levels)
        known = self._settings.get(key)
        if known is None:
            known = self._settings[key] = merge(levels, self.intent.document)
        return known
