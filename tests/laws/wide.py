"""Intents with anything that the language knows: many classes, codes, trusts, thresholds, timers and cables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from rocecfg.vendor import registry
from tests.laws.intents import port_names

if TYPE_CHECKING:
    from collections.abc import Callable

OWN_DOING = {
    "ECN-002": ("ecn: false", "enabled: false"),
    "WD-001": ("watchdog: {enabled: false}",),
    "WD-007": ("restore:",),
    "BUF-002": ("headroom:",),
    "BUF-003": ("headroom:",),
    "BUF-014": ("xoff_at:", "alpha:", "kmax:"),
    "ECN-005": ("xoff_at:", "alpha:", "kmin:"),
    "ECN-014": ("kmax:",),
    "QMAP-003": ("trust: both",),
    "NIC-002": ("trust: dscp",),  # Windows marks by priority, whatever is stated
}
"""Errors of the rules that an intent asks for: one of these words stands in it."""


@st.composite
def wide_intents(draw: Callable[..., Any], system: str) -> str:
    """An intent of one system, legal or nearly so: some contradict themselves, some ask for what no system has."""
    codes = draw(st.permutations(range(1, 64)))
    priorities = draw(st.permutations(range(1, 8)))
    if draw(st.integers(0, 4)) == 0:
        priorities = [0, *priorities]
    classes = [_lossless(draw, codes, priorities) for _ in range(draw(st.integers(1, 3)))]
    classes += [
        f"{{dscp: {codes.pop()}, priority: {priorities.pop(0)}{tail}}}"
        for tail in draw(st.lists(st.sampled_from(_LOSSY), max_size=3))
    ]
    names = [f"  c{number}: {text}" for number, text in enumerate(classes)]
    kind = "nic" if registry.get(system).manifest.kind == "host" else "nos"
    speed = draw(st.sampled_from(["10G", "25G", "40G", "100G", "400G"]))
    cables = draw(st.lists(st.sampled_from(_CABLES), min_size=2, max_size=2))
    return "\n".join(
        [
            "version: 1",
            "fabric: law",
            "classes:",
            *names,
            f"settings: {{{', '.join(_settings(draw))}}}",
            "devices:",
            *(f"  {name}: {{{kind}: {system}, role: edge}}" for name in ("one", "two")),
            "links:",
            *(
                f'  - {{a: "one:{port}", b: "two:{port}", speed: {speed}, cable: {cable}}}'
                for port, cable in zip(port_names(system), cables, strict=False)
            ),
            "",
        ]
    )


_LOSSY = (
    "",
    ", bandwidth: 10%",
    ", kind: cnp",
    ", kind: cnp, strict: false, bandwidth: 5%",
    ", kind: control, strict: true",
    ", kind: roce, lossless: false",
)
_CABLES = ("3m dac", "15m aec", "30m fibre", "137m", "300m fibre", "2km fibre")
_SETTINGS = (
    ("mtu: 1500", "mtu: 4200", "mtu: 9000", "mtu: 9216"),
    ("roce_mtu: 1024", "roce_mtu: 4096"),
    ("trust: dscp", "trust: pcp", "trust: both"),
    ("congestion_control: none", "congestion_control: other"),
    ("traffic: worst", "traffic: large", "traffic: mixed 50%"),
    ("design_incast: 2", "design_incast: 16"),
    ("asymmetric_pfc: true",),
    ('dcbx: "off"', "dcbx: ieee", "dcbx: cee"),
    ("pfc: {headroom: 300KB}", "pfc: {alpha: 1/8}", "pfc: {xoff_at: 600KB, xon_at: 550KB}", "pfc: {xon_below: 20KB}"),
    ("ecn: {enabled: false}", "ecn: {profile: latency}", "ecn: {kmin: 90KB, kmax: 800KB, pmax: 7%}", "ecn: {pmax: 3%}"),
    ("watchdog: {detect: 1298ms, restore: 515ms}", "watchdog: {enabled: false}", "watchdog: {action: alert}"),
    ("buffer: {lossless_share: 40%}", "buffer: {headroom_share: 20%}"),
)


def _settings(draw: Callable[..., Any]) -> list[str]:
    chosen = draw(st.sets(st.integers(0, len(_SETTINGS) - 1), max_size=5))
    return [draw(st.sampled_from(_SETTINGS[number])) for number in sorted(chosen)]


def _lossless(draw: Callable[..., Any], codes: list[int], priorities: list[int]) -> str:
    """A lossless class; it may have several codes, a share, a ramp, a queue or a tag of its own."""
    dscps = [codes.pop() for _ in range(draw(st.integers(1, 3)))]
    more = draw(
        st.sets(st.sampled_from(["bandwidth: 12%", "ecn: false", "alpha: 1/16", "queue: 5", "pcp: 4"]), max_size=2)
    )
    return f"{{{', '.join([f'dscp: {dscps}', f'priority: {priorities.pop(0)}', 'lossless: true', *sorted(more)])}}}"
