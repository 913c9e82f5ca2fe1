"""The settings of one combination of bindings: maps, PFC, queues and priority groups, with their lines."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from rocecfg.state.model import (
    UNLIMITED,
    Amount,
    CodeMap,
    Curve,
    Dcbx,
    Dynamic,
    Ecn,
    Headroom,
    LinkPause,
    Pfc,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Queue,
    Where,
    eight,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vendors.junos.classes import Table
    from vendors.junos.config import Classifier, CnProfile, Config, DropProfile, Input, Ref, Scheduler
    from vendors.junos.effective import Bound

COLOURS = {"low": "green", "medium-low": "yellow", "medium-high": "yellow", "high": "red"}
POLL, DETECTION, RECOVERY = 100, 2, 200
"""Watchdog defaults: milliseconds, polls, milliseconds (Juniper "PFC Watchdog")."""
DEFAULT_OUTPUT = {3: frozenset({3}), 4: frozenset({4})}
"""Priorities honoured and the queues they stop, in a profile without `output` (Juniper "flow-control-queue")."""


class Settings:
    """Builds settings from the objects of a configuration; `whole` as in `Resolver`."""

    def __init__(self, config: Config, table: Table, *, whole: bool) -> None:
        self.config, self.table, self.whole = config, table, whole

    def build(self, bound: Bound) -> tuple[PortQos, dict[str, Where]]:
        """Return what a combination of bindings stands for, and the lines that say it."""
        table, places = self.table, dict[str, Where]()
        config = self.config
        dscp = config.classifiers.get(("dscp", bound.dscp.name)) if bound.dscp else None
        pcp = config.classifiers.get(("ieee-802.1", bound.pcp.name)) if bound.pcp else None
        dscp_map, colours = self._code_map(dscp, 64, places)
        pcp_map, _ = self._code_map(pcp, 8, places)
        trust: Literal["both", "dscp", "pcp", "none"] | None = None
        if bound.dscp or bound.pcp:
            trust = "both" if bound.dscp and bound.pcp else "dscp" if bound.dscp else "pcp"
        always = self.table.tc_of.get(bound.fixed.name) if bound.fixed is not None and trust is None else None
        if always is not None:
            trust, dscp_map, pcp_map = "none", CodeMap((always,) * 64), CodeMap((always,) * 8)
        profile = config.cn_profiles.get(bound.cn.name) if bound.cn else None
        pfc, watchdog, groups = None, None, self._groups(profile, dscp, pcp_map, places)
        if bound.cn is not None:
            pfc, watchdog = self._pfc(bound, profile, dscp, places)
        qos = PortQos(
            trust=trust,
            dscp_to_tc=dscp_map,
            pcp_to_tc=pcp_map,
            default_tc=always,
            dscp_to_colour=colours,
            rewrite=self._rewrite(bound.rewrite, places),
            tc_to_queue=table.tc_to_queue,
            tc_to_pg=table.tc_to_pg,
            priority_to_queue=eight(profile.output) if profile is not None and profile.output else None,
            priority_to_pg=self._priority_to_pg(profile, pcp_map),
            pfc=pfc,
            link_pause=LinkPause(*bound.pause) if bound.pause else None,
            dcbx=Dcbx(bound.dcbx[0]) if bound.dcbx else None,  # type: ignore[arg-type]
            cable=profile.cable if profile is not None else None,
            watchdog=watchdog,
            queues=self._queues(bound.maps, places),
            priority_groups=groups,
        )
        return qos, places

    def _code_map(
        self, classifier: Classifier | None, size: int, places: dict[str, Where]
    ) -> tuple[CodeMap | None, tuple[str | None, ...] | None]:
        if classifier is None:
            return None, None
        codes = dict(classifier.codes)
        imported = self.config.classifiers.get((classifier.kind, classifier.imports))
        if imported is not None and imported is not classifier:
            codes = {**imported.codes, **codes}
        to: list[int | None] = [None] * size
        colour: list[str | None] = [None] * size
        stated = 0
        for code, entry in codes.items():
            to[code] = self.table.tc_of.get(entry.forwarding_class)
            colour[code] = COLOURS.get(entry.loss)
            stated |= 1 << code
        if size == 64 and classifier.place is not None:
            places["dscp_to_tc"] = classifier.place
        if size == 8 and classifier.place is not None:
            places["pcp_to_tc"] = classifier.place
        return CodeMap(tuple(to), stated), tuple(colour) if size == 64 else None

    def _rewrite(self, ref: Ref | None, places: dict[str, Where]) -> tuple[tuple[str, int, int], ...] | None:
        rule = self.config.marks.get(("dscp", ref.name)) if ref else None
        if rule is None:
            return None
        marks = []
        for name, by_loss in rule.items():
            tc = self.table.tc_of.get(name)
            code, where = by_loss.get("low") or next(iter(by_loss.values()))
            if tc is not None:
                marks.append(("tc", tc, code))
                if where is not None:
                    places[f"rewrite.tc.{tc}"] = where
                    places.setdefault("rewrite", where)
        return tuple(sorted(marks))

    # pfc ------------------------------------------------------------------------------------------------------

    def _pfc(
        self, bound: Bound, profile: CnProfile | None, dscp: Classifier | None,
        places: dict[str, Where],
    ) -> tuple[Pfc, PortWatchdog | None]:  # fmt: skip
        negotiated = bound.dcbx is not None and bound.dcbx[0] != "off" and not bound.dcbx[1]
        admin: Literal["auto", "on"] = "auto" if negotiated else "on"
        if profile is None:
            return Pfc(admin), None
        _profile_places(profile, places)
        tx: frozenset[int] | None = None
        by: Literal["internal", "pcp"] | None = None
        if any(entry.pfc for entry in profile.inputs.get("ieee-802.1", {}).values()):
            tx, by = frozenset(code for code, entry in profile.inputs["ieee-802.1"].items() if entry.pfc), "pcp"
        elif any(entry.pfc for entry in profile.inputs.get("dscp", {}).values()):
            tx, by = self._paused(profile, dscp), "internal"
        elif self.whole:
            tx = frozenset()
        rx = frozenset(profile.output) if profile.output else None  # without `output` the system's default holds
        return Pfc(admin, tx, rx, by), self._watchdog(profile, rx)

    def _paused(self, profile: CnProfile, dscp: Classifier | None) -> frozenset[int] | None:
        """Return the priorities whose every code point is an input with `pfc`; None when one cannot be told."""
        listed = {code for code, entry in profile.inputs["dscp"].items() if entry.pfc}
        if dscp is None:
            return None
        of_class: dict[str, set[int]] = {}
        for code, entry in dscp.codes.items():
            of_class.setdefault(entry.forwarding_class, set()).add(code)
        priorities = set()
        for name, codes in of_class.items():
            if not codes & listed:
                continue
            priority = self.table.priority_of.get(name)
            if priority is None:
                return None
            if codes <= listed:
                priorities.add(priority)
        return frozenset(priorities)

    def _watchdog(self, profile: CnProfile, rx: frozenset[int] | None) -> PortWatchdog | None:
        found = profile.watchdog
        if found is None:
            return PortWatchdog(enabled=False) if self.whole else None
        poll = POLL if found.poll is None else found.poll
        return PortWatchdog(
            enabled=True,
            priorities=rx,
            poll=poll,
            detect=poll * (DETECTION if found.detection is None else found.detection),
            restore=RECOVERY if found.recovery is None else found.recovery,
            action=found.action or None,  # type: ignore[arg-type]
        )

    def _priority_to_pg(
        self, profile: CnProfile | None, pcp_map: CodeMap | None
    ) -> tuple[frozenset[int] | None, ...] | None:
        groups: dict[int, frozenset[int]] = {}
        table = self.table
        for name, priority in table.priority_of.items():
            if priority is not None and table.lossless[name]:
                groups[priority] = groups.get(priority, frozenset()) | {table.pg_of[name]}
        if profile is not None and pcp_map is not None:
            for code in profile.inputs.get("ieee-802.1", ()):
                tc = pcp_map.to[code]
                group = table.tc_to_pg[tc] if tc is not None and table.tc_to_pg is not None else None
                if group is not None:
                    groups.setdefault(code, frozenset({group}))
        return eight(groups) if groups else None

    def _groups(
        self, profile: CnProfile | None, dscp: Classifier | None, pcp_map: CodeMap | None, places: dict[str, Where]
    ) -> tuple[PriorityGroup | None, ...] | None:
        partition = self.config.partitions.get(("ingress", "lossless"))
        alpha = Dynamic(index=partition.index) if partition is not None and partition.index is not None else None
        groups: dict[int, PriorityGroup] = {}
        for name, group in self.table.pg_of.items():
            if not self.table.lossless[name]:
                groups.setdefault(group, PriorityGroup(lossless=False))
                continue
            entries = _inputs_of(name, profile, dscp, pcp_map, self.table.tc_of)
            xon = {entry.xon for entry in entries}
            mru = {entry.mru for entry in entries}
            found_xon = xon.pop() if len(xon) == 1 else None
            groups[group] = PriorityGroup(
                lossless=True,
                headroom=Headroom(None, by="length") if entries else None,
                xoff_at=alpha,
                xon_below=Amount(found_xon, "cell") if found_xon is not None else None,
                mtu=mru.pop() if len(mru) == 1 else None,
            )
            defined_at = self.config.classes[name].place
            if defined_at is not None:
                places[f"priority_groups.{group}"] = defined_at
            if alpha is not None and partition is not None and partition.place is not None:
                places[f"priority_groups.{group}.xoff_at"] = partition.place
        return eight(groups) if groups else None

    # queues ---------------------------------------------------------------------------------------------------

    def _queues(self, maps: tuple[Ref, ...], places: dict[str, Where]) -> tuple[Queue | None, ...] | None:
        queues: dict[int, Queue] = {}
        for ref in maps:
            for name, scheduler_ref in self.config.scheduler_maps.get(ref.name, {}).items():
                found = self.config.schedulers.get(scheduler_ref.name)
                number = self.table.queue_of.get(name)
                if found is None or number is None or number in queues or number > 7:
                    continue
                queues[number] = self._queue(found)
                path = f"queues.{number}"
                if found.place is not None:
                    places[path] = found.place
                places.update({f"{path}.{leaf}": where for leaf, where in found.places.items() if leaf != "drop"})
                self._curve_places(found, path, places)
        strict = [number for number, queue in queues.items() if queue.scheduler == "strict"]
        if len(strict) == 1:
            queues[strict[0]] = replace(queues[strict[0]], rank=1)
        return eight(queues) if queues else None

    def _queue(self, found: Scheduler) -> Queue:
        curves = tuple(
            _curve(self.config.drop_profiles.get(ref.name), loss) for loss, ref in sorted(found.drops.items())
        )
        ecn: Ecn | None = None
        wred: tuple[Curve, ...] | None = None
        if found.ecn:
            if not curves and not self.whole:
                curves = (Curve(None, None, None),)  # the drop profile may stand in the part we were not given
            ecn = Ecn(curves, non_ect="pass" if found.keeps_non_ect else None)
            wred = ()
        elif self.whole:
            ecn, wred = Ecn(()), curves
        kind: Literal["strict", "weighted"] | None = None
        if found.priority:
            kind = "strict" if found.priority in ("strict-high", "low-latency") else "weighted"
        weighted = kind != "strict" and found.percent is not None
        return Queue(
            scheduler=kind,
            weight=found.percent if weighted else None,
            weight_kind="percent-of-rest" if weighted else None,
            guarantee=found.rate,
            shaper=UNLIMITED if found.shaper_share == 100 else found.shaper,
            shaper_share=found.shaper_share if found.shaper_share != 100 else None,
            ecn=ecn,
            wred=wred,
            limit=Dynamic(index=found.threshold) if found.threshold is not None else None,
        )

    def _curve_places(self, found: Scheduler, path: str, places: dict[str, Where]) -> None:
        """Point ECN and WRED findings at the fill levels, or at the line that binds the profile."""
        leaf = f"{path}.ecn" if found.ecn else f"{path}.wred"
        if isinstance(found.ecn, Where):
            places[leaf] = found.ecn
        for ref in found.drops.values():
            profile = self.config.drop_profiles.get(ref.name)
            where = profile.levels_place or profile.place if profile is not None else ref.place
            if where is not None:
                places[leaf] = where


def _curve(profile: DropProfile | None, loss: str) -> Curve:
    """Return the ramp of a drop profile: from the last level without drops to the last level."""
    colours = frozenset() if loss == "any" else frozenset({COLOURS[loss]})
    if profile is None or not profile.levels:
        return Curve(None, None, None, colours)
    points = list(zip(profile.levels, profile.probabilities, strict=False))
    low = profile.levels[0]
    for level, probability in points:
        if probability:
            break
        low = level
    last = profile.probabilities[-1] if profile.probabilities else None
    return Curve(Amount(low, "percent"), Amount(profile.levels[-1], "percent"), last, colours)


def _inputs_of(
    name: str, profile: CnProfile | None, dscp: Classifier | None, pcp_map: CodeMap | None, tc_of: Mapping[str, int]
) -> list[Input]:
    """Return the `pfc` inputs of a profile whose packets land in a class."""
    if profile is None:
        return []
    found: list[Input] = []
    for code, entry in profile.inputs.get("dscp", {}).items():
        if entry.pfc and dscp is not None and code in dscp.codes and dscp.codes[code].forwarding_class == name:
            found.append(entry)
    for code, entry in profile.inputs.get("ieee-802.1", {}).items():
        if entry.pfc and pcp_map is not None and pcp_map.to[code] == tc_of.get(name):
            found.append(entry)
    return found


def _profile_places(profile: CnProfile, places: dict[str, Where]) -> None:
    """Point at the halves of a CN profile, or at the profile where a half is missing."""
    for leaf, part in (("pfc.tx", "input"), ("pfc.rx", "output")):
        where = profile.places.get(part) or profile.place
        if where is not None:
            places[leaf] = where
    if "output" in profile.places:
        places["priority_to_queue"] = profile.places["output"]
    if "cable" in profile.places:
        places["cable"] = profile.places["cable"]
    if profile.watchdog is not None and profile.watchdog.place is not None:
        places["watchdog"] = profile.watchdog.place
        names = {"poll-interval": "poll", "detection": "detect", "recovery": "restore", "watchdog-action": "action"}
        for word, leaf in names.items():
            if f"watchdog.{word}" in profile.places:
                places[f"watchdog.{leaf}"] = profile.places[f"watchdog.{word}"]
