"""`rocecfg audit`: read the fabric, judge it, compare it with its intent, remember it, report it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rocecfg.cli.findings import FORMATS, emit, read_settings, rule_options
from rocecfg.cli.options import command, output_file, output_format, system, workers
from rocecfg.cli.pull import live_options
from rocecfg.cli.terminal import note, result_stream
from rocecfg.errors import ReadError, RocecfgError, UsageError
from rocecfg.state.numbers import whole_number

if TYPE_CHECKING:
    from rocecfg.cli.auditing import Audited
    from rocecfg.collect.target import DeviceResult
    from rocecfg.plan.planned import Plan


@command(
    ("rocecfg audit pod1.roce.yaml -i inventory/ --report audit.html", "every night: read, judge, remember"),
    ("rocecfg audit pod1.roce.yaml -i inventory/ --counters-interval 30s", "two looks: what counts up"),
    ("rocecfg audit pod1.roce.yaml --captures captures/", "of captures that are there already"),
    ("rocecfg audit pod1.roce.yaml --captures captures/ --no-history --format json", "for a program, nothing kept"),
    ("rocecfg audit pod1.roce.yaml --captures c/ --db postgresql://audit@db/roce", "history of all sites in one place"),
)
@click.argument("intent", metavar="INTENT", type=click.Path(path_type=Path))
@click.option("--inventory", "-i", default="", metavar="INVENTORY",
              help="The devices: a file, a folder, `netbox`, its address, or - for stdin.")  # fmt: skip
@click.option("--keep", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", default=Path("captures"),
              show_default=True, help="Where captures of an inventory's devices are kept.")  # fmt: skip
@live_options
@click.option("--counters-interval", default="", metavar="TIME",
              help="Read twice, so far apart (30s, 5m): rules about counters need two captures.")  # fmt: skip
@click.option("--captures", "stored", multiple=True, type=click.Path(path_type=Path), metavar="DIR",
              help="Captures that are there already, instead of reading devices. Repeatable.")  # fmt: skip
@click.option("--report", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write the audit as one HTML page.")  # fmt: skip
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
    inventory: str,
    keep: Path,
    counters_interval: str,
    stored: tuple[Path, ...],
    report: Path | None,
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
    limit: tuple[str, ...],
    executor: str,
    **how: Any,
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
    if limit and not inventory:
        raise UsageError("--limit chooses devices of an inventory: give -i INVENTORY")
    if bool(inventory) == bool(stored):
        raise UsageError("give -i INVENTORY to read devices, or --captures DIR for captures that are there")
    results: list[DeviceResult] = []
    if inventory:
        results, stored = _pulled(inventory, keep, _seconds(counters_interval), limit, executor, how)
    sources = list(sources_under(stored))
    if not sources and not results:
        raise ReadError(f"nothing to audit under {', '.join(map(str, stored))}")
    only = {result.device for result in results} if limit else None
    audited = auditing.audit(plan, sources, settings, results=results, only=only, nos=nos, jobs=jobs)
    audited.outcome.source = str(intent)
    trouble = _kept(audited, plan, db, no_history=no_history, report=report, metrics=metrics)
    _show(audited, form, output)
    if audited.strangers:
        note(f"{audited.strangers} captures of devices that the intent does not have were judged, not compared")
    return max(audited.outcome.exit_code(settings.fail_on), trouble)


def _pulled(
    inventory: str, keep: Path, interval: float, limit: tuple[str, ...], executor: str, how: dict[str, Any]
) -> tuple[list[DeviceResult], tuple[Path, ...]]:
    """Read the devices, twice where an interval is asked for; return what became of them and where they are kept.

    What a device failed at in either look counts: a second look that failed is no pair of counters.
    """
    import time

    from rocecfg.cli.pull import chosen_executor, pull_options, shown_progress
    from rocecfg.collect import inventory as inventories
    from rocecfg.collect.pull import pull

    targets = inventories.read(inventory, limit)
    folders = (keep,) if not interval else (keep / "first", keep / "second")
    options = pull_options(**how)
    results: dict[str, DeviceResult] = {}
    kept: list[Path] = []
    for at, folder in enumerate(folders):
        if at:
            note(f"waiting {interval:g} s for the second look at the counters")
            time.sleep(interval)
        with chosen_executor(executor) as where, shown_progress(len(targets)) as step:
            found = pull(targets, folder, options, executor=where, on_done=step)
        for result in found:
            if result.status != "ok" or result.device not in results:
                results[result.device] = result
            if result.status != "failed" and result.folder:
                kept.append(Path(result.folder))  # what an earlier run left of other devices is not this audit's
    return list(results.values()), tuple(kept)


def _seconds(text: str) -> float:
    """Return a time to wait: `30s`, `5m`; 0 for an empty text. Raises UsageError for anything else."""
    if not text:
        return 0
    factor = {"s": 1, "m": 60}.get(text[-1:])
    count = whole_number(text[:-1], 99_999, 1)
    if factor is None or count is None:
        raise UsageError(f'--counters-interval "{text}" is no time: 30s or 5m')
    return count * factor


def _kept(audited: Audited, plan: Plan, db: str, *, no_history: bool, report: Path | None, metrics: Path | None) -> int:
    """Remember the audit and write its files; return the exit code of what went wrong with that, 0 for nothing.

    A history that cannot be written must not lose the audit itself: it is said, and the rest goes on.
    """
    code = 0
    account = None
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
    if report is not None:
        from rocecfg.report import fleet

        with result_stream(report) as stream:
            stream.write(fleet.write(audited, plan, account, fleet.remedies_of(audited, plan)))
        note(f"report: {report}")
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
    from rocecfg.collect.findings import as_plain as results
    from rocecfg.report import json as findings

    return {
        **findings.as_plain(audited.outcome),
        "fabric": audited.fabric,
        "started": audited.started.isoformat(),
        "finished": audited.finished.isoformat(),
        "devices": results(audited.devices),
    }
