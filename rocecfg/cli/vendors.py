"""`rocecfg vendors`: the support matrix, from the manifests of the vendor folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rocecfg.cli.options import command, output_file, output_format
from rocecfg.cli.terminal import result_stream

if TYPE_CHECKING:
    from pathlib import Path


@command(
    ("rocecfg vendors", "what each system can carry, and who says so"),
    ("rocecfg vendors nxos", "one system: what is rendered, who says that it exists, what is not proven"),
    ("rocecfg vendors --format markdown", "all as a table for a document"),
)
@click.argument("names", metavar="[NAME]...", nargs=-1)
@output_format("text", "json", "markdown")
@output_file
def vendors(names: tuple[str, ...], form: str, output: Path | None) -> int:
    """Show the support matrix of all systems, or the page of one.

    The evidence columns count the line shapes we render by who vouches for them: a published schema, a real
    device's text, vendor documentation, or inference.
    """
    from rocecfg.report import matrix, vendorpage
    from rocecfg.vendor import registry

    manifests = [registry.get(name).manifest for name in names or registry.names()]
    with result_stream(output) as stream:
        if names and form != "json":
            stream.write("\n".join(map(vendorpage.page, manifests)))
        else:
            stream.write(matrix.WRITERS[form](manifests))
    return 0
