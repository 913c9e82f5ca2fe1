"""`rocecfg vendors`: the support matrix, from the manifests of the vendor folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.cli.options import command, output_file, output_format
from rocecfg.cli.terminal import result_stream

if TYPE_CHECKING:
    from pathlib import Path


@command(
    ("rocecfg vendors", "what each system can carry, and who says so"),
    ("rocecfg vendors --format markdown", "the same as a table for a document"),
)
@output_format("text", "json", "markdown")
@output_file
def vendors(form: str, output: Path | None) -> int:
    """Show the support matrix of all systems.

    The evidence columns count the line shapes we render by who vouches for them: a published schema, a real
    device's text, vendor documentation, or inference.
    """
    from rocecfg.report import matrix
    from rocecfg.vendor import registry

    manifests = [registry.get(name).manifest for name in registry.names()]
    with result_stream(output) as stream:
        stream.write(matrix.WRITERS[form](manifests))
    return 0
