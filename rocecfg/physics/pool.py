"""The buffer of a whole box: what is reserved, what headroom takes, what is left to share, and whether it fits."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.physics.derived import Derived, Term, round_up

if TYPE_CHECKING:
    from collections.abc import Iterable

LEAST_SHARED = Fraction(30, 100)
"""House rule: with less than this to share, bursts pause before marks can act."""
SOURCES = (
    "sonic-net/SONiC shared headroom pool: pool.size + pool.xoff + reserved must stay within the MMU",
    "sonic-net/sonic-buildimage issue 28657: a pool that does not fit aborts with INCORRECT_MIN_GUARANTEE",
)


@dataclass(frozen=True, slots=True)
class Group:
    """Equal lossless priority groups: how many, what each needs."""

    count: int
    what: str
    """As a message says it: "32 x 400G, 5m"."""
    headroom: int
    reserved: int = 0


@dataclass(frozen=True, slots=True)
class Budget:
    """A box's buffer divided. Bytes."""

    memory: int
    groups: tuple[Group, ...]
    oversubscription: Fraction = Fraction(1)

    @property
    def demand(self) -> int:
        """Headroom of all lossless groups at once."""
        return sum(group.count * group.headroom for group in self.groups)

    @property
    def headroom(self) -> int:
        """Headroom that is really kept: the demand over the over-subscription ratio, at least the largest group's."""
        largest = max((group.headroom for group in self.groups), default=0)
        return max(round_up(self.demand / self.oversubscription), largest)

    @property
    def reserved(self) -> int:
        """Bytes guaranteed to groups, not shared."""
        return sum(group.count * group.reserved for group in self.groups)

    @property
    def shared(self) -> int:
        """What is left to share; negative when the box cannot hold the rest."""
        return self.memory - self.reserved - self.headroom

    @property
    def fits(self) -> bool:
        """Whether reserved bytes and headroom leave anything."""
        return self.shared > 0

    def derived(self) -> Derived:
        """Return the shared bytes with the arithmetic behind them."""
        terms = (
            Term("memory", self.memory, "what the chip gives to all pools"),
            *(
                Term("reserved", -group.count * group.reserved, f"{group.what}: {group.count} x {group.reserved} B")
                for group in self.groups
                if group.reserved
            ),
            *(
                Term("headroom", -group.count * group.headroom, f"{group.what}: {group.count} x {group.headroom} B")
                for group in self.groups
            ),
        )
        saved = self.demand - self.headroom
        if saved:
            why = f"shared headroom pool of {self.headroom} B, over-subscribed {float(self.oversubscription):g}:1"
            terms = (*terms, Term("shared headroom", saved, why))
        return Derived(
            self.shared,
            "B",
            f"{self.memory} B - {self.reserved} B reserved - {self.headroom} B headroom = {self.shared} B to share",
            terms,
            self._assumptions(),
            SOURCES,
        )

    def _assumptions(self) -> tuple[str, ...]:
        notes = []
        if self.oversubscription > 1:
            notes.append(f"at most {self.safe_groups()} of {self.count()} lossless groups are in headroom at once")
        if self.fits and self.shared < LEAST_SHARED * self.memory:
            notes.append(
                f"less than {float(LEAST_SHARED):.0%} of the buffer is left to share: PAUSE will act before marks can"
            )
        return tuple(notes)

    def count(self) -> int:
        """Return how many lossless groups the box has."""
        return sum(group.count for group in self.groups)

    def safe_groups(self) -> int:
        """Return how many of the hungriest groups the headroom pool can serve at once."""
        left, served = self.headroom, 0
        for group in sorted(self.groups, key=lambda item: -item.headroom):
            if group.headroom <= 0:
                continue
            taken = min(group.count, left // group.headroom)
            served, left = served + taken, left - taken * group.headroom
            if taken < group.count:
                break
        return served

    def least_oversubscription(self) -> Fraction | None:
        """Return the smallest ratio, in tenths, that leaves 30 % of the buffer to share; None when none does."""
        room = self.memory * (1 - LEAST_SHARED) - self.reserved
        largest = max((group.headroom for group in self.groups), default=0)
        if room < largest or room <= 0:
            return None
        return Fraction(round_up(10 * Fraction(self.demand) / room), 10)

    def refusal(self) -> str:
        """Return the arithmetic of a box that does not hold its headroom, and three ways out."""
        lines = "; ".join(f"{group.what}: {group.count} x {group.headroom} B" for group in self.groups)
        kept = f" / {float(self.oversubscription):g} over-subscription" if self.oversubscription != 1 else ""
        reserved = f" + {self.reserved} B reserved" if self.reserved else ""
        ratio = self.least_oversubscription()
        share = f"share the headroom pool (oversubscription: {float(ratio):g})" if ratio else "share the headroom pool"
        return (
            f"{lines} = {self.demand} B headroom{kept}{reserved} = {self.headroom + self.reserved} B, but the chip has"
            f" {self.memory} B. Ways out: fewer lossless classes; shorter cables, or the long ones on other boxes;"
            f" {share}"
        )


def groups(items: Iterable[tuple[int, str, int, int]]) -> tuple[Group, ...]:
    """Return (count, what, headroom, reserved) of groups, equal ones together."""
    counted: dict[tuple[str, int, int], int] = {}
    for count, what, headroom, reserved in items:
        key = (what, headroom, reserved)
        counted[key] = counted.get(key, 0) + count
    return tuple(Group(count, what, headroom, reserved) for (what, headroom, reserved), count in counted.items())
