"""The neutral state of a device as text and as JSON: the output of `rocecfg parse`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocecfg.lint.ranges import ranges
from rocecfg.report import words
from rocecfg.report.table import columns, counted, printable
from rocecfg.state.codec import to_plain
from rocecfg.state.model import distinct_qos

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rocecfg.state.model import Device, Nic, Port, PortQos, PriorityGroup, Queue

SHOWN_LINES = 20
"""Lines not understood that the text shows; JSON has all."""


def as_plain(device: Device) -> dict[str, Any]:
    """Return a device as JSON-ready data, with the lines not understood under their own name."""
    plain: dict[str, Any] = {"schema": 1, **to_plain(device)}
    plain.pop("lines", None)
    plain["not_understood"] = [
        {"file": line.place.file, "line": line.place.line, "text": line.text} for line in device.lines
    ]
    plain["lines_read"] = device.lines_read
    return plain


def as_text(device: Device) -> str:
    """Return a device as a short text: what holds device-wide, then one block per distinct port setting."""
    parts = [_heading(device), columns(_device_rows(device))]
    for qos, ports in distinct_qos(device):
        rows = [*_port_rows(ports[0]), *_qos_rows(qos)]
        same = [port for port in ports if _port_rows(port) == _port_rows(ports[0])]
        parts.append(
            ", ".join(ranges(port.name for port in same)) + "\n" + columns(("  " + name, text) for name, text in rows)
        )
        parts += [
            port.name + "\n" + columns([*(("  " + name, text) for name, text in _port_rows(port)),
                                        ("  other settings", f"as {same[0].name}")])
            for port in ports if port not in same
        ]  # fmt: skip
    parts += [
        f"{line.place.file}:{line.place.line}: not understood: {line.text}\n" for line in device.lines[:SHOWN_LINES]
    ]
    if len(device.lines) > SHOWN_LINES:
        parts.append(f"and {len(device.lines) - SHOWN_LINES} more lines not understood (--format json lists all)\n")
    return "".join("".join(f"{printable(line)}\n" for line in part.splitlines()) for part in parts)


def _heading(device: Device) -> str:
    kinds = sum(1 for _ in distinct_qos(device))
    facts = [device.nos, device.model, device.os_version, f"{device.source} configuration"]
    read = f"{counted(device.lines_read, 'line')} read, {len(device.lines)} not understood"
    ports = f"{counted(len(device.ports), 'port')} in {counted(kinds, 'setting')}"
    return f"{device.name}  {', '.join(fact for fact in facts if fact)}: {ports}, {read}\n"


def _device_rows(device: Device) -> Iterator[tuple[str, str]]:
    if device.pfc_enabled is not None:
        yield "  PFC of the device", words.yes(device.pfc_enabled)
    if device.ecn_enabled is not None:
        yield "  ECN of the device", words.yes(device.ecn_enabled)
    if device.buffer_model is not None:
        yield "  buffers sized by", device.buffer_model
    for pool in device.pools or ():
        facts = [pool.direction or "", "lossless" if pool.lossless else "", pool.mode or ""]
        facts += [words.amount(pool.total)] if pool.total is not None else []
        facts += [f"headroom {words.amount(pool.headroom)}"] if pool.headroom is not None else []
        facts += [words.limit(pool.alpha)] if pool.alpha is not None else []
        yield f"  pool {pool.name}", ", ".join(fact for fact in facts if fact)
    for named in device.objects:
        if named.used and not named.defined and not named.system:
            yield f"  {named.kind} {named.name}", "used, not defined"


def _port_rows(port: Port) -> list[tuple[str, str]]:
    rows = []
    if port.mtu is not None:
        rows.append(("MTU", f"{port.mtu} B ({port.mtu_counts or 'unknown what is counted'})"))
    if port.speed is not None:
        rows.append(("speed", words.rate(port.speed)))
    return rows + (list(_nic_rows(port.nic)) if port.nic is not None else [])


def _nic_rows(nic: Nic) -> Iterator[tuple[str, str]]:
    names = (("rdma_device", "RDMA device"), ("roce_version", "RoCE version"), ("active_mtu", "RDMA path MTU"),
             ("default_tos", "default ToS"), ("forced_tos", "forced ToS"), ("cnp_dscp", "CNP DSCP"),
             ("cnp_priority", "CNP priority"))  # fmt: skip
    for field, label in names:
        value = getattr(nic, field)
        if value is not None:
            yield label, str(value)
    control = nic.congestion_control
    if control is not None:
        sides = [("answers marks on", control.receives), ("slows down on", control.reacts)]
        facts = [f"{text} {words.numbers(of)}" for text, of in sides if of is not None]
        yield "congestion control", ", ".join([control.algorithm or "unnamed", *facts])
    if nic.storm_timeout is not None:
        yield "pause storm timeout", words.milliseconds(nic.storm_timeout)


def _qos_rows(qos: PortQos) -> Iterator[tuple[str, str]]:
    simple: tuple[tuple[str, Any, Callable[[Any], str]], ...] = (
        ("trust", qos.trust, str),
        ("DSCP -> TC", qos.dscp_to_tc, words.codes), ("PCP -> TC", qos.pcp_to_tc, words.codes),
        ("default TC", qos.default_tc, str), ("TC -> queue", qos.tc_to_queue, words.table),
        ("TC -> PG", qos.tc_to_pg, words.table), ("priority -> queue", qos.priority_to_queue, words.set_table),
        ("priority -> PG", qos.priority_to_pg, words.set_table),
        ("cable", qos.cable, lambda metres: f"{words.number(metres)} m"),
    )  # fmt: skip
    for label, value, write in simple:
        if value is not None:
            yield label, write(value)
    for selector, port, tc in qos.app_to_tc or ():
        yield f"{selector} {port} -> TC", str(tc)
    if qos.rewrite is not None:
        yield "rewrite", ", ".join(f"{kind} {of} -> DSCP {to}" for kind, of, to in qos.rewrite) or "none"
    yield from _pause_rows(qos)
    for at, queue in enumerate(qos.queues or ()):
        if queue is not None and (text := _queue(queue)):
            yield f"queue {at}", text
    for at, group in enumerate(qos.priority_groups or ()):
        if group is not None and (text := _group(group)):
            yield f"priority group {at}", text


def _pause_rows(qos: PortQos) -> Iterator[tuple[str, str]]:
    facts: list[str]
    pfc = qos.pfc
    if pfc is not None:
        facts = [pfc.admin or "unknown"]
        facts += [f"pauses the peer on {words.numbers(pfc.tx)}"] if pfc.tx is not None else []
        facts += [f"honours {words.numbers(pfc.rx)}"] if pfc.rx is not None else []
        facts += [f"negotiated {words.numbers(pfc.oper)}"] if pfc.oper is not None else []
        facts += ["switched off device-wide"] if pfc.gate is False else []
        yield "PFC", ", ".join(facts)
    pause = qos.link_pause
    if pause is not None:
        sides = (("receive", pause.rx), ("send", pause.tx))
        yield "link pause", ", ".join(f"{side} {words.yes(on)}" for side, on in sides if on is not None) or "unknown"
    if qos.dcbx is not None:
        willing = {True: ", willing", False: ", not willing", None: ""}[qos.dcbx.willing]
        yield "DCBX", f"{qos.dcbx.state or 'unknown'}{willing}"
    dog = qos.watchdog
    if dog is not None:
        facts = ["unknown" if dog.enabled is None else words.yes(dog.enabled)]
        facts += [f"priorities {words.numbers(dog.priorities)}"] if dog.priorities is not None else []
        times = (("poll", dog.poll), ("detect", dog.detect), ("restore", dog.restore))
        facts += [f"{name} {words.milliseconds(value)}" for name, value in times if value is not None]
        facts += [dog.action] if dog.action is not None else []
        yield "watchdog", ", ".join(facts)


def _queue(queue: Queue) -> str:
    facts: list[str] = []
    if queue.scheduler == "strict":
        facts.append("strict" if queue.rank is None else f"strict, rank {queue.rank}")
    elif queue.weight is not None:
        unit = "%" if (queue.weight_kind or "").startswith("percent") else ""
        facts.append(f"weight {words.number(queue.weight)}{unit}")
    elif queue.scheduler is not None:
        facts.append(queue.scheduler)
    facts += [f"at least {words.rate(queue.guarantee)}"] if queue.guarantee is not None else []
    facts += [f"at most {words.rate(queue.shaper)}"] if queue.shaper is not None else []
    facts += [f"ECN {words.ecn(queue.ecn)}"] if queue.ecn is not None else []
    facts += [f"drops {words.curve(each)}" for each in queue.wred or ()]
    facts += [f"limit {words.limit(queue.limit)}"] if queue.limit is not None else []
    facts += [f"reserved {words.amount(queue.reserved)}"] if queue.reserved is not None else []
    return "; ".join(facts)


def _group(group: PriorityGroup) -> str:
    facts = [] if group.lossless is None else ["lossless" if group.lossless else "lossy"]
    facts += [f"headroom {words.headroom(group.headroom)}"] if group.headroom is not None else []
    facts += [f"XOFF at {words.limit(group.xoff_at)}"] if group.xoff_at is not None else []
    facts += [f"XON at {words.amount(group.xon_at)}"] if group.xon_at is not None else []
    facts += [f"XON {words.amount(group.xon_below)} below XOFF"] if group.xon_below is not None else []
    facts += [f"reserved {words.amount(group.reserved)}"] if group.reserved is not None else []
    return "; ".join(facts)
