"""RDMA connections give up before the watchdog of a switch on the way frees their queue.

## What it finds

A switch on a way between hosts whose PFC watchdog needs longer (detection and one poll) than an application of the
sender waits: 4.096 us x 2^timeout for each retry. Read from the application's settings; APP-005 judges the switch port
next to the host, this rule the whole way.

## Why it matters

The storm ends in time for the switch, and too late for the application: its queue pairs are already in error and the
job is gone.

## What to do

Let the watchdog detect sooner (200 ms), or give the application a longer timeout and 7 retries.

- nxos: a shorter `priority-flow-control watch-dog-interval`
- sonic: `config pfcwd start --action drop --restoration-time 400 200`
- junos: a smaller `pfc-watchdog detection`
- mlx5: `NCCL_IB_TIMEOUT=20` and `NCCL_IB_RETRY_CNT=7`

## When to ignore

Applications that connect again by themselves.

## References

- InfiniBand Architecture Specification: ACK timeout = 4.096 us x 2^timeout
- house rule
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import NEVER, End, Given, Hit, Path, Severity, Unknown
from rocecfg.lint.networks import TWO_LEAVES

ID, NAME, SEVERITY, PROFILE, SINCE = "WD-006", "detect-longer-than-rdma-timeout", Severity.WARNING, "safe", "0.2"
GOOD = TWO_LEAVES
BAD = GOOD.replace(
    "{name: gpu1, kind: host,", "{name: gpu1, kind: host, apps: [{name: nccl, timeout: 16, retry: 7}],"
).replace(
    "l2, qos: *roce}\n      b:",
    """l2, qos: {trust: dscp, dscp_to_tc: {26: 3, rest: 0}, rewrite: [], tc_to_queue: {0: 0, 3: 3},
              watchdog: {enabled: true, priorities: [3], poll: 100, detect: 5000, restore: 5000, action: drop},
              queues: {3: {scheduler: weighted, weight: 50, weight_kind: percent-of-link,
                           ecn: {curves: [{low: 400000, high: 1600000, probability: 10}]}}}}}
      b:""",
)
_UNIT_NS = 4096


def check(path: Path, given: Given) -> Iterator[Hit | Unknown]:
    sender = path.hops[0]
    for app in sender.state.apps or () if sender.state is not None else ():
        if app.timeout is None or app.retry is None:
            yield Unknown(f"the ACK timeout and retries of {app.name}", End(sender.device, ""))
            continue
        if not 0 < app.timeout < 32:
            continue  # 0 = it waits for ever
        patience = _UNIT_NS * 2**app.timeout * app.retry // 10**6
        for hop in path.hops:
            dog = hop.outward.qos.watchdog if hop.is_switch and hop.outward is not None else None
            if dog is None or not dog.enabled or dog.detect in {None, NEVER}:
                continue
            needs = (dog.detect or 0) + (dog.poll if dog.poll not in {None, NEVER} and dog.poll else 0)
            if needs > patience:
                yield Hit(
                    f"the watchdog needs {needs} ms, {app.name} on {sender.device} gives up after {patience} ms "
                    f"(timeout {app.timeout}, {app.retry} retries), on the way {path.text()}",
                    "detect sooner, or give the application a longer timeout and 7 retries",
                    "watchdog.detect",
                    f"watchdog of {needs} ms",
                    end=End(hop.device, hop.leaves),
                )
