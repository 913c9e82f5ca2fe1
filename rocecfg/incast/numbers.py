"""The numbers of one incast: the port, the buffer, the ramp, the ingress ports, the senders' reaction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.physics.dcqcn import KNOBS
from rocecfg.physics.thresholds import pause_depth

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST_LANES = 64
"""Ingress ports that are followed one by one; of more, equal ones are followed together."""


@dataclass(frozen=True, slots=True)
class Ingress:
    """An ingress port of the switch: bit/s, how long it takes to fall silent after PAUSE, bytes kept for that."""

    rate: int
    silence_ns: int
    headroom: int


@dataclass(frozen=True, slots=True)
class Lane:
    """`ports` equal ingress ports with `flows` equal senders behind each, which start at `rate` bit/s each."""

    ports: int
    flows: int
    rate: float
    of: Ingress
    background: bool = False
    """They have sent for a while when the incast begins, and send on: no part of it."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """How a NIC answers marks: mlx5's DCQCN parameters by name, in the units of `physics.dcqcn.KNOBS`."""

    values: Mapping[str, int]
    clamp: bool = False
    """Each cut makes the current rate the target (the paper). Else only the first cut after a timed increase does."""

    def __getitem__(self, name: str) -> int:
        return self.values[name]


DEFAULTS: Mapping[str, int] = {knob.name: knob.default for knob in KNOBS}


@dataclass(frozen=True, slots=True)
class Incast:
    """Everything that decides one run. Bytes, bit/s, nanoseconds. `alpha` or `limit` is the PAUSE threshold."""

    rate: int
    lanes: tuple[Lane, ...]
    pool: int | None
    alpha: Fraction | None
    limit: int | None
    ramp: tuple[int, int, Fraction] | None
    """Kmin, Kmax, Pmax in percent; None = ECN is off."""
    rtt_ns: int
    loop_ns: int
    reaction: Reaction
    reserved: int = 0
    xon_below: int = 0
    xon_at: int | None = None
    headroom_pool: int | None = None
    frame: int = 4200
    packing: Fraction = Fraction(1)
    """Bytes of buffer a byte of a full frame takes."""
    message: int | None = None
    """Bytes that each sender of the incast has to send; None = it sends for the whole time."""

    @property
    def senders(self) -> int:
        """How many senders the incast has."""
        return sum(lane.ports * lane.flows for lane in self.lanes if not lane.background)

    @property
    def ports(self) -> int:
        """Over how many ingress ports they come."""
        return sum(lane.ports for lane in self.lanes if not lane.background)

    @property
    def background(self) -> int:
        """How many flows were there before."""
        return sum(lane.ports * lane.flows for lane in self.lanes if lane.background)

    @property
    def offered(self) -> float:
        """bit/s that arrive while nobody has slowed down; flows that were there before fill the port."""
        burst = sum(lane.ports * lane.flows * lane.rate for lane in self.lanes if not lane.background)
        return burst + (self.rate if self.background else 0)

    @property
    def ideal_us(self) -> float | None:
        """Microseconds that the messages of all senders take on the port alone; None for senders without end."""
        return None if self.message is None else self.senders * self.message / (self.rate / 8e6)

    def pause_depth(self) -> float:
        """Return the egress depth in bytes at which PAUSE goes out when the ingress ports fill equally."""
        if self.limit is not None:
            fixed = float(self.ports * self.limit)
            return fixed if self.pool is None else min(fixed, float(self.pool + self.ports * self.reserved))
        assert self.alpha is not None
        assert self.pool is not None
        depth = float(pause_depth(self.alpha, self.pool, self.ports, self.reserved))
        return min(depth, float(self.pool + self.ports * self.reserved))

    def earliest_pause_us(self) -> float | None:
        """Return when PAUSE goes out if nobody slows down, in microseconds; None where the port keeps up."""
        excess = (self.offered - self.rate) / 8e6 * float(self.packing)
        return self.pause_depth() / excess if excess > 0 else None


def spread(sources: Sequence[tuple[int, Ingress, int]], senders: int) -> tuple[Lane, ...]:
    """Return the lanes of `senders` flows dealt in turn to `sources`: (number of ingress port, it, bit/s of the host).

    Flows behind one host or one ingress port share its rate equally.
    """
    flows_of: list[int] = [senders // len(sources) + (at < senders % len(sources)) for at in range(len(sources))]
    behind: dict[int, list[tuple[Ingress, int, float]]] = {}
    for (port, ingress, rate), flows in zip(sources, flows_of, strict=True):
        if flows:
            behind.setdefault(port, []).append((ingress, flows, min(float(rate), flows * float(ingress.rate))))
    kinds: dict[tuple[int, float, Ingress], int] = {}
    for hosts in behind.values():
        ingress, flows = hosts[0][0], sum(host[1] for host in hosts)
        key = (flows, min(float(ingress.rate), sum(host[2] for host in hosts)) / flows, ingress)
        kinds[key] = kinds.get(key, 0) + 1
    total = sum(kinds.values())
    lanes: list[Lane] = []
    for (flows, start, ingress), ports in kinds.items():
        parts = ports if total <= MOST_LANES else max(MOST_LANES * ports // total, 1)
        lanes += [Lane(ports // parts + (at < ports % parts), flows, start, ingress) for at in range(parts)]
    return tuple(lanes)


def changed(incast: Incast, name: str, value: Fraction) -> Incast:
    """Return an incast with one number changed, by its name; the count of senders is the scene's business."""
    if name in DEFAULTS:
        return replace(incast, reaction=replace(incast.reaction, values={**incast.reaction.values, name: int(value)}))
    if name in {"kmin", "kmax", "pmax"}:
        low, high, top = incast.ramp or (int(value), int(value), Fraction(100))
        given = {"kmin": Fraction(low), "kmax": Fraction(high), "pmax": top, name: value}
        return replace(incast, ramp=(int(given["kmin"]), int(given["kmax"]), given["pmax"]))
    if name == "message":
        return replace(incast, message=int(value))
    if name == "background":
        burst = tuple(lane for lane in incast.lanes if not lane.background)
        widest = max((lane.of for lane in burst), key=lambda ingress: ingress.rate)
        one = Lane(1, 1, float(min(widest.rate, incast.rate)), widest, background=True)
        return replace(incast, lanes=(*burst, *(one for _ in range(int(value)))))
    if name == "headroom":
        lanes = tuple(replace(lane, of=replace(lane.of, headroom=int(value))) for lane in incast.lanes)
        return replace(incast, lanes=lanes)
    if name == "rtt":
        return replace(incast, rtt_ns=int(value), loop_ns=incast.loop_ns - incast.rtt_ns + int(value))
    if name == "alpha":
        return replace(incast, alpha=value, limit=None)
    if name == "xoff":
        return replace(incast, limit=int(value), alpha=None)
    assert name == "pool", name
    return replace(incast, pool=int(value))
