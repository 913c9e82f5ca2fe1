"""`rocecfg explain`: the page of a rule."""

from __future__ import annotations

import click

from rocecfg.cli.options import command
from rocecfg.errors import UsageError, did_you_mean


@command(
    ("rocecfg explain PFC-001", "by id"),
    ("rocecfg explain global-pause-with-pfc", "by name"),
)
@click.argument("rule")
def explain(rule: str) -> int:
    """Show the page of a rule: what it finds, why it matters, what to do, when to ignore, and examples."""
    from rocecfg.lint import load

    found = load.find(rule)
    if found is None:
        known = [word for each in load.rules().values() for word in (each.id, each.name)]
        near = did_you_mean(rule.upper(), known) or did_you_mean(rule.lower(), known)
        raise UsageError(f'no rule is called "{rule}"{near} `rocecfg rules` lists them')
    each = load.load(found)
    made_by = f", found by {found.produced_by}" if found.produced_by else ""
    click.echo(
        f"{found.id} {found.name}: {found.severity.word}, profile {found.profile}, since {found.since}{made_by}\n"
    )
    click.echo(each.page.strip())
    if each.options:
        click.echo("\n## Options")
        for name, option in each.options.items():
            click.echo(f"- {name} = {option.default}: {option.help}")
    for title, example in (("Good", each.good), ("Bad", each.bad)):
        if example.strip():
            click.echo(f"\n## {title}\n\n{_indented(example)}")
    return 0


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.strip("\n").splitlines())
