"""Runs the rules over devices, cables, fleet and intent.

    result = lint(devices, intent=fabric, settings=settings)
    result.findings, result.not_evaluated

`Linter` is the same for a stream: `add` each device as it is read, then `result()`. Work is shared: a `PortQos` is
judged once however many ports and devices hold it, a port once per group of equal ports, a cable as soon as both ends
were seen. A rule that fails becomes a finding RUN-008, never a traceback.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from rocecfg.fabric.links import Cable, Cabling, cables_of_neighbours
from rocecfg.findings import Finding, NotEvaluated
from rocecfg.lint.api import Expected, Fleet, Given, Hit, Link, Unknown
from rocecfg.lint.checks import INTERNAL_ERROR, Check, Checks, Result
from rocecfg.lint.config import Settings
from rocecfg.lint.expect import Expectations
from rocecfg.lint.held import Ends, for_fleet
from rocecfg.lint.samples import CounterRules
from rocecfg.lint.suppress import Suppressions
from rocecfg.lint.whole import Whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rocecfg.fabric.graph import DeclaredPath
    from rocecfg.findings import Spot
    from rocecfg.intent.fabric import Fabric
    from rocecfg.state.model import Device, Interner, Port, PortQos

__all__ = ["Linter", "Result", "lint"]

_MOST_REMEMBERED = 4096
"""Distinct `PortQos` whose verdicts are kept; more than any fabric has, and it bounds the memory on strange input."""

_NO_CABLES = "the cables: neither an intent, a links file nor LLDP gives any"


class _PortGroup(NamedTuple):
    """Ports of a device that differ in nothing a `Port` rule may look at."""

    ports: list[Port]
    expect: Expected | None


@dataclass(slots=True)
class _Found:
    """Hits of one device with the same text, with all ports they hold for."""

    check: Check
    hit: Hit
    ports: list[Port] = field(default_factory=list)


@dataclass(slots=True)
class _OnLinks:
    """Hits of one device's links with the same text: port and place of each."""

    check: Check
    hit: Hit
    nos: str
    ends: list[tuple[str, Spot | None]] = field(default_factory=list)


def lint(
    devices: Sequence[Device],
    *,
    intent: Fabric | None = None,
    links: Iterable[Cable] | None = None,
    settings: Settings | None = None,
    suppressions: Suppressions | None = None,
    expect: Mapping[str, Expected] | None = None,
    paths: Sequence[DeclaredPath] = (),
) -> Result:
    """Judge devices, their cables and an intent.

    Cables come from `links`, else from the intent, else from LLDP. `expect` states by device name ("*" = all) what
    an intent would, `paths` the ways packets take. Raises ConfigurationError when the settings name unknown rules or
    a rule file is wrong.
    """
    if links is None and intent is None:
        links = cables_of_neighbours(devices) or None
    linter = Linter(settings, intent=intent, links=links, suppressions=suppressions, expect=expect, paths=paths)
    for device in devices:
        linter.add(device)
    return linter.result()


class Linter:
    """Judges devices one by one. Holds what links and fleet rules still need, nothing else."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        intent: Fabric | None = None,
        links: Iterable[Cable] | None = None,
        suppressions: Suppressions | None = None,
        expect: Mapping[str, Expected] | None = None,
        paths: Sequence[DeclaredPath] = (),
    ) -> None:
        self._settings = settings or Settings()
        self._intent = intent
        self._suppressions = suppressions or Suppressions()
        self._expect = Expectations(intent, expect)
        if links is not None:
            self._cabling = Cabling(links, {name: d.kind for name, d in intent.devices.items()} if intent else None)
        else:
            self._cabling = Cabling.of_fabric(intent) if intent is not None else Cabling(())
        self._checks = Checks(self._settings)
        self._verdicts: dict[tuple[str, PortQos, frozenset[str], Expected | None], list[tuple[Check, Any]]] = {}
        self._findings: list[Finding] = []
        self._missing: dict[NotEvaluated, None] = {}
        self._ends: Ends | None = None
        self._share: Interner | None = None
        self._fleets: dict[tuple[str, str, str], list[Device]] = {}
        self._on_links: dict[tuple[object, ...], _OnLinks] = {}
        self._in_fleet: set[tuple[str, ...]] = set()
        self._counters = CounterRules(self._checks, self._expect)
        self._whole = Whole(self._checks, self._cabling, self._expect, intent, paths)
        self._has_ports = False

    def add(self, device: Device) -> None:
        """Judge one device, and each of its cables whose other end was already added."""
        self._has_ports = self._has_ports or bool(device.ports)
        device = self._known(self._cabling.overlay(device))
        found: dict[tuple[object, ...], _Found] = {}
        for check, outcome, ports in self._port_outcomes(device):
            if isinstance(outcome, Hit):
                key = (check.rule.id, outcome.message, outcome.object, outcome.leaf, outcome.severity, outcome.help)
                found.setdefault(key, _Found(check, outcome)).ports.extend(ports)
            else:
                self._other(check, outcome, device.name)
        for item in found.values():
            self._findings.extend(self._port_findings(device, item))
        self._device_rules(device)
        for link in self._pairs(device):
            self._link(link)
        self._whole.add(device, self._shared)
        for check, outcome in self._counters.judge(device):
            self._take(check, outcome, device)
        if device.role is not None and self._checks.of("Fleet", device.kind):
            twins = (device.role, device.nos, device.model or "")
            if (*twins, device.name) not in self._in_fleet:  # a second capture of a device is no second device
                self._in_fleet.add((*twins, device.name))
                self._fleets.setdefault(twins, []).append(for_fleet(device, self._shared()))

    def result(self) -> Result:
        """Judge what needed all devices, and return everything in report order."""
        self._whole_rules()
        self._links_left()
        self._fleet_rules()
        for check, outcome, device in self._counters.left(self._cabling, self._intent):
            self._take(check, outcome, device)
        if self._intent is not None:
            self._intent_rules(self._intent)
        kept, silenced = self._suppressions.apply(sorted(self._counters.once(self._findings), key=Finding.sort_key))
        missing = sorted(self._missing, key=lambda item: (item.device, item.rule, item.missing))
        return Result(tuple(kept), tuple(missing), tuple(silenced), tuple(self._suppressions.unused()))

    # -- ports -------------------------------------------------------------------------------------------------------

    def _port_outcomes(self, device: Device) -> Iterator[tuple[Check, Any, list[Port]]]:
        """Yield what PortQos rules and Port rules say, each with the ports it holds for."""
        by_qos, by_port = self._grouped(device)
        for group in by_qos.values():
            for check, outcome in self._qos_verdicts(device.kind, group):
                yield check, outcome, group.ports
        checks = self._checks.of("Port", device.kind)
        for group in by_port.values() if checks else ():
            for check in checks:
                given = Given(check.options, group.expect, device)
                for outcome in check.outcomes(group.ports[0], given):
                    yield check, outcome, group.ports

    def _grouped(self, device: Device) -> tuple[dict[tuple[int, int], _PortGroup], dict[object, _PortGroup]]:
        by_qos: dict[tuple[int, int], _PortGroup] = {}
        by_port: dict[object, _PortGroup] = {}
        of = self._expect.of
        for port in device.ports.values():
            expect = of(device.name, port.name)
            key = (id(port.qos), id(expect))
            group = by_qos.get(key)
            if group is None:
                group = by_qos[key] = _PortGroup([], expect)
            group.ports.append(port)
            facts = (key, port.speed, port.mtu, port.role, port.mode, port.mtu_counts, port.speed_now, port.enabled,
                     id(port.nic), port.neighbour.source if port.neighbour is not None else None)  # fmt: skip
            same = by_port.get(facts)
            if same is None:
                same = by_port[facts] = _PortGroup([], expect)
            same.ports.append(port)
        return by_qos, by_port

    def _qos_verdicts(self, kind: str, group: _PortGroup) -> list[tuple[Check, Any]]:
        qos = group.ports[0].qos
        key = (kind, qos, qos.defaulted, group.expect)
        known = self._verdicts.get(key)
        if known is None:
            known = [
                (check, outcome)
                for check in self._checks.of("PortQos", kind)
                for outcome in check.outcomes(qos, Given(check.options, group.expect))
            ]
            if len(self._verdicts) >= _MOST_REMEMBERED:
                self._verdicts.clear()
            self._verdicts[key] = known
        return known

    def _port_findings(self, device: Device, item: _Found) -> Iterator[Finding]:
        """Yield a finding per line that decides for several ports, and one for all ports with lines of their own."""
        shared: dict[Spot | None, list[Port]] = {}
        for port in item.ports:
            shared.setdefault(item.hit.place or port.where(item.hit.leaf), []).append(port)
        alone = [ports[0] for ports in shared.values() if len(ports) == 1]
        groups = [ports for ports in shared.values() if len(ports) > 1]
        for ports in [*groups, alone] if alone else groups:
            place = item.hit.place or _earliest(port.where(item.hit.leaf) for port in ports)
            names = tuple(port.name for port in ports)
            yield item.check.finding(item.hit, device.name, place, names, device.nos)

    def _known(self, device: Device) -> Device:
        """Return a device with role and model from the intent, where the capture does not say."""
        planned = self._intent.devices.get(device.name) if self._intent is not None else None
        if planned is None or (device.role is not None and device.model is not None):
            return device
        return replace(device, role=device.role or planned.role, model=device.model or planned.model)

    # -- devices, cables, fleet, intent ------------------------------------------------------------------------------

    def _device_rules(self, device: Device) -> None:
        expect = self._expect.of(device.name)
        for check in self._checks.of("Device", device.kind):
            for outcome in check.outcomes(device, Given(check.options, expect, device)):
                self._take(check, outcome, device)

    def _shared(self) -> Interner:
        if self._share is None:
            from rocecfg.state.model import Interner

            self._share = Interner()
        return self._share

    def _pairs(self, device: Device) -> Iterator[Link]:
        """Yield the links that this device completes."""
        if not self._cabling.at(device.name) or not self._checks.of("Link"):
            return
        if self._ends is None:
            self._ends = Ends(self._cabling, self._shared())
        yield from self._ends.complete(device)

    def _links_left(self) -> None:
        """Judge cables with an end that never came; say so when no cable is known at all."""
        if not self._cabling.cables:
            for check in self._checks.of("Link") if self._has_ports else ():
                if len(check.rule.checks) > 1:
                    continue  # the rule judged the devices without the cables
                self._missing[NotEvaluated(check.rule.id, "", _NO_CABLES)] = None
        for link in self._ends.left() if self._ends is not None else ():
            self._link(link)
        for key, found in self._on_links.items():
            device = str(key[1])
            names = tuple(name for name, _ in sorted(found.ends, key=lambda end: _natural(end[0])))
            place = _earliest(place for _, place in found.ends)
            self._findings.append(found.check.finding(found.hit, device, place, names, found.nos))

    def _whole_rules(self) -> None:
        """Judge whole paths and the whole fabric; say so when no cable is known."""
        if self._whole.wanted():
            for outcome in self._whole.judge():
                if isinstance(outcome, Finding):
                    self._findings.append(outcome)
                else:
                    self._other(*outcome)
        elif self._has_ports and not self._cabling.cables:
            for check in (*self._checks.of("Path"), *self._checks.of("Fabric")):
                if len(check.rule.checks) == 1:
                    self._missing[NotEvaluated(check.rule.id, "", _NO_CABLES)] = None

    def _link(self, link: Link) -> None:
        ends = (link.a, link.b)
        expect = next((wanted for end in ends if (wanted := self._expect.of(end.device_name, end.port_name))), None)
        for check in self._checks.of("Link"):
            for outcome in check.outcomes(link, Given(check.options, expect)):
                end = (outcome.end if isinstance(outcome, Hit | Unknown) else None) or link.a
                if not isinstance(outcome, Hit):
                    self._other(check, outcome, end.device_name)
                    continue
                key = (check.rule.id, end.device_name, outcome.message, outcome.object, outcome.severity)
                found = self._on_links.setdefault(key, _OnLinks(check, outcome, end.device.nos if end.device else ""))
                place = outcome.place or (end.port.where(outcome.leaf) if end.port else None) or link.place
                found.ends.append((end.port_name, place))

    def _fleet_rules(self) -> None:
        for (role, _, _), devices in sorted(self._fleets.items()):
            ordered = sorted(devices, key=lambda device: device.name)
            expects = {device.name: self._expect.of(device.name) for device in ordered}
            fleet = Fleet(role, tuple(ordered), {name: expect for name, expect in expects.items() if expect})
            for check in self._checks.of("Fleet", ordered[0].kind):
                for outcome in check.outcomes(fleet, Given(check.options)):
                    odd = outcome.device if isinstance(outcome, Hit) else None
                    self._take(check, outcome, odd or ordered[0])

    def _intent_rules(self, fabric: Fabric) -> None:
        for check in self._checks.of("Intent"):
            for outcome in check.outcomes(fabric, Given(check.options)):
                if isinstance(outcome, Hit):
                    self._findings.append(check.finding(outcome, "", outcome.place))
                else:
                    self._other(check, outcome, "")

    # -- findings ----------------------------------------------------------------------------------------------------

    def _take(self, check: Check, outcome: object, device: Device) -> None:
        """Note what a rule says about a device as a whole, or about some of its ports."""
        if not isinstance(outcome, Hit):
            self._other(check, outcome, device.name)
            return
        ports = [device.ports[name] for name in outcome.ports if name in device.ports]
        place = outcome.place or _earliest(port.where(outcome.leaf) for port in ports) or device.place
        self._findings.append(check.finding(outcome, device.name, place, outcome.ports, device.nos))

    def _other(self, check: Check, outcome: object, device: str) -> None:
        """Note what a rule could not judge, or that it failed."""
        if isinstance(outcome, Unknown):
            self._missing[NotEvaluated(check.rule.id, device, outcome.missing)] = None
        else:
            self._missing[NotEvaluated(check.rule.id, device, f"the rule failed (see {INTERNAL_ERROR})")] = None
            self._findings.append(check.failure(outcome, device))


def _natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key that puts swp2 before swp10."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d{1,9})", name)]


def _earliest(places: Iterable[Spot | None]) -> Spot | None:
    """Return the first line among places, None when there is none."""
    return min(
        (place for place in places if place is not None), key=lambda at: (at.file, at.line, at.column), default=None
    )
