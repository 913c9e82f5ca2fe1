"""Where the tests find the checkout and, when it lies beside it, the shared reference data."""

from __future__ import annotations

import gc
import signal
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with corpus and oracles; the test is skipped where it is absent."""
    if not (SHARED / "corpus").is_dir():
        pytest.skip("the shared reference data is not beside this checkout")
    return SHARED


def pytest_sessionstart() -> None:
    """Collect no garbage while test modules are compiled.

    CPython before 3.11.8 (gh-106905) ends in `SystemError: AST constructor recursion depth mismatch` when a finalizer
    imports a module in the middle of it; it is faster, too.
    """
    # A shell that runs the tests in the background ignores SIGINT, and programs started by a test would inherit that.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.disable()


def pytest_collection_finish() -> None:
    gc.enable()
