"""Nokia SR Linux: reads JSON, `set /` lines and the braces of `info`; fits a plan and prints it as JSON and `set /`."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ReadError
from rocecfg.packs import load_module

if TYPE_CHECKING:
    from rocecfg.state.capture import Capture, Text
    from rocecfg.state.model import Device

_HERE = Path(__file__)
schema: Any = load_module(_HERE.with_name("schema.py"))
tree: Any = load_module(_HERE.with_name("tree.py"))
read_json: Any = load_module(_HERE.with_name("read_json.py"))
read_text: Any = load_module(_HERE.with_name("read_text.py"))
read: Any = load_module(_HERE.with_name("read.py"))
_defaults: Any = load_module(_HERE.with_name("defaults.py"))

defaults = _defaults.defaults

_JSON = re.compile(r"^[ \t]*(?:\{|\[)[ \t\r]*(?:$|\"|\{|\[|\})", re.MULTILINE)
_SHOWS_QOS = re.compile(r"info(?: flat| detail| depth [0-9]+)*(?: /? ?qos| /)?(?: \| as json)?\Z")
"""Commands whose whole output is all of `qos`."""


def to_state(capture: Capture) -> Device:
    """Read the texts of a device. Raises ReadError when one is cut off, broken, or of another system."""
    into = tree.Tree()
    known = False
    closed = True
    for text in capture.texts:
        if text.content.strip():
            found, balanced = _read(text, into)
            known |= found
            closed &= balanced and text.complete is not False
    if not known:
        raise ReadError(f"{capture.file}: no configuration of SR Linux: a tree with qos or interface is expected")
    into.whole = closed and _is_whole(capture, into)
    device: Device = read.device_of(into, capture.device)
    return device


def _read(text: Text, into: Any) -> tuple[bool, bool]:
    """Add one text; return whether it was of this system, and whether it is closed."""
    if text.content.startswith("\ufeff"):
        text = replace(text, content=text.content[1:])
    if _JSON.search(text.content[:20_000]) is not None:
        found, unbroken = read_json.read_json(text, into)
        return found, unbroken
    found, balanced = read_text.read_text(text, into)
    return found, balanced


def _is_whole(capture: Capture, into: Any) -> bool:
    """Return whether absence proves a default: somebody proved the texts whole, or they hold the rest of a system too.

    An excerpt (`info /qos`, a patch, an example of a book) shows a part of the tree and proves nothing.
    """
    if any(text.complete and (_SHOWS_QOS.search(text.command) or not text.command) for text in capture.texts):
        return True
    return bool({"interface", "system"} <= into.roots)


def fit(device: Device) -> tuple[Device, tuple[object, ...]]:
    """Return what SR Linux can carry of a plan, and every change."""
    fitted: tuple[Device, tuple[object, ...]] = load_module(_HERE.with_name("fit.py")).fit(device)
    return fitted


def from_state(device: Device) -> dict[str, object]:
    """Return the view of each template."""
    views: dict[str, object] = load_module(_HERE.with_name("view.py")).views(device)
    return views
