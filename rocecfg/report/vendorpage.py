"""What is proven of a system and what is not, as a Markdown page (`rocecfg vendors NAME`, docs/vendors/)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.report.table import counted
from rocecfg.vendor.manifest import LEVELS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocecfg.vendor.manifest import Manifest

PROOF = {
    "schema": "checked against a schema that the vendor publishes",
    "device": "printed by a device, or published as a configuration for devices",
    "documented": "in the vendor's documents or the tool's own source, not seen on a device by us",
    "inferred": "nobody says so: `rocecfg render --strict` refuses it",
}
"""What each level of evidence means."""


def page(manifest: Manifest) -> str:
    """Return the page of one system."""
    return "\n".join(_lines(manifest)).rstrip("\n") + "\n"


def _lines(manifest: Manifest) -> Iterator[str]:
    kind = "a host's NIC" if manifest.kind == "host" else "a switch"
    yield f"# {manifest.title}\n"
    yield f"The word in an intent is `{'nic' if manifest.kind == 'host' else 'nos'}: {manifest.name}` ({kind})."
    files = ", ".join(f"`{output.file}`" for output in manifest.render)
    yield f"It is rendered as {files}.\n" if files else "Nothing is rendered for it.\n"
    yield "## What it carries\n"
    yield "| | |\n|---|---|"
    yield from (f"| {name} | {_cell(text)} |" for name, text in manifest.capabilities.items())
    if manifest.notes:
        yield "\n## What is not proven, and what is left out\n"
        yield from (f"- {_plain(text)}" for text in manifest.notes)
    if manifest.evidence:
        yield "\n## What is rendered, and who says that it exists\n"
        yield _summary(manifest)
        yield from _evidence(manifest)
    if manifest.commands:
        yield "\n## What is read from a live device\n"
        yield "Read-only commands, over one connection:\n"
        yield from (f"- `` {command.send} ``" for command in manifest.commands)
    if manifest.sources:
        yield "\n## Sources\n"
        yield from (f"- {_plain(text)}" for text in manifest.sources)


def _summary(manifest: Manifest) -> str:
    counts = [(level, sum(entry.level == level for entry in manifest.evidence)) for level in LEVELS]
    return "\n".join(
        f"- {counted(count, 'line shape')} **{level}**: {PROOF[level]}" for level, count in counts if count
    )


def _evidence(manifest: Manifest) -> Iterator[str]:
    yield "\n| line shape | level | source |\n|---|---|---|"
    for level in reversed(LEVELS):
        for entry in manifest.evidence:
            if entry.level == level:
                yield f"| `` {_cell(entry.shape)} `` | {level} | {_cell(entry.source)} |"


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("<", "&lt;")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def index(manifests: Sequence[Manifest]) -> str:
    """Return the page that compares all systems, one table a capability."""
    lines = [
        "# Systems\n",
        "What each system carries, and how far it is proven. `rocecfg vendors NAME` prints a page.\n",
    ]
    lines += ["| system | | renders | " + " | ".join(LEVELS) + " |", "|---" * (3 + len(LEVELS)) + "|"]
    for manifest in manifests:
        files = ", ".join(f"`{output.file}`" for output in manifest.render) or "nothing"
        counts = " | ".join(str(sum(entry.level == level for entry in manifest.evidence)) for level in LEVELS)
        lines.append(f"| [{manifest.name}]({manifest.name}.md) | {_cell(manifest.title)} | {files} | {counts} |")
    lines.append("\nThe numbers count line shapes that are rendered:\n")
    lines += [f"- {level}: {text}" for level, text in PROOF.items()]
    for name in dict.fromkeys(name for manifest in manifests for name in manifest.capabilities):
        lines += [f"\n## {name.capitalize()}\n", "| | |\n|---|---|"]
        lines += [f"| {each.name} | {_cell(each.capabilities.get(name, '-'))} |" for each in manifests]
    return "\n".join(lines) + "\n"
