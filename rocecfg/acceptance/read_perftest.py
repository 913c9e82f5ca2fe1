"""Output of perftest (`ib_write_bw`, `ib_write_lat`, ...): text tables and `--out_json`.

Formats: linux-rdma/perftest, src/perftest_parameters.h (RESULT_FMT..., REPORT_FMT...), write_bw.c, and the JSON of
release 6.29; outputs of 4.5 and 25.01 over soft RoCE. Headers, not columns, tell the unit: `[Gb/sec]` with
--report_gbits, else `[MiB/sec]`, which releases before it called `[MB/sec]` and meant 2^20 bytes too. JSON has no unit
at all, and that of 4.5 is none: its names have no quotes. So the unit is always proven by arithmetic: message rate x
message size is the bandwidth, in one unit only.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from rocecfg.acceptance.reading import FlowBroke, NoJudgement, Reading
from rocecfg.state.numbers import whole_number

MIB, MB = 1024 * 1024 * 8 / 1e9, 8e6 / 1e9
"""Gigabits of a MiB and of a MB."""
_BREAKS = re.compile(r"(?im)^.*(?:Failed status (?:12|13|10|5)\b|transport retry counter exceeded).*$")
_ERRORS = re.compile(
    r"(?im)^\s*(?:.*\b(?:Couldn't connect|Unable to (?:connect|init|open|create|find|read|write|exchange|perform)|"
    r"Failed to|Connection (?:refused|timed out)|Segmentation fault|command not found|No such file|timed out)\b.*|"
    r"Error: BW result is below.*)$"
)
_HEADER = re.compile(r"^\s*#bytes\s")
_UNIT = re.compile(r"BW average\[([A-Za-z]+)/sec\]")
_WARNING = re.compile(r"(?im)^\s*(?:warning(?!: BW peak won't be measured)|conflicting cpu frequency).*$")
_TABLE = re.compile(r"(?m)^(?:[-* \t]*|\* Waiting for client.*|Requested mtu is higher.*|\s+[\w*. -]{2,20}?\s*: .*)$")
"""Lines that say nothing of a failure: rules, the banner of the server, the parameters."""
_BARE = re.compile(r"^([A-Za-z_][\w.]*) *: *(?:([-+]?[0-9.eE+-]+)|\"?([^\"]*?)\"?),?$")
"""A pair of the JSON of release 4.5, which quotes neither names nor words."""
LARGEST_MESSAGE = 1 << 34
_FIELD = re.compile(r"(?m)^\s*(Mtu|Number of qps|Link type|GID index)\s*:\s*(\S+)")


def read(text: str, *, is_json: bool, message: int = 0) -> Reading:
    """Return what a perftest output says; `message` is the size that is judged, 0 = the largest."""
    if not text.strip():
        raise NoJudgement("the output is empty: the tool did not run, or was ended before it said anything")
    return _of_json(text) if is_json else _of_text(text, message)


def complain(said: str, why: str) -> None:
    """Raise what an error stream says: that the flow broke, or why there is nothing to judge."""
    if broke := _BREAKS.search(said):
        raise FlowBroke(broke[0].strip()[:200])
    if error := _ERRORS.search(said):
        raise NoJudgement(f"{why}; it said: {error[0].strip()[:160]}")


def _of_json(text: str) -> Reading:
    data: Any
    if text.lstrip("{ \t\r\n").startswith("test_info:"):
        data = _bare(text)
    else:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise NoJudgement(f"truncated or invalid JSON ({str(error)[:80]}); use no --output") from error
    results = data.get("results") if isinstance(data, dict) else None
    if not isinstance(results, dict):
        raise NoJudgement("JSON without `results`: the run ended before it measured")
    about = data.get("test_info")
    mtu = _number(about, "Mtu") if isinstance(about, dict) else None
    size = int(_number(results, "MsgSize") or 0)
    messages = int(_number(results, "n_iterations") or 0)
    if "t_avg" in results or "t_typical" in results:
        typical = _number(results, "t_typical")
        typical = typical if typical is not None else _number(results, "t_avg")
        p99 = next((_number(results, name) for name in results if name.startswith("percentile_99")), None)
        return _latency(size, messages, typical, p99, int(mtu) if mtu else None)
    average, rate = _number(results, "BW_average"), _number(results, "MsgRate")
    gbps = _proven(average, rate, size, None)
    return Reading(gbps=gbps, size=size, messages=messages, mtu=int(mtu) if mtu else None)


def _bare(text: str) -> dict[str, dict[str, Any]]:
    """Return the tables of a JSON of release 4.5: one pair a line, `test_info` and `results` in braces of their own."""
    tables: dict[str, dict[str, Any]] = {}
    inner: dict[str, Any] | None = None
    depth = 0
    for line in text.split("\n"):
        words = line.strip()
        if words.endswith("{"):
            depth += 1
            inner = tables.setdefault(words.rstrip("{").rstrip(": "), {}) if depth == 2 else None
        elif words in {"}", "},"}:
            depth -= 1
        elif (pair := _BARE.match(words)) and inner is not None and pair[1] not in inner:
            try:
                inner[pair[1]] = pair[3] if pair[2] is None else float(pair[2])
            except ValueError as error:
                raise NoJudgement(f"{pair[1]} is no number: {pair[2][:40]}") from error
        elif words:
            raise NoJudgement(f'"{words[:60]}" is no line of the JSON of perftest 4.5, or stands twice')
    if depth != 0:
        raise NoJudgement("truncated JSON: its last brace is missing")
    # latency tests of 4.5 do not close `test_info` before the results
    about = tables.get("test_info", {})
    return tables if "results" in tables else {"test_info": about, "results": about if "n_iterations" in about else {}}


def _number(table: dict[str, Any], name: str) -> float | None:
    value = table.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value > 1e18:
        raise NoJudgement(f"{name} is no number: {str(value)[:40]}")
    return float(value)


def _of_text(text: str, message: int) -> Reading:
    if broke := _BREAKS.search(text):
        raise FlowBroke(broke[0].strip()[:200])
    about = dict(_FIELD.findall(text))
    lines: list[tuple[str, list[str]]] = []
    header = ""
    for line in text.splitlines():
        if _HEADER.match(line):
            header = line
        elif header and (words := line.split()) and words[0].isascii() and words[0].isdecimal():
            lines.append((header, words))
    if not lines:
        raise NoJudgement(f"no line of results: {_why(text)}")
    if odd := next((words[0] for _, words in lines if len(words[0]) > 11 or int(words[0]) > LARGEST_MESSAGE), ""):
        raise NoJudgement(f"a message of {odd[:24]} bytes: the other end did not agree on the test")
    if text.rsplit("\n", maxsplit=1)[-1].split() == lines[-1][1]:
        raise NoJudgement("the output ends within the line of results: it is cut short")
    sizes = {int(words[0]) for _, words in lines}
    if max(sizes) < message:
        raise NoJudgement(f"messages of {message} bytes are planned, the largest here has {max(sizes)}: cut short?")
    wanted = message if message in sizes else max(sizes)
    chosen = [(head, words) for head, words in lines if int(words[0]) == wanted]
    mtu = about.get("Mtu", "").partition("[")[0]
    known_mtu = whole_number(mtu, 99_999)
    remarks = tuple(sorted({found.strip()[:120] for found in _WARNING.findall(text)}))
    readings = [_row(head, words, known_mtu) for head, words in chosen]
    if len({reading.gbps is None for reading in readings}) > 1:
        raise NoJudgement("results of a bandwidth and of a latency test stand in one file")
    worst = min(readings, key=lambda reading: (reading.gbps or 0, -(reading.typical_us or 0)))
    return Reading(
        gbps=worst.gbps,
        size=worst.size,
        messages=sum(reading.messages for reading in readings),
        typical_us=worst.typical_us,
        p99_us=worst.p99_us,
        mtu=known_mtu,
        remarks=remarks + ((f"{len(readings)} results in one file: the worst is judged",) if len(readings) > 1 else ()),
    )


def _why(text: str) -> str:
    """Return what the tool said of its end: its error, or its last words that are no part of a table."""
    if error := _ERRORS.search(text):
        return error[0].strip()[:160]
    said = [line.strip() for line in text.splitlines() if not _TABLE.match(line) and not _HEADER.match(line)]
    titles = [line for line in said if not line.endswith(" Test")]
    return f"the run ended before it measured{', and said: ' + titles[0][:160] if titles else ''}"


def _row(header: str, words: list[str], mtu: int | None) -> Reading:
    values = []
    for word in words:
        try:
            value = float(word) if len(word) < 32 else math.nan
        except ValueError as error:
            raise NoJudgement(f'"{word[:40]}" stands where a number belongs') from error
        if not math.isfinite(value) or value < 0:
            raise NoJudgement(f"the result is {word[:40]}: no number")
        values.append(value)
    size = int(values[0])
    if "t_avg[usec]" in header:
        timed = "t_typical" not in header
        if len(values) < (4 if timed else 6):
            raise NoJudgement("the line of results is cut short")
        p99 = values[7] if not timed and len(values) > 7 else None
        return _latency(size, int(values[1]), values[2] if timed else values[4], p99, mtu)
    unit = _UNIT.search(header)
    if unit is None:
        raise NoJudgement(f"no unit of bandwidth in the header: {header.strip()[:80]}")
    at = 1 if "#sl" in header else 0
    if len(values) < 5 + at:
        raise NoJudgement("the line of results is cut short")
    gbps = _proven(values[3 + at], values[4 + at], size, unit[1])
    return Reading(gbps=gbps, size=size, messages=int(values[1 + at]), mtu=mtu)


def _latency(size: int, messages: int, typical: float | None, p99: float | None, mtu: int | None) -> Reading:
    if not typical:
        raise NoJudgement("no latency was measured (0 or absent)")
    if p99 is not None and p99 < typical:
        raise NoJudgement(
            f"99 % of the messages took less than {p99:g} us, the typical one {typical:g}: cut short, or mixed up"
        )
    return Reading(size=size, messages=messages, typical_us=typical, p99_us=p99, mtu=mtu)


def _proven(average: float | None, rate: float | None, size: int, unit: str | None) -> float:
    """Return Gb/s: the figure in the unit that message rate x size confirms."""
    if average is None:
        raise NoJudgement("no BW_average: the run ended before it measured")
    factors = {"Gb": 1.0, "MiB": MIB, "MB": MIB}
    if unit is not None and unit not in factors:
        raise NoJudgement(f"unknown unit {unit}/sec")
    if average <= 0:
        raise NoJudgement("the bandwidth is 0: nothing was measured")
    by_rate = (rate or 0) * size * 8 / 1e3
    if not by_rate:
        if unit is None:
            raise NoJudgement("no unit: JSON of perftest has none, and without a message rate it cannot be worked out")
        return average * factors[unit]
    rounded = 6e-7 * size * 8 / 1e3  # the message rate has six decimals: few messages of a GiB leave one digit
    fitting = [
        factor
        for factor in ((1.0, MIB, MB) if unit is None else (factors[unit], MB) if unit == "MB" else (factors[unit],))
        if math.isclose(average * factor, by_rate, rel_tol=0.02, abs_tol=max(0.02, rounded))
    ]
    if not fitting:
        said = f"{unit}/sec" if unit else "any unit"
        raise NoJudgement(f"{average:g} in {said} is not message rate x size = {by_rate:.2f} Gb/s: mixed units or QPs")
    return average * fitting[0]
