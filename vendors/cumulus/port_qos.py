"""Builds the QoS in force on a port from the profiles it is bound to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import (
    Amount,
    Curve,
    Dcbx,
    Ecn,
    Headroom,
    LinkPause,
    Pfc,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Queue,
    Static,
    code_map,
    eight,
)

if TYPE_CHECKING:
    from rocecfg.state.model import Dynamic, Where
    from vendors.cumulus.facts import Leaf

facts_module = load_module(Path(__file__).with_name("facts.py"))
amounts = load_module(Path(__file__).with_name("amounts.py"))

_D = facts_module.EVERY_PORT
_TRUST = {"l3": "dscp", "l2": "pcp", "both": "both", "port": "none"}
POLL, ROBUSTNESS = 100, 3
"""Defaults of the watchdog: milliseconds, polls (QoS page 5.14)."""

_WRITTEN_ALONG = (25_000, 10_000, 2_000)
"""Buffer, XOFF and XON that file and show output carry for a profile that was told a cable length only (5.9)."""

Tables = "dict[str, dict[str, dict[tuple[str, ...], Leaf]]]"
Profile = "dict[tuple[str, ...], Leaf]"


class _Builder:
    """Collects the fields of one PortQos, the place of each leaf and which leaves the system made."""

    def __init__(self, tables: Any, names: dict[str, str]) -> None:
        self._tables, self._names = tables, names
        self.fields: dict[str, Any] = {}
        self.places: dict[str, Where] = {}
        self.defaulted: set[str] = set()
        self.queues: dict[int, dict[str, Any]] = {}

    def profile(self, section: str) -> dict[tuple[str, ...], Leaf]:
        """Return the leaves of the profile in force for a section, {} when there is none."""
        found: dict[tuple[str, ...], Leaf] = self._tables.get(section, {}).get(self._names.get(section, _D), {})
        return found

    def note(self, path: str, leaf: Leaf | None) -> None:
        """Remember which line decides a leaf, and whether the system made it."""
        if leaf is None:
            return
        self.places.setdefault(path, leaf.place)
        if leaf.system:
            self.defaulted.add(path)

    def mapping(self) -> None:
        """Trust and the maps to switch priorities."""
        leaves = self.profile("mapping")
        trust = leaves.get(("trust",))
        if trust is not None:
            self.fields["trust"] = _TRUST[trust.value]
            self.note("trust", trust)
        default = leaves.get(("port-default-sp",))
        if default is not None:
            self.fields["default_tc"] = int(default.value)
            self.note("default_tc", default)
        for kind, name, codes in (("dscp", "dscp_to_tc", 64), ("pcp", "pcp_to_tc", 8)):
            stated = {path[1]: leaf for path, leaf in leaves.items() if path[:1] == (kind,) and len(path) == 3}
            if stated:
                self.fields[name] = code_map({int(code): int(leaf.value) for code, leaf in stated.items()}, codes)
                for code, leaf in stated.items():
                    self.note(f"{name}.{code}", leaf)
                    self.note(name, leaf)

    def queue_map(self) -> None:
        """Switch priority to egress queue: one map for the whole device."""
        leaves = self._tables.get("egress-queue-mapping", {}).get(_D, {})
        stated = {int(path[1]): leaf for path, leaf in leaves.items() if len(path) == 3}
        if stated:
            self.fields["tc_to_queue"] = tuple(int(stated[tc].value) if tc in stated else None for tc in range(16))
            for tc, leaf in stated.items():
                self.note(f"tc_to_queue.{tc}", leaf)
                self.note("tc_to_queue", leaf)
            self.fields["priority_to_queue"] = eight({tc: frozenset({int(leaf.value)}) for tc, leaf in stated.items()})

    def pfc(self) -> frozenset[int]:
        """PFC, cable length, and the priority groups it makes; returns the lossless switch priorities."""
        leaves = self.profile("pfc")
        keys = {path: leaf for path, leaf in leaves.items() if path[:1] == ("switch-priority",)}
        lossless = {int(path[1]) for path in keys if len(path) == 2}
        explicit: dict[str, Leaf | None] = {
            word: leaves.get((word,)) for word in ("cable-length", "port-buffer", "xoff-threshold", "xon-threshold")
        }
        on = frozenset(lossless)
        if leaves:
            tx, rx = (self._direction(word, leaves, on) for word in ("tx", "rx"))
            self.fields["pfc"] = Pfc("on", tx, rx, "internal")
            first = next(iter(keys.values()), None) or next(iter(leaves.values()))
            self.note("pfc", first)
            cable = explicit["cable-length"]
            if cable is not None:
                self.fields["cable"] = int(cable.value)
                self.note("cable", cable)
        groups = {sp: self._lossless_group(sp, explicit) for sp in sorted(on)}
        for sp, leaf in self._pool_priorities().items():
            if sp not in groups:
                groups[sp] = PriorityGroup(lossless=True)
                self.note(f"priority_groups.{sp}", leaf)
        alpha, place = self._alpha("ingress-lossless-buffer")
        if alpha is not None:
            groups = {
                sp: of if of.xoff_at is not None else PriorityGroup(True, of.headroom, alpha, of.xon_at, of.xon_below)
                for sp, of in groups.items()
            }
            for sp in groups:
                self.note(f"priority_groups.{sp}.xoff_at", place)
        if groups:
            self.fields["priority_groups"] = eight(groups)
            self.fields["tc_to_pg"] = tuple(tc if tc in groups else None for tc in range(16))
            self.fields["priority_to_pg"] = eight({sp: frozenset({sp}) for sp in groups})
        return frozenset(groups)

    def _direction(self, word: str, leaves: dict[tuple[str, ...], Leaf], on: frozenset[int]) -> frozenset[int] | None:
        leaf = leaves.get((word,))
        if leaf is None:
            return None
        if leaf.value == "disable":
            self.note(f"pfc.{word}", leaf)
            return frozenset()
        if leaf.system:
            self.defaulted.add(f"pfc.{word}")
        return on

    def _lossless_group(self, sp: int, explicit: dict[str, Leaf | None]) -> PriorityGroup:
        buffer, xoff, xon = (explicit[word] for word in ("port-buffer", "xoff-threshold", "xon-threshold"))
        group = f"priority_groups.{sp}"
        for leaf, path in ((buffer, "headroom"), (xoff, "xoff_at"), (xon, "xon_below")):
            self.note(f"{group}.{path}", leaf)
        kept, at = (amounts.amount(leaf.value) if leaf is not None else None for leaf in (buffer, xoff))
        below = amounts.amount(xon.value) if xon is not None else None
        headroom = Headroom(by="length")
        if (
            explicit["cable-length"] is not None
            and tuple(amount.bytes if amount is not None else None for amount in (kept, at, below)) == _WRITTEN_ALONG
        ):
            kept = at = below = None
        if kept is not None and at is not None and kept.bytes >= at.bytes:
            headroom = Headroom(Amount.of_bytes(kept.bytes - at.bytes))
        elif explicit["cable-length"] is not None:
            self.note(f"{group}.headroom", explicit["cable-length"])
        return PriorityGroup(True, headroom, Static(at) if at is not None else None, xon_below=below)

    def _pool_priorities(self) -> dict[int, Leaf]:
        return {
            int(path[1]): leaf
            for name, leaves in self._tables.get("traffic-pool", {}).items()
            if name.endswith("-lossless")
            for path, leaf in leaves.items()
            if path[:1] == ("switch-priority",) and len(path) == 2
        }

    def _alpha(self, *path: str) -> tuple[Dynamic | None, Leaf | None]:
        leaf = self._tables.get("advance-buffer-config", {}).get(_D, {}).get((*path, "shared-alpha"))
        return (amounts.alpha(leaf.value), leaf) if leaf is not None else (None, None)

    def pause(self) -> None:
        """Pause of the whole link."""
        leaves = self.profile("link-pause")
        if leaves:
            rx, tx = leaves.get(("rx",)), leaves.get(("tx",))
            self.fields["link_pause"] = LinkPause(*(leaf.value == "enable" if leaf else None for leaf in (rx, tx)))
            self.note("link_pause", next(iter(leaves.values())))

    def remark(self) -> None:
        """Rewriting of the DSCP on the way out."""
        leaves = self.profile("remark")
        how = leaves.get(("rewrite",))
        if how is not None and how.value in {"l3", "both"}:
            self.fields["rewrite"] = tuple(
                sorted(
                    ("tc", int(path[1]), int(leaf.value))
                    for path, leaf in leaves.items()
                    if path[:1] == ("switch-priority",) and path[-1] == "dscp"
                )
            )
        elif how is not None:
            self.fields["rewrite"] = ()
        self.note("rewrite", how)

    def watchdog(self, enabled: bool | None) -> None:
        """PFC watchdog: switched on each port, timed for the device, fixed in what it does."""
        leaves = {path[1]: leaf for path, leaf in self._watchdog_times().items()}
        poll, robustness = leaves.get("polling-interval"), leaves.get("robustness")
        detect = None
        if robustness is not None or poll is not None:
            detect = (int(poll.value) if poll else POLL) * (int(robustness.value) if robustness else ROBUSTNESS)
        if enabled is None and detect is None:
            if "pfc" in self.places:
                self.places["watchdog"] = self.places["pfc"]
            return
        pfc: Pfc | None = self.fields.get("pfc")
        lossless = None if pfc is None or pfc.tx is None or pfc.rx is None else pfc.tx | pfc.rx
        self.fields["watchdog"] = PortWatchdog(
            enabled,
            lossless if enabled else frozenset() if enabled is False else None,
            int(poll.value) if poll is not None else None,
            detect,
            None,
            "ignore-pause" if enabled else None,
        )
        self.note("watchdog.poll", poll)
        self.note("watchdog.detect", robustness or poll)
        if enabled is None and "pfc" in self.places:
            self.places["watchdog"] = self.places["pfc"]

    def _watchdog_times(self) -> dict[tuple[str, ...], Leaf]:
        section = self._tables.get("pfc-watchdog", {})
        return {("pfc-watchdog", word): leaves[()] for word, leaves in section.items() if word and () in leaves}

    def congestion(self) -> None:
        """ECN and RED of each queue."""
        by_queue: dict[int, dict[str, Leaf]] = {}
        for path, leaf in self.profile("congestion-control").items():
            if len(path) == 3:
                by_queue.setdefault(int(path[1]), {})[path[2]] = leaf
        for number, leaves in by_queue.items():
            ecn, red = leaves.get("ecn"), leaves.get("red")
            relative = "mode" in leaves and leaves["mode"].value == "relative"
            low, high = (_threshold(leaves, word, relative=relative) for word in ("min-threshold", "max-threshold"))
            pmax = leaves.get("probability")
            curve = Curve(low, high, int(pmax.value) if pmax is not None else None)
            marks = ecn is None or ecn.value == "enable"
            drops = None if red is None else red.value == "enable"
            queue = self.queues.setdefault(number, {})
            non_ect = None if drops is None else "drop" if drops else "pass"
            queue["ecn"] = Ecn((curve,), non_ect=non_ect) if marks else Ecn(())  # type: ignore[arg-type]
            if drops is not None:
                queue["wred"] = (curve,) if drops and not marks else ()
            at = f"queues.{number}"
            self.note(f"{at}.ecn", ecn or leaves.get("min-threshold") or next(iter(leaves.values())))
            self.note(f"{at}.wred", red)
            self.note(f"{at}.ecn.low", leaves.get("min-threshold"))
            self.note(f"{at}.ecn.high", leaves.get("max-threshold"))
            if ecn is None:
                self.defaulted.add(
                    f"{at}.ecn"
                )  # a listed class marks unless told not to (5.9: set, file and show agree)

    def scheduling(self) -> None:
        """Scheduler, shares, shapers and egress limits."""
        for path, leaf in self.profile("egress-scheduler").items():
            if len(path) == 3:
                queue = self.queues.setdefault(int(path[1]), {})
                if path[2] == "mode":
                    queue["scheduler"] = "strict" if leaf.value == "strict" else "weighted"
                else:
                    queue["weight"], queue["weight_kind"] = int(leaf.value), "percent-of-rest"
                self.note(f"queues.{path[1]}.scheduler", leaf)
                if path[2] == "bw-percent":
                    self.note(f"queues.{path[1]}.weight", leaf)
        said = self.profile("egress-scheduler").values()
        if said and not any(leaf.shown for leaf in said):
            for number in range(8):  # "if you do not specify a value ... DWRR value of 0 (no egress scheduling)"
                queue = self.queues.setdefault(number, {})
                if "scheduler" not in queue and "weight" not in queue:
                    queue |= {"scheduler": "weighted", "weight": 0, "weight_kind": "percent-of-rest"}
        for queue in self.queues.values():
            if queue.get("scheduler") == "strict":
                queue.pop("weight", None), queue.pop("weight_kind", None)
        shaper = self.profile("egress-shaper")
        if ("mode",) not in shaper or shaper["mode",].value == "kbps":
            for path, leaf in shaper.items():
                if len(path) == 3 and leaf.value != "0":
                    word = "shaper" if path[2] == "max-rate" else "guarantee"
                    self.queues.setdefault(int(path[1]), {})[word] = int(leaf.value) * 1000
                    self.note(f"queues.{path[1]}.{word}", leaf)

    def limits(self, lossless: frozenset[int]) -> None:
        """Egress shares of the buffer: one value for all lossless queues, one for each lossy traffic class."""
        to_queue = self.fields.get("tc_to_queue") or tuple(range(8))
        full = {to_queue[sp] if to_queue[sp] is not None else sp for sp in lossless}
        for number in range(8):
            if number in full:
                alpha, leaf = self._alpha("egress-lossless-buffer")
            else:
                alpha, leaf = self._alpha("egress-lossy-buffer", "traffic-class", str(number))
            if alpha is not None:
                self.queues.setdefault(number, {})["limit"] = alpha
                self.note(f"queues.{number}.limit", leaf)


def _threshold(leaves: dict[str, Leaf], word: str, *, relative: bool) -> Amount | None:
    percent = leaves.get(f"{word}-percent")
    if relative and percent is not None:
        return Amount(int(percent.value), "percent")
    leaf = leaves.get(word)
    found: Amount | None = amounts.amount(leaf.value) if leaf is not None else None
    return found


def port_qos(tables: Any, names: dict[str, str], watchdog: bool | None) -> tuple[PortQos, dict[str, Where]]:
    """Return the QoS of a port bound to the profiles `names` (section -> profile), and the place of each leaf."""
    build = _Builder(tables, names)
    build.mapping()
    build.queue_map()
    lossless = build.pfc()
    build.pause()
    build.remark()
    build.watchdog(watchdog)
    build.congestion()
    build.scheduling()
    build.limits(lossless)
    if build.queues:
        build.fields["queues"] = eight({number: Queue(**queue) for number, queue in build.queues.items()})
    if "roce" in tables and any(leaf.system for leaf in build.profile("pfc").values()):
        build.fields["dcbx"] = Dcbx(advertises=frozenset({"app"}))
    return PortQos(**build.fields, defaulted=frozenset(build.defaulted)), build.places
