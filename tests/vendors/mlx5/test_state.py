"""Round trip, fit and defaults over generated plans; the golden texts of one small plan."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rocecfg.errors import RenderError
from rocecfg.packs import load_module
from rocecfg.render.engine import as_capture, render
from rocecfg.state.model import (
    NEVER,
    UNLIMITED,
    Amount,
    CongestionControl,
    Dcbx,
    Device,
    LinkPause,
    Nic,
    PriorityGroup,
    eight,
)
from rocecfg.vendor import registry
from rocecfg.vendor.manifest import read_yaml
from tests.planned import planned_host, planned_qos

MLX5 = registry.get("mlx5").module
HERE = Path(__file__).parent
LIMITS = read_yaml(registry.get("mlx5").folder / "limits.yaml")
GIGABIT = 1_000_000_000


def optional(values: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.one_of(st.none(), values)


PRIORITIES = st.frozensets(st.integers(0, 7), max_size=8)


@st.composite
def nics(draw: st.DrawFn) -> Nic | None:
    if draw(st.integers(0, 9)) == 0:
        return None
    names = draw(st.lists(st.sampled_from(sorted(LIMITS["parameters"])), unique=True, max_size=4))
    control = CongestionControl(
        "dcqcn",
        draw(optional(PRIORITIES)),
        draw(optional(PRIORITIES)),
        tuple((name, draw(st.integers(1, 100))) for name in names),
    )
    return Nic(
        rdma_device=draw(optional(st.sampled_from(["mlx5_0", "mlx5_bond_0", "rocep23s0f0"]))),
        roce_version=draw(optional(st.sampled_from(["v1", "v2"]))),
        default_tos=draw(optional(st.integers(0, 255))),
        forced_tos=draw(optional(st.integers(0, 255))),
        congestion_control=draw(optional(st.just(control))),
        cnp_dscp=draw(optional(st.integers(0, 63))),
        cnp_priority=draw(optional(st.integers(0, 7))),
        storm_timeout=draw(optional(st.sampled_from([NEVER, 10, 80, 100, 8000, 60_000]))),
        manual_buffers=draw(st.sampled_from([None, True])),
    )


@st.composite
def hosts(draw: st.DrawFn) -> Device:
    lossless = draw(st.dictionaries(st.integers(0, 63), st.integers(0, 7), min_size=1, max_size=2))
    cnp = draw(optional(st.tuples(st.integers(0, 63).filter(lambda code: code not in lossless), st.integers(0, 7))))
    if cnp is not None and cnp[1] in lossless.values():
        cnp = None
    qos = planned_qos(
        lossless=lossless, cnp=cnp, cable=draw(optional(st.one_of(st.integers(1, 999), st.just(Fraction(5, 2))))),
        alpha=draw(optional(st.just(Fraction(1, 8)))), headroom=draw(st.integers(1, 400_000)), watchdog=draw(st.booleans()),
    )  # fmt: skip
    if draw(st.booleans()):
        weights = st.one_of(st.integers(1, 255), st.fractions(1, 200))
        queues = [
            queue and replace(queue, weight=draw(optional(weights)) if queue.scheduler == "weighted" else None,
                              shaper=draw(optional(st.sampled_from([UNLIMITED, 10 * GIGABIT, 2_500_000_000]))))
            for queue in qos.queues or ()
        ]  # fmt: skip
        qos = replace(qos, queues=tuple(queues))
    if draw(st.integers(0, 4)) == 0:
        groups = {0: PriorityGroup(reserved=Amount.of_bytes(draw(st.integers(1, 300_000))))}
        qos = replace(qos, tc_to_pg=(0,) * 8 + (None,) * 8, priority_groups=eight(groups))
    qos = replace(
        qos,
        trust=draw(st.sampled_from(["dscp", "dscp", "pcp", None])),
        link_pause=draw(optional(st.builds(LinkPause, optional(st.booleans()), optional(st.booleans())))),
        dcbx=draw(
            optional(st.builds(Dcbx, owners=st.sampled_from([frozenset({"os"}), frozenset({"firmware"}), None])))
        ),
        pfc=draw(st.sampled_from([qos.pfc, None])),
    )
    names = draw(
        st.lists(
            st.sampled_from(["ens1f0np0", "eth-1", "enp23s0f0.100", "rail0", "p0_1"]),
            min_size=1,
            max_size=3,
            unique=True,
        )
    )
    device = planned_host("mlx5", names)
    ports = {}
    for name in names:
        counts = draw(st.sampled_from(["ip", "l2", "l2+fcs"]))
        speed = draw(st.sampled_from([None, 25 * GIGABIT, 100 * GIGABIT, 400 * GIGABIT]))
        nic = draw(nics())
        ports[name] = replace(
            device.ports[name],
            qos=qos,
            nic=nic,
            speed=speed,
            mtu=draw(optional(st.integers(1280, 9900))),
            mtu_counts=counts,
        )
    return replace(device, ports=ports)


def read_back(device: Device) -> Device:
    return MLX5.defaults(MLX5.to_state(as_capture(device, render(device))))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(hosts())
def test_round_trip_fit_and_defaults(plan: Device) -> None:
    fitted, notes = MLX5.fit(plan)
    again, more = MLX5.fit(fitted)
    assert again == fitted
    assert [note for note in more if note.kind != "refused"] == []
    assert MLX5.defaults(fitted) == fitted
    assert all(note.because and note.wanted and note.got for note in notes)
    if any(note.kind == "refused" for note in notes):
        return
    back = read_back(fitted)
    assert list(back.ports) == list(fitted.ports)
    for name, port in fitted.ports.items():
        for leaf in (field.name for field in fields(port.qos) if field.compare):
            assert getattr(back.ports[name].qos, leaf) == getattr(port.qos, leaf), leaf
        assert back.ports[name].nic == port.nic
    assert back == fitted
    assert back.lines == ()
    assert [item.content for item in render(fitted)] == [item.content for item in render(MLX5.fit(plan)[0])]
    for port in fitted.ports.values():
        share = [queue.weight for queue in port.qos.queues or () if queue is not None and queue.scheduler == "weighted"]
        assert not share or (sum(share) == 100 and min(share) >= 1)


def test_the_reader_and_the_limits_know_the_same_parameters() -> None:
    facts = load_module(registry.get("mlx5").folder / "facts.py")
    twins = {word: (names["firmware"], names["debugfs"]) for word, names in LIMITS["parameters"].items()}
    assert dict(facts.PARAMETERS) == twins


def test_nothing_stray_lands_in_a_lossless_class() -> None:
    qos = planned_qos(lossless={26: 3, 10: 4}, cnp=(48, 6))
    device = planned_host("mlx5", ["eth0"])
    fitted, _ = MLX5.fit(replace(device, ports={"eth0": replace(device.ports["eth0"], qos=qos)}))
    codes = fitted.ports["eth0"].qos.dscp_to_tc
    assert codes is not None
    assert (codes.codes(3), codes.codes(4), codes.codes(6)) == ((26,), (10,), (48,))
    assert codes.to[0] == codes.to[24] == codes.to[32] == codes.to[49] == 0
    assert (codes.to[16], codes.to[63]) == (2, 7)


def test_headroom_is_the_drivers_formula() -> None:
    """The table of NVIDIA's driver formula, MTU 9000, in bytes."""
    headroom = registry.get("mlx5").module.defaults.__globals__["headroom_bytes"]
    table = {
        100: (55_180, 56_080, 60_980, 76_180, 119_380),
        200: (85_880, 87_680, 97_480, 127_880, 214_280),
        400: (147_280, 150_880, 170_480, 231_280, 404_080),
        800: (270_080, 277_280, 316_480, 438_080, 783_680),
    }
    for speed, row in table.items():
        assert tuple(headroom(speed * GIGABIT, metres, 9000) for metres in (3, 7, 30, 100, 300)) == row
    assert headroom(10 * GIGABIT, 7, 9000) == headroom(40 * GIGABIT, 7, 9000)


@pytest.mark.parametrize("name", ["eth0;reboot", "$(id)", "-rf", "..", "a" * 16, "eth 0", "", "eth0\nreboot"])
def test_names_that_may_not_stand_in_a_script_are_refused(name: str) -> None:
    plan = planned_host("mlx5", [name])
    fitted, notes = MLX5.fit(plan)
    assert [note.kind for note in notes if note.field == "name"] == ["refused"]
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", name):
        with pytest.raises(RenderError):
            render(fitted)


def test_a_host_name_cannot_break_out_of_its_comment() -> None:
    fitted, _ = MLX5.fit(replace(planned_host("mlx5", ["eth0"]), name="gpu01\nrm -rf /"))
    assert all("\nrm" not in item.content for item in render(fitted))


REFUSED = {
    "trust": lambda qos: replace(qos, trust="both"),
    "pfc": lambda qos: replace(qos, pfc=replace(qos.pfc, rx=frozenset())),
    "pfc.admin": lambda qos: replace(qos, pfc=replace(qos.pfc, admin="auto")),
    "pfc.by": lambda qos: replace(qos, pfc=replace(qos.pfc, by="pcp")),
    "tc_to_queue": lambda qos: replace(qos, tc_to_queue=(3, None, None, 3, None, None, 6, *(None,) * 9)),
    "dscp_to_tc": lambda qos: replace(qos, dscp_to_tc=replace(qos.dscp_to_tc, conflicts=((26, frozenset({3, 4})),))),
    "cable": lambda qos: replace(qos, cable=1000),
}


@pytest.mark.parametrize("field", REFUSED)
def test_what_must_not_change_silently_is_refused(field: str) -> None:
    plan = planned_host("mlx5", ["eth0"])
    port = plan.ports["eth0"]
    _, notes = MLX5.fit(replace(plan, ports={"eth0": replace(port, qos=REFUSED[field](port.qos))}))
    assert field in [note.field for note in notes if note.kind == "refused"]


def small_plan() -> Device:
    plan = planned_host("mlx5", ["ens1f0np0", "ens1f1np1"])
    first, second = plan.ports.values()
    assert first.nic is not None
    return replace(
        plan,
        ports={
            "ens1f0np0": replace(first, nic=replace(first.nic, rdma_device="mlx5_0", storm_timeout=100)),
            "ens1f1np1": replace(second, qos=replace(second.qos, cable=3)),
        },
    )


def data_of(script: str) -> str:
    return script[: script.index("\n}\n") + 3]


def test_golden_texts() -> None:
    script, unit = render(MLX5.fit(small_plan())[0])
    assert (script.file, script.mode, unit.file) == ("rocecfg-nic.sh", 0o755, "rocecfg-nic.service")
    assert data_of(script.content) == (HERE / "small_plan.sh").read_text(encoding="utf-8")
    assert unit.content == (HERE / "small_plan.service").read_text(encoding="utf-8")


def test_every_line_of_data_and_unit_has_evidence() -> None:
    entries = registry.get("mlx5").manifest.evidence
    assert not [entry.shape for entry in entries if entry.level == "inferred" and "/ecn/roce_rp/" not in entry.shape]
    shapes = [
        re.compile(
            "".join(re.escape(part) if at % 2 == 0 else (".+" if part else r"\S+") for at, part in enumerate(parts))
        )
        for parts in (re.split(r"<[a-z-]+(\.\.\.)?>", entry.shape) for entry in entries)
    ]
    script, unit = render(MLX5.fit(small_plan())[0])
    data = data_of(script.content).partition("wanted() {\n")[2].partition("\n}")[0]
    for line in (data + "\n" + unit.content).splitlines():
        words = " ".join(line.partition("#")[0].split())
        assert not words or any(shape.fullmatch(words) for shape in shapes), words


def test_places_of_a_script_point_at_its_lines() -> None:
    device, _ = MLX5.fit(small_plan())
    capture = as_capture(device, render(device))
    lines = capture.texts[0].content.splitlines()
    port = MLX5.to_state(capture).ports["ens1f1np1"]
    for leaf, word in (
        ("pfc", "want pfc 3"), ("cable", "want cable 3 "), ("trust", "want trust dscp"), ("mtu", "want mtu 9000"),
        ("queues.3", "want tc_scheduler"), ("tc_to_queue", "want priority_to_tc"), ("dcbx", "want dcb_owner os"),
        ("dscp_to_tc.26", "want dscp_to_priority"), ("nic.cnp_dscp", "want cnp_dscp 48"), ("link_pause", "want pause_rx"),
    ):  # fmt: skip
        place = port.where(leaf)
        assert place is not None
        assert word in lines[place.line - 1], leaf
