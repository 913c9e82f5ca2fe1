"""Who sends to whom, and what may run at the same time.

Flows of one round share no host link. Flows between leaves that are measured alone also share no cable of a leaf: at
most one of a round leaves a leaf, and one enters it, whichever spine the hash chooses. Bisection and incast share
on purpose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Card:
    """One port of a host's NIC."""

    host: str
    interface: str
    leaf: str
    speed: float
    mtu: int | None
    kind: tuple[str | None, ...]
    """What its leaf is: system, model, speed. Leaves of one kind need one incast."""
    island: int = 0
    """Which part of the fabric it is in: RoCE stays within one."""


class Pair(NamedTuple):
    """One direction between two cards."""

    client: Card
    server: Card


def grouped(cards: Iterable[Card], key: str) -> dict[str | int, list[Card]]:
    """Return cards by leaf, interface or island, in their order."""
    found: dict[str | int, list[Card]] = {}
    for card in cards:
        found.setdefault(getattr(card, key), []).append(card)
    return found


def neighbours(cards: Sequence[Card]) -> list[Pair]:
    """Return each card with its neighbour on the same leaf, both ways; preferably of the same rail."""
    pairs: list[Pair] = []
    for of_leaf in grouped(cards, "leaf").values():
        for of_rail in grouped(of_leaf, "interface").values():
            pairs += _both_ways(of_rail)
    return pairs


def _both_ways(row: list[Card]) -> list[Pair]:
    if len(row) < 2:
        return []
    ends = [(row[at], row[at + 1]) for at in range(0, len(row) - 1, 2)]
    if len(row) % 2:
        ends.append((row[-1], row[0]))
    return [Pair(*each) for each in ends] + [Pair(other, one) for one, other in ends]


def across(cards: Sequence[Card]) -> list[Pair]:
    """Return each card to a card of the same rail on the next leaf."""
    pairs: list[Pair] = []
    for of_rail in grouped(cards, "interface").values():
        leaves = list(grouped(of_rail, "leaf").values())
        for at, row in enumerate(leaves):
            beside = leaves[(at + 1) % len(leaves)]
            if beside is not row:
                pairs += _to(row, beside)
    return pairs


def rail_to_rail(cards: Sequence[Card]) -> list[Pair]:
    """Return each card to the next rail of another host, where that is on another leaf."""
    rails = list(grouped(cards, "interface").values())
    if len(rails) < 2:
        return []
    return [
        pair
        for at, row in enumerate(rails)
        for pair in _to(row, rails[(at + 1) % len(rails)])
        if pair.client.leaf != pair.server.leaf
    ]


def _to(row: list[Card], other: list[Card]) -> list[Pair]:
    """Return every card of a row to one of another row, on another host."""
    found = []
    for at, card in enumerate(row):
        for step in (0, 1):
            to = other[(at + step) % len(other)]
            if to.host != card.host:
                found.append(Pair(card, to))
                break
    return found


def bisection(cards: Sequence[Card]) -> list[list[Pair]]:
    """Return rounds in which half of every rail sends to its other half, on other leaves, straight and shifted."""
    rounds: list[list[Pair]] = []
    for shift, back in ((0, False), (0, True), (1, False), (1, True)):
        flows = []
        for of_rail in grouped(cards, "interface").values():
            leaves = list(grouped(of_rail, "leaf").values())
            middle = len(leaves) // 2
            left = [card for row in leaves[:middle] for card in row]
            right = [card for row in leaves[len(leaves) - middle :] for card in row]
            size = min(len(left), len(right))
            if shift and size < 2:
                continue
            for at in range(size):
                ends = (left[at], right[(at + shift) % size])
                flows.append(Pair(*reversed(ends)) if back else Pair(*ends))
        if flows:
            rounds.append(flows)
    return rounds


def incasts(cards: Sequence[Card], senders: int) -> list[tuple[list[Pair], Pair | None]]:
    """Return one incast for each kind of leaf: flows into one card, and a lossy flow of one more host beside them.

    Fewer than two senders are no incast. Senders come from other leaves first: that is where queues build up.
    """
    found: list[tuple[list[Pair], Pair | None]] = []
    rails = grouped(cards, "interface")
    seen: set[tuple[str | None, ...]] = set()
    for target in cards:
        if target.kind in seen:
            continue
        others: dict[str, Card] = {}
        for card in sorted(rails[target.interface], key=lambda card: card.leaf == target.leaf):
            if card.host != target.host:
                others.setdefault(card.host, card)
        row = list(others.values())
        if len(row) < 2:
            continue
        seen.add(target.kind)
        chosen = row[: min(senders, len(row) - 1 if len(row) > 2 else len(row))]
        rest = row[len(chosen) :]
        found.append(([Pair(card, target) for card in chosen], Pair(rest[0], target) if rest else None))
    return found


def in_rounds(pairs: Iterable[Pair], *, alone_on_leaf: bool) -> list[list[Pair]]:
    """Return pairs in rounds that share no host link, and with `alone_on_leaf` no cable between switches either.

    With more than two tiers of switches flows may still meet above the spines.
    """
    rounds: list[tuple[set[tuple[str, ...]], list[Pair]]] = []
    for pair in pairs:
        uses: set[tuple[str, ...]] = {(end.host, end.interface) for end in pair}
        if alone_on_leaf:
            uses |= {("leaves", "", pair.client.leaf), ("enters", "", pair.server.leaf)}
        for used, flows in rounds:
            if not used & uses:
                used.update(uses)
                flows.append(pair)
                break
        else:
            rounds.append((uses, [pair]))
    return [flows for _, flows in rounds]
