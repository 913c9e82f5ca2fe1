"""The merged view of a port's settings: preset < fabric < role < device < port, every leaf with the line that said it.

    settings = fabric.settings("leaf1", "Ethernet1/1")
    settings.pfc_headroom.value      # bytes, or None = auto: the planner decides
    settings.pfc_headroom.because    # "device leaf[1-2] (pod1.roce.yaml:9)"

Attribute names are the keys of the file joined by "_": `pfc: {headroom: 98KB}` is `pfc_headroom`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rocecfg.intent.fields import AUTO, Cable
from rocecfg.intent.shape import Part

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from rocecfg.intent.model import SettingsPart
    from rocecfg.intent.presets import Preset
    from rocecfg.units import Number
    from rocecfg.yamlfile import Document, Place

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """One setting: its value in base units (None = auto), and the level and line that said so."""

    value: T | None = None
    level: str = ""
    place: Place | None = None
    broad: bool = False
    """The whole fabric's: a class's own value stands above it."""

    @property
    def because(self) -> str:
        """Who said so, for the plan's reasons; empty when nobody did."""
        return f"{self.level} ({self.place.file}:{self.place.line})" if self.place else ""

    def or_else(self, default: T) -> T:
        """Return the value, or a default where it is auto."""
        return default if self.value is None else self.value


_NOBODY: Setting[Any] = Setting()


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set for a port. Units: bytes, nanoseconds, metres, percent points."""

    mtu: Setting[int] = _NOBODY
    roce_mtu: Setting[int] = _NOBODY
    trust: Setting[str] = _NOBODY
    congestion_control: Setting[str] = _NOBODY
    traffic: Setting[Number] = _NOBODY  # percent of small packets: worst = 100, large = 0
    design_incast: Setting[int] = _NOBODY
    design_fanout: Setting[int] = _NOBODY
    max_oversubscription: Setting[Fraction] = _NOBODY
    rtt: Setting[int] = _NOBODY
    cable: Setting[Cable] = _NOBODY
    asymmetric_pfc: Setting[bool] = _NOBODY
    dcbx: Setting[str] = _NOBODY
    pfc_mode: Setting[str] = _NOBODY
    pfc_headroom: Setting[int] = _NOBODY
    pfc_xoff_at: Setting[int] = _NOBODY
    pfc_xon_at: Setting[int] = _NOBODY
    pfc_xon_below: Setting[int] = _NOBODY
    pfc_alpha: Setting[Fraction] = _NOBODY
    ecn_enabled: Setting[bool] = _NOBODY
    ecn_profile: Setting[str] = _NOBODY
    ecn_kmin: Setting[int] = _NOBODY
    ecn_kmax: Setting[int] = _NOBODY
    ecn_pmax: Setting[Number] = _NOBODY
    buffer_lossless_share: Setting[Number] = _NOBODY
    buffer_headroom_share: Setting[Number] = _NOBODY
    buffer_oversubscription: Setting[Fraction] = _NOBODY
    watchdog_enabled: Setting[bool] = _NOBODY
    watchdog_poll: Setting[int] = _NOBODY
    watchdog_detect: Setting[int] = _NOBODY
    watchdog_restore: Setting[int] = _NOBODY
    watchdog_action: Setting[str] = _NOBODY
    host_applications: Setting[tuple[tuple[str, str | None], ...]] = _NOBODY  # name, class (None = of its kind)
    host_kubernetes: Setting[bool] = _NOBODY
    host_virtual_functions: Setting[int] = _NOBODY
    host_rdma_device: Setting[str] = _NOBODY
    host_gid_index: Setting[int] = _NOBODY
    host_roce_version: Setting[str] = _NOBODY
    host_cnp_dscp: Setting[int] = _NOBODY
    host_cnp_priority: Setting[int] = _NOBODY
    host_cnp_interval: Setting[int] = _NOBODY
    host_pause_storm_timeout: Setting[int] = _NOBODY


_NAMES = frozenset(field.name for field in fields(Settings))


@dataclass(frozen=True, slots=True)
class Level:
    """One place that may state settings: its part of the file, its path, and how messages call it."""

    part: SettingsPart
    path: tuple[str, ...]
    title: str
    broad: bool = False
    preset: Preset | None = None
    """The preset that says so: each of its leaves has a reason of its own."""


def merge(levels: tuple[Level, ...], document: Document) -> Settings:
    """Return the settings of the levels, the later ones winning leaf by leaf."""
    merged: dict[str, Setting[Any]] = {}
    for level in levels:
        for name, path, value in _leaves(level.part, "", ()):
            place = document.key_place((*level.path, *path))
            title = level.preset.because("settings", *path) if level.preset is not None else level.title
            merged[name] = Setting(None if value is AUTO else value, title, place, level.broad)
    return Settings(**merged)


def _leaves(part: Part, prefix: str, path: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...], Any]]:
    """Yield name, path and value of every setting that a part states."""
    for key, value in part.stated.items():
        if isinstance(value, Part):
            yield from _leaves(value, f"{prefix}{key}_", (*path, key))
        elif f"{prefix}{key}" in _NAMES:
            yield f"{prefix}{key}", (*path, key), value
