"""Lint and drift of a whole fleet of stored captures: time, peak memory, and that two processes find what one finds.

python benchmarks/fleet.py                       # 5,000 switches of 64 ports, four systems; bar: under 60 s each
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
BAR_SECONDS = 60

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


def main() -> int:
    """Print one line a job; exit 1 when a bar is missed or two processes find something else."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--devices", type=int, default=5000)
    count = parser.parse_args().devices // 4
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
            late = spent > BAR_SECONDS * 4 * count / 5000
            missed |= late
            found.append(json.loads(text)["findings"])
            print(f"{job:24} {spent:6.1f} s {peak:7.0f} MiB{'  MISSED' if late else ''}", flush=True)
        same = found[0] == found[1]
        print("one and two processes find the same" if same else "one and two processes DIFFER")
    return int(missed or not same)


if __name__ == "__main__":
    sys.exit(main())
