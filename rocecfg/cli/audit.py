"""`rocecfg audit`: read the fabric, judge it, compare it with its intent, remember it, report it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rocecfg.cli.findings import FORMATS, emit, read_settings, rule_options
from rocecfg.cli.options import command, output_file, output_format, system, workers
from rocecfg.cli.terminal import note, result_stream
from rocecfg.errors import ReadError, RocecfgError, UsageError

if TYPE_CHECKING:
    from rocecfg.cli.auditing import Audited
    from rocecfg.collect.target import DeviceResult


@command(
    ("rocecfg audit pod1.roce.yaml --captures captures/", "of captures that are there already"),
    ("rocecfg audit pod1.roce.yaml --captures captures/ --no-history --format json", "for a program, nothing kept"),
    ("rocecfg audit pod1.roce.yaml --captures c/ --db postgresql://audit@db/roce", "history of all sites in one place"),
)
@click.argument("intent", metavar="INTENT", type=click.Path(path_type=Path))
@click.option("--captures", "stored", multiple=True, type=click.Path(path_type=Path), metavar="DIR",
              help="Captures that are there already, instead of reading devices. Repeatable.")  # fmt: skip
@click.option("--metrics", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write findings and drift as a Prometheus text file.")  # fmt: skip
@click.option("--db", default="", metavar="URL",
              help="sqlite:///FILE or postgresql://...; default ROCECFG_DB, else a file of yours.")  # fmt: skip
@click.option("--no-history", is_flag=True, help="Keep nothing of this audit.")
@system
@rule_options
@output_format(*FORMATS)
@output_file
@workers
def audit(
    intent: Path,
    stored: tuple[Path, ...],
    metrics: Path | None,
    db: str,
    no_history: bool,
    nos: str,
    profile: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str | None,
    config: Path | None,
    form: str,
    output: Path | None,
    jobs: int | None,
) -> int:
    """Judge a whole fabric by all rules and against its intent, and say what changed since the last audit.

    Both ends of every cable, paths and deadlock are looked at. What could not be read is a finding and ends with
    exit 3; the rest is judged all the same. Nothing is ever sent to a device but read-only commands.
    """
    from rocecfg.cli import auditing
    from rocecfg.cli.inputs import sources_under
    from rocecfg.cli.intents import load_plan
    from rocecfg.cli.reading import check_system

    check_system(nos)
    settings = read_settings(profile, select, ignore, fail_on, config)
    plan = load_plan(intent)
    results: list[DeviceResult] = []
    if not stored:
        raise UsageError("nothing to audit: give --captures DIR")
    sources = list(sources_under(stored))
    if not sources:
        raise ReadError(f"nothing to audit under {', '.join(map(str, stored))}")
    audited = auditing.audit(plan, sources, settings, results=results, nos=nos, jobs=jobs)
    audited.outcome.source = str(intent)
    trouble = _kept(audited, db, no_history=no_history, metrics=metrics)
    _show(audited, form, output)
    if audited.strangers:
        note(f"{audited.strangers} captures of devices that the intent does not have were judged, not compared")
    return max(audited.outcome.exit_code(settings.fail_on), trouble)


def _kept(audited: Audited, db: str, *, no_history: bool, metrics: Path | None) -> int:
    """Remember the audit and write its files; return the exit code of what went wrong with that, 0 for nothing.

    A history that cannot be written must not lose the audit itself: it is said, and the rest goes on.
    """
    code = 0
    if not no_history:
        from rocecfg.history import database, query, record

        url = db or database.default_url()
        try:
            number = record(url, audited.run())
            account = query.account(url, fabric=audited.fabric)
            new, gone = account.audits[0].new, account.audits[0].resolved
            note(f"audit {number} of {audited.fabric}: {new} findings are new, {gone} are gone ({database.shown(url)})")
        except RocecfgError as error:
            note(f"warning: the history was not written: {error}")
            code = error.exit_code
    if metrics is not None:
        from rocecfg.report import metrics as prometheus

        with result_stream(metrics) as stream:
            stream.write(prometheus.write(audited))
    return code


def _show(audited: Audited, form: str, output: Path | None) -> None:
    """Write the findings in the chosen form; JSON also says what became of each device."""
    if form != "json":
        emit(audited.outcome, form, output)
        return
    with result_stream(output) as stream:
        stream.write(json.dumps(as_plain(audited), indent=2) + "\n")


def as_plain(audited: Audited) -> dict[str, Any]:
    """Return an audit as JSON-ready data: the findings as `lint` gives them, and what became of each device."""
    from rocecfg.report import json as findings

    devices = [
        {
            "device": item.device,
            "nos": item.nos,
            "status": item.status,
            "reason": item.reason,
            "seconds": round(item.seconds, 3),
        }
        for item in audited.devices
    ]
    return {
        **findings.as_plain(audited.outcome),
        "fabric": audited.fabric,
        "started": audited.started.isoformat(),
        "finished": audited.finished.isoformat(),
        "devices": devices,
    }
