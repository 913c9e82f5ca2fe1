"""Lint, drift and audit of a whole fleet of stored captures: time, memory, size of the report, what is found.

python benchmarks/fleet.py                       # 5,000 switches of 64 ports, four systems; bar: under 60 s each,
                                                 # the audit with report and history 90 s and 5 MB
python benchmarks/fleet.py --devices 500         # a tenth of it, and how the time grows
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BAR_SECONDS, BAR_AUDIT_SECONDS, BAR_REPORT_BYTES = 60, 90, 5_000_000

_INTENT = """\
version: 1
fabric: fleet
classes:
  roce: {{dscp: 26, priority: 3, lossless: true}}
  cnp: {{dscp: 48, priority: 6}}
devices:
  nx[0001-{count:04d}]: {{nos: nxos, role: leaf}}
  so[0001-{count:04d}]: {{nos: sonic, model: DellEMC-Z9664f-O64, role: leaf}}
  cu[0001-{count:04d}]: {{nos: cumulus, role: leaf}}
  ju[0001-{count:04d}]: {{nos: junos, role: leaf}}
links:
  - {{a: "nx[0001-{count:04d}]:Ethernet1/[1-64]", b: "ju[0001-{count:04d}]:et-0/0/[0-63]", speed: 400G,
     cable: 5m fibre}}
  - {{a: "so[0001-{count:04d}]:Ethernet[0-504:8]", b: "cu[0001-{count:04d}]:swp[1-64]", speed: 400G, cable: 5m fibre}}
"""


def run(*words: str) -> tuple[float, float, str]:
    """Run a command of rocecfg; return seconds, peak MiB of its largest process, and what it printed."""
    code = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run([sys.executable, '-m', 'rocecfg', *sys.argv[1:]], stdout=sys.stdout)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, file=sys.stderr)\n"
        "sys.exit(done.returncode)"
    )
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, cwd=ROOT, check=False)
    spent = time.perf_counter() - start
    if done.returncode not in {0, 1}:
        sys.exit(f"rocecfg {' '.join(words)} ended with {done.returncode}: {done.stderr[-2000:]}")
    return spent, float(done.stderr.split()[-1]), done.stdout


def damage(captures: Path) -> set[str]:
    """Take PFC off one port of every tenth Nexus switch; return their names."""
    broken = set()
    for folder in sorted(captures.glob("nx*0")):
        path = folder / "switch.cfg"
        text = path.read_text(encoding="utf-8")
        path.write_text(
            text.replace("  priority-flow-control mode on\n", "  priority-flow-control mode off\n", 1), encoding="utf-8"
        )
        broken.add(folder.name)
    return broken


def main() -> int:
    """Print one line a job; exit 1 when a bar is missed or two processes find something else."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--devices", type=int, default=5000)
    count = parser.parse_args().devices // 4
    share = max(4 * count / 5000, 0.1)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    missed = False
    with tempfile.TemporaryDirectory() as folder:
        intent, captures = Path(folder) / "fleet.roce.yaml", Path(folder) / "captures"
        intent.write_text(_INTENT.format(count=count), encoding="utf-8")
        spent, _, _ = run("render", str(intent), "-o", str(captures))
        print(f"{4 * count} switches, {4 * count * 64} ports rendered in {spent:.1f} s", flush=True)
        found = []
        for job, words in (
            ("lint, 1 process", ("lint", str(captures), "--jobs", "1", "--format", "json")),
            ("lint, 2 processes", ("lint", str(captures), "--jobs", "2", "--format", "json")),
            ("lint with the intent", ("lint", str(captures), "--intent", str(intent), "--format", "json")),
            ("drift", ("drift", str(intent), str(captures), "--format", "json")),
        ):
            spent, peak, text = run(*words)
            late = spent > BAR_SECONDS * share
            missed |= late
            found.append(json.loads(text)["findings"])
            print(f"{job:24} {spent:6.1f} s {peak:7.0f} MiB{'  MISSED' if late else ''}", flush=True)
        broken = damage(captures)
        report, database = Path(folder) / "audit.html", Path(folder) / "history.db"
        spent, peak, text = run(
            *("audit", str(intent), "--captures", str(captures), "--report", str(report)),
            *("--db", f"sqlite:///{database}", "--format", "json"),
        )
        drifted = {item["device"] for item in json.loads(text)["findings"] if item["rule"] == "DRIFT-001"}
        size = report.stat().st_size
        late = spent > BAR_AUDIT_SECONDS * share or size > BAR_REPORT_BYTES or drifted != broken
        missed |= late
        print(f"{'audit, report, history':24} {spent:6.1f} s {peak:7.0f} MiB{'  MISSED' if late else ''}", flush=True)
        print(
            f"{len(drifted & broken)} of {len(broken)} damaged switches drift, {len(drifted - broken)} others; "
            f"report {size / 1e6:.1f} MB"
        )
        same = found[0] == found[1]
        print("one and two processes find the same" if same else "one and two processes DIFFER")
    return int(missed or not same)


if __name__ == "__main__":
    sys.exit(main())
