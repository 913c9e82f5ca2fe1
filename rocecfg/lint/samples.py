"""Runs the rules about counters: pairs the captures of each device, and keeps nothing of it but its counters.

What waits for a second capture is packed (counters are mostly zeros), so that a run over many devices with one
capture each stays small.
"""

from __future__ import annotations

import pickle
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocecfg.lint.api import Given, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rocecfg.fabric.links import Cabling
    from rocecfg.findings import Finding
    from rocecfg.intent.fabric import Fabric
    from rocecfg.lint.checks import Check, Checks
    from rocecfg.lint.counting import Cnps, CounterFabric, CounterPair, Paused
    from rocecfg.lint.expect import Expectations
    from rocecfg.state.counters import Sample
    from rocecfg.state.model import Device


class CounterRules:
    """Feeds the counter rules: each device as it comes, and at the end what all of them say together."""

    def __init__(self, checks: Checks, expect: Expectations) -> None:
        self._checks = checks
        self._expect = expect
        self._samples: Samples | None = None
        self._now: dict[str, tuple[Device, list[tuple[Check, Any]]]] = {}

    def judge(self, device: Device) -> Iterator[tuple[Check, Any]]:
        """Yield what rules say about a device's two captures, once the second one is there."""
        if device.sample is None or not self._wanted():
            return
        from rocecfg.lint.counting import Counters

        if self._samples is None:
            self._samples = Samples()
        expect = self._expect.of(device.name)
        if self._samples.newest(device):
            subject = Counters(device, device.sample)
            checks = self._checks.of("Counters", device.kind)
            outcomes = [(check, found) for check in checks for found in _judged(check, subject, expect, device)]
            self._now[device.name] = _bare(device), outcomes
        pair = self._samples.pair(device)
        for check in self._checks.of("CounterPair", device.kind) if pair is not None else ():
            for outcome in _judged(check, pair, expect, device):
                yield check, outcome

    def left(self, cabling: Cabling, intent: Fabric | None) -> Iterator[tuple[Check, Any, Device]]:
        """Yield what one capture and all pairs together say, and which rules had but one capture."""
        samples = self._samples
        if samples is None:
            return
        for device, outcomes in self._now.values():
            paired = samples.paired(device.name)
            for check, outcome in outcomes:
                if not (paired and any(head.subject == "CounterPair" for head in check.rule.checks)):
                    yield check, outcome, device
        nobody = _bare(next(iter(self._now.values()))[0], "")
        if samples.alone:
            for check in self._checks.of("CounterPair"):
                yield check, Unknown("a second capture of the device, some time later"), nobody
        hosts = [name for name, device in intent.devices.items() if device.kind == "host"] if intent else []
        fabric = samples.fabric(cabling, hosts)
        for check in self._checks.of("CounterFabric") if fabric is not None else ():
            for outcome in check.outcomes(fabric, Given(check.options)):
                yield check, outcome, getattr(outcome, "device", None) or nobody

    def once(self, findings: Iterable[Finding]) -> set[Finding]:
        """Return the distinct findings; what two captures of a device show alike is said once, of the one read last."""
        samples = self._samples
        if samples is None:
            return set(findings)
        kept: dict[Finding, Finding] = {}
        for finding in findings:
            if samples.paired(finding.device):
                kept[replace(finding, file="", line=0, column=0)] = finding
            else:
                kept[finding] = finding
        return set(kept.values())

    def _wanted(self) -> bool:
        return any(self._checks.of(subject) for subject in ("Counters", "CounterPair", "CounterFabric"))


def _judged(check: Check, subject: object, expect: Any, device: Device) -> list[Any]:
    return check.outcomes(subject, Given(check.options, expect, device))


def _bare(device: Device, name: str | None = None) -> Device:
    """Return a device without what it consists of."""
    name = device.name if name is None else name
    return replace(device, name=name, ports={}, objects=(), lines=(), pools=None, sample=None)


class Samples:
    """The counters of all devices of a run."""

    def __init__(self) -> None:
        self._held: dict[str, bytes] = {}
        self._paired: set[str] = set()
        self._devices: dict[str, Device] = {}
        self._paused: dict[tuple[str, str], Paused] = {}
        self._cnps: dict[str, Cnps] = {}

    @property
    def alone(self) -> list[str]:
        """The devices of which one capture only was given."""
        return sorted(self._held.keys() - self._paired)

    def paired(self, name: str) -> bool:
        """Return whether two captures of a device were given."""
        return name in self._paired

    def pair(self, device: Device) -> CounterPair | None:
        """Return the counters of a device beside those of the capture before; None for the first capture.

        Captures that say when they were taken are put in that order, others in the order they come. Of two that
        were taken at the same moment one is dropped.
        """
        from rocecfg.lint.counting import CounterPair
        from rocecfg.state.counters import moment

        sample = device.sample
        if sample is None:
            return None
        packed = self._held.get(device.name)
        held: Sample | None = pickle.loads(zlib.decompress(packed)) if packed is not None else None  # noqa: S301 - our own
        if held is None:
            self._hold(device.name, sample)
            return None
        before, after = moment(held.taken), moment(sample.taken)
        if before is not None and before == after:
            return None
        seconds = None
        earlier, later = held, sample
        if before is not None and after is not None:
            seconds = abs((after - before).total_seconds())
            if after < before:
                earlier, later = sample, held
        self._hold(device.name, later)
        self._paired.add(device.name)
        found = CounterPair(device, earlier, later, seconds)
        self._note(found)
        return found

    def newest(self, device: Device) -> bool:
        """Return whether no later capture of the device came before (call it before `pair`)."""
        from rocecfg.state.counters import moment

        packed = self._held.get(device.name)
        if packed is None or device.sample is None:
            return True
        held: Sample = pickle.loads(zlib.decompress(packed))  # noqa: S301 - our own
        before, after = moment(held.taken), moment(device.sample.taken)
        return before is None or after is None or after >= before

    def _hold(self, name: str, sample: Sample) -> None:
        self._held[name] = zlib.compress(pickle.dumps(sample, protocol=5), 1)

    def _note(self, pair: CounterPair) -> None:
        """Keep what the fabric as a whole needs: who was paused, who paused, how many CNPs went."""
        from rocecfg.lint.counting import Cnps, Paused

        name = pair.device.name
        self._devices[name] = _bare(pair.device)
        received, sent = pair.pfc("rx"), pair.pfc("tx")
        for port in received.ports.keys() | sent.ports.keys():
            got, gave = (
                frozenset(number for number, count in of.ports.get(port, {}).items() if count and number is not None)
                for of in (received, sent)
            )
            if not got and not gave:
                continue
            counters, known = pair.later.ports[port], pair.device.ports.get(port)
            counter = "rx_pfc" if counters.rx_pfc is not None else "rx_pfc_total"
            self._paused[name, port] = Paused(
                got, gave, known.role if known is not None else None, counters.where(counter)
            )
        if pair.later.rdma:
            (out, cleared_out), (handled, cleared_in) = pair.rdma("cnp_sent"), pair.rdma("cnp_handled")
            ignored, _ = pair.rdma("cnp_ignored")
            self._cnps[name] = Cnps(
                _sum(out.values()) if not cleared_out else None,
                _sum((*handled.values(), *ignored.values())) if handled and not cleared_in else None,
                next(iter(pair.later.rdma.values())).place,
            )

    def fabric(self, cabling: Cabling, hosts: Iterable[str]) -> CounterFabric | None:
        """Return what all pairs say together, None when there is no pair."""
        from rocecfg.lint.counting import CounterFabric

        if not self._paired:
            return None
        return CounterFabric(cabling, self._devices, self._paused, self._cnps, frozenset(hosts) - self._paired)


def _sum(counts: Iterable[int]) -> int | None:
    found = list(counts)
    return sum(found) if found else None
