"""`rocecfg accept`: what to run on a new fabric, and whether what came out accepts it."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import click

from rocecfg.cli.options import CONTEXT, Example, command, common, output_file, output_format, write_examples
from rocecfg.cli.terminal import note, result_stream
from rocecfg.errors import did_you_mean

PARTS = {"plan": "Write the schedule and the scripts of an acceptance run."}
"""Name -> summary; `x` is the command `x` of this module."""


@command(
    ("rocecfg accept plan pod1.roce.yaml -o acceptance", "schedule, scripts and acceptance.json"),
    ("rocecfg accept plan pod1.roce.yaml -o acceptance --seconds 60", "a longer look at every pair"),
    ("rocecfg accept plan pod1.roce.yaml -o acceptance --incast 16", "16 senders into one port"),
    ("acceptance/run/1-two-hosts.sh", "then run the first stage"),
)
@click.argument("intent", metavar="INTENT", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--output", "-o", "folder", type=click.Path(path_type=Path, file_okay=False), required=True,
              metavar="DIR", help="Folder that gets the plan. Results and changed thresholds stay.")  # fmt: skip
@click.option("--seconds", type=click.IntRange(5, 3600), default=20, show_default=True, metavar="N",
              help="How long each bandwidth flow sends.")  # fmt: skip
@click.option("--incast", type=click.IntRange(2, 256), default=8, show_default=True, metavar="N",
              help="Senders into one port, as far as there are hosts.")  # fmt: skip
def plan(intent: Path, folder: Path, seconds: int, incast: int) -> int:
    """Write an acceptance run: which flows run when, on which links, in which class, and the scripts for it.

    Three stages, the next one only when the last passed: two hosts, one rack, all. Flows that run together share no
    host link, but in an incast. Nothing is sent to any device: the scripts are yours to read and to run.
    """
    from rocecfg.acceptance import thresholds
    from rocecfg.acceptance.plan import Wishes, make
    from rocecfg.acceptance.scripts import write
    from rocecfg.cli.intents import load_plan

    made = make(load_plan(intent), Wishes(seconds=seconds, incast=incast))
    made.acceptance = made.acceptance.model_copy(update={"thresholds": thresholds.of_plan(folder)})
    changed = write(folder, made)
    flows = sum(len(step.flows) for stage in made.acceptance.stages for step in stage.steps)
    for remark in made.remarks:
        note(remark)
    note(f"{len(made.acceptance.stages)} stages, {flows} flows in {folder} ({changed} files written); begin with "
         f"{folder / 'SCHEDULE.md'}")  # fmt: skip
    return 0


@command(
    ("rocecfg accept judge acceptance", "the verdict, with the reason of every failure"),
    ("rocecfg accept judge acceptance -f html -o acceptance.html", "a page with a heat map"),
    ("rocecfg accept judge acceptance -f junit -o acceptance.xml", "for a pipeline"),
)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@output_format("text", "json", "junit", "markdown", "html")
@output_file
def judge(folder: Path, form: str, output: Path | None) -> int:
    """Judge the results of an acceptance run, against the thresholds of its acceptance.json.

    Exit code 1: something failed. 3: something could not be judged, which is never a pass.
    """
    text, code = import_module("rocecfg.acceptance.judge").run(folder, form)
    with result_stream(output) as stream:
        stream.write(text)
    return int(code)


class _Parts(click.Group):
    """The two halves of an acceptance."""

    examples: tuple[Example, ...] = (
        ("rocecfg accept plan pod1.roce.yaml -o acceptance", "what to run, as a schedule and scripts"),
    )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in PARTS and not args[0].startswith("-"):
            ctx.fail(
                f'no part of an acceptance is called "{args[0][:80]}"{did_you_mean(args[0], PARTS)}'
                f" Known: {', '.join(PARTS)}"
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Parts"):
            formatter.write_dl(list(PARTS.items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_examples(formatter, self.examples)
        super().format_epilog(ctx, formatter)


@click.group(cls=_Parts, context_settings=CONTEXT)
@common
def accept() -> None:
    """Plan the acceptance of a fabric from its intent, and judge what the tests left."""


accept.add_command(plan)
if find_spec("rocecfg.acceptance.judge") is not None:
    PARTS["judge"] = "Judge what the run left: a verdict for each pair and stage, with its reason."
    _Parts.examples += (("rocecfg accept judge acceptance", "and what it proved"),)
    accept.add_command(judge)
