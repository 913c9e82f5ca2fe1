"""Generated intents: what the laws are tried on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.plan.resolve import plan
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.plan.planned import Plan

SPEEDS = ("25G", "100G", "200G", "400G")


def rendering() -> list[str]:
    """The systems we render; one of which no syntax is public is recognised only."""
    return [name for name in registry.names() if registry.get(name).manifest.render]


def port_names(system: str) -> tuple[str, ...]:
    """Port names as the system spells them, from its manifest."""
    return registry.get(system).manifest.port_names


def auto_intent(system: str, speed: str = "100G", cable: str = "5m dac") -> str:
    """A small fabric of one system, everything on auto: two devices, two cables between them."""
    kind = "nic" if registry.get(system).manifest.kind == "host" else "nos"
    first, second = port_names(system)[:2]
    return f"""\
version: 1
fabric: law
classes:
  roce: {{dscp: 26, priority: 3, lossless: true}}
  cnp: {{dscp: 48, priority: 6}}
devices:
  one: {{{kind}: {system}, role: edge}}
  two: {{{kind}: {system}, role: edge}}
links:
  - {{a: "one:{first}", b: "two:{first}", speed: {speed}, cable: {cable}}}
  - {{a: "one:{second}", b: "two:{second}", speed: {speed}, cable: {cable}}}
"""


@st.composite
def intents(draw: Callable[..., object], system: str) -> str:
    """Intents of one system with odd but legal values: classes, thresholds, cables, timers."""
    kind = "nic" if registry.get(system).manifest.kind == "host" else "nos"
    names = port_names(system)
    dscps = draw(st.lists(st.integers(1, 63), min_size=4, max_size=4, unique=True))
    priorities = draw(st.lists(st.integers(1, 6), min_size=2, max_size=2, unique=True))
    lossless = draw(st.integers(1, 2))
    lines = [
        f"  a: {{dscp: {dscps[0]}, priority: {priorities[0]}, lossless: true, bandwidth: {draw(st.integers(5, 45))}%}}"
    ]
    if lossless == 2:
        lines.append(f"  b: {{dscp: [{dscps[1]}, {dscps[2]}], priority: {priorities[1]}, lossless: true}}")
    if draw(st.booleans()):
        lines.append(f"  cnp: {{dscp: {dscps[3]}, priority: 7}}")
    settings = draw(_settings())
    cables = draw(st.lists(st.integers(1, 300), min_size=2, max_size=2))
    speed = draw(st.sampled_from(SPEEDS))
    links = [
        f'  - {{a: "one:{name}", b: "two:{name}", speed: {speed}, cable: {cable}m}}'
        for name, cable in zip(names, cables, strict=False)
    ]
    return "\n".join(
        [
            "version: 1",
            "fabric: law",
            "classes:",
            *lines,
            f"settings: {{{', '.join(settings)}}}",
            "devices:",
            f"  one: {{{kind}: {system}, role: edge}}",
            f"  two: {{{kind}: {system}, role: edge}}",
            "links:",
            *links,
            "",
        ]
    )


@st.composite
def _settings(draw: Callable[..., object]) -> list[str]:
    kmin = draw(st.integers(21, 900))
    choices = {
        "ecn": f"ecn: {{kmin: {kmin}KB, kmax: {kmin + draw(st.integers(0, 4000))}KB, pmax: {draw(st.integers(1, 100))}%}}",
        "watchdog": f"watchdog: {{detect: {draw(st.integers(100, 1500))}ms, restore: {draw(st.integers(200, 4000))}ms}}",
        "no watchdog": "watchdog: {enabled: false}",
        "alpha": f"pfc: {{alpha: {draw(st.sampled_from(['1/64', '1/8', '1/2', '1', '2', '8']))}}}",
        "headroom": f"pfc: {{headroom: {draw(st.integers(60, 900))}KB}}",
        "mtu": f"mtu: {draw(st.sampled_from([4200, 9000, 9216]))}",
        "congestion": "congestion_control: none",
    }
    chosen = draw(st.sets(st.sampled_from(sorted(choices)), max_size=3))
    settings = {
        name.rpartition(" ")[2] if name == "no watchdog" else choices[name].partition(":")[0]: choices[name]
        for name in sorted(chosen)
    }
    return sorted(settings.values())


def planned(text: str) -> Plan:
    """The plan of an intent text."""
    return plan(expand(parse_intent(text, "law.roce.yaml")))
