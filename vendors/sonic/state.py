"""Community SONiC: CONFIG_DB dumps, show outputs and headroom tables to the neutral state, and back."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.model import Where

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.capture import Capture, Text
    from rocecfg.state.model import Device
    from rocecfg.vendor.api import Adjustment, View

_HERE = Path(__file__)
_APPLY = "apply"


class Files:
    """Where the lines of several texts lie: each text's lines are numbered on from those before it."""

    def __init__(self) -> None:
        self._bases: list[int] = []
        self._names: list[str] = []
        self._next = 0

    def add(self, text: Text) -> int:
        """Return what must be added to the line numbers of a text."""
        base = self._next
        self._bases.append(base)
        self._names.append(text.file)
        self._next += text.content.count("\n") + 2
        return base

    def where(self, line: int) -> Where:
        """Return the place of a line so numbered."""
        at = bisect_right(self._bases, line - 1) - 1 if len(self._bases) > 1 else 0
        return Where(self._names[at], line - self._bases[at])


def to_state(capture: Capture) -> Device:
    """Return what the texts of a SONiC switch state.

    Raises ReadError when they are none of SONiC's, are cut off, or are broken.
    """
    dump: Any = load_module(_HERE.with_name("dump.py"))
    files = Files()
    found: Any = None
    table: Any = None
    counted: list[Any] = []
    mtus: dict[str, int] = {}
    read = False
    version = model = None
    for text in capture.texts:
        base = files.add(text)
        if text.command == _APPLY or text.content.startswith("#!"):
            _apply_lines(text.content, mtus)
            continue
        if dump.looks_like(text.content):
            part = dump.read_dump(text.content, text.file, base)
            part.patch = part.patch or text.complete is False
            read = True
        else:
            show: Any = load_module(_HERE.with_name("show.py"))
            if show.looks_like_table(text.content):
                shown = show.Shown(base)
                table = (table or ()) + show.read_headroom_table(text.content, files, base, shown)
                read = True
            else:
                shown = show.read_show(text.content, base)
                counted += shown.counted
                read = read or shown.recognised
                version, model = version or shown.version, model or shown.model
            part = shown.dump
        if found is None:
            found = part
        else:
            found.add(part)
    if not read or found is None:
        raise ReadError(
            f"{capture.texts[0].file}: no CONFIG_DB dump, no output of a SONiC show command about QoS, buffers or PFC, "
            "and no pg_profile_lookup.ini"
        )
    resolver: Any = load_module(_HERE.with_name("read.py")).Resolver(found, files)
    device: Device = resolver.device()
    if mtus:
        ports = {
            name: replace(port, mtu=mtus[name], mtu_counts="ip") if port.mtu is None and name in mtus else port
            for name, port in device.ports.items()
        }
        device = replace(device, ports=ports)
    return replace(
        device,
        headroom_table=table,
        os_version=version,
        model=device.model or model,
        sample=load_module(_HERE.with_name("counters.py")).sample(counted, files) if counted else None,
        place=Where(capture.texts[0].file, 1),
    )


def _apply_lines(content: str, mtus: dict[str, int]) -> None:
    """Read the MTUs that the script beside the dump sets: PORT rows do not belong to the dump."""
    for line in content.splitlines():
        words = line.split()
        if words[:3] == ["config", "interface", "mtu"] and len(words) == 5 and words[4].isdecimal():
            mtus[words[3]] = int(words[4][:9])


def defaults(device: Device) -> Device:
    """Return the device with what SONiC does where the complete text is silent."""
    filled: Device = load_module(_HERE.with_name("effective.py")).defaults(device)
    return filled


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what CONFIG_DB can carry of a planned device, and every change."""
    fitted: tuple[Device, tuple[Adjustment, ...]] = load_module(_HERE.with_name("fit.py")).fit(device)
    return fitted


def from_state(device: Device) -> Mapping[str, View]:
    """Return the views of config_db.json and apply.sh."""
    views: Mapping[str, View] = load_module(_HERE.with_name("view.py")).from_state(device)
    return views
