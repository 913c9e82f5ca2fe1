"""The steps of a stage: which question each one asks, and the flows that answer it.

Maker("all", traffic, wishes).steps(cards)               # cheap and telling ones first
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count, zip_longest
from typing import TYPE_CHECKING

from rocecfg.acceptance import schedule
from rocecfg.acceptance.model import End, Flow, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rocecfg.acceptance.model import Kind, PathKind, StageName, Tool
    from rocecfg.acceptance.schedule import Card, Pair

_PORT = 18515
"""perftest's own default port (linux-rdma/perftest, DEF_PORT); the ports of a host count up from it."""
_COMPETITOR_PORT = 5201
"""iperf3's default port."""
_ICMP = 28
"""Bytes of an IPv4 and an ICMP header."""
_BULK, _MANY = 65536, 4
_NEAR = "each NIC and its leaf neighbour, both ways"
_FAR = "each NIC to its rail on the next leaf, alone on the uplinks"
_CROSS = "each NIC to the next rail of another host"
_HALVES = "half of every rail to its other half, all at once"


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the caller may choose."""

    seconds: int = 20
    incast: int = 8


@dataclass(frozen=True, slots=True)
class Traffic:
    """The classes that the flows of a fabric travel in, by name."""

    roce: str
    lossy: str | None
    """The default class, where it has a mark: traffic that competes with RoCE."""
    tested: tuple[str, ...]
    """Those whose way through NICs and switches is looked at."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """A step without its flows: what it asks, and what all of its flows have in common."""

    name: str
    kind: Kind
    why: str
    tool: Tool
    traffic_class: str
    path: PathKind | None = None
    """None = each flow says its own, by where its ends are."""
    seconds: int = 0
    message: int = 0
    queue_pairs: int = 1
    counters: bool = False

    def step(self, rounds: Sequence[Sequence[Flow]], hosts: Sequence[str] = ()) -> Step:
        """Return the step with these flows in these rounds."""
        return Step(
            name=self.name,
            kind=self.kind,
            why=self.why,
            rounds=[[flow.id for flow in flows] for flows in rounds],
            flows=[flow for flows in rounds for flow in flows],
            counters=self.counters,
            seconds=self.seconds,
            message=self.message,
            queue_pairs=self.queue_pairs,
            hosts=list(hosts),
        )


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes the steps of one stage."""

    stage: StageName
    traffic: Traffic
    wishes: Wishes

    def steps(self, cards: list[Card]) -> list[Step]:
        """Return what a stage runs, the cheap and telling first."""
        across = _within(schedule.across, cards)
        near = schedule.in_rounds(schedule.neighbours(cards), alone_on_leaf=False)
        far = schedule.in_rounds(across, alone_on_leaf=True)
        cross = schedule.in_rounds(_within(schedule.rail_to_rail, cards), alone_on_leaf=True)
        asked: list[tuple[_Shape, list[list[Pair]]]] = [
            *self._mtu([*near, *schedule.in_rounds(across, alone_on_leaf=False)]),
            *((shape, near or far or cross) for shape in self._classes()),
            (self._latency("same-leaf", _NEAR), near),
            (self._pair("same-leaf", "same-leaf", _NEAR), near),
            (self._latency("across-spines", _FAR), far),
            (self._pair("across-spines", "across-spines", _FAR), far),
            (self._pair("rail-to-rail", "cross-rail", _CROSS), cross),
            (self._bandwidth("bisection", "bisection", _HALVES, "across-spines"), _bisection(cards)),
        ]
        return [
            *(self._step(shape, rounds) for shape, rounds in asked if rounds),
            *self._incasts(cards),
            *self._collectives(cards),
        ]

    def _bandwidth(self, name: str, kind: Kind, why: str, path: PathKind | None = None) -> _Shape:
        """Return the shape of a step that fills links with RoCE and looks at counters."""
        roce, seconds = self.traffic.roce, self.wishes.seconds
        return _Shape(name, kind, why, "ib_write_bw", roce, path, seconds, _BULK, _MANY, counters=True)

    def _mtu(self, rounds: list[list[Pair]]) -> Iterator[tuple[_Shape, list[list[Pair]]]]:
        by_size: dict[int, list[list[Pair]]] = {}
        for flows in rounds:
            sizes: dict[int, list[Pair]] = {}
            for pair in flows:
                if pair.client.mtu is not None and pair.server.mtu is not None:
                    sizes.setdefault(min(pair.client.mtu, pair.server.mtu), []).append(pair)
            for size, chosen in sizes.items():
                by_size.setdefault(size, []).append(chosen)
        for size, chosen_rounds in by_size.items():
            why = f"does a packet of {size} bytes pass that may not be cut"
            yield _Shape(f"mtu-{size}", "mtu", why, "ping", self.traffic.roce, message=size - _ICMP), chosen_rounds

    def _classes(self) -> Iterator[_Shape]:
        for name in self.traffic.tested:
            why = f"does traffic of class {name} use its priority on every NIC and switch, and no other"
            yield replace(self._bandwidth(f"class-{name}", "class", why), traffic_class=name, seconds=5)

    def _latency(self, path: PathKind, why: str) -> _Shape:
        name, roce = f"latency-{path}", self.traffic.roce
        return _Shape(name, "latency", f"latency: {why}", "ib_write_lat", roce, path, message=2)

    def _pair(self, word: str, path: PathKind, why: str) -> _Shape:
        return self._bandwidth(f"pair-{word}", "pair", f"bandwidth: {why}", path)

    def _incasts(self, cards: list[Card]) -> Iterator[Step]:
        """Yield an incast for each kind of leaf, a lossy flow beside it where class and host are there for it."""
        lossy = self.traffic.lossy
        for number, (pairs, competitor) in enumerate(_incasts(cards, self.wishes.incast), 1):
            target = pairs[0].server
            beside = competitor if lossy is not None else None
            why = f"{len(pairs)} senders into {target.host}:{target.interface} on {target.leaf}"
            why += ", a lossy flow beside them" if beside is not None else ", no further host for a lossy flow"
            shape = replace(self._bandwidth(f"incast-{number}", "incast", why), queue_pairs=1)
            flows = [self._flow(shape, f"f{at:05}", pair, _PORT + at) for at, pair in enumerate(pairs, 1)]
            if beside is not None and lossy is not None:
                flow = self._flow(replace(shape, tool="iperf3", traffic_class=lossy), "lossy", beside, _COMPETITOR_PORT)
                flows.append(flow.model_copy(update={"lossy_competitor": True}))
            yield shape.step([flows])

    def _collectives(self, cards: list[Card]) -> Iterator[Step]:
        """Yield a collective for each part of the fabric that has two hosts."""
        rows = [_one_of_each_host(of) for of in _islands(cards)]
        for number, row in enumerate([row for row in rows if len(row) > 1], 1):
            shape = _Shape(
                "nccl" if number == 1 else f"nccl-{number}",
                "nccl",
                "does a collective over all hosts of the stage reach its bandwidth",
                "all_reduce_perf",
                self.traffic.roce,
                counters=True,
            )
            flow = self._flow(shape, "allreduce", schedule.Pair(row[0], row[-1]), _PORT)
            yield shape.step([[flow]], [card.host for card in row])

    def _step(self, shape: _Shape, rounds: list[list[Pair]]) -> Step:
        """Return the step of a shape with a flow for each pair; servers of one host listen on ports of their own."""
        made: list[list[Flow]] = []
        numbers = count(1)
        for pairs in rounds:
            made.append([])
            servers: dict[str, int] = {}
            for pair in pairs:
                on_host = servers[pair.server.host] = servers.get(pair.server.host, -1) + 1
                made[-1].append(self._flow(shape, f"f{next(numbers):05}", pair, _PORT + on_host))
        return shape.step(made)

    def _flow(self, shape: _Shape, name: str, pair: Pair, port: int) -> Flow:
        one, other = pair
        return Flow(
            id=name,
            client=End(host=one.host, interface=one.interface),
            server=End(host=other.host, interface=other.interface),
            path=shape.path or _path_of(pair),
            traffic_class=shape.traffic_class,
            tool=shape.tool,
            port=port,
            result=f"results/{self.stage}/{shape.name}/{name}",
        )


def _islands(cards: list[Card]) -> list[list[Card]]:
    """Return the cards of each part of the fabric: RoCE stays within one."""
    return list(schedule.grouped(cards, "island").values())


def _one_of_each_host(cards: list[Card]) -> list[Card]:
    first: dict[str, Card] = {}
    for card in cards:
        first.setdefault(card.host, card)
    return list(first.values())


def _within(pattern: Callable[[list[Card]], list[Pair]], cards: list[Card]) -> list[Pair]:
    """Return the pairs of a pattern in every part of the fabric."""
    return [pair for of in _islands(cards) for pair in pattern(of)]


def _bisection(cards: list[Card]) -> list[list[Pair]]:
    """Return the bisections of all parts of the fabric, at the same time."""
    parts = [schedule.bisection(of) for of in _islands(cards)]
    return [[pair for flows in one for pair in flows] for one in zip_longest(*parts, fillvalue=[])]


def _incasts(cards: list[Card], senders: int) -> list[tuple[list[Pair], Pair | None]]:
    return [one for of in _islands(cards) for one in schedule.incasts(of, senders)]


def _path_of(pair: Pair) -> PathKind:
    """Return which way a pair's packets take, by where its ends are."""
    one, other = pair
    if one.leaf == other.leaf:
        return "same-leaf"
    return "across-spines" if one.interface == other.interface else "cross-rail"
