"""The command line: one module a command, imported only when that command is called."""

from __future__ import annotations

import sys
from typing import NoReturn

from rocecfg.errors import EXIT_INTERRUPTED


def main() -> NoReturn:
    """Run `rocecfg` with the arguments of this process and exit with its code."""
    try:
        from rocecfg.cli.group import rocecfg

        rocecfg.main(prog_name="rocecfg")
    except KeyboardInterrupt:  # before the group runs or after it ended
        sys.exit(EXIT_INTERRUPTED)
    raise AssertionError("unreachable: the group exits by itself")
