"""What goes to which stream: results to stdout or a file, everything else to stderr."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from rocecfg.cli.options import COLOUR
from rocecfg.errors import RocecfgError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def survive_any_text() -> None:
    """Print what an encoding lacks as an escape instead of failing: device texts hold anything.

    A closed stderr (`2>&-`) swallows what is written to it.
    """
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - lives as long as the process
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def quieten_stdout() -> None:
    """Send what is still buffered nowhere: the reader of the pipe is gone."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())


def coloured(stream: IO[str]) -> bool:
    """Return whether a stream gets colour: `--color`, then NO_COLOR, FORCE_COLOR, then whether it is a terminal."""
    ctx = click.get_current_context(silent=True)
    choice = ctx.meta.get(COLOUR, "auto") if ctx is not None else "auto"
    if choice != "auto":
        return bool(choice == "always")
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def error_line(message: str, mark: str = "rocecfg: ") -> None:
    """Print a message for people on stderr."""
    if mark and coloured(sys.stderr):
        mark = click.style(mark, fg="red", bold=True)
    sys.stderr.write(f"{mark}{message}\n")


def note(message: str) -> None:
    """Print a remark on stderr that is neither result nor error."""
    sys.stderr.write(f"{message}\n")


@contextmanager
def result_stream(output: Path | None) -> Iterator[IO[str]]:
    """Give the stream that the result of a command goes to: stdout, or a file that is put in place when whole.

    Raises UsageError when the file cannot be written, or stdout is closed.
    """
    if output is None or str(output) == "-":
        if sys.stdout is None:
            raise UsageError("standard output is closed: the result has nowhere to go; --output FILE takes it")
        yield sys.stdout
        return
    direct = output.exists() and not output.is_file()  # /dev/stdout, a named pipe: nothing to put in place
    target = output if direct else output.with_name(f".{output.name}.{os.getpid()}.part")
    try:
        with target.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            yield stream
        if not direct:
            target.replace(output)
    except OSError as error:
        raise UsageError(f"{output}: {error.strerror or error}") from error
    finally:
        if not direct:
            with suppress(OSError):
                target.unlink(missing_ok=True)


class Progress:
    """A counter on stderr for long work; silent unless stderr is a terminal and the work is long."""

    def __init__(self, what: str, total: int, least: int = 200) -> None:
        self._what, self._total, self._done = what, total, 0
        self._shown = total >= least and sys.stderr.isatty() and not os.environ.get("CI")
        self._step = max(total // 100, 1)

    def step(self) -> None:
        """Count one more."""
        self._done += 1
        if self._shown and (self._done % self._step == 0 or self._done == self._total):
            end = "\n" if self._done == self._total else "\r"
            sys.stderr.write(f"{self._what} {self._done}/{self._total}{end}")
            sys.stderr.flush()


def or_usage_error(read: Callable[[], Any]) -> Any:
    """Return what `read` returns; a file named by an option that cannot be read is a usage error (exit 2)."""
    try:
        return read()
    except RocecfgError as error:
        raise UsageError(str(error)) from error
