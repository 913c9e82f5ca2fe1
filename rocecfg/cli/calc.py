"""`rocecfg calc`: the physics as a calculator, without an intent."""

from __future__ import annotations

from importlib import import_module

import click

from rocecfg.cli.options import CONTEXT, Example, common, write_examples
from rocecfg.errors import did_you_mean

CALCULATORS = {
    "headroom": "What must still fit after PAUSE: per chip, speed, cable and traffic.",
    "buffer": "Whether a box holds all its headroom, and when it pauses.",
    "ecn": "The marking ramp, whether it acts before PFC, and where DCQCN settles.",
    "watchdog": "Storm timers from the longest legitimate pause and the retry budget.",
}
"""Name -> summary; `x` is the command `x` of module `rocecfg.cli.calc_x`."""


class _Calculators(click.Group):
    """Loads a calculator when it is asked for."""

    examples: tuple[Example, ...] = (
        ("rocecfg calc headroom --sku ACS-SN5600 --speed 400G --cable 40m", "headroom, term by term"),
        ("rocecfg calc headroom --asic tomahawk-5 --speeds 100G,400G --cables 5m,40m,300m", "as a table"),
        ("rocecfg calc buffer --sku DellEMC-Z9664f-O64 --ports 64x400G@30m --lossless 2", "does the box hold it"),
        ("rocecfg calc ecn --sku ACS-SN5600 --speed 400G --compare", "our ramp beside the published ones"),
        ("rocecfg calc watchdog --speed 100G --asic spectrum-2 --nos sonic", "timers and the system's ranges"),
    )

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(CALCULATORS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in CALCULATORS:
            return None
        command: click.Command = getattr(import_module(f"rocecfg.cli.calc_{cmd_name}"), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in CALCULATORS and not args[0].startswith("-"):
            ctx.fail(
                f'nothing to calculate is called "{args[0][:80]}"{did_you_mean(args[0], CALCULATORS)}'
                f" Known: {', '.join(CALCULATORS)}"
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Calculators"):
            formatter.write_dl(list(CALCULATORS.items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_examples(formatter, self.examples)
        super().format_epilog(ctx, formatter)


@click.group(cls=_Calculators, context_settings=CONTEXT)
@common
def calc() -> None:
    """Work out headroom, buffers, marking ramps and storm timers, each with its derivation.

    A chip is named by `--sku` (a SKU or model) or `--asic`; without either the bounds of the standards are used.
    """
