"""The command line: one module a command, imported only when that command is called."""

from __future__ import annotations

from typing import NoReturn


def main() -> NoReturn:
    """Run `rocecfg` with the arguments of this process and exit with its code."""
    from rocecfg.cli.group import rocecfg

    rocecfg.main(prog_name="rocecfg")
    raise AssertionError("unreachable: the group exits by itself")
