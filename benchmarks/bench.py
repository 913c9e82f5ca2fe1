"""Speed against what a user would pick instead, side by side in one run: `make bench`.

Only ratios are judged; the machine's own speed cancels out. A rival that is not installed is skipped and said so
(`pip install hier-config pyavd ansible-lint` brings the optional ones).
"""

from __future__ import annotations

import gc
import importlib.util
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from switch_text import switch_text, walk

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent
INTENT = next((ROOT / "examples").rglob("minimal.roce.yaml"))


class Row:
    """One line of the table: a job, ours over theirs, and the bar it must meet."""

    def __init__(self, job: str, rival: str, ratio: float | None, bar: float, note: str = "") -> None:
        self.job, self.rival, self.ratio, self.bar, self.note = job, rival, ratio, bar, note

    def __str__(self) -> str:
        if self.ratio is None:
            return f"{self.job:52} {self.rival:28} {'skipped':>8} <= {self.bar:<6.3g} {self.note}"
        verdict = "ok" if self.ratio <= self.bar else "MISSED"
        return f"{self.job:52} {self.rival:28} {self.ratio:8.3f} <= {self.bar:<6.3g} {verdict} {self.note}"


def seconds(function: Callable[[], object], rounds: int = 7, repeat: int = 1) -> float:
    """Return the best time of a function over some rounds."""
    best = float("inf")
    for _ in range(rounds):
        gc.collect()
        start = time.perf_counter()
        for _ in range(repeat):
            function()
        best = min(best, (time.perf_counter() - start) / repeat)
    return best


def paired(ours: list[str], theirs: list[str], rounds: int = 15) -> float:
    """Return the median ratio of whole processes, run in turn."""
    ratios = []
    for number in range(rounds + 1):
        pair = []
        for command in (ours, theirs):
            start = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            pair.append(time.perf_counter() - start)
        if number:
            ratios.append(pair[0] / pair[1])
    return statistics.median(ratios)


def tool(name: str) -> str | None:
    """Return the path of a tool beside this interpreter or on the PATH."""
    beside = Path(sys.executable).with_name(name)
    return str(beside) if beside.exists() else shutil.which(name)


def start_up() -> list[Row]:
    yamllint, ansible_lint = tool("yamllint"), tool("ansible-lint")
    ours = [sys.executable, "-m", "rocecfg"]
    rows = []
    for words, bar in ((["--help"], 1.5), (["--version"], 1.5)):
        ratio = paired([*ours, *words], [yamllint, "--help"]) if yamllint else None
        rows.append(Row(f"rocecfg {words[0]}", "yamllint --help", ratio, bar))
    lint = [*ours, "lint", str(INTENT)]
    rows.append(
        Row(
            "rocecfg lint one.roce.yaml",
            "yamllint one.yaml",
            paired(lint, [yamllint, str(INTENT)]) if yamllint else None,
            2.5,
        )
    )
    ratio = None
    if ansible_lint:
        with tempfile.TemporaryDirectory() as folder:
            playbook = Path(folder) / "playbook.yml"
            playbook.write_text(_PLAYBOOK, encoding="utf-8")
            ratio = paired(lint, [ansible_lint, "--offline", str(playbook)], 3)
    rows.append(Row("rocecfg lint one.roce.yaml", "ansible-lint --offline", ratio, 0.1))
    return rows


_PLAYBOOK = """\
---
- name: Check
  hosts: all
  tasks:
    - name: Ping
      ansible.builtin.ping:
"""


def parsing() -> list[Row]:
    from rocecfg.state.capture import Capture, Text
    from rocecfg.state.parse import parse

    text = switch_text()
    device = parse(Capture("leaf-001", "nxos", (Text("leaf-001.cfg", text),)))
    assert len(device.ports) == 64
    assert not device.lines
    ours = seconds(lambda: parse(Capture("leaf-001", "nxos", (Text("leaf-001.cfg", text),))), 15, 3)
    walker = seconds(lambda: walk(text), 15, 3)
    half = switch_text(32, 1000)
    rows = [
        Row(
            "parse 64 ports, 2,000 lines, warm", "hand-written line walker", ours / walker, 8, f"({ours * 1000:.2f} ms)"
        ),
        Row(
            "parse twice the ports",
            "parse once the ports",
            ours / seconds(lambda: parse(Capture("x", "nxos", (Text("x", half),))), 15, 3),
            2.2,
        ),
    ]
    ratio = None
    if importlib.util.find_spec("hier_config"):
        from hier_config import Platform, get_hconfig

        ratio = ours / seconds(lambda: get_hconfig(Platform.CISCO_NXOS, text), 3)
    rows.append(Row("parse 64 ports, 2,000 lines, warm", "hier_config load", ratio, 0.1))
    return rows


_PLAN = """\
version: 1
fabric: bench
classes:
  roce: {dscp: 26, priority: 3, lossless: true}
  cnp: {dscp: 48, priority: 6}
devices:
  leaf1: {nos: nxos, role: leaf}
  leaf2: {nos: nxos, role: leaf}
links:
  - {a: "leaf1:Ethernet1/[1-64]", b: "leaf2:Ethernet1/[1-64]", speed: 400G, cable: 5m dac}
"""


def rendering() -> list[Row]:
    from rocecfg.intent.expand import expand
    from rocecfg.intent.load import parse_intent
    from rocecfg.plan.resolve import plan
    from rocecfg.render.engine import render

    fabric = expand(parse_intent(_PLAN))
    length = render(plan(fabric).devices["leaf1"].fitted)[0].content.count("\n")

    def ours() -> None:
        for device in plan(fabric).devices.values():
            render(device.fitted)

    each = seconds(ours) / 2
    ratio = None
    if importlib.util.find_spec("pyavd"):
        from pyavd import get_device_config

        structured = _avd_device(length)
        get_device_config(structured)
        ratio = each / seconds(lambda: get_device_config(structured), 3)
    return [
        Row(
            "plan + render a 64-port switch, warm",
            "pyavd get_device_config",
            ratio,
            0.05,
            f"({each * 1000:.2f} ms, {length} lines)",
        )
    ]


def _avd_device(lines: int) -> dict[str, object]:
    """Return a structured EOS device whose configuration has about as many lines: ports of 7 lines each."""
    return {
        "hostname": "leaf1",
        "ethernet_interfaces": [
            {
                "name": f"Ethernet{port}",
                "description": f"to-host-{port}",
                "mtu": 9214,
                "switchport": {"enabled": False},
                "ip_address": f"10.0.{port // 250}.{port % 250}/31",
                "priority_flow_control": {"enabled": True, "priorities": [{"priority": 3, "no_drop": True}]},
            }
            for port in range(1, max(lines // 7, 64) + 1)
        ],
    }


def loading() -> list[Row]:
    """1,000 switches of 64 links each, one line a link, in processes of their own: time and peak memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "big.roce.yaml"
        path.write_text(_big_intent(), encoding="utf-8")
        ours = "from rocecfg.intent.load import load_intent; x = lambda: load_intent(sys.argv[1])"
        theirs = "import yaml; x = lambda: yaml.load(open(sys.argv[1], 'rb'), Loader=yaml.CSafeLoader)"
        measured = {
            name: [_process(code, path) for _ in range(3)] for name, code in (("ours", ours), ("theirs", theirs))
        }
    best = {name: min(seconds for seconds, _ in runs) for name, runs in measured.items()}
    peak = max(memory for _, memory in measured["ours"])
    return [
        Row(
            "load + validate 1,000 x 64 links",
            "PyYAML CSafeLoader alone",
            best["ours"] / best["theirs"],
            0.4,
            f"({best['ours']:.2f} s)",
        ),
        Row("the same, peak memory", "350 MiB", peak / 350, 1, f"({peak:.0f} MiB)"),
    ]


def _process(code: str, path: Path) -> tuple[float, float]:
    script = (
        f"import resource, sys, time\n{code}\nt = time.perf_counter(); x()\n"
        "print(time.perf_counter() - t, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True)
    spent, memory = done.stdout.split()
    return float(spent), float(memory)


def _big_intent() -> str:
    lines = ["version: 1", "fabric: big", "classes:", "  roce: {dscp: 26, priority: 3, lossless: true}", "devices:"]
    for number in range(1000):
        lines += [f"  leaf{number:04d}:", "    nos: nxos", "    role: leaf"]
    lines += ["  gpu[00000-64000]: {nic: mlx5, role: host}", "links:"]
    for number in range(64_000):
        lines += [
            f'  - a: "leaf{number // 64:04d}:Ethernet1/{number % 64 + 1}"',
            f'    b: "gpu{number:05d}:rail0"',
            "    speed: 400G",
            "    cable: 5m dac",
        ]
    return "\n".join(lines) + "\n"


def deadlock() -> list[Row]:
    """The search for deadlock rings, single failures included, in a process of its own: time, memory, imports."""
    script = str(ROOT / "benchmarks" / "clos.py")

    def measured(*arguments: str) -> tuple[float, float, str, str]:
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))}
        done = subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True, check=True, env=env)
        spent, peak, found, graphs = done.stdout.split()
        return float(spent), float(peak), found, graphs

    big = min((measured("90") for _ in range(3)), key=lambda run: run[0])
    assert big[2:] == ("False", "-"), big
    rows = [
        Row("deadlock search, 10,125-switch Clos", "3 s", big[0] / 3, 1, f"({big[0]:.2f} s)"),
        Row("the same, peak memory", "300 MiB", big[1] / 300, 1, f"({big[1]:.0f} MiB)"),
    ]
    ratio = None
    if importlib.util.find_spec("networkx"):
        ours, theirs = (min(measured("28", name)[0] for _ in range(3)) for name in ("search", "networkx"))
        ratio = ours / theirs
    rows.append(Row("deadlock search, 980-switch Clos", "networkx, full graph", ratio, 0.1))
    return rows


def main() -> int:
    """Print the table; exit 1 when a bar is missed."""
    os.chdir(ROOT)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode; so must we
    print(f"{'job':52} {'against':28} {'ratio':>8}    bar")
    rows = []
    for part in (start_up, parsing, rendering, loading, deadlock):
        for row in part():
            print(row, flush=True)
            rows.append(row)
    return int(any(row.ratio is not None and row.ratio > row.bar for row in rows))


if __name__ == "__main__":
    sys.exit(main())
