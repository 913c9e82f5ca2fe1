"""The support matrix of `rocecfg vendors` and of the README, as text, JSON or Markdown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rocecfg.report.table import columns
from rocecfg.vendor.manifest import LEVELS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocecfg.vendor.manifest import Manifest


def _evidence(manifest: Manifest) -> dict[str, int]:
    return {level: sum(entry.level == level for entry in manifest.evidence) for level in LEVELS}


def as_text(manifests: Sequence[Manifest]) -> str:
    """Return one block a system: its name, what it can carry, and the evidence of what we render."""
    blocks = []
    for manifest in manifests:
        counts = "  ".join(f"{level} {count}" for level, count in _evidence(manifest).items() if count)
        rows = [("  " + name, text) for name, text in manifest.capabilities.items()]
        rows.append(("  renders", ", ".join(output.file for output in manifest.render) or "nothing"))
        rows.append(("  evidence", f"{counts or 'none'} (line shapes)"))
        blocks.append(f"{manifest.name}  {manifest.title}  ({manifest.kind})\n" + columns(rows))
    return "\n".join(blocks)


def as_json(manifests: Sequence[Manifest]) -> str:
    """Return the matrix as data."""
    systems = [
        {
            "name": manifest.name,
            "title": manifest.title,
            "kind": manifest.kind,
            "netmiko": manifest.netmiko,
            "capabilities": manifest.capabilities,
            "commands": [command.send for command in manifest.commands],
            "files": [output.file for output in manifest.render],
            "evidence": _evidence(manifest),
            "sources": list(manifest.sources),
        }
        for manifest in manifests
    ]
    return json.dumps({"schema": 1, "vendors": systems}, indent=2) + "\n"


def as_markdown(manifests: Sequence[Manifest]) -> str:
    """Return the matrix as a Markdown table, one row a system; its page has what it carries."""
    lines = ["| | system | rendered files | " + " | ".join(LEVELS) + " |", "|---" * (3 + len(LEVELS)) + "|"]
    for manifest in manifests:
        files = ", ".join(f"`{output.file}`" for output in manifest.render) or "nothing"
        counts = " | ".join(map(str, _evidence(manifest).values()))
        name = f"[{manifest.name}](docs/vendors/{manifest.name}.md)"
        lines.append(f"| {name} | {_cell(manifest.title)} | {files} | {counts} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


WRITERS: dict[str, Callable[[Sequence[Manifest]], str]] = {
    "text": as_text,
    "json": as_json,
    "markdown": as_markdown,
}
