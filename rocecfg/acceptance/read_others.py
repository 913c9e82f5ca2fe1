"""Output of ping (iputils) and iperf3 (text and `--json`)."""

from __future__ import annotations

import json
import math
import re

from rocecfg.acceptance.reading import NoJudgement, Reading

_PING = re.compile(r"(\d{1,9}) packets transmitted, (\d{1,9}) (?:packets )?received")
_TOO_LONG = re.compile(r"(?i)message too long|frag needed|packet too big|mtu=\d+")
_IPERF = re.compile(r"(?m)^\[\s*(SUM|\d+)\].*?\s([\d.]{1,20}) ([KMGT]?)bits/sec.*receiver\s*$")
_SCALE = {"": 1e-9, "K": 1e-6, "M": 1e-3, "G": 1.0, "T": 1e3}


def read_ping(text: str) -> Reading:
    """Return the share of packets lost."""
    found = _PING.search(text)
    too_long = _TOO_LONG.search(text)
    if found is None and too_long is None:
        raise NoJudgement("no summary of ping: it did not run, or was ended")
    if found is None:
        return Reading(lost=1.0, remarks=(too_long[0] if too_long else "",))
    sent, came = int(found[1]), int(found[2])
    if not sent or came > sent:
        raise NoJudgement(f"{sent} packets sent, {came} received: nothing certain")
    return Reading(lost=1 - came / sent, remarks=(too_long[0],) if too_long else ())


def read_iperf3(text: str) -> Reading:
    """Return what the receiver got, in Gb/s."""
    if not text.strip():
        raise NoJudgement("the output is empty: iperf3 did not run, or was ended before it said anything")
    if text.lstrip().startswith("{"):
        try:
            data = json.loads(text)
            if isinstance(data.get("error"), str):
                raise NoJudgement(f"iperf3 ended with: {data['error'][:160]}")
            bits = data["end"]["sum_received"]["bits_per_second"]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise NoJudgement("truncated JSON of iperf3, or a run that ended before it measured") from error
        gbps = bits / 1e9 if isinstance(bits, int | float) and not isinstance(bits, bool) else math.nan
    else:
        rows = _IPERF.findall(text)
        if not rows:
            raise NoJudgement("no line of the receiver: iperf3 ended before it measured")
        sums = [row for row in rows if row[0] == "SUM"] or rows
        try:
            gbps = sum(float(value) * _SCALE[unit] for _, value, unit in sums)
        except ValueError as error:
            raise NoJudgement("the line of the receiver has no number") from error
    if not math.isfinite(gbps) or gbps < 0:
        raise NoJudgement("the bandwidth is no number")
    return Reading(gbps=gbps)
