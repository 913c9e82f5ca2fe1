"""The file that `rocecfg advise` reads: what is planned. Everything may be left out; unknown stays unknown.

`read` gives facts by dotted name, `{"gpus.later": 512, "traffic.pattern": "collectives"}`, in base units.
`derived` adds what follows from them: `gpus`, `across`, `several` and the like, which rules may ask for as well.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rocecfg import units, yamlfile
from rocecfg.errors import IntentError, Problem
from rocecfg.intent import fields, schematypes
from rocecfg.intent.fields import FieldError
from rocecfg.intent.shape import Field, Part, group, value
from rocecfg.intent.validation import read_file
from rocecfg.units import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from rocecfg.yamlfile import Document

Facts = dict[str, Any]


def _count(description: str, low: int, high: int) -> Field[int]:
    return value(fields.read_whole(low, high), schematypes.whole(low, high), description)


def _flag(description: str) -> Field[bool]:
    return value(fields.read_boolean, schematypes.BOOLEAN, description)


def _word(description: str, *known: str) -> Field[str]:
    return value(fields.read_word(*known), schematypes.words(*known), description)


def _name(description: str) -> Field[str]:
    return value(fields.read_name, schematypes.NAME, description)


def _share(description: str) -> Field[units.Number]:
    return value(units.parse_percent, schematypes.PERCENT, description)


def _money(description: str) -> Field[int]:
    return _count(description, 0, 10**12)


def _read_distance(raw: Any) -> units.Number:
    metres = units.parse_length(raw)
    if not 0 < metres <= 20_000_000:
        raise FieldError(f"a distance of {shown(raw)} is not accepted", "accepted: above 0m, up to 20000km")
    return metres


class Workloads(Part):
    """Shares of the work over the period."""

    training = _share("Training and fine-tuning.")
    inference = _share("Inference.")
    experiments = _share("Experiments and everything else.")


class Gpus(Part):
    """How many GPUs."""

    now = _count("Today.", 0, 1_000_000)
    later = _count("At the end of the period.", 1, 1_000_000)
    per_server = _count("In one server, or in one rack-scale domain with its own links.", 1, 1024)


class Traffic(Part):
    """How GPUs of different servers talk."""

    pattern = _word("Communication pattern.", "collectives", "all-to-all", "exchange", "independent")
    message = value(units.parse_size, schematypes.SIZE, "Typical message size.")


class Link(Part):
    """The back-end links."""

    speed = value(fields.read_speed, schematypes.RATE, "Speed of a NIC.")
    nics_per_server = _count("Back-end NICs in a server; left out: one for each GPU.", 1, 1024)
    switch_ports = _count("Ports of a switch at that speed.", 2, 1024)


class Network(Part):
    """The network that is there for this already."""

    kind = _word("What it is.", "none", "ethernet", "infiniband")
    keep = _flag("Its switches must carry the new traffic.")
    pfc = _flag("Its switches can do PFC and ECN.")
    shared = _flag("It carries other traffic too.")


class Hardware(Part):
    """What the starter intent is written for."""

    nos = _name("Switch system.")
    model = value(fields.read_text, schematypes.NAME, "Switch model.")
    nic = _name("NIC family.")
    loss_recovery = _flag("The NICs resend only what was lost.")


class People(Part):
    """Who runs it."""

    roce = _count("People who can tune PFC, ECN and buffers.", 0, 10_000)
    infiniband = _count("People who know InfiniBand.", 0, 10_000)


class Operations(Part):
    """How it is run."""

    monitoring = _flag("Ports and NICs are monitored.")
    drills = _flag("Failures are drilled.")


class Scheduler(Part):
    """The scheduler of the jobs."""

    topology = _flag("It knows network pools and node topology.")


class Sites(Part):
    """The data centres."""

    count = _count("How many.", 1, 1000)
    distance = value(_read_distance, {"type": "string"}, "Distance between them.")
    together = _flag("One training job spans them.")


class Prices(Part):
    """What one piece costs, in the currency of `prices`."""

    nic = _money("One NIC.")
    switch = _money("One switch.")
    cable = _money("One cable with its optics.")


class PriceLists(Part):
    """The user's own prices."""

    currency = _name("Currency, such as EUR.")
    person = _money("One person for a year.")
    ethernet = group(Prices)
    roce = group(Prices)
    platform = group(Prices)
    infiniband = group(Prices)


def _read_version(raw: Any) -> int:
    if isinstance(raw, bool) or raw != 1:
        raise FieldError(f"version {shown(raw)} is not known", "accepted: 1")
    return 1


class Situation(Part):
    """What is planned, for `rocecfg advise`."""

    version = value(_read_version, {"const": 1}, "Version of this file.")
    name = _name("A name for the plan; the starter intent's fabric.")
    months = _count("Months looked ahead.", 1, 120)
    workloads = group(Workloads)
    gpus = group(Gpus)
    traffic = group(Traffic)
    goal = _word("What counts most.", "cost", "balance", "throughput")
    link = group(Link)
    network = group(Network)
    hardware = group(Hardware)
    people = group(People)
    operations = group(Operations)
    scheduler = group(Scheduler)
    sites = group(Sites)
    budget = _money("Budget for the equipment, in the currency of `prices`.")
    prices = group(PriceLists)


DERIVED: Mapping[str, Callable[[Any], Any]] = {
    "gpus": fields.read_whole(1, 1_000_000),
    "across": fields.read_boolean,
    "several": fields.read_boolean,
    "shrinking": fields.read_boolean,
    "server_too_large": fields.read_boolean,
    "flight": units.parse_size,
}
"""What follows from the answers, with the reader of each: see `derived`."""


def readers() -> dict[str, Callable[[Any], Any]]:
    """Return every fact's reader by dotted name: what the file, a terminal and a rule's condition may say."""
    return dict(_readers(Situation)) | dict(DERIVED)


def _readers(shape: type[Part], before: str = "") -> list[tuple[str, Callable[[Any], Any]]]:
    found: list[tuple[str, Callable[[Any], Any]]] = []
    for name, field in shape.FIELDS.items():
        if field.stands_for is not None:
            found += _readers(field.stands_for, f"{before}{name}.")
        elif field.read is not None and name != "version":
            found.append((before + name, field.read))
    return found


def read(path: Path | str) -> Facts:
    """Return the facts of a file. Raises IntentError with every problem, also when there is no such file."""
    return _facts(lambda: yamlfile.load_path(path))


def parse(text: str | bytes, file: str = "<stdin>") -> Facts:
    """Return the facts of a text. Raises IntentError with every problem."""
    return _facts(lambda: yamlfile.load_text(text, file))


def _facts(load: Callable[[], Document]) -> Facts:
    try:
        document = load()
    except IntentError as error:  # what is said about an empty intent
        raise IntentError(
            [
                replace(item, help=item.help.replace("rocecfg init", "rocecfg advise --example"))
                for item in error.problems
            ]
        ) from error
    problems: list[Problem] = []
    if not isinstance(document.data, dict):
        message = f"{shown(document.data)} is no plan: the file must be a mapping of keys and values"
        raise IntentError([Problem(*document.place(()), message, "`rocecfg advise --example` writes one")])
    facts = flat(read_file(document, Situation, problems))
    total = sum(facts.get(f"workloads.{name}", 0) for name in Workloads.FIELDS)
    if total > 100:
        message = f"workloads: the shares add up to {units.print_percent(total)}"
        problems.append(Problem(*document.place(("workloads",)), message, "accepted: 100% together"))
    if problems:
        raise IntentError(problems)
    return facts


def flat(part: Part, before: str = "") -> Facts:
    """Return what a part states by dotted name."""
    found: Facts = {}
    for name, item in part.stated.items():
        if isinstance(item, Part):
            found |= flat(item, f"{before}{name}.")
        elif name != "version":
            found[before + name] = item
    return found


def derived(facts: Facts, assumed: Mapping[str, Any]) -> Facts:
    """Return the facts with assumed ones where nothing is said, and with what follows from both."""
    whole = {**assumed, **facts}
    counts = [whole[name] for name in ("gpus.now", "gpus.later") if name in whole]
    if any(counts):
        whole["gpus"] = max(counts)
        whole["across"] = whole["gpus"] > whole["gpus.per_server"]
        whole["shrinking"] = len(counts) == 2 and counts[1] < counts[0]
        whole["server_too_large"] = "gpus.per_server" in facts and whole["gpus.per_server"] > whole["gpus"]
    if "sites.count" in whole:
        whole["several"] = whole["sites.count"] > 1
    if "link.speed" in whole and "sites.distance" in whole:
        # 10 ns for each metre, there and back; 8 bits to a byte.
        whole["flight"] = int(Fraction(whole["link.speed"]) * Fraction(whole["sites.distance"]) / 10**8 / 8)
    return whole
