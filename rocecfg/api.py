"""rocecfg for programs: load, plan, render, parse, lint, compare. Everything else may change between releases.

    from rocecfg import drift, lint, load_intent, parse, plan, render

What goes wrong is a `rocecfg.errors.RocecfgError`; its text is the sentence that the command line prints. Nothing here
prints, asks, writes a file or opens a connection. Rules are those of the default configuration; `lint` takes others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError, RenderError, UsageError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.drift.compare import Drift
    from rocecfg.intent.fabric import Fabric
    from rocecfg.lint.checks import Result
    from rocecfg.lint.config import Settings
    from rocecfg.plan.planned import Plan
    from rocecfg.state.model import Device

__all__ = ["drift", "lint", "load_intent", "parse", "plan", "render"]


def load_intent(source: Path | str) -> Fabric:
    """Return the fabric that an intent describes: its classes, devices, ports and links by name, patterns expanded.

    `source` is a file; a text with more than one line is the intent itself. Raises IntentError with every problem.

    >>> fabric = load_intent('''
    ... version: 1
    ... fabric: pod1
    ... classes: {roce: {dscp: 26, priority: 3, lossless: true}}
    ... devices:
    ...   leaf1: {nos: nxos, model: N9K-C9364D-GX2A, role: leaf}
    ...   gpu[1-2]: {nic: mlx5, role: host}
    ... links:
    ...   - {a: "leaf1:Ethernet1/[1-2]", b: "gpu[1-2]:rail0", speed: 400G, cable: 3m dac}
    ... ''')
    >>> list(fabric.devices), len(fabric.links)
    (['leaf1', 'gpu1', 'gpu2'], 2)
    """
    from rocecfg.intent.expand import expand
    from rocecfg.intent.load import load_intent as load
    from rocecfg.intent.load import parse_intent
    from rocecfg.vendor.registry import known_systems

    if isinstance(source, str) and "\n" in source:
        return expand(parse_intent(source, "<text>", known_systems()))
    return expand(load(source, known_systems()))


def plan(intent: Fabric | Path | str) -> Plan:
    """Return the plan of an intent: for every device what is wanted, what its system can carry, and why.

    Takes what `load_intent` returns, or what it takes. Raises IntentError, PlanError where classes contradict each
    other or a buffer does not hold its headroom.

    >>> leaf1 = plan(fabric).devices["leaf1"]
    >>> kmin = next(number for number in leaf1.numbers("Ethernet1/1") if number.name == "queues.3.ecn.kmin")
    >>> kmin.value, kmin.unit, kmin.because != ""
    (400, 'KB', True)
    """
    from rocecfg.plan.resolve import plan as resolve

    return resolve(load_intent(intent) if isinstance(intent, Path | str) else intent)


def render(planned: Plan, device: str = "") -> dict[str, dict[str, str]]:
    """Return the configuration files of every device, or of one: device -> file name -> text.

    Raises RenderError when a device cannot carry what the intent asks for, UsageError for an unknown device.

    >>> files = render(plan(fabric))
    >>> sorted(files["leaf1"])
    ['switch.cfg']
    """
    from rocecfg.render.engine import render as render_device

    if device and device not in planned.devices:
        raise UsageError(f'no device of {planned.name} is called "{device}"{did_you_mean(device, planned.devices)}')
    names = [device] if device else list(planned.devices)
    refused = [item for item in planned.refusals() if item.device in names]
    if refused:
        raise RenderError(
            "\n".join(
                f"{item.device} {item.object}: {item.field}: {item.wanted} is wanted, {item.got}: {item.because}"
                for item in refused
            )
        )
    return {name: {file.file: file.content for file in render_device(planned.devices[name].fitted)} for name in names}


def parse(source: Path | str | Mapping[str, str], *, nos: str = "", name: str = "") -> Device:
    """Return the state of one device: what its texts say, and its system's defaults where they are silent.

    `source` is a capture folder, a saved configuration, or texts by the command that printed them (one that printed
    nothing says nothing). `nos` names the system where the texts do not tell, `name` the device. Raises ReadError,
    UsageError for an unknown system.

    >>> device = parse({"show running-config": files["leaf1"]["switch.cfg"]}, nos="nxos", name="leaf1")
    >>> sorted(device.ports["Ethernet1/1"].qos.pfc.tx)
    [3]
    """
    from rocecfg.state.capture import Capture, Text, read_capture
    from rocecfg.state.parse import parse as read

    if isinstance(source, Mapping):
        label = name or "<texts>"
        texts = tuple(Text(f"{label}: {command}", text, command) for command, text in source.items() if text.strip())
        capture: Capture | ReadError = Capture(name, nos, texts, file=label)
    else:
        capture = read_capture(Path(source))
    if isinstance(capture, ReadError):
        raise capture
    device = read(capture, nos)
    return replace(device, name=name) if name and device.name != name else device


def lint(
    devices: Iterable[Device] = (), *, intent: Fabric | Path | str | None = None, settings: Settings | None = None
) -> Result:
    """Return what the rules say about devices, their cables and an intent: findings, and what could not be judged.

    With an intent, links and wanted values come from it; without one, links come from LLDP. Comments and `ignore`
    lists of the intent count. `settings` = `rocecfg.lint.config.Settings(profile="strict", select=("PFC",))`.

    >>> lint(intent=fabric).findings
    ()
    >>> lint([device], intent=fabric).findings
    ()
    """
    from rocecfg.lint.run import lint as judge
    from rocecfg.lint.suppress import of_fabric

    fabric = load_intent(intent) if isinstance(intent, Path | str) else intent
    return judge(
        list(devices),
        intent=fabric,
        settings=settings,
        suppressions=None if fabric is None else of_fabric(fabric),
    )


def drift(planned: Plan, devices: Iterable[Device]) -> Drift:
    """Return what devices have otherwise than the plan wants: findings, and what the texts do not say.

    Devices are matched by name. Raises UsageError for a device that the plan does not have, or of another system.

    >>> drift(plan(fabric), [device]).findings
    []
    """
    from rocecfg.drift.compare import Drift, compare

    found = Drift()
    for live in devices:
        wanted = planned.devices.get(live.name)
        if wanted is None:
            raise UsageError(
                f'no device of {planned.name} is called "{live.name}"{did_you_mean(live.name, planned.devices)}'
            )
        if wanted.fitted.nos != live.nos:
            raise UsageError(f"{live.name}: the text is of {live.nos}, the intent says {wanted.fitted.nos}")
        of_device = compare(wanted, live)
        found.findings += of_device.findings
        found.not_evaluated += of_device.not_evaluated
    return found
