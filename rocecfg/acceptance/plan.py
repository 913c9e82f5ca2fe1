"""A plan of a fabric to a plan of its acceptance: stages, steps, flows."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING

from rocecfg.acceptance import schedule
from rocecfg.acceptance.model import STAGES, Acceptance, End, Flow, Host, Interface, Stage, Step, TrafficClass
from rocecfg.errors import PlanError
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.acceptance.model import Kind, PathKind, StageName, Tool
    from rocecfg.acceptance.schedule import Card, Pair
    from rocecfg.plan.resolve import Plan

_PORT = 18515
"""perftest's own default port (linux-rdma/perftest, DEF_PORT); the ports of a host count up from it."""
_COMPETITOR_PORT = 5201
"""iperf3's default port."""
_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_BESIDE_THE_IP_PACKET = {"ip": 0, "l2": 14, "l2+fcs": 18}
_ICMP = 28
"""Bytes of an IPv4 and an ICMP header."""
_BULK, _MANY = 65536, 4


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the caller may choose."""

    seconds: int = 20
    incast: int = 8


@dataclass(slots=True)
class Made:
    """The plan, and what a reader has to know about what is not in it."""

    acceptance: Acceptance
    remarks: list[str] = field(default_factory=list)


def make(plan: Plan, wishes: Wishes) -> Made:
    """Return the acceptance plan of a fabric's plan.

    Raises PlanError where there is nothing to test: no RoCE class with a DSCP, fewer than two hosts on leaves, names
    that no script can carry.
    """
    remarks: list[str] = []
    classes = _classes(plan)
    roce = next((item.of.name for item in plan.classes if item.of.kind == "roce" and item.of.name in classes), None)
    if roce is None:
        raise PlanError("no class of kind roce has a DSCP: there is no mark that a test could send")
    hosts, cards = _hosts(plan, remarks)
    if len(hosts) < 2:
        raise PlanError(
            "an acceptance needs two hosts that the intent cables to switches"
            + "".join(f"; {remark}" for remark in remarks)
        )
    lossy = next((item.of.name for item in plan.classes if item.of.kind == "default" and item.of.name in classes), None)
    sent = [item.of.name for item in plan.classes if item.of.name in classes and item.of.kind not in {"cnp", "control"}]
    maker = _Maker(wishes, roce, lossy, sent, remarks)
    stages: list[Stage] = []
    before: set[str] = set()
    for name, chosen in zip(STAGES, _stage_hosts(cards), strict=True):
        if len(chosen) > len(before):
            stages.append(Stage(name=name, steps=maker.steps(name, [card for card in cards if card.host in chosen])))
        else:
            remarks.append(f"stage {name} has no more hosts than the one before: left out")
        before = chosen
    if plan.tiers > 2:
        remarks.append("more than two tiers of switches: flows of a round may still meet above the spines")
    switches = {name: device.fitted.nos for name, device in plan.devices.items() if device.fitted.kind == "switch"}
    _refuse_unsafe(*switches)
    return Made(Acceptance(intent=plan.name, classes=classes, hosts=hosts, stages=stages, switches=switches), remarks)


def _refuse_unsafe(*names: str) -> None:
    """Raise PlanError for a name that is more than one plain word to a shell."""
    for name in names:
        if not _SAFE.fullmatch(name):
            raise PlanError(f'"{name[:80]}": no script can carry this name: letters, digits, ".", "_" and "-"')


def _classes(plan: Plan) -> dict[str, TrafficClass]:
    found = {}
    for item in plan.classes:
        if item.of.dscp:
            dscp = 0 if item.of.kind == "default" and 0 in item.of.dscp else item.of.dscp[0]
            found[item.of.name] = TrafficClass(
                dscp=dscp, tclass=dscp << 2, priority=item.of.priority, pfc=item.of.lossless, cnp=item.of.kind == "cnp"
            )
    return found


def _hosts(plan: Plan, remarks: list[str]) -> tuple[dict[str, Host], list[Card]]:
    hosts: dict[str, Host] = {}
    cards: list[Card] = []
    islands = _islands(plan)
    if len(set(islands.values())) > 1:
        remarks.append("links with PFC off part the fabric: no RoCE flow crosses them")
    for name, device in plan.fabric.devices.items():
        if device.kind != "host":
            continue
        if any(output.file.endswith(".ps1") for output in registry.get(device.system).manifest.render):
            remarks.append(f"{name}: the scripts are for hosts with Linux, it is left out")
            continue
        interfaces = {}
        for port in device.ports.values():
            leaf = plan.fabric.devices.get(port.peer.device) if port.peer is not None else None
            if port.peer is None or leaf is None or leaf.kind != "switch" or not port.speed:
                remarks.append(f"{name}:{port.name}: no cable to a switch of the intent, it is left out")
                continue
            _refuse_unsafe(name, port.name)
            fitted = plan.devices[name].fitted.ports[port.name]
            mtu = None if fitted.mtu is None else fitted.mtu - _BESIDE_THE_IP_PACKET[fitted.mtu_counts or "ip"]
            speed = port.speed / 1e9
            interfaces[port.name] = Interface(
                nic=device.system,
                rail=port.name if "rail" in port.name else None,
                speed_gbps=speed,
                mtu=mtu,
                leaf=leaf.name,
                leaf_port=port.peer.port,
            )
            cards.append(
                schedule.Card(
                    name, port.name, leaf.name, speed, mtu, (leaf.system, leaf.model, str(speed)), islands[leaf.name]
                )
            )
        if interfaces:
            hosts[name] = Host(interfaces=interfaces)
    return hosts, cards


def _islands(plan: Plan) -> dict[str, int]:
    """Return switch -> part of the fabric. A cable whose PFC the intent turns off carries no RoCE between parts."""
    beside: dict[str, list[str]] = {name: [] for name, of in plan.fabric.devices.items() if of.kind == "switch"}
    for link in plan.fabric.links:
        known = link.a.device in beside and link.b.device in beside
        if known and all(plan.fabric.settings(*end).pfc_mode.value != "off" for end in (link.a, link.b)):
            beside[link.a.device].append(link.b.device)
            beside[link.b.device].append(link.a.device)
    cut = any(
        plan.fabric.settings(*end).pfc_mode.value == "off"
        for link in plan.fabric.links
        if link.a.device in beside and link.b.device in beside
        for end in (link.a, link.b)
    )
    if not cut:
        return dict.fromkeys(beside, 0)
    found: dict[str, int] = {}
    for number, start in enumerate(beside):
        todo = [start] if start not in found else []
        while todo:
            name = todo.pop()
            if name not in found:
                found[name] = number
                todo += beside[name]
    return found


def _stage_hosts(cards: list[Card]) -> tuple[set[str], set[str], set[str]]:
    """Return the hosts of the three stages: two neighbours, all of their leaf, all."""
    everybody = list(dict.fromkeys(card.host for card in cards))
    for of_leaf in schedule.grouped(cards, "leaf").values():
        rack = list(dict.fromkeys(card.host for card in of_leaf))
        if len(rack) > 1:
            return set(rack[:2]), set(rack), set(everybody)
    return set(everybody[:2]), set(everybody[:2]), set(everybody)


def _within(pattern: Callable[[list[Card]], list[Pair]], cards: list[Card]) -> list[Pair]:
    """Return the pairs of a pattern in every part of the fabric."""
    return [pair for of in schedule.grouped(cards, "island").values() for pair in pattern(of)]


def _bisection(cards: list[Card]) -> list[list[Pair]]:
    """Return the bisections of all parts of the fabric, at the same time."""
    parts = [schedule.bisection(of) for of in schedule.grouped(cards, "island").values()]
    return [[pair for flows in one for pair in flows] for one in zip_longest(*parts, fillvalue=[])]


def _incasts(cards: list[Card], senders: int) -> list[tuple[list[Pair], Pair | None]]:
    return [one for of in schedule.grouped(cards, "island").values() for one in schedule.incasts(of, senders)]


@dataclass(slots=True)
class _Maker:
    wishes: Wishes
    roce: str
    lossy: str | None
    sent: list[str]
    remarks: list[str]

    def steps(self, stage: StageName, cards: list[Card]) -> list[Step]:
        """Return what a stage runs, the cheap and telling first."""
        near = schedule.in_rounds(schedule.neighbours(cards), alone_on_leaf=False)
        far = schedule.in_rounds(_within(schedule.across, cards), alone_on_leaf=True)
        cross = schedule.in_rounds(_within(schedule.rail_to_rail, cards), alone_on_leaf=True)
        once = near or far or cross
        long = self.wishes.seconds
        steps = self._mtu(stage, [*near, *schedule.in_rounds(_within(schedule.across, cards), alone_on_leaf=False)])
        for name in self.sent:
            steps += self._step(
                stage,
                f"class-{name}",
                "class",
                f"does traffic of class {name} use its priority on every NIC and switch, and no other",
                once,
                "ib_write_bw",
                None,
                name,
                seconds=5,
                message=_BULK,
                queue_pairs=_MANY,
                counters=True,
            )
        kinds: tuple[tuple[str, PathKind, list[list[Pair]], str], ...] = (
            ("same-leaf", "same-leaf", near, "each NIC and its leaf neighbour, both ways"),
            (
                "across-spines",
                "across-spines",
                far,
                "each NIC to its rail on the next leaf, alone on the uplinks",
            ),
            ("rail-to-rail", "cross-rail", cross, "each NIC to the next rail of another host"),
        )
        for word, path, rounds, why in kinds:
            if word != "rail-to-rail":
                steps += self._step(
                    stage,
                    f"latency-{word}",
                    "latency",
                    f"latency: {why}",
                    rounds,
                    "ib_write_lat",
                    path,
                    self.roce,
                    message=2,
                )
            steps += self._step(
                stage,
                f"pair-{word}",
                "pair",
                f"bandwidth: {why}",
                rounds,
                "ib_write_bw",
                path,
                self.roce,
                seconds=long,
                message=_BULK,
                queue_pairs=_MANY,
                counters=True,
            )
        steps += self._step(
            stage,
            "bisection",
            "bisection",
            "half of every rail to its other half, all at once",
            _bisection(cards),
            "ib_write_bw",
            "across-spines",
            self.roce,
            seconds=long,
            message=_BULK,
            queue_pairs=_MANY,
            counters=True,
        )
        steps += self._incasts(stage, cards)
        parts = [of for of in schedule.grouped(cards, "island").values() if len({card.host for card in of}) > 1]
        for number, of_island in enumerate(parts, 1):
            steps.append(self._collective(stage, "nccl" if number == 1 else f"nccl-{number}", of_island))
        return steps

    def _mtu(self, stage: StageName, rounds: list[list[Pair]]) -> list[Step]:
        by_size: dict[int, list[list[Pair]]] = {}
        for flows in rounds:
            sizes: dict[int, list[Pair]] = {}
            for pair in flows:
                if pair.client.mtu is not None and pair.server.mtu is not None:
                    sizes.setdefault(min(pair.client.mtu, pair.server.mtu), []).append(pair)
            for size, chosen in sizes.items():
                by_size.setdefault(size, []).append(chosen)
        steps = []
        for size, chosen_rounds in by_size.items():
            steps += self._step(
                stage,
                f"mtu-{size}",
                "mtu",
                f"does a packet of {size} bytes pass that may not be cut",
                chosen_rounds,
                "ping",
                None,
                self.roce,
                message=size - _ICMP,
            )
        return steps

    def _incasts(self, stage: StageName, cards: list[Card]) -> list[Step]:
        steps: list[Step] = []
        for number, (flows, competitor) in enumerate(_incasts(cards, self.wishes.incast), 1):
            target = flows[0].server
            beside = competitor if self.lossy is not None else None
            name = f"incast-{number}"
            made = [
                self._flow(stage, name, f"f{at:05}", pair, "ib_write_bw", None, self.roce, _PORT + at)
                for at, pair in enumerate(flows, 1)
            ]
            if beside is not None and self.lossy is not None:
                flow = self._flow(stage, name, "lossy", beside, "iperf3", None, self.lossy, _COMPETITOR_PORT)
                made.append(flow.model_copy(update={"lossy_competitor": True}))
            why = f"{len(flows)} senders into {target.host}:{target.interface} on {target.leaf}"
            why += ", a lossy flow beside them" if beside is not None else ", no further host for a lossy flow"
            steps.append(
                Step(
                    name=name,
                    kind="incast",
                    why=why,
                    rounds=[[flow.id for flow in made]],
                    flows=made,
                    counters=True,
                    seconds=self.wishes.seconds,
                    message=_BULK,
                    queue_pairs=1,
                )
            )
        return steps

    def _collective(self, stage: StageName, name: str, cards: list[Card]) -> Step:
        first: dict[str, Card] = {}
        for card in cards:
            first.setdefault(card.host, card)
        row = list(first.values())
        flow = self._flow(
            stage, name, "allreduce", schedule.Pair(row[0], row[-1]), "all_reduce_perf", None, self.roce, _PORT
        )
        return Step(
            name=name,
            kind="nccl",
            why="does a collective over all hosts of the stage reach its bandwidth",
            rounds=[[flow.id]],
            flows=[flow],
            counters=True,
            hosts=list(first),
        )

    def _step(
        self,
        stage: StageName,
        name: str,
        kind: Kind,
        why: str,
        rounds: list[list[Pair]],
        tool: Tool,
        path: PathKind | None,
        of_class: str,
        *,
        seconds: int = 0,
        message: int = 0,
        queue_pairs: int = 1,
        counters: bool = False,
    ) -> list[Step]:
        if not rounds:
            return []
        flows: list[Flow] = []
        ids: list[list[str]] = []
        for pairs in rounds:
            ids.append([])
            servers: dict[str, int] = {}
            for pair in pairs:
                on_host = servers[pair.server.host] = servers.get(pair.server.host, -1) + 1
                flow = self._flow(stage, name, f"f{len(flows) + 1:05}", pair, tool, path, of_class, _PORT + on_host)
                flows.append(flow)
                ids[-1].append(flow.id)
        return [
            Step(
                name=name,
                kind=kind,
                why=why,
                rounds=ids,
                flows=flows,
                counters=counters,
                seconds=seconds,
                message=message,
                queue_pairs=queue_pairs,
            )
        ]

    @staticmethod
    def _flow(
        stage: str, step: str, name: str, pair: Pair, tool: Tool, path: PathKind | None, of_class: str, port: int
    ) -> Flow:
        one, other = pair
        kind: PathKind = path or (
            "same-leaf"
            if one.leaf == other.leaf
            else "across-spines"
            if one.interface == other.interface
            else "cross-rail"
        )
        return Flow(
            id=name,
            client=End(host=one.host, interface=one.interface),
            server=End(host=other.host, interface=other.interface),
            path=kind,
            traffic_class=of_class,
            tool=tool,
            port=port,
            result=f"results/{stage}/{step}/{name}",
        )
