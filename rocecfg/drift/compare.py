"""What a live device has otherwise than the plan wants: findings of rule DRIFT-001.

Equal differences of several ports are one finding. What the capture cannot prove is "not evaluated": a leaf the
text is silent about differs only where the capture holds the whole section.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rocecfg.drift.leaves import NOT_SET, Difference, differences, pool_differences
from rocecfg.drift.names import leaf_words, section_of
from rocecfg.findings import Finding, NotEvaluated, Severity
from rocecfg.lint.ranges import compact
from rocecfg.state.model import eight

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rocecfg.plan.planned import PlannedDevice
    from rocecfg.state.model import Device, Port, PortQos, Queue

RULE, NAME = "DRIFT-001", "rendered-vs-live"
_DEVICE_LEAVES = ("pfc_enabled", "ecn_enabled", "ecn_on_pool", "buffer_model", "traffic")


@dataclass(slots=True)
class Drift:
    """What a comparison found, and what it could not judge."""

    findings: list[Finding] = field(default_factory=list)
    not_evaluated: list[NotEvaluated] = field(default_factory=list)


def compare(planned: PlannedDevice, live: Device, severity: Severity = Severity.ERROR) -> Drift:
    """Return the drift of one device. Ports that the plan does not have are not looked at."""
    return _Comparison(planned, live, severity).run()


def _numbered_as(wanted: PortQos, fitted: PortQos) -> PortQos:
    """Return a plan whose queues bear the numbers that the device gives them, by the classes that are in them."""
    before, after = wanted.tc_to_queue, fitted.tc_to_queue
    if wanted.queues is None or before is None or after is None:
        return wanted
    moved: dict[int, Queue] = {}
    for of, to in zip(before, after, strict=False):
        if of is not None and to is not None and of < len(wanted.queues) and (queue := wanted.queues[of]) is not None:
            moved.setdefault(to, queue)
    return replace(wanted, queues=eight(moved)) if all(number < 8 for number in moved) else wanted


class _Comparison:
    def __init__(self, planned: PlannedDevice, live: Device, severity: Severity) -> None:
        self._planned = planned
        self._live = live
        self._severity = severity
        self._drift = Drift()
        self._unknown: dict[str, None] = {}
        self._of_qos: dict[tuple[int, int, int], list[Difference]] = {}

    def run(self) -> Drift:
        """Compare the device, then its ports, and return everything in a fixed order."""
        fitted, live = self._planned.fitted, self._live
        found: dict[Difference, list[str]] = {}
        missing = [name for name in fitted.ports if name not in live.ports]
        for name, port in fitted.ports.items():
            if name in live.ports:
                for difference in self._port(self._planned.wanted.ports[name], port, live.ports[name]):
                    found.setdefault(difference, []).append(name)
        for difference in self._device():
            self._report(difference, [])
        if missing:
            self._report_missing(missing)
        for difference, ports in found.items():
            self._report(difference, ports)
        self._drift.findings.sort(key=Finding.sort_key)
        self._drift.not_evaluated = [NotEvaluated(RULE, self._planned.name, text) for text in sorted(self._unknown)]
        return self._drift

    def _device(self) -> Iterator[Difference]:
        wanted, fitted, live = self._planned.wanted, self._planned.fitted, self._live
        for leaf in _DEVICE_LEAVES:
            yield from differences(leaf, getattr(wanted, leaf), getattr(fitted, leaf), getattr(live, leaf))
        if wanted.pools is not None:
            yield from pool_differences(fitted.pools, live.pools)

    def _port(self, wanted: Port, fitted: Port, live: Port) -> Iterable[Difference]:
        found = list(self._qos(wanted.qos, fitted.qos, live.qos))
        if fitted.mtu_counts == live.mtu_counts or live.mtu is None or live.mtu_counts is None:
            found += differences("mtu", wanted.mtu, fitted.mtu, live.mtu)
        else:
            found.append(Difference("mtu", f"{fitted.mtu} ({fitted.mtu_counts})", None, absence=True))
        found += differences("nic", wanted.nic, fitted.nic, live.nic)
        return found

    def _qos(self, wanted: PortQos, fitted: PortQos, live: PortQos) -> list[Difference]:
        """Compare the settings that ports share: once per combination of objects."""
        key = (id(wanted), id(fitted), id(live))
        known = self._of_qos.get(key)
        if known is None:
            known = self._of_qos[key] = list(differences("", _numbered_as(wanted, fitted), fitted, live))
        return known

    def _report(self, difference: Difference, ports: list[str]) -> None:
        leaf, want, have = difference.leaf, difference.want, difference.have
        if have is None:
            if difference.absence or not self._live.knows_all_of(section_of(leaf)):
                self._unknown[f"{leaf_words(leaf)}: the capture does not say"] = None
                return
            have = NOT_SET
        because = self._because(leaf, ports)
        message = f"{leaf_words(leaf)} is {have}, the plan wants {want}{f' ({because})' if because else ''}"
        cure = f"set it to {want} with the lines that `rocecfg render` writes, or change the intent"
        self._finding(leaf, ports, message, cure)

    def _report_missing(self, missing: list[str]) -> None:
        if not self._live.knows_all_of("interfaces"):
            self._unknown[f"ports {compact(missing)}: the capture does not show them"] = None
            return
        word = "port" if len(missing) == 1 else f"{len(missing)} ports"
        message = f"the plan has {word} {compact(missing)}, the device shows no such port"
        self._finding("", missing, message, "check port names and breakout of the intent against the device")

    def _finding(self, leaf: str, ports: list[str], message: str, cure: str) -> None:
        live = self._live
        place = live.ports[ports[0]].where(leaf) if ports and ports[0] in live.ports else live.place
        file, line, column = (place.file, place.line, place.column) if place else ("", 0, 0)
        about = (self._planned.name, compact(ports))
        self._drift.findings.append(
            Finding(RULE, NAME, self._severity, *about, message, cure, file, line, column, tuple(ports), leaf)
        )

    def _because(self, leaf: str, ports: list[str]) -> str:
        """Return the plan's reason for a leaf, or for the nearest one around it."""
        if not ports:
            return ""
        reasons = {number.name: number.because for number in self._planned.numbers(ports[0])}
        if leaf.startswith("pfc.") and leaf != "pfc.admin":
            leaf = "pfc.priorities"
        while leaf:
            if leaf in reasons:
                return "" if reasons[leaf] == "the intent" else _brief(reasons[leaf])
            leaf = leaf.rpartition(".")[0]
        return ""


_LONGEST_REASON = 120


def _brief(reason: str) -> str:
    """Return the first clause of a reason: `rocecfg plan --why` has the rest."""
    first = reason.partition("; ")[0]
    return first if len(first) <= _LONGEST_REASON else first[:_LONGEST_REASON].rpartition(" ")[0] + " ..."
