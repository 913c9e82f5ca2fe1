"""What the applications of a host are told: the mark of the class that carries them, the address to use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.errors import PlanError, did_you_mean
from rocecfg.plan.nic import ECT_0, whose
from rocecfg.state.model import App, Where
from rocecfg.vendor import applications
from rocecfg.vendor.api import Adjustment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.intent.fabric import FabricClass
    from rocecfg.intent.settings import Settings
    from rocecfg.plan.classes import PlannedClass

_LEAVES = ("tos", "sl", "gid_index")


def plan_apps(
    device: str, system: str, settings: Iterable[Settings], classes: tuple[PlannedClass, ...], trust: str = "dscp"
) -> tuple[tuple[App, ...] | None, dict[str, str], list[Adjustment]]:
    """Return the applications of a host, why, by leaf path, and those that its system does not carry.

    `settings` are those of the device and of its ports: what one of them asks for the host gets. None where nobody
    names an application. `trust` is what ports trust where nobody says. Raises PlanError where the class of one does
    not exist.
    """
    found: dict[str, App] = {}
    why: dict[str, str] = {}
    dropped: list[Adjustment] = []
    for of_port in settings:
        stated = of_port.host_applications
        for name, class_name in stated.value or ():
            if name in found or any(item.field == f"apps.{name}" for item in dropped):
                continue
            application = applications.get(name)
            if application is None:
                raise PlanError(f"{stated.because}: the application {name} is not known")
            if not applications.runs_on(application, system):
                because = f"{application.title} runs on {', '.join(application.hosts)} hosts"
                dropped.append(Adjustment(device, "", f"apps.{name}", application.title, "nothing", "dropped", because))
                continue
            item = _class_of(name, class_name, application.class_kind, classes, stated.because)
            app = _app(name, item, of_port, application.takes, of_port.trust.or_else(trust), why)
            if any(getattr(app, leaf) is not None for leaf in _LEAVES):
                found[name] = app
            else:
                because = f"it can be told a ToS only, and class {item.name} has no DSCP"
                dropped.append(Adjustment(device, "", f"apps.{name}", application.title, "nothing", "dropped", because))
    return tuple(found.values()) or None, why, dropped


def _class_of(name: str, stated: str | None, kind: str, classes: tuple[PlannedClass, ...], because: str) -> FabricClass:
    """Return the class that carries an application: the one the intent names, else the first of its kind."""
    known = {item.of.name: item.of for item in classes}
    if stated is not None:
        if stated not in known:
            near = did_you_mean(stated, known)
            raise PlanError(f"{because}: {name} wants the class {stated}, which the intent does not have{near}")
        return known[stated]
    for item in known.values():
        if item.kind == kind:
            return item
    raise PlanError(f"{because}: {name} belongs to a class of kind {kind}, which the intent does not have: name one")


def _app(
    name: str, item: FabricClass, settings: Settings, takes: tuple[str, ...], trust: str, why: dict[str, str]
) -> App:
    tos = item.dscp[0] * 4 + ECT_0 if item.dscp and "tos" in takes else None
    by_tag = tos is None or trust == "pcp"
    sl = item.priority if by_tag and "sl" in takes else None
    gid_index = settings.host_gid_index.value if "gid_index" in takes else None
    leaf = f"apps.{name}"
    if tos is not None:
        why[f"{leaf}.tos"] = f"DSCP {item.dscp[0]} x 4 + 2: {whose(item, 'dscp')}, ECN-capable (ECT(0))"
    if sl is not None:
        why[f"{leaf}.sl"] = f"priority of {whose(item, 'priority')}: the tag decides where ports trust PCP"
    if gid_index is not None:
        why[f"{leaf}.gid_index"] = settings.host_gid_index.because
    place = settings.host_applications.place
    return App(name, tos, sl, gid_index, place=None if place is None else Where(*place))


def numbers(apps: Iterable[App]) -> list[tuple[str, int]]:
    """Return what applications are told, by leaf path."""
    return [
        (f"apps.{app.name}.{leaf}", value)
        for app in apps
        for leaf in _LEAVES
        if (value := getattr(app, leaf)) is not None
    ]
