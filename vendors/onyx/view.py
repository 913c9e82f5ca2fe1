"""What the Onyx template prints: full commands, one a line, equal ones for neighbouring ports as a range."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import Dynamic
from rocecfg.vendor.api import View

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rocecfg.state.model import Amount, Device, Limit, Port, PortQos

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_EFFECTIVE = load_module(_HERE.with_name("effective.py"))
_WORDS = {"pcp": "L2", "dscp": "L3", "both": "both", "none": "port"}


def from_state(device: Device) -> Mapping[str, View]:
    """Return the view of `switch.cfg.j2` for a fitted device."""
    sections: dict[str, dict[str, list[str]]] = {"interfaces": {}, "buffers": {}, "qos": {}, "pfc": {}}
    named = (port for port in device.ports.values() if _CONFIG.port_name(port.name) == port.name)
    for port in sorted(named, key=_order):
        # A port that is all default still has to be named: then its trust is said.
        lines = tuple(_lines(port, advanced=device.buffer_model == "stated")) or (("qos", "qos trust L2"),)
        for section, line in lines:
            sections[section].setdefault(line, []).append(port.name)
    first = next(iter(device.ports.values()), None)
    pfc = first.qos.pfc if first is not None else None
    lossless = sorted(pfc.tx or ()) if pfc is not None and device.pfc_enabled else []
    pool = next((item for item in device.pools or () if item.lossless and item.direction == "both"), None)
    pooled = _pooled(first.qos) if first is not None else []
    advanced = device.buffer_model == "stated"
    values = {
        "advanced": advanced,
        "buffer_pools": [item for item in device.pools or () if advanced and item.direction != "both"],
        "name": device.name,
        "enabled": device.pfc_enabled is True,
        "lossless": lossless,
        "pool": pool.name if pool is not None and pooled else "",
        "memory": f"{float(pool.total.value):.2f}" if pool is not None and pool.total is not None else "",
        "priorities": " ".join(map(str, pooled)),
        **{name: tuple(_spread(lines)) for name, lines in sections.items()},
    }
    return {"switch.cfg.j2": View(values)}


def _pooled(qos: PortQos) -> list[int]:
    """Return the switch priorities that the lossless traffic pool holds."""
    groups = {number for number, group in enumerate(qos.priority_groups or ()) if group is not None and group.lossless}
    return [tc for tc, group in enumerate((qos.tc_to_pg or ())[:8]) if group in groups]


def _order(port: Port) -> tuple[str, tuple[int, ...]]:
    """Return the place of a port in the order of the front panel."""
    kind, numbers = _CONFIG.command_name(port.name)
    return kind, tuple(map(int, numbers.split("/")))


def _lines(port: Port, *, advanced: bool) -> Iterator[tuple[str, str]]:
    """Yield (section, line) of a port: what differs from the default that a configuration does not print."""
    qos = port.qos
    if port.mtu is not None and port.mtu != _EFFECTIVE.DEFAULT_MTU:
        yield "interfaces", f"mtu {port.mtu} force"
    pause = qos.link_pause
    if pause is not None:
        for direction, on in (("receive", pause.rx), ("send", pause.tx)):
            if on:
                yield "interfaces", f"flowcontrol {direction} on force"
    if qos.dcbx is not None and qos.dcbx.state in {"ieee", "cee"}:
        yield "interfaces", "lldp tlv-select dcbx" + ("-cee" if qos.dcbx.state == "cee" else "")
    if advanced:
        for line in _buffers(qos):
            yield "buffers", line
    for line in _classification(qos):
        yield "qos", line
    for line in _queues(qos):
        yield "qos", line
    if qos.pfc is not None and qos.pfc.admin == "on":
        yield "pfc", "dcb priority-flow-control mode on force"
    if qos.watchdog is not None and qos.watchdog.enabled:
        yield "pfc", "pfc-wd"


def _buffers(qos: PortQos) -> Iterator[str]:
    """Yield the buffers of the advanced form: who is in which group, and what a group and a class may hold."""
    for tc, number in enumerate((qos.tc_to_pg or ())[:8]):
        if number is not None:
            yield f"ingress-buffer iPort.pg{number} bind switch-priority {tc}"
    for at, group in enumerate(qos.priority_groups or ()):
        if group is None or group.pool is None or group.reserved is None:
            continue
        headroom = group.headroom.amount if group.headroom is not None else None
        whole = (group.reserved.bytes or 0) + ((headroom.bytes or 0) if headroom is not None else 0)
        words = [f"ingress-buffer iPort.pg{at} map pool {group.pool}"]
        if group.lossless and group.xon_at is not None:
            words.append(f"type lossless reserved {whole} xoff {group.reserved.bytes} xon {group.xon_at.bytes}")
        else:
            words.append(f"type lossy reserved {whole}")
        yield " ".join((*words, f"shared alpha {_alpha(group.xoff_at)}"))
    for at, queue in enumerate(qos.queues or ()):
        if queue is not None and queue.pool is not None and queue.reserved is not None:
            of_queue = f"egress-buffer ePort.tc{at} map pool {queue.pool}"
            yield f"{of_queue} reserved {queue.reserved.bytes} shared alpha {_alpha(queue.limit)}"


def _alpha(limit: Limit | None) -> str:
    return str(limit.alpha) if isinstance(limit, Dynamic) and limit.alpha is not None else "inf"


def _classification(qos: PortQos) -> Iterator[str]:
    if qos.trust not in {None, "pcp"}:
        yield f"qos trust {_WORDS[str(qos.trust)]}"
    for codes, default, line in (
        (qos.dscp_to_tc, _EFFECTIVE.DSCP_DEFAULT, "qos map dscp {code} to switch-priority {to}"),
        (qos.pcp_to_tc, _EFFECTIVE.PCP_DEFAULT, "qos map pcp {code} dei 0 to switch-priority {to}"),
    ):
        if codes is None or codes.to == default:
            continue
        for code, to in enumerate(codes.to):
            # A map that is touched at all also says the planned codes: they hang on no default.
            if to is not None and (to != default[code] or codes.stated >> code & 1):
                yield line.format(code=code, to=to)
    of_queue: dict[int, list[int]] = {}
    for tc, queue in enumerate((qos.tc_to_queue or ())[:8]):
        if queue is not None:
            of_queue.setdefault(queue, []).append(tc)
    for queue, tcs in sorted(of_queue.items()):
        if tcs != [queue] and any(tc != queue for tc in tcs):
            yield f"traffic-class {queue} bind switch-priority {' '.join(map(str, tcs))}"


def _queues(qos: PortQos) -> Iterator[str]:
    for number, queue in enumerate(qos.queues or ()):
        if queue is None:
            continue
        at = f"traffic-class {number}"
        if queue.scheduler == "strict":
            yield f"{at} dcb ets strict"
        elif queue.weight is not None and queue.weight != _EFFECTIVE.DEFAULT_WEIGHTS[number]:
            yield f"{at} dcb ets wrr {queue.weight}"
        curves = queue.ecn.curves if queue.ecn is not None else ()
        word = "ecn"
        if curves and queue.ecn is not None and queue.ecn.non_ect == "drop":
            word = "both"
        elif not curves and queue.wred:
            curves, word = queue.wred, "red"
        if curves and curves[0].low is not None and curves[0].high is not None:
            yield f"{at} congestion-control {word} {_ramp(curves[0].low, curves[0].high)}"


def _ramp(low: Amount, high: Amount) -> str:
    kind = "relative" if low.unit == "percent" else "absolute"
    return f"minimum-{kind} {low.value} maximum-{kind} {high.value}"


def _spread(lines: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Yield full commands: neighbouring ports as a range, which is how a running configuration prints them."""
    runs: dict[tuple[str, ...], list[str]] = {}
    for line, names in lines.items():
        key = tuple(names)
        for target in runs.setdefault(key, _targets(key)):
            yield f"interface {target} {line}"


def _targets(names: Iterable[str]) -> list[str]:
    targets: list[str] = []
    run: list[tuple[str, int]] = []

    def close() -> None:
        if run:
            first, last = f"{run[0][0]}/{run[0][1]}", f"{run[-1][0]}/{run[-1][1]}"
            targets.append(f"ethernet {first}" if first == last else f"ethernet {first}-{last}")
            run.clear()

    for name in names:
        kind, numbers = _CONFIG.command_name(name)
        module, _, port = numbers.rpartition("/")
        if kind != "ethernet" or "/" in module:  # a range of split ports or port-channels is in no published line
            close()
            targets.append(f"{kind} {numbers}")
            continue
        if run and (run[-1][0] != module or run[-1][1] + 1 != int(port)):
            close()
        run.append((module, int(port)))
    close()
    return targets
