"""Junos texts as single set lines: braces and lists taken apart, one value a line."""

from __future__ import annotations

from pathlib import Path

from rocecfg.packs import load_module

_scan = load_module(Path(__file__).with_name("scan.py"))
_unwrap = load_module(Path(__file__).with_name("unwrap.py"))
_PAIRS = " interpolate "
"""A list here is a row of points, not a set of values: it stays one line."""


def normalised(text: str) -> str:
    """Return the text as set lines. Raises ValueError where statements are inactive: they would become active."""
    if any(f"\n{verb} " in f"\n{text}" for verb in ("delete", "deactivate")):
        raise ValueError("the configuration holds deactivated statements: make the change by hand")
    text = _unwrap.unwrapped(text)
    lines = text.split("\n")
    if not any(line.startswith("set ") for line in lines):
        lines = _from_braces(text)
    return "\n".join(single for line in lines for single in _single(line))


def _from_braces(text: str) -> list[str]:
    scan = _scan.scan(text)
    if scan.silent:
        raise ValueError("the configuration holds inactive statements: make the change by hand")
    head = [f"set version {scan.version}"] if scan.version else []
    head += [f"set system host-name {scan.host}"] if scan.host else []
    return head + [f"set {section} {words}" for section, all_ in scan.statements.items() for words, _ in all_]


def _single(line: str) -> list[str]:
    if not line.startswith("set ") or not line.endswith("]") or _PAIRS in line:
        return [line]
    head, _, inside = line.partition("[")
    return [head + value for value in inside[:-1].split()]
