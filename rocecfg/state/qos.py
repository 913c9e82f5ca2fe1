"""What is in force on one port: `PortQos` and its parts. The unit of interning and of most lint rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from fractions import Fraction

    from rocecfg.state.values import Action, Amount, CodeMap, Curve, Limit, Trust


@dataclass(frozen=True, slots=True)
class Ecn:
    """ECN on a queue. No curve = known to be off."""

    curves: tuple[Curve, ...] = ()
    weight: int | None = None
    """Averaging weight; 0 = the instantaneous queue."""
    non_ect: Literal["drop", "pass"] | None = None
    gate: bool | None = None
    """False = a device-wide switch keeps all ECN off; None = the system has no such switch, or it is unknown."""


@dataclass(frozen=True, slots=True)
class Queue:
    """One egress queue of a port."""

    scheduler: Literal["strict", "weighted"] | None = None
    rank: int | None = None
    """Order among strict queues, 1 = served first."""
    weight: Fraction | int | None = None
    weight_kind: Literal["percent-of-link", "percent-of-rest", "relative"] | None = None
    guarantee: int | None = None
    """bit/s, UNLIMITED where known to be without."""
    shaper: int | None = None
    """bit/s, UNLIMITED where known to be without."""
    ecn: Ecn | None = None
    wred: tuple[Curve, ...] | None = None
    """Curves that DROP, ECT packets included. Empty = known to have none."""
    limit: Limit | None = None
    reserved: Amount | None = None
    pool: str | None = None
    shaper_share: Fraction | int | None = None
    """Percent of the port, where the shaper is stated so and the speed of the port is not known."""


@dataclass(frozen=True, slots=True)
class Headroom:
    """Bytes kept for what still arrives after PAUSE went out."""

    amount: Amount | None = None
    by: Literal["none", "stated", "length", "table", "pool-share", "box"] = "stated"
    """Who chose it: `length` and `box` = the device works it out (amount None until a capture shows it)."""
    made_for: tuple[int, Fraction | int] | None = field(default=None, compare=False)
    """(bit/s, metres) that a table row or profile was made for."""


@dataclass(frozen=True, slots=True)
class PriorityGroup:
    """One ingress priority group of a port (a NIC's receive buffer)."""

    lossless: bool | None = None
    headroom: Headroom | None = None
    xoff_at: Limit | None = None
    xon_at: Amount | None = None
    xon_below: Amount | None = None
    reserved: Amount | None = None
    pool: str | None = None
    mtu: int | None = None
    headroom_shared: bool | None = field(default=None, compare=False)
    """False = the group's own guarantee holds the headroom; True = it must come from a shared headroom pool."""


@dataclass(frozen=True, slots=True)
class Pfc:
    """Priority flow control of a port. `tx` = priorities we pause the peer for, `rx` = pauses we honour."""

    admin: Literal["on", "off", "auto"] | None = None
    tx: frozenset[int] | None = None
    rx: frozenset[int] | None = None
    by: Literal["internal", "pcp"] | None = None
    """What selects the priority of an arriving packet: the internal class, or the PCP of its tag only."""
    oper: frozenset[int] | None = field(default=None, compare=False)
    """What negotiation ended with, where a capture shows it."""
    gate: bool | None = None
    """False = the device-wide kill switch is thrown; None = none, or unknown."""

    def sends(self) -> frozenset[int] | None:
        """Return the priorities this port asks its peer to pause; None when the text leaves it open."""
        return self._in_force(self.tx)

    def honours(self) -> frozenset[int] | None:
        """Return the priorities whose pauses this port obeys; None when the text leaves it open."""
        return self._in_force(self.rx)

    def _in_force(self, wanted: frozenset[int] | None) -> frozenset[int] | None:
        if self.gate is False or self.admin == "off":
            return frozenset()
        if self.admin == "auto":
            return self.oper
        return wanted if self.admin == "on" else None


@dataclass(frozen=True, slots=True)
class LinkPause:
    """IEEE 802.3x pause of the whole link."""

    rx: bool | None = None
    tx: bool | None = None


@dataclass(frozen=True, slots=True)
class Dcbx:
    """Negotiation of PFC, ETS and APP with the peer."""

    state: Literal["off", "auto", "ieee", "cee"] | None = None
    willing: bool | None = None
    advertises: frozenset[str] | None = None
    """Of "pfc", "ets", "app"."""
    owners: frozenset[str] | None = None
    """Who writes the NIC's DCB settings: "os", "firmware", "lldpad"."""


@dataclass(frozen=True, slots=True)
class PortWatchdog:
    """PFC watchdog in force on a port (global AND port switch); times in milliseconds."""

    enabled: bool | None = None
    priorities: frozenset[int] | None = None
    poll: int | None = None
    detect: int | None = None
    restore: int | None = None
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class PortQos:
    """All that is in force on a port. The unit of interning and of most lint rules."""

    trust: Trust | None = None
    dscp_to_tc: CodeMap | None = None
    pcp_to_tc: CodeMap | None = None
    default_tc: int | None = None
    dscp_to_colour: tuple[str | None, ...] | None = None
    app_to_tc: tuple[tuple[str, int, int], ...] | None = None
    """(selector, number, traffic class), for example ("udp", 4791, 3)."""
    rewrite: tuple[tuple[str, int, int], ...] | None = None
    """("tc" or "dscp", from, to DSCP); empty = known to leave the mark alone."""
    tc_to_queue: tuple[int | None, ...] | None = None
    tc_to_pg: tuple[int | None, ...] | None = None
    priority_to_queue: tuple[frozenset[int] | None, ...] | None = None
    priority_to_pg: tuple[frozenset[int] | None, ...] | None = None
    pfc: Pfc | None = None
    link_pause: LinkPause | None = None
    dcbx: Dcbx | None = None
    cable: Fraction | int | None = None
    """Metres, as the device was told; None where it has no such input."""
    watchdog: PortWatchdog | None = None
    queues: tuple[Queue | None, ...] | None = None
    priority_groups: tuple[PriorityGroup | None, ...] | None = None
    defaulted: frozenset[str] = field(default=frozenset(), compare=False)
    """Leaf paths ("link_pause", "queues.0.scheduler") whose value is the system's default, not stated."""

    def queue(self, number: int) -> Queue | None:
        """Return a queue by number, None when the state does not know it."""
        return self.queues[number] if self.queues is not None and number < len(self.queues) else None

    def priority_group(self, number: int) -> PriorityGroup | None:
        """Return a priority group by number, None when the state does not know it."""
        groups = self.priority_groups
        return groups[number] if groups is not None and number < len(groups) else None

    def lossless_priorities(self) -> frozenset[int] | None:
        """Return the priorities the device itself treats as lossless: those it pauses for or honours."""
        if self.pfc is None:
            return None
        sends, honours = self.pfc.sends(), self.pfc.honours()
        if sends is None or honours is None:
            return None
        return sends | honours

    def lossless_tcs(self) -> frozenset[int] | None:
        """Return the traffic classes whose priority group is lossless or paused for; None when unknown."""
        lossless = self.lossless_priorities()
        if lossless is None or self.tc_to_pg is None or self.priority_to_pg is None:
            return None
        groups: set[int] = set()
        for priority in lossless:
            of_priority = self.priority_to_pg[priority]
            if of_priority is None:
                return None
            groups |= of_priority
        return frozenset(tc for tc, group in enumerate(self.tc_to_pg) if group in groups)
