"""The shares of a port's queues do not add up, or a queue in use has none.

## What it finds

Percentages of one kind that sum to more than 100 (on a NIC: to anything but 100), and a weighted queue of weight 0 that
marks lead to (on a NIC whose marks are not known: that a priority is mapped to).

## Why it matters

Most systems refuse a sum that is not 100 and keep what was there before; a queue of weight 0 gets what nobody else
wants, which under load is nothing.

## What to do

Let the shares of the queues in use sum to 100.

- nxos: `bandwidth remaining percent` of all classes together 100
- sonic: `weight` from 1 to 100 in the SCHEDULER of the queue
- cumulus: `nv set qos egress-scheduler default-global traffic-class 3 bw-percent 50`
- junos: `transmit-rate percent` of the schedulers together 100 or less
- mlx5: `mlnx_qos -i IF --tsa ets,ets,ets,ets,ets,ets,ets,ets --tcbw 10,10,10,30,10,10,10,10`

## When to ignore

Systems with free relative weights: the rule does not sum those.

## References

- IEEE 802.1Qaz: ETS percentages sum to 100
- Mellanox mlnx_qos: the sum of tcbw must be 100
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from rocecfg.lint.api import Given, Hit, Port, PortQos, Severity, numbers_text, reachable_tcs
from rocecfg.lint.classes import lossless_queues, queues_text

ID, NAME, SEVERITY, PROFILE, SINCE = "SCH-004", "weights-not-100-or-zero", Severity.ERROR, "safe", "0.1"
GOOD = """
device:
  name: gpu01
  kind: host
  ports:
    rail0:
      qos:
        tc_to_queue: {0: 0, 3: 3}
        queues:
          0: {scheduler: weighted, weight: 50, weight_kind: percent-of-rest}
          3: {scheduler: weighted, weight: 50, weight_kind: percent-of-rest}
"""
BAD = GOOD.replace("3: {scheduler: weighted, weight: 50", "3: {scheduler: weighted, weight: 40")
_FULL = 100


def check(port: Port, given: Given) -> Iterator[Hit]:
    qos = port.qos
    weighted = {
        number: queue
        for number, queue in enumerate(qos.queues or ())
        if queue is not None and queue.scheduler == "weighted" and queue.weight is not None
    }
    host = _is_host(port, given)
    for kind in ("percent-of-link", "percent-of-rest"):
        own = {number: Fraction(queue.weight or 0) for number, queue in weighted.items() if queue.weight_kind == kind}
        total = sum(own.values(), Fraction(0))
        if total > _FULL or (host and _all_known(qos, own) and 0 < total < _FULL):
            shares = ", ".join(f"{number}: {float(share):g} %" for number, share in own.items() if share)
            yield Hit(
                f"the shares of the queues sum to {float(total):g} %, not 100 % ({shares})",
                "let the shares sum to 100 %",
                f"queues.{max(own, key=own.__getitem__)}.weight",
                "queues " + numbers_text(frozenset(number for number, share in own.items() if share)),
            )
    idle = {number for number, queue in weighted.items() if queue.weight == 0}
    starved = sorted(idle & _used(port, given)) if idle else []
    if starved and any(queue.weight for queue in weighted.values()):
        yield Hit(
            f"traffic leaves by {queues_text(starved)}, which has a weight of 0: it gets only what no other queue wants",
            f"give {queues_text(starved)} a weight",
            f"queues.{starved[0]}.weight",
            queues_text(starved),
        )


def _is_host(port: Port, given: Given) -> bool:
    return port.nic is not None or (given.device is not None and given.device.kind == "host")


def _all_known(qos: PortQos, own: Mapping[int, Fraction]) -> bool:
    """Return whether the weights of all queues that classes leave by are known, so that their sum means something."""
    queues = {queue for queue in qos.tc_to_queue or () if queue is not None}
    strict = {
        number for number, queue in enumerate(qos.queues or ()) if queue is not None and queue.scheduler == "strict"
    }
    return bool(queues) and queues <= set(own) | strict


def _used(port: Port, given: Given) -> frozenset[int]:
    """Return the queues that stated marks lead to; a queue that only a default map reaches is no mistake of the text."""
    qos = port.qos
    if qos.tc_to_queue is None:
        return frozenset(lossless_queues(qos, given))
    maps = [codes for codes in (qos.dscp_to_tc, qos.pcp_to_tc) if codes is not None]
    if not maps and _is_host(port, given):  # PCP n is priority n on a NIC, and its map of priorities is stated
        return frozenset(queue for queue in qos.tc_to_queue[:8] if queue is not None)
    stated = {tc for codes in maps for code, tc in enumerate(codes.to) if tc is not None and codes.stated >> code & 1}
    tcs = stated & reachable_tcs(qos)[0]
    queues = {qos.tc_to_queue[tc] for tc in tcs} | set(lossless_queues(qos, given))
    return frozenset(queue for queue in queues if queue is not None)
