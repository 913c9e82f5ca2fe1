"""`rocecfg history`: what earlier audits found, what is new, what went away."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from rocecfg.cli.options import command, output_file, output_format
from rocecfg.cli.terminal import note, result_stream
from rocecfg.errors import EXIT_CLEAN, UsageError
from rocecfg.state.numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rocecfg.history.query import Account, Known

_UNITS = {"h": "hours", "d": "days", "w": "weeks"}
_LONGEST = 36_500


def span(text: str) -> timedelta:
    """Return a time back: `12h`, `7d`, `4w`. Raises UsageError for anything else."""
    number, unit = text[:-1], text[-1:]
    count = whole_number(number, _LONGEST, 1)
    if unit not in _UNITS or count is None:
        raise UsageError(f'"{text}" is no time back: 12h, 7d or 4w')
    return timedelta(**{_UNITS[unit]: count})


@command(
    ("rocecfg history", "open findings and the last audits"),
    ("rocecfg history --since 7d", "what came and went in a week"),
    ("rocecfg history --device 'leaf*' --rule 'PFC-*' --format json", "for a program"),
    ("rocecfg history --forget 400d", "remove what is older"),
)
@click.option(
    "--db",
    default="",
    metavar="URL",
    help="sqlite:///FILE or postgresql://...; default ROCECFG_DB, else a file of yours.",
)
@click.option("--fabric", default="", metavar="NAME", help="Only this fabric.")
@click.option("--since", default="", metavar="TIME", help="Only what came or went since: 12h, 7d, 4w.")
@click.option("--device", default="*", metavar="GLOB", help="Only these devices.")
@click.option("--rule", default="*", metavar="GLOB", help="Only these rules.")
@click.option("--forget", default="", metavar="TIME", help="Remove audits and resolved findings older than that.")
@output_format("text", "json")
@output_file
def history(
    db: str, fabric: str, since: str, device: str, rule: str, forget: str, form: str, output: Path | None
) -> int:
    """Show what audits found over time: each finding once, with the day it came and the day it went."""
    from rocecfg.history import database, query

    url = db or database.default_url()
    if forget:
        count = query.forget(url, older=span(forget))
        note(f"{count} audits removed from {database.shown(url)}")
        return EXIT_CLEAN
    account = query.account(
        url, fabric=fabric, since=span(since) if since else None, device=device, rule=rule, resolved=bool(since)
    )
    with result_stream(output) as stream:
        if form == "json":
            stream.write(json.dumps(query.as_plain(account), indent=2) + "\n")
        else:
            stream.writelines(_text(account))
    return EXIT_CLEAN


def _text(account: Account) -> Iterator[str]:
    from rocecfg.report.table import columns, counted, printable

    opened = [item for item in account.findings if item.resolved is None]
    gone = [item for item in account.findings if item.resolved is not None]
    yield f"{counted(len(opened), 'open finding')}\n"
    yield from (_finding(item) for item in opened)
    if gone:
        yield f"\n{counted(len(gone), 'finding')} resolved\n"
        yield from (_finding(item) for item in gone)
    rows: list[tuple[str, ...]] = [
        ("audit", "fabric", "finished (UTC)", "devices", "unread", "errors", "warnings", "new", "gone")
    ]
    rows += [
        (
            str(audit.id), printable(audit.fabric), f"{audit.finished:%Y-%m-%d %H:%M}", str(audit.devices),
            str(audit.unread), str(audit.errors), str(audit.warnings), str(audit.new), str(audit.resolved),
        )
        for audit in account.audits
    ]  # fmt: skip
    if len(rows) > 1:
        yield "\n" + columns(rows)


def _finding(item: Known) -> str:
    from rocecfg.report.table import printable

    until = f" to {item.resolved:%Y-%m-%d}" if item.resolved is not None else ""
    back = f", back {item.times - 1} times" if item.times > 1 else ""
    what = printable(f"{item.device} {item.object}: {item.message}")
    return f"  {item.severity} {item.rule} {what} (since {item.first_seen:%Y-%m-%d}{until}{back})\n"
