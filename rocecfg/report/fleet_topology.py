"""The fabric as a drawing: tiers from hosts up, bad devices and cables marked; big tiers as one cell a device."""

from __future__ import annotations

import math
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rocecfg.report.fleet_grouping import listed, natural, short
from rocecfg.report.table import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocecfg.intent.fabric import Fabric

WIDTH = 1160
MOST_NODES = 150
"""Devices up to which each has a box with its name."""
MOST_IN_TIER = 16
"""Devices of one tier that keep a box of their own in a larger fabric."""
MOST_PODS = 10
MOST_EDGES = 3000
PER_LINE = 16
PITCHES = ((12, 9), (9, 7), (7, 6), (5, 4))
"""Pixels from cell to cell, and of a cell: the first that keeps a box below HIGHEST."""
HIGHEST = 260
NODE_HEIGHT, LINE_GAP, TIER_GAP = 30, 14, 74
HEAD = 40
WORST = ("error", "unread", "warning", "absent", "ok")
"""States of a device, the worst first. `absent` = the audit did not look at it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One device of a box."""

    x: float
    y: float
    device: int


@dataclass(slots=True)
class Box:
    """A device, or the devices of one role and pod."""

    names: tuple[str, ...]
    label: str
    sub: str
    title: str
    state: str
    single: bool
    device: int
    role: str
    tier: int = 0
    x: float = 0
    y: float = 0
    width: float = 0
    height: float = NODE_HEIGHT
    cells: dict[str, list[Cell]] = field(default_factory=dict)
    cell: int = 9
    """Pixels of a cell."""

    @property
    def caption(self) -> str:
        """The label as far as it fits; names differ at their end, so the middle goes."""
        most = max(int((self.width - (4 if self.single else 20)) / 7), 3)
        if len(self.label) <= most:
            return self.label
        return f"{self.label[: most // 2]}\N{HORIZONTAL ELLIPSIS}{self.label[-(most - most // 2 - 1) :]}"

    @property
    def middle(self) -> float:
        """The x of its centre."""
        return round(self.x + self.width / 2, 1)


@dataclass(frozen=True, slots=True)
class Edge:
    """The cables between two boxes."""

    path: str
    state: str
    width: float
    title: str
    label: str
    bad: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Row:
    """The name of a tier and where it stands."""

    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Topology:
    """A drawing of the fabric. `text` says the same in words."""

    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...]
    rows: tuple[Row, ...]
    text: str
    height: float
    aggregated: bool
    width: int = WIDTH


def topology(
    fabric: Fabric, states: Mapping[str, str], bad_ports: Mapping[tuple[str, str], str], numbers: Mapping[str, int]
) -> Topology | None:
    """Return the drawing; None for a fabric without devices.

    `states` = state by device; `bad_ports` = "error" or "warning" of the ports that a finding names.
    """
    if not fabric.devices:
        return None
    tiers = _tiers(fabric)
    whole = len(fabric.devices) <= MOST_NODES
    boxes = _boxes(fabric, tiers, states, numbers, whole)
    of = {name: box for box in boxes for name in box.names}
    _order(boxes, fabric, of)
    rows, height = _place(boxes)
    edges = _edges(fabric, of, bad_ports)
    shown = Counter(states.get(name, "absent") for name in fabric.devices)
    words = {"error": "with errors", "unread": "not read", "warning": "with warnings", "absent": "not looked at",
             "ok": "without errors and warnings"}  # fmt: skip
    parts = [f"{shown[state]} {words[state]}" for state in WORST if shown[state]]
    bad = sum(edge.bad for edge in edges)
    text = (
        f"{counted(len(fabric.devices), 'device')}: {', '.join(parts)}. {counted(len(fabric.links), 'cable')},"
        f" {bad} with a finding at an end."
    )
    return Topology(tuple(boxes), tuple(edges), tuple(rows), text, height, not whole)


def _neighbours(fabric: Fabric) -> dict[str, dict[str, None]]:
    found: dict[str, dict[str, None]] = {name: {} for name in fabric.devices}
    for link in fabric.links:
        a, b = link.a.device, link.b.device
        if a in found and b in found and a != b:
            found[a][b] = None
            found[b][a] = None
    return found


def _tiers(fabric: Fabric) -> dict[str, int]:
    """Return how far above the hosts each device stands; without hosts, above the role with most devices."""
    around = _neighbours(fabric)
    hosts = [name for name, device in fabric.devices.items() if device.kind == "host"]
    roles = Counter(device.role or "" for device in fabric.devices.values())
    start = 0
    first = hosts
    if not hosts:
        common = roles.most_common(1)[0][0]
        first, start = [name for name, device in fabric.devices.items() if (device.role or "") == common], 1
    tiers = dict.fromkeys(first, start)
    waiting = deque(first)
    while waiting:
        name = waiting.popleft()
        for other in around[name]:
            if other not in tiers:
                tiers[other] = tiers[name] + 1
                waiting.append(other)
    # A role stands on one tier: that of most of its devices. What no cable reaches stands with its role, else above.
    of_role: dict[str, Counter[int]] = {}
    for name, tier in tiers.items():
        of_role.setdefault(_role(fabric, name), Counter())[tier] += 1
    most = {role: min(counts, key=lambda tier: (-counts[tier], tier)) for role, counts in of_role.items()}
    top = max(most.values(), default=start)
    return {name: most.get(_role(fabric, name), top + 1) for name in fabric.devices}


def _role(fabric: Fabric, name: str) -> str:
    device = fabric.devices[name]
    return device.role or device.kind


def _pods(fabric: Fabric, tiers: Mapping[str, int]) -> dict[str, str]:
    """Return the part of the fabric each device is in once the top tier is taken away; {} where that says little."""
    top = max(tiers.values())
    around = _neighbours(fabric)
    pods: dict[str, int] = {}
    count = 0
    for name in sorted(fabric.devices, key=natural):
        if name in pods or tiers[name] == top:
            continue
        count += 1
        waiting = deque([name])
        pods[name] = count
        while waiting:
            for other in around[waiting.popleft()]:
                if other not in pods and tiers[other] != top:
                    pods[other] = count
                    waiting.append(other)
    if count < 2:
        return {}
    share = math.ceil(count / MOST_PODS)  # more pods than boxes fit side by side: neighbours share one
    return {name: _pod_word((number - 1) // share * share + 1, share, count) for name, number in pods.items()}


def _pod_word(first: int, share: int, count: int) -> str:
    return f"pod {first}" if share == 1 else f"pods {first}-{min(first + share - 1, count)}"


def _boxes(
    fabric: Fabric, tiers: Mapping[str, int], states: Mapping[str, str], numbers: Mapping[str, int], whole: bool
) -> list[Box]:
    by_tier: dict[int, list[str]] = {}
    for name in sorted(fabric.devices, key=natural):
        by_tier.setdefault(tiers[name], []).append(name)
    pods = {} if whole else _pods(fabric, tiers)
    boxes: list[Box] = []
    for tier, names in by_tier.items():
        if whole or len(names) <= MOST_IN_TIER:
            boxes += [_node(fabric, name, states, numbers, tier) for name in names]
            continue
        groups: dict[tuple[str, str], list[str]] = {}
        for name in names:
            groups.setdefault((_role(fabric, name), pods.get(name, "")), []).append(name)
        boxes += [_wall(role, pod, members, states, numbers, tier) for (role, pod), members in groups.items()]
    return boxes


def _node(fabric: Fabric, name: str, states: Mapping[str, str], numbers: Mapping[str, int], tier: int) -> Box:
    state = states.get(name, "absent")
    about = ", ".join(filter(None, (_role(fabric, name), fabric.devices[name].system, fabric.devices[name].model)))
    return Box(
        (name,),
        short(name),
        "",
        short(f"{name} ({about}): {_word(state)}"),
        state,
        True,
        numbers[name],
        short(_role(fabric, name)),
        tier,
    )


def _wall(
    role: str, pod: str, names: Sequence[str], states: Mapping[str, str], numbers: Mapping[str, int], tier: int
) -> Box:
    counts = Counter(states.get(name, "absent") for name in names)
    bad = counts["error"] + counts["unread"]
    label = short(pod or role)
    sub = f"{bad} bad of {len(names)}" if bad else counted(len(names), "device")
    title = f"{listed(names)}: " + ", ".join(f"{counts[state]} {_word(state)}" for state in WORST if counts[state])
    state = next(state for state in WORST if counts[state])
    box = Box(tuple(names), label, sub, title, state, False, -1, short(role), tier)
    for name in names:
        box.cells.setdefault(states.get(name, "absent"), []).append(Cell(0, 0, numbers[name]))
    return box


def _word(state: str) -> str:
    return {"error": "errors", "unread": "not read", "warning": "warnings", "absent": "not looked at"}.get(
        state, "no errors"
    )


def _order(boxes: list[Box], fabric: Fabric, of: Mapping[str, Box]) -> None:
    """Sort boxes from the top tier down, each near what it is cabled to above."""
    above: dict[int, list[float]] = {}
    links: dict[int, list[Box]] = {}
    for link in fabric.links:
        a, b = of.get(link.a.device), of.get(link.b.device)
        if a is not None and b is not None and a.tier != b.tier:
            low, high = (a, b) if a.tier < b.tier else (b, a)
            links.setdefault(id(low), []).append(high)
    rank: dict[int, float] = {}
    made: list[Box] = []
    for tier in sorted({box.tier for box in boxes}, reverse=True):
        row = [box for box in boxes if box.tier == tier]
        for box in row:
            above[id(box)] = [rank[id(high)] for high in links.get(id(box), ()) if id(high) in rank]
        row.sort(key=lambda box: round(sum(found) / len(found), 3) if (found := above[id(box)]) else 0)
        for at, box in enumerate(row):
            rank[id(box)] = (at + 0.5) / len(row)
        made += row
    boxes[:] = made


def _place(boxes: Sequence[Box]) -> tuple[list[Row], float]:
    """Give each box its place, one tier below the other, and return the names of the tiers and the height."""
    rows: list[Row] = []
    y = 26.0
    for tier in sorted({box.tier for box in boxes}, reverse=True):
        row = [box for box in boxes if box.tier == tier]
        roles: Counter[str] = Counter()
        for box in row:
            roles[box.role] += len(box.names)
        rows.append(Row(y - 9, ", ".join(f"{role} ({count})" for role, count in roles.most_common(3))))
        each = math.ceil(len(row) / math.ceil(len(row) / PER_LINE))
        lines = [row[at : at + each] for at in range(0, len(row), each)]
        for line in lines:
            gap = 14 if len(line) > 1 else 0
            width = min((WIDTH - gap * (len(line) - 1)) / len(line), 170 if all(box.single for box in line) else WIDTH)
            if len(lines) > 1:
                width = min(width, (WIDTH - gap * (each - 1)) / each)
            x = (WIDTH - width * len(line) - gap * (len(line) - 1)) / 2
            for box in line:
                box.x, box.y, box.width = round(x, 1), y, round(width, 1)
                _cells(box)
                x += width + gap
            y += max(box.height for box in line) + LINE_GAP
        y += TIER_GAP - LINE_GAP
    return rows, round(y - TIER_GAP + 16, 1)


def _cells(box: Box) -> None:
    """Lay the cells of a box out row by row in the order of its devices, and make it as high as they need."""
    if box.single:
        return
    count, room = len(box.names), box.width - 20
    for pitch, size in PITCHES:
        box.cell = size
        columns = min(max(int(room // pitch), 1), max(math.ceil(math.sqrt(count * 4)), 8))
        rows = math.ceil(count / columns)
        if rows * pitch <= HIGHEST:
            break
    left = box.x + (box.width - columns * pitch + pitch - box.cell) / 2
    order = sorted((cell.device, state) for state, cells in box.cells.items() for cell in cells)
    box.cells = {state: [] for state in box.cells}
    for at, (device, state) in enumerate(order):
        x, y = left + at % columns * pitch, box.y + HEAD + at // columns * pitch
        box.cells[state].append(Cell(round(x, 1), round(y, 1), device))
    box.height = HEAD + rows * pitch + 8


def _edges(fabric: Fabric, of: Mapping[str, Box], bad_ports: Mapping[tuple[str, str], str]) -> list[Edge]:
    """Return the cables between boxes, parallel ones as one line; the bad ones last, so that they lie on top."""
    found: dict[tuple[int, int], tuple[Box, Box, Counter[str]]] = {}
    for link in fabric.links:
        a, b = of.get(link.a.device), of.get(link.b.device)
        if a is None or b is None or a is b:
            continue
        low, high = (a, b) if (a.tier, a.x) <= (b.tier, b.x) else (b, a)
        item = found.get((id(low), id(high)))
        if item is None:
            item = found[id(low), id(high)] = (low, high, Counter())
        ends = {bad_ports.get((link.a.device, link.a.port)), bad_ports.get((link.b.device, link.b.port))}
        item[2]["error" if "error" in ends else "warning" if "warning" in ends else "ok"] += 1
    edges = [_edge(low, high, counts) for low, high, counts in found.values()]
    edges.sort(key=lambda edge: ("ok", "warning", "error").index(edge.state))
    return edges[-MOST_EDGES:]


def _edge(low: Box, high: Box, counts: Counter[str]) -> Edge:
    count = sum(counts.values())
    bad = counts["error"] + counts["warning"]
    state = "error" if counts["error"] else "warning" if counts["warning"] else "ok"
    x1, x2 = low.middle, high.middle
    if low.tier == high.tier:
        y1 = y2 = low.y
        path = f"M{x1} {y1}Q{(x1 + x2) / 2:.1f} {y1 - 34:.1f} {x2} {y2}"
    else:
        y1, y2 = low.y, high.y + high.height
        bend = (y1 - y2) / 2
        path = f"M{x1} {y1}C{x1} {y1 - bend:.1f} {x2} {y2 + bend:.1f} {x2} {y2}"
    width = round(min(1 + math.log2(count) / 2.5, 4), 1)
    label = "" if low.single or high.single or not bad else f"{max(bad / count, 0.01):.0%}"
    title = f"{low.label} - {high.label}: {counted(count, 'cable')}" + (
        f", {bad} with a finding at an end" if bad else ""
    )
    return Edge(path, state, width, title, label, bad, round((x1 + x2) / 2, 1), round((y1 + y2) / 2, 1))
