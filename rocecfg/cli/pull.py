"""`rocecfg pull`: what live devices run, read-only, kept as captures."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rocecfg.cli.options import command, output_format
from rocecfg.cli.terminal import coloured, note
from rocecfg.errors import EXIT_CLEAN, EXIT_UNREADABLE, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rocecfg.collect.pull import PullOptions
    from rocecfg.collect.target import DeviceResult, Target

_F = TypeVar("_F", bound="Callable[..., Any]")
_SECONDS = click.FloatRange(0.1, 3600)


def live_options(function: _F) -> _F:
    """Add the options that say how live devices are reached and read: `pull` and `audit` share them."""
    options = (
        click.option("--limit", multiple=True, metavar="EXPR",
                     help="Only these: a name, a glob, role=leaf, !spine*. Repeatable."),
        click.option("--username", metavar="NAME", default="", help="Who logs in; default: ROCECFG_USERNAME."),
        click.option("--ask-pass", is_flag=True, help="Ask for the password instead of reading ROCECFG_PASSWORD."),
        click.option("--ask-enable", is_flag=True, help="Ask for the enable password too (ROCECFG_ENABLE)."),
        click.option("--keyring", is_flag=True, help="Take passwords from the system's keyring, service rocecfg."),
        click.option("--key", "key_file", type=click.Path(path_type=Path), metavar="FILE", help="Private key."),
        click.option("--known-hosts", type=click.Path(path_type=Path), metavar="FILE",
                     help="Host keys to trust; default: ~/.ssh/known_hosts."),
        click.option("--accept-new", is_flag=True, help="Trust hosts that are not known yet, and note their keys."),
        click.option("--ssh-config", type=click.Path(path_type=Path), metavar="FILE",
                     help="OpenSSH configuration: ProxyJump, ProxyCommand, keys; default: ~/.ssh/config."),
        click.option("--jump", metavar="HOST", default="", help="Jump host for all: [user@]host[:port],..."),
        click.option("--threads", type=click.IntRange(1, 500), default=50, show_default=True,
                     help="Sessions at a time, in each process."),
        click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes."),
        click.option("--executor", metavar="URL", default="", help="Read on a Dask cluster: dask://HOST:PORT."),
        click.option("--connect-timeout", type=_SECONDS, default=5.0, show_default=True, metavar="SECONDS",
                     help="Until a device answers TCP."),
        click.option("--login-timeout", type=_SECONDS, default=20.0, show_default=True, metavar="SECONDS",
                     help="For each of key exchange, login and the first prompt."),
        click.option("--silence-timeout", type=_SECONDS, default=60.0, show_default=True, metavar="SECONDS",
                     help="While a command prints nothing."),
        click.option("--device-timeout", type=_SECONDS, default=300.0, show_default=True, metavar="SECONDS",
                     help="For all of a device."),
        click.option("--retries", type=click.IntRange(0, 5), default=1, show_default=True,
                     help="Further tries when a connection breaks."),
        click.option("--any-name", is_flag=True, help="Do not compare host names with the inventory's."),
    )  # fmt: skip
    for option in reversed(options):
        function = option(function)
    return function


@command(
    ("rocecfg pull -i inventory/ -o captures", "every device of an inventory"),
    ("rocecfg pull -i hosts.csv -o captures --limit role=leaf", "some of them"),
    ("rocecfg pull -i hosts.csv -o captures --accept-new", "first contact: note the host keys"),
    ("rocecfg pull -i netbox -o captures --workers 2 --format json", "for a program"),
    ("rocecfg pull -i hosts.csv -o captures --jump admin@bastion", "over a jump host"),
)
@click.option("--inventory", "-i", required=True, metavar="INVENTORY",
              help="A file, a folder, `netbox`, its address, or - for stdin.")  # fmt: skip
@click.option("--output", "-o", "captures", required=True, type=click.Path(path_type=Path), metavar="CAPTURES",
              help="Folder for the captures: one folder a device.")  # fmt: skip
@live_options
@click.option("--fresh", is_flag=True, help="Read again what a run that broke off has read.")
@output_format("text", "json")
def pull(
    inventory: str, captures: Path, form: str, *, fresh: bool, limit: tuple[str, ...], executor: str, **how: Any
) -> int:
    """Read live devices, read-only, and keep what they say in CAPTURES.

    Only commands of a fixed list are sent. Host keys must be known. Each text is proved whole. Exit 3 when some device
    was not read whole; a run that was killed goes on where it stopped.
    """
    from rocecfg.collect import inventory as inventories
    from rocecfg.collect.pull import pull as read_devices
    from rocecfg.collect.pull import resumable, unread

    targets = inventories.read(inventory, limit)
    options = pull_options(fresh=fresh, **how)
    if resumable(captures) and not fresh:
        note(f"{captures}: the run that broke off goes on; --fresh reads all again")
    with chosen_executor(executor) as where, shown_progress(len(targets)) as step:
        results = read_devices(targets, captures, options, executor=where, on_done=step)
    _write(results, form, targets)
    return EXIT_UNREADABLE if unread(results) else EXIT_CLEAN


def pull_options(
    *, username: str, ask_pass: bool, ask_enable: bool, keyring: bool, key_file: Path | None, known_hosts: Path | None,
    accept_new: bool, ssh_config: Path | None, jump: str, threads: int, workers: int, connect_timeout: float,
    login_timeout: float, silence_timeout: float, device_timeout: float, retries: int, any_name: bool,
    fresh: bool = False,
) -> PullOptions:  # fmt: skip
    """Return the options of a run from those of `live_options`."""
    from rocecfg.collect.credentials import gathered
    from rocecfg.collect.order import Times
    from rocecfg.collect.pull import PullOptions

    if ssh_config is not None and (not ssh_config.exists() or ssh_config.is_dir()):  # /dev/null is a usual one
        raise UsageError(f"{ssh_config}: no such file")
    return PullOptions(
        credentials=gathered(
            username, ask=_asked if ask_pass or ask_enable else None, ask_enable=ask_enable, keyring=keyring
        ),
        known_hosts=known_hosts,
        accept_new=accept_new,
        ssh_config=ssh_config,
        jump=jump,
        key_file=str(key_file or ""),
        threads=threads,
        workers=workers,
        times=Times(connect_timeout, login_timeout, silence_timeout, device_timeout),
        tries=retries + 1,
        any_name=any_name,
        fresh=fresh,
    )


def _asked(what: str) -> str:
    return str(click.prompt(what, hide_input=True, err=True, default="", show_default=False))


@contextmanager
def chosen_executor(url: str) -> Iterator[Any]:
    """Give the executor that `--executor` names, None for threads and processes of this host."""
    if not url:
        yield None
        return
    if not url.startswith("dask://"):
        raise UsageError(f'--executor "{url}" is not known: dask://HOST:PORT')
    from rocecfg.collect.pull import dask_executor

    made = dask_executor(url)
    try:
        yield made
    finally:
        made.shutdown(wait=False)


@contextmanager
def shown_progress(total: int) -> Iterator[Callable[[DeviceResult], None]]:
    """Give a function that shows results as they come: a bar on a terminal, else a line for each, on stderr."""
    import os

    if not sys.stderr.isatty() or os.environ.get("CI"):
        done = 0

        def line(result: DeviceResult) -> None:
            nonlocal done
            done += 1
            note(f"{done}/{total} {_line(result)}")

        yield line
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True, no_color=not coloured(sys.stderr), highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("reading", total=total)

        def step(result: DeviceResult) -> None:
            if result.status != "ok":
                bar.console.print(_line(result), markup=False, soft_wrap=True)
            bar.advance(task)

        yield step


def _line(result: DeviceResult) -> str:
    from rocecfg.report.table import printable

    why = f" {result.rule} {result.reason}" if result.rule else ""
    return printable(f"{result.device}: {result.status} ({result.seconds:.1f} s){why}")


def _write(results: Sequence[DeviceResult], form: str, targets: Sequence[Target]) -> None:
    from rocecfg.collect.findings import as_plain, of_results
    from rocecfg.report import json as json_report
    from rocecfg.report.outcome import Outcome
    from rocecfg.report.table import printable

    read = [result for result in results if result.status == "ok"]
    if form == "json":
        places = {target.name: target.place for target in targets}
        outcome = Outcome(findings=of_results(results), devices=len(read), unreadable=len(results) - len(read))
        plain = json_report.as_plain(outcome)
        devices = as_plain(results)
        for device in devices:
            place = places[device["device"]]
            device["place"] = f"{place.file}:{place.line}" if place is not None else ""
        sys.stdout.write(json.dumps({**plain, "devices": devices}, indent=2) + "\n")
        return
    for result in results:
        if result.rule:
            sys.stdout.write(printable(f"{result.device}: {result.status}: {result.rule} {result.reason}") + "\n")
    left = len(results) - len(read)
    sys.stdout.write(
        f"{len(read)} of {len(results)} devices read" + (f", {left} not read whole" if left else "") + "\n"
    )
