"""All that a rule may import.

A rule is one file in `lint_rules/<family>/<bad_pattern>.py`:

    '''A lossless priority has no headroom on a port that receives it.      <- the page; headings as below

    ## What it finds
    ## Why it matters
    ## What to do
    ## When to ignore
    ## References
    '''
    from rocecfg.lint.api import Given, Hit, Option, PortQos, Severity, Unknown

    ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-001", "headroom-missing", Severity.ERROR, "min", "0.1"
    OPTIONS = {"margin": Option(0, "percent below the bound that is still accepted")}
    GOOD = '''...'''          # YAML: see rocecfg.lint.examples
    BAD = '''...'''

    def check(port: PortQos, given: Given) -> Iterator[Hit | Unknown]: ...

The annotation of the first parameter says what the rule is fed with: `Intent`, `Device`, `Port`, `PortQos`, `Link`,
`Fleet`, and for counters `Counters` (the newest capture of a device), `CounterPair` (two captures of it) or
`CounterFabric` (all pairs of the run); where a rule has both, its `Counters` check judges only devices without a pair.
A `PortQos` rule runs once per distinct object, across ports and devices: it may look at nothing else but
`given.options` and `given.expect`, and its finding lists the ports. A `Port` rule runs once for all ports of a device
that differ in nothing but name, place, channel and the name of a neighbour. `Unknown` says which input was missing; a
rule never takes an unknown for a yes or a no.

Optional: further functions `check_...` with another first parameter (the same rule seen from a link, a device);
`DEVICES = "switch"` or `"host"` when the rule is about one of the two only; `PRODUCED_BY = "..."` instead of a check
for the page of a finding that the engine itself makes. A line `- nxos: ...` under "What to do" is added to the help
of findings on devices of that system; the word IF in it becomes the port's name. Other values of the user's stay in
capitals (NAME, PRIORITY, LENGTH): a sample value might be typed as it stands.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rocecfg.findings import Edit, Severity, Spot
from rocecfg.lint.lossless import (
    amount_text,
    colour_text,
    compare,
    configured_lossless,
    lossless_groups,
    numbers_text,
    queues_of_priority,
    reachable_tcs,
    tcs_of_priority,
    wanted_lossless,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import SimpleNamespace

    from rocecfg.fabric.graph import Fabric
    from rocecfg.fabric.paths import Path
    from rocecfg.intent.fabric import Fabric as Intent
    from rocecfg.lint.counting import (
        ANY_PRIORITY,
        CounterFabric,
        CounterPair,
        Counters,
        Growth,
        gaps,
        lossless_here,
        worst_port,
    )
    from rocecfg.state.model import NEVER, UNLIMITED, Amount, Curve, Device, HeadroomRow, Pool, Port, PortQos, Where
else:
    Intent = "Intent"

    def __getattr__(name: str) -> object:
        """Hand out the state's classes when a rule asks for them: rules about intents start without them."""
        if name not in __all__:
            raise AttributeError(f"rocecfg.lint.api has no {name}")
        if name in _OF_COUNTERS:
            from rocecfg.lint import counting

            return getattr(counting, name)
        if name in {"Fabric", "Path"}:
            from rocecfg.fabric import graph, paths

            return graph.Fabric if name == "Fabric" else paths.Path
        from rocecfg.state import model

        return getattr(model, name)


_OF_COUNTERS = frozenset(
    {
        "ANY_PRIORITY", "CounterFabric", "CounterPair", "Counters", "Growth", "gaps", "lossless_here", "worst_port",
    }
)  # fmt: skip


__all__ = [
    "ANY_PRIORITY",
    "NEVER",
    "UNLIMITED",
    "Amount",
    "CounterFabric",
    "CounterPair",
    "Counters",
    "Curve",
    "Device",
    "Edit",
    "End",
    "Expected",
    "ExpectedClass",
    "Fabric",
    "Fleet",
    "Fraction",
    "Given",
    "Growth",
    "HeadroomRow",
    "Hit",
    "Intent",
    "Link",
    "Option",
    "Path",
    "Pool",
    "Port",
    "PortQos",
    "Severity",
    "Spot",
    "Unknown",
    "Where",
    "amount_text",
    "colour_text",
    "compare",
    "configured_lossless",
    "gaps",
    "lossless_groups",
    "lossless_here",
    "numbers_text",
    "queues_of_priority",
    "reachable_tcs",
    "tcs_of_priority",
    "wanted_lossless",
    "worst_port",
]

PROFILES = ("min", "safe", "strict")
"""min: will not work; safe: can lose, storm or lock up; strict: vendor best practice. Each holds the one before."""


@dataclass(frozen=True, slots=True)
class Option:
    """A number or word of a rule that the user's configuration may set."""

    default: Any
    help: str


@dataclass(frozen=True, slots=True)
class Hit:
    """What a rule found: a sentence with both numbers and the unit, and what to type.

    `leaf` is the path that decides it ("pfc.admin", "queues.3.ecn"): the report points at that line.
    `object` names it for people ("priority 3", "queue 3"); the runner adds the ports.
    """

    message: str
    help: str = ""
    leaf: str = ""
    object: str = ""
    severity: Severity | None = None
    place: Spot | None = None
    ports: tuple[str, ...] = ()
    """Of a `Device` rule: the ports it is about; the report points at the first one's `leaf`."""
    end: End | None = None
    """Of a `Link` rule: the end to look at (its device and port are reported), the first end when None.
    Of a `Path` or `Fabric` rule: the device and port to look at; `ports` names more of its ports.

    Links with the same message on one device are one finding: name the far device, not the ports."""
    device: Device | None = None
    """Of a `Fleet` rule: the device that differs; of a `CounterFabric` rule: the device to look at."""
    edits: tuple[Edit, ...] = ()
    """Of an `Intent` rule: the cure, where there is only one; `lint --fix` writes it."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """An input the rule needs and the texts do not give: the rule is "not evaluated" for this subject."""

    missing: str
    end: End | None = None
    """Of a `Link` rule: the end that does not say it; do not name the port in `missing`, so that ports add up."""


@dataclass(frozen=True, slots=True)
class ExpectedClass:
    """A traffic class as the intent wants it on a device."""

    name: str
    kind: str
    """roce, cnp, control, default or other."""
    dscps: frozenset[int]
    priority: int
    lossless: bool
    bandwidth: Fraction | int | None = None
    """Percent of the link that the intent states; None = it leaves the share open."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What the intent wants of a device; a rule that needs it and has none is not evaluated."""

    classes: tuple[ExpectedClass, ...] = ()
    trust: str | None = None
    congestion_control: str | None = None
    asymmetric_pfc: bool = False
    traffic: Fraction | int | None = None
    """Percent of small packets that headroom is sized for (worst = 100, large = 0)."""
    roce_mtu: int | None = None
    """RDMA path MTU in bytes."""
    design_incast: int | None = None
    """Senders that may hit one receiver at once."""
    design_fanout: int | None = None
    """Egress ports that one sender may spread over at once."""
    rtt: int | None = None
    """Nanoseconds of a round trip without queueing."""

    @property
    def lossless(self) -> frozenset[int]:
        """The priorities that must be lossless."""
        return frozenset(item.priority for item in self.classes if item.lossless)

    @property
    def lossless_dscps(self) -> frozenset[int]:
        """The DSCPs that may travel in lossless classes."""
        return frozenset(dscp for item in self.classes if item.lossless for dscp in item.dscps)


@dataclass(frozen=True, slots=True)
class Given:
    """What a rule gets beside its subject."""

    options: SimpleNamespace
    expect: Expected | None = None
    device: Device | None = None
    """The subject's device; None for `PortQos` rules, which must not depend on it."""


@dataclass(frozen=True, slots=True)
class End:
    """One end of a cable: a port of a device whose state is known, or only their names.

    `device` comes without its ports: a link rule looks at the two ports of the cable only.
    """

    device_name: str
    port_name: str
    device: Device | None = None
    port: Port | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A cable between two ports. Speed in bit/s, cable in metres; None where nobody says."""

    a: End
    b: End
    speed: int | None = None
    cable: Fraction | int | None = None
    media: str = ""
    place: Spot | None = None


@dataclass(frozen=True, slots=True)
class Fleet:
    """The devices of one role (and system and model), each with one port for every distinct `PortQos`."""

    role: str
    devices: tuple[Device, ...]
    expect: Mapping[str, Expected] = field(default_factory=dict)
