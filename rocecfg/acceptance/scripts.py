"""The files of an acceptance run: `acceptance.json`, SCHEDULE.md and one script a stage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.acceptance.model import FILE, as_json
from rocecfg.errors import UsageError
from rocecfg.plan.nic import ECT_0
from rocecfg.render.engine import environment
from rocecfg.state.capture import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rocecfg.acceptance.model import Acceptance, Flow, Stage, Step
    from rocecfg.acceptance.plan import Made

_START = 4
"""Seconds a round takes beside its traffic: servers, sessions, a common start."""
_OTHERWISE = 10
"""Seconds of a flow that has no duration of its own (ping, latency)."""
_SHOWN = 4
"""Rounds, and flows of each, that the schedule spells out; all are in acceptance.json."""


def write(folder: Path, made: Made) -> int:
    """Write the files; return how many changed. Results and logs stay as they are. Raises UsageError."""
    changed = 0
    try:
        for name, text in files(made):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_file() and path.read_bytes() == text.encode():
                continue
            write_atomically(path, text, 0o755 if path.suffix == ".sh" else 0o644)
            changed += 1
    except OSError as error:
        raise UsageError(f"{error.filename or folder}: cannot write: {error.strerror or error}") from error
    return changed


def files(made: Made) -> Iterator[tuple[str, str]]:
    """Yield the files by name: the same plan gives the same bytes."""
    acceptance = made.acceptance
    templates = environment()
    yield FILE, as_json(acceptance)
    yield "run/lib/engine.bash", _as_it_is("engine.bash")
    yield "run/lib/host.bash", _as_it_is("host.bash")
    for number, stage in enumerate(acceptance.stages, 1):
        lines = [f"switch {name}" for name in acceptance.switches]
        lines += [line for step in stage.steps for line in _lines(acceptance, step)]
        text = templates.get_template("acceptance/stage.sh.j2").render(stage=stage.name, lines=lines)
        yield f"run/{number}-{stage.name}.sh", text
    rows = [
        {
            "stage": stage,
            "number": number,
            "steps": [_row(step) for step in stage.steps],
            "minutes": -(-sum(_seconds(step) for step in stage.steps) // 60),
            "hosts": len(_hosts(stage)),
        }
        for number, stage in enumerate(acceptance.stages, 1)
    ]
    yield (
        "SCHEDULE.md",
        templates.get_template("acceptance/SCHEDULE.md.j2").render(
            acceptance=acceptance, stages=rows, remarks=made.remarks, cell=_cell
        ),
    )


def _as_it_is(name: str) -> str:
    """Return a text of the templates that is no template: bash's `${#list[@]}` would begin a comment in one."""
    templates = environment()
    assert templates.loader is not None
    return templates.loader.get_source(templates, f"acceptance/{name}")[0]


def _cell(text: object) -> str:
    """Return text for a Markdown table or line: nothing in it is markup."""
    flat = " ".join(str(text).split())
    return "".join("\\" + sign if sign in "\\`*_[]<>|#" else sign for sign in flat)


def _hosts(stage: Stage) -> set[str]:
    return {end.host for step in stage.steps for flow in step.flows for end in (flow.client, flow.server)}


def _lines(acceptance: Acceptance, step: Step) -> Iterator[str]:
    """Yield a step in the words that the engine reads: safe words and numbers only, see `model.Word`."""
    flows = {flow.id: flow for flow in step.flows}
    ends = sorted({(end.host, end.interface) for flow in step.flows for end in (flow.client, flow.server)})
    if step.hosts:
        ends = sorted((host, name) for host in step.hosts for name in acceptance.hosts[host].interfaces)
    yield f"step {step.name} {int(step.counters)}"
    if step.counters:
        for host in dict.fromkeys(host for host, _ in ends):
            yield "card " + " ".join([host, *(name for of, name in ends if of == host)])
    if step.hosts:
        yield "rank " + " ".join(step.hosts)
    yield "before"
    for one in step.rounds:
        yield "round"
        for name in one:
            flow = flows[name]
            yield " ".join(
                str(word)
                for word in (
                    "flow",
                    flow.id,
                    flow.tool,
                    flow.client.host,
                    flow.client.interface,
                    flow.server.host,
                    flow.server.interface,
                    flow.port,
                    _byte(acceptance, flow),
                    step.message,
                    step.queue_pairs,
                    step.seconds,
                )
            )
        yield "go"
    yield "after"


def _byte(acceptance: Acceptance, flow: Flow) -> int:
    """Return the ToS byte that a flow sends: RDMA in a marked class says that it understands ECN, or nothing marks it.

    NICs that do not set the bits themselves send what the application asks for. TCP and ping know their own.
    """
    tclass = acceptance.classes[flow.traffic_class].tclass
    return tclass | ECT_0 if tclass and flow.tool not in {"ping", "iperf3"} else tclass


def _seconds(step: Step) -> int:
    return len(step.rounds) * ((step.seconds or _OTHERWISE) + _START)


def _row(step: Step) -> dict[str, object]:
    """Return a step for the schedule, with the leaf ports of its first rounds."""
    flows = {flow.id: flow for flow in step.flows}
    return {
        "step": step,
        "classes": ", ".join(dict.fromkeys(flow.traffic_class for flow in step.flows)),
        "seconds": _seconds(step),
        "rounds": [
            (number, len(one), [flows[name] for name in one[:_SHOWN]])
            for number, one in enumerate(step.rounds[:_SHOWN], 1)
        ],
        "more": max(0, len(step.rounds) - _SHOWN),
    }
