"""The drawing of the fabric: tiers, pods, bad devices and cables, and that every device stands in it once."""

from __future__ import annotations

import itertools

import pytest

from rocecfg.report.fleet_topology import MOST_NODES, WIDTH, Topology, topology
from tests.report import fleet_sample as sample


def drawn(text: str, states: dict[str, str] | None = None, bad: dict[tuple[str, str], str] | None = None) -> Topology:
    fabric = sample.planned(text).fabric
    numbers = {name: at for at, name in enumerate(fabric.devices)}
    made = topology(fabric, states or {}, bad or {}, numbers)
    assert made is not None
    assert sorted(name for box in made.boxes for name in box.names) == sorted(fabric.devices)
    for box in made.boxes:
        assert box.x >= -1
        assert box.x + box.width <= WIDTH + 1
        assert box.y + box.height <= made.height
        shown = [cell for cells in box.cells.values() for cell in cells]
        assert len(shown) == (0 if box.single else len(box.names))
        assert all(box.x <= cell.x <= box.x + box.width - box.cell for cell in shown)
        assert all(box.y <= cell.y <= box.y + box.height - box.cell for cell in shown)
    for one, other in itertools.combinations(made.boxes, 2):
        apart = one.x + one.width <= other.x + 0.2 or other.x + other.width <= one.x + 0.2
        assert apart or one.y + one.height <= other.y or other.y + other.height <= one.y
    return made


def test_tiers_stand_above_each_other() -> None:
    made = drawn(sample.SMALL)
    rows: dict[float, set[str]] = {}
    for box in made.boxes:
        rows.setdefault(box.y, set()).add(box.role)
    assert [roles for _, roles in sorted(rows.items())] == [{"spine"}, {"leaf"}, {"host"}]
    assert [row.text for row in made.rows] == ["spine (2)", "leaf (4)", "host (16)"]


def test_bad_cables_lie_on_top_and_parallel_ones_are_one_line() -> None:
    made = drawn(
        sample.SMALL, {"leaf2": "error"}, {("leaf2", "Ethernet1/7"): "error", ("spine1", "Ethernet0"): "warning"}
    )
    assert len(made.edges) == 4 * 16 + 4 * 2
    assert [edge.state for edge in made.edges[-2:]] == ["warning", "error"]
    assert made.edges[-1].title == "gpu07 - leaf2: 1 cable, 1 with a finding at an end"
    assert "1 with errors" in made.text
    assert "2 with a finding at an end" in made.text


def test_many_devices_stand_together_by_role_and_pod() -> None:
    made = drawn(_pods(12, 20), {"p03-leaf07": "error"}, {("p03-leaf07", "Ethernet1/1"): "error"})
    assert made.aggregated
    walls = [box for box in made.boxes if not box.single]
    assert {(box.role, box.label) for box in walls} == {
        (role, f"pods {first}-{first + 1}") for role in ("leaf", "host") for first in range(1, 12, 2)
    }
    bad = next(box for box in walls if "p03-leaf07" in box.names and box.role == "leaf")
    assert bad.sub == "1 bad of 40"
    assert bad.state == "error"
    assert [len(bad.cells["error"]), len(bad.cells["absent"])] == [1, 39]
    assert [edge.label for edge in made.edges if edge.state == "error" and edge.label] == ["2%"]


def test_without_hosts_and_without_cables() -> None:
    text = """
version: 1
fabric: pod1
classes: {roce: {dscp: 26, priority: 3, lossless: true}}
devices:
  leaf[1-3]: {nos: nxos, role: leaf}
  spine1: {nos: nxos, role: spine}
  alone: {nos: nxos}
"""
    made = drawn(
        text + 'links: [{a: "leaf[1-3]:Ethernet1/1", b: "spine1:Ethernet1/[1-3]", speed: 400G, cable: 5m dac}]\n'
    )
    above = {box.label: box.y for box in made.boxes}
    assert above["alone"] < above["spine1"] < above["leaf1"]
    drawn(text + "links: []\n")


@pytest.mark.parametrize("count", [MOST_NODES - 10, MOST_NODES + 90])
def test_around_the_limit(count: int) -> None:
    made = drawn(sample.large(count // 2 + 8))
    assert made.aggregated == (count > MOST_NODES)


def test_long_names_are_cut_in_the_middle() -> None:
    made = drawn(sample.SMALL.replace("leaf", "leaf-of-a-very-long-name-in-hall-"))
    captions = {box.caption for box in made.boxes if box.role.startswith("leaf")}
    assert len(captions) == 4
    assert all(len(caption) < 24 for caption in captions)


def _pods(count: int, leaves: int) -> str:
    devices = [f"  p{pod:02}-leaf[01-{leaves}]: {{nos: nxos, role: leaf}}\n"
               f"  p{pod:02}-gpu[01-{leaves}]: {{nic: mlx5, role: host}}\n  p{pod:02}-agg1: {{nos: nxos, role: agg}}\n"
               for pod in range(1, count + 1)]  # fmt: skip
    links = [f'  - {{a: "p{pod:02}-leaf[01-{leaves}]:Ethernet1/1", b: "p{pod:02}-gpu[01-{leaves}]:rail0", speed: 400G, cable: 5m dac}}\n'
             f'  - {{a: "p{pod:02}-leaf[01-{leaves}]:Ethernet1/2", b: "p{pod:02}-agg1:Ethernet1/[1-{leaves}]", speed: 400G, cable: 5m dac}}\n'
             f'  - {{a: "p{pod:02}-agg1:Ethernet1/50", b: "core1:Ethernet1/{pod}", speed: 400G, cable: 5m dac}}\n'
             for pod in range(1, count + 1)]  # fmt: skip
    return (
        "version: 1\nfabric: pod1\nclasses: {roce: {dscp: 26, priority: 3, lossless: true}}\ndevices:\n"
        + "".join(devices) + "  core1: {nos: nxos, role: core}\nlinks:\n" + "".join(links)
    )  # fmt: skip
