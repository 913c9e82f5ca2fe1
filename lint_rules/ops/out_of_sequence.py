"""RDMA packets went missing or came out of order although the class is lossless.

## What it finds

Between two captures of a host with a lossless priority: sequence errors (the far end asked for a packet again),
acknowledgements that never came, or packets out of order while the NIC is known not to reorder.

## Why it matters

On a lossless path none of these happens. Each one sends everything again from the missing packet on, and a timeout
stands still for its whole time first.

## What to do

Find the hop that drops (OPS-001, OPS-009), or the marking that leaves the lossless class (OPS-006).

- mlx5: `rdma -j statistic show link`, `ethtool -S IF | grep discards`

## When to ignore

With adaptive routing packets come out of order by design; sequence errors and timeouts still count.

## References

- Linux kernel, mlx5 counters: out_of_sequence, packet_seq_err, local_ack_timeout_err
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import CounterPair, Given, Hit, Severity, Unknown, lossless_here

ID, NAME, SEVERITY, PROFILE, SINCE = "OPS-008", "out-of-sequence", Severity.WARNING, "safe", "0.1"
DEVICES = "host"
BAD = """
devices:
  - {name: gpu01, kind: host, sample: {rdma: {mlx5_0: {out_of_sequence: 5, sequence_errors: 0, ack_timeouts: 0}}}}
  - name: gpu01
    kind: host
    sample: {rdma: {mlx5_0: {out_of_sequence: 305, sequence_errors: 42, ack_timeouts: 0}}}
    ports:
      rail0: {nic: {rdma_device: mlx5_0}, qos: {pfc: {admin: "on", tx: [3], rx: [3]}}}
"""
GOOD = BAD.replace("305", "5").replace("42", "0")

_COUNTED = (
    ("sequence_errors", "sequence errors"),
    ("ack_timeouts", "acknowledgement timeouts"),
    ("out_of_sequence", "packets out of order"),
)


def check(pair: CounterPair, given: Given) -> Iterator[Hit | Unknown]:
    if not pair.later.rdma:
        return
    grown = {}
    for counter, _ in _COUNTED:
        grown[counter], cleared = pair.rdma(counter)
        if cleared:
            yield Unknown("sequence errors: cleared between the captures")
    if not any(grown.values()):
        yield Unknown("sequence errors of the RDMA devices")
    for name in pair.later.rdma:
        counts = {counter: grown[counter].get(name, 0) for counter, _ in _COUNTED}
        if not any(counts.values()):
            continue
        port = next((p for p in pair.device.ports.values() if p.nic is not None and p.nic.rdma_device == name), None)
        lossless = lossless_here(port.qos if port is not None else None, given)
        reorders = port.nic.reorders if port is not None and port.nic is not None else None
        if lossless is None:
            yield Unknown(f"the lossless priorities of {name}")
        elif not lossless:
            continue
        elif not counts["sequence_errors"] and not counts["ack_timeouts"] and reorders is not False:
            if reorders is None:
                yield Unknown("whether adaptive routing may reorder packets")
        else:
            told = ", ".join(f"{counts[counter]} {words}" for counter, words in _COUNTED if counts[counter])
            yield Hit(
                f"{told}{pair.span()} on {name}, whose class is lossless",
                "find the hop that drops, or the marking that leaves the lossless class",
                object=name,
                ports=(port.name,) if port is not None else (),
                place=pair.later.rdma[name].place,
            )
