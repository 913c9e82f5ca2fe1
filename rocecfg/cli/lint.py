"""`rocecfg lint`: what will lose traffic, storm or lock up, and where it stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rocecfg.cli.accepted import Accepted, accepted_options
from rocecfg.cli.findings import (
    FORMATS,
    read_settings,
    rule_options,
)
from rocecfg.cli.options import command, output_file, output_format, system, workers
from rocecfg.cli.terminal import note
from rocecfg.errors import (
    EXIT_CLEAN,
    EXIT_FINDINGS,
    EXIT_USAGE,
    ReadError,
    RocecfgError,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocecfg.cli.inputs import Source
    from rocecfg.cli.judging import Judging
    from rocecfg.findings import Finding
    from rocecfg.lint.config import Settings


@command(
    ("rocecfg lint pod1.roce.yaml", "an intent"),
    ("rocecfg lint out --intent pod1.roce.yaml", "rendered files against their intent"),
    ("rocecfg lint saved-configs/ --links cables.yaml", "saved configurations, both ends of each cable"),
    ("rocecfg lint captures/ --select PFC,WD --format json", "two families only, for a program"),
    ("rocecfg lint before/ after/ --select OPS", "counters: two captures of each device, some time apart"),
    ("rocecfg lint pod1.roce.yaml --fix --diff", "what could be mended by itself"),
    ("rocecfg lint configs/ --diff-base main", "only what this branch makes worse"),
    ("ssh leaf1 show running-config | rocecfg lint -", "a live device"),
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--intent", type=click.Path(path_type=Path), metavar="INTENT",
              help="What the devices should be: classes, roles, cables.")  # fmt: skip
@click.option("--links", type=click.Path(path_type=Path), metavar="FILE",
              help='YAML list of {a: "device:port", b: "device:port", speed, cable}.')  # fmt: skip
@click.option("--paths", "ways", type=click.Path(path_type=Path), metavar="FILE",
              help="YAML list of {via: [device, ...], priority: 3}: ways that packets take.")  # fmt: skip
@system
@rule_options
@click.option("--diff-base", metavar="REV", help="Only what is new since a git revision of the same files.")
@click.option("--fix", is_flag=True, help="Write certain cures into the intents; comments and layout stay.")
@click.option("--diff", is_flag=True, help="Show what --fix would write, and write nothing; exit 1 if any.")
@accepted_options
@output_format(*FORMATS)
@output_file
@workers
def lint(
    paths: tuple[Path, ...],
    intent: Path | None,
    links: Path | None,
    ways: Path | None,
    nos: str,
    profile: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str | None,
    config: Path | None,
    diff_base: str | None,
    fix: bool,
    diff: bool,
    accepted: Accepted,
    form: str,
    output: Path | None,
    jobs: int | None,
) -> int:
    """Check intents, rendered files, saved configurations and capture folders.

    PATH is a file, a folder of them, a capture folder, or `-` for stdin. The system of each text is detected.
    What a rule cannot judge is "not evaluated", never "ok"; what cannot be read ends with exit 3.
    """
    from rocecfg.cli.reading import check_system

    check_system(nos)
    settings = read_settings(profile, select, ignore, fail_on, config)
    if fix or diff:
        from rocecfg.cli.fixing import fix_intents

        changes = fix_intents([*paths, *([intent] if intent is not None else [])], settings, output, only_show=diff)
        if diff:
            return EXIT_FINDINGS if changes else EXIT_CLEAN
    run = _judged(settings, paths, intent, links, nos, jobs, ways)
    outcome = run.outcome
    outcome.source = str(intent or paths[0])
    if diff_base is not None:
        outcome.findings = _new_since(diff_base, run, paths, intent, links, nos, jobs, ways)
    code = accepted.finish(outcome, settings, form, output, run.warnings)
    return EXIT_USAGE if run.broken_intents else code


def _judged(
    settings: Settings,
    paths: Sequence[Path],
    intent: Path | None,
    links: Path | None,
    nos: str,
    jobs: int | None,
    ways: Path | None,
) -> Judging:
    """Return the run over everything under the paths, its findings in report order."""
    from rocecfg.cli.inputs import sources_under
    from rocecfg.cli.intents import load_fabric
    from rocecfg.cli.judging import Judging

    run = Judging(settings, ways)
    sources = list(sources_under(paths))
    if not sources:
        raise ReadError(f"nothing to check under {', '.join(map(str, paths))}")
    fabric = load_fabric(intent) if intent is not None else None
    captures: list[Source | ReadError] = []
    for source in sources:
        if isinstance(source, ReadError) or not source.is_intent:
            captures.append(source)
        elif intent is None or source.path.resolve() != intent.resolve():
            run.intent(source)
    if captures or fabric is not None:
        run.captures(captures, fabric, links, nos, jobs)
    run.outcome.findings.sort(key=lambda finding: finding.sort_key())
    return run


def _new_since(
    revision: str,
    run: Judging,
    paths: Sequence[Path],
    intent: Path | None,
    links: Path | None,
    nos: str,
    jobs: int | None,
    ways: Path | None,
) -> list[Finding]:
    """Return the findings that the same files did not have at a git revision."""
    from tempfile import TemporaryDirectory

    from rocecfg.lint.baseline import Baseline
    from rocecfg.lint.revision import write_revision

    extra = [path for path in (intent, links, ways) if path is not None]
    with TemporaryDirectory(prefix="rocecfg-") as folder:
        then = write_revision(revision, [*paths, *extra], Path(folder).resolve())
        named = dict(zip(extra, then.copies[len(paths) :], strict=True))
        there = [copy for copy in then.copies[: len(paths)] if copy is not None]
        if not there:
            return run.outcome.findings
        try:
            before = _judged(
                run.settings,
                there,
                named[intent] if intent is not None else None,
                named[links] if links is not None else None,
                nos,
                jobs,
                named[ways] if ways is not None else None,
            )
        except RocecfgError as error:
            note(f"warning: --diff-base {revision}: the files of then cannot be judged, all is new: {error}")
            return run.outcome.findings
        return Baseline.of(then.named_as_now(before.outcome.findings)).new(run.outcome.findings)
