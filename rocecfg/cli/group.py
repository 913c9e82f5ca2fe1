"""The `rocecfg` command: a table of commands, and how each error ends.

`--help` and `--version` read the table only, so they cost neither pydantic nor ttp nor jinja2.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import click

from rocecfg import __version__
from rocecfg.cli.options import CONTEXT, common, write_examples
from rocecfg.cli.terminal import error_line, quieten_stdout, survive_any_text
from rocecfg.errors import EXIT_CLEAN, EXIT_INTERRUPTED, EXIT_USAGE, IntentError, RocecfgError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocecfg.cli.options import Example

EXIT_BROKEN_PIPE = 141
"""What a shell shows for a program that its reader left (128 + SIGPIPE): neither clean nor findings."""


class Entry(NamedTuple):
    """One line of `rocecfg --help`."""

    section: str
    module: str
    summary: str


COMMANDS: dict[str, Entry] = {
    "advise": Entry("Decide", "advise", "Weigh Ethernet, RoCE and InfiniBand for what is planned."),
    "init": Entry("Write", "init", "Write a commented intent, a hook configuration and a CI snippet."),
    "plan": Entry("Write", "plan", "Show every number of an intent with its reason."),
    "render": Entry("Write", "render", "Write the configuration of every device."),
    "validate": Entry("Check", "validate", "Check that an intent loads: names, units, ranges, links."),
    "lint": Entry("Check", "lint", "Check intents, rendered files, saved configurations and captures."),
    "trace": Entry("Check", "trace", "Follow RoCE traffic from host to host, hop by hop."),
    "simulate": Entry("Check", "simulate", "Step an incast through time: do marks or PAUSE act first."),
    "drift": Entry("Check", "drift", "Compare captures with what the intent wants."),
    "parse": Entry("Check", "parse", "Show what a device text says, and the lines not understood."),
    "pull": Entry("Live", "pull", "Read live devices, read-only, into captures."),
    "audit": Entry("Live", "audit", "Read a fabric, judge it, compare it with its intent, remember it."),
    "history": Entry("Live", "history", "Show what audits found over time, what is new, what went away."),
    "accept": Entry("Live", "accept", "Plan the acceptance of a new fabric, and judge its tests."),
    "calc": Entry("Look up", "calc", "Calculate headroom, buffers, ECN ramps and timers by chip."),
    "rules": Entry("Look up", "rules", "List the lint rules."),
    "explain": Entry("Look up", "explain", "Show the page of a rule: what, why, what to do, examples."),
    "vendors": Entry("Look up", "vendors", "Show the support matrix of all systems."),
    "schema": Entry("Look up", "schema", "Print the JSON Schema of the intent."),
}
"""Every command, in the order of the help. A command `x` is the object `x` of module `rocecfg.cli.x`."""


class CommandGroup(click.Group):
    """Loads commands by the table and turns every error into one message and one exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command: click.Command = getattr(import_module(f"rocecfg.cli.{entry.module}"), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f'no command "{args[0]}"{did_you_mean(args[0], COMMANDS)}')
        return super().resolve_command(ctx, args)

    examples: Sequence[Example] = ()

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_examples(formatter, self.examples)
        super().format_epilog(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        for section in dict.fromkeys(entry.section for entry in COMMANDS.values()):
            with formatter.section(section):
                formatter.write_dl(
                    [(name, entry.summary) for name, entry in COMMANDS.items() if entry.section == section]
                )

    def invoke(self, ctx: click.Context) -> int:
        try:
            code = super().invoke(ctx)
            if sys.stdout is not None:  # closed by the caller (`>&-`)
                sys.stdout.flush()
        except BrokenPipeError:
            quieten_stdout()
            return EXIT_BROKEN_PIPE
        except RocecfgError as error:
            _show(error)
            return error.exit_code
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            if os.environ.get("ROCECFG_TRACEBACK"):
                raise
            error_line(
                f"internal error: {type(error).__name__} (rocecfg {__version__}): please report it with the command; "
                "ROCECFG_TRACEBACK=1 shows where"
            )
            return EXIT_USAGE
        finally:
            _warn_of_plugins()
        return EXIT_CLEAN if code is None else int(code)

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> NoReturn:
        """Run a command line and exit."""
        survive_any_text()
        extra["standalone_mode"] = False
        try:
            code = super().main(args, prog_name, **extra)
        except click.ClickException as error:
            error.show()
            code = error.exit_code
        except (click.Abort, KeyboardInterrupt):
            error_line("interrupted")
            code = EXIT_INTERRUPTED
        sys.exit(code or EXIT_CLEAN)


def _warn_of_plugins() -> None:
    """Say what was wrong with other packages' rules and vendors, when a command looked for any."""
    plugins = sys.modules.get("rocecfg.plugins")
    for problem in plugins.problems() if plugins is not None else ():
        error_line(f"warning: {problem}", mark="")


def _show(error: RocecfgError) -> None:
    if isinstance(error, IntentError):
        for problem in error.problems:
            error_line(str(problem), mark="")
    else:
        error_line(str(error))


@click.group(
    cls=CommandGroup,
    context_settings=CONTEXT,
    epilog="Exit codes: 0 clean, 1 findings, 2 usage or intent error, 3 something could not be read, 130 interrupted.",
)
@click.version_option(__version__, "-V", "--version", prog_name="rocecfg", message="%(prog)s %(version)s")
@common
def rocecfg() -> None:
    """One intent for RoCE (RDMA over Converged Ethernet): numbers, configurations, lint and drift."""


rocecfg.examples = (
    ("rocecfg init pod1", "start with a commented intent"),
    ("rocecfg plan pod1/fabric.roce.yaml", "see every number and why"),
    ("rocecfg render pod1/fabric.roce.yaml -o out", "write every device's files"),
    ("rocecfg lint out saved-configs/", "find what will lose traffic"),
    ("rocecfg drift pod1/fabric.roce.yaml captures/", "compare live devices with the intent"),
)
