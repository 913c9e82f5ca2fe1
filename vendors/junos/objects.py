"""The named objects of a Junos configuration: defined, used, half applied, or bound to nothing."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import Named, Pfc, Port, PortQos, Where

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vendors.junos.config import Classifier, Config, Ref

_config = load_module(Path(__file__).with_name("config.py"))
_classes = load_module(Path(__file__).with_name("classes.py"))
_PREDEFINED = {*_classes.PREDEFINED, *_classes.OTHER_PREDEFINED}
_USERS = {
    "forwarding-class": (),
    "drop-profile": ("scheduler",),
    "scheduler": ("scheduler-map",),
}
"""Which kind refers to a kind; the others are bound to interfaces."""
_WHOLE_FROM = 3
"""Kinds of objects that a text defines at least when it is no excerpt of one or two of them."""
_SYSTEM = {"default", "derived"}
_CN = "congestion-notification-profile"


class _Uses:
    """Which names of each kind are referred to, and where first."""

    def __init__(self) -> None:
        self.of: dict[str, dict[str, Where | None]] = {}

    def add(self, kind: str, refs: Iterable[Ref]) -> None:
        found = self.of.setdefault(kind, {})
        for ref in refs:
            found.setdefault(ref.name, ref.place)


def named(config: Config, *, whole: bool, unmatched: Iterable[str]) -> tuple[Named, ...]:
    """Return every named object. In a text that is not whole, what is undefined is left out: it may follow."""
    uses, inert = _uses(config), _inert(config, set(unmatched))
    found: list[Named] = []
    kinds = _defined(config)
    excerpt = not (config.host or config.version) and sum(bool(names) for names, _ in kinds.values()) < _WHOLE_FROM
    for kind, (defined, matters) in kinds.items():
        users = [bool(kinds[user][0]) for user in _USERS.get(kind, ())] or [bool(config.bindings)]
        attachable = not excerpt or any(users)
        used = uses.of.get(kind, {})
        system = _PREDEFINED if kind == "forwarding-class" else _SYSTEM
        found.extend(
            Named(
                kind,
                name,
                defined=True,
                used=name in used,
                matters=name in matters and attachable,
                system=name in system,
                place=place,
                inert=inert.get((kind, name), ""),
                would=_would(config, name) if kind == _CN and name not in used and whole else None,
            )
            for name, place in defined.items()
        )
        for name, place in used.items():
            if name in defined or not (whole or name in system) or (excerpt and not defined and name not in system):
                continue  # what an excerpt leaves open is no broken reference
            near = get_close_matches(name, list(defined), n=1)
            found.append(
                Named(kind, name, defined=False, used=True, system=name in system, place=place,
                      near=near[0] if near else "")
            )  # fmt: skip
    return tuple(found)


def _would(config: Config, name: str) -> Port | None:
    """Return the PFC that an unused congestion-notification-profile stands for, where its halves tell."""
    profile = config.cn_profiles[name]
    if any(entry.pfc for inputs in profile.inputs.values() for entry in inputs.values()):
        return None  # which priorities its input pauses depends on the classifier of the port
    if not profile.output:
        return None  # neither half: the port honours what it honours anyway
    places = {
        leaf: where
        for leaf, part in (("pfc.tx", "input"), ("pfc.rx", "output"))
        if (where := profile.places.get(part) or profile.place) is not None
    }
    pfc = Pfc("on", tx=frozenset(), rx=frozenset(profile.output))
    return Port(name, PortQos(pfc=pfc), place=profile.place, places=places)


def _uses(config: Config) -> _Uses:
    uses = _Uses()
    for classifier in config.classifiers.values():
        uses.add("forwarding-class", (_ref(entry.forwarding_class, entry.place) for entry in classifier.codes.values()))
        if classifier.imports:
            uses.add(f"classifier {classifier.kind}", [_ref(classifier.imports, classifier.place)])
    for rule in config.marks.values():
        uses.add("forwarding-class", (_ref(name, next(iter(marks.values()))[1]) for name, marks in rule.items()))
    for schedulers in config.scheduler_maps.values():
        uses.add("forwarding-class", (_ref(name, ref.place) for name, ref in schedulers.items()))
        uses.add("scheduler", schedulers.values())
    uses.add("scheduler-map", config.traffic_profiles.values())
    for scheduler in config.schedulers.values():
        uses.add("drop-profile", scheduler.drops.values())
    for binding in config.bindings.values():
        uses.add("congestion-notification-profile", [binding.cn] if binding.cn else [])
        uses.add("scheduler-map", binding.maps)
        uses.add("traffic-control-profile", binding.profiles)
        uses.add("forwarding-class", binding.fixed.values())
        for (_, kind), ref in binding.classifiers.items():
            if kind in {"dscp", "ieee-802.1"}:
                uses.add(f"classifier {kind}", [ref])
        for (_, kind), ref in binding.rewrites.items():
            if kind == "dscp":
                uses.add("rewrite-rules dscp", [ref])
    for name, place in config.missing_groups.items():
        uses.add("group", [_ref(name, place)])
    return uses


def _ref(name: str, place: Where | None) -> Ref:
    ref: Ref = _config.Ref(name, place)
    return ref


def _defined(config: Config) -> dict[str, tuple[Mapping[str, Where | None], set[str]]]:
    """Return, per kind, what is defined and which of it holds a lossless, ECN or scheduling setting."""
    kinds: dict[str, tuple[dict[str, Where | None], set[str]]] = {
        "forwarding-class": (
            {name: found.place for name, found in config.classes.items() if not found.predefined},
            {name for name, found in config.classes.items() if found.no_loss},
        ),
        "drop-profile": ({name: f.place for name, f in config.drop_profiles.items()}, set(config.drop_profiles)),
        "scheduler": ({name: f.place for name, f in config.schedulers.items()}, set(config.schedulers)),
        "scheduler-map": (dict(config.map_places), set(config.map_places)),
        "traffic-control-profile": ({n: ref.place for n, ref in config.traffic_profiles.items()}, set()),
        "congestion-notification-profile": (
            {name: found.place for name, found in config.cn_profiles.items()},
            set(config.cn_profiles),
        ),
        "rewrite-rules dscp": ({name: _first(rule) for (_, name), rule in config.marks.items()}, set()),
        "group": ({}, set()),
    }
    for kind in ("dscp", "ieee-802.1"):
        defined = {name: found.place for (of, name), found in config.classifiers.items() if of == kind}
        lossless = {
            name
            for (of, name), found in config.classifiers.items()
            if of == kind and any(_lossless(config, entry.forwarding_class) for entry in found.codes.values())
        }
        kinds[f"classifier {kind}"] = (defined, lossless)
    return dict(kinds)


def _first(rule: Mapping[str, Mapping[str, tuple[int, Where | None]]]) -> Where | None:
    return next((where for marks in rule.values() for _, where in marks.values()), None)


def _lossless(config: Config, name: str) -> bool:
    found = config.classes.get(name)
    return found is not None and found.no_loss


def _idle_profile(config: Config, paused: set[int]) -> str:
    """Return why none of the DSCP inputs of a profile makes the port pause: no class, or one that cannot.

    A PFC frame names a priority: the class of a paused DSCP needs `no-loss` and a `pfc-priority`.
    """
    classifiers = [found for found in config.classifiers.values() if found.kind == "dscp"]
    if not classifiers or any(found.imports for found in classifiers):
        return ""
    reasons = [_idle_code(config, found, code) for code in sorted(paused) for found in classifiers]
    return reasons[0] if reasons and all(reasons) else ""


def _idle_code(config: Config, classifier: Classifier, code: int) -> str:
    entry = classifier.codes.get(code)
    if entry is None:
        return f"classifier {classifier.name} puts DSCP {code} in no forwarding-class"
    found = config.classes.get(entry.forwarding_class)
    if found is None or found.predefined:
        return ""
    if not found.no_loss:
        return f"DSCP {code} is of forwarding-class {found.name}, which is not no-loss"
    if found.priority is None:
        return f"DSCP {code} is of forwarding-class {found.name}, which has no pfc-priority to pause"
    return ""


def _inert(config: Config, unmatched: set[str]) -> dict[tuple[str, str], str]:
    """Return why objects that are defined and used still do nothing."""
    reasons: dict[tuple[str, str], str] = {}
    for name, scheduler in config.schedulers.items():
        if scheduler.ecn and not scheduler.drops:
            reasons["scheduler", name] = "explicit-congestion-notification without a drop-profile-map marks nothing"
    for schedulers in config.scheduler_maps.values():
        for class_name, ref in schedulers.items():
            found = config.schedulers.get(ref.name)
            if found is not None and found.threshold is not None and _lossless(config, class_name):
                reasons.setdefault(
                    ("scheduler", ref.name),
                    f"buffer-dynamic-threshold is not supported on the queue of the lossless class {class_name}",
                )
    for name, profile in config.cn_profiles.items():
        paused = {code for code, entry in profile.inputs.get("dscp", {}).items() if entry.pfc}
        users = [binding for binding in config.bindings.values() if binding.cn and binding.cn.name == name]
        idle = _idle_profile(config, paused) if users and paused else ""
        if idle:
            reasons["congestion-notification-profile", name] = idle
        if users and config.interfaces and all(binding.pattern in unmatched for binding in users):
            reasons["congestion-notification-profile", name] = (
                f"bound to {', '.join(binding.pattern for binding in users)}, and the text has no such interface"
            )
        for classifier in config.classifiers.values():
            if classifier.kind != "dscp" or not paused:
                continue
            for of_class in config.classes.values():
                codes = {code for code, entry in classifier.codes.items() if entry.forwarding_class == of_class.name}
                missing = sorted(codes - paused)
                if of_class.no_loss and codes & paused and missing:
                    reasons["forwarding-class", of_class.name] = (
                        f"DSCP {', '.join(map(str, missing))} of the class is no input of "
                        f"congestion-notification-profile {name}: those packets are never paused for"
                    )
    return reasons
