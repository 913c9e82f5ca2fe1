"""What rules about whole paths and the whole fabric need, gathered as devices come by, and how they are run.

Of a device the cabled ports are kept, and of those one object for all that differ in nothing such a rule reads: the
memory of a run grows with its cables only, by a few bytes for each end.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocecfg.fabric.links import Cable, PortName
from rocecfg.lint.api import End, Given, Hit, Unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence
    from fractions import Fraction

    from rocecfg.fabric.graph import DeclaredPath, Fabric, Held, Topology
    from rocecfg.fabric.links import Cabling
    from rocecfg.fabric.paths import Path
    from rocecfg.findings import Finding, Spot
    from rocecfg.intent.fabric import Fabric as Intent
    from rocecfg.lint.checks import Check, Checks
    from rocecfg.lint.expect import Expectations
    from rocecfg.state.model import Device, Interner, Port, Where

_KEPT = frozenset(
    {"pfc", "trust", "dscp_to_tc", "default_tc", "rewrite", "tc_to_queue", "tc_to_pg", "mtu", "queues", "watchdog",
     "nic", "speed", "priority_to_queue"}
)  # fmt: skip
"""First words of the places that are kept; a finding about any other leaf points at the port's own line."""


class _Found:
    """Hits of one device with the same text: their ports, and the first line."""

    __slots__ = ("check", "hit", "nos", "place", "ports")

    def __init__(self, check: Check, hit: Hit, nos: str, place: Spot | None) -> None:
        self.check, self.hit, self.nos, self.place = check, hit, nos, place
        self.ports: dict[str, None] = {}


class Whole:
    """Gathers what fabric and path rules read, then runs them."""

    def __init__(
        self,
        checks: Checks,
        cabling: Cabling,
        expect: Expectations,
        intent: Intent | None,
        declared: Sequence[DeclaredPath] = (),
    ) -> None:
        self._checks, self._cabling, self._expect, self._intent = checks, cabling, expect, intent
        self._declared = tuple(declared)
        self._held: dict[str, Held] = {}
        self._hosts = {name for name, kind in cabling.kinds.items() if kind == "host"}
        self._maybe_hosts: set[str] = set()
        self._roles: dict[str, str] = {}

    def wanted(self) -> bool:
        """Return whether there is a fabric to look at, and a rule to do so.

        An intent whose cables all lead to hosts needs no fabric rule: no imports are spent on it.
        """
        if not (self._cabling.cables or self._declared):
            return False
        if not self._held and not self._declared and not self._joins_switches():
            return False
        return bool(self._checks.of("Fabric") or (self._held and self._checks.of("Path")))

    def _joins_switches(self) -> bool:
        hosts = self._hosts
        return any(cable.a.device not in hosts and cable.b.device not in hosts for cable in self._cabling.cables)

    def add(self, device: Device, share: Callable[[], Interner]) -> None:
        """Keep what is needed of a device."""
        cables = self._cabling.at(device.name)
        if device.role:
            self._roles[device.name] = device.role
        if device.kind == "host":
            self._hosts.add(device.name)
        if not (cables or self._declared) or not (self._checks.of("Fabric") or self._checks.of("Path")):
            return
        from rocecfg.fabric.graph import Held

        same: dict[Hashable, Port] = {}
        ports: dict[str, Port] = {}
        for name, at_port in cables.items():
            port = device.ports.get(name)
            if port is None:
                continue
            if port.role == "host" and device.kind == "switch":
                self._maybe_hosts.update(_far(cable, device.name) for cable in at_port)
            key = (id(port.qos), port.mtu, port.mtu_counts, port.speed, port.speed_now, port.role, port.mode,
                   port.enabled, port.nic)  # fmt: skip
            kept = same.get(key)
            if kept is None:
                kept = same[key] = replace(port, qos=share()(port.qos), places=_places(port), neighbour=None)
            ports[name] = kept
        self._held[device.name] = Held(replace(device, ports={}, objects=(), lines=(), pools=None, sample=None), ports)

    def fabric(self) -> Fabric:
        """Return the fabric as far as it is known."""
        from rocecfg.fabric.graph import Fabric, Topology

        cables = [*self._cabling.cables, *self._declared_cables()]
        known = {*self._held, *(self._intent.devices if self._intent is not None else ())}
        known |= {node.device for path in self._declared for node in path.nodes[1:-1]}
        hosts = self._hosts | {name for name in self._maybe_hosts if name not in known}
        roles = dict(self._roles)
        if self._intent is not None:
            roles.update((name, d.role) for name, d in self._intent.devices.items() if d.role and d.kind == "switch")
        topology = Topology.of_cables(cables, hosts=hosts, known=known, roles=roles)
        return Fabric(
            topology,
            self._held,
            self._declared,
            self._lossless(topology),
            lambda at: cables[at].place,
            self._oversubscription,
            lambda at: self._speed(cables[at]),
            lambda at: cables[at].length,
        )

    def _speed(self, cable: Cable) -> int | None:
        if cable.speed is not None:
            return cable.speed
        for end in (cable.a, cable.b):
            held = self._held.get(end.device)
            port = held.ports.get(end.port) if held is not None else None
            if port is not None and port.line_rate:
                return port.line_rate
        return None

    def _declared_cables(self) -> Iterator[Cable]:
        """Yield a nameless cable for each step of a declared path where no cable at all is known."""
        if self._cabling.cables:
            return
        seen: set[tuple[str, str]] = set()
        for path in self._declared:
            for here, there in zip(path.nodes, path.nodes[1:], strict=False):
                a, b = sorted((here.device, there.device))
                if (a, b) not in seen:
                    seen.add((a, b))
                    yield Cable(PortName(a, ""), PortName(b, ""), place=path.place)

    def _lossless(self, topology: Topology) -> frozenset[int] | None:
        wanted = [self._expect.of(name) for at, name in enumerate(topology.names) if at not in topology.hosts]
        stated = [item for item in wanted if item is not None and item.classes]
        return frozenset().union(*(item.lossless for item in stated)) if stated else None

    def _oversubscription(self, device: str) -> Fraction | None:
        if self._intent is None or device not in self._intent.devices:
            return None
        value: Fraction | None = self._intent.settings(device).max_oversubscription.value
        return value

    # -- running -----------------------------------------------------------------------------------------------------

    def judge(self) -> Iterator[tuple[Check, Any, str] | Finding]:
        """Yield findings, and as (check, outcome, device) what was not evaluated or failed."""
        fabric = self.fabric()
        found: dict[tuple[object, ...], _Found] = {}
        for check in self._checks.of("Fabric"):
            given = Given(check.options, self._expect.of("*") or self._any_expectation(fabric))
            for outcome in check.outcomes(fabric, given):
                yield from self._taken(check, outcome, found)
        if self._held and self._checks.of("Path"):
            yield from self._paths(fabric, found)
        for item in found.values():
            device = item.hit.end.device_name if item.hit.end is not None else ""
            yield item.check.finding(item.hit, device, item.place, tuple(item.ports), item.nos)

    def _any_expectation(self, fabric: Fabric) -> Any:
        names = (name for at, name in enumerate(fabric.topology.names) if at not in fabric.topology.hosts)
        return next((wanted for name in names if (wanted := self._expect.of(name)) is not None), None)

    def _paths(self, fabric: Fabric, found: dict[tuple[object, ...], _Found]) -> Iterator[Any]:
        from rocecfg.fabric.paths import covering

        quiet: dict[Hashable, list[tuple[Check, str, int]]] = {}
        for path in covering(fabric):
            first = path.hops[0]
            expect = self._expect.of(first.device, first.leaves or None) or self._any_of(path)
            key = (path.treatment(), id(expect))
            if key in quiet:  # judged before, and nothing was found: only what is unknown is said of these devices too
                for check, missing, at in quiet[key]:
                    yield check, Unknown(missing), path.hops[at].device if at >= 0 else ""
                continue
            names = {hop.device: at for at, hop in enumerate(path.hops)}
            unknown: list[tuple[Check, str, int]] | None = []
            for check in self._checks.of("Path"):
                for outcome in check.outcomes(path, Given(check.options, expect)):
                    if not isinstance(outcome, Unknown):
                        unknown = None
                    elif unknown is not None:
                        at = names.get(outcome.end.device_name, -1) if outcome.end is not None else -1
                        unknown.append((check, outcome.missing, at))
                    yield from self._taken(check, outcome, found, path=True)
            if unknown is not None:
                quiet[key] = unknown

    def _any_of(self, path: Path) -> Any:
        return next((wanted for hop in path.hops if (wanted := self._expect.of(hop.device)) is not None), None)

    def _taken(
        self, check: Check, outcome: Any, found: dict[tuple[object, ...], _Found], *, path: bool = False
    ) -> Iterator[Any]:
        end = self._end(outcome.end) if isinstance(outcome, Hit | Unknown) and outcome.end is not None else None
        if not isinstance(outcome, Hit):
            yield check, outcome, end.device_name if end is not None else ""
            return
        device = end.device_name if end is not None else ""
        text = outcome.leaf if path else outcome.message  # each way words it anew: one sentence a device is enough
        key = (check.rule.id, device, text, outcome.object, outcome.severity)
        nos = end.device.nos if end is not None and end.device is not None else ""
        place = outcome.place or (end.port.where(outcome.leaf) if end is not None and end.port is not None else None)
        if place is None and end is not None and end.device is not None:
            place = end.device.place
        item = found.setdefault(key, _Found(check, outcome, nos, place))
        names = outcome.ports or ((end.port_name,) if end is not None and end.port_name else ())
        item.ports.update(dict.fromkeys(names))
        if place is not None and (item.place is None or _before(place, item.place)):
            item.place = place

    def _end(self, end: End) -> End:
        """Return an end with device and port, as far as they were read: rules give the names alone."""
        held = self._held.get(end.device_name)
        if held is None or end.device is not None:
            return end
        return End(end.device_name, end.port_name, held.device, held.ports.get(end.port_name))


def _before(one: Spot, other: Spot) -> bool:
    return (one.file, one.line, one.column) < (other.file, other.line, other.column)


def _far(cable: Cable, device: str) -> str:
    return cable.b.device if cable.a.device == device else cable.a.device


def _places(port: Port) -> dict[str, Where]:
    return {leaf: place for leaf, place in port.places.items() if leaf.partition(".")[0] in _KEPT}
