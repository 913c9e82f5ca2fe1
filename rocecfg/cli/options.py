"""Commands that show examples in their help, and the options that several of them share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_F = TypeVar("_F", bound="Callable[..., Any]")

Example = tuple[str, str]
"""A command line, and what it is for."""

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 120}

COLOUR = "rocecfg.colour"
"""Key of the colour choice in a context's `meta`."""


def write_examples(formatter: click.HelpFormatter, examples: Sequence[Example]) -> None:
    """Write the "Examples" part of a help."""
    if examples:
        with formatter.section("Examples"):
            width = max(len(line) for line, _ in examples)
            for line, purpose in examples:
                formatter.write(f"{'':>{formatter.current_indent}}{line:<{width}}  {purpose}\n")


class _Command(click.Command):
    """A command whose help ends with examples."""

    examples: Sequence[Example] = ()

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_examples(formatter, self.examples)
        super().format_epilog(ctx, formatter)


def command(*examples: Example) -> Callable[[Callable[..., int | None]], click.Command]:
    """Make a function a command: its docstring is the help; it returns the exit code (None = 0)."""

    def make(function: Callable[..., int | None]) -> click.Command:
        made = click.command(cls=_Command, context_settings=CONTEXT)(common(function))
        made.examples = examples
        return made

    return make


def _keep_colour(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    del param
    if value is not None:
        ctx.meta[COLOUR] = value


def _add_packs(ctx: click.Context, param: click.Parameter, value: tuple[Path, ...]) -> None:
    del param
    if value and not ctx.resilient_parsing:
        from rocecfg.packs import add_packs

        add_packs(value)


def common(function: _F) -> _F:
    """Add the options every command takes: `--color` and `--pack`."""
    colour = click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        help="Colour in texts; auto: on a terminal, unless NO_COLOR is set.",
        callback=_keep_colour,
        expose_value=False,
    )
    pack = click.option(
        "--pack",
        type=click.Path(path_type=Path),
        multiple=True,
        metavar="DIR",
        help="A folder with vendors/, templates/ or lint_rules/ of your own. Repeatable.",
        callback=_add_packs,
        expose_value=False,
    )
    return colour(pack(function))


def _add_rule_folders(ctx: click.Context, param: click.Parameter, value: tuple[Path, ...]) -> None:
    del param
    if value and not ctx.resilient_parsing:
        from rocecfg.packs import add_rule_folders

        add_rule_folders(value)


def rule_folders(function: _F) -> _F:
    """Add `--rules DIR`: rules of the user's own."""
    return click.option(
        "--rules",
        type=click.Path(path_type=Path),
        multiple=True,
        metavar="DIR",
        help="A folder with rules of your own: *.py, and *.yaml with assertions. Repeatable.",
        callback=_add_rule_folders,
        expose_value=False,
    )(function)


def output_format(*formats: str) -> Callable[[_F], _F]:
    """Add `--format`, the first of `formats` being the default."""
    return click.option(
        "--format",
        "-f",
        "form",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="Form of the result.",
    )


def output_file(function: _F) -> _F:
    """Add `-o FILE`: where the result goes."""
    return click.option(
        "--output",
        "-o",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Write the result to a file instead of stdout.",
    )(function)


def system(function: _F) -> _F:
    """Add `--nos NOS`: the system of the texts, where detection should not decide."""
    return click.option(
        "--nos", default="", metavar="NOS", help="The system of the texts (see `rocecfg vendors`); default: detected."
    )(function)


def workers(function: _F) -> _F:
    """Add `--jobs N`: processes that read captures."""
    return click.option(
        "--jobs",
        type=click.IntRange(1, 64),
        metavar="N",
        help="Processes that read captures; default: 1, and 2 from 200 captures on where there are 2 cores.",
    )(function)
