"""Writes the support matrix into both READMEs: `python benchmarks/readme_matrix.py`; a test keeps it current."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
START, END = "<!-- vendors -->", "<!-- /vendors -->"
READMES = ("README.md", "README.zh-CN.md")


def with_matrix(text: str, matrix: str) -> str:
    """Return a README with the matrix between its two marks."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n{matrix.strip()}\n{END}{after}"


def matrix() -> str:
    """Return the matrix as Markdown."""
    command = [sys.executable, "-m", "rocecfg", "vendors", "--format", "markdown"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def main() -> None:
    """Rewrite the READMEs."""
    for name in READMES:
        path = ROOT / name
        path.write_text(with_matrix(path.read_text(encoding="utf-8"), matrix()), encoding="utf-8")


if __name__ == "__main__":
    main()
