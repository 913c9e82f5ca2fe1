"""Output of nccl-tests (`all_reduce_perf`): the table of sizes, algorithm and bus bandwidth.

Format: NVIDIA/nccl-tests src/common.cu and doc/PERFORMANCE.md. GB/s are 1e9 bytes a second. busbw compares with the
hardware whatever the number of ranks; the line of the largest size, out of place, is judged.
"""

from __future__ import annotations

import math
import re

from rocecfg.acceptance.reading import FlowBroke, NoJudgement, Reading

_ERROR = re.compile(r"(?im)^.*(?:NCCL failure|NCCL WARN .*(?:error|fail)|Test failure|unhandled system error).*$")
_BROKE = re.compile(r"(?im)^.*(?:vendor err 129|status=12\b|IBV_WC_RETRY_EXC_ERR).*$")


def read(text: str) -> Reading:
    """Return the bus bandwidth of the largest size, in Gb/s."""
    if not text.strip():
        raise NoJudgement("the output is empty: the tool did not run, or was ended before it said anything")
    if broke := _BROKE.search(text):
        raise FlowBroke(broke[0].strip()[:200])
    if failed := _ERROR.search(text):
        raise NoJudgement(failed[0].strip()[:200])
    rows, units = [], ""
    columns: list[str] = []
    for line in text.splitlines():
        words = line.split()
        if line.startswith("#"):
            columns = words[1:] if "busbw" in words else columns
            units = line if "(GB/s)" in line else units
        elif words and words[0].isascii() and words[0].isdecimal():
            rows.append(words)
    if not rows:
        raise NoJudgement("no line of results: the run ended before it measured")
    if not units or "busbw" not in columns:
        raise NoJudgement("no header with busbw in GB/s: the output is cut, or not of nccl-tests")
    if "Out of bounds values" not in text:
        raise NoJudgement("the closing lines are missing: the run broke off")
    at = columns.index("busbw")
    last = max(rows, key=lambda words: int(words[0][:15]))
    try:
        busbw = float(last[at])
        wrong = last[at + 1]
    except (ValueError, IndexError) as error:
        raise NoJudgement("the line of the largest size is cut short") from error
    if not math.isfinite(busbw) or busbw <= 0:
        raise NoJudgement(f"the bus bandwidth is {last[at][:20]}: nothing was measured")
    return Reading(gbps=busbw * 8, size=int(last[0][:15]), wrong=int(float(wrong)) if wrong[:1].isdecimal() else 0)
