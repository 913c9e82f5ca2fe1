"""NVIDIA Cumulus Linux: reads NVUE (YAML, `nv set`), datapath files and show outputs; fits a plan and prints it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.model import Where

if TYPE_CHECKING:
    from rocecfg.state.capture import Capture, Text
    from rocecfg.state.model import Device
    from vendors.cumulus.facts import Facts

_HERE = Path(__file__)
facts_module = load_module(_HERE.with_name("facts.py"))
commands = load_module(_HERE.with_name("commands.py"))
nvue = load_module(_HERE.with_name("nvue.py"))
modes = load_module(_HERE.with_name("modes.py"))
datapath = load_module(_HERE.with_name("datapath.py"))
show = load_module(_HERE.with_name("show.py"))
effective = load_module(_HERE.with_name("effective.py"))
_defaults = load_module(_HERE.with_name("defaults.py"))

defaults = _defaults.defaults

_COMMANDS = re.compile(r"^(?:[^\s#][^\s]{0,80}[$#>] ?)?\s{0,8}nv (?:set|unset) ", re.MULTILINE)
_APPLY = re.compile(r"^nv config (?:patch|apply)\b", re.MULTILINE)
_TREE = ("- header:", "- set:", "- unset:", "header:", "set:", "unset:", "qos:", "interface:")
_DATAPATH = re.compile(r"^[ \t]{0,8}[a-z][a-z_0-9]{0,40}\.[A-Za-z0-9_.-]{1,120}[ \t]{0,8}=", re.MULTILINE)


def to_state(capture: Capture) -> Device:
    """Read the texts of a device. Raises ReadError when one is cut off, broken, or of another system."""
    facts = facts_module.Facts(name=capture.device)
    known = False
    for text in sorted(capture.texts, key=lambda text: text.command.startswith("nv show ")):  # configurations first
        if text.content.strip():
            known |= _read(text, facts, alone=len(capture.texts) == 1)
    if not known:
        raise ReadError(f"{capture.file}: no NVUE configuration, datapath file or `nv show` output of Cumulus Linux")
    roce = modes.expand_roce(facts)
    try:
        device: Device = effective.device_of(facts, roce)
    except ReadError as error:
        raise ReadError(f"{capture.file}: {error}") from error
    return device


def _read(text: Text, facts: Facts, *, alone: bool) -> bool:
    """Add one text; return whether it was one of ours that says something."""
    head = text.content[:1_000_000]
    shown = False
    if _is_tree(head):
        nvue.read_yaml(text, facts)
    elif _COMMANDS.search(head):
        commands.read_commands(text, facts)
    elif _DATAPATH.search(head):
        datapath.read_datapath(text, facts)
    elif _APPLY.search(head):
        if alone:
            raise ReadError(f"{text.file}: only applies a patch, it holds no settings: read the patch beside it")
        return False
    elif show.is_show(text):
        shown = True
        show.read_show(text, facts)
    else:
        return False
    facts.configured |= not shown
    facts.place = facts.place or Where(text.file)
    return True


def _is_tree(head: str) -> bool:
    """Return whether a text is NVUE's YAML or JSON: found as plain text: a pattern costs as much as reading."""
    return head[:1000].lstrip()[:1] in {"[", "{"} or any(head.startswith(word) or f"\n{word}" in head for word in _TREE)


def fit(device: Device) -> tuple[Device, tuple[object, ...]]:
    """Return what NVUE can carry of a plan, and every change."""
    fitted: tuple[Device, tuple[object, ...]] = load_module(_HERE.with_name("fit.py")).fit(device)
    return fitted


def from_state(device: Device) -> dict[str, object]:
    """Return the view of each template."""
    views: dict[str, object] = load_module(_HERE.with_name("view.py")).views(device)
    return views


def one_command(device: Device) -> str:
    """Return the command of the RoCE mode that makes the very settings of a fitted device, else an empty text."""
    command: str = load_module(_HERE.with_name("one_command.py")).one_command(device)
    return command
