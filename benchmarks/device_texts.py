"""Texts of every system there is, found by listing: rendered ones, those its tests hold, the reference corpus."""

from __future__ import annotations

import ast
import gc
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg import yamlfile
from rocecfg.errors import RocecfgError
from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.plan.resolve import plan
from rocecfg.render.engine import render
from rocecfg.state.capture import decode
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
VENDOR_TESTS = ROOT / "tests" / "vendors"
FEWEST_LINES = 3
_NO_DEVICE_TEXTS = {".py", ".pyc", ".md"}


@dataclass(frozen=True)
class DeviceText:
    """A text, the system it is of, what it is called, and the command that it stands for ("" = not said)."""

    system: str
    name: str
    text: str
    command: str = ""


def intent(system: str, ports: int = 2, speed: str = "100G") -> str:
    """Return an intent of two devices of one system with everything on auto, its ports as the system spells them."""
    manifest = registry.get(system).manifest
    kind = "nic" if manifest.kind == "host" else "nos"
    names = port_names(system, ports)
    links = "".join(f'  - {{a: "one:{name}", b: "two:{name}", speed: {speed}, cable: 5m dac}}\n' for name in names)
    return (
        "version: 1\nfabric: texts\nclasses:\n  roce: {dscp: 26, priority: 3, lossless: true}\n"
        "  cnp: {dscp: 48, priority: 6}\n"
        f"devices:\n  one: {{{kind}: {system}, role: edge}}\n  two: {{{kind}: {system}, role: edge}}\nlinks:\n{links}"
    )


def port_names(system: str, count: int) -> list[str]:
    """Return names of ports as a system spells them: its manifest's two, then the number in which they differ runs on.

    `Ethernet1/1` and `Ethernet1/2` go on with `Ethernet1/3`; SONiC's `Ethernet0` and `Ethernet4` with `Ethernet8`.
    """
    first, second = registry.get(system).manifest.port_names[:2]
    start = next(at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b)
    start = len(first[:start].rstrip("0123456789"))
    digits = len(first[start:]) - len(first[start:].lstrip("0123456789"))
    tail, head = first[start + digits :], first[:start]
    one = int(first[start : start + digits])
    step = int(second[start:].removesuffix(tail)) - one
    return [f"{head}{one + step * number}{tail}" for number in range(count)]


def rendered(system: str, ports: int = 2, speed: str = "100G") -> Iterator[DeviceText]:
    """Yield what we render for a system from an intent that leaves everything to us."""
    device = plan(expand(parse_intent(intent(system, ports, speed), "texts.roce.yaml"))).devices["one"]
    for item in render(device.fitted):
        yield DeviceText(system, item.file, item.content, item.command)


def fixtures(system: str) -> Iterator[DeviceText]:
    """Yield the texts that the tests of a system hold: files, and strings of a few lines in their modules."""
    for path in sorted((VENDOR_TESTS / system).rglob("*")):
        if path.suffix == ".py":
            yield from _strings(system, path)
        elif path.is_file() and path.suffix not in _NO_DEVICE_TEXTS and path.name != "corpus.yaml":
            yield DeviceText(system, path.name, path.read_text(encoding="utf-8"))


def _parsed(path: Path) -> ast.Module:
    """Return a module's syntax tree. CPython before 3.11.8 (gh-106905) fails when garbage is collected in between."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    finally:
        if collecting:
            gc.enable()


def _strings(system: str, path: Path) -> Iterator[DeviceText]:
    for node in _parsed(path).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value = node.value
            if (
                isinstance(value, ast.Constant)
                and isinstance(value.value, str)
                and value.value.count("\n") >= FEWEST_LINES
            ):
                yield DeviceText(system, f"{path.stem}.{node.targets[0].id}", value.value)


def reference() -> Iterator[DeviceText]:
    """Yield the texts of the reference corpus with their systems: who reads a file says so in its `corpus.yaml`.

    A file that nobody reads has the system "". Nothing where the corpus does not lie beside this checkout.
    """
    claims = {
        pattern: path.parent.name
        for path in sorted(VENDOR_TESTS.glob("*/corpus.yaml"))
        for pattern in yamlfile.load_path(path).data.get("files", ())
    }
    for path in sorted(CORPUS.rglob("*")) if CORPUS.is_dir() else ():
        if not path.is_file() or path.suffix in {".md", ".tsv"}:
            continue
        name = path.relative_to(CORPUS).as_posix()
        owners = [system for pattern, system in claims.items() if fnmatch(name, pattern)]
        folder = path.parent.name
        system = owners[0] if owners else folder if folder in registry.names() else ""
        try:
            yield DeviceText(system, name, decode(path.read_bytes(), name))
        except RocecfgError:
            continue
