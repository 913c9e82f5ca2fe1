"""A link corrupts frames.

## What it finds

Between two captures, frames with a wrong checksum (FCS, CRC), or code words that forward error correction could not
repair.

## Why it matters

PFC and headroom protect against full buffers, not against bad light. Each corrupted frame is a lost one, and RDMA sends
everything again from there.

## What to do

Clean or replace cable and optics at the port that counts; look at both ends' FEC mode (PEER-004).

- nxos: `show interface IF transceiver details`
- sonic: `show interfaces counters fec-stats`, `show interfaces transceiver eeprom --dom IF`
- junos: `show interfaces diagnostics optics IF`
- mlx5: `ethtool -S IF | grep crc_errors_phy`, `ethtool -I --show-fec IF`

## When to ignore

Errors of the moment when a cable was plugged in; take two captures afterwards. A cut-through switch passes corrupted
frames on: the first hop that counts is the bad link.

## References

- Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.1
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import CounterPair, Given, Hit, Option, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "OPS-009", "fec-or-crc-errors", Severity.WARNING, "safe", "0.1"
OPTIONS = {"least": Option(1, "errors between the captures from which on they count")}
BAD = """
devices:
  - {name: leaf1, sample: {taken: "2026-01-01T00:00:00Z", ports: {Ethernet0: {fcs_errors: 2}}}}
  - {name: leaf1, sample: {taken: "2026-01-01T00:01:00Z", ports: {Ethernet0: {fcs_errors: 12}}}}
"""
GOOD = BAD.replace("12}", "2}")

_COUNTED = (("fcs_errors", "frames with a wrong checksum"), ("fec_uncorrectable", "code words beyond repair by FEC"))


def check(pair: CounterPair, given: Given) -> Iterator[Hit | Unknown]:
    growths = [(counter, words, pair.growth(counter)) for counter, words in _COUNTED]
    if not any(growth.offered for _, _, growth in growths):
        yield Unknown("checksum and FEC errors")
    for counter, words, growth in growths:
        if growth.cleared:
            yield Unknown(f"{words}: cleared between the captures")
        found = {
            port: count for port, count in growth.by_number().get(None, {}).items() if count >= given.options.least
        }
        if found:
            yield Hit(
                f"{words}: {pair.tell(found)}",
                "clean or replace cable and optics, compare the FEC mode of both ends",
                object="FCS" if counter == "fcs_errors" else "FEC",
                ports=tuple(found),
                place=pair.where(found, counter),
            )
