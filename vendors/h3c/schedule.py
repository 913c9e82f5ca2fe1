"""How the eight queues are served: strict, WRR or WFQ, by lines of the port or by a queue scheduling profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.state.model import Queue, Where

if TYPE_CHECKING:
    from vendors.h3c.config import Config, Interface, Schedule


def of_port(config: Config, port: Interface) -> Schedule | None:
    """Return the scheduling that a port has: a profile's, else its own; None where the text does not say."""
    profile = port.settings.get("profile")
    if profile is not None:
        return config.profiles.get(profile[0])
    return port.schedule if port.schedule.said() else None


def queues(config: Config, port: Interface) -> dict[int, Queue]:
    """Return the queues as far as the text says how they are served.

    Queues of the SP group go first, the higher number before the lower; `qos sp` is all eight. A queue that `qos wfq`
    or `qos wrr` leaves out is served by a weight that depends on the model.
    """
    found = of_port(config, port)
    if found is None:
        return {}
    strict = list(range(8)) if found.mode == "sp" else [q for q, (group, _, _) in found.queues.items() if group == "sp"]
    ranks = {queue: rank for rank, queue in enumerate(sorted(strict, reverse=True), 1)}
    grouped = any(group == "2" for group, _, _ in found.queues.values())  # two groups are served one after the other
    served: dict[int, Queue] = {}
    for queue in range(8):
        if queue in ranks:
            served[queue] = Queue("strict", rank=ranks[queue])
        elif found.mode != "profile" or queue in found.queues:
            weight = found.queues[queue][1] if queue in found.queues and not grouped else None
            served[queue] = Queue("weighted", weight=weight, weight_kind="relative" if weight is not None else None)
        if queue in found.guarantees and queue in served:
            own = served[queue]
            served[queue] = Queue(own.scheduler, own.rank, own.weight, own.weight_kind, found.guarantees[queue][0])
    return served


def places(config: Config, port: Interface) -> dict[str, Where]:
    """Return the lines that decide scheduler, rank and weight of each queue."""
    found = of_port(config, port)
    if found is None:
        return {}
    profile = port.settings.get("profile")
    start = profile[1] if profile is not None else found.number
    decided = {"queues": config.where(start)} if start else {}
    for queue, (_, _, number) in found.queues.items():
        here = config.where(number)
        for leaf in ("scheduler", "rank", "weight"):
            decided[f"queues.{queue}.{leaf}"] = here
    return decided
