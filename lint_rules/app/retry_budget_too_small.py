"""Queue pairs give up before the switch's watchdog has freed the path.

## What it finds

An application whose ACK timeout times its retries is shorter than what the watchdog of its switch port needs (detection
and one poll) and two reconvergences of the fabric.

## Why it matters

In a pause storm the watchdog frees the queue after its detection time. Until then nothing moves; connections that have
given up by then end with "retry exceeded", and the job with them.

## What to do

Use a timeout of 18 to 22 and 7 retries.

- mlx5: `NCCL_IB_TIMEOUT=20` and `NCCL_IB_RETRY_CNT=7` (NCCL's own defaults)

## When to ignore

Applications that reconnect by themselves.

## References

- InfiniBand Architecture Specification: ACK timeout = 4.096 us x 2^timeout
- NVIDIA/nccl: defaults 20 and 7
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import End, Given, Hit, Link, Option, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "APP-005", "retry-budget-too-small", Severity.WARNING, "safe", "0.1"
OPTIONS = {"reconvergence": Option(100, "milliseconds that the fabric needs to route around a failure")}
GOOD = """
devices:
  - {name: leaf1, ports: {Ethernet0: {qos: {watchdog: {enabled: true, poll: 100, detect: 200, restore: 400}}}}}
  - {name: gpu01, kind: host, apps: [{name: nccl, timeout: 20, retry: 7}], ports: {rail0: {}}}
links: [{a: "leaf1:Ethernet0", b: "gpu01:rail0"}]
"""
BAD = GOOD.replace("timeout: 20, retry: 7", "timeout: 14, retry: 3")
_UNIT_NS = 4096


def check(link: Link, given: Given) -> Iterator[Hit | Unknown]:
    for host, switch in ((link.a, link.b), (link.b, link.a)):
        if host.device is None or not host.device.apps:
            continue
        need = _stall(switch, given.options.reconvergence)
        for app in host.device.apps:
            if app.timeout is None or app.retry is None:
                continue
            if need is None:
                yield Unknown("detection and poll time of the switch's watchdog", switch)
                break
            budget = _UNIT_NS * 2**app.timeout * app.retry // 1_000_000
            if 0 < app.timeout < 32 and budget < need:
                yield Hit(
                    f"{app.name} gives up after {budget} ms (timeout {app.timeout}, {app.retry} retries); the watchdog of "
                    f"{switch.device_name} and two reconvergences take {need} ms",
                    "use a timeout of 18 to 22 and 7 retries",
                    object=app.name,
                    place=app.places.get("timeout") or app.places.get("retry") or app.place,
                    end=host,
                )


def _stall(switch: End, reconvergence: int) -> int | None:
    """Return the longest stall in milliseconds that the fabric ends by itself."""
    watchdog = switch.port.qos.watchdog if switch.port is not None else None
    if watchdog is None or not watchdog.enabled or watchdog.detect is None or watchdog.poll is None:
        return None
    return max(watchdog.detect, 0) + max(watchdog.poll, 0) + 2 * reconvergence
