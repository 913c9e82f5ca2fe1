"""The traffic classes that most ports have: marks, priority, lossless or not, strict or weighted, and their numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

from rocecfg.discover.draft import ClassLine, most
from rocecfg.state.model import Dynamic
from rocecfg.units import print_alpha, print_percent, print_size

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from rocecfg.state.model import Amount, CodeMap, Curve, Device, PortQos

SHARES = ("rounded", "exact", "as they are", "rounded up")
"""Systems take whole percents, or weights of their own that percents were rounded to."""
_CNP = 48
_CLASSES = 7


@dataclass(frozen=True, slots=True)
class Seen:
    """A class of one port: `priority` None = no text tells it."""

    tc: int
    dscp: tuple[int, ...]
    pcp: tuple[int, ...]
    priority: int | None
    lossless: bool


def read(devices: Iterable[Device]) -> Classes:
    """Return the classes that most ports of the switches have; those of the hosts where no switch has any."""
    counted: dict[str, Counter[tuple[Seen, ...]]] = {"switch": Counter(), "host": Counter()}
    shown: dict[tuple[str, tuple[Seen, ...]], Counter[int]] = {}
    by_id: dict[int, PortQos] = {}
    cnp: list[tuple[int, int | None]] = []
    marked: list[int] = []
    seen: dict[int, tuple[Seen, ...]] = {}
    devices = list(devices)  # their ports must live as long as `seen` goes by identity
    for device in devices:
        for port in device.ports.values():
            if port.nic is not None and port.nic.cnp_dscp is not None:
                cnp.append((port.nic.cnp_dscp, port.nic.cnp_priority))
            if port.nic is not None and port.nic.default_tos:
                marked.append(port.nic.default_tos >> 2)
            if id(port.qos) not in seen:
                seen[id(port.qos)] = seen_on(port.qos)
            found = seen[id(port.qos)]
            if any(item.lossless for item in found):
                counted[device.kind][found] += 1
                by_id[id(port.qos)] = port.qos
                shown.setdefault((device.kind, found), Counter())[id(port.qos)] += 1
    kind = "switch" if counted["switch"] else "host"
    agreed: Counter[tuple[object, ...]] = Counter()
    for signature, ports in counted[kind].items():
        agreed[_lossless(signature)] += ports
    if not agreed:
        return Classes((), None, None, 0, 0, None)
    lossless = most(agreed.elements())
    chosen = max(
        (signature for signature in counted[kind] if _lossless(signature) == lossless),
        key=lambda signature: (counted[kind][signature], str(signature)),
    )
    qos = by_id[shown[kind, chosen].most_common(1)[0][0]]
    told = most(cnp)
    roce = most(marked)
    return Classes(chosen, qos, told, agreed[_lossless(chosen)], agreed.total(), roce)  # type: ignore[arg-type]


def _lossless(signature: tuple[Seen, ...]) -> tuple[object, ...]:
    """Return what ports must agree on: marks and priorities of the lossless classes, whatever a device calls them."""
    return tuple((item.dscp, item.priority) for item in signature if item.lossless)


def seen_on(qos: PortQos) -> tuple[Seen, ...]:
    """Return the classes of a port: the lossless ones by priority, then those that have a mark of their own."""
    pfc = qos.pfc
    wanted = pfc.tx or pfc.rx or frozenset() if pfc is not None and pfc.admin != "off" else frozenset()
    if len(wanted) == 8 and pfc is not None and pfc.tx is not None and len(pfc.tx) < 8:
        wanted = pfc.tx
    found: list[Seen] = []
    taken: set[int] = set()
    for priority in sorted(wanted):
        for tc in _tcs_of(qos, priority):
            if tc not in taken:
                taken.add(tc)
                found.append(Seen(tc, _codes(qos.dscp_to_tc, tc), _codes(qos.pcp_to_tc, tc), priority, lossless=True))
                break
    default = qos.default_tc if qos.default_tc is not None else _tc(qos.dscp_to_tc, 0) or 0
    for tc in range(16):
        dscp, pcp = _stated(qos.dscp_to_tc, tc), _stated(qos.pcp_to_tc, tc)
        marks = dscp if qos.trust != "pcp" else pcp
        if tc not in taken and tc != default and marks and not _same_queue(qos, tc, default) and len(found) < _CLASSES:
            priority_of = pcp[0] if len(pcp) == 1 else None
            found.append(Seen(tc, dscp, pcp, priority_of, lossless=False))
    return tuple(found)


def _same_queue(qos: PortQos, tc: int, other: int) -> bool:
    """Return whether two lossy traffic classes leave by one queue, so that nothing tells them apart."""
    table = qos.tc_to_queue
    return table is not None and table[tc] is not None and table[tc] == table[other]


def _tcs_of(qos: PortQos, priority: int) -> Iterator[int]:
    """Yield the traffic classes that a priority pauses: by its priority group, its queue, else of its number."""
    for by_priority, by_tc in ((qos.priority_to_pg, qos.tc_to_pg), (qos.priority_to_queue, qos.tc_to_queue)):
        numbers = by_priority[priority] if by_priority is not None else None
        if not numbers or by_tc is None:
            continue
        tcs = [tc for tc, number in enumerate(by_tc) if number in numbers]
        marked = [tc for tc in tcs if _codes(qos.dscp_to_tc, tc) or _codes(qos.pcp_to_tc, tc)]
        yield from marked
        if tcs and not marked and qos.dscp_to_tc is None and qos.pcp_to_tc is None:
            yield from tcs
    if _codes(qos.dscp_to_tc, priority) or _codes(qos.pcp_to_tc, priority):
        yield priority


def _codes(table: CodeMap | None, tc: int) -> tuple[int, ...]:
    return table.codes(tc) if table is not None else ()


def _stated(table: CodeMap | None, tc: int) -> tuple[int, ...]:
    return tuple(code for code in _codes(table, tc) if table is not None and table.stated >> code & 1)


def _tc(table: CodeMap | None, code: int) -> int | None:
    return table.to[code] if table is not None else None


@dataclass(frozen=True, slots=True)
class Classes:
    """What most ports have. `cnp` = DSCP and priority that hosts give their CNPs, `roce` = DSCP of their traffic."""

    seen: tuple[Seen, ...]
    qos: PortQos | None
    cnp: tuple[int, int | None] | None
    count: int
    total: int
    roce: int | None

    def lines(self, *, numbers: bool = False, bandwidth: str = "") -> list[ClassLine]:
        """Return the lines under `classes`; with the numbers of queues and groups, and with bandwidths, on request.

        `bandwidth` = how shares are made of weights: one of `SHARES`, empty = left to the planner.
        """
        if self.qos is None:
            return []
        lossless = [item for item in self.seen if item.lossless]
        used = {item.priority for item in self.seen if item.priority is not None}
        shares = self._shares(bandwidth) if bandwidth else {}
        cnp_tc = self._cnp_tc()
        lines = []
        for item in self.seen:
            priority, guessed = self._priority(item, used, is_cnp=item.tc == cnp_tc)
            used.add(priority)
            if item.lossless:
                name = "roce" if item is self._roce(lossless) else f"lossless{priority}"
            else:
                name = "cnp" if item.tc == cnp_tc else f"class{item.tc}"
            if name == "cnp" and self.cnp is None:
                guessed = "; ".join(filter(None, (guessed, "the strict class is taken for that of the CNPs")))
            if not item.dscp:
                guessed = "; ".join(filter(None, (guessed, "DSCP, by the priority: ports go by the tag alone")))
            keys = self._keys(item, priority, name, numbers=numbers)
            if not item.lossless and name != "cnp" and self.roce in item.dscp:
                keys["kind"] = "roce"  # what hosts mark their RDMA traffic with, and no priority is paused for it
            if item.tc in shares:
                keys["bandwidth"] = shares[item.tc]
            lines.append(ClassLine(name, keys, guessed, item.tc))
        return sorted(lines, key=lambda line: (line.name != "roce", "lossless" not in line.keys))

    def own(self, line: ClassLine, leaves: Collection[str], units: Mapping[str, Fraction]) -> dict[str, str]:
        """Return `ecn` and `alpha` of one class as the ports have them, where leaves of its queue or group differ.

        `units` = bytes of the units that the device counts by, as far as a plan tells them.
        """
        number = self._queue(line.tc) if line.tc is not None else None
        queue = self.qos.queue(number) if self.qos is not None and number is not None else None
        keys: dict[str, str] = {}
        if queue is not None and queue.ecn is not None and _named(leaves, f"queues.{number}.ecn"):
            keys["ecn"] = _ramp(queue.ecn.curves, units)
        groups = self.qos.tc_to_pg if self.qos is not None else None
        group = groups[line.tc] if groups is not None and line.tc is not None else None
        found = self.qos.priority_group(group) if self.qos is not None and group is not None else None
        if found is not None and isinstance(found.xoff_at, Dynamic) and found.xoff_at.alpha:
            keys["alpha"] = (
                print_alpha(found.xoff_at.alpha) if _named(leaves, f"priority_groups.{group}.xoff_at") else ""
            )
        return {key: text for key, text in keys.items() if text}

    def _roce(self, lossless: list[Seen]) -> Seen | None:
        """Return the class of the hosts' own mark, else the first lossless one."""
        return next((item for item in lossless if self.roce in item.dscp), lossless[0] if lossless else None)

    def _cnp_tc(self) -> int | None:
        """Return the traffic class of the CNPs: where the hosts send them, else the strict one that looks like it."""
        lossy = [item for item in self.seen if not item.lossless]
        if self.cnp is not None:
            return next((item.tc for item in lossy if self.cnp[0] in item.dscp), None)
        strict = [item for item in lossy if self._scheduler(item.tc) == "strict"]
        named = [item for item in strict if _CNP in item.dscp]
        return (named or strict)[0].tc if named or len(strict) == 1 else None

    def _scheduler(self, tc: int) -> str | None:
        queue = self._queue(tc)
        found = self.qos.queue(queue) if self.qos is not None and queue is not None else None
        return found.scheduler if found is not None else None

    def _queue(self, tc: int) -> int | None:
        table = self.qos.tc_to_queue if self.qos is not None else None
        return table[tc] if table is not None else None

    def _priority(self, item: Seen, used: set[int], *, is_cnp: bool) -> tuple[int, str]:
        if item.priority is not None:
            return item.priority, ""
        if is_cnp and self.cnp is not None and self.cnp[1] is not None and self.cnp[1] not in used:
            return self.cnp[1], ""
        for number, why in ((item.tc, "its traffic class's number"), (self._queue(item.tc), "its queue's number")):
            if number is not None and 0 < number < 8 and number not in used:
                return number, f"priority {number}, {why}"
        free = next((number for number in range(1, 8) if number not in used), 0)
        return free, f"priority {free}, a free number"

    def _keys(self, item: Seen, priority: int, name: str, *, numbers: bool) -> dict[str, str]:
        keys: dict[str, str] = {}
        keys["dscp"] = codes(item.dscp) if item.dscp else str(priority * 8)
        keys["priority"] = str(priority)
        if item.lossless:
            keys["lossless"] = "true"
        if item.pcp and item.pcp != (priority,) and self.qos is not None and self.qos.trust != "dscp":
            keys["pcp"] = codes(item.pcp, most_ranges=False)
        strict = self._scheduler(item.tc) == "strict"
        if strict != (name == "cnp") and self._scheduler(item.tc) is not None:
            keys["strict"] = "true" if strict else "false"
        if numbers and self.qos is not None:
            groups = self.qos.tc_to_pg
            group = groups[item.tc] if groups is not None else None
            found = (("traffic_class", item.tc), ("queue", self._queue(item.tc)), ("priority_group", group))
            keys |= {
                key: str(number)
                for key, number in found
                if number is not None and number != priority and (item.lossless or key != "priority_group")
            }
        return keys

    def _shares(self, way: str) -> dict[int, str]:
        """Return the bandwidth of each weighted class in percent of all weights, the default class's among them."""
        qos = self.qos
        if qos is None:
            return {}
        default = qos.default_tc or 0
        weights: dict[int, Fraction] = {}
        for tc in dict.fromkeys((*(item.tc for item in self.seen), default)):
            number = self._queue(tc)
            queue = qos.queue(number) if number is not None else None
            if queue is not None and queue.scheduler == "weighted" and queue.weight is not None:
                weights[tc] = Fraction(queue.weight)
        total = sum(weights.values(), Fraction(0))
        if total <= 0 or default not in weights or not 0 < weights[default] < total:
            return {}
        stated = {tc: weight for tc, weight in weights.items() if tc != default}
        shares = stated if way == "as they are" else {tc: weight * 100 / total for tc, weight in stated.items()}
        if way != "exact":
            shares = {
                tc: Fraction(ceil(share) if way == "rounded up" else round(share)) for tc, share in shares.items()
            }
        else:
            shares = {tc: Fraction(round(share * 100), 100) for tc, share in shares.items()}
        return {tc: print_percent(share) for tc, share in shares.items() if 0 < share < 100}


def _named(leaves: Collection[str], leaf: str) -> bool:
    return any(found == leaf or found.startswith(f"{leaf}.") for found in leaves)


def _ramp(curves: tuple[Curve, ...], units: Mapping[str, Fraction]) -> str:
    """Return the ramp of a class as the file writes it, `false` for no marks, empty where its bytes are not known."""
    if not curves:
        return "false"
    low, high = (_bytes(amount, units) for amount in (curves[0].low, curves[0].high))
    if low is None or high is None:
        return ""
    parts = [f"kmin: {print_size(low)}", f"kmax: {print_size(high)}"]
    if curves[0].probability is not None:
        parts.append(f"pmax: {print_percent(Fraction(curves[0].probability))}")
    return f"{{{', '.join(parts)}}}"


def _bytes(amount: Amount | None, units: Mapping[str, Fraction]) -> int | None:
    if amount is None or amount.bytes is not None:
        return None if amount is None else amount.bytes
    return round(amount.value * units[amount.unit]) if amount.unit in units else None


def codes(numbers: tuple[int, ...], *, most_ranges: bool = True) -> str:
    """Return codes as the file writes them: 26, [24, 26], or "8-15,24"."""
    if len(numbers) == 1:
        return str(numbers[0])
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    if not most_ranges or all(len(part) == 1 for part in parts):
        return f"[{', '.join(map(str, numbers))}]"
    return '"' + ",".join(str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in parts) + '"'
