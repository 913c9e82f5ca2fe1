"""What `lint` and `drift` do with their findings at the end: leave out the known ones, count or show the rest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rocecfg.cli.findings import emit
from rocecfg.cli.terminal import note, result_stream
from rocecfg.errors import ConfigurationError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rocecfg.lint.config import Settings
    from rocecfg.report.outcome import Outcome

_F = TypeVar("_F", bound="Callable[..., Any]")
_SAME_FILE = "?"
DEFAULT_FILE = ".rocecfg-baseline.json"


@dataclass(frozen=True, slots=True)
class Accepted:
    """The options about findings that are known already, and about counting."""

    baseline: Path | None = None
    write_baseline: str | None = None
    statistics: bool = False

    def finish(
        self, outcome: Outcome, settings: Settings, form: str, output: Path | None, warnings: Iterable[str] = ()
    ) -> int:
        """Report what is not known yet, or write the baseline; return the exit code."""
        file = self.baseline or settings.baseline
        if self.write_baseline is not None:
            target = file or Path(DEFAULT_FILE) if self.write_baseline == _SAME_FILE else Path(self.write_baseline)
            _write(outcome, target)
            return outcome.exit_code(None)
        if file is not None:
            from rocecfg.lint.baseline import read_baseline

            known = read_baseline(file)
            before = len(outcome.findings)
            outcome.findings = known.new(outcome.findings)
            if before > len(outcome.findings):
                note(f"{before - len(outcome.findings)} findings are known to {file}")
            if known.stale():
                note(f"{known.stale()} entries of {file} match nothing any more: write it again to forget them")
        if self.statistics:
            from rocecfg.report import statistics

            with result_stream(output) as stream:
                stream.write(statistics.write(outcome, form))
        else:
            emit(outcome, form, output, warnings)
        return outcome.exit_code(settings.fail_on)


def _write(outcome: Outcome, target: Path) -> None:
    from rocecfg.lint.baseline import read_baseline, write_baseline

    if target.exists():
        try:
            read_baseline(target)
        except ConfigurationError as error:
            raise UsageError(f"--write-baseline: {error}; it is left as it is, name another file") from error
    with result_stream(target) as stream:
        stream.write(write_baseline(outcome.findings))
    note(f"{len(outcome.findings)} findings in {target}: --baseline {target} reports only others from now on")


def accepted_options(function: _F) -> _F:
    """Add `--baseline`, `--write-baseline` and `--statistics`; the command gets them as `accepted`."""

    @wraps(function)
    def called(*, baseline: Path | None, write_baseline: str | None, statistics: bool, form: str, **rest: Any) -> Any:
        if statistics and form not in {"text", "json"}:
            raise UsageError(f"--statistics is printed as text or json, not as {form}")
        return function(accepted=Accepted(baseline, write_baseline, statistics), form=form, **rest)

    options = (
        click.option("--baseline", type=click.Path(path_type=Path), metavar="FILE",
                     help="Report only what this file does not know."),
        click.option("--write-baseline", metavar="[FILE]", is_flag=False, flag_value=_SAME_FILE,
                     help=f"Write all findings into a baseline (default: --baseline, else {DEFAULT_FILE})."),
        click.option("--statistics", is_flag=True, help="How many findings of each rule, instead of each finding."),
    )  # fmt: skip
    for option in reversed(options):
        called = option(called)
    return called  # type: ignore[return-value]
