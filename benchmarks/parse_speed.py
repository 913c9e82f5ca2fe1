"""How long a text of 64 ports takes to parse, warm, for each system: `python benchmarks/parse_speed.py [system...]`.

The text is what we render for 64 ports; a number is the median of the runs, and the ratio to the same of `nxos`. The
memories that tell equal lines apart are warm, as in an audit of many switches.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

device_texts = load_module(Path(__file__).with_name("device_texts.py"))
BESIDE = "nxos"
PORTS = 64
RUNS = 15


@dataclass(frozen=True)
class Speed:
    """Lines of a text, and the median milliseconds that reading it takes."""

    lines: int
    milliseconds: float


def speeds(system: str, ports: int = PORTS, runs: int = RUNS) -> dict[str, Speed]:
    """Return how fast each file that we render for a system is read; files that are no device text are left out."""
    found = {}
    for item in device_texts.rendered(system, ports):
        capture = Capture("box", system, (Text(item.name, item.text, item.command),), source="applied", file="box")
        with suppress(ReadError):
            found[item.name] = Speed(item.text.count("\n"), _median(capture, runs))
    return found


def _median(capture: Capture, runs: int) -> float:
    parse(capture)
    parse(capture)
    took = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(runs):
            began = time.process_time()
            parse(capture)
            took.append(time.process_time() - began)
    finally:
        gc.enable()
    return statistics.median(took) * 1000


def main() -> int:
    """Print a table of all systems, or of those named."""
    wanted = sys.argv[1:] or [name for name in registry.names() if registry.get(name).manifest.render]
    (beside,) = speeds(BESIDE).values()
    print(f"{'system':<12} {'file':<20} {'lines':>6} {'ms':>7} {'of ' + BESIDE:>8}   {PORTS} ports, warm")
    for system in wanted:
        for name, found in speeds(system).items():
            ratio = found.milliseconds / beside.milliseconds
            print(f"{system:<12} {name:<20} {found.lines:>6} {found.milliseconds:>7.2f} {ratio:>7.1f}x")
    return 0


if __name__ == "__main__":
    sys.exit(main())
